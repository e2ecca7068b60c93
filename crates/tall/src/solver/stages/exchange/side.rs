//! The sides of the domain, and the zones along those that are no walls.

use thalweg_columns::Shape;
use thalweg_compute::{Buffer, ComputeError, Executor};
use thalweg_model::Series;

use super::Moment;
use super::zones::sea::{CornerWave, SeaSide};
use super::zones::{ZoneParams, outside};

/// `σ L/√(g h)` of a zone that absorbs: long waves come back as `e⁻⁴`. More reflects at the zone's slope, less at the
/// wall behind it.
const ABSORBING: f64 = 8.0;
/// The same of a zone that makes waves: it has to lead water that knows nothing of them over a part of a wavelength.
const MAKING: f64 = 20.0;

/// What is along a side of the domain. Elevations are in m above the corner of the domain, layers in cells.
#[derive(Debug, Clone)]
pub(crate) enum ZoneKind {
    /// Reflects everything.
    Wall,
    /// Lets waves out and holds a level.
    Open {
        /// Elevation of the still water outside.
        level: f64,
        /// Thickness of the zone that absorbs waves.
        layer: u32,
    },
    /// Lets water run out.
    Outflow {
        /// Thickness of the zone in which it vanishes.
        layer: u32,
    },
    /// Makes linear (Airy) waves that travel inwards, and lets others out.
    Wave {
        /// Elevation of still water.
        level: f64,
        /// Amplitude, m.
        amplitude: f64,
        /// Period, s.
        period: f64,
        /// Time over which the amplitude grows from 0, s.
        ramp: f64,
        /// Thickness of the zone.
        layer: u32,
    },
    /// Makes long waves of a given surface, and lets others out.
    Surface {
        /// Elevation of still water.
        level: f64,
        /// Elevation of the surface at the side.
        surface: Series,
        /// Thickness of the zone.
        layer: u32,
    },
    /// Makes the waves of a sea that travel inwards, and lets others out.
    Sea {
        /// Elevation of still water.
        level: f64,
        /// The waves; those that travel outwards are left out.
        waves: Vec<CornerWave>,
        /// Time after which they repeat, s.
        period: f64,
        /// Time over which they grow from 0, s.
        ramp: f64,
        /// Thickness of the zone.
        layer: u32,
    },
}

impl ZoneKind {
    /// What is wrong with its waves where the lowest ground along the side is at `lowest`, m: linear theory knows none
    /// whose troughs would be below the ground.
    pub(super) fn fault(&self, lowest: f64) -> Option<String> {
        let (level, amplitude, what) = match self {
            Self::Wave { level, amplitude, .. } => (*level, *amplitude, "an amplitude"),
            // Half of the significant height, which is four times the root of the variance.
            Self::Sea { level, waves, .. } => {
                let variance: f64 = waves.iter().map(|wave| 0.5 * wave.amplitude * wave.amplitude).sum();
                (*level, 2.0 * variance.sqrt(), "half a significant height")
            }
            _ => return None,
        };
        let depth = level - lowest;
        (amplitude >= depth).then(|| {
            format!(
                "{what} of {amplitude:.3} m in {:.3} m of water at most, whose troughs would be below the ground: make the waves lower or the water deeper",
                depth.max(0.0)
            )
        })
    }
}

/// A side that is no wall, on the columns.
#[derive(Debug)]
pub(super) struct Zone {
    kind: ZoneKind,
    /// `σ`, 1/s.
    rate: f64,
    /// `√(g h)`, m/s.
    celerity: f64,
    /// `ω` in 1/s.
    frequency: f64,
    cell: f64,
    params: ZoneParams,
    pub(super) sea: Option<SeaSide>,
}

