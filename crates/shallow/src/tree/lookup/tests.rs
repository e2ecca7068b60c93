use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{lookup, places};
use super::*;
use crate::testing::LEFT_ALONE;
use crate::tree::layout::{CELL_WORDS, CELLS, TILE};
use crate::tree::map::Map;
use crate::tree::testing::{TREES, random_tree};

/// Every finest cell finds the cell that lies around it; a place outside finds none.
#[test]
fn values_are_those_of_the_cells_around_the_places() {
    for exec in test_executors() {
        for (seed, (tiles, levels)) in TREES.into_iter().enumerate() {
            let g = random_tree(&mut Rng::new(seed as u64), (tiles, levels));
            let mut places = places(&mut Rng::new(seed as u64), tiles, 300);
            places.extend([16 * tiles[0], 0]);
            let found = lookup(exec, &g, levels, &places).unwrap();
            let tiles_in_use: Vec<_> = (0..g.params.capacity as u32)
                .filter_map(|slot| Map(&g.topology).tile(slot).map(|place| (slot as usize, place)))
                .collect();
            for (n, place) in places[..600].chunks_exact(2).enumerate() {
                let holds = |(_, tile): &&(usize, crate::tree::TilePlace)| {
                    let span = (TILE as u32) << (levels - 1 - tile.level);
                    [tile.x, tile.z] == [place[0] / span, place[1] / span]
                };
                let (slot, tile) = tiles_in_use.iter().find(holds).expect("tiles cover the domain");
                let shift = levels - 1 - tile.level;
                let [i, k] = [place[0], place[1]].map(|n| (n >> shift) as usize % TILE);
                let words = &g.cells[CELL_WORDS * slot..][..CELL_WORDS];
                let (s, z) = (words[i + TILE * k], words[i + TILE * k + 3 * CELLS]);
                let values = &found[WORDS * n..][..WORDS];
                let known = [s - z.min(0.0), s + z.max(0.0), z, tile.level as f32];
                assert_eq!([values[0], values[1], values[4], values[5]], known);
            }
            let rest = &found[300 * WORDS..];
            assert_eq!(rest[0], NOWHERE, "{}: outside", exec.describe());
            assert!(rest[WORDS..].iter().all(|&x| x == LEFT_ALONE), "nothing is written past the last place");
        }
    }
}
