//! Velocities from outside: how water moves at the start, and flows that carry the surface alone.

use rayon::prelude::*;
use thalweg_columns::grid::world_cell;
use thalweg_columns::interpolate::SideSpan;
use thalweg_columns::{Heights, Shape};

use crate::error::Result;
use crate::solver::stages::exchange::Moment;
use crate::solver::step::longest_wave_step;
use crate::water::TallWater;

/// Velocity `[u_x, u_y, u_z]` in m/s at a point in m from the corner of the domain, y up.
pub type VelocityField<'a> = &'a (dyn Fn([f64; 3]) -> [f64; 3] + Sync);

/// The part of a wave's step that a projection of velocities alone stands for: gravity must have no time to act.
const INSTANT: f64 = 1e-6;

impl TallWater {
    /// Gives all water a velocity and makes it free of divergence: the first step moves water before it projects.
    /// Runs of faces beside tall cells take the values of their ends.
    pub fn set_velocities(&mut self, velocity: VelocityField<'_>) -> Result<()> {
        self.impose_velocities(velocity)?;
        self.free_of_divergence()
    }

    /// Makes the velocities as they are free of divergence.
    pub(crate) fn free_of_divergence(&mut self) -> Result<()> {
        self.look_again();
        let dt = INSTANT * longest_wave_step(self.cell, self.options.gravity).min(1.0);
        let exec = self.exec.clone();
        let mut rec = exec.record();
        // No time passes: sources have nothing to give.
        self.project(&mut rec, Moment { time: self.time, dt }, false)?;
        // What stopped the water at the walls is no pressure to go on from.
        rec.clear(&self.now.q)?;
        Ok(rec.submit()?)
    }

    /// Puts velocities on all faces, of air as well, just as they are: for [`Self::carry`].
    pub fn impose_velocities(&mut self, velocity: VelocityField<'_>) -> Result<()> {
        let [faces, inner] = sampled(self.shape, &self.heights()?, self.cell, velocity);
        let fastest = faces.iter().chain(&inner).fold(0.0_f32, |fastest, u| fastest.max(u.abs()));
        self.begin_speed = self.begin_speed.max(f64::from(fastest));
        self.look_again();
        if let Some(samples) = &self.now.samples {
            self.exec.write(samples, 0, &at_samples(self.shape, &self.heights()?, self.cell, velocity))?;
        }
        self.exec.write(&self.now.faces, 0, &faces)?;
        Ok(self.exec.write(&self.now.inner, 0, &inner)?)
    }

    /// Moves the surface alone for `dt` seconds, with the velocities as they are; a negative `dt` goes back. The stages are those
    /// of a step: the level set becomes a distance, follows the faces, and columns follow it.
    ///
    /// For tests of the surface in a given flow: `cos(π t/T) u(x)` is carried for `cos(π t/T) Δt` in `u(x)`.
    pub fn carry(&mut self, dt: f64) -> Result<()> {
        let exec = self.exec.clone();
        let mut rec = exec.record();
        self.tidy_level_set(&mut rec)?;
        self.move_level_set(&mut rec, dt)?;
        self.remesh(&mut rec)?;
        if self.remesh.is_some() {
            // The next distances ask which faces of the new columns are open.
            let levels = self.solver.hierarchy();
            levels.adopt(&mut rec, &self.now.heights, &self.now.phi, &self.solid, &self.open)?;
            levels.rebuild(&mut rec)?;
            self.staggered.refresh(&mut rec, levels)?;
        }
        rec.submit()?;
        self.steps += 1;
        self.time += dt;
        Ok(())
    }
}

/// Velocities of faces and the lower ends of the lines inside tall cells. Sides of the domain are at rest.
fn sampled(shape: Shape, heights: &[Heights], cell: f64, velocity: VelocityField<'_>) -> [Vec<f32>; 2] {
    let (nx, n, columns) = (shape.nx, shape.samples(), shape.columns());
    let at = |plane: usize, cells: [f64; 3]| velocity(cells.map(|c| c * cell))[plane] as f32;
    let middle = |column: usize| [(column % nx) as f64 + 0.5, (column / nx) as f64 + 0.5];
    let mut faces = vec![0.0; 3 * shape.len()];
    faces.par_chunks_mut(n).enumerate().for_each(|(index, line)| {
        let (plane, column) = (index / columns, index % columns);
        let ([x, z], own) = (middle(column), heights[column]);
        let other = match plane {
            0 if !column.is_multiple_of(nx) => column - 1,
            2 if column >= nx => column - nx,
            1 => {
                for (entry, v) in line.iter_mut().enumerate() {
                    let face = if entry == 0 { own[1] + n as i32 - 2 } else { world_cell(own, entry) };
                    *v = at(1, [x, f64::from(face), z]);
                }
                return;
            }
            _ => return,
        };
        let span = SideSpan::new(heights[other], own, n);
        let [x, z] = if plane == 0 { [x - 0.5, z] } else { [x, z - 0.5] };
        for (entry, u) in line.iter_mut().enumerate().filter(|(entry, _)| span.has(*entry)) {
            *u = at(plane, [x, f64::from(span.cell_of(entry)) + 0.5, z]);
        }
    });
    let lower_end = |(column, own): (usize, &Heights)| {
        let [x, z] = middle(column);
        at(1, [x, f64::from(own[0] + 1), z])
    };
    [faces, heights.iter().enumerate().map(lower_end).collect()]
}

