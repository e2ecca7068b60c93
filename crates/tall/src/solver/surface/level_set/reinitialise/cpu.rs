use std::ops::Range;

use multiversion::multiversion;
use rayon::prelude::*;
use thalweg_columns::Heights;
use thalweg_columns::cells_and_faces::{DIRECTIONS, Faces, Spot};
use thalweg_columns::changed_range::{Front, extent};
use thalweg_columns::grid::{first_sample, world_cell};

use super::around::Around;
use super::constants::{FLAT, LEAST, NOWHERE, REACH, SHALLOW_END, TENTH};
use super::slope::slope;
use super::{BAND, ClampSlices, DEEP, DistanceSlices, FixSurfaceSlices, ReinitialiseParams};

/// Cells that are handled together.
const VECTOR: usize = 16;

/// Values on both sides of a sample along x, z and y; [`NOWHERE`] away, on its own side of the surface, where there is
/// none.
type Neighbours = [f32; DIRECTIONS];

/// Around one sample, by decoding: for the ends of tall cells.
#[inline(always)]
fn neighbours_of(faces: &Faces<'_>, field: &[f32], spot: Spot, own: f32) -> Neighbours {
    std::array::from_fn(|direction| {
        let value = || {
            let next = spot.step(faces.shape, direction)?;
            let exists = next.y < faces.top(next.column) && faces.is_open(spot.face(faces.shape, direction));
            exists.then(|| faces.cell(field, next))
        };
        value().unwrap_or(if own < 0.0 { -NOWHERE } else { NOWHERE })
    })
}

#[inline(always)]
pub(super) fn is_across(own: f32, next: f32) -> bool {
    (own < 0.0) != (next < 0.0)
}

#[inline(always)]
fn is_next_to_surface(own: f32, around: Neighbours) -> bool {
    // Without short circuits, so that many samples are looked at together.
    around.iter().fold(false, |any, next| any | is_across(own, *next))
}

/// The value of a sample away from the surface before the first sweep.
#[inline(always)]
fn far_value(own: f32, around: Neighbours, start: f32) -> f32 {
    let is_alone = around.iter().fold(true, |all, next| all & (next.abs() >= NOWHERE));
    if is_alone { loose(own.clamp(-BAND, BAND)) } else { signed(own, start) }
}

/// The slope from neighbours across faces alone: the difference across the surface along axes that it cuts, the central
/// one along others. 1 if that is right to a tenth: this rule moves the surface, every time the same way.
#[inline(always)]
fn slope_along_axes(own: f32, around: Neighbours) -> f32 {
    let mut squares = 0.0;
    for axis in 0..3 {
        let sides = [around[2 * axis], around[2 * axis + 1]];
        let across = sides.map(|next| if is_across(own, next) { (own - next).abs() } else { 0.0 });
        let [low, high] = sides.map(|next| if next.abs() >= NOWHERE { own } else { next });
        let cut = across[0].max(across[1]);
        let slope = if cut > 0.0 { cut } else { 0.5 * (high - low).abs() };
        squares += slope * slope;
    }
    let slope = squares.sqrt();
    let is_distance = (slope * TENTH >= 1.0) & (slope <= TENTH);
    if is_distance { 1.0 } else { slope }
}

/// The distance of a sample next to the surface, fixed; `None` for others.
#[inline(always)]
fn surface_value(faces: &Faces<'_>, source: &[f32], spot: Spot, own: f32, around: Neighbours) -> Option<f32> {
    if own.abs() >= REACH {
        return None;
    }
    let along_axes = || is_next_to_surface(own, around).then(|| slope_along_axes(own, around));
    let slope = slope(faces, source, spot).or_else(along_axes)?;
    Some(fixed(signed(own, (own.abs() / slope.max(FLAT)).clamp(LEAST, SHALLOW_END))))
}

/// The last bit of a value tells whether sweeps leave it alone: that is cheaper than to look for the surface again.
#[inline(always)]
fn fixed(value: f32) -> f32 {
    f32::from_bits(value.to_bits() | 1)
}

