//! The scenes of the comparison: a column and a wavy pool with an obstacle, with a smooth velocity that needs a
//! pressure everywhere.

use super::grid::{FaceField, FineGrid};
use std::f64::consts::PI;

/// A column of 0.4 × 0.6 of an `n`² box (of an `n`³ one along all its depth where `deep`). Cells are 1 m wide.
pub fn column(n: usize, deep: bool) -> FineGrid {
    let mut grid = FineGrid::new([n, n, if deep { n } else { 1 }], 1.0);
    let s = n as f64;
    grid.set_phi(|x| (x[0] - 0.4 * s).max(x[1] - 0.6 * s));
    grid
}

/// A pool whose surface is two periods of a sine about 0.56 of an `n`² box, 1/32 high, around a square of 3/16.
/// Cells are 1 m wide.
pub fn pool(n: usize) -> FineGrid {
    let mut grid = FineGrid::new([n, n, 1], 1.0);
    let s = n as f64;
    let part = |x: usize| x as f64 / s;
    grid.add_solids(|c| (0.40625..0.59375).contains(&part(c[0])) && (0.15625..0.34375).contains(&part(c[1])));
    grid.set_phi(|x| x[1] - 0.56 * s - s / 32.0 * (4.0 * PI * x[0] / s).sin());
    grid
}

/// A velocity before projection, m/s: a fall of 0.2 (which asks for the hydrostatic pressure), vortices of three half
/// waves per side and 0.3, and a compression of eight half waves and 0.12 along each axis, such as advection leaves.
pub fn velocity(grid: &FineGrid) -> FaceField {
    let k = PI / (grid.cells()[0] as f64 * grid.spacing());
    let deep = grid.dimensions() == 3;
    grid.face_field_from(|axis, x| {
        let vortex = match axis {
            0 => 0.3 * (3.0 * k * x[0]).sin() * (3.0 * k * x[1]).cos(),
            1 => -0.2 - 0.3 * (3.0 * k * x[0]).cos() * (3.0 * k * x[1]).sin(),
            _ => 0.0,
        };
        let swell = if deep { (2.0 * k * x[2]).cos() } else { 1.0 };
        vortex * swell + 0.12 * (8.0 * k * x[axis]).sin()
    })
}
