//! Shallow water: time per cell and sub-step over a sweep of grids.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use thalweg::compute::{ComputeError, Cpu, Executor, Gpu, GpuOptions};
use thalweg::shallow::{InitialCell, Order, Scheme, Setup, ShallowWater};

use super::{Row, copy};
use crate::args::{BackendArg, BenchArgs};
use crate::failure::{Failure, Outcome};
use crate::text;

/// Fewest bytes that a step can move per cell: three state words read and written, the bed read.
const BYTES_PER_CELL: f64 = 28.0;
/// Sub-steps of a timed frame: enough that the frame's fixed cost vanishes.
const SUBSTEPS: f64 = 32.0;
/// Time spent on one row.
const BUDGET: Duration = Duration::from_millis(1200);

pub(super) fn run(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for (label, threads, exec) in executors(args)? {
        let copied = copy::bandwidth(&exec)?;
        let sizes =
            std::iter::successors(Some(args.min_size.max(16)), |n| Some(n * 2)).take_while(|&n| n <= args.max_size);
        for size in sizes {
            for (order, name) in [(Order::First, "first"), (Order::Second { limiter: Default::default() }, "second")] {
                let measured = measure(&exec, size, order).and_then(|ns| Ok((ns, with_maps(&exec, size, order)?)));
                let row = match measured {
                    Ok((ns, maps)) => row((label, threads), name, size, (ns, maps), copied),
                    Err(Failure::Run(reason)) => {
                        text::message(&format!("{label} {size}²: {reason}"));
                        continue;
                    }
                    Err(other) => return Err(other),
                };
                tell(&row);
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

fn row((label, threads): (&str, usize), order: &str, size: u32, (ns, maps): (f64, f64), copied: f64) -> Row {
    let gb_per_s = BYTES_PER_CELL / ns;
    let object = json!({
        "executor": label, "threads": threads, "order": order, "size": size, "ns_per_cell": ns,
        "gb_per_s": gb_per_s, "copy_gb_per_s": copied, "copy_share": gb_per_s / copied,
        "with_maps": maps,
    });
    object.as_object().cloned().unwrap_or_default()
}

pub(super) fn executors(args: &BenchArgs) -> Outcome<Vec<(&'static str, usize, Arc<Executor>)>> {
    let mut list = Vec::new();
    if args.backend != BackendArg::Gpu {
        list.push(("cpu", 1, Arc::new(Executor::from(Cpu::with_threads(1)?))));
        let all = rayon::current_num_threads();
        if all > 1 {
            list.push(("cpu", all, Arc::new(Executor::from(Cpu::with_threads(all)?))));
        }
    }
    if args.backend != BackendArg::Cpu {
        let allow_software = args.backend == BackendArg::Gpu;
        match Gpu::new(&GpuOptions { allow_software, ..GpuOptions::default() }) {
            Ok(gpu) => list.push(("gpu", 0, Arc::new(gpu.into()))),
            Err(ComputeError::NoAdapter { .. }) if !allow_software => {
                text::message("no GPU: only the processor is measured")
            }
            Err(e) => return Err(e.into()),
        }
    }
    Ok(list)
}

/// Nanoseconds per cell and sub-step: the best frame, as the machine is shared and only slowed by others.
pub(super) fn measure(exec: &Arc<Executor>, size: u32, order: Order) -> Outcome<f64> {
    let mut water = Timed::new(exec, size, order, None)?;
    let substeps = if size >= 2048 && matches!(**exec, Executor::Cpu(_)) { 4.0 } else { SUBSTEPS };
    let began = Instant::now();
    while began.elapsed() < BUDGET {
        water.frame(substeps)?;
    }
    Ok(water.best / (f64::from(size) * f64::from(size)) * 1e9)
}

/// Time with maps over time, over that without: frames of both in turns, the median of their ratios.
fn with_maps(exec: &Arc<Executor>, size: u32, order: Order) -> Outcome<f64> {
    let mut plain = Timed::new(exec, size, order, None)?;
    let mut mapped = Timed::new(exec, size, order, Some(0.01))?;
    // Whole numbers of looks: of a sub-step more the last one would count in full.
    let substeps = if size >= 2048 && matches!(**exec, Executor::Cpu(_)) { 7.5 } else { SUBSTEPS - 0.5 };
    let mut ratios = Vec::new();
    let began = Instant::now();
    while ratios.len() < 10 || began.elapsed() < 2 * BUDGET {
        let without = plain.frame(substeps)?;
        ratios.push(mapped.frame(substeps)? / without);
    }
    ratios.remove(0); // the first pair warms up
    ratios.sort_by(f64::total_cmp);
    Ok(ratios[ratios.len() / 2])
}

/// Water whose frames are timed.
struct Timed {
    water: ShallowWater,
    /// Mean length of a sub-step, s of simulated time.
    substep: f64,
    /// Shortest time that a sub-step took, s.
    best: f64,
}

impl Timed {
    /// Waves everywhere over a wavy bed with islands: no cell is special and nothing is skipped.
    fn new(exec: &Arc<Executor>, size: u32, order: Order, maps: Option<f64>) -> Outcome<Self> {
        let initial = move |i: u32, k: u32| {
            let (x, z) = (f64::from(i), f64::from(k));
            let bed = 1.2 * (0.021 * x).sin() * (0.017 * z).cos() - 1.0;
            InitialCell { bed, surface: 0.1 * (0.13 * x + 0.07 * z).sin(), velocity: [0.3 * (0.05 * z).sin(), 0.2] }
        };
        let mut setup = Setup::new(size, size, 1.0, &initial);
        setup.options.scheme = Scheme::Hllc { order };
        setup.maps = maps;
        let mut water = ShallowWater::new(Arc::clone(exec), setup).map_err(failed)?;
        water.advance(0.2).map_err(failed)?;
        let before = water.statistics().map_err(failed)?;
        Ok(Self { water, substep: before.time / before.substeps as f64, best: f64::INFINITY })
    }

    /// Times a frame of about so many sub-steps: the time of one, s.
    fn frame(&mut self, substeps: f64) -> Outcome<f64> {
        let (begin, counted) = (Instant::now(), self.water.substeps());
        self.water.advance(substeps * self.substep).map_err(failed)?;
        self.water.settle().map_err(failed)?;
        let seconds = begin.elapsed().as_secs_f64() / (self.water.substeps() - counted) as f64;
        self.best = self.best.min(seconds);
        Ok(seconds)
    }
}

fn failed(e: thalweg::shallow::ShallowError) -> Failure {
    Failure::Run(e.to_string())
}
