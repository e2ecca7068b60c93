//! Liquid particles: a dam of 1 m breaks in a tank of 3 × 2 × 1 m, µs per particle and sub-step by stage and thread
//! count, for both constraints.
//!
//! `us` is by the clock on the wall, of frames in a row; stages are by the executor's own clock, in a second run of the
//! same frames. A sub-step of divergence-free SPH has as many iterations as its tolerance asks for: those of the last
//! one are in the row.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use thalweg::compute::{Cpu, Executor};
use thalweg::particles::{
    Constraint, DivergenceFree, LiquidParticles, Options, ParticlesError, PositionBased, Seed, Setup,
};

use super::Row;
use super::scenes::executors;
use crate::args::BenchArgs;
use crate::failure::{Failure, Outcome};

/// Particles along an edge of the dam: 10⁴ to 10⁷ in all.
const EDGES: [u32; 4] = [22, 46, 100, 216];
/// The largest dam for a processor.
const CPU_EDGE: u32 = 100;
const STAGES: [&str; 6] = ["predict", "neighbours", "divergence", "density", "finish", "survey"];
/// s.
const FRAME: f64 = 1.0 / 30.0;
/// Frames before those that count: the dam is then on its way.
const WARM: u32 = 4;
const TIMED: u32 = 4;

pub(super) fn run(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for exec in executors(args)?.into_iter().flat_map(|exec| with_one_thread(exec).into_iter()) {
        for edge in EDGES.into_iter().filter(|edge| *edge <= args.max_size && (is_gpu(&exec) || *edge <= CPU_EDGE)) {
            for (name, constraint) in [
                ("pbf", Constraint::PositionBased(PositionBased::default())),
                ("dfsph", Constraint::DivergenceFree(DivergenceFree::default())),
            ] {
                let row = measure(&exec, edge, name, constraint).map_err(|e| Failure::Run(e.to_string()))?;
                tell(&row);
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

fn is_gpu(exec: &Executor) -> bool {
    matches!(exec, Executor::Gpu(_))
}

/// A processor with one thread and with all of them.
fn with_one_thread(exec: Arc<Executor>) -> Vec<Arc<Executor>> {
    match &*exec {
        Executor::Cpu(cpu) if cpu.threads() > 1 => {
            let one = Cpu::with_threads(1).map(|cpu| Arc::new(Executor::from(cpu)));
            one.into_iter().chain([exec]).collect()
        }
        _ => vec![exec],
    }
}

fn measure(exec: &Arc<Executor>, edge: u32, name: &str, constraint: Constraint) -> Result<Row, ParticlesError> {
    let spacing = 1.0 / f64::from(edge);
    let (options, seeds) = (Options { constraint, ..Options::default() }, [Seed::lattice([0.0; 3], [1.0; 3])]);
    let setup = Setup::new([3.0, 2.0, 1.0], spacing, &seeds, &options);
    let warm = || -> Result<LiquidParticles, ParticlesError> {
        let mut water = LiquidParticles::new(Arc::clone(exec), &setup)?;
        (0..WARM).try_for_each(|_| water.advance(FRAME))?;
        exec.wait()?;
        Ok(water)
    };
    let go_on = |water: &mut LiquidParticles| -> Result<u32, ParticlesError> {
        let mut substeps = 0;
        for _ in 0..TIMED {
            water.advance(FRAME)?;
            substeps += water.substeps();
        }
        exec.wait()?;
        Ok(substeps)
    };
    let mut water = warm()?;
    let begin = Instant::now();
    let substeps = go_on(&mut water)?;
    let seconds = begin.elapsed().as_secs_f64();
    let (count, report) = (water.known().count, water.report_later()?.wait()?);
    let mut water = warm()?;
    exec.set_timed(true);
    exec.take_timings()?;
    go_on(&mut water)?;
    let timings = exec.take_timings()?;
    exec.set_timed(false);
    let particle_steps = f64::from(substeps) * count as f64;
    let mut row = Row::new();
    row.insert("executor".into(), json!(exec.describe()));
    row.insert("method".into(), json!(name));
    row.insert("particles".into(), json!(count));
    row.insert("substeps".into(), json!(substeps));
    row.insert("substep_ms".into(), json!(1e3 * seconds / f64::from(substeps)));
    row.insert("us".into(), json!(1e6 * seconds / particle_steps));
    for stage in STAGES {
        let own = timings.stages().filter(|(name, _)| name.strip_prefix("particles: ") == Some(stage));
        row.insert(format!("{stage}_us"), json!(1e3 * own.map(|(_, time)| time.ms).sum::<f64>() / particle_steps));
    }
    row.insert("divergence_iterations".into(), json!(report.divergence_iterations));
    row.insert("density_iterations".into(), json!(report.density_iterations));
    Ok(row)
}
