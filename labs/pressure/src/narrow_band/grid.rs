//! The fine grid: where the liquid is, which faces are open, and the pressure system that follows.

use crate::sparse::SevenPoint;
use rayon::prelude::*;
use thalweg_columns::Real;
use thalweg_pressure::{Csr, NONE};

/// Smallest distance of the free surface from a cell's centre, in cells. Below it the ghost-fluid coefficient 1/θ would
/// spoil the conditioning of the matrix.
pub const THETA_MIN: f64 = 0.01;

/// One value per face: the x-, y- and z-faces, each grid one longer than the cells along its own axis.
///
/// Two-dimensional grids keep their two layers of z-faces, which stay closed and at rest.
pub type FaceField = [Vec<f64>; 3];

/// Density and time step of a projection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projected {
    /// Density of the liquid, kg/m³.
    pub density: f64,
    /// Time step, s.
    pub dt: f64,
}

/// A face of a cell, seen from inside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    /// Index of the face in the field of its axis.
    pub(super) face: usize,
    /// Axis of its normal.
    pub(super) axis: usize,
    /// −1 towards lower coordinates, +1 towards higher ones.
    pub(super) sign: f64,
    /// The cell behind it; none beyond the domain.
    pub(super) beyond: Option<usize>,
}

/// Uniform MAC grid: pressure and level set in cell centres, velocity on faces. `x` runs fastest, one layer of cells in
/// `z` means two dimensions, and the domain's walls are closed.
#[derive(Debug, Clone, PartialEq)]
pub struct FineGrid {
    cells: [usize; 3],
    spacing: f64,
    /// Signed distance to the free surface, m; negative in the liquid.
    pub phi: Vec<f64>,
    solid: Vec<bool>,
    open: FaceField,
    /// Cells at faces that were set one by one: cut cells and walls without thickness.
    cut: Vec<u32>,
}

impl FineGrid {
    /// A box of `cells` without obstacles, all of it air. `spacing` is the width of a cell, m.
    ///
    /// # Panics
    ///
    /// If an axis has no cells, or there are too many cells for 32-bit indices.
    pub fn new(cells: [usize; 3], spacing: f64) -> Self {
        let count = cells.iter().product::<usize>();
        assert!(count > 0 && count < NONE as usize, "{cells:?} cells");
        let mut grid = Self {
            cells,
            spacing,
            phi: vec![spacing; count],
            solid: vec![false; count],
            open: Default::default(),
            cut: Vec::new(),
        };
        for (axis, &last) in cells.iter().enumerate() {
            let size = grid.face_cells(axis);
            let closed = |face: usize| last == 1 || [0, last].contains(&unravel(size, face)[axis]);
            let faces = size.iter().product::<usize>();
            grid.open[axis] = (0..faces).map(|face| if closed(face) { 0.0 } else { 1.0 }).collect();
        }
        grid
    }

    /// Sets the level set from a function of position, m; the domain's lowest corner is the origin.
    pub fn set_phi(&mut self, phi: impl Fn([f64; 3]) -> f64 + Sync) {
        let (cells, h) = (self.cells, self.spacing);
        self.phi.par_iter_mut().enumerate().for_each(|(c, value)| {
            *value = phi(unravel(cells, c).map(|x| (x as f64 + 0.5) * h));
        });
    }

    /// Makes voxels solid and closes their faces.
    pub fn add_solids(&mut self, solid: impl Fn([usize; 3]) -> bool) {
        for c in 0..self.solid.len() {
            let at = unravel(self.cells, c);
            if solid(at) {
                self.solid[c] = true;
                for side in self.sides(at) {
                    self.open[side.axis][side.face] = 0.0;
                }
            }
        }
    }

    /// Sets the open part of a face, 0 to 1, as cut-cell solids have it. Faces of the domain's walls stay closed.
    pub fn set_open(&mut self, axis: usize, at: [usize; 3], open: f64) {
        if at[axis] > 0 && at[axis] < self.cells[axis] {
            let face = ravel(self.face_cells(axis), at);
            self.open[axis][face] = open.clamp(0.0, 1.0);
            let above = ravel(self.cells, at);
            self.cut.extend([above as u32, (above - strides(self.cells)[axis]) as u32]);
        }
    }

    /// Cells whose faces were set one by one. Their equations differ from those of open water.
    pub(super) fn cut_cells(&self) -> &[u32] {
        &self.cut
    }

