//! Moorings and the spring of a grab, solved implicitly, so that none is too stiff for the step.
//!
//! Along a direction `n` a spring of stiffness `k` and damping `c`, drawn out by `x`, gives over a step the impulse
//! `p = −dt (k (x + dt v) + c v)` with the velocity `v` at the step's end (backward Euler). With `w` the inverse mass
//! along `n`, this is a constraint `v + γ p + b = 0` with `γ = 1/(dt (dt k + c))` and `b = γ dt k x`. All springs of a
//! body are swept a few times, each with the impulse it has so far.

use glam::DVec3;
use thalweg_model::Pose;

use super::body::{Mover, WorldBody};
use crate::coupling::Impulse;

/// Sweeps over the springs of a body.
const SWEEPS: usize = 16;

/// Rate of the spring of a grab, rad/s: a body follows within a third of a second.
const GRAB_RATE: f64 = 12.0;

/// Largest force of a grab, in weights of the body.
const GRAB_STRENGTH: f64 = 20.0;

/// One spring along one direction.
struct Row {
    /// Arm from the centre of mass, m.
    arm: DVec3,
    /// Direction in which it grows longer.
    along: DVec3,
    softness: f64,
    bias: f64,
    /// Least and largest impulse, N s.
    range: [f64; 2],
    impulse: f64,
}

impl Row {
    fn new(mover: &Mover, dt: f64, arm: DVec3, along: DVec3, spring: Spring, range: [f64; 2]) -> Option<Self> {
        let effective = dt * (dt * spring.stiffness + spring.damping);
        // Nothing yields, or nothing pulls.
        if effective_inverse_mass(mover, arm, along) <= 0.0 || effective <= 0.0 {
            return None;
        }
        let softness = 1.0 / effective;
        Some(Self { arm, along, softness, bias: softness * dt * spring.stiffness * spring.drawn, range, impulse: 0.0 })
    }

    fn sweep(&mut self, mover: &mut Mover) {
        let speed = self.along.dot(mover.velocity + mover.rates.cross(self.arm));
        let inverse = effective_inverse_mass(mover, self.arm, self.along) + self.softness;
        let wanted = self.impulse - (speed + self.bias + self.softness * self.impulse) / inverse;
        let next = wanted.clamp(self.range[0], self.range[1]);
        let change = self.along * (next - self.impulse);
        mover.push(change, self.arm.cross(change));
        self.impulse = next;
    }
}

#[derive(Clone, Copy)]
struct Spring {
    stiffness: f64,
    damping: f64,
    /// Length beyond that at rest, m.
    drawn: f64,
}

/// Effective inverse mass for a pull at an arm along a direction, 1/kg.
fn effective_inverse_mass(mover: &Mover, arm: DVec3, along: DVec3) -> f64 {
    let turn = arm.cross(along);
    along.dot(mover.inverse_mass * along) + turn.dot(mover.inverse_inertia * turn)
}

/// Lets moorings and a grab pull on a body over a step; returns their impulse.
pub(crate) fn pull(body: &WorldBody, mover: &mut Mover, pose: &Pose, gravity: f64, dt: f64) -> Impulse {
    let centre = DVec3::from(pose.point(body.centre));
    let mut rows = Vec::new();
    for mooring in &body.moorings {
        let tied = DVec3::from(pose.point(mooring.at));
        let line = tied - DVec3::from(mooring.anchor);
        let drawn = line.length() - mooring.length;
        let damping = if drawn > 0.0 { mooring.damping } else { 0.0 };
        let spring = Spring { stiffness: mooring.stiffness, damping, drawn };
        let along = line.normalize_or(DVec3::Y);
        rows.extend(Row::new(mover, dt, tied - centre, along, spring, [f64::NEG_INFINITY, 0.0]));
    }
    if let Some(grab) = &body.grab {
        let held = DVec3::from(pose.point(grab.at));
        let off = held - DVec3::from(grab.to);
        // Without gravity a grab is as strong as on Earth.
        let most = GRAB_STRENGTH * body.mass * if gravity > 0.0 { gravity } else { 9.81 } * dt;
        for along in [DVec3::X, DVec3::Y, DVec3::Z] {
            let inverse = effective_inverse_mass(mover, held - centre, along);
            if inverse > 0.0 {
                let mass = 1.0 / inverse;
                let stiffness = mass * GRAB_RATE * GRAB_RATE;
                let spring = Spring { stiffness, damping: 2.0 * mass * GRAB_RATE, drawn: off.dot(along) };
                rows.extend(Row::new(mover, dt, held - centre, along, spring, [-most, most]));
            }
        }
    }
    for _ in 0..SWEEPS {
        rows.iter_mut().for_each(|row| row.sweep(mover));
    }
    let linear: DVec3 = rows.iter().map(|row| row.along * row.impulse).sum();
    let angular: DVec3 = rows.iter().map(|row| row.arm.cross(row.along * row.impulse)).sum();
    Impulse { linear: linear.to_array(), angular: angular.to_array() }
}
