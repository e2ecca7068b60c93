use thalweg_compute::parity::test_executors;
use thalweg_pressure::Shape;

use super::parity::filled;
use crate::testing_heights::Scene;

#[test]
fn solids_take_the_level_set_beside_them() {
    let shape = Shape { nx: 12, nz: 5, regular: 20 };
    let n = shape.samples();
    // Water of ten cells, a wall from column 4 on; what is inside of it says the opposite.
    let is_wall = |at: usize| at / n % 12 >= 4;
    let mut scene = Scene::dry(shape, |_, _| 0.0).with_surface(|_, _| 10.0);
    let expected = scene.phi.clone();
    let solid: Vec<f32> = (0..shape.len()).map(|at| f32::from(u8::from(is_wall(at)))).collect();
    scene.phi.iter_mut().enumerate().filter(|(at, _)| is_wall(*at)).for_each(|(_, phi)| *phi = -*phi);
    for exec in test_executors() {
        let phi = filled(exec, &scene, &solid, 3);
        for (at, phi) in phi.iter().enumerate() {
            let reached = at / n % 12 < 7;
            let wanted = if reached { expected[at] } else { -expected[at] };
            assert_eq!(*phi, wanted, "column {}, sample {}", at / n, at % n);
        }
    }
}
