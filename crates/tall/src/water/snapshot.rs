//! All that a run needs to go on with the same bits.

use thalweg_columns::Heights;
use thalweg_compute::{Later, Readback, Shared};

use crate::error::{Result, TallError};
use crate::solver::state::saved::SavedFields;
use crate::water::observation::Observation;
use crate::water::{Clock, TallWater};

/// Water put aside by [`TallWater::snapshot_later`]. Loaded into water of the same [`Setup`](crate::Setup) it goes on
/// with the same bits.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// Seconds simulated.
    pub time: f64,
    /// Steps taken.
    pub steps: u64,
    /// What the next plan goes by; `None` if it has to look for itself.
    pub observation: Option<Observation>,
    /// Iterations that the last pressure solve needed.
    pub needed_iterations: usize,
    /// Iterations of the pressure solve that are planned.
    pub planned_iterations: usize,
    /// Length of the last step, s: what makes a pressure of `pressure`.
    pub last_step: f64,
    /// Words of the ledger.
    pub ledger: Vec<u32>,
    /// What sources owe.
    pub sources: Vec<f32>,
    /// Memory of the controller that holds the volume.
    pub control: Vec<f32>,
    /// `[H, T]` of every column, cells.
    pub heights: Vec<Heights>,
    /// Level set, cells.
    pub level_set: Vec<f32>,
    /// Level set of the fine lattice, fine cells; empty without
    /// [`Options::fine_surface`](crate::Options::fine_surface).
    pub fine_level_set: Vec<f32>,
    /// Velocities of faces, m/s.
    pub faces: Vec<f32>,
    /// Lower ends of the lines inside tall cells, m/s.
    pub inner: Vec<f32>,
    /// `(Δt/ρ) p` of the last step, m²/s.
    pub pressure: Vec<f32>,
    /// Velocities of samples, three planes, m/s; empty unless
    /// [`Options::discretisation`](crate::Options::discretisation) is the collocated one.
    pub samples: Vec<f32>,
}

impl Snapshot {
    fn fields(&self) -> SavedFields<'_> {
        SavedFields {
            heights: &self.heights,
            level_set: &self.level_set,
            faces: &self.faces,
            inner: &self.inner,
            pressure: &self.pressure,
            samples: &self.samples,
        }
    }
}

impl TallWater {
    /// Puts the water aside.
    pub fn snapshot_later(&self) -> Result<Later<Snapshot, TallError>> {
        let Self { exec, state, stages, clock, planning, .. } = self;
        let (observation, needed) = (planning.last.clone(), self.last_solve()?);
        let (Clock { time, steps, last_step }, planned_iterations) = (*clock, planning.iterations);
        let ledger = exec.read_async(stages.exchange.ledger.words())?;
        let sources = exec.read_async(stages.exchange.state())?;
        let control = exec.read_async(stages.volume.memory())?;
        let (fields, fine) = (state.read(exec)?, self.fine_level_set_later()?);
        Ok(Later::new(move || {
            Ok(Snapshot {
                time,
                steps,
                observation: observation.map(|seen| seen.wait()).transpose()?,
                needed_iterations: needed.wait()?,
                planned_iterations,
                last_step,
                ledger: ledger.wait()?,
                sources: sources.wait()?,
                control: control.wait()?,
                heights: fields.heights.wait()?,
                level_set: fields.level_set.wait()?,
                fine_level_set: fine.map(Later::wait).transpose()?.unwrap_or_default(),
                faces: fields.faces.wait()?,
                inner: fields.inner.wait()?,
                pressure: fields.pressure.wait()?,
                samples: fields.samples.map(Readback::wait).transpose()?.unwrap_or_default(),
            })
        }))
    }

