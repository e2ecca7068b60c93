//! What particles are made of: the domain, what they begin with, what is solid, what comes and goes, and how they move.

use thalweg_solids::Obstacle;

use crate::emit::Source;
use crate::error::{Result, invalid};
use crate::seed::Seed;

/// Cells of the neighbour grid at most: what a GPU binds.
const MOST_CELLS: f64 = 3e7;

/// How density is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constraint {
    /// Position-based fluids: robust and fast, a little soft.
    PositionBased(PositionBased),
    /// Divergence-free SPH: keeps density and energy better, for more work.
    DivergenceFree(DivergenceFree),
}

impl Constraint {
    /// Radius of the kernel, in spacings.
    pub fn radius(&self) -> f64 {
        match self {
            Self::PositionBased(of) => of.radius,
            Self::DivergenceFree(of) => of.radius,
        }
    }
}

impl Default for Constraint {
    fn default() -> Self {
        Self::PositionBased(PositionBased::default())
    }
}

/// Settings of position-based fluids.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PositionBased {
    /// Radius of the kernel, in spacings.
    pub radius: f64,
    /// Iterations of a sub-step.
    pub iterations: u32,
    /// Longest sub-step, s.
    pub longest: f64,
    /// The same in units of √(a/g), the time in which a particle falls by half its spacing a: what a column is
    /// compressed by goes with the square of it, at any scale.
    pub fall: f64,
    /// ε in the denominator of λ, as a share of what it is inside of water.
    pub softness: f64,
    /// Strength of the correction that keeps particles apart, in squares of the spacing.
    pub tension: f64,
    /// Share ω of a correction that is applied.
    pub relaxation: f64,
    /// Smoothing c of velocities by XSPH.
    pub smoothing: f64,
    /// Strength ε of vorticity confinement, m.
    pub vorticity: f64,
}

impl Default for PositionBased {
    fn default() -> Self {
        Self {
            radius: 2.0,
            iterations: 3,
            longest: 1.0 / 120.0,
            fall: 0.075,
            softness: 0.05,
            tension: 0.1,
            relaxation: 1.0,
            smoothing: 0.01,
            vorticity: 0.0,
        }
    }
}

/// Settings of divergence-free SPH.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DivergenceFree {
    /// Radius of the kernel, in spacings.
    pub radius: f64,
    /// Mean error of density at which its solve ends, in units of that at rest.
    pub tolerance: f64,
    /// Mean change of density within a step at which the divergence solve ends.
    pub divergence_tolerance: f64,
    /// Most iterations of the density solve; two are always made.
    pub iterations: u32,
    /// Most iterations of the divergence solve; one is always made.
    pub divergence_iterations: u32,
}

impl Default for DivergenceFree {
    fn default() -> Self {
        Self { radius: 2.0, tolerance: 1e-3, divergence_tolerance: 1e-3, iterations: 40, divergence_iterations: 20 }
    }
}

/// Heights of the ground at nodes, x fastest; beyond the last ones they go on level.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// Nodes along x and z, at least two each.
    pub nodes: [usize; 2],
    /// Distance of nodes, m.
    pub spacing: f64,
    /// Heights, m.
    pub heights: &'a [f32],
}

impl Ground<'_> {
    /// Whether a place is at least `distance` above it.
    pub(crate) fn is_below(&self, [x, y, z]: [f64; 3], distance: f64) -> bool {
        let [nx, nz] = self.nodes;
        let along = |x: f64, nodes: usize| {
            let x = (x / self.spacing).clamp(0.0, (nodes - 1) as f64);
            let low = (x as usize).min(nodes - 2);
            (low, x - low as f64)
        };
        let ((i, s), (k, t)) = (along(x, nx), along(z, nz));
        let at = |i: usize, k: usize| f64::from(self.heights[i + k * nx]);
        let [near, far] = [k, k + 1].map(|k| at(i, k) + (at(i + 1, k) - at(i, k)) * s);
        let slope_x = (at(i + 1, k) - at(i, k)) / self.spacing;
        let slope_z = (far - near) / self.spacing;
        y - (near + (far - near) * t) >= distance * (1.0 + slope_x * slope_x + slope_z * slope_z).sqrt()
    }
}

