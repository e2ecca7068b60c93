//! The velocity of the water in every cell, for what drifts on it.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{Buffer, Dispatch, Recording, kernel, uniform};

use crate::error::Result;

uniform! {
    /// The grid.
    pub struct DriftParams {
        /// Cells of the domain.
        pub cells: u32,
        /// Depth below which velocities fade, m.
        pub h_eps: f32,
    }
}

kernel! {
    /// Velocities along x and z, m/s.
    pub struct Drift slices DriftSlices = "shallow.drift" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/drift_of_cells.wgsl")), entry: "drift_of_cells",
        workgroup: [256, 1, 1],
        params: DriftParams,
        cpu: cpu::drift,
        read state: f32,
        read bed: f32,
        write velocity: [f32; 2],
    }
}

/// A height field on equal cells in memory of the executor.
#[derive(Debug, Clone, Copy)]
pub struct HeightView<'a> {
    /// Three planes: the surface above the datum where the bed is below it and the depth elsewhere, m; discharge along
    /// x and z, m²/s.
    pub state: &'a Buffer<f32>,
    /// Bed above the datum, m.
    pub bed: &'a Buffer<f32>,
    /// Elevation of the datum, m.
    pub datum: f64,
}

impl HeightView<'_> {
    /// Records the velocity of every cell, m/s.
    pub(crate) fn record_drift(&self, rec: &mut Recording<'_>, velocity: &Buffer<[f32; 2]>, h_eps: f32) -> Result<()> {
        let cells = self.bed.len();
        let kernel = Drift { state: self.state, bed: self.bed, velocity };
        Ok(rec.run(&kernel, &DriftParams { cells: cells as u32, h_eps }, Dispatch::Elements(cells))?)
    }
}