    /// Takes up what was put aside. After an error the water is what it was only if the snapshot did not fit.
    pub fn restore(&mut self, saved: &Snapshot) -> Result<()> {
        self.fit(saved)?;
        let Self { exec, state, stages, .. } = &*self;
        let (ledger, sources) = (stages.exchange.ledger.words(), stages.exchange.state());
        let control = stages.volume.memory();
        let fine = stages.surface.fine().map_or(0, |fine| fine.len());
        let fields = saved.fields();
        for (field, found, wanted) in fields.lengths(state).into_iter().chain([
            ("fine level set", saved.fine_level_set.len(), fine),
            ("control", saved.control.len(), control.len()),
            ("ledger", saved.ledger.len(), ledger.len()),
            ("sources", saved.sources.len(), sources.len()),
        ]) {
            if found != wanted {
                return Err(TallError::Snapshot { field, found, wanted });
            }
        }
        state.write(exec, &fields)?;
        stages.surface.load_fine(exec, &saved.heights, &saved.fine_level_set)?;
        exec.write(control, 0, &saved.control)?;
        exec.write(ledger, 0, &saved.ledger)?;
        exec.write(sources, 0, &saved.sources)?;
        stages.solids.place(exec, saved.time)?;
        let mut rec = exec.record();
        stages.take_up(&mut rec, state)?;
        rec.submit()?;
        self.clock = Clock { time: saved.time, steps: saved.steps, last_step: saved.last_step };
        self.planning.iterations = saved.planned_iterations.min(self.options.iterations);
        self.planning.needed_iterations = Some(saved.needed_iterations);
        self.planning.last = saved.observation.map(Shared::known);
        self.stages.exchange.forget_stream(&self.exec, &self.state)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use thalweg_columns::Shape;
    use thalweg_compute::Executor;
    use thalweg_compute::parity::own_test_executors;

    use crate::{
        Discretisation, Exchange, Motion, Obstacle, Options, Series, Setup, Side, Sides, Source, SourceShape, Spin,
        TallWater, Travel,
    };

    /// A jet in the air that has started to owe, a drain, a wave-maker and an open side.
    fn exchange() -> Exchange {
        let rate = Series::from_points([[0.0, 0.3], [1.0, 0.1]]).expect("a series");
        let jet = Source::in_box("jet", [[0.6, 1.0, 0.1], [1.0, 1.4, 0.5]], rate);
        let jet = Source { direction: Some([1.0, 0.2, 0.0]), ..jet };
        let disc = SourceShape::Disc { center: [0.8, 0.3], radius: 0.2 };
        let drain = Source { y: Some([0.0, 0.3]), ..Source::new("drain", disc, Series::constant(-0.02)) };
        let west = Side::Wave { level: Some(0.4), amplitude: 0.05, period: 0.8, ramp: 0.1, layer: 3 };
        let east = Side::Open { level: Some(0.35), layer: 4 };
        Exchange { sources: vec![jet, drain], sides: Sides { west, east, ..Sides::default() }, ..Exchange::default() }
    }

    /// A column of water collapses over a step in the ground, onto a ball, while a paddle stirs it; water comes and
    /// goes.
    fn water(exec: &Arc<Executor>, options: Options) -> TallWater {
        water_with(exec, options, &exchange())
    }

    fn water_with(exec: &Arc<Executor>, options: Options, exchange: &Exchange) -> TallWater {
        let shape = Shape { nx: 16, nz: 6, regular: 24 };
        let terrain: Vec<f64> = (0..96).map(|c| if c % 16 > 11 { 0.23 } else { 0.0 }).collect();
        let shape_of_paddle = Obstacle::Box { centre: [0.4, 0.4, 0.3], half: [0.05, 0.3, 0.15] };
        let travel = Travel::Swing { amplitude: [0.2, 0.0, 0.0], period: 0.7, phase: 0.0, ramp: 0.0 };
        let spin = Some(Spin { axis: [0.0, 1.0, 0.0], rate: 2.0, pivot: None });
        let paddle = Obstacle::Moving { shape: Box::new(shape_of_paddle), motion: Motion { travel, spin } };
        let setup = Setup {
            shape,
            cell: 0.1,
            height: 2.4,
            terrain: &terrain,
            level_set: &|[x, y, _]| (x - 0.5).max(y - 1.6).min(y - 0.4),
            obstacles: &[Obstacle::Sphere { centre: [0.9, 0.5, 0.3], radius: 0.15 }, paddle],
            velocity: [0.4, 0.1],
            options,
        };
        TallWater::with_exchange(exec.clone(), &setup, exchange).expect("water")
    }

    #[test]
    fn restored_water_goes_on_with_the_same_bits() {
        for exec in own_test_executors() {
            let plain = Options::default();
            let fine = Options { fine_surface: true, ..plain };
            for options in [plain, Options { band: None, reinitialise_every: 3, ..plain }, fine] {
                let mut whole = water(&exec, options);
                (0..10).for_each(|_| whole.step(0.02).expect("a step"));
                let saved = whole.snapshot().expect("a snapshot");
                let removed = whole.ledger().expect("a ledger").removed();
                assert!(removed > 0.0 && saved.sources[0] > 0.0, "{removed} {:?}", saved.sources);
                (0..10).for_each(|_| whole.step(0.02).expect("a step"));
                let mut other = water(&exec, options);
                (0..3).for_each(|_| other.step(0.03).expect("a step"));
                other.restore(&saved).expect("restored");
                (0..10).for_each(|_| other.step(0.02).expect("a step"));
                assert!(whole.snapshot().expect("a snapshot") == other.snapshot().expect("a snapshot"));
            }
        }
    }

    #[test]
    fn restored_velocities_of_samples_go_on_with_the_same_bits() {
        for exec in own_test_executors() {
            let collocated = Options { discretisation: Discretisation::Collocated, ..Default::default() };
            for options in [collocated, Options { band: None, fine_surface: true, ..collocated }] {
                let closed = Exchange::default();
                let mut whole = water_with(&exec, options, &closed);
                (0..8).for_each(|_| whole.step(0.02).expect("a step"));
                let saved = whole.snapshot().expect("a snapshot");
                assert!(saved.samples.iter().any(|u| u.abs() > 0.1));
                (0..6).for_each(|_| whole.step(0.02).expect("a step"));
                let mut other = water_with(&exec, options, &closed);
                (0..3).for_each(|_| other.step(0.03).expect("a step"));
                other.restore(&saved).expect("restored");
                (0..6).for_each(|_| other.step(0.02).expect("a step"));
                assert!(whole.snapshot().expect("a snapshot") == other.snapshot().expect("a snapshot"));
            }
            let mut galerkin = water_with(&exec, Options::default(), &Exchange::default());
            let saved = water_with(&exec, collocated, &Exchange::default()).snapshot().expect("a snapshot");
            let error = galerkin.restore(&saved).expect_err("refused").to_string();
            assert!(error.contains("samples"), "{error}");
        }
    }

    #[test]
    fn water_begins_with_the_velocity_asked_for() {
        let exec = Arc::new(Executor::cpu().expect("an executor"));
        let moving = water(&exec, Options::default());
        let columns = moving.columns().expect("columns");
        // Free of divergence between walls, and still on its way.
        assert!(columns.velocity[0][8 + 3 * 16] > 0.1, "{:?}", columns.velocity[0]);
        let volume: f64 = columns.depth.iter().map(|d| f64::from(*d)).sum::<f64>() / 0.1;
        let counted = moving.statistics().expect("sums").volume;
        assert!((volume / counted - 1.0).abs() < 1e-5, "{volume} and {counted} cells");
    }

    #[test]
    fn a_snapshot_of_other_columns_is_refused() {
        let exec = Arc::new(Executor::cpu().expect("an executor"));
        let mut water = water(&exec, Options::default());
        let mut saved = water.snapshot().expect("a snapshot");
        saved.inner.pop();
        let error = water.restore(&saved).expect_err("refused").to_string();
        assert!(error.contains("95") && error.contains("96"), "{error}");
    }
}
