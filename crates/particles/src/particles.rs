//! Liquid particles on an executor: what a method or a hybrid solver calls.

use std::sync::Arc;

use thalweg_compute::{Buffer, Dispatch, Executor, Later, Readback, Recording};
use thalweg_ledger::{Account, Ledger, Quantity};
use thalweg_solids::packed::WORDS;
use thalweg_solids::{DistanceGrid, MOST_DISTANCES, Obstacle, ObstacleError};

use crate::constants::{CELL, extent, solve as report, survey, tally};
use crate::emit::plan::{Births, Sources};
use crate::error::{ParticlesError, Result, invalid};
use crate::kernel::{lattice_sum_cubic, lattice_sum_poly6, wall_gap_cubic, wall_gap_poly6};
use crate::neighbours::extent_of;
use crate::output::{Census, SolveReport, View};
use crate::params::StepParams;
use crate::setup::{Constraint, Options, PositionBased, Setup};
use crate::state::{Sizes, State};
use crate::step::{Surroundings, stage};
use crate::survey::Survey;

/// Denominator of λ inside of water at h = 2a, times a².
const DENOMINATOR: f64 = 0.42;
/// Particles may move by so many kernel radii within a sub-step of position-based fluids.
const MOST_MOVE: f64 = 0.5;
/// Particles may move by so many spacings within a step of divergence-free SPH.
const MOST_TRAVEL: f64 = 0.4;
/// A step of divergence-free SPH is no longer than so many times √(a/g).
const MOST_FALL: f64 = 0.1;

/// Words that a frame leaves, on their way to the host.
#[derive(Debug)]
struct Pending {
    words: Readback<u32>,
    extremes: Readback<u32>,
    counts: Readback<u32>,
}

/// Liquid particles in a domain.
#[derive(Debug)]
pub struct LiquidParticles {
    pub(crate) exec: Arc<Executor>,
    pub(crate) state: State,
    pub(crate) sizes: Sizes,
    options: Options,
    /// Parameters of a sub-step, but for what changes from one to the next.
    params: StepParams,
    spacing: f64,
    /// What moves among them is placed anew for every sub-step.
    obstacles: Vec<Obstacle>,
    solids: Buffer<f32>,
    distances: Buffer<f32>,
    ground: Buffer<f32>,
    drains: Buffer<[f32; 4]>,
    born: Buffer<[f32; 4]>,
    pub(crate) sources: Sources,
    /// Particles of the start.
    opening: u32,
    /// Number of the next particle.
    pub(crate) next_id: u32,
    pub(crate) time: f64,
    /// Largest speed at the end of the last frame that is known, m/s.
    pub(crate) speed: f64,
    pending: Option<Pending>,
    census: Census,
    substeps: u32,
}

impl LiquidParticles {
    /// Takes the memory and puts particles where the setup has water.
    pub fn new(exec: Arc<Executor>, setup: &Setup<'_>) -> Result<Self> {
        setup.check()?;
        let solids = setup.solids.iter().cloned().map(Obstacle::checked).collect::<Result<Vec<_>, _>>()?;
        let (places, motions) = seeded(setup, &solids);
        let count = places.len();
        let capacity =
            setup.options.capacity.unwrap_or(if setup.sources.is_empty() { count } else { 2 * count + 20_000 });
        if count > capacity || capacity == 0 || u32::try_from(capacity).is_err() {
            return invalid(format!("{count} particles of the start, and {capacity} slots for them"));
        }
        let sizes = Sizes {
            capacity,
            cells: setup.cells().iter().map(|n| *n as usize).product(),
            has_solids: !solids.is_empty() || setup.ground.is_some(),
            is_divergence_free: matches!(setup.options.constraint, Constraint::DivergenceFree(_)),
        };
        let state = State::new(&exec, sizes)?;
        let distances: Vec<f32> =
            solids.iter().filter_map(Obstacle::distances).flat_map(DistanceGrid::words).copied().collect();
        if distances.len() > MOST_DISTANCES {
            return Err(ObstacleError::Distances { count: distances.len() }.into());
        }
        let corners = setup.drains.iter().flatten().map(|[x, y, z]| [*x as f32, *y as f32, *z as f32, 0.0]);
        let speed =
            motions.iter().map(|v| v[..3].iter().map(|v| f64::from(v * v)).sum::<f64>()).fold(0.0, f64::max).sqrt();
        let mut all = Self {
            solids: exec.buffer_from("particles.solids", &vec![0.0; (solids.len() * WORDS).max(1)])?,
            distances: exec.buffer_from("particles.distances", &distances)?,
            ground: exec.buffer_from("particles.ground", setup.ground.map_or(&[][..], |ground| ground.heights))?,
            drains: exec.buffer_from("particles.drains", &corners.collect::<Vec<_>>())?,
            born: exec.buffer("particles.born", 2)?,
            sources: Sources::new(setup.sources, setup.spacing)?,
            state,
            sizes,
            options: setup.options.clone(),
            params: params_of(setup, capacity),
            spacing: setup.spacing,
            obstacles: solids,
            opening: count as u32,
            next_id: count as u32,
            time: 0.0,
            speed,
            pending: None,
            census: Census { count, capacity, refused: 0, speed, density: 0.0 },
            substeps: 0,
            exec,
        };
        all.put(&places, &motions, &(0..count as u32).collect::<Vec<_>>())?;
        all.relax(&motions)?;
        Ok(all)
    }

