use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{UNWRITTEN, find_active};
use crate::tree::layout::{MAX_LEVELS, NONE, clock, lists, status};
use crate::tree::map::Map;
use crate::tree::testing::{TREES, random_tree};

#[test]
fn lists_hold_tiles_that_move_and_their_neighbours_in_the_order_of_slots() {
    for exec in test_executors() {
        let (mut awake, mut asleep) = (0, 0);
        for seed in 0..4 {
            let mut g = random_tree(&mut Rng::new(seed), TREES[4]);
            g.clock[clock::RAIN_RATE] = 0.0;
            let p = g.params.active_tiles;
            let capacity = p.capacity as usize;
            let words = find_active(exec, &g).unwrap();
            let places = &words[lists::PLACES..][..capacity];
            for level in 0..MAX_LEVELS {
                let count = words[lists::COUNTS + level] as usize;
                if level >= p.levels as usize {
                    assert_eq!((count, words[lists::SPEEDS + level]), (0, 0));
                    continue;
                }
                let list = &words[lists::PLACES + capacity * (1 + level)..][..capacity];
                let (list, rest) = list.split_at(count);
                assert!(rest.iter().all(|&word| word == UNWRITTEN), "nothing is written past the end");
                assert!(list.windows(2).all(|pair| pair[0] < pair[1]), "slots ascend");
                let mut fastest = 0.0f32;
                for (n, &slot) in list.iter().enumerate() {
                    assert_eq!(places[slot as usize], n as u32);
                    assert_eq!(Map(&g.topology).tile(slot).unwrap().level, level as u32);
                    fastest = fastest.max(g.status[status::WORDS * slot as usize + status::SPEED]);
                }
                assert_eq!(f32::from_bits(words[lists::SPEEDS + level]), fastest);
                awake += count;
            }
            let span = |slot: usize| {
                let place = Map(&g.topology).tile(slot as u32)?;
                let width = 1i64 << (p.levels - 1 - place.level);
                Some([i64::from(place.x) * width, i64::from(place.z) * width, width])
            };
            for slot in 0..capacity {
                let Some([x, z, width]) = span(slot) else {
                    assert_eq!(places[slot], NONE, "a free slot is in no list");
                    continue;
                };
                asleep += usize::from(places[slot] == NONE);
                if g.status[status::WORDS * slot + status::MOTION] <= p.still {
                    continue;
                }
                for (other, &listed) in places.iter().enumerate() {
                    let Some([a, b, wide]) = span(other) else { continue };
                    let touches = a <= x + width && x <= a + wide && b <= z + width && z <= b + wide;
                    assert!(!touches || listed != NONE, "{other} sleeps beside {slot}");
                }
            }
        }
        assert!(awake > 100 && asleep > 100, "{awake} awake, {asleep} asleep");
    }
}
