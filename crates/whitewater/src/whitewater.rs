//! Particles and foam on an executor, and the order of their stages.

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_columns::flow::{Flow, WaterFlow};
use thalweg_compute::{Buffer, Dispatch, Executor, Later, Recording};
use thalweg_ledger::{Account, Ledger, Quantity};
use thalweg_model::{WhitewaterSettings, WhitewaterStatistics};

use crate::census::{Census, CensusParams};
use crate::constants::COVERED;
use crate::error::{Result, WhitewaterError};
use crate::events::Layout;
use crate::fly::{Fly, FlyParams};
use crate::foam::{FoamMap, FoamParams};
use crate::pack::{Pack, PackParams};
use crate::particle::Particle;
use crate::random::salt;
use crate::spawn::{Spawn, SpawnParams, Tally, TallyParams, extent, state};
use crate::survey::{CLEARANCE, Survey, SurveyParams};
use crate::trial::{SLOTS, Trial, TrialParams};

/// Volume of a sphere of radius 1.
const UNIT_SPHERE: f32 = 4.0 / 3.0 * std::f32::consts::PI;

/// Uses of random numbers.
mod usage {
    pub(super) const TRIAL: u32 = 0;
    pub(super) const FLY: u32 = 1;
    pub(super) const SPAWN: u32 = 2;
}

/// Names of stages in timings.
mod stage {
    pub(super) const FLOW: &str = "whitewater: flow";
    pub(super) const TRIAL: &str = "whitewater: trial";
    pub(super) const SURVEY: &str = "whitewater: survey";
    pub(super) const FLY: &str = "whitewater: fly";
    pub(super) const PACK: &str = "whitewater: pack";
    pub(super) const SPAWN: &str = "whitewater: spawn";
    pub(super) const FOAM: &str = "whitewater: foam";
}

/// Places and motions of all particles.
#[derive(Debug)]
pub(crate) struct ParticleBuffers {
    pub(crate) places: Buffer<[f32; 4]>,
    pub(crate) motions: Buffer<[f32; 4]>,
}

impl ParticleBuffers {
    fn new(exec: &Executor, capacity: usize) -> Result<Self> {
        Ok(Self {
            places: exec.buffer("whitewater.places", capacity)?,
            motions: exec.buffer("whitewater.motions", capacity)?,
        })
    }
}

/// Spray, mist and foam over a body of water.
#[derive(Debug)]
pub struct Whitewater {
    pub(crate) exec: Arc<Executor>,
    pub(crate) shape: Shape,
    /// Edge of a cell, m.
    cell: f64,
    walls: u32,
    /// Columns along each side that make no drops.
    calm_sides: [u32; 4],
    pub(crate) settings: WhitewaterSettings,
    pub(crate) now: ParticleBuffers,
    next: ParticleBuffers,
    /// How many particles there are, as arguments of kernels; see [`extent`].
    pub(crate) extents: Buffer<u32>,
    trials: Buffer<[f32; 4]>,
    /// A bit for each trial particle of a column that has left the water.
    freed: Buffer<u32>,
    /// Heights above which columns have nothing but air.
    ceilings: Buffer<i32>,
    /// What happened in a step.
    events: Buffer<u32>,
    layout: Layout,
    pub(crate) state: Buffer<u32>,
    pub(crate) foam: Buffer<f32>,
    moved_foam: Buffer<f32>,
    kinds: Buffer<u32>,
    pub(crate) steps: u64,
}

impl Whitewater {
    /// Takes the memory. `walls`: which sides (low x, high x, low z, high z) throw drops back; through the others they
    /// leave.
    pub fn new(
        exec: Arc<Executor>,
        shape: Shape,
        cell: f64,
        walls: [bool; 4],
        settings: WhitewaterSettings,
    ) -> Result<Self> {
        settings.check()?;
        let (capacity, columns) = (settings.capacity as usize, shape.columns());
        let layout = Layout::new(columns, capacity);
        Ok(Self {
            now: ParticleBuffers::new(&exec, capacity)?,
            next: ParticleBuffers::new(&exec, capacity)?,
            extents: exec.buffer_from("whitewater.extents", &[extent::of(0); 2].concat())?,
            trials: exec.buffer("whitewater.trials", 2 * SLOTS * columns)?,
            freed: exec.buffer("whitewater.freed", columns)?,
            ceilings: exec.buffer("whitewater.ceilings", columns)?,
            events: exec.buffer("whitewater.events", layout.len())?,
            layout,
            state: exec.buffer("whitewater.state", state::COUNT)?,
            foam: exec.buffer("whitewater.foam", columns)?,
            moved_foam: exec.buffer("whitewater.moved_foam", columns)?,
            kinds: exec.buffer("whitewater.kinds", 3)?,
            walls: walls.iter().enumerate().map(|(side, wall)| u32::from(*wall) << side).sum(),
            calm_sides: [0; 4],
            exec,
            shape,
            cell,
            settings,
            steps: 0,
        })
    }

