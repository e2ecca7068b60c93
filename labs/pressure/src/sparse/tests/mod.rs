//! Sparse algebra held against dense brute force, on seeded random systems.

mod cholesky;
mod csr;
mod pcg;

use thalweg_columns::Real;

use super::{Csr, NONE, SevenPoint};

/// SplitMix64: small, seeded, the same everywhere.
struct Random(u64);

impl Random {
    /// Uniform in 0..1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in −1..1.
    fn vector<T: Real>(&mut self, n: usize) -> Vec<T> {
        (0..n).map(|_| T::of(2.0 * self.unit() - 1.0)).collect()
    }
}

/// Water, air and solid at random in a box: the Poisson matrix of the water, with ghost-fluid terms towards air.
/// The fastest axis is the first one of `dims`.
fn poisson<T: Real>(dims: [usize; 3], random: &mut Random) -> SevenPoint<T> {
    let cells: usize = dims.iter().product();
    let kinds: Vec<f64> = (0..cells).map(|_| random.unit()).collect(); // below 0.8 water, below 0.9 air, else solid
    let mut id = vec![NONE; cells];
    let water: Vec<usize> = (0..cells).filter(|c| kinds[*c] < 0.8).collect();
    water.iter().enumerate().for_each(|(u, c)| id[*c] = u as u32);
    let mut neighbours: [Vec<u32>; 6] = std::array::from_fn(|_| vec![NONE; water.len()]);
    let mut diag = vec![T::zero(); water.len()];
    for (u, c) in water.iter().enumerate() {
        let mut stride = 1;
        for (axis, dim) in dims.iter().enumerate() {
            let at = c / stride % dim;
            for (side, inside) in [at > 0, at + 1 < *dim].into_iter().enumerate() {
                let other = if side == 0 { c.wrapping_sub(stride) } else { c + stride };
                if inside && kinds[other] < 0.8 {
                    neighbours[2 * axis + side][u] = id[other];
                    diag[u] += T::one();
                } else if inside && kinds[other] < 0.9 {
                    diag[u] += T::of((0.1 + 0.9 * random.unit()).recip());
                }
            }
            stride *= dim;
        }
    }
    // A pocket without air has a singular matrix; the little that is added keeps dense Cholesky alive.
    diag.iter_mut().for_each(|d| *d += T::of(0.01));
    SevenPoint::new(neighbours, diag)
}

/// Every entry of the matrix, zeros included.
fn dense<T: Real>(a: &Csr<T>) -> Vec<Vec<f64>> {
    let mut full = vec![vec![0.0; a.column_count]; a.rows()];
    for (r, row) in full.iter_mut().enumerate() {
        a.row(r).for_each(|(c, v)| row[c] = v.to_double());
    }
    full
}

/// `a · b` of dense matrices.
fn dense_product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let columns = b.first().map_or(0, Vec::len);
    let entry = |row: &[f64], c: usize| row.iter().zip(b).map(|(v, b)| v * b[c]).sum();
    a.iter().map(|row| (0..columns).map(|c| entry(row, c)).collect()).collect()
}

fn dense_transpose(a: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..a[0].len()).map(|c| a.iter().map(|row| row[c]).collect()).collect()
}

/// Solves by dense Cholesky.
fn dense_solve(a: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let n = a.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            l[i][j] = if i == j { (a[i][i] - known).sqrt() } else { (a[i][j] - known) / l[j][j] };
        }
    }
    let mut x = b.to_vec();
    for i in 0..n {
        let known: f64 = (0..i).map(|k| l[i][k] * x[k]).sum();
        x[i] = (x[i] - known) / l[i][i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| l[k][i] * x[k]).sum();
        x[i] = (x[i] - known) / l[i][i];
    }
    x
}

/// Largest difference of two dense matrices; NaN when an entry is.
fn difference(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    assert_eq!(a.len(), b.len());
    let rows: Vec<f64> = a.iter().zip(b).map(|(a, b)| vector_difference(a, b)).collect();
    vector_difference(&rows, &vec![0.0; rows.len()])
}

/// Largest difference of two vectors; NaN when an entry is.
fn vector_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let sizes: Vec<f64> = a.iter().zip(b).map(|(a, b)| (a - b).abs()).collect();
    if sizes.iter().any(|d| d.is_nan()) { f64::NAN } else { sizes.into_iter().fold(0.0, f64::max) }
}

#[test]
fn the_comparators_can_fail() {
    let a = vec![vec![1.0, 2.0], vec![3.0, 4.0]];
    let mut b = a.clone();
    assert_eq!(difference(&a, &b), 0.0);
    b[1][0] += 0.5;
    assert_eq!(difference(&a, &b), 0.5);
    b[0][1] = f64::NAN;
    assert!(difference(&a, &b).is_nan());
    assert!(vector_difference(&a[0], &b[0]).is_nan());
}
