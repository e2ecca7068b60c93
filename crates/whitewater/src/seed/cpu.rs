//! Twin: seed.wesl.

use rayon::prelude::*;
use thalweg_pressure::Shape;
use thalweg_tall::FlowSlices;

use super::{SeedParams, SeedSlices};

impl SeedParams {
    fn drops_of(&self, flow: &FlowSlices<'_>, trial: [f32; 4], thrown: f32) -> u32 {
        let [x, y, z, radius] = trial;
        let is_inside = x >= 0.0 && z >= 0.0 && x <= self.nx as f32 && z <= self.nz as f32;
        if radius <= 0.0 || !is_inside {
            return 0;
        }
        let point = [x - 0.5, y - 0.5, z - 0.5];
        let away = if thrown > 0.0 { 0.0 } else { (2.0 * radius).max(self.clearance) };
        let is_free = flow.phi_at(point) > away && flow.solid_at(point) < 0.5;
        if is_free { self.per_trial } else { 0 }
    }
}

pub(super) fn seed(p: &SeedParams, s: SeedSlices<'_>) {
    let shape = Shape { nx: p.nx as usize, nz: p.nz as usize, regular: p.samples as usize - 2 };
    let flow = FlowSlices { shape, heights: s.heights, phi: s.phi, velocity: &[], solid: s.solid };
    let slots = s.counts[..p.slots as usize].par_iter_mut().zip(s.trials.par_chunks(2)).with_min_len(256);
    slots.for_each(|(count, trial)| *count = p.drops_of(&flow, trial[0], trial[1][3]));
}
