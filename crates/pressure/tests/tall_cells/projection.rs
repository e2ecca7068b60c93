//! Projection: what the update takes is what the matrix says, twice is once, energy does not grow.

use thalweg_columns::{ColumnGrid, FaceVelocity, Real, Shape};
use thalweg_pressure::velocity::{Collocated, Staggered};
use thalweg_pressure::{Discretisation, Fields, Level};

use crate::common::*;

const MESSES: [Mess; 4] = [
    Mess { air: 0.0, solid: 0.0, closed: 0.0, tall: false },
    Mess { air: 0.25, solid: 0.0, closed: 0.0, tall: false },
    Mess { air: 0.25, solid: 0.05, closed: 0.4, tall: false },
    Mess { air: 0.2, solid: 0.05, closed: 0.4, tall: true },
];

fn scene(seed: u64) -> (ColumnGrid, Fields<f64>) {
    let mut rng = Rng::new(seed);
    let shape = Shape { nx: 5, nz: 1 + (seed % 3) as usize, regular: 6 };
    let grid = random_grid(&mut rng, shape, [2, 20], 7, 0.5);
    let fields = random_fields(&mut rng, &grid, MESSES[(seed % 4) as usize]);
    (grid, fields)
}

/// `D(a G q) = A q` for any `q`: the operators and the matrix are one.
fn divergence_of_the_update<T: Real>(tolerance: f64) {
    for seed in 0..48 {
        let (grid, fields) = scene(seed);
        let level = level::<T>(&grid, &fields);
        let mut rng = Rng::new(500 + seed);
        let q: Vec<T> = level
            .diagonal
            .iter()
            .map(|d| if *d > T::zero() { T::of(rng.between(-1.0, 1.0)) } else { T::zero() })
            .collect();
        let (mut product, mut b) = (vec![T::zero(); q.len()], vec![T::zero(); q.len()]);
        level.multiply(&q, &mut product);
        let operators = Staggered::new(&level);
        let mut u = FaceVelocity::zero(grid.shape);
        operators.update(&q, &mut u);
        operators.rhs(&u, &mut b);
        for (index, (b, p)) in b.iter().zip(&product).enumerate() {
            let bound = tolerance * level.diagonal[index].to_double().max(1.0);
            let sum = (*b + *p).to_double();
            assert!(sum.abs() < bound, "seed {seed}, {:?}: {b} against {p}", sample_cell(&grid, index));
        }
    }
}

#[test]
fn the_update_is_what_the_matrix_says() {
    divergence_of_the_update::<f64>(2e-13);
    divergence_of_the_update::<f32>(5e-5);
}

/// Projects with a dense solve; returns the largest right-hand side before and after.
fn project_dense(level: &Level<f64>, operators: &Staggered<'_, f64>, u: &mut FaceVelocity<f64>) -> [f64; 2] {
    let (unknowns, rows) = dense(level);
    let mut b = vec![0.0; level.grid.shape.len()];
    operators.rhs(u, &mut b);
    let before = largest(&b);
    let x = dense_solve(rows, unknowns.iter().map(|i| b[*i]).collect());
    let mut q = vec![0.0; b.len()];
    for (i, x) in unknowns.iter().zip(x) {
        q[*i] = x;
    }
    operators.update(&q, u);
    operators.rhs(u, &mut b);
    [before, largest(&b)]
}

#[test]
fn projecting_twice_changes_nothing() {
    for seed in 0..48 {
        let (grid, fields) = scene(seed);
        let level = level::<f64>(&grid, &fields);
        let mut rng = Rng::new(900 + seed);
        // Solids that move, each face on its own.
        let solid: Vec<f64> = (0..3 * grid.shape.len()).map(|_| rng.between(-1.0, 1.0)).collect();
        let operators = Staggered::with_solids(&level, &solid);
        let mut u = random_velocity(&mut rng, grid.shape);
        let [before, after] = project_dense(&level, &operators, &mut u);
        assert!(before > 0.1 && after < 1e-11 * before, "seed {seed}: {before} → {after:e}");
        let once = u.clone();
        project_dense(&level, &operators, &mut u);
        let change = u.faces.iter().chain(&u.inner).zip(once.faces.iter().chain(&once.inner));
        let change = change.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // The matrix's condition (θ down to 0.01) times rounding.
        assert!(change < 1e-9, "seed {seed}: {change:e}");
    }
}

