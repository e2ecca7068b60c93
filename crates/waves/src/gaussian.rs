//! Random numbers by counting: the same wave gets the same number whatever the number of waves is.

/// PCG's output permutation over one LCG step (Jarzynski and Olano 2020, "pcg").
fn hash(key: u32) -> u32 {
    let state = key.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// Two independent numbers of mean 0 and variance 1 that belong to a wave `(n, m)` of a tile.
pub(crate) fn pair(n: i32, m: i32, tile: u32, seed: u32) -> [f64; 2] {
    let key = hash(n as u32 ^ hash(m as u32 ^ hash(tile ^ hash(seed))));
    let unit = |word: u32| (f64::from(word) + 0.5) / 4_294_967_296.0;
    // Box and Muller 1958; the radius needs all of a word, or large waves would come in few sizes.
    let radius = (-2.0 * libm::log(unit(key))).sqrt();
    let angle = std::f64::consts::TAU * unit(hash(key ^ 0x9E37_79B9));
    [radius * libm::cos(angle), radius * libm::sin(angle)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_normal_and_independent() {
        let pairs: Vec<[f64; 2]> = (-100..100).flat_map(|n| (-100..100).map(move |m| pair(n, m, 1, 7))).collect();
        let count = pairs.len() as f64;
        let mean = |value: &dyn Fn(&[f64; 2]) -> f64| pairs.iter().map(value).sum::<f64>() / count;
        // Of 40 000 numbers the mean is known to 0.005, the fourth moment to 0.05: four times that.
        assert!(mean(&|p| p[0]).abs() < 0.02 && mean(&|p| p[1]).abs() < 0.02);
        assert!((mean(&|p| p[0] * p[0]) - 1.0).abs() < 0.03 && (mean(&|p| p[1] * p[1]) - 1.0).abs() < 0.03);
        assert!((mean(&|p| p[0].powi(4)) - 3.0).abs() < 0.2, "{}", mean(&|p| p[0].powi(4)));
        assert!(mean(&|p| p[0] * p[1]).abs() < 0.02);
        let beside = pairs.windows(2).map(|w| w[0][0] * w[1][0]).sum::<f64>() / count;
        assert!(beside.abs() < 0.02, "{beside}");
        assert!(pair(3, -4, 1, 7) != pair(3, -4, 1, 8) && pair(3, -4, 1, 7) != pair(3, -4, 2, 7));
    }
}
