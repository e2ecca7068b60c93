//! Sides that hold a level: at which level the water stands beyond each of their faces, worked out before every
//! sub-step.
//!
//! The flux kernels ask one number of such a side, the level at the face (`crate::boundary::held`). It is
//!
//! | rule | level |
//! | --- | --- |
//! | given | of a series in time; or, if the side has a memory, what absorbs waves and comes to that level in the mean |
//! | rating | that at which all faces together let out what the curve says |
//! | normal | that at which a face lets out what uniform flow on its slope carries, q = h^(5/3) √S / n |
//!
//! One workgroup does a side; sums over its faces have a fixed order.

mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
pub(crate) mod rules;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

use crate::error::{Result, invalid};
use crate::from_model::Stage;
use crate::setup::SIDES;
pub(crate) use constants::{HALVINGS, UNSET, rule};

uniform! {
    /// One side that holds a level.
    pub struct SideParams {
        /// 0 west, 1 east, 2 south, 3 north.
        pub side: u32,
        /// See `rule`.
        pub rule: u32,
        /// Cells along x; of a tree the finest ones.
        pub nx: u32,
        /// Cells along z.
        pub nz: u32,
        /// First and one past the last cell along the side.
        pub start: u32, pub stop: u32,
        /// Levels of a tree, else 1.
        pub levels: u32,
        /// Width of a face, m.
        pub face: f32,
        /// m/s².
        pub gravity: f32,
        /// Depth below which velocities fade, m.
        pub h_eps: f32,
        /// Time over which the velocity of the water outside follows that inside, s; 0: the level is held strictly.
        pub memory: f32,
        /// √S / n, m^(1/3)/s.
        pub conveyance: f32,
        /// First point of the rating curve, and how many it has.
        pub curve_start: u32, pub curve_len: u32,
    }
}

impl SideParams {
    /// The cell inside of a face of the side.
    pub(crate) fn edge_cell(&self, along: u32) -> [u32; 2] {
        match self.side {
            0 => [0, along],
            1 => [self.nx - 1, along],
            2 => [along, 0],
            _ => [along, self.nz - 1],
        }
    }
}

kernel! {
    /// Levels at the faces of one side. The first half of `levels` are levels, m above the datum, the second what faces
    /// remember, m/s.
    pub struct Sides slices SidesSlices = "shallow.sides" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/sides.wgsl")), entry: "settle_side",
        workgroup: [256, 1, 1],
        params: SideParams,
        cpu: cpu::settle_side,
        read state: f32,
        read bed: f32,
        read clock: f32,
        read curves: f32,
        write levels: f32,
    }
}

/// The sides of a domain that hold a level, and what they know.
#[derive(Debug, Default)]
pub(crate) struct SidePlan {
    pub(crate) sides: Vec<SideParams>,
    /// Points of all rating curves: level above the datum (m), discharge (m³/s).
    pub(crate) curves: Vec<f32>,
}

/// What all sides share: cells along x and z, levels of a tree, size of a face (m), gravity (m/s²), thin depth (m),
/// datum (m).
pub(crate) struct Shore {
    pub(crate) size: [u32; 2],
    pub(crate) levels: u32,
    pub(crate) face: f64,
    pub(crate) gravity: f64,
    pub(crate) h_eps: f32,
    pub(crate) datum: f64,
}

impl SidePlan {
    /// Adds a side.
    pub(crate) fn add(&mut self, shore: &Shore, side: usize, stage: &Stage, span: &std::ops::Range<u32>) -> Result<()> {
        if let Some(what) = fault(stage) {
            return invalid(format!("side {side}: {what}"));
        }
        let mut params: SideParams = bytemuck::Zeroable::zeroed();
        (params.side, params.levels) = (side as u32, shore.levels);
        [params.nx, params.nz] = shore.size;
        (params.start, params.stop) = (span.start, span.end);
        (params.face, params.gravity, params.h_eps) = (shore.face as f32, shore.gravity as f32, shore.h_eps);
        match stage {
            Stage::Given { absorb, .. } => (params.rule, params.memory) = (rule::GIVEN, *absorb as f32),
            Stage::Rating { curve } => {
                params.rule = rule::RATING;
                (params.curve_start, params.curve_len) = ((self.curves.len() / 2) as u32, curve.len() as u32);
                self.curves.extend(curve.iter().flat_map(|[level, q]| [(level - shore.datum) as f32, *q as f32]));
            }
            Stage::Normal { slope, manning } => {
                (params.rule, params.conveyance) = (rule::NORMAL, (slope.sqrt() / manning) as f32);
            }
        }
        self.sides.push(params);
        Ok(())
    }

    /// Kinds of the sides as the clock sees them, which asks how fast water comes in: through some that hold a level
    /// none does.
    pub(crate) fn entering(&self, mut kinds: [u32; SIDES]) -> [u32; SIDES] {
        for side in self.sides.iter().filter(|side| side.rule != rule::GIVEN) {
            kinds[side.side as usize] = crate::boundary::kind::WALL;
        }
        kinds
    }

    /// What `levels` holds at the start; empty if no side holds a level.
    pub(crate) fn first_levels(&self, [nx, nz]: [u32; 2]) -> Vec<f32> {
        let faces = if self.sides.is_empty() { 0 } else { 2 * (nx as usize + nz as usize) };
        let mut levels = vec![0.0; 2 * faces];
        levels[faces..].fill(UNSET);
        levels
    }
}

/// What is wrong with what the level at a side follows from, in words.
fn fault(stage: &Stage) -> Option<String> {
    let positive = |x: f64| x.is_finite() && x > 0.0;
    match stage {
        Stage::Given { absorb, .. } if !(absorb.is_finite() && *absorb >= 0.0) => {
            Some(format!("it is to absorb waves over {absorb} s: it must be at least 0"))
        }
        Stage::Normal { slope, manning } if !(positive(*slope) && positive(*manning)) => {
            Some("slope and Manning's n of normal depth must be positive".into())
        }
        Stage::Rating { curve }
            if curve.len() < 2
                || !curve.iter().flatten().all(|x| x.is_finite())
                || curve.windows(2).any(|p| p[1][0] <= p[0][0] || p[1][1] < p[0][1])
                || curve[0][1] < 0.0 =>
        {
            Some(
                "a rating curve needs two points or more, levels that increase, and discharges that do not decrease"
                    .into(),
            )
        }
        _ => None,
    }
}
