//! Water at rest, and on its way to it.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_particles::{Constraint, DivergenceFree, Options, PositionBased};

use crate::house::{both, dam, energy};

fn cpu() -> Arc<Executor> {
    Arc::new(Executor::cpu().expect("the processor"))
}

/// A column of 20 layers, let go on a lattice: largest density of the last second of three, and how fast it still is.
fn column(constraint: Constraint) -> (f64, f64) {
    let options = Options { constraint, ..Options::default() };
    let exec = cpu();
    let mut water = dam(Arc::clone(&exec), [0.4, 1.4, 0.4], [0.4, 1.0, 0.4], 0.05, &options);
    let (mut densest, mut kinetic) = (0.0f64, 0.0f64);
    for frame in 0..90 {
        water.advance(1.0 / 30.0).expect("a frame");
        let census = water.census_later().expect("asked").wait().expect("a census");
        assert_eq!(census.count, 8 * 20 * 8);
        if frame >= 60 {
            densest = densest.max(census.density);
            kinetic = kinetic.max(energy(&exec, &water)[0]);
        }
    }
    (densest - 1.0, kinetic)
}

#[test]
fn a_column_of_twenty_layers_is_compressed_by_less_than_three_percent_by_pbf() {
    let (error, kinetic) = column(Constraint::PositionBased(PositionBased { iterations: 4, ..Default::default() }));
    println!("density error {error}, kinetic energy {kinetic} J/kg");
    assert!(error < 0.03 && kinetic < 0.02, "density error {error}, kinetic energy {kinetic} J/kg");
}

#[test]
fn a_column_of_twenty_layers_is_compressed_by_less_than_half_a_percent_by_dfsph() {
    let of = DivergenceFree { tolerance: 3e-4, iterations: 80, ..Default::default() };
    let (error, kinetic) = column(Constraint::DivergenceFree(of));
    println!("density error {error}, kinetic energy {kinetic} J/kg");
    assert!(error < 0.005 && kinetic < 0.02, "density error {error}, kinetic energy {kinetic} J/kg");
}

/// Water that falls half a metre: energy is lost, not gained.
#[test]
fn energy_does_not_grow() {
    for constraint in both() {
        let exec = cpu();
        let options = Options { constraint, ..Options::default() };
        let mut water = dam(Arc::clone(&exec), [0.6, 1.2, 0.3], [0.3, 0.6, 0.3], 0.03, &options);
        let before: f64 = energy(&exec, &water).iter().sum();
        let mut last = before;
        for frame in 0..60 {
            water.advance(1.0 / 30.0).expect("a frame");
            let now: f64 = energy(&exec, &water).iter().sum();
            assert!(now < last + 0.01 * before, "from {last} to {now} J/kg in frame {frame}");
            last = now;
        }
        assert!(last < 0.8 * before, "{before} {last}");
    }
}