/// Velocities at the samples, three planes.
fn at_samples(shape: Shape, heights: &[Heights], cell: f64, velocity: VelocityField<'_>) -> Vec<f32> {
    let (nx, n, columns) = (shape.nx, shape.samples(), shape.columns());
    let mut planes = vec![0.0; 3 * shape.len()];
    planes.par_chunks_mut(n).enumerate().for_each(|(index, line)| {
        let (axis, column) = (index / columns, index % columns);
        for (sample, u) in line.iter_mut().enumerate() {
            let cells = [column % nx, column / nx].map(|c| c as f64 + 0.5);
            let y = f64::from(world_cell(heights[column], sample)) + 0.5;
            *u = velocity([cells[0] * cell, y * cell, cells[1] * cell])[axis] as f32;
        }
    });
    planes
}

#[cfg(test)]
mod tests {
    use thalweg_compute::parity::own_test_executors;

    use super::*;
    use crate::{Band, Discretisation, Options, Setup};

    fn ball(options: Options) -> Vec<TallWater> {
        let setup = Setup {
            shape: Shape { nx: 32, nz: 1, regular: 30 },
            cell: 0.1,
            height: 3.2,
            terrain: &[0.0; 32],
            level_set: &|[x, y, _]| (x - 1.0).hypot(y - 1.0) - 0.6,
            obstacles: &[],
            velocity: [0.0; 2],
            options,
        };
        own_test_executors().into_iter().map(|exec| TallWater::new(exec, &setup).expect("a ball")).collect()
    }

    /// Middle of the water, m.
    fn middle(water: &TallWater) -> [f64; 2] {
        let section = water.section_later(0, 32).and_then(thalweg_compute::Later::wait).expect("a section");
        let wet: Vec<[f64; 2]> = (0..32 * 32)
            .filter(|at| section.level_set[*at] < 0.0)
            .map(|at| [at % 32, at / 32].map(|c| (c as f64 + 0.5) * 0.1))
            .collect();
        [0, 1].map(|c| wet.iter().map(|p| p[c]).sum::<f64>() / wet.len() as f64)
    }

    #[test]
    fn the_surface_follows_a_given_flow_and_comes_back() {
        for options in [Options { band: None, ..Default::default() }, Options::default()] {
            for mut water in ball(options) {
                water.impose_velocities(&|_| [1.0, 0.5, 0.0]).expect("velocities");
                let volume = water.statistics().expect("sums").volume;
                // Whole cells: nothing is interpolated, so nothing may be lost.
                (0..4).for_each(|_| water.carry(0.2).expect("carried"));
                let [x, y] = middle(&water);
                assert!((x - 1.8).abs() < 0.02 && (y - 1.4).abs() < 0.02, "{x} {y}");
                (0..4).for_each(|_| water.carry(-0.2).expect("carried"));
                let [x, y] = middle(&water);
                assert!((x - 1.0).abs() < 0.02 && (y - 1.0).abs() < 0.02, "{x} {y}");
                let change = water.statistics().expect("sums").volume / volume - 1.0;
                assert!(change.abs() < 0.01, "{change}");
            }
        }
    }

    #[test]
    fn velocities_from_outside_become_free_of_divergence() {
        for options in [
            Options { band: None, ..Default::default() },
            Options { band: Some(Band::default()), ..Default::default() },
            Options { band: None, discretisation: Discretisation::Collocated, ..Default::default() },
        ] {
            for mut water in ball(options) {
                // A flow that already is: it stays.
                water.set_velocities(&|[x, y, _]| [y - 1.0, 1.0 - x, 0.0]).expect("velocities");
                let speed = water.statistics().expect("sums").speed;
                assert!((speed - 0.6).abs() < 0.08, "{speed}");
                // One that expands: nothing of it is left but what the surface allows, a ball in free fall keeps its size.
                water.set_velocities(&|[x, y, _]| [x - 1.0, y - 1.0, 0.0]).expect("velocities");
                let speed = water.statistics().expect("sums").speed;
                assert!(speed < 0.02, "{speed}");
            }
        }
    }
}
