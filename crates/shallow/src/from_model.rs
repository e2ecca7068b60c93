//! Sides of the vocabulary as kernels take them: in cells of the grid, driven by functions of time.

use std::ops::Range;

use thalweg_model::{Inflow, Series, Side, Sides};

use crate::error::{Result, invalid};
use crate::setup::{Driver, FarField, InitialCell, SIDES};

/// What lies beyond a side. Spans are the first and one past the last cell along it; elsewhere it is a wall.
pub(crate) enum PreparedSide {
    Wall,
    /// Water leaves as if the domain went on with the same state.
    Outflow,
    /// A far field at a level (m): waves leave, and enter if the level varies.
    FarField {
        level: Driver,
        rest: f64,
        layer: u32,
        span: Range<u32>,
    },
    /// Water enters through the whole span, m³/s.
    Discharge {
        rate: Driver,
        span: Range<u32>,
    },
    /// The water beyond stands at a level: water leaves or enters as that asks for.
    Level {
        stage: Stage,
        span: Range<u32>,
    },
}

/// What the level at a side follows from.
pub(crate) enum Stage {
    /// It is given, m; `absorb` is that of [`Side::Level`], s.
    Given { level: Driver, absorb: f64 },
    /// From the discharge that leaves through the whole span: points of elevation (m) and discharge (m³/s), straight
    /// between them and on beyond the ends. Nothing enters.
    Rating { curve: Vec<[f64; 2]> },
    /// That of uniform flow in a wide channel, q = h^(5/3) √S / n, in every cell by itself. Nothing enters.
    Normal { slope: f64, manning: f64 },
}

/// A uniform grid in the world; of a tree its finest cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WorldGrid {
    /// Cells along x and z.
    pub(crate) cells: [u32; 2],
    /// Edge of a cell, m.
    pub(crate) cell: f64,
    /// World coordinates `[x, z]` of the low corner, m.
    pub(crate) origin: [f64; 2],
}

/// Bed and water of a cell `(i, k)` at the start.
type Initial<'a> = dyn FnMut(u32, u32) -> InitialCell + 'a;

impl WorldGrid {
    /// Sides as kernels take them; a far field goes before the side that stands there. `initial` is the water at the
    /// start, whose level an open side has that gives none.
    pub(crate) fn sides(
        &self,
        sides: &Sides,
        far_fields: &mut [Option<FarField>; SIDES],
        initial: &mut Initial<'_>,
    ) -> Result<[PreparedSide; SIDES]> {
        let mut prepared = [const { PreparedSide::Wall }; SIDES];
        for (number, (side, far_field)) in sides.all().into_iter().zip(far_fields).enumerate() {
            prepared[number] = match far_field.take() {
                Some(FarField { level, rest, layer }) => {
                    PreparedSide::FarField { level, rest, layer, span: 0..self.length(number) }
                }
                None => self.side(number, side, initial)?,
            };
        }
        Ok(prepared)
    }

    fn side(&self, number: usize, side: &Side, initial: &mut Initial<'_>) -> Result<PreparedSide> {
        let length = self.length(number);
        let mut rest = |range: Range<u32>| rest_level(initial, range.map(|n| self.edge_cell(number, n)));
        Ok(match side {
            Side::Wall => PreparedSide::Wall,
            Side::Outflow => PreparedSide::Outflow,
            Side::Open { level, layer } => match level.or_else(|| rest(0..length)) {
                Some(level) => {
                    let (given, span) = (Box::new(move |_| level), 0..length);
                    PreparedSide::FarField { level: given, rest: level, layer: *layer, span }
                }
                // No level given and nothing but dry land: water that ever gets there runs out.
                None => PreparedSide::Outflow,
            },
            // Shallow water makes no waves of these kinds; scenes with them are refused.
            Side::Wave { .. } | Side::Ocean { .. } => PreparedSide::Wall,
            Side::Level { level, absorb, span } => PreparedSide::Level {
                stage: Stage::Given { level: driver(level.clone()), absorb: *absorb },
                span: self.part(number, *span)?,
            },
            Side::Rating { curve, span } => {
                let stage = Stage::Rating { curve: curve.clone() };
                PreparedSide::Level { stage, span: self.part(number, *span)? }
            }
            Side::Normal { slope, manning, span } => {
                let stage = Stage::Normal { slope: *slope, manning: *manning };
                PreparedSide::Level { stage, span: self.part(number, *span)? }
            }
            Side::Inflow { kind, span, layer } => {
                let span = self.part(number, *span)?;
                match kind {
                    Inflow::Discharge(series) => PreparedSide::Discharge { rate: driver(series.clone()), span },
                    Inflow::Surface(series) => {
                        let rest = rest(span.clone()).unwrap_or_else(|| series.at(0.0));
                        PreparedSide::FarField { level: driver(series.clone()), rest, layer: *layer, span }
                    }
                }
            }
        })
    }

