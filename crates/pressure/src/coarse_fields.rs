//! The fields of a coarse level from those of the next finer one.

use thalweg_columns::grid::{face_base, face_heights, is_tall, world_cell};
use thalweg_columns::{Heights, Real, Shape};

use crate::constants::{CELL_CAPACITY, LONE_AIR};
use crate::fields::FieldView;

/// Which coarse levels keep air that only some of their children have (\[000\] §3.7.1, \[003\]).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BubbleRule {
    /// The number `C` of coarse levels on which a cell with air children is air, a lone bubble aside.
    pub levels: usize,
    /// Whether bubbles that vanish go on as a conductance to zero pressure.
    ///
    /// A bubble of the radius of a cell draws as much flux as a sphere of capacity `4πr`. Left out, the coarse
    /// levels overshoot where bubbles are many; kept as a whole coarse cell, they undershoot.
    pub sinks: bool,
}

impl Default for BubbleRule {
    fn default() -> Self {
        Self { levels: 2, sinks: true }
    }
}

/// The eight (or fewer) children of a coarse cell, decoded: `visit(phi, solid, sink or None for no sample)`.
#[inline(always)]
fn children<T: Real>(fine: &FieldView<'_, T>, i: usize, k: usize, y: i32, mut visit: impl FnMut(T, T, T)) {
    let Shape { nx, nz, .. } = fine.shape;
    for kk in 2 * k..(2 * k + 2).min(nz) {
        for ii in 2 * i..(2 * i + 2).min(nx) {
            let column = ii + kk * nx;
            for yy in [2 * y, 2 * y + 1] {
                let (phi, solid) = fine.at(column, yy);
                visit(phi, solid, fine.sink_at(column, yy));
            }
        }
    }
}

/// The first samples of the four children of a coarse column, if coarse cell `J` holds exactly their samples `2J` and
/// `2J + 1`: all four exist, have no tall cell and stand on the same even ground.
#[inline(always)]
pub(crate) fn aligned_children<T: Real>(fine: &FieldView<'_, T>, i: usize, k: usize) -> Option<[usize; 4]> {
    let Shape { nx, nz, .. } = fine.shape;
    if 2 * i + 1 >= nx || 2 * k + 1 >= nz {
        return None;
    }
    let c = 2 * i + 2 * k * nx;
    let columns = [c, c + 1, c + nx, c + nx + 1];
    let heights = fine.heights[c];
    let alike = columns.iter().all(|c| fine.heights[*c] == heights);
    let n = fine.shape.samples();
    (alike && !is_tall(heights) && heights[0].rem_euclid(2) == 0).then(|| columns.map(|c| c * n))
}

/// Level set (in coarse cells) and solid fraction of a coarse sample.
///
/// `keep_air`: whether this level keeps bubbles.
#[inline(always)]
pub(crate) fn coarse_cell<T: Real>(fine: &FieldView<'_, T>, i: usize, k: usize, y: i32, keep_air: bool) -> (T, T) {
    let mut mean = MeanCell::default();
    children(fine, i, k, y, |phi, s, _| mean.add(phi, s));
    mean.finish(fine.shape, keep_air)
}

/// The average of the children of a coarse cell.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MeanCell<T> {
    children: T,
    solid: T,
    /// Sum of φ and number, of children in water and in air.
    wet: (T, T),
    air: (T, T),
}

impl<T: Real> MeanCell<T> {
    /// Adds a child.
    #[inline(always)]
    pub(crate) fn add(&mut self, phi: T, solid: T) {
        let (one, zero) = (T::one(), T::zero());
        self.children += one;
        self.solid += solid;
        let is_wet = if phi < zero && solid < one { one } else { zero };
        let is_air = if phi >= zero && solid < one { one } else { zero };
        self.wet.0 += phi * is_wet;
        self.wet.1 += is_wet;
        self.air.0 += phi * is_air;
        self.air.1 += is_air;
    }