#[test]
fn projecting_twice_changes_nothing_with_the_solver_in_floats() {
    for seed in [1, 5, 9] {
        let (grid, fields) = scene(seed);
        let level = level::<f32>(&grid, &fields);
        let operators = Staggered::new(&level);
        let mut u = random_velocity(&mut Rng::new(seed), grid.shape);
        let mut b = vec![0.0; grid.shape.len()];
        operators.rhs(&u, &mut b);
        let before = largest(&b);
        project(&level, &operators, &mut u, 1e-6);
        operators.rhs(&u, &mut b);
        assert!(largest(&b) < 3e-5 * before, "seed {seed}: {before} → {:e}", largest(&b));
    }
}

#[test]
fn projection_is_orthogonal_in_kinetic_energy() {
    for seed in (0..48).filter(|seed| seed % 4 != 3) {
        let (grid, fields) = scene(seed);
        let level = level::<f64>(&grid, &fields);
        let operators = Staggered::new(&level);
        let mut u = random_velocity(&mut Rng::new(300 + seed), grid.shape);
        let before = u.clone();
        let energy = operators.kinetic_energy(&u, 1000.0);
        project_dense(&level, &operators, &mut u);
        let after = operators.kinetic_energy(&u, 1000.0);
        let mut taken = before;
        for (t, v) in taken.faces.iter_mut().zip(&u.faces).chain(taken.inner.iter_mut().zip(&u.inner)) {
            *t -= *v;
        }
        let taken = operators.kinetic_energy(&taken, 1000.0);
        assert!(after < energy && after > 0.0, "seed {seed}: {energy} → {after}");
        assert!((energy - after - taken).abs() < 1e-10 * energy, "seed {seed}: {energy} = {after} + {taken}");
    }
}

/// Where a surface cuts through overlaps of tall cells the update only keeps their two moments.
#[test]
fn energy_hardly_grows_where_a_surface_cuts_tall_cells() {
    let mut worst: f64 = 0.0;
    for seed in (0..200).filter(|seed| seed % 4 == 3) {
        let (grid, fields) = scene(seed);
        let level = level::<f64>(&grid, &fields);
        let operators = Staggered::new(&level);
        let mut u = random_velocity(&mut Rng::new(300 + seed), grid.shape);
        let energy = operators.kinetic_energy(&u, 1000.0);
        project_dense(&level, &operators, &mut u);
        worst = worst.max(operators.kinetic_energy(&u, 1000.0) / energy);
    }
    println!("largest energy ratio of a projection with cut overlaps: {worst:.3}");
    assert!(worst < 1.0, "{worst}");
}

/// Water and solids that move together along x have no divergence, however much of each face is solid.
#[test]
fn fluxes_of_water_and_solid_add_up() {
    for seed in 0..8 {
        let mut rng = Rng::new(seed);
        let shape = Shape { nx: 6, nz: 3, regular: 8 };
        let tall: Vec<i32> = (0..shape.columns()).map(|_| rng.int(2, 12)).collect();
        let grid = ColumnGrid::new(shape, 0.5, &vec![0; shape.columns()], &tall).expect("a valid grid");
        let fields = random_fields(&mut rng, &grid, Mess { air: 0.0, solid: 0.1, closed: 0.7, tall: true });
        let level = level::<f64>(&grid, &fields);
        let (n, len) = (shape.samples(), shape.len());
        let mut u = FaceVelocity::zero(shape);
        u.accelerate([2.0, 0.0, 0.0]);
        let solid = u.faces.clone();
        let operators = Staggered::with_solids(&level, &solid);
        let mut divergence = vec![f64::NAN; len];
        operators.divergence(&u, &mut divergence);
        let low = tall.iter().min().expect("columns") + shape.regular as i32;
        for (index, d) in divergence.iter().enumerate() {
            let (column, y) = sample_cell(&grid, index);
            // The wall at the far end stands still, and so does what lies above a lower neighbour.
            if column % shape.nx + 1 < shape.nx && y < low && (index % n >= 2 || tall[column] <= low) {
                assert!(d.abs() < 1e-11, "seed {seed} {column} {y}: {d}");
            }
        }
        // What runs against the wall.
        let last = shape.nx - 1;
        let beside =
            (2..n).filter(|j| tall[last] + *j as i32 - 2 < low && tall[last - 1] <= tall[last] + *j as i32 - 2);
        for sample in beside {
            let at_wall = divergence[last * n + sample];
            assert!((at_wall + 4.0).abs() < 1e-11, "seed {seed}: {at_wall}");
        }
    }
}

