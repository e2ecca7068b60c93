//! How a solid moves: a given travel, and a spin. The water has no say in it.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// Motion of a solid. Lengths are in the unit of its shape, times in s from the start of the simulation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Motion {
    /// Where it goes.
    pub travel: Travel,
    /// How it turns.
    pub spin: Option<Spin>,
}

/// The way of a solid from the place of its shape.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub enum Travel {
    /// It stays.
    #[default]
    Rest,
    /// `v t`.
    Constant {
        /// Velocity, lengths per second.
        velocity: [f64; 3],
    },
    /// `A g(t) sin(2π t/T + φ)` with `g` from 0 to 1 over the ramp, `(1 − cos(π t/ramp))/2`: it starts without a jolt.
    Swing {
        /// Amplitude along every axis.
        amplitude: [f64; 3],
        /// Period, s.
        period: f64,
        /// Phase at time 0, rad.
        phase: f64,
        /// Time over which the amplitude grows, s; 0 for none.
        ramp: f64,
    },
    /// Straight between points `[t, dx, dy, dz]`; at rest before the first and after the last.
    Path {
        /// The points; times increase.
        points: Arc<[[f64; 4]]>,
    },
}

/// A steady turn around an axis through a point that travels along.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spin {
    /// Direction of the axis; it need not have length 1.
    pub axis: [f64; 3],
    /// Rate, rad/s; seen against the axis it turns counter-clockwise.
    pub rate: f64,
    /// A point of the axis at time 0; `None` is the middle of the shape.
    pub pivot: Option<[f64; 3]>,
}

/// Place and velocity of one coordinate: value and derivative of `g(t) sin(ωt + φ)`.
fn swing(time: f64, period: f64, phase: f64, ramp: f64) -> [f64; 2] {
    let omega = TAU / period;
    let (grown, growth) = if time < ramp {
        (0.5 - 0.5 * (PI * time / ramp).cos(), 0.5 * PI / ramp * (PI * time / ramp).sin())
    } else {
        (1.0, 0.0)
    };
    let (sine, cosine) = (omega * time + phase).sin_cos();
    [grown * sine, growth * sine + grown * omega * cosine]
}

impl Travel {
    /// Way from the place of the shape at a time.
    pub fn way(&self, time: f64) -> [f64; 3] {
        match self {
            Self::Rest => [0.0; 3],
            Self::Constant { velocity } => velocity.map(|v| v * time),
            Self::Swing { amplitude, period, phase, ramp } => {
                let [place, _] = swing(time, *period, *phase, *ramp);
                amplitude.map(|a| a * place)
            }
            Self::Path { points } => {
                let (from, share) = segment(points, time);
                let to = &points[(from + 1).min(points.len() - 1)];
                std::array::from_fn(|axis| points[from][axis + 1] + (to[axis + 1] - points[from][axis + 1]) * share)
            }
        }
    }

    /// Velocity at a time; at a corner of a path that of the piece that begins there, for the next step follows it.
    pub fn velocity(&self, time: f64) -> [f64; 3] {
        match self {
            Self::Rest => [0.0; 3],
            Self::Constant { velocity } => *velocity,
            Self::Swing { amplitude, period, phase, ramp } => {
                let [_, speed] = swing(time, *period, *phase, *ramp);
                amplitude.map(|a| a * speed)
            }
            Self::Path { points } => {
                let (from, _) = segment(points, time);
                match points.get(from + 1) {
                    Some(to) if time >= points[0][0] => {
                        let a = points[from];
                        std::array::from_fn(|axis| (to[axis + 1] - a[axis + 1]) / (to[0] - a[0]))
                    }
                    _ => [0.0; 3],
                }
            }
        }
    }

