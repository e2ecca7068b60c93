//! Solves recorded on an executor: as many iterations as may be needed, switched off when enough were done.

use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Later, Recording};

use super::cycle::{MultiplyDot, Residual};
use super::hierarchy::DeviceHierarchy;
use super::krylov::{Advance, Balance, Control, ControlParams, Correct, Dots, Search, Square, VectorParams};
use crate::constants::{PARTIALS, scalar, slot};
use crate::cycle::{Cycle, Sweeps};
use crate::report::Report;

/// How a system is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Conjugate gradients (flexible), preconditioned by one cycle per iteration.
    ConjugateGradients(Cycle),
    /// Cycles alone.
    Stationary(Cycle),
    /// Full cycles, then V cycles, as published: one and two.
    FullThenV {
        /// Full cycles before the first V cycle.
        full: usize,
    },
    /// The same cycles, each as long as makes the residual least, and none against the last one (Orthomin(1), Vinsome
    /// 1976): for matrices that are not symmetric. The residual never grows, where cycles alone diverge: under the
    /// collocated cells of a lake over random ground, and in deep pits even without tall cells.
    MinimalResidual {
        /// Full cycles before the first V cycle.
        full: usize,
    },
}

/// What a solver does in each solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverOptions {
    /// The outer iteration.
    pub method: Method,
    /// Sweeps of every cycle.
    pub sweeps: Sweeps,
    /// Most iterations that any solve records.
    pub iterations: usize,
    /// Whether kinds of kernels and levels are stages of their own where an executor is timed. That costs a little
    /// time.
    pub detailed: bool,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self {
            method: Method::ConjugateGradients(Cycle::V),
            sweeps: Sweeps { before: 1, after: 1 },
            iterations: 32,
            detailed: false,
        }
    }
}

/// When a solve on an executor stops: the larger of the two bounds counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeviceStop {
    /// Largest magnitude of the residual that is good enough, in the unit of the right-hand side.
    pub residual: f32,
    /// The same as a share of the largest magnitude of the right-hand side.
    pub relative: f32,
    /// Most iterations, at most those of [`SolverOptions`].
    pub iterations: usize,
}

/// A part of the matrix that is not made of conductances, symmetric and not negative: bodies that the pressure moves.
/// The cycles that precondition know nothing of it, which is fine as long as its rank is low: every direction that it
/// adds costs conjugate gradients an iteration at most.
pub trait ExtraProduct {
    /// Records `q += C p` for vectors `[p, q]` and adds `p·C p` to a word, with this extent, which is that of sums over
    /// all samples. Kernels stride over what they have to do by the number of their workgroups. Returns the number of
    /// dispatches.
    fn add(
        &self,
        rec: &mut Recording<'_>,
        levels: &DeviceHierarchy,
        vectors: [&Buffer<f32>; 2],
        dot: (&Buffer<f32>, usize),
        extent: Dispatch<'_>,
    ) -> Result<usize, ComputeError>;
}

/// A hierarchy with the vectors of an outer iteration.
#[derive(Debug)]
pub struct DeviceSolver {
    hierarchy: DeviceHierarchy,
    options: SolverOptions,
    direction: Buffer<f32>,
    q: Buffer<f32>,
    /// `A z`, where directions are kept apart from it.
    product: Buffer<f32>,
    partials: Buffer<f32>,
    /// Scalars, then the history of residuals.
    scalars: Buffer<f32>,
    extents: Buffer<u32>,
    args: Buffer<u32>,
    dispatches: usize,
}

impl DeviceSolver {
    /// Takes the memory for solves with this hierarchy.
    pub fn new(exec: &Executor, hierarchy: DeviceHierarchy, options: SolverOptions) -> Result<Self, ComputeError> {
        let len = hierarchy.shape().len();
        let extents = hierarchy.extents()?;
        // Cycles alone need no search direction; their kernels still bind a vector.
        let searches = matches!(options.method, Method::ConjugateGradients(_) | Method::MinimalResidual { .. });
        let has_product = matches!(options.method, Method::MinimalResidual { .. });
        let vector = |is_used: bool| if is_used { len } else { 1 };
        Ok(Self {
            direction: exec.buffer("pressure.direction", vector(searches))?,
            product: exec.buffer("pressure.product", vector(has_product))?,
            q: exec.buffer("pressure.q", len)?,
            partials: exec.buffer("pressure.partials", slot::COUNT * PARTIALS)?,
            scalars: exec.buffer("pressure.scalars", scalar::COUNT + options.iterations + 1)?,
            args: exec.buffer("pressure.args", extents.len())?,
            extents: exec.buffer_from("pressure.extents", &extents)?,
            hierarchy,
            options,
            dispatches: 0,
        })
    }

    /// The levels.
    pub fn hierarchy(&self) -> &DeviceHierarchy {
        &self.hierarchy
    }

