//! Water that the caller pours in.

use std::f64::consts::PI;

use thalweg_model::{Series, Source, SourceShape};
use thalweg_scene::Scene;
use thalweg_scene::number::exact;
use thalweg_tall::TallError;

use super::TallScene;
use crate::error::Error;
use crate::session::LONGEST_POUR;

/// Radius of a stream, cells, and that in a narrow domain: thinner ones are too coarse to look round.
const USUAL_CELLS: f64 = 2.5;
const LEAST_CELLS: f64 = 1.5;

/// Largest share of the narrower side of the domain that a stream may take.
const MOST_SHARE: f64 = 0.12;

/// A stream of water, for [`Simulation::pour`](crate::Simulation::pour): it leaves an upright cylinder, as high as
/// wide, at a velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pour {
    /// Middle of the cylinder, world coordinates, m.
    pub centre: [f64; 3],
    /// Its radius and half its height, m: at least a cell and a half looks round.
    pub radius: f64,
    /// Velocity at which the water leaves, m/s, of any direction; up to about `radius · 2 √(gravity / cell)`.
    pub velocity: [f64; 3],
}

impl Pour {
    /// A stream that falls onto a point of the water or the ground, m, from three radii above it.
    pub fn onto(scene: &Scene, point: [f64; 3], radius: f64) -> Self {
        // A quarter of what a cylinder of this size can carry: one of few cells may hold half of it.
        let speed = 0.5 * radius * (scene.gravity / scene.grid.cell).sqrt();
        Self { centre: [point[0], point[1] + 3.0 * radius, point[2]], radius, velocity: [0.0, -speed, 0.0] }
    }

    /// Radius of a stream that suits a scene, m: two cells and a half or, in a narrow domain, less.
    pub fn suitable_radius(scene: &Scene) -> f64 {
        let grid = &scene.grid;
        let narrow = f64::from(grid.nx.min(grid.nz.max(1))) * grid.cell;
        (MOST_SHARE * narrow).clamp(LEAST_CELLS * grid.cell, USUAL_CELLS * grid.cell)
    }

    /// Water that comes in, m³/s: the cylinder's cross-section times the speed.
    pub fn rate(&self) -> f64 {
        PI * self.radius * self.radius * self.speed()
    }

    fn speed(&self) -> f64 {
        self.velocity.iter().map(|v| v * v).sum::<f64>().sqrt()
    }

    /// The solver's source; `bounds` are the low and the high corner of the domain. The part of the cylinder that is
    /// outside is cut off.
    pub(crate) fn source(&self, [low, high]: [[f64; 3]; 2]) -> Result<Source, PourError> {
        let Self { centre, radius, velocity } = *self;
        if !centre.iter().chain(&velocity).chain([&radius]).all(|value| value.is_finite()) {
            return Err(PourError::NotFinite);
        }
        if radius <= 0.0 {
            return Err(PourError::Radius { radius });
        }
        if self.speed() <= 0.0 {
            return Err(PourError::Still);
        }
        if (0..3).any(|axis| centre[axis] < low[axis] || centre[axis] > high[axis]) {
            return Err(PourError::Outside { centre, low, high });
        }
        let [x, y, z] = centre;
        let shape = SourceShape::Disc { center: [x, z], radius };
        let y = [(y - radius).max(low[1]), (y + radius).min(high[1])];
        let source = Source::new("stream", shape, Series::constant(self.rate()));
        Ok(Source { y: Some(y), direction: Some(velocity), ..source })
    }
}

/// Why water cannot be poured in. Nothing was changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PourError {
    /// A number is not finite.
    #[error("water cannot be poured in: its place, radius and velocity must be finite numbers")]
    NotFinite,
    /// There is no stream that thin.
    #[error("water cannot be poured in: the radius of the stream is {} m, it must be more than 0", exact(*radius))]
    Radius {
        /// What was asked for, m.
        radius: f64,
    },
    /// It would not move.
    #[error("water cannot be poured in: its velocity is 0; the rate is the cross-section times the speed")]
    Still,
    /// It does not end by itself in time.
    #[error("a stream lasts more than 0 and at most {} s, not {} s", exact(LONGEST_POUR), exact(*seconds))]
    Duration {
        /// What was asked for, s.
        seconds: f64,
    },
    /// The middle of the stream is outside.
    #[error("water cannot be poured in at {centre:?} m: the domain goes from {low:?} to {high:?} m")]
    Outside {
        /// What was asked for, m.
        centre: [f64; 3],
        /// Low corner of the domain, m.
        low: [f64; 3],
        /// High corner of the domain, m.
        high: [f64; 3],
    },
    /// The grid cannot hold the stream.
    #[error("{0}; take a larger radius or a lower velocity")]
    Grid(String),
}

impl From<TallError> for PourError {
    fn from(error: TallError) -> Self {
        Self::Grid(error.to_string())
    }
}

impl TallScene {
    /// Pours water in during the next step.
    pub(crate) fn pour(&mut self, pour: Pour) -> Result<(), Error> {
        let (shape, cell) = (self.water.shape(), self.water.cell());
        let size = [shape.nx as f64 * cell, self.height, shape.nz as f64 * cell];
        let high = std::array::from_fn(|axis| self.corner[axis] + size[axis]);
        let source = pour.source([self.corner, high])?;
        self.water.pour(&source).map_err(|error| match error {
            TallError::Compute(error) => Error::from(error),
            refused => PourError::from(refused).into(),
        })?;
        self.pours = true;
        Ok(())
    }
}
