//! Water on a tree: time per active cell and step beside the uniform grid, what dry land around it costs, and how many cells it saves.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};
use thalweg::compute::{Executor, allocated_bytes};
use thalweg::shallow::tree::{GroundPyramid, InitialWater, TreeSetup, TreeWater};
use thalweg::shallow::{InitialCell, Order, Scheme, Setup, ShallowError, ShallowWater};

use super::{Row, quadtree_cells, shallow};
use crate::args::BenchArgs;
use crate::failure::{Failure, Outcome};

/// Time of \[004\] for an active cell and step on a 2 GHz Athlon64, ns.
const PUBLISHED: f64 = 1700.0;
/// Frames of a row: always the same ones, for waves decay, and the tree with them.
const FRAMES: usize = 24;
/// Frames before them, which plan the next ones.
const WARM_UP: usize = 2;
/// Length of a frame, s.
const FRAME: f64 = 1.0;
/// Frames over which the share of refinement is taken.
const TIMED_FRAMES: usize = 8;
/// Finest cells along the pond of the domain rows: 10⁵ wet cells.
const POND: u32 = 320;

fn failed(e: ShallowError) -> Failure {
    Failure::Run(e.to_string())
}

pub(super) fn run(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    let mut add = |row: Value| {
        let row = row.as_object().cloned().unwrap_or_default();
        tell(&row);
        rows.push(row);
    };
    for (label, threads, exec) in shallow::executors(args)? {
        let largest = if matches!(*exec, Executor::Cpu(_)) { 1024 } else { 4096 };
        let sizes =
            [512, 1024, 2048, 4096].into_iter().filter(|&n| n >= args.min_size && n <= args.max_size.min(largest));
        for size in sizes {
            for (order, name) in [(Order::First, "first"), (Order::Second { limiter: Default::default() }, "second")] {
                let found = waves(&exec, size, order)?;
                add(json!({
                    "executor": label, "threads": threads, "case": "waves", "order": name, "domain_cells": size,
                    "active_cells": found.active, "ns_per_cell": found.ns, "uniform_ns_per_cell": found.uniform_ns,
                    "over_uniform": found.over_uniform, "tree_share": found.tree_share, "published_over_ours": PUBLISHED / found.ns,
                    "frame_ms": found.frame_ms, "memory_mib": found.memory_mib,
                }));
            }
        }
        let mut alone = None;
        for size in [2 * POND, 2560, 10_240] {
            let found = pond(&exec, size)?;
            let alone = *alone.get_or_insert(found.frame_ms);
            add(json!({
                "executor": label, "threads": threads, "case": "pond in dry land", "order": "second", "domain_cells": size,
                "active_cells": found.active, "ns_per_cell": found.ns, "uniform_ns_per_cell": Value::Null,
                "over_uniform": found.frame_ms / alone, "tree_share": found.tree_share, "published_over_ours": PUBLISHED / found.ns,
                "frame_ms": found.frame_ms, "memory_mib": found.memory_mib,
            }));
        }
        for row in quadtree_cells::rows(label, threads, &exec).map_err(failed)? {
            add(Value::Object(row));
        }
    }
    Ok(rows)
}

struct Found {
    /// Cells that step, in the mean over steps.
    active: f64,
    /// ns per active cell and step.
    ns: f64,
    /// ns per cell and step of the uniform grid, and how much longer the tree takes: the median of frames in turns. Others on the machine then disturb both alike.
    uniform_ns: f64,
    over_uniform: f64,
    /// Share of the time that goes into splitting and merging.
    tree_share: f64,
    frame_ms: f64,
    memory_mib: f64,
}

/// Waves everywhere, as in `bench shallow`.
fn waves(exec: &Arc<Executor>, size: u32, order: Order) -> Outcome<Found> {
    let bed = |i: u32, k: u32| 1.2 * (0.021 * f64::from(i)).sin() * (0.017 * f64::from(k)).cos() - 1.0;
    let initial = |[x, z]: [f64; 2], _: f64| InitialWater {
        surface: 0.1 * (0.13 * x + 0.07 * z).sin(),
        velocity: [0.3 * (0.05 * z).sin(), 0.2],
    };
    let levels = 5;
    let before = allocated_bytes();
    let ground = Arc::new(GroundPyramid::new([size; 2], levels, bed));
    let mut setup = TreeSetup::new([size; 2], 1.0, levels, ground, &initial);
    setup.options.order = order;
    setup.refinement.budget = (size * size) as usize * 5 / 4;
    let water = TreeWater::new(Arc::clone(exec), setup).map_err(failed)?;
    let memory = allocated_bytes().saturating_sub(before);
    let cell = |i: u32, k: u32| {
        let InitialWater { surface, velocity } = initial([i, k].map(|n| f64::from(n) + 0.5), 0.0);
        InitialCell { bed: bed(i, k), surface, velocity }
    };
    let mut setup = Setup::new(size, size, 1.0, &cell);
    setup.options.scheme = Scheme::Hllc { order };
    let uniform = ShallowWater::new(Arc::clone(exec), setup).map_err(failed)?;
    measure(water, Some(uniform), memory)
}

