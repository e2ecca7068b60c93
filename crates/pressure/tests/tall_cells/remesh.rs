//! Fields on new heights.

use thalweg_columns::transfer::{ColumnSpan, fit_line, transfer_cells, transfer_column, transfer_faces};
use thalweg_columns::{ColumnGrid, FaceVelocity, Real, Shape};
use thalweg_pressure::velocity::Staggered;

use crate::common::*;

const REGULAR: usize = 12;

/// Decoded value inside a column.
fn decode(heights: [i32; 2], line: &[f64], y: i32) -> f64 {
    let [bottom, top] = heights;
    if y < top {
        let t = f64::from(y - bottom) / f64::from(top - bottom - 1);
        line[0] * (1.0 - t) + line[1] * t
    } else {
        line[2 + (y - top) as usize]
    }
}

fn sums<T: Real>(old: [i32; 2], new: [i32; 2], tolerance: f64, rng: &mut Rng) {
    let line: Vec<T> = (0..REGULAR + 2).map(|_| T::of(rng.between(-1.0, 1.0))).collect();
    let mut out = vec![T::zero(); REGULAR + 2];
    let span = |heights| ColumnSpan::of_cells(heights, REGULAR);
    transfer_column(span(old), span(new), &line, &|top, _| top, &mut out);
    let wide = |v: &[T]| v.iter().map(|v| v.to_double()).collect::<Vec<f64>>();
    let (line, out) = (wide(&line), wide(&out));
    let top = old[1].min(new[1]) + REGULAR as i32;
    let total = |heights: [i32; 2], line: &[f64]| {
        (old[0]..top).fold([0.0, 0.0], |[a, b], y| {
            let q = decode(heights, line, y);
            [a + q, b + f64::from(y - old[0]) * q]
        })
    };
    let (a, b) = (total(old, &line), total(new, &out));
    let cells = f64::from(top - old[0]);
    for (power, (a, b)) in a.iter().zip(&b).enumerate() {
        let bound = tolerance * cells.powi(1 + power as i32);
        assert!((a - b).abs() < bound, "{old:?} → {new:?}: Σ m^{power} q = {a}, then {b}");
    }
}

#[test]
fn column_sums_and_moments_are_kept() {
    let mut rng = Rng::new(5);
    for _ in 0..300 {
        let bottom = rng.int(-5, 20);
        let old = [bottom, bottom + rng.int(2, 60)];
        // Growing by all regular cells at most.
        let new = [bottom, (old[1] + rng.int(-30, REGULAR as i32)).max(bottom + 2)];
        sums::<f64>(old, new, 1e-14, &mut rng);
        sums::<f32>(old, new, 1e-6, &mut rng);
    }
    sums::<f64>([0, 800], [0, 806], 1e-14, &mut rng);
    sums::<f32>([0, 800], [0, 806], 1e-6, &mut rng);
}

#[test]
fn linear_fields_are_moved_exactly() {
    let mut rng = Rng::new(6);
    let shape = Shape { nx: 5, nz: 4, regular: REGULAR };
    for _ in 0..20 {
        let old = random_grid(&mut rng, shape, [2, 30], 6, 1.0);
        let tall: Vec<i32> = old.heights.iter().map(|h| (h[1] - h[0] + rng.int(-4, 4)).max(2)).collect();
        let terrain: Vec<i32> = old.heights.iter().map(|h| h[0]).collect();
        let new = ColumnGrid::new(shape, 1.0, &terrain, &tall).expect("a valid grid");
        let linear = |grid: &ColumnGrid, index: usize| {
            let (column, y) = sample_cell(grid, index);
            0.5 * (column % 5) as f64 - 0.25 * (column / 5) as f64 + 0.125 * f64::from(y)
        };
        let field: Vec<f64> = (0..shape.len()).map(|i| linear(&old, i)).collect();
        let moved = transfer_cells(&old, &new, &field, |top, above| top + 0.125 * above);
        for (index, value) in moved.iter().enumerate() {
            assert!((value - linear(&new, index)).abs() < 1e-12, "{index}: {value}");
        }
        assert_eq!(transfer_cells(&old, &old, &field, |top, _| top), field, "nothing moves if nothing changes");
    }
}

