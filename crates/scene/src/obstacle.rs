//! Solids.

use std::collections::HashMap;
use std::sync::Arc;

use thalweg_model::Motion;

use crate::context::Context;
use crate::diagnostics::quoted;
use crate::format;
use crate::grid::Grid;
use crate::mesh::{self, TriangleMesh};
use crate::motion;
use crate::number::exact;
use crate::probe::is_name;
use crate::report::At;

/// A solid, for three-dimensional water. World coordinates `[x, y, z]`, m.
#[derive(Debug, Clone, PartialEq)]
pub struct Obstacle {
    /// What probes call it.
    pub name: Option<String>,
    /// Its shape, where it is before it moves.
    pub shape: ObstacleShape,
    /// How it moves.
    pub motion: Option<Motion>,
    /// The lowest elevation that it takes during the scene, m.
    pub(crate) lowest: f64,
}

/// The shape of a solid.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ObstacleShape {
    /// A box along the axes.
    Box {
        /// Low corner.
        min: [f64; 3],
        /// High corner.
        max: [f64; 3],
    },
    /// A sphere.
    Sphere {
        /// Its middle.
        center: [f64; 3],
        /// Its radius.
        radius: f64,
    },
    /// All that is no further than `radius` from the line between the ends.
    Capsule {
        /// Ends of the line.
        ends: [[f64; 3]; 2],
        /// Radius around it.
        radius: f64,
    },
    /// A cylinder with flat ends.
    Cylinder {
        /// Middles of its ends.
        ends: [[f64; 3]; 2],
        /// Its radius.
        radius: f64,
    },
    /// A cone with flat ends; a radius of 0 makes a tip.
    Cone {
        /// Middles of its ends.
        ends: [[f64; 3]; 2],
        /// Radii at its ends, not both 0.
        radii: [f64; 2],
    },
    /// What a closed surface encloses.
    Mesh {
        /// The surface, scaled and turned, m.
        mesh: Arc<TriangleMesh>,
        /// Where its origin is.
        position: [f64; 3],
    },
}

impl ObstacleShape {
    /// Corners of a box around it, m.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let (ends, radii) = match self {
            Self::Box { min, max } => return [*min, *max],
            Self::Mesh { mesh, position } => {
                return mesh.bounds().map(|corner| std::array::from_fn(|axis| corner[axis] + position[axis]));
            }
            Self::Sphere { center, radius } => ([*center; 2], [*radius; 2]),
            Self::Capsule { ends, radius } | Self::Cylinder { ends, radius } => (*ends, [*radius; 2]),
            Self::Cone { ends, radii } => (*ends, *radii),
        };
        let corner = |sign: f64, choose: fn(f64, f64) -> f64| {
            std::array::from_fn(|axis| choose(ends[0][axis] + sign * radii[0], ends[1][axis] + sign * radii[1]))
        };
        [corner(-1.0, f64::min), corner(1.0, f64::max)]
    }

    /// The same shape elsewhere.
    pub(crate) fn moved(self, way: [f64; 3]) -> Self {
        let moved = |p: [f64; 3]| std::array::from_fn(|axis| p[axis] + way[axis]);
        match self {
            Self::Box { min, max } => Self::Box { min: moved(min), max: moved(max) },
            Self::Sphere { center, radius } => Self::Sphere { center: moved(center), radius },
            Self::Capsule { ends, radius } => Self::Capsule { ends: ends.map(moved), radius },
            Self::Cylinder { ends, radius } => Self::Cylinder { ends: ends.map(moved), radius },
            Self::Cone { ends, radii } => Self::Cone { ends: ends.map(moved), radii },
            Self::Mesh { mesh, position } => Self::Mesh { mesh, position: moved(position) },
        }
    }

    /// Memory that a mesh takes, bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Mesh { mesh, .. } => 24 * mesh.vertices.len() as u64 + 12 * mesh.triangles.len() as u64,
            _ => 0,
        }
    }

    /// The point that a path is about.
    pub(crate) fn middle(&self) -> [f64; 3] {
        match self {
            Self::Mesh { position, .. } => *position,
            Self::Capsule { ends: [a, b], .. }
            | Self::Cylinder { ends: [a, b], .. }
            | Self::Cone { ends: [a, b], .. } => std::array::from_fn(|axis| 0.5 * (a[axis] + b[axis])),
            _ => {
                let [low, high] = self.bounds();
                std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]))
            }
        }
    }

    /// Whether the shape is one, told at the key that says otherwise.
    pub(crate) fn is_good(&self, context: &mut Context<'_>, at: &At) -> bool {
        match *self {
            Self::Box { min, max } => {
                for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
                    if min[axis] >= max[axis] {
                        let (from, to) = (exact(min[axis]), exact(max[axis]));
                        let message = format!("the box is empty: {name} goes from {from} to {to} m");
                        context.report.error(&at.key("max").index(axis), message);
                        return false;
                    }
                }
            }
            Self::Capsule { ends: [a, b], .. }
            | Self::Cylinder { ends: [a, b], .. }
            | Self::Cone { ends: [a, b], .. }
                if a == b =>
            {
                context.report.error(&at.key("to"), "the axis has no length: `from` and `to` are the same");
                return false;
            }
            Self::Cone { radii: [0.0, 0.0], .. } => {
                context.report.error(&at.key("radii"), "the cone is empty: one radius must be more than 0");
                return false;
            }
            _ => {}
        }
        true
    }
}