    /// The same with sides (low x, high x, low z, high z) along which so many columns make no drops: there something
    /// else leads the water, such as waves that come in, and changes of its velocity do not show whether it breaks.
    /// Drops from elsewhere fly there as they do everywhere.
    #[must_use]
    pub fn with_calm_sides(self, columns: [u32; 4]) -> Self {
        Self { calm_sides: columns, ..self }
    }

    /// Seeds trial particles before the water goes on by `dt` seconds.
    pub fn before<W: WaterFlow>(&mut self, water: &W, dt: f64) -> std::result::Result<(), W::Error> {
        self.shape = water.shape(); // columns may have grown
        self.exec.submit(|rec| {
            rec.stage(stage::FLOW);
            let flow = water.record_flow(rec)?;
            rec.stage(stage::TRIAL);
            Ok(self.record_trials(rec, flow, dt, water.gravity())?)
        })
    }

    /// Moves everything by the `dt` seconds that the water has gone on by, makes new drops, and moves what they took
    /// between the accounts of the water.
    pub fn after<W: WaterFlow>(&mut self, water: &W, dt: f64) -> std::result::Result<(), W::Error> {
        let exec = Arc::clone(&self.exec);
        exec.submit(|rec| {
            rec.stage(stage::FLOW);
            let flow = water.record_flow(rec)?;
            self.record_motion(rec, flow, dt, water.gravity())?;
            if self.settings.mass {
                water.record_spray(rec, &self.events)?;
            }
            Ok(())
        })
    }

    fn record_trials(
        &self,
        rec: &mut Recording<'_>,
        flow: Flow<'_>,
        dt: f64,
        gravity: f64,
    ) -> thalweg_compute::Result<()> {
        let params = TrialParams {
            nx: self.shape.nx as u32,
            nz: self.shape.nz as u32,
            samples: self.shape.samples() as u32,
            salt: salt(self.settings.seed, self.steps, usage::TRIAL),
            depth: self.settings.generate as f32,
            cells_per_speed: (dt / self.cell) as f32,
            falling: (gravity * dt) as f32,
            fallen: (0.5 * gravity * dt * dt / self.cell) as f32,
            breaking: (self.settings.breaking * dt).min(1.0) as f32,
            // Without gravity nothing holds water back.
            calm: (self.settings.breaks_at * (gravity * self.cell).sqrt()).max(1e-6) as f32,
            from_x: self.calm_sides[0],
            to_x: (self.shape.nx as u32).saturating_sub(self.calm_sides[1]),
            from_z: self.calm_sides[2],
            to_z: (self.shape.nz as u32).saturating_sub(self.calm_sides[3]),
        };
        let Flow { heights, phi, velocity, solid } = flow;
        let kernel = Trial { heights, phi, velocity, solid, trials: &self.trials };
        rec.run(&kernel, &params, Dispatch::Elements(SLOTS * self.shape.columns()))
    }

    fn record_motion(
        &mut self,
        rec: &mut Recording<'_>,
        flow: Flow<'_>,
        dt: f64,
        gravity: f64,
    ) -> thalweg_compute::Result<()> {
        let Flow { heights, phi, velocity, solid } = flow;
        let Self { now, next, extents, events, trials, freed, ceilings, state, settings, layout, .. } = self;
        let Layout { made, lived, blocks, block_count } = *layout;
        let (capacity, columns) = (settings.capacity, self.shape.columns());
        let [nx, nz, samples] = [self.shape.nx, self.shape.nz, self.shape.samples()].map(|n| n as u32);
        let volume = if settings.mass { UNIT_SPHERE } else { 0.0 };
        rec.stage(stage::SURVEY);
        let per_trial = settings.per_trial;
        let params = SurveyParams { nx, nz, samples, per_trial, clearance: CLEARANCE, made, blocks, block_count };
        let kernel = Survey { heights, phi, solid, trials, ceilings, freed, events };
        rec.run(&kernel, &params, Dispatch::Elements(columns))?;
        rec.stage(stage::FLY);
        let [spray, mist] = [settings.spray_drag, settings.mist_drag].map(|drag| fall_with_drag(drag, dt, gravity));
        let params = FlyParams {
            nx,
            nz,
            samples,
            salt: salt(settings.seed, self.steps, usage::FLY),
            walls: self.walls,
            dt: dt as f32,
            cells_per_metre: (1.0 / self.cell) as f32,
            gravity: gravity as f32,
            spray_decay: spray[0],
            spray_mean: spray[1],
            spray_fall: spray[2],
            mist_decay: mist[0],
            mist_mean: mist[1],
            mist_fall: mist[2],
            foam_share: settings.foam_share as f32,
            foam_life: settings.foam_life as f32,
            deposit: (settings.foam_cover * f64::from(COVERED)) as u32,
            volume,
            lived,
            blocks,
        };
        let ParticleBuffers { places, motions } = &*now;
        let kernel = Fly { heights, phi, velocity, solid, ceilings, places, motions, events };
        rec.run(&kernel, &params, Dispatch::Indirect(extents, extent::ALIVE))?;
        rec.stage(stage::PACK);
        let ParticleBuffers { places: to_places, motions: to_motions } = &*next;
        let kernel = Pack { events, places, motions, to_places, to_motions };
        rec.run(&kernel, &PackParams { capacity, lived, blocks }, Dispatch::Indirect(extents, extent::EITHER))?;
        std::mem::swap(now, next);
        rec.stage(stage::SPAWN);
        let slots = SLOTS * columns;
        let params = SpawnParams {
            slots: slots as u32,
            capacity,
            salt: salt(settings.seed, self.steps, usage::SPAWN),
            size_x: nx as f32,
            size_z: nz as f32,
            noise: settings.noise as f32,
            drop_radius: settings.drop_radius as f32,
            mist_share: settings.mist_share as f32,
            spray_life: settings.spray_life as f32,
            volume,
            per_trial,
            made,
        };
        let ParticleBuffers { places, motions } = &*now;
        let kernel = Spawn { trials, freed, places, motions, events };
        rec.run(&kernel, &params, Dispatch::Elements(slots))?;
        rec.run(&Tally { events, extents, state }, &TallyParams { capacity }, Dispatch::Groups([1, 1, 1]))?;
        rec.stage(stage::FOAM);
        let params = FoamParams {
            nx,
            nz,
            samples,
            cells_per_speed: (dt / self.cell) as f32,
            keeps: libm::exp(-dt / settings.foam_decay) as f32,
        };
        let kernel = FoamMap { phi, velocity, events, foam: &self.foam, moved: &self.moved_foam };
        rec.run(&kernel, &params, Dispatch::Elements(columns))?;
        std::mem::swap(&mut self.foam, &mut self.moved_foam);
        self.steps += 1;
        Ok(())
    }

