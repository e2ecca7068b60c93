//! One moving picture out of many: AV1 video in an MP4 file.
//!
//! Why AV1: it is free of royalties, current browsers and players show it, and the encoder (rav1e) is Rust
//! without a system library. Colours are BT.709 in the limited range with half the resolution in
//! colour (4:2:0), and tagged so. The tables of the file stand before the pictures, so that a browser
//! can begin before it has all of them. For that the encoded pictures are kept in memory until the end; of the
//! others as many as the encoders, one per second of the video, can work on together.
//!
//! ```no_run
//! # fn main() -> Result<(), thalweg_io::Error> {
//! use thalweg_io::{Image, video::VideoWriter};
//!
//! let mut video = VideoWriter::create("waves.mp4", 320, 200, 25.0)?;
//! for grey in 0..=255 {
//!     video.push(Image::filled(320, 200, [grey; 3]))?;
//! }
//! video.finish()
//! # }
//! ```

mod mp4;
mod obu;
mod segments;
#[cfg(test)]
mod tests;
mod yuv;

use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rav1e::prelude::*;

use crate::atomic::AtomicFile;
use crate::{Error, Image};
use mp4::{Movie, Sample};
use segments::{Packed, Segments};

pub use segments::Progress;

/// Quantiser of AV1, 0 (best) to 255. Chosen by measurement, see `docs/video.md`.
const QUANTISER: usize = 100;
/// Speed of rav1e, 0 (slow) to 10 (fast). Chosen by the same measurement.
const SPEED: u8 = 10;
/// Parts of a picture that an encoder works on at the same time, if there are threads. A fixed number, so that the file
/// does not depend on the machine.
const TILES: usize = 4;
/// Pictures from one key frame to the next at least: where a second has fewer, a player decodes so many in no time.
const FEWEST_TO_KEY: usize = 10;
/// Smallest side that the encoder takes, pixels.
const SMALLEST_SIDE: usize = 16;
/// Largest side that AV1 takes, pixels, made even.
const LARGEST_SIDE: usize = 65_534;
/// Frame rates that are taken, 1/s. Outside of them a player shows no motion.
const RATES: std::ops::RangeInclusive<f64> = 0.1..=1000.0;

/// A video being written, at a constant frame rate. Until [`finish`](Self::finish) there is no file of its
/// name, and dropped before, it leaves none.
pub struct VideoWriter {
    segments: Segments,
    file: AtomicFile,
    path: PathBuf,
    /// Size of the pictures that are pushed; the video's is even.
    size: [usize; 2],
    pushed: usize,
    movie: Movie,
}

impl std::fmt::Debug for VideoWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VideoWriter")
            .field("path", &self.path)
            .field("size", &self.size)
            .field("pushed", &self.pushed)
            .finish_non_exhaustive()
    }
}

impl VideoWriter {
    /// Starts a video of pictures of `width` by `height` pixels, on all cores. Every second begins with a key frame, to
    /// which a player can jump; where a second has less than ten pictures, every tenth is one.
    ///
    /// Colour has half the resolution, so that a video has even sides: an odd side grows by one pixel, which
    /// repeats the last column or row.
    ///
    /// # Errors
    /// [`Error::PictureSize`] if a side is below 16 or above 65,534 pixels, [`Error::FrameRate`] if the rate is
    /// not within 0.1 to 1000, [`Error::Io`] if the file cannot be created.
    pub fn create(path: impl AsRef<Path>, width: usize, height: usize, frames_per_second: f64) -> Result<Self, Error> {
        let cores = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        Self::create_on(cores, path, width, height, frames_per_second)
    }

    /// The same on so many threads. The file does not depend on them.
    ///
    /// # Errors
    /// Those of [`create`](Self::create).
    pub fn create_on(
        threads: NonZero<usize>,
        path: impl AsRef<Path>,
        width: usize,
        height: usize,
        frames_per_second: f64,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        let size = [width, height];
        if size.iter().any(|side| !(SMALLEST_SIDE..=LARGEST_SIDE).contains(side)) {
            let expected = size.map(|side| side.clamp(SMALLEST_SIDE, LARGEST_SIDE));
            return Err(Error::PictureSize { path: path.to_owned(), found: size, expected });
        }
        if !RATES.contains(&frames_per_second) {
            return Err(Error::FrameRate { path: path.to_owned(), fps: frames_per_second });
        }
        let even = size.map(|side| side.next_multiple_of(2));
        let frame_ticks = (f64::from(mp4::TICKS_PER_SECOND) / frames_per_second).round() as u32;
        let length = (frames_per_second.round() as usize).max(FEWEST_TO_KEY);
        let settings = settings(even, frame_ticks, length);
        let config = Config::new().with_encoder_config(settings).with_threads(threads.get().min(TILES));
        config.validate().map_err(|e| encoding_error(path, &e))?;
        let file = AtomicFile::create(path).map_err(Error::io("create", path))?;
        let at_once = NonZero::new(threads.get() / TILES).unwrap_or(NonZero::<usize>::MIN);
        let segments = Segments::new(path, config, length, at_once);
        let movie = Movie::new(even.map(|side| side as u16), frame_ticks);
        Ok(Self { segments, file, path: path.to_owned(), size, pushed: 0, movie })
    }

