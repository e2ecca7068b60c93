use thalweg_compute::parity::{Rng, Tolerance, assert_parity, test_executors};
use thalweg_compute::{Dispatch, Executor, Result, fold};

use super::*;
use crate::testing::launch;
use crate::tree::layout::{CELL_WORDS, CELLS, REGISTER_WORDS, SIDE_WORDS, TILE, clock, lists, out};
use crate::tree::map::Map;
use crate::tree::testing::{Grove, TREES, grove, has_larger_cells_beyond};

/// Cells, registers and status after a step of a level.
fn settle(exec: &Executor, g: &Grove, level: usize) -> Result<[Vec<f32>; 3]> {
    let topology = &exec.buffer_from("test.topology", &g.topology)?;
    let lists = &exec.buffer_from("test.lists", &g.lists)?;
    let clock = &exec.buffer_from("test.clock", &g.clock)?;
    let out = &exec.buffer_from("test.out", &g.out)?;
    let cells = &exec.buffer_from("test.cells", &g.cells)?;
    let registers = &exec.buffer_from("test.registers", &g.registers)?;
    let status = &exec.buffer_from("test.status", &g.status)?;
    let kernel = Settle { topology, lists, clock, out, cells, registers, status };
    // One workgroup more than there are tiles: it has nothing to do.
    let groups = fold(u64::from(g.lists[lists::COUNTS + level]) + 1).expect("few tiles");
    launch(exec, &kernel, &g.params.settle[level], Dispatch::Groups(groups))?;
    Ok([exec.read(cells)?, exec.read(registers)?, exec.read(status)?])
}

/// Reports of a step, all of it random; a third of the tiles hold something back.
fn random_reports(rng: &mut Rng, g: &mut Grove) {
    g.out = rng.f32s(g.out.len(), -1.0, 1.0);
    for report in g.out.chunks_exact_mut(out::WORDS) {
        report[out::HELD_BACK] = if rng.below(3) == 0 { rng.below(16) as f32 } else { 0.0 };
    }
    g.registers = rng.f32s(g.registers.len(), -1.0, 1.0);
}

#[test]
fn steps_parity() {
    assert_parity(4, |exec, rng, out| {
        for tree in TREES {
            let mut g = grove(rng, tree);
            random_reports(rng, &mut g);
            for level in 0..tree.1 as usize {
                // Any of this level's steps in the round.
                let period = g.clock[clock::PERIODS + level].max(1.0) as u32;
                let steps = g.clock[clock::TICKS] as u32 / period;
                g.clock[clock::TICK] = (period * (1 + rng.below(steps.max(1)))) as f32;
                let [cells, registers, status] = settle(exec, &g, level)?;
                // A product and a sum of numbers below 1, perhaps fused; twice in corners.
                out.f32(&format!("cells {tree:?} {level}"), cells, Tolerance::Absolute(5e-7));
                out.f32(&format!("registers {tree:?} {level}"), registers, Tolerance::Exact);
                out.f32(&format!("status {tree:?} {level}"), status, Tolerance::Exact);
            }
        }
        Ok(())
    });
}

/// What the neighbours to the west and to the south hold back is taken from the cells there, from the corner twice, and no more than there is.
#[test]
fn what_neighbours_hold_back_is_taken_back() {
    for exec in test_executors() {
        let mut g = grove(&mut Rng::new(3), ([3, 2], 1));
        let map = Map(&g.topology);
        let capacity = g.params.capacity;
        let slots: Vec<u32> = (0..capacity as u32).filter(|&slot| map.tile(slot).is_some()).collect();
        let [own, west, south] = [(1, 1), (0, 1), (1, 0)].map(|(x, z)| map.slot(0, x, z) as usize);
        let place = |slot: usize| slots.iter().position(|&s| s as usize == slot).expect("all are listed");
        // All are awake.
        g.lists[lists::COUNTS] = slots.len() as u32;
        for (n, &slot) in slots.iter().enumerate() {
            g.lists[lists::PLACES + slot as usize] = n as u32;
            g.lists[lists::PLACES + capacity + n] = slot;
        }
        (g.clock[clock::TICK], g.clock[clock::TICK_DT], g.clock[clock::PERIODS]) = (1.0, 0.01, 1.0);
        let ratio = 0.01 / g.params.settle[0].cell;
        g.out.fill(0.0);
        for at in 0..CELLS {
            g.cells[CELL_WORDS * own + 3 * CELLS + at] = -0.015; // 15 mm of water
        }
        // 5 mm from the west, 12 mm from the south: together more than there is.
        for (from, side, mass) in [(west, 1, 0.005 / ratio), (south, 3, 0.012 / ratio)] {
            let report = &mut g.out[out::WORDS * place(from)..][..out::WORDS];
            report[out::HELD_BACK] = (1u32 << side) as f32;
            let edge = &mut report[out::EDGES + SIDE_WORDS * side..][..SIDE_WORDS];
            edge[..TILE].fill(mass);
            edge[TILE..2 * TILE].fill(2.0 / ratio);
            edge[2 * TILE..].fill(3.0 / ratio);
        }
        let [cells, ..] = settle(exec, &g, 0).unwrap();
        let tile = &cells[CELL_WORDS * own..][..CELL_WORDS];
        for at in 0..CELLS {
            let expected = match (at % TILE, at / TILE) {
                (0, 0) => [-0.015, -5.0, -5.0],
                (0, _) => [-0.005, -2.0, -3.0],
                (_, 0) => [-0.012, -3.0, -2.0],
                _ => [0.0; 3],
            };
            for (plane, expected) in expected.into_iter().enumerate() {
                let found = tile[at + plane * CELLS];
                assert!((found - expected).abs() < 1e-5, "{}: plane {plane} of {at}: {found}", exec.describe());
            }
        }
    }
}

/// Registers of sides with larger cells beyond begin anew with the first step within one of the larger cells, and are added to in the others.
#[test]
fn what_passed_to_larger_cells_is_in_the_register() {
    for exec in test_executors() {
        let mut rng = Rng::new(5);
        let tree = ([16, 16], 5);
        let mut g = grove(&mut rng, tree);
        random_reports(&mut rng, &mut g);
        let mut seen = 0;
        for level in 1..tree.1 as usize {
            for (first, step) in [(true, 1.0), (false, 2.0)] {
                (g.clock[clock::PERIODS + level - 1], g.clock[clock::PERIODS + level]) = (2.0, 1.0);
                g.clock[clock::TICK] = step;
                let [_, registers, _] = settle(exec, &g, level).unwrap();
                let count = g.lists[lists::COUNTS + level] as usize;
                let list = &g.lists[lists::PLACES + g.params.capacity * (1 + level)..][..count];
                for (place, &slot) in list.iter().enumerate() {
                    for side in 0..4 {
                        if !has_larger_cells_beyond(&g, slot, side) {
                            continue;
                        }
                        seen += 1;
                        for n in SIDE_WORDS * side..SIDE_WORDS * (side + 1) {
                            let word = REGISTER_WORDS * slot as usize + n;
                            let edge = g.out[out::WORDS * place + out::EDGES + n];
                            let expected = if first { edge } else { g.registers[word] + edge };
                            assert_eq!(registers[word], expected, "{}: side {side} of {slot}", exec.describe());
                        }
                    }
                }
            }
        }
        assert!(seen > 0, "the tree has borders");
    }
}
