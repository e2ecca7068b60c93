//! Steps from cell to cell, the faces between, and which stored entry holds a face.
//!
//! World cells are decoded by [`crate::interpolate`]. Directions are numbered -x, +x, -z, +z, down, up; the first four
//! agree with [`neighbours`].

use crate::grid::{face_base, neighbours};
use crate::interpolate::{SideSpan, cell_at, vertical_at};
use crate::{Heights, Shape};

pub use crate::constants::{DIRECTIONS, DOWN, UP};

/// A world cell of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The column.
    pub column: usize,
    /// The world cell in it.
    pub y: i32,
}

impl Spot {
    /// The cell next to it; `None` at a side of the grid.
    #[inline(always)]
    pub fn step(self, shape: Shape, direction: usize) -> Option<Self> {
        match direction {
            DOWN => Some(Self { y: self.y - 1, ..self }),
            UP => Some(Self { y: self.y + 1, ..self }),
            _ => neighbours(shape, self.column)[direction].map(|column| Self { column, ..self }),
        }
    }

    /// The face in a direction in which there is another cell.
    #[inline(always)]
    pub fn face(self, shape: Shape, direction: usize) -> Face {
        let Self { column, y } = self;
        match direction {
            0 => Face { plane: 0, column, y },
            1 => Face { plane: 0, column: column + 1, y },
            2 => Face { plane: 2, column, y },
            3 => Face { plane: 2, column: column + shape.nx, y },
            DOWN => Face { plane: 1, column, y },
            _ => Face { plane: 1, column, y: y + 1 },
        }
    }
}

/// A face by its place: the one of `plane` (x, y, z) on the lower side of world cell `y` of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Face {
    /// 0, 1, 2: normal to x, y, z.
    pub plane: usize,
    /// The column on its upper side.
    pub column: usize,
    /// The world cell on its upper side.
    pub y: i32,
}

impl Face {
    /// The cells on its lower and its upper side. There must be a column on the lower side.
    #[inline(always)]
    pub fn cells(self, shape: Shape) -> [Spot; 2] {
        let Self { plane, column, y } = self;
        let lower = match plane {
            0 => Spot { column: column - 1, y },
            1 => Spot { column, y: y - 1 },
            _ => Spot { column: column - shape.nx, y },
        };
        [lower, Spot { column, y }]
    }

    /// The face of the same plane at the next cell; `None` at a side of the grid.
    #[inline(always)]
    pub fn step(self, shape: Shape, direction: usize) -> Option<Self> {
        let Self { plane, column, y } = self;
        Spot { column, y }.step(shape, direction).map(|Spot { column, y }| Self { plane, column, y })
    }

    /// Whether a direction is along the face's normal.
    #[inline(always)]
    pub fn is_normal(self, direction: usize) -> bool {
        direction / 2 == [0, 2, 1][self.plane]
    }
}

/// The entry of a face column that holds a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Holder {
    /// The entry; inside a run it is the upper end, 1.
    pub entry: usize,
    /// Share of that entry; the rest belongs to the lower end of the run.
    pub share: f32,
    /// Whether the face is one of a line through more faces than there are entries for them.
    pub run: bool,
}

impl Holder {
    fn own(entry: usize) -> Option<Self> {
        Some(Self { entry, share: 1.0, run: false })
    }

    /// In a side face column. Runs of one or two faces are faces of their own.
    #[inline(always)]
    pub fn side(span: SideSpan, y: i32) -> Option<Self> {
        let [low, high] = span.run;
        let place = y - face_base(span.run);
        match high - low {
            _ if place >= 0 => {
                if place < span.regular {
                    Self::own(place as usize + 2)
                } else {
                    None
                }
            }
            _ if y < low => None,
            ..=2 => Self::own((place + 2) as usize),
            _ if y == high - 1 => Some(Self { entry: 1, share: 1.0, run: true }),
            count => Some(Self { entry: 1, share: (y - low) as f32 / (count - 1) as f32, run: true }),
        }
    }

