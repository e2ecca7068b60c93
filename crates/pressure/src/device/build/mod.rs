//! Building a hierarchy on the executor: coarse heights and fields from finer ones, then conductances and diagonals.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

use super::layout::{Layout, PackedLevel};
use crate::host::HierarchyOptions;
use crate::rows::Discretisation;

uniform! {
    /// One level. Kernels that make a coarse level get the next finer one.
    pub struct LevelParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// First column in the packed buffers.
        pub column_at: u32,
        /// First sample in the packed buffers.
        pub sample_at: u32,
        /// Number of the level.
        pub number: u32,
        /// Samples of all levels.
        pub total: u32,
        /// Whether the coarse level keeps air that only some children have.
        pub keep_air: u32,
        /// Smallest liquid share of a distance to air.
        pub theta_min: f32,
        /// First lowest solid sample of a column in `marks`.
        pub solids_at: u32,
    }
}

uniform! {
    /// One level whose diagonals are formed.
    pub struct DiagonalsParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// First column in the packed buffers.
        pub column_at: u32,
        /// First sample in the packed buffers.
        pub sample_at: u32,
        /// Number of the level.
        pub number: u32,
        /// Samples of all levels.
        pub total: u32,
        /// First end of a column in `marks`.
        pub ends_at: u32,
        /// First block in `matrix`.
        pub blocks_at: u32,
        /// Whether tall rows are collocated.
        pub collocated: u32,
        /// First lowest solid sample of a column in `marks`.
        pub solids_at: u32,
    }
}

uniform! {
    /// The finest level and its place.
    pub struct AdoptParams {
        /// Columns of the finest level.
        pub columns: u32,
        /// Its samples.
        pub len: u32,
        /// Samples of all levels.
        pub total: u32,
    }
}

uniform! {
    /// A small dense matrix.
    pub struct InvertParams {
        /// Rows.
        pub n: u32,
    }
}

kernel! {
    /// Copies heights and fields of the finest level out of a simulation's own buffers.
    pub struct Adopt slices AdoptSlices = "pressure.adopt" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/adopt.wgsl")), entry: "adopt",
        workgroup: [256, 1, 1],
        params: AdoptParams,
        cpu: cpu::adopt,
        read own_heights: [i32; 2],
        read phi: f32,
        read solid: f32,
        read own_open: f32,
        write heights: [i32; 2],
        write open: f32,
        write cells: f32,
    }
}

kernel! {
    /// `[H, T]` of the coarse columns over (up to) four fine ones.
    pub struct CoarsenHeights slices CoarsenHeightsSlices = "pressure.coarsen_heights" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/level_fields.wgsl")), entry: "coarsen_heights",
        workgroup: [256, 1, 1],
        params: LevelParams,
        cpu: cpu::coarsen_heights,
        write heights: [i32; 2],
    }
}

kernel! {
    /// Level set and solid fraction of the coarse samples over (up to) eight fine cells.
    pub struct CoarsenFields slices CoarsenFieldsSlices = "pressure.coarsen_fields" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/level_fields.wgsl")), entry: "coarsen_fields",
        workgroup: [256, 1, 1],
        params: LevelParams,
        cpu: cpu::coarsen_fields,
        write heights: [i32; 2],
        write open: f32,
        write cells: f32,
    }
}

kernel! {
    /// Open fractions of coarse faces: means over fine ones.
    pub struct CoarsenOpen slices CoarsenOpenSlices = "pressure.coarsen_open" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/level_fields.wgsl")), entry: "coarsen_open",
        workgroup: [256, 1, 1],
        params: LevelParams,
        cpu: cpu::coarsen_open,
        write heights: [i32; 2],
        write open: f32,
    }
}

kernel! {
    /// Conductances of coarse cells to bubbles that have vanished.
    pub struct CoarsenSinks slices CoarsenSinksSlices = "pressure.coarsen_sinks" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/level_fields.wgsl")), entry: "coarsen_sinks",
        workgroup: [256, 1, 1],
        params: LevelParams,
        cpu: cpu::coarsen_sinks,
        write heights: [i32; 2],
        write open: f32,
        write cells: f32,
    }
}

kernel! {
    /// Conductances of all faces of a level, and its flags.
    pub struct Conductances slices ConductancesSlices = "pressure.conductances" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/level_fields.wgsl")), entry: "conductances",
        workgroup: [256, 1, 1],
        params: LevelParams,
        cpu: cpu::conductances,
        write heights: [i32; 2],
        write open: f32,
        write cells: f32,
        write matrix: f32,
        write marks: u32,
    }
}

kernel! {
    /// Diagonals, their reciprocals, the blocks of tall cells, and where the unknowns of each column end.
    pub struct Diagonals slices DiagonalsSlices = "pressure.diagonals" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/diagonals.wgsl")), entry: "diagonals",
        workgroup: [256, 1, 1],
        params: DiagonalsParams,
        cpu: cpu::diagonals,
        read heights: [i32; 2],
        write cells: f32,
        write matrix: f32,
        write marks: u32,
    }
}

kernel! {
    /// Inverts a dense matrix of at most 128 rows in place; one workgroup. What belongs to no unknown becomes zero.
    pub struct Invert slices InvertSlices = "pressure.invert" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/invert.wgsl")), entry: "invert",
        workgroup: [256, 1, 1],
        params: InvertParams,
        cpu: cpu::invert,
        write direct: f32,
    }
}

impl LevelParams {
    /// For a level, or for the next coarser one of it.
    pub(crate) fn new(layout: &Layout, level: &PackedLevel, options: &HierarchyOptions) -> Self {
        Self {
            nx: level.shape.nx as u32,
            nz: level.shape.nz as u32,
            samples: level.shape.samples() as u32,
            column_at: level.column_at as u32,
            sample_at: level.sample_at as u32,
            number: level.number as u32,
            total: layout.samples() as u32,
            keep_air: u32::from(level.number < options.bubbles.levels),
            theta_min: options.theta_min as f32,
            solids_at: layout.solids_at() as u32,
        }
    }

    fn level(&self) -> PackedLevel {
        PackedLevel::of(self.nx, self.nz, self.samples, self.column_at, self.sample_at, self.number)
    }
}

impl DiagonalsParams {
    pub(crate) fn new(layout: &Layout, level: &PackedLevel, discretisation: Discretisation) -> Self {
        Self {
            nx: level.shape.nx as u32,
            nz: level.shape.nz as u32,
            samples: level.shape.samples() as u32,
            column_at: level.column_at as u32,
            sample_at: level.sample_at as u32,
            number: level.number as u32,
            total: layout.samples() as u32,
            ends_at: layout.ends_at() as u32,
            blocks_at: layout.blocks_at() as u32,
            collocated: u32::from(discretisation == Discretisation::Collocated),
            solids_at: layout.solids_at() as u32,
        }
    }

    fn level(&self) -> PackedLevel {
        PackedLevel::of(self.nx, self.nz, self.samples, self.column_at, self.sample_at, self.number)
    }
}
