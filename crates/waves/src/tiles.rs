//! The waves of a sea, split between square tiles that repeat.
//!
//! A tile of side L holds waves `k = (2π/L)(n, m)`. Tiles are smaller by the cube of the golden ratio from one to the
//! next, so that no two repeat together, and turned against each other; each holds a band of wave numbers of its own,
//! so that no wave counts twice.

use std::f64::consts::TAU;

use rayon::prelude::*;
use thalweg_model::Wave;

use crate::error::{Result, WavesError};
use crate::gaussian;
use crate::points::Waves;
use crate::spectrum::Sea;

/// Sides of a tile over those of the next.
const RATIO: f64 = 4.236_067_977_499_79;
/// Angle between a tile and the next, rad.
const TURN: f64 = 0.41;
/// A band begins at this many waves along its tile: fewer would show how it repeats.
const FEWEST: f64 = 4.0;
/// Most tiles.
pub(crate) const MOST: usize = 4;

/// How waves are split.
#[derive(Debug, Clone, PartialEq)]
pub struct TilesSettings {
    /// Side of the largest tile, m. Default 250.
    pub size: f64,
    /// Points along a side: 64, 128, 256 or 512. Default 256.
    pub points: u32,
    /// Tiles, 1 to 4. Default 3.
    pub cascades: u32,
    /// Picks the waves. Default 1.
    pub seed: u32,
    /// Time after which everything repeats, s: frequencies are whole multiples of its inverse. Default 4096.
    pub period: f64,
}

impl Default for TilesSettings {
    fn default() -> Self {
        Self { size: 250.0, points: 256, cascades: 3, seed: 1, period: 4096.0 }
    }
}

/// One wave of a tile and the one that runs the other way.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mode {
    /// Complex amplitude `h₀(k)`, m.
    pub forth: [f64; 2],
    /// `h₀(−k)`.
    pub back: [f64; 2],
    /// Turns of the wave in the period of the sea.
    pub turns: u32,
}

/// One tile.
#[derive(Debug, Clone)]
pub struct Tile {
    /// Its side, m.
    pub size: f64,
    /// The angle of its x axis from that of the world towards z, rad.
    pub rotation: f64,
    /// Wave numbers from and up to, 1/m.
    pub band: [f64; 2],
    /// Modes `n + points * m`, counted from 0 to half the points, then from minus half.
    pub modes: Vec<Mode>,
}

/// All tiles of a sea.
#[derive(Debug, Clone)]
pub struct Tiles {
    pub(crate) settings: TilesSettings,
    pub(crate) sea: Sea,
    /// From large to small.
    pub tiles: Vec<Tile>,
}

impl TilesSettings {
    fn check(&self) -> Result<()> {
        let wrong = |name, value, wants| Err(WavesError::Setting { name, value, wants });
        if !(self.size.is_finite() && (0.1..=1e6).contains(&self.size)) {
            return wrong("size", self.size, "it must be from 0.1 m to 1000 km");
        }
        if ![64, 128, 256, 512].contains(&self.points) {
            return wrong("resolution", self.points.into(), "it must be 64, 128, 256 or 512");
        }
        if !(1..=MOST as u32).contains(&self.cascades) {
            return wrong("cascades", self.cascades.into(), "there are 1 to 4");
        }
        if !(1.0..=86_400.0).contains(&self.period) {
            return wrong("period", self.period, "it must be from 1 s to a day");
        }
        Ok(())
    }
}

