use rayon::prelude::*;
use thalweg_pressure::grid::{Heights, is_tall, world_cell};

use super::{BAND, ClampSlices, DEEP, DistanceSlices, FixSurfaceSlices, ReinitialiseParams};
use crate::places::{DIRECTIONS, Faces, Spot};

/// Where ends of tall cells start that are not known to be deep. Less than [`BAND`], which tells both apart.
const SHALLOW_END: f32 = 4.999;
/// Slopes from `1/SLOPE` to this are those of a distance.
const SLOPE: f32 = 1.1;
/// Smallest distance that comes from a division, cells: 0 would be no water.
const LEAST: f32 = 1e-6;
/// A distance that no neighbour has.
const NOWHERE: f32 = 1e10;

/// Values on both sides of a sample along x, z and y; `None` where there is no neighbour.
type Neighbours = [Option<f32>; DIRECTIONS];

#[inline(always)]
fn neighbours_of(faces: &Faces<'_>, field: &[f32], spot: Spot) -> Neighbours {
    std::array::from_fn(|direction| {
        let next = spot.step(faces.shape, direction)?;
        let exists = next.y < faces.top(next.column) && faces.is_open(spot.face(faces.shape, direction));
        exists.then(|| faces.cell(field, next))
    })
}

#[inline(always)]
fn is_across(own: f32, next: f32) -> bool {
    (own < 0.0) != (next < 0.0)
}

fn is_next_to_surface(own: f32, around: &Neighbours) -> bool {
    around.iter().flatten().any(|next| is_across(own, *next))
}

/// Distance of a sample next to the surface, from its slope; `None` elsewhere.
#[inline(always)]
fn surface_distance(own: f32, around: &Neighbours) -> Option<f32> {
    let (mut squares, mut is_cut) = (0.0, false);
    for axis in 0..3 {
        let [low, high] = [around[2 * axis], around[2 * axis + 1]];
        let across =
            |next: Option<f32>| next.filter(|next| is_across(own, *next)).map_or(0.0, |next| (own - next).abs());
        let cut = across(low).max(across(high));
        let slope = if cut > 0.0 { cut } else { 0.5 * (high.unwrap_or(own) - low.unwrap_or(own)).abs() };
        squares += slope * slope;
        is_cut |= cut > 0.0;
    }
    let slope = squares.sqrt();
    let is_distance = slope * SLOPE >= 1.0 && slope <= SLOPE;
    is_cut.then(|| if is_distance { own.abs() } else { (own.abs() / slope).max(LEAST) })
}

/// The distance that solves `|∇d| = 1` from the nearest neighbour of every axis.
#[inline(always)]
fn godunov(around: &Neighbours) -> f32 {
    let nearest = |axis: usize| {
        let sides = around[2 * axis..2 * axis + 2].iter().flatten();
        sides.fold(NOWHERE, |nearest, next| nearest.min(next.abs()))
    };
    let [x, z, y] = [nearest(0), nearest(1), nearest(2)];
    let a = x.min(z).min(y);
    let b = x.min(z).max(x.max(z).min(y));
    let c = x.max(z).max(y);
    if a + 1.0 <= b {
        return a + 1.0;
    }
    let two = 0.5 * (a + b + (2.0 - (a - b) * (a - b)).max(0.0).sqrt());
    if two <= c {
        return two;
    }
    // From the middle value, where the sums are small.
    let (p, q) = (a - b, c - b);
    let (sum, squares) = (p + q, p * p + q * q);
    b + (sum + (sum * sum - 3.0 * (squares - 1.0)).max(0.0).sqrt()) / 3.0
}

#[inline(always)]
fn signed(sign: f32, distance: f32) -> f32 {
    if sign < 0.0 { -distance } else { distance }
}

fn is_end(heights: Heights, sample: usize) -> bool {
    sample < 2 && is_tall(heights)
}

/// Calls `value(spot, heights, sample, own)` for every sample.
fn for_samples(
    p: &ReinitialiseParams,
    heights: &[Heights],
    source: &[f32],
    result: &mut [f32],
    value: impl Fn(Spot, Heights, usize, f32) -> f32 + Sync + Send,
) {
    let n = p.samples as usize;
    result[..p.shape().len()].par_chunks_mut(n).enumerate().for_each(|(column, result)| {
        let own = &source[column * n..(column + 1) * n];
        for (sample, result) in result.iter_mut().enumerate() {
            let y = world_cell(heights[column], sample);
            *result = value(Spot { column, y }, heights[column], sample, own[sample]);
        }
    });
}

pub(super) fn clamp_level_set(p: &ReinitialiseParams, s: ClampSlices<'_>) {
    let shape = p.shape();
    let n = shape.samples();
    let faces = Faces { shape, heights: &s.heights[..shape.columns()], aperture: s.aperture };
    let clamped: Vec<(usize, f32)> = {
        let phi = &*s.result;
        let clamp = |at: usize| {
            let own = phi[at];
            if own.abs() <= 1.0 {
                return None;
            }
            let spot = Spot { column: at / n, y: world_cell(faces.heights[at / n], at % n) };
            let is_near = is_next_to_surface(own, &neighbours_of(&faces, phi, spot));
            let bound = if is_near { 1.0 } else { BAND };
            (own.abs() > bound).then(|| (at, signed(own, bound)))
        };
        let columns = (0..shape.columns()).into_par_iter();
        columns.flat_map_iter(|column| (column * n..(column + 1) * n).filter_map(clamp)).collect()
    };
    clamped.into_iter().for_each(|(at, value)| s.result[at] = value);
}

pub(super) fn fix_surface(p: &ReinitialiseParams, s: FixSurfaceSlices<'_>) {
    let shape = p.shape();
    let faces = Faces { shape, heights: &s.heights[..shape.columns()], aperture: s.aperture };
    for_samples(p, s.heights, s.source, s.result, |spot, heights, sample, own| {
        if is_end(heights, sample) && own <= -DEEP {
            return -BAND;
        }
        let around = neighbours_of(&faces, s.source, spot);
        if around.iter().all(Option::is_none) {
            return own.clamp(-BAND, BAND);
        }
        let start = if is_end(heights, sample) { SHALLOW_END } else { BAND };
        signed(own, surface_distance(own, &around).map_or(start, |d| d.min(start)))
    });
}

pub(super) fn distance_sweep(p: &ReinitialiseParams, s: DistanceSlices<'_>) {
    let shape = p.shape();
    let faces = Faces { shape, heights: &s.heights[..shape.columns()], aperture: s.aperture };
    for_samples(p, s.heights, s.source, s.result, |spot, heights, sample, own| {
        if is_end(heights, sample) && own <= -BAND {
            return own;
        }
        let around = neighbours_of(&faces, s.source, spot);
        if is_next_to_surface(own, &around) { own } else { signed(own, own.abs().min(godunov(&around))) }
    });
}
