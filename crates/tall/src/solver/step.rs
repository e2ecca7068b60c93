//! The time step, \[000\] Algorithm 1: written once for every executor.

use thalweg_columns::transfer::{AboveTop, DeviceRemesh};
use thalweg_compute::{Dispatch, Recording};
use thalweg_pressure::device::{DeviceCollocated, DeviceStop, plane};

use crate::error::{Result, TallError};
use crate::setup::FAR;
use crate::solver::stages::advect::{Advect, AdvectParams, Centre, Correct, Increment, LevelSet, SHARP};
use crate::solver::stages::bodies::{Afloat, BodyLoad, FreeBody};
use crate::solver::stages::exchange::{Moment, Seen, ZoneCells};
use crate::solver::stages::extrapolate::ExtrapolateBuffers;
use crate::solver::stages::project::{Mask, MaskParams, SurfaceParams, SurfaceRhs, SurfaceSamples, SurfaceUpdate};
use crate::solver::stages::samples::SampleBuffers;
use crate::solver::stages::solids::FractionBuffers;
use crate::solver::surface::level_set::fill::{MOSTLY, Reach};
use crate::water::{State, TallWater};

/// Air in which velocities are advected, cells: faces that touch water lie between samples nearer than that.
const AIR: f32 = 3.0;

/// Longest step for the shortest surface waves, s. Gravity, then projection is a symplectic Euler step: waves of two cells are
/// stable up to 1.13 √(Δx/g), but near that limit breaking waves are kept alive: a collapsed column moved as fast after 55 s as
/// after 10 s with 0.74 √(Δx/g), and calmed down with half of it.
pub(crate) fn longest_wave_step(cell: f64, gravity: f64) -> f64 {
    0.5 * (cell / gravity.max(1e-9)).sqrt()
}

impl TallWater {
    /// One step of `dt` seconds, whatever the flow does; see [`Self::advance`] for one that looks at it.
    pub fn step(&mut self, dt: f64) -> Result<()> {
        let exec = self.exec.clone();
        let mut rec = exec.record();
        self.record_motion(&mut rec, dt)?;
        self.record_forces(&mut rec, dt)?;
        rec.submit()?;
        self.end_step(dt)
    }

    /// The first part of a step: what moves with the water. It asks for solids where they were, so that a GPU can be at it while bodies are moved;
    /// [`Self::finish_step`] must follow, and nothing else in between but [`Self::place_bodies`].
    pub fn begin_step(&mut self, dt: f64) -> Result<()> {
        let exec = self.exec.clone();
        let mut rec = exec.record();
        self.record_motion(&mut rec, dt)?;
        Ok(rec.submit()?)
    }

    /// The rest of a step that was begun.
    pub fn finish_step(&mut self, dt: f64) -> Result<()> {
        let exec = self.exec.clone();
        let mut rec = exec.record();
        self.record_forces(&mut rec, dt)?;
        rec.submit()?;
        self.end_step(dt)
    }

    fn record_motion(&mut self, rec: &mut Recording<'_>, dt: f64) -> Result<()> {
        self.tidy_level_set(rec)?;
        self.extrapolate_velocities(rec)?;
        self.move_level_set(rec, dt)?;
        self.thicken(rec, dt)?;
        self.move_velocities(rec, dt)?;
        self.exchange_water(rec, Moment { time: self.time, dt })
    }

    fn record_forces(&mut self, rec: &mut Recording<'_>, dt: f64) -> Result<()> {
        if self.fleet.count() > 0 && self.fleet.placed().is_empty() {
            return Err(TallError::BodiesNotPlaced);
        }
        if self.solids.is_moving() {
            // Where they are at the end of the step; what comes before the remeshing asks for their fractions only.
            self.solids.place(&self.exec, self.time + dt)?;
        }
        let moment = Moment { time: self.time, dt };
        self.remesh(rec)?;
        self.exchange.lead(rec, &self.now.heights, (&self.now.faces, &self.now.inner), moment)?;
        self.project(rec, moment, true)
    }

    fn end_step(&mut self, dt: f64) -> Result<()> {
        self.exchange.reached(&self.exec)?;
        self.steps += 1;
        self.time += dt;
        self.last_step = dt;
        self.needed_iterations = None;
        Ok(())
    }

