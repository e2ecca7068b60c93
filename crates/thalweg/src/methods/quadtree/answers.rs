//! Answers of water on a quadtree: places are looked up, areas are sums over the cells that lie in them.

use std::ops::Range;

use thalweg_scene::{Area, Grid, Region};
use thalweg_shallow::Sample;
use thalweg_shallow::tree::{SampledCell, TileFields};

use crate::probes::{Answer, CellAreas, Question};

/// Places beside a point for each size that its cell may have: two next to it along x, two along z, one across the corner.
const BESIDE: usize = 5;

/// The places that questions are about, worked out once.
#[derive(Debug, Clone)]
pub(super) struct Places {
    grid: Grid,
    /// m from the low corner, question by question.
    pub(super) list: Vec<[f64; 2]>,
    parts: Vec<Range<usize>>,
    /// Whether a question wants all cells.
    pub(super) wants_tiles: bool,
}

impl Places {
    /// `levels` is how many sizes cells may have.
    pub(super) fn new(grid: &Grid, levels: u32, questions: &[Question]) -> Self {
        let mut list = Vec::new();
        let local = |[x, z]: [f64; 2]| [x - grid.origin[0], z - grid.origin[1]];
        let part = |question: &Question| {
            let first = list.len();
            match question {
                Question::Point(at) => {
                    let sizes = (0..levels).rev().map(|shift| grid.cell * f64::from(1u32 << shift));
                    list.push(local(*at));
                    list.extend(sizes.flat_map(|size| beside(local(*at), size)));
                }
                Question::Places(places) => list.extend(places.iter().map(|place| local(*place))),
                _ => {}
            }
            first..list.len()
        };
        let parts = questions.iter().map(part).collect();
        let wants =
            |question: &Question| matches!(question, Question::Parts(_) | Question::Cells(_) | Question::Front { .. });
        Self { grid: *grid, list, parts, wants_tiles: questions.iter().any(wants) }
    }

    /// Answers from samples at the [`list`](Self::list) and, if a question wants them, all tiles.
    pub(super) fn answers(&self, questions: &[Question], cells: &[SampledCell], tiles: &[TileFields]) -> Vec<Answer> {
        let answer = |(question, range): (&Question, &Range<usize>)| {
            let own = &cells[range.clone()];
            match question {
                Question::Point(_) => Answer::Around(around(self.list[range.start], own, self.grid.cell)),
                Question::Places(_) => Answer::Places(own.iter().map(|cell| cell.sample).collect()),
                Question::Parts(region) => {
                    let near = cells_near(tiles, &self.grid, [region.min, region.max]);
                    let parts = near.map(|cell| (cell.sample, cell.area_in(region)));
                    let (samples, areas) = parts.filter(|(_, area)| *area > 0.0).unzip();
                    Answer::Cells(samples, CellAreas::Each(areas))
                }
                Question::Cells(area) => {
                    let near = cells_near(tiles, &self.grid, area.bounds());
                    let cells = near.filter(|cell| cell.is_in(area));
                    let (samples, areas) = cells.map(|cell| (cell.sample, cell.size * cell.size)).unzip();
                    Answer::Cells(samples, CellAreas::Each(areas))
                }
                // To the edge of the last cell: on a grid of equal cells it is a line between cells.
                Question::Front { axis, largest, threshold } => {
                    let wet = all_cells(tiles, &self.grid).filter(|cell| cell.sample.depth > *threshold);
                    let ends = wet.map(|cell| cell.low[*axis] + if *largest { cell.size } else { 0.0 });
                    let end = ends.reduce(if *largest { f64::max } else { f64::min });
                    Answer::Vector([end.unwrap_or(f64::NAN); 3])
                }
                _ => Answer::Unknown,
            }
        };
        questions.iter().zip(&self.parts).map(answer).collect()
    }
}

/// Where the neighbours of a point's cell are if that has a size, m: the middles of those half as large along both axes, which larger ones hold too.
fn beside(point: [f64; 2], size: f64) -> [[f64; 2]; BESIDE] {
    let middle = point.map(|x| ((x / size).floor() + 0.5) * size);
    let [x, z] = [0, 1].map(|n| 0.75 * size * if point[n] < middle[n] { -1.0 } else { 1.0 });
    let across = 0.25 * size;
    [[x, -across], [x, across], [-across, z], [across, z], [x, z]].map(|off| [middle[0] + off[0], middle[1] + off[1]])
}

