use thalweg_columns::Shape;
use thalweg_compute::parity::{Rng, test_executors};

use super::parity::filled;
use crate::solver::stages::extrapolate::FAR;

#[test]
fn far_faces_take_the_mean_of_the_smallest_square_that_knows_one() {
    let shape = Shape { nx: 8, nz: 4, regular: 6 };
    let (n, len) = (shape.samples(), shape.len());
    let mut rng = Rng::new(5);
    let mut faces = rng.f32s(3 * len, -1.0, 1.0);
    let mut known = vec![FAR; 3 * len];
    // x: columns 0 and 1 know 2 and 4 m/s; y: nothing; z: only faces of water are known.
    (known[3], faces[3]) = (4, 2.0);
    (known[n + 5], faces[n + 5]) = (6, 4.0);
    known[2 * len..2 * len + n].fill(0);
    for exec in test_executors() {
        let got = filled(exec, shape, &known, &faces);
        for (at, got) in got[..len].iter().enumerate() {
            let wanted = match at / n {
                0 => 2.0,
                1 => 4.0,
                _ => 3.0, // the square of two columns and all larger ones
            };
            assert_eq!(*got, wanted, "{} x face {at}", exec.describe());
        }
        assert_eq!(got[len..], faces[len..], "{}: nothing to take", exec.describe());
    }
}
