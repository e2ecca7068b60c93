//! Velocity of the surface per column: what lies on the water drifts with it.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

use thalweg_compute::{Buffer, Dispatch, Recording, kernel, uniform};

use crate::error::Result;
use crate::solver::stages::extents;
use crate::solver::view::View;
use crate::water::TallWater;

uniform! {
    /// Columns.
    pub struct DriftParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
    }
}

kernel! {
    /// Velocity along x and z in the highest wet cell of every column, m/s; 0 where it is dry.
    pub struct Drift slices DriftSlices = "tall.drift" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/drift.wgsl")), entry: "drift",
        workgroup: [256, 1, 1],
        params: DriftParams,
        cpu: cpu::drift,
        read heights: [i32; 2],
        read phi: f32,
        read faces: f32,
        write velocity: [f32; 2],
    }
}

impl TallWater {
    /// Records the velocity of the surface, m/s, along x and z; one entry per column `i + nx * k`.
    pub fn record_drift(&self, rec: &mut Recording<'_>, velocity: &Buffer<[f32; 2]>) -> Result<()> {
        let View { state: s, .. } = self.view();
        let [nx, nz, samples] = extents(s.shape);
        let kernel = Drift { heights: &s.now.heights, phi: &s.now.phi, faces: &s.now.faces, velocity };
        Ok(rec.run(&kernel, &DriftParams { nx, nz, samples }, Dispatch::Elements(s.shape.columns()))?)
    }
}
