//! What a tree gives out: cells by tile, the water at places, how many tiles there are.

use rayon::prelude::*;
use thalweg_compute::{Buffer, Dispatch};

use super::layout::{CELL_WORDS, CELLS};
use super::lookup::{self, Lookup, LookupParams};
use super::map::TilePlace;
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

    /// A reusable list of places (x, z), m from the low corner, for [`sample_list`](Self::sample_list). Places outside count as the nearest cell of the domain.
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
        Ok(PlaceList { places, values, finest: finest.as_chunks::<2>().0.to_vec() })
    }

    /// The water at listed places: that of the cell which holds each. Cheap, whatever the size of the tree.
    pub fn sample_list(&mut self, list: &PlaceList) -> Result<Vec<Sample>> {
        Ok(self.sample_cells(list)?.into_iter().map(|cell| cell.sample).collect())
    }

    /// The same with the place and size of each cell, for those who interpolate.
    pub fn sample_cells(&mut self, list: &PlaceList) -> Result<Vec<SampledCell>> {
        self.settle()?;
        let count = list.finest.len();
        if count == 0 {
            return Ok(Vec::new());
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
        rec.run(&kernel, &params, Dispatch::Elements(count))?;
        rec.submit()?;
        let values = self.exec.read(&list.values)?;
        let sample = |(n, v): (usize, &[f32])| {
            if v[0] == lookup::NOWHERE {
                return invalid(format!("no tile holds place {n} of the list"));
            }
            let sample = Sample {
                depth: f64::from(v[0]),
                surface: f64::from(v[1]) + self.datum,
                velocity: [f64::from(v[2]), f64::from(v[3])],
                bed: f64::from(v[4]) + self.datum,
            };
            let level = v[5] as u32;
            let (size, shift) = (self.cell_size(level), self.levels - 1 - level);
            let middle = list.finest[n].map(|finest| (f64::from(finest >> shift) + 0.5) * size);
            Ok(SampledCell { sample, middle, size })
        };
        values.chunks_exact(lookup::WORDS).enumerate().map(sample).collect()
    }

    /// The water at places (x, z), m from the low corner: that of the cell which holds each. Who asks often makes a [`place_list`](Self::place_list) once.
    pub fn sample(&mut self, points: &[[f64; 2]]) -> Result<Vec<Sample>> {
        let list = self.place_list(points)?;
        self.sample_list(&list)
    }
}

/// Places to [`sample_list`](TreeWater::sample_list), and room for their water.
#[derive(Debug)]
pub struct PlaceList {
    /// Numbers of finest cells along x and z.
    places: Buffer<u32>,
    values: Buffer<f32>,
    /// The same numbers on the host.
    finest: Vec<[u32; 2]>,
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
