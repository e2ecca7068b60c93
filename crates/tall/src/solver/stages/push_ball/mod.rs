//! Water in a ball takes a velocity, fully in its middle and less towards its rim.
//!
//! `u ← u + w (v − u)` with `w = (1 − d²/r²)²`: however often it is done, water is never faster than `v`. Runs of faces
//! beside tall cells and the lines inside them are left alone, as jets leave them. What was pushed is projected at
//! once, for the next step moves water before it projects.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{Dispatch, Recording, kernel, uniform};

use crate::error::Result;
use crate::solver::stages::extents;
use crate::solver::state::State;

uniform! {
    /// A ball, in cells from the corner of the domain, and its velocity.
    pub struct PushBallParams {
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
    pub struct PushBall slices PushBallSlices = "tall.push_ball" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/push_ball.wgsl")), entry: "push_ball",
        workgroup: [256, 1, 1],
        params: PushBallParams,
        cpu: cpu::push_ball,
        read heights: [i32; 2],
        write faces: f32,
    }
}

/// A ball of water, m from the corner of the domain, and the velocity that it takes, m/s.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ball {
    pub(crate) centre: [f64; 3],
    pub(crate) radius: f64,
    pub(crate) velocity: [f64; 3],
}

impl State {
    /// Records the velocity of a ball on its faces.
    pub(crate) fn push(&self, rec: &mut Recording<'_>, ball: &Ball) -> Result<()> {
        rec.stage("push");
        let [centre_x, centre_y, centre_z] = ball.centre.map(|x| (x / self.cell) as f32);
        let [velocity_x, velocity_y, velocity_z] = ball.velocity.map(|v| v as f32);
        let [nx, nz, samples] = extents(self.shape);
        let radius = (ball.radius / self.cell) as f32;
        let params = PushBallParams {
            nx,
            nz,
            samples,
            centre_x,
            centre_y,
            centre_z,
            radius,
            velocity_x,
            velocity_y,
            velocity_z,
        };
        let kernel = PushBall { heights: &self.now.heights, faces: &self.now.faces };
        Ok(rec.run(&kernel, &params, Dispatch::Elements(3 * self.shape.len()))?)
    }
}