    /// Steps until `seconds` have passed, each short enough for surface waves and for `max_cfl` cells of flow. Bodies stay where they were
    /// placed: with bodies, ask [`Self::plan`] and take the steps one by one.
    pub fn advance(&mut self, seconds: f64) -> Result<u32> {
        let steps = self.plan(seconds)?;
        for _ in 0..steps {
            self.step(seconds / f64::from(steps))?;
        }
        Ok(steps)
    }

    /// How many equal steps to take until `seconds` have passed, by what the last plan saw of the flow and how it grew since the one before.
    pub fn plan(&mut self, seconds: f64) -> Result<u32> {
        let longest = longest_wave_step(self.cell, self.options.gravity);
        let jets = self.exchange.speed(Moment { time: self.time, dt: seconds });
        let seen = self.look_ahead()?;
        self.planned_iterations = seen.iterations.min(self.options.iterations);
        self.most_crowded = self.most_crowded.max(seen.crowded);
        self.short = self.cells_missing(seen.short, seconds);
        // It has fallen for as long since; what grew faster is a jet of an impact, and gone by now.
        let growth = f64::from(seen.growth).min(self.options.gravity * seconds);
        let speed = (f64::from(seen.speed) + growth).max(jets) + self.options.gravity * seconds.min(longest);
        let solids = [0.0, 0.5, 1.0].map(|share| self.solids.speed(self.time + share * seconds));
        let speed = solids.into_iter().fold(speed, f64::max);
        let cfl = self.options.max_cfl * self.cell / speed.max(1e-9);
        Ok(match self.options.single_step {
            true => 1,
            false => (seconds / longest.min(cfl)).ceil().clamp(1.0, 64.0) as u32,
        })
    }

    /// Puts bodies where they are at the end of the next step, with the velocities that they would have without the water: one for every number
    /// that [`Obstacle::Floating`](crate::Obstacle::Floating) names, in their order.
    pub fn place_bodies(&mut self, bodies: &[FreeBody]) -> Result<()> {
        if bodies.len() != self.fleet.count() {
            return Err(TallError::Bodies { found: bodies.len(), wanted: self.fleet.count() });
        }
        if !bodies.iter().all(FreeBody::is_finite) {
            return Err(TallError::BodyNotFinite { time: self.time });
        }
        self.solids.pose(bodies);
        let boxes = self.solids.boxes(self.time);
        self.fleet.place(&self.exec.clone(), bodies, &boxes)
    }

    /// What the last step did to every body; waits for it.
    pub fn body_loads(&self) -> Result<Vec<BodyLoad>> {
        self.fleet.loads(&self.exec)
    }

    /// Speed at which velocities are cut off, m/s: that of a fall through the whole domain (or from twice the depth of the water at the start,
    /// if that is more) and what drives the water. Impacts make jets that are faster, thinner than a cell and gone after a frame; water
    /// squeezed in a pocket between solids or in a gap of a fraction of a cell would run away.
    /// [`Statistics::speed`](crate::Statistics::speed) at this limit tells that it happened.
    pub fn speed_limit(&self) -> f64 {
        let [ax, az] = self.acceleration;
        let weight = self.options.gravity.hypot(ax).hypot(az);
        let driven = self.begin_speed + self.exchange.highest_speed() + self.solids.speed(self.time);
        match (2.0 * weight * self.fall).sqrt() + driven {
            limit if limit > 0.0 => limit,
            _ => f64::from(f32::MAX),
        }
    }

    /// Acceleration `[a_x, a_z]` of the whole domain in m/s², from the next step on: water in a tank that is shaken feels it as a
    /// gravity to the other side.
    pub fn accelerate(&mut self, acceleration: [f64; 2]) {
        self.acceleration = acceleration;
    }

    fn extrapolate_velocities(&self, rec: &mut Recording<'_>) -> Result<()> {
        rec.stage("extrapolate");
        let State { heights, phi, faces, inner, .. } = &self.now;
        let buffers = ExtrapolateBuffers { heights, phi, aperture: self.staggered.aperture(), faces, inner };
        // Only right after a reinitialisation is air at the end of the band really that far.
        let near = self.reinitialises() && self.far_field.is_none();
        let reach = if near { FAR as f32 } else { f32::INFINITY };
        self.extrapolate.record(rec, buffers, self.options.extrapolate, reach)?;
        match &self.far_field {
            Some(far) => Ok(far.record(rec, self.extrapolate.known(), faces)?),
            None => Ok(()),
        }
    }

