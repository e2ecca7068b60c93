//! Water kept for the player of the report.

use thalweg::Simulation;
use thalweg::outputs::{Moment, Output, OutputError, Product, Stage, StageTimes, Task};
use thalweg_scene::Scene;
use thalweg_web::{Recording, RecordingError, Sampling};

use super::folder::Folder;
use crate::failure::{Failure, Outcome};

/// The file of the water: it grows as the run goes on, so that it is no result but work in progress, and hidden. The
/// report holds what is in it.
pub(super) const FILE: &str = ".player";

impl From<RecordingError> for Failure {
    fn from(error: RecordingError) -> Self {
        Self::Run(error.to_string())
    }
}

/// Reads the water that is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Player(Sampling);

impl Player {
    pub(super) fn new(scene: &Scene) -> Self {
        Self(Sampling::of((scene.duration / scene.output.every).ceil() as u64))
    }

    /// Begins the file, or goes on with that of an earlier run, up to the time of the simulation.
    pub(super) fn open(self, folder: &Folder, simulation: &mut Simulation, resumes: bool) -> Outcome<Recording> {
        let begin = if resumes { Recording::resume } else { Recording::create };
        Ok(begin(&folder.file(FILE), simulation, self.0)?)
    }
}

impl Output for Player {
    fn read(&mut self, simulation: &mut Simulation, moment: &Moment) -> Result<Option<Task>, OutputError> {
        if !self.0.keeps(moment.frame) {
            return Ok(None);
        }
        let water = self.0.read(simulation, &moment.statistics, moment.surface.clone())?;
        Ok(Some(Box::new(move |times: &StageTimes| {
            Ok(vec![Product::Other(times.time(Stage::Draw, || water.wait())?)])
        })))
    }
}

/// The player as a part of a page; `None` if nothing was kept.
pub(super) fn html(folder: &Folder) -> Outcome<Option<String>> {
    let path = folder.file(FILE);
    if path.exists() { Ok(thalweg_web::player(&path)?) } else { Ok(None) }
}
