//! Sources and zones on the fine lattice: the same kernels with lengths in fine cells.
//!
//! They change the fine level set after that of the columns, with the same decisions. What it adds has been counted for
//! the columns: both hold the same water but for what their cells round.

use thalweg_columns::Heights;
use thalweg_compute::{Buffer, ComputeError, Dispatch, Recording};

use super::sources::SourceParams;
use super::zones::{RelaxCells, ZoneParams};
use super::{Exchanger, Moment, Paint};
use crate::solver::surface::level_set::fine::{FineCells, FineGrid};

impl SourceParams {
    /// Along an axis with one column the fine cell is as long as the cell.
    fn on_fine(&self, FineGrid { ratio, .. }: FineGrid) -> Self {
        let [x, z] = ratio.map(|ratio| ratio as u32);
        let [long_x, long_z] = ratio.map(|ratio| ratio as f32);
        Self {
            nx: x * self.nx,
            nz: z * self.nz,
            samples: 2 * self.samples,
            first_i: x * self.first_i,
            first_k: z * self.first_k,
            count_i: x * self.count_i,
            count_k: z * self.count_k,
            low_x: long_x * self.low_x,
            low_y: 2.0 * self.low_y,
            low_z: long_z * self.low_z,
            high_x: long_x * self.high_x,
            high_y: 2.0 * self.high_y,
            high_z: long_z * self.high_z,
            ..*self
        }
    }
}

impl ZoneParams {
    fn on_fine(&self, FineGrid { ratio, .. }: FineGrid) -> Self {
        let [x, z] = ratio.map(|ratio| ratio as u32);
        let across = if self.side < 2 { x } else { z };
        Self {
            nx: x * self.nx,
            nz: z * self.nz,
            samples: 2 * self.samples,
            layer: across * self.layer,
            level: 2.0 * self.level,
            depth: 2.0 * self.depth,
            amplitude: 2.0 * self.amplitude,
            wave_number: self.wave_number / across as f32,
            at_side: 2.0 * self.at_side,
            at_middle: 2.0 * self.at_middle,
            at_end: 2.0 * self.at_end,
            ..*self
        }
    }
}

impl Exchanger {
    /// Records what sources change of the fine level set, after [`Self::change_surface`].
    pub(crate) fn paint_fine_surface(
        &self,
        rec: &mut Recording<'_>,
        (grid, heights): (FineGrid, &Buffer<Heights>),
        phi: &Buffer<f32>,
        moment: Moment,
    ) -> Result<(), ComputeError> {
        self.all().try_for_each(|(source, accounts)| {
            let params = self.params(source, moment).on_fine(grid);
            let samples = params.columns() * params.samples as usize;
            rec.run(&Paint { heights, state: accounts.state, phi }, &params, Dispatch::Elements(samples))
        })
    }

    /// Records what zones change of it.
    pub(crate) fn relax_fine_surface(
        &self,
        rec: &mut Recording<'_>,
        cells: FineCells<'_>,
        moment: Moment,
    ) -> Result<(), ComputeError> {
        let FineCells { grid, heights, terrain, solid, phi, exchanged } = cells;
        for zone in &self.zones {
            let params = zone.params(moment).on_fine(grid);
            if let Some(sea) = &zone.sea {
                sea.record_fine(rec, &params, grid.ratio.map(|ratio| ratio as u32))?;
            }
            let sea = zone.sea.as_ref().map_or(&self.no_sea, |sea| &sea.fine_sums);
            let kernel = RelaxCells { heights, terrain, solid, sea, phi, exchanged };
            rec.run(&kernel, &params, Dispatch::Elements(params.columns()))?;
        }
        Ok(())
    }
}
