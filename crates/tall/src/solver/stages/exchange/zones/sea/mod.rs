//! A sea of many waves at the columns of a zone: sums over waves, in four bands of wave numbers that share a profile
//! over depth.
//!
//! Of a column and a band: height at its middle (cells), velocity at its face of low x, at its face of low z, and
//! upwards at its middle (m/s, at the level of still water, before the profile).

pub(crate) mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

pub(crate) use constants::BANDS;
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, kernel, uniform};

use super::ZoneParams;

/// A wave of a sea that repeats, counted from the corner of the domain: the height is `a cos(k·x − ω t + φ)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CornerWave {
    /// Wave vector along x and z, 1/m.
    pub(crate) k: [f64; 2],
    /// Amplitude, m.
    pub(crate) amplitude: f64,
    /// Phase at time 0, rad.
    pub(crate) phase: f64,
    /// Waves that pass in the period of the sea.
    pub(crate) turns: u32,
}

uniform! {
    /// A zone, and which waves belong to which band.
    pub struct SeaParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// As in [`ZoneParams`].
        pub side: u32,
        /// As in [`ZoneParams`].
        pub layer: u32,
        /// The time as a share of the sea's period, in units of 2⁻³².
        pub turn: u32,
        /// Cells from a column to the next along x: less than 1 on a finer lattice.
        pub step_x: f32,
        /// The same along z.
        pub step_z: f32,
        /// First wave after the first band.
        pub end_0: u32,
        /// The same of the second.
        pub end_1: u32,
        /// The same of the third.
        pub end_2: u32,
        /// The same of the fourth.
        pub end_3: u32,
    }
}

kernel! {
    /// Sums per column and band. Of a wave `waves` holds three entries: wave vector per cell, amplitude in cells,
    /// phase; speeds along x, z and up; cosine and sine of half a cell along x and z.
    pub struct SeaColumns slices SeaColumnsSlices = "tall.sea_columns" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/sea_columns.wgsl")), entry: "sea_columns",
        workgroup: [256, 1, 1],
        params: SeaParams,
        cpu: cpu::sea_columns,
        read waves: [f32; 4],
        read turns: u32,
        write sea: [f32; 4],
    }
}

/// A sea on the columns of a zone, in memory of an executor.
#[derive(Debug)]
pub(crate) struct SeaSide {
    waves: Buffer<[f32; 4]>,
    turns: Buffer<u32>,
    pub(crate) sums: Buffer<[f32; 4]>,
    /// The same on a lattice twice as fine.
    pub(crate) fine_sums: Buffer<[f32; 4]>,
    ends: [u32; BANDS],
    /// Wave numbers of the bands, radians per cell.
    pub(crate) bands: [f32; BANDS],
}

impl SeaSide {
    /// `depth` and `cell` in m, `period` in s.
    pub(crate) fn new(
        exec: &Executor,
        waves: &[CornerWave],
        period: f64,
        (depth, cell): (f64, f64),
        columns: usize,
    ) -> Result<Self, ComputeError> {
        let number = |wave: &CornerWave| wave.k[0].hypot(wave.k[1]);
        let mut sorted: Vec<&CornerWave> = waves.iter().filter(|wave| number(wave) > 0.0).collect();
        sorted.sort_by(|a, b| number(a).total_cmp(&number(b)));
        let energy = |wave: &CornerWave| wave.amplitude * wave.amplitude;
        let total: f64 = sorted.iter().map(|wave| energy(wave)).sum();
        // Bands of equal energy; the wave number of a band is that of its mean.
        let (mut ends, mut bands, mut first, mut sum) = ([0; BANDS], [0.0; BANDS], 0, 0.0);
        for (band, end) in ends.iter_mut().enumerate() {
            let mut last = first;
            let wanted = total * (band + 1) as f64 / BANDS as f64;
            while last < sorted.len() && (band + 1 == BANDS || sum < wanted) {
                sum += energy(sorted[last]);
                last += 1;
            }
            let own = &sorted[first..last];
            let own_energy: f64 = own.iter().map(|wave| energy(wave)).sum();
            let mean: f64 = own.iter().map(|wave| energy(wave) * number(wave)).sum();
            bands[band] = if own_energy > 0.0 { (mean / own_energy * cell) as f32 } else { 0.0 };
            (*end, first) = (last as u32, last);
        }
        let words: Vec<[f32; 4]> = sorted
            .iter()
            .flat_map(|wave| {
                let (k, omega) = (number(wave), std::f64::consts::TAU * f64::from(wave.turns) / period);
                let speed = wave.amplitude * omega / (1.0 - (-2.0 * k * depth).exp());
                let [x, z] = wave.k.map(|k| k * cell);
                [
                    [x, z, wave.amplitude / cell, wave.phase],
                    [speed * wave.k[0] / k, speed * wave.k[1] / k, speed, 0.0],
                    [(0.5 * x).cos(), (0.5 * x).sin(), (0.5 * z).cos(), (0.5 * z).sin()],
                ]
            })
            .map(|entry| entry.map(|v| v as f32))
            .collect();
        let turns: Vec<u32> = sorted.iter().map(|wave| wave.turns).collect();
        Ok(Self {
            waves: exec.buffer_from("tall.sea_waves", &words)?,
            turns: exec.buffer_from("tall.sea_turns", &turns)?,
            sums: exec.buffer("tall.sea_columns", (BANDS * columns).max(1))?,
            fine_sums: exec.buffer("tall.sea_fine_columns", (4 * BANDS * columns).max(1))?,
            ends,
            bands,
        })
    }

    /// Records the sums at the end of a step.
    pub(crate) fn record(&self, rec: &mut Recording<'_>, p: &ZoneParams) -> Result<(), ComputeError> {
        self.record_into(rec, p, [1, 1], &self.sums)
    }

    /// The same on a finer lattice, with this many columns in one along x and z; only heights are of use there.
    pub(crate) fn record_fine(
        &self,
        rec: &mut Recording<'_>,
        p: &ZoneParams,
        ratio: [u32; 2],
    ) -> Result<(), ComputeError> {
        self.record_into(rec, p, ratio, &self.fine_sums)
    }

    fn record_into(
        &self,
        rec: &mut Recording<'_>,
        p: &ZoneParams,
        ratio: [u32; 2],
        sea: &Buffer<[f32; 4]>,
    ) -> Result<(), ComputeError> {
        let [step_x, step_z] = ratio.map(|ratio| 1.0 / ratio as f32);
        let [end_0, end_1, end_2, end_3] = self.ends;
        let ZoneParams { nx, nz, side, layer, turn, .. } = *p;
        let params = SeaParams { nx, nz, side, layer, turn, step_x, step_z, end_0, end_1, end_2, end_3 };
        let kernel = SeaColumns { waves: &self.waves, turns: &self.turns, sea };
        rec.run(&kernel, &params, Dispatch::Elements(BANDS * p.columns()))
    }
}
