//! Sides and sources of the vocabulary, in the world, as the solver takes them: from the corner of the domain.

use thalweg_model::{Inflow, Side as WorldSide, Sides, Source as WorldSource, SourceShape};

use crate::{Exchange, Region, SeaWave, Side, Source};

/// Thickness of the zone of a side where water runs out, cells, in a domain that is wide enough.
const OUTFLOW_LAYER: u32 = 16;

/// The columns of a domain in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldColumns {
    /// Columns along x and z.
    pub cells: [u32; 2],
    /// World coordinates of the low corner, m.
    pub corner: [f64; 3],
    /// Height of the domain, m.
    pub height: f64,
    /// Elevation of still water at the start, m, if there is such a level.
    pub level: Option<f64>,
}

/// A sea that comes in through sides.
#[derive(Debug, Clone, PartialEq)]
pub struct IncomingSea {
    /// Its waves, with phases at the corner of the domain.
    pub waves: Vec<SeaWave>,
    /// Time after which they repeat, s.
    pub period: f64,
    /// Period of the strongest, s.
    pub peak_period: f64,
}

impl WorldColumns {
    /// Sources and sides as the solver takes them. A side of the kind [`WorldSide::Ocean`] is a wall without a sea.
    pub fn exchange(&self, sides: &Sides, sources: &[WorldSource], sea: Option<&IncomingSea>) -> Exchange {
        let sides = sides.all();
        Exchange {
            sources: sources.iter().map(|source| self.source(source)).collect(),
            sides: std::array::from_fn(|number| self.side(number, sides[number], sea)),
        }
    }

    fn source(&self, from: &WorldSource) -> Source {
        let [x, floor, z] = self.corner;
        // Three-dimensional water has elevations for its sources; without, one would be as high as the domain.
        let y = from.y.map_or([0.0, self.height], |y| y.map(|y| y - floor));
        let region = match from.shape {
            SourceShape::Disc { center, radius } => Region::Disc { centre: [center[0] - x, center[1] - z], radius, y },
            SourceShape::Box { min, max } => {
                Region::Box { min: [min[0] - x, y[0], min[1] - z], max: [max[0] - x, y[1], max[1] - z] }
            }
        };
        Source { region, rate: from.rate.clone(), direction: from.direction }
    }

    fn side(&self, number: usize, from: &WorldSide, sea: Option<&IncomingSea>) -> Side {
        let floor = self.corner[1];
        let across = self.cells[usize::from(number >= 2)];
        let outflow = Side::Outflow { layer: OUTFLOW_LAYER.min(across / 4).max(1) };
        let level = |given: Option<f64>| given.or(self.level).map(|level| level - floor);
        match from {
            WorldSide::Wall => Side::Wall,
            WorldSide::Outflow => outflow,
            // No level given and no water at the start: whatever gets there runs out.
            WorldSide::Open { level: given, layer } => {
                level(*given).map_or(outflow, |level| Side::Open { level, layer: *layer })
            }
            WorldSide::Wave { amplitude, period, ramp, level: given, layer } => {
                level(*given).map_or(Side::Wall, |level| Side::Wave {
                    level,
                    amplitude: *amplitude,
                    period: *period,
                    ramp: *ramp,
                    layer: *layer,
                })
            }
            WorldSide::Inflow { kind: Inflow::Surface(series), layer, .. } => {
                let surface = series.clone().raised(-floor);
                let level = level(None).unwrap_or_else(|| surface.at(0.0));
                Side::Surface { level, surface, layer: *layer }
            }
            WorldSide::Ocean { level: given, ramp, layer } => match (sea, level(*given)) {
                (Some(sea), Some(level)) => Side::Sea {
                    level,
                    waves: sea.waves.clone(),
                    period: sea.period,
                    ramp: ramp.unwrap_or(sea.peak_period),
                    layer: *layer,
                },
                _ => Side::Wall,
            },
            // Scenes of this solver with them are refused.
            WorldSide::Inflow { kind: Inflow::Discharge(_), .. }
            | WorldSide::Level { .. }
            | WorldSide::Rating { .. }
            | WorldSide::Normal { .. } => Side::Wall,
        }
    }
}

#[cfg(test)]
mod tests {
    use thalweg_model::Series;

    use super::*;

    const COLUMNS: WorldColumns =
        WorldColumns { cells: [100, 8], corner: [10.0, -2.0, 20.0], height: 5.0, level: Some(1.0) };

    #[test]
    fn lengths_count_from_the_corner() {
        let shape = SourceShape::Disc { center: [12.0, 21.0], radius: 0.5 };
        let rate = Series::constant(0.3);
        let spring = WorldSource { name: "spring".into(), shape, rate, y: Some([-1.5, 0.0]), direction: None };
        let sides = Sides::from([
            WorldSide::Open { level: None, layer: 4 },
            WorldSide::Outflow,
            WorldSide::Ocean { level: None, ramp: None, layer: 3 },
            WorldSide::Outflow,
        ]);
        let found = COLUMNS.exchange(&sides, &[spring], None);
        let wanted = Region::Disc { centre: [2.0, 1.0], radius: 0.5, y: [0.5, 2.0] };
        assert_eq!(found.sources[0].region, wanted);
        let [west, east, south, north] = found.sides;
        assert!(matches!(west, Side::Open { level: 3.0, layer: 4 }), "{west:?}");
        assert!(matches!(east, Side::Outflow { layer: 16 }), "{east:?}");
        assert!(matches!(north, Side::Outflow { layer: 2 }), "a narrow domain has a thin zone: {north:?}");
        assert!(matches!(south, Side::Wall), "there is no sea: {south:?}");
        let sea = IncomingSea { waves: Vec::new(), period: 64.0, peak_period: 7.0 };
        let [_, _, south, _] = COLUMNS.exchange(&sides, &[], Some(&sea)).sides;
        assert!(matches!(south, Side::Sea { level: 3.0, period: 64.0, ramp: 7.0, layer: 3, .. }), "{south:?}");
    }
}
