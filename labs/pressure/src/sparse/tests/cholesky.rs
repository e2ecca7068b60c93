//! Incomplete factors: what they keep, and where they are exact.

use super::super::{IncompleteCholesky, Preconditioner, SevenPointCholesky};
use super::*;

/// Random symmetric M-matrix, strictly dominant so that no pivot falls under the safety bound.
fn m_matrix(n: usize, random: &mut Random) -> Csr<f64> {
    let mut rows: Vec<Vec<(u32, f64)>> = (0..n).map(|i| vec![(i as u32, 0.5)]).collect();
    for i in 0..n {
        for j in 0..i {
            if random.unit() < 0.15 {
                let v = random.unit();
                rows[i].extend([(j as u32, -v), (i as u32, 1.5 * v)]);
                rows[j].extend([(i as u32, -v), (j as u32, 1.5 * v)]);
            }
        }
    }
    Csr::from_rows(n, rows.into_iter())
}

/// `L Lᵀ`, dense.
fn factor_product(factor: &IncompleteCholesky<f64>, n: usize) -> Vec<Vec<f64>> {
    let mut l = vec![vec![0.0; n]; n];
    for (i, row) in l.iter_mut().enumerate() {
        factor.factor_row(i).into_iter().for_each(|(c, v)| row[c] = v);
    }
    dense_product(&l, &dense_transpose(&l))
}

#[test]
fn plain_factor_reproduces_the_matrix_on_its_pattern() {
    let mut random = Random(3);
    for n in [1, 2, 10, 60] {
        let a = m_matrix(n, &mut random);
        let got = factor_product(&IncompleteCholesky::new(&a, 0.0), n);
        let mut fill = 0.0_f64;
        for (r, row) in got.iter().enumerate() {
            let stored: Vec<(usize, f64)> = a.row(r).collect();
            for (c, v) in row.iter().enumerate() {
                match stored.iter().find(|entry| entry.0 == c) {
                    Some((_, want)) => assert!((v - want).abs() < 1e-13, "({r}, {c}): {v} not {want}"),
                    None => fill = fill.max(v.abs()),
                }
            }
        }
        assert!(n < 10 || fill > 1e-3, "nothing was dropped: the test says little");
    }
}

#[test]
fn modified_factor_keeps_row_sums() {
    let mut random = Random(4);
    let a = m_matrix(60, &mut random);
    let sums = |m: &[Vec<f64>]| -> Vec<f64> { m.iter().map(|row| row.iter().sum()).collect() };
    let want = sums(&dense(&a));
    let apart = |modified| vector_difference(&sums(&factor_product(&IncompleteCholesky::new(&a, modified), 60)), &want);
    assert!(apart(1.0) < 1e-12, "{}", apart(1.0));
    assert!(apart(0.0) > 1e-2);
    assert!(apart(0.9) > 1e-3 && apart(0.9) < apart(0.0));
}

#[test]
fn tridiagonal_factors_are_exact() {
    let mut random = Random(5);
    let n = 50;
    let rows = (0..n as u32).map(|i| {
        let neighbours = [i.checked_sub(1), (i + 1 < n as u32).then_some(i + 1)];
        let beside = neighbours.into_iter().flatten().map(|j| (j, -1.0));
        beside.chain([(i, 2.0 + f64::from(i % 3))]).collect()
    });
    let a = Csr::from_rows(n, rows);
    let want: Vec<f64> = random.vector(n);
    let (mut r, mut z) = (vec![0.0; n], vec![f64::NAN; n]);
    a.multiply(&want, &mut r);
    for modified in [0.0, 0.97] {
        IncompleteCholesky::new(&a, modified).precondition(&r, &mut z);
        assert!(vector_difference(&z, &want) < 1e-13);
        // The same matrix as one row of cells, along each axis in turn.
        for axis in 0..3 {
            let mut neighbours: [Vec<u32>; 6] = std::array::from_fn(|_| vec![NONE; n]);
            neighbours[2 * axis] = (0..n as u32).map(|i| i.wrapping_sub(1)).collect();
            neighbours[2 * axis + 1] = (1..n as u32).chain([NONE]).collect();
            let line = SevenPoint::new(neighbours, a.diagonal());
            z.fill(f64::NAN);
            SevenPointCholesky::new(&line, modified).precondition(&r, &mut z);
            assert!(vector_difference(&z, &want) < 1e-13);
        }
    }
}

