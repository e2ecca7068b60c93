//! Motion that is given, whatever the water does.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pose::Pose;
use crate::vector::{both, cross, minus, plus, turn, turned, unit};

/// A given motion of a solid. Times are in s from the start of the simulation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Motion {
    /// Where it goes.
    pub travel: Travel,
    /// How it turns.
    pub spin: Option<Spin>,
}

/// The displacement from the place at the start.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
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
    /// `A g(t) sin(2π t/T + φ)` with `g = (1 − cos(π t/ramp))/2` until the ramp ends, 1 after: it starts without a
    /// jolt.
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
    Path {
        /// At least one; times increase.
        points: Arc<[[f64; 4]]>,
    },
}

/// A steady turn around an axis that travels along.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spin {
    /// Direction of the axis, of any length but 0.
    pub axis: [f64; 3],
    /// Rate, rad/s; counter-clockwise seen against the axis.
    pub rate: f64,
    /// A point of the axis at time 0, m; `None` is the middle of a solid, the origin of a body.
    pub pivot: Option<[f64; 3]>,
}

impl Motion {
    /// Whether all numbers are finite, periods positive, times of a path increasing, the axis of a spin not null.
    #[must_use]
    pub fn is_good(&self) -> bool {
        let spin = self.spin.is_none_or(|Spin { axis, rate, pivot }| {
            finite(&axis) && rate.is_finite() && pivot.is_none_or(|pivot| finite(&pivot)) && unit(axis).is_some()
        });
        spin && self.travel.is_good()
    }

    /// The same, with the point that it turns around unless it says otherwise.
    #[must_use]
    pub fn about(mut self, middle: [f64; 3]) -> Self {
        self.spin = self.spin.map(|spin| Spin { pivot: spin.pivot.or(Some(middle)), ..spin });
        self
    }

    /// The same, where places count from another point.
    #[must_use]
    pub fn seen_from(mut self, origin: [f64; 3]) -> Self {
        self.spin = self.spin.map(|spin| Spin { pivot: spin.pivot.map(|p| minus(p, origin)), ..spin });
        self
    }

    /// The same in another unit of length.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let spin = self.spin.map(|spin| Spin { pivot: spin.pivot.map(|p| p.map(|v| v * factor)), ..spin });
        Self { travel: self.travel.scaled(factor), spin }
    }

    /// The turn since time 0 as a quaternion `[x, y, z, w]`.
    #[must_use]
    pub fn turn(&self, time: f64) -> [f64; 4] {
        self.spin.map_or([0.0, 0.0, 0.0, 1.0], |spin| turn(spin.axis, spin.rate * time))
    }

    /// Angular velocity, rad/s.
    #[must_use]
    pub fn rates(&self) -> [f64; 3] {
        self.spin.map_or([0.0; 3], |spin| unit(spin.axis).unwrap_or_default().map(|v| v * spin.rate))
    }

    /// Pose at a time, for a frame that started at `start`.
    #[must_use]
    pub fn pose(&self, start: &Pose, time: f64) -> Pose {
        let travelled = self.travel.displacement(time);
        let Some(spin) = self.spin else {
            return Pose { position: plus(start.position, travelled), ..*start };
        };
        let pivot = spin.pivot.unwrap_or(start.position);
        let turn = self.turn(time);
        let place = plus(plus(pivot, turned(turn, minus(start.position, pivot))), travelled);
        Pose { position: place, rotation: both(turn, start.rotation) }
    }

    /// Velocity of a point of the world that moves along, and rates of turn, at a time, for a frame that started at
    /// `start`.
    #[must_use]
    pub fn velocity(&self, start: &Pose, time: f64, point: [f64; 3]) -> [[f64; 3]; 2] {
        let travel = self.travel.velocity(time);
        let Some(spin) = self.spin else { return [travel, [0.0; 3]] };
        let pivot = plus(spin.pivot.unwrap_or(start.position), self.travel.displacement(time));
        let rates = self.rates();
        [plus(travel, cross(rates, minus(point, pivot))), rates]
    }

    /// Displacements that it takes between the start and a time, m: low and high corner.
    #[must_use]
    pub fn reach(&self, duration: f64) -> [[f64; 3]; 2] {
        let among = |places: &mut dyn Iterator<Item = [f64; 3]>| {
            places.fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[low, high], place| {
                [std::array::from_fn(|a| place[a].min(low[a])), std::array::from_fn(|a| place[a].max(high[a]))]
            })
        };
        match &self.travel {
            Travel::Rest => [[0.0; 3]; 2],
            Travel::Constant { velocity } => among(&mut [[0.0; 3], velocity.map(|v| v * duration)].into_iter()),
            Travel::Swing { amplitude, .. } => [amplitude.map(|a| -a.abs()), amplitude.map(f64::abs)],
            Travel::Path { points } => among(&mut points.iter().map(|[_, x, y, z]| [*x, *y, *z])),
        }
    }
}

