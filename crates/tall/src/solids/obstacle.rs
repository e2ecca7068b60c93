//! Shapes and their signed distances.

/// Words of an obstacle in its buffer: kind, three of `a`, three of `b`, two radii, three each of the lower and the upper
/// corner of its bounding box, one unused. The corners are computed once, here, so that both executors round alike.
pub(super) const WORDS: usize = 16;
/// Kinds in word 0. A cylinder is a cone of equal radii.
const BOX: f32 = 0.0;
const SPHERE: f32 = 1.0;
const CAPSULE: f32 = 2.0;
const CONE: f32 = 3.0;

/// A static solid. Lengths in cells from the corner of the domain, y up.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Obstacle {
    /// A box along the axes.
    Box {
        /// Its centre.
        centre: [f32; 3],
        /// Half its edges.
        half: [f32; 3],
    },
    /// A sphere.
    Sphere {
        /// Its centre.
        centre: [f32; 3],
        /// Its radius.
        radius: f32,
    },
    /// All that is no further than `radius` from a segment.
    Capsule {
        /// Ends of the segment.
        ends: [[f32; 3]; 2],
        /// Radius around it.
        radius: f32,
    },
    /// A cylinder with flat ends.
    Cylinder {
        /// Centres of its ends.
        ends: [[f32; 3]; 2],
        /// Its radius.
        radius: f32,
    },
    /// A cone with flat ends; a radius of 0 makes a tip.
    Cone {
        /// Centres of its ends.
        ends: [[f32; 3]; 2],
        /// Radii at its ends.
        radii: [f32; 2],
    },
}

/// Why an obstacle is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ObstacleError {
    /// A coordinate or a length is NaN or infinite.
    #[error("an obstacle has a coordinate or size that is not finite")]
    NotFinite,
    /// A size is zero or negative.
    #[error("an obstacle has a size that is not positive: edges and radii must be (one radius of a cone may be 0)")]
    Size,
    /// Both ends of an axis are the same point.
    #[error("the axis of an obstacle has no length: its two ends must differ")]
    Axis,
}

impl Obstacle {
    /// The obstacle, if it can be used: finite, of positive size, its axis longer than nothing.
    pub fn checked(self) -> Result<Self, ObstacleError> {
        let (a, b, radii) = self.parts();
        let sizes = match self {
            Self::Box { half, .. } => half.iter().all(|h| *h > 0.0),
            Self::Cone { .. } => radii.iter().all(|r| *r >= 0.0) && radii[0] + radii[1] > 0.0,
            _ => radii[0] > 0.0,
        };
        let axis = matches!(self, Self::Capsule { .. } | Self::Cylinder { .. } | Self::Cone { .. });
        if !a.iter().chain(&b).chain(&radii).all(|v| v.is_finite()) {
            Err(ObstacleError::NotFinite)
        } else if !sizes {
            Err(ObstacleError::Size)
        } else if axis && a == b {
            Err(ObstacleError::Axis)
        } else {
            Ok(self)
        }
    }

    /// The same obstacle in cells, if this one is in metres.
    pub fn in_cells(self, cell_m: f32) -> Self {
        let point = |p: [f32; 3]| p.map(|v| v / cell_m);
        match self {
            Self::Box { centre, half } => Self::Box { centre: point(centre), half: point(half) },
            Self::Sphere { centre, radius } => Self::Sphere { centre: point(centre), radius: radius / cell_m },
            Self::Capsule { ends, radius } => Self::Capsule { ends: ends.map(point), radius: radius / cell_m },
            Self::Cylinder { ends, radius } => Self::Cylinder { ends: ends.map(point), radius: radius / cell_m },
            Self::Cone { ends, radii } => Self::Cone { ends: ends.map(point), radii: radii.map(|r| r / cell_m) },
        }
    }

    /// Signed distance of a point to the surface in cells, negative inside.
    pub fn distance(&self, point: [f32; 3]) -> f32 {
        distance(&self.pack(), point)
    }

    /// `a`, `b` and the radii as they are packed.
    fn parts(&self) -> ([f32; 3], [f32; 3], [f32; 2]) {
        match *self {
            Self::Box { centre, half } => (centre, half, [0.0; 2]),
            Self::Sphere { centre, radius } => (centre, centre, [radius; 2]),
            Self::Capsule { ends: [a, b], radius } | Self::Cylinder { ends: [a, b], radius } => (a, b, [radius; 2]),
            Self::Cone { ends: [a, b], radii } => (a, b, radii),
        }
    }

