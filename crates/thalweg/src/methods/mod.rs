//! The methods, and the one place that chooses one for a scene.
//!
//! What only one method offers is reached through its own type, by [`Simulation::method`](crate::Simulation::method).

mod quadtree;
mod shallow;
pub(crate) mod tall;
#[cfg(feature = "render")]
pub(crate) mod view;

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_scene::{Scene, Solver};

pub use quadtree::{TreeLevel, TreeScene};
pub use shallow::ShallowScene;
pub use tall::TallScene;

use crate::check::at_its_line;
use crate::error::Error;
use crate::method::Method;

/// The method that a scene names, filled with its water. `progress` gets how many blocks of ground that streams are read, and how many there are.
pub(crate) fn of_scene(
    executor: Arc<Executor>,
    scene: &Scene,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Box<dyn Method>, Error> {
    Ok(match scene.water.solver {
        Solver::Shallow => Box::new(shallow::ShallowScene::new(executor, scene)?),
        Solver::Quadtree => Box::new(quadtree::TreeScene::new(executor, scene, progress)?),
        Solver::TallCells | Solver::Uniform => {
            Box::new(tall::TallScene::new(executor, scene).map_err(|error| at_its_line(error, scene))?)
        }
        other => return Err(Error::UnknownSolver { name: other.name() }),
    })
}
