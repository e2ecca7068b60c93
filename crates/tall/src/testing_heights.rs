//! Water on columns, for tests of what depends on heights.

use thalweg_columns::grid::world_cell;
use thalweg_columns::{Heights, Shape};
use thalweg_compute::parity::Rng;

/// Columns of water. Heights are in cells; the surface of a column lies where its level set, given at the centres
/// `y + ½` of cells, is zero.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) shape: Shape,
    /// Height of the ground per column.
    pub(crate) terrain: Vec<f32>,
    /// `[H, T]` per column.
    pub(crate) heights: Vec<Heights>,
    /// Level set per sample.
    pub(crate) phi: Vec<f32>,
}

/// Level sets are known this far from the surface, in cells.
const BAND: f32 = 5.0;

impl Scene {
    /// Cubic cells everywhere; `terrain` is a function of the column.
    pub(crate) fn dry(shape: Shape, terrain: impl Fn(usize, usize) -> f32) -> Self {
        let terrain: Vec<f32> = (0..shape.columns()).map(|c| terrain(c % shape.nx, c / shape.nx)).collect();
        let heights = terrain.iter().map(|z| z.floor() as i32).map(|bottom| [bottom, bottom + 2]).collect();
        Self { shape, terrain, heights, phi: vec![BAND; shape.len()] }
    }

    /// Sets `T` of every column, at least `H + 2`.
    pub(crate) fn with_tops(mut self, top: impl Fn(usize, usize) -> i32) -> Self {
        let nx = self.shape.nx;
        for (column, [bottom, t]) in self.heights.iter_mut().enumerate() {
            *t = top(column % nx, column / nx).max(*bottom + 2);
        }
        self
    }

    /// Samples a level set that is given at the centres of world cells `(i, y, k)`.
    pub(crate) fn fill(&mut self, phi: impl Fn(usize, i32, usize) -> f32) {
        let (n, nx) = (self.shape.samples(), self.shape.nx);
        for (at, value) in self.phi.iter_mut().enumerate() {
            let column = at / n;
            *value = phi(column % nx, world_cell(self.heights[column], at % n), column / nx).clamp(-BAND, BAND);
        }
    }

    /// Fills every column up to a height.
    pub(crate) fn with_surface(mut self, surface: impl Fn(usize, usize) -> f32) -> Self {
        self.fill(|i, y, k| y as f32 + 0.5 - surface(i, k));
        self
    }
}

/// Awkward sizes: slices, single columns, few cells, odd numbers.
const SHAPES: [(usize, usize, usize); 8] =
    [(13, 9, 24), (17, 16, 30), (27, 1, 20), (1, 11, 12), (5, 3, 5), (21, 6, 40), (2, 2, 9), (1, 1, 16)];

/// Terrain with slopes and cliffs, tall cells of any height, a wavy surface, dry columns, a few bubbles and drops.
pub(crate) fn random_scene(rng: &mut Rng, number: u64) -> Scene {
    let (nx, nz, regular) = SHAPES[number as usize % SHAPES.len()];
    let shape = Shape { nx, nz, regular };
    let columns = shape.columns();
    let (slope, level) = (rng.range(-1.0, 1.0), rng.range(-20.0, 40.0));
    let rough = [0.5, 4.0][rng.below(2) as usize];
    let ground: Vec<f32> =
        (0..columns).map(|c| level + slope * (c % nx + c / nx) as f32 + rng.range(0.0, rough)).collect();
    let depth = rng.range(-2.0, 60.0);
    let tops: Vec<i32> = (0..columns)
        .map(|c| match rng.below(5) {
            0 => i32::MIN,
            _ => (level + depth) as i32 - 2 - rng.below(regular as u32) as i32 + (c % 3) as i32,
        })
        .collect();
    let waves = rng.f32s(columns, -1.5, 1.5);
    let mut scene = Scene::dry(shape, |i, k| ground[i + k * nx])
        .with_tops(|i, k| tops[i + k * nx])
        .with_surface(|i, k| level + depth + waves[i + k * nx]);
    let n = shape.samples();
    for (at, phi) in scene.phi.iter_mut().enumerate() {
        if rng.below(60) == 0 && at % n > 1 {
            *phi = -*phi;
        }
    }
    // Some dry columns beside wet ones: vertical faces of water.
    for column in 0..columns {
        if rng.below(8) == 0 {
            scene.phi[column * n..][..n].fill(1.0);
        }
    }
    scene
}
