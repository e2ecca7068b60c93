//! Sides and sources of the vocabulary, in the world and in m, as the solver takes them: in cells, from the low
//! corner of the domain, driven by functions of time.

use std::ops::Range;

use thalweg_model::{Inflow, Series, Side, Sides, Source as WorldSource};

use crate::setup::{Boundary, Driver, InitialCell, SIDES, Source, Stage};

/// A uniform grid in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldGrid {
    /// Cells along x and z.
    pub cells: [u32; 2],
    /// Edge of a cell, m.
    pub cell: f64,
    /// World coordinates `[x, z]` of the low corner, m.
    pub origin: [f64; 2],
}

/// Bed and water of a cell `(i, k)` at the start.
type Initial<'a> = dyn Fn(u32, u32) -> InitialCell + Sync + 'a;

impl WorldGrid {
    /// Sides as the solver takes them. `initial` is the water at the start, whose level an open side has that gives
    /// none.
    pub fn boundaries(&self, sides: &Sides, initial: &Initial<'_>) -> [Boundary; SIDES] {
        let sides = sides.all();
        std::array::from_fn(|number| self.boundary(number, sides[number], initial))
    }

    /// Sources as the solver takes them.
    pub fn sources(&self, sources: &[WorldSource]) -> Vec<Source> {
        let source =
            |from: &WorldSource| Source { shape: from.shape.seen_from(self.origin), rate: driver(from.rate.clone()) };
        sources.iter().map(source).collect()
    }

    fn boundary(&self, number: usize, side: &Side, initial: &Initial<'_>) -> Boundary {
        let length = self.cells[usize::from(number < 2)];
        let rest = |range: Range<u32>| rest_level(initial, range.map(|n| self.edge_cell(number, n)));
        match side {
            Side::Wall => Boundary::Wall,
            Side::Outflow => Boundary::Outflow,
            Side::Open { level, layer } => match level.or_else(|| rest(0..length)) {
                Some(level) => {
                    Boundary::FarField { level: Box::new(move |_| level), rest: level, layer: *layer, span: 0..length }
                }
                // No level given and nothing but dry land: water that ever gets there runs out.
                None => Boundary::Outflow,
            },
            // Shallow water makes no waves of these kinds; scenes with them are refused.
            Side::Wave { .. } | Side::Ocean { .. } => Boundary::Wall,
            Side::Level { level, absorb, span } => Boundary::Level {
                stage: Stage::Given { level: driver(level.clone()), absorb: *absorb },
                span: self.part(number, *span),
            },
            Side::Rating { curve, span } => {
                Boundary::Level { stage: Stage::Rating { curve: curve.clone() }, span: self.part(number, *span) }
            }
            Side::Normal { slope, manning, span } => Boundary::Level {
                stage: Stage::Normal { slope: *slope, manning: *manning },
                span: self.part(number, *span),
            },
            Side::Inflow { kind, span, layer } => {
                let span = self.part(number, *span);
                match kind {
                    Inflow::Discharge(series) => Boundary::Discharge { rate: driver(series.clone()), span },
                    Inflow::Surface(series) => {
                        let rest = rest(span.clone()).unwrap_or_else(|| series.at(0.0));
                        Boundary::FarField { level: driver(series.clone()), rest, layer: *layer, span }
                    }
                }
            }
        }
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
    fn part(&self, side: usize, span: Option<[f64; 2]>) -> Range<u32> {
        let along = usize::from(side < 2);
        let (length, low) = (self.cells[along], self.origin[along]);
        let index = |x: f64| ((x - low) / self.cell).round().clamp(0.0, f64::from(length)) as u32;
        span.map_or(0..length, |[a, b]| {
            let first = index(a).min(length - 1);
            first..index(b).max(first + 1)
        })
    }
}

/// Mean surface of the wet cells along a side; `None` where all are dry.
fn rest_level(initial: &Initial<'_>, cells: impl Iterator<Item = (u32, u32)>) -> Option<f64> {
    let wet: Vec<f64> = cells.map(|(i, k)| initial(i, k)).filter(|c| c.surface > c.bed).map(|c| c.surface).collect();
    (!wet.is_empty()).then(|| wet.iter().sum::<f64>() / wet.len() as f64)
}

/// A series as a function of time.
pub fn driver(series: Series) -> Driver {
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
        assert_eq!(GRID.part(0, None), 0..4);
        assert_eq!(GRID.part(3, Some([101.0, 102.5])), 2..5);
        assert_eq!(GRID.part(1, Some([200.6, 200.7])), 1..2, "a part has a cell");
        assert_eq!(GRID.part(2, Some([103.9, 104.0])), 7..8);
    }

    #[test]
    fn an_open_side_has_the_level_of_the_water_or_lets_it_run_out() {
        let open = || Side::Open { level: None, layer: 2 };
        let sides = Sides::from([open(), open(), Side::Wall, Side::Ocean { level: None, ramp: None, layer: 3 }]);
        let [west, east, south, north] = GRID.boundaries(&sides, &lake);
        let Boundary::FarField { level, rest, layer: 2, span } = west else { panic!("west has water") };
        assert_eq!((level(7.0), rest, span), (1.5, 1.5, 0..4));
        assert!(matches!(east, Boundary::Outflow), "the east is dry");
        assert!(matches!((south, north), (Boundary::Wall, Boundary::Wall)));
    }
}
