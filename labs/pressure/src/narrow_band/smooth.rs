//! Damped Jacobi sweeps of the fine system, which take the shortest waves out of a prolonged pressure.

use thalweg_columns::Real;

use super::band::Band;
use super::grid::{FineGrid, FineSystem, unravel};

/// Damping that suits a five- or seven-point matrix: 0.8 in two dimensions, 6/7 in three. Without damping (1) the
/// checkerboard keeps its amplitude.
pub fn damping(dimensions: usize) -> f64 {
    if dimensions == 2 { 0.8 } else { 6.0 / 7.0 }
}

/// `p += ω D⁻¹ (b − A p)`, `sweeps` times, for the unknowns in `which` only.
pub fn jacobi<T: Real>(system: &FineSystem<T>, b: &[T], p: &mut [T], which: &[u32], sweeps: usize, omega: f64) {
    let omega = T::of(omega);
    let mut change = vec![T::zero(); which.len()];
    for _ in 0..sweeps {
        for (change, &i) in change.iter_mut().zip(which) {
            let i = i as usize;
            let (mut product, mut diagonal) = (T::zero(), T::one());
            for (c, v) in system.matrix.row(i) {
                product += v * p[c];
                diagonal = if c == i { v } else { diagonal };
            }
            *change = omega * (b[i] - product) / diagonal;
        }
        for (change, &i) in change.iter().zip(which) {
            p[i as usize] += *change;
        }
    }
}

/// The fine unknowns outside the band: those that need smoothing.
pub(super) fn outside<T: Real>(grid: &FineGrid, system: &FineSystem<T>, band: &Band) -> Vec<u32> {
    let in_coarse = |unknown: &u32| {
        let cell = system.cell_of_unknown[*unknown as usize] as usize;
        band.is_coarse(band.block_of(unravel(grid.cells(), cell)))
    };
    (0..system.unknowns() as u32).filter(in_coarse).collect()
}
