use std::ops::Range;

use rayon::prelude::*;
use thalweg_columns::cells_and_faces::{DIRECTIONS, DOWN, Spot, UP};
use thalweg_columns::grid::{first_cell, world_cell};
use thalweg_columns::interpolate::cell_at;
use thalweg_columns::{Heights, Shape};

use super::{FAR, FillParams, FillSlices};

/// The cells that this pass looks at, and what it has reached.
#[derive(Clone, Copy)]
struct Cells<'a> {
    shape: Shape,
    heights: &'a [Heights],
    layers: &'a [u32],
    phi: &'a [f32],
}

impl Cells<'_> {
    /// The level set of a world cell that was reached before a pass. Tall cells hold no obstacle.
    fn reached(&self, spot: Spot, layer: u32) -> Option<f32> {
        let (n, h) = (self.shape.samples(), self.heights[spot.column]);
        if spot.y < h[0] || spot.y >= h[1] + n as i32 - 2 {
            return None;
        }
        let line = &self.phi[spot.column * n..][..n];
        if spot.y < first_cell(h) {
            return Some(cell_at(line, h, spot.y));
        }
        let sample = (spot.y - h[1] + 2) as usize;
        (self.layers[spot.column * n + sample] < layer).then(|| line[sample])
    }

    /// The level set of a cell from what was reached around it: beside it, or else below and above, a cell away from
    /// the surface.
    fn continued(&self, spot: Spot, layer: u32) -> Option<f32> {
        let mean = |directions: Range<usize>| {
            let (mut sum, mut count) = (0.0, 0.0);
            for direction in directions {
                let next = spot.step(self.shape, direction);
                if let Some(phi) = next.and_then(|next| self.reached(next, layer)) {
                    sum += match direction {
                        DOWN => phi + 1.0,
                        UP => phi - 1.0,
                        _ => phi,
                    };
                    count += 1.0;
                }
            }
            (count > 0.0).then(|| sum / count)
        };
        mean(0..DOWN).or_else(|| mean(DOWN..DIRECTIONS))
    }
}

/// The solids between the columns.
#[derive(Clone, Copy)]
struct Solids<'a> {
    shape: Shape,
    heights: &'a [Heights],
    solid: &'a [f32],
    /// Solid fraction from which cells beside steep walls are filled.
    mostly: f32,
}

impl Solids<'_> {
    /// How solid a world cell is, 0 in tall cells and beyond the columns.
    fn at(&self, spot: Spot) -> f32 {
        let (n, h) = (self.shape.samples(), self.heights[spot.column]);
        let is_own = spot.y >= first_cell(h) && spot.y < h[1] + n as i32 - 2;
        if is_own { self.solid[spot.column * n + (spot.y - h[1] + 2) as usize] } else { 0.0 }
    }

    /// Whether the level set of a sample is to be that of the water beside it.
    fn is_filled(&self, column: usize, sample: usize) -> bool {
        let solid = self.solid[column * self.shape.samples() + sample];
        if !(self.mostly..1.0).contains(&solid) {
            return solid >= 1.0;
        }
        let spot = Spot { column, y: world_cell(self.heights[column], sample) };
        // What is beyond a side of the grid is as solid as the cell.
        let slope = |low: usize, high: usize| {
            let [a, b] =
                [low, high].map(|direction| spot.step(self.shape, direction).map_or(solid, |next| self.at(next)));
            (b - a).abs()
        };
        slope(0, 1).max(slope(2, 3)) >= slope(DOWN, UP)
    }
}

pub(super) fn fill(p: &FillParams, s: FillSlices<'_>) {
    let shape = p.shape();
    let (n, len) = (shape.samples(), shape.len());
    if p.layer == 0 {
        let solids = Solids { shape, heights: s.heights, solid: s.solid, mostly: p.mostly };
        s.layers[..len].par_chunks_mut(n).enumerate().for_each(|(column, layers)| {
            for (sample, layer) in layers.iter_mut().enumerate() {
                *layer = if solids.is_filled(column, sample) { FAR } else { 0 };
            }
        });
        return;
    }
    let found: Vec<(usize, f32)> = {
        let cells = Cells { shape, heights: s.heights, layers: s.layers, phi: s.phi };
        let of_column = |column: usize| {
            let far = (0..n).filter(move |sample| cells.layers[column * n + sample] == FAR);
            far.filter_map(move |sample| {
                let spot = Spot { column, y: world_cell(cells.heights[column], sample) };
                Some((column * n + sample, cells.continued(spot, p.layer)?))
            })
        };
        (0..shape.columns()).into_par_iter().flat_map_iter(of_column).collect()
    };
    for (at, phi) in found {
        (s.layers[at], s.phi[at]) = (p.layer, phi);
    }
}
