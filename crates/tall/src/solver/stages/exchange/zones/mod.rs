//! Relaxation zones along open sides: the water is led to what lies beyond the side (Jacobsen et al. 2012).
//!
//! Over the cells of a zone, level set and velocities are blended in every step with those of the far field,
//! `f ← f + w (f∞ − f)`, `w = 1 − exp(−σ χ³ Δt)`, with χ from 1 at the side to 0 at the zone's inner end: the same for any time
//! step. `σ = 8 √(g h)/L` takes long waves to e⁻⁴ of their height on their way in and out; level set and velocities are
//! damped alike, so that a smooth zone hardly reflects. Zones that make waves are stronger, see `side.rs`. The side itself stays a wall: what goes through it is what the
//! blending adds to or takes from the level set, which is measured cell by cell and enters the ledger.
//!
//! Far fields: still water at a level; a linear (Airy) wave; a surface given in time, with the velocity `u = c η/(h + η)` of a
//! long wave of permanent form, `c = √(g h)`; dry ground, which takes all water away and leaves velocities alone; or a sea of many
//! waves, whose sums at the columns of the zone are made first (`sea/`).

mod cpu;
pub(crate) mod outside;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
pub(crate) mod sea;

use thalweg_columns::{Heights, Shape};
use thalweg_compute::{Buffer, ComputeError, Dispatch, Recording, kernel, uniform};

uniform! {
    /// A zone on the columns, and its far field at the end of a step.
    pub struct ZoneParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// 0: low x, 1: high x, 2: low z, 3: high z.
        pub side: u32,
        /// Columns from the side to the zone's inner end.
        pub layer: u32,
        /// See [`outside`].
        pub far_field: u32,
        /// `σ Δt`.
        pub strength: f32,
        /// Elevation of still water, cells.
        pub level: f32,
        /// Depth of still water, cells.
        pub depth: f32,
        /// Amplitude of a wave, cells; of a sea the share that has grown.
        pub amplitude: f32,
        /// Its wave number, radians per cell.
        pub wave_number: f32,
        /// Its `ω t`, radians, less whole turns.
        pub phase: f32,
        /// Its amplitude times `ω`, m/s.
        pub speed: f32,
        /// A given surface over the level at the side, cells.
        pub at_side: f32,
        /// The same in the middle of the zone.
        pub at_middle: f32,
        /// The same at its inner end.
        pub at_end: f32,
        /// Speed of long waves, m/s.
        pub celerity: f32,
        /// Wave number of the first band of a sea, radians per cell.
        pub band_0: f32,
        /// The same of the second.
        pub band_1: f32,
        /// The same of the third.
        pub band_2: f32,
        /// The same of the fourth.
        pub band_3: f32,
        /// The time as a share of the sea's period, in units of 2⁻³².
        pub turn: u32,
    }
}

kernel! {
    /// Blends the level set; of every column of the zone, what that adds in cells.
    pub struct RelaxCells slices RelaxCellsSlices = "tall.relax_cells" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/relax_cells.wgsl")), entry: "relax_cells",
        workgroup: [256, 1, 1],
        params: ZoneParams,
        cpu: cpu::relax_cells,
        read heights: [i32; 2],
        read terrain: f32,
        read solid: f32,
        read sea: [f32; 4],
        write phi: f32,
        write exchanged: f32,
    }
}

kernel! {
    /// Moves what came through a side between accounts: one workgroup.
    pub struct TransferZone slices TransferZoneSlices = "tall.transfer_zone" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/transfer_zone.wgsl")), entry: "transfer_zone",
        workgroup: [256, 1, 1],
        params: ZoneParams,
        cpu: cpu::transfer_zone,
        read exchanged: f32,
        write ledger: u32,
    }
}

kernel! {
    /// Blends velocities.
    pub struct RelaxFaces slices RelaxFacesSlices = "tall.relax_faces" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/relax_faces.wgsl")), entry: "relax_faces",
        workgroup: [256, 1, 1],
        params: ZoneParams,
        cpu: cpu::relax_faces,
        read heights: [i32; 2],
        read sea: [f32; 4],
        write faces: f32,
        write inner: f32,
    }
}

/// The water that a zone changes before remeshing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ZoneCells<'a> {
    pub(crate) heights: &'a Buffer<Heights>,
    /// Ground per column, cells.
    pub(crate) terrain: &'a Buffer<f32>,
    pub(crate) solid: &'a Buffer<f32>,
    pub(crate) phi: &'a Buffer<f32>,
}

impl ZoneParams {
    /// Columns of the zone.
    pub(crate) fn columns(&self) -> usize {
        (self.layer * if self.side < 2 { self.nz } else { self.nx }) as usize
    }

    fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }

    /// Records the blending of the level set, and the transfer of what it adds.
    pub(crate) fn relax_cells(
        &self,
        rec: &mut Recording<'_>,
        water: ZoneCells<'_>,
        sea: &Buffer<[f32; 4]>,
        exchanged: &Buffer<f32>,
        ledger: &Buffer<u32>,
    ) -> Result<(), ComputeError> {
        let ZoneCells { heights, terrain, solid, phi } = water;
        let kernel = RelaxCells { heights, terrain, solid, sea, phi, exchanged };
        rec.run(&kernel, self, Dispatch::Elements(self.columns()))?;
        rec.run(&TransferZone { exchanged, ledger }, self, Dispatch::Groups([1, 1, 1]))
    }

    /// Records the blending of velocities.
    pub(crate) fn relax_faces(
        &self,
        rec: &mut Recording<'_>,
        heights: &Buffer<Heights>,
        sea: &Buffer<[f32; 4]>,
        faces: &Buffer<f32>,
        inner: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        if self.far_field == outside::DRY {
            return Ok(());
        }
        let kernel = RelaxFaces { heights, sea, faces, inner };
        rec.run(&kernel, self, Dispatch::Elements(3 * self.columns() * self.samples as usize))
    }
}
