//! Pressure solvers on the same systems: \[000\] Table 3, and systems stored in files.

use std::path::Path;
use std::time::Instant;

use serde_json::json;
use thalweg::pressure::{Discretisation, HierarchyOptions, Level, Stop, Sweeps};
use thalweg_pressure_labs::scenes::{TankLevel, stream};
use thalweg_pressure_labs::{Method, Solver, StoredSystem};

use super::Row;
use crate::args::BenchArgs;
use crate::failure::{Failure, Outcome};
use crate::text;

/// Residuals at which times are taken, 1/s.
const LOOSE: f64 = 1e-4;
const TIGHT: f64 = 1e-8;

/// \[000\] Table 3: IC(0)-PCG and full cycles on one thread of a Core i7 at 2.67 GHz: iterations and seconds to 1e-4,
/// then to 1e-8.
#[rustfmt::skip]
const PAPER: [(u32, &str, [f64; 4], [f64; 4]); 9] = [
    (64, "Low", [57.0, 0.75, 92.0, 1.21], [9.0, 0.75, 16.0, 1.31]),
    (64, "Mid", [97.0, 1.35, 156.0, 2.18], [8.0, 0.68, 14.0, 1.18]),
    (64, "High", [124.0, 1.92, 198.0, 3.06], [7.0, 0.61, 12.0, 1.02]),
    (128, "Low", [102.0, 10.95, 162.0, 17.32], [9.0, 6.32, 16.0, 11.1]),
    (128, "Mid", [211.0, 25.31, 327.0, 39.14], [8.0, 5.64, 13.0, 9.03]),
    (128, "High", [251.0, 32.39, 435.0, 55.96], [8.0, 5.74, 13.0, 9.16]),
    (256, "Low", [217.0, 183.31, 334.0, 281.83], [7.0, 39.49, 11.0, 55.89]),
    (256, "Mid", [450.0, 424.27, 675.0, 635.03], [7.0, 39.77, 12.0, 67.06]),
    (256, "High", [523.0, 542.32, 918.0, 951.08], [8.0, 46.08, 12.0, 68.04]),
];

const FULL: Method = Method::Multigrid { full: usize::MAX, sweeps: Sweeps { before: 2, after: 2 } };
const IC0: Method = Method::IncompleteCholesky { modified: 0.0 };
const MIC0: Method = Method::IncompleteCholesky { modified: 0.97 };

/// One solver on one system.
struct Measured {
    unknowns: usize,
    setup: f64,
    loose: Option<(usize, f64)>,
    tight: Option<(usize, f64)>,
    /// Largest residual of the result, computed afresh, 1/s.
    residual: f64,
}

impl Measured {
    fn total(&self) -> f64 {
        self.setup + self.tight.map_or(f64::NAN, |t| t.1)
    }
}

/// Sets up and solves from zero; times of setting up include the conductances of the finest level.
fn measure(system: &StoredSystem, method: Method, threads: usize) -> Outcome<Measured> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|e| Failure::Run(format!("cannot start {threads} threads: {e}")))?;
    let (grid, fields, b) = system.on_columns().map_err(|e| Failure::Input(e.to_string()))?;
    let options = HierarchyOptions { theta_min: system.theta_min, ..Default::default() };
    let unit = system.dx * system.dx;
    Ok(pool.install(|| {
        let begin = Instant::now();
        let level = Level::new(grid, fields, system.theta_min, Discretisation::Galerkin);
        let mut solver = Solver::new(&level, method, options);
        let setup = begin.elapsed().as_secs_f64();
        let mut x = vec![0.0; b.len()];
        let report = solver.solve(&b, &mut x, Stop { residual: TIGHT * unit, iterations: 5000 });
        let reached = |bound: f64| report.reached(bound * unit).map(|(n, time)| (n, time.as_secs_f64()));
        Measured {
            unknowns: level.unknowns(),
            setup,
            loose: reached(LOOSE),
            tight: reached(TIGHT),
            residual: level.residual(&b, &x) / unit,
        }
    }))
}

