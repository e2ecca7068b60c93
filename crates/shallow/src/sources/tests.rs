use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{add_sources, shape};
use crate::clock::word;
use crate::physics::depth;
use crate::testing::{case, volume};

#[test]
fn sources_add_their_rate_and_drains_take_no_more_than_there_is() {
    for exec in test_executors() {
        for (seed, rate) in [(1, 0.4), (2, -0.4), (3, -1e3), (4, 0.0)] {
            let rng = &mut Rng::new(seed);
            let c = case(rng, (47, 31), 0.9);
            let p = shape(rng, &c, seed % 2 == 0);
            let (state, exchanged) = add_sources(exec, &c, &p, rate).unwrap();
            let cells = c.bed.len();
            let asked = f64::from(c.clock[word::DT] * rate);
            for at in 0..cells {
                let (i, k) = (at as u32 % p.nx, at as u32 / p.nx);
                let inside = (p.x0..p.x0 + p.width).contains(&i) && (p.z0..p.z0 + p.height).contains(&k);
                let (old, new) = (depth(c.state[at], c.bed[at]), depth(state[at], c.bed[at]));
                let wanted = if inside && p.covers(i, k) { (f64::from(old) + asked).max(0.0) } else { f64::from(old) };
                assert!(new >= 0.0 && (f64::from(new) - wanted).abs() < 5e-7, "cell ({i}, {k}): {new} of {wanted} m");
                let speed = |state: &[f32], h: f32| state[at + cells] / h;
                if rate < 0.0 && new > 1e-3 {
                    assert!((speed(&state, new) - speed(&c.state, old)).abs() < 1e-3, "a drain changes no velocity");
                } else if rate >= 0.0 {
                    assert_eq!(state[at + cells], c.state[at + cells], "poured water brings no momentum");
                }
            }
            let gained = volume(&state[..cells], &c.bed) - volume(&c.state[..cells], &c.bed);
            let counted = exchanged.iter().map(|&v| f64::from(v)).sum::<f64>() / f64::from(p.area);
            assert!((gained - counted).abs() < 1e-7 * cells as f64, "{}: {gained} {counted}", exec.describe());
        }
    }
}
