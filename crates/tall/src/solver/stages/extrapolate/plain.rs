//! Lookups around a face or a cell where every column around holds single cells: one addition each.
//!
//! A world cell `y` of a column, and a face of a face column, is entry `origin + y` of its field, with one origin per
//! column. That holds from the first single cell of a column up to its top, so the origins around a column are worked
//! out once for all of its entries between the highest first cell and the lowest top. The few entries outside are
//! decoded one by one.

use std::ops::Range;

use thalweg_columns::cells_and_faces::{DIRECTIONS, DOWN, Faces, UP};
use thalweg_columns::grid::{face_base, face_heights, first_cell, neighbours};

use super::constants::LEAST_WEIGHT;
use super::decoded::{Side, Velocities};

/// Entry of world cell 0; wraps below the field's begin.
type Origin = usize;

#[inline(always)]
fn at(origin: Origin, y: i32) -> usize {
    origin.wrapping_add_signed(y as isize)
}

#[inline(always)]
fn cell_origin(faces: &Faces<'_>, column: usize) -> Origin {
    (column * faces.shape.samples() + 2).wrapping_add_signed(-(faces.heights[column][1] as isize))
}

/// Of the faces below the cells of a column.
#[inline(always)]
fn vertical_origin(faces: &Faces<'_>, column: usize) -> Origin {
    faces.shape.len().wrapping_add(cell_origin(faces, column))
}

/// Of the faces between two neighbouring columns.
#[inline(always)]
fn side_origin(faces: &Faces<'_>, plane: usize, lower: usize, upper: usize) -> Origin {
    let base = face_base(face_heights(faces.heights[lower], faces.heights[upper]));
    (plane * faces.shape.len() + upper * faces.shape.samples() + 2).wrapping_add_signed(-(base as isize))
}

/// Of the faces from a column towards a neighbour.
#[inline(always)]
fn between(faces: &Faces<'_>, direction: usize, column: usize, other: usize) -> Origin {
    let [lower, upper] = if direction.is_multiple_of(2) { [other, column] } else { [column, other] };
    side_origin(faces, direction / 2 * 2, lower, upper)
}

/// World cells at which all given columns hold single cells.
#[inline(always)]
fn plain_cells(faces: &Faces<'_>, columns: impl Iterator<Item = usize>) -> Range<i32> {
    let (mut low, mut high) = (i32::MIN, i32::MAX);
    for column in columns {
        low = low.max(first_cell(faces.heights[column]));
        high = high.min(faces.top(column));
    }
    low..high
}

/// The cells of a column and what is around them.
pub(super) struct CellLine {
    /// World cells that this holds for.
    pub(super) plain: Range<i32>,
    /// Origins of the next cell and of the face between.
    steps: [[Origin; 2]; DIRECTIONS],
    /// Whether there is a column in that direction.
    exists: [bool; DIRECTIONS],
}

impl CellLine {
    #[inline(always)]
    pub(super) fn new(faces: &Faces<'_>, column: usize) -> Self {
        let around = neighbours(faces.shape, column);
        let columns = || around.into_iter().flatten().chain([column]);
        let cells = plain_cells(faces, columns());
        // Faces stored twice lie below the first regular cells.
        let low = columns().fold(cells.start, |low, column| low.max(faces.heights[column][1]));
        let (own, vertical) = (cell_origin(faces, column), vertical_origin(faces, column));
        let (mut steps, mut exists) = ([[0; 2]; DIRECTIONS], [true; DIRECTIONS]);
        for (direction, other) in around.into_iter().enumerate() {
            exists[direction] = other.is_some();
            if let Some(other) = other {
                steps[direction] = [cell_origin(faces, other), between(faces, direction, column, other)];
            }
        }
        steps[DOWN] = [own.wrapping_sub(1), vertical];
        steps[UP] = [own.wrapping_add(1), vertical.wrapping_add(1)];
        Self { plain: low + 1..cells.end - 1, steps, exists }
    }

