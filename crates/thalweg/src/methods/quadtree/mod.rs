//! Shallow water on a quadtree: from a scene to its solver, and what a run asks of it.
//!
//! Nothing here takes memory for every finest cell: ground and water at the start are looked at where tiles are.

mod answers;
mod ground;
mod leaves;
mod mesh;
mod surface;

use std::any::Any;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
#[cfg(feature = "render")]
use thalweg_compute::Buffer;
use thalweg_compute::{Executor, Later};
use thalweg_ledger::Ledger;
use thalweg_model::{Abilities, Snapshot};
#[cfg(feature = "render")]
use thalweg_render::WaterView;
use thalweg_scene::heightmap::streamed::PyramidReport;
use thalweg_scene::{Datum, Grid, Scene, SceneError, TerrainSampler};
#[cfg(feature = "render")]
use thalweg_shallow::tree::TreeGrid;
use thalweg_shallow::tree::{
    self, Ground, GroundPyramid, InitialWater, PlaceList, Refinement, SampledGround, TreeOptions, TreeSetup,
    TreeSnapshot, TreeWater,
};
use thalweg_tall::SurfaceMesh;

use crate::error::Error;
use crate::interaction::Interaction;
use crate::method::{Method, Report};
use crate::probes::{Answer, Question};
use crate::setup::order;
use crate::simulation::WaterSurface;
use crate::statistics::Statistics;
use answers::Places;
use ground::OpenGround;
use leaves::Leaves;
use mesh::surface_mesh;
use surface::water_surface;

/// Most finest cells whose ground is looked at everywhere; of more, one in 4, 16, … is.
const GROUND_SAMPLES: u64 = 1 << 24;

/// Points along a side of the domain at which the lowest ground is looked for.
const DATUM_POINTS: u32 = 256;

/// Shallow water on a quadtree with its place in the world.
pub struct TreeScene {
    water: TreeWater,
    /// The first place without ground that a tile came to.
    hole: Arc<OnceLock<SceneError>>,
    grid: Grid,
    /// The grid of height fields, the finest cells in one of its cells (as a power of two) and the ground on it, made
    /// when it is asked for.
    surface_grid: Grid,
    surface_shift: u32,
    bed: Option<Arc<[f32]>>,
    /// The water on that grid in memory of the executor, made for the first picture.
    #[cfg(feature = "render")]
    drawn: Option<TreeGrid>,
    /// Where gauges look, made when they first do.
    gauges: Option<(Arc<Places>, PlaceList)>,
    abilities: &'static Abilities,
    /// If the ground streams.
    streamed: Option<OpenGround>,
}

/// One size of cells of a quadtree in use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeLevel {
    /// Size of its cells, m.
    pub cell: f64,
    /// Tiles, of 256 cells each.
    pub tiles: usize,
    /// Tiles that moved in the last step.
    pub awake: usize,
}

/// The ground of a scene at places, which remembers the first error.
struct Elevations {
    sampler: TerrainSampler,
    origin: [f64; 2],
    hole: Arc<OnceLock<SceneError>>,
}

impl Elevations {
    /// Elevation at a place, m from the low corner.
    fn at(&self, [x, z]: [f64; 2]) -> f64 {
        self.sampler.elevation([self.origin[0] + x, self.origin[1] + z]).unwrap_or_else(|error| {
            // Only the first is told.
            let _ = self.hole.set(error);
            0.0
        })
    }
}

