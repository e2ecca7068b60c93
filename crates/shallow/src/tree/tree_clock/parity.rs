use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::boundary::kind;
use crate::clock::{DRIVER_SAMPLES, FIXED_DRIVERS};
use crate::testing::launch;
use crate::tree::layout::{clock, lists, source};

const ONE: Dispatch<'static> = Dispatch::Groups([1, 1, 1]);

pub(super) fn params(levels: u32, sources: u32) -> TreeClockParams {
    TreeClockParams {
        levels,
        capacity: 70_000,
        sources,
        rates: MAX_RATE.min(levels - 1),
        interval: 3,
        cell: 0.5,
        gravity: 9.81,
        courant: 0.9,
        max_ticks: 4000.0,
        west_kind: kind::FAR_FIELD,
        east_kind: kind::OUTFLOW,
        south_kind: kind::DISCHARGE,
        north_kind: kind::WALL,
        west_bed: -0.3,
        east_bed: -1.0,
        south_bed: -0.2,
        north_bed: 0.4,
    }
}

/// Heads of random lists: some levels sleep, some have more tiles than a row of workgroups.
pub(super) fn random_lists(rng: &mut Rng, levels: u32, fastest: f32) -> Vec<u32> {
    let mut words = vec![0; lists::PLACES];
    for level in 0..levels as usize {
        if rng.below(4) > 0 {
            words[lists::COUNTS + level] = [1 + rng.below(500), 300_000 + rng.below(300_000)][rng.below(2) as usize];
            words[lists::SPEEDS + level] = rng.range(0.0, fastest).to_bits();
        }
    }
    words
}

/// The clock and the arguments after every kernel of rounds with one list each.
pub(super) fn rounds(
    exec: &Executor,
    p: &TreeClockParams,
    frame: f32,
    drivers: &[f32],
    heads: &[Vec<u32>],
) -> Result<Vec<(Vec<f32>, Vec<u32>)>> {
    let mut words = vec![0.0; clock::SOURCES + source::WORDS * p.sources as usize];
    (words[clock::FRAME], words[clock::WORK_REST]) = (frame, 1e6);
    let clock = &exec.buffer_from("test.clock", &words)?;
    let drivers = &exec.buffer_from("test.drivers", drivers)?;
    let args = &exec.buffer_from("test.args", &[7u32; 3 * arg::COUNT])?;
    let mut seen = Vec::new();
    for head in heads {
        let lists = &exec.buffer_from("test.lists", head)?;
        launch(exec, &Begin { lists, drivers, clock, args }, p, ONE)?;
        seen.push((exec.read(clock)?, exec.read(args)?));
        for _ in 0..(1 << p.rates) + 1 {
            launch(exec, &Tick { lists, drivers, clock, args }, p, ONE)?;
            seen.push((exec.read(clock)?, exec.read(args)?));
        }
    }
    Ok(seen)
}

fn random_rounds(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for (levels, sources) in [(1, 0), (2, 1), (5, 2), (16, 3)] {
        let drivers = rng.f32s((FIXED_DRIVERS + sources as usize) * DRIVER_SAMPLES, -0.2, 0.4);
        let fastest = rng.range(0.5, 12.0);
        let heads: Vec<_> = (0..3).map(|_| random_lists(rng, levels, fastest)).collect();
        let frame = rng.range(0.3, 0.9) * [1.0, 4.0][rng.below(2) as usize];
        let p = params(levels, sources);
        for (n, (mut clock, args)) in rounds(exec, &p, frame, &drivers, &heads)?.into_iter().enumerate() {
            // Driven words are interpolated between samples of both signs; a frame has 32 of them.
            let mut driven = vec![std::mem::take(&mut clock[clock::RAIN_RATE])];
            driven.extend(clock[clock::SIDE_VALUES..][..4].iter_mut().map(std::mem::take));
            for source in clock[clock::SOURCES..].chunks_exact_mut(source::WORDS) {
                driven.push(std::mem::take(&mut source[source::RATE]));
            }
            out.f32(&format!("drivers {n}, {levels} levels"), driven, Tolerance::Absolute(5e-6));
            // A handful of roundings; the cube root of a rate is good to 5e-7.
            out.f32(&format!("clock {n}, {levels} levels"), clock, Tolerance::Relative(5e-6));
            out.u32(&format!("args {n}, {levels} levels"), args);
        }
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    random_rounds: 6 seeds,
}
