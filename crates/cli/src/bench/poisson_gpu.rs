//! The pressure solve on an executor: time, dispatches and bytes, per solve and per level.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use thalweg::columns::Shape;
use thalweg::compute::{Buffer, Cpu, Executor, Gpu, GpuOptions};
use thalweg::pressure::device::{DeviceHierarchy, DeviceOptions, DeviceSolver, DeviceStop, Method, SolverOptions};
use thalweg::pressure::{Cycle, Fields, Sweeps};
use thalweg_pressure_labs::scenes::TallScene;

use super::{Row, copy};
use crate::args::{BackendArg, BenchArgs};
use crate::failure::{Failure, Outcome};
use crate::text;

/// Grids of \[000\] Table 2 and larger ones: name, columns along x and z, regular cells, the paper's projection in ms on a
/// GTX 480.
const GRIDS: [(&str, usize, usize, usize, f64); 6] = [
    ("Manip", 64, 64, 64, 8.56),
    ("Tank", 64, 64, 64, 8.44),
    ("Flood", 64, 256, 32, 13.49),
    ("LightH", 128, 128, 32, 9.77),
    ("512", 512, 512, 64, f64::NAN),
    ("1024", 1024, 1024, 64, f64::NAN),
];

/// Fewest bytes that an iteration of MG-CG with one sweep before and after moves per wet sample of the finest level with
/// open faces: start 12, residual and restriction 12.5, interpolation 12.5, two half sweeps 32, scalar products 12, search
/// direction 12, product 12, update 24. Coarser levels add a seventh of the cycle's share, with conductances.
const BYTES_PER_ITERATION: f64 = 129.0 + (69.0 * 1.8) / 7.0;

/// Solves that are timed together, so that the fixed cost of a submission does not count.
const REPEATS: usize = 8;

pub(super) fn run(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let exec = executor(args)?;
    let copied = copy::bandwidth(&exec)?;
    let mut rows = Vec::new();
    for (name, nx, nz, regular, paper) in GRIDS {
        if nx.max(nz) > args.max_size as usize {
            continue;
        }
        let shape = Shape { nx, nz, regular };
        let mut scene = Scene::new(&exec, shape)?;
        // The published recipe sets the residual that ours has to reach.
        let published = SolverOptions {
            method: Method::FullThenV { full: 1 },
            sweeps: Sweeps { before: 2, after: 2 },
            iterations: 3,
            detailed: false,
        };
        let reference = scene.solve(&exec, published, 0.0)?;
        let ours = SolverOptions {
            method: Method::ConjugateGradients(Cycle::V),
            sweeps: Sweeps { before: 1, after: 1 },
            iterations: 12,
            detailed: false,
        };
        let found = scene.solve(&exec, ours, reference.reduction)?;
        let exact = SolverOptions { iterations: found.iterations.max(1), ..ours };
        let timed = scene.solve(&exec, exact, 0.0)?;
        for (stage, ms) in scene.stages(&exec, exact)? {
            text::message(&format!("{name} {stage:<12} {ms:.4} ms"));
        }
        for (solver, m) in [("full + 2 V(2,2)", &reference), ("MG-CG V(1,1)", &timed)] {
            let bytes = BYTES_PER_ITERATION * scene.wet as f64 * m.iterations as f64;
            let row = json!({
                "grid": name, "size": format!("{nx}×({regular}+2)×{nz}"), "wet_samples": scene.wet, "solver": solver,
                "iterations": m.iterations, "reduction": m.reduction, "solve_ms": m.ms, "dispatches": m.dispatches,
                "rebuild_ms": scene.rebuild_ms, "paper_ms": paper,
                "minimal_gb": if solver.starts_with("MG-CG") { bytes * 1e-9 } else { f64::NAN },
                "copy_share": if solver.starts_with("MG-CG") { bytes * 1e-6 / m.ms / copied } else { f64::NAN },
            });
            let row = row.as_object().cloned().unwrap_or_default();
            tell(&row);
            rows.push(row);
        }
    }
    Ok(rows)
}

fn executor(args: &BenchArgs) -> Outcome<Arc<Executor>> {
    let gpu = || Gpu::new(&GpuOptions::default()).map(Executor::from);
    Ok(Arc::new(match args.backend {
        BackendArg::Cpu => Executor::from(Cpu::new()),
        BackendArg::Gpu => gpu()?,
        BackendArg::Auto => gpu().unwrap_or_else(|_| Executor::from(Cpu::new())),
    }))
}

