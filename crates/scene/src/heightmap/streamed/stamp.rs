//! What tells whether the files of a raster have changed.

use std::path::Path;
use std::time::UNIX_EPOCH;

use super::error::RasterError;

/// Sizes and times of modification of all files of a raster.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Of all files together.
    pub(super) bytes: u64,
    /// The newest time of modification, ns since 1970.
    pub(super) newest: u64,
    /// Checksum over the size and time of each file, in order: tiles that swap places leave the sums as they were.
    pub(super) digest: u32,
}

impl Stamp {
    /// All of it.
    pub(super) fn identity(self) -> [u8; 20] {
        let mut bytes = [0; 20];
        bytes[..8].copy_from_slice(&self.bytes.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.newest.to_le_bytes());
        bytes[16..].copy_from_slice(&self.digest.to_le_bytes());
        bytes
    }

    /// Adds a file.
    pub(super) fn add(&mut self, path: &Path) -> Result<(), RasterError> {
        let metadata = path.metadata().map_err(|error| RasterError::io(path, error))?;
        // File systems without times give 0: then only sizes tell.
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.map_or(0, |time| time.as_nanos() as u64);
        self.bytes = self.bytes.saturating_add(metadata.len());
        self.newest = self.newest.max(modified);
        let mut sum = crc32fast::Hasher::new_with_initial(self.digest);
        sum.update(&metadata.len().to_le_bytes());
        sum.update(&modified.to_le_bytes());
        self.digest = sum.finalize();
        Ok(())
    }
}
