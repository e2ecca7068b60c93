//! The tiles on an executor: the list of kernels of a moment, and what pictures read.

use std::f64::consts::TAU;

use thalweg_compute::{Buffer, Dispatch, Executor, Recording};

use crate::error::Result;
use crate::evolve::{Evolve, EvolveParams, FIELDS};
use crate::fft;
use crate::flatten::{Flatten, FlattenParams};
use crate::layout;
use crate::surface::{Foam, Surface, SurfaceParams};
use crate::texture::Texture;
use crate::tiles::{MOST, Tiles};

/// Columns over which the waves are seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// World coordinates x and z of the first column's corner, m.
    pub corner: [f64; 2],
    /// Edge of a column, m.
    pub cell: f64,
    /// Columns along x and z.
    pub columns: [u32; 2],
}

/// Waves longer than this many cells are in the simulated water itself.
const RESOLVED: f64 = 6.0;

/// A sea on an executor.
#[derive(Debug)]
pub struct Ocean {
    tiles: Tiles,
    choppiness: f64,
    foam: Foam,
    amplitudes: Buffer<[f32; 4]>,
    turns: Buffer<u32>,
    roots: Buffer<[f32; 2]>,
    fields: Buffer<[f32; 2]>,
    moved: Buffer<[f32; 4]>,
    bent: Buffer<[f32; 4]>,
    words: Buffer<f32>,
    time: Option<f64>,
}

impl Ocean {
    /// Takes memory for the tiles, and for coordinates over the columns of a place.
    pub fn new(exec: &Executor, tiles: Tiles, choppiness: f64, foam: Foam, place: &Place) -> Result<Self> {
        let count = tiles.tiles.len() * (tiles.settings.points as usize).pow(2);
        let modes = || tiles.tiles.iter().flat_map(|tile| &tile.modes);
        let amplitude = |mode: &crate::Mode| {
            let ([a, b], [c, d]) = (mode.forth, mode.back);
            [a as f32, b as f32, c as f32, d as f32]
        };
        let amplitudes: Vec<[f32; 4]> = modes().map(amplitude).collect();
        let turns: Vec<u32> = modes().map(|mode| mode.turns).collect();
        let columns = (place.columns[0] * place.columns[1]) as usize;
        let words = exec.zeros("waves.words", layout::HEAD + layout::POINT * count + layout::COLUMN * columns)?;
        exec.write(&words, 0, &head(&tiles, place))?;
        Ok(Self {
            amplitudes: exec.buffer_from("waves.amplitudes", &amplitudes)?,
            turns: exec.buffer_from("waves.turns", &turns)?,
            roots: fft::roots(exec, tiles.settings.points)?,
            fields: exec.buffer("waves.fields", FIELDS * count)?,
            moved: exec.zeros("waves.moved", count)?,
            bent: exec.buffer("waves.bent", count)?,
            words,
            tiles,
            choppiness,
            foam,
            time: None,
        })
    }

    /// The waves.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// Points along the side of a tile.
    pub fn points(&self) -> u32 {
        self.tiles.settings.points
    }

    /// What pictures read; see [`layout`].
    pub fn words(&self) -> &Buffer<f32> {
        &self.words
    }

    /// Shift, height, shift, foam per point of a tile, in the tile's axes, m.
    pub fn moved(&self) -> &Buffer<[f32; 4]> {
        &self.moved
    }

    /// Slopes and Jacobian per point of a tile, in the tile's axes.
    pub fn bent(&self) -> &Buffer<[f32; 4]> {
        &self.bent
    }

