//! The order of the stages of a sub-step, for both constraints: predict, constrain, finish.

use std::mem::swap;

use thalweg_compute::{Buffer, Dispatch, Recording};

use crate::constants::extent;
use crate::dfsph::{Accelerate, Factors, Judge, Push, Rate, Travel, Warm, solve};
use crate::emit::{Admit, Emit};
use crate::error::Result;
use crate::params::StepParams;
use crate::pbf::{Confine, Curl, Lambda, Shift, Smooth, Velocity};
use crate::predict::Predict;
use crate::setup::{Constraint, DivergenceFree, PositionBased};
use crate::state::State;
use crate::walls::Walls;

/// Names of stages in timings.
pub(crate) mod stage {
    pub(crate) const EMIT: &str = "particles: emit";
    pub(crate) const PREDICT: &str = "particles: predict";
    pub(crate) const NEIGHBOURS: &str = "particles: neighbours";
    pub(crate) const WALLS: &str = "particles: walls";
    pub(crate) const DIVERGENCE: &str = "particles: divergence";
    pub(crate) const DENSITY: &str = "particles: density";
    pub(crate) const FINISH: &str = "particles: finish";
    pub(crate) const SURVEY: &str = "particles: survey";
}

/// What a sub-step finds around the particles, and does not change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    /// Packed solids of all sub-steps of a frame.
    pub(crate) solids: &'a Buffer<f32>,
    /// Distances of meshes.
    pub(crate) distances: &'a Buffer<f32>,
    /// Heights of the ground.
    pub(crate) ground: &'a Buffer<f32>,
    /// Boxes that swallow particles, two corners each.
    pub(crate) drains: &'a Buffer<[f32; 4]>,
    /// Particles that come in the frame: place and velocity each.
    pub(crate) born: &'a Buffer<[f32; 4]>,
}

impl Surroundings<'_> {
    fn has_planes(p: &StepParams) -> bool {
        p.solids > 0 || p.ground_x > 0
    }
}

impl State {
    /// A sub-step of either constraint.
    pub(crate) fn substep(
        &mut self,
        rec: &mut Recording<'_>,
        constraint: &Constraint,
        p: &StepParams,
        around: Surroundings<'_>,
    ) -> Result<()> {
        if p.births > 0 {
            self.emit(rec, p, around)?;
        }
        self.predict(rec, constraint, p, around)?;
        self.constrain(rec, constraint, p)?;
        self.finish(rec, constraint, p)
    }

    fn emit(&self, rec: &mut Recording<'_>, p: &StepParams, around: Surroundings<'_>) -> Result<()> {
        let Self { extent, places, motions, ids, tally, .. } = self;
        rec.stage(stage::EMIT);
        rec.run(&Emit { extent, born: around.born, places, motions, ids }, p, Dispatch::Elements(p.births as usize))?;
        Ok(rec.run(&Admit { extent, tally }, p, Dispatch::Groups([1, 1, 1]))?)
    }

    /// Places at which neighbours are looked for, those neighbours, and the walls there.
    fn predict(
        &mut self,
        rec: &mut Recording<'_>,
        constraint: &Constraint,
        p: &StepParams,
        around: Surroundings<'_>,
    ) -> Result<()> {
        let Surroundings { solids, distances, ground, drains, .. } = around;
        let Self { extent, places, motions, predicted, scratch, tally, neighbours, .. } = &*self;
        let is_position_based = matches!(constraint, Constraint::PositionBased(_));
        if is_position_based {
            rec.stage(stage::PREDICT);
            let kernel = Predict { extent, places, motions, solids, distances, ground, predicted };
            rec.run(&kernel, p, Dispatch::Indirect(extent, 0))?;
        }
        rec.stage(stage::NEIGHBOURS);
        // The velocity of a position-based fluid is what its places have moved by: it is not carried on.
        let (keys, carried) = match is_position_based {
            true => (predicted, self.carried(predicted, scratch)),
            false => (places, self.carried(motions, &self.sorted_motions)),
        };
        neighbours.record(rec, p, extent, (drains, tally), keys, carried)?;
        if !is_position_based {
            swap(&mut self.places, &mut self.sorted_places);
            swap(&mut self.motions, &mut self.sorted_motions);
        }
        swap(&mut self.ids, &mut self.sorted_ids);
        if Surroundings::has_planes(p) {
            rec.stage(stage::WALLS);
            let places = if is_position_based { &self.scratch } else { &self.places };
            let Self { extent, planes, drifts, .. } = &*self;
            let kernel = Walls { extent, places, solids, distances, ground, planes, drifts };
            rec.run(&kernel, p, Dispatch::Indirect(extent, 0))?;
        }
        Ok(())
    }

    fn constrain(&mut self, rec: &mut Recording<'_>, constraint: &Constraint, p: &StepParams) -> Result<()> {
        match constraint {
            Constraint::PositionBased(of) => self.move_apart(rec, of, p),
            Constraint::DivergenceFree(of) => self.slow_down(rec, of, p),
        }
    }

