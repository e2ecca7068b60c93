//! Shapes that a given flow carries around: how much of them is left, and how much lies where it should not.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_tall::{Options, TallWater};

use crate::tank::{Tank, cubes};
use crate::{Limit, Outcome, Result};

/// A shape in a flow that brings it back to where it was.
pub(crate) struct ClosedFlow {
    /// Cells along x, up and along z.
    pub(crate) cells: [usize; 3],
    /// Edge of a cell.
    pub(crate) cell: f64,
    /// Signed distance at a point, negative inside.
    pub(crate) shape: Box<dyn Fn([f64; 3]) -> f64 + Sync>,
    /// Velocity at a point.
    pub(crate) flow: Box<dyn Fn([f64; 3]) -> [f64; 3] + Sync>,
    /// The flow is `swing(t)` times as fast.
    pub(crate) swing: Box<dyn Fn(f64) -> f64>,
    pub(crate) seconds: f64,
    pub(crate) steps: u32,
    /// Whether the surface is read by cubics.
    pub(crate) cubic: bool,
}

/// What became of it, as shares of the exact volume.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival {
    /// Volume lost; negative if gained.
    pub(crate) loss: f64,
    /// Volume of all that is in one of the shapes but not in both.
    pub(crate) misplaced: f64,
}

/// What a name says of the reading of the surface.
pub(crate) fn by(cubic: bool) -> &'static str {
    if cubic { ", by cubics" } else { "" }
}

impl Arrival {
    /// Adds both as metrics: `most` is allowed of each.
    pub(crate) fn report(&self, out: &mut Outcome, name: &str, most: [f64; 2]) {
        out.ratio(format!("loss of volume, {name}"), self.loss.abs(), Limit::AtMost(most[0]));
        out.ratio(format!("misplaced volume, {name}"), self.misplaced, Limit::AtMost(most[1]));
    }
}

impl ClosedFlow {
    /// Begins it.
    pub(crate) fn begin(&self, exec: &Arc<Executor>) -> Result<TallWater> {
        let options = Options { band: None, hold_volume: false, cubic_surface: self.cubic, ..Default::default() };
        let tank = Tank { shape: cubes(self.cells), cell: self.cell, level_set: &*self.shape, options };
        let mut water = tank.fill(exec)?;
        water.impose_velocities(&*self.flow)?;
        Ok(water)
    }

    /// Goes from step to step.
    pub(crate) fn travel(&self, water: &mut TallWater, steps: std::ops::Range<u32>) -> Result<()> {
        let dt = self.seconds / f64::from(self.steps);
        for step in steps {
            water.carry(dt * (self.swing)((f64::from(step) + 0.5) * dt))?;
        }
        Ok(())
    }

    /// The whole of it.
    pub(crate) fn complete(&self, exec: &Arc<Executor>) -> Result<Arrival> {
        let mut water = self.begin(exec)?;
        self.travel(&mut water, 0..self.steps)?;
        self.arrival(&water)
    }

    /// Volumes by points in every cell near one of the surfaces: 16 × 16 in a slice, 4 × 4 × 4 in a body.
    pub(crate) fn arrival(&self, water: &TallWater) -> Result<Arrival> {
        let phi = water.level_set()?;
        let [nx, ny, nz] = self.cells;
        let (points, deep) = if nz == 1 { (16, 1) } else { (4, 4) };
        let [mut exact, mut found, mut misplaced] = [0.0; 3];
        let axis = |at: f64, n: usize| {
            let at = (at - 0.5).clamp(0.0, (n - 1) as f64);
            let low = (at as usize).min(n.saturating_sub(2));
            (low, (low + 1).min(n - 1), at - low as f64)
        };
        let value = |[x, y, z]: [f64; 3]| {
            let ((i0, i1, fx), (j0, j1, fy), (k0, k1, fz)) = (axis(x, nx), axis(y, ny), axis(z, nz));
            let at = |i: usize, j: usize, k: usize| f64::from(phi[(i + nx * k) * ny + j]);
            let row = |j: usize, k: usize| at(i0, j, k) * (1.0 - fx) + at(i1, j, k) * fx;
            let plane = |k: usize| row(j0, k) * (1.0 - fy) + row(j1, k) * fy;
            plane(k0) * (1.0 - fz) + plane(k1) * fz
        };
        let wanted = |p: [f64; 3]| (self.shape)(p.map(|c| c * self.cell)) / self.cell;
        let share = 1.0 / f64::from(points * points * deep);
        for cell in 0..nx * ny * nz {
            let corner = [cell % nx, (cell / nx) % ny, cell / (nx * ny)].map(|c| c as f64);
            let middle = corner.map(|c| c + 0.5);
            let (a, b) = (wanted(middle), value(middle));
            // Neither surface cuts the cell: its middle speaks for it.
            let whole = a.abs() > 2.0 && b.abs() > 2.0;
            let many = if whole { 1 } else { points };
            let high = if whole { 1 } else { deep };
            for n in 0..many * many * high {
                let part = |n: i32, of: i32| (f64::from(n) + 0.5) / f64::from(of);
                let inside = [part(n % many, many), part((n / many) % many, many), part(n / (many * many), high)];
                let point: [f64; 3] = std::array::from_fn(|c| corner[c] + inside[c]);
                let (a, b) = (wanted(point) < 0.0, value(point) < 0.0);
                let weight = if whole { 1.0 } else { share };
                exact += if a { weight } else { 0.0 };
                found += if b { weight } else { 0.0 };
                misplaced += if a != b { weight } else { 0.0 };
            }
        }
        Ok(Arrival { loss: 1.0 - found / exact, misplaced: misplaced / exact })
    }

    /// Where the surface of a slice lies: points on the lines between samples.
    pub(crate) fn outline(&self, water: &TallWater) -> Result<Vec<[f64; 2]>> {
        let phi = water.level_set()?;
        let [nx, ny, nz] = self.cells;
        let at = |i: usize, j: usize| f64::from(phi[(i + nx * (nz / 2)) * ny + j]);
        let mut points = Vec::new();
        for (i, j) in (0..nx - 1).flat_map(|i| (0..ny - 1).map(move |j| (i, j))) {
            for [di, dj] in [[1, 0], [0, 1]] {
                let (a, b) = (at(i, j), at(i + di, j + dj));
                if (a < 0.0) != (b < 0.0) {
                    let way = a / (a - b);
                    let place = |c: usize, d: usize| (c as f64 + 0.5 + way * d as f64) * self.cell;
                    points.push([place(i, di), place(j, dj)]);
                }
            }
        }
        Ok(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shape that stays loses nothing; one that is displaced is seen.
    #[test]
    fn arrivals_are_measured() {
        let exec = Arc::new(Executor::cpu().unwrap());
        let mut journey = ClosedFlow {
            cells: [40, 40, 1],
            cell: 0.025,
            shape: Box::new(|[x, y, _]| (x - 0.5).hypot(y - 0.5) - 0.25),
            flow: Box::new(|_| [0.0; 3]),
            swing: Box::new(|_| 1.0),
            seconds: 1.0,
            steps: 1,
            cubic: false,
        };
        let still = journey.complete(&exec).unwrap();
        assert!(still.loss.abs() < 2e-3 && still.misplaced < 5e-3, "{still:?}");
        journey.flow = Box::new(|_| [0.05, 0.0, 0.0]);
        let moved = journey.complete(&exec).unwrap();
        // Twice the width times the way, over the area: 4 · 0.25 · 0.05 / (π · 0.0625).
        assert!((moved.misplaced - 0.254).abs() < 0.01 && moved.loss.abs() < 5e-3, "{moved:?}");
    }
}
