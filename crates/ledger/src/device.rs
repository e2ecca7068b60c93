//! A ledger in memory of an executor.

use thalweg_compute::{Buffer, Executor, Later};

use crate::account::Account;
use crate::error::LedgerError;
use crate::ledger::Ledger;
use crate::transfer::transfer;
use crate::word;

/// Quanta of a [`DeviceLedger`] in the volume that kernels count as 1.
const ONE: f64 = 4_294_967_296.0;

/// Accounts of mass that kernels write, in fixed point: 2³² quanta are the volume of a cell.
#[derive(Debug)]
pub struct DeviceLedger {
    words: Buffer<u32>,
    /// m³.
    cell: f64,
    kept: &'static [Account],
}

impl DeviceLedger {
    /// Takes the memory; `cell` is the volume of a cell, m³.
    pub fn new(exec: &Executor, label: &str, cell: f64, kept: &'static [Account]) -> Result<Self, LedgerError> {
        Ok(Self { words: exec.buffer(label, word::WORDS as usize)?, cell, kept })
    }

    /// Empties all accounts and puts this volume, in cells, into the water.
    pub fn open(&self, exec: &Executor, cells: f64) -> Result<(), LedgerError> {
        let mut words = [0; word::WORDS as usize];
        transfer(&mut words, word::OPENING, word::WATER, (cells.max(0.0) * ONE) as u64);
        Ok(exec.write(&self.words, 0, &words)?)
    }

    /// The accounts as words, for kernels and snapshots.
    pub fn words(&self) -> &Buffer<u32> {
        &self.words
    }

    /// The accounts.
    ///
    /// # Errors
    /// If an amount was refused since the ledger was opened, or the executor failed.
    pub fn read_later(&self, exec: &Executor) -> Result<Later<Ledger, LedgerError>, LedgerError> {
        let (words, empty) = (exec.read_async(&self.words)?, Ledger::of_mass(self.cell / ONE, self.kept));
        Ok(Later::new(move || empty.of_words(&words.wait()?)))
    }
}