/// The published scheme as a matrix on all velocities of a slice.
struct Scheme {
    level: Level<f64>,
    unknowns: Vec<usize>,
    inverse: Vec<Vec<f64>>,
}

impl Scheme {
    fn new(tall: i32) -> Self {
        let shape = Shape { nx: 8, nz: 1, regular: 8 };
        let grid = ColumnGrid::new(shape, 1.0, &[20 - tall; 8], &[tall; 8]).expect("a valid grid");
        let fields = water(&grid, |_| 24.4);
        let level = Level::new(grid, fields, THETA_MIN, Discretisation::Collocated);
        let (unknowns, rows) = dense(&level);
        let count = unknowns.len();
        let columns: Vec<Vec<f64>> = (0..count)
            .map(|c| dense_solve(rows.clone(), (0..count).map(|r| if r == c { 1.0 } else { 0.0 }).collect()))
            .collect();
        Self { level, unknowns, inverse: columns }
    }

    fn project(&self, u: &mut [f64]) {
        let operators = Collocated::new(&self.level);
        let len = self.level.grid.shape.len();
        let (mut b, mut q) = (vec![0.0; len], vec![0.0; len]);
        operators.rhs(u, &mut b);
        for (c, index) in self.unknowns.iter().enumerate() {
            for (r, row) in self.unknowns.iter().enumerate() {
                q[*row] += self.inverse[c][r] * b[*index];
            }
        }
        operators.update(&q, u);
    }

    fn divergence(&self, u: &[f64]) -> f64 {
        let mut b = vec![0.0; self.level.grid.shape.len()];
        Collocated::new(&self.level).rhs(u, &mut b);
        b.iter().map(|b| b * b).sum::<f64>().sqrt()
    }

    /// Entries of the x and y velocities of unknowns, with the number of cells that each stands for.
    fn places(&self) -> Vec<(usize, f64)> {
        let (n, len) = (self.level.grid.shape.samples(), self.level.grid.shape.len());
        let heights = &self.level.grid.heights;
        let cells = |i: usize| if i % n < 2 { f64::from(heights[i / n][1] - heights[i / n][0]) / 2.0 } else { 1.0 };
        self.unknowns.iter().flat_map(|i| [(*i, cells(*i)), (len + *i, cells(*i))]).collect()
    }

    /// Largest growth of kinetic energy's root in one projection: power iteration on `MᵀM`.
    fn norm(&self) -> f64 {
        let places = self.places();
        let len = self.level.grid.shape.len();
        let columns: Vec<Vec<f64>> = places
            .iter()
            .map(|(place, cells)| {
                let mut u = vec![0.0; 3 * len];
                u[*place] = 1.0 / cells.sqrt();
                self.project(&mut u);
                places.iter().map(|(p, c)| u[*p] * c.sqrt()).collect()
            })
            .collect();
        let mut rng = Rng::new(1);
        let mut v: Vec<f64> = places.iter().map(|_| rng.between(-1.0, 1.0)).collect();
        let mut norm = 0.0;
        for _ in 0..200 {
            let mut w = vec![0.0; v.len()];
            for (column, v) in columns.iter().zip(&v) {
                w.iter_mut().zip(column).for_each(|(w, c)| *w += c * v);
            }
            v = columns.iter().map(|column| column.iter().zip(&w).map(|(c, w)| c * w).sum()).collect();
            norm = v.iter().map(|v| v * v).sum::<f64>().sqrt();
            v.iter_mut().for_each(|v| *v /= norm);
        }
        norm.sqrt()
    }
}

/// Why the staggered form is the default: the collocated one multiplies kinetic energy and leaves most divergence.
#[test]
fn the_collocated_scheme_is_no_projection() {
    for (tall, norms) in [(2, 1.0..1.25), (12, 1.5..4.0)] {
        let scheme = Scheme::new(tall);
        let mut rng = Rng::new(2);
        let mut u = vec![0.0; 3 * scheme.level.grid.shape.len()];
        for (place, _) in scheme.places() {
            u[place] = rng.between(-1.0, 1.0);
        }
        let before = scheme.divergence(&u);
        scheme.project(&mut u);
        let left = scheme.divergence(&u) / before;
        let norm = scheme.norm();
        println!("collocated, h = {tall}: energy norm {norm:.2} (ratio {:.1}), divergence left {left:.2}", norm * norm);
        assert!(norms.contains(&norm), "h = {tall}: {norm}");
        assert!((0.2..0.9).contains(&left), "h = {tall}: {left}");
    }
}
