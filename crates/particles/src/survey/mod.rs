//! What a frame ends with: the largest speed, from which the next one has its sub-steps, and the largest density.
//!
//! Bytes a particle: 20.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

use thalweg_compute::kernel;

use crate::params::StepParams;

kernel! {
    /// Extremes over all particles; begins with words of 0.
    pub struct Survey slices SurveySlices = "particles.survey" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/survey.wgsl")), entry: "survey",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::survey,
        read extent: u32,
        read places: [f32; 4],
        read motions: [f32; 4],
        read density: f32,
        write extremes: u32,
    }
}