    /// Puts particles into the first slots.
    pub(crate) fn put(&mut self, places: &[[f32; 4]], motions: &[[f32; 4]], ids: &[u32]) -> Result<()> {
        let (exec, state) = (&self.exec, &self.state);
        exec.write(&state.places, 0, places)?;
        exec.write(&state.motions, 0, motions)?;
        exec.write(&state.ids, 0, ids)?;
        exec.write(&state.extent, 0, &[extent_of(places.len() as u32); extent::WORDS / 4].concat())?;
        Ok(())
    }

    /// Lets the particles of the start find their distances: rounds of position-based fluids without gravity, after
    /// each of which they are at rest. `motions` are those of the start, by number.
    fn relax(&mut self, motions: &[[f32; 4]]) -> Result<()> {
        if self.options.relaxation == 0 || motions.is_empty() {
            return Ok(());
        }
        let exec = Arc::clone(&self.exec);
        let of = PositionBased { radius: self.options.constraint.radius(), ..PositionBased::default() };
        let constraint = Constraint::PositionBased(of);
        let radius = self.spacing * of.radius;
        let volume = self.spacing.powi(3) / lattice_sum_poly6(self.spacing, radius);
        let wall_gap = wall_gap_poly6(self.spacing, radius) as f32;
        self.write_solids(0.0, 0.0, 1)?;
        for _ in 0..self.options.relaxation {
            let p = self.at_rest(&StepParams { volume: volume as f32, wall_gap, ..self.params_of_step(of.longest) });
            exec.submit(|rec| {
                rec.clear(&self.state.motions)?;
                self.record(rec, &constraint, &p)
            })?;
        }
        let ids = exec.read(&self.state.ids)?;
        let count = exec.read(&self.state.extent)?[extent::COUNT] as usize;
        let of_ids: Vec<_> = ids[..count].iter().map(|id| motions[*id as usize]).collect();
        Ok(exec.write(&self.state.motions, 0, &of_ids)?)
    }

    fn at_rest(&self, p: &StepParams) -> StepParams {
        StepParams { gravity_x: 0.0, gravity_y: 0.0, gravity_z: 0.0, ..*p }
    }

