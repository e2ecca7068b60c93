//! A body of water on an executor.

pub(crate) mod grow;
pub(crate) mod outlook;
pub(crate) mod snapshot;
pub(crate) mod tune;
pub(crate) mod velocities;

use std::sync::Arc;

use thalweg_columns::{ColumnGrid, Heights, Shape};
use thalweg_compute::{Buffer, Executor, Recording};
use thalweg_pressure::device::{DeviceHierarchy, DeviceOptions, DeviceSolver, DeviceStaggered, Method, SolverOptions};
use thalweg_pressure::{Discretisation, Fields, HierarchyOptions, Sweeps};
use thalweg_solids::Obstacle;

use crate::error::{Result, TallError};
use crate::setup::{Options, Setup};
use crate::solver::stages::bodies::Fleet;
use crate::solver::stages::exchange::{Books, Exchange, Exchanger, Reach};
use crate::solver::stages::extrapolate::Extrapolate;
use crate::solver::stages::far_field::FarField;
use crate::solver::stages::remesh::Remesh;
use crate::solver::stages::solids::{FractionBuffers, Keel, Solids};
use crate::solver::stages::volume::Volume;
use crate::solver::surface::level_set::fill::FillSolids;
use crate::solver::surface::level_set::fine::{ColumnSolids, FineSurface};
use crate::solver::surface::level_set::reinitialise::Reinitialise;
use crate::solver::surface::level_set::thicken::Thickener;
use crate::solver::view::statistics::{StatsInput, WaterStats};
use crate::water::grow::Origin;
use crate::water::outlook::Prospect;

/// Fields that move with the columns, in memory of the executor.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) heights: Buffer<Heights>,
    /// Level set, cells.
    pub(crate) phi: Buffer<f32>,
    /// Velocities of faces, m/s.
    pub(crate) faces: Buffer<f32>,
    /// Lower ends of the lines inside tall cells, m/s.
    pub(crate) inner: Buffer<f32>,
    /// `(Δt/ρ) p`, m²/s.
    pub(crate) q: Buffer<f32>,
    /// Velocities of samples, m/s, in the collocated discretisation; `faces` and `inner` are made from them.
    pub(crate) samples: Option<Buffer<f32>>,
}

impl State {
    fn new(exec: &Executor, shape: Shape, discretisation: Discretisation) -> Result<Self> {
        let samples = match discretisation {
            Discretisation::Galerkin => None,
            Discretisation::Collocated => Some(exec.buffer("tall.samples", 3 * shape.len())?),
        };
        Ok(Self {
            samples,
            heights: exec.buffer("tall.heights", shape.columns())?,
            phi: exec.buffer("tall.phi", shape.len())?,
            faces: exec.buffer("tall.faces", 3 * shape.len())?,
            inner: exec.buffer("tall.inner", shape.columns())?,
            q: exec.buffer("tall.q", shape.len())?,
        })
    }
}

/// The matrix of the pressure solve. Without tall cells both discretisations have the same one on the finest level, and the levels of
/// the symmetric form are the better ones.
fn matrix(options: &Options) -> Discretisation {
    if options.band.is_some() { options.discretisation } else { Discretisation::Galerkin }
}

/// How a matrix is solved. The collocated one is not symmetric, so that conjugate gradients are void: the published cycles take
/// their place, one full and then V(2,2), each as long as makes the residual least. By themselves they diverge in lakes over random
/// ground.
fn solver_options(matrix: Discretisation, iterations: usize) -> SolverOptions {
    match matrix {
        Discretisation::Galerkin => SolverOptions { iterations, ..Default::default() },
        Discretisation::Collocated => SolverOptions {
            method: Method::MinimalResidual { full: 1 },
            sweeps: Sweeps { before: 2, after: 2 },
            iterations,
            ..Default::default()
        },
    }
}

