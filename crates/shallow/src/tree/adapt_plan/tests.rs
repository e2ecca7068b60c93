use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{adapt_plan, case};
use crate::tree::layout::{action, clock};
use crate::tree::map::Map;
use crate::tree::testing_trees::SHAPES;

/// No slot is used twice, splits end where slots do, and the random cases are such that both occur.
#[test]
fn plans_keep_to_the_slots_that_there_are() {
    for exec in test_executors() {
        let (mut splits, mut merges, mut refused) = (0, 0, 0);
        for seed in 0..8 {
            for shape in 0..SHAPES.len() {
                let case = case(&mut Rng::new(seed), shape);
                let found = adapt_plan(exec, &case).unwrap();
                let capacity = case.tree.capacity();
                assert_eq!(found.plan[action::WORDS * capacity], 77, "nothing is written past the last slot");
                let map = Map(&case.tree.topology);
                let mut taken = vec![false; capacity];
                let mut changes = 0;
                for (slot, words) in found.plan.chunks_exact(action::WORDS).enumerate() {
                    let others = &words[1..];
                    match words[0] {
                        action::NONE => assert_eq!(others, [0; 3]),
                        action => {
                            changes += 1;
                            assert!(map.tile(slot as u32).is_some());
                            for &other in others {
                                assert!(!std::mem::replace(&mut taken[other as usize], true), "slot {other} twice");
                                assert_eq!(map.tile(other).is_none(), action == action::SPLIT);
                            }
                            *(if action == action::SPLIT { &mut splits } else { &mut merges }) += 1;
                        }
                    }
                }
                let free = (0..capacity).filter(|&slot| map.tile(slot as u32).is_none()).count();
                let used = (0..capacity).filter(|&slot| taken[slot] && map.tile(slot as u32).is_none()).count();
                refused += usize::from(used > 0 && free - used < 3);
                assert_eq!(found.clock[clock::CHANGES] - case.clock[clock::CHANGES], changes as f32);
            }
        }
        println!("{}: {splits} splits, {merges} merges, {refused} times all slots", exec.describe());
        assert!(splits > 50 && merges > 50 && refused > 3, "{splits} {merges} {refused}");
    }
}
