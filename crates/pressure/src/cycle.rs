//! Multigrid cycles, written once for every machine that can smooth, restrict and prolong.

use crate::smooth::{Group, SWEEP};
use crate::transfer::Prolongation;

/// What a cycle needs of a hierarchy. Level 0 is the finest; every level has a right-hand side `b` and values `x`.
pub trait Hierarchy {
    /// Why an operation failed; machines that cannot fail say `Infallible`.
    type Error;
    /// Number of levels.
    fn levels(&self) -> usize;
    /// `x = 0`, then the red and the black half of a sweep.
    fn start(&mut self, level: usize) -> Result<(), Self::Error>;
    /// Relaxes one group of samples.
    fn relax(&mut self, level: usize, group: Group) -> Result<(), Self::Error>;
    /// Extra sweeps near surfaces and solids, before (`true`) or after the coarse correction.
    fn relax_borders(&mut self, level: usize, before: bool) -> Result<(), Self::Error>;
    /// `b` of the next level from the residual of this one.
    fn restrict_residual(&mut self, level: usize) -> Result<(), Self::Error>;
    /// `b` of the next level from `b` of this one.
    fn restrict_rhs(&mut self, level: usize) -> Result<(), Self::Error>;
    /// `x` of this level from `x` of the next one.
    fn prolong(&mut self, level: usize, mode: Prolongation) -> Result<(), Self::Error>;
    /// The first level that [`Self::solve_tail`] takes care of.
    fn tail(&self) -> usize;
    /// Approximately solves for `x` on the tail: this level and all coarser ones, from `x = 0`.
    fn solve_tail(&mut self) -> Result<(), Self::Error>;
}

/// Which cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cycle {
    /// From the finest level down and up again, \[000\] Alg. 3.
    V,
    /// A V cycle that visits every level from this one on twice. Bubbles, thin sheets and tall cells are cruder the
    /// coarser a level is, and one visit leaves an error there that grows with the number of levels.
    W {
        /// The first level to visit twice, at least 1.
        from: usize,
    },
    /// From the coarsest level up, with a V cycle on every level, \[000\] Alg. 4.
    Full,
}

/// Sweeps before and after the coarse correction, on every level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sweeps {
    /// Before.
    pub before: usize,
    /// After, in reverse order.
    pub after: usize,
}

/// Approximately solves `A x = b` on the finest level, from zero.
pub fn cycle<H: Hierarchy>(h: &mut H, kind: Cycle, sweeps: Sweeps) -> Result<(), H::Error> {
    match kind {
        Cycle::V => descend(h, 0, Visits { sweeps, twice: usize::MAX }, true),
        Cycle::W { from } => descend(h, 0, Visits { sweeps, twice: from }, true),
        Cycle::Full => full_cycle(h, sweeps),
    }
}

/// What is done on the levels of a cycle.
#[derive(Clone, Copy)]
struct Visits {
    sweeps: Sweeps,
    /// The first level that is visited twice.
    twice: usize,
}

fn descend<H: Hierarchy>(h: &mut H, level: usize, visits: Visits, from_zero: bool) -> Result<(), H::Error> {
    if level >= h.tail() {
        return h.solve_tail();
    }
    let Visits { sweeps, twice } = visits;
    if from_zero {
        // From zero, the first red and black half sweeps take one pass.
        h.start(level)?;
    }
    for sweep in 0..sweeps.before {
        for group in SWEEP.into_iter().skip(if from_zero && sweep == 0 { 2 } else { 0 }) {
            h.relax(level, group)?;
        }
    }
    h.relax_borders(level, true)?;
    h.restrict_residual(level)?;
    descend(h, level + 1, visits, true)?;
    if (twice..h.tail()).contains(&(level + 1)) {
        descend(h, level + 1, visits, false)?;
    }
    h.prolong(level, Prolongation::Add)?;
    h.relax_borders(level, false)?;
    for _ in 0..sweeps.after {
        for group in SWEEP.into_iter().rev() {
            h.relax(level, group)?;
        }
    }
    Ok(())
}

fn full_cycle<H: Hierarchy>(h: &mut H, sweeps: Sweeps) -> Result<(), H::Error> {
    let tail = h.tail();
    for level in 0..tail {
        h.restrict_rhs(level)?;
    }
    h.solve_tail()?;
    for level in (0..tail).rev() {
        h.prolong(level, Prolongation::Set)?;
        descend(h, level, Visits { sweeps, twice: usize::MAX }, false)?;
    }
    Ok(())
}
