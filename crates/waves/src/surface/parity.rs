use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Surface, SurfaceParams};

fn surface(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let count = 2 * 64 * 64;
    let fields: Vec<[f32; 2]> = (0..4 * count).map(|_| [rng.range(-0.9, 0.9), rng.range(-0.9, 0.9)]).collect();
    let old: Vec<[f32; 4]> = (0..count).map(|_| [9.0, 9.0, 9.0, rng.range(0.0, 1.0)]).collect();
    let fields = exec.buffer_from("fields", &fields)?;
    let moved = exec.buffer_from("moved", &old)?;
    let bent = exec.buffer_from("bent", &vec![[9.0_f32; 4]; count])?;
    let p =
        SurfaceParams { points: 64, tiles: 2, choppiness: 1.1, threshold: 0.5, width: 0.3, keeps: rng.range(0.2, 1.0) };
    let mut rec = exec.record();
    rec.run(&Surface { fields: &fields, moved: &moved, bent: &bent }, &p, Dispatch::Elements(count))?;
    rec.submit()?;
    // Sums and quotients, fused or not; the divisor is at least 0.2.
    let close = Tolerance::Absolute(5e-6);
    out.f32("moved", exec.read(&moved)?.into_iter().flatten().collect(), close);
    out.f32("bent", exec.read(&bent)?.into_iter().flatten().collect(), close);
    Ok(())
}

thalweg_compute::parity_cases! {
    surface: 4 seeds,
}
