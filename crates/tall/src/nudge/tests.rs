use thalweg_compute::Dispatch;
use thalweg_compute::parity::{Tolerance, assert_parity, own_test_executors};
use thalweg_pressure::Shape;

use super::{Nudge, NudgeParams};
use crate::testing::random_scene;
use crate::{Band, Discretisation, Options, Setup, TallError, TallWater};

#[test]
fn nudge_parity() {
    assert_parity(8, |exec, rng, out| {
        let number = u64::from(rng.below(8));
        let scene = random_scene(rng, number);
        let shape = scene.shape;
        let params = NudgeParams {
            nx: shape.nx as u32,
            nz: shape.nz as u32,
            samples: shape.samples() as u32,
            centre_x: rng.range(0.0, shape.nx as f32),
            centre_y: rng.range(-4.0, 8.0),
            centre_z: rng.range(0.0, shape.nz as f32),
            radius: rng.range(0.6, 6.0),
            velocity_x: rng.range(-2.0, 2.0),
            velocity_y: rng.range(-2.0, 2.0),
            velocity_z: rng.range(-2.0, 2.0),
        };
        let buffers = scene.upload(exec);
        let faces = exec.buffer_from("faces", &rng.f32s(3 * shape.len(), -1.0, 1.0))?;
        let mut rec = exec.record();
        let kernel = Nudge { heights: &buffers.heights, faces: &faces };
        rec.run(&kernel, &params, Dispatch::Elements(3 * shape.len()))?;
        rec.submit()?;
        // A sum of squares, fused or not, divided: a share of 1 is off by 1e-6, and multiplies a difference of up to 3.
        out.f32("faces", exec.read(&faces)?, Tolerance::Absolute(1e-5));
        Ok(())
    });
}

/// A basin 3.2 m long and wide with 1 m of water.
fn basins(options: Options) -> Vec<TallWater> {
    let setup = Setup {
        shape: Shape { nx: 32, nz: 32, regular: 24 },
        cell: 0.1,
        height: 2.0,
        terrain: &[0.0; 32 * 32],
        level_set: &|[_, y, _]| y - 1.0,
        obstacles: &[],
        velocity: [0.0; 2],
        options,
    };
    own_test_executors().into_iter().map(|exec| TallWater::new(exec, &setup).expect("a basin")).collect()
}

#[test]
fn a_push_moves_the_water_that_way_and_no_faster_than_the_hand() {
    let band = Band { below: 6, above: 6, ..Default::default() };
    for options in [Options { band: None, ..Default::default() }, Options { band: Some(band), ..Default::default() }] {
        for mut water in basins(options) {
            let before = water.statistics().expect("sums").volume;
            for _ in 0..10 {
                water.push([1.6, 0.8, 1.6], 0.5, [1.0, 0.0, 0.0]).expect("a push");
            }
            let pushed = water.statistics().expect("sums");
            assert!((0.4..=1.3).contains(&pushed.speed), "{}", pushed.speed);
            let columns = water.columns().expect("columns");
            let [middle, corner] = [16 + 32 * 16, 0].map(|at| columns.velocity[0][at]);
            assert!(middle > 0.3 && corner.abs() < 0.1, "{middle} {corner}");
            water.advance(0.1).expect("on it goes");
            let after = water.statistics().expect("sums").volume;
            assert!((after / before - 1.0).abs() < 5e-3, "{before} {after}");
        }
    }
}

#[test]
fn nonsense_is_refused() {
    let mut water = basins(Options::default()).remove(0);
    for (centre, radius, velocity) in
        [([f64::NAN; 3], 1.0, [0.0; 3]), ([1.0; 3], 0.0, [0.0; 3]), ([1.0; 3], 1.0, [f64::INFINITY, 0.0, 0.0])]
    {
        assert!(matches!(water.push(centre, radius, velocity), Err(TallError::Setting { setting: "push", .. })));
    }
    let collocated = Options { discretisation: Discretisation::Collocated, ..Default::default() };
    let refused = basins(collocated).remove(0).push([1.0; 3], 1.0, [1.0; 3]);
    assert!(matches!(refused, Err(TallError::Collocated { .. })), "{refused:?}");
}
