//! Where the water of a tree went.

use thalweg_compute::{Dispatch, Later, Shared};
use thalweg_ledger::{Account, Ledger, Quantity, quantum_on};

use super::kernel_advection::{tallies, tile_sum};
use super::params::TreePlan;
use super::step::Buffers;
use super::take_counts::{TakeCounts, TakeCountsParams};
use super::water::TreeWater;
use crate::error::{Result, ShallowError};

impl TreeWater {
    /// The volume as a whole number of units, and what a unit is, m³: accounted for to the last one by
    /// [`TreeScheme::KernelAdvection`](super::TreeScheme). `None` with other schemes.
    pub fn counted_volume_later(&mut self) -> Result<Option<Later<(u128, f64), ShallowError>>> {
        self.settle()?;
        let (Some(unit), Some(kernel)) = (unit_volume(&self.plan, self.cell), &self.buffers.kernel) else {
            return Ok(None);
        };
        let (topology, volumes) =
            (self.exec.read_async(&self.buffers.topology)?, self.exec.read_async(&kernel.volumes)?);
        let (tiling, words) = (self.tiling(), kernel.volumes.len() / self.plan.capacity);
        Ok(Some(Later::new(move || {
            let (topology, volumes) = (topology.wait()?, volumes.wait()?);
            let slots = tiling.listed(&topology).into_iter().map(|(slot, _)| slot as usize);
            Ok((slots.map(|slot| tile_sum(&volumes[slot * words..])).sum(), unit))
        })))
    }

    /// Where the water went since the start. Under [`TreeScheme::KernelAdvection`](super::TreeScheme) its quanta are the units of
    /// [`counted_volume_later`](Self::counted_volume_later), which is what the water's account holds.
    pub fn ledger_later(&mut self) -> Result<Later<Ledger, ShallowError>> {
        self.settle()?;
        let posted = self.post()?;
        Ok(Later::new(move || posted.wait()))
    }

    /// Moves what the executor has counted between the accounts, as they are at the end of a frame.
    pub(super) fn post(&mut self) -> Result<Shared<Ledger, ShallowError>> {
        if let Some(posted) = &self.posted {
            return Ok(posted.clone()); // nothing was counted since
        }
        let Buffers { kernel, status, counted, .. } = &self.buffers;
        let mut ledger = self.ledger.clone();
        let mut rec = self.exec.record();
        let posted = match kernel {
            Some(kernel) => {
                let words = self.exec.read_async(&kernel.tallies)?;
                rec.clear(&kernel.tallies)?;
                rec.submit()?;
                Shared::new(move || {
                    for (from, to, units) in tallies::totals(&words.wait()?) {
                        ledger.transfer(Quantity::Mass, from, to, units)?;
                    }
                    Ok(ledger)
                })
            }
            None => {
                let capacity = self.plan.capacity;
                let params = TakeCountsParams { capacity: capacity as u32 };
                rec.stage("statistics");
                rec.run(&TakeCounts { status, counted }, &params, Dispatch::Elements(capacity))?;
                rec.submit()?;
                let counted = self.exec.read_async(counted)?;
                Shared::new(move || {
                    let volume = |sum: f32, rest: f32| f64::from(sum) + f64::from(rest);
                    let volumes = counted.wait()?.into_iter().map(|[added, removed, added_rest, removed_rest]| {
                        [volume(added, added_rest), volume(removed, removed_rest)]
                    });
                    ledger.exchange(Account::Outside, volumes)?;
                    Ok(ledger)
                })
            }
        };
        self.posted = Some(posted.clone());
        Ok(posted)
    }

    /// Takes what was posted into the ledger.
    pub(super) fn catch_up(&mut self) -> Result<()> {
        if let Some(posted) = self.posted.take() {
            self.ledger = posted.wait()?;
        }
        Ok(())
    }
}

/// The accounts that a scheme keeps: one that counts whole units knows what rain and sources bring, finite volumes only
/// what a tile has got from outside.
pub(super) fn open_ledger(plan: &TreePlan, cell: f64, size: [u32; 2]) -> Ledger {
    const COUNTED: [Account; 5] = [Account::Water, Account::Opening, Account::Rain, Account::Sources, Account::Outside];
    match unit_volume(plan, cell) {
        Some(unit) => Ledger::of_mass(unit, &COUNTED),
        None => {
            let area = f64::from(size[0]) * f64::from(size[1]) * cell * cell;
            Ledger::of_mass(quantum_on(area), &[Account::Water, Account::Outside])
        }
    }
}

/// Volume of a unit, m³, if the scheme counts in units.
fn unit_volume(plan: &TreePlan, cell: f64) -> Option<f64> {
    let params = plan.kernel.as_ref()?;
    Some(0.5f64.powi(params[0].depth_bits as i32) * cell * cell)
}
