//! Motion that is given, whatever the water does.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::error::BodyError;
use crate::pose::{Pose, turn};

/// A given motion. Times are in s from the start.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Path {
    /// Where it goes.
    pub travel: Travel,
    /// How it turns.
    pub spin: Option<Spin>,
}

/// The way from the place at the start.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Travel {
    /// It stays.
    #[default]
    Rest,
    /// A steady velocity.
    Constant {
        /// m/s.
        velocity: [f64; 3],
    },
    /// `A g(t) sin(2π t/T + φ)` with `g = (1 − cos(π t/ramp))/2` until the ramp ends, 1 after.
    Swing {
        /// Amplitude along every axis, m.
        amplitude: [f64; 3],
        /// Period, s.
        period: f64,
        /// Phase at time 0, rad.
        phase: f64,
        /// Time over which the amplitude grows, s; 0 for none.
        ramp: f64,
    },
    /// Straight between points `[t, dx, dy, dz]`, s and m from the start; at rest before the first and after the last.
    Points {
        /// At least one; times increase.
        points: Vec<[f64; 4]>,
    },
}

/// A steady turn around an axis that travels along.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spin {
    /// Direction of the axis, of any length but 0.
    pub axis: [f64; 3],
    /// Rate, rad/s; counter-clockwise seen against the axis.
    pub rate: f64,
    /// A point of the axis at time 0, m in the world; `None` is the body's origin.
    pub pivot: Option<[f64; 3]>,
}

impl Path {
    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let finite = |values: &[f64]| values.iter().all(|v| v.is_finite());
        let travel = match &self.travel {
            Travel::Rest => true,
            Travel::Constant { velocity } => finite(velocity),
            Travel::Swing { amplitude, period, phase, ramp } => {
                finite(amplitude) && finite(&[*period, *phase, *ramp]) && *period > 0.0 && *ramp >= 0.0
            }
            Travel::Points { points } => {
                !points.is_empty()
                    && finite(points.as_flattened())
                    && points.windows(2).all(|pair| pair[1][0] > pair[0][0])
            }
        };
        let spin = self.spin.is_none_or(|spin| {
            finite(&spin.axis)
                && finite(&[spin.rate])
                && spin.pivot.is_none_or(|pivot| finite(&pivot))
                && DVec3::from(spin.axis).try_normalize().is_some()
        });
        if travel && spin { Ok(()) } else { Err(BodyError::Path) }
    }

    /// Pose at a time, for a frame that started at `start`.
    pub fn pose(&self, start: &Pose, time: f64) -> Pose {
        let way = DVec3::from(self.travel.way(time));
        let Some(spin) = self.spin else {
            return Pose { position: (DVec3::from(start.position) + way).to_array(), ..*start };
        };
        let pivot = DVec3::from(spin.pivot.unwrap_or(start.position));
        let turn = turn(spin.axis, spin.rate * time);
        let place = pivot + turn * (DVec3::from(start.position) - pivot) + way;
        Pose { position: place.to_array(), rotation: (turn * start.quaternion()).normalize().to_array() }
    }

    /// Velocity of a point of the world that moves along, and rates of turn, at a time.
    pub(crate) fn velocity(&self, start: &Pose, time: f64, point: DVec3) -> [DVec3; 2] {
        let travel = DVec3::from(self.travel.velocity(time));
        let Some(spin) = self.spin else { return [travel, DVec3::ZERO] };
        let pivot = DVec3::from(spin.pivot.unwrap_or(start.position)) + DVec3::from(self.travel.way(time));
        let rates = DVec3::from(spin.axis).normalize_or_zero() * spin.rate;
        [travel + rates.cross(point - pivot), rates]
    }
}