impl Tiles {
    /// Draws the waves of a sea.
    pub fn new(sea: &Sea, settings: &TilesSettings) -> Result<Self> {
        sea.check()?;
        settings.check()?;
        let law = sea.law();
        let half = settings.points as i32 / 2;
        let sizes: Vec<f64> = (0..settings.cascades).map(|c| settings.size / RATIO.powi(c as i32)).collect();
        let make = |(number, size): (usize, &f64)| {
            let step = TAU / size;
            let low = if number == 0 { 0.5 * step } else { FEWEST * step };
            let high = sizes.get(number + 1).map_or(f64::from(half) * step, |next| FEWEST * TAU / next);
            let rotation = TURN * number as f64;
            let (sin, cos) = (libm::sin(rotation), libm::cos(rotation));
            let amplitude = |n: i32, m: i32| {
                let [a, b] = [f64::from(n) * step, f64::from(m) * step];
                let k = a.hypot(b);
                // The last row and column have no partner: they carry nothing.
                if n == -half || m == -half || k < low || k >= high {
                    return [0.0; 2];
                }
                let density = law.density([cos * a - sin * b, sin * a + cos * b]);
                let root = (0.25 * density * step * step).sqrt();
                gaussian::pair(n, m, number as u32, settings.seed).map(|x| x * root)
            };
            let signed = |at: usize| if (at as i32) < half { at as i32 } else { at as i32 - 2 * half };
            let side = settings.points as usize;
            let modes = (0..side * side).into_par_iter().map(|at| {
                let (n, m) = (signed(at % side), signed(at / side));
                let (forth, back) = (amplitude(n, m), amplitude(-n, -m));
                if forth == [0.0; 2] && back == [0.0; 2] {
                    return Mode::default();
                }
                let k = step * f64::from(n).hypot(f64::from(m));
                let turns = (sea.frequency(k) * settings.period / TAU).round().max(1.0) as u32;
                Mode { forth, back, turns }
            });
            Tile { size: *size, rotation, band: [low, high], modes: modes.collect() }
        };
        let tiles = sizes.iter().enumerate().map(make).collect();
        Ok(Self { settings: settings.clone(), sea: sea.clone(), tiles })
    }

    /// The waves at least this long, m, at most so many, the highest first.
    pub fn waves(&self, shortest: f64, most: usize) -> Waves {
        let mut waves = Vec::new();
        for tile in &self.tiles {
            let (sin, cos) = (libm::sin(tile.rotation), libm::cos(tile.rotation));
            for (at, mode) in tile.modes.iter().enumerate() {
                let [a, b] = tile.wave_vector(at, self.settings.points as usize);
                let k = a.hypot(b);
                let amplitude = 2.0 * mode.forth[0].hypot(mode.forth[1]);
                if amplitude > 0.0 && TAU / k >= shortest {
                    waves.push(Wave {
                        k: [cos * a - sin * b, sin * a + cos * b],
                        omega: TAU * f64::from(mode.turns) / self.settings.period,
                        amplitude,
                        phase: libm::atan2(mode.forth[1], mode.forth[0]),
                    });
                }
            }
        }
        // The order decides the last bits of sums: amplitudes first, then the vectors, so that it never depends on the
        // sort.
        waves.sort_by(|a, b| b.amplitude.total_cmp(&a.amplitude).then(a.k[0].total_cmp(&b.k[0])));
        waves.truncate(most);
        Waves { waves, depth: self.sea.depth }
    }

    /// Variance of the heights of a tile, m².
    pub fn variance(&self, tile: usize) -> f64 {
        self.tiles[tile].sum(self.settings.points as usize, |_| 1.0)
    }

    /// Variance of the slopes of a tile by waves shorter than this, m; `INFINITY` for all.
    pub fn slope_variance(&self, tile: usize, shorter: f64) -> f64 {
        let lowest = TAU / shorter;
        self.tiles[tile].sum(self.settings.points as usize, |k| if k > lowest { k * k } else { 0.0 })
    }

    /// Mean wavelength of the slopes of a tile, m.
    pub(crate) fn mean_wavelength(&self, tile: usize) -> f64 {
        let points = self.settings.points as usize;
        let [slopes, weighted] = [0, 1].map(|power| self.tiles[tile].sum(points, |k| k * k * k.powi(power)));
        if slopes > 0.0 { TAU * slopes / weighted } else { self.tiles[tile].size }
    }
}

impl Tile {
    /// Wave vector of a mode, in the axes of the tile, 1/m.
    fn wave_vector(&self, at: usize, points: usize) -> [f64; 2] {
        let signed = |at: usize| if at < points / 2 { at as f64 } else { at as f64 - points as f64 };
        [signed(at % points), signed(at / points)].map(|n| n * TAU / self.size)
    }

