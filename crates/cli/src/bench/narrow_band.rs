//! Narrow band pressure against the full fine grid: moments of a dam break, every method on the same moments.
//!
//! Projections run on one thread, as in Prakash & Chaudhuri, whose savings are those of the total time with everything
//! else in parallel. A projection's time holds all that depends on the method: band, matrices, right-hand side, solve,
//! prolongation and velocity update; all methods start from zero and stop at the same residual.

use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::json;
use thalweg_pressure_labs::narrow_band::demo::{Demo, GRAVITY};
use thalweg_pressure_labs::narrow_band::{
    BandShape, Coupling, Divergence, FaceField, FineSystem, Interpolation, Method, Projected, Prolongation, Solver,
    Surface, project,
};

use super::Row;
use crate::args::BenchArgs;
use crate::failure::{Failure, Outcome};
use crate::text;

/// Largest residual, as part of the largest right-hand side.
const TOLERANCE: f64 = 1e-6;
/// Moments that are measured, in units of √(H/g) with the column's height H: in two dimensions, and in three, where a
/// projection takes ten times as long.
const MOMENTS: [&[f64]; 2] = [&[0.5, 1.5], &[0.5]];
/// Courant number of the steps between the moments, and of the measured ones: the text has small fixed steps.
const COURANT: [f64; 2] = [4.0, 0.2];
/// Runs of each method at each moment; the fastest counts, as the machine is shared and only slowed by others.
const REPEATS: usize = 2;
/// Savings of the total time in percent: width, at 4 and at 16 cells per block (Prakash & Chaudhuri, table 1).
const PUBLISHED: [(usize, [f64; 2]); 5] =
    [(8, [57.5, 64.4]), (16, [48.9, 55.1]), (24, [42.1, 47.7]), (32, [35.5, 41.5]), (64, [21.9, 26.8])];
/// The same in three dimensions at 128³, width 24, 8 cells per block (§5.4).
const PUBLISHED_3D: f64 = 38.0;
/// Velocity interpolation at 512², width 64, 4 cells per block (§5.1).
const PUBLISHED_VELOCITY: (usize, f64) = (64, 22.9);

pub(super) fn run(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let single = ThreadPoolBuilder::new().num_threads(1).build().map_err(|e| Failure::Run(e.to_string()))?;
    let flat = (args.max_size as usize).clamp(32, 512);
    let deep = (flat / 4).max(16);
    let mut rows = Vec::new();
    for (dimensions, size) in [(2, flat), (3, deep)] {
        // A quarter of the width is left for the coarse region, or there is nothing to measure.
        let bands: Vec<(usize, usize)> = if dimensions == 2 {
            let widths = PUBLISHED.iter().map(|p| p.0).filter(|w| 4 * w <= size);
            widths.flat_map(|w| [(w, 2), (w, 4)]).collect()
        } else {
            vec![(24 * size / 128, 2)]
        };
        let moments = moments(size, dimensions);
        let candidates = candidates(&bands);
        let rest = moments.iter().map(|m| m.rest).sum::<Duration>().as_secs_f64() / moments.len() as f64;
        let mut base = measure(&single, &moments, Method::Full, None)?;
        let mut band = None;
        for candidate in &candidates {
            // The baseline is measured again beside each band, so that both meet the machine in the same mood.
            if candidate.band != band {
                band = candidate.band;
                base.seconds = measure(&single, &moments, Method::Full, Some(&base.solved))?.seconds;
            }
            let figures = if candidate.method == Method::Full {
                base.clone()
            } else {
                measure(&single, &moments, candidate.method, Some(&base.solved))?
            };
            let row = row(dimensions, size, candidate, &figures, &base, rest);
            tell(&row);
            rows.push(row);
        }
    }
    Ok(rows)
}

/// A method to be measured.
struct Candidate {
    name: &'static str,
    /// Width and factor of its band.
    band: Option<(usize, usize)>,
    method: Method,
}

fn candidates(bands: &[(usize, usize)]) -> Vec<Candidate> {
    let galerkin = |factor, width, interpolation, solver, sweeps| Method::Band {
        shape: BandShape { factor, width, surface: Surface::Fine },
        coupling: Coupling::Galerkin(interpolation),
        solver,
        sweeps,
    };
    let (corners, centres) = (Interpolation::Corners, Interpolation::Centres);
    let mut list = vec![
        Candidate { name: "full IC-PCG", band: None, method: Method::Full },
        Candidate { name: "full IC-PCG, general rows", band: None, method: Method::FullRows },
        Candidate { name: "full MG-CG", band: None, method: galerkin(1, 0, corners, Solver::Multigrid, 0) },
    ];
    for &(width, factor) in bands {
        let mut add = |name, method| list.push(Candidate { name, band: Some((width, factor)), method });
        add("Galerkin IC-PCG + 3 Jacobi", galerkin(factor, width, corners, Solver::IncompleteCholesky, 3));
        add("Galerkin MG-CG + 3 Jacobi", galerkin(factor, width, corners, Solver::Multigrid, 3));
        add("Galerkin (centres) MG-CG", galerkin(factor, width, centres, Solver::Multigrid, 0));
        let shape = BandShape { factor, width, surface: Surface::Fine };
        let (coupling, solver) = (Coupling::Losasso, Solver::IncompleteCholesky);
        add("Losasso IC-PCG + 3 Jacobi", Method::Band { shape, coupling, solver, sweeps: 3 });
        let prolongation = Prolongation::Interpolated;
        add("pressure smoothing", Method::PressureSmoothing { factor, width, prolongation, sweeps: 3 });
        add("velocity interpolation", Method::VelocityInterpolation { factor, width });
    }
    list
}

