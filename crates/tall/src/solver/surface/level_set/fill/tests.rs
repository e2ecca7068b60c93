use thalweg_columns::Shape;
use thalweg_columns::grid::world_cell;
use thalweg_compute::parity::test_executors;

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

/// In still water the surface goes on level through a hull that is narrower below and above.
#[test]
fn still_water_is_level_in_a_ball() {
    let shape = Shape { nx: 12, nz: 12, regular: 20 };
    let n = shape.samples();
    let mut scene = Scene::dry(shape, |_, _| 0.0).with_surface(|_, _| 10.04);
    let expected = scene.phi.clone();
    let away = |at: usize| {
        let (column, y) = (at / n, world_cell(scene.heights[at / n], at % n));
        let from = [(column % 12) as f32 - 5.6, y as f32 - 10.2, (column / 12) as f32 - 5.7];
        from.iter().map(|v| v * v).sum::<f32>().sqrt()
    };
    let solid: Vec<f32> = (0..shape.len()).map(|at| (4.5 - away(at)).clamp(0.0, 1.0)).collect();
    scene.phi.iter_mut().zip(&solid).filter(|(_, solid)| **solid >= 1.0).for_each(|(phi, _)| *phi = 7.0);
    for exec in test_executors() {
        let phi = filled(exec, &scene, &solid, 8);
        for (at, (phi, wanted)) in phi.iter().zip(&expected).enumerate() {
            let is_near = wanted.abs() < 2.0;
            assert!(
                !is_near || (phi - wanted).abs() < 1e-5,
                "column {}, sample {}: {phi}, not {wanted}",
                at / n,
                at % n
            );
        }
    }
}
