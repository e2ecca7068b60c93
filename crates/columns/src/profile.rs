//! Linear profiles over a run of faces or cells, and sums of their products.

use crate::{Heights, Real};

/// A linear function of the place `m = 0, 1, …` in a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Profile<T> {
    /// The value at place 0.
    pub start: T,
    /// Per place.
    pub slope: T,
}

impl<T: Real> Profile<T> {
    /// The line through the first and the last value of a run.
    #[inline(always)]
    pub fn between(first: T, last: T, count: i32) -> Self {
        let slope = if count > 1 { (last - first) / T::of(f64::from(count - 1)) } else { T::zero() };
        Self { start: first, slope }
    }

    /// The same value everywhere.
    #[inline(always)]
    pub fn constant(value: T) -> Self {
        Self { start: value, slope: T::zero() }
    }

    /// The hat functions `1 − t` and `t` of a tall cell, counted from world cell `lo`.
    #[inline(always)]
    pub fn hats(heights: Heights, lo: i32) -> [Self; 2] {
        let slope = T::one() / T::of(f64::from(heights[1] - heights[0] - 1));
        let t = slope * T::of(f64::from(lo - heights[0]));
        [Self { start: T::one() - t, slope: -slope }, Self { start: t, slope }]
    }

    /// The value at place `m`.
    #[inline(always)]
    pub fn at(self, m: i32) -> T {
        self.start + self.slope * T::of(f64::from(m))
    }

    /// `1 − self`.
    #[inline(always)]
    pub fn complement(self) -> Self {
        Self { start: T::one() - self.start, slope: -self.slope }
    }
}

/// `Σ_{m<count} w f g` in closed form.
#[inline(always)]
pub fn product<T: Real>(w: Profile<T>, f: Profile<T>, g: Profile<T>, count: i32) -> T {
    let n = f64::from(count);
    let s1 = n * (n - 1.0) * 0.5;
    let s2 = s1 * (2.0 * n - 1.0) / 3.0;
    let [s0, s1, s2, s3] = [n, s1, s2, s1 * s1].map(T::of);
    let (c0, c1, c2) = (f.start * g.start, f.start * g.slope + f.slope * g.start, f.slope * g.slope);
    w.start * (c0 * s0 + c1 * s1 + c2 * s2) + w.slope * (c0 * s1 + c1 * s2 + c2 * s3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_equal_their_sums() {
        for count in [1, 2, 3, 7, 40, 801] {
            let line = |a: f64, b: f64| Profile::between(a, b, count);
            let (w, f, g) = (line(0.25, 1.5), line(-3.0, 2.0), line(1.0, 0.125));
            let sum: f64 = (0..count).map(|m| w.at(m) * f.at(m) * g.at(m)).sum();
            assert!((product(w, f, g, count) - sum).abs() < 1e-12 * sum.abs().max(1.0), "{count}");
        }
    }

    #[test]
    fn hats_are_one_at_their_ends_and_add_up_to_one() {
        let [b, t] = Profile::<f64>::hats([3, 17], 5);
        assert_eq!((b.at(-2), t.at(11)), (1.0, 1.0));
        assert!((0..12).all(|m| (b.at(m) + t.at(m) - 1.0).abs() < 1e-15));
    }
}
