//! Face velocities of the Galerkin tall cells: right-hand side, update, kinetic energy.
//!
//! Velocities lie where [`FaceVelocity`] says.
//!
//! **Flux** through a face is `a u + (1 − a) u_solid` with its open fraction `a` (Batty et al. 2007). On a run, `a`,
//! `u` and `u_solid` are lines, so the flux is a parabola; the sums against the hat functions are taken of that
//! parabola in closed form. The matrix has the line `w` in the place of `a`.
//!
//! **Update** `u −= (w/a) δq/Δx`: with `w = a/θ` that is the gradient of the ghost fluid method, taken from the very
//! conductances that were solved with, so that `D(a δu) = A q` holds by construction and projecting twice changes
//! nothing. On a run of water on both sides `w = a`, and the line `δq` lies in the storage: exact. Where a surface cuts
//! a run (only next to it, remeshing avoids it) `w ≠ a` and `(w/a) δq` is no line. Then the line is taken whose flux
//! has the same sum and first moment, `Σ a δu {1, m} = Σ w δq {1, m}`. The hats of both columns are lines in `m`, hence
//! every row of the matrix still sees exactly its own flux, and projection stays idempotent; only the orthogonality
//! (energy cannot grow) is lost for that run.
//!
//! The terrain, the sides of the grid towards larger x and z, and faces between a column's top and its higher neighbour
//! are at rest. The sides towards smaller x and z hold `u_solid` of their face column (whose heights are those of the
//! column itself), so that inflow can be given there.

use std::borrow::Cow;

use rayon::prelude::*;
use thalweg_columns::face_velocity::FaceVelocityView;
use thalweg_columns::grid::{face_base, face_heights, first_cell, is_tall};
use thalweg_columns::profile::{Profile, product};
use thalweg_columns::{FaceVelocity, Heights, Real, Shape};

use super::{apertures, difference_at};
use crate::{Level, LevelView};

/// What the staggered operators need besides velocities: the level that is solved on, and the solids.
#[derive(Debug, Clone)]
pub struct Staggered<'a, T: Clone> {
    level: LevelView<'a, T>,
    /// `Δx`, m.
    cell: T,
    /// `1/Δx`, 1/m.
    per_cell: T,
    /// Open fractions, 0 where a solid closes the face.
    aperture: Cow<'a, [T]>,
    /// Velocity of solids per face, empty if all are at rest.
    solid: &'a [T],
}

/// A neighbouring column (or the column's own mirror image at a side of the grid) and the face column between.
#[derive(Debug, Clone, Copy)]
struct Side<T> {
    heights: Heights,
    /// First entry of the face column.
    face: usize,
    /// `[H_f, T_f]`.
    overlap: Heights,
    /// Direction of the face's velocity as seen from the column: +1 outwards.
    sign: T,
}

impl<'a, T: Real> Staggered<'a, T> {
    /// Operators for a level whose solids are at rest.
    pub fn new(level: &'a Level<T>) -> Self {
        Self::with(level, &[])
    }

    /// Operators for moving solids: their velocity per face, in the layout of [`FaceVelocity::faces`]; inside a tall
    /// cell entry 1 counts.
    ///
    /// # Panics
    /// If there is not one velocity per face.
    pub fn with_solids(level: &'a Level<T>, solid: &'a [T]) -> Self {
        assert_eq!(solid.len(), 3 * level.grid.shape.len(), "velocities of solids: one per face");
        Self::with(level, solid)
    }

    fn with(level: &'a Level<T>, solid: &'a [T]) -> Self {
        let cell = level.grid.cell;
        Self::over(level.view(), [cell, 1.0 / cell].map(T::of), Cow::Owned(apertures(level)), solid)
    }

    /// Operators over borrowed arrays. Of the level, [`Self::rhs`] reads heights and diagonal, [`Self::update`] heights
    /// and conductances. `[cell, per_cell]` are `Δx` in m and its reciprocal; `solid` is empty if all solids are at
    /// rest.
    pub(crate) fn over(
        level: LevelView<'a, T>,
        [cell, per_cell]: [T; 2],
        aperture: Cow<'a, [T]>,
        solid: &'a [T],
    ) -> Self {
        Self { level, cell, per_cell, aperture, solid }
    }

