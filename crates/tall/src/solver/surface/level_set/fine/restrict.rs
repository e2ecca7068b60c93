//! From the fine level set to that of the simulation.

use rayon::prelude::*;
use thalweg_columns::Heights;
use thalweg_columns::grid::{is_tall, neighbours, world_cell};

use super::constants::TRUSTED;
use super::{FineGrid, FineParams, RestrictSlices};

struct Water<'a> {
    grid: FineGrid,
    heights: &'a [Heights],
    solid: &'a [f32],
    fine: &'a [f32],
}

impl Water<'_> {
    /// Mean and smallest of the fine values in a world cell, fine cells.
    fn cell(&self, column: usize, y: i32) -> [f32; 2] {
        let (mut sum, mut least) = (0.0, f32::INFINITY);
        for phi in self.grid.inside(self.fine, self.heights[column], column, y) {
            sum += phi;
            least = least.min(phi);
        }
        [sum / (2 * self.grid.columns_inside()) as f32, least]
    }

    /// Whether the mean of a world cell is water.
    fn is_wet(&self, column: usize, y: i32) -> bool {
        let [bottom, top] = self.heights[column];
        y >= bottom && y < top + self.grid.coarse.regular as i32 && self.cell(column, y)[0] < 0.0
    }

    /// Whether no cell next to this one is water.
    fn is_alone(&self, column: usize, y: i32) -> bool {
        let beside = neighbours(self.grid.coarse, column).into_iter().flatten();
        !self.is_wet(column, y - 1) && !self.is_wet(column, y + 1) && !beside.into_iter().any(|c| self.is_wet(c, y))
    }

    /// Whether a sample lies on the ground or on an obstacle, or in one.
    fn is_on_ground(&self, column: usize, sample: usize) -> bool {
        let at = column * self.grid.coarse.samples() + sample;
        match (is_tall(self.heights[column]), sample) {
            (_, 0) => true,
            (true, 1) => false, // there are no obstacles in tall cells
            (true, 2) => self.solid[at] > 0.0,
            _ => self.solid[at] > 0.0 || self.solid[at - 1] >= 1.0,
        }
    }

    /// The level set at a sample; `old` is where that of the simulation has got to by itself.
    #[inline(always)]
    fn restricted(&self, column: usize, sample: usize, [mean, least]: [f32; 2], old: f32) -> f32 {
        let y = world_cell(self.heights[column], sample);
        if mean >= 0.0 && least < 0.0 && !self.is_on_ground(column, sample) && self.is_alone(column, y) {
            return 0.5 * least;
        }
        let size = if mean.abs() < TRUSTED { 0.5 * mean.abs() } else { old.abs().max(0.5 * mean.abs()) };
        if mean < 0.0 { -size } else { size }
    }
}

pub(super) fn restrict_level_set(p: &FineParams, s: RestrictSlices<'_>) {
    let grid = p.grid();
    let (n, inside) = (grid.coarse.samples(), grid.columns_inside());
    let water = Water { grid, heights: s.heights, solid: s.solid, fine: s.fine };
    s.phi[..grid.coarse.len()].par_chunks_mut(n).enumerate().for_each(|(column, phi)| {
        let heights = s.heights[column];
        let lines: [&[f32]; 4] = std::array::from_fn(|number| {
            let at = grid.fine_column(column, number.min(inside - 1));
            &s.fine[at * 2 * n..][..2 * n]
        });
        for (sample, phi) in phi.iter_mut().enumerate() {
            // But for the lower end of a line, fine cells are samples of their own: the same sum without decoding.
            let values = if sample == 0 && is_tall(heights) {
                water.cell(column, heights[0])
            } else {
                let (mut sum, mut least) = (0.0, f32::INFINITY);
                for line in &lines[..inside] {
                    let [low, high] = [line[2 * sample], line[2 * sample + 1]];
                    sum = sum + low + high;
                    least = least.min(low).min(high);
                }
                [sum / (2 * inside) as f32, least]
            };
            *phi = water.restricted(column, sample, values, *phi);
        }
    });
}
