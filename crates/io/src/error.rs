//! What can go wrong with a picture, a video, a table or a report.

use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be written or read. Checkpoints have [their own](crate::checkpoint::Error).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was being done: "create", "write", …
        action: &'static str,
        /// The file or folder concerned.
        path: PathBuf,
        /// The system's own words.
        source: io::Error,
    },
    /// The file is not a picture that can be read here.
    #[error("{} is not a readable PNG: {why}", path.display())]
    NotAPicture {
        /// The file.
        path: PathBuf,
        /// What the decoder found.
        why: String,
    },
    /// A picture has a size that its file format, or the video it was pushed to, does not allow.
    #[error(
        "{}: a picture of {}×{} pixels does not fit, {}×{} expected",
        path.display(), found[0], found[1], expected[0], expected[1]
    )]
    PictureSize {
        /// The file that was to hold the picture, or that the picture came from.
        path: PathBuf,
        /// Width and height of the picture, pixels.
        found: [usize; 2],
        /// Width and height that would fit, pixels.
        expected: [usize; 2],
    },
    /// A video was asked for in a program that has no encoder.
    #[error("{}: this program was built without the feature `video`", path.display())]
    BuiltWithoutVideo {
        /// The video.
        path: PathBuf,
    },
    /// A video needs at least one frame.
    #[error("{}: a video needs at least one frame", path.display())]
    NoFrames {
        /// The video.
        path: PathBuf,
    },
    /// Frames per second must be within 0.1 to 1000.
    #[error("{}: {fps} frames per second cannot be shown, take 0.1 to 1000", path.display())]
    FrameRate {
        /// The video.
        path: PathBuf,
        /// What was asked for.
        fps: f64,
    },
    /// The encoder gave up.
    #[error("{}: cannot encode the video: {why}", path.display())]
    Encoding {
        /// The video.
        path: PathBuf,
        /// The encoder's own words.
        why: String,
    },
    /// The number of values differs from the number of columns.
    #[error("{}: a row of {found} values in a table of {expected} columns", path.display())]
    RowLength {
        /// The table.
        path: PathBuf,
        /// Values in the row.
        found: usize,
        /// Columns of the table.
        expected: usize,
    },
    /// A table on disk has other columns than the run that wants to continue it.
    #[error(
        "{}: the table has columns `{}`, expected `{}`",
        path.display(), found.join(","), expected.join(",")
    )]
    Columns {
        /// The table.
        path: PathBuf,
        /// Names on disk.
        found: Vec<String>,
        /// Names asked for.
        expected: Vec<String>,
    },
    /// A line of a table, other than a torn last one, is not a row of numbers.
    #[error("{}, line {line}: {why}", path.display())]
    Malformed {
        /// The table.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The parts of a file do not belong together.
    #[error("{found} values where {expected} belong")]
    Fields {
        /// How many there are.
        found: usize,
        /// How many would fit.
        expected: usize,
    },
    /// A map over time that the scene did not ask for.
    #[error("the map `{map}` was not kept: a scene keeps it with a table [maps], which may be empty")]
    NotKept {
        /// Its name.
        map: &'static str,
    },
    /// More than a format can count.
    #[error("{what} cannot be written: {hint}")]
    TooLarge {
        /// The file.
        what: &'static str,
        /// What to do instead.
        hint: &'static str,
    },
    /// A format's library refused the data, or the format cannot hold the data.
    #[error("cannot encode {format}: {why}")]
    Encode {
        /// The format.
        format: &'static str,
        /// What is wrong.
        why: String,
    },
}

impl Error {
    /// Closure that makes the error of a format from words.
    pub(crate) fn encode(format: &'static str) -> impl FnOnce(&str) -> Self {
        move |why| Self::Encode { format, why: why.to_owned() }
    }

    /// Names the file of a picture that does not fit into a video, rather than the video.
    #[must_use]
    pub fn of_frame(self, frame: &Path) -> Self {
        match self {
            Self::PictureSize { found, expected, .. } => Self::PictureSize { path: frame.to_owned(), found, expected },
            other => other,
        }
    }

    /// Closure for `map_err` that adds the action and the path to a system error.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }
}
