//! The whole step of three-dimensional water, stage by stage: \[000\] Tables 1 and 2, and larger grids.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use thalweg::columns::Shape;
use thalweg::compute::{Cpu, Executor, Gpu, GpuOptions};
use thalweg::tall::{Options, Setup, TallWater};

use super::{Row, copy};
use crate::args::{BackendArg, BenchArgs};
use crate::failure::Outcome;

/// Edge of a cell, m.
const CELL: f64 = 0.1;
/// The paper's step, s.
const STEP: f64 = 1.0 / 30.0;

/// A grid, and the paper's times on a GTX 480 in ms: extrapolation, level set, velocity, remeshing, projection.
struct Grid {
    name: &'static str,
    nx: usize,
    nz: usize,
    regular: usize,
    /// Whether the surface is tracked on twice the resolution.
    fine: bool,
    paper: Option<[f64; 5]>,
}

/// \[000\] Tables 1 and 2. "Manip" and "Tank" track the surface on twice the resolution there, here on the same and, once, on twice that.
const GRIDS: [Grid; 8] = [
    Grid { name: "Manip", nx: 64, nz: 64, regular: 64, fine: false, paper: Some([1.30, 2.35, 0.57, 0.56, 8.56]) },
    Grid { name: "Tank", nx: 64, nz: 64, regular: 64, fine: false, paper: Some([1.10, 3.26, 0.67, 0.56, 8.44]) },
    Grid {
        name: "Tank, 2x surface",
        nx: 64,
        nz: 64,
        regular: 64,
        fine: true,
        paper: Some([1.10, 3.26, 0.67, 0.56, 8.44]),
    },
    Grid { name: "Flood", nx: 64, nz: 256, regular: 32, fine: false, paper: Some([2.35, 0.59, 1.14, 0.85, 13.49]) },
    Grid { name: "LightH", nx: 128, nz: 128, regular: 32, fine: false, paper: Some([2.05, 0.61, 0.67, 0.95, 9.77]) },
    Grid { name: "256", nx: 256, nz: 256, regular: 64, fine: false, paper: None },
    Grid { name: "512", nx: 512, nz: 512, regular: 64, fine: false, paper: None },
    Grid { name: "1024", nx: 1024, nz: 1024, regular: 64, fine: false, paper: None },
];

/// The paper's stages: names in the table, ours that belong to them, and the fewest bytes per sample: every field that the stage
/// cannot do without, read or written once, 4 bytes each. φ 1, faces 3, open fractions 3, solid 1, pressure 1. The
/// projection's solve is counted by `bench poisson-gpu`; here only what surrounds it is.
const STAGES: [(&str, &[&str], f64); 5] = [
    ("VE", &["extrapolate"], 4.0 * (1 + 3 + 3 + 3) as f64), // φ, open fractions; faces in and out
    ("LA", &["reinitialise", "level set"], 4.0 * (2 * 2 + 3 + 3) as f64), // φ in and out twice, open fractions, faces
    ("VA", &["velocity"], 4.0 * (1 + 3 + 3) as f64),        // φ; faces in and out
    ("RM", &["remesh"], 4.0 * (2 + 6 + 2 + 4) as f64),      // φ, faces, pressure in and out; fractions out
    ("PP", &["project", "statistics"], 4.0 * (1 + 4 + 6 + 2) as f64), // φ, fractions; faces and pressure in and out
];

pub(super) fn run(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for exec in executors(args)? {
        let copied = copy::bandwidth(&exec)?;
        for grid in GRIDS.iter().filter(|grid| grid.nx.max(grid.nz) <= args.max_size as usize) {
            // The processor would take minutes for the largest.
            if matches!(*exec, Executor::Cpu(_)) && grid.paper.is_none() && grid.nx > 256 {
                continue;
            }
            let row = measure(&exec, grid, copied)?;
            tell(&row);
            rows.push(row);
        }
    }
    Ok(rows)
}

