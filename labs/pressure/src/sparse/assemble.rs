//! The matrix of a uniform level in the form that seven-point solvers want.

use thalweg_columns::Real;
use thalweg_columns::grid::is_tall;
use thalweg_pressure::{Level, NONE, Numbering};

use super::SevenPoint;

/// The matrix of a level without tall cells and with fully open faces between its unknowns, in the form that
/// seven-point solvers want; `None` for any other level.
pub fn assemble_seven_point<T: Real>(level: &Level<T>, numbering: &Numbering) -> Option<SevenPoint<T>> {
    let heights = level.grid.heights.first()?;
    let even = level.grid.heights.iter().all(|h| h == heights) && !is_tall(*heights);
    if !(level.unit && even) {
        return None;
    }
    let shape = level.grid.shape;
    let (n, row) = (shape.samples(), shape.nx * shape.samples());
    let mut neighbours: [Vec<u32>; 6] = std::array::from_fn(|_| Vec::with_capacity(numbering.sample.len()));
    for &index in &numbering.sample {
        let index = index as usize;
        let (column, sample) = (index / n, index % n);
        let (i, k) = (column % shape.nx, column / shape.nx);
        let at = |exists: bool, other: usize| if exists { numbering.unknown[other] } else { NONE };
        // In memory y is the fastest axis, then x, then z.
        let all = [
            at(sample > 0, index.wrapping_sub(1)),
            at(sample + 1 < n, index + 1),
            at(i > 0, index.wrapping_sub(n)),
            at(i + 1 < shape.nx, index + n),
            at(k > 0, index.wrapping_sub(row)),
            at(k + 1 < shape.nz, index + row),
        ];
        for (list, value) in neighbours.iter_mut().zip(all) {
            list.push(value);
        }
    }
    Some(SevenPoint::new(neighbours, numbering.gather(&level.diagonal)))
}
