//! Whole cycles and solves on both executors, against the host.

use thalweg_compute::parity::{Rng, test_executors};
use thalweg_compute::{Buffer, Executor};

use super::testing::{Scene, lake, regular_scene};
use super::{DeviceHierarchy, DeviceOptions, DeviceSolver, DeviceStop, Method, SolverOptions};
use crate::cycle::{Cycle, Sweeps, cycle};
use crate::host::{HierarchyOptions, HostHierarchy};
use crate::krylov::conjugate_gradients;
use crate::level::Level;
use crate::report::{Report, Stop};
use crate::rows::Discretisation;

const SWEEPS: Sweeps = Sweeps { before: 1, after: 1 };

fn options(tail_samples: usize) -> DeviceOptions {
    let hierarchy = HierarchyOptions { border_sweeps: 0, ..Default::default() };
    DeviceOptions { hierarchy, tail_samples, ..Default::default() }
}

/// A right-hand side of size 1 in the unknowns.
fn random_rhs(level: &Level<f32>, rng: &mut Rng) -> Vec<f32> {
    level.diagonal.iter().map(|d| rng.range(-1.0, 1.0) * f32::from(u8::from(*d > 0.0))).collect()
}

#[test]
fn cycles_agree_with_the_host() {
    for exec in test_executors() {
        for seed in 0..12 {
            let mut rng = Rng::new(seed);
            let options = options([0, 100, 2048][seed as usize % 3]);
            let scene = match seed {
                0..8 => regular_scene(&mut rng, seed, options.hierarchy),
                _ => lake(19, 14, 9, seed % 2 == 0),
            };
            let mut host = HostHierarchy::new(scene.grid.clone(), scene.fields.clone(), options.hierarchy);
            let h = DeviceHierarchy::new(exec, &scene.grid, &scene.fields, options).unwrap();
            let b = random_rhs(host.level(0), &mut rng);
            for (kind, sweeps) in
                [(Cycle::V, SWEEPS), (Cycle::V, Sweeps { before: 2, after: 1 }), (Cycle::Full, SWEEPS)]
            {
                host.rhs().copy_from_slice(&b);
                cycle(&mut host, kind, sweeps).unwrap();
                exec.write(h.b(), 0, &b).unwrap();
                let mut rec = exec.record();
                h.cycle(&mut rec, kind, sweeps).unwrap();
                rec.submit().unwrap();
                let got = exec.read(h.x()).unwrap();
                let scale = host.values().iter().fold(0.0f32, |a, v| a.max(v.abs()));
                for (at, (want, got)) in host.values().iter().zip(&got).enumerate() {
                    let where_ = format!("{} seed {seed} {kind:?} at {at}", exec.describe());
                    assert!((want - got).abs() <= 2e-3 * scale, "{where_}: {want} and {got} of {scale}");
                }
            }
        }
    }
}

struct Solve {
    solver: DeviceSolver,
    b: Buffer<f32>,
    x: Buffer<f32>,
}

fn prepare(exec: &Executor, scene: &Scene, device: DeviceOptions, options: SolverOptions, b: &[f32]) -> Solve {
    let h = DeviceHierarchy::new(exec, &scene.grid, &scene.fields, device).unwrap();
    let solver = DeviceSolver::new(exec, h, options).unwrap();
    Solve { solver, b: exec.buffer_from("b", b).unwrap(), x: exec.buffer("x", b.len()).unwrap() }
}

fn solve(exec: &Executor, s: &mut Solve, relative: f32) -> Report {
    let mut rec = exec.record();
    let stop = DeviceStop { residual: 0.0, relative, iterations: s.solver.options().iterations };
    s.solver.solve(&mut rec, &s.b, &s.x, stop).unwrap();
    rec.submit().unwrap();
    s.solver.report(exec).unwrap()
}

/// The largest entry of `b − A x`, by the host.
fn true_residual(level: &Level<f32>, b: &[f32], x: &[f32]) -> f64 {
    let level: Level<f64> = level.matrix(true);
    let wide = |v: &[f32]| v.iter().map(|v| f64::from(*v)).collect::<Vec<_>>();
    let mut r = wide(b);
    crate::smooth::residual(&level.view(), &level.ends, &wide(b), &wide(x), &mut r)
}

#[test]
fn conjugate_gradients_reach_the_bound() {
    for exec in test_executors() {
        for tall in [true, false] {
            let scene = lake(24, 17, 10, tall);
            let mut host = HostHierarchy::new(scene.grid.clone(), scene.fields.clone(), options(0).hierarchy);
            let level = Level::new(scene.grid.clone(), scene.fields.clone(), 0.01, Default::default());
            let b = random_rhs(&level, &mut Rng::new(7));
            let mut s = prepare(exec, &scene, options(500), SolverOptions::default(), &b);
            let report = solve(exec, &mut s, 1e-5);
            assert!(report.converged, "{} {report:?}", exec.describe());
            let got = exec.read(&s.x).unwrap();
            let rest = true_residual(&level, &b, &got);
            assert!(rest < 5e-5, "{}: residual {rest:e}", exec.describe());
            // The host takes as many.
            let stop = Stop { residual: 1e-5, iterations: 32 };
            let want = conjugate_gradients(&level, &mut host, Cycle::V, SWEEPS, &b, &mut vec![0.0; b.len()], stop);
            assert!(report.iterations.abs_diff(want.iterations) <= 2, "{report:?} and {want:?}");
            // What was recorded after the bound was reached did nothing.
            assert!(report.iterations < 32 && report.residuals.len() == report.iterations + 1);
            let again = solve(exec, &mut s, 1e-5);
            assert!(again.iterations <= 2, "a warm start took {}", again.iterations);
        }
    }
}

