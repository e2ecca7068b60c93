//! What every iteration of a solve needs of bodies and does not change between them.

use rayon::prelude::*;
use thalweg_columns::grid::world_cell;
use thalweg_pressure::device::plane;
use thalweg_solids::vector::{cross, minus};

use super::faces::{Face, Lattice, body, body_of, vector};
use super::{AssembleSlices, BodiesParams, CHUNK, LINK_ROWS, NOBODY, NONE, SIDE_ROWS, STILLS, SidesSlices, word};

/// How the pressure of a cell pushes a body.
struct Link {
    push: [f32; 3],
    /// From the centre of the body to the middle of the cell.
    arm: [f32; 3],
    /// What still water adds: to the sides; upwards, and the first moment of that along x and z.
    aside: [f32; 3],
    lift: f32,
    tilt: [f32; 2],
    /// Whether the cell is an unknown.
    is_unknown: bool,
}

/// First moment of the part of a body in a cell about the middle of the cell, along an axis. Along that which the wall
/// is nearest to the part is a slab at the end that it is pushed to; along the others what is filled changes evenly
/// from face to face.
fn moment(push: [f32; 3], solid: f32, axis: usize) -> f32 {
    let own = push[axis];
    let is_nearest = own.abs() >= push[0].abs().max(push[1].abs()).max(push[2].abs());
    match 0.5 * solid * (1.0 - solid) {
        slab if is_nearest && own > 0.0 => slab,
        slab if is_nearest && own < 0.0 => -slab,
        _ => own / 12.0,
    }
}

/// The link of a body with the cell of water at a sample, if the body closes any of its faces.
///
/// The part of the body in a cell is bounded by its wall and by the closed shares `c` of faces, and still water would
/// press on all of that with the weight of the water that the part displaces. So the wall gets what the faces do not:
/// `s − d₋ c₋ + d₊ c₊` upwards, with the solid fraction `s` and depths `d` of the lower and upper face. Where cells
/// meet, the terms of faces cancel: the lift of a body is its volume under water, however faces are closed. They cancel
/// in moments, too, as they have the arm of the middle of the cell, while what is displaced has that of its own middle,
/// see [`moment`].
///
/// To the sides still water does nothing to a body that it is all around, neither pushes nor turns it. Cells of a row
/// have the same pressure and the same height, that of their middles, so that the faces between them cancel. (With the
/// pressure at the wall in each cell a ball was pushed to and fro between places on the grid, and gained speed on the
/// way.)
fn link(
    p: &BodiesParams,
    s: &AssembleSlices<'_>,
    lattice: &Lattice<'_>,
    (number, column, sample): (usize, usize, usize),
) -> Option<Link> {
    let (n, len, total) = (lattice.shape.samples(), lattice.shape.len(), p.total as usize);
    let at = column * n + sample;
    let is_unknown = s.cells[plane::DIAGONAL * total + at] > 0.0;
    // A cell whose faces are all closed is not an unknown, but the body may fill only a part of it, and that part
    // counts.
    if !is_unknown && s.cells[plane::PHI * total + at] >= 0.0 {
        return None;
    }
    let is_own = |at: usize| body_of(p, s.bodies, s.owner[at]) == Some(number);
    let closed_at = |at: usize| if is_own(at) { 1.0 - s.aperture[at] } else { 0.0 };
    let closed = lattice.faces(column, sample).map(|face| face.map_or(0.0, |Face { at, .. }| closed_at(at)));
    let [low, high] = [closed[2], closed[3]];
    let push = [0, 1, 2].map(|axis| closed[2 * axis + 1] - closed[2 * axis]);
    // Where something else fills more of the cell, faces tell.
    let filled = s.cells[plane::SOLID * total + at];
    let solid = if filled <= 0.0 || is_own(3 * len + at) { filled } else { 0.5 * (low + high) };
    if closed == [0.0; 6] && solid == 0.0 {
        return None;
    }
    let y = world_cell(lattice.heights[column], sample);
    let depth = p.level - y as f32;
    let beside = if is_unknown { p.weight * depth } else { 0.0 };
    // Where a face lies along its own axis changes no moment: the arm of all of them is that of the cell.
    let arm = minus(lattice.middle(column, y), vector(body(s.bodies, number), word::CENTRE));
    let lift = p.weight * (solid - (depth + 0.5) * low + (depth - 0.5) * high);
    Some(Link {
        push,
        arm,
        aside: [beside * push[0], 0.0, beside * push[2]],
        lift,
        tilt: [0, 2].map(|axis| lift * arm[axis] + p.weight * moment(push, solid, axis)),
        is_unknown,
    })
}

