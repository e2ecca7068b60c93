//! Cell-centred velocities: divergence and gradient of \[000\] §3.7, with its errors corrected.
//!
//! Velocities are three planes (x, y, z components) of one value per sample, m/s. Each sample, the two ends of a tall
//! cell too, has six faces at its own height; neighbours are read from the decoded columns. Three things differ from
//! the print:
//!
//! * the gradient is the *mean* of the two face gradients; \[000\] eq. 17 divides a difference over two cells by one;
//! * it is subtracted (\[000\] eq. 18 lacks the sign, \[003\] has it);
//! * at a solid face the gradient is `u* − u_solid`, the value that the divergence has assumed there. The mirror ghost
//!   `p_n = p` of \[000\] leaves `−½ g Δt` above the floor in water at rest, and a tank that stands still erupts.
//!
//! This is not a projection: it does not see what flows through the middle of a tall cell's side, and kinetic energy
//! may grow in a step. It is here to be compared with.

use std::borrow::Cow;

use rayon::prelude::*;
use thalweg_columns::grid::{face_base, face_heights, is_tall, world_cell};
use thalweg_columns::{Heights, Real, Shape};

use super::{apertures, value_at};
use crate::Level;
use crate::rows::LevelView;

/// What the collocated operators need besides velocities: the level that is solved on, and the solids.
#[derive(Debug, Clone)]
pub struct Collocated<'a, T: Real> {
    level: LevelView<'a, T>,
    /// `Δx`, m.
    cell: T,
    /// `½/Δx`, 1/m.
    half_per_cell: T,
    /// Open fractions of faces, 0 where a solid closes them.
    aperture: Cow<'a, [T]>,
    /// Velocity of solids per face, empty if all are at rest.
    solid: &'a [T],
}

/// One face of a sample as the operators see it.
#[derive(Debug, Clone, Copy)]
struct Face<T> {
    /// Open fraction.
    aperture: T,
    /// Conductance.
    weight: T,
    /// Normal velocity of the neighbour.
    velocity: T,
    /// Normal velocity of the solid.
    solid: T,
    /// `q_n − q`.
    difference: T,
}

impl<T: Real> Face<T> {
    /// A wall at rest.
    fn wall() -> Self {
        let zero = T::zero();
        Self { aperture: zero, weight: zero, velocity: zero, solid: zero, difference: zero }
    }

    /// Normal velocity at the face: the mean of both sides in its open part.
    fn flux(&self, own: T) -> T {
        self.aperture * T::of(0.5) * (own + self.velocity) + (T::one() - self.aperture) * self.solid
    }

    /// `Δx ∂q/∂n` along the axis (`sign` −1 for faces on the lower side); in the closed part what makes the solid's
    /// velocity.
    fn gradient(&self, sign: T, own: T, cell: T) -> T {
        sign * self.weight * self.difference + (T::one() - self.aperture) * (own - self.solid) * cell
    }
}

impl<'a, T: Real> Collocated<'a, T> {
    /// Operators for a level whose solids are at rest.
    pub fn new(level: &'a Level<T>) -> Self {
        Self::with(level, &[])
    }

    /// Operators for moving solids: their normal velocity per face, in the layout of
    /// [`LevelView::weights`](crate::LevelView).
    ///
    /// # Panics
    /// If there is not one velocity per face.
    pub fn with_solids(level: &'a Level<T>, solid: &'a [T]) -> Self {
        assert_eq!(solid.len(), 3 * level.grid.shape.len(), "velocities of solids: one per face");
        Self::with(level, solid)
    }

    fn with(level: &'a Level<T>, solid: &'a [T]) -> Self {
        let cell = level.grid.cell;
        Self::over(level.view(), [T::of(cell), T::of(0.5 / cell)], Cow::Owned(apertures(level)), solid)
    }

    /// Operators over borrowed arrays. Of the level, [`Self::rhs`] reads heights and diagonal, [`Self::update`]
    /// conductances too. `[cell, half_per_cell]` are `Δx` in m and `½/Δx`; `solid` is empty if all solids are at rest.
    pub(crate) fn over(
        level: LevelView<'a, T>,
        [cell, half_per_cell]: [T; 2],
        aperture: Cow<'a, [T]>,
        solid: &'a [T],
    ) -> Self {
        Self { level, cell, half_per_cell, aperture, solid }
    }

    /// Right-hand side `b = −Δx² ∇·u` in the unknowns, 0 elsewhere; m²/s.
    pub fn rhs(&self, u: &[T], b: &mut [T]) {
        let n = self.level.shape.samples();
        let planes = self.planes(u);
        b.par_chunks_mut(n).enumerate().for_each(|(column, line)| {
            for (sample, value) in line.iter_mut().enumerate() {
                let at = column * n + sample;
                let mut sum = T::zero();
                if self.is_unknown(at) {
                    for (axis, plane) in planes.into_iter().enumerate() {
                        let [lower, upper] = self.faces(plane, &[], column, sample, axis);
                        sum += upper.flux(plane[at]) - lower.flux(plane[at]);
                    }
                }
                *value = -self.cell * sum;
            }
        });
    }