impl Travel {
    /// Way from the start at a time, m.
    pub fn way(&self, time: f64) -> [f64; 3] {
        match self {
            Self::Rest => [0.0; 3],
            Self::Constant { velocity } => velocity.map(|v| v * time),
            Self::Swing { amplitude, period, phase, ramp } => {
                let [place, _] = swing(time, *period, *phase, *ramp);
                amplitude.map(|a| a * place)
            }
            Self::Points { points } => {
                let [a, b] = segment(points, time);
                let share = if b[0] > a[0] { ((time - a[0]) / (b[0] - a[0])).clamp(0.0, 1.0) } else { 0.0 };
                std::array::from_fn(|axis| a[axis + 1] + (b[axis + 1] - a[axis + 1]) * share)
            }
        }
    }

    /// Velocity at a time, m/s; at a corner of a path that of the piece that begins there.
    pub fn velocity(&self, time: f64) -> [f64; 3] {
        match self {
            Self::Rest => [0.0; 3],
            Self::Constant { velocity } => *velocity,
            Self::Swing { amplitude, period, phase, ramp } => {
                let [_, speed] = swing(time, *period, *phase, *ramp);
                amplitude.map(|a| a * speed)
            }
            Self::Points { points } => {
                let [a, b] = segment(points, time);
                if b[0] > a[0] && time >= a[0] && time < b[0] {
                    std::array::from_fn(|axis| (b[axis + 1] - a[axis + 1]) / (b[0] - a[0]))
                } else {
                    [0.0; 3]
                }
            }
        }
    }
}

/// Value and derivative of `g(t) sin(ωt + φ)`.
fn swing(time: f64, period: f64, phase: f64, ramp: f64) -> [f64; 2] {
    let omega = TAU / period;
    let (grown, growth) = if time < ramp {
        (0.5 - 0.5 * libm::cos(PI * time / ramp), 0.5 * PI / ramp * libm::sin(PI * time / ramp))
    } else {
        (1.0, 0.0)
    };
    let (sine, cosine) = libm::sincos(omega * time + phase);
    [grown * sine, growth * sine + grown * omega * cosine]
}

/// Ends of the piece that a time falls into; twice the same point before the first and after the last.
fn segment(points: &[[f64; 4]], time: f64) -> [[f64; 4]; 2] {
    let after = points.partition_point(|point| point[0] <= time);
    let at = |n: usize| points.get(n.min(points.len().saturating_sub(1))).copied().unwrap_or_default();
    [at(after.saturating_sub(1)), if after == 0 { at(0) } else { at(after) }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocities_are_the_slopes_of_ways() {
        let points = vec![[1.0, 0.0, 0.0, 0.0], [2.0, 1.0, -1.0, 0.5], [4.0, 1.0, 2.0, 0.5]];
        let swing = Travel::Swing { amplitude: [1.0, -2.0, 0.5], period: 1.7, phase: 0.4, ramp: 2.0 };
        for travel in [Travel::Points { points }, swing, Travel::Constant { velocity: [1.0, 2.0, 3.0] }] {
            for time in [0.5, 1.3, 2.6, 3.9, 5.0] {
                let h = 1e-6;
                let (a, b) = (travel.way(time - h), travel.way(time + h));
                let v = travel.velocity(time);
                for axis in 0..3 {
                    assert!(((b[axis] - a[axis]) / (2.0 * h) - v[axis]).abs() < 1e-6, "{travel:?} at {time}");
                }
            }
        }
    }

    #[test]
    fn a_spin_goes_around_its_pivot() {
        let path = Path {
            travel: Travel::Constant { velocity: [1.0, 0.0, 0.0] },
            spin: Some(Spin { axis: [0.0, 0.0, 2.0], rate: PI, pivot: Some([0.0; 3]) }),
        };
        let start = Pose::at([1.0, 0.0, 0.0]);
        let pose = path.pose(&start, 0.5);
        assert!((0..3).all(|n| (pose.position[n] - [0.5, 1.0, 0.0][n]).abs() < 1e-12), "{pose:?}");
        let [v, w] = path.velocity(&start, 0.5, DVec3::from(pose.position));
        assert!((v - DVec3::new(1.0 - PI, 0.0, 0.0)).length() < 1e-12 && (w.z - PI).abs() < 1e-12);
    }
}
