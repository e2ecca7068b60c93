use thalweg_compute::parity::Rng;

use super::layout::*;
use super::map::{Beyond, Map};

/// Trees for tests of kernels are balanced, and have what kernels could get wrong.
#[test]
fn random_trees_are_balanced_and_varied() {
    let mut seen = [0usize; 6];
    for seed in 0..6 {
        for tree in super::testing::TREES {
            let g = super::testing::random_tree(&mut Rng::new(seed), tree);
            let map = Map(&g.topology);
            let levels = tree.1;
            for slot in 0..g.params.capacity as u32 {
                let Some(place) = map.tile(slot) else {
                    seen[0] += 1;
                    continue;
                };
                assert_eq!(map.slot(place.level, place.x as i32, place.z as i32), slot);
                let shift = levels - 1 - place.level;
                let size = tree.0.map(|n| ((16 * n) >> shift) as i32);
                for (dx, dz) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
                    match map.beyond(place, [dx, dz], size) {
                        Beyond::Outside => seen[1] += 1,
                        Beyond::Same(_) => seen[2] += 1,
                        Beyond::Coarser(_) => seen[3] += 1,
                        Beyond::Finer => {
                            seen[4] += 1;
                            let (x, z) = (2 * (place.x as i32 + dx), 2 * (place.z as i32 + dz));
                            let near = |d: i32| i32::from(d < 0);
                            assert_ne!(map.slot(place.level + 1, x + near(dx), z + near(dz)), NONE, "balanced");
                        }
                    }
                }
            }
            seen[5] += usize::from(g.clock[clock::TICKS] > 2.0);
        }
    }
    println!("free slots, sides by what lies beyond, rounds with long steps: {seen:?}");
    assert!(seen[..5].iter().all(|&n| n > 100) && seen[5] > 3, "{seen:?}");
}