    /// Iterations on predicted places.
    fn move_apart(&self, rec: &mut Recording<'_>, of: &PositionBased, p: &StepParams) -> Result<()> {
        let Self { extent, scratch, predicted, planes, drifts, density, sorted_places: origins, .. } = self;
        let (starts, cells) = (&self.neighbours.starts, &self.neighbours.cells);
        let all = || Dispatch::Indirect(extent, 0);
        rec.stage(stage::DENSITY);
        for _ in 0..of.iterations {
            let kernel = Lambda { extent, starts, cells, places: scratch, planes, with_lambda: predicted, density };
            rec.run(&kernel, p, all())?;
            let with_lambda = predicted;
            let kernel = Shift { extent, starts, cells, with_lambda, planes, drifts, origins, shifted: scratch };
            rec.run(&kernel, p, all())?;
        }
        Ok(())
    }

    /// The divergence solve, gravity, and the density solve.
    fn slow_down(&self, rec: &mut Recording<'_>, of: &DivergenceFree, p: &StepParams) -> Result<()> {
        let Self { extent, places, motions, planes, drifts, density, factors, scratch: with_kappa, .. } = self;
        let (starts, cells) = (&self.neighbours.starts, &self.neighbours.cells);
        let all = || Dispatch::Indirect(extent, 0);
        rec.stage(stage::DIVERGENCE);
        rec.run(&Factors { extent, starts, cells, places, planes, drifts, factors, density }, p, all())?;
        // Friction takes its part once, when particles move.
        let p = &StepParams { friction: 0.0, ..*p };
        let tolerance = of.divergence_tolerance as f32;
        let divergence = StepParams { which: solve::DIVERGENCE, tolerance, least: 1, ..*p };
        self.solve(rec, &divergence, of.divergence_iterations)?;
        rec.run(&Accelerate { extent, places, planes, drifts, motions }, p, all())?;
        rec.stage(stage::DENSITY);
        let density = StepParams { which: solve::DENSITY, tolerance: of.tolerance as f32, least: 2, ..*p };
        rec.run(&Warm { extent, places, motions, with_kappa }, &density, all())?;
        rec.run(&Push { extent, starts, cells, with_kappa, factors, planes, drifts, motions }, &density, all())?;
        self.solve(rec, &density, of.iterations)
    }

    /// Iterations that stop themselves.
    fn solve(&self, rec: &mut Recording<'_>, p: &StepParams, most: u32) -> Result<()> {
        let Self { extent, places, motions, factors, scratch: with_kappa, errors, report, planes, drifts, .. } = self;
        let (starts, cells) = (&self.neighbours.starts, &self.neighbours.cells);
        let going = || Dispatch::Indirect(extent, extent::SOLVE);
        self.neighbours.settle(rec, p, extent)?;
        for iteration in 0..most {
            let p = StepParams { iteration, ..*p };
            let kernel = Rate { extent, starts, cells, places, motions, factors, with_kappa, errors };
            rec.run(&kernel, &p, going())?;
            rec.run(&Judge { errors, extent, report }, &p, Dispatch::Groups([1, 1, 1]))?;
            rec.run(&Push { extent, starts, cells, with_kappa, factors, planes, drifts, motions }, &p, going())?;
        }
        Ok(())
    }

    fn finish(&mut self, rec: &mut Recording<'_>, constraint: &Constraint, p: &StepParams) -> Result<()> {
        rec.stage(stage::FINISH);
        match constraint {
            Constraint::PositionBased(of) => self.take_velocities(rec, of, p),
            Constraint::DivergenceFree(_) => {
                let Self { extent, places, motions, planes, drifts, .. } = self;
                let kernel = Travel { extent, planes, drifts, places, motions };
                Ok(rec.run(&kernel, p, Dispatch::Indirect(extent, 0))?)
            }
        }
    }

    /// What places have moved by, made smoother.
    fn take_velocities(&mut self, rec: &mut Recording<'_>, of: &PositionBased, p: &StepParams) -> Result<()> {
        swap(&mut self.places, &mut self.scratch);
        {
            let Self { extent, places, density, sorted_places: origins, sorted_motions: motions, .. } = &*self;
            rec.run(&Velocity { extent, origins, places, density, motions }, p, Dispatch::Indirect(extent, 0))?;
        }
        if of.smoothing == 0.0 && of.vorticity == 0.0 {
            swap(&mut self.motions, &mut self.sorted_motions);
            return Ok(());
        }
        let Self { extent, places, motions: smoothed, sorted_motions: motions, predicted: curls, .. } = &*self;
        let (starts, cells) = (&self.neighbours.starts, &self.neighbours.cells);
        let all = || Dispatch::Indirect(extent, 0);
        rec.run(&Smooth { extent, starts, cells, places, motions, smoothed }, p, all())?;
        if of.vorticity > 0.0 {
            rec.run(&Curl { extent, starts, cells, places, motions, curls }, p, all())?;
            let kernel = Confine { extent, starts, cells, places, motions, curls, confined: smoothed };
            rec.run(&kernel, p, all())?;
        }
        Ok(())
    }
}
