//! The hierarchy on the CPU, in `f32` or `f64`.

use std::convert::Infallible;

use thalweg_columns::{ColumnGrid, Real};

use crate::borders::{BorderCells, border_cells, relax_borders};
use crate::coarse_fields::BubbleRule;
use crate::constants::COARSEST;
use crate::cycle::{Cycle, Hierarchy, Sweeps, cycle};
use crate::direct::Direct;
use crate::fields::Fields;
use crate::level::Level;
use crate::rows::Discretisation;
use crate::smooth::{Group, Relaxation, SWEEP, relax, start};
use crate::transfer::{CoarseCorrection, Prolongation, Source, prolong, restrict};

/// How a hierarchy is built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HierarchyOptions {
    /// Form of tall rows.
    pub discretisation: Discretisation,
    /// Smallest liquid share of a distance to air; smaller ones make the matrix stiff without moving the surface.
    pub theta_min: f64,
    /// What becomes of bubbles on coarse levels.
    pub bubbles: BubbleRule,
    /// Extra sweeps near surfaces and solids on every level. They cost little and keep thin sheets, bubbles and
    /// droplets, which coarse levels do not see, from slowing everything down.
    pub border_sweeps: usize,
    /// How far from a surface or solid the extra sweeps reach, in cells.
    pub border_width: usize,
}

impl Default for HierarchyOptions {
    fn default() -> Self {
        Self {
            discretisation: Discretisation::Galerkin,
            theta_min: 0.01,
            bubbles: BubbleRule::default(),
            border_sweeps: 2,
            border_width: 3,
        }
    }
}

/// One level with its vectors.
#[derive(Debug, Clone)]
struct Stage<T> {
    level: Level<T>,
    b: Vec<T>,
    x: Vec<T>,
    /// Cells near surfaces and solids: red ones, black ones.
    borders: [BorderCells; 2],
}

/// Levels from fine to coarse with vectors to run cycles in.
#[derive(Debug, Clone)]
pub struct HostHierarchy<T> {
    stages: Vec<Stage<T>>,
    /// Solves the coarsest level directly, if it is small.
    direct: Option<Direct<T>>,
    options: HierarchyOptions,
}

/// Sweeps on a coarsest level with more unknowns than that: few columns, but high ones.
const COARSEST_SWEEPS: usize = 10;

impl<T: Real> HostHierarchy<T> {
    /// Builds all levels.
    pub fn new(grid: ColumnGrid, fields: Fields<T>, options: HierarchyOptions) -> Self {
        Self::over(&Level::new(grid, fields, options.theta_min, options.discretisation), options)
    }

    /// Builds all levels over a finest one of the same or of another precision.
    pub fn over<S: Real>(finest: &Level<S>, options: HierarchyOptions) -> Self {
        let mut stages = vec![Stage::of(finest, &options, false)];
        let mut last: Option<Level<S>> = None;
        loop {
            let fine = last.as_ref().unwrap_or(finest);
            let shape = fine.grid.shape;
            if shape.len() <= COARSEST || (shape.nx <= 2 && shape.nz <= 2) {
                let direct = Direct::of(fine, COARSEST);
                return Self { stages, direct, options };
            }
            let coarse = fine.coarser(stages.len(), options.bubbles, options.theta_min);
            stages.push(Stage::of(&coarse, &options, true));
            last = Some(coarse);
        }
    }

    /// The levels, finest first.
    pub fn level(&self, number: usize) -> &Level<T> {
        &self.stages[number].level
    }

    /// Right-hand side of the finest level.
    pub fn rhs(&mut self) -> &mut [T] {
        &mut self.stages[0].b
    }

    /// Values of the finest level.
    pub fn values(&self) -> &[T] {
        &self.stages[0].x
    }

    /// Right-hand side and values of the finest level.
    pub(crate) fn vectors(&self) -> (&[T], &[T]) {
        (&self.stages[0].b, &self.stages[0].x)
    }

    /// One cycle from zero, on what [`Self::rhs`] holds.
    pub fn cycle(&mut self, kind: Cycle, sweeps: Sweeps) {
        match cycle(self, kind, sweeps) {
            Ok(()) => {}
            Err(never) => match never {},
        }
    }
}

