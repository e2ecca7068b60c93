use thalweg_columns::Shape;
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};

use super::FarField;
use crate::solver::stages::extrapolate::{CLOSED, FAR};

pub(super) fn filled(exec: &Executor, shape: Shape, known: &[u32], faces: &[f32]) -> Vec<f32> {
    let far = FarField::new(exec, shape).expect("memory");
    let known = exec.buffer_from("known", known).expect("memory");
    let faces = exec.buffer_from("faces", faces).expect("memory");
    let mut rec = exec.record();
    far.record(&mut rec, &known, &faces).expect("recorded");
    rec.submit().expect("done");
    exec.read(&faces).expect("a buffer")
}

/// Sums of up to a few hundred numbers between -1 and 1, in the same order.
fn far_field(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for (nx, nz, regular) in [(1, 1, 6), (13, 1, 7), (1, 9, 6), (8, 8, 9), (17, 5, 6)] {
        let rng = &mut rng.clone();
        let shape = Shape { nx, nz, regular };
        // Few columns know anything, so that all levels are asked.
        let columns: Vec<bool> = (0..shape.columns()).map(|_| rng.below(6) == 0).collect();
        let known: Vec<u32> = (0..3 * shape.len())
            .map(|at| match rng.below(4) {
                0 => CLOSED,
                1 => 0,
                2 if columns[at % shape.len() / shape.samples()] => 1 + rng.below(6),
                _ => FAR,
            })
            .collect();
        let faces = rng.f32s(3 * shape.len(), -1.0, 1.0);
        out.f32("faces", filled(exec, shape, &known, &faces), Tolerance::Absolute(1e-5));
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    far_field: 2 seeds,
}