    /// Goes on by `dt` seconds, in as many sub-steps as speeds ask for; does not wait for the executor, but for the end
    /// of the frame before.
    pub fn advance(&mut self, dt: f64) -> Result<()> {
        if !(dt.is_finite() && dt >= 0.0) {
            return invalid(format!("particles cannot go on by {dt} s"));
        }
        self.catch_up()?;
        if dt == 0.0 {
            return Ok(());
        }
        let substeps = self.substeps_of(dt);
        let step = dt / f64::from(substeps);
        let births = self.sources.plan(self.time, step, substeps);
        self.write_born(&births)?;
        self.write_solids(self.time, step, substeps)?;
        let exec = Arc::clone(&self.exec);
        let constraint = self.options.constraint;
        exec.submit(|rec| -> Result<()> {
            let mut first = 0;
            for (n, count) in (0..).zip(&births.counts) {
                let p = StepParams {
                    births: *count,
                    births_first: first,
                    births_id: self.next_id,
                    solids_first: n * (self.obstacles.len() * WORDS) as u32,
                    ..self.params_of_step(step)
                };
                self.record(rec, &constraint, &p)?;
                first += count;
                self.next_id = self.next_id.wrapping_add(*count);
            }
            rec.stage(stage::SURVEY);
            let State { extent, places, motions, density, extremes, .. } = &self.state;
            rec.clear(extremes)?;
            let kernel = Survey { extent, places, motions, density, extremes };
            Ok(rec.run(&kernel, &self.params_of_step(step), Dispatch::Indirect(extent, 0))?)
        })?;
        self.time += dt;
        self.substeps = substeps;
        self.pending = Some(self.pending_now()?);
        Ok(())
    }

    fn record(&mut self, rec: &mut Recording<'_>, constraint: &Constraint, p: &StepParams) -> Result<()> {
        let Self { state, solids, distances, ground, drains, born, .. } = self;
        state.substep(rec, constraint, p, Surroundings { solids, distances, ground, drains, born })
    }

    fn pending_now(&self) -> Result<Pending> {
        let State { extent, extremes, tally, .. } = &self.state;
        Ok(Pending {
            words: self.exec.read_async(extent)?,
            extremes: self.exec.read_async(extremes)?,
            counts: self.exec.read_async(tally)?,
        })
    }

    /// Takes up what the last frame left.
    fn catch_up(&mut self) -> Result<()> {
        let Some(Pending { words, extremes, counts }) = self.pending.take() else { return Ok(()) };
        let extremes = extremes.wait()?;
        if extremes[survey::SPEED2] == u32::MAX {
            return Err(ParticlesError::NotFinite { time: self.time });
        }
        self.census = Census::of(&words.wait()?, &extremes, &counts.wait()?, self.sizes.capacity);
        self.speed = self.census.speed;
        Ok(())
    }

    /// Forgets what a frame left that is no longer the last one.
    pub(crate) fn forget_pending(&mut self) {
        self.pending = None;
    }

    /// How many sub-steps a frame of `dt` has.
    fn substeps_of(&self, dt: f64) -> u32 {
        let gravity = self.options.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
        let solids = self.obstacles.iter().map(|of| of.placed(self.time).speed()).fold(0.0, f64::max);
        let speed = (self.speed + gravity * dt).max(self.sources.speed()).max(solids);
        let fall = (self.spacing / gravity.max(1e-3)).sqrt();
        let (longest, reach) = match self.options.constraint {
            Constraint::PositionBased(of) => (of.longest.min(of.fall * fall), MOST_MOVE * self.spacing * of.radius),
            Constraint::DivergenceFree(_) => (MOST_FALL * fall, MOST_TRAVEL * self.spacing),
        };
        // A frame that is a whole number of sub-steps but for rounding has no more of them.
        let wanted = (dt / longest - 1e-6).max(speed * dt / reach).ceil();
        wanted.clamp(1.0, f64::from(self.options.most_substeps)) as u32
    }

    fn params_of_step(&self, dt: f64) -> StepParams {
        let reach = match self.options.constraint {
            Constraint::PositionBased(_) => f64::from(self.params.radius),
            Constraint::DivergenceFree(_) => self.spacing,
        };
        let most_speed = (reach / dt) as f32;
        StepParams { dt: dt as f32, per_dt: (1.0 / dt) as f32, most_speed, ..self.params }
    }

    fn write_born(&mut self, births: &Births) -> Result<()> {
        if births.born.len() > self.born.len() {
            self.born = self.exec.buffer("particles.born", births.born.len().next_power_of_two())?;
        }
        Ok(self.exec.write(&self.born, 0, &births.born)?)
    }

