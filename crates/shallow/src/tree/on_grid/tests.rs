use thalweg_compute::parity::{Rng, test_executors};

use super::constants::CORNERS;
use super::parity::drawn;
use crate::physics::depth;
use crate::tree::layout::{CELL_WORDS, CELLS, TILE};
use crate::tree::map::Map;
use crate::tree::testing::{TREES, random_tree};

/// Depth of all water that a grid shows, in cells of it.
fn shown(state: &[f32], bed: &[f32]) -> f64 {
    bed.iter().zip(state).map(|(z, s)| f64::from(depth(*s, *z))).sum()
}

/// On the finest grid a finest cell is what it is in its tile. On coarser grids than all cells the volume is that of
/// the tree.
#[test]
fn cells_are_copied_and_volume_is_kept() {
    for exec in test_executors() {
        for (seed, tree) in TREES.into_iter().enumerate() {
            let g = random_tree(&mut Rng::new(seed as u64), tree);
            let (tiles, levels) = tree;
            let places: Vec<_> = (0..g.params.capacity as u32)
                .filter_map(|slot| Map(&g.topology).tile(slot).map(|place| (slot as usize, place)))
                .collect();
            let fine = drawn(exec, &g, tree, 0, 5.0).unwrap();
            let count = fine.bed.len();
            for &(slot, place) in places.iter().filter(|(_, place)| place.level == levels - 1) {
                for at in 0..CELLS {
                    let words = &g.cells[CELL_WORDS * slot + at..];
                    let (i, k) = (place.x as usize * TILE + at % TILE, place.z as usize * TILE + at / TILE);
                    let cell = i + 16 * tiles[0] as usize * k;
                    let found = [0, 1, 2].map(|plane| fine.state[cell + plane * count]);
                    match depth(words[0], words[3 * CELLS]) > 0.0 {
                        true => assert_eq!(found, [words[0], words[CELLS], words[2 * CELLS]], "{tree:?} {cell}"),
                        false => assert_eq!((found, fine.bed[cell]), ([0.0; 3], 5.0), "{tree:?} {cell}: dry"),
                    }
                }
            }
            let coarse = drawn(exec, &g, tree, levels, 5.0).unwrap();
            let volume = |&(slot, place): &(usize, crate::tree::TilePlace)| {
                let words = &g.cells[CELL_WORDS * slot..][..CELL_WORDS];
                let sum: f64 = (0..CELLS).map(|at| f64::from(depth(words[at], words[at + 3 * CELLS]).max(0.0))).sum();
                sum * f64::from(4u32.pow(levels - 1 - place.level))
            };
            // Cells of the grid that stick out of the domain have the mean depth of what is inside.
            if tiles.iter().all(|n| (16 * n) % (1 << levels) == 0) {
                let wanted: f64 = places.iter().map(volume).sum::<f64>() / f64::from(4u32.pow(levels));
                let found = shown(&coarse.state, &coarse.bed);
                assert!((found / wanted - 1.0).abs() < 1e-5, "{tree:?}: {found}, not {wanted}");
            }
        }
    }
}

/// Neighbouring tiles agree on the corners that they share, bit by bit: the surface has no steps.
#[test]
fn tiles_share_their_corners() {
    for exec in test_executors() {
        let tree = TREES[3];
        let g = random_tree(&mut Rng::new(11), tree);
        let found = drawn(exec, &g, tree, 0, 0.0).unwrap();
        let map = Map(&g.topology);
        let mut shared = 0;
        for slot in 0..g.params.capacity as u32 {
            let Some(place) = map.tile(slot) else { continue };
            let east = map.slot(place.level, place.x as i32 + 1, place.z as i32);
            if east == crate::tree::layout::NONE {
                continue;
            }
            for k in 0..=TILE {
                let at = |slot: u32, i: usize| found.corners[CORNERS * slot as usize + i + (TILE + 1) * k];
                assert_eq!(at(slot, TILE).map(f32::to_bits), at(east, 0).map(f32::to_bits), "{}", exec.describe());
                shared += 1;
            }
        }
        assert!(shared > 100, "{shared} corners are shared");
    }
}
