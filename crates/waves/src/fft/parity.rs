use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};

use super::{record, roots};

pub(super) fn transformed(exec: &Executor, points: u32, values: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let (roots, fields) = (roots(exec, points).expect("memory"), exec.buffer_from("fields", values).expect("memory"));
    let count = values.len() as u32 / (points * points);
    let mut rec = exec.record();
    record(&mut rec, &roots, &fields, points, count).expect("recorded");
    rec.submit().expect("done");
    exec.read(&fields).expect("a buffer")
}

/// Every size; values of order 1 sum to N, so that 1e-3 is a millionth of the largest possible.
fn fft(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for points in [64, 128, 256, 512] {
        let rng = &mut rng.clone();
        let count = (points * points) as usize;
        let values: Vec<[f32; 2]> = (0..count).map(|_| [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)]).collect();
        let found = transformed(exec, points, &values).into_iter().flatten().collect();
        out.f32("fields", found, Tolerance::Mixed { absolute: 1e-3, relative: 1e-5 });
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    fft: 1 seeds,
}
