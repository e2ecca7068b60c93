use thalweg_compute::parity::{Outputs, Rng};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{BookSpray, BookSprayParams, word};
use crate::solver::stages::exchange::ledger::account;

fn book_spray(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let words = |rng: &mut thalweg_compute::parity::Rng, count| (0..count).map(|_| rng.next_u32()).collect();
    let (events, ledger): (Vec<u32>, Vec<u32>) = (words(rng, word::COUNT + 3), words(rng, account::WORDS));
    let (events, ledger) = (exec.buffer_from("events", &events)?, exec.buffer_from("ledger", &ledger)?);
    let mut rec = exec.record();
    let kernel = BookSpray { events: &events, ledger: &ledger };
    rec.run(&kernel, &BookSprayParams { first: 3 }, Dispatch::Groups([1, 1, 1]))?;
    rec.submit()?;
    out.u32("ledger", exec.read(&ledger)?);
    Ok(())
}

thalweg_compute::parity_cases! {
    book_spray: 8 seeds,
}
