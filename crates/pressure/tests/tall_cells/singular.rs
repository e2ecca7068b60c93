//! Water without a free surface.

use thalweg_columns::{ColumnGrid, Real, Shape};
use thalweg_pressure::{Cycle, Fields, HierarchyOptions, HostHierarchy, Stop, stationary};

use crate::common::*;

fn close_lid(grid: &ColumnGrid, fields: &mut Fields<f64>) {
    let (n, len) = (grid.shape.samples(), grid.shape.len());
    for column in 0..grid.shape.columns() {
        fields.open[len + column * n] = 0.0;
    }
}

/// A full box under a closed lid.
fn full_box(tall: [i32; 2], nz: usize) -> (ColumnGrid, Fields<f64>) {
    let mut rng = Rng::new(4);
    let shape = Shape { nx: 19, nz, regular: 10 };
    let heights: Vec<i32> = (0..shape.columns()).map(|_| rng.int(tall[0], tall[1])).collect();
    let terrain: Vec<i32> = heights.iter().map(|h| 20 - h).collect();
    let grid = ColumnGrid::new(shape, 1.0, &terrain, &heights).expect("a valid grid");
    let mut fields = water(&grid, |_| 1000.0);
    close_lid(&grid, &mut fields);
    (grid, fields)
}

/// An open tank with a sealed box of water inside: cells 5..9 of columns 6..11, all faces around it closed.
fn sealed_pocket() -> (ColumnGrid, Fields<f64>) {
    let grid = ColumnGrid::uniform(17, 16, 1, 1.0).expect("a valid grid");
    let mut fields = water(&grid, |_| 13.4);
    let (n, len) = (16, grid.shape.len());
    for y in 5..9 {
        fields.open[6 * n + y] = 0.0;
        fields.open[11 * n + y] = 0.0;
    }
    for column in 6..11 {
        fields.open[len + column * n + 5] = 0.0;
        fields.open[len + column * n + 9] = 0.0;
    }
    (grid, fields)
}

fn check<T: Real>(name: &str, (grid, fields): (ColumnGrid, Fields<f64>), relative: f64) {
    let level = level::<T>(&grid, &fields);
    let mut rng = Rng::new(17);
    // All of one sign: as inconsistent as can be.
    let b: Vec<T> = level.diagonal.iter().map(|d| if *d > T::zero() { T::of(rng.unit()) } else { T::zero() }).collect();
    let mut q = vec![T::zero(); b.len()];
    let report = solve(&level, &b, &mut q, relative);
    println!("{name}: CG {} iterations, |q| {:.3e}", report.iterations, largest(&q));
    assert!(report.converged, "{name}: {:?}", report.residuals);
    assert!(report.iterations <= 40, "{name}: {}", report.iterations);
    assert!(largest(&q) < 1e4, "{name}: {:e}", largest(&q));

    // Cycles alone: many more than needed, the constant must not drift away.
    let mut hierarchy = HostHierarchy::<T>::over(&level, HierarchyOptions::default());
    let mut q = vec![T::zero(); b.len()];
    let stop = Stop { residual: relative * largest(&b), iterations: 200 };
    let report = stationary(&level, &mut hierarchy, |_| Cycle::V, V22, &b, &mut q, stop);
    println!("{name}: V(2,2) {} cycles, |q| {:.3e}", report.iterations, largest(&q));
    assert!(largest(&q) < 1e4 && report.residual() < 1e-3 * largest(&b), "{name}: {:e}", report.residual());
}

#[test]
fn a_box_without_surface_is_solved_up_to_a_constant() {
    check::<f64>("uniform box", full_box([2, 2], 1), 1e-10);
    check::<f64>("tall box", full_box([5, 18], 1), 1e-10);
    check::<f64>("tall box, 3-D", full_box([5, 18], 11), 1e-10);
    check::<f32>("tall box, floats", full_box([5, 18], 11), 1e-3);
}

#[test]
fn a_sealed_pocket_inside_a_tank_is_solved_too() {
    check::<f64>("sealed pocket", sealed_pocket(), 1e-10);
    check::<f32>("sealed pocket, floats", sealed_pocket(), 1e-4);
}

/// An open box is not treated as a closed one.
#[test]
fn an_open_box_is_left_alone() {
    let (grid, mut fields) = full_box([5, 18], 1);
    fields.open[grid.shape.len()] = 1.0;
    let level = level::<f64>(&grid, &fields);
    let b: Vec<f64> = level.diagonal.iter().map(|d| if *d > 0.0 { 1.0 } else { 0.0 }).collect();
    let mut q = vec![0.0; b.len()];
    solve(&level, &b, &mut q, 1e-9);
    let mut product = vec![0.0; b.len()];
    level.multiply(&q, &mut product);
    assert!(b.iter().zip(&product).all(|(b, p)| (b - p).abs() < 1e-6));
}
