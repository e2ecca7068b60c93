//! Fourier transforms of rows or columns, `f(x) = Σ F(k) e^(+ikx)` without a factor, each in the memory of one
//! workgroup.
//!
//! Both bodies take the same butterflies of two in the same order (Cooley and Tukey 1965), so that they agree to
//! rounding and the processor gives the same bits on every machine; a library that picks instructions by machine would
//! not.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use std::f64::consts::TAU;

pub(crate) use crate::constants::fft::LONGEST;
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, kernel, uniform};

uniform! {
    /// Square fields, one after the other.
    pub struct FftParams {
        /// Points along a side, a power of two from 64 to 512.
        pub points: u32,
        /// Its logarithm to base 2.
        pub stages: u32,
        /// Lines of all fields.
        pub lines: u32,
        /// 0: lines are rows; 1: columns.
        pub columns: u32,
    }
}

kernel! {
    /// Transforms lines in place, one workgroup each.
    pub struct Fft slices FftSlices = "waves.fft" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/fft.wgsl")), entry: "fft",
        workgroup: [256, 1, 1],
        params: FftParams,
        cpu: cpu::fft,
        read roots: [f32; 2],
        write fields: [f32; 2],
    }
}

/// `e^(2πi n/N)` for the first half of a circle.
pub(crate) fn roots(exec: &Executor, points: u32) -> Result<Buffer<[f32; 2]>, ComputeError> {
    let root = |n: u32| {
        let angle = TAU * f64::from(n) / f64::from(points);
        [libm::cos(angle) as f32, libm::sin(angle) as f32]
    };
    exec.buffer_from("waves.roots", &(0..points / 2).map(root).collect::<Vec<_>>())
}

/// Records the transforms of `count` fields in both directions.
pub(crate) fn record(
    rec: &mut Recording<'_>,
    roots: &Buffer<[f32; 2]>,
    fields: &Buffer<[f32; 2]>,
    points: u32,
    count: u32,
) -> Result<(), ComputeError> {
    for columns in [0, 1] {
        let p = FftParams { points, stages: points.trailing_zeros(), lines: count * points, columns };
        let groups = thalweg_compute::fold(p.lines.into()).unwrap_or([p.lines, 1, 1]);
        rec.run(&Fft { roots, fields }, &p, Dispatch::Groups(groups))?;
    }
    Ok(())
}
