//! Properties of the reduced system, the table of the comparison, and a long run.

use super::demo::Demo;
use super::runs::{RunCholesky, RunMatrix, Split};
use super::*;
use crate::sparse::{IncompleteCholesky, LinearOperator, Preconditioner};
use thalweg_columns::Real;
use thalweg_pressure::{Csr, NONE, Stop};

pub(super) const UNIT: Projected = Projected { density: 1.0, dt: 1.0 };
pub(super) const CORNERS: Coupling = Coupling::Galerkin(Interpolation::Corners);
pub(super) const CENTRES: Coupling = Coupling::Galerkin(Interpolation::Centres);

pub(super) fn shape(factor: usize, width: usize, surface: Surface) -> BandShape {
    BandShape { factor, width, surface }
}

pub(super) fn banded(factor: usize, width: usize, coupling: Coupling, sweeps: usize) -> Method {
    let shape = shape(factor, width, Surface::Fine);
    Method::Band { shape, coupling, solver: Solver::Multigrid, sweeps }
}

/// A small grid of no round size: a sloping surface, a voxel obstacle, cut cells and a thin wall.
pub(super) fn odd_grid(cells: [usize; 3]) -> FineGrid {
    let mut grid = FineGrid::new(cells, 0.5);
    grid.add_solids(|c| (20..23).contains(&c[0]) && (5..9).contains(&c[1]));
    for k in 0..cells[2] {
        for j in 0..6 {
            grid.set_open(0, [40, j, k], 0.3);
        }
        grid.set_open(1, [8, 12, k], 0.0);
    }
    grid.set_phi(|x| x[1] - 0.5 * (30.3 + 0.1 * x[0] + 0.7 * (0.3 * x[0]).sin()));
    grid
}

/// The projected velocity and what is said of it.
struct Outcome {
    u: FaceField,
    course: Course,
    divergence: Divergence,
    pressure: Vec<f64>,
}

fn projected<T: Real>(grid: &FineGrid, u: &FaceField, method: Method, tolerance: f64) -> Outcome {
    let mut u = u.clone();
    let mut pressure = vec![0.0; grid.phi.len()];
    let (course, system) = project::<T>(grid, &mut u, UNIT, method, tolerance, &mut pressure);
    assert!(course.converged, "{method:?}: {course:?}");
    let divergence = grid.divergence(&system, &u);
    Outcome { u, course, divergence, pressure }
}

pub(super) fn error(grid: &FineGrid, u: &FaceField, full: &FaceField) -> f64 {
    grid.velocity_error(&grid.system::<f64>(), u, full)
}

fn largest_difference(a: &Csr<f64>, b: &Csr<f64>) -> f64 {
    assert_eq!(a.rows(), b.rows());
    let mut sums = vec![0.0; a.column_count];
    let mut largest = 0.0_f64;
    for r in 0..a.rows() {
        a.row(r).for_each(|(c, v)| sums[c] += v);
        b.row(r).for_each(|(c, v)| sums[c] -= v);
        for (c, _) in a.row(r).chain(b.row(r)) {
            largest = largest.max(std::mem::take(&mut sums[c]).abs());
        }
    }
    largest
}

#[test]
fn rows_of_the_basis_sum_to_one_and_the_short_assembly_is_the_triple_product() {
    for cells in [[61, 47, 1], [45, 36, 13]] {
        let grid = odd_grid(cells);
        let system = grid.system::<f64>();
        for (factor, width) in [(1, 3), (2, 3), (4, 2), (4, 0)] {
            for surface in [Surface::Fine, Surface::Coarse] {
                for coupling in [Interpolation::Corners, Interpolation::Centres] {
                    let band = Band::new(&grid, &system, shape(factor, width, surface));
                    let basis = Basis::new(&grid, &system, &band, coupling);
                    for r in 0..system.unknowns() {
                        let sum: f64 = basis.p.row(r).map(|e| e.1).sum();
                        assert!((sum - 1.0).abs() < 1e-14, "row {r} of {factor}, {width}, {surface:?}: {sum}");
                    }
                    let a = galerkin(&grid, &system, &band, &basis);
                    let off = largest_difference(&a, &system.matrix.galerkin(&basis.p));
                    assert!(off < 1e-13 * 600.0, "{factor}, {width}, {surface:?}, {coupling:?}: {off}"); // 1/θ ≤ 100
                    assert!(largest_difference(&a, &a.transpose()) < 1e-13 * 600.0);
                    positive(&a);
                }
                let losasso = losasso(&grid, &system, &Band::new(&grid, &system, shape(factor, width, surface)));
                assert!(largest_difference(&losasso, &losasso.transpose()) < 1e-13 * 600.0);
                positive(&losasso);
            }
        }
    }
}

