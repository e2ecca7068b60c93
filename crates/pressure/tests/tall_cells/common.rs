//! Random columns and fields, a dense matrix, and the uniform grid that a column grid stands for.

use thalweg_columns::grid::{face_base, face_heights, is_tall, world_cell};
use thalweg_columns::{ColumnGrid, FaceVelocity, Heights, Real, Shape};
use thalweg_pressure::velocity::Staggered;
use thalweg_pressure::{
    Cycle, Discretisation, Fields, HierarchyOptions, HostHierarchy, Level, Report, Stop, Sweeps, conjugate_gradients,
};

pub(crate) const THETA_MIN: f64 = 0.01;

/// SplitMix64: seeded, and the same on every machine.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// `0 ≤ x < 1`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    /// `lo ≤ n ≤ hi`.
    pub(crate) fn int(&mut self, lo: i32, hi: i32) -> i32 {
        lo + (self.bits() % (hi - lo + 1) as u64) as i32
    }

    pub(crate) fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }
}

/// Random terrain and tall cells; neighbours' tops differ by at most `step`.
pub(crate) fn random_grid(rng: &mut Rng, shape: Shape, tall: [i32; 2], step: i32, cell: f64) -> ColumnGrid {
    let tops: Vec<i32> = (0..shape.columns()).map(|_| 20 + rng.int(0, step)).collect();
    let heights: Vec<i32> = (0..shape.columns()).map(|_| rng.int(tall[0], tall[1])).collect();
    let terrain: Vec<i32> = tops.iter().zip(&heights).map(|(t, h)| t - h).collect();
    ColumnGrid::new(shape, cell, &terrain, &heights).expect("a valid grid")
}

/// What random fields look like.
#[derive(Clone, Copy)]
pub(crate) struct Mess {
    /// Share of samples that are air.
    pub(crate) air: f64,
    /// Share of cells that are fully solid.
    pub(crate) solid: f64,
    /// Share of faces that are partly or fully closed.
    pub(crate) closed: f64,
    /// Whether ends of tall cells, too, may be air or solid, and overlaps have different ends.
    pub(crate) tall: bool,
}

/// Random level set, solids and openings.
pub(crate) fn random_fields(rng: &mut Rng, grid: &ColumnGrid, mess: Mess) -> Fields<f64> {
    let shape = grid.shape;
    let (n, len) = (shape.samples(), shape.len());
    let mut fields =
        Fields { phi: vec![0.0; len], solid: vec![0.0; len], open: vec![1.0; 3 * len], sink: vec![0.0; len] };
    for index in 0..len {
        let inside = index % n < 2 && is_tall(grid.heights[index / n]) && !mess.tall;
        fields.phi[index] =
            if rng.chance(mess.air) && !inside { rng.between(0.0, 3.0) } else { -rng.between(0.01, 3.0) };
        fields.solid[index] = if rng.chance(mess.solid) && !inside { 1.0 } else { 0.0 };
    }
    for open in &mut fields.open {
        if rng.chance(mess.closed) {
            *open = rng.int(0, 16) as f64 / 16.0;
        }
    }
    for (plane, column, other) in side_faces(shape) {
        let [lo, hi] = face_heights(grid.heights[other], grid.heights[column]);
        let face = plane * len + column * n;
        // One face has one opening; the lines of deep overlaps are constant unless a mess is wanted.
        if hi - lo == 1 || (hi - lo > 2 && !mess.tall) {
            fields.open[face] = fields.open[face + 1];
        }
    }
    fields
}

/// `(plane, column, other)` of every face column inside the grid.
pub(crate) fn side_faces(shape: Shape) -> Vec<(usize, usize, usize)> {
    let mut out = Vec::new();
    for column in 0..shape.columns() {
        if !column.is_multiple_of(shape.nx) {
            out.push((0, column, column - 1));
        }
        if column >= shape.nx {
            out.push((2, column, column - shape.nx));
        }
    }
    out
}

/// Water of the given surface height (in cells, per column) as fields.
pub(crate) fn water(grid: &ColumnGrid, surface: impl Fn(usize) -> f64) -> Fields<f64> {
    let n = grid.shape.samples();
    let phi: Vec<f64> = (0..grid.shape.len())
        .map(|index| {
            let y = f64::from(grid.world_cell(index / n, index % n)) + 0.5;
            (y - surface(index / n)) * grid.cell
        })
        .collect();
    Fields::open_water(grid, &phi).expect("finite")
}

pub(crate) fn cast_fields<T: Real>(f: &Fields<f64>) -> Fields<T> {
    let cast = |v: &[f64]| v.iter().map(|x| T::of(*x)).collect();
    Fields { phi: cast(&f.phi), solid: cast(&f.solid), open: cast(&f.open), sink: cast(&f.sink) }
}

