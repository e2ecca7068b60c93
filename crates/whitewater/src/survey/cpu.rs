use rayon::prelude::*;
use thalweg_columns::Shape;
use thalweg_columns::flow::FlowSlices;
use thalweg_columns::grid::world_cell;
use thalweg_compute::WORKGROUP;

use super::{NO_CEILING, SurveyParams, SurveySlices};
use crate::constants::event::{DEPOSITS, MADE};
use crate::trial::SLOTS;

impl SurveyParams {
    fn is_free(&self, flow: &FlowSlices<'_>, trial: [f32; 4], thrown: f32) -> bool {
        let [x, y, z, radius] = trial;
        let is_inside = x >= 0.0 && z >= 0.0 && x <= self.nx as f32 && z <= self.nz as f32;
        if radius <= 0.0 || !is_inside {
            return false;
        }
        let point = [x - 0.5, y - 0.5, z - 0.5];
        let away = if thrown > 0.0 { 0.0 } else { (2.0 * radius).max(self.clearance) };
        flow.phi_at(point) > away && flow.solid_at(point) < 0.5
    }
}

/// The lowest height from which on upwards no sample of a column counts that is wet or solid.
fn ceiling_of(flow: &FlowSlices<'_>, column: usize) -> i32 {
    let (n, heights) = (flow.shape.samples(), flow.heights[column]);
    let line = column * n..(column + 1) * n;
    let samples = flow.phi[line.clone()].iter().zip(&flow.solid[line]);
    let filled = samples.rev().position(|(phi, solid)| *phi < 0.0 || *solid > 0.0);
    match filled {
        Some(0) => NO_CEILING,
        Some(above) => world_cell(heights, n - above),
        None => heights[0],
    }
}

pub(super) fn survey(p: &SurveyParams, s: SurveySlices<'_>) {
    let shape = Shape { nx: p.nx as usize, nz: p.nz as usize, regular: p.samples as usize - 2 };
    let flow = FlowSlices { shape, heights: s.heights, phi: s.phi, velocity: &[], solid: s.solid };
    let columns = shape.columns();
    let trials = s.trials[..2 * SLOTS * columns].par_chunks(2 * SLOTS);
    let found = s.ceilings[..columns].par_iter_mut().zip(&mut s.freed[..columns]).zip(trials).enumerate();
    found.with_min_len(64).for_each(|(column, ((ceiling, freed), trials))| {
        *ceiling = ceiling_of(&flow, column);
        let is_free = |slot: usize| p.is_free(&flow, trials[2 * slot], trials[2 * slot + 1][3]);
        *freed = (0..SLOTS).map(|slot| u32::from(is_free(slot)) << slot).sum();
    });
    s.events[..MADE].fill(0);
    s.events[DEPOSITS..DEPOSITS + columns].fill(0);
    s.events[p.blocks as usize..(p.blocks + p.block_count) as usize].fill(0);
    for (group, freed) in s.freed[..columns].chunks(WORKGROUP as usize).enumerate() {
        let made = p.per_trial * freed.iter().map(|bits| bits.count_ones()).sum::<u32>();
        s.events[p.made as usize + group] = made;
        s.events[MADE] = s.events[MADE].wrapping_add(made);
    }
}
