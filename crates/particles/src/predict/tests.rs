use thalweg_compute::Dispatch;
use thalweg_compute::parity::test_executors;
use thalweg_solids::Obstacle;
use thalweg_solids::packed::pack_all;

use super::Predict;
use crate::neighbours::extent_of;
use crate::params::StepParams;
use crate::testing::params;

/// A plate of 1 cm, and a step of 8 cm towards it.
#[test]
fn fast_particles_do_not_pass_through_thin_solids() {
    let plate = [Obstacle::Box { centre: [0.5, 0.4, 0.3], half: [0.005, 0.3, 0.3] }];
    for exec in test_executors() {
        let p = StepParams { solids: 1, ..params(2) };
        let places = exec.buffer_from("places", &[[0.45, 0.4, 0.3, 0.0], [0.55, 0.4, 0.3, 0.0]]).expect("memory");
        let motions = exec.buffer_from("motions", &[[10.0, 0.0, 0.0, 0.0]; 2]).expect("memory");
        let predicted = exec.buffer("predicted", 2).expect("memory");
        let extent = exec.buffer_from("extent", &extent_of(2)).expect("memory");
        let solids = exec.buffer_from("solids", &pack_all(&plate)).expect("memory");
        let none = exec.buffer_from("none", &[0.0]).expect("memory");
        let mut rec = exec.record();
        let kernel = Predict {
            extent: &extent,
            places: &places,
            motions: &motions,
            solids: &solids,
            distances: &none,
            ground: &none,
            predicted: &predicted,
        };
        rec.run(&kernel, &p, Dispatch::Elements(2)).expect("recorded");
        rec.submit().expect("done");
        let found = exec.read(&predicted).expect("places");
        let (before, beyond) = (found[0][0], found[1][0]);
        assert!(before < 0.49 && before > 0.475, "{before} m on {}", exec.describe());
        assert!((beyond - 0.63).abs() < 1e-4, "who leaves a solid is free: {beyond} m");
    }
}
