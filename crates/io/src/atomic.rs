//! Files that appear whole or not at all: written beside their place, then renamed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file being written under a temporary name in its final folder.
///
/// Dropped without [`commit`](Self::commit), it is removed. A program that is killed leaves the temporary file
/// behind; its name is fixed, so the next attempt overwrites it rather than adding another.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    writer: Option<BufWriter<File>>,
    temporary: PathBuf,
    path: PathBuf,
}

impl AtomicFile {
    /// Opens the temporary file, and makes the folder if it is missing.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            make_folder(folder)?;
        }
        let temporary = temporary_name(path)?;
        let file = File::create(&temporary).map_err(|error| refused(&temporary, error))?;
        Ok(Self { writer: Some(BufWriter::with_capacity(1 << 16, file)), temporary, path: path.to_owned() })
    }

    /// Gives the file its name, replacing an older file. A killed program loses nothing by it, a machine
    /// without power might: for files that can be made again, such as pictures.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        self.close()?;
        fs::rename(&self.temporary, &self.path)
    }

    /// Like [`commit`](Self::commit) for files that must outlast a power failure, with a function that runs after the
    /// new file is durable and before it is renamed. `before` gets the final path.
    pub(crate) fn commit_durable(mut self, before: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
        if let Some(file) = self.close()? {
            file.sync_all()?;
        }
        before(&self.path)?;
        fs::rename(&self.temporary, &self.path)?;
        sync_folder(&self.path)
    }

    fn close(&mut self) -> io::Result<Option<File>> {
        self.writer.take().map(|w| w.into_inner().map_err(io::IntoInnerError::into_error)).transpose()
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.writer {
            Some(writer) => writer.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        // After a commit the name is gone and this does nothing.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Writes a whole file that appears complete or not at all, and makes its folder if it is missing.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    file.commit()
}

/// Makes a folder, and those that it is in. The error says which of them could not be made.
pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path).map_err(|error| refused(path, error))
}

/// The system's error about something that is to be made, in the right words. Folders that take nothing new, as those
/// of `/proc`, say that it was not found, as though something were missing.
fn refused(path: &Path, error: io::Error) -> io::Error {
    if error.kind() != io::ErrorKind::NotFound {
        return error;
    }
    let above = path.ancestors().skip(1).map(|above| if above.as_os_str().is_empty() { Path::new(".") } else { above });
    match above.into_iter().find(|above| above.is_dir()) {
        Some(above) => {
            let why = format!("{} takes no new files or folders", above.display());
            io::Error::new(io::ErrorKind::PermissionDenied, why)
        }
        None => error,
    }
}

/// `folder/name` → `folder/.name.part`.
fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(".part");
    Ok(path.with_file_name(hidden))
}

/// A rename is durable only once its folder is; elsewhere than on Unix the system sees to it.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_file_leaves_no_trace() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("sub/a.txt");
        let mut file = AtomicFile::create(&path)?;
        file.write_all(b"half")?;
        drop(file);
        assert_eq!(fs::read_dir(folder.path().join("sub"))?.count(), 0);
        Ok(())
    }

    #[test]
    fn a_committed_file_replaces_the_old_one() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.txt");
        write(&path, b"old")?;
        write(&path, b"new")?;
        assert_eq!(fs::read(&path)?, b"new");
        assert_eq!(fs::read_dir(folder.path())?.count(), 1);
        Ok(())
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_folder_that_takes_nothing_is_not_called_missing() {
        for error in [make_folder(Path::new("/proc/deep/er")), write(Path::new("/proc/a.txt"), b"")] {
            let error = error.expect_err("no file can be written there");
            assert!(!error.to_string().contains("No such file"), "{error}");
            assert!(error.to_string().contains("/proc takes no new files"), "{error}");
        }
    }

    #[test]
    fn a_path_without_a_name_is_an_error() {
        assert!(write(Path::new("/"), b"").is_err());
    }
}
