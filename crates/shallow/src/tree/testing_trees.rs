//! Random trees for kernel tests: grown and reshaped by the solver on the CPU, so that they are ones that occur.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_compute::parity::Rng;

use super::layout::{CELL_WORDS, CELLS, TILE, status, topology};
use super::map::{Map, TilePlace};
use super::{FineRegion, GroundPyramid, InitialWater, Observer, TreeSetup, TreeWater, Wish};

/// Finest tiles along x and z, and levels: one tile, domains that coarse tiles do not cover, several levels, more slots
/// than a workgroup has threads.
pub(crate) const SHAPES: [([u32; 2], u32); 6] =
    [([1, 1], 1), ([8, 8], 4), ([13, 6], 4), ([5, 3], 2), ([16, 16], 5), ([39, 28], 3)];

/// A tree at rest between two kernels.
pub(crate) struct RandomTree {
    pub(crate) water: TreeWater,
    pub(crate) topology: Vec<u32>,
    pub(crate) cells: Vec<f32>,
    pub(crate) nursery: Vec<f32>,
    pub(crate) status: Vec<f32>,
}

impl RandomTree {
    /// A tree over rough ground with as many slots as half the finest tiles, and `room` more.
    pub(crate) fn new(rng: &mut Rng, [nx, nz]: [u32; 2], levels: u32, room: u32) -> Self {
        let tile = TILE as u32;
        let size = [nx * tile, nz * tile];
        let (seed, height, offset) = (rng.next_u32(), f64::from(rng.range(0.2, 3.0)), f64::from(rng.range(-3.0, 3.0)));
        let ground = GroundPyramid::new(size, levels, move |i, k| {
            let (x, z) = (f64::from(i), f64::from(k));
            let noise = Rng::new(u64::from(seed ^ (i << 12 | k))).range(-0.3, 0.3);
            offset + height * ((x * 0.11).sin() * (z * 0.07).cos() + f64::from(noise))
        });
        let level = offset + 0.5 * height;
        let initial = move |[x, z]: [f64; 2], _: f64| InitialWater {
            surface: level + 0.05 * (0.2 * x + 0.3 * z).sin(),
            velocity: [0.3 * (0.1 * z).sin(), 0.2 * (0.15 * x).cos()],
        };
        let cell = 0.5;
        let mut setup = TreeSetup::new(size, cell, levels, Arc::new(ground), &initial);
        let extent = [nx, nz].map(|n| n as f32 * (TILE as f64 * cell) as f32);
        let mut place = || [f64::from(rng.range(0.0, extent[0])), f64::from(rng.range(0.0, extent[1]))];
        let corners = [place(), place()];
        let observer = place();
        let refinement = &mut setup.refinement;
        refinement.budget = ((nx * nz).div_ceil(2) + room) as usize * CELLS;
        refinement.fronts = rng.below(2) == 0;
        if rng.below(2) == 0 {
            refinement.observer = Some(Observer::at(observer, f64::from(rng.range(1.0, extent[0]))));
        }
        if rng.below(2) == 0 {
            let [min, max] = [f64::min, f64::max].map(|pick| [0, 1].map(|n| pick(corners[0][n], corners[1][n])));
            let largest = cell * f64::from(1u32 << rng.below(levels));
            refinement.regions.push(FineRegion { min, max, cell: largest });
        }
        // The tree at the start shall not take all the room.
        (refinement.surface, refinement.speed) = (0.5, 0.5);
        let exec = Arc::new(Executor::cpu().expect("the CPU executor always starts"));
        let mut water = TreeWater::new(exec, setup).expect("a tree");
        if levels > 1 {
            for _ in 0..6 {
                let wish = |_, _| [Wish::Split, Wish::Split, Wish::Keep, Wish::Merge][rng.below(4) as usize];
                water.reshape(wish).expect("a change");
            }
            // Slots of all places become free.
            water.reshape(|_, _| if rng.below(16) > 0 { Wish::Merge } else { Wish::Keep }).expect("a change");
        }
        let snapshot = water.snapshot().expect("a snapshot");
        let mut status = snapshot.status;
        for words in status.chunks_exact_mut(status::WORDS) {
            words.copy_from_slice(&rng.f32s(status::WORDS, 0.0, 10.0));
        }
        Self { water, topology: snapshot.topology, cells: snapshot.cells, nursery: snapshot.nursery, status }
    }

    pub(crate) fn capacity(&self) -> usize {
        self.water.plan().capacity
    }

    /// Slots in use and their places.
    pub(crate) fn tiles(&self) -> Vec<(u32, TilePlace)> {
        let map = Map(&self.topology);
        (0..self.capacity() as u32).filter_map(|slot| map.tile(slot).map(|place| (slot, place))).collect()
    }

    /// Water of all kinds: a lake with still and rough tiles, at its level or nearly so, and tiles that are dry, have
    /// films or end.
    pub(crate) fn stir(&mut self, rng: &mut Rng) {
        let tiles = self.tiles();
        let beds = tiles.iter().flat_map(|&(slot, _)| &self.cells[CELL_WORDS * slot as usize + 3 * CELLS..][..CELLS]);
        let highest = beds.fold(f32::MIN, |high, &z| high.max(z));
        let (lake, shore) = (highest + 0.2, highest - rng.range(0.1, 2.0));
        for (slot, _) in tiles {
            let tile = &mut self.cells[CELL_WORDS * slot as usize..][..CELL_WORDS];
            let rough = [0.0, 0.0, 0.0, 1e-3, 1e-2, 0.1][rng.below(6) as usize];
            let lake = lake + if rng.below(4) == 0 { rng.range(-0.02, 0.02) } else { 0.0 };
            let kind = rng.below(24);
            // Where it is rough: some cells or all of them.
            let (i0, k0) = (rng.below(16) as usize, rng.below(16) as usize);
            for at in 0..CELLS {
                let z = tile[at + 3 * CELLS];
                let level = match kind {
                    0 => z,
                    1 => z + rng.range(-1e-3, 1e-3),
                    2 => shore,
                    3 if rng.below(2) == 0 => z,
                    _ => lake,
                };
                let near = (at % TILE).abs_diff(i0) < 4 && (at / TILE).abs_diff(k0) < 4;
                let rough = if near || kind > 20 { rough } else { 0.0 };
                let h = if level > z { (level - z + rough * rng.range(-0.5, 0.5)).max(0.0) } else { 0.0 };
                tile[at] = h + z.min(0.0);
                tile[at + CELLS] = h * (0.1 + rough * rng.range(-5.0, 5.0));
                tile[at + 2 * CELLS] = h * rough * rng.range(-5.0, 5.0);
            }
        }
    }

    /// Takes some children's beds away.
    pub(crate) fn forget_beds(&mut self, rng: &mut Rng) {
        for (slot, _) in self.tiles() {
            if rng.below(8) == 0 {
                self.topology[topology::TILES + topology::TILE_WORDS * slot as usize + 3] = u32::MAX;
            }
        }
    }
}
