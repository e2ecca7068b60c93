use thalweg_compute::Executor;
use thalweg_compute::parity::{Rng, Tolerance, assert_parity, test_executors};
use thalweg_pressure::Shape;

use super::FarField;
use crate::extrapolate::{CLOSED, FAR};

fn filled(exec: &Executor, shape: Shape, known: &[u32], faces: &[f32]) -> Vec<f32> {
    let far = FarField::new(exec, shape).unwrap();
    let known = exec.buffer_from("known", known).unwrap();
    let faces = exec.buffer_from("faces", faces).unwrap();
    let mut rec = exec.record();
    far.record(&mut rec, &known, &faces).unwrap();
    rec.submit().unwrap();
    exec.read(&faces).unwrap()
}

/// Sums of up to a few hundred numbers between -1 and 1, in the same order.
#[test]
fn far_field_parity() {
    for (nx, nz, regular) in [(1, 1, 6), (13, 1, 7), (1, 9, 6), (8, 8, 9), (17, 5, 6)] {
        assert_parity(2, |exec, rng, out| {
            let shape = Shape { nx, nz, regular };
            // Few columns know anything, so that all levels are asked.
            let columns: Vec<bool> = (0..shape.columns()).map(|_| rng.below(6) == 0).collect();
            let known: Vec<u32> = (0..3 * shape.len())
                .map(|at| match rng.below(4) {
                    0 => CLOSED,
                    1 => 0,
                    2 if columns[at % shape.len() / shape.samples()] => 1 + rng.below(6),
                    _ => FAR,
                })
                .collect();
            let faces = rng.f32s(3 * shape.len(), -1.0, 1.0);
            out.f32("faces", filled(exec, shape, &known, &faces), Tolerance::Absolute(1e-5));
            Ok(())
        });
    }
}

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