    /// The open faces of a cell.
    #[inline(always)]
    pub(super) fn sides(&self, faces: &Faces<'_>, layers: &[u32], layer: u32, y: i32) -> [Option<Side>; DIRECTIONS] {
        std::array::from_fn(|direction| {
            if !self.exists[direction] {
                return None;
            }
            let [cell, face] = self.steps[direction];
            let face = at(face, y);
            let aperture = faces.aperture[face];
            let sign = if direction % 2 == 1 { 1.0 } else { -1.0 };
            let outer = layers[at(cell, y)] > layer;
            (aperture > 0.0).then_some(Side { face, aperture, sign, outer, twice: false })
        })
    }

    /// Whether a cell touches the layer before.
    #[inline(always)]
    pub(super) fn is_reached(&self, faces: &Faces<'_>, layers: &[u32], layer: u32, y: i32) -> bool {
        let is_reached =
            |[cell, face]: [Origin; 2]| layers[at(cell, y)] == layer - 1 && faces.aperture[at(face, y)] > 0.0;
        self.exists.iter().zip(self.steps).any(|(exists, step)| *exists && is_reached(step))
    }
}

/// The way from a face to the next parallel one.
#[derive(Clone, Copy)]
struct Step {
    next: Origin,
    /// Cells on both sides of the next face.
    cells: [Origin; 2],
    /// Faces of which one must be open, if any are in the way.
    gates: [Origin; 2],
    is_gated: bool,
}

impl Step {
    const NONE: Self = Self { next: 0, cells: [0; 2], gates: [0; 2], is_gated: false };
}

/// The faces of a face column and what is around them.
pub(super) struct FaceLine {
    /// World cells that this holds for.
    pub(super) plain: Range<i32>,
    /// Cells on both sides of a face.
    cells: [Origin; 2],
    /// The first `count` are ways.
    steps: [Step; DIRECTIONS],
    count: usize,
}

impl FaceLine {
    /// Of a face column; side faces need a column `before` theirs.
    #[inline(always)]
    pub(super) fn new(faces: &Faces<'_>, plane: usize, before: usize, column: usize) -> Self {
        let mut line = Self { plain: 0..0, cells: [0; 2], steps: [Step::NONE; DIRECTIONS], count: 0 };
        if plane == 1 {
            line.set_vertical(faces, column);
        } else {
            line.set_side(faces, plane, before, column);
        }
        line
    }

    #[inline(always)]
    fn push(&mut self, next: Origin, cells: [Origin; 2], gates: Option<[Origin; 2]>) {
        self.steps[self.count] = Step { next, cells, gates: gates.unwrap_or_default(), is_gated: gates.is_some() };
        self.count += 1;
    }

    #[inline(always)]
    fn set_vertical(&mut self, faces: &Faces<'_>, column: usize) {
        let around = neighbours(faces.shape, column);
        let cells = plain_cells(faces, around.into_iter().flatten().chain([column]));
        self.plain = cells.start.saturating_add(2)..cells.end - 1;
        let sides_of = |cell: Origin| [cell.wrapping_sub(1), cell];
        let (own, face) = (cell_origin(faces, column), vertical_origin(faces, column));
        self.cells = sides_of(own);
        for (direction, other) in around.into_iter().enumerate() {
            if let Some(other) = other {
                let gates = sides_of(between(faces, direction, column, other));
                self.push(vertical_origin(faces, other), sides_of(cell_origin(faces, other)), Some(gates));
            }
        }
        self.push(face.wrapping_sub(1), sides_of(own.wrapping_sub(1)), None);
        self.push(face.wrapping_add(1), sides_of(own.wrapping_add(1)), None);
    }

