use thalweg_columns::Shape;
use thalweg_columns::grid::world_cell;
use thalweg_compute::Dispatch;

use super::parity::params;
use super::{Ground, Unfold};

#[test]
fn the_lattice_has_the_level_of_flat_water_and_dry_ground_keeps_some_wetness() {
    let shape = Shape { nx: 2, nz: 1, regular: 6 };
    let heights = [[0, 3], [5, 7]];
    let n = shape.samples();
    let phi: Vec<f32> = (0..shape.len()).map(|at| world_cell(heights[at / n], at % n) as f32 + 0.5 - 4.25).collect();
    for exec in thalweg_compute::parity::test_executors() {
        let heights = exec.buffer_from("heights", &heights).unwrap();
        let terrain = exec.buffer_from("terrain", &[0.0_f32, 5.9]).unwrap();
        let phi = exec.buffer_from("phi", &phi).unwrap();
        let foam = exec.buffer_from("foam", &[0.25_f32, 0.0]).unwrap();
        let lattice = exec.buffer("lattice", 2 * 9).unwrap();
        let ground = exec.buffer_from("ground", &[[0.0, 0.0, 0.0, 0.0], [0.0, 0.8, 0.0, 0.0_f32]]).unwrap();
        let mut rec = exec.record();
        let p = params(shape, 9);
        rec.run(&Unfold { heights: &heights, phi: &phi, lattice: &lattice }, &p, Dispatch::Elements(18)).unwrap();
        let kernel = Ground { heights: &heights, terrain: &terrain, phi: &phi, foam: &foam, ground: &ground };
        rec.run(&kernel, &p, Dispatch::Elements(2)).unwrap();
        rec.submit().unwrap();
        for (at, value) in exec.read(&lattice).unwrap().into_iter().enumerate() {
            let y = (at % 9) as f32;
            // Below the second column's ground its lowest value counts.
            let wanted = if at < 9 { y + 0.5 - 4.25 } else { y.max(5.0) + 0.5 - 4.25 };
            assert!((value - wanted.clamp(-6.0, 6.0)).abs() < 1e-5, "{}: {at}: {value}", exec.describe());
        }
        let ground = exec.read(&ground).unwrap();
        assert_eq!(ground[0], [0.0, 1.0, 0.25, 3.0], "under water, a tall cell");
        assert_eq!((ground[1][0], ground[1][3]), (5.9, -1.0));
        assert!((ground[1][1] - 0.4).abs() < 1e-6, "dry: {ground:?}");
    }
}