#[test]
fn cycles_alone_reach_the_bound() {
    for exec in test_executors() {
        for kind in [Cycle::V, Cycle::Full] {
            let scene = lake(24, 17, 10, true);
            let level = HostHierarchy::new(scene.grid.clone(), scene.fields.clone(), options(0).hierarchy);
            let b = random_rhs(level.level(0), &mut Rng::new(3));
            let options_ = SolverOptions {
                method: Method::Stationary(kind),
                sweeps: Sweeps { before: 2, after: 2 },
                ..Default::default()
            };
            let mut s = prepare(exec, &scene, options(500), options_, &b);
            let report = solve(exec, &mut s, 1e-4);
            assert!(report.converged, "{} {kind:?} {report:?}", exec.describe());
            let rest = true_residual(level.level(0), &b, &exec.read(&s.x).unwrap());
            assert!(rest < 5e-4, "{}: residual {rest:e}", exec.describe());
        }
    }
}

/// The collocated matrix, for which conjugate gradients are void.
#[test]
fn minimal_residuals_solve_a_matrix_that_is_not_symmetric() {
    for exec in test_executors() {
        let scene = lake(24, 17, 10, true);
        let collocated = HierarchyOptions { discretisation: Discretisation::Collocated, ..options(0).hierarchy };
        let host = HostHierarchy::new(scene.grid.clone(), scene.fields.clone(), collocated);
        let b = random_rhs(host.level(0), &mut Rng::new(3));
        let options_ = SolverOptions {
            method: Method::MinimalResidual { full: 1 },
            sweeps: Sweeps { before: 2, after: 2 },
            ..Default::default()
        };
        let mut s = prepare(exec, &scene, DeviceOptions { hierarchy: collocated, ..options(500) }, options_, &b);
        let report = solve(exec, &mut s, 1e-4);
        println!("{}: {} iterations", exec.describe(), report.iterations);
        assert!(report.converged && report.iterations < 16, "{} {report:?}", exec.describe());
        let rest = true_residual(host.level(0), &b, &exec.read(&s.x).unwrap());
        assert!(rest < 5e-4, "{}: residual {rest:e}", exec.describe());
    }
}

#[test]
fn runs_give_the_same_bits() {
    for exec in test_executors() {
        let scene = lake(24, 17, 10, true);
        let level = Level::new(scene.grid.clone(), scene.fields.clone(), 0.01, Default::default());
        let b = random_rhs(&level, &mut Rng::new(1));
        let runs: Vec<Vec<u32>> = (0..2)
            .map(|_| {
                let mut s = prepare(exec, &scene, options(500), SolverOptions::default(), &b);
                solve(exec, &mut s, 1e-4);
                exec.read(&s.x).unwrap().iter().map(|v| v.to_bits()).collect()
            })
            .collect();
        assert!(runs[0] == runs[1], "{}", exec.describe());
    }
}

/// A full tank under a closed lid: only Neumann faces, a right-hand side that does not add up to zero.
#[test]
fn water_without_air_is_solved_up_to_a_constant() {
    for exec in test_executors() {
        for tall in [false, true] {
            let mut scene = lake(12, 9, 6, tall);
            scene.fields.phi.fill(-3.0);
            let (len, n) = (scene.grid.shape.len(), scene.grid.shape.samples());
            for column in 0..scene.grid.shape.columns() {
                scene.fields.open[len + column * n] = 0.0;
            }
            let level = Level::new(scene.grid.clone(), scene.fields.clone(), 0.01, Default::default());
            let b: Vec<f32> = random_rhs(&level, &mut Rng::new(5)).iter().map(|b| b + 0.3).collect();
            for method in [Method::ConjugateGradients(Cycle::V), Method::Stationary(Cycle::V)] {
                let options_ = SolverOptions { method, sweeps: Sweeps { before: 2, after: 2 }, ..Default::default() };
                let mut s = prepare(exec, &scene, options(100), options_, &b);
                let report = solve(exec, &mut s, 1e-4);
                assert!(report.converged, "{} tall {tall} {method:?}: {report:?}", exec.describe());
                let x = exec.read(&s.x).unwrap();
                let consistent = crate::singular::Components::of(&level).consistent(&b).into_owned();
                assert!(true_residual(&level, &consistent, &x) < 1e-3, "{}", exec.describe());
                let largest = x.iter().fold(0.0f32, |a, v| a.max(v.abs()));
                assert!(largest < 100.0, "the mean drifts: {largest}");
            }
        }
    }
}

#[test]
fn dispatches_are_few() {
    let exec = Executor::cpu().unwrap();
    for (tall, per_cycle) in [(true, 21), (false, 13)] {
        let scene = lake(64, 64, 64, tall);
        let h = DeviceHierarchy::new(&exec, &scene.grid, &scene.fields, options(5000)).unwrap();
        assert_eq!((h.levels(), h.tail()), (5, 2));
        let mut rec = exec.record();
        assert_eq!(h.cycle(&mut rec, Cycle::V, SWEEPS).unwrap(), per_cycle);
        let one = SolverOptions { iterations: 1, ..Default::default() };
        let mut solver = DeviceSolver::new(&exec, h, one).unwrap();
        let (b, x) = (exec.buffer("b", 64 * 64 * 66).unwrap(), exec.buffer("x", 64 * 64 * 66).unwrap());
        let stop = DeviceStop { residual: 0.0, relative: 0.0, iterations: 1 };
        assert_eq!(solver.solve(&mut rec, &b, &x, stop).unwrap(), 3 + per_cycle + 5);
        assert_eq!(solver.dispatches(), 3 + per_cycle + 5);
    }
}
