//! Random numbers without a state; kernels have them from the shared shader module `thalweg::random`.

/// PCG's output permutation over one LCG step (Jarzynski and Olano 2020).
pub(crate) fn hash_u32(key: u32) -> u32 {
    let state = key.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// Number `which` of something, uniform in [0, 1) with 24 bits.
pub(crate) fn draw(salt: u32, number: u32, which: u32) -> f32 {
    let key = hash_u32(number ^ salt).wrapping_add(which.wrapping_mul(2_654_435_769));
    (hash_u32(key) >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// What makes the numbers of a step and of a use of them differ from all others.
pub(crate) fn salt(seed: u32, step: u64, usage: u32) -> u32 {
    hash_u32(hash_u32(hash_u32(seed) ^ step as u32) ^ (step >> 32) as u32).wrapping_add(usage)
}

#[cfg(test)]
mod tests {
    use super::{draw, salt};

    #[test]
    fn numbers_are_uniform_and_do_not_repeat_from_step_to_step() {
        let (count, mut sum, mut squares) = (100_000, 0.0, 0.0);
        for number in 0..count {
            let x = f64::from(draw(salt(1, 7, 0), number, number % 5));
            assert!((0.0..1.0).contains(&x));
            sum += x;
            squares += x * x;
        }
        let mean = sum / f64::from(count);
        assert!((mean - 0.5).abs() < 4e-3 && (squares / f64::from(count) - 1.0 / 3.0).abs() < 4e-3, "{mean}");
        let same = (0..1000).filter(|n| draw(salt(1, 7, 0), *n, 0) == draw(salt(1, 8, 0), *n, 0)).count();
        assert!(same < 3, "{same} of 1000 numbers repeat");
    }
}
