//! Columns beside each other, as runs of cells.
//!
//! Where two neighbouring columns both hold single cells, the line of one is that of the other shifted, and so are the
//! faces between: the difference of heights is worked out once per column, not once per cell. What lies beside a tall
//! cell is decoded; there are few such cells.

use crate::grid::{face_base, face_heights, first_cell, first_sample, neighbours};
use crate::interpolate::cell_at;
use crate::{Heights, Shape};

/// A neighbour of a column as the column's own cells see it.
#[derive(Debug, Clone, Copy)]
pub struct Beside {
    /// Its column.
    pub column: usize,
    /// Its heights.
    pub heights: Heights,
    /// Own cells from here on have the neighbour's tall cell beside them, up to `cells[0]`.
    pub tall: usize,
    /// Own cells with a single cell beside them: first, and one past the last.
    pub cells: [usize; 2],
    /// Sample of the neighbour minus own sample, where both are cells.
    shift: isize,
    /// Plane of the face column between, and the column that holds it.
    face: [usize; 2],
    /// Entry of a face minus own sample.
    face_shift: isize,
}

impl Beside {
    /// The neighbours of a column, in the order -x, +x, -z, +z.
    #[inline(always)]
    pub fn of(shape: Shape, heights: &[Heights], column: usize) -> impl Iterator<Item = Option<Self>> {
        let own = heights[column];
        neighbours(shape, column).into_iter().enumerate().map(move |(direction, other)| {
            let other = other?;
            let holder = if direction % 2 == 0 { column } else { other };
            Some(Self::new(shape.samples(), own, heights[other], other, [direction / 2 * 2, holder]))
        })
    }

    #[inline(always)]
    fn new(samples: usize, own: Heights, other: Heights, column: usize, face: [usize; 2]) -> Self {
        let first = first_sample(own) as i32;
        let n = samples as i32;
        // World cells to own samples.
        let sample = |y: i32| y - own[1] + 2;
        let high = n.min(sample(other[1] + n - 2)).max(first);
        let low = sample(first_cell(other)).clamp(first, high);
        Self {
            column,
            heights: other,
            tall: sample(other[0]).clamp(first, low) as usize,
            cells: [low as usize, high as usize],
            shift: (own[1] - other[1]) as isize,
            face,
            face_shift: (own[1] - face_base(face_heights(own, other))) as isize,
        }
    }

    /// The values of a field beside own cells `from..to`, which are among `cells`.
    #[inline(always)]
    pub fn values<'a, T>(&self, samples: usize, field: &'a [T], [from, to]: [usize; 2]) -> &'a [T] {
        let start = (self.column * samples + from).wrapping_add_signed(self.shift);
        if from < to { &field[start..start + to - from] } else { &[] }
    }

    /// The values of a field of faces between own cells `from..to` and their neighbours.
    #[inline(always)]
    pub fn faces<'a, T>(&self, shape: Shape, field: &'a [T], [from, to]: [usize; 2]) -> &'a [T] {
        let [plane, holder] = self.face;
        let start = plane * shape.len() + holder * shape.samples() + from;
        let start = start.wrapping_add_signed(self.face_shift);
        if from < to { &field[start..start + to - from] } else { &[] }
    }

    /// A field beside an own cell that stands beside the neighbour's tall cell.
    #[inline(always)]
    pub fn in_tall(&self, field: &[f32], samples: usize, own_top: i32, sample: usize) -> f32 {
        let line = &field[self.column * samples..(self.column + 1) * samples];
        cell_at(line, self.heights, own_top + sample as i32 - 2)
    }
}
