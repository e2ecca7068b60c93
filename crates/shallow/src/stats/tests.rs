use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{params, stats};
use super::*;
use crate::testing::{LEFT_ALONE, SIZES, case};

#[test]
fn sums_agree_with_double_precision() {
    for exec in test_executors() {
        for (seed, size) in SIZES.into_iter().enumerate() {
            let c = case(&mut Rng::new(seed as u64), size, 0.9);
            let sums = stats(exec, &c).unwrap();
            let (found, rest) = sums.split_at(sums.len() - WORDS);
            assert!(rest.iter().all(|&x| x == LEFT_ALONE), "nothing is written past the last chunk");
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
