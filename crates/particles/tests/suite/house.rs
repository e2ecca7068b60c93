//! Water for the tests.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_particles::{Constraint, DivergenceFree, LiquidParticles, Options, PositionBased, Seed, Setup};

/// Both constraints.
pub(crate) fn both() -> [Constraint; 2] {
    [position_based(), divergence_free()]
}

pub(crate) fn position_based() -> Constraint {
    Constraint::PositionBased(PositionBased::default())
}

pub(crate) fn divergence_free() -> Constraint {
    Constraint::DivergenceFree(DivergenceFree::default())
}

/// A block of water in a closed box.
pub(crate) fn dam(
    exec: Arc<Executor>,
    size: [f64; 3],
    block: [f64; 3],
    spacing: f64,
    options: &Options,
) -> LiquidParticles {
    let seeds = [Seed::lattice([0.0; 3], block)];
    LiquidParticles::new(exec, &Setup::new(size, spacing, &seeds, options)).expect("a dam")
}

/// Places and velocities.
pub(crate) fn particles(exec: &Executor, water: &LiquidParticles) -> Vec<([f32; 4], [f32; 4])> {
    let view = water.view();
    let count = water.census_later().expect("asked").wait().expect("a census").count;
    let (places, motions) = (exec.read(view.places).expect("places"), exec.read(view.motions).expect("velocities"));
    places.into_iter().zip(motions).take(count).collect()
}

/// Kinetic and potential energy per kilogram of all water.
pub(crate) fn energy(exec: &Executor, water: &LiquidParticles) -> [f64; 2] {
    let all = particles(exec, water);
    let count = all.len() as f64;
    let kinetic = all.iter().map(|(_, v)| v[..3].iter().map(|v| 0.5 * f64::from(v * v)).sum::<f64>()).sum::<f64>();
    let potential = all.iter().map(|(x, _)| 9.81 * f64::from(x[1])).sum::<f64>();
    [kinetic / count, potential / count]
}
