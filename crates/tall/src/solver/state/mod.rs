//! The state of the water: every field on the columns, its unit and its layout.
//!
//! Fields are seen by what lies in `solver/`: the stages of a step, the ways to carry a surface, and the views.
//! Everybody else can only hand a [`State`] on. Planes of samples and faces are stored column by column, upwards, as
//! `crates/columns` describes.

pub(crate) mod saved;

use thalweg_columns::{Heights, Shape};
use thalweg_compute::{Buffer, Executor};
use thalweg_pressure::Discretisation;
use thalweg_pressure::device::DeviceStaggered;

use crate::error::Result;
use crate::solver::stages::exchange::Reach;
use crate::solver::stages::solids::Keel;

/// Fields that move with the columns, in memory of the executor.
#[derive(Debug)]
pub(crate) struct ColumnFields {
    /// `[H, T]` per column, cells.
    pub(in crate::solver) heights: Buffer<Heights>,
    /// Distance to the surface per sample, cells, negative in water: what all stages read of the surface, however it is
    /// carried.
    pub(in crate::solver) phi: Buffer<f32>,
    /// Velocities of faces, m/s.
    pub(in crate::solver) faces: Buffer<f32>,
    /// Lower ends of the lines inside tall cells, m/s.
    pub(in crate::solver) inner: Buffer<f32>,
    /// `(Δt/ρ) p` less that of still water, m²/s.
    pub(in crate::solver) q: Buffer<f32>,
    /// Velocities of samples, m/s, in the collocated discretisation; `faces` and `inner` are made from them.
    pub(in crate::solver) samples: Option<Buffer<f32>>,
}

impl ColumnFields {
    pub(in crate::solver) fn new(exec: &Executor, shape: Shape, discretisation: Discretisation) -> Result<Self> {
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

/// What bounds the first regular cell of every column from outside the water, cells.
#[derive(Debug)]
pub(crate) struct ColumnBounds {
    /// Highest that obstacles allow.
    pub(in crate::solver) ceiling: Buffer<i32>,
    /// The same for those that move.
    pub(in crate::solver) keel: Buffer<Keel>,
    /// What sources ask of columns.
    pub(in crate::solver) reach: Buffer<Reach>,
}

/// Water on its columns, in memory of the executor.
#[derive(Debug)]
pub(crate) struct State {
    pub(in crate::solver) shape: Shape,
    /// Edge of a cubic cell, m.
    pub(in crate::solver) cell: f64,
    pub(in crate::solver) now: ColumnFields,
    /// The fields that a step is making; between steps their contents mean nothing.
    pub(in crate::solver) next: ColumnFields,
    /// Velocities at samples, m/s, as the last stage that asked for them has made them.
    pub(in crate::solver) centres: Buffer<[f32; 4]>,
    /// Ground per column, cells.
    pub(in crate::solver) terrain: Buffer<f32>,
    /// Solid fraction per sample.
    pub(in crate::solver) solid: Buffer<f32>,
    /// Open fraction per face.
    pub(in crate::solver) open: Buffer<f32>,
    /// What closes faces and fills cells, if there are bodies.
    pub(in crate::solver) owner: Buffer<u32>,
    pub(in crate::solver) bounds: ColumnBounds,
    /// Faces as the pressure solve sees them: how far they are open, and velocities of the solids that close them.
    pub(in crate::solver) staggered: DeviceStaggered,
    /// Level that pressures are counted from, in cells like centres of cells.
    pub(in crate::solver) level: f32,
}

impl State {
    /// Columns, and regular cells of each.
    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// Edge of a cubic cell, m.
    pub(crate) fn cell(&self) -> f64 {
        self.cell
    }

    /// See the field.
    pub(crate) fn level(&self) -> f32 {
        self.level
    }

    /// Counts pressures from this level on, cells like centres of cells.
    pub(crate) fn set_level(&mut self, level: f32) {
        self.level = level;
    }

    /// Open fraction of every face as the pressure solve sees it.
    pub(in crate::solver) fn aperture(&self) -> &Buffer<f32> {
        self.staggered.aperture()
    }
}