    /// `u −= ∇q` in the unknowns; air keeps what extrapolation gave it.
    pub fn update(&self, q: &[T], u: &mut [T]) {
        let shape = self.level.shape;
        let (n, columns) = (shape.samples(), shape.columns());
        u.par_chunks_mut(n).enumerate().for_each(|(index, line)| {
            let (axis, column) = (index / columns, index % columns);
            for (sample, own) in line.iter_mut().enumerate() {
                if self.is_unknown(column * n + sample) {
                    let [lower, upper] = self.faces(&[], q, column, sample, axis);
                    let sum = lower.gradient(-T::one(), *own, self.cell) + upper.gradient(T::one(), *own, self.cell);
                    *own -= sum * self.half_per_cell;
                }
            }
        });
    }

    fn is_unknown(&self, at: usize) -> bool {
        self.level.diagonal[at] > T::zero()
    }

    /// The three components of a field.
    fn planes<'u>(&self, u: &'u [T]) -> [&'u [T]; 3] {
        let len = self.level.shape.len();
        [0, 1, 2].map(|axis| &u[axis * len..(axis + 1) * len])
    }

    /// The lower and the upper face of a sample along an axis, whose component is `u`. Either of `u` and `q` may be
    /// empty.
    #[inline(always)]
    fn faces(&self, u: &[T], q: &[T], column: usize, sample: usize, axis: usize) -> [Face<T>; 2] {
        let Shape { nx, nz, .. } = self.level.shape;
        let (i, k) = (column % nx, column / nx);
        match axis {
            0 => [
                self.side(u, q, column, sample, axis, (i > 0).then(|| column - 1), column),
                if i + 1 < nx {
                    self.side(u, q, column, sample, axis, Some(column + 1), column + 1)
                } else {
                    Face::wall()
                },
            ],
            1 => [self.vertical(u, q, column, sample, false), self.vertical(u, q, column, sample, true)],
            _ => [
                self.side(u, q, column, sample, axis, (k > 0).then(|| column - nx), column),
                if k + 1 < nz {
                    self.side(u, q, column, sample, axis, Some(column + nx), column + nx)
                } else {
                    Face::wall()
                },
            ],
        }
    }

    /// A side face; `holder` is the column whose face column it belongs to.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "one face of a stencil")]
    fn side(
        &self,
        u: &[T],
        q: &[T],
        column: usize,
        sample: usize,
        axis: usize,
        other: Option<usize>,
        holder: usize,
    ) -> Face<T> {
        let shape = self.level.shape;
        let (n, len) = (shape.samples(), shape.len());
        let own = self.level.heights[column];
        let y = world_cell(own, sample);
        let face = axis * len + holder * n;
        let Some(other) = other else {
            // The side of the grid towards smaller x or z: its face column is that of the column itself.
            return Face { solid: self.solid_at(face + sample), ..Face::wall() };
        };
        let heights = self.level.heights[other];
        let overlap = face_heights(own, heights);
        if y < overlap[0] || y >= own[1].min(heights[1]) + shape.regular as i32 {
            return Face::wall();
        }
        let line = |field: &'_ [T]| value_at(&field[other * n..(other + 1) * n], heights, y);
        let difference = if q.is_empty() { T::zero() } else { line(q) - q[column * n + sample] };
        let solid = if self.solid.is_empty() { T::zero() } else { face_value(self.solid, face, overlap, y) };
        Face {
            aperture: face_value(&self.aperture, face, overlap, y),
            weight: if q.is_empty() { T::zero() } else { face_value(self.level.weights, face, overlap, y) },
            velocity: if u.is_empty() { T::zero() } else { line(u) },
            solid,
            difference,
        }
    }

    /// The upper or lower face of a sample. Inside a tall cell the neighbour is the next sub-cell.
    #[inline(always)]
    fn vertical(&self, u: &[T], q: &[T], column: usize, sample: usize, upper: bool) -> Face<T> {
        let shape = self.level.shape;
        let (n, len) = (shape.samples(), shape.len());
        let own = self.level.heights[column];
        let (base, up) = (column * n, len + column * n);
        let (entry, other) = match (sample, upper) {
            (0, false) => return Face::wall(),
            (_, false) => (sample, sample - 1),
            (_, true) if sample + 1 == n => (0, sample),
            (_, true) => (sample + 1, sample + 1),
        };
        let velocity = match u.get(base..base + n) {
            Some(v) if entry == 1 && is_tall(own) => {
                v[sample] + (v[other] - v[sample]) / T::of(f64::from(own[1] - own[0] - 1))
            }
            Some(v) => v[other],
            None => T::zero(),
        };
        let pressure = |j: usize| if q.is_empty() { T::zero() } else { q[base + j] };
        // Above the column is air at zero pressure that moves with the top cell.
        let beyond = if entry == 0 { T::zero() } else { pressure(other) };
        Face {
            aperture: self.aperture[up + entry],
            weight: if q.is_empty() { T::zero() } else { self.level.weights[up + entry] },
            velocity,
            solid: self.solid_at(up + entry),
            difference: beyond - pressure(sample),
        }
    }

    /// Velocity of the solid at a face.
    fn solid_at(&self, face: usize) -> T {
        if self.solid.is_empty() { T::zero() } else { self.solid[face] }
    }
}

/// The value of a face column at a world cell from its lowest face up: a line over an overlap of tall cells.
#[inline(always)]
fn face_value<T: Real>(values: &[T], face: usize, overlap: Heights, y: i32) -> T {
    let count = overlap[1] - overlap[0];
    if y < overlap[1] && count > 2 {
        let t = T::of(f64::from(y - overlap[0]) / f64::from(count - 1));
        values[face] + (values[face + 1] - values[face]) * t
    } else {
        values[face + (y - face_base(overlap) + 2) as usize]
    }
}
