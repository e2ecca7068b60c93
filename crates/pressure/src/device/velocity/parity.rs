use thalweg_columns::{ColumnGrid, Shape};
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Buffer, Executor, Result};

use super::{AboveTop, DeviceRemesh, DeviceStaggered};
use crate::device::layout::plane;
use crate::device::testing::{Scene, random_scene};
use crate::device::{DeviceHierarchy, DeviceOptions};
use crate::host::HierarchyOptions;
use crate::level::Level;
use crate::velocity::FaceVelocity;

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

pub(super) fn random_velocity(rng: &mut Rng, shape: Shape) -> FaceVelocity<f32> {
    FaceVelocity { faces: rng.f32s(3 * shape.len(), -1.0, 1.0), inner: rng.f32s(shape.columns(), -1.0, 1.0) }
}

/// Velocities in the memory of an executor.
pub(super) struct Velocity {
    pub(super) faces: Buffer<f32>,
    pub(super) inner: Buffer<f32>,
}

impl Velocity {
    pub(super) fn new(exec: &Executor, u: &FaceVelocity<f32>) -> Self {
        let faces = exec.buffer_from("u", &u.faces).expect("memory");
        Self { faces, inner: exec.buffer_from("inner", &u.inner).expect("memory") }
    }

    pub(super) fn read(&self, exec: &Executor) -> FaceVelocity<f32> {
        FaceVelocity {
            faces: exec.read(&self.faces).expect("a buffer"),
            inner: exec.read(&self.inner).expect("a buffer"),
        }
    }

    #[cfg(test)]
    pub(super) fn write(&self, exec: &Executor, u: &FaceVelocity<f32>) {
        exec.write(&self.faces, 0, &u.faces).expect("memory");
        exec.write(&self.inner, 0, &u.inner).expect("memory");
    }

    pub(super) fn buffers(&self) -> [&Buffer<f32>; 2] {
        [&self.faces, &self.inner]
    }
}

// ---- the operators, each by itself

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
    let u = Velocity::new(exec, u);
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

// ---- transfers, each by itself

/// The same terrain, other tall cells: grown by the regular cells at most, so that the new runs lie in the old columns;
/// some columns stay as they are.
pub(super) fn remeshed(rng: &mut Rng, old: &ColumnGrid) -> ColumnGrid {
    let terrain: Vec<i32> = old.heights.iter().map(|h| h[0]).collect();
    let tall: Vec<i32> = old
        .heights
        .iter()
        .map(|h| match rng.below(4) {
            0 => h[1] - h[0],
            _ => (h[1] - h[0] - 9 + rng.below(10 + old.shape.regular as u32) as i32).max(2),
        })
        .collect();
    ColumnGrid::new(old.shape, old.cell, &terrain, &tall).expect("memory")
}

/// Moves velocities and a field (by both rules) on an executor.
pub(super) fn transfer(
    exec: &Executor,
    old: &ColumnGrid,
    new: &ColumnGrid,
    u: &FaceVelocity<f32>,
    field: &[f32],
) -> (FaceVelocity<f32>, [Vec<f32>; 2]) {
    let heights = [old, new].map(|grid| exec.buffer_from("heights", &grid.heights).expect("memory"));
    let remesh = DeviceRemesh { shape: old.shape, old: &heights[0], new: &heights[1] };
    let nan = FaceVelocity { faces: vec![f32::NAN; u.faces.len()], inner: vec![f32::NAN; u.inner.len()] };
    let (from, to) = (Velocity::new(exec, u), Velocity::new(exec, &nan));
    let from_field = exec.buffer_from("field", field).expect("memory");
    let to_fields = [0, 1].map(|_| exec.buffer_from("moved", &vec![f32::NAN; field.len()]).expect("memory"));
    let mut rec = exec.record();
    remesh.transfer_faces(&mut rec, from.buffers(), to.buffers()).expect("recorded");
    remesh.transfer_cells(&mut rec, AboveTop::Constant, &from_field, &to_fields[0]).expect("recorded");
    remesh.transfer_cells(&mut rec, AboveTop::Distance, &from_field, &to_fields[1]).expect("recorded");
    rec.submit().expect("done");
    (to.read(exec), to_fields.map(|moved| exec.read(&moved).expect("a buffer")))
}

/// Old and new heights, random velocities and a random field.
pub(super) fn random_remesh(rng: &mut Rng, number: u64) -> (ColumnGrid, ColumnGrid, FaceVelocity<f32>, Vec<f32>) {
    let old = scene(rng, number).grid;
    // Any other heights, terrain included, in some: then runs reach below and above the old columns.
    let new = if rng.below(3) == 0 { scene(rng, number).grid } else { remeshed(rng, &old) };
    let u = random_velocity(rng, old.shape);
    let field = rng.f32s(old.shape.len(), -1.0, 1.0);
    (old, new, u, field)
}

/// Means and slopes over dozens of cells; a level set that goes on over the top is as large as the column is high.
fn transfers(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        for _ in 0..number {
            rng.next_u64();
        }
        let (old, new, u, field) = random_remesh(rng, number);
        let (moved, [constant, distance]) = transfer(exec, &old, &new, &u, &field);
        let close = Tolerance::Mixed { absolute: 3e-6, relative: 3e-6 };
        out.f32("faces", moved.faces, close);
        out.f32("inner", moved.inner, close);
        out.f32("constant", constant, close);
        out.f32("distance", distance, close);
    }
    Ok(())
}

/// World cells of a line: of its first value, and one past its last.
#[cfg(test)]
pub(super) fn range(span: crate::velocity::ColumnSpan) -> std::ops::Range<i32> {
    let [bottom, top] = span.heights;
    bottom..bottom.max(top) + span.regular as i32
}

thalweg_compute::parity_cases! {
    operators: 4 seeds,
    transfers: 4 seeds,
}
