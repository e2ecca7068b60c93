//! The surface on a lattice twice as fine as the simulation (\[000\] Table 2), its columns aligned (`grid.rs`).
//!
//! The water *is* the fine level set, in fine cells: it is moved and reinitialised by itself, and volumes are measured
//! on it. Velocities and pressure stay on the columns, whose own level set follows the fine one ([`Restrict`]) in every
//! step:
//!
//! - near the surface it is the mean of the fine values in a cell, halved, which has second order, and so do the signs
//!   and the places of the surface that the projection sees;
//! - farther out, where fine values end at [`BAND`](crate::solver::surface::level_set::reinitialise::BAND) fine cells,
//!   only the sign is taken, and the distance is what the columns' own level set has moved to: extrapolation, margins
//!   and controller look farther than fine values go;
//! - a cell that holds water but whose mean is air, and that no cell of water touches, takes the *least* fine value.
//!   Sheets and drops thinner than a cell are then water for the projection, fall, and have cubic cells around them;
//!   left to the mean alone they would hang in the air, where nothing gives them a velocity. Beside other water this is
//!   no use and would thicken every surface; on the ground a film that is made thicker runs away from the lake that it
//!   lies still beside.
//!
//! Fine cells are as solid as the cell that they lie in ([`FineSolid`]); their faces are closed where those of the
//! columns are ([`FineOpen`]), inside a cell they are open. The level set is continued into all obstacles, those at
//! rest too: advection reads one cell across walls, and a block that began dry took 8 % of the water that broke over
//! it, a barrier 11 to 14 %.
//!
//! Sources and open sides change the fine level set too (`stages/exchange/fine.rs`).

mod columns;
pub(crate) mod constants;
mod grid;
mod host;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
mod restrict;
mod surface;
#[cfg(test)]
mod tests;
mod volume;

use thalweg_columns::Shape;
use thalweg_compute::{kernel, uniform};

pub(crate) use grid::{FineGrid, fine_heights};
pub(crate) use host::FineHost;
pub(crate) use surface::{ColumnSolids, FineCells, FineSurface};

use crate::solver::view::statistics::StatsParams;

uniform! {
    /// The columns.
    pub struct FineParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
    }
}

impl FineParams {
    fn grid(&self) -> FineGrid {
        FineGrid::new(Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 })
    }
}

kernel! {
    /// Heights of fine columns.
    pub struct FineHeights slices FineHeightsSlices = "tall.fine_heights" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/fine_heights.wgsl")), entry: "fine_heights_of_columns",
        workgroup: [256, 1, 1],
        params: FineParams,
        cpu: columns::fine_heights_of_columns,
        read heights: [i32; 2],
        write fine_heights: [i32; 2],
    }
}

kernel! {
    /// Fine lines in tall cells that are all water or all air are so too: rounding in the fit of a line must not open a
    /// bubble.
    pub struct FineEnds slices FineEndsSlices = "tall.fine_ends" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/fine_ends.wgsl")), entry: "fine_ends",
        workgroup: [256, 1, 1],
        params: FineParams,
        cpu: columns::fine_ends,
        read heights: [i32; 2],
        read phi: f32,
        write fine: f32,
    }
}

kernel! {
    /// 1 for fine faces that are open, 0 for others.
    pub struct FineOpen slices FineOpenSlices = "tall.fine_open" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/fine_open.wgsl")), entry: "fine_open",
        workgroup: [256, 1, 1],
        params: FineParams,
        cpu: columns::fine_open,
        read heights: [i32; 2],
        read aperture: f32,
        write open: f32,
    }
}

kernel! {
    /// Solid fractions of fine cells: those of the cells that they lie in. There are no obstacles in tall cells.
    pub struct FineSolid slices FineSolidSlices = "tall.fine_solid" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/fine_solid.wgsl")), entry: "solid_of_fine_cells",
        workgroup: [256, 1, 1],
        params: FineParams,
        cpu: columns::solid_of_fine_cells,
        read heights: [i32; 2],
        read solid: f32,
        write fine_solid: f32,
    }
}

kernel! {
    /// The level set of the columns from the fine one, in place.
    pub struct Restrict slices RestrictSlices = "tall.restrict" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/restrict.wgsl")), entry: "restrict_level_set",
        workgroup: [256, 1, 1],
        params: FineParams,
        cpu: restrict::restrict_level_set,
        read heights: [i32; 2],
        read solid: f32,
        read fine: f32,
        write phi: f32,
    }
}

kernel! {
    /// Puts the volume of the fine level set in the place of that of the columns, in partial results of the statistics.
    pub struct FineVolume slices FineVolumeSlices = "tall.fine_volume" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/fine_volume.wgsl")), entry: "fine_volume",
        workgroup: [256, 1, 1],
        params: StatsParams,
        cpu: volume::fine_volume,
        read heights: [i32; 2],
        read terrain: f32,
        read solid: f32,
        read fine: f32,
        write partials: u32,
    }
}
