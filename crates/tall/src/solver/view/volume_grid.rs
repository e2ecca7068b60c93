//! The water on a box of cubic cells, for other programs: tall cells are read out cell by cell.
//!
//! Water ends at the ground, at obstacles and at the sides of the domain, by the same rule as in
//! [`crate::solver::view::mesh`]: the level set is the larger one of the water's and of the depth inside the nearest
//! solid. The box goes [`MARGIN`] cells beyond the water on all sides, into solids and out of the domain too, so that
//! the surface is whole.

use rayon::prelude::*;
use thalweg_columns::grid::world_cell;
use thalweg_columns::{Heights, Shape};
use thalweg_compute::{Buffer, Later};

use crate::error::{Result, TallError};
use crate::solver::surface::level_set::fine::{FineGrid, FineHost};
use crate::solver::view::View;
use crate::solver::view::mesh::{CellVelocities, MeshWater};
use crate::solver::view::pressures::Pressures;
use crate::water::TallWater;

/// Cells around the water that belong to the box.
pub const MARGIN: usize = 3;

/// Water on a box of cells; cell `(i, j, k)` is at `i + nx * (j + ny * k)`, y up.
#[derive(Debug, Clone, PartialEq)]
pub struct VolumeGrid {
    /// Cells along x, y, z.
    pub size: [usize; 3],
    /// The first cell, counted from the corner of the domain.
    pub low: [i32; 3],
    /// Distance of the middles of cells to the surface of the water in cells, negative in water. Exact only near the
    /// surface.
    pub level_set: Vec<f32>,
    /// Mean over opposite faces of the cells, m/s; 0 further than [`MARGIN`] cells from water and outside the domain.
    pub velocity: Vec<[f32; 3]>,
    /// Pressure over the density of water, Pa per kg/m³; 0 in air, NaN in solids, outside the domain and before the
    /// first step.
    pub pressure: Vec<f32>,
    /// The level set of a fine surface on the same box.
    pub fine: Option<FineVolumeGrid>,
}

/// A level set on finer cells.
#[derive(Debug, Clone, PartialEq)]
pub struct FineVolumeGrid {
    /// Fine cells along an edge of a cell: 2, and 1 along x or z if there is one column only.
    pub ratio: [usize; 3],
    /// In halves of a cell, in the order of the others.
    pub level_set: Vec<f32>,
}

/// What a box of cells is made of, on the host.
struct VolumeFields {
    cell: f64,
    terrain: Vec<f32>,
    faces: Vec<f32>,
    inner: Vec<f32>,
    fine: Option<Vec<f32>>,
    pressures: Pressures,
}

impl TallWater {
    /// The water on cubic cells, in a box around it.
    pub fn volume_grid_later(&self) -> Result<Later<VolumeGrid, TallError>> {
        let View { exec, state: s, stages, time, .. } = self.view();
        let read = |buffer: &Buffer<f32>| exec.read_async(buffer);
        let (terrain, faces, inner) = (read(&s.terrain)?, read(&s.now.faces)?, read(&s.now.inner)?);
        let (pressures, fine) = (self.pressures_later()?, self.fine_level_set_later()?);
        let (cell, solid) = (s.cell, stages.solids.distances_at(time));
        Ok(Later::new(move || {
            let (terrain, faces, inner) = (terrain.wait()?, faces.wait()?, inner.wait()?);
            let (pressures, fine) = (pressures.wait()?, fine.map(Later::wait).transpose()?);
            Ok(VolumeGrid::new(&VolumeFields { cell, terrain, faces, inner, fine, pressures }, &solid))
        }))
    }
}