    /// Level set in coarse cells, and solid fraction.
    #[inline(always)]
    pub(crate) fn finish(self, shape: Shape, keep_air: bool) -> (T, T) {
        let zero = T::zero();
        let Self { children, solid, wet, air } = self;
        // Children beyond the edge of the grid are missing and count as solid, except along an axis of one cell.
        let full = T::of(if shape.nx > 1 { 2.0 } else { 1.0 } * if shape.nz > 1 { 2.0 } else { 1.0 } * 2.0);
        let solid = (solid + full - children) / full;
        let number = wet.1 + air.1;
        let phi = if number == zero {
            T::one()
        } else if keep_air && wet.1 > zero && air.1 * T::of(LONE_AIR) > full {
            air.0 / air.1
        } else {
            (wet.0 + air.0) / number
        };
        (phi * T::of(0.5), solid)
    }
}

/// Conductance to vanished bubbles of a coarse liquid cell that has no air beside it.
#[inline(always)]
pub(crate) fn coarse_sink<T: Real>(fine: &FieldView<'_, T>, i: usize, k: usize, y: i32, beside_air: bool) -> T {
    let capacity = T::of(CELL_CAPACITY);
    let two = T::of(2.0);
    let mut sum = T::zero();
    children(fine, i, k, y, |phi, solid, sink| {
        if solid >= T::one() {
        } else if phi >= T::zero() {
            // In series: the cell's own capacity on the fine level, less what the coarse grid already resists.
            if !beside_air {
                sum += capacity;
            }
        } else if sink > T::zero() {
            sum += T::one() / (two / sink + T::one() / capacity);
        }
    });
    sum
}

/// Open fraction of entry `sample` of one of the three planes of faces (x, y, z) of a coarse column.
#[inline(always)]
pub(crate) fn coarse_open<T: Real>(
    fine: &FieldView<'_, T>,
    coarse_shape: Shape,
    coarse: &[Heights],
    plane: usize,
    column: usize,
    sample: usize,
) -> T {
    let (i, k) = (column % coarse_shape.nx, column / coarse_shape.nx);
    let Shape { nx, nz, .. } = fine.shape;
    let (n, len) = (fine.shape.samples(), fine.shape.len());
    let quarter = |along: usize| T::of(if along > 1 { 0.5 } else { 1.0 });
    if plane == 1 {
        let heights = coarse[column];
        let share = quarter(nx) * quarter(nz);
        let below = |y: i32| {
            let mut sum = T::zero();
            for kk in 2 * k..(2 * k + 2).min(nz) {
                for ii in 2 * i..(2 * i + 2).min(nx) {
                    sum += fine.vertical_open(ii + kk * nx, 2 * y);
                }
            }
            sum * share
        };
        return match sample {
            0 => below(heights[1] + coarse_shape.regular as i32),
            1 if is_tall(heights) => {
                // The mean over the inner faces: terrain closes only the lowest of them.
                let mut sum = T::zero();
                for kk in 2 * k..(2 * k + 2).min(nz) {
                    for ii in 2 * i..(2 * i + 2).min(nx) {
                        sum += fine.even_vertical_open_sum(ii + kk * nx, heights);
                    }
                }
                sum * share / T::of(f64::from(heights[1] - heights[0] - 1))
            }
            _ => below(world_cell(heights, sample)),
        };
    }
    let (other, step) =
        if plane == 0 { (column.wrapping_sub(1), 1) } else { (column.wrapping_sub(coarse_shape.nx), nx) };
    if (plane == 0 && i == 0) || (plane == 2 && k == 0) {
        return T::zero();
    }
    let overlap = face_heights(coarse[other], coarse[column]);
    let count = overlap[1] - overlap[0];
    let (lo, hi) = match sample {
        // Point values for cells, the mean for a true overlap: terrain closes only its lowest cells.
        0 | 1 if count > 2 => (overlap[0], overlap[1]),
        0 => (overlap[0], overlap[0] + 1),
        1 => ((overlap[1] - 1).max(overlap[0]), (overlap[1] - 1).max(overlap[0]) + 1),
        _ => {
            let y = face_base(overlap) + sample as i32 - 2;
            (y, y + 1)
        }
    };
    let (cross, cross_size, cross_step) = if plane == 0 { (k, nz, nx) } else { (i, nx, 1) };
    let fixed = if plane == 0 { 2 * i } else { 2 * k * nx };
    let mut sum = T::zero();
    for c in 2 * cross..(2 * cross + 2).min(cross_size) {
        let b = fixed + c * cross_step;
        let a = b - step;
        sum += fine.side_open_sum(plane * len + b * n, a, b, 2 * lo, 2 * hi);
    }
    sum * quarter(cross_size) * T::of(0.5 / f64::from(hi - lo))
}