    fn is_good(&self) -> bool {
        let finite = |values: &[f64]| values.iter().all(|v| v.is_finite());
        match self {
            Self::Rest => true,
            Self::Constant { velocity } => finite(velocity),
            Self::Swing { amplitude, period, phase, ramp } => {
                finite(amplitude) && finite(&[*period, *phase, *ramp]) && *period > 0.0 && *ramp >= 0.0
            }
            Self::Path { points } => {
                !points.is_empty()
                    && points.iter().all(|point| finite(point))
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

/// The last point that is not later than a time (the first before it), and the share of the way to the next one.
fn segment(points: &[[f64; 4]], time: f64) -> (usize, f64) {
    let from = points.partition_point(|point| point[0] <= time).saturating_sub(1);
    match points.get(from + 1) {
        Some(to) => (from, ((time - points[from][0]) / (to[0] - points[from][0])).clamp(0.0, 1.0)),
        None => (from, 0.0),
    }
}

impl Motion {
    /// Whether all numbers are finite, periods positive, times of a path increasing, the axis of a spin no null vector.
    pub(crate) fn is_good(&self) -> bool {
        let spin = self.spin.is_none_or(|Spin { axis, rate, pivot }| {
            let squares: f64 = axis.iter().map(|v| v * v).sum();
            squares > 0.0
                && squares.is_finite()
                && rate.is_finite()
                && pivot.iter().flatten().all(|value| value.is_finite())
        });
        spin && self.travel.is_good()
    }

    /// The same motion in another unit of length.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        let spin = self.spin.map(|spin| Spin { pivot: spin.pivot.map(|p| p.map(|v| v * factor)), ..spin });
        Self { travel: self.travel.scaled(factor), spin }
    }

    /// The turn since time 0 as a quaternion `[x, y, z, w]`.
    pub fn turn(&self, time: f64) -> [f64; 4] {
        let Some(spin) = self.spin else { return [0.0, 0.0, 0.0, 1.0] };
        // Whole turns first: angles of hours keep their digits.
        let (sine, cosine) = (0.5 * (spin.rate * time).rem_euclid(2.0 * TAU)).sin_cos();
        let [x, y, z] = unit(spin.axis).map(|v| v * sine);
        [x, y, z, cosine]
    }

    /// Angular velocity, rad/s.
    pub(crate) fn rates(&self) -> [f64; 3] {
        self.spin.map_or([0.0; 3], |spin| unit(spin.axis).map(|v| v * spin.rate))
    }
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|v| v * v).sum::<f64>().sqrt();
    v.map(|v| v / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocities_are_derivatives_of_ways() {
        let path: Arc<[[f64; 4]]> = [[1.0, 0.0, 0.0, 0.0], [2.0, 3.0, -1.0, 0.0], [4.0, 3.0, 0.0, 2.0]].into();
        let travels = [
            Travel::Rest,
            Travel::Constant { velocity: [1.0, -2.0, 0.5] },
            Travel::Swing { amplitude: [0.3, 0.0, -1.0], period: 1.7, phase: 0.4, ramp: 2.0 },
            Travel::Path { points: path },
        ];
        for travel in travels {
            for time in [0.2, 0.9, 1.5, 1.99, 2.5, 3.9, 4.5] {
                let (a, b, v) = (travel.way(time - 1e-5), travel.way(time + 1e-5), travel.velocity(time));
                for axis in 0..3 {
                    let slope = (b[axis] - a[axis]) / 2e-5;
                    assert!((slope - v[axis]).abs() < 1e-6, "{travel:?} at {time}: {slope} and {}", v[axis]);
                }
            }
        }
    }

    #[test]
    fn a_path_begins_its_next_piece_at_a_corner() {
        let points: Arc<[[f64; 4]]> = [[0.0; 4], [1.0, 2.0, 0.0, 0.0], [2.0, 2.0, 0.0, 0.0]].into();
        let travel = Travel::Path { points };
        assert_eq!([0.0, 1.0, 2.0].map(|time| travel.velocity(time)[0]), [2.0, 0.0, 0.0]);
        assert_eq!([-1.0, 0.5, 5.0].map(|time| travel.way(time)[0]), [0.0, 1.0, 2.0]);
    }

    #[test]
    fn motions_that_are_none_are_refused() {
        let good = |travel: Travel| Motion { travel, spin: None }.is_good();
        assert!(good(Travel::Rest));
        assert!(!good(Travel::Constant { velocity: [f64::NAN, 0.0, 0.0] }));
        assert!(!good(Travel::Swing { amplitude: [1.0; 3], period: 0.0, phase: 0.0, ramp: 0.0 }));
        assert!(!good(Travel::Path { points: [[1.0; 4], [1.0; 4]].into() }));
        assert!(!good(Travel::Path { points: [].into() }));
        let spin = Some(Spin { axis: [0.0; 3], rate: 1.0, pivot: None });
        assert!(!Motion { travel: Travel::Rest, spin }.is_good());
    }
}
