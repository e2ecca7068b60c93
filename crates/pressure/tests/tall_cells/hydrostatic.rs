//! Water at rest stays at rest over any terrain and any tall cells.

use thalweg_columns::{ColumnGrid, FaceVelocity, Real, Shape};
use thalweg_pressure::velocity::{Collocated, Staggered};
use thalweg_pressure::{
    Cycle, Discretisation, Fields, HierarchyOptions, HostHierarchy, Level, Stop, conjugate_gradients,
};

use crate::common::*;

const G_DT: f64 = 9.81 / 30.0;
const SURFACE: f64 = 31.37;

/// Tall cells of 2 to 40 cells, with two islands. On `rough` ground neighbours have nothing in common, else their
/// tall cells differ by up to 6 cells.
fn tank(seed: u64, rough: bool) -> (ColumnGrid, Fields<f64>) {
    let mut rng = Rng::new(seed);
    let shape = Shape { nx: 23, nz: 9, regular: 16 };
    let (mut tops, mut tall) = (Vec::new(), Vec::new());
    let phase = rng.between(0.0, 6.0);
    for column in 0..shape.columns() {
        let (i, k) = ((column % shape.nx) as f64, (column / shape.nx) as f64);
        let wave = (0.26 * i + phase).sin() * (0.1 * k).cos();
        if column % 83 == 20 {
            tops.push(36); // dry ground, 2.6 cells above the water
            tall.push(2);
        } else if rough {
            tops.push(rng.int(20, 26));
            tall.push(if rng.chance(0.2) { 2 } else { rng.int(2, 40) });
        } else {
            tops.push(rng.int(20, 23));
            tall.push((21.0 + 20.0 * wave).round().clamp(2.0, 40.0) as i32);
        }
    }
    let terrain: Vec<i32> = tops.iter().zip(&tall).map(|(t, h)| t - h).collect();
    let grid = ColumnGrid::new(shape, 0.25, &terrain, &tall).expect("a valid grid");
    let fields = water(&grid, |_| SURFACE);
    (grid, fields)
}

/// `q = g Δt (depth)` at a sample.
fn exact(grid: &ColumnGrid, index: usize) -> f64 {
    let (_, y) = sample_cell(grid, index);
    (SURFACE - f64::from(y) - 0.5) * grid.cell * G_DT
}

/// Largest velocity on faces that touch water.
fn speed<T: Real>(level: &Level<T>, u: &FaceVelocity<T>) -> f64 {
    let n = level.grid.shape.samples();
    let len = level.grid.shape.len();
    let wet = |(face, v): (usize, &T)| if level.weights[face] > T::zero() { v.abs().to_double() } else { 0.0 };
    let faces = u.faces.iter().enumerate().map(wet).fold(0.0, f64::max);
    let inner = u.inner.iter().enumerate().map(|(c, v)| wet((len + c * n + 1, v))).fold(0.0, f64::max);
    assert!(u.faces.iter().all(|v| v.is_finite()));
    faces.max(inner)
}

/// What a run of steps must keep.
#[derive(Clone, Copy)]
struct Bounds {
    /// Where the solver stops, relative to the right-hand side.
    residual: f64,
    /// Error of the first pressure relative to the deepest.
    pressure: f64,
    /// Velocity after every projection in units of `g Δt`.
    velocity: f64,
}

/// Gravity and projection, `steps` times; a warm start as in a simulation.
fn rest<T: Real>(seed: u64, rough: bool, steps: usize, bounds: Bounds) {
    let (grid, fields) = tank(seed, rough);
    let level = level::<T>(&grid, &fields);
    assert!(level.has_tall() && level.unknowns() > 500);
    let mut hierarchy = HostHierarchy::over(&level, HierarchyOptions::default());
    let operators = Staggered::new(&level);
    let mut u = FaceVelocity::<T>::zero(grid.shape);
    let (mut b, mut q) = (vec![T::zero(); grid.shape.len()], vec![T::zero(); grid.shape.len()]);
    let deepest = (0..q.len()).map(|i| exact(&grid, i)).fold(0.0, f64::max);
    let (mut fastest, mut worst): (f64, f64) = (0.0, 0.0);
    for step in 0..steps {
        u.accelerate([T::zero(), T::of(-G_DT), T::zero()]);
        operators.rhs(&u, &mut b);
        solve_in(&level, &mut hierarchy, &b, &mut q, bounds.residual);
        operators.update(&q, &mut u);
        fastest = fastest.max(speed(&level, &u) / G_DT);
        assert!(fastest < bounds.velocity, "seed {seed}, step {step}: {fastest:e} g Δt");
        if step == 0 {
            for (index, q) in q.iter().enumerate().filter(|(i, _)| level.diagonal[*i] > T::zero()) {
                worst = worst.max((q.to_double() - exact(&grid, index)).abs() / deepest);
            }
            assert!(worst < bounds.pressure, "seed {seed}: pressure off by {worst:e}");
        }
    }
    let precision = 8 * std::mem::size_of::<T>();
    println!("rest f{precision}, rough {rough}, {steps} steps: pressure {worst:.1e}, velocity {fastest:.1e} g Δt");
}

