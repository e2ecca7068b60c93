//! Velocities are carried by themselves: MacCormack with reversion.
//!
//! Velocities live on faces, but are traced at centres, once for all three components (\[000\] §3.6): [`Centre`]
//! averages the faces, [`Advect`] goes back along the flow, [`Correct`] adds the error that going forth again shows
//! (Selle et al. 2008), and [`Increment`] hands the *change* of the centres back to the faces. Absolute values averaged
//! back would be a (¼, ½, ¼) filter in every step; changes are not. Centres of a tall cell are the two ends of a line;
//! they take the plain step and read the lines around them alone. Read among cells, the kink between line and cells
//! pushes the same way whether the water rises or sinks: a small wave in a tank gained 2 % of its energy per period.
//! Corrected ends, and lines drawn on beyond their ends, gain energy too; as it is a wave of a tenth of the depth loses
//! 5 % per period, on a uniform grid 2 %.

mod between;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
mod sample;
#[cfg(test)]
mod tests;
mod velocities;

pub(crate) use cpu::{places, trace};
pub(crate) use sample::{Centres, FaceField, Field, Point};
use thalweg_columns::Shape;
use thalweg_compute::{kernel, uniform};
pub(crate) use velocities::{AIR, VelocityAdvection};

use super::extents;
use crate::setup::Options;
use crate::solver::state::State;
use crate::solver::surface::level_set::advect::SHARP;

uniform! {
    /// The columns, and how far the flow goes in a step.
    pub struct AdvectParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// `Δt/Δx`, s/m: cells that a velocity of 1 m/s crosses.
        pub cells_per_speed: f32,
        /// Samples farther out in the air than this (cells) are left alone.
        pub band: f32,
        /// The level set is read by cubics where it is nearer to the surface than this, cells.
        pub sharp: f32,
    }
}

impl AdvectParams {
    /// Of a flow for `dt` seconds. Samples farther out in the air than `band` cells are left alone.
    pub(in crate::solver) fn new(s: &State, options: &Options, dt: f64, band: f32) -> Self {
        let [nx, nz, samples] = extents(s.shape);
        let sharp = if options.cubic_surface { SHARP } else { 0.0 };
        Self { nx, nz, samples, cells_per_speed: (dt / s.cell) as f32, band, sharp }
    }

    pub(crate) fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }
}

kernel! {
    /// Velocities at the samples, from the faces around them.
    pub struct Centre slices CentreSlices = "tall.centre" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/centre.wgsl")), entry: "centre",
        workgroup: [256, 1, 1],
        params: AdvectParams,
        cpu: cpu::centre,
        read heights: [i32; 2],
        read faces: f32,
        read inner: f32,
        write centres: [f32; 4],
    }
}

kernel! {
    /// `ĉ(x) = c(x − Δt u)`, and the point that it was read at.
    pub struct Advect slices AdvectSlices = "tall.advect" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/trace.wgsl")), entry: "advect",
        workgroup: [256, 1, 1],
        params: AdvectParams,
        cpu: cpu::advect,
        read heights: [i32; 2],
        read phi: f32,
        read centres: [f32; 4],
        write hat: [f32; 4],
        write departures: [f32; 4],
    }
}

kernel! {
    /// The change `c' − c` with `c' = ĉ + ½ (c − ĉ(x + Δt u))` where that makes no new extremum, in the place of the
    /// points.
    pub struct Correct slices CorrectSlices = "tall.correct" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/trace.wgsl")), entry: "correct",
        workgroup: [256, 1, 1],
        params: AdvectParams,
        cpu: cpu::correct,
        read heights: [i32; 2],
        read phi: f32,
        read centres: [f32; 4],
        write hat: [f32; 4],
        write departures: [f32; 4],
    }
}

kernel! {
    /// Adds changes of the samples to the faces between them.
    pub struct Increment slices IncrementSlices = "tall.increment" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/increment.wgsl")), entry: "increment",
        workgroup: [256, 1, 1],
        params: AdvectParams,
        cpu: cpu::increment,
        read heights: [i32; 2],
        read changes: [f32; 4],
        write faces: f32,
        write inner: f32,
    }
}
