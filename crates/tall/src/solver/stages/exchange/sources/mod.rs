//! Sources and drains: places that add or take a given volume per second.
//!
//! What a source owes grows by `∫ rate dt` in every step. **Before remeshing** its region is *painted* full of water,
//! `φ ← min(φ, signed distance of the region)`, so that water comes out of thin air: it starts when the debt covers
//! what is missing in the region, and enters the ledger then. While the source runs the region is kept full; what a
//! step loses there it loses to the rounding of corners. **In the projection** what is owed becomes a divergence
//! `δ = volume/(Δt · wet cells)` of the region's wet cells, so that a submerged source is exact. At most half of the
//! wet cells' volume is asked for in a step; the rest stays owed. A drain asks for a negative divergence and owes
//! nothing: where it is dry nothing goes, and only what goes is moved in the ledger.
//!
//! **Jets.** A direction `d` gives the faces of the region the velocity `d δ s`, with `s` the distance from its back: its divergence
//! is `δ` already, it is 0 at the back and `rate/area` at the front, so that all water leaves through the front. A
//! source without direction that is not under water gets `δ/3` times the distance from its middle: its water leaves on
//! all sides. In the air the faces get these velocities after the projection once more: else the region would fall, and
//! being kept full it would leak.
//!
//! Divergences may lie inside tall cells: they enter the Galerkin right-hand side by the shares of the two ends.
//! Velocities may not, nor can air in a tall cell be painted: jets keep tall cells below themselves, and all regions
//! keep cubic cells up to their top (`reach` in remeshing).

pub(crate) mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
pub(crate) mod state;
#[cfg(test)]
mod tests;

use thalweg_columns::{Heights, Shape};
use thalweg_compute::{Buffer, ComputeError, Dispatch, Recording, kernel, uniform};

use crate::solver::state::State;

uniform! {
    /// A region on the columns, and what it does in a step.
    pub struct SourceParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// First column of the region along x.
        pub first_i: u32,
        /// First column of the region along z.
        pub first_k: u32,
        /// Columns of the region along x.
        pub count_i: u32,
        /// Columns of the region along z.
        pub count_k: u32,
        /// Number of the shape, see `region`.
        pub kind: u32,
        /// Low corner of the bounding box, cells.
        pub low_x: f32,
        /// See `low_x`.
        pub low_y: f32,
        /// See `low_x`.
        pub low_z: f32,
        /// High corner of the bounding box, cells.
        pub high_x: f32,
        /// See `high_x`.
        pub high_y: f32,
        /// See `high_x`.
        pub high_z: f32,
        /// Unit vector of a jet; 0 for none.
        pub along_x: f32,
        /// See `along_x`.
        pub along_y: f32,
        /// See `along_x`.
        pub along_z: f32,
        /// First word of the source in `state`.
        pub state_at: u32,
        /// 0: what is painted; 1: what flows; 2: after the projection.
        pub stage: u32,
        /// `∫ rate dt` of the step, cells; negative drains.
        pub amount: f32,
        /// Most that can be owed, cells.
        pub most_owed: f32,
        /// Step, s.
        pub dt: f32,
        /// `Δx`, m.
        pub cell: f32,
        /// First diagonal in `cells`.
        pub diagonal_at: u32,
    }
}

/// Stages of [`SourceBudget`].
pub(crate) const PAINTING: u32 = 0;
pub(crate) const FLOWING: u32 = 1;
/// The second time of [`Push`].
pub(crate) const AFTERWARDS: u32 = 2;

kernel! {
    /// Of every column of the region: what painting would add, and the wet cells inside; both in cells.
    pub struct Survey slices SurveySlices = "tall.survey" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/survey.wgsl")), entry: "survey_columns",
        workgroup: [256, 1, 1],
        params: SourceParams,
        cpu: cpu::survey,
        read heights: [i32; 2],
        read phi: f32,
        read solid: f32,
        write found: [f32; 2],
    }
}

kernel! {
    /// Decides what is painted or flows, and moves it between accounts: one workgroup.
    pub struct SourceBudget slices SourceBudgetSlices = "tall.source_budget" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/source_budget.wgsl")), entry: "source_budget",
        workgroup: [256, 1, 1],
        params: SourceParams,
        cpu: cpu::source_budget,
        read found: [f32; 2],
        write state: f32,
        write ledger: u32,
    }
}