/// What a solve took.
struct Measured {
    iterations: usize,
    /// Last residual over the first.
    reduction: f64,
    ms: f64,
    dispatches: usize,
}

/// A system on an executor.
struct Scene {
    hierarchy: Option<DeviceHierarchy>,
    b: Buffer<f32>,
    x: Buffer<f32>,
    wet: usize,
    rebuild_ms: f64,
}

impl Scene {
    fn new(exec: &Executor, shape: Shape) -> Outcome<Self> {
        let failed = |e: &dyn std::fmt::Display| Failure::Run(e.to_string());
        let (grid, fields, b) = TallScene::Hills.build(shape).map_err(|e| failed(&e))?;
        let single = |v: &[f64]| v.iter().map(|v| *v as f32).collect::<Vec<f32>>();
        let wet = fields.phi.iter().filter(|phi| **phi < 0.0).count();
        let fields = Fields {
            phi: single(&fields.phi),
            solid: single(&fields.solid),
            open: single(&fields.open),
            sink: Vec::new(),
        };
        let hierarchy = DeviceHierarchy::new(exec, &grid, &fields, DeviceOptions::default()).map_err(|e| failed(&e))?;
        let b = exec.buffer_from("bench.b", &single(&b))?;
        let x = exec.buffer::<f32>("bench.x", shape.len())?;
        exec.wait()?;
        let begin = Instant::now();
        let mut rec = exec.record();
        for _ in 0..REPEATS {
            hierarchy.rebuild(&mut rec)?;
        }
        rec.submit()?;
        exec.wait()?;
        let rebuild_ms = begin.elapsed().as_secs_f64() * 1e3 / REPEATS as f64;
        Ok(Self { hierarchy: Some(hierarchy), b, x, wet, rebuild_ms })
    }

    /// Solves from zero to a relative residual, several times.
    fn solve(&mut self, exec: &Executor, options: SolverOptions, relative: f64) -> Outcome<Measured> {
        let hierarchy = self.hierarchy.take().ok_or_else(|| Failure::Run("the hierarchy is in use".into()))?;
        let mut solver = DeviceSolver::new(exec, hierarchy, options)?;
        let stop = DeviceStop { residual: 0.0, relative: relative as f32, iterations: options.iterations };
        let mut once = || -> Outcome<f64> {
            exec.wait()?;
            let mut rec = exec.record();
            rec.stage("clear");
            for _ in 0..REPEATS {
                rec.clear(&self.x)?;
                rec.stage("solve");
                solver.solve(&mut rec, &self.b, &self.x, stop)?;
                rec.stage("clear");
            }
            rec.submit()?;
            let times = exec.take_timings()?;
            let solve = times.stages().find(|(name, _)| *name == "solve").map_or(f64::NAN, |(_, t)| t.ms);
            Ok(solve / REPEATS as f64)
        };
        exec.set_timed(true);
        once()?;
        let mut best = f64::INFINITY;
        for _ in 0..4 {
            best = best.min(once()?);
        }
        exec.set_timed(false);
        let report = solver.report(exec)?;
        let (first, last) = (report.residuals[0], report.residual());
        let measured = Measured {
            iterations: report.iterations,
            reduction: last / first,
            ms: best,
            dispatches: solver.dispatches(),
        };
        self.hierarchy = Some(solver.into_hierarchy());
        Ok(measured)
    }

    /// Time of every kind of kernel and level of one solve.
    fn stages(&mut self, exec: &Executor, options: SolverOptions) -> Outcome<Vec<(&'static str, f64)>> {
        let hierarchy = self.hierarchy.take().ok_or_else(|| Failure::Run("the hierarchy is in use".into()))?;
        let mut solver = DeviceSolver::new(exec, hierarchy, SolverOptions { detailed: true, ..options })?;
        let stop = DeviceStop { residual: 0.0, relative: 0.0, iterations: options.iterations };
        exec.set_timed(true);
        exec.take_timings()?;
        let mut rec = exec.record();
        rec.clear(&self.x)?;
        solver.solve(&mut rec, &self.b, &self.x, stop)?;
        rec.submit()?;
        let times = exec.take_timings()?;
        exec.set_timed(false);
        self.hierarchy = Some(solver.into_hierarchy());
        Ok(times.stages().map(|(name, t)| (name, t.ms)).collect())
    }
}