impl Zone {
    /// `None` for a wall and for a zone without cells.
    pub(super) fn new(
        exec: &Executor,
        side: u32,
        kind: &ZoneKind,
        (shape, cell): (Shape, f64),
        terrain: &[f64],
        gravity: f64,
    ) -> Result<Option<Self>, ComputeError> {
        let (far_field, level, layer) = match *kind {
            ZoneKind::Wall => return Ok(None),
            ZoneKind::Open { level, layer } => (outside::STILL, Some(level), layer),
            ZoneKind::Outflow { layer } => (outside::DRY, None, layer),
            ZoneKind::Wave { level, layer, .. } => (outside::AIRY, Some(level), layer),
            ZoneKind::Surface { level, layer, .. } => (outside::SURFACE, Some(level), layer),
            ZoneKind::Sea { level, layer, .. } => (outside::SEA, Some(level), layer),
        };
        let across = if side < 2 { shape.nx } else { shape.nz };
        let layer = layer.min(across as u32);
        if layer == 0 {
            return Ok(None);
        }
        let lowest = lowest_along(shape, side, terrain);
        let depth = level.map_or(0.0, |level| level - lowest).max(2.0 * cell);
        let celerity = (gravity * depth).sqrt();
        let frequency = match *kind {
            ZoneKind::Wave { period, .. } => std::f64::consts::TAU / period,
            _ => 0.0,
        };
        let params = ZoneParams {
            nx: shape.nx as u32,
            nz: shape.nz as u32,
            samples: shape.samples() as u32,
            side,
            layer,
            far_field,
            strength: 0.0,
            level: (level.unwrap_or(0.0) / cell) as f32,
            depth: (depth / cell) as f32,
            amplitude: 0.0,
            wave_number: (wave_number(frequency, depth, gravity) * cell) as f32,
            phase: 0.0,
            speed: 0.0,
            at_side: 0.0,
            at_middle: 0.0,
            at_end: 0.0,
            celerity: celerity as f32,
            band_0: 0.0,
            band_1: 0.0,
            band_2: 0.0,
            band_3: 0.0,
            turn: 0,
        };
        let mut params = params;
        let sea = match kind {
            ZoneKind::Sea { waves, period, .. } => {
                let inward = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]][side as usize & 3];
                let comes_in = |wave: &&CornerWave| wave.k[0] * inward[0] + wave.k[1] * inward[1] > 0.0;
                let waves: Vec<CornerWave> = waves.iter().filter(comes_in).copied().collect();
                let sea = SeaSide::new(exec, &waves, *period, (depth, cell), params.columns())?;
                [params.band_0, params.band_1, params.band_2, params.band_3] = sea.bands;
                Some(sea)
            }
            _ => None,
        };
        let absorbs = matches!(kind, ZoneKind::Open { .. } | ZoneKind::Outflow { .. });
        let strength = if absorbs { ABSORBING } else { MAKING };
        let rate = strength * celerity / (f64::from(layer) * cell);
        Ok(Some(Self { kind: kind.clone(), rate, celerity, frequency, cell, params, sea }))
    }

    /// The sums of a sea, or `none` for other sides.
    pub(super) fn sums<'a>(&'a self, none: &'a Buffer<[f32; 4]>) -> &'a Buffer<[f32; 4]> {
        self.sea.as_ref().map_or(none, |sea| &sea.sums)
    }

    pub(super) fn columns(&self) -> usize {
        self.params.columns()
    }

    /// The far field at the end of a step.
    pub(super) fn params(&self, Moment { time, dt }: Moment) -> ZoneParams {
        let end = time + dt;
        let mut params = ZoneParams { strength: (self.rate * dt) as f32, ..self.params };
        match &self.kind {
            ZoneKind::Wave { amplitude, ramp, .. } => {
                let grown = if end < *ramp { end / ramp } else { 1.0 };
                params.amplitude = (amplitude * grown / self.cell) as f32;
                params.speed = (amplitude * grown * self.frequency) as f32;
                params.phase = (self.frequency * end).rem_euclid(std::f64::consts::TAU) as f32;
            }
            ZoneKind::Sea { period, ramp, .. } => {
                params.amplitude = if end < *ramp { (end / ramp) as f32 } else { 1.0 };
                params.turn = ((end / period).rem_euclid(1.0) * 4_294_967_296.0).round() as u64 as u32;
            }
            ZoneKind::Surface { level, surface, .. } => {
                // A wave that was at the side a while ago is further in now.
                let way = f64::from(self.params.layer) * self.cell / self.celerity;
                let over = |share: f64| ((surface.at(end - share * way) - level) / self.cell) as f32;
                (params.at_side, params.at_middle, params.at_end) = (over(0.0), over(0.5), over(1.0));
            }
            _ => {}
        }
        params
    }
}

/// The lowest ground along a side, in the unit of `terrain`.
pub(super) fn lowest_along(shape: Shape, side: u32, terrain: &[f64]) -> f64 {
    let edge = (0..shape.columns()).filter(|column| {
        let (i, k) = (column % shape.nx, column / shape.nx);
        match side {
            0 => i == 0,
            1 => i + 1 == shape.nx,
            2 => k == 0,
            _ => k + 1 == shape.nz,
        }
    });
    edge.map(|column| terrain[column]).fold(f64::INFINITY, f64::min)
}

/// Wave number of `ω² = g k tanh(k h)`, 1/m, by Newton's method; 0 for no wave.
fn wave_number(frequency: f64, depth: f64, gravity: f64) -> f64 {
    if frequency <= 0.0 {
        return 0.0;
    }
    let target = frequency * frequency * depth / gravity.max(1e-9);
    // x = k h of x tanh x = target; the start is within 10 % (Eckart 1952).
    let mut x = target / target.tanh().sqrt();
    for _ in 0..20 {
        let tanh = x.tanh();
        x -= (x * tanh - target) / (tanh + x * (1.0 - tanh * tanh));
    }
    x / depth
}

#[cfg(test)]
mod tests {
    use super::wave_number;

    #[test]
    fn wave_numbers_obey_the_dispersion_relation() {
        for (frequency, depth) in [(0.1, 1.0), (1.0, 1.0), (3.0, 1.0), (9.0, 2.0), (1.0, 300.0)] {
            let k: f64 = wave_number(frequency, depth, 9.81);
            let found = (9.81 * k * (k * depth).tanh()).sqrt();
            assert!((found / frequency - 1.0).abs() < 1e-9, "{frequency} 1/s in {depth} m: {found}");
        }
        assert_eq!(wave_number(0.0, 1.0, 9.81), 0.0);
    }
}
