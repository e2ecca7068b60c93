use thalweg_compute::parity::{Rng, Tolerance, assert_parity, test_executors};
use thalweg_compute::{Buffer, Dispatch, Executor, Result};
use thalweg_pressure::Shape;
use thalweg_pressure::grid::{Heights, world_cell};

use super::{Advect, AdvectParams, Centre, Correct, FineLevelSet, Increment, LevelSet, SHARP};
use crate::fine::{FineGrid, fine_heights};
use crate::lattice::SideSpan;

/// A random grid with flow and a wavy surface.
struct Case {
    shape: Shape,
    heights: Vec<Heights>,
    phi: Vec<f32>,
    faces: Vec<f32>,
    inner: Vec<f32>,
}

fn random_case(rng: &mut Rng, number: u64) -> Case {
    let shape = Shape {
        nx: 3 + rng.below(9) as usize,
        nz: [1, 2, 5, 7][number as usize % 4],
        regular: 6 + rng.below(9) as usize,
    };
    let n = shape.samples();
    let uniform = number.is_multiple_of(3);
    let heights: Vec<Heights> = (0..shape.columns())
        .map(|_| {
            let ground = rng.below(5) as i32;
            [ground, if uniform { ground + 2 } else { 8 + rng.below(3) as i32 }]
        })
        .collect();
    let surface = if uniform { 6.0 } else { 8.0 + 0.5 * shape.regular as f32 };
    let phi = (0..shape.len())
        .map(|at| (world_cell(heights[at / n], at % n) as f32 - surface + rng.range(-0.8, 0.8)).clamp(-5.0, 5.0))
        .collect();
    Case {
        shape,
        heights,
        phi,
        faces: rng.f32s(3 * shape.len(), -2.0, 2.0),
        inner: rng.f32s(shape.columns(), -2.0, 2.0),
    }
}

fn params(shape: Shape, cells_per_speed: f32) -> AdvectParams {
    AdvectParams {
        nx: shape.nx as u32,
        nz: shape.nz as u32,
        samples: shape.samples() as u32,
        cells_per_speed,
        band: 5.0,
        sharp: SHARP,
    }
}

/// What a step of advection leaves.
struct Advected {
    centres: Vec<[f32; 4]>,
    changes: Vec<[f32; 4]>,
    faces: Vec<f32>,
    inner: Vec<f32>,
    moved: Vec<f32>,
}

fn run(exec: &Executor, case: &Case, p: &AdvectParams) -> Result<Advected> {
    let len = case.shape.len();
    let heights = &exec.buffer_from("heights", &case.heights)?;
    let phi = &exec.buffer_from("phi", &case.phi)?;
    let faces = &exec.buffer_from("faces", &case.faces)?;
    let inner = &exec.buffer_from("inner", &case.inner)?;
    let moved = &exec.buffer("moved", len)?;
    let vectors = |name: &str| -> Result<Buffer<[f32; 4]>> { exec.buffer(name, len) };
    let (centres, hat, departures) = (&vectors("centres")?, &vectors("hat")?, &vectors("departures")?);
    let all = Dispatch::Elements(len);
    let mut rec = exec.record();
    rec.run(&LevelSet { heights, phi, faces, inner, moved, source: phi }, p, Dispatch::Elements(len))?;
    rec.run(&Centre { heights, faces, inner, centres }, p, Dispatch::Elements(len))?;
    rec.run(&Advect { heights, phi, centres, hat, departures }, p, Dispatch::Elements(len))?;
    rec.run(&Correct { heights, phi, centres, hat, departures }, p, all)?;
    rec.run(&Increment { heights, changes: departures, faces, inner }, p, Dispatch::Elements(3 * len))?;
    rec.submit()?;
    Ok(Advected {
        centres: exec.read(centres)?,
        changes: exec.read(departures)?,
        faces: exec.read(faces)?,
        inner: exec.read(inner)?,
        moved: exec.read(moved)?,
    })
}

#[test]
fn advection_parity() {
    for number in 0..12 {
        assert_parity(2, |exec, rng, out| {
            for _ in 0..number {
                rng.next_u64();
            }
            let case = random_case(rng, number);
            let p = params(case.shape, [0.1, 0.7, 2.5][number as usize % 3]);
            let done = run(exec, &case, &p)?;
            let linear = run(exec, &case, &AdvectParams { sharp: 0.0, ..p })?;
            out.f32("moved linearly", linear.moved, Tolerance::Absolute(2e-3));
            // Lerps of numbers of size 2 at points of size 10, through up to eight pieces of a trace in a rough field.
            let close = Tolerance::Absolute(2e-3);
            out.f32("centres", done.centres.as_flattened().to_vec(), Tolerance::Absolute(2e-6));
            out.f32("moved", done.moved, close);
            // Reversion may be decided differently where a value lies on the edge of its range: compare most of them.
            out.f32("faces", trimmed(&done.faces, &case.faces), close);
            out.f32("inner", trimmed(&done.inner, &case.inner), close);
            Ok(())
        });
    }
}

/// The fine level set after a step.
fn run_fine(exec: &Executor, case: &Case, fine: &[f32], p: &AdvectParams) -> Result<Vec<f32>> {
    let heights = &exec.buffer_from("heights", &case.heights)?;
    let phi = &exec.buffer_from("phi", &case.phi)?;
    let faces = &exec.buffer_from("faces", &case.faces)?;
    let inner = &exec.buffer_from("inner", &case.inner)?;
    let (fine, moved) = (&exec.buffer_from("fine", fine)?, &exec.buffer("moved", fine.len())?);
    let mut rec = exec.record();
    rec.run(&FineLevelSet { heights, phi, faces, inner, moved, source: fine }, p, Dispatch::Elements(fine.len()))?;
    rec.submit()?;
    exec.read(moved)
}

#[test]
fn fine_level_set_parity() {
    for number in 0..12 {
        assert_parity(2, |exec, rng, out| {
            for _ in 0..number {
                rng.next_u64();
            }
            let case = random_case(rng, number);
            let grid = FineGrid::new(case.shape);
            let n = grid.shape().samples();
            let height = |at: usize| world_cell(fine_heights(case.heights[grid.coarse_column(at / n)]), at % n) as f32;
            let fine: Vec<f32> =
                (0..grid.shape().len()).map(|at| (height(at) - 18.0 + rng.range(-0.8, 0.8)).clamp(-5.0, 5.0)).collect();
            let p = params(case.shape, [0.1, 0.7, 2.5][number as usize % 3]);
            // As for the columns, with points twice as large.
            out.f32("moved", run_fine(exec, &case, &fine, &p)?, Tolerance::Absolute(4e-3));
            let linear = AdvectParams { sharp: 0.0, ..p };
            out.f32("moved linearly", run_fine(exec, &case, &fine, &linear)?, Tolerance::Absolute(4e-3));
            Ok(())
        });
    }
}

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

/// Changes, with those near zero kept as they are.
fn trimmed(after: &[f32], before: &[f32]) -> Vec<f32> {
    after.iter().zip(before).map(|(a, b)| a - b).collect()
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