/// `xᵀAx > 0` for a smooth, a rough and a local vector.
fn positive(a: &Csr<f64>) {
    let vectors: [&dyn Fn(usize) -> f64; 3] =
        [&|_| 1.0, &|i| if i % 2 == 0 { 1.0 } else { -1.0 }, &|i| if i == a.rows() / 2 { 1.0 } else { 0.0 }];
    for vector in vectors {
        let x: Vec<f64> = (0..a.rows()).map(vector).collect();
        let mut y = vec![0.0; a.rows()];
        a.multiply(&x, &mut y);
        assert!(x.iter().zip(&y).map(|(x, y)| x * y).sum::<f64>() > 0.0);
    }
}

#[test]
fn an_all_fine_band_is_the_fine_grid_bit_for_bit() {
    let grid = scenes::pool(64);
    let u = scenes::velocity(&grid);
    let full = projected::<f64>(&grid, &u, Method::FullRows, 1e-8);
    for (factor, width) in [(1, 0), (1, 8), (4, 32)] {
        for coupling in [CORNERS, CENTRES, Coupling::Losasso] {
            let shape = shape(factor, width, Surface::Fine);
            // Losasso's form smooths everywhere, the others outside the band, where nothing is left.
            let sweeps = if coupling == Coupling::Losasso { 0 } else { 3 };
            let method = Method::Band { shape, coupling, solver: Solver::IncompleteCholesky, sweeps };
            let reduced = projected::<f64>(&grid, &u, method, 1e-8);
            assert_eq!(reduced.course.unknowns, full.course.unknowns);
            assert!(reduced.pressure == full.pressure && reduced.u == full.u, "{factor}, {width}, {coupling:?}");
        }
    }
    // The fast form of the matrix differs by rounding only.
    let fast = projected::<f64>(&grid, &u, Method::Full, 1e-8);
    assert!(error(&grid, &fast.u, &full.u) < 1e-7);
}

#[test]
fn still_water_stays_still() {
    for cells in [[50, 50, 1], [14, 50, 16]] {
        let mut grid = FineGrid::new(cells, 0.1);
        grid.set_phi(|x| x[1] - 4.0321);
        grid.add_solids(|c| c[0] < 4 && c[1] < 7);
        let u = grid.face_field_from(|axis, _| if axis == 1 { -9.81 } else { 0.0 });
        // Linear pressures are exact if the points between which a block interpolates are in the liquid: the next cell
        // for corners, the whole next block for centres.
        for (coupling, bands) in
            [(CORNERS, [(2, 1), (2, 3), (4, 8), (8, 2)]), (CENTRES, [(2, 2), (2, 3), (4, 4), (4, 8)])]
        {
            for ((factor, width), sweeps) in bands.into_iter().flat_map(|band| [(band, 0), (band, 3)]) {
                let still = projected::<f64>(&grid, &u, banded(factor, width, coupling, sweeps), 1e-12);
                for (c, p) in still.pressure.iter().enumerate().filter(|(c, _)| grid.is_liquid(*c)) {
                    assert!((p - 9.81 * -grid.phi[c]).abs() < 1e-6, "{factor}, {width}: {p} in cell {c}");
                }
                assert!(still.divergence.largest < 1e-6);
            }
        }
    }
}

