//! Velocities around the pressure solve: divergence before it, gradient after it, transfer to new heights.
//!
//! [`staggered`] belongs to [`Discretisation::Galerkin`](crate::Discretisation): one normal velocity per face, two per
//! tall run of faces. With it, projection is exact: `A = D W G` with the very conductances of the matrix.
//! [`collocated`] belongs to [`Discretisation::Collocated`](crate::Discretisation), the published method, and is kept to
//! compare with. [`fit`] moves fields to new tall cells.
//!
//! The unknown of the matrix is `q = (Δt/ρ) p` in m²/s. A solve takes `b = −Δx² ∇·u*` ([`Staggered::rhs`]) and
//! ends in `u = u* − ∇q` ([`Staggered::update`]).

pub mod collocated;
pub mod fit;
mod profile;
pub mod staggered;

pub use collocated::Collocated;
pub use fit::{ColumnSpan, fit_line, transfer_cells, transfer_column, transfer_faces};
pub use staggered::{FaceVelocity, Staggered};

use crate::grid::{Heights, Place, face_base, face_heights, place};
use crate::{FieldView, Level, Real};

impl<T: Real> Level<T> {
    /// `y = A x` in the unknowns, 0 elsewhere. Returns `x·A x`.
    pub fn multiply(&self, x: &[T], y: &mut [T]) -> f64 {
        crate::smooth::multiply(&self.view(), &self.ends, x, y)
    }
}

/// Open fraction of entry `sample` of one of the three planes of faces (x, y, z) at a column, 0 where a solid sample
/// closes the face, at the sides of the grid and where there is no face.
#[inline(always)]
fn aperture<T: Real>(fields: &FieldView<'_, T>, plane: usize, column: usize, sample: usize) -> T {
    let (n, nx, len) = (fields.shape.samples(), fields.shape.nx, fields.shape.len());
    let open = fields.open[plane * len + column * n + sample];
    let other = match plane {
        1 => {
            let (lower, upper) = if sample == 0 { (n - 1, n) } else { (sample - 1, sample) };
            let is_solid = |j: usize| j < n && fields.solid[column * n + j] >= T::one();
            return if is_solid(lower) || is_solid(upper) { T::zero() } else { open };
        }
        0 if !column.is_multiple_of(nx) => column - 1,
        2 if column >= nx => column - nx,
        _ => return T::zero(),
    };
    let (ha, hb) = (fields.heights[other], fields.heights[column]);
    let overlap = face_heights(ha, hb);
    let y = match sample {
        0 | 1 if overlap[1] <= overlap[0] => return T::zero(),
        0 => overlap[0],
        1 => overlap[1] - 1,
        _ => face_base(overlap) + sample as i32 - 2,
    };
    let closed = |column: usize| fields.at(column, y).1 >= T::one();
    if y >= ha[1].min(hb[1]) + fields.shape.regular as i32 || closed(other) || closed(column) {
        return T::zero();
    }
    open
}

/// The apertures of all faces, in the layout of [`LevelView::weights`](crate::LevelView).
fn apertures<T: Real>(level: &Level<T>) -> Vec<T> {
    use rayon::prelude::*;
    let fields = level.fields.view(level.grid.shape, &level.grid.heights);
    let (n, columns) = (fields.shape.samples(), fields.shape.columns());
    let mut out = vec![T::zero(); 3 * fields.shape.len()];
    out.par_chunks_mut(n).enumerate().for_each(|(index, line)| {
        let (plane, column) = (index / columns, index % columns);
        for (sample, value) in line.iter_mut().enumerate() {
            *value = aperture(&fields, plane, column, sample);
        }
    });
    out
}

/// The value of a column at a world cell, 0 where it has none.
#[inline(always)]
fn value_at<T: Real>(line: &[T], heights: Heights, y: i32) -> T {
    let [end, rest] = split_value(line, heights, y);
    end + rest
}

/// The value of a column at a world cell as a stored sample and the way from there: inside a tall cell, from its nearer
/// end. Differences between columns taken part by part are rounded to their own size. Taken of whole values they are
/// rounded to that of the pressure, the same way in every step, and water at rest slowly begins to turn.
#[inline(always)]
fn split_value<T: Real>(line: &[T], heights: Heights, y: i32) -> [T; 2] {
    let [bottom, top] = heights;
    match place::<T>(heights, line.len(), y) {
        Place::Tall(_) => {
            let slope = (line[1] - line[0]) / T::of(f64::from(top - 1 - bottom));
            let (up, down) = (y - bottom, top - 1 - y);
            if up < down { [line[0], slope * T::of(f64::from(up))] } else { [line[1], -slope * T::of(f64::from(down))] }
        }
        Place::Cell(j) => [line[j], T::zero()],
        Place::Terrain | Place::Above => [T::zero(); 2],
    }
}
