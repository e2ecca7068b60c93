//! Iterations of conjugate gradients around multigrid on cubes.

use thalweg_columns::Shape;
use thalweg_pressure::{Discretisation, HierarchyOptions, Level, Stop};
use thalweg_pressure_labs::scenes::TallScene;
use thalweg_pressure_labs::{Method, Solver};

/// Iterations to 1e-10 of the right-hand side on a cube.
fn iterations_in_3d(scene: TallScene, n: usize) -> usize {
    let (grid, fields, b) = scene.build(Shape { nx: n, nz: n, regular: n }).expect("a valid scene");
    let level = Level::new(grid, fields, 0.01, Discretisation::Galerkin);
    let wet = b.iter().zip(&level.diagonal).filter(|(_, d)| **d > 0.0).map(|(b, _)| b.abs());
    let stop = Stop { residual: 1e-10 * wet.fold(0.0, f64::max), iterations: 60 };
    let mut solver = Solver::new(&level, Method::MultigridCg, HierarchyOptions::default());
    let report = solver.solve(&b, &mut vec![0.0; b.len()], stop);
    if report.converged { report.iterations } else { usize::MAX }
}

#[test]
fn multigrid_iterations_grow_by_at_most_two_from_64_to_256_cubed() {
    for scene in [TallScene::Uniform, TallScene::Hills, TallScene::Beach] {
        let iterations = [64, 256].map(|n| iterations_in_3d(scene, n));
        println!("{:10} 64³, 256³: {iterations:?}", scene.name());
        assert!(iterations[1] <= iterations[0] + 2 && iterations[1] <= 16, "{}: {iterations:?}", scene.name());
    }
}

#[test]
fn random_bubbles_in_3d_take_at_most_25_iterations() {
    let iterations = [64, 128].map(|n| iterations_in_3d(TallScene::Bubbles, n));
    println!("3 % of all cells air, 64³, 128³: {iterations:?}");
    assert!(iterations.iter().all(|n| *n <= 25), "{iterations:?}");
}
