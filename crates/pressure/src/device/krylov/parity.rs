use thalweg_columns::Heights;
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Advance, Balance, Control, ControlParams, Correct, Dots, Search, Square, VectorParams};
use crate::constants::{PARTIALS, flag, plane, scalar, slot};
use crate::device::cycle::sum;

/// A random system of vectors: tall columns, some samples without an unknown.
fn params(len: usize, samples: usize) -> VectorParams {
    let groups = crate::device::layout::reduction_groups(len) as u32;
    VectorParams { len: len as u32, samples: samples as u32, total: len as u32 + 17, groups, first: 0 }
}

fn iteration(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for (columns, samples, air) in [(3usize, 5usize, 1u32), (1000, 7, 1), (77, 11, 0), (40_000, 9, 0)] {
        let rng = &mut rng.clone();
        let len = columns * samples;
        let p = &params(len, samples);
        let heights: Vec<Heights> = (0..columns).map(|_| [0, 2 + rng.below(5) as i32]).collect();
        let heights = &exec.buffer_from("heights", &heights)?;
        let mut marks = vec![0; flag::COUNT];
        marks[flag::TOUCHES_AIR] = air;
        let marks = &exec.buffer_from("marks", &marks)?;
        let mut cells = vec![0.0; plane::COUNT * p.total as usize];
        let mut vectors = [(); 5].map(|()| rng.f32s(len, -1.0, 1.0));
        for at in 0..len {
            if rng.below(5) > 0 {
                cells[plane::DIAGONAL * p.total as usize + at] = 6.0;
            } else {
                vectors.iter_mut().for_each(|v| v[at] = 0.0);
            }
        }
        let cells = &exec.buffer_from("cells", &cells)?;
        let [b, r, q, z, direction] = &vectors;
        let b = &exec.buffer_from("b", b)?;
        let (r, q) = (&exec.buffer_from("r", r)?, &exec.buffer_from("q", q)?);
        let (z, direction) = (&exec.buffer_from("z", z)?, &exec.buffer_from("direction", direction)?);
        let x = &exec.zeros::<f32>("x", len)?;
        let partials = &exec.buffer::<f32>("partials", slot::COUNT * PARTIALS)?;
        let scalars = &exec.buffer_from("scalars", &[7.0f32; 16])?;
        let groups = Dispatch::Groups([p.groups, 1, 1]);
        let mut rec = exec.record();
        rec.run(&Balance { heights, marks, cells, b, partials, scalars }, p, groups)?;
        rec.run(&Dots { heights, scalars, r, q, z, partials }, p, groups)?;
        rec.submit()?;
        let words = exec.read(partials)?;
        let sums = [slot::SUM_B, slot::SUM_M, slot::RZ, slot::QZ, slot::ZM];
        // Sums of many terms of both signs: relative to their number.
        let scale = 1.0 / len as f32;
        let sums = sums.map(|s| sum(&words, s, p.groups) as f32 * scale);
        out.f32("sums", sums.to_vec(), Tolerance::Absolute(3e-6));
        // Known α, old r·z and p·q, or the quotients would compare noise.
        exec.write(scalars, scalar::ALPHA, &[0.5, 3.0])?;
        exec.write(partials, slot::QZ * PARTIALS, &[1.5])?;
        exec.write(partials, slot::PQ * PARTIALS, &[4.0])?;
        exec.write(partials, slot::RZ * PARTIALS, &[2.0])?;
        for s in [slot::QZ, slot::PQ, slot::RZ] {
            exec.write(partials, s * PARTIALS + 1, &[0.0; PARTIALS - 1])?;
        }
        let mut rec = exec.record();
        rec.run(&Search { cells, partials, scalars, z, direction }, p, groups)?;
        rec.run(&Advance { direction, q, partials, scalars, x, r }, p, groups)?;
        rec.run(&Square { q, partials }, p, groups)?;
        rec.run(&Correct { cells, partials, scalars, z, x }, p, groups)?;
        rec.submit()?;
        let close = Tolerance::Absolute(3e-6);
        out.f32("direction", exec.read(direction)?, close);
        out.f32("x", exec.read(x)?, close);
        out.f32("r", exec.read(r)?, close);
        out.f32("scalars", exec.read(scalars)?, close);
        let words = exec.read(partials)?;
        let largest = words[slot::MAX_R * PARTIALS..][..p.groups as usize].iter().fold(0.0f32, |a, b| a.max(*b));
        out.f32("largest", vec![largest], close);
        // A sum of squares.
        out.f32("square", vec![sum(&words, slot::PQ, p.groups) as f32], Tolerance::Relative(1e-5));
    }
    Ok(())
}

/// Maxima, comparisons and one product: the same bits.
fn control(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for (groups, kernels, capacity) in [(1, 1, 1), (3, 90, 5), (256, 7, 2), (257, 200, 9), (PARTIALS as u32, 30, 9)] {
        let bound = rng.range(0.0, 0.3);
        let p = ControlParams { groups, kernels, capacity, bound, relative: rng.range(0.0, 0.3) };
        let extents: Vec<u32> = (0..3 * kernels).map(|_| 1 + rng.below(999)).collect();
        let extents = &exec.buffer_from("extents", &extents)?;
        let mut words = vec![0.0f32; scalar::COUNT + capacity as usize];
        words[scalar::BROKEN] = if rng.below(8) == 0 { 1.0 } else { 0.0 };
        let scalars = &exec.buffer_from("scalars", &words)?;
        // One more than the history holds; residuals fall, and may be lost in between.
        for iteration in 0..=capacity {
            let mut partials = rng.f32s(slot::COUNT * PARTIALS, 0.0, 0.5f32.powi(iteration as i32));
            if rng.below(8) == 0 {
                let at = slot::MAX_R * PARTIALS + rng.below(groups) as usize;
                partials[at] = [f32::NAN, f32::INFINITY][rng.below(2) as usize];
            }
            let partials = &exec.buffer_from("partials", &partials)?;
            let args = &exec.buffer("args", 3 * kernels as usize)?;
            let mut rec = exec.record();
            rec.run(&Control { partials, extents, scalars, args }, &p, Dispatch::Groups([1, 1, 1]))?;
            rec.submit()?;
            // As bits, for a residual that is not finite is written down as it is.
            out.u32("scalars", exec.read(scalars)?.into_iter().map(f32::to_bits).collect());
            out.u32("args", exec.read(args)?);
        }
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    iteration: 2 seeds,
    control: 8 seeds,
}