#[inline(always)]
fn loose(value: f32) -> f32 {
    f32::from_bits(value.to_bits() & !1)
}

#[inline(always)]
fn is_fixed(value: f32) -> bool {
    value.to_bits() & 1 == 1
}

/// The distance that solves `|∇d| = 1` from the nearest neighbour of every axis.
#[inline(always)]
fn godunov(around: Neighbours) -> f32 {
    let nearest = |axis: usize| around[2 * axis].abs().min(around[2 * axis + 1].abs());
    let [x, z, y] = [nearest(0), nearest(1), nearest(2)];
    let a = x.min(z).min(y);
    let b = x.min(z).max(x.max(z).min(y));
    let c = x.max(z).max(y);
    let one = a + 1.0;
    let two = 0.5 * (a + b + (2.0 - (a - b) * (a - b)).max(0.0).sqrt());
    // From the middle value, where the sums are small.
    let (p, q) = (a - b, c - b);
    let (sum, squares) = (p + q, p * p + q * q);
    let three = b + (sum + (sum * sum - 3.0 * (squares - 1.0)).max(0.0).sqrt()) / 3.0;
    let more = if two <= c { two } else { three };
    if one <= b { one } else { more }
}

#[inline(always)]
fn signed(sign: f32, distance: f32) -> f32 {
    if sign < 0.0 { -distance } else { distance }
}

#[inline(always)]
fn swept_value(own: f32, around: Neighbours) -> f32 {
    if is_fixed(own) { own } else { loose(signed(own, own.abs().min(godunov(around)))) }
}

/// Writes `value(own, around)` of cells of a column, from one sample to before another.
#[inline(always)]
fn for_cells(
    around: [&[f32]; DIRECTIONS],
    own: &[f32],
    result: &mut [f32],
    [from, to]: [usize; 2],
    value: impl Fn(f32, Neighbours) -> f32,
) {
    let result = &mut result[from..to];
    let own = &own[from..to];
    let around = around.map(|line| &line[..to - from]);
    // Into a place of its own and of known length: then lines are vectors however short they are.
    let (chunks, rest) = result.as_chunks_mut::<VECTOR>();
    let rest_from = chunks.len() * VECTOR;
    for (number, result) in chunks.iter_mut().enumerate() {
        let start = number * VECTOR;
        let own: &[f32; VECTOR] = vector(own, start);
        let [a, b, c, d, e, f] = around.map(|line| vector(line, start));
        let mut values = [0.0; VECTOR];
        for j in 0..VECTOR {
            values[j] = value(own[j], [a[j], b[j], c[j], d[j], e[j], f[j]]);
        }
        *result = values;
    }
    for (j, result) in (rest_from..).zip(rest) {
        *result = value(own[j], around.map(|line| line[j]));
    }
}

