//! Coordinates of a texture that drift with the water (Neyret 2003).
//!
//! A layer keeps, per column, how far the water that is there now has come since the layer was set back:
//! `X(x) = x + o(x)` with `∂X/∂t + u·∇X = 0`, by the back and forth error compensation of Kim et al. 2005. Three layers
//! are set back in turn; each counts most in the middle of its life and nothing when it is set back, and less where the
//! flow has stretched it.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

pub(crate) use crate::constants::carry::LAYERS;
use thalweg_compute::{kernel, uniform};

uniform! {
    /// Columns, and a step.
    pub struct CarryParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Columns that water of 1 m/s passes in the step; less than 0: back in time.
        pub reach: f32,
        /// Share of the error, `before − returned`, that is added before the step.
        pub correction: f32,
        /// 0 where the first layer is set back, else 1.
        pub keep_0: f32,
        /// The same of the second.
        pub keep_1: f32,
        /// The same of the third.
        pub keep_2: f32,
    }
}

kernel! {
    /// Moves the offsets of all layers along the flow. Velocities are in m/s, offsets in columns, a plane of columns
    /// per layer.
    pub struct Carry slices CarrySlices = "waves.carry" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/carry.wgsl")), entry: "carry",
        workgroup: [256, 1, 1],
        params: CarryParams,
        cpu: cpu::carry,
        read velocity: [f32; 2],
        read before: [f32; 2],
        read returned: [f32; 2],
        write after: [f32; 2],
    }
}

uniform! {
    /// Columns, and how old the layers are.
    pub struct PublishParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// First word of the columns in the output.
        pub head: u32,
        /// Weight of the first layer by its age.
        pub weight_0: f32,
        /// The same of the second.
        pub weight_1: f32,
        /// The same of the third.
        pub weight_2: f32,
    }
}

kernel! {
    /// Per column and layer: offset along x and z, weight; weights are such that uncorrelated layers keep their
    /// contrast.
    pub struct Publish slices PublishSlices = "waves.publish" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/publish.wgsl")), entry: "publish",
        workgroup: [256, 1, 1],
        params: PublishParams,
        cpu: cpu::publish,
        read offsets: [f32; 2],
        write words: f32,
    }
}
