//! What a tree gives out: cells by tile, the water at places, how many tiles there are.

use rayon::prelude::*;

use super::layout::{CELL_WORDS, CELLS, NONE, TILE};
use super::map::{Map, TilePlace, cell_in_tile};
use super::water::TreeWater;
use crate::error::{Result, invalid};
use crate::output::Sample;
use crate::physics::{depth, inverse_depth, surface};

/// The cells of one tile; index `i + 16 * k`.
#[derive(Debug, Clone, PartialEq)]
pub struct TileFields {
    /// Where it is.
    pub place: TilePlace,
    /// Size of its cells, m.
    pub cell: f64,
    /// Low corner (x, z), m from the low corner of the domain.
    pub origin: [f64; 2],
    /// Bed elevation, m.
    pub bed: Vec<f32>,
    /// Depth, m.
    pub depth: Vec<f32>,
    /// Surface elevation, m; the bed's where it is dry.
    pub surface: Vec<f32>,
    /// Velocity along x, m/s.
    pub u: Vec<f32>,
    /// Velocity along z, m/s.
    pub w: Vec<f32>,
}

impl TreeWater {
    /// Tiles by level, coarsest first, and how many of them stepped in the last round.
    pub fn census(&mut self) -> Result<Vec<[usize; 2]>> {
        self.settle()?;
        let topology = self.exec.read(&self.buffers.topology)?;
        let lists = self.exec.read(&self.buffers.lists)?;
        let mut counts: Vec<[usize; 2]> = lists[..self.levels as usize].iter().map(|&n| [0, n as usize]).collect();
        self.listed(&topology).iter().for_each(|(_, place)| counts[place.level as usize][0] += 1);
        Ok(counts)
    }

    /// The state of every tile, in the order of slots.
    pub fn fields(&mut self) -> Result<Vec<TileFields>> {
        self.settle()?;
        let topology = self.exec.read(&self.buffers.topology)?;
        let cells = self.exec.read(&self.buffers.cells)?;
        let tile = |&(slot, place): &(u32, TilePlace)| {
            let words = &cells[CELL_WORDS * slot as usize..][..CELL_WORDS];
            let each = |f: &dyn Fn(usize, f32, f32) -> f32| -> Vec<f32> {
                (0..CELLS).map(|at| f(at, words[at], words[at + 3 * CELLS])).collect()
            };
            let velocity =
                |plane: usize| each(&|at, s, z| words[at + plane * CELLS] * inverse_depth(depth(s, z), self.h_eps));
            TileFields {
                place,
                cell: self.cell_size(place.level),
                origin: self.origin(place),
                bed: each(&|_, _, z| (f64::from(z) + self.datum) as f32),
                depth: each(&|_, s, z| depth(s, z)),
                surface: each(&|_, s, z| (f64::from(surface(s, z)) + self.datum) as f32),
                u: velocity(1),
                w: velocity(2),
            }
        };
        Ok(self.listed(&topology).par_iter().map(tile).collect())
    }

    /// The water at places (x, z), m from the low corner: that of the cell which holds each. Reads the whole tree.
    pub fn sample(&mut self, points: &[[f64; 2]]) -> Result<Vec<Sample>> {
        self.settle()?;
        let topology = self.exec.read(&self.buffers.topology)?;
        let cells = self.exec.read(&self.buffers.cells)?;
        let map = Map(&topology);
        points
            .iter()
            .map(|point| {
                let [i, k] =
                    [0, 1].map(|n| (point[n] / self.cell).floor().clamp(0.0, f64::from(self.size[n] - 1)) as i32);
                let found = (0..self.levels).find_map(|level| {
                    let shift = self.levels - 1 - level;
                    let (i, k) = (i >> shift, k >> shift);
                    let slot = map.slot(level, i / TILE as i32, k / TILE as i32);
                    (slot != NONE).then(|| (slot, cell_in_tile(i, k)))
                });
                let Some((slot, at)) = found else {
                    return invalid(format!("no tile holds the place {point:?}"));
                };
                let words = &cells[CELL_WORDS * slot as usize..][..CELL_WORDS];
                let (s, z) = (words[at], words[at + 3 * CELLS]);
                let inverse = inverse_depth(depth(s, z), self.h_eps);
                Ok(Sample {
                    depth: f64::from(depth(s, z)),
                    surface: f64::from(surface(s, z)) + self.datum,
                    velocity: [1, 2].map(|plane| f64::from(words[at + plane * CELLS] * inverse)),
                })
            })
            .collect()
    }
}
