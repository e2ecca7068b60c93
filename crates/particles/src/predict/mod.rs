//! Prediction of position-based fluids: v += dt g, x* = x + dt v, no farther than the first solid on the way.
//!
//! Bytes a particle: 32 + 16.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::kernel;

use crate::params::StepParams;
pub(crate) use cpu::slowed;

kernel! {
    /// Where every particle goes by itself.
    pub struct Predict slices PredictSlices = "particles.predict" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/predict.wgsl")), entry: "predict",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::predict,
        read extent: u32,
        read places: [f32; 4],
        read motions: [f32; 4],
        read solids: f32,
        read distances: f32,
        read ground: f32,
        write predicted: [f32; 4],
    }
}
