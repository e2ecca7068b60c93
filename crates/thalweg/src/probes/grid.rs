//! Answers of water on a grid of equal cells.

use std::ops::Range;

use thalweg_scene::{Area, Grid};
use thalweg_shallow::Sample;

use super::{Answer, CellAreas, Question};
use crate::simulation::WaterSurface;

/// The cells of a grid that questions are about, worked out once.
#[derive(Debug, Clone)]
pub(crate) struct Cells {
    grid: Grid,
    /// Their numbers, question by question.
    pub(crate) list: Vec<u32>,
    /// The part of the list and the weights of each question.
    parts: Vec<(Range<usize>, Vec<f64>)>,
}

impl Cells {
    pub(crate) fn new(grid: &Grid, questions: &[Question]) -> Self {
        let mut list = Vec::new();
        let index = |[i, k]: [u32; 2]| i + grid.nx * k;
        let part = |question: &Question| {
            let first = list.len();
            let mut weights = Vec::new();
            match question {
                Question::Point(at) => {
                    for (cell, weight) in around(grid, *at) {
                        list.push(index(cell));
                        weights.push(weight);
                    }
                }
                Question::Places(places) => list.extend(places.iter().map(|place| index(grid.cell_at(*place)))),
                Question::Parts(region) => list.extend(Area::Rectangle(*region).cells(grid).map(index)),
                Question::Cells(area) => list.extend(area.cells(grid).map(index)),
                Question::Front { .. } => list.extend(0..grid.nx * grid.nz),
                _ => {}
            }
            (first..list.len(), weights)
        };
        let parts = questions.iter().map(part).collect();
        Self { grid: *grid, list, parts }
    }

    /// Answers from samples of the [`list`](Self::list); `other` has those that no cell gives.
    pub(crate) fn answers(
        &self,
        questions: &[Question],
        samples: &[Sample],
        other: impl Fn(&Question) -> Answer,
    ) -> Vec<Answer> {
        let Grid { cell, origin, .. } = self.grid;
        let size = [self.grid.nx as usize, self.grid.nz as usize];
        let answer = |(question, (range, weights)): (&Question, &(Range<usize>, Vec<f64>))| {
            let own = &samples[range.clone()];
            match question {
                Question::Point(_) => Answer::Around(own.iter().copied().zip(weights.iter().copied()).collect()),
                Question::Places(_) => Answer::Places(own.to_vec()),
                Question::Parts(_) | Question::Cells(_) => Answer::Cells(own.to_vec(), CellAreas::Equal(cell * cell)),
                Question::Front { axis, largest, threshold } => {
                    let cells = front(size, *axis, *largest, |at| own[at].depth - threshold);
                    Answer::Vector([cells.map_or(f64::NAN, |cells| origin[*axis] + cells * cell); 3])
                }
                question => other(question),
            }
        };
        questions.iter().zip(&self.parts).map(answer).collect()
    }
}

/// What a height field is in some of its cells.
pub(crate) fn samples(surface: &WaterSurface, cells: &[u32]) -> Vec<Sample> {
    let sample = |cell: &u32| {
        let at = *cell as usize;
        let number = |values: &[f32]| f64::from(values[at]);
        let [u, w] = &surface.velocity;
        let (depth, bed) = (number(&surface.depth), number(&surface.bed));
        Sample { depth, surface: number(&surface.surface), velocity: [number(u), number(w)], bed }
    };
    cells.iter().map(sample).collect()
}

/// How far cells with a positive `excess` reach along an axis, in cells from the corner; `None` without any. Between the middle
/// of the last such cell and that of the next one the excess is a line.
fn front([nx, nz]: [usize; 2], axis: usize, largest: bool, excess: impl Fn(usize) -> f64) -> Option<f64> {
    let (length, lines) = if axis == 0 { (nx, nz) } else { (nz, nx) };
    let farther = |a: f64, b: f64| if largest { a.max(b) } else { a.min(b) };
    let of_line = |line: usize| {
        // Place `n` of the line, counted from where the front looks to.
        let at = |n: usize| {
            let n = if largest { length - 1 - n } else { n };
            if axis == 0 { n + nx * line } else { line + nx * n }
        };
        let found = (0..length).find(|n| excess(at(*n)) > 0.0)?;
        let beyond = match found.checked_sub(1) {
            Some(next) => {
                let (inside, outside) = (excess(at(found)), excess(at(next)));
                inside / (inside - outside)
            }
            // The last cell ends at the side of the domain.
            None => 0.5,
        };
        let middle = found as f64 + 0.5;
        Some(if largest { length as f64 - (middle - beyond) } else { middle - beyond })
    };
    (0..lines).filter_map(of_line).reduce(farther)
}