    /// Cells along each axis.
    pub fn cells(&self) -> [usize; 3] {
        self.cells
    }

    /// Width of a cell, m.
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Axes along which there is more than one cell; a slice of one layer has two.
    pub fn dimensions(&self) -> usize {
        if self.cells[2] == 1 { 2 } else { 3 }
    }

    /// Open part of each face, 0 to 1.
    pub fn open(&self) -> &FaceField {
        &self.open
    }

    /// Whether a voxel is solid.
    pub fn is_solid(&self, cell: usize) -> bool {
        self.solid[cell]
    }

    /// Whether a cell holds liquid: not solid, level set negative.
    pub fn is_liquid(&self, cell: usize) -> bool {
        !self.solid[cell] && self.phi[cell] < 0.0
    }

    /// Faces along each axis, for the faces with their normal along `axis`.
    pub fn face_cells(&self, axis: usize) -> [usize; 3] {
        let mut size = self.cells;
        size[axis] += 1;
        size
    }

    /// A field of zeros on the faces.
    pub fn face_field(&self) -> FaceField {
        [0, 1, 2].map(|axis| vec![0.0; self.face_cells(axis).iter().product()])
    }

    /// A field on the faces from a function of axis and position, m; zero on closed faces.
    pub fn face_field_from(&self, value: impl Fn(usize, [f64; 3]) -> f64 + Sync) -> FaceField {
        [0, 1, 2].map(|axis| {
            let (size, open) = (self.face_cells(axis), &self.open[axis]);
            let at = |face: usize| {
                let mut x = unravel(size, face).map(|x| (x as f64 + 0.5) * self.spacing);
                x[axis] -= 0.5 * self.spacing;
                x
            };
            let one = |face: usize| if open[face] > 0.0 { value(axis, at(face)) } else { 0.0 };
            (0..open.len()).into_par_iter().map(one).collect()
        })
    }

    /// The six faces of a cell; in two dimensions the last two are closed.
    pub(super) fn sides(&self, at: [usize; 3]) -> [Side; 6] {
        let cell = ravel(self.cells, at);
        let stride = strides(self.cells);
        let side = |axis: usize, upper: bool| {
            let size = self.face_cells(axis);
            let face = at[0] + size[0] * (at[1] + size[1] * at[2]) + if upper { strides(size)[axis] } else { 0 };
            let beyond = match upper {
                false => (at[axis] > 0).then(|| cell - stride[axis]),
                true => (at[axis] + 1 < self.cells[axis]).then(|| cell + stride[axis]),
            };
            Side { face, axis, sign: if upper { 1.0 } else { -1.0 }, beyond }
        };
        // In the order of the cells behind them, so that the columns of a row come out ascending.
        [side(2, false), side(1, false), side(0, false), side(0, true), side(1, true), side(2, true)]
    }

    /// Distance of the surface from a liquid cell towards an air cell, as part of a cell (ghost fluid, Gibou et al.
    /// 2002).
    pub(super) fn theta(&self, liquid: usize, air: usize) -> f64 {
        (self.phi[liquid] / (self.phi[liquid] - self.phi[air])).max(THETA_MIN)
    }

    /// The pressure system of the present geometry.
    pub fn system<T: Real>(&self) -> FineSystem<T> {
        let mut unknown_of_cell = vec![NONE; self.phi.len()];
        let mut cell_of_unknown = Vec::new();
        for (cell, unknown) in unknown_of_cell.iter_mut().enumerate() {
            // A liquid cell behind closed faces has no equation.
            let reachable = || self.sides(unravel(self.cells, cell)).iter().any(|s| self.open[s.axis][s.face] > 0.0);
            if self.is_liquid(cell) && reachable() {
                *unknown = cell_of_unknown.len() as u32;
                cell_of_unknown.push(cell as u32);
            }
        }
        let n = cell_of_unknown.len();
        let mut matrix = Csr {
            row_start: Vec::with_capacity(n + 1),
            columns: Vec::with_capacity(7 * n),
            values: Vec::with_capacity(7 * n),
            column_count: n,
        };
        matrix.row_start.push(0);
        for &cell in &cell_of_unknown {
            let cell = cell as usize;
            let (mut diagonal, mut diagonal_at) = (0.0, matrix.columns.len());
            for (number, side) in self.sides(unravel(self.cells, cell)).iter().enumerate() {
                if number == 3 {
                    diagonal_at = matrix.columns.len();
                    matrix.columns.push(unknown_of_cell[cell]);
                    matrix.values.push(T::zero());
                }
                let open = self.open[side.axis][side.face];
                let Some(beyond) = side.beyond.filter(|_| open > 0.0) else { continue };
                if unknown_of_cell[beyond] != NONE {
                    diagonal += open;
                    matrix.columns.push(unknown_of_cell[beyond]);
                    matrix.values.push(T::of(-open));
                } else {
                    diagonal += open / self.theta(cell, beyond);
                }
            }
            matrix.values[diagonal_at] = T::of(diagonal);
            matrix.row_start.push(matrix.columns.len() as u32);
        }
        FineSystem { unknown_of_cell, cell_of_unknown, matrix }
    }

