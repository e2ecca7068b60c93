//! The properties of the method on both executors, in f32: the list of `narrow_band/tests.rs`, against the host in f64.

use std::sync::OnceLock;

use thalweg_columns::Heights;
use thalweg_compute::parity::{Rng, physics_executors, test_executors};
use thalweg_compute::{Buffer, Cpu, Dispatch, Executor};
use thalweg_pressure::parts::device::{Dots, PARTIALS, VectorParams, reduction_groups, scalar, slot, sum};

use super::matrix::DeviceMatrix;
use super::rows::{BLEND, MultiplyDot, RowsParams, SET};
use super::{BandError, DeviceReduced, project_on};
use crate::narrow_band::demo::Demo;
use crate::narrow_band::tests::{CENTRES, CORNERS, UNIT, banded, error, odd_grid, shape};
use crate::narrow_band::*;
use crate::sparse::largest_residual;

/// The projected velocity and what is said of it.
struct Outcome {
    u: FaceField,
    course: Course,
    divergence: Divergence,
    pressure: Vec<f64>,
}

fn projected(exec: &Executor, grid: &FineGrid, method: Method, tolerance: f64) -> Outcome {
    projected_from(exec, grid, method, tolerance, vec![0.0; grid.phi.len()])
}

fn projected_from(exec: &Executor, grid: &FineGrid, method: Method, tolerance: f64, mut pressure: Vec<f64>) -> Outcome {
    let mut u = scenes::velocity(grid);
    let (course, system) = project_on(exec, grid, &mut u, UNIT, method, tolerance, &mut pressure).unwrap();
    assert!(course.converged, "{method:?} on {}: {course:?}", exec.describe());
    let divergence = grid.divergence(&system, &u);
    Outcome { u, course, divergence, pressure }
}

/// The full solve on the host in f64, once per scene.
fn full_on_host(grid: &FineGrid) -> FaceField {
    let mut u = scenes::velocity(grid);
    let mut pressure = vec![0.0; grid.phi.len()];
    project::<f64>(grid, &mut u, UNIT, Method::Full, 1e-10, &mut pressure);
    u
}

/// `v·A w` and `w·A v`, each by the executor's kernels alone.
fn both_ways(exec: &Executor, a: &DeviceMatrix, v: &Buffer<f32>, w: &Buffer<f32>) -> [f64; 2] {
    let (n, groups) = (a.rows, reduction_groups(a.rows) as u32);
    let [r, q] = ["r", "q"].map(|name| exec.buffer(name, n).unwrap());
    let rows = Dispatch::Elements(n);
    let mut rec = exec.record();
    a.product(&mut rec, w, &r, SET, rows).unwrap();
    a.product(&mut rec, v, &q, SET, rows).unwrap();
    rec.submit().unwrap();
    [dots(exec, [&r, &q, v], groups)[0], dots(exec, [&r, &q, w], groups)[1]]
}

/// `r·z` and `q·z`.
fn dots(exec: &Executor, [r, q, z]: [&Buffer<f32>; 3], groups: u32) -> [f64; 2] {
    let heights = &exec.buffer::<Heights>("heights", 1).unwrap();
    let scalars = &exec.buffer::<f32>("scalars", scalar::COUNT).unwrap();
    let partials = &exec.buffer::<f32>("partials", slot::COUNT * PARTIALS).unwrap();
    let p = VectorParams { len: z.len() as u32, samples: 1, total: 0, groups, first: 1 };
    let mut rec = exec.record();
    rec.run(&Dots { heights, scalars, r, q, z, partials }, &p, Dispatch::Groups([groups, 1, 1])).unwrap();
    rec.submit().unwrap();
    let words = exec.read(partials).unwrap();
    [slot::RZ, slot::QZ].map(|s| sum(&words, s, groups))
}

/// `v·A v` as conjugate gradients compute it.
fn energy(exec: &Executor, device: &DeviceReduced, x: &Buffer<f32>) -> f64 {
    let (a, row_sum) = (&*device.matrix, &device.row_sum);
    let groups = reduction_groups(a.rows) as u32;
    let y = &exec.buffer("y", a.rows).unwrap();
    let partials = &exec.buffer::<f32>("partials", slot::COUNT * PARTIALS).unwrap();
    let DeviceMatrix { row_start, columns, values, .. } = a;
    let p = RowsParams { rows: a.rows as u32, groups, mode: SET, omega: 1.0 };
    let mut rec = exec.record();
    let kernel = MultiplyDot { row_start, columns, values, row_sum, x, partials, y };
    rec.run(&kernel, &p, Dispatch::Groups([groups, 1, 1])).unwrap();
    rec.submit().unwrap();
    sum(&exec.read(partials).unwrap(), slot::PQ, groups)
}