    /// Whether the level set becomes a distance in this step.
    fn reinitialises(&self) -> bool {
        let every = self.options.reinitialise_every.max(1);
        self.steps % every == every - 1
    }

    pub(crate) fn tidy_level_set(&self, rec: &mut Recording<'_>) -> Result<()> {
        rec.stage("reinitialise");
        let (heights, aperture, phi) = (&self.now.heights, self.staggered.aperture(), &self.now.phi);
        if let Some(fine) = &self.fine {
            let reach = self.fill.as_ref().map(|_| self.reach(2));
            fine.tidy(rec, self.column_solids(), self.reinitialises(), reach)?;
        }
        if self.reinitialises() {
            self.reinitialise.record(rec, heights, aperture, phi)?;
        } else {
            self.reinitialise.record_clamp(rec, heights, aperture, phi)?;
        }
        if let Some(fill) = &self.fill {
            fill.record(rec, heights, &self.solid, phi, self.reach(1))?;
        }
        Ok(())
    }

    /// How far the level set goes on into solids that move: as far as they move in a step and two cells more, in cells `finer` times as small.
    fn reach(&self, finer: u32) -> Reach {
        let cells = if self.options.single_step { 16.0 } else { self.options.max_cfl };
        let mostly = if self.solids.has_paths() { 1.0 } else { MOSTLY };
        Reach { layers: finer * (cells.ceil().clamp(1.0, 16.0) as u32 + 2), mostly }
    }

    /// What the kernels of advection ask for.
    pub(crate) fn advect_params(&self, dt: f64, band: f32) -> AdvectParams {
        AdvectParams {
            nx: self.shape.nx as u32,
            nz: self.shape.nz as u32,
            samples: self.shape.samples() as u32,
            cells_per_speed: (dt / self.cell) as f32,
            band,
            sharp: if self.options.cubic_surface { SHARP } else { 0.0 },
        }
    }

    /// Level set into the next state, still on the old columns.
    pub(crate) fn move_level_set(&self, rec: &mut Recording<'_>, dt: f64) -> Result<()> {
        rec.stage("level set");
        let now = &self.now;
        let (heights, phi, faces, inner) = (&now.heights, &now.phi, &now.faces, &now.inner);
        // Without sub-steps the surface may come from beyond the band.
        let params = self.advect_params(dt, if self.options.single_step { f32::INFINITY } else { FAR as f32 });
        let kernel = LevelSet { heights, phi, faces, inner, moved: &self.next.phi, source: phi };
        rec.run(&kernel, &params, Dispatch::Elements(self.shape.len()))?;
        if let Some(fine) = &self.fine {
            fine.advect(rec, (now, &self.solid), &params, &self.next.phi)?;
        }
        Ok(())
    }

    /// Velocities in place, still on the old columns.
    fn move_velocities(&self, rec: &mut Recording<'_>, dt: f64) -> Result<()> {
        rec.stage("velocity");
        let Self { centres, hat, departures, now, .. } = self;
        let (heights, phi, faces, inner) = (&now.heights, &now.phi, &now.faces, &now.inner);
        let (params, len) = (self.advect_params(dt, AIR), self.shape.len());
        let all = || Dispatch::Elements(len);
        rec.run(&Centre { heights, faces, inner, centres }, &params, all())?;
        let levels = self.solver.hierarchy();
        let cells = (levels.cells(), plane::DIAGONAL * levels.samples());
        let samples = now.samples.as_ref().map(|samples| SampleBuffers { cells, samples, centres });
        if let Some(samples) = &samples {
            samples.take_unknowns(rec)?;
        }
        rec.run(&Advect { heights, phi, centres, hat, departures }, &params, all())?;
        rec.run(&Correct { heights, phi, centres, hat, departures }, &params, all())?;
        if let Some(samples) = &samples {
            return Ok(samples.keep(rec, departures)?);
        }
        let changed = Increment { heights, changes: departures, faces, inner };
        rec.run(&changed, &params, Dispatch::Elements(3 * len))?;
        Ok(())
    }

