//! The matrix against brute force.

use thalweg_columns::{ColumnGrid, Real, Shape};
use thalweg_pressure::{Discretisation, Fields, Level};

use crate::common::*;

/// A uniform world of cells in a box with its 7-point matrix, and the same as columns of `h = 2`.
struct Box3 {
    size: [usize; 3],
    terrain: Vec<i32>,
    phi: Vec<f64>,
    /// Openings of the lower x, y and z faces per cell.
    open: [Vec<f64>; 3],
}

impl Box3 {
    fn at(&self, i: usize, y: usize, k: usize) -> usize {
        (k * self.size[1] + y) * self.size[0] + i
    }

    /// `exact`: only values whose conductances and sums are exact in floating point: θ = 1/2, 1/4, 1/8.
    fn random(rng: &mut Rng, size: [usize; 3], exact: bool) -> Self {
        let cells = size.iter().product::<usize>();
        let mut phi = || match (rng.chance(0.6), exact) {
            (true, true) => -1.0,
            (false, true) => [1.0, 3.0, 7.0][rng.int(0, 2) as usize],
            (true, false) => -rng.between(0.0, 2.0),
            (false, false) => rng.between(0.0, 2.0),
        };
        let phi = (0..cells).map(|_| phi()).collect();
        let open = [(); 3].map(|()| (0..cells).map(|_| f64::from(rng.int(0, 8)) / 8.0).collect());
        let terrain = (0..size[0] * size[2]).map(|_| rng.int(0, 4)).collect();
        Self { size, terrain, phi, open }
    }

    /// Every column has the same number of cells, `regular + 2`, from its terrain up.
    fn columns(&self, regular: usize) -> (ColumnGrid, Fields<f64>) {
        let [nx, _, nz] = self.size;
        let shape = Shape { nx, nz, regular };
        let grid = ColumnGrid::new(shape, 0.5, &self.terrain, &vec![2; nx * nz]).expect("a valid grid");
        let (n, len) = (shape.samples(), shape.len());
        let mut f =
            Fields { phi: vec![0.0; len], solid: vec![0.0; len], open: vec![0.0; 3 * len], sink: vec![0.0; len] };
        for column in 0..shape.columns() {
            let (i, k) = (column % nx, column / nx);
            let bottom = self.terrain[column] as usize;
            for j in 0..n {
                f.phi[column * n + j] = self.phi[self.at(i, bottom + j, k)];
                // The face below sample j ≥ 1 is entry j, the top of the column entry 0.
                let y = if j == 0 { bottom + n } else { bottom + j };
                f.open[len + column * n + j] = self.open[1][self.at(i, y, k)];
            }
        }
        for (plane, column, other) in side_faces(shape) {
            let (a, b) = (self.terrain[other], self.terrain[column]);
            let (low, top) = (a.max(b), a.min(b) + 2);
            for j in 0..n {
                // Entries 0 and 1 are the overlap of the lower two cells; of one face, both hold its opening.
                let y = match j {
                    0 | 1 if top <= low => continue,
                    0 => low,
                    1 => top - 1,
                    _ => low.max(top) + j as i32 - 2,
                } as usize;
                if y < self.size[1] {
                    let cell = self.at(column % nx, y, column / nx);
                    f.open[plane * len + column * n + j] = self.open[plane][cell];
                }
            }
        }
        (grid, f)
    }

    /// The 7-point matrix as (row, column, value) between cells `(i, y, k)`, with the cells of the columns only.
    fn matrix(&self, cells: usize) -> std::collections::HashMap<(usize, usize), f64> {
        let [nx, _, nz] = self.size;
        let bottom = |i: usize, k: usize| self.terrain[i + k * nx] as usize;
        let exists = |i: usize, y: usize, k: usize| y >= bottom(i, k) && y < bottom(i, k) + cells;
        let mut rows = std::collections::HashMap::new();
        let mut face = |a: usize, b: Option<usize>, open: f64, phi_b: f64| {
            let phi_a = self.phi[a];
            let (wet_a, wet_b) = (phi_a < 0.0, phi_b < 0.0);
            let theta = match (wet_a, wet_b) {
                (true, true) => 1.0,
                (true, false) => (phi_a / (phi_a - phi_b)).max(THETA_MIN),
                (false, true) => (phi_b / (phi_b - phi_a)).max(THETA_MIN),
                (false, false) => return,
            };
            let w = open / theta;
            if wet_a {
                *rows.entry((a, a)).or_insert(0.0) += w;
            }
            if let Some(b) = b.filter(|_| wet_b) {
                *rows.entry((b, b)).or_insert(0.0) += w;
                if wet_a {
                    *rows.entry((a, b)).or_insert(0.0) -= w;
                    *rows.entry((b, a)).or_insert(0.0) -= w;
                }
            }
        };
        for k in 0..nz {
            for i in 0..nx {
                for y in bottom(i, k)..bottom(i, k) + cells {
                    let own = self.at(i, y, k);
                    if i > 0 && exists(i - 1, y, k) {
                        let other = self.at(i - 1, y, k);
                        face(other, Some(own), self.open[0][own], self.phi[own]);
                    }
                    if k > 0 && exists(i, y, k - 1) {
                        let other = self.at(i, y, k - 1);
                        face(other, Some(own), self.open[2][own], self.phi[own]);
                    }
                    let up = self.at(i, y + 1, k);
                    if exists(i, y + 1, k) {
                        face(own, Some(up), self.open[1][up], self.phi[up]);
                    } else {
                        face(own, None, self.open[1][up], self.phi[own].max(0.0) + 1.0);
                    }
                }
            }
        }
        rows
    }
}

