use thalweg_compute::bytemuck::Zeroable;
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};

use super::{CornerWave, SeaSide};
use crate::solver::stages::exchange::zones::{ZoneParams, outside};

pub(super) const PERIOD: f64 = 64.0;

pub(super) const CELL: f64 = 0.5;

pub(super) const DEPTH: f64 = 4.0;

pub(super) fn waves(rng: &mut Rng) -> Vec<CornerWave> {
    let wave = |_| CornerWave {
        k: [f64::from(rng.range(-0.6, 0.6)), f64::from(rng.range(-0.6, 0.6))],
        amplitude: f64::from(rng.range(0.0, 0.1)),
        phase: f64::from(rng.range(-3.0, 3.0)),
        turns: 10 + rng.below(100),
    };
    (0..37).map(wave).collect()
}

pub(super) fn zone(side: u32, turn: u32) -> ZoneParams {
    ZoneParams { nx: 14, nz: 9, samples: 8, side, layer: 5, far_field: outside::SEA, turn, ..Zeroable::zeroed() }
}

pub(super) fn sums(exec: &Executor, waves: &[CornerWave], p: &ZoneParams) -> Vec<[f32; 4]> {
    let side = SeaSide::new(exec, waves, PERIOD, (DEPTH, CELL), p.columns()).expect("memory");
    let mut rec = exec.record();
    side.record(&mut rec, p).expect("recorded");
    rec.submit().expect("done");
    exec.read(&side.sums).expect("a buffer")
}

fn sea_columns(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let waves = waves(rng);
    let p = zone(rng.below(4), rng.next_u32());
    // Cosines of angles up to 20 in single precision, times speeds of up to 1 m/s of 37 waves.
    out.f32("sums", sums(exec, &waves, &p).into_iter().flatten().collect(), Tolerance::Absolute(2e-4));
    Ok(())
}

thalweg_compute::parity_cases! {
    sea_columns: 8 seeds,
}
