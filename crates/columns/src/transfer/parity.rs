use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};

use super::{AboveTop, DeviceRemesh};
use crate::testing::{FaceBuffers, random_grid, random_velocity};
use crate::{ColumnGrid, FaceVelocity};

/// A random grid, with cells whose edge is no power of two, so that a forgotten factor or a wrong rounding shows.
pub(super) fn grid(rng: &mut Rng, number: u64) -> ColumnGrid {
    ColumnGrid { cell: 0.3, ..random_grid(rng, number).grid }
}

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
    let (from, to) = (FaceBuffers::new(exec, u), FaceBuffers::new(exec, &nan));
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
    let old = grid(rng, number);
    // Any other heights, terrain included, in some: then runs reach below and above the old columns.
    let new = if rng.below(3) == 0 { grid(rng, number) } else { remeshed(rng, &old) };
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
pub(super) fn range(span: super::ColumnSpan) -> std::ops::Range<i32> {
    let [bottom, top] = span.heights;
    bottom..bottom.max(top) + span.regular as i32
}

thalweg_compute::parity_cases! {
    transfers: 4 seeds,
}
