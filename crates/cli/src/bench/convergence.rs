//! \[000\] Figure 7: residual against cycles on tall-cell scenes.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;
use thalweg::columns::Shape;
use thalweg::pressure::{Discretisation, HierarchyOptions, Level, Stop, Sweeps};
use thalweg_io::plot::{Chart, Mark, Scale, Series, line_chart};
use thalweg_pressure_labs::scenes::TallScene;
use thalweg_pressure_labs::{Method, Solver};

use super::Row;
use crate::args::BenchArgs;
use crate::failure::{Failure, Outcome};

const CYCLES: usize = 20;
const TWO: Sweeps = Sweeps { before: 2, after: 2 };

/// `bench poisson-convergence`.
pub(super) fn run(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let edge = (args.max_size as usize).min(64);
    let shape = Shape { nx: edge, nz: edge, regular: 24 };
    let out = args.out.clone().unwrap_or_else(|| Path::new("out/poisson-convergence").to_path_buf());
    std::fs::create_dir_all(&out).map_err(|e| Failure::Run(format!("cannot create {}: {e}", out.display())))?;
    let mut csv = String::from("scene,discretisation,solver,cycle,residual\n");
    let mut rows = Vec::new();
    for scene in TallScene::ALL {
        let mut chart = Chart::new(format!("{}: {edge} × (24 + 2) × {edge}", scene.name()))
            .axes("cycle", "residual relative to the start")
            .scales(Scale::Linear, Scale::Log);
        let methods = [
            (Discretisation::Galerkin, Method::Multigrid { full: 0, sweeps: TWO }),
            (Discretisation::Galerkin, Method::Multigrid { full: usize::MAX, sweeps: TWO }),
            (Discretisation::Galerkin, Method::MultigridCgSame),
            (Discretisation::Collocated, Method::Multigrid { full: 0, sweeps: TWO }),
            (Discretisation::Collocated, Method::Multigrid { full: usize::MAX, sweeps: TWO }),
            (Discretisation::Collocated, Method::BiCgStab),
        ];
        for (discretisation, method) in methods {
            let (grid, fields, b) = scene.build(shape).map_err(|e| Failure::Run(e.to_string()))?;
            let options = HierarchyOptions { discretisation, ..Default::default() };
            let level = Level::new(grid, fields, options.theta_min, discretisation);
            let mut x = vec![0.0; b.len()];
            let mut solver = Solver::new(&level, method, options);
            let report = solver.solve(&b, &mut x, Stop { residual: 0.0, iterations: CYCLES });
            let start = report.residuals[0];
            let form = if discretisation == Discretisation::Galerkin { "Galerkin" } else { "collocated" };
            let curve: Vec<[f64; 2]> = report
                .residuals
                .iter()
                .enumerate()
                .map(|(n, r)| [n as f64, (r / start).max(1e-17)])
                .filter(|p| p[1].is_finite())
                .collect();
            for [cycle, residual] in &curve {
                let _ =
                    writeln!(csv, "{},{form},{},{cycle},{residual:e}", scene.name().replace(',', ";"), method.name());
            }
            let mark = if discretisation == Discretisation::Galerkin { Mark::LinePoints } else { Mark::Dashed };
            chart = chart.with(Series::new(format!("{form} {}", method.name()), curve.clone()).mark(mark));
            let to_ten = curve.iter().position(|p| p[1] <= 1e-10);
            let last = curve.iter().take_while(|p| p[1] > 1e-12).count().saturating_sub(1);
            let factor = if last > 4 { (curve[last][1] / curve[last - 4][1]).powf(0.25) } else { 0.0 };
            let row = json!({
                "scene": scene.name(), "discretisation": form, "solver": method.name(),
                "cycles_to_1e-10": to_ten, "late_factor": factor, "after_20": curve.last().map(|p| p[1]),
            });
            let row = row.as_object().cloned().unwrap_or_default();
            tell(&row);
            rows.push(row);
        }
        let file = out.join(format!("{}.svg", scene.name().replace([' ', ',', '=', '≈'], "")));
        write(&file, &line_chart(&chart))?;
    }
    write(&out.join("convergence.csv"), &csv)?;
    Ok(rows)
}

fn write(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|e| Failure::Run(format!("cannot write {}: {e}", path.display())))
}
