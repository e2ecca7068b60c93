use thalweg_compute::parity::{Outputs, Rng};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Post, PostParams};
use crate::account::Account;
use crate::word;

/// Any words, so that carries, refusals and accounts that give to themselves all happen.
fn post(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for count in 0..=4 {
        let mut words = |count: u32| -> Vec<u32> {
            // Words of few or of many bits: sums carry, overflow, or do neither.
            (0..count).map(|_| [0, 1, u32::MAX, 0x7fff_ffff, rng.next_u32()][rng.below(5) as usize]).collect()
        };
        let (amounts, ledger) = (words(11), words(word::WORDS));
        let mut account = || Account::ALL[rng.below(word::ACCOUNTS) as usize];
        let moves: Vec<_> = (0..count).map(|_| (account(), account())).collect();
        let (amounts, ledger) = (exec.buffer_from("amounts", &amounts)?, exec.buffer_from("ledger", &ledger)?);
        let mut rec = exec.record();
        let kernel = Post { amounts: &amounts, ledger: &ledger };
        rec.run(&kernel, &PostParams::new(3, &moves), Dispatch::Groups([1, 1, 1]))?;
        rec.submit()?;
        out.u32("ledger", exec.read(&ledger)?);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    post: 32 seeds,
}
