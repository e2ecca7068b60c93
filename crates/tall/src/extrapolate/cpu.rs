use rayon::prelude::*;
use thalweg_pressure::grid::{first_cell, is_tall, world_cell};

use super::{BalanceSlices, CLOSED, ExtrapolateParams, FAR, SpreadSlices};
use crate::places::{DIRECTIONS, Face, Faces, Spot};

/// Weight of a neighbour that is not nearer to the water.
const LEAST_WEIGHT: f32 = 1e-3;

/// Layer of a world cell. A tall cell lies in the water as a whole: its top speaks for it.
#[inline(always)]
fn layer_at(faces: &Faces<'_>, layers: &[u32], spot: Spot) -> u32 {
    let heights = faces.heights[spot.column];
    if spot.y >= faces.top(spot.column) {
        return FAR;
    }
    let sample = if spot.y < first_cell(heights) { 1 } else { (spot.y - heights[1] + 2) as usize };
    layers[spot.column * faces.shape.samples() + sample]
}

/// Whether an unreached cell touches the layer before.
#[inline(always)]
fn is_reached(faces: &Faces<'_>, layers: &[u32], layer: u32, spot: Spot) -> bool {
    (0..DIRECTIONS).any(|direction| {
        let Some(next) = spot.step(faces.shape, direction) else { return false };
        layer_at(faces, layers, next) == layer - 1 && faces.is_open(spot.face(faces.shape, direction))
    })
}

/// The level set at a world cell; above the top it grows with the distance.
#[inline(always)]
fn phi_at(faces: &Faces<'_>, phi: &[f32], spot: Spot) -> f32 {
    let value = faces.cell(phi, spot);
    let above = spot.y - faces.top(spot.column) + 1;
    if above > 0 { value.max(0.0) + above as f32 } else { value }
}

/// The level set at a face.
#[inline(always)]
fn distance(faces: &Faces<'_>, phi: &[f32], face: Face) -> f32 {
    let [lower, upper] = face.cells(faces.shape).map(|spot| phi_at(faces, phi, spot));
    0.5 * (lower + upper)
}

/// What is known of an entry before the first pass.
#[inline(always)]
fn known_at_water(faces: &Faces<'_>, phi: &[f32], plane: usize, column: usize, entry: usize) -> u32 {
    let Some(face) = faces.face(plane, column, entry) else { return CLOSED };
    let Some(holder) = faces.holder(face) else { return CLOSED };
    let at = faces.start(face) + holder.entry;
    let is_open = faces.aperture[at] > 0.0;
    if holder.run {
        let lower_open = plane != 1 && faces.aperture[at - 1] > 0.0;
        return if is_open || lower_open { 0 } else { CLOSED };
    }
    let is_wet = || face.cells(faces.shape).iter().any(|spot| phi_at(faces, phi, *spot) < 0.0);
    match is_open {
        true if is_wet() => 0,
        true => FAR,
        false => CLOSED,
    }
}

/// Whether a face can be reached from the parallel one in a direction: one of the two faces between must be open.
#[inline(always)]
fn is_passable(faces: &Faces<'_>, face: Face, direction: usize) -> bool {
    face.is_normal(direction)
        || face.cells(faces.shape).iter().any(|spot| faces.is_open(spot.face(faces.shape, direction)))
}

/// Velocities to read from.
#[derive(Clone, Copy)]
struct Velocities<'a> {
    faces: &'a [f32],
    inner: &'a [f32],
    known: &'a [u32],
}

/// The mean of the known neighbours of a face.
#[inline(always)]
fn mean_of_known(faces: &Faces<'_>, phi: &[f32], u: Velocities<'_>, layer: u32, face: Face) -> Option<f32> {
    // Of differences to the first one, so that equal velocities give the same bits.
    let (mut first, mut weights, mut differences) = (None, 0.0, 0.0);
    let own = distance(faces, phi, face);
    for direction in 0..DIRECTIONS {
        let Some(next) = face.step(faces.shape, direction) else { continue };
        let Some(holder) = faces.holder(next) else { continue };
        if u.known[faces.start(next) + holder.entry] >= layer || !is_passable(faces, face, direction) {
            continue;
        }
        let weight = (own - distance(faces, phi, next)).max(0.0) + LEAST_WEIGHT;
        let velocity = faces.velocity(u.faces, u.inner, next, holder);
        weights += weight;
        differences += weight * (velocity - *first.get_or_insert(velocity));
    }
    first.map(|first| first + differences / weights)
}

