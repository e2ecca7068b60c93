//! One pass over a raster: means over all cells of `2^KEPT_SHIFT` finest ones and more, without holding the raster.
//!
//! Every block that the domain touches is decoded once, and each of its pixels added to the cells that take it. Decoding is the slow part: several threads
//! do it; sums are added in the order of blocks, so that the result does not depend on the number of threads.

use super::cache::Block;
use super::error::RasterError;
use super::raster::TiledRaster;
use super::sampling::{Placed, Weights};
use crate::terrain::LARGEST_ELEVATION;

/// Cells of this many doublings of the finest, and larger ones, are kept: 1/256 of the finest cells, and a third of that for all larger ones.
pub(super) const KEPT_SHIFT: u32 = 4;

/// What the pass finds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Survey {
    /// Means by doublings from `KEPT_SHIFT` on, m; x fastest.
    pub(super) levels: Vec<Vec<f32>>,
    /// Lowest and highest pixel that counts, m.
    pub(super) range: [f64; 2],
}

/// Cells along x and z that are whole, and kept, for each number of doublings from `KEPT_SHIFT` on; at least one level.
pub(super) fn kept_sizes(placed: &Placed) -> Vec<[usize; 2]> {
    let last = (placed.levels - 1).max(KEPT_SHIFT);
    (KEPT_SHIFT..=last).map(|shift| placed.size.map(|n| (n >> shift) as usize)).collect()
}

/// Makes the pass. `progress` is told how many blocks are done, and how many there are.
pub(super) fn survey(
    raster: &TiledRaster,
    placed: &Placed,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Survey, RasterError> {
    let sizes = kept_sizes(placed);
    let [nx, nz] = sizes[0];
    let blocks = *raster.blocks();
    let columns = by_block(&placed.weights(0, KEPT_SHIFT, 0, nx as u32), blocks.counts()[0], |p| blocks.column_of(p));
    let rows = by_block(&placed.weights(1, KEPT_SHIFT, 0, nz as u32), blocks.counts()[1], |p| blocks.row_of(p));
    let touched = |list: &[Vec<Tap>]| (0..list.len() as u32).filter(|n| !list[*n as usize].is_empty()).collect();
    let (touched_x, touched_z): (Vec<u32>, Vec<u32>) = (touched(&columns), touched(&rows));
    let places: Vec<[u32; 2]> = touched_z.iter().flat_map(|z| touched_x.iter().map(|x| [*x, *z])).collect();

    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let at_once = (raster.cache().limit / blocks.bytes().max(1)).clamp(1, threads) as usize;
    let mut sums = Sums { placed, raster, nx, means: vec![0.0; nx * nz], range: [f64::INFINITY, f64::NEG_INFINITY] };
    let mut done = 0;
    for batch in places.chunks(at_once) {
        for (place, block) in batch.iter().zip(read_all(raster, batch)) {
            sums.add(*place, &block?, &columns[place[0] as usize], &rows[place[1] as usize])?;
            done += 1;
            progress(done, places.len() as u64);
        }
    }
    Ok(Survey { levels: levels(sums.means, &sizes), range: sums.range })
}

/// Decodes some blocks, each on a thread of its own.
fn read_all(raster: &TiledRaster, places: &[[u32; 2]]) -> Vec<Result<Block, RasterError>> {
    if let [place] = places {
        return vec![raster.read(*place)];
    }
    std::thread::scope(|scope| {
        let threads: Vec<_> = places.iter().map(|place| (place, scope.spawn(|| raster.read(*place)))).collect();
        // A thread that died is asked again here, where its trouble shows.
        threads.into_iter().map(|(place, thread)| thread.join().unwrap_or_else(|_| raster.read(*place))).collect()
    })
}

/// A pixel along one axis, the cell that takes it, and its weight there.
struct Tap {
    pixel: u32,
    cell: usize,
    weight: f64,
}

/// Taps by the block that holds their pixel, rising by pixel.
fn by_block(weights: &Weights, blocks: u32, block_of: impl Fn(u32) -> u32) -> Vec<Vec<Tap>> {
    let mut lists: Vec<Vec<Tap>> = (0..blocks).map(|_| Vec::new()).collect();
    for (cell, taps) in weights.0.iter().enumerate() {
        for &(pixel, weight) in taps {
            lists[block_of(pixel) as usize].push(Tap { pixel, cell, weight });
        }
    }
    lists.iter_mut().for_each(|list| list.sort_by_key(|tap| tap.pixel));
    lists
}

struct Sums<'a> {
    placed: &'a Placed,
    raster: &'a TiledRaster,
    nx: usize,
    means: Vec<f64>,
    range: [f64; 2],
}

impl Sums<'_> {
    /// Adds the pixels of a block to the cells that take them.
    fn add(&mut self, place: [u32; 2], block: &[f32], columns: &[Tap], rows: &[Tap]) -> Result<(), RasterError> {
        let west = self.raster.blocks().columns(place[0]);
        let south = self.raster.blocks().rows(place[1]).start;
        let (Some(first), Some(last)) = (columns.first(), columns.last()) else { return Ok(()) };
        let mut along = vec![0.0; last.cell + 1 - first.cell];
        for same_row in rows.chunk_by(|a, b| a.pixel == b.pixel) {
            let row = same_row[0].pixel;
            let line = &block[(row - south) as usize * west.len()..][..west.len()];
            along.fill(0.0);
            for tap in columns {
                let elevation = self.elevation(line[(tap.pixel - west.start) as usize], tap.pixel, row)?;
                self.range = [self.range[0].min(elevation), self.range[1].max(elevation)];
                along[tap.cell - first.cell] += tap.weight * elevation;
            }
            for tap in same_row {
                let cells = &mut self.means[tap.cell * self.nx + first.cell..][..along.len()];
                cells.iter_mut().zip(&along).for_each(|(cell, sum)| *cell += tap.weight * sum);
            }
        }
        Ok(())
    }

    fn elevation(&self, value: f32, column: u32, row: u32) -> Result<f64, RasterError> {
        let path = || self.raster.path().to_owned();
        match self.placed.elevation(value) {
            None => Err(RasterError::NoData { path: path(), column, row }),
            Some(elevation) if elevation.is_nan() || elevation.abs() > LARGEST_ELEVATION => {
                Err(RasterError::NotAnElevation { path: path(), column, row, elevation })
            }
            Some(elevation) => Ok(elevation),
        }
    }
}

/// Rounds the means of all levels; each level comes from the one before in f64, so that rounding does not pile up.
fn levels(mut means: Vec<f64>, sizes: &[[usize; 2]]) -> Vec<Vec<f32>> {
    let mut levels = Vec::with_capacity(sizes.len());
    for (n, &[nx, nz]) in sizes.iter().enumerate() {
        if n > 0 {
            let wide = sizes[n - 1][0];
            let at = |i: usize, k: usize| means[i + wide * k];
            let mean = |i: usize, k: usize| {
                let (i, k) = (2 * i, 2 * k);
                0.25 * ((at(i, k) + at(i + 1, k)) + (at(i, k + 1) + at(i + 1, k + 1)))
            };
            means = (0..nx * nz).map(|n| mean(n % nx, n / nx)).collect();
        }
        levels.push(means.iter().map(|mean| *mean as f32).collect());
    }
    levels
}
