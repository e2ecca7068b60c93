use thalweg_columns::Shape;
use thalweg_columns::grid::world_cell;
use thalweg_columns::interpolate::SideSpan;
use thalweg_compute::Executor;
use thalweg_compute::parity::{Rng, test_executors};

use super::AdvectParams;
use super::parity::{Case, params, run, run_fine};
use crate::solver::surface::level_set::fine::{FineGrid, fine_heights};

/// A flow that shifts everything shifts planes on the fine lattice exactly, farther than fine values reach too.
#[test]
fn uniform_flow_shifts_the_fine_surface() {
    let shape = Shape { nx: 16, nz: 3, regular: 12 };
    for exec in test_executors() {
        for (tall, cells) in [(2, 1.1), (7, 1.1), (2, 2.4)] {
            let heights = vec![[0, tall]; shape.columns()];
            let grid = FineGrid::new(shape);
            let (fine_shape, n) = (grid.shape(), grid.shape().samples());
            let plane = |at: usize, shift: f32| {
                let y = world_cell(fine_heights(heights[0]), at % n) as f32;
                0.3 * ((at / n % fine_shape.nx) as f32 - 2.0 * shift) + 0.5 * y - 12.0
            };
            let mut faces = vec![0.0; 3 * shape.len()];
            faces[..shape.len()].fill(1.5);
            let phi = vec![0.0; shape.len()];
            let case = Case { shape, heights: heights.clone(), phi, faces, inner: vec![0.0; shape.columns()] };
            let fine: Vec<f32> = (0..fine_shape.len()).map(|at| plane(at, 0.0)).collect();
            let moved = run_fine(exec, &case, &fine, &params(shape, cells)).unwrap();
            for (at, found) in moved.iter().enumerate() {
                let (i, sample) = (at / n % fine_shape.nx, at % n);
                if (10..26).contains(&i) && sample + 2 < n {
                    let want = plane(at, 1.5 * cells);
                    assert!((found - want).abs() < 1e-4, "{}: {found} {want}", exec.describe());
                }
            }
        }
    }
}

/// A uniform flow carries itself and the surface without any change but the shift.
#[test]
fn uniform_flow_stays_uniform_and_shifts_the_surface() {
    let shape = Shape { nx: 16, nz: 3, regular: 12 };
    let n = shape.samples();
    for exec in test_executors() {
        for tall in [2, 7] {
            let heights = vec![[0, tall]; shape.columns()];
            // φ is linear, hence exact.
            let plane = |at: usize, shift: f32| {
                let (column, y) = (at / n, world_cell(heights[at / n], at % n));
                0.3 * ((column % shape.nx) as f32 - shift) + 0.5 * y as f32 - 6.0
            };
            let mut faces = vec![0.0; 3 * shape.len()];
            faces[..shape.len()].fill(1.5);
            let phi: Vec<f32> = (0..shape.len()).map(|at| plane(at, 0.0)).collect();
            let case = Case { shape, heights: heights.clone(), phi, faces, inner: vec![0.0; shape.columns()] };
            let p = AdvectParams { band: 100.0, ..params(shape, 1.1) };
            let done = run(exec, &case, &p).unwrap();
            let (first, last) = (4, shape.nx - 3); // the sides are walls
            for at in 0..shape.len() {
                let (column, sample) = (at / n, at % n);
                if (first..last).contains(&(column % shape.nx)) && sample + 2 < n {
                    let want = plane(at, 1.65);
                    assert!((done.moved[at] - want).abs() < 1e-4, "{}: {} {want}", exec.describe(), done.moved[at]);
                    assert!(done.changes[at].iter().all(|c| c.abs() < 1e-5), "{:?}", done.changes[at]);
                    assert!((done.faces[at] - 1.5).abs() < 1e-5);
                }
            }
        }
    }
}

/// The decoded values of lattices agree with brute force.
#[test]
fn face_columns_decode() {
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let n = 5 + rng.below(6) as usize;
        let mut column = || {
            let ground = rng.below(6) as i32;
            [ground, ground + 2 + rng.below(9) as i32]
        };
        let (a, b) = (column(), column());
        let span = SideSpan::new(a, b, n);
        let line: Vec<f32> = (0..n).map(|e| span.cell_of(e) as f32).collect();
        for entry in 0..n {
            if span.has(entry) {
                let y = span.cell_of(entry);
                // The value of every face is its own height, so the line is that of heights.
                assert!((span.at(&line, y) - y as f32).abs() < 1e-5, "{span:?} {entry}");
            }
        }
        let top = a[1].min(b[1]) + n as i32 - 2;
        for y in span.run[0]..top {
            if span.has(0) || y >= span.cell_of(2) {
                assert!((span.value(&line, y as f32) - y as f32).abs() < 1e-5, "{span:?} {y}");
            }
        }
    }
}

/// A smooth vortex in a periodic-looking patch: MacCormack is clearly better than the plain step.
#[test]
fn the_corrected_step_is_of_second_order() {
    let exec = Executor::cpu().unwrap();
    let mut errors = Vec::new();
    for size in [32usize, 64] {
        let shape = Shape { nx: size, nz: 1, regular: size - 2 };
        let n = shape.samples();
        let heights = vec![[0, 2]; shape.columns()];
        let h = 1.0 / size as f32;
        // u = 1 + a bump in v that u carries.
        let bump = |x: f32| (-(x - 0.4).powi(2) / 0.01).exp();
        let mut faces = vec![0.0; 3 * shape.len()];
        faces[..shape.len()].fill(1.0);
        for column in 0..size {
            for entry in 0..n {
                faces[shape.len() + column * n + entry] = 0.1 * bump((column as f32 + 0.5) * h);
            }
        }
        let inner = (0..size).map(|c| 0.1 * bump((c as f32 + 0.5) * h)).collect();
        let mut case = Case { shape, heights, phi: vec![-5.0; shape.len()], faces, inner };
        let steps = size / 4;
        for _ in 0..steps {
            let p = params(shape, 0.8);
            let done = run(&exec, &case, &p).unwrap();
            case.faces = done.faces;
            case.inner = done.inner;
            case.faces[..shape.len()].fill(1.0);
        }
        let row = n / 2;
        let error: f32 = (size / 4..size - size / 8)
            .map(|c| {
                let want = 0.1 * bump((c as f32 + 0.5) * h - 0.8 * steps as f32 * h);
                (case.faces[shape.len() + c * n + row] - want).abs()
            })
            .sum::<f32>()
            / size as f32;
        errors.push(error);
    }
    println!("errors {errors:?}");
    assert!(errors[1] < 0.4 * errors[0], "{errors:?}");
}