/// `bench poisson-table3`.
pub(super) fn table3(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let all = rayon::current_num_threads();
    let mut rows = Vec::new();
    for (size, name, paper_ic, paper_mg) in PAPER {
        if size > args.max_size.min(256) || size < args.min_size.min(64) {
            continue;
        }
        let tank = TankLevel::ALL.into_iter().find(|l| l.name() == name).unwrap_or(TankLevel::High);
        let system = stream(size as usize, tank);
        let mut baseline = None;
        let threads = if all > 1 { vec![1, all] } else { vec![1] };
        for threads in threads {
            for method in [IC0, MIC0, FULL, Method::MultigridCgSame, Method::MultigridCg] {
                if threads > 1 && matches!(method, Method::IncompleteCholesky { .. }) {
                    continue; // triangular solves are serial
                }
                let m = measure(&system, method, threads)?;
                if method == IC0 {
                    baseline = Some((m.setup + m.loose.map_or(f64::NAN, |t| t.1), m.total()));
                }
                let (base_loose, base_tight) = baseline.unwrap_or((f64::NAN, f64::NAN));
                let (it4, s4) = m.loose.unwrap_or((0, f64::NAN));
                let (it8, s8) = m.tight.unwrap_or((0, f64::NAN));
                let paper = if matches!(method, Method::IncompleteCholesky { .. }) { paper_ic } else { paper_mg };
                let row = json!({
                    "size": size, "level": name, "unknowns": m.unknowns, "solver": method.name(), "threads": threads,
                    "setup_s": m.setup, "iterations_1e-4": it4, "solve_1e-4_s": s4, "iterations_1e-8": it8,
                    "solve_1e-8_s": s8, "speedup_1e-4": base_loose / (m.setup + s4), "speedup_1e-8": base_tight / m.total(),
                    "paper_iterations_1e-8": paper[2], "paper_speedup_1e-4": paper_ic[1] / paper[1],
                    "paper_speedup_1e-8": paper_ic[3] / paper[3], "residual_1_per_s": m.residual,
                });
                let row = row.as_object().cloned().unwrap_or_default();
                tell(&row);
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

/// `bench poisson FILE…`: prints the line that other programs print for the same file.
pub(super) fn files(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    if args.files.is_empty() {
        return Err(Failure::Input("name the systems: `thalweg bench poisson FILE.wpoi …`".into()));
    }
    let all = rayon::current_num_threads();
    let methods = [
        ("thalweg MG-CG", Method::MultigridCg),
        ("thalweg MG-CG f64", Method::MultigridCgSame),
        ("thalweg full cycles", FULL),
        ("thalweg MIC(0)-PCG", MIC0),
        ("thalweg IC(0)-PCG", IC0),
    ];
    let mut rows = Vec::new();
    for file in &args.files {
        let system = StoredSystem::read(file).map_err(|e| Failure::Input(format!("{}: {e}", file.display())))?;
        for (label, method) in methods {
            let serial = matches!(method, Method::IncompleteCholesky { .. });
            let threads = if all > 1 && !serial { vec![1, all] } else { vec![1] };
            for threads in threads {
                let m = measure(&system, method, threads)?;
                let line = result_line(label, file, threads, &m);
                if !args.json {
                    text::print(&line);
                }
                let (it4, s4) = m.loose.unwrap_or((0, f64::NAN));
                let (it8, s8) = m.tight.unwrap_or((0, f64::NAN));
                let row = json!({
                    "file": file.display().to_string(), "solver": label, "unknowns": m.unknowns, "threads": threads,
                    "setup_s": m.setup, "iterations_1e-4": it4, "solve_1e-4_s": s4, "iterations_1e-8": it8,
                    "solve_1e-8_s": s8, "residual_1_per_s": m.residual,
                });
                let row = row.as_object().cloned().unwrap_or_default();
                tell(&row);
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

fn result_line(label: &str, file: &Path, threads: usize, m: &Measured) -> String {
    let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let (it4, t4) = m.loose.map_or((-1, 0.0), |(n, t)| (n as i64, t));
    let (it8, t8) = m.tight.map_or((-1, 0.0), |(n, t)| (n as i64, t));
    let peak = peak_gib();
    format!(
        "RES {label:<22} {name:<24} unk {:>9} thr {threads} setup {:>8.3} s | 1e-4: it {it4:>4} {t4:>8.3} s | 1e-8: it \
         {it8:>4} {t8:>8.3} s | true {:.1e} | peak {peak:.2} GiB (+0.00)",
        m.unknowns, m.setup, m.residual
    )
}

/// Most memory that this process has held, GiB; 0 where the system does not tell.
fn peak_gib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kib = line.and_then(|l| l.trim().trim_end_matches(" kB").trim().parse::<f64>().ok());
    kib.unwrap_or(0.0) / (1024.0 * 1024.0)
}
