//! Semi-Lagrangian transport with second-order traces (Stam 1999).

use crate::narrow_band::grid::{FaceField, FineGrid, ravel, unravel};
use rayon::prelude::*;

/// A field on a lattice: `offset` is the place of its first sample in cells.
struct Samples<'a> {
    values: &'a [f64],
    size: [usize; 3],
    offset: [f64; 3],
}

impl Samples<'_> {
    /// Multilinear value at `x`, in cells, clamped to the lattice.
    fn at(&self, x: [f64; 3]) -> f64 {
        let mut low = [0; 3];
        let mut part = [0.0; 3];
        for a in 0..3 {
            let place = (x[a] - self.offset[a]).clamp(0.0, (self.size[a] - 1) as f64);
            low[a] = (place as usize).min(self.size[a].saturating_sub(2));
            part[a] = place - low[a] as f64;
        }
        let [nx, ny, nz] = self.size;
        let first = low[0] + nx * (low[1] + ny * low[2]);
        let line = |at: usize| self.values[at] + part[0] * (self.values[at + 1] - self.values[at]);
        let plane = |at: usize| line(at) + part[1] * (line(at + nx) - line(at));
        if nz == 1 { plane(first) } else { plane(first) + part[2] * (plane(first + nx * ny) - plane(first)) }
    }
}

/// The velocity as three fields, in cells per step.
struct Flow<'a> {
    components: Vec<Samples<'a>>,
    scale: f64,
}

impl<'a> Flow<'a> {
    fn new(grid: &FineGrid, u: &'a FaceField, dt: f64) -> Self {
        let component = |axis: usize| {
            let mut offset = [0.5; 3];
            offset[axis] = 0.0;
            Samples { values: &u[axis], size: grid.face_cells(axis), offset }
        };
        Self { components: (0..grid.dimensions()).map(component).collect(), scale: dt / grid.spacing() }
    }

    fn displacement(&self, x: [f64; 3]) -> [f64; 3] {
        let mut d = [0.0; 3];
        for (d, component) in d.iter_mut().zip(&self.components) {
            *d = self.scale * component.at(x);
        }
        d
    }

    /// Where the water at `x` was a step ago: the midpoint rule.
    fn origin(&self, x: [f64; 3]) -> [f64; 3] {
        let half = self.displacement(x);
        let middle = self.displacement([0, 1, 2].map(|a| x[a] - 0.5 * half[a]));
        [0, 1, 2].map(|a| x[a] - middle[a])
    }
}

/// Cells from the surface beyond which nothing is moved: steps are shorter, and the level set is a distance again after
/// each.
const REACH: f64 = 6.0;

/// The level set after a step.
pub(super) fn level_set(grid: &FineGrid, u: &FaceField, dt: f64) -> Vec<f64> {
    let flow = Flow::new(grid, u, dt);
    let cells = grid.cells();
    let phi = Samples { values: &grid.phi, size: cells, offset: [0.5; 3] };
    let reach = REACH * grid.spacing();
    let moved = |c: usize| phi.at(flow.origin(unravel(cells, c).map(|x| x as f64 + 0.5)));
    let one = |c: usize| if grid.phi[c].abs() < reach { moved(c) } else { grid.phi[c] };
    (0..grid.phi.len()).into_par_iter().map(one).collect()
}

/// The velocity after a step; closed faces stay at rest, and so do those far from the liquid, until it comes near.
pub(super) fn velocity(grid: &FineGrid, u: &FaceField, dt: f64) -> FaceField {
    let flow = Flow::new(grid, u, dt);
    let mut moved = grid.face_field();
    for (axis, moved) in moved.iter_mut().enumerate().take(grid.dimensions()) {
        let (size, open) = (grid.face_cells(axis), &grid.open()[axis]);
        let field = &flow.components[axis];
        let reach = REACH * grid.spacing();
        moved.par_iter_mut().enumerate().filter(|(face, _)| open[*face] > 0.0).for_each(|(face, value)| {
            let at = unravel(size, face);
            if grid.phi[ravel(grid.cells(), at)] > reach {
                return;
            }
            *value = field.at(flow.origin([0, 1, 2].map(|a| at[a] as f64 + field.offset[a])));
        });
    }
    moved
}
