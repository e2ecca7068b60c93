use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{random_reports, reflux};
use crate::tree::layout::{CELL_WORDS, CELLS, REGISTER_WORDS, SIDE_WORDS, TILE, clock, lists, out};
use crate::tree::map::Map;
use crate::tree::testing::{has_larger_cells_beyond, random_tree};

/// What the neighbours to the west and to the south hold back is taken from the cells there, from the corner twice, and
/// no more than there is.
#[test]
fn what_neighbours_hold_back_is_taken_back() {
    for exec in test_executors() {
        let mut g = random_tree(&mut Rng::new(3), ([3, 2], 1));
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
        let ratio = 0.01 / g.params.reflux[0].cell;
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
        let [cells, ..] = reflux(exec, &g, 0).unwrap();
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

/// Registers of sides with larger cells beyond begin anew with the first step within one of the larger cells, and are
/// added to in the others.
#[test]
fn what_passed_to_larger_cells_is_in_the_register() {
    for exec in test_executors() {
        let mut rng = Rng::new(5);
        let tree = ([16, 16], 5);
        let mut g = random_tree(&mut rng, tree);
        random_reports(&mut rng, &mut g);
        let mut seen = 0;
        for level in 1..tree.1 as usize {
            for (first, step) in [(true, 1.0), (false, 2.0)] {
                (g.clock[clock::PERIODS + level - 1], g.clock[clock::PERIODS + level]) = (2.0, 1.0);
                g.clock[clock::TICK] = step;
                let [_, registers, _] = reflux(exec, &g, level).unwrap();
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
