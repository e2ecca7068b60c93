use rayon::prelude::*;
use thalweg_pressure::parts::device::{put, slot};

use super::{ADD, BLEND, MultiplyDotSlices, MultiplySlices, RelaxSlices, ResidualSlices, RestSlices, RowsParams};

/// Rows that one task handles. Partial results are combined in the order of the tasks, on whatever thread they ran.
const CHUNK: usize = 1 << 10;

/// A matrix in compressed rows, and the vector to multiply.
#[derive(Clone, Copy)]
struct Rows<'a> {
    row_start: &'a [u32],
    columns: &'a [u32],
    values: &'a [f32],
    x: &'a [f32],
}

impl Rows<'_> {
    #[inline]
    fn product(&self, row: usize) -> f32 {
        let span = self.row_start[row] as usize..self.row_start[row + 1] as usize;
        let entries = self.columns[span.clone()].iter().zip(&self.values[span]);
        entries.fold(0.0, |sum, (c, v)| sum + v * self.x[*c as usize])
    }

    /// The product of a row that sums to 1.
    #[inline]
    fn blend(&self, row: usize) -> f32 {
        let span = self.row_start[row] as usize..self.row_start[row + 1] as usize;
        let columns = &self.columns[span.clone()];
        let first = columns.first().map_or(0.0, |c| self.x[*c as usize]);
        // Added last: each partial sum would be rounded to its digits.
        first + columns.iter().zip(&self.values[span]).fold(0.0, |sum, (c, v)| sum + v * (self.x[*c as usize] - first))
    }

    /// The row's product by differences.
    #[inline]
    fn product_by_differences(&self, row_sum: &[f32], row: usize) -> f32 {
        let own = self.x[row];
        let span = self.row_start[row] as usize..self.row_start[row + 1] as usize;
        let entries = self.columns[span.clone()].iter().zip(&self.values[span]);
        entries.fold(row_sum[row] * own, |sum, (c, v)| sum + v * (self.x[*c as usize] - own))
    }

    /// Gives every row of `out` its value, and returns what each task makes of its rows.
    fn each<R: Send>(
        self,
        p: &RowsParams,
        out: &mut [f32],
        task: impl Fn(Self, usize, &mut [f32]) -> R + Sync,
    ) -> Vec<R> {
        let out = &mut out[..p.rows as usize];
        out.par_chunks_mut(CHUNK).enumerate().map(|(number, out)| task(self, number * CHUNK, out)).collect()
    }
}

pub(super) fn multiply(p: &RowsParams, s: MultiplySlices<'_>) {
    let a = Rows { row_start: s.row_start, columns: s.columns, values: s.values, x: s.x };
    a.each(p, s.y, |a, first, y| {
        for (i, y) in y.iter_mut().enumerate() {
            *y = match p.mode {
                BLEND => a.blend(first + i),
                ADD => *y + a.product(first + i),
                _ => a.product(first + i),
            };
        }
    });
}

pub(super) fn rest(p: &RowsParams, s: RestSlices<'_>) {
    let a = Rows { row_start: s.row_start, columns: s.columns, values: s.values, x: s.x };
    a.each(p, s.r, |a, first, r| {
        for (i, r) in r.iter_mut().enumerate() {
            *r = s.b[first + i] - a.product(first + i);
        }
    });
}

pub(super) fn relax(p: &RowsParams, s: RelaxSlices<'_>) {
    let a = Rows { row_start: s.row_start, columns: s.columns, values: s.values, x: s.x };
    a.each(p, s.relaxed, |a, first, relaxed| {
        for (i, relaxed) in relaxed.iter_mut().enumerate() {
            let row = first + i;
            let step = p.omega * s.weight[row];
            *relaxed = if p.mode != ADD {
                step * s.b[row]
            } else if s.weight[row] == 0.0 {
                s.x[row] // rows that a sweep leaves alone
            } else {
                s.x[row] + step * (s.b[row] - a.product(row))
            };
        }
    });
}

pub(super) fn residual(p: &RowsParams, s: ResidualSlices<'_>) {
    let a = Rows { row_start: s.row_start, columns: s.columns, values: s.values, x: s.x };
    // As integers, magnitudes are ordered like the numbers, with infinity and NaN on top.
    let largest = a.each(p, s.r, |a, first, r| {
        let mut largest = 0_u32;
        for (i, r) in r.iter_mut().enumerate() {
            *r = s.b[first + i] - a.product_by_differences(s.row_sum, first + i);
            largest = largest.max(r.abs().to_bits());
        }
        largest
    });
    put(s.partials, slot::MAX_R, p.groups, f32::from_bits(largest.into_iter().max().unwrap_or(0)));
}

pub(super) fn multiply_dot(p: &RowsParams, s: MultiplyDotSlices<'_>) {
    let a = Rows { row_start: s.row_start, columns: s.columns, values: s.values, x: s.x };
    let parts = a.each(p, s.y, |a, first, y| {
        let mut sum = 0.0_f64;
        for (i, y) in y.iter_mut().enumerate() {
            *y = a.product_by_differences(s.row_sum, first + i);
            sum += f64::from(*y) * f64::from(a.x[first + i]);
        }
        sum
    });
    put(s.partials, slot::PQ, p.groups, parts.iter().sum::<f64>() as f32);
}