/// Three-dimensional water.
#[derive(Debug)]
pub struct TallWater {
    pub(crate) exec: Arc<Executor>,
    pub(crate) shape: Shape,
    /// Edge of a cubic cell, m.
    pub(crate) cell: f64,
    pub(crate) options: Options,
    pub(crate) now: State,
    pub(crate) next: State,
    pub(crate) centres: Buffer<[f32; 4]>,
    pub(crate) hat: Buffer<[f32; 4]>,
    pub(crate) departures: Buffer<[f32; 4]>,
    pub(crate) rhs: Buffer<f32>,
    /// Ground per column, cells.
    pub(crate) terrain: Buffer<f32>,
    pub(crate) solids: Solids,
    /// The surface, if it is finer than the columns.
    pub(crate) fine: Option<FineSurface>,
    /// Continues the level set into solids, if any moves.
    pub(crate) fill: Option<FillSolids>,
    /// Bodies that the pressure moves.
    pub(crate) fleet: Fleet,
    /// What closes faces and fills cells, if there are bodies.
    pub(crate) owner: Buffer<u32>,
    /// Solid fraction per sample.
    pub(crate) solid: Buffer<f32>,
    /// Open fraction per face.
    pub(crate) open: Buffer<f32>,
    /// Highest first regular cell that obstacles allow, per column.
    pub(crate) ceiling: Buffer<i32>,
    /// The same for those that move.
    pub(crate) keel: Buffer<Keel>,
    pub(crate) extrapolate: Extrapolate,
    /// Velocities beyond its reach, if a step may carry water there.
    pub(crate) far_field: Option<FarField>,
    pub(crate) reinitialise: Reinitialise,
    pub(crate) thickener: Option<Thickener>,
    pub(crate) remesh: Option<Remesh>,
    pub(crate) stats: WaterStats,
    pub(crate) volume: Volume,
    /// Level that pressures are counted from, in cells like centres of cells.
    pub(crate) level: f32,
    /// Sources, open sides and the books.
    pub(crate) exchange: Exchanger,
    /// What sources ask of columns.
    pub(crate) reach: Buffer<Reach>,
    pub(crate) solver: DeviceSolver,
    pub(crate) staggered: DeviceStaggered,
    /// Acceleration of the domain along x and z, m/s².
    pub(crate) acceleration: [f64; 2],
    pub(crate) steps: u64,
    /// The deepest fall that sets the speed limit, m.
    pub(crate) fall: f64,
    /// Largest speed that the water was given, m/s.
    pub(crate) begin_speed: f64,
    /// What the next plan goes by.
    pub(crate) prospect: Prospect,
    /// Iterations that the last solve needed, if it is not one of this water.
    pub(crate) needed_iterations: Option<usize>,
    /// Iterations of the pressure solve that a step records.
    pub(crate) planned_iterations: usize,
    pub(crate) time: f64,
    /// Regular cells that the last plan found to be missing, see [`Self::make_room`].
    pub(crate) short: u32,
    /// What it was made from.
    pub(crate) origin: Origin,
    /// Most crowded columns that a plan has seen.
    pub(crate) most_crowded: u32,
    /// Length of the last step, s; 0 before the first.
    pub(crate) last_step: f64,
}

/// The pressure solver on the columns at the start, and the velocities that belong to its matrix.
fn pressure(
    exec: &Arc<Executor>,
    (grid, fields): (&ColumnGrid, &Fields<f32>),
    setup: &Setup<'_>,
    is_moving: bool,
) -> Result<(DeviceSolver, DeviceStaggered)> {
    let hierarchy = HierarchyOptions { border_sweeps: 0, discretisation: matrix(&setup.options), ..Default::default() };
    let options = DeviceOptions { hierarchy, remeshed: setup.options.band.is_some(), ..Default::default() };
    let hierarchy = DeviceHierarchy::new(exec, grid, fields, options)?;
    let staggered = DeviceStaggered::new(exec, &hierarchy, setup.cell, is_moving)?;
    let options = solver_options(matrix(&setup.options), setup.options.iterations);
    Ok((DeviceSolver::new(exec, hierarchy, options)?, staggered))
}

impl Options {
    /// Refuses what does not go together.
    fn check(&self, is_closed: bool, has_bodies: bool) -> Result<()> {
        let is_collocated = self.discretisation == Discretisation::Collocated;
        if is_collocated && !is_closed {
            return Err(TallError::Collocated { what: "sources, drains or open sides" });
        }
        if is_collocated && has_bodies {
            return Err(TallError::Collocated { what: "bodies that float" });
        }
        if self.thickening && self.fine_surface {
            return Err(TallError::Setting { setting: "thickening", range: "off with a fine surface".into() });
        }
        Ok(())
    }
}

