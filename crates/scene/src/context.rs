//! What the lowering of every section needs: the report, the files and the digest.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::diagnostics::quoted;
use crate::files::{FileError, Files};
use crate::report::{At, Report};

/// Carried through the sections while a scene is validated.
pub(crate) struct Context<'a> {
    pub(crate) report: Report<'a>,
    pub(crate) digest: Fnv,
    /// Simulated time, s.
    pub(crate) duration: f64,
    /// The files that were read, by name.
    pub(crate) files_read: Vec<(String, Vec<u8>)>,
    /// The folder of files that are read while the scene runs, if it has any: absolute, and in UTF-8.
    pub(crate) streams_from: Option<PathBuf>,
    files: &'a Files<'a>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(report: Report<'a>, files: &'a Files<'a>, duration: f64) -> Self {
        Self { report, digest: Fnv::default(), duration, files_read: Vec::new(), streams_from: None, files }
    }

    /// Where a file that is read while the scene runs lies on disk; reported if it cannot be told, also to who reads the scene again.
    pub(crate) fn path(&mut self, at: &At, name: &str) -> Option<PathBuf> {
        let Some(folder) = self.files.folder() else {
            let message = format!("{} streams, but this scene's files are not on disk", quoted(name));
            let hint = "run the scene from its file, beside the raster";
            self.report.error_with(at, message, hint);
            return None;
        };
        // The folder of a bare name is empty.
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // Absolute: who reads the text again may be elsewhere.
        let folder = match std::path::absolute(folder) {
            Ok(folder) => folder,
            Err(error) => {
                let message =
                    format!("nobody knows where {} is: the current folder cannot be told: {error}", quoted(name));
                self.report.error(at, message);
                return None;
            }
        };
        if folder.to_str().is_none() {
            let message = format!(
                "{} streams from a folder whose name is not UTF-8, {}: checkpoints could not name it",
                quoted(name),
                folder.display()
            );
            let hint =
                "move the scene and its raster to a folder with a name in UTF-8, or give that folder such a name";
            self.report.error_with(at, message, hint);
            return None;
        }
        let path = folder.join(name);
        self.streams_from = Some(folder);
        Some(path)
    }

    /// The content of a file named at a key. Its bytes enter the digest.
    pub(crate) fn read(&mut self, at: &At, name: &str, limit: u64) -> Option<Cow<'a, [u8]>> {
        match self.files.read(name, limit) {
            Ok(bytes) => {
                self.digest.write(&(bytes.len() as u64).to_le_bytes());
                self.digest.write(&bytes);
                if self.files_read.iter().all(|(known, _)| known != name) {
                    self.files_read.push((name.to_owned(), bytes.to_vec()));
                }
                Some(bytes)
            }
            Err(error) => {
                let message = format!("{}: {error}", quoted(name));
                match (&error, self.files) {
                    (FileError::Missing, Files::Folder(folder)) => {
                        let folder =
                            if folder.as_os_str().is_empty() { ".".into() } else { folder.display().to_string() };
                        self.report.error_with(
                            at,
                            message,
                            format!("names are relative to the scene's folder, {folder}"),
                        );
                    }
                    _ => self.report.error(at, message),
                }
                None
            }
        }
    }
}

/// FNV-1a, 64 bits: the same on every machine, and stable across versions of Rust.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub(crate) fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Fnv;

    #[test]
    fn known_digests() {
        let digest = |text: &str| {
            let mut fnv = Fnv::default();
            fnv.write(text.as_bytes());
            fnv.finish()
        };
        // Vectors of the FNV reference code.
        assert_eq!(digest(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(digest("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(digest("foobar"), 0x8594_4171_f739_67e8);
    }
}
