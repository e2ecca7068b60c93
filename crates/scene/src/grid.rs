//! The horizontal grid, from `[domain]`.

use thalweg_model::Ability;

use crate::context::Context;
use crate::format;
use crate::number::{exact, short, tidy};
use crate::report::At;
use crate::water::Solver;

/// More cells than this cannot be indexed: they are refused whatever the scene says.
pub const MOST_CELLS: u64 = 1 << 31;

/// More cells than this are refused unless the scene sets `allow_huge = true`.
pub const HUGE_CELLS: u64 = 400_000_000;

/// How far a size may be from a multiple of the cell, as a part of a cell.
const MULTIPLE_TOLERANCE: f64 = 1e-3;

/// A uniform grid of square cells over the domain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Cells along x.
    pub nx: u32,
    /// Cells along z; 1 for a two-dimensional domain.
    pub nz: u32,
    /// Edge of a cell, m.
    pub cell: f64,
    /// World coordinates `[x, z]` of the low corner, m.
    pub origin: [f64; 2],
    /// Height of the domain, m.
    pub height: f64,
}

impl Grid {
    /// How many cells there are.
    pub fn cells(&self) -> u64 {
        u64::from(self.nx) * u64::from(self.nz)
    }

    /// World coordinates `[x, z]` of the middle of cell `(i, k)`, m.
    pub fn center(&self, i: u32, k: u32) -> [f64; 2] {
        [self.origin[0] + (f64::from(i) + 0.5) * self.cell, self.origin[1] + (f64::from(k) + 0.5) * self.cell]
    }

    /// World coordinates `[x, z]` of the high corner, m.
    pub fn high(&self) -> [f64; 2] {
        [self.origin[0] + f64::from(self.nx) * self.cell, self.origin[1] + f64::from(self.nz) * self.cell]
    }

    /// Whether a point `[x, z]` is in the domain, edges included.
    pub fn contains(&self, point: [f64; 2]) -> bool {
        let high = self.high();
        // A point written as the size of the domain is on its edge, whatever the rounding.
        let slack = 1e-6 * self.cell;
        (0..2).all(|axis| point[axis] >= self.origin[axis] - slack && point[axis] <= high[axis] + slack)
    }

    /// The cell `(i, k)` that holds a point `[x, z]`; a point outside gives the nearest cell.
    pub fn cell_at(&self, point: [f64; 2]) -> [u32; 2] {
        let index = |axis: usize, count: u32| {
            let steps = ((point[axis] - self.origin[axis]) / self.cell).floor();
            steps.clamp(0.0, f64::from(count - 1)) as u32 // NaN becomes 0
        };
        [index(0, self.nx), index(1, self.nz)]
    }

    /// Whether the middle of some cell is inside the rectangle.
    pub(crate) fn touches(&self, min: [f64; 2], max: [f64; 2]) -> bool {
        let counts = [self.nx, self.nz];
        (0..2).all(|axis| {
            let first = ((min[axis] - self.origin[axis]) / self.cell - 0.5).ceil().max(0.0);
            let last = ((max[axis] - self.origin[axis]) / self.cell - 0.5).floor();
            first <= last.min(f64::from(counts[axis] - 1))
        })
    }

    /// The domain in words, for messages.
    pub(crate) fn extent_text(&self) -> String {
        let high = self.high();
        format!(
            "the domain covers x from {} to {} m and z from {} to {} m",
            exact(self.origin[0]),
            tidy(high[0]),
            exact(self.origin[1]),
            tidy(high[1])
        )
    }

    /// The grid of a scene, or `None` with the reasons in the report.
    pub(crate) fn lower(file: &format::Domain, solver: Solver, context: &mut Context<'_>) -> Option<Self> {
        let at = At::root().key("domain");
        let report = &mut context.report;
        let [x, height, z] = file.size;

        // Everything is counted in floating point first: a tiny cell must not overflow an integer.
        let counts = [(x / file.cell).round().max(1.0), (z / file.cell).round().max(1.0)];
        let cells = counts[0] * counts[1];
        let count_text = || match counts.map(tidy) {
            [x, z] if cells.is_finite() => format!("{x} x {z} = {} cells", short(cells)),
            [x, z] => format!("{x} x {z} cells"),
        };
        if cells > MOST_CELLS as f64 {
            report.error_with(
                &at.key("cell"),
                format!("impossible size: {}", count_text()),
                format!("at most {MOST_CELLS} cells can be indexed; make `cell` larger or `size` smaller"),
            );
            return None;
        }
        // A quadtree has a budget: of its finest cells only few are there at a time.
        if cells > HUGE_CELLS as f64 && !file.allow_huge && !solver.has(Ability::AdaptiveCells) {
            report.error_with(
                &at.key("cell"),
                format!("{} are more than {HUGE_CELLS}", count_text()),
                "make `cell` larger, or set `allow_huge = true` in [domain] if you mean it",
            );
            return None;
        }

        let mut fits = true;
        for (axis, (size, count)) in [(0, (x, counts[0])), (2, (z, counts[1]))] {
            if (size - count * file.cell).abs() > MULTIPLE_TOLERANCE * file.cell {
                report.error_with(
                    &at.key("size").index(axis),
                    format!("{} m is not a multiple of the cell of {} m", exact(size), exact(file.cell)),
                    format!("the nearest size that is: {} m ({count} cells)", tidy(count * file.cell)),
                );
                fits = false;
            }
        }
        // Cell centres must differ in double precision, far from the world's origin too.
        let far = file.origin[0].abs().max(file.origin[1].abs());
        if file.cell < far * 1e-12 {
            let message = format!("the cell of {} m is lost beside an origin {} m away", exact(file.cell), exact(far));
            report.error(&at.key("cell"), message);
            fits = false;
        }
        fits.then_some(Self {
            nx: counts[0] as u32,
            nz: counts[1] as u32,
            cell: file.cell,
            origin: file.origin,
            height,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Grid = Grid { nx: 4, nz: 2, cell: 0.5, origin: [10.0, -1.0], height: 1.0 };

    #[test]
    fn centres_and_corners() {
        assert_eq!(GRID.cells(), 8);
        assert_eq!(GRID.center(0, 0), [10.25, -0.75]);
        assert_eq!(GRID.center(3, 1), [11.75, -0.25]);
        assert_eq!(GRID.high(), [12.0, 0.0]);
    }

    #[test]
    fn points_find_their_cells() {
        assert!(GRID.contains([10.0, -1.0]) && GRID.contains([12.0, 0.0]));
        assert!(!GRID.contains([12.1, 0.0]) && !GRID.contains([f64::NAN, 0.0]));
        assert_eq!(GRID.cell_at([11.1, -0.4]), [2, 1]);
        assert_eq!(GRID.cell_at([1e9, f64::NAN]), [3, 0]);
    }

    #[test]
    fn rectangles_touch_by_cell_centres() {
        assert!(GRID.touches([10.2, -0.8], [10.3, -0.7]));
        assert!(!GRID.touches([10.3, -0.8], [10.7, -0.7]), "between two centres");
        assert!(!GRID.touches([13.0, -1.0], [14.0, 0.0]));
        assert!(GRID.touches([-1e9, -1e9], [1e9, 1e9]));
    }
}
