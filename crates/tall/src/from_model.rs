//! Sides and sources of the vocabulary as the solver takes them: from the corner of the domain.

use std::f64::consts::TAU;

use thalweg_model::{Inflow, Series, Side, Sides, Source, SourceShape, Wave};

use crate::solver::stages::exchange::{CornerWave, Region, ZoneKind};

/// Thickness of the zone of a side where water runs out, cells, in a domain that is wide enough.
const OUTFLOW_LAYER: u32 = 16;

/// How water enters and leaves. World coordinates.
#[derive(Debug, Clone, Default)]
pub struct Exchange {
    /// Sources and drains; one without elevations is as high as the domain.
    pub sources: Vec<Source>,
    /// The sides. Those that hold a level or let a discharge in, which only shallow water has, are walls.
    pub sides: Sides,
    /// The sea behind sides of the kind [`Side::Ocean`], which are walls without one.
    pub sea: Option<IncomingSea>,
    /// The low corner of the domain, m.
    pub corner: [f64; 3],
    /// Elevation of still water at the start, m, if there is such a level.
    pub level: Option<f64>,
}

/// A sea that comes in through sides.
#[derive(Debug, Clone, PartialEq)]
pub struct IncomingSea {
    /// Its waves; the frequency of each is a multiple of that of the period.
    pub waves: Vec<Wave>,
    /// Time after which they repeat, s.
    pub period: f64,
    /// Period of the strongest, s.
    pub peak_period: f64,
}

/// A source as columns take it; lengths in m from the corner of the domain.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlacedSource {
    pub(crate) region: Region,
    /// Water that enters, m³/s.
    pub(crate) rate: Series,
    /// Direction of a jet, of any length: all water leaves the region that way, at rate over cross-section.
    pub(crate) direction: Option<[f64; 3]>,
}

impl PlacedSource {
    /// A source of the world, in a domain with a corner and a height, m.
    pub(crate) fn new(from: &Source, [x, floor, z]: [f64; 3], height: f64) -> Self {
        let y = from.y.map_or([0.0, height], |y| y.map(|y| y - floor));
        let region = match from.shape {
            SourceShape::Disc { center, radius } => Region::Disc { centre: [center[0] - x, center[1] - z], radius, y },
            SourceShape::Box { min, max } => {
                Region::Box { min: [min[0] - x, y[0], min[1] - z], max: [max[0] - x, y[1], max[1] - z] }
            }
        };
        Self { region, rate: from.rate.clone(), direction: from.direction }
    }
}

impl Exchange {
    /// What is along the sides of a domain with so many columns along x and z.
    pub(crate) fn zones(&self, columns: [u32; 2]) -> [ZoneKind; 4] {
        let sides = self.sides.all();
        std::array::from_fn(|number| self.zone(columns[usize::from(number >= 2)], sides[number]))
    }

    /// `across`: columns from the side to the one opposite.
    fn zone(&self, across: u32, side: &Side) -> ZoneKind {
        let floor = self.corner[1];
        let outflow = ZoneKind::Outflow { layer: OUTFLOW_LAYER.min(across / 4).max(1) };
        let level = |given: Option<f64>| given.or(self.level).map(|level| level - floor);
        match side {
            Side::Wall => ZoneKind::Wall,
            Side::Outflow => outflow,
            // No level given and no water at the start: whatever gets there runs out.
            Side::Open { level: given, layer } => {
                level(*given).map_or(outflow, |level| ZoneKind::Open { level, layer: *layer })
            }
            Side::Wave { amplitude, period, ramp, level: given, layer } => {
                level(*given).map_or(ZoneKind::Wall, |level| ZoneKind::Wave {
                    level,
                    amplitude: *amplitude,
                    period: *period,
                    ramp: *ramp,
                    layer: *layer,
                })
            }
            Side::Inflow { kind: Inflow::Surface(series), layer, .. } => {
                let surface = series.clone().raised(-floor);
                let level = level(None).unwrap_or_else(|| surface.at(0.0));
                ZoneKind::Surface { level, surface, layer: *layer }
            }
            Side::Ocean { level: given, ramp, layer } => match (&self.sea, level(*given)) {
                (Some(sea), Some(level)) => ZoneKind::Sea {
                    level,
                    waves: sea.waves.iter().map(|wave| self.at_corner(wave, sea.period)).collect(),
                    period: sea.period,
                    ramp: ramp.unwrap_or(sea.peak_period),
                    layer: *layer,
                },
                _ => ZoneKind::Wall,
            },
            // Scenes of this solver with them are refused.
            Side::Inflow { kind: Inflow::Discharge(_), .. }
            | Side::Level { .. }
            | Side::Rating { .. }
            | Side::Normal { .. } => ZoneKind::Wall,
        }
    }

    /// A wave of a sea that repeats after a period, s.
    fn at_corner(&self, wave: &Wave, period: f64) -> CornerWave {
        let [x, _, z] = self.corner;
        CornerWave {
            k: wave.k,
            amplitude: wave.amplitude,
            phase: (wave.phase + wave.k[0] * x + wave.k[1] * z) % TAU,
            turns: (wave.omega * period / TAU).round() as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNER: [f64; 3] = [10.0, -2.0, 20.0];

    #[test]
    fn lengths_count_from_the_corner() {
        let shape = SourceShape::Disc { center: [12.0, 21.0], radius: 0.5 };
        let spring = Source { y: Some([-1.5, 0.0]), ..Source::new("spring", shape, Series::constant(0.3)) };
        let wanted = Region::Disc { centre: [2.0, 1.0], radius: 0.5, y: [0.5, 2.0] };
        assert_eq!(PlacedSource::new(&spring, CORNER, 5.0).region, wanted);
        let whole = Region::Disc { centre: [2.0, 1.0], radius: 0.5, y: [0.0, 5.0] };
        assert_eq!(PlacedSource::new(&Source { y: None, ..spring }, CORNER, 5.0).region, whole);

        let sides = Sides::from([
            Side::Open { level: None, layer: 4 },
            Side::Outflow,
            Side::Ocean { level: None, ramp: None, layer: 3 },
            Side::Outflow,
        ]);
        let mut exchange = Exchange { sides, corner: CORNER, level: Some(1.0), ..Exchange::default() };
        let [west, east, south, north] = exchange.zones([100, 8]);
        assert!(matches!(west, ZoneKind::Open { level: 3.0, layer: 4 }), "{west:?}");
        assert!(matches!(east, ZoneKind::Outflow { layer: 16 }), "{east:?}");
        assert!(matches!(north, ZoneKind::Outflow { layer: 2 }), "a narrow domain has a thin zone: {north:?}");
        assert!(matches!(south, ZoneKind::Wall), "there is no sea: {south:?}");
        let wave = Wave { k: [0.1, 0.0], omega: TAU / 16.0, amplitude: 0.2, phase: 0.5 };
        exchange.sea = Some(IncomingSea { waves: vec![wave], period: 64.0, peak_period: 7.0 });
        let [_, _, south, _] = exchange.zones([100, 8]);
        let ZoneKind::Sea { level: 3.0, waves, period: 64.0, ramp: 7.0, layer: 3 } = south else { panic!("{south:?}") };
        assert_eq!(waves, [CornerWave { k: [0.1, 0.0], amplitude: 0.2, phase: 1.5, turns: 4 }]);
    }
}
