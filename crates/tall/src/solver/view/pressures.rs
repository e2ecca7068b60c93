//! Pressure at points, and what the water does to a solid: on the host, from the state read back.
//!
//! The unknown of the projection is `q = (Δt/ρ) p − g Δt (y₀ − y)`, the pressure less that of still water under a
//! level, so `p = ρ (q/Δt + g (y₀ − y))`. The still part is a line and is taken where it is asked for; only `q` is read
//! between cells.

use thalweg_columns::grid::{first_cell, is_tall, world_cell};
use thalweg_columns::interpolate::cell_at;
use thalweg_columns::{Heights, Shape};
use thalweg_compute::Later;

use crate::error::{Result, TallError};
use crate::solver::stages::solids::Cover;
use crate::solver::state::ColumnFields;
use crate::solver::view::View;
use crate::water::TallWater;

/// The state after a step, read back once for any number of gauges.
#[derive(Debug)]
pub struct Pressures {
    pub(crate) shape: Shape,
    /// Edge of a cell, m.
    cell: f64,
    gravity: f64,
    /// Height of `y₀` over the corner of the domain, m.
    level: f64,
    /// Length of the last step, s; 0 before the first.
    step: f64,
    pub(crate) heights: Vec<Heights>,
    pub(crate) phi: Vec<f32>,
    solid: Vec<f32>,
    q: Vec<f32>,
    /// Of the obstacles, by their numbers in the [`Setup`](crate::Setup).
    covers: Vec<Cover>,
}

impl TallWater {
    /// What pressures are made of.
    pub fn pressures_later(&self) -> Result<Later<Pressures, TallError>> {
        let View { exec, state: s, stages, options, time, last_step } = self.view();
        let (shape, cell, gravity) = (s.shape, s.cell, options.gravity);
        let level = (f64::from(s.level) + 0.5) * s.cell;
        let ColumnFields { heights, phi, q, .. } = &s.now;
        let (heights, phi) = (exec.read_async(heights)?, exec.read_async(phi)?);
        let (solid, q) = (exec.read_async(&s.solid)?, exec.read_async(q)?);
        let covers = (0..stages.solids.count()).map(|obstacle| stages.solids.cover(obstacle, time)).collect();
        Ok(Later::new(move || {
            let (heights, phi) = (heights.wait()?, phi.wait()?);
            let (solid, q) = (solid.wait()?, q.wait()?);
            Ok(Pressures { shape, cell, gravity, level, step: last_step, heights, phi, solid, q, covers })
        }))
    }
}

impl Pressures {
    /// Force of the water on an obstacle, by its number in the [`Setup`](crate::Setup), over the density of water:
    /// N per kg/m³. `None` before the first step, and if there is no such obstacle.
    ///
    /// It is the sum over all cells of water of the pressure times the area of the obstacle that they touch, `p (c₊ −
    /// c₋) Δx²` along every axis with the closed fractions `c` of opposite faces. Upwards the still part is what the
    /// obstacle displaces, see `bodies/assemble.rs`.
    pub fn force(&self, obstacle: usize) -> Option<[f64; 3]> {
        let cover = self.covers.get(obstacle).filter(|_| self.step > 0.0)?;
        let mut force = [0.0; 3];
        for column in 0..self.shape.columns() {
            for sample in 0..self.shape.samples() {
                let part = self.cell_force(column, sample, &|point| cover.share(point));
                force.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            }
        }
        Some(force)
    }

    /// Pressure over the density of water at a point in m from the corner of the domain, Pa per kg/m³; 0 in air. `None`
    /// before the first step and in solids.
    pub fn at(&self, point: [f64; 3]) -> Option<f64> {
        if self.step <= 0.0 {
            return None;
        }
        // Trilinear between the centres of the cells of water around it.
        let place = point.map(|v| v / self.cell - 0.5);
        let low = place.map(f64::floor);
        let (mut sum, mut weights, mut in_solids) = (0.0, 0.0, 0.0);
        for corner in 0..8 {
            let bit = |axis: usize| f64::from(corner >> axis & 1);
            let weight: f64 = (0..3).map(|a| 1.0 - (place[a] - low[a] - bit(a)).abs()).product();
            let at = |axis: usize, count: usize| (low[axis] + bit(axis)).clamp(0.0, (count - 1) as f64) as usize;
            let column = at(0, self.shape.nx) + self.shape.nx * at(2, self.shape.nz);
            match self.cell_value(column, (low[1] + bit(1)) as i32) {
                Cell::Water(q) => {
                    sum += weight * f64::from(q);
                    weights += weight;
                }
                Cell::Solid => in_solids += weight,
                Cell::Air => {}
            }
        }
        if weights > 0.0 {
            let pressure = sum / weights / self.step + self.gravity * (self.level - point[1]);
            // Water touches the point's cell but not the point: above the surface the line goes on below 0.
            return Some(pressure.max(0.0));
        }
        (in_solids < 0.5).then_some(0.0)
    }

