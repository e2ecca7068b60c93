//! The water of a run, kept for the player of its report.
//!
//! The file is a row of blocks, each after its length as a little-endian u32: the hello as JSON, the message of the ground, then a message
//! per frame. Frames are appended while the run goes on; a run that is resumed cuts off what came after its checkpoint, and a
//! block that a kill left unfinished is dropped.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thalweg::compute::{Later, Shared};
use thalweg::{Simulation, Statistics, WaterSurface};

use crate::capture::{Detail, ground, hello, water_later};
use crate::frame::{Figures, Frame};

/// Bytes of all frames together, before they are packed.
const BYTES: usize = 22 << 20;

/// Frames at most; of longer runs every n-th is kept.
const MOST_FRAMES: u64 = 240;

/// Bytes of a triangle: half a vertex of ten bytes and three numbers of two.
const TRIANGLE_BYTES: usize = 11;

/// Bytes of a column.
const COLUMN_BYTES: usize = 3;

/// Why water could not be kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file cannot be read or written.
    #[error("cannot write {}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is no recording.
    #[error("{} is no recording of this version: remove it, or run without --resume", path.display())]
    Broken {
        /// Which file.
        path: PathBuf,
    },
    /// The simulation failed.
    #[error(transparent)]
    Simulation(#[from] thalweg::Error),
}

/// Which frames of a run are kept, and in what detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    /// Every how many frames one is kept.
    every: u64,
    detail: Detail,
}

impl Sampling {
    /// For a run of about so many frames.
    pub fn of(frames: u64) -> Self {
        let every = frames.div_ceil(MOST_FRAMES).max(1);
        let bytes = BYTES / (frames / every + 1) as usize;
        let columns = ((bytes / COLUMN_BYTES) as f64).sqrt() as usize;
        let detail = Detail { triangles: (bytes / TRIANGLE_BYTES).min(60_000), columns: columns.min(256) };
        Self { every, detail }
    }

    /// Whether it is the turn of this frame.
    pub fn keeps(&self, frame: u64) -> bool {
        frame.is_multiple_of(self.every)
    }

    /// The water as it is, for [`Recording::append`]: read now, made into a message while the simulation goes on. `statistics` and `surface`, if there
    /// is one already, are those of the water as it is.
    pub fn read(
        &self,
        simulation: &mut Simulation,
        statistics: &Statistics,
        surface: Option<Shared<Arc<WaterSurface>, thalweg::Error>>,
    ) -> Result<Later<Vec<u8>, thalweg::Error>, thalweg::Error> {
        let figures = Figures { generation: 1, ..Figures::default() };
        let frame = water_later(simulation, statistics, surface, self.detail, figures)?;
        Ok(frame.map(|frame: Frame| frame.encode()))
    }
}

/// A file that grows with the run.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    file: File,
}

impl Recording {
    /// Begins a file, without water yet.
    pub fn create(path: &Path, simulation: &mut Simulation, sampling: Sampling) -> Result<Self, RecordingError> {
        let hello = hello(simulation, "", 1)?;
        // Strings and finite numbers: there is nothing that JSON could not say.
        let hello = serde_json::to_vec(&hello).unwrap_or_else(|error| panic!("a hello is JSON: {error}"));
        let mut bytes = block(&hello);
        bytes.extend(block(&ground(simulation, sampling.detail)?.encode()));
        Self::open(path, &bytes)
    }

    /// Goes on with the file of an earlier run up to the time of the simulation; without one, begins it.
    pub fn resume(path: &Path, simulation: &mut Simulation, sampling: Sampling) -> Result<Self, RecordingError> {
        if !path.exists() {
            return Self::create(path, simulation, sampling);
        }
        let blocks = read(path)?;
        let now = simulation.time() * (1.0 + 1e-9);
        let is_kept = |(n, bytes): &(usize, &Vec<u8>)| {
            *n < 2 || Frame::decode(bytes).is_ok_and(|frame| frame.figures.time <= now)
        };
        let kept: Vec<u8> = blocks.iter().enumerate().filter(is_kept).flat_map(|(_, bytes)| block(bytes)).collect();
        Self::open(path, &kept)
    }

    fn open(path: &Path, begin: &[u8]) -> Result<Self, RecordingError> {
        let fault = |source| RecordingError::File { path: path.to_owned(), source };
        thalweg_io::write_atomically(path, begin).map_err(|error| fault(io::Error::other(error.to_string())))?;
        let file = OpenOptions::new().append(true).open(path).map_err(fault)?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Keeps what [`Sampling::read`] has read.
    pub fn append(&mut self, frame: &[u8]) -> Result<(), RecordingError> {
        let written = self.file.write_all(&block(frame));
        written.map_err(|source| RecordingError::File { path: self.path.clone(), source })
    }
}

/// Bytes after their length.
pub(crate) fn block(bytes: &[u8]) -> Vec<u8> {
    let mut out = (bytes.len() as u32).to_le_bytes().to_vec();
    out.extend(bytes);
    out
}

/// The whole blocks of a file: hello, ground, frames.
pub(crate) fn read(path: &Path) -> Result<Vec<Vec<u8>>, RecordingError> {
    let bytes = std::fs::read(path).map_err(|source| RecordingError::File { path: path.to_owned(), source })?;
    let mut blocks = Vec::new();
    let mut rest = bytes.as_slice();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let Some((own, after)) = after.split_at_checked(u32::from_le_bytes(*length) as usize) else { break };
        blocks.push(own.to_vec());
        rest = after;
    }
    let is_good = blocks.len() >= 2 && blocks[1..].iter().all(|bytes| Frame::decode(bytes).is_ok());
    if is_good { Ok(blocks) } else { Err(RecordingError::Broken { path: path.to_owned() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_keep_fewer_frames_and_short_ones_more_triangles() {
        assert_eq!(Sampling::of(0), Sampling { every: 1, detail: Detail { triangles: 60_000, columns: 256 } });
        let Sampling { every, detail } = Sampling::of(80);
        assert!(every == 1 && (20_000..30_000).contains(&detail.triangles), "{detail:?}");
        let Sampling { every, detail } = Sampling::of(10_000);
        let kept = 10_000 / every + 1;
        assert!(kept <= MOST_FRAMES + 1, "{kept} frames");
        assert!(detail.triangles * TRIANGLE_BYTES * kept as usize <= BYTES, "{detail:?}");
    }
}