    /// The system's matrix in the fast form of voxel geometry; none where a face is partly open.
    pub fn seven_point<T: Real>(&self, system: &FineSystem<T>) -> Option<SevenPoint<T>> {
        let n = system.unknowns();
        let mut neighbours: [Vec<u32>; 6] = std::array::from_fn(|_| Vec::with_capacity(n));
        for &cell in &system.cell_of_unknown {
            for side in self.sides(unravel(self.cells, cell as usize)) {
                let open = self.open[side.axis][side.face];
                if open > 0.0 && open < 1.0 {
                    return None;
                }
                let beyond = side.beyond.filter(|_| open > 0.0);
                let list = 2 * side.axis + usize::from(side.sign > 0.0);
                neighbours[list].push(beyond.map_or(NONE, |c| system.unknown_of_cell[c]));
            }
        }
        Some(SevenPoint::new(neighbours, system.matrix.diagonal()))
    }

    /// Right-hand side `−(ρ Δx/Δt) D u*`, Pa, of the system in the form `Σ (a/θ)(p − p_beyond) = b`.
    pub fn rhs<T: Real>(&self, system: &FineSystem<T>, u: &FaceField, how: Projected) -> Vec<T> {
        let scale = -how.density * self.spacing / how.dt;
        let one = |cell: &u32| T::of(scale * self.outflow(u, *cell as usize));
        system.cell_of_unknown.par_iter().map(one).collect()
    }

    /// Sum of `± a u` over the faces of a cell, m/s.
    fn outflow(&self, u: &FaceField, cell: usize) -> f64 {
        let sides = self.sides(unravel(self.cells, cell));
        sides.iter().map(|s| s.sign * self.open[s.axis][s.face] * u[s.axis][s.face]).sum()
    }

    /// Velocity update `u −= Δt/(ρ Δx) (p₊ − p₋)/θ` on every open face of the liquid; closed faces come to rest.
    pub fn update<T: Real>(&self, system: &FineSystem<T>, p: &[T], u: &mut FaceField, how: Projected) {
        let scale = how.dt / (how.density * self.spacing);
        let stride = strides(self.cells);
        for axis in 0..self.dimensions() {
            let size = self.face_cells(axis);
            let open = &self.open[axis];
            let layer = size[0];
            u[axis].par_chunks_mut(layer).enumerate().for_each(|(line, faces)| {
                let first = unravel(size, line * layer);
                for (i, u) in faces.iter_mut().enumerate() {
                    if open[line * layer + i] <= 0.0 {
                        *u = 0.0;
                        continue;
                    }
                    // Open faces are inside the domain, so that both cells exist.
                    let above = ravel(self.cells, [i, first[1], first[2]]);
                    let below = above - stride[axis];
                    let (lower, upper) = (system.unknown_of_cell[below], system.unknown_of_cell[above]);
                    let value = |unknown: u32| p[unknown as usize].to_double();
                    *u -= scale
                        * match (lower != NONE, upper != NONE) {
                            (true, true) => value(upper) - value(lower),
                            (true, false) => -value(lower) / self.theta(below, above),
                            (false, true) => value(upper) / self.theta(above, below),
                            (false, false) => 0.0,
                        };
                }
            });
        }
    }

