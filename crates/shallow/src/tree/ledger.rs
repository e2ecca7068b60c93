//! Where the water of a tree went.

use thalweg_ledger::{Account, Ledger, Quantity, quantum_on};

use super::kernel_advection::{tallies, tile_sum};
use super::layout::status;
use super::params::TreePlan;
use super::water::TreeWater;
use crate::error::Result;

impl TreeWater {
    /// The volume as a whole number of units, and what a unit is, m³: accounted for to the last one by
    /// [`TreeScheme::KernelAdvection`](super::TreeScheme). `None` with other schemes.
    pub fn counted_volume(&mut self) -> Result<Option<(u128, f64)>> {
        self.settle()?;
        let (Some(unit), Some(kernel)) = (unit_volume(&self.plan, self.cell), &self.buffers.kernel) else {
            return Ok(None);
        };
        let topology = self.exec.read(&self.buffers.topology)?;
        let volumes = self.exec.read(&kernel.volumes)?;
        let words = volumes.len() / self.plan.capacity;
        let sum = self.listed(&topology).iter().map(|&(slot, _)| tile_sum(&volumes[slot as usize * words..])).sum();
        Ok(Some((sum, unit)))
    }

    /// Where the water went since the start. Under [`TreeScheme::KernelAdvection`](super::TreeScheme) its quanta are the units of
    /// [`counted_volume`](Self::counted_volume), which is what the water's account holds.
    pub fn ledger(&mut self) -> Result<&Ledger> {
        self.settle()?;
        self.post()?;
        Ok(&self.ledger)
    }

    /// Moves what the executor has counted between the accounts.
    pub(super) fn post(&mut self) -> Result<()> {
        match &self.buffers.kernel {
            Some(kernel) => {
                let words = self.exec.read(&kernel.tallies)?;
                let totals = tallies::totals(&words);
                for (from, to, units) in totals {
                    self.ledger.transfer(Quantity::Mass, from, to, units)?;
                }
                if totals.iter().any(|(_, _, units)| *units != 0) {
                    self.exec.write(&kernel.tallies, 0, &vec![0; words.len()])?;
                }
            }
            None => {
                let mut words = self.exec.read(&self.buffers.status)?;
                let volume = |tile: &[f32], [sum, rest]: [usize; 2]| f64::from(tile[sum]) + f64::from(tile[rest]);
                let volumes = words.chunks_exact(status::WORDS).map(|tile| {
                    [[status::ADDED, status::ADDED_REST], [status::REMOVED, status::REMOVED_REST]]
                        .map(|at| volume(tile, at))
                });
                self.ledger.exchange(Account::Outside, volumes)?;
                words.chunks_exact_mut(status::WORDS).for_each(|tile| tile[status::ADDED..].fill(0.0));
                self.exec.write(&self.buffers.status, 0, &words)?;
            }
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