    /// Sum of `2 |h₀|²` times a weight of the wave number.
    fn sum(&self, points: usize, weight: impl Fn(f64) -> f64) -> f64 {
        let part = |(at, mode): (usize, &Mode)| {
            let [re, im] = mode.forth;
            if re == 0.0 && im == 0.0 {
                return 0.0;
            }
            let [a, b] = self.wave_vector(at, points);
            2.0 * (re * re + im * im) * weight(a.hypot(b))
        };
        self.modes.iter().enumerate().map(part).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spectrum::Spectrum;

    fn settings(points: u32, cascades: u32, seed: u32) -> TilesSettings {
        TilesSettings { size: 400.0, points, cascades, seed, ..Default::default() }
    }

    fn sea() -> Sea {
        Sea { spectrum: Spectrum::Jonswap, ..Sea::default() }
    }

    #[test]
    fn the_height_of_many_seas_is_that_of_the_law() {
        let law = sea().law().variance();
        // The expectation, without random numbers.
        let tiles = Tiles::new(&sea(), &settings(256, 1, 1)).expect("tiles");
        let step = TAU / 400.0;
        let density = sea();
        let density = density.law();
        let expected: f64 = (-127..128)
            .flat_map(|n| (-127..128).map(move |m| [f64::from(n) * step, f64::from(m) * step]))
            .filter(|k| k[0].hypot(k[1]) < tiles.tiles[0].band[1])
            .map(|k| density.density(k) * step * step)
            .sum();
        println!("Σ P Δk² {expected:.4} m², ∫ S dω {law:.4} m²");
        assert!((expected / law - 1.0).abs() < 5e-3, "{expected} against {law}");
        let variances: Vec<f64> =
            (0..50).map(|seed| Tiles::new(&sea(), &settings(256, 1, seed)).expect("tiles").variance(0)).collect();
        let mean = variances.iter().sum::<f64>() / 50.0;
        let error = (mean / law).sqrt() - 1.0;
        println!("H_s over 50 seeds: {:.3} m, {:+.2} %", 4.0 * mean.sqrt(), 100.0 * error);
        assert!(error.abs() < 0.02, "{error}");
    }

    /// Twice the points add short waves and change none of the long.
    #[test]
    fn long_waves_are_the_same_for_any_number_of_points() {
        let [few, many] = [64, 128].map(|points| Tiles::new(&sea(), &settings(points, 1, 3)).expect("tiles"));
        let long = |tiles: &Tiles| tiles.waves(400.0 / 20.0, usize::MAX);
        assert!(!long(&few).waves.is_empty());
        assert_eq!(long(&few).waves, long(&many).waves);
    }

    #[test]
    fn no_wave_counts_twice_and_none_is_missing() {
        let several = |cascades| {
            let tiles = Tiles::new(&sea(), &settings(256, cascades, 1)).expect("tiles");
            for pair in tiles.tiles.windows(2) {
                assert_eq!(pair[0].band[1], pair[1].band[0], "bands meet");
                assert!(pair[0].band[1] < 128.0 * TAU / pair[0].size, "the larger tile holds its band");
            }
            // What the law has in the bands, against what the tiles were drawn from over 12 seeds.
            let drawn = (0..12).map(|seed| {
                let tiles = Tiles::new(&sea(), &settings(256, cascades, seed)).expect("tiles");
                (0..cascades as usize).map(|c| tiles.variance(c)).sum::<f64>()
            });
            drawn.sum::<f64>() / 12.0
        };
        let (one, three, law) = (several(1), several(3), sea().law().variance());
        println!("variance: one tile {one:.4}, three {three:.4}, law {law:.4} m²");
        assert!((three / law - 1.0).abs() < 0.05 && (one / law - 1.0).abs() < 0.05);
    }

    #[test]
    fn settings_that_make_no_tiles_are_refused() {
        for bad in [settings(100, 3, 1), settings(256, 5, 1), TilesSettings { size: 0.0, ..settings(64, 1, 1) }] {
            assert!(Tiles::new(&sea(), &bad).is_err(), "{bad:?}");
        }
    }
}
