//! World cells per column at which something has happened: only next to them can something happen next.
//!
//! Passes that spread values over cells ask every column for the world cells between the lowest and the highest of its
//! entries that the pass before has touched, and then look at those of each column itself and of its neighbours only.
//! The rest, deep water and far air, costs one comparison of contiguous data.

use std::ops::Range;

use rayon::prelude::*;

use crate::Shape;

/// Entries that are compared together.
const CHUNK: usize = 16;
/// A range that any other replaces.
const NOTHING: Range<i32> = Range { start: i32::MAX, end: i32::MIN };

/// The first and one past the last entry that `is` true of.
#[inline(always)]
pub fn extent<T: Copy>(line: &[T], is: impl Fn(T) -> bool) -> Option<[usize; 2]> {
    // No short circuits inside a chunk of known length: it is a few comparisons of vectors.
    let has = |chunk: &[T; CHUNK]| chunk.iter().fold(false, |any, entry| any | is(*entry));
    let (chunks, rest) = line.as_chunks::<CHUNK>();
    let first = chunks.iter().position(has).unwrap_or(chunks.len()) * CHUNK;
    let low = first + line[first..].iter().position(|entry| is(*entry))?;
    let start = chunks.len() * CHUNK;
    let last = match rest.iter().rposition(|entry| is(*entry)) {
        Some(last) => start + last,
        None => {
            let chunk = chunks.iter().rposition(has)?;
            chunk * CHUNK + chunks[chunk].iter().rposition(|entry| is(*entry))?
        }
    };
    Some([low, last + 1])
}

/// World cells per column of every plane; empty ranges where nothing has happened.
#[derive(Debug)]
pub struct Front {
    shape: Shape,
    reached: Vec<Range<i32>>,
}

impl Front {
    /// `reached(plane, column)` gives the world cells that the pass before has touched.
    pub fn new(
        shape: Shape,
        planes: usize,
        reached: impl Fn(usize, usize) -> Option<Range<i32>> + Sync + Send,
    ) -> Self {
        let columns = shape.columns();
        let lines = (0..planes * columns).into_par_iter().with_min_len(shape.nx);
        Self { shape, reached: lines.map(|line| reached(line / columns, line % columns).unwrap_or(0..0)).collect() }
    }

    /// The columns of a row, each with the world cells that are next to the front.
    pub fn beside_row(&self, plane: usize, row: usize) -> impl Iterator<Item = (usize, Range<i32>)> {
        let nx = self.shape.nx;
        let line = &self.reached[plane * self.shape.columns()..][..self.shape.columns()];
        (0..nx).map(move |i| {
            let column = row * nx + i;
            let own = &line[column];
            let mut found = if own.is_empty() { NOTHING } else { own.start - 1..own.end + 1 };
            let mut join = |other: usize| {
                let other = &line[other];
                if !other.is_empty() {
                    found = found.start.min(other.start)..found.end.max(other.end);
                }
            };
            let around = [
                (i > 0, column.wrapping_sub(1)),
                (i + 1 < nx, column + 1),
                (row > 0, column.wrapping_sub(nx)),
                (row + 1 < self.shape.nz, column + nx),
            ];
            around.into_iter().filter(|(exists, _)| *exists).for_each(|(_, other)| join(other));
            (column, found)
        })
    }
}