    /// Divergence of every sample, 1/s: the sum over its faces of the flux outwards, divided by `Δx`. For the two
    /// samples of a tall cell it is the sum over the sub-cells, weighted by the sample's hat function.
    pub fn divergence(&self, u: &FaceVelocity<T>, out: &mut [T]) {
        let u = u.view();
        self.fill(out, |column, sample| self.outflow(u, column, sample) * self.per_cell);
    }

    /// Right-hand side `b = −Δx² ∇·u` in the unknowns, 0 elsewhere; m²/s.
    pub fn rhs(&self, u: &FaceVelocity<T>, b: &mut [T]) {
        self.rhs_of(u.view(), b);
    }

    /// [`Self::rhs`] of borrowed velocities.
    pub(crate) fn rhs_of(&self, u: FaceVelocityView<'_, T>, b: &mut [T]) {
        let n = self.level.shape.samples();
        self.fill(b, |column, sample| {
            let unknown = self.level.diagonal[column * n + sample] > T::zero();
            if unknown { self.outflow(u, column, sample) * -self.cell } else { T::zero() }
        });
    }

    /// `u −= ∇q`, and `u = u_solid` on closed faces.
    pub fn update(&self, q: &[T], u: &mut FaceVelocity<T>) {
        self.update_arrays(q, &mut u.faces, &mut u.inner);
    }

    /// [`Self::update`] of the two arrays of a [`FaceVelocity`].
    pub(crate) fn update_arrays(&self, q: &[T], faces: &mut [T], inner: &mut [T]) {
        let shape = self.level.shape;
        let (n, columns) = (shape.samples(), shape.columns());
        inner.par_iter_mut().enumerate().for_each(|(column, v)| *v = self.updated_vertical(q, *v, column, 1));
        faces.par_chunks_mut(n).enumerate().for_each(|(index, line)| {
            let (plane, column) = (index / columns, index % columns);
            for (sample, value) in line.iter_mut().enumerate() {
                *value = match plane {
                    1 => self.updated_vertical(q, *value, column, sample),
                    _ => self.updated_side(q, *value, plane, column, sample),
                };
            }
        });
    }

    /// Kinetic energy of the water in J: every face carries the water between the centres on its two sides, `a θ Δx³`
    /// of it next to the surface. This is the norm in which projection is orthogonal.
    pub fn kinetic_energy(&self, u: &FaceVelocity<T>, density: f64) -> f64 {
        let shape = self.level.shape;
        let (n, nx, columns) = (shape.samples(), shape.nx, shape.columns());
        let heights = self.level.heights;
        let sums: Vec<f64> = (0..3 * columns)
            .into_par_iter()
            .map(|index| {
                let (plane, column) = (index / columns, index % columns);
                let face = index * n;
                let (lower, upper) = (u.faces[face], u.faces[face + 1]);
                let square = |sample: usize| self.mass(face + sample) * u.faces[face + sample].powi(2);
                let run = match plane {
                    1 => {
                        let count = heights[column][1] - heights[column][0] - 1;
                        // w = a/(θ (h−1)) holds for the whole run.
                        let mass = Profile::constant(self.mass(face + 1) / T::of(f64::from(count)));
                        square(0) + run_energy(mass, [u.inner[column], upper], count)
                    }
                    _ => {
                        let other = match plane {
                            0 if !column.is_multiple_of(nx) => column - 1,
                            2 if column >= nx => column - nx,
                            _ => return 0.0,
                        };
                        let [lo, hi] = face_heights(heights[other], heights[column]);
                        let mass = Profile::between(self.mass(face), self.mass(face + 1), hi - lo);
                        run_energy(mass, [lower, upper], hi - lo)
                    }
                };
                (2..n).map(|sample| square(sample).to_double()).sum::<f64>() + run.to_double()
            })
            .collect();
        0.5 * density * self.cell.to_double().powi(3) * sums.iter().sum::<f64>()
    }

    /// Mass of a face in units of `ρ Δx³`: `a θ = a²/w`.
    fn mass(&self, face: usize) -> T {
        let (a, w) = (self.aperture[face], self.level.weights[face]);
        if w > T::zero() { a * a / w } else { T::zero() }
    }

    /// Writes a function of column and sample.
    fn fill(&self, out: &mut [T], f: impl Fn(usize, usize) -> T + Sync) {
        let n = self.level.shape.samples();
        out.par_chunks_mut(n).enumerate().for_each(|(column, line)| {
            for (sample, value) in line.iter_mut().enumerate() {
                *value = f(column, sample);
            }
        });
    }

