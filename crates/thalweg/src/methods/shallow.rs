//! Shallow water on a uniform grid, from a scene to its solver.

use std::any::Any;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
#[cfg(feature = "render")]
use thalweg_compute::Buffer;
use thalweg_compute::{Executor, Later};
use thalweg_ledger::Ledger;
use thalweg_model::{Abilities, Snapshot};
#[cfg(feature = "render")]
use thalweg_render::WaterView;
use thalweg_scene::Scene;
use thalweg_shallow::{self as solver, CellList, ShallowWater};

use crate::error::Error;
use crate::method::Method;
use crate::probes::grid::Cells;
use crate::probes::{Answer, Question};
use crate::setup::{InitialGround, setup};
use crate::simulation::WaterSurface;
use crate::statistics::Statistics;

/// Shallow water with what a run asks of it.
pub struct ShallowScene {
    water: ShallowWater,
    bed: Arc<[f32]>,
    abilities: &'static Abilities,
    /// What probes look at, made when they first ask.
    gauges: Option<(Arc<Cells>, Option<CellList>)>,
    has_maps: bool,
}

/// The numbers of a snapshot.
#[derive(Debug, Serialize, Deserialize)]
struct Numbers {
    speed: f32,
    ledger: Vec<u32>,
    substeps: u64,
    substep_rate: f64,
}

impl ShallowScene {
    pub(super) fn new(executor: Arc<Executor>, scene: &Scene) -> Result<Self, Error> {
        let ground = InitialGround::of(scene)?;
        let initial = |i, k| ground.cell(scene, i, k);
        let water = ShallowWater::new(executor, setup(scene, &initial))?;
        let bed = water.bed().into();
        let (abilities, has_maps) = (scene.water.solver.abilities(), scene.maps.is_some());
        Ok(Self { water, bed, abilities, gauges: None, has_maps })
    }

    /// The solver.
    pub fn water(&self) -> &ShallowWater {
        &self.water
    }
}

impl Method for ShallowScene {
    fn kind(&self) -> &'static str {
        "shallow"
    }

    fn abilities(&self) -> &Abilities {
        self.abilities
    }

    fn executor(&self) -> &Arc<Executor> {
        self.water.executor()
    }

    fn time(&self) -> f64 {
        self.water.time()
    }

    fn frames(&self) -> u64 {
        self.water.frames()
    }

    fn advance(&mut self, _: &Scene, dt: f64) -> Result<(), Error> {
        Ok(self.water.advance(dt)?)
    }

    fn statistics_later(&mut self) -> Result<Later<Statistics, Error>, Error> {
        Ok(self.water.statistics_later()?.errors_into())
    }

    fn ledger_later(&mut self) -> Result<Later<Ledger, Error>, Error> {
        Ok(self.water.ledger_later()?.errors_into())
    }

    fn surface_later(&mut self, scene: &Scene) -> Result<Later<WaterSurface, Error>, Error> {
        let (grid, bed) = (scene.grid, Arc::clone(&self.bed));
        let (fields, maps) = (self.water.fields_later()?, self.water.maps_later()?);
        Ok(Later::new(move || {
            let solver::Fields { depth, surface, u, w } = fields.wait()?;
            Ok(WaterSurface {
                size: [grid.nx as usize, grid.nz as usize],
                cell: grid.cell,
                origin: grid.origin,
                bed: bed.to_vec(),
                depth,
                surface,
                velocity: [u, w],
                maps: maps.map(Later::wait).transpose()?,
            })
        }))
    }

    #[cfg(feature = "render")]
    fn view(
        &mut self,
        scene: &Scene,
        floor: f64,
        drift: Option<&Buffer<[f32; 2]>>,
    ) -> Result<Option<WaterView<'_>>, Error> {
        Ok(Some(super::view::of_height_field(&scene.grid, floor, self.water.view(drift)?)))
    }

    fn answers_later(
        &mut self,
        scene: &Scene,
        questions: &Arc<[Question]>,
        is_new: bool,
    ) -> Result<Later<Vec<Answer>, Error>, Error> {
        if is_new || self.gauges.is_none() {
            let cells = Cells::new(&scene.grid, questions);
            let list = if cells.list.is_empty() { None } else { Some(self.water.cell_list(&cells.list)?) };
            self.gauges = Some((Arc::new(cells), list));
        }
        let Some((cells, list)) = &self.gauges else { return Ok(Later::known(Vec::new())) };
        let samples = match list {
            Some(list) => self.water.sample_later(list)?,
            None => Later::known(Vec::new()),
        };
        let (cells, questions) = (Arc::clone(cells), Arc::clone(questions));
        Ok(samples.map(move |samples| cells.answers(&questions, &samples, |_| Answer::Unknown)))
    }

    fn snapshot_later(&mut self) -> Result<Later<Snapshot, Error>, Error> {
        let (kind, saved) = (self.kind(), self.water.snapshot_later()?);
        Ok(Later::new(move || {
            let solver::Snapshot { time, state, faces, sides, maps, speed, ledger, substeps, substep_rate } =
                saved.wait()?;
            let saved = Snapshot::new(kind, time, &Numbers { speed, ledger, substeps, substep_rate })?;
            Ok(saved.with("state", state).with("faces", faces).with_some("sides", sides).with_some("maps", maps))
        }))
    }

    fn restore(&mut self, saved: &Snapshot) -> Result<(), Error> {
        let Numbers { speed, ledger, substeps, substep_rate } = saved.numbers()?;
        Ok(self.water.restore(&solver::Snapshot {
            time: saved.time,
            state: saved.f32("state")?.to_vec(),
            faces: saved.f32("faces")?.to_vec(),
            sides: saved.some_f32("sides")?.to_vec(),
            maps: saved.some_f32("maps")?.to_vec(),
            speed,
            ledger,
            substeps,
            substep_rate,
        })?)
    }

    fn stages(&self) -> &'static [&'static str] {
        match self.has_maps {
            true => &["clock", "flux", "absorb", "pour", "maps", "statistics", "probes"],
            false => &["clock", "flux", "absorb", "pour", "statistics", "probes"],
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
