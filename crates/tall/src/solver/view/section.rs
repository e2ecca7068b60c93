//! A vertical cut through the water, for pictures.

use thalweg_columns::grid::is_tall;
use thalweg_columns::interpolate::{level_set, sample_pair};
use thalweg_columns::{Heights, Shape};

/// A vertical cut along x through one row of columns. Cell `(i, y)` is at `i + nx * y`; lengths in cells of the
/// cut from the corner of the domain.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Cells of the cut along an edge of a cell of the simulation: 2 with a fine surface, else 1.
    pub per_cell: usize,
    /// Cells along x.
    pub nx: usize,
    /// Cells up.
    pub ny: usize,
    /// Level set at the middles of cells, negative in water.
    pub level_set: Vec<f32>,
    /// Distance of the middles of cells to the nearest obstacle, negative inside; infinite without obstacles.
    pub obstacles: Vec<f32>,
    /// Height of the ground per column.
    pub ground: Vec<f32>,
    /// Height at which the tall cell of a column ends; `None` where there is none, but two cubic cells.
    pub tall_tops: Vec<Option<f32>>,
}

impl Section {
    /// Through the columns `[_, k]`, `ny` cells high; `solid` is the distance of a point to the nearest obstacle.
    pub(crate) fn new(
        shape: Shape,
        (heights, phi): (&[Heights], &[f32]),
        terrain: &[f32],
        solid: impl Fn([f32; 3]) -> f32,
        [k, ny]: [usize; 2],
    ) -> Self {
        let (nx, n) = (shape.nx, shape.samples());
        let row = k.min(shape.nz - 1) * nx;
        let cells = || (0..ny).flat_map(|y| (0..nx).map(move |i| (i, y)));
        let value = |(i, y): (usize, usize)| {
            let line = &phi[(row + i) * n..][..n];
            level_set(line, sample_pair(heights[row + i], n, y as f32))
        };
        let z = (row / nx) as f32 + 0.5;
        Self {
            per_cell: 1,
            nx,
            ny,
            level_set: cells().map(value).collect(),
            obstacles: cells().map(|(i, y)| solid([i as f32 + 0.5, y as f32 + 0.5, z])).collect(),
            ground: terrain[row..row + nx].to_vec(),
            tall_tops: heights[row..row + nx].iter().map(|h| is_tall(*h).then_some(h[1] as f32)).collect(),
        }
    }
}