impl TreeScene {
    /// `progress` is told how far the survey of ground that streams is.
    pub(crate) fn new(exec: Arc<Executor>, scene: &Scene, progress: &mut dyn FnMut(u64, u64)) -> Result<Self, Error> {
        let (grid, quadtree) = (scene.grid, &scene.water.quadtree);
        let hole = Arc::new(OnceLock::new());
        let places = || Elevations { sampler: scene.terrain.sampler(), origin: grid.origin, hole: hole.clone() };
        let here = places();
        let surface_at = |[x, z]: [f64; 2], bed: f64| {
            scene.water.surface_at([grid.origin[0] + x, grid.origin[1] + z], bed).unwrap_or_else(|error| {
                let _ = hole.set(error);
                bed
            })
        };
        let initial = |place: [f64; 2], bed: f64| InitialWater {
            surface: surface_at(place, bed),
            velocity: scene.water.velocity,
        };
        let open = |terrain| OpenGround::new(terrain, quadtree.levels, progress);
        let streamed = scene.terrain.streamed().map(open).transpose()?;
        let ground: Arc<dyn Ground> = match &streamed {
            Some(streamed) => streamed.ground.clone(),
            None => ground(&grid, quadtree.levels, places()),
        };
        let mut setup = TreeSetup::new([grid.nx, grid.nz], grid.cell, quadtree.levels, ground, &initial);
        setup.gravity = scene.gravity;
        let lowest = || streamed.as_ref().map_or_else(|| lowest(&grid, &here), OpenGround::lowest);
        setup.datum = datum(scene, lowest);
        setup.origin = grid.origin;
        setup.sides = scene.boundary.clone();
        setup.rain = scene.rain.clone();
        setup.sources = scene.sources.clone();
        let shallow = &scene.water.shallow;
        setup.options = TreeOptions {
            scheme: quadtree.scheme,
            order: order(shallow),
            cfl: shallow.cfl,
            manning: shallow.manning,
            thin_depth: shallow.dry_depth,
            still: quadtree.still,
            subcycling: quadtree.subcycling,
        };
        setup.refinement = refinement(scene);
        let water = TreeWater::new(exec, setup);
        // A hole in the ground explains whatever else went wrong.
        if let Some(error) = hole.get().cloned().or_else(|| streamed.as_ref().and_then(OpenGround::failure)) {
            return Err(error.into());
        }
        let (surface_grid, abilities) = (scene.surface_grid(), scene.water.solver.abilities());
        let surface_shift = (surface_grid.cell / grid.cell).round().log2() as u32;
        Ok(Self {
            water: water?,
            hole,
            grid,
            surface_grid,
            surface_shift,
            bed: None,
            #[cfg(feature = "render")]
            drawn: None,
            gauges: None,
            abilities,
            streamed,
        })
    }

    /// The ground on the grid of height fields, m.
    fn bed(&mut self, scene: &Scene) -> Result<Arc<[f32]>, Error> {
        if let Some(bed) = &self.bed {
            return Ok(Arc::clone(bed));
        }
        let bed: Arc<[f32]> = match &self.streamed {
            Some(streamed) => streamed.bed(&self.surface_grid, self.surface_shift)?.into(),
            None => scene.terrain.rasterise(&self.surface_grid)?.into(),
        };
        Ok(Arc::clone(self.bed.insert(bed)))
    }

    fn leaves_later(&mut self) -> Result<Later<Leaves, Error>, Error> {
        let levels = self.water.levels();
        Ok(self.water.fields_later()?.map(move |tiles| Leaves::new(tiles, levels)))
    }

    /// The solver.
    pub fn water(&self) -> &TreeWater {
        &self.water
    }

    /// How ground that streams came about: from the file that an earlier run left beside the raster, or from all of the
    /// raster; `None` if none streams.
    pub fn ground_report(&self) -> Option<&PyramidReport> {
        self.streamed.as_ref().map(|streamed| &streamed.report)
    }

    /// The volume as a whole number of units, and what a unit is, m³, which kernel advection accounts for to the last
    /// one; `None` for finite volumes. Waits for the executor.
    pub fn counted_volume(&mut self) -> Result<Option<(u128, f64)>, Error> {
        Ok(self.water.counted_volume()?)
    }

    /// Tiles in use, coarsest first.
    pub fn levels_later(&mut self) -> Result<Later<Vec<TreeLevel>, Error>, Error> {
        let (finest, cell) = (self.water.levels() - 1, self.grid.cell);
        let level = move |([tiles, awake], level): ([usize; 2], u32)| TreeLevel {
            cell: cell * f64::from(1u32 << (finest - level)),
            tiles,
            awake,
        };
        Ok(self.water.census_later()?.map(move |census| census.into_iter().zip(0..).map(level).collect()))
    }

