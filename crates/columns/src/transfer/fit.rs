//! Fields on new heights: cells decode, tall cells take the least-squares line.
//!
//! The line through the values `q_m` of `n` sub-cells that is closest to them has the ends `q0 = Σ (4n − 2 −
//! 6m)/(n(n+1)) q_m` and `q1 = Σ (6m − 2n + 4)/(n(n+1)) q_m`, `m = 0 … n−1`. It is computed here from the mean and the
//! first moment about the centre, which is the same and loses no digits for `n` in the hundreds. It keeps `Σ q` and `Σ
//! m q`, hence momentum and, for velocities of faces, every hat-weighted divergence. The old tall cell is a line, whose
//! two sums are closed forms: a column costs as much as its regular cells.

use rayon::prelude::*;

use crate::face_velocity::FaceVelocityView;
use crate::grid::{face_base, face_heights};
use crate::{ColumnGrid, FaceVelocity, Heights, Real, Shape};

/// Where the values of a column of samples or faces lie: two for the ends of a run, then one each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnSpan {
    /// The run is `bottom ≤ y < top`. Of one cell, both values are its own; without any, neither means anything.
    pub heights: Heights,
    /// Number of values after the run, from `max(bottom, top)` up.
    pub regular: usize,
}

/// Sums over world cells about a centre.
#[derive(Debug, Clone, Copy)]
struct Moments<T> {
    /// `Σ q`.
    sum: T,
    /// `Σ (y − centre) q`.
    first: T,
}

impl ColumnSpan {
    /// The samples of a column.
    pub fn of_cells(heights: Heights, regular: usize) -> Self {
        Self { heights, regular }
    }

    /// The side faces between two columns.
    pub fn of_side_faces(a: Heights, b: Heights, regular: usize) -> Self {
        let heights = face_heights(a, b);
        let count = a[1].min(b[1]) + regular as i32 - face_base(heights);
        Self { heights, regular: count.max(0) as usize }
    }

    /// The y faces of a column from the lowest inside its tall cell to its top: [`FaceVelocity::inner`], entries 1, 2,
    /// … of the y plane, then entry 0.
    pub fn of_vertical_faces(heights: Heights, regular: usize) -> Self {
        Self { heights: [heights[0] + 1, heights[1]], regular: regular + 1 }
    }

    fn count(&self) -> i32 {
        self.heights[1] - self.heights[0]
    }

    fn base(&self) -> i32 {
        face_base(self.heights)
    }

    /// The value at a world cell: constant below, `above(top value, distance)` above.
    fn value<T: Real>(&self, values: &[T], y: i32, above: &impl Fn(T, T) -> T) -> T {
        let (base, count) = (self.base(), self.count());
        if y < base && count > 0 {
            if count == 1 {
                return values[1];
            }
            let t = f64::from((y - self.heights[0]).max(0)) / f64::from(count - 1);
            values[0] + (values[1] - values[0]) * T::of(t)
        } else if y < base + self.regular as i32 {
            values[2 + (y - base).max(0) as usize]
        } else {
            let last = base + self.regular as i32 - 1;
            let top = match self.regular {
                0 if count > 0 => values[1],
                0 => T::zero(),
                regular => values[1 + regular],
            };
            above(top, T::of(f64::from(y - last)))
        }
    }

    /// Sums over `lo ≤ y < hi`, in closed form below the regular cells.
    fn moments<T: Real>(&self, values: &[T], [lo, hi]: Heights, above: &impl Fn(T, T) -> T) -> Moments<T> {
        let centre = 0.5 * f64::from(lo + hi - 1);
        let mut out = Moments { sum: T::zero(), first: T::zero() };
        let [bottom, _] = self.heights;
        let below = [lo, bottom.min(hi).max(lo)];
        let inside = [below[1], self.base().min(hi).max(below[1])];
        for [from, to] in [below, inside] {
            let count = f64::from(to - from);
            if count > 0.0 {
                let (first, last) = (self.value(values, from, above), self.value(values, to - 1, above));
                let mean = T::of(0.5) * (first + last);
                let place = 0.5 * f64::from(from + to - 1) - centre;
                out.sum += mean * T::of(count);
                // Σ m² about the middle of a run is n(n²−1)/12, and (last − first) = slope (n − 1).
                out.first += mean * T::of(count * place) + (last - first) * T::of(count * (count + 1.0) / 12.0);
            }
        }
        for y in inside[1]..hi {
            let value = self.value(values, y, above);
            out.sum += value;
            out.first += value * T::of(f64::from(y) - centre);
        }
        out
    }
}