#[test]
fn rows_of_the_basis_sum_to_one_and_the_matrix_is_symmetric_and_positive() {
    for exec in test_executors() {
        for cells in [[61, 47, 1], [45, 36, 13]] {
            let grid = odd_grid(cells);
            let system = grid.system::<f64>();
            for ((factor, width), coupling) in
                [(1, 3), (2, 3), (4, 2), (4, 0)].into_iter().flat_map(|b| [(b, CORNERS), (b, CENTRES)])
            {
                let reduced = Reduced::new(&grid, &system, shape(factor, width, Surface::Fine), coupling);
                let device = DeviceReduced::new(exec, &grid, &system, &reduced, 1).unwrap();
                let n = reduced.band.unknowns();
                let ones = exec.buffer_from("ones", &vec![1.0_f32; n]).unwrap();
                let mut rec = exec.record();
                let extent = Dispatch::Elements(system.unknowns());
                device.p.product(&mut rec, &ones, device.pressure(), BLEND, extent).unwrap();
                rec.submit().unwrap();
                assert!(
                    exec.read(device.pressure()).unwrap().iter().all(|p| *p == 1.0),
                    "{factor}, {width}, {coupling:?}"
                );
                // Also as the plain sums that they are: hundreds of weights in f32.
                let mut rec = exec.record();
                device.p.product(&mut rec, &ones, device.pressure(), SET, extent).unwrap();
                rec.submit().unwrap();
                let off = exec.read(device.pressure()).unwrap().iter().fold(0.0_f32, |m, p| m.max((p - 1.0).abs()));
                assert!(off <= 5e-6, "{factor}, {width}, {coupling:?} on {}: {off}", exec.describe());

                let mut rng = Rng::new(n as u64);
                let [v, w] = [(); 2].map(|()| exec.buffer_from("v", &rng.f32s(n, -1.0, 1.0)).unwrap());
                let sizes = [&v, &w].map(|v| energy(exec, &device, v));
                assert!(sizes.iter().all(|e| *e > 0.0));
                let [vw, wv] = both_ways(exec, &device.matrix, &v, &w);
                // Entries of the two triangles are rounded apart, and thousands of terms are added in f32.
                let scale = (sizes[0] * sizes[1]).sqrt();
                assert!((vw - wv).abs() <= 1e-6 * scale, "{factor}, {width}, {coupling:?}: {vw} and {wv} of {scale}");
                assert!(energy(exec, &device, &ones) > 0.0, "constants are not in the null space: there is air");

                let rough: Vec<f32> = (0..n).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
                assert!(energy(exec, &device, &exec.buffer_from("rough", &rough).unwrap()) > 0.0);
                symmetric_cycle(exec, &device, &v, &w);
            }
        }
    }
}

/// The preconditioner `M` is symmetric and positive too.
fn symmetric_cycle(exec: &Executor, device: &DeviceReduced, v: &Buffer<f32>, w: &Buffer<f32>) {
    let groups = device.faces.groups;
    let cycled = |r: &Buffer<f32>| {
        let z = exec.buffer("z", r.len()).unwrap();
        let mut rec = exec.record();
        rec.copy(r, device.cycle.r()).unwrap();
        device.cycle.record(&mut rec, &device.vectors.extents).unwrap();
        rec.copy(device.cycle.z(), &z).unwrap();
        rec.submit().unwrap();
        z
    };
    let (mv, mw) = (cycled(v), cycled(w));
    let [v_mv, w_mv] = dots(exec, [v, w, &mv], groups);
    let [v_mw, w_mw] = dots(exec, [v, w, &mw], groups);
    assert!(v_mv > 0.0 && w_mw > 0.0);
    let scale = (v_mv * w_mw).sqrt();
    assert!((w_mv - v_mw).abs() <= 1e-5 * scale, "{w_mv} and {v_mw} of {scale} on {}", exec.describe());
}

