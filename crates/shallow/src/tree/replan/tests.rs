use thalweg_compute::parity::{Rng, Tolerance, assert_parity, test_executors};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::tree::judge::want;
use crate::tree::layout::clock;
use crate::tree::map::Map;
use crate::tree::tally;
use crate::tree::testing_trees::{RandomTree, SHAPES, constants};

struct Case {
    tree: RandomTree,
    wants: Vec<u32>,
    clock: Vec<f32>,
}

/// Wishes of all bits, some of them all alike, in trees with few free slots or many.
fn case(rng: &mut Rng, shape: usize) -> Case {
    let (size, levels) = SHAPES[shape];
    let room = [1, 7, 40, 300][rng.below(4) as usize];
    let mut tree = RandomTree::new(rng, size, levels, room);
    tree.forget_beds(rng);
    let mode = rng.below(4);
    let wants = (0..tree.capacity())
        .map(|_| {
            let sides = if mode < 2 && rng.below(3) > 0 { 0 } else { rng.below(16) };
            let bits = match mode {
                0 if rng.below(24) > 0 => want::MERGE,
                1 => want::SPLIT,
                2 if rng.below(2) == 0 => want::KEEP,
                _ => rng.below(4),
            };
            let sides = if mode == 0 && bits == want::MERGE { 0 } else { sides };
            bits | sides << want::SIDES
        })
        .collect();
    let mut clock = vec![0.0; clock::SOURCES];
    clock[clock::STRAIN] = rng.range(1.0, 3.0);
    clock[clock::CHANGES] = rng.below(10) as f32;
    Case { tree, wants, clock }
}

struct Replanned {
    wants: Vec<u32>,
    free: Vec<u32>,
    plan: Vec<u32>,
    clock: Vec<f32>,
}

fn replan(exec: &Executor, case: &Case) -> Result<Replanned> {
    let capacity = case.tree.capacity();
    let topology = &exec.buffer_from("test.topology", &case.tree.topology)?;
    let wants = &exec.buffer_from("test.wants", &case.wants)?;
    let free = &exec.buffer_from("test.free", &vec![77; capacity])?;
    let plan = &exec.buffer_from("test.plan", &vec![77; action::WORDS * capacity + 1])?;
    let clock = &exec.buffer_from("test.clock", &case.clock)?;
    let p = case.tree.water.plan().replan;
    let tallies = &exec.buffer_from("test.tallies", &vec![77; tally::WORDS * tally::groups(capacity)])?;
    let buffers = ReplanBuffers { topology, wants, free, plan, tallies, clock };
    let mut rec = exec.record();
    record(&mut rec, &p, buffers, [Dispatch::Elements(capacity), Dispatch::Groups([1, 1, 1])]).expect("recorded");
    rec.submit()?;
    Ok(Replanned { wants: exec.read(wants)?, free: exec.read(free)?, plan: exec.read(plan)?, clock: exec.read(clock)? })
}

#[test]
fn plan_parity() {
    assert_parity(10, |exec, rng, out| {
        for shape in 0..SHAPES.len() {
            let found = replan(exec, &case(rng, shape))?;
            out.u32(&format!("wants {shape}"), found.wants);
            out.u32(&format!("free {shape}"), found.free);
            out.u32(&format!("plan {shape}"), found.plan);
            out.f32(&format!("clock {shape}"), found.clock, Tolerance::Exact); // one product
        }
        Ok(())
    });
}

/// No slot is used twice, splits end where slots do, and the random cases are such that both occur.
#[test]
fn plans_keep_to_the_slots_that_there_are() {
    for exec in test_executors() {
        let (mut splits, mut merges, mut refused) = (0, 0, 0);
        for seed in 0..8 {
            for shape in 0..SHAPES.len() {
                let case = case(&mut Rng::new(seed), shape);
                let found = replan(exec, &case).unwrap();
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

#[test]
fn words_are_where_the_shader_looks_for_them() {
    let rust = [
        ("WANT_MERGE", want::MERGE),
        ("WANT_KEEP", want::KEEP),
        ("WANT_SPLIT", want::SPLIT),
        ("WANT_BITS", want::BITS),
        ("WANT_SIDES", want::SIDES),
        ("ACTION_WORDS", action::WORDS as u32),
        ("ACTION_NONE", action::NONE),
        ("ACTION_SPLIT", action::SPLIT),
        ("ACTION_MERGE", action::MERGE),
        ("MAY_SPLIT", MAY_SPLIT),
        ("KIND_FREE", kind::FREE as u32),
        ("KIND_MERGES", kind::MERGES as u32),
    ];
    assert_eq!(constants(include_str!("replan.wesl")), rust);
}
