//! Which part of a larger grid a grid of columns is.

use crate::Shape;

/// The place of a grid of columns among the columns of a larger one.
///
/// All columns of a [`Shape`] are held in memory: those that the window owns and, around them, a halo of `halo` columns
/// on each side whose values are copies of what a neighbouring window owns. The origin is a whole number of columns, so
/// that a window which moves, or is one of several, keeps its columns where those of the whole grid are and copies
/// values without interpolation.
///
/// The column of the whole grid that column `(i, k)` in memory is, is `origin + (i, k) − halo` ([`Self::global`]).
///
/// A solver that holds the whole grid has the window [`Window::WHOLE`]: origin 0 and no halo. Every solver does so
/// today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Window {
    /// The first column that the window owns, along x and z, counted in columns of the whole grid.
    pub origin: [i32; 2],
    /// Width of the halo, in columns, the same on all four sides.
    pub halo: usize,
}

impl Window {
    /// The whole grid: it begins at column 0 and has no halo.
    pub const WHOLE: Self = Self { origin: [0, 0], halo: 0 };

    /// Columns along x and z that the window owns, of those in memory. Zero where the halo leaves none.
    pub fn owned(&self, shape: Shape) -> [usize; 2] {
        [shape.nx, shape.nz].map(|n| n.saturating_sub(2 * self.halo))
    }

    /// Whether the window owns a column in memory, one that is not part of the halo.
    pub fn owns(&self, shape: Shape, column: [usize; 2]) -> bool {
        let inside = |at: usize, n: usize| at >= self.halo && at + self.halo < n;
        inside(column[0], shape.nx) && inside(column[1], shape.nz)
    }

    /// The column of the whole grid that a column in memory is. It may lie outside the whole grid, in a halo at its
    /// edge.
    pub fn global(&self, column: [usize; 2]) -> [i32; 2] {
        [0, 1].map(|axis| self.origin[axis] + column[axis] as i32 - self.halo as i32)
    }

    /// The column in memory that is a column of the whole grid, if there is one.
    pub fn local(&self, shape: Shape, global: [i32; 2]) -> Option<[usize; 2]> {
        let at = [0, 1].map(|axis| i64::from(global[axis]) - i64::from(self.origin[axis]) + self.halo as i64);
        let [i, k] = [usize::try_from(at[0]).ok()?, usize::try_from(at[1]).ok()?];
        (i < shape.nx && k < shape.nz).then_some([i, k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { nx: 7, nz: 6, regular: 4 };

    #[test]
    fn the_whole_grid_counts_as_its_columns_do() {
        assert_eq!(Window::default(), Window::WHOLE);
        assert_eq!(Window::WHOLE.owned(SHAPE), [7, 6]);
        for column in [[0, 0], [6, 5], [3, 2]] {
            assert_eq!(Window::WHOLE.global(column).map(|at| at as usize), column);
            assert!(Window::WHOLE.owns(SHAPE, column));
        }
        assert_eq!(Window::WHOLE.local(SHAPE, [7, 0]), None);
        assert_eq!(Window::WHOLE.local(SHAPE, [0, -1]), None);
    }

    #[test]
    fn a_halo_surrounds_what_a_window_owns() {
        let window = Window { origin: [-3, 10], halo: 2 };
        assert_eq!(window.owned(SHAPE), [3, 2]);
        let all = (0..6).flat_map(|k| (0..7).map(move |i| [i, k]));
        assert_eq!(all.clone().filter(|column| window.owns(SHAPE, *column)).count(), 6);
        assert_eq!(window.global([2, 2]), [-3, 10]);
        for column in all {
            assert_eq!(window.local(SHAPE, window.global(column)), Some(column));
        }
        assert_eq!(Window { origin: [0, 0], halo: 4 }.owned(SHAPE), [0, 0]);
    }

    #[test]
    fn neighbouring_windows_meet() {
        let [left, right] = [0, 3].map(|x| Window { origin: [x, 0], halo: 2 });
        // The first column that the right one owns is in the left one's halo.
        let [i, k] = left.local(SHAPE, right.origin).unwrap_or_default();
        assert!(!left.owns(SHAPE, [i, k]) && left.owns(SHAPE, [i - 1, k]));
    }
}
