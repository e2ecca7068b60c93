//! Velocities around the pressure solve: divergence before it, gradient after it.
//!
//! [`staggered`] belongs to [`Discretisation::Galerkin`](crate::Discretisation): one normal velocity per face, two per
//! tall run of faces. With it, projection is exact: `A = D W G` with the very conductances of the matrix.
//! [`collocated`] belongs to [`Discretisation::Collocated`](crate::Discretisation), the published method, and is kept
//! to compare with. [`thalweg_columns::transfer`] moves fields to new tall cells.
//!
//! The unknown of the matrix is `q = (Δt/ρ) p` in m²/s. A solve takes `b = −Δx² ∇·u*` ([`Staggered::rhs`]) and
//! ends in `u = u* − ∇q` ([`Staggered::update`]).

pub mod collocated;
pub mod staggered;

pub use collocated::Collocated;
pub use staggered::Staggered;

use rayon::prelude::*;
use thalweg_columns::grid::{Place, face_base, face_heights, place};
use thalweg_columns::{Heights, Real};

use crate::{FieldView, Level};

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
pub(crate) fn apertures<T: Real>(level: &Level<T>) -> Vec<T> {
    let fields = level.fields.view(level.grid.shape, &level.grid.heights);
    let mut out = vec![T::zero(); 3 * fields.shape.len()];
    fill_apertures(&fields, &mut out);
    out
}

/// [`apertures`] of borrowed fields.
pub(crate) fn fill_apertures<T: Real>(fields: &FieldView<'_, T>, out: &mut [T]) {
    let (n, columns) = (fields.shape.samples(), fields.shape.columns());
    out.par_chunks_mut(n).enumerate().for_each(|(index, line)| {
        let (plane, column) = (index / columns, index % columns);
        for (sample, value) in line.iter_mut().enumerate() {
            *value = aperture(fields, plane, column, sample);
        }
    });
}

/// The value of a column at a world cell, 0 where it has none.
#[inline(always)]
fn value_at<T: Real>(line: &[T], heights: Heights, y: i32) -> T {
    Nearby::of(line, heights, y, y > heights[0] + (heights[1] - heights[0]) / 2).value()
}

/// `a − b` of two columns (values and heights) at a world cell; values where a column has none are 0.
///
/// Lines are compared from ends of the same kind, both upper or both lower ones: in still water both slopes agree and
/// the ends are a few cells apart, so that the difference is rounded to those few cells. Taken of whole values it is
/// rounded to the pressure, the same way in every step, and water at rest slowly begins to turn.
#[inline(always)]
pub(crate) fn difference_at<T: Real>((a, heights_a): (&[T], Heights), (b, heights_b): (&[T], Heights), y: i32) -> T {
    let upper = 2 * y >= heights_a[0].max(heights_b[0]) + heights_a[1].min(heights_b[1]);
    let (a, b) = (Nearby::of(a, heights_a, y, upper), Nearby::of(b, heights_b, y, upper));
    // (a − b) + a' (y − y_a) − b' (y − y_b), in an order that keeps the digits.
    (a.sample - b.sample) + a.slope * T::of(f64::from(a.way - b.way)) + (a.slope - b.slope) * T::of(f64::from(b.way))
}

/// A column near a world cell: a stored sample and the distance from there along the tall line.
#[derive(Debug, Clone, Copy)]
struct Nearby<T> {
    sample: T,
    slope: T,
    /// Cells from the sample upwards.
    way: i32,
}

impl<T: Real> Nearby<T> {
    #[inline(always)]
    fn of(line: &[T], [bottom, top]: Heights, y: i32, upper: bool) -> Self {
        match place::<T>([bottom, top], line.len(), y) {
            Place::Tall(_) => {
                let slope = (line[1] - line[0]) / T::of(f64::from(top - 1 - bottom));
                let (sample, way) = if upper { (line[1], y - (top - 1)) } else { (line[0], y - bottom) };
                Self { sample, slope, way }
            }
            Place::Cell(j) => Self { sample: line[j], slope: T::zero(), way: 0 },
            Place::Terrain | Place::Above => Self { sample: T::zero(), slope: T::zero(), way: 0 },
        }
    }

    #[inline(always)]
    fn value(self) -> T {
        self.sample + self.slope * T::of(f64::from(self.way))
    }
}
