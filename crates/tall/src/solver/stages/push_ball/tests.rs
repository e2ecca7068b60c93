use thalweg_columns::Shape;
use thalweg_compute::parity::own_test_executors;

use crate::{Band, Discretisation, Options, Setup, TallError, TallWater};

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
