//! What is full of water at the start: places of particles, worked out on the host.
//!
//! A lattice has particles at rest; a Poisson disk sample has none nearer than 0.8 spacings and no direction
//! ([Bridson 2007], by tries in cells of two radii). Particles in solids or in the ground are left out.
//!
//! [Bridson 2007]: https://doi.org/10.1145/1278780.1278807

mod poisson;
#[cfg(test)]
mod tests;

pub use poisson::poisson_disk;

/// A box of water, by its low and high corners, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seed {
    /// Low corner.
    pub low: [f64; 3],
    /// High corner.
    pub high: [f64; 3],
    /// Its velocity, m/s.
    pub velocity: [f64; 3],
    /// How particles are placed.
    pub placing: Placing,
}

/// How particles are placed in a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Placing {
    /// On a lattice of the spacing, half of it from the low corner.
    Lattice,
    /// At random, as many as the volume has: seeds of equal numbers give equal places.
    Random(u64),
}

impl Seed {
    /// Water at rest on a lattice.
    pub fn lattice(low: [f64; 3], high: [f64; 3]) -> Self {
        Self { low, high, velocity: [0.0; 3], placing: Placing::Lattice }
    }

    /// Places of its particles.
    pub fn places(&self, spacing: f64) -> Vec<[f64; 3]> {
        let Self { low, high, .. } = *self;
        let edges: [f64; 3] = std::array::from_fn(|axis| (high[axis] - low[axis]).max(0.0));
        match self.placing {
            Placing::Lattice => {
                // A little more than an edge holds: it may be a sum of spacings.
                let [nx, ny, nz] = edges.map(|edge| (edge / spacing + 1e-6).floor() as usize);
                let at = |axis: usize, n: usize| low[axis] + (n as f64 + 0.5) * spacing;
                let rows = (0..nz).flat_map(|k| (0..ny).map(move |j| (j, k)));
                rows.flat_map(|(j, k)| (0..nx).map(move |i| [at(0, i), at(1, j), at(2, k)])).collect()
            }
            Placing::Random(seed) => {
                let inner = [0.5 * spacing; 3];
                let [low, high] = [0, 1].map(|end| {
                    std::array::from_fn(
                        |axis| if end == 0 { low[axis] + inner[axis] } else { high[axis] - inner[axis] },
                    )
                });
                let count = (edges.iter().product::<f64>() / spacing.powi(3)).round() as usize;
                poisson_disk([low, high], 0.8 * spacing, count, seed)
            }
        }
    }
}
