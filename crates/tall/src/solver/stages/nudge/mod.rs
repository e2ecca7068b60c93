//! A hand in the water: what is in a ball takes a velocity, fully in its middle and less towards its rim.
//!
//! `u ← u + w (v − u)` with `w = (1 − d²/r²)²`: however often it is done, water is never faster than the hand. Runs of faces beside tall
//! cells and the lines inside them are left alone, as jets leave them. What was pushed is projected at once, for the next step moves water
//! before it projects.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{Dispatch, kernel, uniform};

use crate::error::{Result, TallError};
use crate::water::TallWater;

uniform! {
    /// A ball, in cells from the corner of the domain, and its velocity.
    pub struct NudgeParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Middle of the ball, cells.
        pub centre_x: f32,
        /// See `centre_x`.
        pub centre_y: f32,
        /// See `centre_x`.
        pub centre_z: f32,
        /// Its radius, cells.
        pub radius: f32,
        /// Velocity, m/s.
        pub velocity_x: f32,
        /// See `velocity_x`.
        pub velocity_y: f32,
        /// See `velocity_x`.
        pub velocity_z: f32,
    }
}

kernel! {
    /// Gives the faces in a ball its velocity.
    pub struct Nudge slices NudgeSlices = "tall.nudge" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/nudge.wgsl")), entry: "nudge",
        workgroup: [256, 1, 1],
        params: NudgeParams,
        cpu: cpu::nudge,
        read heights: [i32; 2],
        write faces: f32,
    }
}

impl TallWater {
    /// Takes the water in a ball along: `centre` and `radius` in m from the corner of the domain, `velocity` in m/s. Water in the middle of
    /// the ball gets that velocity, water at its rim keeps its own; then all of it is made free of divergence.
    pub fn push(&mut self, centre: [f64; 3], radius: f64, velocity: [f64; 3]) -> Result<()> {
        let numbers = centre.iter().chain(&velocity).chain([&radius]);
        if !numbers.copied().all(f64::is_finite) || radius <= 0.0 {
            let range = "finite numbers, and a radius of more than 0 m".into();
            return Err(TallError::Setting { setting: "push", range });
        }
        if self.now.samples.is_some() {
            return Err(TallError::Collocated { what: "water that is pushed" });
        }
        let [centre_x, centre_y, centre_z] = centre.map(|x| (x / self.cell) as f32);
        let [velocity_x, velocity_y, velocity_z] = velocity.map(|v| v as f32);
        let params = NudgeParams {
            nx: self.shape.nx as u32,
            nz: self.shape.nz as u32,
            samples: self.shape.samples() as u32,
            centre_x,
            centre_y,
            centre_z,
            radius: (radius / self.cell) as f32,
            velocity_x,
            velocity_y,
            velocity_z,
        };
        let fastest = velocity.iter().fold(0.0_f64, |fastest, v| fastest.max(v.abs()));
        self.begin_speed = self.begin_speed.max(fastest);
        let exec = self.exec.clone();
        let mut rec = exec.record();
        rec.stage("push");
        let kernel = Nudge { heights: &self.now.heights, faces: &self.now.faces };
        rec.run(&kernel, &params, Dispatch::Elements(3 * self.shape.len()))?;
        rec.submit()?;
        self.free_of_divergence()
    }
}