    /// Places solids for every sub-step, at its end.
    fn write_solids(&mut self, time: f64, step: f64, substeps: u32) -> Result<()> {
        if self.obstacles.is_empty() {
            return Ok(());
        }
        let mut words = Vec::with_capacity(substeps as usize * self.obstacles.len() * WORDS);
        for n in 1..=substeps {
            let mut first = 0;
            for obstacle in &self.obstacles {
                words.extend(obstacle.placed(time + f64::from(n) * step).pack(first, 1.0));
                first += obstacle.distances().map_or(0, |of| of.words().len());
            }
        }
        if words.len() > self.solids.len() {
            self.solids = self.exec.buffer("particles.solids", words.len().next_power_of_two())?;
        }
        Ok(self.exec.write(&self.solids, 0, &words)?)
    }

    /// Makes room for more particles, between frames.
    pub fn grow(&mut self, capacity: usize) -> Result<()> {
        if capacity <= self.sizes.capacity {
            return Ok(());
        }
        if u32::try_from(capacity).is_err() {
            return invalid(format!("{capacity} slots are more than particles can have numbers"));
        }
        let sizes = Sizes { capacity, ..self.sizes };
        let new = State::new(&self.exec, sizes)?;
        let old = &self.state;
        let mut rec = self.exec.record();
        rec.copy(&old.places, &new.places)?;
        rec.copy(&old.motions, &new.motions)?;
        rec.copy(&old.ids, &new.ids)?;
        rec.copy(&old.density, &new.density)?;
        rec.copy(&old.extent, &new.extent)?;
        rec.copy(&old.tally, &new.tally)?;
        rec.copy(&old.extremes, &new.extremes)?;
        rec.copy(&old.report, &new.report)?;
        rec.submit()?;
        (self.state, self.sizes) = (new, sizes);
        (self.params.capacity, self.census.capacity) = (capacity as u32, capacity);
        Ok(())
    }

    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Sub-steps of the last frame.
    pub fn substeps(&self) -> u32 {
        self.substeps
    }

    /// Volume of a particle, m³.
    pub fn particle_volume(&self) -> f64 {
        self.spacing.powi(3)
    }

    /// Spacing of particles at rest, m.
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// What is known without waiting: as it was at the beginning of the last frame.
    pub fn known(&self) -> Census {
        self.census
    }

    /// The same as it is now, once the executor is there; does not wait.
    pub fn census_later(&self) -> Result<Later<Census, ParticlesError>> {
        let Pending { words, extremes, counts } = self.pending_now()?;
        let capacity = self.sizes.capacity;
        Ok(Later::new(move || Ok(Census::of(&words.wait()?, &extremes.wait()?, &counts.wait()?, capacity))))
    }

    /// The accounts in whole particles; does not wait.
    pub fn ledger_later(&self) -> Result<Later<Ledger, ParticlesError>> {
        let counts = self.exec.read_async(&self.state.tally)?;
        let (quantum, opening) = (self.particle_volume(), self.opening);
        Ok(Later::new(move || ledger_of(&counts.wait()?, opening, quantum)))
    }

    /// The accounts in whole particles; waits for the executor.
    pub fn ledger(&self) -> Result<Ledger> {
        self.ledger_later()?.wait()
    }

    /// How divergence-free SPH did in the last step; does not wait.
    pub fn report_later(&self) -> Result<Later<SolveReport, ParticlesError>> {
        let words = self.exec.read_async(&self.state.report)?;
        Ok(Later::new(move || {
            let words = words.wait()?;
            Ok(SolveReport {
                divergence_error: words[0],
                divergence_iterations: words[1] as u32,
                density_error: words[report::REPORT],
                density_iterations: words[report::REPORT + 1] as u32,
            })
        }))
    }

    /// Buffers as they are after all that was recorded.
    pub fn view(&self) -> View<'_> {
        let State { places, motions, ids, density, extent, .. } = &self.state;
        let (capacity, radius) = (self.sizes.capacity, 0.5 * self.spacing as f32);
        View { places, motions, ids, density, extent, capacity, radius }
    }
}

