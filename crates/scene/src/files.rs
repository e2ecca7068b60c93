//! Where the files that a scene names come from: a folder, or a table in memory.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The files beside a scene.
#[derive(Debug, Clone)]
pub enum Files<'a> {
    /// Files on disk; relative names start at this folder.
    Folder(PathBuf),
    /// Files in memory, by name. An empty table is a world without files.
    Table(&'a [(&'a str, &'a [u8])]),
    /// The same, and a folder on disk for files that are too large for memory.
    TableAndFolder(&'a [(&'a str, &'a [u8])], PathBuf),
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Nothing has this name.
    #[error("the file does not exist")]
    Missing,
    /// A folder, a device or a pipe.
    #[error("it is not a file but {what}")]
    NotAFile {
        /// What it is instead.
        what: &'static str,
    },
    /// The file is larger than files of its kind may be.
    #[error("the file has {bytes} bytes, at most {limit} are accepted")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The largest size accepted.
        limit: u64,
    },
    /// The operating system refused.
    #[error("the file cannot be read: {0}")]
    Io(io::Error),
}

impl<'a> Files<'a> {
    /// For scenes that name no files.
    pub fn none() -> Self {
        Self::Table(&[])
    }

    /// The folder on disk, if there is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) | Self::TableAndFolder(_, folder) => Some(folder),
            Self::Table(_) => None,
        }
    }

    /// The content of a file of at most `limit` bytes. The size is checked before memory is taken.
    pub fn read(&self, name: &str, limit: u64) -> Result<Cow<'a, [u8]>, FileError> {
        match self {
            Self::Folder(folder) => read_from_disk(folder.join(name), limit).map(Cow::Owned),
            Self::Table(table) | Self::TableAndFolder(table, _) => {
                let found = table.iter().find(|(known, _)| *known == name);
                let (_, bytes) = found.ok_or(FileError::Missing)?;
                check_size(bytes.len() as u64, limit)?;
                Ok(Cow::Borrowed(bytes))
            }
        }
    }
}

fn read_from_disk(path: PathBuf, limit: u64) -> Result<Vec<u8>, FileError> {
    // Asked before opening: opening a named pipe would wait for its writer.
    let metadata = fs::metadata(&path).map_err(from_io)?;
    if metadata.is_dir() {
        return Err(FileError::NotAFile { what: "a folder" });
    }
    if !metadata.is_file() {
        return Err(FileError::NotAFile { what: "a device or a pipe" });
    }
    check_size(metadata.len(), limit)?;
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    let file = fs::File::open(&path).map_err(from_io)?;
    // The file may have grown since.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(from_io)?;
    check_size(bytes.len() as u64, limit)?;
    Ok(bytes)
}

fn check_size(bytes: u64, limit: u64) -> Result<(), FileError> {
    if bytes > limit {
        return Err(FileError::TooLarge { bytes, limit });
    }
    Ok(())
}

pub(crate) fn from_io(error: io::Error) -> FileError {
    match error.kind() {
        io::ErrorKind::NotFound => FileError::Missing,
        _ => FileError::Io(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disk_and_table_agree() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.txt"), b"water").expect("written");
        let disk = Files::Folder(folder.path().to_owned());
        let table = Files::Table(&[("a.txt", b"water")]);
        for files in [&disk, &table] {
            assert_eq!(files.read("a.txt", 5).expect("read").as_ref(), b"water");
            assert!(matches!(files.read("a.txt", 4), Err(FileError::TooLarge { bytes: 5, limit: 4 })));
            assert!(matches!(files.read("b.txt", 5), Err(FileError::Missing)));
        }
        assert!(matches!(disk.read(".", 5), Err(FileError::NotAFile { .. })));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn endless_devices_are_refused() {
        let files = Files::Folder(PathBuf::from("/dev"));
        assert!(matches!(files.read("zero", 5), Err(FileError::NotAFile { .. })));
    }
}
