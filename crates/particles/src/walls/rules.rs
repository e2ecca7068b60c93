//! What walls do to a particle: the sides of the domain, and the plane of the nearest solid.
//!
//! A plane is `[n, c]` with the normal n into the water: the distance of a place x is n·x − c. `rules.wesl` has the
//! same functions.

use thalweg_solids::vector::{dot, minus, plus, zip};

use crate::kernel::Missing;
use crate::params::StepParams;

/// The side walls of the domain as planes, in the order of the bits of `StepParams::walls`.
#[inline(always)]
fn side(p: &StepParams, number: usize) -> Option<[f32; 4]> {
    if p.walls >> number & 1 == 0 {
        return None;
    }
    let axis = number / 2;
    let mut plane = [0.0; 4];
    if number.is_multiple_of(2) {
        plane[axis] = 1.0;
    } else {
        plane[axis] = -1.0;
        plane[3] = -[p.size_x, p.size_y, p.size_z][axis];
    }
    Some(plane)
}

#[inline(always)]
fn normal(plane: [f32; 4]) -> [f32; 3] {
    [plane[0], plane[1], plane[2]]
}

#[inline(always)]
pub(crate) fn distance(plane: [f32; 4], place: [f32; 3]) -> f32 {
    dot(normal(plane), place) - plane[3]
}

/// What walls add to the density of a particle, and the gradient of that by its place, 1/m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wall {
    pub(crate) share: f32,
    pub(crate) gradient: [f32; 3],
}

/// All planes that are within a kernel's radius. What two of them take is 1 − (1 − f₁)(1 − f₂): right for walls at right
/// angles where they meet, and never more than all, which a sum would be in corners.
#[inline(always)]
pub(crate) fn wall(p: &StepParams, plane: [f32; 4], place: [f32; 3], missing: impl Fn(f32) -> Missing) -> Wall {
    let mut left = 1.0;
    let mut gradient = [0.0; 3];
    let mut add = |plane: [f32; 4]| {
        let distance = distance(plane, place) + p.wall_gap;
        if distance < p.radius {
            let Missing { share, slope } = missing(distance / p.radius);
            let steep = slope / p.radius * left;
            gradient = zip(gradient, normal(plane), |sum, n| (1.0 - share) * sum + steep * n);
            left *= 1.0 - share;
        }
    };
    add(plane);
    for plane in (0..6).filter_map(|number| side(p, number)) {
        add(plane);
    }
    Wall { share: 1.0 - left, gradient }
}

/// The place of a particle that came from `from`, no nearer to any wall than half a spacing. Friction takes back a part
/// of the way along a wall, as far as the wall has pushed: `drift` is how far the solid has moved itself.
#[inline(always)]
pub(crate) fn held(p: &StepParams, plane: [f32; 4], drift: [f32; 3], from: [f32; 3], place: [f32; 3]) -> [f32; 3] {
    let mut held = pushed(p, plane, drift, from, place);
    for plane in (0..6).filter_map(|number| side(p, number)) {
        held = pushed(p, plane, [0.0; 3], from, held);
    }
    held
}

#[inline(always)]
fn pushed(p: &StepParams, plane: [f32; 4], drift: [f32; 3], from: [f32; 3], place: [f32; 3]) -> [f32; 3] {
    let depth = 0.5 * p.spacing - distance(plane, place);
    if depth <= 0.0 {
        return place;
    }
    let n = normal(plane);
    let out = zip(place, n, |x, n| x + depth * n);
    if p.friction <= 0.0 {
        return out;
    }
    let way = minus(minus(out, from), drift);
    let across = dot(way, n);
    let along = zip(way, n, |w, n| w - across * n);
    let length = dot(along, along).sqrt();
    let back = if length > p.friction * depth { p.friction * depth / length } else { 1.0 };
    zip(out, along, |x, along| x - back * along)
}

/// The velocity of a particle that walls let it have: none that brings it nearer than half a spacing within a step, and
/// less along the wall by friction. `drift` is the velocity of the solid.
#[inline(always)]
pub(crate) fn let_go(
    p: &StepParams,
    plane: [f32; 4],
    drift: [f32; 3],
    place: [f32; 3],
    velocity: [f32; 3],
) -> [f32; 3] {
    let mut free = slid(p, plane, drift, place, velocity);
    for plane in (0..6).filter_map(|number| side(p, number)) {
        free = slid(p, plane, [0.0; 3], place, free);
    }
    free
}

#[inline(always)]
fn slid(p: &StepParams, plane: [f32; 4], drift: [f32; 3], place: [f32; 3], velocity: [f32; 3]) -> [f32; 3] {
    let n = normal(plane);
    let relative = minus(velocity, drift);
    let towards = dot(relative, n);
    // The room that is left may be used up in the step; who is too near goes out by no more than its half.
    let room = distance(plane, place) - 0.5 * p.spacing;
    let least = -p.per_dt * room.max(0.0);
    if towards >= least {
        return velocity;
    }
    let stopped = least - towards;
    let along = zip(relative, n, |v, n| v - towards * n);
    let length = dot(along, along).sqrt();
    let lost = if length > p.friction * stopped { p.friction * stopped / length } else { 1.0 };
    let lost = if p.friction > 0.0 { lost } else { 0.0 };
    let slid = zip(along, n, |v, n| (1.0 - lost) * v + least * n);
    plus(slid, drift)
}