#[test]
fn no_volume_is_made_and_f32_follows_f64() {
    for (grid, factors) in
        [(scenes::column(80, false), [2, 4]), (scenes::pool(80), [2, 4]), (scenes::column(32, true), [2, 4])]
    {
        let u = scenes::velocity(&grid);
        for factor in factors {
            for (coupling, sweeps) in [(CORNERS, 0), (CORNERS, 3), (CENTRES, 0), (CENTRES, 3)] {
                let method = banded(factor, 4, coupling, sweeps);
                let double = projected::<f64>(&grid, &u, method, 1e-10);
                let cells = grid.phi.len() as f64;
                assert!(double.divergence.sum.abs() < 1e-6 * cells, "{method:?}: {:?}", double.divergence);
                assert!(double.divergence.sum.abs() < 1e-8 * cells);
                let single = projected::<f32>(&grid, &u, method, 1e-5);
                assert!(single.divergence.sum.abs() < 1e-6 * cells, "{method:?}: {:?}", single.divergence);
                assert!(error(&grid, &single.u, &double.u) < 1e-3);
            }
        }
    }
}

#[test]
fn multigrid_needs_few_iterations_in_any_geometry() {
    for (grid, most) in [
        (scenes::column(128, false), 12),
        (scenes::pool(128), 14),
        (scenes::column(48, true), 12),
        (odd_grid([121, 90, 1]), 25),
    ] {
        let u = scenes::velocity(&grid);
        for factor in [1, 2, 4] {
            for coupling in [CORNERS, CENTRES, Coupling::Losasso] {
                let course = projected::<f64>(&grid, &u, banded(factor, 8, coupling, 0), 1e-6).course;
                assert!(course.iterations <= most, "{:?}, {factor}, {coupling:?}: {course:?}", grid.cells());
            }
        }
    }
}

#[test]
fn a_warm_start_saves_iterations() {
    let grid = scenes::pool(96);
    let u = scenes::velocity(&grid);
    for coupling in [CORNERS, CENTRES, Coupling::Losasso] {
        for solver in [Solver::IncompleteCholesky, Solver::Multigrid] {
            let method = Method::Band { shape: shape(4, 8, Surface::Fine), coupling, solver, sweeps: 0 };
            let cold = projected::<f64>(&grid, &u, method, 1e-6);
            let mut pressure = cold.pressure.clone();
            let (warm, _) = project::<f64>(&grid, &mut u.clone(), UNIT, method, 1e-6, &mut pressure);
            assert!(warm.iterations < cold.course.iterations, "{} of {}", warm.iterations, cold.course.iterations);
        }
    }
}

#[test]
fn runs_compute_what_compressed_rows_do() {
    let grid = odd_grid([61, 47, 1]);
    let system = grid.system::<f64>();
    for interpolation in [Interpolation::Corners, Interpolation::Centres] {
        let band = Band::new(&grid, &system, shape(2, 3, Surface::Fine));
        let a = galerkin(&grid, &system, &band, &Basis::new(&grid, &system, &band, interpolation));
        let x: Vec<f64> = (0..a.rows()).map(|i| (0.37 * i as f64).sin()).collect();
        let mut rows = vec![0.0; a.rows()];
        a.multiply(&x, &mut rows);
        let mut runs = vec![f64::NAN; a.rows()];
        Split::new(&a).apply(&x, &mut runs);
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-11 * (1.0 + a.abs()));
        assert!(near(&rows, &runs));
        let whole = RunMatrix::new(&a, |r| a.row_start[r] as usize..a.row_start[r + 1] as usize);
        whole.subtract_product(&x, &mut runs);
        assert!(runs.iter().all(|v| v.abs() < 1e-10));

        let (mut by_rows, mut by_runs) = (vec![0.0; a.rows()], vec![f64::NAN; a.rows()]);
        IncompleteCholesky::new(&a, 0.0).precondition(&x, &mut by_rows);
        RunCholesky::new(&a).precondition(&x, &mut by_runs);
        assert!(near(&by_rows, &by_runs));
    }
}

#[test]
fn the_band_is_what_was_asked_for() {
    let grid = odd_grid([61, 47, 1]);
    let system = grid.system::<f64>();
    let band = Band::new(&grid, &system, shape(4, 3, Surface::Fine));
    assert!(band.coarse_blocks() > 0 && band.unknowns() < system.unknowns());
    let distance = |a: [usize; 3], b: [usize; 3]| a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1]));
    let at = |c: usize| [c % 61, c / 61, 0];
    for c in (0..grid.phi.len()).filter(|c| band.is_coarse(band.block_of(at(*c)))) {
        let [x, y, _] = at(c);
        assert!(x >= 3 && y >= 3 && x + 3 < 61 && y + 3 < 47, "a wall is near {x}, {y}");
        for other in 0..grid.phi.len() {
            let near = distance(at(c), at(other));
            assert!(near > 3 || !grid.is_solid(other), "a solid is near {x}, {y}");
            assert!(near > 8 || grid.is_solid(other) || system.unknown_of_cell[other] != NONE, "air is near {x}, {y}");
        }
    }
}

