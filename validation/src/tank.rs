//! How cases of three-dimensional water are set up and measured.

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_tall::{Band, Options, Setup, TallWater};

use crate::data::Curve;
use crate::rig::{GRAVITY, rms};
use crate::{Result, ValidationError};

/// The grids that cases compare, and their names in metrics.
pub(crate) const GRIDS: [(&str, Option<Band>); 2] =
    [("uniform", None), ("tall cells", Some(Band { below: 8, above: 8, step: 4, hysteresis: 4 }))];

/// A box with flat ground, no solids and water at rest.
pub(crate) struct Tank<'a> {
    pub(crate) shape: Shape,
    /// Edge of a cell, m.
    pub(crate) cell: f64,
    /// Signed distance to the surface in m at a point in m, negative in water.
    pub(crate) level_set: &'a (dyn Fn([f64; 3]) -> f64 + Sync),
    pub(crate) options: Options,
}

impl Tank<'_> {
    pub(crate) fn fill(&self, exec: &Arc<Executor>) -> Result<TallWater> {
        let terrain = vec![0.0; self.shape.columns()];
        let setup = Setup {
            shape: self.shape,
            cell: self.cell,
            height: 4.0 * self.shape.samples() as f64 * self.cell, // only where to look for water
            terrain: &terrain,
            level_set: self.level_set,
            obstacles: &[],
            velocity: [0.0; 2],
            options: self.options,
        };
        Ok(TallWater::new(Arc::clone(exec), &setup)?)
    }
}

/// Cubic cells alone, `size` of them along x, up and along z.
pub(crate) fn cubes([nx, ny, nz]: [usize; 3]) -> Shape {
    Shape { nx, nz, regular: ny - 2 }
}

/// Height of the surface in every column, m.
pub(crate) fn surface(water: &TallWater) -> Result<Vec<f64>> {
    let dry = || ValidationError::Missing { what: "water in every column".into() };
    let metres = |h: Option<f32>| h.map(|h| f64::from(h) * water.cell()).ok_or_else(dry);
    water.surface()?.into_iter().map(metres).collect()
}

/// Where the water ends along the floor in the row of columns `k`, m: where the level set of the lowest samples, half a
/// cell over the floor, changes its sign.
pub(crate) fn front(water: &TallWater, k: usize) -> Result<f64> {
    let Shape { nx, .. } = water.shape();
    let n = water.shape().samples();
    let phi = water.level_set()?;
    let lowest = |i: usize| f64::from(phi[(i + nx * k) * n]);
    let missing = || ValidationError::Missing { what: "water on the floor".into() };
    let last = (0..nx).rev().find(|i| lowest(*i) < 0.0).ok_or_else(missing)?;
    let (here, next) = (lowest(last), if last + 1 < nx { lowest(last + 1) } else { 0.5 });
    Ok((last as f64 + 0.5 + here / (here - next)) * water.cell())
}

/// The constant that, added to the times of a computed curve, brings it nearest to measured points; and the root of the
/// mean square of what is left. Before the curve begins it has its first value: the gate is still closed.
pub(crate) fn best_shift(computed: &Curve, measured: &[[f64; 2]], most: f64) -> (f64, f64) {
    let start = computed.points.first().copied().unwrap_or([0.0; 2]);
    let value = |t: f64| if t <= start[0] { start[1] } else { computed.at(t) };
    let left = |shift: f64| rms(measured.iter().map(|[t, z]| value(t - shift) - z).filter(|e| e.is_finite()));
    let shifts = (-200..=200).map(|n| most * f64::from(n) / 200.0);
    shifts.map(|shift| (shift, left(shift))).min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0.0, f64::NAN))
}

/// An oscillation that dies away, from its record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Oscillation {
    pub(crate) period: f64,
    /// Part of the amplitude lost per period.
    pub(crate) decay: f64,
}

/// Period by the first and the last zero, decay by the first and the last extremum of a record `[time, value]`. The
/// value at the start is an extremum.
pub(crate) fn oscillation(record: &[[f64; 2]]) -> Result<Oscillation> {
    let zero = |p: &[[f64; 2]]| {
        (p[0][1] * p[1][1] < 0.0).then(|| p[0][0] + (p[1][0] - p[0][0]) * p[0][1] / (p[0][1] - p[1][1]))
    };
    let zeros: Vec<f64> = record.windows(2).filter_map(zero).collect();
    // The parabola through a largest sample and its neighbours.
    let extremum = |p: &[[f64; 2]]| {
        let [a, b, c] = [0, 1, 2].map(|n| p[n][1].abs());
        let at = if a + c < 2.0 * b { 0.5 * (a - c) / (a - 2.0 * b + c) } else { 0.0 };
        (b >= a && b > c).then(|| [p[1][0] + at * (p[2][0] - p[1][0]), b - 0.25 * (a - c) * at])
    };
    let extrema: Vec<[f64; 2]> = record.windows(3).filter_map(extremum).collect();
    let (Some(last_zero), Some(&[end, left]), true) = (zeros.last(), extrema.last(), zeros.len() > 2) else {
        return Err(ValidationError::Missing { what: "three zeros of an oscillation".into() });
    };
    let period = 2.0 * (last_zero - zeros[0]) / (zeros.len() - 1) as f64;
    let [start, size] = record[0];
    Ok(Oscillation { period, decay: 1.0 - (left / size.abs()).powf(period / (end - start)) })
}

/// Angular frequency of small waves of wave number `k` on water of a depth, rad/s.
pub(crate) fn airy(k: f64, depth: f64) -> f64 {
    (GRAVITY * k * (k * depth).tanh()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_oscillation_is_measured() {
        let record: Vec<[f64; 2]> =
            (0..500).map(|n| f64::from(n) * 0.01).map(|t| [t, 2.0 * (-0.1 * t).exp() * (8.0 * t).cos()]).collect();
        let found = oscillation(&record).unwrap();
        assert!((found.period / (0.25 * std::f64::consts::PI) - 1.0).abs() < 1e-3, "{found:?}");
        assert!((found.decay - (1.0 - (-0.1 * found.period).exp())).abs() < 1e-3, "{found:?}");
        assert!(oscillation(&record[..20]).is_err());
    }

    #[test]
    fn a_shift_is_found_and_errors_stay() {
        let curve = Curve { points: (0..100).map(|n| [0.1 * f64::from(n), 0.3 * f64::from(n)]).collect() };
        let measured: Vec<[f64; 2]> = (20..60).map(|n| [0.1 * f64::from(n) + 0.25, 0.3 * f64::from(n)]).collect();
        let (shift, left) = best_shift(&curve, &measured, 1.0);
        assert!((shift - 0.25).abs() < 6e-3 && left < 0.02, "{shift} {left}");
        let bent: Vec<[f64; 2]> = measured.iter().map(|[t, z]| [*t, z + (9.0 * t).sin()]).collect();
        assert!(best_shift(&curve, &bent, 1.0).1 > 0.5);
    }

    #[test]
    fn a_front_lies_between_samples() {
        let exec = Arc::new(Executor::cpu().unwrap());
        let level_set = |[x, y, _]: [f64; 3]| (x - 1.23_f64).max(y - 0.9);
        let options = Options { band: None, ..Default::default() };
        let tank = Tank { shape: cubes([20, 16, 1]), cell: 0.1, level_set: &level_set, options };
        assert!((front(&tank.fill(&exec).unwrap(), 0).unwrap() - 1.23).abs() < 2e-3);
    }
}
