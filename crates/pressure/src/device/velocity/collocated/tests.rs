//! Each kernel on both executors and against the host.

use thalweg_compute::Executor;
use thalweg_compute::parity::Rng;

use super::parity::{Input, input, operate};
use crate::velocity::Collocated;

#[test]
fn collocated_operators_on_the_cpu_executor_are_those_of_the_host() {
    let exec = Executor::cpu().unwrap();
    let mut moving = 0;
    for seed in 0..48 {
        let input = input(&mut Rng::new(seed), seed);
        let [got_b, got_u] = operate(&exec, &input);
        let Input { level, u, q, solid } = &input;
        let host = if solid.is_empty() { Collocated::new(level) } else { Collocated::with_solids(level, solid) };
        let (mut b, mut u) = (vec![f32::NAN; q.len()], u.clone());
        host.rhs(&u, &mut b);
        host.update(q, &mut u);
        assert!(got_b == b, "seed {seed}");
        // The reciprocal of the cell is rounded once more.
        assert!(got_u.iter().zip(&u).all(|(a, b)| (a - b).abs() <= 2e-6 * b.abs().max(1.0)), "seed {seed}");
        moving += usize::from(!solid.is_empty());
    }
    assert!(moving > 10, "{moving} with solids");
}
