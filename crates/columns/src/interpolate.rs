//! Where values lie in columns and between them, at world cells and at points.
//!
//! Coordinates are in cells, with cell centres at integers: the centre of cell `(i, y, k)` is the point `[i, y, k]`,
//! its face towards smaller x is at `[i − ½, y, k]`. A column stores two samples for its tall cell and one per regular
//! cell; faces are stored in columns of the same length ([`crate::face_velocity`]). Everything here is a lookup of at
//! most two neighbouring entries: all lines are linear.

use crate::Heights;
use crate::grid::{face_base, face_heights};

/// Two consecutive entries of a column and the share of the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The lower entry.
    pub lower: usize,
    /// Share of the entry above it.
    pub share: f32,
    /// Cells above the highest entry, 0 inside the column.
    pub above: f32,
}

impl Pair {
    /// The value in a column of entries; constant above.
    #[inline(always)]
    pub fn of(&self, line: &[f32]) -> f32 {
        line[self.lower] + (line[self.lower + 1] - line[self.lower]) * self.share
    }
}

/// Where a height lies among the samples of a column; below, the lowest sample counts.
#[inline(always)]
pub fn sample_pair(heights: Heights, samples: usize, y: f32) -> Pair {
    let [bottom, top] = heights.map(|h| h as f32);
    let last = top + samples as f32 - 3.0;
    if y <= top - 1.0 {
        return Pair { lower: 0, share: ((y - bottom) / (top - 1.0 - bottom)).clamp(0.0, 1.0), above: 0.0 };
    }
    if y < last {
        let below = (y - top).floor();
        return Pair { lower: (below + 2.0) as usize, share: y - top - below, above: 0.0 };
    }
    Pair { lower: samples - 2, share: 1.0, above: y - last }
}

/// Where a height lies on the line of a tall cell; beyond its ends they count.
#[inline(always)]
pub fn line_pair([bottom, top]: Heights, y: f32) -> Pair {
    Pair { lower: 0, share: ((y - bottom as f32) / (top - 1 - bottom) as f32).clamp(0.0, 1.0), above: 0.0 }
}

/// A level set (in cells) in a column: above the top it grows with the distance, so that what is higher than the column
/// is air.
#[inline(always)]
pub fn level_set(line: &[f32], pair: Pair) -> f32 {
    let value = pair.of(line);
    if pair.above > 0.0 { value.max(0.0) + pair.above } else { value }
}

/// A column of faces between two neighbouring columns of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SideSpan {
    /// `[H_f, T_f]`: the run of faces that entries 0 and 1 stand for.
    pub run: Heights,
    /// Entries after the run.
    pub regular: i32,
}

impl SideSpan {
    /// Between columns of these heights and so many samples.
    #[inline(always)]
    pub fn new(a: Heights, b: Heights, samples: usize) -> Self {
        let run = face_heights(a, b);
        Self { run, regular: a[1].min(b[1]) + samples as i32 - 2 - face_base(run) }
    }

    /// World cell of an entry.
    #[inline(always)]
    pub fn cell_of(&self, entry: usize) -> i32 {
        match entry {
            0 => self.run[0],
            1 => (self.run[1] - 1).max(self.run[0]),
            _ => face_base(self.run) + entry as i32 - 2,
        }
    }

    /// The entry of the face at a world cell, if it is not one of a run.
    #[inline(always)]
    pub fn single(&self, y: i32) -> Option<usize> {
        let base = face_base(self.run);
        if y >= base {
            return (y - base < self.regular).then_some((y - base + 2) as usize);
        }
        match self.run[1] - self.run[0] {
            1 if y == self.run[0] => Some(1), // both entries are that face
            2 if y >= self.run[0] => Some((y - self.run[0]) as usize),
            _ => None,
        }
    }

    /// Whether the column has this entry.
    #[inline(always)]
    pub fn has(&self, entry: usize) -> bool {
        if entry < 2 { self.run[1] > self.run[0] } else { (entry as i32) < self.regular + 2 }
    }

    /// The value at a world cell. Below and above, the last face counts; without any face it is 0.
    #[inline(always)]
    pub fn at(&self, line: &[f32], y: i32) -> f32 {
        let (base, count) = (face_base(self.run), self.run[1] - self.run[0]);
        if count > 0 && (y < base || self.regular <= 0) {
            if count == 1 {
                return line[1]; // both entries are that face
            }
            let share = (y - self.run[0]).clamp(0, count - 1) as f32 / (count - 1) as f32;
            return line[0] + (line[1] - line[0]) * share;
        }
        if self.regular > 0 { line[2 + (y - base).clamp(0, self.regular - 1) as usize] } else { 0.0 }
    }

    /// The value at any height.
    #[inline(always)]
    pub fn value(&self, line: &[f32], y: f32) -> f32 {
        let below = y.floor();
        let (low, high) = (self.at(line, below as i32), self.at(line, below as i32 + 1));
        low + (high - low) * (y - below)
    }
}

/// The velocity of a y face of a column; `face` is the world cell above it. The terrain is at rest; above the column
/// the highest face counts.
#[inline(always)]
pub fn vertical_at(line: &[f32], inner: f32, [bottom, top]: Heights, face: i32) -> f32 {
    if face <= bottom {
        return 0.0;
    }
    if face < top {
        let count = top - bottom - 1; // faces inside the tall cell
        if count == 1 || face == top - 1 {
            return line[1];
        }
        return inner + (line[1] - inner) * ((face - bottom - 1) as f32 / (count - 1) as f32);
    }
    let entry = (face - top + 2) as usize;
    if entry < line.len() { line[entry] } else { line[0] }
}

/// The vertical velocity of a column at any height.
#[inline(always)]
pub fn vertical_value(line: &[f32], inner: f32, heights: Heights, y: f32) -> f32 {
    let below = (y + 0.5).floor();
    let (low, high) =
        (vertical_at(line, inner, heights, below as i32), vertical_at(line, inner, heights, below as i32 + 1));
    low + (high - low) * (y + 0.5 - below)
}

/// A field of samples at a world cell, exactly a sample where there is one: signs that decide where borders lie must
/// not depend on how a GPU rounds. Below and above the column its last sample counts.
#[inline(always)]
pub fn cell_at(line: &[f32], [bottom, top]: Heights, y: i32) -> f32 {
    if y >= top - 1 {
        line[((y - top + 2) as usize).min(line.len() - 1)]
    } else if y <= bottom {
        line[0]
    } else {
        line[0] + (line[1] - line[0]) * ((y - bottom) as f32 / (top - 1 - bottom) as f32)
    }
}
