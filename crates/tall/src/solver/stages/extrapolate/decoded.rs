//! Lookups around a face or a cell, one by one: what tall cells, terrain and tops leave of the neighbours.

use thalweg_columns::cells_and_faces::{DIRECTIONS, Face, Faces, Spot};
use thalweg_columns::grid::first_cell;

use super::constants::LEAST_WEIGHT;
use super::{CLOSED, FAR};

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
pub(super) fn is_reached(faces: &Faces<'_>, layers: &[u32], layer: u32, spot: Spot) -> bool {
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
pub(super) fn known_at_water(
    faces: &Faces<'_>,
    phi: &[f32],
    reach: f32,
    plane: usize,
    column: usize,
    entry: usize,
) -> u32 {
    let Some(face) = faces.face(plane, column, entry) else { return CLOSED };
    let Some(holder) = faces.holder(face) else { return CLOSED };
    let at = faces.start(face) + holder.entry;
    let is_open = faces.aperture[at] > 0.0;
    if holder.run {
        let lower_open = plane != 1 && faces.aperture[at - 1] > 0.0;
        return if is_open || lower_open { 0 } else { CLOSED };
    }
    let nearest =
        || face.cells(faces.shape).map(|spot| phi_at(faces, phi, spot)).into_iter().fold(f32::INFINITY, f32::min);
    match is_open.then(nearest) {
        Some(phi) if phi < 0.0 => 0,
        Some(phi) if phi < reach => FAR,
        _ => CLOSED,
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
pub(super) struct Velocities<'a> {
    pub(super) faces: &'a [f32],
    pub(super) inner: &'a [f32],
    pub(super) known: &'a [u32],
}

/// The mean of the known neighbours of a face.
#[inline(always)]
pub(super) fn mean_of_known(faces: &Faces<'_>, phi: &[f32], u: Velocities<'_>, layer: u32, face: Face) -> Option<f32> {
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

/// One open face of a cell.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) face: usize,
    pub(super) aperture: f32,
    /// +1 where the velocity points outwards.
    pub(super) sign: f32,
    /// Whether it leads to a higher layer.
    pub(super) outer: bool,
    /// Whether the face is stored in the entry below as well.
    pub(super) twice: bool,
}

/// The open faces of a cell.
#[inline(always)]
pub(super) fn sides(faces: &Faces<'_>, layers: &[u32], layer: u32, spot: Spot) -> [Option<Side>; DIRECTIONS] {
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