    /// Records the sea at a time, s; foam fades by the time since the last call.
    pub fn record(&mut self, rec: &mut Recording<'_>, time: f64) -> Result<()> {
        let since = self.time.map_or(f64::INFINITY, |before| (time - before).max(0.0));
        self.time = Some(time);
        let (points, tiles) = (self.points(), self.tiles.tiles.len() as u32);
        let count = (tiles * points * points) as usize;
        let each = |value: &dyn Fn(&crate::Tile) -> f64| -> [f32; MOST] {
            std::array::from_fn(|n| self.tiles.tiles.get(n).map_or(0.0, |tile| value(tile) as f32))
        };
        let [step_0, step_1, step_2, step_3] = each(&|tile| TAU / tile.size);
        let share = (time / self.tiles.settings.period).rem_euclid(1.0);
        // A share that rounds up to a whole period is its beginning.
        let now = (share * 4_294_967_296.0).round() as u64 as u32;
        let p = EvolveParams { points, tiles, time: now, step_0, step_1, step_2, step_3 };
        let kernel = Evolve { amplitudes: &self.amplitudes, turns: &self.turns, fields: &self.fields };
        rec.run(&kernel, &p, Dispatch::Elements(count))?;
        fft::record(rec, &self.roots, &self.fields, points, tiles * FIELDS as u32)?;
        let p = SurfaceParams {
            points,
            tiles,
            choppiness: self.choppiness as f32,
            threshold: self.foam.threshold as f32,
            width: self.foam.width.max(1e-3) as f32,
            keeps: libm::exp(-since / self.foam.decay.max(1e-3)) as f32,
        };
        let kernel = Surface { fields: &self.fields, moved: &self.moved, bent: &self.bent };
        rec.run(&kernel, &p, Dispatch::Elements(count))?;
        let [per_metre_0, per_metre_1, per_metre_2, per_metre_3] = each(&|tile| f64::from(points) / tile.size);
        let [cos_0, cos_1, cos_2, cos_3] = each(&|tile| libm::cos(tile.rotation));
        let [sin_0, sin_1, sin_2, sin_3] = each(&|tile| libm::sin(tile.rotation));
        let head = layout::HEAD as u32;
        let p = FlattenParams {
            points,
            tiles,
            head,
            per_metre_0,
            per_metre_1,
            per_metre_2,
            per_metre_3,
            cos_0,
            cos_1,
            cos_2,
            cos_3,
            sin_0,
            sin_1,
            sin_2,
            sin_3,
        };
        let kernel = Flatten { moved: &self.moved, bent: &self.bent, words: &self.words };
        Ok(rec.run(&kernel, &p, Dispatch::Elements(count))?)
    }

    /// Records coordinates that drift into the words; their columns are those of the place.
    pub fn record_texture(&self, rec: &mut Recording<'_>, texture: &Texture) -> Result<()> {
        let points = self.tiles.tiles.len() * (self.points() as usize).pow(2);
        texture.publish(rec, &self.words, (layout::HEAD + layout::POINT * points) as u32)
    }
}

/// How the tiles lie over the columns; see [`layout`].
fn head(tiles: &Tiles, place: &Place) -> Vec<f32> {
    let mut head = vec![0.0; layout::HEAD];
    for (n, tile) in tiles.tiles.iter().enumerate() {
        let words = &mut head[layout::HEAD_OF_TILE * n..][..layout::HEAD_OF_TILE];
        let (sin, cos) = (libm::sin(tile.rotation), libm::cos(tile.rotation));
        let [x, z] = place.corner;
        // Whole tiles fall out in f64: the world may be large.
        let share = |at: f64| (at / tile.size).rem_euclid(1.0) as f32;
        (words[0], words[1]) = (share(cos * x + sin * z), share(cos * z - sin * x));
        words[2] = (cos * place.cell / tile.size) as f32;
        words[3] = (sin * place.cell / tile.size) as f32;
        let all = tiles.slope_variance(n, f64::INFINITY);
        let unresolved = tiles.slope_variance(n, RESOLVED * place.cell);
        words[4] = if all > 0.0 { (unresolved / all).sqrt() as f32 } else { 0.0 };
        words[5] = (tiles.mean_wavelength(n) / place.cell) as f32;
        words[6] = all as f32;
        words[7] = (1.0 / place.cell) as f32;
    }
    head
}

#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;