const DOUBLES: Bounds = Bounds { residual: 1e-12, pressure: 1e-11, velocity: 1e-9 };
/// Residuals are formed from differences of pressure, so that floats are as good as their last place. (From products
/// with stored diagonals: 5e-5 of the deepest pressure.)
const FLOATS: Bounds = Bounds { residual: 1e-7, pressure: 1e-5, velocity: 1e-4 };

#[test]
fn pressure_of_still_water_is_exact() {
    for seed in 0..4 {
        rest::<f64>(seed, false, 1, DOUBLES);
        rest::<f32>(seed, false, 1, FLOATS);
        rest::<f64>(seed, true, 1, DOUBLES);
        rest::<f32>(seed, true, 1, FLOATS);
    }
}

#[test]
fn still_water_stays_still_for_600_steps() {
    rest::<f64>(11, false, 600, Bounds { residual: 1e-11, ..DOUBLES });
    for seed in [3, 11, 12, 13] {
        rest::<f32>(seed, false, 600, FLOATS);
    }
}

/// A solver that is asked for a residual below its rounding must stop, not wander off.
#[test]
fn asking_for_more_than_floats_can_give_does_no_harm() {
    for residual in [4e-4, 1e-9] {
        for seed in [0, 1, 11] {
            rest::<f32>(seed, false, 30, Bounds { residual, pressure: 1e-4, velocity: 2e-4 });
        }
    }
}

/// Doubles outside, floats inside: the accuracy of doubles.
#[test]
fn a_cycle_in_floats_is_good_enough_for_doubles() {
    let (grid, fields) = tank(1, false);
    let level = level::<f64>(&grid, &fields);
    let mut hierarchy = HostHierarchy::<f32>::over(&level, HierarchyOptions::default());
    let operators = Staggered::new(&level);
    let mut u = FaceVelocity::zero(grid.shape);
    u.accelerate([0.0, -G_DT, 0.0]);
    let (mut b, mut q) = (vec![0.0; grid.shape.len()], vec![0.0; grid.shape.len()]);
    operators.rhs(&u, &mut b);
    let stop = Stop { residual: 1e-12 * largest(&b), iterations: 100 };
    let report = conjugate_gradients(&level, &mut hierarchy, Cycle::V, V11, &b, &mut q, stop);
    assert!(report.converged, "{:?}", report.residuals);
    operators.update(&q, &mut u);
    assert!(speed(&level, &u) < 1e-9 * G_DT, "{:e}", speed(&level, &u));
}

/// Gravity and collocated "projection" sixty times. With the mirror ghost of the print this reaches 8 to 43 g Δt.
#[test]
fn still_water_stays_still_with_cell_centred_velocities() {
    for tall in [2, 12] {
        let shape = Shape { nx: 6, nz: 1, regular: 8 };
        let grid = ColumnGrid::new(shape, 0.25, &[0; 6], &[tall; 6]).expect("a valid grid");
        let fields = water(&grid, |_| f64::from(tall) + 4.37);
        let level = Level::new(grid.clone(), fields, THETA_MIN, Discretisation::Collocated);
        let (unknowns, rows) = dense(&level);
        let operators = Collocated::new(&level);
        let len = shape.len();
        let (mut u, mut b) = (vec![0.0; 3 * len], vec![0.0; len]);
        for _ in 0..60 {
            u[len..2 * len].iter_mut().for_each(|v| *v -= G_DT);
            operators.rhs(&u, &mut b);
            let x = dense_solve(rows.clone(), unknowns.iter().map(|i| b[*i]).collect());
            let mut q = vec![0.0; len];
            for (i, x) in unknowns.iter().zip(x) {
                q[*i] = x;
            }
            operators.update(&q, &mut u);
            // Extrapolation puts the water's velocity, here none, into the air.
            for (index, d) in level.diagonal.iter().enumerate() {
                if *d == 0.0 {
                    u[len + index] = 0.0;
                }
            }
            assert!(largest(&u) < 1e-10 * G_DT, "h = {tall}: {:e}", largest(&u) / G_DT);
        }
    }
}
