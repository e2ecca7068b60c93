use thalweg_columns::transfer::{DeviceRemesh, transfer_cells};
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};

use super::DeviceCollocated;
use crate::Discretisation;
use crate::constants::plane;
use crate::device::testing::random_scene;
use crate::device::{DeviceHierarchy, DeviceOptions, DeviceStaggered};
use crate::host::HierarchyOptions;
use crate::level::Level;

/// Edge of a cell, m: no power of two, so that a forgotten factor or a wrong rounding shows.
const CELL: f64 = 0.3;

fn options() -> DeviceOptions {
    let discretisation = Discretisation::Collocated;
    let hierarchy = HierarchyOptions { border_sweeps: 0, discretisation, ..Default::default() };
    DeviceOptions { hierarchy, ..Default::default() }
}

/// Random input of the operators; solids move in every other one.
pub(super) struct Input {
    pub(super) level: Level<f32>,
    pub(super) u: Vec<f32>,
    pub(super) q: Vec<f32>,
    pub(super) solid: Vec<f32>,
}

pub(super) fn input(rng: &mut Rng, number: u64) -> Input {
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
pub(super) fn operate(exec: &Executor, input: &Input) -> [Vec<f32>; 2] {
    let Input { level, u, q, solid } = input;
    let h = DeviceHierarchy::new(exec, &level.grid, &level.fields, options()).expect("memory");
    // The same conductances everywhere: parity is about these kernels, not about those that built the level.
    exec.write(h.matrix(), 0, &level.weights).expect("memory");
    exec.write(h.cells(), plane::DIAGONAL * h.samples(), &level.diagonal).expect("memory");
    let faces = DeviceStaggered::new(exec, &h, CELL, !solid.is_empty()).expect("memory");
    exec.write(faces.solids(), 0, solid).expect("memory");
    let operators = DeviceCollocated { faces: &faces };
    let u = exec.buffer_from("u", u).expect("memory");
    let b = exec.buffer_from("b", &vec![f32::NAN; q.len()]).expect("memory");
    let q = exec.buffer_from("q", q).expect("memory");
    let mut rec = exec.record();
    operators.rhs(&mut rec, &h, &u, &b).expect("recorded");
    operators.update(&mut rec, &h, &q, &u).expect("recorded");
    rec.submit().expect("done");
    [exec.read(&b).expect("a buffer"), exec.read(&u).expect("a buffer")]
}

/// Sums of six fluxes; updates divide by a θ down to 0.01.
fn collocated_operators(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        for _ in 0..number {
            rng.next_u64(); // another scene for every number
        }
        let [b, u] = operate(exec, &input(rng, number));
        let close = Tolerance::Mixed { absolute: 1e-5, relative: 1e-5 };
        out.f32("b", b, close);
        out.f32("u", u, close);
    }
    Ok(())
}

/// Three planes are moved like a field of samples.
fn velocities_of_samples_move_to_new_heights(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..8 {
        let rng = &mut rng.clone();
        let [old, new] = [0, 1].map(|_| random_scene(rng, number).grid);
        let len = old.shape.len();
        let u = rng.f32s(3 * len, -1.0, 1.0);
        let heights = [&old, &new].map(|grid| exec.buffer_from("heights", &grid.heights).expect("memory"));
        let from = exec.buffer_from("u", &u)?;
        let to = exec.buffer_from("moved", &vec![f32::NAN; 3 * len])?;
        let mut rec = exec.record();
        let remesh = DeviceRemesh { shape: old.shape, old: &heights[0], new: &heights[1] };
        remesh.transfer_samples(&mut rec, &from, &to)?;
        rec.submit()?;
        let moved = exec.read(&to)?;
        for (plane, moved) in u.chunks(len).zip(moved.chunks(len)) {
            let host = transfer_cells(&old, &new, plane, |top, _| top);
            assert!(moved.iter().zip(host).all(|(a, b)| (a - b).abs() < 1e-5));
        }
        out.f32("moved", moved, Tolerance::Mixed { absolute: 3e-6, relative: 3e-6 });
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    collocated_operators: 4 seeds,
    velocities_of_samples_move_to_new_heights: 2 seeds,
}
