//! Sums over a rectangle.

use thalweg_scene::Region;

use super::{Answer, CellAreas, Probe, Question};

/// Volume of the water, m³.
pub(super) struct Volume {
    pub(super) region: Region,
}

/// Area under water, m².
pub(super) struct WetArea {
    region: Region,
    /// Depth up to which a cell is dry, m.
    dry: f64,
}

impl WetArea {
    pub(super) fn new(region: Region, cell: f64) -> Self {
        Self { region, dry: 1e-4 * cell }
    }
}

impl Probe for Volume {
    fn questions(&self) -> Vec<Question> {
        vec![Question::Parts(self.region)]
    }

    fn read(&mut self, answers: &[Answer]) -> Vec<f64> {
        vec![match answers {
            [Answer::Cells(cells, CellAreas::Equal(area))] => cells.iter().map(|s| s.depth).sum::<f64>() * area,
            [Answer::Cells(cells, CellAreas::Each(areas))] => cells.iter().zip(areas).map(|(s, a)| s.depth * a).sum(),
            _ => f64::NAN,
        }]
    }
}

impl Probe for WetArea {
    fn questions(&self) -> Vec<Question> {
        vec![Question::Parts(self.region)]
    }

    fn read(&mut self, answers: &[Answer]) -> Vec<f64> {
        vec![match answers {
            [Answer::Cells(cells, CellAreas::Equal(area))] => {
                cells.iter().filter(|s| s.depth > self.dry).count() as f64 * area
            }
            [Answer::Cells(cells, CellAreas::Each(areas))] => {
                cells.iter().zip(areas).filter(|(s, _)| s.depth > self.dry).map(|(_, area)| area).sum()
            }
            _ => f64::NAN,
        }]
    }
}
