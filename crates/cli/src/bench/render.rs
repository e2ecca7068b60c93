//! A rendered picture: time on the executor, and until its bytes are on the host.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use thalweg::compute::Executor;
use thalweg::{Painter, Scene, Simulation};

use super::Row;
use super::scenes::executors;
use crate::args::BenchArgs;
use crate::failure::Outcome;

/// Scenes, and seconds after which there is something to see.
const SCENES: [(&str, f64); 6] =
    [("dam-break", 1.0), ("beach", 3.0), ("lighthouse", 2.0), ("river", 20.0), ("lake", 1.0), ("valley", 60.0)];
const SIZES: [[u32; 2]; 2] = [[640, 360], [1920, 1080]];

pub(super) fn run(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for exec in executors(args)? {
        for (name, seconds) in SCENES {
            let mut simulation =
                Simulation::on(Arc::clone(&exec), Scene::shipped(name).map_err(thalweg::Error::from)?)?;
            let look = thalweg::look(&mut simulation)?;
            simulation.step(seconds)?;
            let mut painter = Painter::new(&mut simulation)?;
            for size in SIZES.into_iter().filter(|size| size[0] <= args.max_size) {
                for samples in [1, 4] {
                    let look = thalweg::render::Look { size, samples, ..look.clone() };
                    let row = measure(&exec, name, &mut painter, &mut simulation, &look)?;
                    tell(&row);
                    rows.push(row);
                }
            }
        }
    }
    Ok(rows)
}

fn measure(
    exec: &Executor,
    scene: &str,
    painter: &mut Painter,
    simulation: &mut Simulation,
    look: &thalweg::render::Look,
) -> Outcome<Row> {
    painter.draw(simulation, look)?;
    let times = if matches!(exec, Executor::Cpu(_)) { 3 } else { 20 };
    let begin = Instant::now();
    for _ in 0..times {
        painter.draw(simulation, look)?;
    }
    let wall = 1e3 * begin.elapsed().as_secs_f64() / f64::from(times);
    exec.set_timed(true);
    exec.take_timings()?;
    for _ in 0..times {
        painter.draw(simulation, look)?;
    }
    let timings = exec.take_timings()?;
    exec.set_timed(false);
    let ms = |stage: &str| {
        timings.stages().filter(|(name, _)| *name == stage).map(|(_, time)| time.ms).sum::<f64>() / f64::from(times)
    };
    let mut row = Row::new();
    row.insert("executor".into(), json!(exec.describe()));
    row.insert("scene".into(), json!(scene));
    row.insert("size".into(), json!(format!("{}×{}", look.size[0], look.size[1])));
    row.insert("samples".into(), json!(look.samples));
    row.insert("prepare_ms".into(), json!(ms("picture")));
    row.insert("render_ms".into(), json!(ms("picture") + ms("render")));
    row.insert("wall_ms".into(), json!(wall));
    Ok(row)
}