/// Growing tall cells keep every flux sum that the new rows see: a projected field stays projected.
#[test]
fn growing_tall_cells_keep_the_divergence_of_faces() {
    let mut rng = Rng::new(8);
    let shape = Shape { nx: 5, nz: 3, regular: 12 };
    for seed in 0..6 {
        let old = random_grid(&mut rng, shape, [3, 20], 5, 0.5);
        let terrain: Vec<i32> = old.heights.iter().map(|h| h[0]).collect();
        let tall: Vec<i32> = old.heights.iter().map(|h| h[1] - h[0] + rng.int(0, 4)).collect();
        let new = ColumnGrid::new(shape, 0.5, &terrain, &tall).expect("a valid grid");
        let mut u: FaceVelocity<f64> = random_velocity(&mut rng, shape);
        let fields = water(&old, |_| 29.3);
        let level_old = level::<f64>(&old, &fields);
        let operators = Staggered::new(&level_old);
        project(&level_old, &operators, &mut u, 1e-14);
        let moved = transfer_faces(&old, &new, &u);
        let fields = water(&new, |_| 29.3);
        let level_new = level::<f64>(&new, &fields);
        let operators = Staggered::new(&level_new);
        let mut divergence = vec![0.0; new.shape.len()];
        operators.divergence(&moved, &mut divergence);
        let n = new.shape.samples();
        let mut seen = 0;
        for (index, d) in divergence.iter().enumerate() {
            let (column, _) = sample_cell(&new, index);
            // The old rows were zero for the old hats only; the sum of both new rows is the net flux in any case.
            if index % n == 0 && new.heights[column][1] - new.heights[column][0] > 2 {
                let both = d + divergence[index + 1];
                assert!(both.abs() < 1e-9, "seed {seed}, column {column}: {both:e}");
                seen += 1;
            }
        }
        assert!(seen > 5);
    }
}

#[test]
fn a_constant_flow_is_moved_exactly() {
    let mut rng = Rng::new(9);
    let shape = Shape { nx: 4, nz: 4, regular: 6 };
    let old = random_grid(&mut rng, shape, [2, 12], 9, 1.0);
    let tall: Vec<i32> = old.heights.iter().map(|h| (h[1] - h[0] + rng.int(-6, 6)).max(2)).collect();
    let terrain: Vec<i32> = old.heights.iter().map(|h| h[0]).collect();
    let new = ColumnGrid::new(shape, 1.0, &terrain, &tall).expect("a valid grid");
    let mut u = FaceVelocity::<f32>::zero(shape);
    u.accelerate([1.0, 2.0, 3.0]);
    let moved = transfer_faces(&old, &new, &u);
    for (plane, want) in [(0, 1.0), (1, 2.0), (2, 3.0)] {
        let faces = &moved.faces[plane * shape.len()..(plane + 1) * shape.len()];
        // Entries that are no face are 0.
        assert!(faces.iter().all(|v| *v == 0.0 || (*v - want).abs() < 1e-5), "plane {plane}");
        assert!(faces.iter().filter(|v| **v != 0.0).count() > shape.len() / 2);
    }
    assert!(moved.inner.iter().all(|v| (*v - 2.0).abs() < 1e-5));
}

#[test]
fn a_wrong_weight_would_be_noticed() {
    // `−2n + 2` in place of `−2n + 4` is right for constants only.
    let values: Vec<f64> = (0..9).map(f64::from).collect();
    let n = 9.0;
    let wrong: f64 =
        values.iter().enumerate().map(|(m, q)| (6.0 * m as f64 - 2.0 * n + 2.0) / (n * (n + 1.0)) * q).sum();
    assert!((fit_line(&values)[1] - 8.0).abs() < 1e-13);
    assert!((wrong - 8.0).abs() > 0.5);
}
