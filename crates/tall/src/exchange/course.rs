//! A quantity in time: linear between points, constant before the first and after the last.

/// Points `[time, value]` with times that increase, s. Without any point it is 0 at all times.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Course {
    points: Vec<[f64; 2]>,
}

impl Course {
    /// The same value at all times.
    pub fn constant(value: f64) -> Self {
        Self { points: vec![[0.0, value]] }
    }

    /// From points whose times increase.
    pub fn from_points(points: impl Into<Vec<[f64; 2]>>) -> Self {
        Self { points: points.into() }
    }

    /// The value at a time.
    pub fn at(&self, time: f64) -> f64 {
        let after = self.points.partition_point(|[t, _]| *t <= time);
        match (after.checked_sub(1).map(|before| self.points[before]), self.points.get(after).copied()) {
            (Some([t0, v0]), Some([t1, v1])) => v0 + (v1 - v0) * (time - t0) / (t1 - t0),
            (Some([_, value]), None) | (None, Some([_, value])) => value,
            (None, None) => 0.0,
        }
    }

    /// The integral over `dt` seconds from `time` on, exact: trapezes between the points that lie in it.
    pub fn integral(&self, time: f64, dt: f64) -> f64 {
        let end = time + dt;
        let inside = self.points.iter().map(|[t, _]| *t).filter(|t| *t > time && *t < end);
        let (mut sum, mut from) = (0.0, time);
        for to in inside.chain([end]) {
            sum += 0.5 * (self.at(from) + self.at(to)) * (to - from);
            from = to;
        }
        sum
    }

    /// Largest value at any time.
    pub fn highest(&self) -> f64 {
        self.points.iter().map(|[_, value]| *value).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Largest magnitude at any time.
    pub fn largest(&self) -> f64 {
        self.points.iter().map(|[_, value]| value.abs()).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::Course;

    #[test]
    fn integrals_are_exact_across_points() {
        let course = Course::from_points([[1.0, 2.0], [2.0, 4.0], [4.0, 0.0]]);
        assert_eq!([0.0, 1.5, 3.0, 9.0].map(|t| course.at(t)), [2.0, 3.0, 2.0, 0.0]);
        assert_eq!(course.integral(0.0, 5.0), 2.0 + 3.0 + 4.0);
        assert!((course.integral(1.5, 1.0) - (1.75 + 1.75)).abs() < 1e-12);
        assert_eq!((Course::default().integral(0.0, 1.0), Course::constant(-3.0).largest()), (0.0, 3.0));
    }
}