    /// Velocity of the solid at a face.
    #[inline(always)]
    fn solid_at(&self, face: usize) -> T {
        if self.solid.is_empty() { T::zero() } else { self.solid[face] }
    }

    /// Flux through one face.
    #[inline(always)]
    fn flux(&self, u: FaceVelocityView<'_, T>, face: usize) -> T {
        let a = self.aperture[face];
        a * u.faces[face] + (T::one() - a) * self.solid_at(face)
    }

    /// The neighbours of a column: −x, +x, −z, +z. At the sides towards smaller x and z the column's mirror image.
    #[inline(always)]
    fn sides(&self, column: usize) -> [Option<Side<T>>; 4] {
        let Shape { nx, nz, .. } = self.level.shape;
        let (n, len) = (self.level.shape.samples(), self.level.shape.len());
        let (i, k) = (column % nx, column / nx);
        let own = self.level.heights[column];
        let side = |other: usize, plane: usize, holder: usize, sign: f64| {
            let heights = self.level.heights[other];
            let face = plane * len + holder * n;
            Some(Side { heights, face, overlap: face_heights(own, heights), sign: T::of(sign) })
        };
        [
            side(if i > 0 { column - 1 } else { column }, 0, column, -1.0),
            if i + 1 < nx { side(column + 1, 0, column + 1, 1.0) } else { None },
            side(if k > 0 { column - nx } else { column }, 2, column, -1.0),
            if k + 1 < nz { side(column + nx, 2, column + nx, 1.0) } else { None },
        ]
    }

    /// Sum of the fluxes outwards of one sample, m/s.
    #[inline(always)]
    fn outflow(&self, u: FaceVelocityView<'_, T>, column: usize, sample: usize) -> T {
        let shape = self.level.shape;
        let n = shape.samples();
        let own = self.level.heights[column];
        let up = shape.len() + column * n;
        if sample < 2 && is_tall(own) {
            return self.tall_outflow(u, column, sample);
        }
        let y = own[1] + sample as i32 - 2;
        let top = self.flux(u, up + if sample + 1 < n { sample + 1 } else { 0 });
        let bottom = if sample > 0 { self.flux(u, up + sample) } else { T::zero() };
        let mut sum = top - bottom;
        for side in self.sides(column).iter().flatten() {
            let column_top = side.heights[1].min(own[1]) + shape.regular as i32;
            if y >= side.overlap[0] && y < column_top {
                sum += side.sign * self.flux(u, side.face + (y - face_base(side.overlap) + 2) as usize);
            }
        }
        sum
    }

    /// Sum over the sub-cells of a tall cell of `hat × flux outwards`.
    #[inline(always)]
    fn tall_outflow(&self, u: FaceVelocityView<'_, T>, column: usize, row: usize) -> T {
        let shape = self.level.shape;
        let own = self.level.heights[column];
        let up = shape.len() + column * shape.samples();
        // Along y the sum by parts leaves the mean over the inner faces, ± because the hats' slopes are ∓1/(h−1).
        let a = self.aperture[up + 1];
        let mean = T::of(0.5) * (u.inner[column] + u.faces[up + 1]);
        let inner = a * mean + (T::one() - a) * self.solid_at(up + 1);
        let mut sum = if row == 0 { inner } else { self.flux(u, up + 2) - inner };
        for side in self.sides(column).iter().flatten() {
            let [lo, hi] = side.overlap;
            if is_tall(side.heights) && lo < hi {
                let hat = Profile::hats(own, lo)[row];
                sum += side.sign * self.run_flux(u, side.face, hi - lo, hat);
            }
            let column_top = side.heights[1] + shape.regular as i32;
            let hat = Profile::<T>::hats(own, own[0])[row];
            for y in first_cell(side.heights).max(own[0])..own[1].min(column_top) {
                let flux = self.flux(u, side.face + (y - face_base(side.overlap) + 2) as usize);
                sum += side.sign * hat.at(y - own[0]) * flux;
            }
        }
        sum
    }

    /// `Σ hat (a u + (1 − a) u_solid)` over an overlap of tall cells.
    #[inline(always)]
    fn run_flux(&self, u: FaceVelocityView<'_, T>, face: usize, count: i32, hat: Profile<T>) -> T {
        if count == 1 {
            return hat.start * self.flux(u, face + 1);
        }
        let line = |values: &[T]| Profile::between(values[face], values[face + 1], count);
        let a = line(&self.aperture);
        let water = product(a, line(u.faces), hat, count);
        if self.solid.is_empty() { water } else { water + product(a.complement(), line(self.solid), hat, count) }
    }

