//! Algebra of compressed rows.

use super::*;

fn random_matrix(rows: usize, columns: usize, random: &mut Random) -> Csr<f64> {
    let rows: Vec<Vec<(u32, f64)>> = (0..rows)
        .map(|_| {
            let entries = (random.unit() * 6.0) as usize; // some rows stay empty, some columns come twice
            (0..entries).map(|_| ((random.unit() * columns as f64) as u32, random.unit() - 0.5)).collect()
        })
        .collect();
    Csr::from_rows(columns, rows.into_iter())
}

#[test]
fn rows_are_sorted_and_duplicates_summed() {
    let a = Csr::from_rows(4, [vec![(3, 1.0), (0, 2.0), (3, 0.5)], vec![], vec![(2, 7.0)]].into_iter());
    assert_eq!((a.rows(), a.row_start.as_slice()), (3, [0, 2, 2, 3].as_slice()));
    assert_eq!(a.row(0).collect::<Vec<_>>(), [(0, 2.0), (3, 1.5)]);
    assert_eq!(a.diagonal(), [2.0, 0.0, 7.0]);
    // The same column at the end of one row and the start of the next is no duplicate.
    let b = Csr::from_rows(2, [vec![(1, 1.0)], vec![(1, 2.0)]].into_iter());
    assert_eq!(b.values, [1.0, 2.0]);
}

#[test]
#[should_panic(expected = "column 2 of 2")]
fn a_column_outside_is_refused() {
    let _ = Csr::from_rows(2, [vec![(2, 1.0)]].into_iter());
}

#[test]
fn algebra_matches_dense_matrices() {
    let mut random = Random(1);
    for (rows, inner, columns) in [(1, 1, 1), (5, 9, 4), (40, 30, 50), (300, 200, 100)] {
        let (a, b) = (random_matrix(rows, inner, &mut random), random_matrix(inner, columns, &mut random));
        assert_eq!(dense(&a.transpose()), dense_transpose(&dense(&a)));
        assert_eq!(a.transpose().transpose(), a);
        let product = a.product(&b);
        // Sums of at most six products below 1/4 each.
        assert!(difference(&dense(&product), &dense_product(&dense(&a), &dense(&b))) < 1e-15);
        assert!((0..rows).all(|r| product.row(r).map(|e| e.0).is_sorted()));
        let x: Vec<f64> = random.vector(inner);
        let mut y = vec![f64::NAN; rows];
        a.multiply(&x, &mut y);
        let column: Vec<Vec<f64>> = x.iter().map(|v| vec![*v]).collect();
        let want: Vec<f64> = dense_product(&dense(&a), &column).into_iter().map(|row| row[0]).collect();
        assert!(vector_difference(&y, &want) < 1e-15);
    }
}

#[test]
fn galerkin_matches_dense_matrices() {
    let mut random = Random(2);
    let a = poisson::<f64>([6, 5, 4], &mut random).to_csr();
    let p = random_matrix(a.rows(), 20, &mut random);
    let want = dense_product(&dense_product(&dense_transpose(&dense(&p)), &dense(&a)), &dense(&p));
    let got = dense(&a.galerkin(&p));
    assert!(difference(&got, &want) < 1e-13); // entries up to 30
    assert!(difference(&got, &dense_transpose(&got)) < 1e-13);
}