    /// What the difference of pressures across each face counts in [`Self::update`], with 0 for the pressure of cells
    /// without an equation: 1 between unknowns, `1/θ` at the surface, 0 elsewhere.
    pub(super) fn slopes<T: Real>(&self, system: &FineSystem<T>) -> FaceField {
        let stride = strides(self.cells);
        [0, 1, 2].map(|axis| {
            let size = self.face_cells(axis);
            let one = |(face, open): (usize, &f64)| {
                if *open <= 0.0 {
                    return 0.0;
                }
                // Open faces are inside the domain, so that both cells exist.
                let above = ravel(self.cells, unravel(size, face));
                let below = above - stride[axis];
                match [below, above].map(|cell| system.unknown_of_cell[cell] != NONE) {
                    [true, true] => 1.0,
                    [true, false] => self.theta(below, above).recip(),
                    [false, true] => self.theta(above, below).recip(),
                    [false, false] => 0.0,
                }
            };
            self.open[axis].par_iter().enumerate().map(one).collect()
        })
    }

    /// What is left of the divergence in the liquid.
    pub fn divergence<T: Real>(&self, system: &FineSystem<T>, u: &FaceField) -> Divergence {
        let (mut squares, mut largest, mut sum) = (0.0_f64, 0.0_f64, 0.0_f64);
        for &cell in &system.cell_of_unknown {
            let d = self.outflow(u, cell as usize) / self.spacing;
            squares += d * d;
            largest = largest.max(d.abs());
            sum += d;
        }
        Divergence { rms: (squares / system.unknowns().max(1) as f64).sqrt(), largest, sum }
    }

    /// Difference of two velocities relative to the second, weighted by the mass `ρ θ a` of each face of the liquid.
    pub fn velocity_error<T: Real>(&self, system: &FineSystem<T>, u: &FaceField, reference: &FaceField) -> f64 {
        let (mut difference, mut size) = (0.0_f64, 0.0_f64);
        let mut add = |mass: f64, a: f64, b: f64| {
            difference += mass * (a - b).powi(2);
            size += mass * b * b;
        };
        for &cell in &system.cell_of_unknown {
            for s in self.sides(unravel(self.cells, cell as usize)) {
                let open = self.open[s.axis][s.face];
                let Some(beyond) = s.beyond.filter(|_| open > 0.0) else { continue };
                // Faces between two unknowns come twice, hence half of their mass each time.
                let inside = system.unknown_of_cell[beyond] != NONE;
                let mass = open * if inside { 0.5 } else { self.theta(cell as usize, beyond).min(1.0) };
                add(mass, u[s.axis][s.face], reference[s.axis][s.face]);
            }
        }
        (difference / size.max(f64::MIN_POSITIVE)).sqrt()
    }
}

/// Divergence of a velocity over the liquid cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Divergence {
    /// Root of the mean square, 1/s.
    pub rms: f64,
    /// Largest magnitude, 1/s.
    pub largest: f64,
    /// Sum over all cells, 1/s: times a cell's volume, the rate at which the liquid's volume is falsified.
    pub sum: f64,
}

/// The pressure equations of all liquid cells of a [`FineGrid`], in the order of the cells.
#[derive(Debug, Clone, PartialEq)]
pub struct FineSystem<T> {
    /// Unknown of each cell; [`NONE`] without.
    pub unknown_of_cell: Vec<u32>,
    /// Cell of each unknown, ascending.
    pub cell_of_unknown: Vec<u32>,
    /// `A = D M⁻¹ Dᵀ` with `M = θ/a` on each face.
    pub matrix: Csr<T>,
}

impl<T: Real> FineSystem<T> {
    /// Number of equations.
    pub fn unknowns(&self) -> usize {
        self.cell_of_unknown.len()
    }
}

/// Coordinates of a cell or face, `x` fastest.
#[inline]
pub(super) fn unravel(size: [usize; 3], index: usize) -> [usize; 3] {
    // Indices fit into 32 bits, in which a division takes a third of the time.
    let (index, x, y) = (index as u32, size[0] as u32, size[1] as u32);
    let row = index / x;
    [(index % x) as usize, (row % y) as usize, (row / y) as usize]
}

/// Index of a cell or face, `x` fastest.
#[inline]
pub(super) fn ravel(size: [usize; 3], at: [usize; 3]) -> usize {
    at[0] + size[0] * (at[1] + size[1] * at[2])
}

/// Distance in memory of neighbours along each axis.
#[inline]
pub(super) fn strides(size: [usize; 3]) -> [usize; 3] {
    [1, size[0], size[0] * size[1]]
}
