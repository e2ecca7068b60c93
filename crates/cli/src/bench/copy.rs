//! The machine's own copy bandwidth: the yardstick of memory-bound kernels.

use std::time::Instant;

use thalweg::compute::Executor;
use thalweg::compute::primitives::copy_all;

use crate::failure::Outcome;

/// Words of the arrays: larger than any cache.
const WORDS: usize = 1 << 27;
const REPEATS: usize = 7;

/// Best of a few copies, GB/s, counting bytes read and bytes written.
pub(super) fn bandwidth(exec: &Executor) -> Outcome<f64> {
    match exec {
        Executor::Cpu(cpu) => Ok(processor(cpu.threads())),
        Executor::Gpu(_) => device(exec),
    }
}

fn processor(threads: usize) -> f64 {
    let (from, mut to) = (vec![1.0f32; WORDS], vec![0.0f32; WORDS]);
    let share = WORDS.div_ceil(threads);
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        let begin = Instant::now();
        std::thread::scope(|scope| {
            for (to, from) in to.chunks_mut(share).zip(from.chunks(share)) {
                scope.spawn(move || to.copy_from_slice(from));
            }
        });
        best = best.min(begin.elapsed().as_secs_f64());
    }
    (8 * WORDS) as f64 / best * 1e-9
}

/// Several copies in one submission, so that its fixed cost does not count; by a kernel, as drivers' copy
/// engines can be slower than that.
fn device(exec: &Executor) -> Outcome<f64> {
    const COPIES: usize = 16;
    let words = if exec.describe().contains("llvmpipe") { WORDS / 8 } else { WORDS };
    let (a, b) = (exec.buffer::<[f32; 4]>("bench.a", words / 4)?, exec.buffer::<[f32; 4]>("bench.b", words / 4)?);
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        exec.wait()?;
        let begin = Instant::now();
        let mut rec = exec.record();
        for n in 0..COPIES {
            let (from, to) = if n % 2 == 0 { (&a, &b) } else { (&b, &a) };
            copy_all(&mut rec, from, to)?;
        }
        rec.submit()?;
        exec.wait()?;
        best = best.min(begin.elapsed().as_secs_f64());
    }
    Ok((8 * words * COPIES) as f64 / best * 1e-9)
}
