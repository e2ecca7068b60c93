//! Solids: their shapes, and those that move.

use std::sync::Arc;

use thalweg_model::Motion;

use crate::distance_grid::DistanceGrid;
use crate::packed::{Placed, distance};
use crate::vector::{after, dot, minus, plus, turned, zip};

/// Distances of all meshes at most, 128 MiB: what any GPU binds.
pub const MOST_DISTANCES: usize = 1 << 25;

/// A solid. Lengths in cells from the corner of the domain, y up.
#[derive(Debug, Clone, PartialEq)]
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
    /// Any solid, by distances to its surface.
    Mesh {
        /// The distances; lengths in the unit of `position`.
        distances: Arc<DistanceGrid>,
        /// Where the origin of the distances is.
        position: [f32; 3],
    },
    /// A solid in motion.
    Moving {
        /// Where it is before it moves.
        shape: Box<Obstacle>,
        /// How it moves.
        motion: Motion,
    },
    /// A part of a body that goes where the body is placed, see [`Carrier`].
    Floating {
        /// Its shape, in a frame of its own.
        shape: Box<Obstacle>,
        /// Number of the body, from 0.
        body: usize,
        /// Where the origin of that frame is in the frame of the body, and how it is turned there: a quaternion
        /// `[x, y, z, w]`.
        part: ([f64; 3], [f64; 4]),
        /// Where the frame of the body is before it is placed, and how it is turned.
        start: ([f64; 3], [f64; 4]),
    },
}

/// A body that carries its parts along: where it is and how it moves. Lengths in m from the corner of the domain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carrier {
    /// Origin of its own frame.
    pub position: [f64; 3],
    /// How that frame is turned: a quaternion `[x, y, z, w]`.
    pub turn: [f64; 4],
    /// Centre of mass, the point that it turns around.
    pub centre: [f64; 3],
    /// Velocity of the centre of mass, m/s.
    pub velocity: [f64; 3],
    /// Angular velocity, rad/s.
    pub rates: [f64; 3],
}

/// Why an obstacle is not valid.
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
    /// A motion has a number that is not finite, no period, no axis, or times that do not increase.
    #[error(
        "the motion of an obstacle is not valid: a number is not finite, a period is not positive, times do not increase, or an axis has no length"
    )]
    Motion,
    /// A moving solid was given as the shape of a moving solid.
    #[error("an obstacle has two motions: the shape of a moving obstacle must not have one of its own")]
    MovesTwice,
    /// A triangle names a corner that is not there.
    #[error("a triangle of a mesh refers to a vertex that the mesh does not have")]
    Triangles,
    /// There are more distances of meshes than a kernel can bind.
    #[error("meshes have {count} distances, at most {MOST_DISTANCES} are possible: use a larger spacing")]
    Distances {
        /// How many there are.
        count: usize,
    },
    /// Distances of one mesh do not fit into what it may have.
    #[error("the surface of a mesh needs more than {most} distances: use a larger spacing, or ask for a part of it")]
    TooFine {
        /// How many it may have.
        most: usize,
    },
}