pub(crate) fn level<T: Real>(grid: &ColumnGrid, fields: &Fields<f64>) -> Level<T> {
    Level::new(grid.clone(), cast_fields(fields), THETA_MIN, Discretisation::Galerkin)
}

pub(crate) fn largest<T: Real>(v: &[T]) -> f64 {
    v.iter().fold(0.0, |a, x| if x.abs().to_double() > a || x.is_nan() { x.abs().to_double() } else { a })
}

pub(crate) const V11: Sweeps = Sweeps { before: 1, after: 1 };
pub(crate) const V22: Sweeps = Sweeps { before: 2, after: 2 };

/// Solves by conjugate gradients around V(1,1) to a residual relative to that of zero, starting from `q`.
pub(crate) fn solve<T: Real>(level: &Level<T>, b: &[T], q: &mut [T], relative: f64) -> Report {
    let mut hierarchy = HostHierarchy::over(level, HierarchyOptions::default());
    solve_in(level, &mut hierarchy, b, q, relative)
}

pub(crate) fn solve_in<T: Real>(
    level: &Level<T>,
    hierarchy: &mut HostHierarchy<T>,
    b: &[T],
    q: &mut [T],
    relative: f64,
) -> Report {
    let stop = Stop { residual: relative * largest(b), iterations: 100 };
    conjugate_gradients(level, hierarchy, Cycle::V, V11, b, q, stop)
}

/// One projection. Returns the pressure.
pub(crate) fn project<T: Real>(
    level: &Level<T>,
    operators: &Staggered<'_, T>,
    u: &mut FaceVelocity<T>,
    relative: f64,
) -> Vec<T> {
    let mut b = vec![T::zero(); level.grid.shape.len()];
    operators.rhs(u, &mut b);
    let mut q = vec![T::zero(); b.len()];
    solve(level, &b, &mut q, relative);
    operators.update(&q, u);
    q
}

/// Random velocities on all faces.
pub(crate) fn random_velocity<T: Real>(rng: &mut Rng, shape: Shape) -> FaceVelocity<T> {
    let mut u = FaceVelocity::zero(shape);
    for v in u.faces.iter_mut().chain(&mut u.inner) {
        *v = T::of(rng.between(-1.0, 1.0));
    }
    u
}

/// The matrix of a level column by column, for its unknowns.
pub(crate) fn dense<T: Real>(level: &Level<T>) -> (Vec<usize>, Vec<Vec<f64>>) {
    let len = level.grid.shape.len();
    let unknowns: Vec<usize> = (0..len).filter(|i| level.diagonal[*i] > T::zero()).collect();
    let (mut x, mut y) = (vec![T::zero(); len], vec![T::zero(); len]);
    let mut rows = vec![vec![0.0; unknowns.len()]; unknowns.len()];
    for (c, index) in unknowns.iter().enumerate() {
        x[*index] = T::one();
        level.multiply(&x, &mut y);
        x[*index] = T::zero();
        for (r, row) in unknowns.iter().enumerate() {
            rows[r][c] = y[*row].to_double();
        }
    }
    (unknowns, rows)
}

/// Solves a dense system with partial pivoting.
pub(crate) fn dense_solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for c in 0..n {
        let pivot = (c..n).max_by(|i, j| a[*i][c].abs().total_cmp(&a[*j][c].abs())).expect("rows are left");
        a.swap(c, pivot);
        b.swap(c, pivot);
        let (done, rest) = a.split_at_mut(c + 1);
        let row = &done[c];
        for (offset, other) in rest.iter_mut().enumerate() {
            let factor = other[c] / row[c];
            if factor != 0.0 {
                for (o, r) in other[c..].iter_mut().zip(&row[c..]) {
                    *o -= factor * r;
                }
                b[c + 1 + offset] -= factor * b[c];
            }
        }
    }
    for r in (0..n).rev() {
        let sum: f64 = (r + 1..n).map(|c| a[r][c] * b[c]).sum();
        b[r] = (b[r] - sum) / a[r][r];
    }
    b
}

/// The uniform grid that a column grid stands for, assembled face by face from the fields with code of its own.
pub(crate) struct World<'a> {
    grid: &'a ColumnGrid,
    fields: &'a Fields<f64>,
}

/// A face of the uniform grid: two cells as (column, y), the second missing for the air above a column, and its
/// conductance.
pub(crate) type WorldFace = ((usize, i32), Option<(usize, i32)>, f64);

impl<'a> World<'a> {
    pub(crate) fn new(grid: &'a ColumnGrid, fields: &'a Fields<f64>) -> Self {
        Self { grid, fields }
    }

    fn top(&self, column: usize) -> i32 {
        self.grid.heights[column][1] + self.grid.shape.regular as i32
    }

