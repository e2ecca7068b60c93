//! Thin water is thickened before the grid loses it, \[000\] §3.9.2.
//!
//! A cell is thin where `−1.5 ≤ φ ≤ 0` (cells) and both `φ(x ± 3 n)` are positive, `n = ∇φ/|∇φ|`. Sixteen particles on
//! a disc of radius ½ across `n`, in the middle between the two surfaces, get the radius `−φ` of their places and go
//! with the water for the step. Then `φ ← min(φ, |x − x_p| − r_p)`. The published centre is meant relative to the cell.
//! In the very middle of a sheet `∇φ` vanishes: there `n` is the axis along which `φ` rises most to both sides. What
//! this adds to the water the controller of the volume takes away again.
//!
//! Particles write into the cells around them by the largest of integers, so that their order does not matter.

pub(crate) mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_columns::Shape;
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, kernel, uniform};

use crate::error::Result;
use crate::solver::stages::{Step, extents};
use crate::solver::state::State;

uniform! {
    /// The columns and the step.
    pub struct ThickenParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// `Δt/Δx`, s/m.
        pub cells_per_speed: f32,
    }
}

kernel! {
    /// Particles of thin cells write how near they come to the cells around them: `2²⁰ (8 − d)`, the largest counts, 0
    /// is none.
    pub struct Thicken slices ThickenSlices = "tall.thicken" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/thicken.wgsl")), entry: "thicken",
        workgroup: [256, 1, 1],
        params: ThickenParams,
        cpu: cpu::thicken,
        read heights: [i32; 2],
        read phi: f32,
        read centres: [f32; 4],
        write keys: u32,
    }
}

kernel! {
    /// The level set is at most what the particles wrote.
    pub struct Merge slices MergeSlices = "tall.merge_thickened" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/merge.wgsl")), entry: "merge",
        workgroup: [256, 1, 1],
        params: ThickenParams,
        cpu: cpu::merge,
        read keys: u32,
        write moved: f32,
    }
}

/// What thickening remembers during a step.
#[derive(Debug)]
pub(crate) struct Thickener {
    keys: Buffer<u32>,
}

impl Thickener {
    pub(crate) fn new(exec: &Executor, shape: Shape) -> std::result::Result<Self, ComputeError> {
        Ok(Self { keys: exec.buffer("tall.thicken_keys", shape.len())? })
    }

    /// Records that the moved level set is thickened, still on the old columns.
    pub(super) fn record(&self, rec: &mut Recording<'_>, s: &State, step: &Step) -> Result<()> {
        let Self { keys } = self;
        let flow = s.record_flow(rec, &step.options)?;
        rec.clear(keys)?;
        let [nx, nz, samples] = extents(s.shape);
        let params = ThickenParams { nx, nz, samples, cells_per_speed: (step.moment.dt / s.cell) as f32 };
        let all = || Dispatch::Elements(s.shape.len());
        rec.run(&Thicken { heights: flow.heights, phi: flow.phi, centres: flow.velocity, keys }, &params, all())?;
        Ok(rec.run(&Merge { keys, moved: &s.next.phi }, &params, all())?)
    }
}