/// A pond of 10⁵ cells with waves in a plain of `size` finest cells each way.
fn pond(exec: &Arc<Executor>, size: u32) -> Outcome<Found> {
    let middle = 0.5 * f64::from(size);
    let half = 0.5 * f64::from(POND);
    let levels = (size / 16).ilog2().min(8);
    let inside = move |x: f64, z: f64| (x - middle).abs() < half && (z - middle).abs() < half;
    let bed = move |i: u32, k: u32| if inside(f64::from(i) + 0.5, f64::from(k) + 0.5) { -2.0 } else { 1.0 };
    let initial = move |[x, z]: [f64; 2], bed: f64| InitialWater {
        surface: if bed < 0.0 { 0.3 * (0.1 * (x - middle)).sin() * (0.08 * (z - middle)).cos() } else { bed },
        velocity: [0.0; 2],
    };
    let before = allocated_bytes();
    let ground = Arc::new(GroundPyramid::new([size; 2], levels, bed));
    let mut setup = TreeSetup::new([size; 2], 1.0, levels, ground, &initial);
    setup.refinement.budget = 400_000;
    setup.refinement.regions.push(thalweg::shallow::tree::FineRegion {
        min: [middle - half; 2],
        max: [middle + half; 2],
        cell: 1.0,
    });
    let water = TreeWater::new(Arc::clone(exec), setup).map_err(failed)?;
    let memory = allocated_bytes().saturating_sub(before);
    measure(water, None, memory)
}

/// Frames, in turns with those of a uniform grid: the best, as the machine is shared.
fn measure(mut water: TreeWater, mut uniform: Option<ShallowWater>, memory: u64) -> Outcome<Found> {
    let mut found = Found {
        active: 0.0,
        ns: f64::INFINITY,
        uniform_ns: f64::INFINITY,
        over_uniform: 0.0,
        tree_share: 0.0,
        frame_ms: f64::INFINITY,
        memory_mib: memory as f64 / 1048576.0,
    };
    let mut ratios = Vec::new();
    for frame in 0..WARM_UP + FRAMES {
        let (work, ticks, begin) = (water.cell_steps(), water.ticks(), Instant::now());
        water.advance(FRAME).map_err(failed)?;
        water.settle().map_err(failed)?;
        let time = begin.elapsed().as_secs_f64();
        let steps = water.cell_steps() - work;
        let ns = time * 1e9 / steps;
        let uniform_ns = uniform.as_mut().map(uniform_frame).transpose().map_err(failed)?;
        if frame < WARM_UP {
            continue;
        }
        if ns < found.ns {
            found.ns = ns;
            found.active = steps / (water.ticks() - ticks) as f64;
        }
        found.frame_ms = found.frame_ms.min(time * 1e3);
        if let Some(uniform_ns) = uniform_ns {
            found.uniform_ns = found.uniform_ns.min(uniform_ns);
            ratios.push(ns / uniform_ns);
        }
    }
    ratios.sort_by(f64::total_cmp);
    found.over_uniform = ratios.get(ratios.len() / 2).copied().unwrap_or_default();
    water.executor().set_timed(true);
    water.executor().take_timings()?;
    for _ in 0..TIMED_FRAMES {
        water.advance(FRAME).map_err(failed)?;
        water.settle().map_err(failed)?;
    }
    let timings = water.executor().take_timings()?;
    water.executor().set_timed(false);
    let of = |named: &dyn Fn(&str) -> bool| -> f64 {
        timings.stages().filter(|(name, _)| named(name)).map(|(_, stage)| stage.ms).sum()
    };
    found.tree_share = of(&|name| name == "tree") / of(&|_| true).max(1e-9);
    Ok(found)
}

/// A frame of the uniform grid, ns per cell and step.
fn uniform_frame(water: &mut ShallowWater) -> Result<f64, ShallowError> {
    let (steps, begin) = (water.substeps(), Instant::now());
    water.advance(FRAME)?;
    water.settle()?;
    let cells = water.size().iter().product::<usize>() as f64;
    Ok(begin.elapsed().as_secs_f64() * 1e9 / (cells * (water.substeps() - steps) as f64))
}
