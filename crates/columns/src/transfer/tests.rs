//! Each kernel on both executors and against the host; then what remeshing promises, on every executor.

use thalweg_compute::Executor;
use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{grid, random_remesh, range, remeshed, transfer};
use super::{ColumnSpan, transfer_cells, transfer_faces};
use crate::grid::world_cell;
use crate::testing::random_velocity;
use crate::{ColumnGrid, FaceVelocity, Shape};

#[test]
fn transfers_on_the_cpu_executor_are_those_of_the_host() {
    let exec = Executor::cpu().unwrap();
    for seed in 0..48 {
        let (old, new, u, field) = random_remesh(&mut Rng::new(seed), seed);
        let (moved, [constant, distance]) = transfer(&exec, &old, &new, &u, &field);
        assert!(moved == transfer_faces(&old, &new, &u), "seed {seed}");
        assert!(constant == transfer_cells(&old, &new, &field, |top, _| top), "seed {seed}");
        assert!(distance == transfer_cells(&old, &new, &field, |top, above| top + above), "seed {seed}");
    }
}

/// The lines of all face columns in the order of their heights, with where they lie: x, z, then y faces.
fn lines(grid: &ColumnGrid, u: &FaceVelocity<f32>) -> Vec<(ColumnSpan, Vec<f32>)> {
    let Shape { nx, regular, .. } = grid.shape;
    let (n, len) = (grid.shape.samples(), grid.shape.len());
    let mut lines = Vec::new();
    for (plane, step) in [(0, 1), (2, nx)] {
        for column in (step..grid.heights.len()).filter(|c| plane == 2 || !c.is_multiple_of(nx)) {
            let span = ColumnSpan::of_side_faces(grid.heights[column - step], grid.heights[column], regular);
            lines.push((span, u.faces[plane * len + column * n..][..n].to_vec()));
        }
    }
    for (column, heights) in grid.heights.iter().enumerate() {
        let faces = &u.faces[len + column * n..][..n];
        let line = [&[u.inner[column]], &faces[1..], &faces[..1]].concat();
        lines.push((ColumnSpan::of_vertical_faces(*heights, regular), line));
    }
    lines
}

/// The value at a world cell of the [`range`].
fn decode(span: ColumnSpan, line: &[f32], y: i32) -> f64 {
    let [bottom, top] = span.heights;
    match top - bottom {
        1 if y < top => f64::from(line[1]),
        count if y < top => {
            let t = f64::from(y - bottom) / f64::from(count - 1);
            f64::from(line[0]) * (1.0 - t) + f64::from(line[1]) * t
        }
        _ => f64::from(line[2 + (y - bottom.max(top)) as usize]),
    }
}

#[test]
fn remeshing_keeps_sums_and_moments_of_faces() {
    for exec in test_executors() {
        let mut worst = [0.0f64; 2];
        let mut changed = 0;
        for seed in 0..24 {
            let mut rng = Rng::new(seed);
            let old = grid(&mut rng, seed);
            let new = remeshed(&mut rng, &old);
            let u = random_velocity(&mut rng, old.shape);
            let field = rng.f32s(old.shape.len(), -1.0, 1.0);
            let (moved, [cells, _]) = transfer(exec, &old, &new, &u, &field);
            let n = old.shape.samples();
            let of_cells = |grid: &ColumnGrid, field: &[f32]| {
                let span = |c: usize| ColumnSpan::of_cells(grid.heights[c], grid.shape.regular);
                field.chunks(n).enumerate().map(|(c, line)| (span(c), line.to_vec())).collect::<Vec<_>>()
            };
            let before = [lines(&old, &u), of_cells(&old, &field)].concat();
            let after = [lines(&new, &moved), of_cells(&new, &cells)].concat();
            for ((old, line), (new, moved)) in before.iter().zip(&after) {
                let bottom = range(*old).start;
                let common = bottom..range(*old).end.min(range(*new).end);
                for (power, worst) in worst.iter_mut().enumerate() {
                    let weight = |y: i32| f64::from(y - bottom).powi(power as i32);
                    let sum =
                        |span, line: &[f32]| -> f64 { common.clone().map(|y| weight(y) * decode(span, line, y)).sum() };
                    let size: f64 = common.clone().map(|y| weight(y) * decode(*old, line, y).abs()).sum();
                    let error = (sum(*new, moved) - sum(*old, line)).abs() / size.max(1e-3);
                    assert!(
                        error < 1e-5,
                        "{} seed {seed}: {old:?} to {new:?}, Σ m^{power} u: {error:e}",
                        exec.describe()
                    );
                    *worst = worst.max(error);
                }
                changed += usize::from(old != new);
            }
        }
        assert!(changed > 1000, "only {changed} lines have moved");
        println!("{}: Σ u kept to {:.1e}, Σ m u to {:.1e}", exec.describe(), worst[0], worst[1]);
    }
}

