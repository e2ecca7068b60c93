use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{absorb, layer};
use crate::clock::word;
use crate::physics::depth;
use crate::testing::case;

#[test]
fn a_long_step_reaches_the_far_field_and_books_it() {
    for exec in test_executors() {
        for side in 0..4 {
            let rng = &mut Rng::new(u64::from(side));
            let mut c = case(rng, (23, 17), 0.9);
            c.clock[word::DT] = 1e9;
            let p = layer(rng, &c, side);
            let level = c.clock[word::SIDE_VALUES + side as usize];
            let (state, exchanged) = absorb(exec, &c, &p, 0.0).unwrap();
            let cells = c.bed.len();
            for at in 0..cells {
                let (i, k) = (at as u32 % p.nx, at as u32 / p.nx);
                let inside = (p.x0..p.x0 + p.width).contains(&i) && (p.z0..p.z0 + p.height).contains(&k);
                let (s, z) = (state[at], c.bed[at]);
                if !inside || level <= z {
                    assert_eq!(s, c.state[at], "only water of the layer is touched");
                    continue;
                }
                let h = level - z;
                assert!((depth(s, z) - h).abs() < 1e-5, "side {side}: {} of {h} m", depth(s, z));
                let entering = 2.0 * ((9.81 * h).sqrt() - (9.81 * (0.1 - z).max(0.0)).sqrt());
                let inward = if side & 1 == 0 { 1.0 } else { -1.0 };
                let (normal, tangent) = if side < 2 { (1, 2) } else { (2, 1) };
                assert!((state[at + normal * cells] - inward * h * entering).abs() < 1e-4, "side {side}");
                assert_eq!(state[at + tangent * cells], c.state[at + tangent * cells], "tangential flow is left alone");
                let n = ((i - p.x0) + p.width * (k - p.z0) + p.exchanged_start) as usize;
                assert!((exchanged[n] - p.area * (s - c.state[at])).abs() < 1e-6);
            }
        }
    }
}