    /// Gives the levels back.
    pub fn into_hierarchy(self) -> DeviceHierarchy {
        self.hierarchy
    }

    /// What it does in each solve.
    pub fn options(&self) -> &SolverOptions {
        &self.options
    }

    /// Records a solve of `A x = b`. `x` is the start and the result; both have one number per sample of the finest
    /// level. Nothing is allocated or waited for. Returns the number of dispatches.
    pub fn solve(
        &mut self,
        rec: &mut Recording<'_>,
        b: &Buffer<f32>,
        x: &Buffer<f32>,
        stop: DeviceStop,
    ) -> Result<usize, ComputeError> {
        self.solve_with(rec, b, x, stop, None)
    }

    /// Records a solve of `(A + C) x = b + C x₀` with `x₀` the start: what `C` says of the start is in the right-hand
    /// side already. `C` needs [`Method::ConjugateGradients`]; other methods leave it out.
    pub fn solve_with(
        &mut self,
        rec: &mut Recording<'_>,
        b: &Buffer<f32>,
        x: &Buffer<f32>,
        stop: DeviceStop,
        extra: Option<&dyn ExtraProduct>,
    ) -> Result<usize, ComputeError> {
        let iterations = stop.iterations.min(self.options.iterations);
        let DeviceHierarchy { heights, marks, cells, .. } = &self.hierarchy;
        let p = VectorParams::new(&self.hierarchy.layout, true);
        let control = ControlParams {
            groups: p.groups,
            kernels: self.extents.len() as u32 / 3,
            capacity: iterations as u32 + 1,
            bound: stop.residual,
            relative: stop.relative,
        };
        self.stage(rec, "residual");
        let (partials, scalars) = (&self.partials, &self.scalars);
        rec.run(&Balance { heights, marks, cells, b, partials, scalars }, &p, Dispatch::Groups([p.groups, 1, 1]))?;
        self.residual(rec, b, x, Dispatch::Groups([p.groups, 1, 1]))?;
        self.control(rec, &control)?;
        self.dispatches = 3;
        for iteration in 0..iterations {
            let recorded = match self.options.method {
                Method::ConjugateGradients(kind) => self.conjugate_step(rec, kind, x, (iteration == 0, extra))?,
                Method::Stationary(kind) => self.stationary_step(rec, kind, b, x)?,
                Method::FullThenV { full } => {
                    let kind = if iteration < full { Cycle::Full } else { Cycle::V };
                    self.stationary_step(rec, kind, b, x)?
                }
                Method::MinimalResidual { full } => {
                    let kind = if iteration < full { Cycle::Full } else { Cycle::V };
                    self.minimal_step(rec, kind, x, iteration == 0)?
                }
            };
            self.stage(rec, "control");
            self.control(rec, &control)?;
            self.dispatches += recorded + 1;
        }
        Ok(self.dispatches)
    }

    /// Dispatches of the last solve that was recorded.
    pub fn dispatches(&self) -> usize {
        self.dispatches
    }

    fn stage(&self, rec: &mut Recording<'_>, name: &'static str) {
        if self.options.detailed {
            rec.stage(name);
        }
    }

