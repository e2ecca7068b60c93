//! Checkpoints: a run's state in one file, versioned, checksummed and replaced atomically.
//!
//! ```
//! use thalweg_io::checkpoint::{Array, Checkpoint};
//!
//! let checkpoint = Checkpoint {
//!     kind: "shallow".to_owned(),
//!     digest: 0x1234,
//!     time: 2.5,
//!     step: 100,
//!     header: serde_json::json!({ "nx": 2, "nz": 1 }),
//!     arrays: vec![("depth".to_owned(), Array::F32(vec![0.5, 0.25]))],
//! };
//! let back = Checkpoint::from_bytes(&checkpoint.to_bytes()?)?;
//! assert_eq!(back, checkpoint);
//! assert_eq!(back.f32("depth")?, [0.5, 0.25]);
//! # Ok::<(), thalweg_io::checkpoint::Error>(())
//! ```
//!
//! # The file, version 2
//!
//! All numbers are little-endian. `crc` is CRC-32 (IEEE) of what stands before it in its part.
//!
//! | part | content |
//! | --- | --- |
//! | preamble, 48 bytes | magic `THALWEG\0`, version u32, arrays u32, digest u64, time f64, step u64, bytes of meta u32, crc |
//! | meta | JSON `{"kind": …, "header": …}`, crc |
//! | per array | type u8 (1 f32, 2 f64, 3 u32, 4 bytes), three zero bytes, bytes of name u32, elements u64, name, crc |
//! | … its chunks | bytes stored u32, bytes raw u32, data, crc (of all three); 1 MiB raw each but the last |
//!
//! Version 1 is the same without arrays of bytes, and is still read.
//!
//! A chunk's bytes are shuffled (all first bytes of the elements, then all second bytes, …), which
//! puts exponents, which differ little, side by side, then LZ4-compressed; stored equal to raw means that this
//! did not pay and the (shuffled) bytes follow as they are. LZ4 because a checkpoint must not hold up
//! the run: it is fast, and here pure safe Rust without further dependencies. Zstd packs tighter,
//! but brings a C library.

mod format;
mod store;
#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;

pub use store::{FILE_NAME, Latest, read_latest};
pub use thalweg_model::Array;

/// The format version that this crate writes.
pub const VERSION: u32 = 2;

/// The oldest format version that it reads.
pub const OLDEST_VERSION: u32 = 1;

/// No checkpoint may hold more than this many bytes, unpacked (64 GiB).
pub const MAX_BYTES: u64 = 1 << 36;

/// A run's state, by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// Who wrote it, so that one solver does not load another's state: "shallow", …
    pub kind: String,
    /// Digest of the scene, so that a run does not resume from another scene's state.
    pub digest: u64,
    /// Simulated time, s.
    pub time: f64,
    /// Time steps taken.
    pub step: u64,
    /// Small values that are not arrays.
    pub header: serde_json::Value,
    /// The fields, in the order in which they were given.
    pub arrays: Vec<(String, Array)>,
}

impl Checkpoint {
    /// The array of that name and type.
    ///
    /// # Errors
    /// [`Error::Missing`] if there is none, or it holds another type.
    pub fn f32(&self, name: &str) -> Result<&[f32], Error> {
        match self.array(name) {
            Some(Array::F32(a)) => Ok(a),
            _ => Err(Error::missing(name, "f32")),
        }
    }

    /// The array of that name and type.
    ///
    /// # Errors
    /// [`Error::Missing`] if there is none, or it holds another type.
    pub fn f64(&self, name: &str) -> Result<&[f64], Error> {
        match self.array(name) {
            Some(Array::F64(a)) => Ok(a),
            _ => Err(Error::missing(name, "f64")),
        }
    }

    /// The array of that name and type.
    ///
    /// # Errors
    /// [`Error::Missing`] if there is none, or it holds another type.
    pub fn u32(&self, name: &str) -> Result<&[u32], Error> {
        match self.array(name) {
            Some(Array::U32(a)) => Ok(a),
            _ => Err(Error::missing(name, "u32")),
        }
    }

    /// The array of that name and type.
    ///
    /// # Errors
    /// [`Error::Missing`] if there is none, or it holds another type.
    pub fn bytes(&self, name: &str) -> Result<&[u8], Error> {
        match self.array(name) {
            Some(Array::U8(a)) => Ok(a),
            _ => Err(Error::missing(name, "bytes")),
        }
    }

    fn array(&self, name: &str) -> Option<&Array> {
        self.arrays.iter().find(|(n, _)| n == name).map(|(_, a)| a)
    }
}

/// Why a checkpoint could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no checkpoint.
    #[error("no checkpoint at {}", path.display())]
    NotFound {
        /// The file or folder that was searched.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// The file concerned.
        path: PathBuf,
        /// The system's own words.
        source: io::Error,
    },
    /// The file was found, but its content is not valid.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// Written by a newer (or much older) Thalweg.
    #[error("checkpoint format {found}, but this program reads formats {OLDEST_VERSION} to {supported}")]
    Version {
        /// The file's version.
        found: u32,
        /// [`VERSION`].
        supported: u32,
    },
    /// The bytes are not what was written.
    #[error("the checkpoint is damaged: {what}")]
    Corrupt {
        /// The part concerned, and what is wrong with it.
        what: String,
    },
    /// The file ends too early.
    #[error("the checkpoint ends within {part}")]
    Truncated {
        /// The part that is not whole.
        part: &'static str,
    },
    /// More than [`MAX_BYTES`], or than the format's length fields can hold.
    #[error("the checkpoint is too large: {what}")]
    TooLarge {
        /// The part concerned.
        what: String,
    },
    /// The checkpoint is sound, but lacks something that its reader needs.
    #[error("the checkpoint has no array `{name}` of type {wanted}")]
    Missing {
        /// The array asked for.
        name: String,
        /// The element type asked for.
        wanted: &'static str,
    },
}

impl Error {
    fn missing(name: &str, wanted: &'static str) -> Self {
        Self::Missing { name: name.to_owned(), wanted }
    }
}
