use thalweg_compute::Executor;
use thalweg_compute::parity::{Tolerance, assert_parity, test_executors};
use thalweg_pressure::Shape;

use super::FillSolids;
use crate::testing_heights::{Scene, random_scene};

fn filled(exec: &Executor, scene: &Scene, solid: &[f32], passes: u32) -> Vec<f32> {
    let fill = FillSolids::new(exec, scene.shape).unwrap();
    let heights = exec.buffer_from("heights", &scene.heights).unwrap();
    let solid = exec.buffer_from("solid", solid).unwrap();
    let phi = exec.buffer_from("phi", &scene.phi).unwrap();
    let mut rec = exec.record();
    fill.record(&mut rec, &heights, &solid, &phi, passes).unwrap();
    rec.submit().unwrap();
    exec.read(&phi).unwrap()
}

/// Means of up to six numbers, five times over.
#[test]
fn fill_parity() {
    for number in 0..16 {
        assert_parity(4, |exec, rng, out| {
            (0..number).for_each(|_| _ = rng.next_u64());
            let scene = random_scene(rng, number);
            let n = scene.shape.samples();
            let solid: Vec<f32> = (0..scene.shape.len())
                .map(|at| match rng.below(3) {
                    _ if at % n < 2 && thalweg_pressure::grid::is_tall(scene.heights[at / n]) => 0.0,
                    0 => rng.range(0.0, 0.99),
                    _ => 1.0,
                })
                .collect();
            out.f32("phi", filled(exec, &scene, &solid, 5), Tolerance::Absolute(1e-5));
            Ok(())
        });
    }
}

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