impl VolumeGrid {
    fn new(fields: &VolumeFields, solid: &(impl Fn([f32; 3]) -> f32 + Sync)) -> Self {
        let VolumeFields { cell, terrain, faces, inner, fine, pressures } = fields;
        let (cell, shape) = (*cell, pressures.shape);
        let (heights, phi) = (&pressures.heights[..], &pressures.phi[..]);
        let Shape { nx, nz, .. } = shape;
        let mut bounds = wet_box(shape, heights, phi);
        let host = fine.as_deref().map(|fine| FineHost { grid: FineGrid::new(shape), heights, fine });
        if let Some(host) = &host {
            bounds = joined(bounds, host.wet_box());
        }
        // Without water one cell, so that there is something to write.
        let [low, high] = bounds.unwrap_or([[0; 3], [0; 3]]);
        let low = low.map(|c| c - MARGIN as i32);
        let size: [usize; 3] = std::array::from_fn(|axis| (high[axis] - low[axis] + 1) as usize + MARGIN);
        let place = |at: usize| {
            let cell = [at % size[0], at / size[0] % size[1], at / (size[0] * size[1])];
            std::array::from_fn(|axis| cell[axis] as i32 + low[axis])
        };

        let velocities = CellVelocities { shape, heights, faces, inner };
        let own = MeshWater {
            shape,
            heights,
            phi,
            terrain,
            solid,
            velocity: &|column, y| velocities.at(column, y),
            edges: [cell; 3],
        };
        let level_set = sampled(&own, size, low);
        let column = |[i, _, k]: [i32; 3]| {
            let is_inside = (0..nx as i32).contains(&i) && (0..nz as i32).contains(&k);
            is_inside.then(|| i as usize + nx * k as usize)
        };
        let velocity = |(at, phi): (usize, &f32)| match column(place(at)) {
            Some(column) if *phi < MARGIN as f32 => velocities.at(column, place(at)[1]),
            _ => [0.0; 3],
        };
        let pressure = |at: usize| {
            let found = column(place(at)).and_then(|column| pressures.of_cell(column, place(at)[1]));
            found.map_or(f32::NAN, |pressure| pressure as f32)
        };
        Self {
            size,
            low,
            velocity: level_set.par_iter().enumerate().map(velocity).collect(),
            pressure: (0..level_set.len()).into_par_iter().map(pressure).collect(),
            level_set,
            fine: host.map(|host| host.volume_grid(terrain, solid, (size, low))),
        }
    }
}

/// The level set of a box of cells.
pub(crate) fn sampled(water: &MeshWater<'_>, size: [usize; 3], low: [i32; 3]) -> Vec<f32> {
    let value = |at: usize| {
        let cell = [at % size[0], at / size[0] % size[1], at / (size[0] * size[1])];
        let [phi, solid] = water.value(std::array::from_fn(|axis| cell[axis] as i32 + low[axis]));
        phi.max(solid)
    };
    (0..size.iter().product()).into_par_iter().map(value).collect()
}

/// Lowest and highest cell in which there may be water.
pub(crate) fn wet_box(shape: Shape, heights: &[Heights], phi: &[f32]) -> Option<[[i32; 3]; 2]> {
    let n = shape.samples();
    let column = |(column, line): (usize, &[f32])| {
        let is_wet = |phi: &f32| *phi < 0.0;
        let (lowest, highest) = (line.iter().position(is_wet)?, line.iter().rposition(is_wet)?);
        let [i, k] = [column % shape.nx, column / shape.nx].map(|c| c as i32);
        // The two samples of a tall cell are the ends of a line: the water between them may begin anywhere.
        let low = world_cell(heights[column], if lowest < 2 { 0 } else { lowest });
        Some([[i, low, k], [i, world_cell(heights[column], highest), k]])
    };
    phi.chunks(n).enumerate().map(column).fold(None, joined)
}

fn joined(a: Option<[[i32; 3]; 2]>, b: Option<[[i32; 3]; 2]>) -> Option<[[i32; 3]; 2]> {
    let (Some([low, high]), Some([other_low, other_high])) = (a, b) else { return a.or(b) };
    Some([
        std::array::from_fn(|axis| low[axis].min(other_low[axis])),
        std::array::from_fn(|axis| high[axis].max(other_high[axis])),
    ])
}
