//! Each kernel on both executors and against the host.

use thalweg_compute::Executor;
use thalweg_compute::parity::{Rng, Tolerance, assert_parity};

use super::DeviceCollocated;
use crate::Discretisation;
use crate::device::layout::plane;
use crate::device::testing::random_scene;
use crate::device::{DeviceHierarchy, DeviceOptions, DeviceRemesh, DeviceStaggered};
use crate::host::HierarchyOptions;
use crate::level::Level;
use crate::velocity::{self, Collocated};

/// Edge of a cell, m: no power of two, so that a forgotten factor or a wrong rounding shows.
const CELL: f64 = 0.3;

fn options() -> DeviceOptions {
    let discretisation = Discretisation::Collocated;
    let hierarchy = HierarchyOptions { border_sweeps: 0, discretisation, ..Default::default() };
    DeviceOptions { hierarchy, ..Default::default() }
}

/// Random input of the operators; solids move in every other one.
struct Input {
    level: Level<f32>,
    u: Vec<f32>,
    q: Vec<f32>,
    solid: Vec<f32>,
}

fn input(rng: &mut Rng, number: u64) -> Input {
    let mut scene = random_scene(rng, number);
    scene.grid.cell = CELL;
    let HierarchyOptions { theta_min, discretisation, .. } = options().hierarchy;
    let level = Level::new(scene.grid, scene.fields, theta_min, discretisation);
    let len = level.grid.shape.len();
    let u = rng.f32s(3 * len, -1.0, 1.0);
    let q = level.diagonal.iter().map(|d| if *d > 0.0 { rng.range(-1.0, 1.0) } else { 0.0 }).collect();
    let solid = if rng.below(2) == 0 { rng.f32s(3 * len, -1.0, 1.0) } else { Vec::new() };
    Input { level, u, q, solid }
}

/// Right-hand side and updated velocities.
fn operate(exec: &Executor, input: &Input) -> [Vec<f32>; 2] {
    let Input { level, u, q, solid } = input;
    let h = DeviceHierarchy::new(exec, &level.grid, &level.fields, options()).unwrap();
    // The same conductances everywhere: parity is about these kernels, not about those that built the level.
    exec.write(h.matrix(), 0, &level.weights).unwrap();
    exec.write(h.cells(), plane::DIAGONAL * h.samples(), &level.diagonal).unwrap();
    let faces = DeviceStaggered::new(exec, &h, CELL, !solid.is_empty()).unwrap();
    exec.write(faces.solids(), 0, solid).unwrap();
    let operators = DeviceCollocated { faces: &faces };
    let u = exec.buffer_from("u", u).unwrap();
    let b = exec.buffer_from("b", &vec![f32::NAN; q.len()]).unwrap();
    let q = exec.buffer_from("q", q).unwrap();
    let mut rec = exec.record();
    operators.rhs(&mut rec, &h, &u, &b).unwrap();
    operators.update(&mut rec, &h, &q, &u).unwrap();
    rec.submit().unwrap();
    [exec.read(&b).unwrap(), exec.read(&u).unwrap()]
}

/// Sums of six fluxes; updates divide by a θ down to 0.01.
#[test]
fn collocated_operators_parity() {
    for number in 0..16 {
        assert_parity(4, |exec, rng, out| {
            for _ in 0..number {
                rng.next_u64(); // another scene for every number
            }
            let [b, u] = operate(exec, &input(rng, number));
            let close = Tolerance::Mixed { absolute: 1e-5, relative: 1e-5 };
            out.f32("b", b, close);
            out.f32("u", u, close);
            Ok(())
        });
    }
}

#[test]
fn collocated_operators_on_the_cpu_executor_are_those_of_the_host() {
    let exec = Executor::cpu().unwrap();
    let mut moving = 0;
    for seed in 0..48 {
        let input = input(&mut Rng::new(seed), seed);
        let [got_b, got_u] = operate(&exec, &input);
        let Input { level, u, q, solid } = &input;
        let host = if solid.is_empty() { Collocated::new(level) } else { Collocated::with_solids(level, solid) };
        let (mut b, mut u) = (vec![f32::NAN; q.len()], u.clone());
        host.rhs(&u, &mut b);
        host.update(q, &mut u);
        assert!(got_b == b, "seed {seed}");
        // The reciprocal of the cell is rounded once more.
        assert!(got_u.iter().zip(&u).all(|(a, b)| (a - b).abs() <= 2e-6 * b.abs().max(1.0)), "seed {seed}");
        moving += usize::from(!solid.is_empty());
    }
    assert!(moving > 10, "{moving} with solids");
}

/// Three planes go the way of a field of samples.
#[test]
fn velocities_of_samples_move_to_new_heights() {
    for number in 0..8 {
        assert_parity(2, |exec, rng, out| {
            let [old, new] = [0, 1].map(|_| random_scene(rng, number).grid);
            let len = old.shape.len();
            let u = rng.f32s(3 * len, -1.0, 1.0);
            let heights = [&old, &new].map(|grid| exec.buffer_from("heights", &grid.heights).unwrap());
            let from = exec.buffer_from("u", &u)?;
            let to = exec.buffer_from("moved", &vec![f32::NAN; 3 * len])?;
            let mut rec = exec.record();
            let remesh = DeviceRemesh { shape: old.shape, old: &heights[0], new: &heights[1] };
            remesh.transfer_samples(&mut rec, &from, &to)?;
            rec.submit()?;
            let moved = exec.read(&to)?;
            for (plane, moved) in u.chunks(len).zip(moved.chunks(len)) {
                let host = velocity::transfer_cells(&old, &new, plane, |top, _| top);
                assert!(moved.iter().zip(host).all(|(a, b)| (a - b).abs() < 1e-5));
            }
            out.f32("moved", moved, Tolerance::Mixed { absolute: 3e-6, relative: 3e-6 });
            Ok(())
        });
    }
}