/// A part of a line.
#[inline(always)]
fn vector(line: &[f32], start: usize) -> &[f32; VECTOR] {
    &line[start..].as_chunks().0[0]
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn fix_row(faces: &Faces<'_>, source: &[f32], row: usize, result: &mut [f32]) {
    let n = faces.shape.samples();
    let mut around = Around::new(n);
    for (i, result) in result.chunks_mut(n).enumerate() {
        let column = row * faces.shape.nx + i;
        let (heights, own) = (faces.heights[column], &source[column * n..(column + 1) * n]);
        let cells = [first_sample(heights), n];
        let lines = around.gather(faces, source, column, cells);
        for_cells(lines, own, result, cells, |own, around| far_value(own, around, BAND));
        // Few samples are next to the surface.
        for sample in cells[0]..n {
            let spot = Spot { column, y: world_cell(heights, sample) };
            let around = lines.map(|line| line[sample - cells[0]]);
            if let Some(value) = surface_value(faces, source, spot, own[sample], around) {
                result[sample] = value;
            }
        }
        for sample in 0..cells[0] {
            let spot = Spot { column, y: world_cell(heights, sample) };
            let around = neighbours_of(faces, source, spot, own[sample]);
            result[sample] = match own[sample] {
                deep if deep <= -DEEP => -BAND,
                end => surface_value(faces, source, spot, end, around)
                    .unwrap_or_else(|| far_value(end, around, SHALLOW_END)),
            };
        }
    }
}

/// World cells of a column that are nearer to the surface than [`BAND`].
#[inline(always)]
fn near_surface(heights: Heights, line: &[f32]) -> Option<Range<i32>> {
    let first = first_sample(heights);
    let [low, high] = extent(&line[first..], |phi| phi.abs() < BAND).unwrap_or([0, 0]);
    let cells = world_cell(heights, first + low)..heights[1] + (first + high) as i32 - 2;
    // A line that is far from the surface as a whole is a constant.
    let is_far = first == 0 || (line[0] == line[1] && line[0].abs() >= BAND);
    match is_far {
        true => (low < high).then_some(cells),
        false => Some(heights[0]..cells.end.max(heights[1])),
    }
}

/// A range widened to whole vectors where the column has room for it: single cells are the slow ones.
#[inline(always)]
fn whole_vectors([low, high]: [usize; 2], [first, end]: [usize; 2]) -> [usize; 2] {
    let length = high.saturating_sub(low).next_multiple_of(VECTOR);
    let high = end.min(low + length);
    [first.max(high.saturating_sub(length)), high]
}

/// One sweep over the columns of a row, at the world cells that it can change: a cell at [`BAND`] among others there
/// stays.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn sweep_row(faces: &Faces<'_>, source: &[f32], front: &Front, row: usize, result: &mut [f32]) {
    let n = faces.shape.samples();
    let mut around = Around::new(n);
    for ((column, near), result) in front.beside_row(0, row).zip(result.chunks_mut(n)) {
        let (heights, own) = (faces.heights[column], &source[column * n..(column + 1) * n]);
        let first = first_sample(heights);
        result.copy_from_slice(own);
        let sample = |y: i32| y.saturating_sub(heights[1]).saturating_add(2).clamp(first as i32, n as i32) as usize;
        let cells = whole_vectors([sample(near.start), sample(near.end)], [first, n]);
        if cells[0] < cells[1] {
            for_cells(around.gather(faces, source, column, cells), own, result, cells, swept_value);
        }
        for sample in 0..first {
            let spot = Spot { column, y: world_cell(heights, sample) };
            if own[sample] > -BAND {
                result[sample] = swept_value(own[sample], neighbours_of(faces, source, spot, own[sample]));
            }
        }
    }
}

pub(super) fn fix_surface(p: &ReinitialiseParams, s: FixSurfaceSlices<'_>) {
    let shape = p.shape();
    let faces = Faces { shape, heights: &s.heights[..shape.columns()], aperture: s.aperture };
    let rows = s.result[..shape.len()].par_chunks_mut(shape.nx * shape.samples()).enumerate();
    rows.for_each(|(row, result)| fix_row(&faces, s.source, row, result));
}

pub(super) fn distance_sweep(p: &ReinitialiseParams, s: DistanceSlices<'_>) {
    let shape = p.shape();
    let faces = Faces { shape, heights: &s.heights[..shape.columns()], aperture: s.aperture };
    let n = shape.samples();
    let near = |_, column: usize| near_surface(faces.heights[column], &s.source[column * n..(column + 1) * n]);
    let front = Front::new(shape, 1, near);
    let rows = s.result[..shape.len()].par_chunks_mut(shape.nx * n).enumerate();
    rows.for_each(|(row, result)| sweep_row(&faces, s.source, &front, row, result));
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
            let is_near = is_next_to_surface(own, neighbours_of(&faces, phi, spot, own));
            let bound = if is_near { 1.0 } else { BAND };
            (own.abs() > bound).then(|| (at, signed(own, bound)))
        };
        let columns = (0..shape.columns()).into_par_iter();
        columns.flat_map_iter(|column| (column * n..(column + 1) * n).filter_map(clamp)).collect()
    };
    clamped.into_iter().for_each(|(at, value)| s.result[at] = value);
}
