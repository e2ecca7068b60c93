//! Conjugate gradients against dense Cholesky, and at the edges.

use thalweg_pressure::Stop;

use super::super::{
    Identity, IncompleteCholesky, Jacobi, LinearOperator, Preconditioner, SevenPointCholesky, largest_residual, pcg,
    pcg_projected,
};
use super::*;

const DIMS: [[usize; 3]; 3] = [[9, 8, 7], [24, 20, 1], [1, 20, 19]];

/// Solves with every preconditioner; the error is bounded by that of the residual times the inverse's norm (below 100,
/// because the diagonal has 0.01 to spare).
fn solves<T: Real>(residual: f64, error: f64) {
    let mut random = Random(11);
    for dims in DIMS {
        let a = poisson::<T>(dims, &mut random);
        let rows = a.to_csr();
        let b: Vec<T> = random.vector(rows.rows());
        let doubles: Vec<f64> = b.iter().map(|v| v.to_double()).collect();
        let want = dense_solve(&dense(&rows), &doubles);
        let stop = Stop { residual, iterations: 1000 };
        let solve = |m: &mut dyn Preconditioner<T>, by_rows: bool| {
            let mut x = vec![T::zero(); b.len()];
            let mut m = m;
            let report = if by_rows { pcg(&rows, &mut m, &b, &mut x, stop) } else { pcg(&a, &mut m, &b, &mut x, stop) };
            assert!(report.converged && report.residual() <= residual, "{dims:?} {report:?}");
            assert_eq!(report.residuals.len(), report.iterations + 1);
            assert!(report.times.is_sorted() && report.times.len() == report.residuals.len());
            let got: Vec<f64> = x.iter().map(|v| v.to_double()).collect();
            let apart = vector_difference(&got, &want);
            assert!(apart < error, "{dims:?}: {apart}");
            report.iterations
        };
        let none = solve(&mut Identity, true);
        let jacobi = solve(&mut Jacobi::new(&rows), true);
        let plain = solve(&mut IncompleteCholesky::new(&rows, 0.0), true);
        assert!(plain < none && plain < jacobi, "{none} {jacobi} {plain}");
        assert!(solve(&mut SevenPointCholesky::new(&a, 0.0), false).abs_diff(plain) <= 1);
        let modified = solve(&mut IncompleteCholesky::new(&rows, 0.97), true);
        assert!(solve(&mut SevenPointCholesky::new(&a, 0.97), false).abs_diff(modified) <= 1);
    }
}

#[test]
fn solves_in_double_precision() {
    solves::<f64>(1e-10, 1e-8);
}

#[test]
fn solves_in_single_precision() {
    solves::<f32>(1e-4, 1e-2);
}

#[test]
fn modified_factor_needs_fewer_iterations_on_a_tank() {
    // A tank of 32 × 32 cells and depth 24, open at the top.
    let dims = [32_usize, 24, 32];
    let n: usize = dims.iter().product();
    let mut neighbours: [Vec<u32>; 6] = std::array::from_fn(|_| vec![NONE; n]);
    let mut diag = vec![0.0; n];
    for u in 0..n {
        let mut stride = 1;
        for (axis, dim) in dims.iter().enumerate() {
            let at = u / stride % dim;
            for (side, inside) in [at > 0, at + 1 < *dim].into_iter().enumerate() {
                if inside {
                    neighbours[2 * axis + side][u] = if side == 0 { u - stride } else { u + stride } as u32;
                    diag[u] += 1.0;
                } else if axis == 1 && side == 1 {
                    diag[u] += 2.0; // the surface is half a cell away
                }
            }
            stride *= dim;
        }
    }
    let a = SevenPoint::new(neighbours, diag);
    let b: Vec<f64> = Random(12).vector(n);
    let iterations = |modified| {
        let mut x = vec![0.0; n];
        let stop = Stop { residual: 1e-8, iterations: 500 };
        let report = pcg(&a, &mut SevenPointCholesky::new(&a, modified), &b, &mut x, stop);
        assert!(report.converged && largest_residual(&a, &b, &x) < 1.01e-8);
        report.iterations
    };
    let (plain, modified) = (iterations(0.0), iterations(0.97));
    // Measured: 38 and 77.
    assert!(modified <= 39 && plain <= 79, "{modified} {plain}");
}

#[test]
fn threads_do_not_change_a_bit() {
    let mut random = Random(13);
    let a = poisson::<f32>([40, 30, 25], &mut random); // several chunks
    let rows = a.to_csr();
    let b: Vec<f32> = random.vector(a.unknowns());
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let stop = Stop { residual: 1e-5, iterations: 200 };
            let (mut x, mut y) = (vec![0.0; b.len()], vec![0.0; b.len()]);
            let fast = pcg(&a, &mut SevenPointCholesky::new(&a, 0.97), &b, &mut x, stop);
            let slow = pcg(&rows, &mut Jacobi::new(&rows), &b, &mut y, stop);
            assert!(fast.converged && slow.converged);
            (x, y, fast.residuals, slow.residuals, rows.galerkin(&rows))
        })
    };
    let one = run(1);
    assert!(one == run(2) && one == run(3));
}

