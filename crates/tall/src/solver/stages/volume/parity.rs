use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};
use thalweg_ledger::DeviceLedger;

use super::{Expand, ExpandParams, HoldVolume, HoldVolumeParams, state};
use crate::solver::stages::exchange::ledger::KEPT;
use crate::solver::view::statistics::{WORDS, word};

pub(super) fn ledger_of(exec: &Executor, volume: f64) -> DeviceLedger {
    let ledger = DeviceLedger::new(exec, "ledger", 1.0, KEPT).expect("a ledger");
    ledger.open(exec, volume).expect("a volume");
    ledger
}

fn volume(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let mut totals = rng.u32s(WORDS, 5000);
    totals[word::PART] = rng.range(0.0, 50.0).to_bits();
    let totals = exec.buffer_from("totals", &totals)?;
    let control = exec.buffer_from("control", &rng.f32s(state::COUNT, -0.01, 0.01))?;
    let n = 12;
    let heights: Vec<[i32; 2]> = (0..20).map(|_| [0, 2 + rng.below(4) as i32]).collect();
    let heights = exec.buffer_from("heights", &heights)?;
    let phi = exec.buffer_from("phi", &rng.f32s(20 * n, -5.0, 5.0))?;
    let cells = exec.buffer_from("cells", &rng.f32s(20 * n + 7, -1.0, 1.0))?;
    let b = exec.buffer_from("b", &rng.f32s(20 * n, -1.0, 1.0))?;
    let mut rec = exec.record();
    let ledger = ledger_of(exec, f64::from(rng.range(2900.0, 3100.0)));
    let p = HoldVolumeParams { dt: 0.01, pace: 0.03 };
    rec.run(
        &HoldVolume { totals: &totals, ledger: ledger.words(), control: &control },
        &p,
        Dispatch::Groups([1, 1, 1]),
    )?;
    let p = ExpandParams { nx: 5, nz: 4, samples: n as u32, diagonal_at: 7, area: 0.5 };
    let kernel = Expand { heights: &heights, phi: &phi, cells: &cells, control: &control, b: &b };
    rec.run(&kernel, &p, Dispatch::Elements(20 * n))?;
    rec.submit()?;
    out.f32("control", exec.read(&control)?, Tolerance::Relative(1e-5));
    out.f32("b", exec.read(&b)?, Tolerance::Absolute(1e-5));
    Ok(())
}

thalweg_compute::parity_cases! {
    volume: 6 seeds,
}