impl Obstacle {
    /// All obstacles, or `None` if the shape or the motion of one is not known.
    pub(crate) fn lower_all(file: &[format::Obstacle], grid: &Grid, context: &mut Context<'_>) -> Option<Vec<Self>> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let mut obstacles = Vec::new();
        for (index, file) in file.iter().enumerate() {
            let at = At::root().key("obstacle").index(index);
            let obstacle = Self::lower(file, grid, context, &at);
            if let Some(name) = obstacle.as_ref().and_then(|obstacle| obstacle.name.clone()) {
                if !is_name(&name) {
                    let message = format!("{} cannot be the name of an obstacle", quoted(&name));
                    context.report.error_with(
                        &at.key("name"),
                        message,
                        "a name has 1 to 64 letters, digits, `_` or `-`",
                    );
                }
                if let Some(first) = seen.insert(name.clone(), index) {
                    let message = format!("the name {} is taken by obstacle {}", quoted(&name), first + 1);
                    context.report.error_with(
                        &at.key("name"),
                        message,
                        "probes find obstacles by name: it must be unique",
                    );
                }
            }
            obstacles.push(obstacle);
        }
        obstacles.into_iter().collect()
    }

    fn lower(file: &format::Obstacle, grid: &Grid, context: &mut Context<'_>, at: &At) -> Option<Self> {
        let (shape, name, motion) = match file.clone() {
            format::Obstacle::Box { min, max, name, motion } => (ObstacleShape::Box { min, max }, name, motion),
            format::Obstacle::Sphere { center, radius, name, motion } => {
                (ObstacleShape::Sphere { center, radius }, name, motion)
            }
            format::Obstacle::Capsule { from, to, radius, name, motion } => {
                (ObstacleShape::Capsule { ends: [from, to], radius }, name, motion)
            }
            format::Obstacle::Cylinder { from, to, radius, name, motion } => {
                (ObstacleShape::Cylinder { ends: [from, to], radius }, name, motion)
            }
            format::Obstacle::Cone { from, to, radii, name, motion } => {
                (ObstacleShape::Cone { ends: [from, to], radii }, name, motion)
            }
            format::Obstacle::Mesh { file, scale, rotate, position, name, motion } => {
                let mesh = mesh::lower(&file, context, &at.key("file"))?.placed(scale, rotate);
                (ObstacleShape::Mesh { mesh: Arc::new(mesh), position }, name, motion)
            }
        };
        let is_good = shape.is_good(context, at);
        let motion = match motion {
            Some(motion) => Some(motion::lower(&motion, shape.middle(), context, &at.key("motion"))?),
            None => None,
        };
        let [low, high] = swept(&shape, motion.as_ref(), context.duration);
        let end = grid.high();
        let outside = |axis: usize, side: usize| high[axis] <= grid.origin[side] || low[axis] >= end[side];
        if is_good && (outside(0, 0) || outside(2, 1)) {
            context.report.error_with(at, "the obstacle is outside the domain", grid.extent_text());
        }
        Some(Self { name, shape, motion, lowest: low[1] })
    }

    /// A solid that rests and that no probe knows.
    pub fn at_rest(shape: ObstacleShape) -> Self {
        let lowest = shape.bounds()[0][1];
        Self { name: None, shape, motion: None, lowest }
    }

    /// Corners of a box around it before it moves, m.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        self.shape.bounds()
    }
}

/// Corners of a box around all places of a shape during a scene, m.
fn swept(shape: &ObstacleShape, motion: Option<&Motion>, duration: f64) -> [[f64; 3]; 2] {
    let [mut low, mut high] = shape.bounds();
    let Some(motion) = motion else { return [low, high] };
    if let Some(spin) = motion.spin {
        // A ball around the pivot holds it however it turns.
        let middle: [f64; 3] = std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]));
        let pivot = spin.pivot.unwrap_or(middle);
        let far = |axis: usize| (low[axis] - pivot[axis]).abs().max((high[axis] - pivot[axis]).abs());
        let radius = (0..3).map(|axis| far(axis).powi(2)).sum::<f64>().sqrt();
        (low, high) = (pivot.map(|v| v - radius), pivot.map(|v| v + radius));
    }
    let [least, most] = motion.reach(duration);
    [std::array::from_fn(|axis| low[axis] + least[axis]), std::array::from_fn(|axis| high[axis] + most[axis])]
}