impl Setup<'_> {
    /// The surface on finer cells; `terrain` in cells, unless there is neither ground nor anything else in the way.
    fn fine_surface(&self, exec: &Executor, heights: &[Heights], terrain: Option<&[f32]>) -> Result<FineSurface> {
        let fine = FineSurface::new(exec, self.shape, terrain)?;
        fine.load(exec, heights, &self.begin_fine(heights))?;
        Ok(fine)
    }
}

impl TallWater {
    /// Fills the columns and takes all memory. No water enters or leaves.
    pub fn new(exec: Arc<Executor>, setup: &Setup<'_>) -> Result<Self> {
        Self::with_exchange(exec, setup, &Exchange::default())
    }

    /// The same with sources and open sides.
    pub fn with_exchange(exec: Arc<Executor>, setup: &Setup<'_>, given: &Exchange) -> Result<Self> {
        let shape = setup.shape;
        let metres = setup.obstacles.iter().map(|solid| solid.in_cells(setup.cell as f32).checked());
        let obstacles = metres.collect::<std::result::Result<Vec<Obstacle>, _>>()?;
        let solids = Solids::new(&exec, shape, setup.cell as f32, obstacles)?;
        let ceiling = exec.buffer("tall.ceiling", shape.columns())?;
        let keel = exec.buffer("tall.keel", shape.columns())?;
        let mut rec = exec.record();
        solids.ceiling(&mut rec, (&ceiling, &keel))?;
        rec.submit()?;
        let gravity = setup.options.gravity;
        let exchange = Exchanger::new(&exec, (shape, setup.cell), given, setup.terrain, gravity)?;
        let discretisation = setup.options.discretisation;
        let fleet = Fleet::new(&exec, shape, setup.cell, solids.bodies())?;
        setup.options.check(exchange.is_closed(), fleet.count() > 0)?;
        let owner = exec.buffer("tall.owner", if fleet.count() > 0 { 4 * shape.len() } else { 1 })?;
        let reach = exchange.reach(shape);
        let begin = setup.begin(&exec.read(&ceiling)?, &exec.read(&keel)?, &reach);
        let reach = exec.buffer_from("tall.reach", &reach)?;
        let grid = ColumnGrid { shape, cell: setup.cell, heights: begin.heights.clone() };
        let now = State::new(&exec, shape, discretisation)?;
        let next = State::new(&exec, shape, discretisation)?;
        exec.write(&now.heights, 0, &begin.heights)?;
        exec.write(&now.phi, 0, &begin.phi)?;
        let terrain: Vec<f32> = setup.terrain.iter().map(|z| (z / setup.cell) as f32).collect();
        let is_plain = solids.count() == 0 && exchange.is_closed();
        let fine = match setup.options.fine_surface {
            true => Some(setup.fine_surface(&exec, &begin.heights, (!is_plain).then_some(&*terrain))?),
            false => None,
        };
        let terrain = exec.buffer_from("tall.terrain", &terrain)?;
        let solid = exec.buffer("tall.solid", shape.len())?;
        let open = exec.buffer("tall.open", 3 * shape.len())?;
        let mut rec = exec.record();
        let fractions = FractionBuffers { solid: &solid, open: &open, velocity: None, owner: None };
        solids.fractions(&mut rec, &now.heights, &terrain, fractions)?;
        rec.submit()?;
        let fields = Fields { phi: begin.phi, solid: exec.read(&solid)?, open: exec.read(&open)?, sink: Vec::new() };
        let (solver, staggered) = pressure(&exec, (&grid, &fields), setup, solids.is_moving())?;
        let vectors = |name: &str| exec.buffer(name, shape.len());
        let mut water = Self {
            centres: vectors("tall.centres")?,
            hat: vectors("tall.hat")?,
            departures: vectors("tall.departures")?,
            rhs: exec.buffer("tall.rhs", shape.len())?,
            extrapolate: Extrapolate::new(&exec, shape)?,
            far_field: if setup.options.single_step { Some(FarField::new(&exec, shape)?) } else { None },
            reinitialise: Reinitialise::new(&exec, shape)?,
            thickener: if setup.options.thickening { Some(Thickener::new(&exec, shape)?) } else { None },
            remesh: setup.options.band.map(|band| Remesh::new(&exec, shape, band.into())).transpose()?,
            stats: WaterStats::new(&exec, shape)?,
            volume: Volume::new(&exec, shape)?,
            level: 0.0,
            exchange,
            reach,
            shape,
            cell: setup.cell,
            options: setup.options,
            now,
            next,
            terrain,
            fine,
            fill: if solids.is_moving() { Some(FillSolids::new(&exec, shape)?) } else { None },
            solids,
            fleet,
            owner,
            solid,
            open,
            ceiling,
            keel,
            solver,
            staggered,
            acceleration: [0.0; 2],
            steps: 0,
            fall: setup.height,
            begin_speed: 0.0,
            prospect: Prospect::default(),
            needed_iterations: Some(setup.options.iterations),
            planned_iterations: setup.options.iterations,
            time: 0.0,
            short: 0,
            origin: Origin::new(setup, given),
            most_crowded: 0,
            last_step: 0.0,
            exec,
        };
        water.begin(setup)?;
        Ok(water)
    }

