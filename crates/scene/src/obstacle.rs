//! Solids that never move.

use crate::context::Context;
use crate::format;
use crate::grid::Grid;
use crate::report::At;

/// A solid that never moves, for three-dimensional water. World coordinates `[x, y, z]`, m.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Obstacle {
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
}

impl Obstacle {
    /// Corners of a box around it, m.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let (ends, radii) = match *self {
            Self::Box { min, max } => return [min, max],
            Self::Sphere { center, radius } => ([center; 2], [radius; 2]),
            Self::Capsule { ends, radius } | Self::Cylinder { ends, radius } => (ends, [radius; 2]),
            Self::Cone { ends, radii } => (ends, radii),
        };
        let corner = |sign: f64, choose: fn(f64, f64) -> f64| {
            std::array::from_fn(|axis| choose(ends[0][axis] + sign * radii[0], ends[1][axis] + sign * radii[1]))
        };
        [corner(-1.0, f64::min), corner(1.0, f64::max)]
    }

    pub(crate) fn lower(index: usize, file: &format::Obstacle, grid: &Grid, context: &mut Context<'_>) -> Self {
        let at = At::root().key("obstacle").index(index);
        let obstacle = match *file {
            format::Obstacle::Box { min, max } => Self::Box { min, max },
            format::Obstacle::Sphere { center, radius } => Self::Sphere { center, radius },
            format::Obstacle::Capsule { from, to, radius } => Self::Capsule { ends: [from, to], radius },
            format::Obstacle::Cylinder { from, to, radius } => Self::Cylinder { ends: [from, to], radius },
            format::Obstacle::Cone { from, to, radii } => Self::Cone { ends: [from, to], radii },
        };
        obstacle.check(grid, context, &at);
        obstacle
    }

    fn check(&self, grid: &Grid, context: &mut Context<'_>, at: &At) {
        match *self {
            Self::Box { min, max } => {
                for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
                    if min[axis] >= max[axis] {
                        let message = format!("the box is empty: {name} goes from {} to {} m", min[axis], max[axis]);
                        return context.report.error(&at.key("max").index(axis), message);
                    }
                }
            }
            Self::Capsule { ends: [a, b], .. }
            | Self::Cylinder { ends: [a, b], .. }
            | Self::Cone { ends: [a, b], .. }
                if a == b =>
            {
                return context.report.error(&at.key("to"), "the axis has no length: `from` and `to` are the same");
            }
            Self::Cone { radii: [0.0, 0.0], .. } => {
                return context.report.error(&at.key("radii"), "the cone is empty: one radius must be more than 0");
            }
            _ => {}
        }
        let ([low, high], end) = (self.bounds(), grid.high());
        let outside = |axis: usize, side: usize| high[axis] <= grid.origin[side] || low[axis] >= end[side];
        if outside(0, 0) || outside(2, 1) {
            context.report.error_with(at, "the obstacle is outside the domain", grid.extent_text());
        }
    }
}