fn compare_with_seven_points<T: Real>(seed: u64, exact: bool, tolerance: f64) {
    let mut rng = Rng::new(seed);
    let regular = 3 + rng.int(0, 3) as usize;
    let world = Box3::random(&mut rng, [5, regular + 8, 4], exact);
    let (grid, fields) = world.columns(regular);
    let expected = world.matrix(regular + 2);
    let level = level::<T>(&grid, &fields);
    let (unknowns, rows) = dense(&level);
    let cell = |index: usize| {
        let (column, y) = sample_cell(&grid, index);
        world.at(column % 5, y as usize, column / 5)
    };
    let walled_in = expected.iter().filter(|((r, c), v)| r == c && **v <= 1e-6).count();
    let wet = expected.keys().filter(|(r, c)| r == c).count() - walled_in;
    assert_eq!(unknowns.len(), wet, "seed {seed}: as many unknowns as wet cells");
    assert!(unknowns.len() > 30, "seed {seed}: an empty matrix would prove nothing");
    for (r, row) in rows.iter().enumerate() {
        for (c, value) in row.iter().enumerate() {
            let want = expected.get(&(cell(unknowns[r]), cell(unknowns[c]))).copied().unwrap_or(0.0);
            let close = (value - want).abs() <= tolerance * want.abs();
            assert!(close, "seed {seed}, row {r}, column {c}: {value} instead of {want}");
        }
    }
}

#[test]
fn columns_of_height_two_are_the_uniform_grid_bit_by_bit() {
    for seed in 0..12 {
        compare_with_seven_points::<f64>(seed, true, 0.0);
        compare_with_seven_points::<f32>(seed, true, 0.0);
    }
}

#[test]
fn columns_of_height_two_are_the_uniform_grid_for_any_surface() {
    for seed in 20..32 {
        compare_with_seven_points::<f64>(seed, false, 1e-14);
        compare_with_seven_points::<f32>(seed, false, 2e-6);
    }
}

const MESSES: [Mess; 4] = [
    Mess { air: 0.0, solid: 0.0, closed: 0.0, tall: false },
    Mess { air: 0.3, solid: 0.0, closed: 0.0, tall: false },
    Mess { air: 0.3, solid: 0.1, closed: 0.5, tall: false },
    Mess { air: 0.2, solid: 0.05, closed: 0.5, tall: true },
];

fn random_level(seed: u64) -> (ColumnGrid, Fields<f64>) {
    let mut rng = Rng::new(seed);
    let shape = Shape { nx: 4, nz: 1 + (seed % 3) as usize, regular: 6 };
    // Tall cells of 2 to 12 cells, some beside ones of height two, some without any overlap.
    let grid = random_grid(&mut rng, shape, [2, 12], 8, 1.0);
    let fields = random_fields(&mut rng, &grid, MESSES[(seed % 4) as usize]);
    (grid, fields)
}

#[test]
fn tall_rows_are_the_galerkin_form_of_the_uniform_grid() {
    for seed in 0..48 {
        let (grid, fields) = random_level(seed);
        let check = |rows: &[Vec<f64>], expected: &[Vec<f64>], tolerance: f64| {
            for (r, (row, want)) in rows.iter().zip(expected).enumerate() {
                for (c, (a, b)) in row.iter().zip(want).enumerate() {
                    let bound = tolerance * want[r].abs().max(1.0);
                    assert!((a - b).abs() <= bound, "seed {seed} ({r}, {c}): {a} instead of {b}");
                }
            }
        };
        let (unknowns, rows) = dense(&level::<f64>(&grid, &fields));
        let expected = World::new(&grid, &fields).galerkin(&unknowns);
        check(&rows, &expected, 1e-13);
        let (same, rows) = dense(&level::<f32>(&grid, &fields));
        if same == unknowns {
            check(&rows, &expected, 5e-6);
        }
    }
}

#[test]
fn the_matrix_is_symmetric_and_positive() {
    for seed in 0..24 {
        let (grid, fields) = random_level(seed);
        let level = level::<f64>(&grid, &fields);
        let mut rng = Rng::new(1000 + seed);
        let mut random = || -> Vec<f64> {
            level.diagonal.iter().map(|d| if *d > 0.0 { rng.between(-1.0, 1.0) } else { 0.0 }).collect()
        };
        let (x, y) = (random(), random());
        let (mut ax, mut ay) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        let energy = level.multiply(&x, &mut ax);
        level.multiply(&y, &mut ay);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (one, other) = (dot(&y, &ax), dot(&x, &ay));
        assert!((one - other).abs() < 1e-13 * energy.abs().max(1.0), "seed {seed}: {one} {other}");
        assert!(energy > 0.0 && (energy - dot(&x, &ax)).abs() < 1e-12 * energy, "seed {seed}: {energy}");
    }
}

#[test]
fn the_collocated_rows_are_not_symmetric() {
    // So that the test above is known to be able to fail.
    let mut rng = Rng::new(7);
    let grid = random_grid(&mut rng, Shape { nx: 4, nz: 3, regular: 6 }, [6, 12], 6, 1.0);
    let fields = random_fields(&mut rng, &grid, MESSES[0]);
    let level = Level::new(grid, fields, THETA_MIN, Discretisation::Collocated);
    let (_, rows) = dense(&level);
    let skew = (0..rows.len())
        .flat_map(|r| (0..r).map(move |c| (r, c)))
        .fold(0.0, |a: f64, (r, c)| a.max((rows[r][c] - rows[c][r]).abs()));
    assert!(skew > 0.1, "{skew}");
}