    /// Water that enters and leaves through the level set of the next state, still on the old columns.
    fn exchange_water(&self, rec: &mut Recording<'_>, moment: Moment) -> Result<()> {
        rec.stage("exchange");
        let Self { terrain, solid, .. } = self;
        let water = ZoneCells { heights: &self.now.heights, terrain, solid, phi: &self.next.phi };
        self.exchange.change_surface(rec, water, moment)?;
        if let Some(fine) = &self.fine {
            fine.exchange(rec, (&self.exchange, moment), (&self.now.heights, solid), &self.next.phi)?;
        }
        Ok(())
    }

    /// New columns around the surface, and everything on them. Afterwards `now` is the state.
    pub(crate) fn remesh(&mut self, rec: &mut Recording<'_>) -> Result<()> {
        rec.stage("remesh");
        let Some(remesh) = &self.remesh else {
            std::mem::swap(&mut self.now.phi, &mut self.next.phi);
            if let Some(fine) = &mut self.fine {
                fine.keep_columns();
            }
            return if self.solids.is_moving() { self.find_fractions(rec) } else { Ok(()) };
        };
        if self.solids.is_moving() {
            self.solids.ceiling(rec, (&self.ceiling, &self.keel))?;
        }
        remesh.record(
            rec,
            &self.now.heights,
            &self.next.phi,
            (&self.ceiling, &self.keel, &self.reach),
            &self.next.heights,
        )?;
        let columns = DeviceRemesh { shape: self.shape, old: &self.now.heights, new: &self.next.heights };
        columns.transfer_cells(rec, AboveTop::Distance, &self.next.phi, &self.now.phi)?;
        columns.transfer_faces(rec, [&self.now.faces, &self.now.inner], [&self.next.faces, &self.next.inner])?;
        columns.transfer_cells(rec, AboveTop::Constant, &self.now.q, &self.next.q)?;
        if let (Some(now), Some(next)) = (&self.now.samples, &self.next.samples) {
            columns.transfer_samples(rec, now, next)?;
        }
        std::mem::swap(&mut self.now.heights, &mut self.next.heights);
        std::mem::swap(&mut self.now.faces, &mut self.next.faces);
        std::mem::swap(&mut self.now.inner, &mut self.next.inner);
        std::mem::swap(&mut self.now.q, &mut self.next.q);
        std::mem::swap(&mut self.now.samples, &mut self.next.samples);
        remesh.resign(rec, &self.now.heights, &self.now.phi)?;
        if let Some(fine) = &mut self.fine {
            fine.move_columns(rec, &self.now.heights, &self.now.phi)?;
        }
        self.find_fractions(rec)
    }

    /// Solid and open fractions on the columns, and the velocities of solids if any moves.
    pub(crate) fn find_fractions(&self, rec: &mut Recording<'_>) -> Result<()> {
        let velocity = self.solids.is_moving().then(|| self.staggered.solids());
        let owner = (self.fleet.count() > 0).then_some(&self.owner);
        let out = FractionBuffers { solid: &self.solid, open: &self.open, velocity, owner };
        Ok(self.solids.fractions(rec, &self.now.heights, &self.terrain, out)?)
    }

