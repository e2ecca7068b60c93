//! The water over every column, on the host.

use thalweg_columns::grid::{is_tall, world_cell};
use thalweg_columns::interpolate::{SideSpan, cell_at};
use thalweg_columns::{Heights, Shape};

/// The water over every column; index `i + nx * k`.
#[derive(Debug, Clone, PartialEq)]
pub struct WaterColumns {
    /// Water in the column, m: its volume over its area. Air between two bodies of water does not count.
    pub depth: Vec<f32>,
    /// Height of the highest surface, m; of the ground where it is dry.
    pub surface: Vec<f32>,
    /// Velocity along x and z in the highest wet cell, m/s; 0 where it is dry.
    pub velocity: [Vec<f32>; 2],
}

/// The state, read back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HostWater<'a> {
    pub(crate) shape: Shape,
    pub(crate) heights: &'a [Heights],
    /// Ground per column, cells.
    pub(crate) terrain: &'a [f32],
    /// Level set, cells.
    pub(crate) phi: &'a [f32],
    /// Solid fractions.
    pub(crate) solid: &'a [f32],
    /// Velocities of faces, m/s.
    pub(crate) faces: &'a [f32],
}

impl HostWater<'_> {
    /// `cell` is the edge of a cell, m.
    pub(crate) fn columns(&self, cell: f64) -> WaterColumns {
        let surfaces = surface_heights(self.shape, self.heights, self.phi);
        let depth = (0..self.shape.columns()).map(|column| (f64::from(self.depth(column)) * cell) as f32).collect();
        self.columns_with(cell, &surfaces, depth)
    }

    /// The same with surfaces (cells) and depths (m) that are known already.
    pub(crate) fn columns_with(&self, cell: f64, surfaces: &[Option<f32>], depth: Vec<f32>) -> WaterColumns {
        let metres = |cells: f32| (f64::from(cells) * cell) as f32;
        let velocities: Vec<[f32; 2]> = (0..self.shape.columns()).map(|column| self.velocity(column)).collect();
        WaterColumns {
            depth,
            // Water that stands lower than the ground of its cell is a film of it.
            surface: surfaces.iter().zip(self.terrain).map(|(s, z)| metres(s.map_or(*z, |s| s.max(*z)))).collect(),
            velocity: [0, 1].map(|axis| velocities.iter().map(|u| u[axis]).collect()),
        }
    }

    fn line(&self, column: usize) -> &[f32] {
        let n = self.shape.samples();
        &self.phi[column * n..][..n]
    }

    /// Water in a column by the rule of the statistics, cells.
    fn depth(&self, column: usize) -> f32 {
        let (n, heights, line) = (self.shape.samples(), self.heights[column], self.line(column));
        let filled = |phi: f32, solid: f32| ((0.5 - phi).clamp(0.0, 1.0) - solid).max(0.0);
        let first = if is_tall(heights) { 2 } else { 0 };
        let cubic: f32 = (first..n).map(|j| filled(line[j], self.solid[column * n + j])).sum();
        let [bottom, top] = heights;
        let tall = if is_tall(heights) { bottom..top } else { 0..0 };
        let ground = (self.terrain[column] - bottom as f32).clamp(0.0, 1.0);
        let inside = |y: i32| filled(cell_at(line, heights, y), if y == bottom { ground } else { 0.0 });
        cubic + tall.map(inside).sum::<f32>()
    }

    /// That of the highest wet cell.
    fn velocity(&self, column: usize) -> [f32; 2] {
        let Some(highest) = self.line(column).iter().rposition(|phi| *phi < 0.0) else { return [0.0; 2] };
        let y = world_cell(self.heights[column], highest);
        velocity_aside(self.shape, self.heights, self.faces, column, y)
    }
}

/// Mean of the velocities at opposite sides of a world cell, along x and z, m/s. The sides of the grid are walls.
pub(crate) fn velocity_aside(shape: Shape, heights: &[Heights], faces: &[f32], column: usize, y: i32) -> [f32; 2] {
    velocities_aside(shape, heights, faces, column, y).map(|[lower, upper]| 0.5 * (lower + upper))
}

/// Velocities at the lower and the upper side of a world cell, along x and z, m/s.
pub(crate) fn velocities_aside(
    shape: Shape,
    heights: &[Heights],
    faces: &[f32],
    column: usize,
    y: i32,
) -> [[f32; 2]; 2] {
    let (Shape { nx, nz, .. }, n) = (shape, shape.samples());
    let side = |plane: usize, before: usize, after: usize| {
        let line = &faces[plane * shape.len() + after * n..][..n];
        SideSpan::new(heights[before], heights[after], n).at(line, y)
    };
    let along = |plane: usize, place: usize, count: usize, stride: usize| {
        let lower = if place > 0 { side(plane, column - stride, column) } else { 0.0 };
        let upper = if place + 1 < count { side(plane, column, column + stride) } else { 0.0 };
        [lower, upper]
    };
    [along(0, column % nx, nx, 1), along(2, column / nx, nz, nx)]
}

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
    fn columns_hold_what_the_level_set_says() {
        let shape = Shape { nx: 3, nz: 1, regular: 6 };
        let heights = [[0, 2], [1, 5], [7, 9]];
        let phi: Vec<f32> = (0..shape.len()).map(|at| world_cell(heights[at / 8], at % 8) as f32 + 0.5 - 6.3).collect();
        let mut faces = vec![0.0; 3 * shape.len()];
        faces[8..16].fill(2.0);
        let solid = vec![0.0; shape.len()];
        let terrain = [0.0, 1.5, 7.25];
        let water = HostWater { shape, heights: &heights, terrain: &terrain, phi: &phi, solid: &solid, faces: &faces };
        let columns = water.columns(0.5);
        for (found, wanted) in columns.depth.iter().zip([3.15, 2.4, 0.0]) {
            assert!((found - wanted).abs() < 1e-5, "{:?}", columns.depth);
        }
        for (found, wanted) in columns.surface.iter().zip([3.15, 3.15, 3.625]) {
            assert!((found - wanted).abs() < 1e-5, "{:?}", columns.surface);
        }
        assert_eq!(columns.velocity, [vec![1.0, 1.0, 0.0], vec![0.0; 3]]);
    }

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
