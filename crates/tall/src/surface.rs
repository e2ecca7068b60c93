//! The height of the water over every column, on the host.

use thalweg_pressure::Shape;
use thalweg_pressure::grid::{Heights, world_cell};

/// Height of the highest surface of every column in cells above the datum; `None` where there is no water.
///
/// Centres of cells lie at halves, and between the highest liquid sample and the air above it the level set is a line.
pub(crate) fn surface_heights(shape: Shape, heights: &[Heights], phi: &[f32]) -> Vec<Option<f32>> {
    let n = shape.samples();
    let column = |(heights, line): (&Heights, &[f32])| {
        let highest = (0..n).rev().find(|j| line[*j] < 0.0)?;
        let centre = world_cell(*heights, highest) as f32 + 0.5;
        let above = if highest + 1 < n { line[highest + 1] } else { line[highest].max(0.0) + 1.0 };
        Some(centre + line[highest] / (line[highest] - above))
    };
    heights.iter().zip(phi.chunks(n)).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_water_has_its_level() {
        let shape = Shape { nx: 3, nz: 1, regular: 6 };
        let heights = [[0, 2], [1, 5], [7, 9]];
        let phi: Vec<f32> = (0..shape.len()).map(|at| world_cell(heights[at / 8], at % 8) as f32 + 0.5 - 6.3).collect();
        let found = surface_heights(shape, &heights, &phi);
        assert!(found[..2].iter().all(|h| (h.unwrap() - 6.3).abs() < 1e-5), "{found:?}");
        assert_eq!(found[2], None);
    }
}
