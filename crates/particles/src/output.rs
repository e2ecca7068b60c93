//! What is known of particles from outside: counts, remarks, reports, and the buffers that others read.

use thalweg_compute::Buffer;

use crate::constants::{extent, survey, tally};

/// What is known of the particles as they were at the end of the last frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Census {
    /// Particles.
    pub count: usize,
    /// Slots.
    pub capacity: usize,
    /// Particles of sources that found no free slot since the start.
    pub refused: u32,
    /// Largest speed, m/s.
    pub speed: f64,
    /// Largest density in units of that at rest, as the last solve of the frame found it.
    pub density: f64,
}

/// Something that a caller may want to act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// Less than a tenth of the slots is free: [`LiquidParticles::grow`](crate::LiquidParticles::grow).
    NearlyFull {
        /// Particles.
        count: usize,
        /// Slots.
        capacity: usize,
    },
    /// Sources found no free slot.
    Refused {
        /// Particles that were not made since the start.
        refused: u32,
    },
}

impl Census {
    pub(crate) fn of(words: &[u32], extremes: &[u32], counts: &[u32], capacity: usize) -> Self {
        Self {
            count: words[extent::COUNT] as usize,
            capacity,
            refused: counts[tally::REFUSED as usize],
            speed: f64::from(f32::from_bits(extremes[survey::SPEED2])).sqrt(),
            density: f64::from(f32::from_bits(extremes[survey::DENSITY])),
        }
    }

    /// What is to be said about it.
    pub fn remark(&self) -> Option<Remark> {
        let Self { count, capacity, refused, .. } = *self;
        match refused {
            0 if 10 * count > 9 * capacity => Some(Remark::NearlyFull { count, capacity }),
            0 => None,
            refused => Some(Remark::Refused { refused }),
        }
    }
}

/// Iterations of divergence-free SPH in the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveReport {
    /// Iterations of the divergence solve.
    pub divergence_iterations: u32,
    /// Mean change of density within the step that it left.
    pub divergence_error: f32,
    /// Iterations of the density solve.
    pub density_iterations: u32,
    /// Mean error of density that it left.
    pub density_error: f32,
}

/// Buffers for renderers and other solvers, of which the first `count` elements hold particles.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// Places, m from the corner of the domain; the fourth number means nothing.
    pub places: &'a Buffer<[f32; 4]>,
    /// Velocities, m/s; the fourth number means nothing to others.
    pub motions: &'a Buffer<[f32; 4]>,
    /// A number for life.
    pub ids: &'a Buffer<u32>,
    /// Density in units of that at rest.
    pub density: &'a Buffer<f32>,
    /// Indirect arguments over the particles; the word [`View::COUNT`] is their number.
    pub extent: &'a Buffer<u32>,
    /// Slots.
    pub capacity: usize,
    /// Half the spacing, m: how large a particle is drawn.
    pub radius: f32,
}

impl View<'_> {
    /// Where in `extent` the number of particles is.
    pub const COUNT: usize = extent::COUNT;
}