/// How particles move.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// How density is kept.
    pub constraint: Constraint,
    /// Acceleration, m/s².
    pub gravity: [f64; 3],
    /// Which sides are walls: low x, high x, low y, high y, low z, high z. Through the others particles leave.
    pub walls: [bool; 6],
    /// Coefficient of friction on walls and solids.
    pub friction: f64,
    /// Slots of particles; `None` for those of the start and, if there are sources, as many again and 20,000 more.
    pub capacity: Option<usize>,
    /// Rounds in which particles of the start find their distances, without gravity.
    pub relaxation: u32,
    /// Most sub-steps of a frame. Past it speeds are limited.
    pub most_substeps: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            constraint: Constraint::default(),
            gravity: [0.0, -9.81, 0.0],
            walls: [true; 6],
            friction: 0.0,
            capacity: None,
            relaxation: 0,
            most_substeps: 64,
        }
    }
}

/// All that particles begin with. Lengths in m from the corner of the domain, y up.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    /// Edges of the domain.
    pub size: [f64; 3],
    /// Spacing of particles at rest: each has its cube as volume.
    pub spacing: f64,
    /// What is full of water at the start.
    pub seeds: &'a [Seed],
    /// Ground inside the domain.
    pub ground: Option<Ground<'a>>,
    /// Solids, at rest or in motion; lengths in m.
    pub solids: &'a [Obstacle],
    /// What comes in.
    pub sources: &'a [Source],
    /// Boxes that swallow particles, by their low and high corners.
    pub drains: &'a [[[f64; 3]; 2]],
    /// How they move.
    pub options: &'a Options,
}

impl<'a> Setup<'a> {
    /// Particles in a closed box.
    pub fn new(size: [f64; 3], spacing: f64, seeds: &'a [Seed], options: &'a Options) -> Self {
        Self { size, spacing, seeds, ground: None, solids: &[], sources: &[], drains: &[], options }
    }

    /// Cells of the neighbour grid along each axis, with the layer around it.
    pub(crate) fn cells(&self) -> [u32; 3] {
        let cell = self.spacing * self.options.constraint.radius() * f64::from(crate::constants::CELL);
        self.size.map(|size| (size / cell).ceil().max(1.0) as u32 + 2)
    }

    pub(crate) fn check(&self) -> Result<()> {
        let numbers = self.size.iter().chain(&self.options.gravity).chain(self.drains.iter().flatten().flatten());
        if !numbers.chain([&self.spacing, &self.options.friction]).all(|v| v.is_finite()) {
            return invalid("a size, the spacing, gravity, friction or a drain is not finite");
        }
        if self.spacing <= 0.0 || self.size.iter().any(|size| *size < self.spacing) {
            return invalid("the spacing must be positive, and the domain at least as large along each axis");
        }
        let radius = self.options.constraint.radius();
        if !(1.5..=4.0).contains(&radius) {
            return invalid(format!("a kernel's radius of {radius} spacings is outside of 1.5 to 4"));
        }
        let cells: f64 = self.size.iter().map(|size| size / (self.spacing * radius) + 3.0).product();
        if cells > MOST_CELLS {
            return invalid(format!("{cells:.0} cells for neighbours are too many: use a larger spacing"));
        }
        if self.options.friction < 0.0 || self.options.most_substeps == 0 {
            return invalid("friction must not be negative, and a frame has one sub-step or more");
        }
        let good = match self.options.constraint {
            Constraint::PositionBased(of) => {
                of.iterations > 0
                    && of.longest > 0.0
                    && of.fall > 0.0
                    && of.softness > 0.0
                    && of.tension >= 0.0
                    && of.relaxation > 0.0
                    && (0.0..=1.0).contains(&of.smoothing)
                    && of.vorticity >= 0.0
            }
            Constraint::DivergenceFree(of) => {
                of.tolerance > 0.0
                    && of.divergence_tolerance > 0.0
                    && of.iterations >= 2
                    && of.divergence_iterations >= 1
            }
        };
        if !good {
            return invalid("a setting of the constraint is out of its range: iterations, steps, tolerances or shares");
        }
        if let Some(Ground { nodes: [x, z], spacing, heights }) = self.ground {
            let fits = x.checked_mul(z) == Some(heights.len());
            if x < 2 || z < 2 || !fits || !(spacing > 0.0 && heights.iter().all(|h| h.is_finite())) {
                return invalid("the ground needs two nodes or more along x and z, a finite height at each");
            }
        }
        Ok(())
    }
}
