use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{adapt_apply, case};
use crate::tree::layout::action;
use crate::tree::layout::{CELL_WORDS, CELLS, status};
use crate::tree::map::Map;
use crate::tree::testing_trees::SHAPES;

/// Volume, and sums of both discharges and of their sizes, of the tiles in some slots, in cells of the finer size.
fn sums(cells: &[f32], slots: &[u32], weight: f64) -> [f64; 4] {
    let mut sum = [0.0; 4];
    for &slot in slots {
        let tile = &cells[CELL_WORDS * slot as usize..][..CELL_WORDS];
        for at in 0..CELLS {
            let [s, qx, qz, z] = [0, 1, 2, 3].map(|plane| f64::from(tile[at + plane * CELLS]));
            sum[0] += weight * (s - z.min(0.0));
            sum[1] += weight * qx;
            sum[2] += weight * qz;
            sum[3] += weight * (qx.abs() + qz.abs());
        }
    }
    sum
}

/// Every split and every merge passes on its water and its momentum, and no depth is negative.
#[test]
fn water_and_momentum_are_passed_on() {
    for exec in test_executors() {
        let (mut splits, mut merges, mut partly, mut worst) = (0, 0, 0, [0.0f64; 2]);
        for seed in 0..6 {
            for shape in 0..SHAPES.len() {
                let (tree, plan) = case(&mut Rng::new(seed), shape);
                let found = adapt_apply(exec, &tree, &plan).unwrap();
                let mut touched = vec![false; tree.capacity()];
                for (slot, words) in plan.chunks_exact(action::WORDS).enumerate() {
                    let all = [slot as u32, words[1], words[2], words[3]];
                    let one = &all[..1];
                    let (before, after) = match words[0] {
                        action::SPLIT => (sums(&tree.cells, one, 4.0), sums(&found.cells, &all, 1.0)),
                        action::MERGE => (sums(&tree.cells, &all, 1.0), sums(&found.cells, one, 4.0)),
                        _ => continue,
                    };
                    all.iter().for_each(|&slot| touched[slot as usize] = true);
                    let volume = (after[0] - before[0]).abs();
                    let momentum = (after[1] - before[1]).abs().max((after[2] - before[2]).abs());
                    if before[0] == 0.0 {
                        assert_eq!(after, [0.0; 4], "dry stays dry");
                    } else {
                        // Films over beds of metres, where the surface has steps of 2e-7 m: 10 nm of depth, at up to 1
                        // m/s.
                        let film = 1e-8 * 4.0 * CELLS as f64;
                        let off = [volume / (before[0] + 1e6 * film), momentum / (before[3] + 1e6 * film)];
                        worst = [worst[0].max(off[0]), worst[1].max(off[1])];
                        assert!(off[0] <= 1e-6 && off[1] <= 1e-6, "{}: {before:?} {after:?}", exec.describe());
                    }
                    if words[0] == action::SPLIT {
                        splits += 1;
                        let depths: Vec<f32> = all.iter().flat_map(|&s| depths(&found.cells, s)).collect();
                        assert!(depths.iter().all(|&h| h >= 0.0));
                        partly += usize::from(before[0] > 0.0 && depths.contains(&0.0));
                    } else {
                        merges += 1;
                    }
                }
                let tiles = tree.cells.chunks_exact(CELL_WORDS).zip(found.cells.chunks_exact(CELL_WORDS));
                assert!(
                    tiles.zip(touched).all(|((old, new), touched)| touched || old == new),
                    "others stay as they are"
                );
            }
        }
        println!("{}: {splits} splits ({partly} partly wet), {merges} merges, worst {worst:?}", exec.describe());
        assert!(splits > 50 && merges > 50 && partly > 10);
    }
}

fn depths(cells: &[f32], slot: u32) -> Vec<f32> {
    let tile = &cells[CELL_WORDS * slot as usize..][..CELL_WORDS];
    (0..CELLS).map(|at| crate::physics::depth(tile[at], tile[at + 3 * CELLS])).collect()
}

/// What tiles that merge have exchanged is counted once.
#[test]
fn exchanged_volumes_are_passed_on() {
    for exec in test_executors() {
        for shape in 0..SHAPES.len() {
            let (tree, plan) = case(&mut Rng::new(3), shape);
            // Free slots have nothing to their account.
            let mut tree = tree;
            let map = Map(&tree.topology);
            for slot in (0..tree.capacity()).filter(|&slot| map.tile(slot as u32).is_none()) {
                tree.status[slot * status::WORDS..][..status::WORDS].fill(0.0);
            }
            let found = adapt_apply(exec, &tree, &plan).unwrap();
            for word in [status::ADDED, status::REMOVED] {
                let sum = |all: &[f32]| all.chunks_exact(status::WORDS).map(|w| f64::from(w[word])).sum::<f64>();
                let (before, after) = (sum(&tree.status), sum(&found.status));
                assert!((before - after).abs() <= 1e-6 * before, "{}: {before} {after}", exec.describe());
            }
        }
    }
}
