//! Sums over all water: volume, fastest motion, kinetic energy, wet cells, values that are not finite.
//!
//! A first kernel leaves one partial result per workgroup, a second one joins them; always in the same order, so that
//! the same state gives the same bits. Cells that are full are counted, and only the rest is summed up in floats: of a
//! lake of 10⁸ cells the volume is then right to a fraction of a cell.

pub(crate) mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;
pub(crate) mod word;

pub(crate) use constants::{NEAR, WORDS};
use thalweg_columns::{Heights, Shape};
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Readback, Recording, WORKGROUP, kernel, uniform};

use crate::solver::state::{ColumnFields, State};
use crate::solver::surface::Surface;
use crate::solver::surface::level_set::fine::FineVolume;

/// Partial results at most.
const PARTIALS: usize = 1024;

uniform! {
    /// The columns, and the partial results they leave.
    pub struct StatsParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Workgroups, at most 1024.
        pub groups: u32,
    }
}

kernel! {
    /// Partial sums.
    pub struct Stats slices StatsSlices = "tall.stats" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/stats.wgsl")), entry: "stats",
        workgroup: [256, 1, 1],
        params: StatsParams,
        cpu: cpu::stats,
        read heights: [i32; 2],
        read terrain: f32,
        read phi: f32,
        read solid: f32,
        read open: f32,
        read faces: f32,
        read inner: f32,
        write partials: u32,
    }
}

kernel! {
    /// Joins the partial sums.
    pub struct StatsTotal slices StatsTotalSlices = "tall.stats_total" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/stats_total.wgsl")), entry: "stats_total",
        workgroup: [256, 1, 1],
        params: StatsParams,
        cpu: cpu::stats_total,
        read partials: u32,
        write result: u32,
    }
}

/// What is known of all water at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// Volume of the water in cells.
    pub volume: f64,
    /// Largest component of the velocity at a face of a wet cell, m/s.
    pub speed: f32,
    /// World index of the highest wet cell; `None` if all is dry.
    pub highest: Option<i32>,
    /// Number of wet cells, those inside tall cells included.
    pub wet_cells: u32,
    /// Values of level set and velocities that are not finite; they count nowhere else.
    pub not_finite: u32,
    /// `Σ ½ a u²` over the faces between two wet cells, m²/s² times cells: times density and volume of a cell it is the
    /// kinetic energy in J.
    pub energy: f64,
}

impl Statistics {
    /// From the words of [`Stats`].
    pub(crate) fn unpack(words: &[u32]) -> Self {
        let float = |at: usize| f64::from(f32::from_bits(words[at]));
        let highest = words[word::HIGHEST] as i32;
        Self {
            volume: f64::from(words[word::FULL]) + float(word::PART),
            speed: f32::from_bits(words[word::SPEED]),
            highest: (highest > i32::MIN).then_some(highest),
            wet_cells: words[word::WET],
            not_finite: words[word::BROKEN],
            energy: float(word::ENERGY),
        }
    }
}

/// The water that is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StatsInput<'a> {
    /// `[H, T]` per column.
    pub(crate) heights: &'a Buffer<Heights>,
    /// Height of the ground per column, cells.
    pub(crate) terrain: &'a Buffer<f32>,
    /// Level set per sample, cells.
    pub(crate) phi: &'a Buffer<f32>,
    /// Solid fraction per sample.
    pub(crate) solid: &'a Buffer<f32>,
    /// Open fraction per face.
    pub(crate) open: &'a Buffer<f32>,
    /// Velocity per face, m/s.
    pub(crate) faces: &'a Buffer<f32>,
    /// Velocity at the lower end of the line inside the tall cell, per column, m/s.
    pub(crate) inner: &'a Buffer<f32>,
}

/// Reduces water to [`Statistics`].
#[derive(Debug)]
pub(crate) struct WaterStats {
    shape: Shape,
    partials: Buffer<u32>,
    result: Buffer<u32>,
}

impl WaterStats {
    /// Takes the memory.
    pub(crate) fn new(exec: &Executor, shape: Shape) -> Result<Self, ComputeError> {
        let partials = exec.buffer("tall.stats_partials", PARTIALS * WORDS)?;
        Ok(Self { shape, partials, result: exec.buffer("tall.stats", WORDS)? })
    }

    /// Records the reduction of the water as it is.
    pub(crate) fn sum_up(&self, rec: &mut Recording<'_>, s: &State, surface: &dyn Surface) -> Result<(), ComputeError> {
        let State { now, terrain, solid, open, .. } = s;
        let ColumnFields { heights, phi, faces, inner, .. } = now;
        let fine = surface.fine().map(|fine| fine.phi);
        self.record(rec, &StatsInput { heights, terrain, phi, solid, open, faces, inner }, fine)
    }

    /// Records the reduction. The volume is that of the level set `fine` on the fine lattice, if there is one.
    pub(crate) fn record(
        &self,
        rec: &mut Recording<'_>,
        input: &StatsInput<'_>,
        fine: Option<&Buffer<f32>>,
    ) -> Result<(), ComputeError> {
        let params = self.params();
        let StatsInput { heights, terrain, phi, solid, open, faces, inner } = *input;
        let sums = Stats { heights, terrain, phi, solid, open, faces, inner, partials: &self.partials };
        rec.run(&sums, &params, Dispatch::Groups([params.groups, 1, 1]))?;
        if let Some(fine) = fine {
            let volume = FineVolume { heights, terrain, solid, fine, partials: &self.partials };
            rec.run(&volume, &params, Dispatch::Groups([params.groups, 1, 1]))?;
        }
        let total = StatsTotal { partials: &self.partials, result: &self.result };
        rec.run(&total, &params, Dispatch::Groups([1, 1, 1]))
    }

    /// The words of the last reduction, for [`Statistics::unpack`].
    pub(crate) fn result(&self) -> &Buffer<u32> {
        &self.result
    }

    /// Starts to read the last reduction.
    pub(crate) fn read_async(&self, exec: &Executor) -> Result<Readback<u32>, ComputeError> {
        exec.read_async(&self.result)
    }

    fn params(&self) -> StatsParams {
        StatsParams {
            nx: self.shape.nx as u32,
            nz: self.shape.nz as u32,
            samples: self.shape.samples() as u32,
            groups: self.shape.len().div_ceil(WORKGROUP as usize).clamp(1, PARTIALS) as u32,
        }
    }
}

impl StatsParams {
    pub(crate) fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }
}