    /// Corners of the smallest box along the axes around it.
    pub(crate) fn bounding_box(&self) -> [[f32; 3]; 2] {
        let (a, b, radii) = self.parts();
        // How far the ends reach along an axis: a disk seen from its side is thinner.
        let reach: [f32; 3] = match self {
            Self::Box { half, .. } => return [minus(a, *half), plus(a, *half)],
            Self::Sphere { .. } | Self::Capsule { .. } => [1.0; 3],
            Self::Cylinder { .. } | Self::Cone { .. } => {
                let axis = minus(b, a);
                let length2 = dot(axis, axis);
                axis.map(|along| (1.0 - along * along / length2).max(0.0).sqrt())
            }
        };
        let [low, high] = [-1.0, 1.0].map(|sign| {
            let around = |centre: [f32; 3], radius: f32| plus(centre, reach.map(|r| sign * r * radius));
            (around(a, radii[0]), around(b, radii[1]))
        });
        [zip(low.0, low.1, f32::min), zip(high.0, high.1, f32::max)]
    }

    /// The words of its entry in the buffer.
    pub(crate) fn pack(&self) -> [f32; WORDS] {
        let (a, b, radii) = self.parts();
        let kind = match self {
            Self::Box { .. } => BOX,
            Self::Sphere { .. } => SPHERE,
            Self::Capsule { .. } => CAPSULE,
            Self::Cylinder { .. } | Self::Cone { .. } => CONE,
        };
        let [low, high] = self.bounding_box();
        let mut words = [0.0; WORDS];
        words[0] = kind;
        words[1..4].copy_from_slice(&a);
        words[4..7].copy_from_slice(&b);
        words[7..9].copy_from_slice(&radii);
        words[9..12].copy_from_slice(&low);
        words[12..15].copy_from_slice(&high);
        words
    }
}

/// Corners of the bounding box of a packed obstacle.
pub(super) fn corners(words: &[f32]) -> [[f32; 3]; 2] {
    [9, 12].map(|at| [words[at], words[at + 1], words[at + 2]])
}

/// Signed distance of a point to a packed obstacle.
pub(super) fn distance(words: &[f32], point: [f32; 3]) -> f32 {
    let vector = |at: usize| [words[at], words[at + 1], words[at + 2]];
    let (kind, a, b, radii) = (words[0], vector(1), vector(4), [words[7], words[8]]);
    if kind == BOX {
        box_distance(minus(point, a), b)
    } else if kind == SPHERE {
        length(minus(point, a)) - radii[0]
    } else if kind == CAPSULE {
        capsule_distance(minus(point, a), minus(b, a), radii[0])
    } else {
        cone_distance(minus(point, a), minus(b, a), radii)
    }
}

/// From the centre of the box.
fn box_distance(p: [f32; 3], half: [f32; 3]) -> f32 {
    let q = zip(p, half, |p, h| p.abs() - h);
    length(q.map(|v| v.max(0.0))) + q[0].max(q[1]).max(q[2]).min(0.0)
}

/// From the first end.
fn capsule_distance(p: [f32; 3], axis: [f32; 3], radius: f32) -> f32 {
    let along = (dot(p, axis) / dot(axis, axis)).clamp(0.0, 1.0);
    length(minus(p, axis.map(|v| v * along))) - radius
}

/// From the first end: the nearer of the closer flat end and the mantle, in the plane of point and axis.
fn cone_distance(p: [f32; 3], axis: [f32; 3], [ra, rb]: [f32; 2]) -> f32 {
    let length2 = dot(axis, axis);
    let along = dot(p, axis) / length2;
    let away = length(minus(p, axis.map(|v| v * along)));
    let widening = rb - ra;
    let end_away = (away - if along < 0.5 { ra } else { rb }).max(0.0);
    let end_along = (along - 0.5).abs() - 0.5;
    let foot = ((widening * (away - ra) + along * length2) / (widening * widening + length2)).clamp(0.0, 1.0);
    let mantle_away = away - ra - foot * widening;
    let mantle_along = along - foot;
    let nearest = (end_away * end_away + end_along * end_along * length2)
        .min(mantle_away * mantle_away + mantle_along * mantle_along * length2);
    if mantle_away < 0.0 && end_along < 0.0 { -nearest.sqrt() } else { nearest.sqrt() }
}

fn zip(a: [f32; 3], b: [f32; 3], f: impl Fn(f32, f32) -> f32) -> [f32; 3] {
    [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2])]
}

fn plus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    zip(a, b, |a, b| a + b)
}

fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    zip(a, b, |a, b| a - b)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn length(a: [f32; 3]) -> f32 {
    dot(a, a).sqrt()
}