#[test]
fn seven_point_equals_compressed_rows() {
    let mut random = Random(6);
    for dims in [[1, 1, 1], [7, 1, 1], [1, 9, 1], [1, 1, 9], [1, 6, 7], [3, 1, 8], [17, 13, 9], [40, 30, 20]] {
        let a = poisson::<f64>(dims, &mut random);
        let rows = a.to_csr();
        let n = rows.rows();
        let r: Vec<f64> = random.vector(n);
        let (mut got, mut want) = (vec![f64::NAN; n], vec![f64::NAN; n]);
        let pq = super::super::LinearOperator::apply_dot(&a, &r, &mut got);
        rows.multiply(&r, &mut want);
        assert!(vector_difference(&got, &want) < 1e-13, "{dims:?}");
        let sum: f64 = r.iter().zip(&want).map(|(r, w)| r * w).sum();
        assert!((pq - sum).abs() <= 1e-12 * sum.abs(), "{dims:?}");
        for modified in [0.0, 0.5, 0.97] {
            got.fill(f64::NAN);
            want.fill(f64::NAN);
            let rz = SevenPointCholesky::new(&a, modified).precondition_dot(&r, &mut got);
            IncompleteCholesky::new(&rows, modified).precondition(&r, &mut want);
            assert!(vector_difference(&got, &want) < 1e-11, "{dims:?} {}", vector_difference(&got, &want));
            let sum: f64 = r.iter().zip(&want).map(|(r, w)| r * w).sum();
            assert!((rz - sum).abs() <= 1e-12 * sum.abs(), "{dims:?}");
        }
    }
}

#[test]
fn a_helix_does_not_read_itself() {
    // A row of cells wound up with three to a turn: the far neighbours of a long run would lie within the run.
    let n = 30_u32;
    let mut neighbours: [Vec<u32>; 6] = std::array::from_fn(|_| vec![NONE; n as usize]);
    for (axis, distance) in [(0, 1), (2, 3)] {
        neighbours[2 * axis] = (0..n).map(|u| u.checked_sub(distance).unwrap_or(NONE)).collect();
        neighbours[2 * axis + 1] = (0..n).map(|u| if u + distance < n { u + distance } else { NONE }).collect();
    }
    let a = SevenPoint::new(neighbours, vec![4.5; n as usize]);
    let rows = a.to_csr();
    let r: Vec<f64> = Random(7).vector(n as usize);
    let (mut got, mut want) = (vec![f64::NAN; n as usize], vec![f64::NAN; n as usize]);
    SevenPointCholesky::new(&a, 0.97).precondition(&r, &mut got);
    IncompleteCholesky::new(&rows, 0.97).precondition(&r, &mut want);
    assert!(vector_difference(&got, &want) < 1e-14);
}

#[test]
fn blocks_in_blocks_are_a_valid_order() {
    // Blocks of 2×2×2 cells: three neighbours before a cell, none of them next to it.
    let (edge, block) = (6, 2);
    let blocks = edge / block;
    let index = |p: [usize; 3]| {
        let (b, i) = (p.map(|v| v / block), p.map(|v| v % block));
        ((b[2] * blocks + b[1]) * blocks + b[0]) * block.pow(3) + (i[2] * block + i[1]) * block + i[0]
    };
    let n = edge * edge * edge;
    let mut neighbours: [Vec<u32>; 6] = std::array::from_fn(|_| vec![NONE; n]);
    for c in 0..n {
        let p = [c % edge, c / edge % edge, c / edge / edge];
        for axis in 0..3 {
            let mut o = p;
            o[axis] += 1;
            if o[axis] < edge {
                neighbours[2 * axis + 1][index(p)] = index(o) as u32;
                neighbours[2 * axis][index(o)] = index(p) as u32;
            }
        }
    }
    let a = SevenPoint::new(neighbours, vec![6.0; n]);
    let rows = a.to_csr();
    assert_eq!(rows.columns.len(), n + 2 * 3 * edge * edge * (edge - 1));
    let r: Vec<f64> = Random(8).vector(n);
    let (mut got, mut want) = (vec![f64::NAN; n], vec![f64::NAN; n]);
    super::super::LinearOperator::apply(&a, &r, &mut got);
    rows.multiply(&r, &mut want);
    assert!(vector_difference(&got, &want) < 1e-14);
    SevenPointCholesky::new(&a, 0.97).precondition(&r, &mut got);
    IncompleteCholesky::new(&rows, 0.97).precondition(&r, &mut want);
    assert!(vector_difference(&got, &want) < 1e-13);
}

#[test]
#[should_panic(expected = "not mutual")]
fn one_sided_neighbours_are_refused() {
    let mut neighbours: [Vec<u32>; 6] = std::array::from_fn(|_| vec![NONE; 2]);
    neighbours[1][0] = 1;
    let _ = SevenPoint::new(neighbours, vec![1.0, 1.0]);
}

#[test]
fn an_empty_row_stays_finite() {
    // A cell shut in by solids.
    let a = SevenPoint::new(std::array::from_fn(|_| vec![NONE; 1]), vec![0.0]);
    let mut z = [f64::NAN];
    SevenPointCholesky::new(&a, 0.97).precondition(&[1.0], &mut z);
    assert_eq!(z, [0.0]);
    IncompleteCholesky::new(&a.to_csr(), 0.97).precondition(&[1.0], &mut z);
    assert_eq!(z, [0.0]);
}
