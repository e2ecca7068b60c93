//! The water of a quadtree on equal cells, for pictures and height maps.

use rayon::prelude::*;
use thalweg_scene::Grid;
use thalweg_shallow::tree::{CELLS, TILE, TileFields};

use super::leaves::{Leaves, water};
use crate::simulation::WaterSurface;

/// Sums over the cells in a pixel, as parts of its area: all, bed, surface of wet ones, wet ones.
type Sums = [f32; 4];

/// The water on `grid`, whose cells are `2^shift` finest cells long; `bed` is the ground on it. Cells of the tree that are smaller are averaged by
/// area, in larger ones the surface goes on as [`crate::tree_leaves::Corners::inside`] says. Under water the bed is the tree's, under films the given one.
pub(crate) fn water_surface(leaves: &Leaves, grid: &Grid, shift: u32, bed: &[f32]) -> WaterSurface {
    let cells = bed.len();
    let mut out = WaterSurface {
        size: [grid.nx as usize, grid.nz as usize],
        cell: grid.cell,
        origin: grid.origin,
        bed: bed.to_vec(),
        depth: vec![0.0; cells],
        surface: bed.to_vec(),
        velocity: [vec![0.0; cells], vec![0.0; cells]],
        maps: None,
    };
    let (large, small): (Vec<_>, Vec<_>) = leaves.tiles.iter().partition(|tile| leaves.shift(tile) >= shift);
    // A part of the tiles at a time, so that memory stays small.
    for tiles in large.chunks(1024) {
        let drawn: Vec<_> = tiles.par_iter().map(|tile| spread(leaves, tile, shift)).collect();
        for (tile, pixels) in tiles.iter().zip(drawn) {
            let across = TILE << (leaves.shift(tile) - shift);
            let first = [tile.place.x, tile.place.z].map(|n| n as usize * across);
            for (n, [surface, depth, u, w]) in pixels.into_iter().enumerate().filter(|(_, water)| water[1] > 0.0) {
                let at = first[0] + n % across + out.size[0] * (first[1] + n / across);
                // A film lies on the ground, however rough that is within a large cell.
                let is_film = surface.is_nan();
                out.depth[at] = depth;
                out.surface[at] = if is_film { out.bed[at] + depth } else { surface };
                out.bed[at] = out.surface[at] - depth;
                (out.velocity[0][at], out.velocity[1][at]) = (u, w);
            }
        }
    }
    if !small.is_empty() {
        gather(leaves, &small, shift, &mut out);
    }
    out
}

/// The water of a tile on equal cells that are not larger than its own, row by row; films in larger cells have no surface (NaN).
fn spread(leaves: &Leaves, tile: &TileFields, shift: u32) -> Vec<[f32; 4]> {
    let per_cell = 1usize << (leaves.shift(tile) - shift);
    let across = TILE * per_cell;
    let mut out = vec![[0.0; 4]; across * across];
    if tile.depth.iter().all(|depth| *depth <= 0.0) {
        return out;
    }
    let corners = (per_cell > 1).then(|| leaves.corners(tile));
    let local = |n: usize| ((n % per_cell) as f32 + 0.5) * 2.0 / per_cell as f32 - 1.0;
    for (n, out) in out.iter_mut().enumerate() {
        let (i, k) = (n % across, n / across);
        let at = i / per_cell + TILE * (k / per_cell);
        *out = match &corners {
            Some(corners) if Leaves::is_wet(tile, at) => corners.inside(tile, at, [local(i), local(k)]),
            Some(_) => [f32::NAN, tile.depth[at], tile.u[at], tile.w[at]],
            None => water(tile, at),
        };
    }
    out
}

/// Averages tiles whose cells are smaller than those of the grid.
fn gather(leaves: &Leaves, tiles: &[&TileFields], shift: u32, out: &mut WaterSurface) {
    let nx = out.size[0];
    let mut sums: Vec<Sums> = vec![[0.0; 4]; out.depth.len()];
    for tile in tiles {
        let finer = shift - leaves.shift(tile);
        let area = 1.0 / (1u64 << (2 * finer)) as f32;
        for at in 0..CELLS {
            let i = (tile.place.x as usize * TILE + at % TILE) >> finer;
            let k = (tile.place.z as usize * TILE + at / TILE) >> finer;
            let to = i + nx * k;
            let [surface, depth, u, w] = water(tile, at);
            let sum = &mut sums[to];
            sum[0] += area;
            sum[1] += area * tile.bed[at];
            if depth > 0.0 {
                sum[2] += area * surface;
                sum[3] += area;
                out.depth[to] += area * depth;
                out.velocity[0][to] += area * depth * u;
                out.velocity[1][to] += area * depth * w;
            }
        }
    }
    for (at, [area, bed, surface, wet]) in sums.into_iter().enumerate().filter(|(_, sums)| sums[3] > 0.0) {
        let volume = out.depth[at];
        out.velocity.iter_mut().for_each(|values| values[at] /= volume);
        out.depth[at] = volume / area;
        // Ground that is partly wet has no level of its own.
        let is_full = wet > 0.999 * area;
        out.surface[at] = if is_full { surface / wet } else { bed / area + out.depth[at] };
        out.bed[at] = out.surface[at] - out.depth[at];
    }
}
