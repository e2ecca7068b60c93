use thalweg_compute::parity::{Rng, Tolerance, assert_parity, test_executors};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::testing::{Case, SENTINEL, SIZES, case, launch, unwritten};

fn params(c: &Case) -> StatsParams {
    StatsParams { cells: c.bed.len() as u32, gravity: 9.81, h_eps: c.params.h_eps, wet_depth: 5e-5 }
}

fn stats(exec: &Executor, c: &Case) -> Result<Vec<f32>> {
    let state = &exec.buffer_from("test.state", &c.state)?;
    let bed = &exec.buffer_from("test.bed", &c.bed)?;
    let sums = &unwritten(exec, (c.bed.len().div_ceil(CHUNK) + 1) * WORDS)?;
    launch(exec, &Stats { state, bed, sums }, &params(c), Dispatch::Elements(c.bed.len()))?;
    exec.read(sums)
}

#[test]
fn sums_parity() {
    assert_parity(5, |exec, rng, out| {
        for size in SIZES {
            // 256 terms of up to 10, summed in pairs on a GPU: eight roundings of 1.2e-7 on up to 500, and
            // terms that rounded differently.
            let tolerance = Tolerance::Mixed { absolute: 2e-4, relative: 3e-6 };
            out.f32(&format!("sums {size:?}"), stats(exec, &case(rng, size, 0.9))?, tolerance);
        }
        Ok(())
    });
}

#[test]
fn sums_agree_with_double_precision() {
    for exec in test_executors() {
        for (seed, size) in SIZES.into_iter().enumerate() {
            let c = case(&mut Rng::new(seed as u64), size, 0.9);
            let sums = stats(exec, &c).unwrap();
            let (found, rest) = sums.split_at(sums.len() - WORDS);
            assert!(rest.iter().all(|&x| x == SENTINEL), "nothing is written past the last chunk");
            let p = params(&c);
            let mut expected = [0.0f64; WORDS];
            let cells = c.bed.len();
            for at in 0..cells {
                let [s, qx, qz] = [0, 1, 2].map(|plane| f64::from(c.state[at + plane * cells]));
                let (z, eps) = (f64::from(c.bed[at]), f64::from(p.h_eps));
                let h = s - z.min(0.0);
                let inverse = 2.0 * h / (h * h + h.max(eps).powi(2));
                let speed2 = (qx * qx + qz * qz) * inverse * inverse;
                expected[0] += h;
                expected[1] += 0.5 * h * speed2;
                // ½ g h (η + z) counted from the datum: η² − z² over a bed below it, h (η + z) over land.
                let eta = s + z.max(0.0);
                expected[2] += 0.5 * 9.81 * if z < 0.0 { eta * eta } else { h * (eta + z) };
                expected[3] += f64::from(u8::from(h > f64::from(p.wet_depth)));
                expected[4] = expected[4].max(speed2.sqrt());
            }
            for word in 0..WORDS {
                let column = found.chunks_exact(WORDS).map(|chunk| f64::from(chunk[word]));
                let total = if word == 4 { column.fold(0.0, f64::max) } else { column.sum::<f64>() };
                let close = 1e-6 * expected[word].abs() + 1e-5;
                assert!((total - expected[word]).abs() < close, "word {word} of {size:?}: {total} {expected:?}");
            }
        }
    }
}