/// The cells whose middles lie around a point, with their parts of a bilinear interpolation; first the one that holds the point. Beyond the outermost middles
/// the value is that on the line through them.
fn around(grid: &Grid, point: [f64; 2]) -> Vec<([u32; 2], f64)> {
    let own = grid.cell_at(point);
    let middle = grid.center(own[0], own[1]);
    let count = [grid.nx, grid.nz];
    // Per axis the neighbour on the side of the point, and how much it counts.
    let beside = [0, 1].map(|axis| {
        let off = (point[axis] - middle[axis]) / grid.cell;
        let next = if off < 0.0 { own[axis].checked_sub(1) } else { Some(own[axis] + 1).filter(|n| *n < count[axis]) };
        next.map(|next| (next, off.abs().min(0.5)))
    });
    let along = |axis: usize| {
        let (next, part) = beside[axis].unwrap_or((own[axis], 0.0));
        [(own[axis], 1.0 - part), (next, part)]
    };
    let cells = along(1).into_iter().flat_map(|(k, z)| along(0).into_iter().map(move |(i, x)| ([i, k], x * z)));
    cells.enumerate().filter(|(n, (_, weight))| *n == 0 || *weight > 0.0).map(|(_, part)| part).collect()
}

#[cfg(test)]
mod tests {
    use super::{around, front};

    /// 4 x 3 cells of 2 m from (10, 20).
    fn grid() -> thalweg_scene::Grid {
        let text = "scene = { name = 'g', duration = 1 }\ndomain = { size = [8, 1, 6], cell = 2, origin = [10, 20] }";
        thalweg_scene::Scene::from_str(text, "g.toml", ".").expect("a scene").grid
    }

    #[test]
    fn points_lie_between_the_middles_of_cells() {
        let grid = grid();
        // A plane comes back exactly, whatever the point; within half a cell of the sides it is held.
        for point in [[12.0, 23.0], [13.7, 22.4], [16.9, 24.99], [11.0, 21.0]] {
            let cells = around(&grid, point);
            assert_eq!(cells[0].0, grid.cell_at(point), "the first one holds the point");
            let sum: f64 = cells.iter().map(|(_, weight)| weight).sum();
            let place = [0, 1].map(|n| cells.iter().map(|([i, k], w)| w * grid.center(*i, *k)[n]).sum::<f64>());
            assert!((sum - 1.0).abs() < 1e-12, "{cells:?}");
            assert!((place[0] - point[0]).abs() < 1e-9 && (place[1] - point[1]).abs() < 1e-9, "{point:?}: {place:?}");
        }
        assert_eq!(around(&grid, [10.0, 20.0]), [([0, 0], 1.0)]);
        assert_eq!(around(&grid, [18.0, 23.0]), [([3, 1], 1.0)]);
    }

    #[test]
    fn fronts_lie_where_the_depth_falls_below() {
        // 5 x 2 cells; depths less the threshold.
        let excess = [3.0, 2.0, 1.0, -1.0, -1.0, -1.0, 2.0, 2.0, 2.0, -6.0];
        let at = |axis: usize, largest: bool| front([5, 2], axis, largest, |n| excess[n]);
        assert_eq!(at(0, true), Some(3.5 + 0.25));
        assert_eq!((at(0, false), at(1, true), at(1, false)), (Some(0.0), Some(2.0), Some(0.0)));
        assert_eq!(front([5, 2], 0, true, |_| -1.0), None);
        assert_eq!(front([5, 2], 0, false, |n| if n % 5 > 1 { 1.0 } else { -1.0 }), Some(2.0));
    }
}