pub(super) fn assemble(p: &BodiesParams, s: AssembleSlices<'_>) {
    let lattice = Lattice { shape: p.shape(), heights: s.heights };
    let AssembleSlices { heights, cells, aperture, owner, bodies, items, links, stills } = s;
    let read = || AssembleSlices { heights, cells, aperture, owner, bodies, items, links: &mut [], stills: &mut [] };
    let chunks = links.par_chunks_mut(LINK_ROWS * CHUNK).zip(stills.par_chunks_mut(STILLS));
    chunks.take(p.chunks as usize).enumerate().for_each(|(chunk, (rows, stills))| {
        let s = read();
        rows[..CHUNK].fill(NONE);
        rows[CHUNK..].fill(0.0f32.to_bits());
        let mut sums = [0.0f64; STILLS];
        for (lane, item, level) in p.slots(items, chunk) {
            let Some(sample) = lattice.sample(*item, level) else { continue };
            let (number, column) = (item[0] as usize, item[1] as usize);
            let Some(found) = link(p, &s, &lattice, (number, column, sample)) else { continue };
            let Link { push, arm, aside, lift, tilt, is_unknown } = found;
            if is_unknown {
                rows[lane] = (column * lattice.shape.samples() + sample) as u32;
                let turn = cross(arm, push);
                for (n, value) in push.into_iter().chain(turn).enumerate() {
                    rows[(1 + n) * CHUNK + lane] = value.to_bits();
                }
            }
            let turn = cross(arm, aside);
            let parts = [aside[0], aside[2], turn[0], turn[1], turn[2], lift, -tilt[1], tilt[0]];
            sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += f64::from(part));
        }
        stills.copy_from_slice(&sums.map(|sum| sum as f32));
    });
}

pub(super) fn sides(p: &BodiesParams, s: SidesSlices<'_>) {
    let lattice = Lattice { shape: p.shape(), heights: s.heights };
    let (n, total, slots) = (lattice.shape.samples(), p.total as usize, (p.columns * p.levels) as usize);
    let groups = s.sides.par_chunks_mut(SIDE_ROWS * CHUNK).take(slots.div_ceil(CHUNK)).enumerate();
    groups.for_each(|(group, rows)| {
        rows[..CHUNK].fill(NONE);
        for lane in 0..CHUNK.min(slots - group * CHUNK) {
            let slot = group * CHUNK + lane;
            let item = s.columns[slot / p.levels as usize];
            let Some(sample) = lattice.sample(item, slot % p.levels as usize) else { continue };
            let column = item[1] as usize;
            let at = column * n + sample;
            if s.cells[plane::DIAGONAL * total + at] <= 0.0 {
                continue;
            }
            let (mut whose, mut closed) = ([NOBODY; 6], [0.0f32; 6]);
            for (side, face) in lattice.faces(column, sample).into_iter().enumerate() {
                let Some(Face { at, outward, .. }) = face else { continue };
                if let Some(number) = body_of(p, s.bodies, s.owner[at]) {
                    (whose[side], closed[side]) = (number as u32, outward * (1.0 - s.aperture[at]));
                }
            }
            if closed == [0.0; 6] {
                continue;
            }
            rows[lane] = at as u32;
            rows[CHUNK + lane] = world_cell(s.heights[column], sample) as u32;
            for axis in 0..3 {
                rows[(2 + axis) * CHUNK + lane] = whose[2 * axis] | whose[2 * axis + 1] << 16;
                rows[(5 + axis) * CHUNK + lane] = closed[2 * axis].to_bits();
                rows[(8 + axis) * CHUNK + lane] = closed[2 * axis + 1].to_bits();
            }
        }
    });
}