    /// Adds a picture, which is shown for one period of the frame rate. It is encoded on other threads; this waits only
    /// where pictures come much faster than they are encoded.
    ///
    /// # Errors
    /// [`Error::PictureSize`] if the picture has another size than the video, [`Error::Encoding`] if an encoder
    /// gave up, on this picture or an earlier one.
    pub fn push(&mut self, image: Image) -> Result<(), Error> {
        let found = [image.width, image.height];
        if found != self.size || image.rgb.len() != image.width * image.height * 3 {
            return Err(Error::PictureSize { path: self.path.clone(), found, expected: self.size });
        }
        self.pushed += 1;
        self.segments.push(image)
    }

    /// How far the encoders are, to look at while pictures are pushed, or while waiting for the end.
    pub fn progress(&self) -> Arc<Progress> {
        self.segments.progress()
    }

    /// Waits until all is encoded and gives the file its name.
    ///
    /// # Errors
    /// [`Error::NoFrames`] without a picture, [`Error::Encoding`] if an encoder gave up, [`Error::Io`] if the file
    /// cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        if self.pushed == 0 {
            return Err(Error::NoFrames { path: self.path });
        }
        for packed in self.segments.finish()? {
            self.add(&packed)?;
        }
        let encoded = self.movie.samples.len();
        if encoded != self.pushed {
            let why = format!("{encoded} of {} pictures came out of the encoder", self.pushed);
            return Err(Error::Encoding { path: self.path, why });
        }
        let Some(head) = self.movie.head() else {
            return Err(Error::Encoding { path: self.path, why: "more than 4 GiB; make it shorter".to_owned() });
        };
        self.file
            .write_all(&head)
            .and_then(|()| self.file.write_all(&self.movie.data))
            .and_then(|()| self.file.commit())
            .map_err(Error::io("write", &self.path))
    }

    /// Puts an encoded picture behind those before.
    fn add(&mut self, packed: &Packed) -> Result<(), Error> {
        let Some(units) = obu::split(&packed.data) else {
            return Err(encoding_error(&self.path, &"a packet is not made of AV1 units"));
        };
        let start = self.movie.data.len();
        for unit in units {
            // In MP4 the samples mark where a picture begins, delimiters are left out.
            if unit.kind != obu::TEMPORAL_DELIMITER {
                self.movie.data.extend_from_slice(unit.bytes);
            }
            if unit.kind == obu::SEQUENCE_HEADER && self.movie.sequence_header.is_empty() {
                self.movie.sequence_header = unit.bytes.to_vec();
            }
        }
        let bytes = self.movie.data.len() - start;
        self.movie.samples.push(Sample { bytes, is_key: packed.is_key });
        Ok(())
    }
}

/// `length`: pictures from one key frame to the next.
fn settings(size: [usize; 2], frame_ticks: u32, length: usize) -> EncoderConfig {
    let mut settings = EncoderConfig::with_speed_preset(SPEED);
    [settings.width, settings.height] = size;
    settings.time_base = Rational::new(frame_ticks.into(), mp4::TICKS_PER_SECOND.into());
    settings.pixel_range = PixelRange::Limited;
    settings.color_description = Some(ColorDescription {
        color_primaries: ColorPrimaries::BT709,
        transfer_characteristics: TransferCharacteristics::BT709,
        matrix_coefficients: MatrixCoefficients::BT709,
    });
    settings.quantizer = QUANTISER;
    settings.tiles = TILES;
    // Together they halve the time at the same quality for a quarter more bytes: `docs/video.md`.
    settings.low_latency = true;
    settings.tune = Tune::Psnr;
    settings.speed_settings.cdef = false;
    // Water has no cuts to look for: key frames come at their time and nowhere else.
    settings.speed_settings.scene_detection_mode = SceneDetectionSpeed::None;
    settings.set_key_frame_interval(length as u64, length as u64);
    settings
}

fn encoding_error(path: &Path, why: &dyn std::fmt::Display) -> Error {
    Error::Encoding { path: path.to_owned(), why: why.to_string() }
}

/// Makes a video of PNG frames on disk, in the order given. `progress` is called after every frame with the number of
/// frames taken.
///
/// # Errors
/// [`Error::NoFrames`] if the list is empty, [`Error::PictureSize`] with the frame's name if one has another size
/// than the first, and the errors of [`Image::read_png`] and [`VideoWriter`].
pub fn from_frames(
    frames: &[PathBuf],
    path: impl AsRef<Path>,
    frames_per_second: f64,
    mut progress: impl FnMut(usize),
) -> Result<(), Error> {
    let path = path.as_ref();
    let Some(first) = frames.first() else {
        return Err(Error::NoFrames { path: path.to_owned() });
    };
    let image = Image::read_png(first)?;
    let mut video = VideoWriter::create(path, image.width, image.height, frames_per_second)?;
    for (n, frame) in frames.iter().enumerate() {
        video.push(Image::read_png(frame)?).map_err(|e| e.of_frame(frame))?;
        progress(n + 1);
    }
    video.finish()
}
