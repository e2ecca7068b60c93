//! The same deep water with tall cells and with cubic cells only: time, memory, and how far the surfaces are apart.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use thalweg::columns::Shape;
use thalweg::compute::{Executor, allocated_bytes};
use thalweg::tall::{Band, Options, Setup, TallWater};

use super::{Row, scenes};
use crate::args::BenchArgs;
use crate::failure::Outcome;

/// Edge of a cell, m.
const CELL: f64 = 0.1;
/// Columns along both axes: a GPU has nothing to do with as few as the processor can take.
fn columns(exec: &Executor) -> usize {
    match exec {
        Executor::Cpu(_) => 64,
        Executor::Gpu(_) => 256,
    }
}

/// Cubic cells per column with tall cells: eight below the waves, eight above, and the waves.
const REGULAR: usize = 24;
/// s: half of what surface waves allow.
const STEP: f64 = 0.05;
const STEPS: u32 = 20;

pub(super) fn run(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for exec in scenes::executors(args)? {
        for depth in [32, 64, 128, 256] {
            let tall = measure(&exec, depth, REGULAR, Some(Band::default()))?;
            let uniform = measure(&exec, depth, depth + 14, None)?;
            let apart = tall.surface.iter().zip(&uniform.surface).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            let row = json!({
                "executor": exec.describe(), "columns": columns(&exec).pow(2), "depth_cells": depth,
                "tall_ms": tall.ms, "uniform_ms": uniform.ms, "times_faster": uniform.ms / tall.ms,
                "tall_mb": tall.megabytes, "uniform_mb": uniform.megabytes,
                "times_smaller": uniform.megabytes / tall.megabytes,
                "rms_apart_cells": (apart / tall.surface.len() as f64).sqrt(),
                "rms_wave_cells": deviation(&uniform.surface),
            });
            let row = row.as_object().cloned().unwrap_or_default();
            tell(&row);
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Root mean square of heights about their mean.
fn deviation(heights: &[f64]) -> f64 {
    let mean = heights.iter().sum::<f64>() / heights.len() as f64;
    (heights.iter().map(|h| (h - mean).powi(2)).sum::<f64>() / heights.len() as f64).sqrt()
}

struct Measured {
    ms: f64,
    megabytes: f64,
    /// Heights of the surface after all steps, cells.
    surface: Vec<f64>,
}

/// Waves on deep water.
fn measure(exec: &Arc<Executor>, depth: usize, regular: usize, band: Option<Band>) -> Outcome<Measured> {
    let before = allocated_bytes();
    let columns = columns(exec);
    let level = depth as f64 * CELL;
    let level_set = move |[x, y, z]: [f64; 3]| {
        let k = std::f64::consts::PI / (64.0 * CELL);
        y - level - 2.0 * CELL * ((2.0 * k * x).cos() + (k * z).cos())
    };
    let setup = Setup {
        shape: Shape { nx: columns, nz: columns, regular },
        cell: CELL,
        height: level + 12.0 * CELL,
        terrain: &vec![0.0; columns * columns],
        level_set: &level_set,
        obstacles: &[],
        velocity: [0.0; 2],
        options: Options { band, ..Default::default() },
    };
    let mut water = TallWater::new(exec.clone(), &setup)?;
    let megabytes = (allocated_bytes() - before) as f64 * 1e-6;
    water.step(STEP)?;
    exec.wait()?;
    let begin = Instant::now();
    for _ in 0..STEPS {
        water.step(STEP)?;
    }
    exec.wait()?;
    let ms = 1e3 * begin.elapsed().as_secs_f64() / f64::from(STEPS);
    let surface = water.surface()?.iter().map(|h| f64::from(h.unwrap_or(0.0))).collect();
    Ok(Measured { ms, megabytes, surface })
}
