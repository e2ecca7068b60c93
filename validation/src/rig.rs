//! How cases run and measure.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_scene::Inflow;
use thalweg_shallow::{
    CellList, FarField, Fields, InitialCell, Limiter, Options, Order, SIDES, Scheme, Series, Setup, ShallowWater, Side,
    Sides,
};

use crate::{Result, ValidationError};

pub(crate) const GRAVITY: f64 = 9.81;
pub(crate) const SECOND: Order = Order::Second { limiter: Limiter::Minmod };
/// The orders that most cases compare, and their names in metrics.
pub(crate) const ORDERS: [(&str, Order); 2] = [("first order", Order::First), ("second order", SECOND)];

/// Whether kernels run on a GPU that the processor imitates: a hundred times slower, so cases do less there.
pub(crate) fn is_software(exec: &Executor) -> bool {
    matches!(exec, Executor::Gpu(gpu) if gpu.adapter().software)
}

/// The orders to compare with what is allowed at each; on a software GPU the second one only.
pub(crate) fn orders<L: Copy>(exec: &Executor, limits: [L; 2]) -> Vec<(&'static str, Order, L)> {
    let all = ORDERS.into_iter().zip(limits).map(|((name, order), limit)| (name, order, limit));
    all.skip(usize::from(is_software(exec))).collect()
}

/// Default options at an order.
pub(crate) fn options(order: Order) -> Options {
    Options { scheme: Scheme::Hllc { order }, ..Options::default() }
}

/// What is at a side of a case.
pub(crate) enum Edge {
    Side(Side),
    FarField(FarField),
}

/// Walls, with something else in the west and the east.
pub(crate) fn channel_edges(west: Edge, east: Edge) -> [Edge; SIDES] {
    [west, east, Edge::Side(Side::Wall), Edge::Side(Side::Wall)]
}

/// West, east, south and north as setups have them.
pub(crate) fn sides_and_far_fields(edges: [Edge; SIDES]) -> (Sides, [Option<FarField>; SIDES]) {
    let mut far_fields = [const { None }; SIDES];
    let mut number = 0;
    let sides = edges.map(|edge| {
        number += 1;
        match edge {
            Edge::Side(side) => side,
            Edge::FarField(far_field) => {
                far_fields[number - 1] = Some(far_field);
                Side::Wall
            }
        }
    });
    (Sides::from(sides), far_fields)
}

/// So much water comes in through a side, m³/s.
pub(crate) fn inlet(rate: f64) -> Edge {
    Edge::Side(Side::Inflow { kind: Inflow::Discharge(Series::constant(rate)), span: None, layer: 0 })
}

/// A far field at a constant depth of `depth` over the bed at `bed`, with water leaving at `speed` (m/s): the state
/// downstream of a channel. The far field's own speed is 2(c − c₀), so the rest level is chosen to make it.
pub(crate) fn downstream(bed: f64, depth: f64, speed: f64) -> Edge {
    let c0 = (GRAVITY * depth).sqrt() + 0.5 * speed;
    let level = bed + depth;
    Edge::FarField(FarField { level: Box::new(move |_| level), rest: bed + c0 * c0 / GRAVITY, layer: 0 })
}

/// A run and the volume that it began with.
pub(crate) struct Run {
    pub(crate) water: ShallowWater,
    began: f64,
}

impl Run {
    pub(crate) fn new(exec: &Arc<Executor>, setup: Setup<'_>) -> Result<Self> {
        let mut water = ShallowWater::new(Arc::clone(exec), setup)?;
        let began = volume(&water.fields()?);
        Ok(Self { water, began })
    }

    /// A channel of `n` cells along x with the given order.
    pub(crate) fn channel(
        exec: &Arc<Executor>,
        n: u32,
        cell: f64,
        order: Order,
        initial: &(dyn Fn(f64) -> InitialCell + Sync),
    ) -> Result<Self> {
        let cells = |i: u32, _k: u32| initial(center(i, cell));
        let mut setup = Setup::new(n, 1, cell, &cells);
        setup.options = options(order);
        Self::new(exec, setup)
    }

    /// Simulates up to `time`, s.
    pub(crate) fn to(&mut self, time: f64) -> Result<()> {
        let left = time - self.water.time();
        if left > 1e-9 {
            self.water.advance(left)?;
        }
        Ok(())
    }

    pub(crate) fn fields(&mut self) -> Result<Fields> {
        Ok(self.water.fields()?)
    }

    /// Relative change of the volume since the start.
    pub(crate) fn drift(&mut self) -> Result<f64> {
        let now = volume(&self.water.fields()?);
        Ok((now / self.began - 1.0).abs())
    }
}

/// Sum of depths, m.
fn volume(fields: &Fields) -> f64 {
    fields.depth.iter().map(|&h| f64::from(h)).sum()
}

/// Middle of cell `i`, m.
pub(crate) fn center(i: u32, cell: f64) -> f64 {
    (f64::from(i) + 0.5) * cell
}

/// Places with values, one per cell of a channel.
pub(crate) fn profile(values: &[f32], cell: f64) -> Vec<[f64; 2]> {
    values.iter().enumerate().map(|(i, &v)| [center(i as u32, cell), f64::from(v)]).collect()
}

