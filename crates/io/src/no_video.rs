//! What stands for videos without the feature `video`: making one is an error.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::{Error, Image};

/// A video being written, which this program was built without: there is no value of this type.
#[derive(Debug)]
pub enum VideoWriter {}

impl VideoWriter {
    /// Always [`Error::BuiltWithoutVideo`].
    pub fn create(path: impl AsRef<Path>, _: usize, _: usize, _: f64) -> Result<Self, Error> {
        Err(Error::BuiltWithoutVideo { path: path.as_ref().to_owned() })
    }

    /// Always [`Error::BuiltWithoutVideo`].
    pub fn create_on(_: NonZero<usize>, path: impl AsRef<Path>, _: usize, _: usize, _: f64) -> Result<Self, Error> {
        Err(Error::BuiltWithoutVideo { path: path.as_ref().to_owned() })
    }

    /// As with the feature `video`.
    pub fn push(&mut self, _: Image) -> Result<(), Error> {
        match *self {}
    }

    /// As with the feature `video`.
    pub fn progress(&self) -> Arc<Progress> {
        match *self {}
    }

    /// As with the feature `video`.
    pub fn finish(self) -> Result<(), Error> {
        match self {}
    }
}

/// How far a video is; there is no value of this type.
#[derive(Debug)]
pub enum Progress {}

impl Progress {
    /// As with the feature `video`.
    pub fn pictures(&self) -> usize {
        match *self {}
    }

    /// As with the feature `video`.
    pub fn busy(&self) -> Duration {
        match *self {}
    }
}

/// Always [`Error::BuiltWithoutVideo`].
pub fn from_frames(_: &[PathBuf], path: impl AsRef<Path>, _: f64, _: impl FnMut(usize)) -> Result<(), Error> {
    Err(Error::BuiltWithoutVideo { path: path.as_ref().to_owned() })
}

#[cfg(test)]
mod tests {
    use crate::Error;

    #[test]
    fn a_video_is_refused() {
        let refused = super::from_frames(&[], "a.mp4", 25.0, |_| {});
        assert!(matches!(refused, Err(Error::BuiltWithoutVideo { .. })), "{refused:?}");
    }
}