/// Ends of the line with these sums over `count` cells.
fn line<T: Real>(count: i32, m: Moments<T>) -> [T; 2] {
    let n = f64::from(count);
    let mean = m.sum / T::of(n);
    // Half of the rise from end to end: 12 Σ(m−c)q / (n(n²−1)) · (n−1)/2.
    let half = m.first * T::of(6.0 / (n * (n + 1.0)));
    [mean - half, mean + half]
}

/// Ends of the least-squares line through the values of neighbouring cells; one value twice if there is only one.
pub fn fit_line<T: Real>(values: &[T]) -> [T; 2] {
    match *values {
        [] => [T::zero(); 2],
        [one] => [one; 2],
        [first, last] => [first, last],
        _ => {
            let centre = 0.5 * (values.len() - 1) as f64;
            let mut sums = Moments { sum: T::zero(), first: T::zero() };
            for (m, value) in values.iter().enumerate() {
                sums.sum += *value;
                sums.first += *value * T::of(m as f64 - centre);
            }
            line(values.len() as i32, sums)
        }
    }
}

/// Moves one column of values to new heights. `above` gives what lies over the old top, from the top value and the
/// distance in cells; below the old bottom the lowest value goes on. Entries without a place become 0.
///
/// # Panics
/// If a slice is shorter than its column.
pub fn transfer_column<T: Real>(
    old: ColumnSpan,
    new: ColumnSpan,
    values: &[T],
    above: &impl Fn(T, T) -> T,
    out: &mut [T],
) {
    let [lo, hi] = new.heights;
    let ends = match hi - lo {
        ..=0 => [T::zero(); 2],
        1 => [old.value(values, lo, above); 2],
        // Nothing has moved: no rounding either.
        _ if new.heights == old.heights => [values[0], values[1]],
        2 => [lo, hi - 1].map(|y| old.value(values, y, above)),
        count => line(count, old.moments(values, new.heights, above)),
    };
    out[..2].copy_from_slice(&ends);
    let base = new.base();
    for (j, value) in out[2..].iter_mut().enumerate() {
        *value = if j < new.regular { old.value(values, base + j as i32, above) } else { T::zero() };
    }
}

/// A borrowed grid: where the values of its columns lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns<'a> {
    /// Columns and samples.
    pub(super) shape: Shape,
    /// `[H, T]` per column.
    pub(super) heights: &'a [Heights],
}

impl<'a> From<&'a ColumnGrid> for Columns<'a> {
    fn from(grid: &'a ColumnGrid) -> Self {
        Self { shape: grid.shape, heights: &grid.heights }
    }
}

/// Moves a field of samples to a grid of the same columns with new heights.
///
/// # Panics
/// If the columns of the grids differ or the field has not one value per sample.
pub fn transfer_cells<T: Real>(
    old: &ColumnGrid,
    new: &ColumnGrid,
    field: &[T],
    above: impl Fn(T, T) -> T + Sync,
) -> Vec<T> {
    check(old.shape, new.shape);
    assert_eq!(field.len(), old.shape.len(), "one value per sample");
    let mut out = vec![T::zero(); new.shape.len()];
    move_cells(old.into(), new.into(), field, above, &mut out);
    out
}

/// [`transfer_cells`] between borrowed arrays.
pub(super) fn move_cells<T: Real>(
    old: Columns<'_>,
    new: Columns<'_>,
    field: &[T],
    above: impl Fn(T, T) -> T + Sync,
    out: &mut [T],
) {
    let (n, m) = (old.shape.samples(), new.shape.samples());
    out.par_chunks_mut(m).enumerate().for_each(|(column, out)| {
        let from = ColumnSpan::of_cells(old.heights[column], old.shape.regular);
        let to = ColumnSpan::of_cells(new.heights[column], new.shape.regular);
        transfer_column(from, to, &field[column * n..(column + 1) * n], &above, out);
    });
}

