//! All solvers behind one door.

use std::time::{Duration, Instant};

use crate::sparse::{IncompleteCholesky, SevenPoint, SevenPointCholesky, assemble_seven_point, pcg};
use thalweg_columns::Real;
use thalweg_pressure::parts::{Progress, Relaxation, reciprocals, relax, residual, solve_block};
use thalweg_pressure::{
    Csr, Cycle, Discretisation, HierarchyOptions, HostHierarchy, Level, Numbering, Report, SWEEP, Stop, Sweeps,
    assemble, conjugate_gradients, stationary,
};

use crate::bicgstab::bicgstab;

/// Which solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// Conjugate gradients preconditioned by a multigrid cycle in floats, one sweep before and after. The default.
    MultigridCg,
    /// The same with the cycle in the precision of the system.
    MultigridCgSame,
    /// Multigrid cycles alone, \[000\] §3.7.1: `full` full cycles, then V cycles.
    Multigrid {
        /// Full cycles before the first V cycle; `usize::MAX` for full cycles only.
        full: usize,
        /// Sweeps of every cycle.
        sweeps: Sweeps,
    },
    /// Conjugate gradients with an incomplete Cholesky factor: IC(0) for 0, MIC(0) for 0.97.
    IncompleteCholesky {
        /// Share of dropped fill that is added to the diagonal.
        modified: f64,
    },
    /// Jacobi sweeps (2×2 blocks for tall cells), damped by 2/3.
    Jacobi,
    /// Red-black Gauss-Seidel sweeps.
    RedBlack,
    /// BiCGStab preconditioned by a V(2,2) cycle; the one to take for [`Discretisation::Collocated`].
    BiCgStab,
}

impl Method {
    /// A short name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::MultigridCg => "MG-CG",
            Self::MultigridCgSame => "MG-CG same precision",
            Self::Multigrid { full: 0, .. } => "MG V",
            Self::Multigrid { full: usize::MAX, .. } => "MG full",
            Self::Multigrid { .. } => "MG full+V",
            Self::IncompleteCholesky { modified } if *modified > 0.0 => "MIC(0)-PCG",
            Self::IncompleteCholesky { .. } => "IC(0)-PCG",
            Self::Jacobi => "Jacobi",
            Self::RedBlack => "red-black GS",
            Self::BiCgStab => "BiCGStab+V",
        }
    }
}

/// The default is symmetric or not as the matrix is.
impl From<Discretisation> for Method {
    fn from(discretisation: Discretisation) -> Self {
        match discretisation {
            Discretisation::Galerkin => Self::MultigridCg,
            Discretisation::Collocated => Self::BiCgStab,
        }
    }
}

/// What a method keeps between solves with the same matrix.
#[derive(Debug)]
enum Tools<T: Real> {
    Floats(HostHierarchy<f32>),
    Same(HostHierarchy<T>),
    SevenPoint(Numbering, SevenPoint<T>, SevenPointCholesky<T>),
    Sparse(Numbering, Csr<T>, IncompleteCholesky<T>),
    Nothing,
}

/// A method, set up for one matrix.
///
/// ```
/// use thalweg_columns::ColumnGrid;
/// use thalweg_pressure::{Discretisation, Fields, HierarchyOptions, Level, Stop};
/// use thalweg_pressure_labs::{Method, Solver};
///
/// // A tank of 16 × 16 × 16 cells of 10 cm, filled to 1.02 m.
/// let grid = ColumnGrid::uniform(16, 16, 16, 0.1)?;
/// let phi: Vec<f64> = (0..grid.shape.len()).map(|i| ((i % 16) as f64 + 0.5) * 0.1 - 1.02).collect();
/// let fields = Fields::open_water(&grid, &phi)?;
/// let level = Level::new(grid, fields, 0.01, Discretisation::Galerkin);
///
/// let b = vec![1e-3; phi.len()];
/// let mut p = vec![0.0; phi.len()];
/// let mut solver = Solver::new(&level, Method::MultigridCg, HierarchyOptions::default());
/// let report = solver.solve(&b, &mut p, Stop { residual: 1e-10, iterations: 30 });
/// assert!(report.converged && report.iterations <= 12);
/// # Ok::<(), thalweg_columns::GridError>(())
/// ```
#[derive(Debug)]
pub struct Solver<'a, T: Real> {
    level: &'a Level<T>,
    method: Method,
    tools: Tools<T>,
    setup: Duration,
}