    /// What the water at the start is known by: distances, level, how far it may fall, its ledger and its velocity.
    fn begin(&mut self, setup: &Setup<'_>) -> Result<()> {
        // Distances from the start: what they change near the ground is no drift.
        let mut rec = self.exec.record();
        self.find_fractions(&mut rec)?; // the velocities of solids with them
        let aperture = self.staggered.aperture();
        if let Some(fine) = &self.fine {
            fine.tidy(&mut rec, self.column_solids(), true, None)?;
            fine.begin(&mut rec, (&self.now.heights, &self.solid), &self.now.phi)?;
        }
        self.reinitialise.record(&mut rec, &self.now.heights, aperture, &self.now.phi)?;
        rec.submit()?;
        let surface: Vec<f32> = self.surface()?.into_iter().flatten().collect();
        self.level = surface.iter().sum::<f32>() / surface.len().max(1) as f32 - 0.5;
        let highest = surface.iter().fold(f64::NEG_INFINITY, |highest, y| highest.max(f64::from(*y) * setup.cell));
        let lowest = setup.terrain.iter().fold(f64::INFINITY, |lowest, z| lowest.min(*z));
        // A front on dry ground is as fast as a fall from twice the depth behind it (Ritter 1892).
        self.fall = setup.height.max(2.0 * (highest - lowest));
        self.exchange.ledger.open(&self.exec, self.statistics()?.volume)?;
        if setup.velocity != [0.0; 2] {
            let [ux, uz] = setup.velocity;
            self.set_velocities(&|_| [ux, 0.0, uz])?;
        }
        Ok(())
    }

    /// The executor.
    pub fn executor(&self) -> &Arc<Executor> {
        &self.exec
    }

    /// Edge of a cubic cell, m.
    pub fn cell(&self) -> f64 {
        self.cell
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Seconds simulated so far.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Columns, and regular cells of each.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// What came in and went out since the start; waits for the executor.
    pub fn books(&self) -> Result<Books> {
        Ok(Books::unpack(&self.exec.read(self.exchange.ledger.words())?))
    }

    /// The columns as they are, with what their solids leave open.
    pub(crate) fn column_solids(&self) -> ColumnSolids<'_> {
        ColumnSolids { heights: &self.now.heights, aperture: self.staggered.aperture(), solid: &self.solid }
    }

    /// Records sums over the water as it is.
    pub(crate) fn sum_up(&self, rec: &mut Recording<'_>) -> Result<()> {
        let State { heights, phi, faces, inner, .. } = &self.now;
        let Self { terrain, solid, open, .. } = self;
        let fine = self.fine.as_ref().map(FineSurface::phi);
        Ok(self.stats.record(rec, &StatsInput { heights, terrain, phi, solid, open, faces, inner }, fine)?)
    }

    /// Columns whose regular cells do not reach over all of their water with the margins that were asked for: more of them
    /// ([`Shape::regular`]) are needed. 0 on a uniform grid.
    pub fn crowded_columns(&self) -> Result<u32> {
        match &self.remesh {
            Some(remesh) => Ok(self.exec.read(remesh.infeasible())?[0]),
            None => Ok(0),
        }
    }

    /// Most of [`Self::crowded_columns`] that any [`Self::plan`] has seen; does not wait.
    pub fn most_crowded(&self) -> u32 {
        self.most_crowded
    }
}