#[test]
fn a_start_at_the_solution_needs_no_iteration() {
    let mut random = Random(14);
    let a = poisson::<f64>([9, 8, 7], &mut random);
    let b: Vec<f64> = random.vector(a.unknowns());
    let mut x = dense_solve(&dense(&a.to_csr()), &b);
    let before = x.clone();
    let stop = Stop { residual: 1e-10, iterations: 100 };
    let report = pcg(&a, &mut SevenPointCholesky::new(&a, 0.97), &b, &mut x, stop);
    assert!(report.converged && report.iterations == 0 && x == before);
    // Near the solution: some iterations, less than from zero.
    x.iter_mut().for_each(|v| *v += 1e-6);
    let near = pcg(&a, &mut SevenPointCholesky::new(&a, 0.97), &b, &mut x, stop).iterations;
    let far = pcg(&a, &mut SevenPointCholesky::new(&a, 0.97), &b, &mut vec![0.0; b.len()], stop).iterations;
    assert!(0 < near && near < far, "{near} {far}");
}

#[test]
fn nothing_to_solve() {
    let mut random = Random(15);
    let a = poisson::<f64>([5, 5, 5], &mut random);
    let (b, mut x) = (vec![0.0; a.unknowns()], vec![0.0; a.unknowns()]);
    let report = pcg(&a, &mut Identity, &b, &mut x, Stop { residual: 0.0, iterations: 9 });
    assert!(report.converged && report.iterations == 0 && report.residuals == [0.0]);
    let empty = SevenPoint::<f64>::new(std::array::from_fn(|_| Vec::new()), Vec::new());
    let mut m = SevenPointCholesky::new(&empty, 0.97);
    assert!(pcg(&empty, &mut m, &[], &mut [], Stop { residual: 0.0, iterations: 9 }).converged);
}

#[test]
fn breakdown_is_reported_and_leaves_numbers() {
    let stop = Stop { residual: 1e-9, iterations: 50 };
    let matrix = |d: [f64; 2]| Csr::from_rows(2, d.into_iter().enumerate().map(|(i, d)| vec![(i as u32, d)]));
    // Twice not positive definite, zero, and so badly scaled that the first step overflows.
    let cases = [
        ([1.0, -1.0], [1.0, 1.0]),
        ([1.0, -2.0], [1.0, 1.0]),
        ([0.0, 0.0], [1.0, 1.0]),
        ([1e-300, 1e300], [1e290, 1e-290]),
    ];
    for (d, b) in cases {
        let mut x = [0.0; 2];
        let report = pcg(&matrix(d), &mut Identity, &b, &mut x, stop);
        assert!(!report.converged && x.iter().all(|v| v.is_finite()), "{d:?} {x:?} {report:?}");
    }
    // Right-hand side or start that is not finite.
    let mut x = [0.5, 0.5];
    let report = pcg(&matrix([1.0, 1.0]), &mut Identity, &[f64::NAN, 1.0], &mut x, stop);
    assert!(!report.converged && report.residual().is_nan() && x == [0.5, 0.5]);
    for start in [[f64::NAN, 0.5], [0.5, f64::INFINITY]] {
        let mut x = start;
        let report = pcg(&matrix([1.0, 1.0]), &mut Identity, &[1.0, 0.5], &mut x, stop);
        assert!(report.converged && x == [1.0, 0.5]);
    }
    // Too few iterations.
    let mut random = Random(16);
    let a = poisson::<f64>([9, 8, 7], &mut random);
    let b: Vec<f64> = random.vector(a.unknowns());
    let report = pcg(&a, &mut Identity, &b, &mut vec![0.0; b.len()], Stop { residual: 1e-9, iterations: 3 });
    assert!(!report.converged && report.iterations == 3 && report.residuals.len() == 4);
}

#[test]
fn closed_tanks_are_solved_up_to_a_constant() {
    // Two closed rows of cells: two null vectors, and a right-hand side that is consistent in neither.
    let n = 40;
    let mut neighbours: [Vec<u32>; 6] = std::array::from_fn(|_| vec![NONE; n]);
    let mut diag = vec![0.0; n];
    for u in (0..n).filter(|u| u + 1 != n / 2 && u + 1 != n) {
        (neighbours[1][u], neighbours[0][u + 1]) = (u as u32 + 1, u as u32);
        diag[u] += 1.0;
        diag[u + 1] += 1.0;
    }
    let a = SevenPoint::new(neighbours, diag);
    let b: Vec<f64> = Random(17).vector(n);
    let half = |second: bool| -> Vec<f64> { (0..n).map(|u| f64::from(u8::from((u >= n / 2) == second))).collect() };
    // Given with one vector too many, and not orthogonal.
    let null = [half(false), vec![1.0; n], half(true)];
    let mut x = vec![0.0; n];
    let stop = Stop { residual: 1e-10, iterations: 100 };
    let report = pcg_projected(&a, &mut SevenPointCholesky::new(&a, 0.97), &b, &mut x, stop, &null);
    assert!(report.converged, "{report:?}");
    let mut consistent = b.clone();
    for part in [0..n / 2, n / 2..n] {
        let mean = b[part.clone()].iter().sum::<f64>() / (n / 2) as f64;
        consistent[part.clone()].iter_mut().for_each(|v| *v -= mean);
        assert!(x[part].iter().sum::<f64>().abs() < 1e-8);
    }
    assert!(largest_residual(&a, &consistent, &x) < 1e-9);
    // Without the projection a consistent right-hand side is solved, and an inconsistent one leaves numbers.
    let mut x = vec![0.0; n];
    assert!(pcg(&a, &mut SevenPointCholesky::new(&a, 0.97), &consistent, &mut x, stop).converged);
    assert!(largest_residual(&a, &consistent, &x) < 1e-9);
    let report = pcg(&a, &mut SevenPointCholesky::new(&a, 0.97), &b, &mut x, stop);
    assert!(!report.converged && x.iter().all(|v| v.is_finite()));
}
