//! A matrix in compressed rows on an executor.

use thalweg_compute::{Buffer, Dispatch, Executor, Recording, Result};
use thalweg_pressure::Csr;

use super::rows::{Multiply, RowsParams};

/// The rows of a [`Csr`] in the memory of an executor.
#[derive(Debug)]
pub(super) struct DeviceMatrix {
    pub(super) rows: usize,
    pub(super) row_start: Buffer<u32>,
    pub(super) columns: Buffer<u32>,
    pub(super) values: Buffer<f32>,
}

impl DeviceMatrix {
    /// Hands a matrix over, rounded.
    pub(super) fn new(exec: &Executor, name: &str, a: &Csr<f64>) -> Result<Self> {
        Ok(Self {
            rows: a.rows(),
            row_start: exec.buffer_from(&format!("band.{name}.row_start"), &a.row_start)?,
            columns: exec.buffer_from(&format!("band.{name}.columns"), &a.columns)?,
            values: exec.buffer_from(&format!("band.{name}.values"), &rounded(&a.values))?,
        })
    }

    /// Parameters of kernels that do not reduce.
    pub(super) fn params(&self, mode: u32, omega: f32) -> RowsParams {
        RowsParams { rows: self.rows as u32, groups: 0, mode, omega }
    }

    /// Records a product with `x`: `y = A x` ([`SET`](super::rows::SET)), `y += A x` ([`ADD`](super::rows::ADD)), or `y
    /// = A x` for rows that sum to 1 ([`BLEND`](super::rows::BLEND)).
    pub(super) fn product(
        &self,
        rec: &mut Recording<'_>,
        x: &Buffer<f32>,
        y: &Buffer<f32>,
        mode: u32,
        extent: Dispatch<'_>,
    ) -> Result<()> {
        let Self { row_start, columns, values, .. } = self;
        rec.run(&Multiply { row_start, columns, values, x, y }, &self.params(mode, 1.0), extent)
    }
}

/// Numbers as executors have them.
pub(super) fn rounded(values: &[f64]) -> Vec<f32> {
    values.iter().map(|v| *v as f32).collect()
}
