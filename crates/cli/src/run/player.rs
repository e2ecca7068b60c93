//! Water kept for the player of the report.

use thalweg::Simulation;
use thalweg_scene::Scene;
use thalweg_web::{Recording, RecordingError};

use super::folder::Folder;
use crate::failure::{Failure, Outcome};

/// The file of the water: it grows as the run goes on, so that it is no result but work in progress, and hidden. The report holds what is in it.
pub(super) const FILE: &str = ".player";

/// Keeps water, unless no pictures are wanted.
pub(super) struct Player(Option<Recording>);

impl From<RecordingError> for Failure {
    fn from(error: RecordingError) -> Self {
        Self::Run(error.to_string())
    }
}

impl Player {
    /// Begins with the water as it is, or goes on with what an earlier run kept.
    pub(super) fn new(
        folder: &Folder,
        scene: &Scene,
        simulation: &mut Simulation,
        is_wanted: bool,
        resumes: bool,
    ) -> Outcome<Self> {
        if !is_wanted {
            return Ok(Self(None));
        }
        let (path, frames) = (folder.file(FILE), (scene.duration / scene.output.every).ceil() as u64);
        let begin = if resumes { Recording::resume } else { Recording::create };
        Ok(Self(Some(begin(&path, simulation, frames)?)))
    }

    pub(super) fn add(&mut self, simulation: &mut Simulation, frame: u64) -> Outcome {
        match &mut self.0 {
            Some(recording) => Ok(recording.add(simulation, frame)?),
            None => Ok(()),
        }
    }
}

/// The player as a part of a page; `None` if nothing was kept.
pub(super) fn html(folder: &Folder) -> Outcome<Option<String>> {
    let path = folder.file(FILE);
    if path.exists() { Ok(thalweg_web::player(&path)?) } else { Ok(None) }
}
