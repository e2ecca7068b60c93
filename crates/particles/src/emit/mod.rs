//! Sources: particles that come in, in whole numbers.
//!
//! A source lets a particle go whenever its flow has brought the volume of one; what is left is carried on, so that
//! after any time the number is that of the volume to one particle. Each one begins on the lattice of the source's
//! cross-section, in turn, as far along its way as it would be by the end of the sub-step. Where and when they come is
//! known before a frame, on the host ([`plan`]); [`Emit`] puts them behind those that are there.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
pub(crate) mod plan;
#[cfg(test)]
mod tests;

use thalweg_compute::kernel;

use crate::params::StepParams;
pub use plan::Source;

kernel! {
    /// Puts the particles of a sub-step behind those that are there, as far as there are free slots.
    pub struct Emit slices EmitSlices = "particles.emit" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/emit.wgsl")), entry: "emit",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::emit,
        read extent: u32,
        read born: [f32; 4],
        write places: [f32; 4],
        write motions: [f32; 4],
        write ids: u32,
    }
}

kernel! {
    /// Counts them among those that are there: one invocation.
    pub struct Admit slices AdmitSlices = "particles.admit" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/admit.wgsl")), entry: "admit",
        workgroup: [1, 1, 1],
        params: StepParams,
        cpu: cpu::admit,
        write extent: u32,
        write tally: u32,
    }
}
