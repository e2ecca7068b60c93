//! Solids as kernels see them: words in a buffer, and the distance to them.

use crate::constants::{kind, word};
use crate::distance_grid;
use crate::obstacle::Obstacle;
use crate::vector::{cross, dot, length, minus, plus, turned_back, zip};

/// Words of a solid in its buffer.
pub const WORDS: usize = word::COUNT;

/// A solid at a time: where it is, and how it moves there. Lengths in cells.
#[derive(Debug, Clone)]
pub struct Placed {
    /// Its shape, which does not move.
    pub shape: Obstacle,
    /// Quaternion that turned a box or a mesh.
    pub turn: [f32; 4],
    /// Velocity of `centre`, cells/s.
    pub velocity: [f32; 3],
    /// Angular velocity, rad/s.
    pub rates: [f32; 3],
    /// The point that it turns around.
    pub centre: [f32; 3],
    /// Whether it is a part of a body, see [`share`].
    pub floats: bool,
}

impl Placed {
    /// A solid that does not move.
    pub fn at_rest(shape: Obstacle) -> Self {
        Self { shape, turn: [0.0, 0.0, 0.0, 1.0], velocity: [0.0; 3], rates: [0.0; 3], centre: [0.0; 3], floats: false }
    }

    /// Corners of its bounding box.
    pub fn bounds(&self) -> [[f32; 3]; 2] {
        self.shape.bounding_box(self.turn)
    }

    /// Largest speed of a point of it, cells/s.
    pub fn speed(&self) -> f64 {
        let [low, high] = self.shape.bounding_box(self.turn);
        let reach = zip(minus(self.centre, low), minus(high, self.centre), |a, b| a.abs().max(b.abs()));
        f64::from(length(self.velocity) + length(self.rates) * length(reach))
    }

    /// The words of its entry in the buffer. `first` is where its distances begin; `cell` is the edge of a cell, m.
    pub fn pack(&self, first: usize, cell: f32) -> [f32; WORDS] {
        let (a, b, radii) = self.shape.parts();
        let kind = match self.shape {
            Obstacle::Box { .. } => kind::BOX,
            Obstacle::Sphere { .. } => kind::SPHERE,
            Obstacle::Capsule { .. } => kind::CAPSULE,
            Obstacle::Mesh { .. } => kind::MESH,
            _ => kind::CONE,
        };
        let [low, high] = self.shape.bounding_box(self.turn);
        let bricks = self.shape.distances().map_or([0; 3], |distances| distances.bricks());
        let mut words = [0.0; WORDS];
        words[word::KIND] = kind;
        words[word::FIRST] = first as f32;
        for (at, vector) in [
            (word::A, a),
            (word::B, b),
            (word::LOW, low),
            (word::HIGH, high),
            (word::VELOCITY, self.velocity.map(|v| v * cell)),
            (word::RATES, self.rates.map(|v| v * cell)),
            (word::CENTRE, self.centre),
            (word::BRICKS, bricks.map(|n| n as f32)),
        ] {
            words[at..at + 3].copy_from_slice(&vector);
        }
        words[word::RADII..word::RADII + 2].copy_from_slice(&radii);
        if kind == kind::BOX {
            words[word::RADII] = f32::from(u8::from(self.floats)); // a box has no radius
            words[word::STEEPNESS..].copy_from_slice(&steepness(self.turn));
        }
        words[word::TURN..word::TURN + 4].copy_from_slice(&self.turn);
        words
    }
}

/// The words of solids at rest, in cells; meshes have no distances here.
pub fn pack_all(solids: &[Obstacle]) -> Vec<f32> {
    solids.iter().flat_map(|solid| Placed::at_rest(solid.clone()).pack(0, 1.0)).collect()
}

fn vector(words: &[f32], at: usize) -> [f32; 3] {
    [words[at], words[at + 1], words[at + 2]]
}

/// Corners of the bounding box of a packed obstacle.
pub fn corners(words: &[f32]) -> [[f32; 3]; 2] {
    [word::LOW, word::HIGH].map(|at| vector(words, at))
}

