//! The one interface that every water answers.

use std::any::Any;
use std::sync::Arc;

use thalweg_bodies::{BodyState, Overlap};
#[cfg(feature = "render")]
use thalweg_compute::Buffer;
use thalweg_compute::{Executor, Later};
use thalweg_ledger::Ledger;
use thalweg_model::{Abilities, Refusal, Snapshot};
#[cfg(feature = "render")]
use thalweg_render::WaterView;
use thalweg_scene::Scene;
use thalweg_tall::{SurfaceMesh, Tuning};

use crate::error::Error;
use crate::interaction::{Interaction, Picked};
use crate::methods::tall::whitewater::Particles;
use crate::methods::tall::{WaterSection, WaterVolume};
use crate::probes::{Answer, Question, grid};
use crate::simulation::WaterSurface;
use crate::statistics::Statistics;

/// A name and any JSON.
pub type Report = (&'static str, serde_json::Value);

/// A method that moves water: what a [`Simulation`](crate::Simulation) asks of it. Everything that draws, measures, saves, exports or talks to users is
/// written against this.
///
/// A step may be one or many of the method's own; how many is the method's to choose, on its executor if it can. So this has one `advance` for all of
/// them, and no plan that is read back.
///
/// What ends in `_later` reads the water as it is: the reads begin at once, none of them is waited for, and the method
/// may go on before somebody waits for what is made of them.
///
/// What only some methods can is refused or left out unless a method says otherwise. [`Self::abilities`] names it: the checker of scenes and the
/// outputs of a run ask the same list.
pub trait Method: Send {
    /// Name of what it saves: a method takes up what it has saved under that name itself, and nothing else.
    fn kind(&self) -> &'static str;

    /// What it can do.
    fn abilities(&self) -> &Abilities;

    /// Where it runs.
    fn executor(&self) -> &Arc<Executor>;

    /// Simulated time, s.
    fn time(&self) -> f64;

    /// Calls of [`advance`](Self::advance) that succeeded since the start or the last [`restore`](Self::restore).
    fn frames(&self) -> u64;

    /// Goes on by `dt` seconds, in as many sub-steps as stability asks for. On a GPU it returns before the work is done.
    fn advance(&mut self, scene: &Scene, dt: f64) -> Result<(), Error>;

    /// Sums over the water, and by its ledger what came in and what went out.
    fn statistics_later(&mut self) -> Result<Later<Statistics, Error>, Error>;

    /// Where its water went since the start, by account.
    fn ledger_later(&mut self) -> Result<Later<Ledger, Error>, Error>;

    /// The water as a height field.
    fn surface_later(&mut self, scene: &Scene) -> Result<Later<WaterSurface, Error>, Error>;

    /// The water as a renderer reads it, in memory of the executor, which the method keeps. The block under a height
    /// field begins at the elevation `floor`, m; the velocity of the surface in every column, m/s, goes into `drift` if
    /// somebody asks for it. `None`: what is drawn is the height field of [`surface_later`](Self::surface_later).
    #[cfg(feature = "render")]
    fn view(
        &mut self,
        _scene: &Scene,
        _floor: f64,
        _drift: Option<&Buffer<[f32; 2]>>,
    ) -> Result<Option<WaterView<'_>>, Error> {
        Ok(None)
    }

    /// All that it needs to go on with the same bits.
    fn snapshot_later(&mut self) -> Result<Later<Snapshot, Error>, Error>;

    /// Takes up what was saved, of the same [`kind`](Self::kind) and the same scene.
    fn restore(&mut self, saved: &Snapshot) -> Result<(), Error>;

    /// This method, for [`Simulation::method`](crate::Simulation::method).
    fn as_any(&self) -> &dyn Any;

    /// The same, to change it.
    fn as_any_mut(&mut self) -> &mut dyn Any;

    /// Answers what probes ask, in order. The questions are the same at every call until another probe is added; `is_new` tells of that.
    fn answers_later(
        &mut self,
        scene: &Scene,
        questions: &Arc<[Question]>,
        _is_new: bool,
    ) -> Result<Later<Vec<Answer>, Error>, Error> {
        let (questions, cells) = (Arc::clone(questions), grid::Cells::new(&scene.grid, questions));
        Ok(self
            .surface_later(scene)?
            .map(move |surface| cells.answers(&questions, &grid::samples(&surface, &cells.list), |_| Answer::Unknown)))
    }

    /// Does something to the water or the bodies. Nothing has changed after an error.
    fn interact(&mut self, _scene: &mut Scene, what: Interaction) -> Result<(), Error> {
        Err(self.refusal(&what))
    }

    /// Why something cannot be done to this water.
    fn refusal(&self, what: &Interaction) -> Error {
        Refusal { solver: self.abilities().solver, ability: what.ability() }.into()
    }

    /// Settings that can change while the water runs.
    fn tuning(&self) -> Option<Tuning> {
        None
    }

    /// A vertical cut along x at a z, m, or through the middle.
    fn section_later(&self, _z: Option<f64>) -> Result<Option<Later<WaterSection, Error>>, Error> {
        Ok(None)
    }

    /// The surface of the water as triangles in world coordinates.
    fn mesh_later(&mut self) -> Result<Option<Later<SurfaceMesh, Error>>, Error> {
        Ok(None)
    }

    /// The water on cubic cells.
    fn volume_later(&self) -> Result<Option<Later<WaterVolume, Error>>, Error> {
        Ok(None)
    }

    /// Spray, mist and foam.
    fn particles_later(&self) -> Result<Option<Later<Particles, Error>>, Error> {
        Ok(None)
    }

    /// Rigid bodies as they are now, in the order of the scene.
    fn bodies(&self) -> Vec<BodyState> {
        Vec::new()
    }

    /// Bodies that are stuck in each other, in the ground or in obstacles.
    fn overlaps(&self) -> Vec<Overlap> {
        Vec::new()
    }

    /// The first body that a ray meets.
    fn pick(&self, _origin: [f64; 3], _direction: [f64; 3]) -> Option<Picked> {
        None
    }

    /// The stages of its step, in order, by the names under which their times are taken.
    fn stages(&self) -> &'static [&'static str];

    /// What there is to say of its state beside [`Statistics`], for the summary of a run.
    fn report_later(&mut self) -> Result<Option<Later<Report, Error>>, Error> {
        Ok(None)
    }

    /// What happened while it was made that its user should know, a sentence each.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}