    /// One y face after the update; entry 1 is the rule for both ends of the line inside a tall cell.
    #[inline(always)]
    fn updated_vertical(&self, q: &[T], velocity: T, column: usize, sample: usize) -> T {
        let shape = self.level.shape;
        let n = shape.samples();
        let face = shape.len() + column * n + sample;
        let line = &q[column * n..(column + 1) * n];
        // Above the column is air.
        let difference = if sample == 0 { -line[n - 1] } else { line[sample] - line[sample - 1] };
        self.updated_face(velocity, face, difference)
    }

    /// `u − (w/a) δq/Δx`, or `u_solid` where the face is closed.
    #[inline(always)]
    fn updated_face(&self, velocity: T, face: usize, difference: T) -> T {
        let a = self.aperture[face];
        if a > T::zero() {
            velocity - self.level.weights[face] / a * difference * self.per_cell
        } else {
            self.solid_at(face)
        }
    }

    /// One entry of a side face column after the update.
    #[inline(always)]
    fn updated_side(&self, q: &[T], velocity: T, plane: usize, column: usize, sample: usize) -> T {
        let shape = self.level.shape;
        let (n, nx) = (shape.samples(), shape.nx);
        let face = plane * shape.len() + column * n;
        let other = match plane {
            0 if !column.is_multiple_of(nx) => column - 1,
            2 if column >= nx => column - nx,
            _ => return self.solid_at(face + sample),
        };
        let (before, own) = (self.level.heights[other], self.level.heights[column]);
        let overlap = face_heights(before, own);
        let count = overlap[1] - overlap[0];
        let difference = |y: i32| {
            let line = |column: usize| &q[column * n..(column + 1) * n];
            difference_at((line(column), own), (line(other), before), y)
        };
        if sample >= 2 {
            return self.updated_face(velocity, face + sample, difference(face_base(overlap) + sample as i32 - 2));
        }
        if count <= 0 {
            return self.solid_at(face + sample);
        }
        let (lo, hi) = (overlap[0], overlap[1] - 1);
        let open = |end: usize| self.aperture[face + end] > T::zero();
        let plain = |end: usize| self.aperture[face + end] == self.level.weights[face + end];
        if count <= 2 || (plain(0) && plain(1)) || !(open(0) || open(1)) {
            let (entry, y) = match sample {
                _ if count == 1 => (1, hi),
                0 => (0, lo),
                _ => (1, hi),
            };
            return if count > 2 && (open(0) || open(1)) {
                // The gradient of a run goes on to an end that happens to be closed: nothing flows there.
                velocity - difference(y) * self.per_cell
            } else {
                self.updated_face(velocity, face + entry, difference(y))
            };
        }
        let ends = self.fitted_gradient(face, count, Profile::between(difference(lo), difference(hi), count));
        velocity - ends[sample] * self.per_cell
    }

    /// End values of the line `d` over an overlap with `Σ a d {1, m} = Σ w δq {1, m}`.
    fn fitted_gradient(&self, face: usize, count: i32, difference: Profile<T>) -> [T; 2] {
        let line = |values: &[T]| Profile::between(values[face], values[face + 1], count);
        let (a, w) = (line(&self.aperture), line(self.level.weights));
        let [b, t] = [Profile::between(T::one(), T::zero(), count), Profile::between(T::zero(), T::one(), count)];
        let (bb, bt, tt) = (product(a, b, b, count), product(a, b, t, count), product(a, t, t, count));
        let (rb, rt) = (product(w, difference, b, count), product(w, difference, t, count));
        // At least two of three or more faces are open, so this is positive.
        let determinant = bb * tt - bt * bt;
        [(rb * tt - rt * bt) / determinant, (rt * bb - rb * bt) / determinant]
    }
}

/// `Σ m u²` over a run of faces with velocities `ends` at its ends.
#[inline(always)]
fn run_energy<T: Real>(mass: Profile<T>, ends: [T; 2], count: i32) -> T {
    let velocity = match count {
        ..=0 => return T::zero(),
        1 => Profile::constant(ends[1]),
        _ => Profile::between(ends[0], ends[1], count),
    };
    product(mass, velocity, velocity, count)
}
