//! What every iteration of a solve needs of bodies and does not change between them.

use rayon::prelude::*;
use thalweg_pressure::device::plane;
use thalweg_pressure::grid::world_cell;

use super::faces::{Face, Lattice, body, body_of, vector};
use super::{AssembleSlices, BodiesParams, CHUNK, LINK_ROWS, NOBODY, NONE, SIDE_ROWS, STILLS, SidesSlices, word};
use crate::solids::vector::{cross, minus};

/// Height of a wall over the bottom of a cell, from what it closes of the lower and upper face and fills of the cell, and what it covers of the
/// column. Faces are closed and cells filled by `½ − d` of that with the distance `d` of the wall: whichever is not cut off tells where it is,
/// first the face that the wall has passed. A solid that is `above` goes on upwards from the wall.
///
/// Whether a face is cut is asked before dividing: a GPU's quotient of equal numbers need not be 1.
fn wall_of(above: bool, [low, high]: [f32; 2], solid: f32, covered: f32) -> f32 {
    let is_cut = |closed: f32| closed > 0.0 && closed < covered;
    let (near, far) = if above { ([low, 0.0], [high, 1.0]) } else { ([high, 1.0], [low, 0.0]) };
    let [closed, at] = match (is_cut(near[0]), is_cut(far[0])) {
        (true, _) => near,
        (_, true) => far,
        _ => [solid.min(covered), 0.5],
    };
    let share = closed / covered;
    if above { at + 0.5 - share } else { at - 0.5 + share }
}

/// How the pressure of a cell pushes a body.
struct Link {
    push: [f32; 3],
    /// From the centre of the body to the middle of the cell.
    arm: [f32; 3],
    /// What still water adds: to the sides, and upwards.
    aside: [f32; 3],
    lift: f32,
}

/// The link of a body with the cell at a sample, if the body closes any of its faces and it is an unknown.
fn link(
    p: &BodiesParams,
    s: &AssembleSlices<'_>,
    lattice: &Lattice<'_>,
    (number, column, sample): (usize, usize, usize),
) -> Option<Link> {
    let (n, total) = (lattice.shape.samples(), p.total as usize);
    let at = column * n + sample;
    if s.cells[plane::DIAGONAL * total + at] <= 0.0 {
        return None;
    }
    let is_own = |at: usize| body_of(p, s.bodies, s.owner[at]) == Some(number);
    let closed_at = |at: usize| if is_own(at) { 1.0 - s.aperture[at] } else { 0.0 };
    let share_at = |at: usize| if is_own(at) { (s.owner[at] >> 16) as f32 / 65535.0 } else { 0.0 };
    let closed = lattice.faces(column, sample).map(|face| face.map_or(0.0, |Face { at, .. }| closed_at(at)));
    let push = [0, 1, 2].map(|axis| closed[2 * axis + 1] - closed[2 * axis]);
    if push == [0.0; 3] {
        return None;
    }
    let solid = s.cells[plane::SOLID * total + at];
    let entry = lattice.shape.len() + at; // of the face below; 0 in the column is none
    let [low, high] = [closed[2], closed[3]];
    let above = high > low;
    // How much of the column the solid covers: what is behind the wall.
    let mut covered = low.max(high).max(1e-6);
    let mut share = share_at(entry).max(share_at(if sample + 1 < n { entry + 1 } else { entry }));
    if (above && sample + 2 < n) || (!above && sample > 1) {
        let behind = if above { entry + 2 } else { entry - 1 };
        (covered, share) = (covered.max(closed_at(behind)), share.max(share_at(behind)));
    }
    // A column that is covered but for a sliver is closed; the body is no larger for that.
    let narrower = (share / covered).min(1.0);
    let wall = wall_of(above, [low, high], solid, covered);
    let y = world_cell(lattice.heights[column], sample);
    let depth = p.level + 0.5 - y as f32;
    let beside = p.weight * (depth - 0.5);
    // Where a face lies along its own axis changes no moment: the arm of all of them is that of the cell.
    Some(Link {
        push,
        arm: minus(lattice.middle(column, y), vector(body(s.bodies, number), word::CENTRE)),
        aside: [beside * push[0], 0.0, beside * push[2]],
        lift: p.weight * (depth - wall) * narrower * push[1],
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
            let Some(Link { push, arm, aside, lift }) = link(p, &s, &lattice, (number, column, sample)) else {
                continue;
            };
            rows[lane] = (column * lattice.shape.samples() + sample) as u32;
            let turn = cross(arm, push);
            for (n, value) in push.into_iter().chain(turn).enumerate() {
                rows[(1 + n) * CHUNK + lane] = value.to_bits();
            }
            let turn = cross(arm, aside);
            let parts = [aside[0], aside[2], turn[0], turn[1], turn[2], lift, -arm[2] * lift, arm[0] * lift];
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
