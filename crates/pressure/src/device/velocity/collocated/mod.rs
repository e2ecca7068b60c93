//! Velocities of samples around a solve on the executor: what [`velocity::Collocated`](crate::velocity::Collocated)
//! does on the host. They belong to [`Discretisation::Collocated`](crate::Discretisation::Collocated).

#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use thalweg_columns::Heights;
use thalweg_compute::{Buffer, ComputeError, Dispatch, Recording, kernel};

use super::{DeviceStaggered, VelocityParams};
use crate::constants::plane;
use crate::device::hierarchy::DeviceHierarchy;
use crate::rows::{Discretisation, LevelView};
use crate::velocity::Collocated;

kernel! {
    /// `b = −Δx² ∇·u` of velocities of samples in the unknowns, 0 elsewhere; m²/s.
    pub struct SampleRhs slices SampleRhsSlices = "pressure.sample_rhs" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/sample_rhs.wgsl")), entry: "sample_rhs",
        workgroup: [256, 1, 1],
        params: VelocityParams,
        cpu: sample_rhs,
        read heights: [i32; 2],
        read cells: f32,
        read aperture: f32,
        read solid_velocity: f32,
        read u: f32,
        write b: f32,
    }
}

kernel! {
    /// `u −= ∇q` of velocities of samples in the unknowns.
    pub struct SampleUpdate slices SampleUpdateSlices = "pressure.sample_update" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/sample_update.wgsl")), entry: "sample_update",
        workgroup: [256, 1, 1],
        params: VelocityParams,
        cpu: sample_update,
        read heights: [i32; 2],
        read cells: f32,
        read matrix: f32,
        read aperture: f32,
        read solid_velocity: f32,
        read q: f32,
        write u: f32,
    }
}

/// What both kernels read of a level.
struct Read<'a> {
    heights: &'a [Heights],
    cells: &'a [f32],
    weights: &'a [f32],
    aperture: &'a [f32],
    solid: &'a [f32],
}

/// The operators of the host over the buffers' memory.
fn operators<'a>(p: &VelocityParams, read: &Read<'a>) -> Collocated<'a, f32> {
    let shape = p.shape();
    let level = LevelView {
        shape,
        heights: &read.heights[..shape.columns()],
        weights: read.weights,
        diagonal: &read.cells[plane::DIAGONAL * p.total as usize..][..shape.len()],
        blocks: &[],
        unit: false,
        discretisation: Discretisation::Collocated,
    };
    let solid = if p.moving_solids != 0 { &read.solid[..3 * shape.len()] } else { &[] };
    Collocated::over(level, [p.cell, 0.5 * p.per_cell], Cow::Borrowed(read.aperture), solid)
}

fn sample_rhs(p: &VelocityParams, s: SampleRhsSlices<'_>) {
    let len = p.shape().len();
    let read = Read { heights: s.heights, cells: s.cells, weights: &[], aperture: s.aperture, solid: s.solid_velocity };
    operators(p, &read).rhs(&s.u[..3 * len], &mut s.b[..len]);
}

fn sample_update(p: &VelocityParams, s: SampleUpdateSlices<'_>) {
    let len = p.shape().len();
    let weights = &s.matrix[..3 * len];
    let read = Read { heights: s.heights, cells: s.cells, weights, aperture: s.aperture, solid: s.solid_velocity };
    operators(p, &read).update(&s.q[..len], &mut s.u[..3 * len]);
}

/// The collocated operators over the finest level of a [`DeviceHierarchy`], with the apertures and the velocities of
/// solids that a [`DeviceStaggered`] holds. Velocities are three planes (x, y, z) of one value per sample, m/s.
#[derive(Debug, Clone, Copy)]
pub struct DeviceCollocated<'a> {
    /// Apertures and solids.
    pub faces: &'a DeviceStaggered,
}

impl DeviceCollocated<'_> {
    /// Records `b = −Δx² ∇·u` in the unknowns, 0 elsewhere.
    pub fn rhs(
        &self,
        rec: &mut Recording<'_>,
        levels: &DeviceHierarchy,
        u: &Buffer<f32>,
        b: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let kernel = SampleRhs {
            heights: levels.heights(),
            cells: levels.cells(),
            aperture: &self.faces.aperture,
            solid_velocity: &self.faces.solids,
            u,
            b,
        };
        rec.run(&kernel, &self.faces.params(levels), Dispatch::Elements(self.faces.shape.len()))
    }

    /// Records `u −= ∇q` in the unknowns.
    pub fn update(
        &self,
        rec: &mut Recording<'_>,
        levels: &DeviceHierarchy,
        q: &Buffer<f32>,
        u: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let kernel = SampleUpdate {
            heights: levels.heights(),
            cells: levels.cells(),
            matrix: levels.matrix(),
            aperture: &self.faces.aperture,
            solid_velocity: &self.faces.solids,
            q,
            u,
        };
        rec.run(&kernel, &self.faces.params(levels), Dispatch::Elements(3 * self.faces.shape.len()))
    }
}
