//! Between levels: residuals go down, corrections come up.
//!
//! Down, the row of a fine cell belongs to the coarse cell that contains it (or to the two ends of the coarse tall
//! cell, by the hat functions there); the rows of a fine tall cell go to the four coarse columns around it, by the
//! transpose of the prolongation. (Cells may be cruder because conjugate gradients forgive it: the true transpose saves
//! no iteration on uniform grids. For tall cells it does: 13 instead of 19 on flat ground 40 cells deep.) Up,
//! corrections are interpolated: trilinear between coarse cell centres, along y first. Solid coarse cells are left out
//! and the weights made up for them; coarse air counts as zero pressure.

use multiversion::multiversion;
use thalweg_columns::grid::{Place, first_cell, is_tall, place};
use thalweg_columns::{Heights, Real, Shape};

use crate::parallel::for_chunks;
use crate::rows::{Discretisation, LevelView, Lines};
use crate::smooth::{residual_line, tall_product};

/// What the fine side of a restriction is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source<'a, T> {
    /// The residual `b − A x` of these.
    Residual {
        /// Right-hand side.
        b: &'a [T],
        /// Current values.
        x: &'a [T],
    },
    /// A vector as it is.
    Vector(&'a [T]),
}

/// By how much the sum over fine rows is scaled, because matrices are formed with unit cells on every level: the
/// ratio of face area over distance, 1/2 in three dimensions, 1 in two.
pub(crate) fn restriction_scale(fine: Shape) -> f64 {
    2.0 / (if fine.nx > 1 { 2.0 } else { 1.0 } * if fine.nz > 1 { 2.0 } else { 1.0 })
}

/// `coarse = R source`, 0 where the coarse level has no unknown.
pub(crate) fn restrict<T: Real>(
    fine: &LevelView<'_, T>,
    ends: &[u32],
    source: Source<'_, T>,
    coarse: &LevelView<'_, T>,
    out: &mut [T],
) {
    let row = coarse.shape.nx * coarse.shape.samples();
    let galerkin = fine.discretisation == Discretisation::Galerkin;
    let tall =
        if galerkin && fine.heights.iter().any(|h| is_tall(*h)) { tall_rows(fine, ends, source) } else { Vec::new() };
    for_chunks(out, row, |k, out| restrict_row(fine, ends, source, &tall, coarse, k, out));
}

/// The two rows of every tall cell.
fn tall_rows<T: Real>(fine: &LevelView<'_, T>, ends: &[u32], source: Source<'_, T>) -> Vec<[T; 2]> {
    let n = fine.shape.samples();
    let mut rows = vec![[T::zero(); 2]; fine.shape.columns()];
    for_chunks(&mut rows, fine.shape.nx, |k, rows| {
        for (i, row) in rows.iter_mut().enumerate() {
            let column = i + k * fine.shape.nx;
            if ends[column] > 0 && is_tall(fine.heights[column]) {
                *row = match source {
                    Source::Residual { b, x } => {
                        let product = tall_product(fine, &Lines::of(fine.shape, x, column), column);
                        [0, 1].map(|s| {
                            let wet = fine.diagonal[column * n + s] > T::zero();
                            if wet { b[column * n + s] - product[s] } else { T::zero() }
                        })
                    }
                    Source::Vector(v) => [v[column * n], v[column * n + 1]],
                };
            }
        }
    });
    rows
}