    #[inline(always)]
    fn set_side(&mut self, faces: &Faces<'_>, plane: usize, before: usize, column: usize) {
        let pair = [before, column];
        let around = pair.map(|column| neighbours(faces.shape, column));
        let cells = plain_cells(faces, around.into_iter().flatten().flatten());
        self.plain = cells.start.saturating_add(1)..cells.end - 1;
        self.cells = pair.map(|column| cell_origin(faces, column));
        for (direction, others) in around[0].into_iter().zip(around[1]).enumerate() {
            if let (Some(lower), Some(upper)) = others {
                let next = side_origin(faces, plane, lower, upper);
                let cells = [lower, upper].map(|column| cell_origin(faces, column));
                let gates = || [(before, lower), (column, upper)].map(|(a, b)| between(faces, direction, a, b));
                self.push(next, cells, (direction / 2 * 2 != plane).then(gates));
            }
        }
        let face = side_origin(faces, plane, before, column);
        let gates = pair.map(|column| vertical_origin(faces, column));
        self.push(face.wrapping_sub(1), self.cells.map(|cell| cell.wrapping_sub(1)), Some(gates));
        let gates = gates.map(|gate| gate.wrapping_add(1));
        self.push(face.wrapping_add(1), self.cells.map(|cell| cell.wrapping_add(1)), Some(gates));
    }

    /// The mean of the known neighbours of a face; `y` counts from this line's own column, see [`FlatLines`].
    #[inline(always)]
    pub(super) fn mean_of_known(
        &self,
        faces: &Faces<'_>,
        phi: &[f32],
        u: Velocities<'_>,
        layer: u32,
        y: isize,
    ) -> Option<f32> {
        let at = |origin: Origin, y: isize| origin.wrapping_add_signed(y);
        let distance = |cells: [Origin; 2]| 0.5 * (phi[at(cells[0], y)] + phi[at(cells[1], y)]);
        let (mut first, mut weights, mut differences) = (None, 0.0, 0.0);
        let own = distance(self.cells);
        for step in &self.steps[..self.count] {
            let next = at(step.next, y);
            let is_open = || step.gates.iter().any(|gate| faces.aperture[at(*gate, y)] > 0.0);
            if u.known[next] >= layer || (step.is_gated && !is_open()) {
                continue;
            }
            let weight = (own - distance(step.cells)).max(0.0) + LEAST_WEIGHT;
            let velocity = u.faces[next];
            weights += weight;
            differences += weight * (velocity - *first.get_or_insert(velocity));
        }
        first.map(|first| first + differences / weights)
    }
}

/// Face columns among columns of equal heights have the same surroundings as the first of them, only elsewhere: all
/// origins move by the same number of entries.
pub(super) struct FlatLines {
    pub(super) plane: usize,
    first: Option<(usize, FaceLine)>,
}

impl FlatLines {
    pub(super) fn new(plane: usize) -> Self {
        Self { plane, first: None }
    }

    /// Whether all columns around a face column exist and are as high as its own.
    #[inline(always)]
    fn is_flat(faces: &Faces<'_>, plane: usize, column: usize) -> bool {
        let (nx, nz) = (faces.shape.nx, faces.shape.nz);
        let (i, k) = (column % nx, column / nx);
        let own = faces.heights[column];
        let same = |column: usize| faces.heights[column] == own;
        let around = |column: usize| {
            same(column - 1) && same(column + 1) && same(column - nx) && same(column + nx) && same(column)
        };
        let room = match plane {
            0 => i > 1,
            1 => i > 0,
            _ => i > 0 && k > 1,
        };
        room && k > 0
            && i + 1 < nx
            && k + 1 < nz
            && around(column)
            && match plane {
                0 => around(column - 1),
                1 => true,
                _ => around(column - nx),
            }
    }

    /// The surroundings of a face column, and what has to be added to world cells there.
    #[inline(always)]
    pub(super) fn line<'a>(
        &'a mut self,
        faces: &Faces<'_>,
        column: usize,
    ) -> Option<(&'a FaceLine, Range<i32>, isize)> {
        let plane = self.plane;
        if !Self::is_flat(faces, plane, column) {
            return None;
        }
        let before = [column - 1, column, column.wrapping_sub(faces.shape.nx)][plane];
        let (first, line) = self.first.get_or_insert_with(|| (column, FaceLine::new(faces, plane, before, column)));
        let heights = faces.heights[column];
        let raised = heights[1] - faces.heights[*first][1];
        let entries = (column - *first) * faces.shape.samples();
        let low = first_cell(heights) + if plane == 1 { 2 } else { 1 };
        Some((line, low..faces.top(column) - 1, entries as isize - raised as isize))
    }
}