/// Figures of one method on a scene: unknowns, iterations, error in percent, error after three Jacobi sweeps.
fn figures(grid: &FineGrid, full: &Outcome, method: impl Fn(usize) -> Method) -> (usize, usize, f64, f64) {
    let u = scenes::velocity(grid);
    let [bare, smooth] = [0, 3].map(|sweeps| projected::<f64>(grid, &u, method(sweeps), 1e-6));
    let percent = |o: &Outcome| 100.0 * error(grid, &o.u, &full.u);
    (bare.course.unknowns, bare.course.iterations, percent(&bare), percent(&smooth))
}

/// The published comparison at 128² and w = 8. Unknowns and iterations of the column are those of the prototype; its
/// pool and its velocity are known in outline only, so the errors are compared for the velocity of `scenes`.
#[test]
fn the_table_of_methods() {
    let (column, pool) = (scenes::column(128, false), scenes::pool(128));
    let full = [&column, &pool].map(|g| projected::<f64>(g, &scenes::velocity(g), Method::Full, 1e-6));
    assert_eq!(full[0].course.unknowns, 3927);
    assert!(full[0].course.iterations.abs_diff(77) <= 4 && full[1].course.iterations.abs_diff(126) <= 12);
    let galerkin = |scene: usize, factor, surface, interpolation| {
        figures([&column, &pool][scene], &full[scene], |sweeps| Method::Band {
            shape: shape(factor, 8, surface),
            coupling: Coupling::Galerkin(interpolation),
            solver: Solver::IncompleteCholesky,
            sweeps,
        })
    };
    let near = |what: &str, value: f64, expected: f64, part: f64| {
        assert!((value / expected - 1.0).abs() <= part, "{what}: {value:.3} instead of {expected}");
    };
    // Scene, factor, unknowns and iterations (0: not to be compared), error %.
    for (scene, factor, unknowns, iterations, expected) in
        [(0, 2, 2397, 54, 0.4), (0, 4, 2127, 47, 4.4), (1, 2, 0, 0, 0.6), (1, 4, 0, 0, 7.9)]
    {
        let (n, it, bare, smooth) = galerkin(scene, factor, Surface::Fine, Interpolation::Centres);
        println!("scene {scene} f {factor} centres: {n} {it} {bare:.3} {smooth:.3}");
        if unknowns > 0 {
            assert_eq!(n, unknowns);
            near("iterations", it as f64, f64::from(iterations), 0.2);
        }
        near("error", bare, expected, 0.2);
        assert!(smooth < 0.42 * bare);
        let (n, it, bare, smooth) = galerkin(scene, factor, Surface::Fine, Interpolation::Corners);
        println!("scene {scene} f {factor} corners: {n} {it} {bare:.3} {smooth:.3}");
        // Corners alternate between cells with and without error: more of it, and what the sweeps take away first.
        assert!(bare < 10.0 * expected && smooth < expected);
    }
    // With the surface coarse the error follows the hydrostatic part, which in the pool is free.
    for (scene, factor, unknowns, expected) in [(0, 2, 1785, 1.3), (0, 4, 1377, 5.7), (1, 2, 0, 0.0), (1, 4, 0, 0.0)] {
        let (n, it, bare, smooth) = galerkin(scene, factor, Surface::Coarse, Interpolation::Centres);
        println!("scene {scene} f {factor} centres, coarse surface: {n} {it} {bare:.3} {smooth:.3}");
        if unknowns > 0 {
            assert_eq!(n, unknowns);
            near("error", bare, expected, 0.2);
        }
        assert!(bare > galerkin(scene, factor, Surface::Fine, Interpolation::Centres).2);
    }
    for (scene, grid) in [&column, &pool].into_iter().enumerate() {
        for factor in [2, 4] {
            let losasso = figures(grid, &full[scene], |sweeps| Method::Band {
                shape: shape(factor, 8, Surface::Fine),
                coupling: Coupling::Losasso,
                solver: Solver::IncompleteCholesky,
                sweeps,
            });
            let [copied, interpolated] = [Prolongation::Copied, Prolongation::Interpolated].map(|prolongation| {
                let method = |sweeps| Method::PressureSmoothing { factor, width: 8, prolongation, sweeps };
                figures(grid, &full[scene], method)
            });
            let velocity = figures(grid, &full[scene], |_| Method::VelocityInterpolation { factor, width: 8 });
            for (name, f) in [
                ("Losasso", losasso),
                ("paper, copied", copied),
                ("paper, interpolated", interpolated),
                ("paper, velocities", velocity),
            ] {
                println!("scene {scene} f {factor} {name}: {} {} {:.3} {:.3}", f.0, f.1, f.2, f.3);
            }
            assert!(copied.2 > 40.0 && copied.3 < 0.5 * copied.2 && interpolated.2 < copied.2);
            assert!(losasso.3 < 0.5 * losasso.2);
        }
    }
}