pub(super) fn spread(p: &ExtrapolateParams, s: SpreadSlices<'_>) {
    let shape = p.shape();
    let (n, len, columns) = (shape.samples(), shape.len(), shape.columns());
    let faces = Faces { shape, heights: &s.heights[..columns], aperture: s.aperture };
    let phi = s.phi;
    if p.layer == 0 {
        let water = |phi: &f32| if *phi < 0.0 { 0 } else { FAR };
        s.layers.par_iter_mut().zip(phi).for_each(|(layer, phi)| *layer = water(phi));
        s.known[..3 * len].par_chunks_mut(n).enumerate().for_each(|(line, known)| {
            for (entry, known) in known.iter_mut().enumerate() {
                *known = known_at_water(&faces, phi, line / columns, line % columns, entry);
            }
        });
        return;
    }
    let reached: Vec<usize> = {
        let layers = &*s.layers;
        let is_reached = |at: usize| {
            let (column, sample) = (at / n, at % n);
            let heights = faces.heights[column];
            layers[at] == FAR
                && !(sample < 2 && is_tall(heights))
                && is_reached(&faces, layers, p.layer, Spot { column, y: world_cell(heights, sample) })
        };
        let lines = (0..columns).into_par_iter();
        lines.flat_map_iter(|column| (column * n..(column + 1) * n).filter(|at| is_reached(*at))).collect()
    };
    reached.iter().for_each(|at| s.layers[*at] = p.layer);
    let found: Vec<(usize, f32)> = {
        let u = Velocities { faces: s.faces, inner: s.inner, known: s.known };
        let mean = |at: usize| {
            let (plane, column, entry) = (at / len, at % len / n, at % n);
            if u.known[at] != FAR {
                return None;
            }
            let face = faces.face(plane, column, entry)?;
            mean_of_known(&faces, phi, u, p.layer, face).map(|velocity| (at, velocity))
        };
        let lines = (0..3 * columns).into_par_iter();
        lines.flat_map_iter(|line| (line * n..(line + 1) * n).filter_map(mean)).collect()
    };
    for (at, velocity) in found {
        s.faces[at] = velocity;
        s.known[at] = p.layer;
        // The one face inside a tall cell of two.
        if at / len == 1 && at % n == 1 {
            s.inner[at % len / n] = velocity;
        }
    }
}

/// One open face of a cell.
#[derive(Clone, Copy)]
struct Side {
    face: usize,
    aperture: f32,
    /// +1 where the velocity points outwards.
    sign: f32,
    /// Whether it leads to a higher layer.
    outer: bool,
    /// Whether the face is stored in the entry below as well.
    twice: bool,
}

/// The open faces of a cell.
#[inline(always)]
fn sides(faces: &Faces<'_>, layers: &[u32], layer: u32, spot: Spot) -> [Option<Side>; DIRECTIONS] {
    std::array::from_fn(|direction| {
        let next = spot.step(faces.shape, direction)?;
        let face = spot.face(faces.shape, direction);
        let entry = faces.holder(face)?.entry;
        let at = faces.start(face) + entry;
        let aperture = faces.aperture[at];
        if aperture <= 0.0 {
            return None;
        }
        let sign = if direction % 2 == 1 { 1.0 } else { -1.0 };
        let outer = layer_at(faces, layers, next) > layer;
        let single = || faces.span(face.plane, face.column).is_some_and(|span| span.run[1] - span.run[0] == 1);
        Some(Side { face: at, aperture, sign, outer, twice: face.plane != 1 && entry == 1 && single() })
    })
}

pub(super) fn balance(p: &ExtrapolateParams, s: BalanceSlices<'_>) {
    let shape = p.shape();
    let (n, len, columns) = (shape.samples(), shape.len(), shape.columns());
    let faces = Faces { shape, heights: &s.heights[..columns], aperture: s.aperture };
    let corrected: Vec<(usize, f32, bool)> = {
        let (layers, u) = (&*s.layers, &*s.faces);
        let of_cell = |at: usize| {
            let (column, sample) = (at / n, at % n);
            let spot = Spot { column, y: world_cell(faces.heights[column], sample) };
            let sides = if layers[at] == p.layer { sides(&faces, layers, p.layer, spot) } else { [None; DIRECTIONS] };
            let (mut outflow, mut opening) = (0.0, 0.0);
            for side in sides.iter().flatten() {
                outflow += side.sign * (side.aperture * u[side.face]);
                opening += if side.outer { side.aperture } else { 0.0 };
            }
            let outer = sides.into_iter().flatten().filter(|side| side.outer);
            outer.map(move |side| (side.face, u[side.face] - side.sign * (outflow / opening), side.twice))
        };
        (0..columns).into_par_iter().flat_map_iter(|column| (column * n..(column + 1) * n).flat_map(of_cell)).collect()
    };
    for (at, velocity, twice) in corrected {
        s.faces[at] = velocity;
        if twice {
            s.faces[at - 1] = velocity;
        }
        // A face inside a tall cell has single cells beside it only if it is the one between two.
        if at / len == 1 && at % n == 1 {
            s.inner[at % len / n] = velocity;
        }
    }
}
