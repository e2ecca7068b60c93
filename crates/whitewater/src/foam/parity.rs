use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{FoamMap, FoamParams};
use crate::constants::COVERED;
use crate::constants::event::DEPOSITS;
use crate::testing::Water;

pub(super) fn params(water: &Water) -> FoamParams {
    let [nx, nz, samples] = water.size();
    FoamParams { nx, nz, samples, cells_per_speed: 0.5, keeps: 0.9 }
}

/// The map after some steps.
pub(super) fn after(
    exec: &Executor,
    water: &Water,
    p: FoamParams,
    deposits: &[u32],
    foam: &[f32],
    steps: u32,
) -> Vec<f32> {
    let b = water.upload(exec).expect("memory");
    let events: Vec<u32> = [vec![0; DEPOSITS], deposits.to_vec()].concat();
    let events = exec.buffer_from("events", &events).expect("memory");
    let mut foam = exec.buffer_from("foam", foam).expect("memory");
    let mut moved = exec.buffer_from("moved", &vec![9.0_f32; foam.len()]).expect("memory");
    for _ in 0..steps {
        let mut rec = exec.record();
        let kernel = FoamMap { phi: &b.phi, velocity: &b.velocity, events: &events, foam: &foam, moved: &moved };
        rec.run(&kernel, &p, Dispatch::Elements(foam.len())).expect("recorded");
        rec.submit().expect("run");
        std::mem::swap(&mut foam, &mut moved);
    }
    exec.read(&foam).expect("read")
}

/// Sums of products of places that are rounded.
fn foam(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let water = Water::random(rng);
    let columns = water.shape.columns();
    let deposits: Vec<u32> = (0..columns).map(|_| rng.below(COVERED as u32 / 2)).collect();
    let foam = rng.f32s(columns, 0.0, 1.0);
    out.f32("foam", after(exec, &water, params(&water), &deposits, &foam, 1), Tolerance::Absolute(1e-5));
    Ok(())
}

thalweg_compute::parity_cases! {
    foam: 6 seeds,
}