#[test]
fn an_all_fine_band_is_the_fine_grid_bit_for_bit() {
    let grid = scenes::pool(64);
    let on_host = full_on_host(&grid);
    for exec in test_executors() {
        let full = projected(exec, &grid, Method::Full, 1e-6);
        for (factor, width) in [(1, 0), (1, 8), (4, 32)] {
            for coupling in [CORNERS, CENTRES] {
                let banded = projected(exec, &grid, banded(factor, width, coupling, 3), 1e-6);
                assert_eq!(banded.course.unknowns, full.course.unknowns);
                assert!(banded.pressure == full.pressure && banded.u == full.u, "{factor}, {width}, {coupling:?}");
            }
        }
        let off = error(&grid, &full.u, &on_host);
        println!("{}: full solve against the host in f64 {off:.1e}", exec.describe());
        assert!(off < 1e-5, "{off}");
    }
}

/// f32 rounds 6e-8 of a number off. Measured: errors of at most 6e-7 of the largest pressure, and a divergence of at
/// most 1e-4 of g/Δx, which is about 4 units in the last place of the pressure on each face.
#[test]
fn still_water_stays_still() {
    let mut worst = [0.0_f64; 2];
    for cells in [[50, 50, 1], [14, 50, 16]] {
        let mut grid = FineGrid::new(cells, 0.1);
        grid.set_phi(|x| x[1] - 4.0321);
        grid.add_solids(|c| c[0] < 4 && c[1] < 7);
        let falling = grid.face_field_from(|axis, _| if axis == 1 { -9.81 } else { 0.0 });
        let deepest = 9.81 * 4.0321;
        for exec in physics_executors() {
            for (coupling, bands) in [(CORNERS, [(2, 1), (4, 8), (8, 2)]), (CENTRES, [(2, 2), (4, 8), (4, 4)])] {
                for ((factor, width), sweeps) in bands.into_iter().flat_map(|band| [(band, 0), (band, 3)]) {
                    let mut u = falling.clone();
                    let mut pressure = vec![0.0; grid.phi.len()];
                    let method = banded(factor, width, coupling, sweeps);
                    let (course, system) = project_on(exec, &grid, &mut u, UNIT, method, 1e-7, &mut pressure).unwrap();
                    assert!(course.converged);
                    let wet = (0..pressure.len()).filter(|c| grid.is_liquid(*c));
                    let off = wet.map(|c| (pressure[c] - 9.81 * -grid.phi[c]).abs()).fold(0.0, f64::max) / deepest;
                    let left = grid.divergence(&system, &u).largest / (9.81 / grid.spacing());
                    let what = || format!("{} {cells:?} {factor} {width} {coupling:?} {sweeps}", exec.describe());
                    assert!(off < 1e-6, "{}: {off}", what());
                    assert!(left < 2e-4, "{}: {left}", what());
                    worst = [worst[0].max(off), worst[1].max(left)];
                }
            }
        }
    }
    println!("pressure off by {:.1e} of the largest, divergence {:.1e} of g/h", worst[0], worst[1]);
}