    /// The same, waited for.
    pub fn levels(&mut self) -> Result<Vec<TreeLevel>, Error> {
        self.levels_later()?.wait()
    }
}

/// The numbers of a snapshot.
#[derive(Debug, Serialize, Deserialize)]
struct Numbers {
    ledger: Vec<u32>,
    counts: [f64; 2],
    pace: [f64; 4],
    /// Not in checkpoints of before it was kept.
    #[serde(default)]
    observer: Option<[f64; 4]>,
}

impl Method for TreeScene {
    fn kind(&self) -> &'static str {
        "quadtree"
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
        self.water.advance(dt)?;
        // Where a file of the ground is gone tiles stay as they are: the water is whole, and may go on.
        match self.hole.get().cloned().or_else(|| self.streamed.as_ref().and_then(OpenGround::failure)) {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }

    fn statistics_later(&mut self) -> Result<Later<Statistics, Error>, Error> {
        Ok(self.water.statistics_later()?.errors_into())
    }

    fn ledger_later(&mut self) -> Result<Later<Ledger, Error>, Error> {
        Ok(self.water.ledger_later()?.errors_into())
    }

    fn surface_later(&mut self, scene: &Scene) -> Result<Later<WaterSurface, Error>, Error> {
        let (leaves, bed) = (self.leaves_later()?, self.bed(scene)?);
        let (grid, shift) = (self.surface_grid, self.surface_shift);
        Ok(leaves.map(move |leaves| water_surface(&leaves, &grid, shift, &bed)))
    }

