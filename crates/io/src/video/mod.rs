//! One moving picture out of many: AV1 video in an MP4 file.
//!
//! Why AV1: it is free of royalties, current browsers and players show it, and the encoder (rav1e) is Rust
//! without a system library. Colours are BT.709 in the limited range with half the resolution in
//! colour (4:2:0), and tagged so. The tables of the file stand before the pictures, so that a browser
//! can begin before it has all of them. For that the encoded pictures are kept in memory until the end; the
//! uncompressed ones are not, apart from the few that the encoder looks at together.
//!
//! ```no_run
//! # fn main() -> Result<(), thalweg_io::Error> {
//! use thalweg_io::{Image, video::VideoWriter};
//!
//! let mut video = VideoWriter::create("waves.mp4", 320, 200, 25.0)?;
//! for grey in 0..=255 {
//!     video.push(&Image::filled(320, 200, [grey; 3]))?;
//! }
//! video.finish()
//! # }
//! ```

mod mp4;
mod obu;
#[cfg(test)]
mod tests;
mod yuv;

use std::io::Write;
use std::path::{Path, PathBuf};

use rav1e::prelude::*;

use crate::atomic::AtomicFile;
use crate::{Error, Image};
use mp4::{Movie, Sample};

/// Quantiser of AV1, 0 (best) to 255. Chosen by measurement, see `docs/video.md`.
const QUANTISER: usize = 100;
/// Speed of rav1e, 0 (slow) to 10 (fast). Chosen by the same measurement.
const SPEED: u8 = 10;
/// Threads of the encoder, and parts of a picture that it works on at the same time. A fixed number of
/// parts, so that the file does not depend on the machine.
const THREADS: usize = 2;
/// Smallest side that the encoder takes, pixels.
const SMALLEST_SIDE: usize = 16;
/// Largest side that AV1 takes, pixels, made even.
const LARGEST_SIDE: usize = 65_534;
/// Frame rates that are taken, 1/s. Outside of them a player shows no motion.
const RATES: std::ops::RangeInclusive<f64> = 0.1..=1000.0;

/// A video being written, at a constant frame rate. Until [`finish`](Self::finish) there is no file of its
/// name, and dropped before, it leaves none.
pub struct VideoWriter {
    encoder: Context<u8>,
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
    /// Starts a video of pictures of `width` by `height` pixels. Every second begins with a key frame, to
    /// which a player can jump.
    ///
    /// Colour has half the resolution, so that a video has even sides: an odd side grows by one pixel, which
    /// repeats the last column or row.
    ///
    /// # Errors
    /// [`Error::PictureSize`] if a side is below 16 or above 65,534 pixels, [`Error::FrameRate`] if the rate is
    /// not within 0.1 to 1000, [`Error::Io`] if the file cannot be created.
    pub fn create(path: impl AsRef<Path>, width: usize, height: usize, frames_per_second: f64) -> Result<Self, Error> {
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
        let encoder = Config::new()
            .with_encoder_config(settings(even, frame_ticks, frames_per_second))
            .with_threads(THREADS)
            .new_context()
            .map_err(|e| encoding_error(path, &e))?;
        let file = AtomicFile::create(path).map_err(Error::io("create", path))?;
        let movie = Movie::new(even.map(|side| side as u16), frame_ticks);
        Ok(Self { encoder, file, path: path.to_owned(), size, pushed: 0, movie })
    }

    /// Adds a picture, which is shown for one period of the frame rate.
    ///
    /// # Errors
    /// [`Error::PictureSize`] if the picture has another size than the video, [`Error::Encoding`] if the encoder
    /// gives up.
    pub fn push(&mut self, image: &Image) -> Result<(), Error> {
        let found = [image.width, image.height];
        if found != self.size || image.rgb.len() != image.width * image.height * 3 {
            return Err(Error::PictureSize { path: self.path.clone(), found, expected: self.size });
        }
        let mut frame = self.encoder.new_frame();
        yuv::fill(&mut frame.planes, image);
        self.encoder.send_frame(frame).map_err(|e| encoding_error(&self.path, &e))?;
        self.pushed += 1;
        self.take_packets()
    }

    /// Encodes what is left and gives the file its name.
    ///
    /// # Errors
    /// [`Error::NoFrames`] without a picture, [`Error::Encoding`] if the encoder gives up, [`Error::Io`] if the file
    /// cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        if self.pushed == 0 {
            return Err(Error::NoFrames { path: self.path });
        }
        self.encoder.flush();
        self.take_packets()?;
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

    /// Takes what the encoder has finished. A packet is one picture to show, in the order of showing.
    fn take_packets(&mut self) -> Result<(), Error> {
        loop {
            match self.encoder.receive_packet() {
                Ok(packet) => {
                    let Some(units) = obu::split(&packet.data) else {
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
                    self.movie.samples.push(Sample { bytes, is_key: packet.frame_type == FrameType::KEY });
                }
                Err(EncoderStatus::Encoded) => {} // a picture that later ones need and nobody sees
                Err(EncoderStatus::NeedMoreData | EncoderStatus::LimitReached) => return Ok(()),
                Err(status) => return Err(encoding_error(&self.path, &status)),
            }
        }
    }
}

fn settings(size: [usize; 2], frame_ticks: u32, frames_per_second: f64) -> EncoderConfig {
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
    settings.tiles = THREADS;
    // Together they halve the time at the same quality for a quarter more bytes: `docs/video.md`.
    settings.low_latency = true;
    settings.tune = Tune::Psnr;
    settings.speed_settings.cdef = false;
    // Water has no cuts to look for: a key frame every second and nowhere else.
    settings.speed_settings.scene_detection_mode = SceneDetectionSpeed::None;
    let second = frames_per_second.round().max(1.0) as u64;
    settings.set_key_frame_interval(second, second);
    settings
}

fn encoding_error(path: &Path, why: &dyn std::fmt::Display) -> Error {
    Error::Encoding { path: path.to_owned(), why: why.to_string() }
}

/// Makes a video of PNG frames on disk, in the order given. A resumed run gets the whole of its video this way.
/// `progress` is called after every frame with the number of frames taken.
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
        video.push(&Image::read_png(frame)?).map_err(|e| match e {
            // Name the frame that does not fit rather than the video.
            Error::PictureSize { found, expected, .. } => Error::PictureSize { path: frame.clone(), found, expected },
            other => other,
        })?;
        progress(n + 1);
    }
    video.finish()
}
