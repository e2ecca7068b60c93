use thalweg_compute::Executor;
use thalweg_compute::bytemuck::Zeroable;

use super::TraceParams;
use super::scene::World;
use crate::sky::Sky;
use crate::tiles::{self, TilesParams};

const COLUMNS: [u32; 2] = [14, 10];
const UP: u32 = 12;

/// Light of the sun at points, without absorption, through the waves of a block.
fn sunlight_at(points: &[glam::Vec3]) -> Vec<f32> {
    let exec = Executor::cpu().expect("memory");
    let [nx, nz] = COLUMNS;
    let value = |at: u32| {
        let (y, x) = ((at % UP) as f32 + 0.5, (at / UP % nx) as f32 + 0.5);
        (y - 6.0 - 0.4 * (2.0 * x).sin()).clamp(-6.0, 6.0)
    };
    let water: Vec<f32> = (0..nx * nz * UP).map(value).collect();
    let ground = vec![[0.0, 0.0, 0.0, 3.0]; (nx * nz) as usize];
    let sun = glam::Vec3::new(1.0, 1.0, 0.0).normalize();
    let mut sky = Sky::new(sun).table;
    sky.resize(tiles::room(COLUMNS), [0.0; 4]);
    let sky = exec.buffer_from("sky", &sky).expect("memory");
    let mut rec = exec.record();
    let (water_there, ground_there) =
        (exec.buffer_from("water", &water).expect("memory"), exec.buffer_from("ground", &ground).expect("memory"));
    let of_tiles = TilesParams { nx, nz, lattice_x: nx, lattice_y: UP, lattice_z: nz, per_cell: 1.0, height_field: 0 };
    tiles::record(&mut rec, &of_tiles, (&water_there, &ground_there), &sky).expect("memory");
    rec.submit().expect("memory");
    let sky = exec.read(&sky).expect("memory");
    let p = TraceParams {
        nx,
        nz,
        lattice_x: nx,
        lattice_y: UP,
        lattice_z: nz,
        per_cell: 1.0,
        top: UP as f32,
        end_z: nz as f32,
        sun_x: sun.x,
        sun_y: sun.y,
        sun_z: sun.z,
        ..Zeroable::zeroed()
    };
    let world = World::new(&p, (&water, &ground), (&[], &[]), &[], &sky);
    points.iter().map(|point| world.sun_at(*point).y).collect()
}

/// Waves are lenses for the ground of their own block. Beside it the light has come out through a side: there is no
/// pattern, and nothing is brighter than in the sun.
#[test]
fn light_is_gathered_inside_the_block_alone() {
    let along = |from: f32, y: f32| {
        let points = (0..40).map(|n| glam::Vec3::new(from + 0.1 * n as f32, y, 5.0));
        let light = sunlight_at(&points.collect::<Vec<_>>());
        light.iter().fold([f32::MAX, f32::MIN], |[a, b], v| [v.min(a), v.max(b)])
    };
    let [low, high] = along(2.0, 0.08);
    assert!(low < 0.95 && high > 1.05, "there are lenses: {low} to {high}");
    // The sun is in the east: all of this light has gone through the water.
    assert_eq!(along(-4.5, 0.01), [1.0; 2], "west of the block");
}