/// The host solves to 1e-10 in f64, so that the difference is that of the executor: its tolerance of 1e-6, and
/// rounding.
#[test]
fn no_volume_is_made_and_the_host_is_followed() {
    for grid in [scenes::column(80, false), scenes::pool(80), scenes::column(32, true)] {
        let cells = grid.phi.len() as f64;
        let mut worst = [0.0_f64; 2];
        for (factor, coupling, sweeps) in
            [2, 4].into_iter().flat_map(|f| [(f, CORNERS, 0), (f, CORNERS, 3), (f, CENTRES, 0), (f, CENTRES, 3)])
        {
            let method = banded(factor, 4, coupling, sweeps);
            let mut host = scenes::velocity(&grid);
            project::<f64>(&grid, &mut host, UNIT, method, 1e-10, &mut vec![0.0; grid.phi.len()]);
            for exec in physics_executors() {
                let here = projected(exec, &grid, method, 1e-6);
                let (source, off) = (here.divergence.sum.abs() / cells, error(&grid, &here.u, &host));
                assert!(source < 1e-8, "{method:?} on {}: {:?}", exec.describe(), here.divergence); // 1e-6 is asked for
                assert!(off < 1e-5, "{method:?} on {}: {off}", exec.describe());
                worst = [worst[0].max(source), worst[1].max(off)];
            }
        }
        println!("{:?}: net source {:.1e} per cell, {:.1e} from the host", grid.cells(), worst[0], worst[1]);
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let grid = scenes::column(48, true);
    let [one, three] = [1, 3].map(|threads| {
        let exec = Executor::from(Cpu::with_threads(threads).unwrap());
        projected(&exec, &grid, banded(2, 4, CORNERS, 3), 1e-6)
    });
    assert!(one.pressure == three.pressure && one.u == three.u);
}

#[test]
fn multigrid_needs_few_iterations_in_any_geometry() {
    for (grid, most) in [
        (scenes::column(128, false), 9),
        (scenes::pool(128), 9),
        (scenes::column(48, true), 9),
        (odd_grid([121, 90, 1]), 12),
    ] {
        for exec in physics_executors() {
            let mut seen = Vec::new();
            for (factor, coupling) in [1, 2, 4].into_iter().flat_map(|f| [(f, CORNERS), (f, CENTRES)]) {
                let course = projected(exec, &grid, banded(factor, 8, coupling, 0), 1e-6).course;
                seen.push(course.iterations);
                assert!(course.iterations <= most, "{:?}, {factor}, {coupling:?}: {course:?}", grid.cells());
            }
            println!("{} {:?}: {seen:?} iterations", exec.describe(), grid.cells());
        }
    }
}

#[test]
fn a_warm_start_saves_iterations() {
    let grid = scenes::pool(96);
    for exec in test_executors() {
        for coupling in [CORNERS, CENTRES] {
            let method = banded(4, 8, coupling, 0);
            let cold = projected(exec, &grid, method, 1e-5);
            let warm = projected_from(exec, &grid, method, 1e-5, cold.pressure.clone());
            let counts = [cold.course.iterations, warm.course.iterations];
            assert!(counts[1] < counts[0], "{counts:?} with {coupling:?}");
        }
    }
}

#[test]
fn the_history_is_that_of_the_solve() {
    let grid = scenes::pool(96);
    let system = grid.system::<f64>();
    let reduced = Reduced::new(&grid, &system, shape(2, 8, Surface::Fine), CENTRES);
    let u = scenes::velocity(&grid);
    for exec in test_executors() {
        let device = DeviceReduced::new(exec, &grid, &system, &reduced, 30).unwrap();
        device.set_velocity(exec, &u).unwrap();
        let solved = || {
            let mut rec = exec.record();
            rec.clear(device.pressure()).unwrap();
            device.rhs(&mut rec, UNIT).unwrap();
            device.solve(&mut rec, 1e-5).unwrap();
            rec.submit().unwrap();
            (device.report(exec).unwrap(), exec.read(&device.vectors.x).unwrap())
        };
        let (report, x) = solved();
        assert!(report.converged && report.residuals.len() == report.iterations + 1);
        assert_eq!(solved(), (report.clone(), x.clone()), "a second solve has the same bits");
        // The bound is a share of the fine right-hand side, as on the host.
        let b = exec.read(device.right_hand_side()).unwrap();
        let largest = b.iter().fold(0.0_f64, |m, b| m.max(f64::from(b.abs())));
        let last = report.residual();
        assert!(last <= 1.001e-5 * largest && report.residuals[report.iterations - 1] > 1e-5 * largest);
        // Afresh and in f64: off by what rounding the pressure to f32 makes of it.
        let double = |v: &[f32]| v.iter().map(|v| f64::from(*v)).collect::<Vec<f64>>();
        let rhs = double(&exec.read(&device.vectors.rhs).unwrap());
        let afresh = largest_residual(&reduced.matrix, &rhs, &double(&x));
        println!("{}: {:?}, afresh {afresh:.1e}, b {largest:.1e}", exec.describe(), report.residuals);
        let pressure = x.iter().fold(0.0_f64, |m, x| m.max(f64::from(x.abs())));
        assert!(
            afresh < 2.0 * last + 8.0 * f64::from(f32::EPSILON) * pressure,
            "{afresh} afresh, {last} by recurrence"
        );
    }
}

/// Errors in percent without and with three sweeps, against the full solve on the host.
fn errors(exec: &Executor, grid: &FineGrid, full: &FaceField, factor: usize) -> [f64; 2] {
    [0, 3].map(|sweeps| 100.0 * error(grid, &projected(exec, grid, banded(factor, 8, CENTRES, sweeps), 1e-6).u, full))
}

#[test]
fn the_table_of_methods() {
    let scenes = [scenes::column(128, false), scenes::pool(128)];
    for (grid, expected) in scenes.iter().zip([[0.4, 4.4], [0.6, 7.9]]) {
        let full = full_on_host(grid);
        for exec in test_executors() {
            let table = [2, 4].map(|factor| errors(exec, grid, &full, factor));
            println!(
                "{}: f 2 {:.3} {:.3}, f 4 {:.3} {:.3}",
                exec.describe(),
                table[0][0],
                table[0][1],
                table[1][0],
                table[1][1]
            );
            for ([bare, smooth], expected) in table.into_iter().zip(expected) {
                assert!((bare / expected - 1.0).abs() <= 0.2, "{bare:.3} % instead of {expected} %");
                assert!(smooth < 0.42 * bare, "{smooth:.3} % of {bare:.3} % are left by three sweeps");
            }
            let growth = table[1][0] / table[0][0];
            assert!((9.0..15.0).contains(&growth), "the error grows {growth}-fold from f = 2 to 4");
        }
    }
}

/// Change of the area in percent after 500 steps.
fn drift(mut step: impl FnMut(&mut Demo, f64) -> Course) -> f64 {
    let mut demo = Demo::slosh(64, 4.0);
    demo.warm = true;
    let before = demo.volume();
    for _ in 0..500 {
        let dt = demo.dt(0.5).min(0.01);
        assert!(step(&mut demo, dt).converged);
    }
    100.0 * (demo.volume() / before - 1.0)
}

fn sloshing(exec: &Executor, method: Method) {
    static FULL: OnceLock<f64> = OnceLock::new();
    let full = *FULL.get_or_init(|| drift(|demo, dt| demo.step(dt, Method::Full).course));
    let begin = std::time::Instant::now();
    let drift = drift(|demo, dt| {
        let project = |grid: &FineGrid, u: &mut FaceField, how, tolerance, pressure: &mut [f64]| {
            project_on(exec, grid, u, how, method, tolerance, pressure).map(|(course, _)| course)
        };
        demo.step_with(dt, project).unwrap().course
    });
    println!("{} {method:?}: {drift:+.3} %, full {full:+.3} %, {:?}", exec.describe(), begin.elapsed());
    assert!(drift.abs() < 0.2 && (drift - full).abs() < 0.05, "{method:?}: {drift} %, full {full} %");
}

#[test]
fn five_hundred_steps_of_sloshing_keep_the_area_on_the_processor() {
    let exec = Executor::cpu().unwrap();
    for method in [banded(2, 8, CORNERS, 3), banded(4, 8, CORNERS, 3), banded(2, 8, CENTRES, 0)] {
        sloshing(&exec, method);
    }
}

#[test]
fn five_hundred_steps_of_sloshing_keep_the_area_on_a_real_gpu() {
    for exec in physics_executors().into_iter().filter(|exec| matches!(exec, Executor::Gpu(_))) {
        for method in [banded(2, 8, CORNERS, 3), banded(2, 8, CENTRES, 0)] {
            sloshing(exec, method);
        }
    }
}

#[test]
fn what_has_no_executor_version_is_refused() {
    let grid = scenes::column(16, false);
    let exec = Executor::cpu().unwrap();
    let untouched = scenes::velocity(&grid);
    let band = shape(2, 2, Surface::Fine);
    let cholesky = Solver::IncompleteCholesky;
    for method in [
        Method::Band { shape: band, coupling: Coupling::Losasso, solver: Solver::Multigrid, sweeps: 0 },
        Method::Band { shape: band, coupling: CORNERS, solver: cholesky, sweeps: 0 },
        Method::PressureSmoothing { factor: 2, width: 2, prolongation: Prolongation::Copied, sweeps: 3 },
        Method::VelocityInterpolation { factor: 2, width: 2 },
    ] {
        let mut u = untouched.clone();
        let refused = project_on(&exec, &grid, &mut u, UNIT, method, 1e-5, &mut vec![0.0; grid.phi.len()]);
        assert!(matches!(refused, Err(BandError::HostOnly { .. })), "{method:?}");
        assert_eq!(u, untouched);
    }
    let system = grid.system::<f64>();
    let losasso = Reduced::new(&grid, &system, band, Coupling::Losasso);
    assert!(matches!(DeviceReduced::new(&exec, &grid, &system, &losasso, 1), Err(BandError::HostOnly { .. })));
}

#[test]
fn nothing_coarse_and_nothing_wet_are_no_problem() {
    for exec in test_executors() {
        let mut grid = FineGrid::new([8, 8, 1], 1.0);
        let dry = projected(exec, &grid, banded(2, 1, CORNERS, 3), 1e-6);
        assert_eq!((dry.course.unknowns, dry.course.iterations), (0, 0));
        grid.phi[3 + 8 * 4] = -0.5; // a drop of one cell
        let drop = projected(exec, &grid, banded(4, 0, CENTRES, 0), 1e-6);
        assert!(drop.course.unknowns == 1 && drop.divergence.largest < 1e-6, "{:?}", drop.divergence);
    }
}