#[test]
fn error_grows_about_twelvefold_from_two_to_four() {
    for grid in [scenes::column(128, false), scenes::pool(128)] {
        let u = scenes::velocity(&grid);
        let full = projected::<f64>(&grid, &u, Method::Full, 1e-8);
        let [two, four] =
            [2, 4].map(|f| error(&grid, &projected::<f64>(&grid, &u, banded(f, 8, CENTRES, 0), 1e-8).u, &full.u));
        assert!((9.0..15.0).contains(&(four / two)), "{two} to {four}");
    }
}

#[test]
fn five_hundred_steps_of_sloshing_keep_the_area() {
    let drift = |method: Method| {
        let mut demo = Demo::slosh(64, 4.0);
        demo.warm = true;
        let before = demo.volume();
        for _ in 0..500 {
            let dt = demo.dt(0.5).min(0.01);
            assert!(demo.step(dt, method).course.converged);
        }
        100.0 * (demo.volume() / before - 1.0)
    };
    let full = drift(Method::Full);
    for method in [banded(2, 8, CORNERS, 3), banded(4, 8, CORNERS, 3), banded(2, 8, CENTRES, 0)] {
        let drift = drift(method);
        println!("{method:?}: {drift:+.3} %, full {full:+.3} %");
        assert!(drift.abs() < 0.2 && (drift - full).abs() < 0.05, "{method:?}: {drift} %, full {full} %");
    }
    for method in [
        Method::PressureSmoothing { factor: 2, width: 8, prolongation: Prolongation::Interpolated, sweeps: 3 },
        Method::VelocityInterpolation { factor: 2, width: 8 },
    ] {
        let drift = drift(method);
        println!("{method:?}: {drift:+.3} %");
        assert!(drift > 1.0 && drift < 20.0, "the net source of the published methods: {drift} %");
    }
}

#[test]
fn nothing_coarse_and_nothing_wet_are_no_problem() {
    let mut grid = FineGrid::new([8, 8, 1], 1.0);
    let still = grid.face_field();
    let dry = projected::<f64>(&grid, &still, banded(2, 1, CORNERS, 3), 1e-6);
    assert_eq!((dry.course.unknowns, dry.course.iterations), (0, 0));
    grid.phi[3 + 8 * 4] = -0.5; // a drop of one cell
    let u = grid.face_field_from(|_, x| x[0] - x[1]);
    let drop = projected::<f64>(&grid, &u, banded(4, 0, CENTRES, 0), 1e-10);
    assert!(drop.course.unknowns == 1 && drop.divergence.largest < 1e-9);
    let stop = Stop { residual: 0.0, iterations: 0 };
    let system = grid.system::<f64>();
    let reduced = Reduced::new(&grid, &system, shape(2, 0, Surface::Coarse), CORNERS);
    let mut p = vec![0.25; 1];
    reduced.solve(&grid, &system, &[1.0], &mut p, Solver::Multigrid, stop);
    assert_eq!(p, [0.25]); // the start comes back unchanged where no iteration is allowed
}