/// Velocity of a packed obstacle at a point, m/s.
pub fn velocity(words: &[f32], point: [f32; 3]) -> [f32; 3] {
    let arm = minus(point, vector(words, word::CENTRE));
    plus(vector(words, word::VELOCITY), cross(vector(words, word::RATES), arm))
}

/// Signed distance of a point to a packed obstacle; `distances` are those of all meshes.
pub fn distance(words: &[f32], distances: &[f32], point: [f32; 3]) -> f32 {
    let (a, b) = (vector(words, word::A), vector(words, word::B));
    let (kind, radii) = (words[word::KIND], [words[word::RADII], words[word::RADII + 1]]);
    let from_a = minus(point, a);
    let turn = [0, 1, 2, 3].map(|n| words[word::TURN + n]);
    if kind == kind::BOX {
        box_distance(turned_back(from_a, turn), b)
    } else if kind == kind::SPHERE {
        length(from_a) - radii[0]
    } else if kind == kind::CAPSULE {
        capsule_distance(from_a, minus(b, a), radii[0])
    } else if kind == kind::MESH {
        let bricks = vector(words, word::BRICKS).map(|n| n as usize);
        let at = minus(turned_back(from_a, turn), b).map(|v| v / radii[0]);
        distance_grid::read(&distances[words[word::FIRST] as usize..], bricks, at, radii[0])
    } else {
        cone_distance(from_a, minus(b, a), radii)
    }
}

/// How much of a cell or face around a point a packed obstacle covers: `½ − d` with its distance. The box of a body
/// does so along each of its axes, so that its edges and corners are no larger than they are: they carry it. Others
/// keep the larger corners, which are tighter.
///
/// The ramp of such a wall is one cell wide along the axis of the grid that its normal is nearest to: by `(½ − d)/n`
/// with the largest component `n` of the normal. Then cells of a row along that axis hold what lies behind the wall in
/// all, wherever it is. With a ramp one cell wide along the normal rows of a wall at 45° miss it by up to 0.07 cells,
/// all of them alike, and a prism on its corner is turned by that.
///
/// A ramp over `d` gives a flat wall its place, and a sphere more than its volume: `⟨(R + u)³⟩ = R³ + R/4` over
/// `−½ < u < ½`. So round walls lie deeper by `1/(12 R)`, those that are round one way only by half of that.
pub fn share(words: &[f32], distances: &[f32], point: [f32; 3]) -> f32 {
    let kind = words[word::KIND];
    if kind != kind::BOX || words[word::RADII] <= 0.0 {
        return (0.5 - rounding(kind, words[word::RADII]) - distance(words, distances, point)).clamp(0.0, 1.0);
    }
    let turn = [0, 1, 2, 3].map(|n| words[word::TURN + n]);
    let from_centre = turned_back(minus(point, vector(words, word::A)), turn);
    let beyond = zip(vector(words, word::B), from_centre, |half, p| half - p.abs());
    let along = zip(beyond, vector(words, word::STEEPNESS), |d, steep| (0.5 + d * steep).clamp(0.0, 1.0));
    along[0] * along[1] * along[2]
}

/// `1/n` of the walls of a box that is turned so, see [`share`].
fn steepness(turn: [f32; 4]) -> [f32; 3] {
    // The axes of the grid in the frame of the box: their components are those of the normals.
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| turned_back(axis, turn));
    [0, 1, 2].map(|wall| 1.0 / axes.iter().fold(0.0f32, |most, axis| most.max(axis[wall].abs())))
}

/// How much deeper a round wall lies than where its distance is 0, see [`share`]; cells. Spheres of less than two
/// cells across keep what that is for two.
fn rounding(kind: f32, radius: f32) -> f32 {
    let curvature = 1.0 / radius.max(1.0);
    if kind == kind::SPHERE {
        curvature / 12.0
    } else if kind == kind::CAPSULE {
        curvature / 24.0
    } else {
        0.0
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
