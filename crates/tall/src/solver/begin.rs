//! Water at the start: columns around the surface, all memory, and the stages with theirs.

use std::sync::Arc;

use thalweg_columns::ColumnGrid;
use thalweg_compute::{Executor, Recording};
use thalweg_pressure::{Discretisation, Fields};
use thalweg_solids::Obstacle;

use super::stages::Stages;
use super::stages::advect::VelocityAdvection;
use super::stages::bodies::FloatingBodies;
use super::stages::exchange::Exchanger;
use super::stages::extrapolate::Extrapolation;
use super::stages::project::Projection;
use super::stages::remesh::Remesh;
use super::stages::solids::{FractionBuffers, Solids};
use super::stages::volume::Volume;
use super::state::{ColumnBounds, ColumnFields, State};
use super::view::statistics::WaterStats;
use crate::error::{Result, TallError};
use crate::from_model::Exchange;
use crate::setup::{Options, Setup};

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

/// The solids of a setup.
fn solids(exec: &Executor, setup: &Setup<'_>) -> Result<Solids> {
    let metres = setup.obstacles.iter().map(|solid| solid.in_cells(setup.cell as f32).checked());
    let obstacles = metres.collect::<std::result::Result<Vec<Obstacle>, _>>()?;
    Solids::new(exec, setup.shape, setup.cell as f32, obstacles)
}

/// Fills the columns and takes all memory. Velocities are 0; distances are those of the setup, see
/// [`Stages::make_distances`].
pub(crate) fn begin(exec: &Arc<Executor>, setup: &Setup<'_>, given: &Exchange) -> Result<(State, Stages)> {
    let Setup { shape, cell, options, .. } = *setup;
    let solids = solids(exec, setup)?;
    let ceiling = exec.buffer("tall.ceiling", shape.columns())?;
    let keel = exec.buffer("tall.keel", shape.columns())?;
    let mut rec = exec.record();
    solids.ceiling(&mut rec, (&ceiling, &keel))?;
    rec.submit()?;
    let exchange = Exchanger::new(exec, (shape, cell, setup.height), given, setup.terrain, options.gravity)?;
    let bodies = FloatingBodies::new(exec, shape, cell, solids.bodies())?;
    options.check(exchange.is_closed(), bodies.count() > 0)?;
    let owner = exec.buffer("tall.owner", if bodies.count() > 0 { 4 * shape.len() } else { 1 })?;
    let reach = exchange.reach(shape);
    let begin = setup.begin(&exec.read(&ceiling)?, &exec.read(&keel)?, &reach);
    let bounds = ColumnBounds { ceiling, keel, reach: exec.buffer_from("tall.reach", &reach)? };
    let grid = ColumnGrid { shape, cell, heights: begin.heights.clone() };
    let now = ColumnFields::new(exec, shape, options.discretisation)?;
    let next = ColumnFields::new(exec, shape, options.discretisation)?;
    exec.write(&now.heights, 0, &begin.heights)?;
    exec.write(&now.phi, 0, &begin.phi)?;
    let ground: Vec<f32> = setup.terrain.iter().map(|z| (z / cell) as f32).collect();
    let is_plain = solids.count() == 0 && exchange.is_closed();
    let surface = super::surface::new(exec, setup, (&begin.heights, &ground), is_plain)?;
    let terrain = exec.buffer_from("tall.terrain", &ground)?;
    let solid = exec.buffer("tall.solid", shape.len())?;
    let open = exec.buffer("tall.open", 3 * shape.len())?;
    let mut rec = exec.record();
    let fractions = FractionBuffers { solid: &solid, open: &open, velocity: None, owner: None };
    solids.fractions(&mut rec, &now.heights, &terrain, fractions)?;
    rec.submit()?;
    let fields = Fields { phi: begin.phi, solid: exec.read(&solid)?, open: exec.read(&open)?, sink: Vec::new() };
    let (projection, staggered) = Projection::new(exec, (&grid, &fields), setup, solids.is_moving())?;
    let centres = exec.buffer("tall.centres", shape.len())?;
    let state = State { shape, cell, now, next, centres, terrain, solid, open, owner, bounds, staggered, level: 0.0 };
    let stages = Stages {
        surface,
        extrapolate: Extrapolation::new(exec, shape, options.single_step)?,
        advect: VelocityAdvection::new(exec, shape)?,
        exchange,
        remesh: Remesh::new(exec, shape, options.band.map(Into::into))?,
        solids,
        sums: WaterStats::new(exec, shape)?,
        volume: Volume::new(exec, shape)?,
        bodies,
        projection,
    };
    Ok((state, stages))
}

impl Stages {
    /// Records distances at the start: what they change near the ground later is no drift.
    pub(crate) fn make_distances(&self, rec: &mut Recording<'_>, s: &State) -> Result<()> {
        self.solids.record(rec, s)?; // the velocities of solids with them
        self.surface.begin(rec, s)
    }

    /// Records what a step begins with beside the fields: fractions of solids on the columns, and which faces they
    /// leave open.
    pub(crate) fn take_up(&self, rec: &mut Recording<'_>, s: &State) -> Result<()> {
        self.solids.record(rec, s)?;
        self.projection.adopt(rec, s)
    }
}