kernel! {
    /// Fills the region with water.
    pub struct Paint slices PaintSlices = "tall.paint" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/paint.wgsl")), entry: "paint",
        workgroup: [256, 1, 1],
        params: SourceParams,
        cpu: cpu::paint,
        read heights: [i32; 2],
        read state: f32,
        write phi: f32,
    }
}

kernel! {
    /// Gives the faces of a jet, or of a source in the air, their velocity.
    pub struct Push slices PushSlices = "tall.push" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/push.wgsl")), entry: "push",
        workgroup: [256, 1, 1],
        params: SourceParams,
        cpu: cpu::push,
        read heights: [i32; 2],
        read state: f32,
        write faces: f32,
    }
}

kernel! {
    /// Adds the divergence to the right-hand side.
    pub struct Pump slices PumpSlices = "tall.pump" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/pump.wgsl")), entry: "pump",
        workgroup: [256, 1, 1],
        params: SourceParams,
        cpu: cpu::pump,
        read heights: [i32; 2],
        read phi: f32,
        read cells: f32,
        read state: f32,
        write b: f32,
    }
}

/// What sources look at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) heights: &'a Buffer<Heights>,
    /// Level set, cells.
    pub(crate) phi: &'a Buffer<f32>,
    /// Solid fraction per sample.
    pub(crate) solid: &'a Buffer<f32>,
}

impl State {
    /// The water as sources look at it.
    pub(in crate::solver) fn seen(&self) -> Seen<'_> {
        Seen { heights: &self.now.heights, phi: &self.now.phi, solid: &self.solid }
    }
}

/// Memory that all sources share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Accounts<'a> {
    pub(crate) found: &'a Buffer<[f32; 2]>,
    pub(crate) state: &'a Buffer<f32>,
    pub(crate) ledger: &'a Buffer<u32>,
}

impl SourceParams {
    /// Columns of the region.
    pub(crate) fn columns(&self) -> usize {
        (self.count_i * self.count_k) as usize
    }

    fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }

    /// Records survey and budget of a stage.
    fn budget(&self, rec: &mut Recording<'_>, seen: Seen<'_>, accounts: Accounts<'_>) -> Result<(), ComputeError> {
        let Seen { heights, phi, solid } = seen;
        let Accounts { found, state, ledger } = accounts;
        rec.run(&Survey { heights, phi, solid, found }, self, Dispatch::Elements(self.columns()))?;
        rec.run(&SourceBudget { found, state, ledger }, self, Dispatch::Groups([1, 1, 1]))
    }

    /// Records painting; `seen.phi` changes.
    pub(crate) fn paint(
        &self,
        rec: &mut Recording<'_>,
        seen: Seen<'_>,
        accounts: Accounts<'_>,
    ) -> Result<(), ComputeError> {
        let params = Self { stage: PAINTING, ..*self };
        params.budget(rec, seen, accounts)?;
        let kernel = Paint { heights: seen.heights, state: accounts.state, phi: seen.phi };
        rec.run(&kernel, &params, Dispatch::Elements(self.columns() * self.samples as usize))
    }

    /// Records how much flows, and the velocities in the region.
    pub(crate) fn flow(
        &self,
        rec: &mut Recording<'_>,
        seen: Seen<'_>,
        accounts: Accounts<'_>,
        faces: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let params = Self { stage: FLOWING, ..*self };
        params.budget(rec, seen, accounts)?;
        params.push(rec, seen.heights, accounts.state, faces)
    }

    fn push(
        &self,
        rec: &mut Recording<'_>,
        heights: &Buffer<Heights>,
        state: &Buffer<f32>,
        faces: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let columns = ((self.count_i + 1) * (self.count_k + 1)) as usize;
        rec.run(&Push { heights, state, faces }, self, Dispatch::Elements(3 * columns * self.samples as usize))
    }

    /// Records the velocities of a region in the air once more, after the projection.
    pub(crate) fn steady(
        &self,
        rec: &mut Recording<'_>,
        heights: &Buffer<Heights>,
        state: &Buffer<f32>,
        faces: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        Self { stage: AFTERWARDS, ..*self }.push(rec, heights, state, faces)
    }

    /// Records the divergence in the right-hand side `b`; `cells` are those of the pressure solve's levels.
    pub(crate) fn pump(
        &self,
        rec: &mut Recording<'_>,
        seen: Seen<'_>,
        state: &Buffer<f32>,
        cells: &Buffer<f32>,
        b: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let kernel = Pump { heights: seen.heights, phi: seen.phi, cells, state, b };
        rec.run(&kernel, self, Dispatch::Elements(self.columns() * self.samples as usize))
    }
}
