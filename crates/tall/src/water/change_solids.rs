//! The same water among other solids.

use rayon::prelude::*;
use thalweg_columns::Heights;
use thalweg_columns::grid::world_cell;
use thalweg_ledger::transfer::transfer_f32;
use thalweg_ledger::word::{SOLIDS, WATER};
use thalweg_solids::Obstacle;

use crate::error::Result;
use crate::from_model::Exchange;
use crate::setup::Setup;
use crate::solver::stages::solids::Solids;
use crate::solver::surface::level_set::fine::{FineGrid, fine_heights};
use crate::water::TallWater;

impl TallWater {
    /// This water among the solids of a setup that is the same in all else. Where one of `gone` was there is air now;
    /// water where a new solid is counts as gone out. Nothing of this water changes, so that an error leaves it as it
    /// is.
    pub fn among(&self, setup: &Setup<'_>, exchange: &Exchange, gone: &[Obstacle]) -> Result<Self> {
        let (before, time) = (self.statistics_later()?.wait()?.volume, self.clock.time);
        let mut saved = self.snapshot_later()?.wait()?;
        let mut water = Self::with_exchange(self.exec.clone(), setup, exchange)?;
        let cells = gone.iter().map(|solid| solid.in_cells(setup.cell as f32).checked());
        let gone = cells.collect::<std::result::Result<Vec<Obstacle>, _>>()?;
        if !gone.is_empty() {
            let gone = Solids::new(&self.exec, self.state.shape(), setup.cell as f32, gone)?;
            let (old, new) = (gone.distances_at(time), water.stages.solids.distances_at(time));
            // Distance out of what was solid and is not any more.
            let hollow = |point: [f32; 3]| (-old(point)).min(new(point));
            let (shape, heights) = (self.state.shape(), &saved.heights);
            hollow_out(&mut saved.level_set, (shape.samples(), shape.nx), |column| heights[column], [1; 3], &hollow);
            if !saved.fine_level_set.is_empty() {
                let grid = FineGrid::new(shape);
                let columns = |column: usize| fine_heights(heights[grid.coarse_column(column)]);
                let fine = (grid.shape().samples(), grid.shape().nx);
                let per_cell = [grid.ratio[0] as u32, 2, grid.ratio[1] as u32];
                hollow_out(&mut saved.fine_level_set, fine, columns, per_cell, &hollow);
            }
        }
        water.restore(&saved)?;
        water.go_on_like(self);
        // Columns make room for the new solids: no time passes, and it is no step.
        water.carry(0.0)?;
        water.clock.steps = saved.steps;
        water.free_of_divergence()?;
        let change = water.statistics_later()?.wait()?.volume - before;
        let mut words = self.exec.read(water.stages.exchange.ledger.words())?;
        if change != 0.0 {
            transfer_f32(&mut words, SOLIDS, WATER, change as f32);
            self.exec.write(water.stages.exchange.ledger.words(), 0, &words)?;
        }
        Ok(water)
    }
}

/// Takes the water out of where `hollow` is positive. `per_cell` are values along the edges of a cell, in which
/// `hollow` counts.
fn hollow_out(
    phi: &mut [f32],
    (samples, nx): (usize, usize),
    heights: impl Fn(usize) -> Heights + Sync,
    per_cell: [u32; 3],
    hollow: &(impl Fn([f32; 3]) -> f32 + Sync),
) {
    phi.par_chunks_mut(samples).enumerate().for_each(|(column, line)| {
        let own = heights(column);
        for (sample, value) in line.iter_mut().enumerate() {
            let at = [(column % nx) as f32, world_cell(own, sample) as f32, (column / nx) as f32];
            let point = std::array::from_fn(|axis| (at[axis] + 0.5) / per_cell[axis] as f32);
            *value = value.max(hollow(point) * per_cell[1] as f32);
        }
    });
}