/// The state before a projection, and how long the rest of its step took.
struct Moment {
    demo: Demo,
    how: Projected,
    rest: Duration,
}

/// Runs the dam break and keeps the moments. The run itself uses the quickest of the accurate methods.
fn moments(size: usize, dimensions: usize) -> Vec<Moment> {
    let mut demo = Demo::dam_break(size, dimensions);
    demo.tolerance = TOLERANCE;
    let quick = Method::Band {
        shape: BandShape { factor: 2, width: 8, surface: Surface::Fine },
        coupling: Coupling::default(),
        solver: Solver::Multigrid,
        sweeps: 3,
    };
    let unit = (0.6 / GRAVITY).sqrt();
    let mut list = Vec::new();
    for moment in MOMENTS[dimensions - 2] {
        while demo.time < moment * unit {
            demo.step(demo.dt(COURANT[0]), quick);
        }
        let mut here = demo.clone();
        let dt = here.dt(COURANT[1]);
        let rest = here.step(dt, quick).rest;
        let mut here = demo.clone();
        let how = here.advance(dt);
        here.pressure.fill(0.0);
        list.push(Moment { demo: here, how, rest });
        text::message(&format!(
            "{size} cells, {dimensions} dimensions: t = {:.3} s after {} steps",
            demo.time, demo.steps
        ));
    }
    list
}

/// Means over the moments.
#[derive(Clone)]
struct Figures {
    unknowns: f64,
    iterations: f64,
    seconds: f64,
    assembly: f64,
    error: f64,
    divergence: f64,
    sum: f64,
    solved: Vec<FaceField>,
}

fn measure(
    single: &ThreadPool,
    moments: &[Moment],
    method: Method,
    reference: Option<&[FaceField]>,
) -> Outcome<Figures> {
    let mut means = Figures {
        unknowns: 0.0,
        iterations: 0.0,
        seconds: 0.0,
        assembly: 0.0,
        error: 0.0,
        divergence: 0.0,
        sum: 0.0,
        solved: Vec::new(),
    };
    let part = 1.0 / moments.len() as f64;
    for (number, moment) in moments.iter().enumerate() {
        let grid = &moment.demo.grid;
        let (mut seconds, mut assembly) = (f64::INFINITY, f64::INFINITY);
        let mut last: Option<(FaceField, FineSystem<f64>)> = None;
        for _ in 0..REPEATS {
            let (mut u, mut p) = (moment.demo.u.clone(), moment.demo.pressure.clone());
            let solve = || project::<f64>(grid, &mut u, moment.how, method, TOLERANCE, &mut p);
            let (course, system) = single.install(solve);
            if !course.converged {
                return Err(Failure::Run(format!("{method:?} did not converge: {course:?}")));
            }
            seconds = seconds.min(course.time.as_secs_f64());
            assembly = assembly.min(course.assembly.as_secs_f64());
            if last.is_none() {
                means.unknowns += part * course.unknowns as f64;
                means.iterations += part * course.iterations as f64;
            }
            last = Some((u, system));
        }
        means.seconds += part * seconds;
        means.assembly += part * assembly;
        if let Some((u, system)) = last {
            let Divergence { rms, sum, .. } = grid.divergence(&system, &u);
            if let Some(reference) = reference {
                means.error += part * 100.0 * grid.velocity_error(&system, &u, &reference[number]);
            }
            means.divergence += part * rms;
            means.sum += part * sum;
            means.solved.push(u);
        }
    }
    Ok(means)
}

fn row(dimensions: usize, size: usize, candidate: &Candidate, f: &Figures, base: &Figures, rest: f64) -> Row {
    let saving = 100.0 * (1.0 - f.seconds / base.seconds);
    let total = 100.0 * (base.seconds - f.seconds) / (base.seconds + rest);
    let (width, factor) = candidate.band.unwrap_or_default();
    let table = || PUBLISHED.iter().find(|p| p.0 == width).map(|p| p.1[usize::from(factor == 4)]);
    let published = match (candidate.method, dimensions) {
        (Method::VelocityInterpolation { factor: 2, .. }, 2) if width == PUBLISHED_VELOCITY.0 => {
            Some(PUBLISHED_VELOCITY.1)
        }
        (Method::VelocityInterpolation { .. }, _) => None,
        (_, 2) => table(),
        _ => candidate.band.map(|_| PUBLISHED_3D),
    };
    let object = json!({
        "dimensions": dimensions, "size": size, "width_cells": width, "factor": factor.max(1), "method": candidate.name,
        "unknowns": f.unknowns.round(), "iterations": (10.0 * f.iterations).round() / 10.0,
        "projection_secs": f.seconds, "assembly_secs": f.assembly, "saving_percent": saving,
        "full_projection_secs": base.seconds, "rest_secs": rest, "total_saving_percent": total, "published_total_percent": published,
        "velocity_error_percent": f.error, "rms_divergence_per_s": f.divergence, "sum_divergence_per_s": f.sum,
    });
    object.as_object().cloned().unwrap_or_default()
}