/// The parameters that stay.
fn params_of(setup: &Setup<'_>, capacity: usize) -> StepParams {
    let Setup { size, spacing, options, .. } = *setup;
    let radius = spacing * options.constraint.radius();
    let [cells_x, cells_y, cells_z] = setup.cells();
    let [size_x, size_y, size_z] = size.map(|v| v as f32);
    let [gravity_x, gravity_y, gravity_z] = options.gravity.map(|v| v as f32);
    let (lattice_sum, wall_gap, of) = match options.constraint {
        Constraint::PositionBased(of) => (lattice_sum_poly6(spacing, radius), wall_gap_poly6(spacing, radius), of),
        Constraint::DivergenceFree(_) => {
            (lattice_sum_cubic(spacing, radius), wall_gap_cubic(spacing, radius), PositionBased::default())
        }
    };
    let ([ground_x, ground_z], per_ground) =
        setup.ground.map_or(([0; 2], 0.0), |ground| (ground.nodes.map(|n| n as u32), (1.0 / ground.spacing) as f32));
    StepParams {
        capacity: capacity as u32,
        cells_x,
        cells_y,
        cells_z,
        per_cell: (1.0 / (radius * f64::from(CELL))) as f32,
        dt: 0.0,
        per_dt: 0.0,
        gravity_x,
        gravity_y,
        gravity_z,
        size_x,
        size_y,
        size_z,
        walls: options.walls.iter().enumerate().map(|(side, wall)| u32::from(*wall) << side).sum(),
        drains: setup.drains.len() as u32,
        solids: setup.solids.len() as u32,
        solids_first: 0,
        ground_x,
        ground_z,
        per_ground,
        spacing: spacing as f32,
        radius: radius as f32,
        volume: (spacing.powi(3) / lattice_sum) as f32,
        wall_gap: wall_gap as f32,
        friction: options.friction as f32,
        most_speed: 0.0,
        softness: (of.softness * DENOMINATOR / (spacing * spacing)) as f32,
        tension: (of.tension * spacing * spacing) as f32,
        relaxation: of.relaxation as f32,
        smoothing: of.smoothing as f32,
        vorticity: of.vorticity as f32,
        tolerance: 0.0,
        least: 0,
        iteration: 0,
        which: 0,
        births: 0,
        births_first: 0,
        births_id: 0,
    }
}

/// Places and velocities of the start: no particle nearer than half a spacing to a wall or a solid.
fn seeded(setup: &Setup<'_>, solids: &[Obstacle]) -> (Vec<[f32; 4]>, Vec<[f32; 4]>) {
    let half = 0.5 * setup.spacing;
    // Coordinates are rounded to 24 bits.
    let slack = 1e-4 * setup.spacing;
    let inside =
        |place: &[f64; 3]| (0..3).all(|axis| (half - slack..=setup.size[axis] - half + slack).contains(&place[axis]));
    let free = |place: &[f64; 3]| {
        let place = place.map(|x| x as f32);
        solids.iter().all(|solid| f64::from(solid.distance(place)) >= half - slack)
    };
    let above = |place: &[f64; 3]| setup.ground.is_none_or(|ground| ground.is_below(*place, half - slack));
    let mut all = (Vec::new(), Vec::new());
    for seed in setup.seeds {
        let [u, v, w] = seed.velocity.map(|v| v as f32);
        for [x, y, z] in seed.places(setup.spacing).into_iter().filter(|p| inside(p) && above(p) && free(p)) {
            all.0.push([x as f32, y as f32, z as f32, 0.0]);
            all.1.push([u, v, w, 0.0]);
        }
    }
    all
}

fn ledger_of(counts: &[u32], opening: u32, quantum: f64) -> Result<Ledger> {
    use Account::{East, North, Opening, Outside, Particles, Sources, South, West};
    let mut ledger = Ledger::of_mass(quantum, &[Particles, Opening, Sources, West, East, South, North, Outside]);
    let mut transfer = |from, to, count: u32| ledger.transfer(Quantity::Mass, from, to, count.into());
    transfer(Opening, Particles, opening)?;
    transfer(Sources, Particles, counts[tally::EMITTED as usize])?;
    for (side, word) in [(West, tally::WEST), (East, tally::EAST), (South, tally::SOUTH), (North, tally::NORTH)] {
        transfer(Particles, side, counts[word as usize])?;
    }
    transfer(Particles, Outside, counts[tally::VERTICAL as usize])?;
    transfer(Particles, Sources, counts[tally::DRAINED as usize])?;
    Ok(ledger)
}