    /// The same in the middle of a world cell of a column.
    pub(crate) fn of_cell(&self, column: usize, y: i32) -> Option<f64> {
        if self.step <= 0.0 {
            return None;
        }
        match self.cell_value(column, y) {
            Cell::Water(q) => {
                let middle = (f64::from(y) + 0.5) * self.cell;
                Some((f64::from(q) / self.step + self.gravity * (self.level - middle)).max(0.0))
            }
            Cell::Air => Some(0.0),
            Cell::Solid => None,
        }
    }

    fn cell_value(&self, column: usize, y: i32) -> Cell {
        let (n, h) = (self.shape.samples(), self.heights[column]);
        if y < h[0] {
            return Cell::Solid;
        }
        if y >= h[1] + n as i32 - 2 {
            return Cell::Air;
        }
        let line = |field: &[f32]| cell_at(&field[column * n..][..n], h, y);
        let solid = if y < first_cell(h) { 0.0 } else { line(&self.solid) };
        match line(&self.phi) < 0.0 {
            _ if solid >= 1.0 => Cell::Solid,
            true => Cell::Water(line(&self.q)),
            false => Cell::Air,
        }
    }

    /// What the water of one cell does to a solid that covers `cover` of faces, N per kg/m³.
    fn cell_force(&self, column: usize, sample: usize, cover: &dyn Fn([f32; 3]) -> f32) -> [f64; 3] {
        let (n, h) = (self.shape.samples(), self.heights[column]);
        let at = column * n + sample;
        // Obstacles keep away from tall cells.
        if (sample < 2 && is_tall(h)) || self.phi[at] >= 0.0 || self.solid[at] >= 1.0 {
            return [0.0; 3];
        }
        let y = world_cell(h, sample);
        let low = [(column % self.shape.nx) as f32, y as f32, (column / self.shape.nx) as f32];
        let middle = low.map(|v| v + 0.5);
        // Nothing of the solid within a cell: no face can touch it.
        if cover(middle) <= 0.0 && (0..6).all(|side| cover(beside(middle, side)) <= 0.0) {
            return [0.0; 3];
        }
        let closed = |axis: usize, upper: bool| {
            let share = cover(beside(middle, 2 * axis + usize::from(upper)));
            // Nothing touches a cell that is all solid from behind, so what looks at it carries all of its face. Other
            // faces count by what is covered, those too that the solver closes because they are open by a sliver: the
            // body is no larger for that.
            if share > 0.0 && self.is_solid_beside(column, y, axis, upper) { 1.0 } else { share }
        };
        let area = self.cell * self.cell;
        let faces: [[f64; 2]; 3] =
            std::array::from_fn(|axis| [false, true].map(|upper| f64::from(closed(axis, upper))));
        let push = faces.map(|[low, high]| high - low);
        let solid = f64::from(cover(middle));
        let depth = self.level / self.cell - f64::from(y) - 0.5;
        std::array::from_fn(|axis| {
            let still = match axis {
                1 => solid - (depth + 0.5) * faces[1][0] + (depth - 0.5) * faces[1][1],
                _ => depth * push[axis],
            };
            area * (push[axis] * f64::from(self.q[at]) / self.step + self.gravity * self.cell * still)
        })
    }

    /// Whether the next cell along an axis is all solid; outside the domain everything is.
    fn is_solid_beside(&self, column: usize, y: i32, axis: usize, upper: bool) -> bool {
        let step = if upper { 1 } else { -1 };
        if axis == 1 {
            return matches!(self.cell_value(column, y + step), Cell::Solid);
        }
        let Shape { nx, nz, .. } = self.shape;
        let (place, count, stride) = if axis == 0 { (column % nx, nx, 1) } else { (column / nx, nz, nx) };
        let is_edge = if upper { place + 1 == count } else { place == 0 };
        let other = if upper { column + stride } else { column.wrapping_sub(stride) };
        is_edge || matches!(self.cell_value(other, y), Cell::Solid)
    }
}

/// What is in a cell.
enum Cell {
    /// Water, with its `q`.
    Water(f32),
    Air,
    Solid,
}

/// Centre of a face of the cell around a point; sides are numbered -x, +x, -y, +y, -z, +z.
fn beside(middle: [f32; 3], side: usize) -> [f32; 3] {
    let mut centre = middle;
    centre[side / 2] += if side % 2 == 1 { 0.5 } else { -0.5 };
    centre
}