    /// In a column of y faces; `face` is the world cell above it. The terrain is no face.
    #[inline(always)]
    pub fn vertical([bottom, top]: Heights, samples: usize, face: i32) -> Option<Self> {
        let entry = face - top + 2;
        match top - bottom {
            _ if face <= bottom || entry > samples as i32 => None,
            _ if entry == samples as i32 => Self::own(0),
            _ if entry >= 2 => Self::own(entry as usize),
            2 => Self::own(1),
            _ if entry == 1 => Some(Self { entry: 1, share: 1.0, run: true }),
            h => Some(Self { entry: 1, share: (face - bottom - 1) as f32 / (h - 2) as f32, run: true }),
        }
    }
}

/// The faces of a grid with their open fractions.
#[derive(Debug, Clone, Copy)]
pub struct Faces<'a> {
    /// Columns and samples.
    pub shape: Shape,
    /// `[H, T]` per column.
    pub heights: &'a [Heights],
    /// Three planes of one entry per sample.
    pub aperture: &'a [f32],
}

impl<'a> Faces<'a> {
    /// The side face column between a column and the one before it; `None` at a side of the grid.
    #[inline(always)]
    pub fn span(&self, plane: usize, column: usize) -> Option<SideSpan> {
        let direction = if plane == 0 { 0 } else { 2 };
        let other = neighbours(self.shape, column)[direction]?;
        Some(SideSpan::new(self.heights[other], self.heights[column], self.shape.samples()))
    }

    /// First entry of a face column in the three planes.
    #[inline(always)]
    pub fn start(&self, face: Face) -> usize {
        face.plane * self.shape.len() + face.column * self.shape.samples()
    }

    /// The face of an entry; that of entry 0 or 1 of a run is its end. `None` where there is no face.
    #[inline(always)]
    pub fn face(&self, plane: usize, column: usize, entry: usize) -> Option<Face> {
        let y = if plane == 1 {
            let top = self.heights[column][1] - 2;
            top + if entry == 0 { self.shape.samples() } else { entry } as i32
        } else {
            let span = self.span(plane, column)?;
            if !span.has(entry) {
                return None;
            }
            span.cell_of(entry)
        };
        Some(Face { plane, column, y })
    }

    /// What holds a face; `None` where there is no face.
    #[inline(always)]
    pub fn holder(&self, face: Face) -> Option<Holder> {
        if face.plane == 1 {
            return Holder::vertical(self.heights[face.column], self.shape.samples(), face.y);
        }
        Holder::side(self.span(face.plane, face.column)?, face.y)
    }

    /// Whether something can flow through a face.
    #[inline(always)]
    pub fn is_open(&self, face: Face) -> bool {
        let Some(Holder { entry, share, .. }) = self.holder(face) else { return false };
        let at = self.start(face) + entry;
        // The open fraction of all faces inside a tall cell is one number.
        if share == 1.0 || face.plane == 1 {
            return self.aperture[at] > 0.0;
        }
        self.aperture[at - 1] + (self.aperture[at] - self.aperture[at - 1]) * share > 0.0
    }

    /// The velocity of a face.
    #[inline(always)]
    pub fn velocity(&self, faces: &[f32], inner: &[f32], face: Face, holder: Holder) -> f32 {
        let start = self.start(face);
        if holder.share == 1.0 {
            return faces[start + holder.entry];
        }
        if face.plane == 1 {
            let line = &faces[start..start + self.shape.samples()];
            return vertical_at(line, inner[face.column], self.heights[face.column], face.y);
        }
        faces[start] + (faces[start + 1] - faces[start]) * holder.share
    }

    /// A field of samples at a world cell; below and above the column its last sample counts.
    #[inline(always)]
    pub fn cell(&self, field: &[f32], spot: Spot) -> f32 {
        let n = self.shape.samples();
        cell_at(&field[spot.column * n..(spot.column + 1) * n], self.heights[spot.column], spot.y)
    }

    /// World cell above the highest one of a column.
    #[inline(always)]
    pub fn top(&self, column: usize) -> i32 {
        self.heights[column][1] + self.shape.regular as i32
    }
}