    /// How it is made and moved.
    pub fn settings(&self) -> &WhitewaterSettings {
        &self.settings
    }

    /// Places in cells from the corner of the domain with kind and radius, one per slot, and how many slots; empty ones
    /// are all 0.
    pub fn places(&self) -> (&Buffer<[f32; 4]>, u32) {
        (&self.now.places, self.settings.capacity)
    }

    /// The foam map: the share of every column that is white.
    pub fn foam(&self) -> &Buffer<f32> {
        &self.foam
    }

    /// How many particles there are.
    pub fn census_later(&self) -> Result<Later<Counted, WhitewaterError>> {
        let mut rec = self.exec.record();
        rec.stage("statistics");
        rec.clear(&self.kinds)?;
        let capacity = self.settings.capacity;
        let kernel = Census { places: &self.now.places, counts: &self.kinds };
        rec.run(&kernel, &CensusParams { capacity }, Dispatch::Elements(capacity as usize))?;
        rec.submit()?;
        let (kinds, words) = (self.exec.read_async(&self.kinds)?, self.exec.read_async(&self.state)?);
        Ok(Later::new(move || Ok(Counted { kinds: kinds.wait()?, refused: words.wait()?[state::REFUSED] })))
    }

    /// All particles, oldest first.
    pub fn particles_later(&self) -> Result<Later<Vec<Particle>, WhitewaterError>> {
        let (places, motions) = (self.exec.read_async(&self.now.places)?, self.exec.read_async(&self.now.motions)?);
        let cell = self.cell as f32;
        Ok(Later::new(move || {
            let all = places.wait()?.into_iter().zip(motions.wait()?);
            Ok(all.map_while(|(place, motion)| Particle::unpack(place, motion, cell)).collect())
        }))
    }
}

/// Particles by kind, and drops that were refused.
#[derive(Debug)]
pub struct Counted {
    kinds: Vec<u32>,
    refused: u32,
}

impl Counted {
    /// With the volume of drops by the ledger of their water.
    pub fn with(&self, ledger: &Ledger) -> WhitewaterStatistics {
        let [spray, mist, foam] = [0, 1, 2].map(|kind| self.kinds[kind]);
        let volume = ledger.amount(Quantity::Mass, Account::Whitewater).unwrap_or_default();
        WhitewaterStatistics { spray, mist, foam, refused: self.refused, volume }
    }
}

/// `[e^{−kΔt}, (1 − e^{−kΔt})/k, g (Δt − m)/k]` of a fall with drag `k`.
pub(crate) fn fall_with_drag(drag: f64, dt: f64, gravity: f64) -> [f32; 3] {
    let kt = drag * dt;
    // Near 0 the quotients lose their digits; their series do not.
    let (mean, lag) = if kt < 1e-4 {
        (dt * (1.0 - 0.5 * kt), dt * dt * (0.5 - kt / 6.0))
    } else {
        let mean = -libm::expm1(-kt) / drag;
        (mean, (dt - mean) / drag)
    };
    [libm::exp(-kt), mean, gravity * lag].map(|v| v as f32)
}
