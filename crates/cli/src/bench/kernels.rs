//! Where the time of the scenes of \[000\] Table 1 goes: every kernel, and the host.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use thalweg::compute::Executor;
use thalweg::{Painter, Scene, Simulation, look};

use super::Row;
use super::scenes::executors;
use super::table_one::{SCENES, SIZE, STEP};
use crate::args::BenchArgs;
use crate::failure::Outcome;

/// Frames that are timed.
const FRAMES: u32 = 20;

pub(super) fn run(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for exec in executors(args)? {
        for (name, _, begin, _) in SCENES {
            for row in measure(&exec, name, begin)? {
                tell(&row);
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

/// One row for the host, then one per kernel, the dearest first.
fn measure(exec: &Arc<Executor>, name: &str, begin: f64) -> Outcome<Vec<Row>> {
    let mut simulation = Simulation::on(Arc::clone(exec), Scene::shipped(name)?)?;
    let mut look = look(&mut simulation)?;
    look.size = SIZE;
    let mut painter = Painter::new(&mut simulation)?;
    while simulation.time() < begin {
        simulation.step(STEP)?;
    }
    let row = |what: &str, calls: f64, ms: f64| {
        let mut row = Row::new();
        row.insert("executor".into(), json!(exec.describe()));
        row.insert("scene".into(), json!(name));
        row.insert("kernel".into(), json!(what));
        row.insert("calls_per_frame".into(), json!(calls / f64::from(FRAMES)));
        row.insert("ms_per_frame".into(), json!(ms / f64::from(FRAMES)));
        row.insert("us_per_call".into(), json!(1e3 * ms / calls.max(1.0)));
        row
    };
    painter.paint(&mut simulation, &look)?; // compiles its shaders
    simulation.take_timings()?;
    let clock = Instant::now();
    for _ in 0..FRAMES {
        simulation.step(STEP)?;
    }
    exec.wait()?;
    let whole = 1e3 * clock.elapsed().as_secs_f64();
    let host = simulation.take_timings()?.recording();
    let mut rows = vec![
        row("(steps, clock on the wall)", f64::from(FRAMES), whole),
        row("(recordings of steps, host)", host.calls as f64, host.ms),
    ];
    exec.set_timed(true);
    exec.set_timed_by_kernel(true);
    for _ in 0..FRAMES {
        simulation.step(STEP)?;
        painter.paint(&mut simulation, &look)?;
    }
    let timings = simulation.take_timings()?;
    exec.set_timed_by_kernel(false);
    exec.set_timed(false);
    let mut kernels: Vec<_> = timings.stages().collect();
    kernels.sort_by(|a, b| b.1.ms.total_cmp(&a.1.ms));
    rows.extend(kernels.into_iter().map(|(kernel, time)| row(kernel, time.calls as f64, time.ms)));
    Ok(rows)
}
