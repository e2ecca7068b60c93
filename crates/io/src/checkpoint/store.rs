//! Checkpoints on disk: at every instant one valid file, also after a power failure.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::format::{self, WriteError};
use super::{Checkpoint, Error, MAX_BYTES};
use crate::atomic::AtomicFile;

/// The name that [`Checkpoint::write_latest`] writes and [`read_latest`] looks for.
pub const FILE_NAME: &str = "checkpoint.thalweg";

/// What [`read_latest`] found.
#[derive(Debug)]
pub struct Latest {
    /// The newest good checkpoint.
    pub checkpoint: Checkpoint,
    /// Where it was.
    pub path: PathBuf,
    /// Why the file before the newest one was read, if it was. Worth a warning.
    pub passed_over: Option<Error>,
}

impl Checkpoint {
    /// Unpacks a checkpoint. Any bytes at all give a checkpoint or an error: no panic, and no
    /// more memory than the bytes can stand for.
    ///
    /// # Errors
    /// [`Error::Version`], [`Error::Corrupt`], [`Error::Truncated`] or [`Error::TooLarge`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        format::read(bytes)
    }

    /// Packs the checkpoint, as [`write`](Self::write) would write it.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        match format::write(self, &mut bytes) {
            Ok(()) => Ok(bytes),
            Err(WriteError::Content(e)) => Err(e),
            Err(WriteError::Sink(source)) => Err(io_error("write", Path::new("memory"), source)),
        }
    }

    /// Writes the checkpoint to `path`, and keeps the file that was there as `path` + `.prev`.
    ///
    /// The new file is complete and synced before either name changes, and each change is one
    /// rename: a crash leaves a good file under one of the two names.
    ///
    /// # Errors
    /// [`Error::Io`] or [`Error::TooLarge`]; the old file is then still in place.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let failed = |source| io_error("write", path, source);
        let mut file = AtomicFile::create(path).map_err(|e| io_error("create", path, e))?;
        match format::write(self, &mut file) {
            Ok(()) => {}
            Err(WriteError::Content(e)) => return Err(e),
            Err(WriteError::Sink(e)) => return Err(failed(e)),
        }
        file.commit_durable(|path| match fs::rename(path, previous(path)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        })
        .map_err(failed)
    }

    /// [`write`](Self::write)s to [`FILE_NAME`] in `folder`.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_latest(&self, folder: impl AsRef<Path>) -> Result<(), Error> {
        self.write(folder.as_ref().join(FILE_NAME))
    }

    /// Reads one file.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Io`], [`Error::TooLarge`], or [`Error::File`] with what is
    /// wrong inside.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => Error::NotFound { path: path.to_owned() },
            _ => io_error("read", path, source),
        };
        if fs::metadata(path).map_err(failed)?.len() > MAX_BYTES {
            return Err(Error::TooLarge { what: path.display().to_string() });
        }
        let bytes = fs::read(path).map_err(failed)?;
        Self::from_bytes(&bytes).map_err(|source| Error::File { path: path.to_owned(), source: Box::new(source) })
    }
}

/// The newest good checkpoint of a folder: [`FILE_NAME`], or the one before it (`.prev`).
///
/// # Errors
/// [`Error::NotFound`] if there is neither file; otherwise, if neither is good, what is wrong with
/// the newest.
pub fn read_latest(folder: impl AsRef<Path>) -> Result<Latest, Error> {
    let folder = folder.as_ref();
    let newest = folder.join(FILE_NAME);
    let first = match Checkpoint::read(&newest) {
        Ok(checkpoint) => {
            return Ok(Latest { checkpoint, path: newest, passed_over: None });
        }
        Err(e) => e,
    };
    let before = previous(&newest);
    match (Checkpoint::read(&before), first) {
        (Ok(checkpoint), first) => Ok(Latest { checkpoint, path: before, passed_over: Some(first) }),
        (Err(Error::NotFound { .. }), Error::NotFound { .. }) => Err(Error::NotFound { path: folder.to_owned() }),
        (Err(second), Error::NotFound { .. }) => Err(second),
        (Err(_), first) => Err(first),
    }
}

fn previous(path: &Path) -> PathBuf {
    let mut name = path.file_name().map(OsString::from).unwrap_or_default();
    name.push(".prev");
    path.with_file_name(name)
}

fn io_error(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::Io { action, path: path.to_owned(), source }
}
