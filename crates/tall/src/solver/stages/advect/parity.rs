use thalweg_columns::grid::world_cell;
use thalweg_columns::{Heights, Shape};
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Buffer, Dispatch, Executor, Result};

use super::{Advect, AdvectParams, Centre, Correct, Increment};
use crate::solver::surface::level_set::advect::{FineLevelSet, LevelSet, SHARP};
use crate::solver::surface::level_set::fine::{FineGrid, fine_heights};

/// A random grid with flow and a wavy surface.
pub(super) struct Case {
    pub(super) shape: Shape,
    pub(super) heights: Vec<Heights>,
    pub(super) phi: Vec<f32>,
    pub(super) faces: Vec<f32>,
    pub(super) inner: Vec<f32>,
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

pub(super) fn params(shape: Shape, cells_per_speed: f32) -> AdvectParams {
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
pub(super) struct Advected {
    pub(super) centres: Vec<[f32; 4]>,
    #[cfg(test)]
    pub(super) changes: Vec<[f32; 4]>,
    pub(super) faces: Vec<f32>,
    pub(super) inner: Vec<f32>,
    pub(super) moved: Vec<f32>,
}

pub(super) fn run(exec: &Executor, case: &Case, p: &AdvectParams) -> Result<Advected> {
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
        #[cfg(test)]
        changes: exec.read(departures)?,
        faces: exec.read(faces)?,
        inner: exec.read(inner)?,
        moved: exec.read(moved)?,
    })
}

fn advection(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..12 {
        let rng = &mut rng.clone();
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
    }
    Ok(())
}

/// The fine level set after a step.
pub(super) fn run_fine(exec: &Executor, case: &Case, fine: &[f32], p: &AdvectParams) -> Result<Vec<f32>> {
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

fn fine_level_set(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..12 {
        let rng = &mut rng.clone();
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
    }
    Ok(())
}

/// Changes, with those near zero kept as they are.
fn trimmed(after: &[f32], before: &[f32]) -> Vec<f32> {
    after.iter().zip(before).map(|(a, b)| a - b).collect()
}

thalweg_compute::parity_cases! {
    advection: 2 seeds,
    fine_level_set: 2 seeds,
}
