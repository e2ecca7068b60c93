//! One V-cycle over the levels of [`Multigrid`](crate::narrow_band::Multigrid), with sweeps that all rows do at once.
//!
//! The smoother is Chebyshev's polynomial of degree two, as two damped Jacobi sweeps with its roots (Adams, Brezina, Hu
//! & Tuminaro 2003). Each row is divided by `max(a_ii, ½ Σ|a_ij|)`: by its diagonal wherever the off-diagonal entries
//! are no larger in sum, as in all rows of open water, and by more at seams with positive entries. By Gershgorin no
//! eigenvalue passes 2 then, and none has to be estimated. The same polynomial before and after the coarser levels
//! keeps the cycle symmetric.

use std::f64::consts::PI;
use std::sync::Arc;

use thalweg_compute::{Buffer, Dispatch, Executor, Recording, Result};
use thalweg_pressure::Csr;

use super::matrix::DeviceMatrix;
use super::rows::{ADD, Relax, Rest, SET};
use crate::narrow_band::multigrid::{Cholesky, Coarsening};

/// The two factors of the smoother. Waves that the next level cannot carry have eigenvalues of `D⁻¹A` from `1/d` in `d`
/// dimensions to 2.
fn roots(dimensions: usize) -> [f32; 2] {
    let (low, high) = (1.0 / dimensions as f64, 2.0);
    [1.0, 3.0].map(|k| (0.5 * (high + low) + 0.5 * (high - low) * (0.25 * PI * k).cos()).recip() as f32)
}

/// What each row of a sweep is multiplied by; 0 for an empty one.
fn weights(a: &Csr<f64>) -> Vec<f32> {
    let weight = |(r, d): (usize, &f64)| {
        let half = 0.5 * a.row(r).map(|(_, v)| v.abs()).sum::<f64>();
        if *d > 0.0 { d.max(half).recip() as f32 } else { 0.0 }
    };
    a.diagonal().iter().enumerate().map(weight).collect()
}

/// The inverse of the coarsest matrix, as a matrix.
fn inverse(a: &Csr<f64>) -> Csr<f64> {
    let n = a.rows();
    let factor = Cholesky::new(a);
    let row = |r: usize| {
        let mut unit = vec![0.0; n];
        unit[r] = 1.0;
        let mut column = vec![0.0; n];
        factor.solve(&unit, &mut column);
        (0..).zip(column).collect()
    };
    Csr::from_rows(n, (0..n).map(row))
}

/// A level that has a coarser one below it.
#[derive(Debug)]
struct Level {
    a: Arc<DeviceMatrix>,
    weight: Buffer<f32>,
    /// Interpolation from the next level, and its transpose.
    t: DeviceMatrix,
    transposed: DeviceMatrix,
    work: Buffer<f32>,
}

/// All levels on an executor. A cycle takes `r` of the finest one and leaves `z` there.
#[derive(Debug)]
pub(super) struct DeviceCycle {
    levels: Vec<Level>,
    inverse: DeviceMatrix,
    roots: [f32; 2],
    /// Right-hand side and result of every level, the coarsest last.
    r: Vec<Buffer<f32>>,
    z: Vec<Buffer<f32>>,
}

impl DeviceCycle {
    /// The levels below `matrix`, which `finest` is on the executor.
    pub(super) fn new(
        exec: &Executor,
        matrix: &Csr<f64>,
        finest: &Arc<DeviceMatrix>,
        steps: &[Coarsening<f64>],
        dimensions: usize,
    ) -> Result<Self> {
        let matrices: Vec<&Csr<f64>> = std::iter::once(matrix).chain(steps.iter().map(|s| &s.coarse)).collect();
        let level = |(number, step): (usize, &Coarsening<f64>)| {
            let a = matrices[number];
            Ok(Level {
                a: if number == 0 { Arc::clone(finest) } else { Arc::new(DeviceMatrix::new(exec, "level", a)?) },
                weight: exec.buffer_from("band.weight", &weights(a))?,
                t: DeviceMatrix::new(exec, "interpolation", &step.t)?,
                transposed: DeviceMatrix::new(exec, "restriction", &step.transposed)?,
                work: exec.buffer("band.work", a.rows())?,
            })
        };
        let vectors = |name: &str| matrices.iter().map(|a| exec.buffer(name, a.rows())).collect::<Result<Vec<_>>>();
        Ok(Self {
            levels: steps.iter().enumerate().map(level).collect::<Result<_>>()?,
            inverse: DeviceMatrix::new(exec, "inverse", &inverse(matrices[matrices.len() - 1]))?,
            roots: roots(dimensions),
            r: vectors("band.r")?,
            z: vectors("band.z")?,
        })
    }

    /// Unknowns of each level, finest first.
    pub(super) fn unknowns(&self) -> Vec<usize> {
        self.r.iter().map(Buffer::len).collect()
    }

    /// Right-hand side of the finest level.
    pub(super) fn r(&self) -> &Buffer<f32> {
        &self.r[0]
    }

    /// Result of the finest level.
    pub(super) fn z(&self) -> &Buffer<f32> {
        &self.z[0]
    }

    /// Records one cycle. Extents of the rows of each level are triples of `args`, finest first.
    pub(super) fn record(&self, rec: &mut Recording<'_>, args: &Buffer<u32>) -> Result<()> {
        let on = |number: usize| Dispatch::Indirect(args, 3 * number);
        for (number, level) in self.levels.iter().enumerate() {
            let (r, z, work) = (&self.r[number], &self.z[number], &level.work);
            level.relax(rec, r, z, work, self.roots[0], SET, on(number))?;
            level.relax(rec, r, work, z, self.roots[1], ADD, on(number))?;
            level.rest(rec, r, z, on(number))?;
            level.transposed.product(rec, work, &self.r[number + 1], SET, on(number + 1))?;
        }
        let last = self.levels.len();
        self.inverse.product(rec, &self.r[last], &self.z[last], SET, on(last))?;
        for (number, level) in self.levels.iter().enumerate().rev() {
            let (r, z, work) = (&self.r[number], &self.z[number], &level.work);
            level.t.product(rec, &self.z[number + 1], z, ADD, on(number))?;
            level.relax(rec, r, z, work, self.roots[0], ADD, on(number))?;
            level.relax(rec, r, work, z, self.roots[1], ADD, on(number))?;
        }
        Ok(())
    }
}

impl Level {
    #[allow(clippy::too_many_arguments, reason = "one sweep from one vector to another")]
    fn relax(
        &self,
        rec: &mut Recording<'_>,
        b: &Buffer<f32>,
        x: &Buffer<f32>,
        relaxed: &Buffer<f32>,
        omega: f32,
        mode: u32,
        extent: Dispatch<'_>,
    ) -> Result<()> {
        let DeviceMatrix { row_start, columns, values, .. } = &*self.a;
        let weight = &self.weight;
        rec.run(&Relax { row_start, columns, values, x, b, relaxed, weight }, &self.a.params(mode, omega), extent)
    }

    /// The residual, for the next level.
    fn rest(&self, rec: &mut Recording<'_>, b: &Buffer<f32>, x: &Buffer<f32>, extent: Dispatch<'_>) -> Result<()> {
        let DeviceMatrix { row_start, columns, values, .. } = &*self.a;
        let r = &self.work;
        rec.run(&Rest { row_start, columns, values, x, b, r }, &self.a.params(SET, 1.0), extent)
    }
}
