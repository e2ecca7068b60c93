use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};
use thalweg_pressure::Csr;
use thalweg_pressure::parts::device::{PARTIALS, reduction_groups, slot, sum};

use super::{ADD, BLEND, Multiply, MultiplyDot, Relax, Residual, Rest, RowsParams, SET};
use crate::narrow_band::device::matrix::DeviceMatrix;

fn rows(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    // Fewer rows than a workgroup, no multiple of one, and more than the reductions have invocations.
    for rows in [5_usize, 700, 300_000] {
        let rng = &mut rng.clone();
        let entries = (0..rows).map(|r| {
            let mut row: Vec<(u32, f64)> =
                (0..rng.below(9)).map(|_| (rng.below(rows as u32), rng.range(-1.0, 1.0).into())).collect();
            row.push((r as u32, 4.0));
            row
        });
        let csr = Csr::from_rows(rows, entries);
        let a = DeviceMatrix::new(exec, "test", &csr)?;
        let DeviceMatrix { row_start, columns, values, .. } = &a;
        let row_sum = &exec.buffer_from("row_sum", &rng.f32s(rows, 0.0, 1.0))?;
        let [x, b] = ["x", "b"].map(|name| exec.buffer_from(name, &rng.f32s(rows, -1.0, 1.0)));
        let (x, b) = (&x?, &b?);
        let weights: Vec<f32> = rng.f32s(rows, -0.2, 0.8).iter().map(|w| w.max(0.0)).collect();
        let weight = &exec.buffer_from("weight", &weights)?;
        let sentinel = vec![f32::NAN; rows];
        let [set, blend, rest, fresh, relaxed, r, y] =
            ["set", "blend", "rest", "fresh", "relaxed", "r", "y"].map(|name| exec.buffer_from(name, &sentinel));
        let added = &exec.buffer_from("added", &rng.f32s(rows, -1.0, 1.0))?;
        let (rest, fresh, relaxed, r) = (&rest?, &fresh?, &relaxed?, &r?);
        let partials = &exec.buffer::<f32>("partials", slot::COUNT * PARTIALS)?;
        let groups = reduction_groups(rows) as u32;
        let p = |mode: u32| RowsParams { rows: rows as u32, groups, mode, omega: 0.7 };
        let (each, some) = (Dispatch::Elements(rows), Dispatch::Groups([groups, 1, 1]));
        let (set, blend, y) = (&set?, &blend?, &y?);
        let mut rec = exec.record();
        rec.run(&Multiply { row_start, columns, values, x, y: set }, &p(SET), each)?;
        rec.run(&Multiply { row_start, columns, values, x, y: blend }, &p(BLEND), each)?;
        rec.run(&Multiply { row_start, columns, values, x, y: added }, &p(ADD), each)?;
        rec.run(&Rest { row_start, columns, values, x, b, r: rest }, &p(SET), each)?;
        rec.run(&Relax { row_start, columns, values, x, b, relaxed: fresh, weight }, &p(SET), each)?;
        rec.run(&Relax { row_start, columns, values, x, b, relaxed, weight }, &p(ADD), each)?;
        rec.run(&Residual { row_start, columns, values, row_sum, x, partials, b, r }, &p(SET), some)?;
        rec.run(&MultiplyDot { row_start, columns, values, row_sum, x, partials, y }, &p(SET), some)?;
        rec.submit()?;
        // Up to ten terms of size 4, with or without fused products.
        let close = Tolerance::Absolute(4e-6);
        for (name, buffer) in [
            ("set", set),
            ("blend", blend),
            ("added", added),
            ("rest", rest),
            ("fresh", fresh),
            ("relaxed", relaxed),
            ("r", r),
            ("y", y),
        ] {
            out.f32(name, exec.read(buffer)?, close);
        }
        let words = exec.read(partials)?;
        let largest = words[slot::MAX_R * PARTIALS..][..groups as usize].iter().fold(0.0_f32, |a, b| a.max(*b));
        // Sums of many terms of both signs: relative to their number.
        let dot = sum(&words, slot::PQ, groups) as f32 / rows as f32;
        out.f32("largest and x·y", vec![largest, dot], close);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    rows: 2 seeds,
}
