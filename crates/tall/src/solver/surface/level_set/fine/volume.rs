//! Volume of the water of the fine level set, in cells of the simulation.

use rayon::prelude::*;
use thalweg_columns::Heights;
use thalweg_columns::grid::is_tall;

use super::{FineGrid, FineVolumeSlices};
use crate::solver::stages::exchange::water_in_cell;
use crate::solver::view::statistics::{StatsParams, WORDS, word};

/// Columns that one task handles. Tasks are joined in their order, whoever ran them.
const CHUNK: usize = 64;

/// Full cells, what is in the others, and values that are not finite.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FineTotals {
    pub(super) full: u32,
    pub(super) part: f64,
    pub(super) broken: u32,
}

impl FineTotals {
    /// Counts a cell by what its fine cells hold.
    fn add(&mut self, fine: impl Iterator<Item = f32>, count: usize, solid: f32) {
        let water = fine.map(|phi| water_in_cell(phi, solid)).sum::<f32>();
        if water == count as f32 {
            self.full += 1;
        } else {
            self.part += f64::from(water / count as f32);
        }
    }
}

/// The water of columns on the host.
#[derive(Debug, Clone, Copy)]
pub(super) struct FineWater<'a> {
    pub(super) grid: FineGrid,
    pub(super) heights: &'a [Heights],
    /// Ground per column, cells.
    pub(super) terrain: &'a [f32],
    /// Solid fractions of the simulation's cells: the water displaces as much in each of its fine cells.
    pub(super) solid: &'a [f32],
    pub(super) fine: &'a [f32],
}

impl FineWater<'_> {
    pub(super) fn add_column(&self, totals: &mut FineTotals, column: usize) {
        let (n, inside) = (self.grid.coarse.samples(), self.grid.columns_inside());
        let heights = self.heights[column];
        let lines: [&[f32]; 4] = std::array::from_fn(|number| {
            &self.fine[self.grid.fine_column(column, number.min(inside - 1)) * 2 * n..][..2 * n]
        });
        let lines = &lines[..inside];
        totals.broken += lines.iter().flat_map(|line| line.iter()).map(|v| u32::from(!v.is_finite())).sum::<u32>();
        let first = if is_tall(heights) {
            self.add_tall(totals, column, lines);
            1
        } else {
            0
        };
        for sample in first..n {
            let pairs = || lines.iter().map(|line| [line[2 * sample], line[2 * sample + 1]]);
            if pairs().all(|[low, high]| low >= 0.5 && high >= 0.5) {
                continue;
            }
            // Only cells beside the surface can be in solids: there are none in a tall cell.
            let solid = if sample < 2 && is_tall(heights) { 0.0 } else { self.solid[column * n + sample] };
            totals.add(pairs().flatten(), 2 * inside, solid);
        }
    }

    /// The cells below the highest one of a tall cell: those of fine lines. The ground cuts the lowest.
    fn add_tall(&self, totals: &mut FineTotals, column: usize, lines: &[&[f32]]) {
        let [bottom, top] = self.heights[column];
        let ground = (self.terrain[column] - bottom as f32).clamp(0.0, 1.0);
        let is_full = lines.iter().all(|line| line[0] <= -0.5 && line[1] <= -0.5);
        let last = if is_full { bottom } else { top - 2 };
        for y in bottom..=last {
            let values = self.grid.inside(self.fine, self.heights[column], column, y);
            totals.add(values, 2 * lines.len(), if y == bottom { ground } else { 0.0 });
        }
        totals.full += (top - 2 - last) as u32;
    }
}

pub(super) fn fine_volume(p: &StatsParams, s: FineVolumeSlices<'_>) {
    let grid = FineGrid::new(p.shape());
    let water =
        FineWater { grid, heights: s.heights, terrain: s.terrain, solid: s.solid, fine: &s.fine[..grid.shape().len()] };
    let columns = grid.coarse.columns();
    let parts: Vec<FineTotals> = (0..columns.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut totals = FineTotals::default();
            (chunk * CHUNK..columns.min((chunk + 1) * CHUNK)).for_each(|column| water.add_column(&mut totals, column));
            totals
        })
        .collect();
    for words in s.partials[..p.groups as usize * WORDS].chunks_exact_mut(WORDS) {
        words[word::FULL] = 0;
        words[word::PART] = 0.0f32.to_bits();
    }
    s.partials[word::FULL] = parts.iter().map(|totals| totals.full).sum();
    s.partials[word::PART] = (parts.iter().map(|totals| totals.part).sum::<f64>() as f32).to_bits();
    s.partials[word::BROKEN] += parts.iter().map(|totals| totals.broken).sum::<u32>();
}