    #[cfg(feature = "render")]
    fn view(
        &mut self,
        scene: &Scene,
        floor: f64,
        drift: Option<&Buffer<[f32; 2]>>,
    ) -> Result<Option<WaterView<'_>>, Error> {
        if self.drawn.is_none() {
            let (nx, nz, bed) = (self.surface_grid.nx, self.surface_grid.nz, self.bed(scene)?);
            self.drawn = Some(self.water.grid([nx, nz], self.surface_shift, &bed, drift.is_some())?);
        }
        let Self { water, drawn: Some(grid), surface_grid, .. } = self else { return Ok(None) };
        Ok(Some(super::view::of_height_field(surface_grid, floor, water.on_grid(grid, drift)?)))
    }

    fn mesh_later(&mut self) -> Result<Option<Later<SurfaceMesh, Error>>, Error> {
        let Grid { origin, cell, .. } = self.grid;
        Ok(Some(self.leaves_later()?.map(move |leaves| surface_mesh(&leaves, origin, cell))))
    }

    fn answers_later(
        &mut self,
        _: &Scene,
        questions: &Arc<[Question]>,
        is_new: bool,
    ) -> Result<Later<Vec<Answer>, Error>, Error> {
        let (places, list) = match self.gauges.take().filter(|_| !is_new) {
            Some(known) => known,
            None => {
                let places = Places::new(&self.grid, self.water.levels(), questions);
                let list = self.water.place_list(&places.list)?;
                (Arc::new(places), list)
            }
        };
        let samples = self.water.sample_cells_later(&list);
        let tiles = if places.wants_tiles { self.water.fields_later() } else { Ok(Later::known(Vec::new())) };
        self.gauges = Some((Arc::clone(&places), list));
        let (samples, tiles, questions) = (samples?, tiles?, Arc::clone(questions));
        Ok(Later::new(move || Ok(places.answers(&questions, &samples.wait()?, &tiles.wait()?))))
    }

    fn interact(&mut self, _: &mut Scene, what: Interaction) -> Result<(), Error> {
        match what {
            Interaction::Observe { place, near } => Ok(self.water.observe(place, near)?),
            other => Err(self.refusal(&other)),
        }
    }

    fn snapshot_later(&mut self) -> Result<Later<Snapshot, Error>, Error> {
        let (kind, saved) = (self.kind(), self.water.snapshot_later()?);
        Ok(Later::new(move || {
            let TreeSnapshot { time, topology, cells, nursery, status, volumes, sides, ledger, counts, pace, observer } =
                saved.wait()?;
            let saved = Snapshot::new(kind, time, &Numbers { ledger, counts, pace, observer })?;
            let saved = saved.with("topology", topology).with("state", cells).with("nursery", nursery);
            Ok(saved.with("status", status).with_some("volumes", volumes).with_some("sides", sides))
        }))
    }

    fn restore(&mut self, saved: &Snapshot) -> Result<(), Error> {
        let Numbers { ledger, counts, pace, observer } = saved.numbers()?;
        Ok(self.water.restore(&TreeSnapshot {
            time: saved.time,
            topology: saved.u32("topology")?.to_vec(),
            cells: saved.f32("state")?.to_vec(),
            nursery: saved.f32("nursery")?.to_vec(),
            status: saved.f32("status")?.to_vec(),
            volumes: if saved.has("volumes") { saved.u32("volumes")?.to_vec() } else { Vec::new() },
            sides: saved.some_f32("sides")?.to_vec(),
            ledger,
            counts,
            pace,
            observer,
        })?)
    }

    fn stages(&self) -> &'static [&'static str] {
        &["tree", "clock", "flux", "statistics"]
    }

    fn report_later(&mut self) -> Result<Option<Later<Report, Error>>, Error> {
        let levels = self.levels_later()?;
        let (cell_steps, strain) = (self.water.cell_steps(), self.water.strain());
        Ok(Some(levels.map(move |levels| {
            let cells: usize = levels.iter().map(|level| level.tiles * tree::CELLS).sum();
            let level = |level: &TreeLevel| json!({ "cell_m": level.cell, "tiles": level.tiles, "awake": level.awake });
            let levels: Vec<Value> = levels.iter().map(level).collect();
            ("quadtree", json!({ "cells": cells, "levels": levels, "cell_steps": cell_steps, "strain": strain }))
        })))
    }

    fn remarks(&self) -> Vec<String> {
        let Some(report) = self.streamed.as_ref().map(|streamed| &streamed.report) else { return Vec::new() };
        let again = report.stale.as_ref().map(|why| format!("the ground was surveyed again: {why}"));
        let unsaved = report.unsaved.as_ref().map(|why| {
            format!("warning: the next run has to read all of the ground again, its survey cannot be kept: {why}")
        });
        again.into_iter().chain(unsaved).collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The ground, looked at in every finest cell where that takes seconds at most.
fn ground(grid: &Grid, levels: u32, places: Elevations) -> Arc<dyn Ground> {
    let (size, cell) = ([grid.nx, grid.nz], grid.cell);
    if grid.cells() > GROUND_SAMPLES {
        return Arc::new(SampledGround::new(size, cell, levels, GROUND_SAMPLES, move |place| places.at(place)));
    }
    let centre = move |n: u32| (f64::from(n) + 0.5) * cell;
    Arc::new(GroundPyramid::new(size, levels, move |i, k| places.at([centre(i), centre(k)])))
}

/// The scene's, the level of still water, or about the lowest ground, m.
fn datum(scene: &Scene, lowest: impl FnOnce() -> f64) -> f64 {
    match scene.water.shallow.datum {
        Datum::Elevation(level) => level,
        Datum::Auto => scene.water.level.unwrap_or_else(lowest),
    }
}

/// About the lowest ground, m.
fn lowest(grid: &Grid, places: &Elevations) -> f64 {
    let high = grid.high();
    let step = [0, 1].map(|axis| (high[axis] - grid.origin[axis]) / f64::from(DATUM_POINTS));
    let points = (0..DATUM_POINTS * DATUM_POINTS).map(|n| {
        places
            .at([(n % DATUM_POINTS, step[0]), (n / DATUM_POINTS, step[1])].map(|(n, step)| (f64::from(n) + 0.5) * step))
    });
    points.fold(f64::INFINITY, f64::min)
}

fn refinement(scene: &Scene) -> Refinement {
    let quadtree = &scene.water.quadtree;
    Refinement {
        measure: quadtree.measure,
        surface: quadtree.surface,
        speed: quadtree.speed,
        fronts: quadtree.fronts,
        observer: quadtree.observer.clone(),
        regions: quadtree.regions.clone(),
        budget: usize::try_from(quadtree.budget).unwrap_or(usize::MAX),
        interval: quadtree.interval,
    }
}