/// Σ|a − b| / Σ|b| of computed points against a function.
pub(crate) fn relative_l1(points: &[[f64; 2]], exact: impl Fn(f64) -> f64) -> f64 {
    let (mut error, mut size) = (0.0, 0.0);
    for &[x, y] in points {
        let e = exact(x);
        error += (y - e).abs();
        size += e.abs();
    }
    error / size
}

/// Last place from the left where a profile falls through `level`, linear between points.
pub(crate) fn last_fall(points: &[[f64; 2]], level: f64) -> Result<f64> {
    let pairs = points.windows(2).rev();
    let mut falls = pairs.filter(|p| p[0][1] >= level && p[1][1] < level);
    let missing = || ValidationError::Missing { what: format!("a profile that falls through {level}") };
    let p = falls.next().ok_or_else(missing)?;
    Ok(p[0][0] + (p[0][1] - level) / (p[0][1] - p[1][1]) * (p[1][0] - p[0][0]))
}

/// Slope of a straight line through points by least squares.
pub(crate) fn slope(points: &[[f64; 2]]) -> f64 {
    let n = points.len() as f64;
    let mean = |c: usize| points.iter().map(|p| p[c]).sum::<f64>() / n;
    let (mx, my) = (mean(0), mean(1));
    let xy: f64 = points.iter().map(|p| (p[0] - mx) * (p[1] - my)).sum();
    let xx: f64 = points.iter().map(|p| (p[0] - mx).powi(2)).sum();
    xy / xx
}

/// Order of convergence from pairs of cell size and error.
pub(crate) fn order_of(errors: &[[f64; 2]]) -> f64 {
    slope(&errors.iter().map(|e| [e[0].ln(), e[1].ln()]).collect::<Vec<_>>())
}

/// Root of the mean square.
pub(crate) fn rms(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, n) = values.into_iter().fold((0.0, 0u32), |(s, n), v| (s + v * v, n + 1));
    (sum / f64::from(n.max(1))).sqrt()
}

/// The largest absolute value; NaN if there is one among them.
pub(crate) fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |a: f64, b| if b.is_nan() || a.is_nan() { f64::NAN } else { a.max(b.abs()) })
}

/// Surface at fixed places, bilinear between the four cells around each.
pub(crate) struct Gauges {
    list: CellList,
    weights: Vec<[f64; 4]>,
}

impl Gauges {
    /// `places` are (x, z) in metres from the domain's low corner.
    pub(crate) fn new(water: &ShallowWater, places: &[[f64; 2]]) -> Result<Self> {
        let [nx, nz] = water.size();
        let (mut cells, mut weights) = (Vec::new(), Vec::new());
        let axis = |x: f64, n: usize| {
            let at = (x / water.cell() - 0.5).clamp(0.0, (n - 1) as f64);
            let low = (at as usize).min(n.saturating_sub(2));
            (low, (low + 1).min(n - 1), at - low as f64)
        };
        for &[x, z] in places {
            let ((i0, i1, fx), (k0, k1, fz)) = (axis(x, nx), axis(z, nz));
            cells.extend([(i0, k0), (i1, k0), (i0, k1), (i1, k1)].map(|(i, k)| (i + nx * k) as u32));
            weights.push([(1.0 - fx) * (1.0 - fz), fx * (1.0 - fz), (1.0 - fx) * fz, fx * fz]);
        }
        Ok(Self { list: water.cell_list(&cells)?, weights })
    }

    /// Surface elevations now, m.
    pub(crate) fn read(&self, water: &mut ShallowWater) -> Result<Vec<f64>> {
        let samples = water.sample(&self.list)?;
        let mix = |(s, w): (&[thalweg_shallow::Sample], &[f64; 4])| s.iter().zip(w).map(|(s, w)| s.surface * w).sum();
        Ok(samples.chunks_exact(4).zip(&self.weights).map(mix).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_right_on_known_numbers() {
        assert_eq!(slope(&[[0.0, 1.0], [1.0, 3.0], [2.0, 5.0]]), 2.0);
        assert!((order_of(&[[0.1, 1e-2], [0.05, 2.5e-3]]) - 2.0).abs() < 1e-12);
        assert_eq!(last_fall(&[[0.0, 2.0], [1.0, 0.0], [2.0, 0.0]], 1.0).unwrap(), 0.5);
        assert!(last_fall(&[[0.0, 2.0], [1.0, 2.0]], 1.0).is_err());
        assert_eq!(rms([3.0, -3.0]), 3.0);
        assert!(largest([1.0, f64::NAN, 2.0]).is_nan());
        assert_eq!(largest([1.0, -4.0]), 4.0);
        assert_eq!(relative_l1(&[[0.0, 1.0], [1.0, 3.0]], |_| 2.0), 0.5);
    }

    #[test]
    fn gauges_interpolate_the_surface() {
        let tilted = |i: u32, k: u32| InitialCell {
            bed: -10.0,
            surface: 0.1 * f64::from(i) + 0.2 * f64::from(k),
            ..Default::default()
        };
        let exec = Arc::new(Executor::cpu().unwrap());
        let mut water = ShallowWater::new(exec, Setup::new(8, 6, 2.0, &tilted)).unwrap();
        let gauges = Gauges::new(&water, &[[5.0, 3.0], [6.0, 4.0], [-3.0, 99.0]]).unwrap();
        let read = gauges.read(&mut water).unwrap();
        for (r, e) in read.iter().zip([0.4, 0.55, 1.0]) {
            assert!((r - e).abs() < 1e-5, "{r} {e}");
        }
    }
}