impl Travel {
    /// Displacement from the start at a time, m.
    #[must_use]
    pub fn displacement(&self, time: f64) -> [f64; 3] {
        match self {
            Self::Rest => [0.0; 3],
            Self::Constant { velocity } => velocity.map(|v| v * time),
            Self::Swing { amplitude, period, phase, ramp } => {
                let [place, _] = swing(time, *period, *phase, *ramp);
                amplitude.map(|a| a * place)
            }
            Self::Path { points } => {
                let [a, b] = segment(points, time);
                let share = if b[0] > a[0] { ((time - a[0]) / (b[0] - a[0])).clamp(0.0, 1.0) } else { 0.0 };
                std::array::from_fn(|axis| a[axis + 1] + (b[axis + 1] - a[axis + 1]) * share)
            }
        }
    }

    /// Velocity at a time, m/s; at a corner of a path that of the piece that begins there, for the next step follows
    /// it.
    #[must_use]
    pub fn velocity(&self, time: f64) -> [f64; 3] {
        match self {
            Self::Rest => [0.0; 3],
            Self::Constant { velocity } => *velocity,
            Self::Swing { amplitude, period, phase, ramp } => {
                let [_, speed] = swing(time, *period, *phase, *ramp);
                amplitude.map(|a| a * speed)
            }
            Self::Path { points } => {
                let [a, b] = segment(points, time);
                if b[0] > a[0] && time >= a[0] && time < b[0] {
                    std::array::from_fn(|axis| (b[axis + 1] - a[axis + 1]) / (b[0] - a[0]))
                } else {
                    [0.0; 3]
                }
            }
        }
    }

    fn is_good(&self) -> bool {
        match self {
            Self::Rest => true,
            Self::Constant { velocity } => finite(velocity),
            Self::Swing { amplitude, period, phase, ramp } => {
                finite(amplitude) && finite(&[*period, *phase, *ramp]) && *period > 0.0 && *ramp >= 0.0
            }
            Self::Path { points } => {
                !points.is_empty()
                    && finite(points.as_flattened())
                    && points.windows(2).all(|pair| pair[1][0] > pair[0][0])
            }
        }
    }

    fn scaled(&self, factor: f64) -> Self {
        let vector = |v: &[f64; 3]| v.map(|v| v * factor);
        match self {
            Self::Rest => Self::Rest,
            Self::Constant { velocity } => Self::Constant { velocity: vector(velocity) },
            Self::Swing { amplitude, period, phase, ramp } => {
                Self::Swing { amplitude: vector(amplitude), period: *period, phase: *phase, ramp: *ramp }
            }
            Self::Path { points } => {
                let scaled = points.iter().map(|[t, x, y, z]| [*t, x * factor, y * factor, z * factor]);
                Self::Path { points: scaled.collect() }
            }
        }
    }
}

fn finite(values: &[f64]) -> bool {
    values.iter().all(|v| v.is_finite())
}

