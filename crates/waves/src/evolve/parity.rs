use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Evolve, EvolveParams, FIELDS};

fn evolve(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let count = 2 * 64 * 64;
    let amplitudes: Vec<[f32; 4]> = (0..count).map(|_| std::array::from_fn(|_| rng.range(-1.0, 1.0))).collect();
    let turns = rng.u32s(count, 100_000);
    let amplitudes = exec.buffer_from("amplitudes", &amplitudes)?;
    let turns = exec.buffer_from("turns", &turns)?;
    let fields = exec.buffer_from("fields", &vec![[9.0_f32; 2]; FIELDS * count])?;
    let p = EvolveParams {
        points: 64,
        tiles: 2,
        time: rng.next_u32(),
        step_0: 0.03,
        step_1: 0.1,
        step_2: 0.0,
        step_3: 0.0,
    };
    let mut rec = exec.record();
    let kernel = Evolve { amplitudes: &amplitudes, turns: &turns, fields: &fields };
    rec.run(&kernel, &p, Dispatch::Elements(count))?;
    rec.submit()?;
    // Sines of a GPU are known to 2⁻¹¹ at worst and to 2⁻²¹ in practice; wave numbers are up to 4.5.
    let values = exec.read(&fields)?.into_iter().flatten().collect();
    out.f32("fields", values, Tolerance::Mixed { absolute: 5e-5, relative: 1e-5 });
    Ok(())
}

thalweg_compute::parity_cases! {
    evolve: 4 seeds,
}
