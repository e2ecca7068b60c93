//! Random scenes for the tests of kernels.

use thalweg_columns::ColumnGrid;
#[cfg(test)]
use thalweg_columns::Shape;
use thalweg_columns::grid::is_tall;
use thalweg_columns::testing::{RandomGrid, random_grid};
use thalweg_compute::parity::Rng;

use crate::fields::Fields;
use crate::host::{HierarchyOptions, HostHierarchy};

/// A grid with its fields.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) grid: ColumnGrid,
    pub(crate) fields: Fields<f32>,
}

/// Terrain, tall cells from 2 to deep side by side, a wavy surface with bubbles, half-open faces, some closed lids.
pub(crate) fn random_scene(rng: &mut Rng, number: u64) -> Scene {
    let RandomGrid { grid, deep } = random_grid(rng, number);
    let shape = grid.shape;
    let surface = if deep { 32.0 } else { 4.0 } + shape.regular as f32 * 0.4;
    let n = shape.samples();
    let plain = rng.below(3) == 0; // no bubbles, no solids, all open
    let phi: Vec<f32> = (0..shape.len())
        .map(|at| {
            let depth = surface + rng.range(-0.5, 0.5) - grid.world_cell(at / n, at % n) as f32;
            let bubble = !plain && rng.below(12) == 0;
            if bubble { rng.range(0.05, 0.8) } else { -depth + 0.01 }
        })
        .collect();
    let mut fields = Fields::open_water(&grid, &phi).expect("a valid scene");
    if !plain {
        for solid in &mut fields.solid {
            *solid = match rng.below(20) {
                0 => 1.0,
                1 => rng.range(0.0, 0.9),
                _ => 0.0,
            };
        }
        for open in &mut fields.open {
            *open = match rng.below(8) {
                0 => 0.0,
                1 | 2 => rng.range(0.1, 1.0),
                _ => 1.0,
            };
        }
        // Lids are the entries 0 of the y faces.
        for column in 0..shape.columns() {
            let closed = rng.below(3) == 0;
            fields.open[shape.len() + column * n] = if closed { 0.0 } else { 1.0 };
        }
    }
    Scene { grid, fields }
}

/// A random scene in which no tall cell is sealed on all sides: its 2×2 block would be singular.
pub(crate) fn regular_scene(rng: &mut Rng, number: u64, options: HierarchyOptions) -> Scene {
    loop {
        let scene = random_scene(rng, number);
        let host = HostHierarchy::new(scene.grid.clone(), scene.fields.clone(), options);
        let levels = crate::cycle::Hierarchy::levels(&host);
        let sealed = (0..levels).map(|number| host.level(number)).any(|level| {
            let columns = level.grid.heights.iter().zip(&level.blocks);
            columns
                .filter(|(h, _)| is_tall(**h))
                .any(|(_, [a00, a01, a11, a10])| a00 * a11 - a01 * a10 < 0.01 * a00 * a11)
        });
        if !sealed {
            return scene;
        }
    }
}

/// Water under a surface that is not flat, tall cells of different depths; solvable.
#[cfg(test)]
pub(crate) fn lake(nx: usize, nz: usize, regular: usize, tall: bool) -> Scene {
    let shape = Shape { nx, nz, regular };
    let wave = |i: usize, k: usize| (i as f32 * 0.4).sin() + (k as f32 * 0.3).cos();
    let column = |c: usize| (c % nx, c / nx);
    let terrain: Vec<i32> =
        (0..shape.columns()).map(|c| if tall { (2.0 * wave(column(c).0, column(c).1)) as i32 } else { 0 }).collect();
    let height: Vec<i32> = terrain.iter().map(|h| if tall { (12 - h).max(2) } else { 2 }).collect();
    let grid = ColumnGrid::new(shape, 1.0, &terrain, &height).expect("a valid scene");
    let n = shape.samples();
    let top = grid.heights[0][1] as f32 + regular as f32 * 0.6;
    let phi: Vec<f32> = (0..shape.len())
        .map(|at| {
            let (i, k) = column(at / n);
            grid.world_cell(at / n, at % n) as f32 - (top + wave(i, k) + 0.123)
        })
        .collect();
    let fields = Fields::open_water(&grid, &phi).expect("a valid scene");
    Scene { grid, fields }
}