/// Value and derivative of `g(t) sin(ωt + φ)`. `libm`, so that all machines find the same bits.
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
    fn velocities_are_the_slopes_of_displacements() {
        let points = [[1.0, 0.0, 0.0, 0.0], [2.0, 3.0, -1.0, 0.5], [4.0, 3.0, 2.0, 0.5]].into();
        let travels = [
            Travel::Rest,
            Travel::Constant { velocity: [1.0, -2.0, 0.5] },
            Travel::Swing { amplitude: [0.3, 0.0, -1.0], period: 1.7, phase: 0.4, ramp: 2.0 },
            Travel::Path { points },
        ];
        for travel in travels {
            for time in [0.2, 0.9, 1.5, 1.99, 2.5, 3.9, 4.5] {
                let h = 1e-6;
                let (a, b, v) = (travel.displacement(time - h), travel.displacement(time + h), travel.velocity(time));
                for axis in 0..3 {
                    let slope = (b[axis] - a[axis]) / (2.0 * h);
                    assert!((slope - v[axis]).abs() < 1e-6, "{travel:?} at {time}: {slope} and {}", v[axis]);
                }
            }
        }
    }

    #[test]
    fn a_path_begins_its_next_piece_at_a_corner() {
        let travel = Travel::Path { points: [[0.0; 4], [1.0, 2.0, 0.0, 0.0], [2.0, 2.0, 0.0, 0.0]].into() };
        assert_eq!([0.0, 1.0, 2.0].map(|time| travel.velocity(time)[0]), [2.0, 0.0, 0.0]);
        assert_eq!([-1.0, 0.5, 5.0].map(|time| travel.displacement(time)[0]), [0.0, 1.0, 2.0]);
    }

    #[test]
    fn a_spin_goes_around_its_pivot() {
        let motion = Motion {
            travel: Travel::Constant { velocity: [1.0, 0.0, 0.0] },
            spin: Some(Spin { axis: [0.0, 0.0, 2.0], rate: PI, pivot: Some([0.0; 3]) }),
        };
        let start = Pose::at([1.0, 0.0, 0.0]);
        let pose = motion.pose(&start, 0.5);
        assert!((0..3).all(|n| (pose.position[n] - [0.5, 1.0, 0.0][n]).abs() < 1e-12), "{pose:?}");
        let [v, w] = motion.velocity(&start, 0.5, pose.position);
        let off: f64 = minus(v, [1.0 - PI, 0.0, 0.0]).iter().map(|v| v.abs()).sum();
        assert!(off < 1e-12 && (w[2] - PI).abs() < 1e-12, "{v:?}, {w:?}");
        // In another frame and unit the same motion.
        let moved = motion.clone().seen_from([2.0, 0.0, 1.0]).scaled(2.0);
        let moved = moved.pose(&Pose::at([-2.0, 0.0, -2.0]), 0.5);
        assert!((0..3).all(|n| (moved.position[n] - [-3.0, 2.0, -2.0][n]).abs() < 1e-12), "{moved:?}");
        assert_eq!(motion.clone().about([5.0; 3]), motion);
    }

    #[test]
    fn invalid_motions_are_refused() {
        let good = |travel: Travel| Motion { travel, spin: None }.is_good();
        assert!(good(Travel::Rest));
        assert!(!good(Travel::Constant { velocity: [f64::NAN, 0.0, 0.0] }));
        assert!(!good(Travel::Swing { amplitude: [1.0; 3], period: 0.0, phase: 0.0, ramp: 0.0 }));
        assert!(!good(Travel::Path { points: [[1.0; 4], [1.0; 4]].into() }));
        assert!(!good(Travel::Path { points: [].into() }));
        let spin = Some(Spin { axis: [0.0; 3], rate: 1.0, pivot: None });
        assert!(!Motion { travel: Travel::Rest, spin }.is_good());
    }

    #[test]
    fn text_comes_back() {
        let spin = Some(Spin { axis: [0.0, 1.0, 0.0], rate: 0.5, pivot: None });
        let motion = Motion { travel: Travel::Path { points: [[0.0, 1.0, 2.0, 3.0]].into() }, spin };
        let text = serde_json::to_string(&motion).expect("serialises");
        assert!(text.starts_with(r#"{"travel":{"path":{"points":[[0.0,1.0,2.0,3.0]]}}"#), "{text}");
        assert_eq!(serde_json::from_str::<Motion>(&text).expect("a motion"), motion);
    }
}