    /// Cells along a side.
    fn length(&self, side: usize) -> u32 {
        self.cells[usize::from(side < 2)]
    }

    /// The `n`th cell along a side.
    fn edge_cell(&self, side: usize, n: u32) -> (u32, u32) {
        match side {
            0 => (0, n),
            1 => (self.cells[0] - 1, n),
            2 => (n, 0),
            _ => (n, self.cells[1] - 1),
        }
    }

    /// The cells of a part of a side: at least one.
    fn part(&self, side: usize, span: Option<[f64; 2]>) -> Result<Range<u32>> {
        let (length, low) = (self.length(side), self.origin[usize::from(side < 2)]);
        let Some([a, b]) = span else { return Ok(0..length) };
        let high = low + f64::from(length) * self.cell;
        if !(a < b && a < high && b > low) {
            return invalid(format!("side {side} goes from {low} to {high} m, its span from {a} to {b} m"));
        }
        let index = |x: f64| ((x - low) / self.cell).round().clamp(0.0, f64::from(length)) as u32;
        let first = index(a).min(length - 1);
        Ok(first..index(b).max(first + 1))
    }
}

/// Mean surface of the wet cells along a side; `None` where all are dry.
fn rest_level(initial: &mut Initial<'_>, cells: impl Iterator<Item = (u32, u32)>) -> Option<f64> {
    let wet: Vec<f64> = cells.map(|(i, k)| initial(i, k)).filter(|c| c.surface > c.bed).map(|c| c.surface).collect();
    (!wet.is_empty()).then(|| wet.iter().sum::<f64>() / wet.len() as f64)
}

/// A series as a function of time.
pub(crate) fn driver(series: Series) -> Driver {
    Box::new(move |t| series.at(t))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: WorldGrid = WorldGrid { cells: [8, 4], cell: 0.5, origin: [100.0, 200.0] };

    fn lake(i: u32, _: u32) -> InitialCell {
        InitialCell { bed: 0.0, surface: if i == 0 { 1.5 } else { 0.0 }, velocity: [0.0; 2] }
    }

    #[test]
    fn parts_of_sides_are_cells_of_the_grid() {
        let part = |side, span| GRID.part(side, span).unwrap();
        assert_eq!(part(0, None), 0..4);
        assert_eq!(part(3, Some([101.0, 102.5])), 2..5);
        assert_eq!(part(1, Some([200.6, 200.7])), 1..2, "a part has a cell");
        assert_eq!(part(2, Some([103.9, 104.0])), 7..8);
        for beyond in [[104.0, 105.0], [99.0, 100.0], [102.0, 101.0], [f64::NAN, 102.0]] {
            assert!(GRID.part(2, Some(beyond)).is_err(), "{beyond:?}");
        }
    }

    #[test]
    fn an_open_side_has_the_level_of_the_water_or_lets_it_run_out() {
        let open = || Side::Open { level: None, layer: 2 };
        let sides = Sides::from([open(), open(), Side::Wall, Side::Ocean { level: None, ramp: None, layer: 3 }]);
        let prepared = GRID.sides(&sides, &mut [const { None }; SIDES], &mut lake).unwrap();
        let [west, east, south, north] = prepared;
        let PreparedSide::FarField { level, rest, layer: 2, span } = west else { panic!("west has water") };
        assert_eq!((level(7.0), rest, span), (1.5, 1.5, 0..4));
        assert!(matches!(east, PreparedSide::Outflow), "the east is dry");
        assert!(matches!((south, north), (PreparedSide::Wall, PreparedSide::Wall)));
    }
}
