//! What a tree gives out: cells by tile, the water at places, how many tiles there are.

use std::sync::Arc;

use rayon::prelude::*;
use thalweg_compute::{Buffer, Dispatch, Later};

use super::layout::{CELL_WORDS, CELLS};
use super::lookup::{self, Lookup, LookupParams};
use super::map::TilePlace;
use super::water::TreeWater;
use crate::error::{Result, ShallowError, invalid};
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
    pub fn census_later(&mut self) -> Result<Later<Vec<[usize; 2]>, ShallowError>> {
        self.settle()?;
        let topology = self.exec.read_async(&self.buffers.topology)?;
        let lists = self.exec.read_async(&self.buffers.lists)?;
        let tiling = self.tiling();
        Ok(Later::new(move || {
            let (topology, lists) = (topology.wait()?, lists.wait()?);
            let mut counts: Vec<[usize; 2]> =
                lists[..tiling.levels as usize].iter().map(|&n| [0, n as usize]).collect();
            tiling.listed(&topology).iter().for_each(|(_, place)| counts[place.level as usize][0] += 1);
            Ok(counts)
        }))
    }

    /// The state of every tile, in the order of slots.
    pub fn fields_later(&mut self) -> Result<Later<Vec<TileFields>, ShallowError>> {
        self.settle()?;
        let topology = self.exec.read_async(&self.buffers.topology)?;
        let cells = self.exec.read_async(&self.buffers.cells)?;
        let (tiling, datum, h_eps) = (self.tiling(), self.datum, self.h_eps);
        Ok(Later::new(move || {
            let (topology, cells) = (topology.wait()?, cells.wait()?);
            let tile = |&(slot, place): &(u32, TilePlace)| {
                let words = &cells[CELL_WORDS * slot as usize..][..CELL_WORDS];
                let each = |f: &dyn Fn(usize, f32, f32) -> f32| -> Vec<f32> {
                    (0..CELLS).map(|at| f(at, words[at], words[at + 3 * CELLS])).collect()
                };
                let velocity =
                    |plane: usize| each(&|at, s, z| words[at + plane * CELLS] * inverse_depth(depth(s, z), h_eps));
                TileFields {
                    place,
                    cell: tiling.cell_size(place.level),
                    origin: tiling.origin(place),
                    bed: each(&|_, _, z| (f64::from(z) + datum) as f32),
                    depth: each(&|_, s, z| depth(s, z)),
                    surface: each(&|_, s, z| (f64::from(surface(s, z)) + datum) as f32),
                    u: velocity(1),
                    w: velocity(2),
                }
            };
            Ok(tiling.listed(&topology).par_iter().map(tile).collect())
        }))
    }

    /// A reusable list of places (x, z), m from the low corner, for
    /// [`sample_cells_later`](Self::sample_cells_later). Places outside count as the nearest cell of the domain.
    pub fn place_list(&self, points: &[[f64; 2]]) -> Result<PlaceList> {
        if let Some(point) = points.iter().find(|point| point.iter().any(|x| !x.is_finite())) {
            return invalid(format!("{point:?} is no place"));
        }
        let finest = |point: &[f64; 2]| {
            [0, 1].map(|n| (point[n] / self.cell).floor().clamp(0.0, f64::from(self.size[n] - 1)) as u32)
        };
        let finest: Vec<u32> = points.iter().flat_map(finest).collect();
        // An empty list takes a word: buffers are never empty.
        let places = self.exec.buffer_from("tree.places", if finest.is_empty() { &[0][..] } else { &finest })?;
        let values = self.exec.buffer("tree.looked_up", points.len().max(1) * lookup::WORDS)?;
        Ok(PlaceList { places, values, finest: finest.as_chunks::<2>().0.into() })
    }

    /// The water at listed places, that of the cell which holds each, and where the cell is. Cheap, whatever the size
    /// of the tree.
    pub fn sample_cells_later(&mut self, list: &PlaceList) -> Result<Later<Vec<SampledCell>, ShallowError>> {
        self.settle()?;
        if list.finest.is_empty() {
            return Ok(Later::known(Vec::new()));
        }
        let mut rec = self.exec.record();
        rec.stage("probes");
        let kernel = Lookup {
            topology: &self.buffers.topology,
            cells: &self.buffers.cells,
            places: &list.places,
            values: &list.values,
        };
        let params = LookupParams { levels: self.levels, h_eps: self.h_eps };
        rec.run(&kernel, &params, Dispatch::Elements(list.finest.len()))?;
        rec.submit()?;
        let (values, finest) = (self.exec.read_async(&list.values)?, Arc::clone(&list.finest));
        let (tiling, datum) = (self.tiling(), self.datum);
        let sample = move |(n, v): (usize, &[f32])| {
            if v[0] == lookup::NOWHERE {
                return invalid(format!("no tile holds place {n} of the list"));
            }
            let sample = Sample {
                depth: f64::from(v[0]),
                surface: f64::from(v[1]) + datum,
                velocity: [f64::from(v[2]), f64::from(v[3])],
                bed: f64::from(v[4]) + datum,
            };
            let level = v[5] as u32;
            let (size, shift) = (tiling.cell_size(level), tiling.levels - 1 - level);
            let middle = finest[n].map(|finest| (f64::from(finest >> shift) + 0.5) * size);
            Ok(SampledCell { sample, middle, size })
        };
        Ok(Later::new(move || values.wait()?.chunks_exact(lookup::WORDS).enumerate().map(sample).collect()))
    }
}

/// Places to [look up](TreeWater::sample_cells_later), and room for their water.
#[derive(Debug)]
pub struct PlaceList {
    /// Numbers of finest cells along x and z.
    places: Buffer<u32>,
    values: Buffer<f32>,
    /// The same numbers on the host.
    finest: Arc<[[u32; 2]]>,
}

/// The water of a cell, and where that is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampledCell {
    /// The water.
    pub sample: Sample,
    /// Its middle (x, z), m from the low corner of the domain.
    pub middle: [f64; 2],
    /// Its size, m.
    pub size: f64,
}