impl<T: Real> Stage<T> {
    fn of<S: Real>(level: &Level<S>, options: &HierarchyOptions, coarse: bool) -> Self {
        let len = level.grid.shape.len();
        let borders =
            if options.border_sweeps > 0 { border_cells(level, options.border_width) } else { Default::default() };
        Self { b: vec![T::zero(); len], x: vec![T::zero(); len], level: level.matrix(coarse), borders }
    }
}

impl<T: Real> Hierarchy for HostHierarchy<T> {
    type Error = Infallible;

    fn levels(&self) -> usize {
        self.stages.len()
    }

    fn tail(&self) -> usize {
        self.stages.len() - 1
    }

    fn start(&mut self, level: usize) -> Result<(), Infallible> {
        let Stage { level, b, x, .. } = &mut self.stages[level];
        let relaxation = Relaxation { inverse: &level.inverse, ends: &level.ends, b };
        start(&level.view(), &relaxation, x);
        Ok(())
    }

    fn relax(&mut self, level: usize, group: Group) -> Result<(), Infallible> {
        let Stage { level, b, x, .. } = &mut self.stages[level];
        if matches!(group, Group::TallEven | Group::TallOdd) && !level.has_tall() {
            return Ok(());
        }
        let relaxation = Relaxation { inverse: &level.inverse, ends: &level.ends, b };
        relax(&level.view(), &relaxation, group, x);
        Ok(())
    }

    fn relax_borders(&mut self, level: usize, before: bool) -> Result<(), Infallible> {
        let Stage { level, b, x, borders } = &mut self.stages[level];
        if self.options.border_sweeps > 0 {
            relax_borders(level, b, borders, self.options.border_sweeps, before, x);
        }
        Ok(())
    }

    fn restrict_residual(&mut self, level: usize) -> Result<(), Infallible> {
        let (fine, coarse) = self.stages.split_at_mut(level + 1);
        let (Stage { level: fine, b, x, .. }, coarse) = (&fine[level], &mut coarse[0]);
        let source = Source::Residual { b, x };
        restrict(&fine.view(), &fine.ends, source, &coarse.level.view(), &mut coarse.b);
        Ok(())
    }

    fn restrict_rhs(&mut self, level: usize) -> Result<(), Infallible> {
        let (fine, coarse) = self.stages.split_at_mut(level + 1);
        let (Stage { level: fine, b, .. }, coarse) = (&fine[level], &mut coarse[0]);
        restrict(&fine.view(), &fine.ends, Source::Vector(b), &coarse.level.view(), &mut coarse.b);
        Ok(())
    }

    fn prolong(&mut self, level: usize, mode: Prolongation) -> Result<(), Infallible> {
        let (fine, coarse) = self.stages.split_at_mut(level + 1);
        let (Stage { level: fine, x, .. }, coarse) = (&mut fine[level], &coarse[0]);
        let correction = CoarseCorrection {
            shape: coarse.level.grid.shape,
            heights: &coarse.level.grid.heights,
            solid: &coarse.level.fields.solid,
            solids: &coarse.level.solids,
            values: &coarse.x,
        };
        prolong(&correction, &fine.view(), &fine.ends, mode, x);
        Ok(())
    }

    fn solve_tail(&mut self) -> Result<(), Infallible> {
        let last = self.stages.len() - 1;
        if let Some(direct) = &self.direct {
            let Stage { b, x, .. } = &mut self.stages[last];
            direct.solve(b, x);
            return Ok(());
        }
        self.start(last)?;
        for sweep in 0..COARSEST_SWEEPS {
            // Forwards and backwards, so that the whole is symmetric.
            for group in SWEEP.into_iter().skip(if sweep == 0 { 2 } else { 0 }) {
                self.relax(last, group)?;
            }
        }
        for _ in 0..COARSEST_SWEEPS {
            for group in SWEEP.into_iter().rev() {
                self.relax(last, group)?;
            }
        }
        Ok(())
    }
}
