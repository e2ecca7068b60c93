//! Linear functions along a column: the hats of a tall cell, and sums of their products in closed form.

use crate::{Heights, Real};

/// A linear function of the world cell.
#[derive(Debug, Clone, Copy)]
pub struct Line<T> {
    /// The value at the origin.
    pub start: T,
    /// Per cell.
    pub slope: T,
    /// World cell from which it is counted.
    pub origin: i32,
}

impl<T: Real> Line<T> {
    /// The hat functions of a tall cell: 1 at the bottom sample, 1 at the top sample.
    #[inline(always)]
    pub fn of_tall(heights: Heights) -> [Self; 2] {
        let slope = T::one() / T::of(f64::from(heights[1] - heights[0] - 1));
        [
            Self { start: T::one(), slope: -slope, origin: heights[0] },
            Self { start: T::zero(), slope, origin: heights[0] },
        ]
    }

    /// The value at a world cell.
    #[inline(always)]
    pub fn at(self, y: i32) -> T {
        self.start + self.slope * T::of(f64::from(y - self.origin))
    }

    /// The same line counted from another origin.
    #[inline(always)]
    pub fn from(self, origin: i32) -> Self {
        Self { start: self.at(origin), slope: self.slope, origin }
    }
}

/// `Σ_{m<count} w f g` of three lines with the same origin, in closed form.
#[inline(always)]
pub fn weighted_product<T: Real>(w: Line<T>, f: Line<T>, g: Line<T>, count: i32) -> T {
    let n = f64::from(count);
    let s1 = n * (n - 1.0) * 0.5;
    let s2 = s1 * (2.0 * n - 1.0) / 3.0;
    let s3 = s1 * s1;
    let [s0, s1, s2, s3] = [n, s1, s2, s3].map(T::of);
    let (c0, c1, c2) = (f.start * g.start, f.start * g.slope + f.slope * g.start, f.slope * g.slope);
    w.start * (c0 * s0 + c1 * s1 + c2 * s2) + w.slope * (c0 * s1 + c1 * s2 + c2 * s3)
}
