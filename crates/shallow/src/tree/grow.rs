//! How a tree grows before the first frame: kernels look at its tiles as they look at them later, and what they ask for
//! is waited for, because the host fills the tiles that they get.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::kernel_advection::{tile_sum, tile_volumes};
use super::layout::{CELL_WORDS, CELLS, RESTLESS, TILE, clock, status};
use super::map::{TilePlace, cell_at_side};
use super::setup::{Ground, InitialField};
use super::step::regrid;
use super::water::TreeWater;
use crate::error::{Result, invalid};
use crate::physics::{depth, inverse_depth, signal_speed};
use crate::setup::SIDES;

impl TreeWater {
    /// Fills the tiles, looks at them, and splits where they ask for it, until they are content. Returns the units of
    /// water, see [`fill`](Self::fill).
    pub(super) fn grow(&mut self, initial: &InitialField<'_>, beds: &mut Beds) -> Result<u128> {
        for _ in 0..2 * self.levels + 1 {
            self.fill(initial, beds)?;
            if self.levels == 1 {
                break;
            }
            let mut clock = vec![0.0; self.buffers.clock.len()];
            clock[clock::STRAIN] = self.strain;
            self.exec.write(&self.buffers.clock, 0, &clock)?;
            let mut rec = self.exec.record();
            regrid(&mut rec, &self.plan, &self.buffers)?;
            rec.submit()?;
            let clock = self.exec.read(&self.buffers.clock)?;
            self.strain = clock[clock::STRAIN];
            if clock[clock::CHANGES] == 0.0 {
                break;
            }
        }
        self.fill(initial, beds)
    }

    /// Ground and water at the start of all tiles that there are. Returns how many units of water that are; 0 if the
    /// scheme does not count in units.
    fn fill(&mut self, initial: &InitialField<'_>, beds: &mut Beds) -> Result<u128> {
        let topology = self.exec.read(&self.buffers.topology)?;
        let tiling = self.tiling();
        let tiles = tiling.listed(&topology);
        let finest = self.levels - 1;
        let wanted = tiles.iter().flat_map(|&(_, place)| {
            let children = (0..4).map(move |n| place.child(n));
            std::iter::once(place).chain(children.filter(move |_| place.level < finest))
        });
        beds.learn(wanted.collect());
        let (g, datum, h_eps) = (self.plan.flux_update[0].gravity, self.datum, self.h_eps);
        let fill = |&(slot, place): &(u32, TilePlace)| -> Result<(u32, u32, Vec<f32>, f32)> {
            let mut tile = vec![0.0f32; CELL_WORDS];
            let (size, origin) = (tiling.cell_size(place.level), tiling.origin(place));
            let ground = &beds.known[&place];
            let mut fastest = 0.0f32;
            for at in 0..CELLS {
                let (i, k) = (at % TILE, at / TILE);
                let point = [origin[0] + (i as f64 + 0.5) * size, origin[1] + (k as f64 + 0.5) * size];
                let z = ground[at];
                let bed = f64::from(z) + datum;
                let water = initial(point, bed);
                let [u, w] = water.velocity;
                if [bed, water.surface, u, w].iter().any(|x| !x.is_finite()) {
                    return invalid(format!("bed, surface or velocity at {point:?} is not finite"));
                }
                let s = if water.surface > bed {
                    ((water.surface - datum) - f64::from(z.max(0.0))) as f32
                } else {
                    z.min(0.0)
                };
                let h = depth(s, z);
                for (plane, value) in [s, h * u as f32, h * w as f32, z].into_iter().enumerate() {
                    tile[at + plane * CELLS] = value;
                }
                let fade = h * inverse_depth(h, h_eps);
                fastest = fastest.max(signal_speed(g, h, u as f32 * fade, w as f32 * fade, 1.0));
            }
            Ok((slot, place.level, tile, fastest))
        };
        let filled: Vec<_> = tiles.par_iter().map(fill).collect::<Result<_>>()?;
        let mut units = 0;
        for (slot, level, tile, speed) in filled {
            let slot = slot as usize;
            self.exec.write(&self.buffers.cells, slot * CELL_WORDS, &tile)?;
            if let (Some(params), Some(kernel)) = (&self.plan.kernel, &self.buffers.kernel) {
                let volumes = tile_volumes(&tile, params[0].depth_bits, self.levels - 1 - level);
                self.exec.write(&kernel.volumes, slot * volumes.len(), &volumes)?;
                units += tile_sum(&volumes);
            }
            self.exec.write(&self.buffers.status, slot * status::WORDS, &[speed, RESTLESS, 0.0, 0.0, 0.0, 0.0])?;
        }
        for (slot, place) in tiles {
            self.tend(slot, place, |child| beds.known[&child].clone())?;
        }
        Ok(units)
    }
}

/// Beds of tiles relative to the datum, remembered while a tree grows.
pub(super) struct Beds {
    ground: Arc<dyn Ground>,
    datum: f64,
    known: HashMap<TilePlace, Arc<[f32; CELLS]>>,
}

impl Beds {
    pub(super) fn new(ground: Arc<dyn Ground>, datum: f64) -> Self {
        Self { ground, datum, known: HashMap::new() }
    }

    fn learn(&mut self, places: Vec<TilePlace>) {
        let new: Vec<TilePlace> = places.into_iter().filter(|place| !self.known.contains_key(place)).collect();
        let (ground, datum) = (&self.ground, self.datum);
        let bed = |place: TilePlace| relative(&ground.tile(place.level, place.x, place.z), datum);
        let found: Vec<_> = new.par_iter().map(|&place| (place, bed(place))).collect();
        self.known.extend(found);
    }
}

pub(super) fn relative(tile: &[f64; CELLS], datum: f64) -> Arc<[f32; CELLS]> {
    Arc::new(std::array::from_fn(|at| (tile[at] - datum) as f32))
}

/// Lowest bed along west, east, south and north, on the coarsest tiles.
pub(super) fn edge_beds(beds: &mut Beds, places: &[TilePlace], size: [u32; 2], levels: u32) -> [f32; SIDES] {
    beds.learn(places.to_vec());
    let mut lowest = [f32::INFINITY; SIDES];
    for place in places {
        let span = (TILE as u32) << (levels - 1 - place.level);
        let touches = [place.x == 0, (place.x + 1) * span == size[0], place.z == 0, (place.z + 1) * span == size[1]];
        let bed = &beds.known[place];
        for (side, low) in lowest.iter_mut().enumerate().filter(|(side, _)| touches[*side]) {
            for n in 0..TILE {
                *low = low.min(bed[cell_at_side(side, n)]);
            }
        }
    }
    lowest
}