/// Moves face velocities to a grid of the same columns with new heights. Over the old top the highest value goes on.
///
/// # Panics
/// If the columns of the grids differ or the velocities do not belong to the old one.
pub fn transfer_faces<T: Real>(old: &ColumnGrid, new: &ColumnGrid, u: &FaceVelocity<T>) -> FaceVelocity<T> {
    check(old.shape, new.shape);
    assert_eq!(u.faces.len(), 3 * old.shape.len(), "one velocity per face");
    let mut out = FaceVelocity::zero(new.shape);
    move_faces(old.into(), new.into(), u.view(), &mut out.faces, &mut out.inner);
    out
}

/// [`transfer_faces`] between borrowed arrays.
pub(super) fn move_faces<T: Real>(
    old: Columns<'_>,
    new: Columns<'_>,
    u: FaceVelocityView<'_, T>,
    faces: &mut [T],
    inner: &mut [T],
) {
    let (n, m) = (old.shape.samples(), new.shape.samples());
    let (nx, len) = (old.shape.nx, new.shape.len());
    let above = |top: T, _| top;
    let (x_faces, rest) = faces.split_at_mut(len);
    let (y_faces, z_faces) = rest.split_at_mut(len);
    for (plane, faces) in [(0, x_faces), (2, z_faces)] {
        faces.par_chunks_mut(m).enumerate().for_each(|(column, out)| {
            let other = match plane {
                0 if !column.is_multiple_of(nx) => column - 1,
                2 if column >= nx => column - nx,
                _ => column,
            };
            let span = |grid: Columns<'_>| {
                ColumnSpan::of_side_faces(grid.heights[other], grid.heights[column], grid.shape.regular)
            };
            let start = plane * old.shape.len() + column * n;
            transfer_column(span(old), span(new), &u.faces[start..start + n], &above, out);
        });
    }
    y_faces.par_chunks_mut(m).zip(inner).enumerate().for_each(|(column, (out, inner))| {
        let span = |grid: Columns<'_>| ColumnSpan::of_vertical_faces(grid.heights[column], grid.shape.regular);
        // In the order of their heights: the lower end of the run first, the top of the column last.
        let start = old.shape.len() + column * n;
        let mut line = u.faces[start..start + n].to_vec();
        line.push(line[0]);
        line[0] = u.inner[column];
        let mut moved = vec![T::zero(); m + 1];
        transfer_column(span(old), span(new), &line, &above, &mut moved);
        out.copy_from_slice(&moved[..m]);
        out[0] = moved[m];
        *inner = moved[0];
    });
}

fn check(old: Shape, new: Shape) {
    assert_eq!((old.nx, old.nz), (new.nx, new.nz), "the grids must have the same columns");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weights of the closed form, written out.
    fn printed(values: &[f64]) -> [f64; 2] {
        let n = values.len() as f64;
        let sum = |weight: &dyn Fn(f64) -> f64| {
            values.iter().enumerate().map(|(m, q)| weight(m as f64) / (n * (n + 1.0)) * q).sum::<f64>()
        };
        [sum(&|m| 4.0 * n - 2.0 - 6.0 * m), sum(&|m| 6.0 * m - 2.0 * n + 4.0)]
    }

    #[test]
    fn the_fit_is_the_printed_one() {
        for n in [2, 3, 5, 40] {
            let values: Vec<f64> = (0..n).map(|m| (1.7 * m as f64).sin() + 0.3 * m as f64).collect();
            let (a, b) = (fit_line(&values), printed(&values));
            assert!((a[0] - b[0]).abs() < 1e-13 && (a[1] - b[1]).abs() < 1e-13, "{n}: {a:?} {b:?}");
        }
    }

    #[test]
    fn lines_fit_themselves() {
        let values: Vec<f64> = (0..17).map(|m| 3.0 - 0.25 * f64::from(m)).collect();
        let ends = fit_line(&values);
        assert!((ends[0] - 3.0).abs() < 1e-14 && (ends[1] + 1.0).abs() < 1e-14, "{ends:?}");
    }
}