    fn switched(&self) -> Dispatch<'_> {
        Dispatch::Indirect(&self.args, 3 * self.hierarchy.reduction_slot())
    }

    fn control(&self, rec: &mut Recording<'_>, params: &ControlParams) -> Result<(), ComputeError> {
        let Self { partials, extents, scalars, args, .. } = self;
        rec.run(&Control { partials, extents, scalars, args }, params, Dispatch::Groups([1, 1, 1]))
    }

    /// `r = b − A x`; `r` is the right-hand side of the next cycle.
    fn residual(
        &self,
        rec: &mut Recording<'_>,
        b: &Buffer<f32>,
        x: &Buffer<f32>,
        extent: Dispatch<'_>,
    ) -> Result<(), ComputeError> {
        let DeviceHierarchy { heights, marks, cells, matrix, b: whole, .. } = &self.hierarchy;
        let partials = &self.partials;
        rec.run(&Residual { heights, marks, cells, x, b, matrix, partials, whole }, &self.hierarchy.params(0), extent)
    }

    /// One iteration of conjugate gradients. Returns the number of dispatches.
    fn conjugate_step(
        &self,
        rec: &mut Recording<'_>,
        kind: Cycle,
        x: &Buffer<f32>,
        (first, extra): (bool, Option<&dyn ExtraProduct>),
    ) -> Result<usize, ComputeError> {
        let DeviceHierarchy { heights, marks, cells, matrix, b: r, x: z, .. } = &self.hierarchy;
        let Self { partials, scalars, direction, q, .. } = self;
        let p = VectorParams::new(&self.hierarchy.layout, first);
        self.stage(rec, "cycle");
        let recorded =
            self.hierarchy.switched_cycle(rec, kind, self.options.sweeps, Some(&self.args), self.options.detailed)?;
        self.stage(rec, "iteration");
        rec.run(&Dots { heights, scalars, r, q, z, partials }, &p, self.switched())?;
        rec.run(&Search { cells, partials, scalars, z, direction }, &p, self.switched())?;
        let multiply = MultiplyDot { heights, marks, cells, x: direction, q, matrix, partials };
        rec.run(&multiply, &self.hierarchy.params(0), self.switched())?;
        let added = match extra {
            Some(extra) => {
                extra.add(rec, &self.hierarchy, [direction, q], (partials, slot::PQ * PARTIALS), self.switched())?
            }
            None => 0,
        };
        rec.run(&Advance { direction, q, partials, scalars, x, r }, &p, self.switched())?;
        Ok(recorded + added + 4)
    }

    /// One cycle, orthogonal in `A` to the one before it. Returns the number of dispatches.
    ///
    /// With `z` the cycle and `p`, `q = A p` the last direction: `β = −(A z·q)/(q·q)`, `p ← z + β p`, `q ← A z + β q`,
    /// `α = (r·q)/(q·q)`. The last step has made `r·q = 0`, so that `r·A z` is the new `r·q`; and the last `α/(r·q)` is
    /// `1/(q·q)`, which is what the kernels of conjugate gradients read.
    fn minimal_step(
        &self,
        rec: &mut Recording<'_>,
        kind: Cycle,
        x: &Buffer<f32>,
        first: bool,
    ) -> Result<usize, ComputeError> {
        let DeviceHierarchy { heights, marks, cells, matrix, b: r, x: z, .. } = &self.hierarchy;
        let Self { partials, scalars, direction, q, product, .. } = self;
        let p = VectorParams::new(&self.hierarchy.layout, first);
        self.stage(rec, "cycle");
        let recorded =
            self.hierarchy.switched_cycle(rec, kind, self.options.sweeps, Some(&self.args), self.options.detailed)?;
        self.stage(rec, "iteration");
        let multiply = MultiplyDot { heights, marks, cells, x: z, q: product, matrix, partials };
        rec.run(&multiply, &self.hierarchy.params(0), self.switched())?;
        rec.run(&Dots { heights, scalars, r, q, z: product, partials }, &p, self.switched())?;
        rec.run(&Search { cells, partials, scalars, z, direction }, &p, self.switched())?;
        rec.run(&Search { cells, partials, scalars, z: product, direction: q }, &p, self.switched())?;
        rec.run(&Square { q, partials }, &p, self.switched())?;
        rec.run(&Advance { direction, q, partials, scalars, x, r }, &p, self.switched())?;
        Ok(recorded + 6)
    }

    /// One cycle added to `x`. Returns the number of dispatches.
    fn stationary_step(
        &self,
        rec: &mut Recording<'_>,
        kind: Cycle,
        b: &Buffer<f32>,
        x: &Buffer<f32>,
    ) -> Result<usize, ComputeError> {
        let DeviceHierarchy { heights, cells, b: r, x: z, .. } = &self.hierarchy;
        let Self { partials, scalars, q, .. } = self;
        let p = VectorParams::new(&self.hierarchy.layout, true);
        self.stage(rec, "cycle");
        let recorded =
            self.hierarchy.switched_cycle(rec, kind, self.options.sweeps, Some(&self.args), self.options.detailed)?;
        self.stage(rec, "iteration");
        rec.run(&Dots { heights, scalars, r, q, z, partials }, &p, self.switched())?;
        rec.run(&Correct { cells, partials, scalars, z, x }, &p, self.switched())?;
        self.residual(rec, b, x, self.switched())?;
        Ok(recorded + 3)
    }

    /// The course of the last submitted solve. It has no times: the clock is not read during a solve.
    pub fn report_later(&self, exec: &Executor) -> Result<Later<Report>, ComputeError> {
        let scalars = exec.read_async(&self.scalars)?;
        Ok(Later::new(move || Ok(report_of(&scalars.wait()?))))
    }

    /// [`Self::report_later`], waited for.
    pub fn report(&self, exec: &Executor) -> Result<Report, ComputeError> {
        self.report_later(exec)?.wait()
    }
}

/// The course of a solve from the scalars and the history that follows them.
pub fn report_of(words: &[f32]) -> Report {
    let count = words[scalar::RECORDED] as usize;
    let residuals: Vec<f64> = words[scalar::COUNT..].iter().take(count).map(|r| f64::from(*r)).collect();
    Report {
        iterations: count.saturating_sub(1),
        converged: residuals.last().is_some_and(|r| *r <= f64::from(words[scalar::BOUND])),
        residuals,
        times: Vec::new(),
    }
}
