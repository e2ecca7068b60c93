//! Particles for the tests of kernels.

use thalweg_compute::parity::Rng;
use thalweg_compute::{Buffer, Executor, Result};

use crate::grid::{cell_of, cells};
use crate::kernel::lattice_sum_poly6;
use crate::neighbours::extent_of;
use crate::params::StepParams;

/// Parameters of a closed box of 1.1 × 0.9 × 0.7 m with particles of 0.05 m.
pub(crate) fn params(capacity: usize) -> StepParams {
    let (spacing, radius) = (0.05f32, 0.1f32);
    let cell = radius * crate::constants::CELL;
    let [cells_x, cells_y, cells_z] = [1.1f32, 0.9, 0.7].map(|size| (size / cell).ceil() as u32 + 2);
    StepParams {
        capacity: capacity as u32,
        cells_x,
        cells_y,
        cells_z,
        per_cell: 1.0 / cell,
        dt: 0.008,
        per_dt: 125.0,
        gravity_x: 0.0,
        gravity_y: -9.81,
        gravity_z: 0.0,
        size_x: 1.1,
        size_y: 0.9,
        size_z: 0.7,
        walls: 63,
        drains: 0,
        solids: 0,
        solids_first: 0,
        ground_x: 0,
        ground_z: 0,
        per_ground: 0.0,
        spacing,
        radius,
        volume: (f64::from(spacing).powi(3) / lattice_sum_poly6(spacing.into(), radius.into())) as f32,
        wall_gap: 0.003,
        friction: 0.0,
        most_speed: 12.0,
        softness: 8.4,
        tension: 0.1 * spacing * spacing,
        relaxation: 1.0,
        smoothing: 0.05,
        vorticity: 0.0,
        tolerance: 1e-3,
        least: 1,
        iteration: 0,
        which: 0,
        births: 0,
        births_first: 0,
        births_id: 0,
    }
}

/// Particles in the order of their cells, and those cells.
#[derive(Debug, Clone)]
pub(crate) struct Sorted {
    pub(crate) places: Vec<[f32; 4]>,
    pub(crate) motions: Vec<[f32; 4]>,
    pub(crate) starts: Vec<u32>,
    pub(crate) cells: Vec<u32>,
}

/// The same in memory of an executor.
#[derive(Debug)]
pub(crate) struct SortedBuffers {
    pub(crate) extent: Buffer<u32>,
    pub(crate) places: Buffer<[f32; 4]>,
    pub(crate) motions: Buffer<[f32; 4]>,
    pub(crate) starts: Buffer<u32>,
    pub(crate) cells: Buffer<u32>,
    /// For kernels that ask for planes where there are no solids.
    pub(crate) none: Buffer<[f32; 4]>,
}

impl Sorted {
    /// Of places that are in any order.
    pub(crate) fn new(p: &StepParams, mut all: Vec<([f32; 4], [f32; 4])>) -> Self {
        all.sort_by_key(|(place, _)| cell_of(p, *place));
        let cells_of: Vec<u32> = all.iter().map(|(place, _)| cell_of(p, *place)).collect();
        let starts = (0..=cells(p)).map(|cell| cells_of.partition_point(|own| *own < cell) as u32).collect();
        let (places, motions) = all.into_iter().unzip();
        Self { places, motions, starts, cells: cells_of }
    }

    /// A block of particles that are a little out of place, a few that are alone, with random velocities.
    pub(crate) fn random(p: &StepParams, rng: &mut Rng) -> Self {
        let a = p.spacing;
        let mut all = Vec::new();
        for n in 0..12 * 9 * 8 {
            let at = [n % 12, n / 12 % 9, n / 108];
            let place = at.map(|n| (n as f32 + 0.5) * 0.97 * a + rng.range(-0.15, 0.15) * a);
            all.push(place);
        }
        for _ in 0..60 {
            all.push([rng.range(0.0, p.size_x), rng.range(0.0, p.size_y), rng.range(0.0, p.size_z)]);
        }
        let moving = all.into_iter().map(|[x, y, z]| {
            let [u, v, w] = [0; 3].map(|_| rng.range(-2.0, 2.0));
            ([x, y, z, 0.0], [u, v, w, 0.0])
        });
        let moving: Vec<_> = moving.collect();
        Self::new(p, moving)
    }

    pub(crate) fn upload(&self, exec: &Executor) -> Result<SortedBuffers> {
        let count = extent_of(self.places.len() as u32);
        Ok(SortedBuffers {
            extent: exec.buffer_from("extent", &[count, count].concat())?,
            places: exec.buffer_from("places", &self.places)?,
            motions: exec.buffer_from("motions", &self.motions)?,
            starts: exec.buffer_from("starts", &self.starts)?,
            cells: exec.buffer_from("cells", &self.cells)?,
            none: exec.buffer_from("none", &[[0.0; 4]])?,
        })
    }
}