    /// `flows`: whether sources do.
    pub(crate) fn project(&mut self, rec: &mut Recording<'_>, moment: Moment, flows: bool) -> Result<()> {
        rec.stage("project");
        let dt = moment.dt;
        let speed_limit = self.speed_limit();
        if self.options.hold_volume {
            self.sum_up(rec)?;
            let pace = if self.options.gravity > 0.0 {
                longest_wave_step(self.cell, self.options.gravity).max(dt)
            } else {
                dt
            };
            self.volume.hold(rec, &self.stats, self.exchange.ledger.words(), [dt, pace])?;
        }
        let columns = self.advect_params(dt, AIR);
        let Self { now, solid, open, solver, staggered, rhs, exchange, centres, fleet, owner, .. } = self;
        let levels = solver.hierarchy();
        levels.adopt(rec, &now.heights, &now.phi, solid, open)?;
        levels.rebuild(rec)?;
        staggered.refresh(rec, levels)?;
        let len = self.shape.len();
        let mask = MaskParams { len: len as u32, diagonal_at: (plane::DIAGONAL * levels.samples()) as u32 };
        rec.run(&Mask { cells: levels.cells(), q: &now.q }, &mask, Dispatch::Elements(len))?;
        let still = [self.level, (self.options.gravity * dt * self.cell) as f32];
        let heights = &now.heights;
        if fleet.count() > 0 {
            let afloat = Afloat { fleet, heights, aperture: staggered.aperture(), owner, still };
            afloat.meet(rec, levels, [&now.phi, solid, &now.faces])?;
            afloat.respond(rec, levels, &now.q, staggered.solids())?;
        }
        let seen = Seen { heights: &now.heights, phi: &now.phi, solid };
        if flows {
            exchange.flow(rec, seen, &now.faces, moment)?;
        }
        if let Some(samples) = &now.samples {
            let cells = (levels.cells(), plane::DIAGONAL * levels.samples());
            let buffers = SampleBuffers { cells, samples, centres };
            buffers.mean_faces(rec, &now.heights, [&now.faces, &now.inner], &columns)?;
            DeviceCollocated { faces: staggered }.rhs(rec, levels, samples, rhs)?;
        } else {
            staggered.rhs(rec, levels, &now.faces, &now.inner, rhs)?;
        }
        if flows {
            exchange.pump(rec, seen, (levels.cells(), plane::DIAGONAL * levels.samples()), rhs)?;
        }
        if self.options.hold_volume {
            let at = plane::DIAGONAL * levels.samples();
            self.volume.expand(rec, (&now.heights, &now.phi), levels.cells(), at, self.cell, rhs)?;
        }
        let surface = SurfaceParams {
            nx: self.shape.nx as u32,
            nz: self.shape.nz as u32,
            samples: self.shape.samples() as u32,
            diagonal_at: mask.diagonal_at,
            weight: (self.options.gravity * dt * self.cell) as f32,
            level: self.level,
            per_cell: (1.0 / self.cell) as f32,
            aside_x: (self.acceleration[0] * dt * self.cell) as f32,
            aside_z: (self.acceleration[1] * dt * self.cell) as f32,
            fastest: speed_limit as f32,
            collocated: u32::from(now.samples.is_some()),
        };
        let (heights, phi, matrix, aperture) = (&now.heights, &now.phi, levels.matrix(), staggered.aperture());
        let kernel = SurfaceRhs { heights, phi, matrix, aperture, cells: levels.cells(), b: rhs };
        rec.run(&kernel, &surface, Dispatch::Elements(len))?;
        let stop = DeviceStop { residual: 0.0, relative: self.options.tolerance, iterations: self.planned_iterations };
        if fleet.count() > 0 {
            let afloat = Afloat { fleet, heights, aperture: staggered.aperture(), owner, still };
            solver.solve_with(rec, rhs, &now.q, stop, Some(&afloat))?;
            afloat.respond(rec, solver.hierarchy(), &now.q, staggered.solids())?;
        } else {
            solver.solve(rec, rhs, &now.q, stop)?;
        }
        let levels = solver.hierarchy();
        if let Some(samples) = &now.samples {
            DeviceCollocated { faces: staggered }.update(rec, levels, &now.q, samples)?;
            let (matrix, cells, aperture) = (levels.matrix(), levels.cells(), staggered.aperture());
            let kernel = SurfaceSamples { heights, phi, matrix, aperture, cells, b: rhs, samples };
            rec.run(&kernel, &surface, Dispatch::Elements(len))?;
        }
        staggered.update(rec, levels, &now.q, &now.faces, &now.inner)?;
        let (matrix, aperture) = (levels.matrix(), staggered.aperture());
        let kernel = SurfaceUpdate { heights, phi, matrix, aperture, faces: &now.faces, inner: &now.inner };
        rec.run(&kernel, &surface, Dispatch::Elements(3 * len))?;
        if flows {
            self.exchange.steady(rec, &self.now.heights, &self.now.faces)?;
        }
        Ok(())
    }
}
