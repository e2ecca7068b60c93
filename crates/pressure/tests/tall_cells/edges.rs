//! Sampling, coarse grids, threads, and numbers at the edge.

use thalweg_columns::{ColumnGrid, Real, Shape};
use thalweg_pressure::velocity::Staggered;
use thalweg_pressure::{Cycle, HierarchyOptions, HostHierarchy};

use crate::common::*;

fn sampling<T: Real>(tolerance: f64) {
    let mut rng = Rng::new(2);
    for _ in 0..20 {
        let shape = Shape { nx: 2 + rng.int(0, 6) as usize, nz: 2 + rng.int(0, 4) as usize, regular: 9 };
        let grid = random_grid(&mut rng, shape, [2, 30], 6, 1.0);
        let value = |x: f64, y: f64, z: f64| 1.0 + 0.5 * x - 0.25 * y + 2.0 * z;
        let field: Vec<T> = (0..shape.len())
            .map(|index| {
                let (column, y) = sample_cell(&grid, index);
                T::of(value((column % shape.nx) as f64, f64::from(y), (column / shape.nx) as f64))
            })
            .collect();
        let lowest = grid.heights.iter().map(|h| h[0]).max().expect("columns");
        let highest = grid.heights.iter().map(|h| h[1]).max().expect("columns") + 12;
        for _ in 0..200 {
            // From the highest terrain up: below a column's bottom its lowest value goes on.
            let x = rng.between(0.0, (shape.nx - 1) as f64);
            let z = rng.between(0.0, (shape.nz - 1) as f64);
            let y = rng.between(f64::from(lowest), f64::from(highest));
            let found = grid.sample(&field, [x, y, z], |top, above| top + above * T::of(-0.25)).to_double();
            let want = value(x, y, z);
            assert!((found - want).abs() < tolerance * want.abs().max(1.0), "({x}, {y}, {z}): {found}, {want}");
        }
        let below = grid.sample(&field, [0.0, -1000.0, 0.0], |top, _| top);
        assert_eq!(below, field[0], "constant below the bottom");
    }
}

#[test]
fn samples_of_a_linear_field_are_exact() {
    sampling::<f64>(1e-13);
    sampling::<f32>(2e-6);
}

#[test]
fn coarse_grids_cover_fine_ones() {
    let mut rng = Rng::new(12);
    for _ in 0..200 {
        let shape =
            Shape { nx: rng.int(1, 33) as usize, nz: rng.int(1, 17) as usize, regular: rng.int(1, 25) as usize };
        let mut grid = random_grid(&mut rng, shape, [2, 40], 12, 0.5);
        grid.heights.iter_mut().for_each(|h| *h = h.map(|y| y - 17)); // below zero, too
        for _ in 0..6 {
            let coarse = grid.coarser();
            assert_eq!(coarse.cell, 2.0 * grid.cell);
            for (column, [h, t]) in grid.heights.iter().enumerate() {
                let (i, k) = (column % grid.shape.nx, column / grid.shape.nx);
                let [ch, ct] = coarse.heights[i / 2 + k / 2 * coarse.shape.nx];
                let (top, coarse_top) = (t + grid.shape.regular as i32, ct + coarse.shape.regular as i32);
                assert!(2 * ch <= *h, "{shape:?}: bottom {ch} over {h}");
                assert!(2 * coarse_top >= top, "{shape:?}: top {coarse_top} under {top}");
                assert!(2 * ct >= *t && ct - ch >= 2, "{shape:?}: tall top");
            }
            grid = coarse;
        }
    }
}

/// A solve and a projection, as bits.
fn bits(threads: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let mut rng = Rng::new(21);
        let grid = random_grid(&mut rng, Shape { nx: 21, nz: 13, regular: 14 }, [2, 30], 5, 0.5);
        let fields = random_fields(&mut rng, &grid, Mess { air: 0.1, solid: 0.02, closed: 0.2, tall: false });
        let level = level::<f64>(&grid, &fields);
        let operators = Staggered::new(&level);
        let mut u = random_velocity(&mut rng, grid.shape);
        let q = project(&level, &operators, &mut u, 1e-8);
        let energy = operators.kinetic_energy(&u, 1000.0);
        q.iter().chain(&u.faces).chain(&u.inner).chain([&energy]).map(|v| v.to_bits()).collect()
    })
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let one = bits(1);
    assert!(one == bits(2), "two threads");
    assert!(one == bits(3), "three threads");
    assert!(one.iter().filter(|b| **b != 0).count() > 1000);
}

fn finite<T: Real>(name: &str, grid: &ColumnGrid, fields: &thalweg_pressure::Fields<f64>) {
    let level = level::<T>(grid, fields);
    let operators = Staggered::new(&level);
    let mut u = random_velocity::<T>(&mut Rng::new(1), grid.shape);
    let q = project(&level, &operators, &mut u, 1e-5);
    assert!(level.weights.iter().all(|w| w.is_finite() && *w >= T::zero()), "{name}: conductances");
    assert!(q.iter().all(|q| q.is_finite()), "{name}: pressure");
    assert!(u.faces.iter().chain(&u.inner).all(|v| v.is_finite()), "{name}: velocity");
    let mut b = vec![T::zero(); q.len()];
    operators.rhs(&u, &mut b);
    let mut hierarchy = HostHierarchy::<T>::over(&level, HierarchyOptions::default());
    hierarchy.rhs().copy_from_slice(&b);
    for cycle in [Cycle::V, Cycle::Full] {
        hierarchy.cycle(cycle, V11);
        assert!(hierarchy.values().iter().all(|v| v.is_finite()), "{name}: {cycle:?}");
    }
}

#[test]
fn no_field_makes_a_nan() {
    let mut rng = Rng::new(31);
    for seed in 0..10 {
        let shape = Shape { nx: 7, nz: 1 + seed % 3, regular: 7 };
        let grid = random_grid(&mut rng, shape, [2, 9], 5, 0.1);
        let clean = Mess { air: 0.2, solid: 0.1, closed: 0.3, tall: true };
        let mut fields = random_fields(&mut rng, &grid, clean);
        // The surface exactly on samples, −0 among them.
        for phi in &mut fields.phi {
            if rng.chance(0.4) {
                *phi = if rng.chance(0.5) { 0.0 } else { -0.0 };
            }
        }
        finite::<f64>("phi 0", &grid, &fields);
        finite::<f32>("phi 0", &grid, &fields);
        // Nothing but walls.
        let mut walled = fields.clone();
        walled.phi.fill(-1.0);
        walled.open.fill(0.0);
        finite::<f64>("walled in", &grid, &walled);
        walled.open.fill(1e-9);
        finite::<f32>("nearly walled in", &grid, &walled);
        walled.solid.fill(1.0);
        finite::<f32>("all solid", &grid, &walled);
        // Nothing but surface, nothing but air.
        fields.phi.fill(0.0);
        finite::<f64>("all surface", &grid, &fields);
        fields.phi.fill(1.0);
        finite::<f32>("all air", &grid, &fields);
    }
}
