use rayon::prelude::*;
use thalweg_columns::Shape;
use thalweg_columns::flow::FlowSlices;
use thalweg_columns::grid::{is_tall, world_cell};

use super::{SLOTS, TrialParams, TrialSlices};
use crate::constants::trial::{ABOVE, SOLID, WILD};
use crate::random::{draw, hash_u32};

impl TrialParams {
    fn trials_of(&self, flow: FlowSlices<'_>, column: usize, out: &mut [[f32; 4]]) {
        out.fill([0.0; 4]);
        let [x, z] = [column as u32 % self.nx, column as u32 / self.nx];
        if x < self.from_x || x >= self.to_x || z < self.from_z || z >= self.to_z {
            return;
        }
        let n = self.samples as usize;
        let heights = flow.heights[column];
        let first = if is_tall(heights) { 2 } else { 0 };
        let is_near = |sample: usize| {
            let at = column * n + sample;
            flow.phi[at] <= 0.0 && flow.phi[at] >= -self.depth && flow.solid[at] < 0.5
        };
        let near = (first..n).filter(|sample| is_near(*sample)).count() as u32;
        let stride = near.div_ceil(SLOTS as u32).max(1);
        let phase = hash_u32(column as u32 ^ self.salt) % stride;
        let chosen = (first..n).filter(|sample| is_near(*sample)).enumerate();
        let chosen = chosen.filter(|(place, _)| *place as u32 % stride == phase).map(|(_, sample)| sample);
        for (slot, sample) in chosen.take(SLOTS).enumerate() {
            let number = (column * SLOTS + slot) as u32;
            let [i, k] = [column % self.nx as usize, column / self.nx as usize].map(|c| c as f32);
            let y = world_cell(heights, sample) as f32;
            let point = [
                i + draw(self.salt, number, 0) - 0.5,
                y + draw(self.salt, number, 1) - 0.5,
                k + draw(self.salt, number, 2) - 0.5,
            ];
            let at = flow.at(point);
            if at.phi >= 0.0 || at.solid >= 0.5 {
                continue;
            }
            let (mut from, mut velocity, mut thrown) = (point, at.velocity, 0.0);
            let chance = draw(self.salt, number, 3);
            if chance < self.breaking {
                let (n, change) = around(&flow, point);
                let strength = ((change / self.calm - 1.0) / (WILD - 1.0)).clamp(0.0, 1.0);
                if chance < self.breaking * strength {
                    let speed = change * draw(self.salt, number, 4);
                    for axis in 0..3 {
                        from[axis] += (ABOVE - at.phi) * n[axis];
                        velocity[axis] += speed * n[axis];
                    }
                    thrown = 1.0;
                }
            }
            let [u, v, w] = velocity;
            let by = self.cells_per_speed;
            out[2 * slot] =
                [from[0] + 0.5 + by * u, from[1] + 0.5 + by * v - self.fallen, from[2] + 0.5 + by * w, -at.phi];
            out[2 * slot + 1] = [u, v - self.falling, w, thrown];
        }
    }
}

/// Normal of the surface, and by how much the velocity changes from cell to cell, m/s.
fn around(flow: &FlowSlices<'_>, point: [f32; 3]) -> ([f32; 3], f32) {
    let (mut n, mut change) = ([0.0; 3], 0.0);
    for (axis, n) in n.iter_mut().enumerate() {
        let [mut low, mut high] = [point, point];
        low[axis] -= 1.0;
        high[axis] += 1.0;
        let [low, high] = [low, high].map(|place| flow.at(place));
        *n = high.phi - low.phi;
        if low.solid <= SOLID && high.solid <= SOLID {
            for c in 0..3 {
                let half = 0.5 * (high.velocity[c] - low.velocity[c]);
                change += half * half;
            }
        }
    }
    let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt().max(1e-3);
    (n.map(|c| c / length), change.sqrt())
}

pub(super) fn trial(p: &TrialParams, s: TrialSlices<'_>) {
    let shape = Shape { nx: p.nx as usize, nz: p.nz as usize, regular: p.samples as usize - 2 };
    let flow = FlowSlices { shape, heights: s.heights, phi: s.phi, velocity: s.velocity, solid: s.solid };
    let columns = s.trials[..2 * SLOTS * shape.columns()].par_chunks_mut(2 * SLOTS).with_min_len(64).enumerate();
    columns.for_each(|(column, out)| p.trials_of(flow, column, out));
}
