//! The end of the pipeline: the products of a run as files of its folder.

use thalweg::outputs::{OutputError, Product, Store};
use thalweg_web::Recording;

use super::archive::Archive;
use super::folder::Folder;
use crate::failure::{Failure, Outcome};

/// Writes into the folder of a run.
pub(super) struct Writer<'a> {
    pub(super) folder: &'a Folder,
    pub(super) archive: Archive<'a>,
    pub(super) recording: Option<Recording>,
}

impl Store for Writer<'_> {
    fn put(&mut self, product: &Product) -> Result<(), OutputError> {
        Ok(self.write(product)?)
    }
}

impl Writer<'_> {
    fn write(&mut self, product: &Product) -> Outcome {
        match product {
            Product::Picture { field, frame, png, .. } => {
                let path = self.folder.frame(field, *frame);
                thalweg_io::write_atomically(&path, png)
                    .map_err(|e| Failure::Run(format!("cannot write {}: {e}", path.display())))
            }
            Product::Export(export) => self.archive.add(export),
            Product::Checkpoint(checkpoint) => Ok(checkpoint.write_latest(self.folder.path())?),
            Product::Other(water) => match &mut self.recording {
                Some(recording) => Ok(recording.append(water)?),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}