    /// Weights of a column's samples in the decoded value at a world cell, none outside the column.
    pub(crate) fn decode(&self, column: usize, y: i32) -> Vec<(usize, f64)> {
        let [bottom, top] = self.grid.heights[column];
        let base = column * self.grid.shape.samples();
        if y < bottom || y >= self.top(column) {
            vec![]
        } else if y >= top {
            vec![(base + 2 + (y - top) as usize, 1.0)]
        } else {
            let t = f64::from(y - bottom) / f64::from(top - bottom - 1);
            vec![(base, 1.0 - t), (base + 1, t)]
        }
    }

    fn value(&self, field: &[f64], column: usize, y: i32) -> f64 {
        self.decode(column, y).iter().map(|(i, w)| field[*i] * w).sum()
    }

    fn conductance(&self, open: f64, phi: [f64; 2], solid: [f64; 2]) -> f64 {
        if solid[0] >= 1.0 || solid[1] >= 1.0 {
            return 0.0;
        }
        match [phi[0] < 0.0, phi[1] < 0.0] {
            [true, true] => open,
            [true, false] => open / (phi[0] / (phi[0] - phi[1])).max(THETA_MIN),
            [false, true] => open / (phi[1] / (phi[1] - phi[0])).max(THETA_MIN),
            [false, false] => 0.0,
        }
    }

    /// All faces with their conductances: point values, except that a deep overlap of tall cells has the line
    /// between its two ends, and the inside of a tall cell the value for the jump from end to end.
    pub(crate) fn faces(&self) -> Vec<WorldFace> {
        let shape = self.grid.shape;
        let (n, len) = (shape.samples(), shape.len());
        let f = self.fields;
        let mut out = Vec::new();
        for column in 0..shape.columns() {
            let base = column * n;
            let [bottom, top] = self.grid.heights[column];
            let pair = |v: &[f64], j: usize| [v[base + j - 1], v[base + j]];
            for y in bottom + 1..self.top(column) {
                let entry = if y < top { 1 } else { (y - top + 2) as usize };
                let w = self.conductance(f.open[len + base + entry], pair(&f.phi, entry), pair(&f.solid, entry));
                out.push(((column, y - 1), Some((column, y)), w));
            }
            let phi = f.phi[base + n - 1];
            let above = phi.max(0.0) + 1.0;
            let w = self.conductance(f.open[len + base], [phi, above], [f.solid[base + n - 1], 0.0]);
            out.push(((column, self.top(column) - 1), None, w));
        }
        for (plane, b, a) in side_faces(shape) {
            let overlap: Heights = face_heights(self.grid.heights[a], self.grid.heights[b]);
            let face = plane * len + b * n;
            let point = |y: i32, entry: usize| {
                let both = |v: &[f64]| [self.value(v, a, y), self.value(v, b, y)];
                self.conductance(f.open[face + entry], both(&f.phi), both(&f.solid))
            };
            let count = overlap[1] - overlap[0];
            for y in overlap[0]..self.top(a).min(self.top(b)) {
                let w = if y >= overlap[1] {
                    point(y, (y - face_base(overlap) + 2) as usize)
                } else if count == 1 {
                    point(y, 1)
                } else {
                    let t = f64::from(y - overlap[0]) / f64::from(count - 1);
                    (1.0 - t) * point(overlap[0], 0) + t * point(overlap[1] - 1, 1)
                };
                out.push(((a, y), Some((b, y)), w));
            }
        }
        out
    }

    /// `Pᵀ A_uniform P` between the given samples, from the energy `½ Σ w δp²`.
    pub(crate) fn galerkin(&self, unknowns: &[usize]) -> Vec<Vec<f64>> {
        let mut place = vec![usize::MAX; self.grid.shape.len()];
        for (number, index) in unknowns.iter().enumerate() {
            place[*index] = number;
        }
        let mut rows = vec![vec![0.0; unknowns.len()]; unknowns.len()];
        for (a, b, w) in self.faces() {
            let mut jump: Vec<(usize, f64)> = self.decode(a.0, a.1);
            if let Some(b) = b {
                jump.extend(self.decode(b.0, b.1).iter().map(|(i, v)| (*i, -v)));
            }
            jump.retain(|(i, _)| place[*i] != usize::MAX);
            for (i, vi) in &jump {
                for (j, vj) in &jump {
                    rows[place[*i]][place[*j]] += w * vi * vj;
                }
            }
        }
        rows
    }
}

/// World cells of a sample as the brute force sees them: only for assertions.
pub(crate) fn sample_cell(grid: &ColumnGrid, index: usize) -> (usize, i32) {
    let n = grid.shape.samples();
    (index / n, world_cell(grid.heights[index / n], index % n))
}