/// Adds the rows of the tall cells around a coarse column.
#[inline(always)]
fn add_tall_rows<T: Real>(
    fine: &LevelView<'_, T>,
    tall: &[[T; 2]],
    coarse: Heights,
    i: usize,
    k: usize,
    out: &mut [T],
) {
    let Shape { nx, nz, .. } = fine.shape;
    // Along each axis a coarse column is seen by the children and by the next fine column on either side.
    let weight = |fine: usize, coarse: usize, size: usize| match (fine / 2 == coarse, size) {
        (true, 1) => 1.0,
        // Children at the edge of the grid have no second coarse column.
        (true, _) if fine == 0 || (fine & 1 == 1 && fine / 2 + 1 >= size.div_ceil(2)) => 1.0,
        (true, _) => 0.75,
        (false, _) => 0.25,
    };
    for kk in (2 * k).saturating_sub(1)..(2 * k + 3).min(nz) {
        for ii in (2 * i).saturating_sub(1)..(2 * i + 3).min(nx) {
            let child = ii + kk * nx;
            let heights = fine.heights[child];
            if !is_tall(heights) {
                continue;
            }
            let w = T::of(weight(ii, i, nx) * weight(kk, k, nz));
            for (value, y) in tall[child].iter().zip([heights[0], heights[1] - 1]) {
                let share = tall_share::<T>(coarse, y);
                out[0] += w * *value * (T::one() - share);
                out[1] += w * *value * share;
            }
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn restrict_row<T: Real>(
    fine: &LevelView<'_, T>,
    ends: &[u32],
    source: Source<'_, T>,
    tall: &[[T; 2]],
    coarse: &LevelView<'_, T>,
    k: usize,
    out: &mut [T],
) {
    let (n, m) = (fine.shape.samples(), coarse.shape.samples());
    let scale = T::of(restriction_scale(fine.shape));
    let mut line = vec![T::zero(); n];
    for (i, out) in out.chunks_mut(m).enumerate() {
        out.fill(T::zero());
        let column = i + k * coarse.shape.nx;
        for kk in 2 * k..(2 * k + 2).min(fine.shape.nz) {
            for ii in 2 * i..(2 * i + 2).min(fine.shape.nx) {
                let child = ii + kk * fine.shape.nx;
                let end = ends[child] as usize;
                if end == 0 {
                    continue;
                }
                match source {
                    Source::Residual { b, x } => residual_line(fine, b, x, child, end, &mut line),
                    Source::Vector(v) => line.copy_from_slice(&v[child * n..(child + 1) * n]),
                }
                let rule = (fine.heights[child], coarse.heights[column], fine.discretisation);
                restrict_line(rule, &line[..end], out);
            }
        }
        if !tall.is_empty() {
            add_tall_rows(fine, tall, coarse.heights[column], i, k, out);
        }
        let diagonal = &coarse.diagonal[column * m..(column + 1) * m];
        for (v, d) in out.iter_mut().zip(diagonal) {
            *v = if *d > T::zero() { *v * scale } else { T::zero() };
        }
    }
}

/// Adds the rows of one fine column to its coarse column.
#[inline(always)]
fn restrict_line<T: Real>(
    (fine, coarse, discretisation): (Heights, Heights, Discretisation),
    line: &[T],
    out: &mut [T],
) {
    let first = if is_tall(fine) { 2 } else { 0 };
    if first == 2 && discretisation == Discretisation::Collocated {
        // [000] eq. 19: to the cell that the sample lies in.
        for (value, y) in line.iter().take(2).zip([fine[0], fine[1] - 1]) {
            match place::<T>(coarse, out.len(), y.div_euclid(2)) {
                Place::Tall(t) => {
                    out[0] += *value * (T::one() - t);
                    out[1] += *value * t;
                }
                Place::Cell(j) => out[j] += *value,
                Place::Terrain | Place::Above => {}
            }
        }
    }
    let mut j = first;
    let y_of = |j: usize| fine[1] + j as i32 - 2;
    let coarse_first = first_cell(coarse);
    // Cells inside the coarse tall cell.
    while j < line.len() && y_of(j).div_euclid(2) < coarse_first {
        let y = y_of(j).div_euclid(2);
        let t = T::of(f64::from(y - coarse[0])) / T::of(f64::from(coarse[1] - coarse[0] - 1));
        out[0] += line[j] * (T::one() - t);
        out[1] += line[j] * t;
        j += 1;
    }
    if j >= line.len() {
        return;
    }
    // A lone upper half, pairs, a lone lower half.
    let mut target = (y_of(j).div_euclid(2) - coarse[1] + 2) as usize;
    if y_of(j).rem_euclid(2) == 1 {
        out[target] += line[j];
        target += 1;
        j += 1;
    }
    let pairs = line[j..].chunks_exact(2);
    let rest = pairs.remainder();
    let count = pairs.len();
    for (out, pair) in out[target..].iter_mut().zip(pairs) {
        *out += pair[0] + pair[1];
    }
    if let (Some(value), Some(out)) = (rest.first(), out.get_mut(target + count)) {
        *out += *value;
    }
}

/// Share of the upper sample in the coarse tall line at the height of a fine cell: the line goes on by at most a
/// quarter of a coarse cell beyond its ends.
#[inline(always)]
pub(crate) fn tall_share<T: Real>(coarse: Heights, y: i32) -> T {
    let height = f64::from(coarse[1] - coarse[0] - 1);
    let at = (f64::from(y) + 0.5) * 0.5 - 0.5 - f64::from(coarse[0]);
    T::of(at.clamp(-0.25, height + 0.25) / height)
}

/// What happens with the interpolated correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prolongation {
    /// `x = P e`.
    Set,
    /// `x += P e`.
    Add,
}

/// The coarse side of a prolongation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoarseCorrection<'a, T> {
    /// Columns and samples.
    pub shape: Shape,
    /// `[H, T]` per column.
    pub heights: &'a [Heights],
    /// Solid fraction: fully solid cells are left out.
    pub solid: &'a [T],
    /// Lowest fully solid sample of every column, the number of samples if there is none.
    pub solids: &'a [u32],
    /// The correction.
    pub values: &'a [T],
}

/// Interpolates a correction to the unknowns of the fine level.
pub(crate) fn prolong<T: Real>(
    coarse: &CoarseCorrection<'_, T>,
    fine: &LevelView<'_, T>,
    ends: &[u32],
    mode: Prolongation,
    x: &mut [T],
) {
    let row = fine.shape.nx * fine.shape.samples();
    for_chunks(x, row, |k, x| prolong_row(coarse, fine, ends, mode, k, x));
}

/// Lines of values and weights over the coarse cells that one fine column can see.
struct Blend<T> {
    values: Vec<T>,
    weights: Vec<T>,
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn prolong_row<T: Real>(
    coarse: &CoarseCorrection<'_, T>,
    fine: &LevelView<'_, T>,
    ends: &[u32],
    mode: Prolongation,
    k: usize,
    x: &mut [T],
) {
    let n = fine.shape.samples();
    let room = n / 2 + 4;
    let mut blend = Blend { values: vec![T::zero(); room], weights: vec![T::zero(); room] };
    let mut line = vec![T::zero(); n];
    for (i, x) in x.chunks_mut(n).enumerate() {
        let column = i + k * fine.shape.nx;
        let end = ends[column] as usize;
        if end == 0 {
            if mode == Prolongation::Set {
                x.fill(T::zero());
            }
            continue;
        }
        prolong_line(coarse, fine, i, k, end, &mut blend, &mut line);
        let diagonal = &fine.diagonal[column * n..(column + 1) * n];
        if mode == Prolongation::Set {
            x.fill(T::zero());
        }
        for ((x, v), d) in x[..end].iter_mut().zip(&line[..end]).zip(diagonal) {
            *x += if *d > T::zero() { *v } else { T::zero() };
        }
    }
}

/// One fine column of `P e`, into `line[..end]`.
#[inline(always)]
fn prolong_line<T: Real>(
    coarse: &CoarseCorrection<'_, T>,
    fine: &LevelView<'_, T>,
    i: usize,
    k: usize,
    end: usize,
    blend: &mut Blend<T>,
    line: &mut [T],
) {
    let heights = fine.heights[i + k * fine.shape.nx];
    let first = if is_tall(heights) { 2 } else { 0 };
    let columns = coarse_columns(coarse.shape, i, k);
    let m = coarse.shape.samples();
    if first == 2 {
        for (sample, y) in [(0, heights[0]), (1, heights[1] - 1)] {
            let (mut value, mut weight) = (T::zero(), T::zero());
            for (column, w) in columns {
                let w = T::of(w);
                let share = tall_share::<T>(coarse.heights[column], y);
                let (e0, e1) = (coarse.values[column * m], coarse.values[column * m + 1]);
                value += w * (e0 + (e1 - e0) * share);
                weight += w;
            }
            line[sample] = value / weight;
        }
    }
    if end <= first {
        return;
    }
    // Coarse cells from below the first fine cell to above the last.
    let y0 = heights[1] + first as i32 - 2;
    let base = (y0 - 1).div_euclid(2);
    let count = (heights[1] + end as i32 - 3 + 1).div_euclid(2) - base + 1;
    let (values, weights) = (&mut blend.values[..count as usize], &mut blend.weights[..count as usize]);
    let (near, far) = (T::of(0.75), T::of(0.25));
    // Where all four columns stand on the same floor, the cell below it is left out: its neighbour counts instead.
    let floor = usize::from(columns.iter().all(|(column, _)| {
        let heights = coarse.heights[*column];
        !is_tall(heights) && heights[0] == base + 1
    }));
    if is_free(coarse, &columns, base + floor as i32, values.len() - floor) {
        // No solid in sight: the weights add up to one.
        let count = values.len() - floor;
        let runs = columns.map(|(column, w)| {
            let from = (base + floor as i32 - coarse.heights[column][1] + 2) as usize + column * m;
            (&coarse.values[from..from + count], T::of(w))
        });
        let [(a, wa), (b, wb), (c, wc), (d, wd)] = runs;
        let blended = &mut values[floor..][..count];
        for j in 0..count {
            blended[j] = (a[j] * wa + b[j] * wb) + (c[j] * wc + d[j] * wd);
        }
        if floor == 1 {
            values[0] = values[1];
        }
        let odd = y0.rem_euclid(2) as usize;
        // Windows of coarse cells (below, own, above) for every pair of fine cells; a first upper half stands alone.
        if odd == 1 {
            let own = (y0.div_euclid(2) - base) as usize;
            line[first] = near * values[own] + far * values[own + 1];
        }
        let from = ((y0 + odd as i32).div_euclid(2) - base) as usize;
        let fine = &mut line[first + odd..end];
        for (pair, v) in fine.chunks_exact_mut(2).zip(values[from - 1..].windows(3)) {
            pair[0] = near * v[1] + far * v[0];
            pair[1] = near * v[1] + far * v[2];
        }
        if fine.len() % 2 == 1 {
            let own = from + fine.len() / 2;
            fine[fine.len() - 1] = near * values[own] + far * values[own - 1];
        }
        return;
    }
    values.fill(T::zero());
    weights.fill(T::zero());
    for (column, w) in columns {
        if w > 0.0 {
            add_column(coarse, column, T::of(w), base, values, weights);
        }
    }
    for (j, value) in line.iter_mut().enumerate().take(end).skip(first) {
        let y = heights[1] + j as i32 - 2;
        let own = (y.div_euclid(2) - base) as usize;
        let other = if y.rem_euclid(2) == 0 { own - 1 } else { own + 1 };
        let weight = near * weights[own] + far * weights[other];
        *value = if weight > T::zero() { (near * values[own] + far * values[other]) / weight } else { T::zero() };
    }
}

/// Whether `count` world cells from `base` up are cells of all four columns, none of them solid.
#[inline(always)]
fn is_free<T: Real>(coarse: &CoarseCorrection<'_, T>, columns: &[(usize, f64); 4], base: i32, count: usize) -> bool {
    columns.iter().all(|(column, _)| {
        let heights = coarse.heights[*column];
        let from = base - heights[1] + 2;
        base >= first_cell(heights) && from + count as i32 <= coarse.solids[*column] as i32
    })
}

/// Adds one coarse column, from world cell `base` up: values times weight, and the weight where it is not solid.
#[inline(always)]
fn add_column<T: Real>(
    coarse: &CoarseCorrection<'_, T>,
    column: usize,
    weight: T,
    base: i32,
    values: &mut [T],
    weights: &mut [T],
) {
    let m = coarse.shape.samples();
    let heights = coarse.heights[column];
    let (e, solid) = (&coarse.values[column * m..(column + 1) * m], &coarse.solid[column * m..(column + 1) * m]);
    let first = first_cell(heights);
    let top = heights[1] + m as i32 - 2;
    let slope = (e[1] - e[0]) / T::of(f64::from(heights[1] - heights[0] - 1));
    for (q, (value, total)) in values.iter_mut().zip(weights.iter_mut()).enumerate() {
        let y = base + q as i32;
        if y >= first {
            break;
        }
        if y >= heights[0] {
            *value += weight * (e[0] + slope * T::of(f64::from(y - heights[0])));
            *total += weight;
        }
    }
    let lo = (first - base).max(0) as usize;
    let hi = ((top - base).max(0) as usize).min(values.len());
    if lo < hi {
        let from = (base + lo as i32 - heights[1] + 2) as usize;
        let (e, solid) = (&e[from..from + hi - lo], &solid[from..from + hi - lo]);
        let out = values[lo..hi].iter_mut().zip(weights[lo..hi].iter_mut());
        for (((value, total), e), s) in out.zip(e).zip(solid) {
            *value += weight * *e;
            *total += if *s < T::one() { weight } else { T::zero() };
        }
    }
    // Above the column is air.
    for total in weights.iter_mut().skip(hi.max(lo)) {
        *total += weight;
    }
}

/// The four coarse columns around a fine one with their bilinear weights, 0 for those outside.
#[inline(always)]
fn coarse_columns(shape: Shape, i: usize, k: usize) -> [(usize, f64); 4] {
    let axis = |fine: usize, size: usize| {
        let own = fine / 2;
        let other = if fine & 1 == 0 { own.wrapping_sub(1) } else { own + 1 };
        if other < size { [(own, 0.75), (other, 0.25)] } else { [(own, 1.0), (own, 0.0)] }
    };
    let (x, z) = (axis(i, shape.nx), axis(k, shape.nz));
    let pick = |a: usize, c: usize| (x[a].0 + z[c].0 * shape.nx, x[a].1 * z[c].1);
    [pick(0, 0), pick(1, 0), pick(0, 1), pick(1, 1)]
}
