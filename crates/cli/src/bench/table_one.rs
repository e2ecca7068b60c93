//! The four scenes of \[000\] Table 1 as they ship, with bodies, drops and waves: a step of simulation, and whole frames with a picture.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use thalweg::compute::Executor;
use thalweg::outputs::stage_of;
use thalweg::{Painter, Scene, Simulation, look};

use super::Row;
use super::scenes::executors;
use crate::args::BenchArgs;
use crate::failure::Outcome;

/// The paper's step, s.
pub(super) const STEP: f64 = 1.0 / 30.0;

/// The picture that frames are drawn with.
pub(super) const SIZE: [u32; 2] = [1920, 1080];

/// Name here and in the paper, when to begin, s, and the paper's time for a frame, ms: simulation, particles and picture.
pub(super) const SCENES: [(&str, &str, f64, f64); 4] = [
    ("boxes", "Manip", 1.0, 29.06),
    ("tank", "Tank", 2.0, 27.29),
    ("flood", "Flood", 10.0, 32.33),
    ("lighthouse", "LightH", 6.0, 33.09),
];

/// Frames that are timed; with pictures a few on the processor are enough.
const FRAMES: u32 = 60;

pub(super) fn run(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for exec in executors(args)? {
        for (name, paper, begin, paper_ms) in SCENES {
            let row = measure(&exec, name, begin, (paper, paper_ms))?;
            tell(&row);
            rows.push(row);
        }
    }
    Ok(rows)
}

fn measure(exec: &Arc<Executor>, name: &str, begin: f64, (paper, paper_ms): (&str, f64)) -> Outcome<Row> {
    let is_cpu = matches!(**exec, Executor::Cpu(_));
    let mut simulation = Simulation::on(Arc::clone(exec), Scene::shipped(name)?)?;
    let mut look = look(&mut simulation)?;
    look.size = SIZE;
    let mut painter = Painter::new(&mut simulation)?;
    while simulation.time() < begin {
        simulation.step(STEP)?;
    }
    let before = simulation.statistics()?;
    let frames = if is_cpu { FRAMES / 6 } else { FRAMES };
    exec.wait()?;
    let clock = Instant::now();
    for _ in 0..frames {
        simulation.step(STEP)?;
    }
    exec.wait()?;
    let simulated = 1e3 * clock.elapsed().as_secs_f64();
    let after = simulation.statistics()?;
    let steps = (after.substeps - before.substeps).max(1);
    // The first picture compiles its shaders.
    painter.paint(&mut simulation, &look)?;
    exec.wait()?;
    let shown = if is_cpu { 2 } else { FRAMES };
    let clock = Instant::now();
    for _ in 0..shown {
        simulation.step(STEP)?;
        painter.paint(&mut simulation, &look)?;
    }
    exec.wait()?;
    let frame_ms = 1e3 * clock.elapsed().as_secs_f64() / f64::from(shown);
    exec.set_timed(true);
    simulation.take_timings()?;
    for _ in 0..shown {
        simulation.step(STEP)?;
        painter.paint(&mut simulation, &look)?;
    }
    let timings = simulation.take_timings()?;
    exec.set_timed(false);
    let mut row = Row::new();
    row.insert("executor".into(), json!(exec.describe()));
    row.insert("scene".into(), json!(name));
    row.insert("paper_scene".into(), json!(paper));
    row.insert("step_ms".into(), json!(simulated / steps as f64));
    row.insert("steps_per_frame".into(), json!(steps as f64 / f64::from(frames)));
    row.insert("simulation_ms_per_frame".into(), json!(simulated / f64::from(frames)));
    row.insert("frame_ms_with_picture".into(), json!(frame_ms));
    row.insert("frames_per_second".into(), json!(1e3 / frame_ms));
    row.insert("paper_frame_ms".into(), json!(paper_ms));
    let particles = after.whitewater;
    row.insert("particles".into(), json!(particles.spray + particles.mist + particles.foam));
    row.insert("bodies".into(), json!(simulation.bodies().len()));
    for stage in [
        "extrapolate",
        "reinitialise",
        "level set",
        "velocity",
        "exchange",
        "remesh",
        "project",
        "statistics",
        "whitewater",
        "picture",
        "render",
    ] {
        let own = timings.stages().filter(|(name, _)| stage_of(name) == stage);
        let ms = own.map(|(_, time)| time.ms).sum::<f64>();
        row.insert(format!("{}_ms", stage.replace(' ', "_")), json!(ms / f64::from(shown)));
    }
    Ok(row)
}
