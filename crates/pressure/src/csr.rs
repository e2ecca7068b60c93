//! Sparse matrices in compressed rows, and their algebra.

use std::ops::Range;

use rayon::prelude::*;
use thalweg_columns::Real;

/// Rows that one task multiplies: enough to outweigh the cost of a task.
const ROWS_PER_TASK: usize = 2048;

/// Symmetric or general sparse matrix, compressed rows, columns ascending in each row.
#[derive(Debug, Clone, PartialEq)]
pub struct Csr<T> {
    /// Where each row starts in `columns` and `values`; one entry more than there are rows.
    pub row_start: Vec<u32>,
    /// Column of each entry.
    pub columns: Vec<u32>,
    /// Value of each entry.
    pub values: Vec<T>,
    /// Columns of the matrix.
    pub column_count: usize,
}

impl<T: Real> Csr<T> {
    /// Assembles the rows in order. Entries of a row may come in any order, and equal columns are summed.
    ///
    /// # Panics
    ///
    /// If a column is not below `column_count`, or there are more than `u32::MAX` entries.
    pub fn from_rows(column_count: usize, rows: impl Iterator<Item = Vec<(u32, T)>>) -> Self {
        let mut matrix = Self::with_columns(column_count);
        for mut row in rows {
            row.sort_by_key(|entry| entry.0); // stable, so that duplicates are summed in the order given
            let first = matrix.columns.len();
            for (column, value) in row {
                assert!((column as usize) < column_count, "column {column} of {column_count}");
                if matrix.columns.len() > first && matrix.columns.last() == Some(&column) {
                    let last = matrix.values.len() - 1;
                    matrix.values[last] += value;
                } else {
                    matrix.columns.push(column);
                    matrix.values.push(value);
                }
            }
            matrix.close_row();
        }
        matrix
    }

    /// Rows of the matrix.
    pub fn rows(&self) -> usize {
        self.row_start.len() - 1
    }

    /// Entries of row `r`: column and value, columns ascending.
    pub fn row(&self, r: usize) -> impl Iterator<Item = (usize, T)> + '_ {
        let span = self.span(r);
        self.columns[span.clone()].iter().map(|c| *c as usize).zip(self.values[span].iter().copied())
    }

    /// The diagonal; zero where no entry is stored.
    pub fn diagonal(&self) -> Vec<T> {
        (0..self.rows())
            .map(|r| {
                let span = self.span(r);
                let found = self.columns[span.clone()].binary_search(&(r as u32));
                found.map_or(T::zero(), |at| self.values[span.start + at])
            })
            .collect()
    }

    /// `y = self · x`. Rows run in parallel; the result does not depend on the number of threads.
    ///
    /// # Panics
    ///
    /// If `x` has not one entry per column, or `y` not one per row.
    pub fn multiply(&self, x: &[T], y: &mut [T]) {
        assert_eq!((x.len(), y.len()), (self.column_count, self.rows()), "lengths of x and y");
        y.par_chunks_mut(ROWS_PER_TASK).enumerate().for_each(|(task, chunk)| {
            let first = task * ROWS_PER_TASK;
            for (i, out) in chunk.iter_mut().enumerate() {
                let span = self.span(first + i);
                let entries = self.columns[span.clone()].iter().zip(&self.values[span]);
                *out = entries.map(|(c, v)| *v * x[*c as usize]).sum();
            }
        });
    }

    /// The transposed matrix.
    pub fn transpose(&self) -> Self {
        // Counting sort by column: rows are visited in order, so each new row comes out ascending.
        let mut row_start = vec![0_u32; self.column_count + 1];
        for c in &self.columns {
            row_start[*c as usize + 1] += 1;
        }
        for r in 0..self.column_count {
            row_start[r + 1] += row_start[r];
        }
        let mut next = row_start.clone();
        let mut columns = vec![0; self.columns.len()];
        let mut values = vec![T::zero(); self.values.len()];
        for r in 0..self.rows() {
            for (c, v) in self.row(r) {
                let at = next[c] as usize;
                next[c] += 1;
                (columns[at], values[at]) = (r as u32, v);
            }
        }
        Self { row_start, columns, values, column_count: self.rows() }
    }

    /// `self · right`, with every entry whose pattern meets stored, even where the values cancel.
    ///
    /// # Panics
    ///
    /// If the inner sizes differ.
    pub fn product(&self, right: &Self) -> Self {
        assert_eq!(self.column_count, right.rows(), "inner sizes of a product");
        // Each row depends on its own inputs only, so the cut into tasks changes no bit of the result. There are few
        // tasks, because each has a work row as long as the matrix is wide.
        let tasks = (4 * rayon::current_num_threads()).min(self.rows().div_ceil(64)).max(1);
        let rows = self.rows();
        let parts: Vec<Self> = (0..tasks)
            .into_par_iter()
            .map(|task| self.product_rows(right, rows * task / tasks..rows * (task + 1) / tasks))
            .collect();
        let mut whole = Self::with_columns(right.column_count);
        for part in parts {
            let before = whole.columns.len();
            whole.columns.extend(part.columns);
            whole.values.extend(part.values);
            let ends = part.row_start[1..].iter().map(|end| entry_index(before + *end as usize));
            whole.row_start.extend(ends);
        }
        whole
    }

    /// The coarse matrix `pᵀ · self · p` of the interpolation `p`.
    pub fn galerkin(&self, p: &Self) -> Self {
        p.transpose().product(&self.product(p))
    }

    /// A matrix without rows.
    pub fn with_columns(column_count: usize) -> Self {
        Self { row_start: vec![0], columns: Vec::new(), values: Vec::new(), column_count }
    }

    /// Ends the row whose entries were pushed last.
    pub fn close_row(&mut self) {
        self.row_start.push(entry_index(self.columns.len()));
    }

    /// Where the entries of row `r` lie.
    pub fn span(&self, r: usize) -> Range<usize> {
        self.row_start[r] as usize..self.row_start[r + 1] as usize
    }

    /// Some rows of `self · right`, after Gustavson (1978).
    fn product_rows(&self, right: &Self, rows: Range<usize>) -> Self {
        let mut part = Self::with_columns(right.column_count);
        let mut sums = vec![T::zero(); right.column_count];
        let mut seen = vec![u32::MAX; right.column_count]; // the row that last touched a column
        for r in rows {
            let first = part.columns.len();
            for (k, a) in self.row(r) {
                for (c, b) in right.row(k) {
                    if seen[c] == r as u32 {
                        sums[c] += a * b;
                    } else {
                        seen[c] = r as u32;
                        sums[c] = a * b;
                        part.columns.push(c as u32);
                    }
                }
            }
            part.columns[first..].sort_unstable();
            part.values.extend(part.columns[first..].iter().map(|c| sums[*c as usize]));
            part.close_row();
        }
        part
    }
}

/// The position of an entry as it is stored.
fn entry_index(at: usize) -> u32 {
    u32::try_from(at).expect("a matrix holds at most u32::MAX entries")
}
