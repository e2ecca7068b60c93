//! Whitewater over a lake: time of a step against the number of particles in the air.
//!
//! `ms` is a step by itself: recorded, handed over and waited for. `ms_in_a_row` is that of steps that follow each other without a wait, as in a simulation,
//! where the host records one while the executor works at another. The rest are the stages by the executor's own clock, of steps in a row.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use thalweg::columns::Shape;
use thalweg::compute::Executor;
use thalweg::tall::{Options, Setup, TallWater};
use thalweg::whitewater::{Snapshot, Whitewater, WhitewaterSettings};

use super::Row;
use super::scenes::executors;
use crate::args::BenchArgs;
use crate::failure::{Failure, Outcome};

/// Columns along each side of the lake.
const SIDE: usize = 128;
const CELL: f64 = 0.25;
const COUNTS: [u32; 4] = [0, 10_000, 100_000, 1_000_000];
/// Parts of the stage `whitewater`, in their order; `flow` comes before and after the water's step.
const STAGES: [&str; 7] = ["flow", "trial", "survey", "fly", "pack", "spawn", "foam"];
/// Steps in a row, after one that is not counted.
const ROW: u32 = 16;
/// s.
const STEP: f64 = 1.0 / 60.0;

pub(super) fn run(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for exec in executors(args)? {
        let lake = lake(&exec)?;
        let mut empty = None;
        for count in COUNTS {
            let Times { ms, in_a_row, stages } = measure(&exec, &lake, count)?;
            let alone = ms - *empty.get_or_insert(ms);
            let mut row = Row::new();
            row.insert("executor".into(), json!(exec.describe()));
            row.insert("columns".into(), json!(format!("{SIDE}×{SIDE}")));
            row.insert("particles".into(), json!(count));
            row.insert("ms".into(), json!(ms));
            row.insert("ns_per_particle".into(), json!(1e6 * alone / f64::from(count.max(1))));
            row.insert("ms_in_a_row".into(), json!(in_a_row));
            for (stage, ms) in STAGES.iter().zip(stages) {
                row.insert(format!("{stage}_ms"), json!(ms));
            }
            tell(&row);
            rows.push(row);
        }
    }
    Ok(rows)
}

fn lake(exec: &Arc<Executor>) -> Outcome<TallWater> {
    let setup = Setup {
        shape: Shape { nx: SIDE, nz: SIDE, regular: 32 },
        cell: CELL,
        height: 16.0,
        terrain: &vec![0.0; SIDE * SIDE],
        level_set: &|[_, y, _]| y - 6.0,
        obstacles: &[],
        velocity: [0.0; 2],
        options: Options::default(),
    };
    Ok(TallWater::new(Arc::clone(exec), &setup).map_err(thalweg::Error::from)?)
}

/// Particles of all kinds, high enough to stay alive, in an order that has nothing to do with their places.
fn swarm(count: u32) -> Snapshot {
    let part = |n: u32, step: f64| (f64::from(n) * step).fract() as f32;
    let size = SIDE as f32;
    let place = |n: u32| {
        let kind = [0.0, 0.0, 0.0, 1.0, 2.0][n as usize % 5];
        // Foam lies on the water, 24 cells up.
        let y = if kind == 2.0 { 24.0 } else { 40.0 + 20.0 * part(n, 0.754_877_666_246_7) };
        [size * part(n, 0.618_033_988_749_9), y, size * part(n, 0.569_840_290_998_1), kind + 0.1]
    };
    Snapshot {
        steps: 0,
        state: vec![0; 3],
        places: (0..count).map(place).collect(),
        motions: vec![[0.1, 0.5, 0.1, 1e3]; count as usize],
        foam: vec![0.0; SIDE * SIDE],
    }
}

/// ms of a step.
struct Times {
    /// By itself, the fastest of some.
    ms: f64,
    in_a_row: f64,
    /// See [`STAGES`].
    stages: [f64; STAGES.len()],
}

/// Steps with this many particles.
fn measure(exec: &Arc<Executor>, water: &TallWater, count: u32) -> Outcome<Times> {
    let settings = WhitewaterSettings { capacity: count.max(1), ..WhitewaterSettings::default() };
    let walls = [true; 4];
    let new = Whitewater::new(Arc::clone(exec), water.shape(), water.cell(), walls, settings);
    let mut whitewater = new.map_err(thalweg::Error::from)?;
    let swarm = swarm(count);
    let restore = |whitewater: &mut Whitewater| whitewater.restore(&swarm).map_err(thalweg::Error::from);
    let step = |whitewater: &mut Whitewater| {
        let taken = whitewater.before(water, STEP).and_then(|()| whitewater.after(water, STEP));
        taken.map_err(|e| Failure::from(thalweg::Error::from(e)))
    };
    restore(&mut whitewater)?;
    let mut best = f64::INFINITY;
    for _ in 0..8 {
        exec.wait()?;
        let begin = Instant::now();
        step(&mut whitewater)?;
        exec.wait()?;
        best = best.min(1e3 * begin.elapsed().as_secs_f64());
    }
    let in_a_row = |whitewater: &mut Whitewater| -> Outcome<f64> {
        restore(whitewater)?;
        step(whitewater)?;
        exec.wait()?;
        let begin = Instant::now();
        (0..ROW).try_for_each(|_| step(whitewater))?;
        exec.wait()?;
        Ok(1e3 * begin.elapsed().as_secs_f64() / f64::from(ROW))
    };
    let row = in_a_row(&mut whitewater)?;
    exec.set_timed(true);
    exec.take_timings()?;
    in_a_row(&mut whitewater)?;
    let timings = exec.take_timings()?;
    exec.set_timed(false);
    let alive =
        whitewater.census(&water.ledger().map_err(thalweg::Error::from)?).map_err(thalweg::Error::from)?.particles();
    if alive < count - count / 100 {
        return Err(Failure::Run(format!("only {alive} of {count} particles were left at the end")));
    }
    let stages = STAGES.map(|stage| {
        let own = timings.stages().filter(|(name, _)| name.strip_prefix("whitewater: ") == Some(stage));
        own.map(|(_, time)| time.ms).sum::<f64>() / f64::from(ROW + 1)
    });
    Ok(Times { ms: best, in_a_row: row, stages })
}