/// All that were asked for; `auto` is the processor and, if there is one, a real GPU.
pub(super) fn executors(args: &BenchArgs) -> Outcome<Vec<Arc<Executor>>> {
    let cpu = || Arc::new(Executor::from(Cpu::new()));
    // A real one comes first, where there is one.
    let options = GpuOptions { allow_software: args.backend == BackendArg::Gpu, ..GpuOptions::default() };
    let gpu = || Gpu::new(&options).map(|gpu| Arc::new(Executor::from(gpu)));
    Ok(match args.backend {
        BackendArg::Cpu => vec![cpu()],
        BackendArg::Gpu => vec![gpu()?],
        BackendArg::Auto => std::iter::once(cpu()).chain(gpu().ok()).collect(),
    })
}

fn measure(exec: &Arc<Executor>, grid: &Grid, copied: f64) -> Outcome<Row> {
    let shape = Shape { nx: grid.nx, nz: grid.nz, regular: grid.regular };
    let mut water = hills(exec, shape, grid.fine)?;
    let is_small = shape.len() < 1 << 20;
    let (warm, timed) = if is_small { (10, 30) } else { (4, 8) };
    advance(&mut water, warm)?;
    exec.wait()?;
    let begin = Instant::now();
    let steps = advance(&mut water, timed)?;
    exec.wait()?;
    let total = 1e3 * begin.elapsed().as_secs_f64() / f64::from(steps);
    exec.set_timed(true);
    exec.take_timings()?;
    let timed = advance(&mut water, timed)?;
    let timings = exec.take_timings()?;
    exec.set_timed(false);
    let ms = |names: &[&str]| {
        let own = timings.stages().filter(|(name, _)| names.contains(name));
        own.map(|(_, t)| t.ms).sum::<f64>() / f64::from(timed)
    };
    let mut row = Row::new();
    row.insert("executor".into(), json!(exec.describe()));
    row.insert("grid".into(), json!(grid.name));
    row.insert("size".into(), json!(format!("{}×({}+2)×{}", grid.nx, grid.regular, grid.nz)));
    row.insert("total_ms".into(), json!(total));
    let paper_total = grid.paper.map_or(f64::NAN, |times| times.iter().sum());
    row.insert("paper_ms".into(), json!(paper_total));
    for (index, (name, own, bytes)) in STAGES.iter().enumerate() {
        let ms = ms(own);
        row.insert(format!("{name}_ms"), json!(ms));
        row.insert(format!("{name}_paper_ms"), json!(grid.paper.map_or(f64::NAN, |times| times[index])));
        let gigabytes = bytes * shape.len() as f64 * 1e-9;
        row.insert(format!("{name}_copy_share"), json!(gigabytes / (1e-3 * ms) / copied));
    }
    Ok(row)
}

/// Frames as a program would take them; the number of their steps.
fn advance(water: &mut TallWater, frames: u32) -> Outcome<u32> {
    let mut steps = 0;
    for _ in 0..frames {
        steps += water.advance(STEP)?;
    }
    Ok(steps)
}

/// Waves over hills that reach through half of the depth, and a ball of water that falls in.
fn hills(exec: &Arc<Executor>, shape: Shape, fine_surface: bool) -> Outcome<TallWater> {
    let at = |n: usize| n as f64 / 32.0;
    let hill = |column: usize| (at(column % shape.nx).sin() * at(column / shape.nx).cos()).max(-0.5) + 1.0;
    let terrain: Vec<f64> = (0..shape.columns()).map(|column| 16.0 * CELL * hill(column)).collect();
    let (width, depth) = (shape.nx as f64 * CELL, shape.nz as f64 * CELL);
    let level = 56.0 * CELL;
    let level_set = move |[x, y, z]: [f64; 3]| {
        let wave = 2.0 * CELL * ((x / CELL / 10.0).sin() + (z / CELL / 13.0).cos());
        let ball = (x - 0.5 * width).hypot(z - 0.4 * depth).hypot(y - level - 9.0 * CELL) - 5.0 * CELL;
        (y - level - wave).min(ball)
    };
    let setup = Setup {
        shape,
        cell: CELL,
        height: 100.0 * CELL,
        terrain: &terrain,
        level_set: &level_set,
        obstacles: &[],
        velocity: [0.0; 2],
        options: Options { fine_surface, ..Default::default() },
    };
    Ok(TallWater::new(exec.clone(), &setup)?)
}