/// Velocities that are linear in height, and a level set, on other heights. World cells of entries by [`ColumnSpan`].
#[test]
fn remeshing_reproduces_linear_fields() {
    let linear = |y: i32| 0.3 - 0.02 * y as f32;
    for exec in test_executors() {
        let mut worst = 0.0f64;
        for seed in 0..24 {
            let mut rng = Rng::new(seed);
            let old = grid(&mut rng, seed);
            let new = remeshed(&mut rng, &old);
            let (n, len) = (old.shape.samples(), old.shape.len());
            let mut u = FaceVelocity::zero(old.shape);
            let at = |span: ColumnSpan, index: usize| match index {
                0 => span.heights[0],
                1 => span.heights[1] - 1,
                _ => span.heights[0].max(span.heights[1]) + index as i32 - 2,
            };
            for (plane, step) in [(0, 1), (2, old.shape.nx)] {
                for entry in step * n..len {
                    let (column, sample) = (entry / n, entry % n);
                    let sides = [column - step, column].map(|c| old.heights[c]);
                    let span = ColumnSpan::of_side_faces(sides[0], sides[1], old.shape.regular);
                    u.faces[plane * len + entry] = linear(at(span, sample));
                }
            }
            for column in 0..old.shape.columns() {
                let span = ColumnSpan::of_vertical_faces(old.heights[column], old.shape.regular);
                u.inner[column] = linear(at(span, 0));
                for sample in 0..n {
                    let index = if sample == 0 { n } else { sample };
                    u.faces[len + column * n + sample] = linear(at(span, index));
                }
            }
            let level_set = |grid: &ColumnGrid| -> Vec<f32> {
                (0..len).map(|i| world_cell(grid.heights[i / n], i % n) as f32 - 7.3).collect()
            };
            let (moved, [_, phi]) = transfer(exec, &old, &new, &u, &level_set(&old));
            for ((old, _), (new, line)) in lines(&old, &u).iter().zip(&lines(&new, &moved)) {
                for y in range(*old).start..range(*old).end.min(range(*new).end) {
                    let error = (decode(*new, line, y) - f64::from(linear(y))).abs();
                    assert!(error < 5e-6, "{} seed {seed}: {old:?} to {new:?} at {y}: {error:e}", exec.describe());
                    worst = worst.max(error);
                }
            }
            for (index, (got, want)) in phi.iter().zip(level_set(&new)).enumerate() {
                assert!((got - want).abs() < 2e-5, "{} seed {seed}: phi[{index}] {got}, {want}", exec.describe());
            }
        }
        println!("{}: linear velocities kept to {worst:.1e}", exec.describe());
    }
}

#[test]
fn nothing_moves_if_nothing_changes() {
    for exec in test_executors() {
        for seed in 0..16 {
            let mut rng = Rng::new(seed);
            let grid = grid(&mut rng, seed);
            let u = random_velocity(&mut rng, grid.shape);
            let field = rng.f32s(grid.shape.len(), -1.0, 1.0);
            let (moved, cells) = transfer(exec, &grid, &grid, &u, &field);
            assert!(cells.iter().all(|cells| *cells == field), "{} seed {seed}", exec.describe());
            for ((span, line), (_, moved)) in lines(&grid, &u).iter().zip(lines(&grid, &moved)) {
                let same = range(*span).all(|y| decode(*span, line, y) == decode(*span, &moved, y));
                assert!(same, "{} seed {seed}: {span:?} {line:?} {moved:?}", exec.describe());
            }
        }
    }
}
