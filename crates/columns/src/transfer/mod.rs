//! Fields on new heights, on the host ([`transfer_cells`], [`transfer_faces`]) and as kernels ([`DeviceRemesh`]).
//!
//! One invocation writes one entry; the one that owns the upper end of the line inside a tall cell writes its lower end
//! too.

mod cpu;
mod fit;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{Buffer, ComputeError, Dispatch, Recording, kernel, uniform};

use crate::constants::above;
use crate::{Heights, Shape};

pub use fit::{ColumnSpan, fit_line, transfer_cells, transfer_column, transfer_faces};

uniform! {
    /// The columns of two grids that differ in heights only.
    pub struct TransferParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// What lies over the old top, see [`AboveTop`].
        pub above: u32,
        /// First entry of a field of samples in its buffers.
        pub start: u32,
    }
}

kernel! {
    /// Moves a field of samples to new heights. One function reads the lines of all fields, so `inner` must be bound;
    /// it is not read.
    pub struct TransferCells slices TransferCellsSlices = "columns.transfer_cells" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/transfer.wgsl")), entry: "transfer_cells",
        workgroup: [256, 1, 1],
        params: TransferParams,
        cpu: cpu::transfer_cells,
        read old_heights: [i32; 2],
        read new_heights: [i32; 2],
        read values: f32,
        read inner: f32,
        write moved: f32,
    }
}

kernel! {
    /// Moves face velocities to new heights.
    pub struct TransferFaces slices TransferFacesSlices = "columns.transfer_faces" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/transfer.wgsl")), entry: "transfer_faces",
        workgroup: [256, 1, 1],
        params: TransferParams,
        cpu: cpu::transfer_faces,
        read old_heights: [i32; 2],
        read new_heights: [i32; 2],
        read values: f32,
        read inner: f32,
        write moved: f32,
        write moved_inner: f32,
    }
}

/// What lies over the old top of a column that grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum AboveTop {
    /// The top value goes on.
    Constant = above::CONSTANT,
    /// The top value plus the distance in cells: a level set in cells, over water or in air.
    Distance = above::DISTANCE,
}

/// Two grids of the same columns and samples that differ in heights: fields move from the old to the new one. Buffers
/// of heights may be longer than the columns, as those of a hierarchy of levels are.
#[derive(Debug, Clone, Copy)]
pub struct DeviceRemesh<'a> {
    /// Columns and samples of both.
    pub shape: Shape,
    /// `[H, T]` per column before.
    pub old: &'a Buffer<Heights>,
    /// `[H, T]` per column after.
    pub new: &'a Buffer<Heights>,
}

impl DeviceRemesh<'_> {
    /// Records the move of a field with one value per sample:
    /// [`transfer_cells`].
    pub fn transfer_cells(
        &self,
        rec: &mut Recording<'_>,
        above: AboveTop,
        field: &Buffer<f32>,
        moved: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        self.transfer_plane(rec, (above, 0), field, moved)
    }

    /// Records the move of velocities of samples, three planes of one value each.
    pub fn transfer_samples(
        &self,
        rec: &mut Recording<'_>,
        u: &Buffer<f32>,
        moved: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        (0..3).try_for_each(|plane| self.transfer_plane(rec, (AboveTop::Constant, plane), u, moved))
    }

    fn transfer_plane(
        &self,
        rec: &mut Recording<'_>,
        (above, plane): (AboveTop, usize),
        field: &Buffer<f32>,
        moved: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let kernel = TransferCells { old_heights: self.old, new_heights: self.new, values: field, inner: field, moved };
        let params = TransferParams { start: (plane * self.shape.len()) as u32, ..self.params(above) };
        rec.run(&kernel, &params, Dispatch::Elements(self.shape.len()))
    }

    /// Records the move of face velocities, `[faces, inner]` before and after:
    /// [`transfer_faces`].
    pub fn transfer_faces(
        &self,
        rec: &mut Recording<'_>,
        [values, inner]: [&Buffer<f32>; 2],
        [moved, moved_inner]: [&Buffer<f32>; 2],
    ) -> Result<(), ComputeError> {
        let kernel = TransferFaces { old_heights: self.old, new_heights: self.new, values, inner, moved, moved_inner };
        rec.run(&kernel, &self.params(AboveTop::Constant), Dispatch::Elements(3 * self.shape.len()))
    }

    fn params(&self, above: AboveTop) -> TransferParams {
        TransferParams {
            nx: self.shape.nx as u32,
            nz: self.shape.nz as u32,
            samples: self.shape.samples() as u32,
            above: above as u32,
            start: 0,
        }
    }
}

impl TransferParams {
    fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }
}