impl Obstacle {
    /// The obstacle, if it can be used: finite, of positive size, its axis longer than nothing.
    pub fn checked(self) -> Result<Self, ObstacleError> {
        if let Self::Moving { shape, motion } = self {
            return match *shape {
                Self::Moving { .. } => Err(ObstacleError::MovesTwice),
                _ if !motion.is_good() => Err(ObstacleError::Motion),
                shape => Ok(Self::Moving { shape: Box::new(shape.checked()?), motion }),
            };
        }
        if let Self::Floating { shape, body, part, start } = self {
            let numbers = start.0.iter().chain(&start.1).chain(&part.0).chain(&part.1);
            let is_finite = numbers.into_iter().all(|v| v.is_finite());
            return match *shape {
                Self::Moving { .. } | Self::Floating { .. } => Err(ObstacleError::MovesTwice),
                _ if !is_finite => Err(ObstacleError::NotFinite),
                shape => Ok(Self::Floating { shape: Box::new(shape.checked()?), body, part, start }),
            };
        }
        let (a, b, radii) = self.parts();
        let sizes = match &self {
            Self::Box { half, .. } => half.iter().all(|h| *h > 0.0),
            Self::Cone { .. } => radii.iter().all(|r| *r >= 0.0) && radii[0] + radii[1] > 0.0,
            Self::Mesh { distances, .. } => distances.is_good(),
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
    pub fn in_cells(&self, cell_m: f32) -> Self {
        let point = |p: [f32; 3]| p.map(|v| v / cell_m);
        match *self {
            Self::Mesh { ref distances, position } => {
                Self::Mesh { distances: Arc::new(distances.scaled(1.0 / cell_m)), position: point(position) }
            }
            Self::Moving { ref shape, ref motion } => {
                Self::Moving { shape: Box::new(shape.in_cells(cell_m)), motion: motion.scaled(1.0 / f64::from(cell_m)) }
            }
            Self::Floating { ref shape, body, part, start } => {
                let [part, start] = [part, start].map(|(place, turn)| (place.map(|v| v / f64::from(cell_m)), turn));
                Self::Floating { shape: Box::new(shape.in_cells(cell_m)), body, part, start }
            }
            Self::Box { centre, half } => Self::Box { centre: point(centre), half: point(half) },
            Self::Sphere { centre, radius } => Self::Sphere { centre: point(centre), radius: radius / cell_m },
            Self::Capsule { ends, radius } => Self::Capsule { ends: ends.map(point), radius: radius / cell_m },
            Self::Cylinder { ends, radius } => Self::Cylinder { ends: ends.map(point), radius: radius / cell_m },
            Self::Cone { ends, radii } => Self::Cone { ends: ends.map(point), radii: radii.map(|r| r / cell_m) },
        }
    }

    /// Whether it has a motion.
    pub fn is_moving(&self) -> bool {
        matches!(self, Self::Moving { .. } | Self::Floating { .. })
    }

    /// The body that it is a part of.
    pub fn body(&self) -> Option<usize> {
        match self {
            Self::Floating { body, .. } => Some(*body),
            _ => None,
        }
    }

    /// Its distances, if it is made of them.
    pub fn distances(&self) -> Option<&DistanceGrid> {
        match self {
            Self::Mesh { distances, .. } => Some(distances),
            Self::Moving { shape, .. } | Self::Floating { shape, .. } => shape.distances(),
            _ => None,
        }
    }

    /// Signed distance of a point to its surface before it moves, in cells, negative inside.
    pub fn distance(&self, point: [f32; 3]) -> f32 {
        self.distance_at(0.0, point)
    }

    /// Signed distance of a point to its surface at a time in s, in cells, negative inside.
    pub fn distance_at(&self, time: f64, point: [f32; 3]) -> f32 {
        let values = self.distances().map_or(&[][..], DistanceGrid::words);
        distance(&self.placed(time).pack(0, 1.0), values, point)
    }

    /// `a`, `b` and the radii as they are packed; of a mesh its position, the low corner of its grid and its spacing.
    pub(crate) fn parts(&self) -> ([f32; 3], [f32; 3], [f32; 2]) {
        match self {
            Self::Box { centre, half } => (*centre, *half, [0.0; 2]),
            Self::Sphere { centre, radius } => (*centre, *centre, [*radius; 2]),
            Self::Capsule { ends: [a, b], radius } | Self::Cylinder { ends: [a, b], radius } => (*a, *b, [*radius; 2]),
            Self::Cone { ends: [a, b], radii } => (*a, *b, *radii),
            Self::Mesh { distances, position } => (*position, distances.low(), [distances.spacing(), 0.0]),
            Self::Moving { shape, .. } | Self::Floating { shape, .. } => shape.parts(),
        }
    }

    /// Middle of the shape: what it turns around, unless its spin says otherwise.
    fn middle(&self) -> [f32; 3] {
        match self {
            Self::Moving { shape, .. } | Self::Floating { shape, .. } => shape.middle(),
            _ => {
                let [low, high] = self.bounding_box([0.0, 0.0, 0.0, 1.0]);
                zip(low, high, |low, high| 0.5 * (low + high))
            }
        }
    }

    /// Where it is at a time, and how it moves there.
    pub fn placed(&self, time: f64) -> Placed {
        let Self::Moving { shape, motion } = self else {
            return match self {
                Self::Floating { shape, part, start: (place, turn), .. } => {
                    let (velocity, rates) = ([0.0; 3], [0.0; 3]);
                    let at_rest = Carrier { position: *place, turn: *turn, centre: *place, velocity, rates };
                    shape.carried(*part, &at_rest, 1.0)
                }
                _ => Placed::at_rest(self.clone()),
            };
        };
        let single = |v: [f64; 3]| v.map(|v| v as f32);
        let turn = motion.turn(time).map(|v| v as f32);
        let pivot = motion.spin.and_then(|spin| spin.pivot).map_or_else(|| shape.middle(), single);
        let centre = plus(pivot, single(motion.travel.displacement(time)));
        let shape = shape.moved(|p| plus(centre, turned(minus(p, pivot), turn)));
        let velocity = single(motion.travel.velocity(time));
        Placed { shape, turn, velocity, rates: single(motion.rates()), centre, floats: false }
    }

    /// The shape in its own frame, at a place of a body that carries it along; lengths in cells, those of the body in
    /// units of `cell_m`.
    pub fn carried(&self, (place, turn): ([f64; 3], [f64; 4]), body: &Carrier, cell_m: f64) -> Placed {
        let single = |v: [f64; 3]| v.map(|v| (v / cell_m) as f32);
        let (position, outer) = (single(body.position), body.turn.map(|v| v as f32));
        let (place, inner) = (place.map(|v| v as f32), turn.map(|v| v as f32));
        Placed {
            shape: self.moved(|p| plus(position, turned(plus(place, turned(p, inner)), outer))),
            turn: after(outer, inner),
            velocity: single(body.velocity),
            rates: body.rates.map(|v| v as f32),
            centre: single(body.centre),
            floats: true,
        }
    }

    /// The shape with its points moved; boxes and meshes are turned by their words.
    fn moved(&self, moved: impl Fn([f32; 3]) -> [f32; 3]) -> Self {
        match self.clone() {
            Self::Box { centre, half } => Self::Box { centre: moved(centre), half },
            Self::Sphere { centre, radius } => Self::Sphere { centre: moved(centre), radius },
            Self::Capsule { ends, radius } => Self::Capsule { ends: ends.map(moved), radius },
            Self::Cylinder { ends, radius } => Self::Cylinder { ends: ends.map(moved), radius },
            Self::Cone { ends, radii } => Self::Cone { ends: ends.map(moved), radii },
            Self::Mesh { distances, position } => Self::Mesh { distances, position: moved(position) },
            twice @ (Self::Moving { .. } | Self::Floating { .. }) => twice,
        }
    }

    /// Corners of the smallest box along the axes around a shape at rest that is turned by a quaternion; `a` and `b` of
    /// round shapes are turned already.
    pub(crate) fn bounding_box(&self, turn: [f32; 4]) -> [[f32; 3]; 2] {
        let (a, b, radii) = self.parts();
        // How far the ends reach along an axis: a disk seen from its side is thinner.
        let reach: [f32; 3] = match self {
            Self::Box { half, .. } => {
                // The turned edges, each seen from all sides.
                let edges = [0, 1, 2].map(|axis| {
                    let mut edge = [0.0; 3];
                    edge[axis] = half[axis];
                    turned(edge, turn).map(f32::abs)
                });
                let reach = plus(plus(edges[0], edges[1]), edges[2]);
                return [minus(a, reach), plus(a, reach)];
            }
            Self::Mesh { distances, .. } => {
                let [low, high] = distances.bounds();
                let corners = (0..8).map(|n: usize| {
                    plus(a, turned([0, 1, 2].map(|axis| if n >> axis & 1 == 0 { low[axis] } else { high[axis] }), turn))
                });
                let start = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
                return corners.fold(start, |[low, high], p| [zip(low, p, f32::min), zip(high, p, f32::max)]);
            }
            Self::Sphere { .. } | Self::Capsule { .. } => [1.0; 3],
            _ => {
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
}