/// The cells around a point with their parts of an interpolation that is bilinear among cells of one size; first the one that holds the point. `cells` are
/// those at the point and at the places [`beside`] it, for all sizes from the largest to the `finest` (m).
fn around(point: [f64; 2], cells: &[SampledCell], finest: f64) -> Vec<(Sample, f64)> {
    let Some((own, others)) = cells.split_first() else { return Vec::new() };
    let shift = (own.size / finest).round().log2() as usize;
    let levels = others.len() / BESIDE;
    let near = &others[BESIDE * (levels - 1 - shift)..][..BESIDE];
    // How far the point is on the way from the middle of its cell to that of the neighbour along an axis; beyond the outermost middles there is none.
    let part = |axis: usize, neighbour: &SampledCell| {
        let apart = (neighbour.middle[axis] - own.middle[axis]).abs();
        let off = (point[axis] - own.middle[axis]).abs();
        if apart > 0.1 * own.size { (off / apart).min(1.0) } else { 0.0 }
    };
    let (x, z) = (part(0, &near[0]), part(1, &near[2]));
    let weights = [0.5 * x * (1.0 - z), 0.5 * x * (1.0 - z), 0.5 * (1.0 - x) * z, 0.5 * (1.0 - x) * z, x * z];
    let own = (own.sample, (1.0 - x) * (1.0 - z));
    let near = near.iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
    std::iter::once(own).chain(near.map(|(cell, weight)| (cell.sample, weight))).collect()
}

/// A cell of the tree in the world.
struct Cell {
    low: [f64; 2],
    size: f64,
    sample: Sample,
}

impl Cell {
    /// Area in a rectangle, m².
    fn area_in(&self, region: &Region) -> f64 {
        let along = |axis: usize| {
            let (low, high) =
                (self.low[axis].max(region.min[axis]), (self.low[axis] + self.size).min(region.max[axis]));
            (high - low).max(0.0)
        };
        along(0) * along(1)
    }

    fn is_in(&self, area: &Area) -> bool {
        area.contains(self.low.map(|low| low + 0.5 * self.size))
    }
}

/// Low corner of a tile in the world, and how many cells it has along an edge.
fn extent(tile: &TileFields, grid: &Grid) -> ([f64; 2], usize) {
    let low = [0, 1].map(|axis| grid.origin[axis] + tile.origin[axis]);
    (low, (tile.depth.len() as f64).sqrt() as usize)
}

fn all_cells<'a>(tiles: &'a [TileFields], grid: &'a Grid) -> impl Iterator<Item = Cell> + 'a {
    tiles.iter().flat_map(|tile| cells_of(tile, grid))
}

/// The cells of the tiles that may have their middles in a rectangle.
fn cells_near<'a>(
    tiles: &'a [TileFields],
    grid: &'a Grid,
    [least, most]: [[f64; 2]; 2],
) -> impl Iterator<Item = Cell> + 'a {
    let meets = move |tile: &&TileFields| {
        let (low, wide) = extent(tile, grid);
        let size = wide as f64 * tile.cell;
        (0..2).all(|axis| low[axis] <= most[axis] && low[axis] + size >= least[axis])
    };
    tiles.iter().filter(meets).flat_map(|tile| cells_of(tile, grid))
}

fn cells_of<'a>(tile: &'a TileFields, grid: &Grid) -> impl Iterator<Item = Cell> + use<'a> {
    let (low, wide) = extent(tile, grid);
    (0..tile.depth.len()).map(move |at| {
        let number = |values: &[f32]| f64::from(values[at]);
        Cell {
            low: [low[0] + (at % wide) as f64 * tile.cell, low[1] + (at / wide) as f64 * tile.cell],
            size: tile.cell,
            sample: Sample {
                depth: number(&tile.depth),
                surface: number(&tile.surface),
                velocity: [number(&tile.u), number(&tile.w)],
                bed: number(&tile.bed),
            },
        }
    })
}
