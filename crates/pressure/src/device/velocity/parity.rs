use thalweg_columns::FaceVelocity;
use thalweg_columns::testing::{FaceBuffers, random_velocity};
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};

use super::DeviceStaggered;
use crate::constants::plane;
use crate::device::testing::{Scene, random_scene};
use crate::device::{DeviceHierarchy, DeviceOptions};
use crate::host::HierarchyOptions;
use crate::level::Level;

/// Edge of a cell, m: no power of two, so that a forgotten factor or a wrong rounding shows.
pub(super) const CELL: f64 = 0.3;

pub(super) fn options() -> DeviceOptions {
    let hierarchy = HierarchyOptions { border_sweeps: 0, ..Default::default() };
    DeviceOptions { hierarchy, ..Default::default() }
}

pub(super) fn host_level(scene: &Scene) -> Level<f32> {
    let HierarchyOptions { theta_min, discretisation, .. } = options().hierarchy;
    Level::new(scene.grid.clone(), scene.fields.clone(), theta_min, discretisation)
}

/// A random scene with cells of [`CELL`].
pub(super) fn scene(rng: &mut Rng, number: u64) -> Scene {
    let mut scene = random_scene(rng, number);
    scene.grid.cell = CELL;
    scene
}

/// What the three kernels make of random velocities and a random pressure.
pub(super) struct Operated {
    pub(super) aperture: Vec<f32>,
    pub(super) b: Vec<f32>,
    pub(super) u: FaceVelocity<f32>,
}

/// Random input of the operators; solids move in every other one.
pub(super) struct Input {
    pub(super) level: Level<f32>,
    pub(super) u: FaceVelocity<f32>,
    pub(super) q: Vec<f32>,
    pub(super) solid: Vec<f32>,
}

pub(super) fn input(rng: &mut Rng, number: u64) -> Input {
    let level = host_level(&scene(rng, number));
    let shape = level.grid.shape;
    let u = random_velocity(rng, shape);
    let q = level.diagonal.iter().map(|d| if *d > 0.0 { rng.range(-1.0, 1.0) } else { 0.0 }).collect();
    let solid = if rng.below(2) == 0 { rng.f32s(3 * shape.len(), -1.0, 1.0) } else { Vec::new() };
    Input { level, u, q, solid }
}

pub(super) fn operate(exec: &Executor, input: &Input) -> Operated {
    let Input { level, u, q, solid } = input;
    let h = DeviceHierarchy::new(exec, &level.grid, &level.fields, options()).expect("memory");
    // The same conductances everywhere: parity is about these kernels, not about those that built the level.
    exec.write(h.matrix(), 0, &level.weights).expect("memory");
    exec.write(h.cells(), plane::DIAGONAL * h.samples(), &level.diagonal).expect("memory");
    let operators = DeviceStaggered::new(exec, &h, CELL, !solid.is_empty()).expect("memory");
    exec.write(operators.solids(), 0, solid).expect("memory");
    let u = FaceBuffers::new(exec, u);
    let b = exec.buffer_from("b", &vec![f32::NAN; q.len()]).expect("memory");
    let q = exec.buffer_from("q", q).expect("memory");
    let mut rec = exec.record();
    operators.rhs(&mut rec, &h, &u.faces, &u.inner, &b).expect("recorded");
    operators.update(&mut rec, &h, &q, &u.faces, &u.inner).expect("recorded");
    rec.submit().expect("done");
    Operated {
        aperture: exec.read(operators.aperture()).expect("a buffer"),
        b: exec.read(&b).expect("a buffer"),
        u: u.read(exec),
    }
}

/// Right-hand sides sum up fluxes over dozens of faces. Updates divide by a θ down to 0.01, and a fit over a nearly
/// closed run by a small determinant.
fn operators(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        for _ in 0..number {
            rng.next_u64(); // another scene for every number
        }
        let got = operate(exec, &input(rng, number));
        out.f32("aperture", got.aperture, Tolerance::Exact);
        out.f32("b", got.b, Tolerance::Mixed { absolute: 1e-5, relative: 1e-5 });
        let close = Tolerance::Mixed { absolute: 1e-5, relative: 1e-5 };
        out.f32("faces", got.u.faces, close);
        out.f32("inner", got.u.inner, close);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    operators: 4 seeds,
}
