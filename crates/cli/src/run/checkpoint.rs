//! Checkpoints in folders: the library makes and reads them (`thalweg::outputs::SavedRun`).

use std::path::Path;

use thalweg::outputs::SavedRun;
use thalweg::{Saved, Simulation};
use thalweg_io::checkpoint::{Checkpoint, Error, read_latest};
use thalweg_scene::Scene;

use super::folder::Folder;
use crate::failure::{Failure, Outcome};
use crate::text;

/// The newest good checkpoint. Without one it says so to the user and returns `None`.
pub(super) fn read(folder: &Folder, simulation: &Simulation, quiet: bool) -> Outcome<Option<SavedRun>> {
    let latest = match read_latest(folder.path()) {
        Ok(latest) => latest,
        Err(Error::NotFound { .. }) => {
            if !quiet {
                text::message(&format!("no checkpoint in {}: starting from the beginning", folder.path().display()));
            }
            return Ok(None);
        }
        Err(e) => return Err(Failure::Input(e.to_string())),
    };
    if let Some(bad) = latest.passed_over {
        text::message(&format!("warning: the newest checkpoint cannot be used ({bad}); going on from the one before"));
    }
    let (found, wanted) = (&latest.checkpoint.kind, simulation.kind());
    if *found != wanted {
        let path = latest.path.display();
        return Err(Failure::Input(format!("{path} holds a `{found}` run, this scene is `{wanted}`")));
    }
    unpack(latest.checkpoint, &latest.path).map(Some)
}

/// A checkpoint on its own, without the files of its scene.
pub(crate) struct Opened {
    pub(crate) scene: Scene,
    pub(crate) saved: Saved,
}

/// Opens a checkpoint, or the newest of a folder, with the scene that is in it.
pub(crate) fn open(path: &Path) -> Outcome<Opened> {
    let wrong = |e: Error| Failure::Input(e.to_string());
    let (checkpoint, path) = if path.is_dir() {
        let latest = read_latest(path).map_err(wrong)?;
        if let Some(bad) = latest.passed_over {
            text::message(&format!("warning: the newest checkpoint cannot be used ({bad}); taking the one before"));
        }
        (latest.checkpoint, latest.path)
    } else {
        (Checkpoint::read(path).map_err(wrong)?, path.to_owned())
    };
    let run = unpack(checkpoint, &path)?;
    let scene = run.scene().map_err(|e| Failure::Input(format!("{}: {e}", path.display())))?;
    Ok(Opened { scene, saved: run.session.simulation })
}

fn unpack(checkpoint: Checkpoint, path: &Path) -> Outcome<SavedRun> {
    SavedRun::from_checkpoint(checkpoint).map_err(|e| Failure::Input(format!("{}: {e}", path.display())))
}