impl<'a, T: Real> Solver<'a, T> {
    /// Builds hierarchies or factors.
    pub fn new(level: &'a Level<T>, method: Method, options: HierarchyOptions) -> Self {
        let start = Instant::now();
        let tools = rayon::scope(|_| match method {
            Method::MultigridCg => Tools::Floats(HostHierarchy::over(level, options)),
            Method::Multigrid { .. } | Method::BiCgStab | Method::MultigridCgSame => {
                Tools::Same(HostHierarchy::over(level, options))
            }
            Method::IncompleteCholesky { modified } => {
                let numbering = Numbering::of(level);
                if let Some(matrix) = assemble_seven_point(level, &numbering) {
                    let factor = SevenPointCholesky::new(&matrix, modified);
                    Tools::SevenPoint(numbering, matrix, factor)
                } else {
                    let matrix = assemble(level, &numbering);
                    let factor = IncompleteCholesky::new(&matrix, modified);
                    Tools::Sparse(numbering, matrix, factor)
                }
            }
            Method::Jacobi | Method::RedBlack => Tools::Nothing,
        });
        Self { level, method, tools, setup: start.elapsed() }
    }

    /// Time of [`Self::new`].
    pub fn setup(&self) -> Duration {
        self.setup
    }

    /// Solves `A x = b` from the given `x`. Both are per sample; samples that are no unknowns are left alone in `b`
    /// and must be 0 in `x`.
    pub fn solve(&mut self, b: &[T], x: &mut [T], stop: Stop) -> Report {
        // Inside the pool from the start: every parallel loop from outside would have to wake it up.
        rayon::scope(|_| self.solve_inside(b, x, stop))
    }

    fn solve_inside(&mut self, b: &[T], x: &mut [T], stop: Stop) -> Report {
        let one = Sweeps { before: 1, after: 1 };
        let two = Sweeps { before: 2, after: 2 };
        let level = self.level;
        // Visiting coarse levels twice keeps iterations from growing with the size. Without tall cells the second level
        // is early enough, at 2 % of the time; with them it is not (hills, 64³ to 256³: 13 to 16, or 13 to 14).
        let twice = Cycle::W { from: if level.has_tall() { 1 } else { 2 } };
        match (&mut self.tools, self.method) {
            (Tools::Floats(h), _) => conjugate_gradients(level, h, twice, one, b, x, stop),
            (Tools::Same(h), Method::Multigrid { full, sweeps }) => {
                let kind = |cycle| if cycle < full { Cycle::Full } else { Cycle::V };
                stationary(level, h, kind, sweeps, b, x, stop)
            }
            (Tools::Same(h), Method::BiCgStab) => bicgstab(level, h, Cycle::V, two, b, x, stop),
            (Tools::Same(h), _) => conjugate_gradients(level, h, twice, one, b, x, stop),
            (Tools::SevenPoint(numbering, matrix, factor), _) => {
                let (rhs, mut values) = (numbering.gather(b), numbering.gather(x));
                let report = pcg(matrix, factor, &rhs, &mut values, stop);
                numbering.scatter(&values, x);
                report
            }
            (Tools::Sparse(numbering, matrix, factor), _) => {
                let (rhs, mut values) = (numbering.gather(b), numbering.gather(x));
                let report = pcg(matrix, factor, &rhs, &mut values, stop);
                numbering.scatter(&values, x);
                report
            }
            (Tools::Nothing, method) => sweeps_alone(level, method, b, x, stop),
        }
    }
}

/// Jacobi or Gauss-Seidel without any coarse level.
fn sweeps_alone<T: Real>(level: &Level<T>, method: Method, b: &[T], x: &mut [T], stop: Stop) -> Report {
    let mut course = Progress::new(stop);
    let view = level.view();
    let n = level.grid.shape.samples();
    let mut r = vec![T::zero(); b.len()];
    let inverse: Vec<T> = reciprocals(&level.diagonal);
    loop {
        course.push(residual(&view, &level.ends, b, x, &mut r));
        if course.done() {
            return course.report;
        }
        if method == Method::RedBlack {
            let relaxation = Relaxation { inverse: &inverse, ends: &level.ends, b };
            for group in SWEEP {
                relax(&view, &relaxation, group, x);
            }
            continue;
        }
        let damping = T::of(2.0 / 3.0);
        for (column, line) in r.chunks_mut(n).enumerate() {
            let base = column * n;
            let mut tall = None;
            if thalweg_columns::grid::is_tall(level.grid.heights[column]) {
                let unknown = [inverse[base] > T::zero(), inverse[base + 1] > T::zero()];
                tall = Some(solve_block(level.blocks[column], unknown, [line[0], line[1]], level.discretisation));
            }
            for (sample, r) in line.iter().enumerate() {
                let step = match tall {
                    Some(pair) if sample < 2 => pair[sample],
                    _ => *r * inverse[base + sample],
                };
                x[base + sample] += damping * step;
            }
        }
    }
}
