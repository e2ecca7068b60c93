//! Solids of triangles of any size beside the domain: sampled where it is, as finely as it is.

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_compute::parity::own_physics_executors;
use thalweg_tall::{Band, DistanceGrid, Obstacle, Options, Sampling, Setup, TallWater};

const CELL: f64 = 0.05;

/// The domain with some cells around it, m.
const WINDOW: [[f64; 3]; 2] = [[-0.2; 3], [1.4, 2.1, 1.4]];

/// A ship's hull with a raked bow, of a length of 1, that looks against x: the middle of its bow is in the origin.
fn hull() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    // Place along it, half the width at the keel and on deck.
    let stations = [[1.0, 0.10, 0.18], [0.4, 0.09, 0.22], [0.14, 0.04, 0.15], [0.0, 0.004, 0.01]];
    let vertices = stations.iter().flat_map(|[x, keel, deck]| {
        let (rake, y) = (0.06 * (1.0 - x), 0.12);
        [[x + rake, -y, -keel], [x + rake, -y, *keel], [x - rake, y, *deck], [x - rake, y, -deck]]
    });
    let mut triangles = vec![[0, 1, 2], [0, 2, 3], [12, 14, 13], [12, 15, 14]];
    for station in 0..3 {
        for side in 0..4 {
            let [a, b] = [side, (side + 1) % 4].map(|n| 4 * station + n);
            triangles.extend([[a, a + 4, b], [b, a + 4, b + 4]]);
        }
    }
    (vertices.collect(), triangles)
}

/// A basin of 1.2 m around a hull of a length, its bow in the middle: its water in cells, and the force on it in m³ of
/// water.
fn moored(exec: &Arc<Executor>, length: f64, steps: f64, band: Option<Band>) -> (f64, [f64; 3]) {
    let (vertices, triangles) = hull();
    let place = |v: &[f64; 3]| std::array::from_fn(|axis| length * v[axis] + [0.63, 0.91, 0.58][axis]);
    let vertices: Vec<[f64; 3]> = vertices.iter().map(place).collect();
    let sampling = Sampling { spacing: CELL / steps, reach: CELL, window: Some(WINDOW), most: 1 << 25 };
    let distances = Arc::new(DistanceGrid::from_triangles(&vertices, &triangles, &sampling).expect("a hull"));
    let setup = Setup {
        shape: Shape { nx: 24, nz: 24, regular: 40 },
        cell: CELL,
        height: 1.9,
        terrain: &[0.0; 576],
        level_set: &|[_, y, _]| y - 1.413,
        obstacles: &[Obstacle::Mesh { distances, position: [0.0; 3] }],
        velocity: [0.0; 2],
        options: Options { band, ..Default::default() },
    };
    let mut water = TallWater::new(exec.clone(), &setup).expect("water");
    (0..5).for_each(|_| water.step(0.02).expect("a step"));
    let force = water.pressures().expect("pressures").force(0).expect("a force");
    (water.statistics().expect("sums").volume, force.map(|f| f / 9.81))
}

/// From half the domain to a thousand times as large: the water beside a hull and its force are those of distances a
/// twelfth of a cell apart.
#[test]
fn hulls_of_any_size_displace_and_bear_water() {
    for exec in own_physics_executors() {
        for (factor, band) in [(0.5, None), (1.0, Some(Band::default())), (10.0, None), (100.0, None), (1000.0, None)] {
            let fine = moored(&exec, 1.2 * factor, 12.0, band);
            for steps in [4.0, 8.0] {
                let (volume, force) = moored(&exec, 1.2 * factor, steps, band);
                let size = fine.1.iter().map(|f| f * f).sum::<f64>().sqrt();
                let off = (0..3).map(|axis| (force[axis] - fine.1[axis]).abs()).fold(0.0, f64::max) / size;
                let share = volume / fine.0 - 1.0;
                println!(
                    "{}, {factor} domains, nodes every {:.3} cells: water {:.5} % off, force {:.4?} m³ of water {:.3} % off",
                    exec.describe(),
                    1.0 / steps,
                    100.0 * share,
                    force,
                    100.0 * off
                );
                assert!(off < 0.01 && size > 0.01, "{factor}, {steps}: {force:?} and {:?}", fine.1);
                assert!(share.abs() < 1e-3, "{factor}, {steps}: {volume} and {}", fine.0);
            }
        }
    }
}
