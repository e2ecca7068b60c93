//! A scene filled with water, as every command that simulates one begins.

use std::sync::Arc;

use thalweg::Simulation;
use thalweg::compute::Executor;
use thalweg_scene::Scene;

use crate::failure::Outcome;
use crate::run::progress;
use crate::text;

/// Fills the domain. Reading all of the ground may take minutes: a bar tells.
pub(crate) fn open_simulation(exec: Executor, scene: Scene, quiet: bool) -> Outcome<Simulation> {
    let mut bar = None;
    let mut progress = |done: u64, all: u64| {
        let bar = bar.get_or_insert_with(|| progress::survey(all, quiet));
        bar.set_position(done);
    };
    let opened = Simulation::with_progress(Arc::new(exec), scene, &mut progress);
    // Also before an error is told.
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let simulation = opened?;
    if !quiet {
        simulation.remarks().iter().for_each(|remark| text::message(remark));
    }
    Ok(simulation)
}
