//! The end of the line: everything that is made of the water is written here, by one thread and in the order of the run. A checkpoint therefore stands
//! for files that are there, and whatever ends a run leaves the files of a shorter one.

use thalweg_io::Image;
use thalweg_io::checkpoint::Checkpoint;
use thalweg_web::Recording;

use super::busy::{Busy, Stage};
use super::exports::{Archive, Export};
use super::film::Camera;
use super::folder::Folder;
use super::progress::Progress;
use crate::failure::{Failure, Outcome};

/// What a job has made.
pub(super) enum Made {
    Picture {
        field: &'static str,
        frame: u64,
        png: Vec<u8>,
        /// The picture itself, if it belongs into the video.
        image: Option<Image>,
    },
    Export(Export),
    /// Water for the player of the report.
    Player(Vec<u8>),
    Checkpoint(Checkpoint),
}

/// Writes into the folder of a run.
pub(super) struct Writer<'a> {
    pub(super) folder: &'a Folder,
    pub(super) archive: Archive<'a>,
    pub(super) recording: Option<Recording>,
    pub(super) camera: Option<Camera<'a>>,
    pub(super) busy: &'a Busy,
    pub(super) progress: &'a Progress,
}

impl Writer<'_> {
    pub(super) fn take(&mut self, made: Vec<Made>) -> Outcome {
        let busy = self.busy;
        busy.time(Stage::Write, || made.into_iter().try_for_each(|one| self.write(one)))?;
        self.progress.written();
        Ok(())
    }

    fn write(&mut self, made: Made) -> Outcome {
        match made {
            Made::Picture { field, frame, png, image } => {
                let path = self.folder.frame(field, frame);
                thalweg_io::write_atomically(&path, &png)
                    .map_err(|e| Failure::Run(format!("cannot write {}: {e}", path.display())))?;
                if let (Some(camera), Some(image)) = (&self.camera, image) {
                    camera.shoot(path, image);
                }
                Ok(())
            }
            Made::Export(export) => self.archive.add(export),
            Made::Player(water) => match &mut self.recording {
                Some(recording) => Ok(recording.append(&water)?),
                None => Ok(()),
            },
            Made::Checkpoint(checkpoint) => Ok(checkpoint.write_latest(self.folder.path())?),
        }
    }
}
