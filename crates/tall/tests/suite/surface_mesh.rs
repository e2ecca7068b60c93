//! The surface as a closed mesh.

use std::collections::HashMap;
use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_tall::{Band, Obstacle, Options, Setup, SurfaceMesh, TallWater};

/// Every edge belongs to two triangles, which pass it in opposite directions; every vertex is used.
fn assert_closed(mesh: &SurfaceMesh) {
    let mut edges: HashMap<(u32, u32), u32> = HashMap::new();
    let mut used = vec![false; mesh.vertices.len()];
    for [a, b, c] in &mesh.triangles {
        for edge in [(*a, *b), (*b, *c), (*c, *a)] {
            *edges.entry(edge).or_default() += 1;
            used[edge.0 as usize] = true;
        }
    }
    assert!(edges.iter().all(|((a, b), count)| *count == 1 && edges.get(&(*b, *a)) == Some(&1)), "an edge is open");
    assert!(used.iter().all(|used| *used));
    assert_eq!((mesh.normals.len(), mesh.velocities.len()), (mesh.vertices.len(), mesh.vertices.len()));
    assert!(mesh.normals.iter().all(|n| (n.iter().map(|c| c * c).sum::<f32>() - 1.0).abs() < 1e-3));
}

fn tank(band: Option<Band>, fine: bool, phi: &(dyn Fn([f64; 3]) -> f64 + Sync), solid: &[Obstacle]) -> TallWater {
    let shape = Shape { nx: 40, nz: 24, regular: if band.is_some() { 26 } else { 38 } };
    let terrain: Vec<f64> = (0..shape.columns()).map(|c| 0.3 + 0.01 * (c % 40) as f64).collect();
    let setup = Setup {
        shape,
        cell: 0.1,
        height: 4.0,
        terrain: &terrain,
        level_set: phi,
        obstacles: solid,
        velocity: [0.0; 2],
        options: Options { band, fine_surface: fine, ..Default::default() },
    };
    TallWater::new(Arc::new(Executor::cpu().expect("a processor")), &setup).expect("water")
}

/// Waves over a slope with a ball in them, and a collapsing column that splashes: closed, and with the volume of the
/// statistics.
#[test]
fn meshes_are_closed_and_hold_the_water() {
    let ball = [Obstacle::Sphere { centre: [2.0, 1.6, 1.2], radius: 0.4 }];
    let waves = |[x, y, _]: [f64; 3]| y - 1.8 - 0.15 * (2.0 * x).sin();
    let column = |[x, y, z]: [f64; 3]| (x - 1.4).max(y - 2.2).max(z - 1.7);
    for (band, fine) in [(None, false), (Some(Band::default()), false), (Some(Band::default()), true)] {
        let (mut calm, mut splash) = (tank(band, fine, &waves, &ball), tank(band, fine, &column, &[]));
        for (name, water, seconds, most) in [("waves", &mut calm, 0.2, 0.001), ("splash", &mut splash, 0.9, 0.001)] {
            water.advance(seconds).expect("a step");
            let mesh = water.surface_mesh().expect("a mesh");
            assert_closed(&mesh);
            let volume = water.statistics().expect("sums").volume * 0.1_f64.powi(3);
            let error = mesh.volume() / volume - 1.0;
            println!(
                "{name}, tall {}, fine {fine}: {} triangles, volume {error:+.4}, level {:+.3} cells",
                band.is_some(),
                mesh.triangles.len(),
                mesh.level / 0.1
            );
            assert!(error.abs() < most, "{error}");
            assert!(mesh.velocities.iter().flatten().all(|u| u.is_finite()));
        }
    }
}

/// A box of water in the air: its place, its volume, normals that point away from it.
#[test]
fn a_block_of_water_is_where_it_is() {
    let inside = |[x, y, z]: [f64; 3]| (x - 2.0).abs().max((y - 2.5).abs()).max((z - 1.2).abs()) - 0.5;
    let mesh = tank(None, false, &inside, &[]).surface_mesh().expect("a mesh");
    assert_closed(&mesh);
    assert!((mesh.volume() - 1.0).abs() < 0.05, "{}", mesh.volume());
    for (place, normal) in mesh.vertices.iter().zip(&mesh.normals) {
        let way = [place[0] - 2.0, place[1] - 2.5, place[2] - 1.2];
        assert!(way.iter().all(|c| c.abs() < 0.52));
        assert!(way.iter().zip(normal).map(|(a, b)| a * b).sum::<f32>() > 0.0);
    }
}

#[test]
fn no_water_has_no_surface() {
    assert_eq!(tank(None, false, &|_| 1.0, &[]).surface_mesh().expect("a mesh"), SurfaceMesh::default());
}
