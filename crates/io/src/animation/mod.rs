//! One moving picture out of many frames: an animated GIF.
//!
//! Why GIF: every browser, wiki, chat and slide program plays it where it stands, and it is
//! written frame by frame with one frame in memory. APNG must know the number of frames before
//! the first; animated WebP has no permissive encoder in Rust that streams; video containers need
//! a codec many times the size of this crate. The price, 256 colours a frame, is kept small: each
//! frame has a palette of its own, chosen for the pixels that changed since the frame before, and
//! only those pixels are stored. The frames themselves stay on disk as PNG in full colour.
//!
//! ```no_run
//! # fn main() -> Result<(), thalweg_io::Error> {
//! use thalweg_io::{Image, animation::Animation};
//!
//! let mut animation = Animation::create("waves.gif", 320, 200, 25.0)?;
//! for grey in 0..=255 {
//!     animation.push(&Image::filled(320, 200, [grey; 3]))?;
//! }
//! animation.finish()
//! # }
//! ```

mod quantise;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::atomic::AtomicFile;
use crate::{Error, Image};
use quantise::Palette;

/// Browsers play a shorter delay at a tenth of a second, so it is the shortest worth writing.
const SHORTEST_DELAY: u64 = 2; // hundredths of a second

/// An animation being written. Until [`finish`](Self::finish) there is no file of its name.
pub struct Animation {
    encoder: gif::Encoder<AtomicFile>,
    path: PathBuf,
    width: u16,
    height: u16,
    fps: f64,
    /// Frames pushed, and hundredths of a second written so far.
    pushed: u64,
    written: u64,
    /// The frame on screen when the next one comes.
    previous: Vec<u8>,
}

impl std::fmt::Debug for Animation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Animation")
            .field("path", &self.path)
            .field("size", &[self.width, self.height])
            .field("fps", &self.fps)
            .field("pushed", &self.pushed)
            .finish_non_exhaustive()
    }
}

impl Animation {
    /// Starts an animation of `width` by `height` pixels that repeats for ever.
    ///
    /// GIF counts time in hundredths of a second and shows at most 50 frames in one; the rate is
    /// kept on average, and above 50 frames are left out.
    ///
    /// # Errors
    /// [`Error::PictureSize`] if a side is 0 or above 65535, [`Error::FrameRate`] if `fps` is not
    /// above zero, [`Error::Io`] if the file cannot be written.
    pub fn create(path: impl AsRef<Path>, width: usize, height: usize, fps: f64) -> Result<Self, Error> {
        let path = path.as_ref();
        let side = |n: usize| u16::try_from(n).ok().filter(|&n| n > 0);
        let (Some(w), Some(h)) = (side(width), side(height)) else {
            let limit = usize::from(u16::MAX);
            return Err(Error::PictureSize {
                path: path.to_owned(),
                found: [width, height],
                expected: [width.clamp(1, limit), height.clamp(1, limit)],
            });
        };
        if !(fps.is_finite() && fps > 0.0) {
            return Err(Error::FrameRate { path: path.to_owned(), fps });
        }
        let file = AtomicFile::create(path).map_err(Error::io("create", path))?;
        let encoder = gif::Encoder::new(file, w, h, &[]).and_then(|mut encoder| {
            encoder.set_repeat(gif::Repeat::Infinite)?;
            Ok(encoder)
        });
        Ok(Self {
            encoder: encoder.map_err(|e| write_error(path, e))?,
            path: path.to_owned(),
            width: w,
            height: h,
            fps,
            pushed: 0,
            written: 0,
            previous: Vec::new(),
        })
    }

    /// Appends a frame.
    ///
    /// # Errors
    /// [`Error::PictureSize`] if the picture has another size than the animation,
    /// [`Error::Io`] if the file cannot be written.
    pub fn push(&mut self, image: &Image) -> Result<(), Error> {
        let expected = [usize::from(self.width), usize::from(self.height)];
        let found = [image.width, image.height];
        if found != expected || image.rgb.len() != found[0] * found[1] * 3 {
            return Err(Error::PictureSize { path: self.path.clone(), found, expected });
        }
        self.pushed += 1;
        // Rounding the end of each frame, not its length, keeps the average rate.
        let end = (self.pushed as f64 * 100.0 / self.fps).round() as u64;
        let delay = end.saturating_sub(self.written);
        if delay < SHORTEST_DELAY && self.pushed > 1 {
            return Ok(()); // the next frame will take its place
        }
        let delay = delay.clamp(SHORTEST_DELAY, u16::MAX.into());
        let frame = self.changes(image, delay as u16);
        self.encoder.write_frame(&frame).map_err(|e| write_error(&self.path, e))?;
        self.written += delay;
        self.previous.clone_from(&image.rgb);
        Ok(())
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// [`Error::NoFrames`] if nothing was pushed, [`Error::Io`] if the file cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        if self.pushed == 0 {
            return Err(Error::NoFrames { path: self.path });
        }
        let file = self.encoder.into_inner();
        file.map_err(|e| write_error(&self.path, e))?.commit().map_err(Error::io("write", &self.path))
    }

    /// The part of the picture that differs from the one before; what did not change within it is
    /// transparent.
    fn changes(&self, image: &Image, delay: u16) -> gif::Frame<'static> {
        let pixels = image.rgb.as_chunks::<3>().0;
        let before = self.previous.as_chunks::<3>().0;
        let changed = |i: usize| before.get(i) != pixels.get(i);
        let (w, h) = (image.width, image.height);

        // The rectangle of change; one still pixel when there is none, to carry the delay.
        let row_changed = |y: &usize| (y * w..(y + 1) * w).any(changed);
        let top = (0..h).find(row_changed).unwrap_or(0);
        let bottom = (0..h).rfind(row_changed).map_or(1, |y| y + 1);
        let column_changed = |x: &usize| (top..bottom).any(|y| changed(y * w + x));
        let left = (0..w).find(column_changed).unwrap_or(0);
        let right = (0..w).rfind(column_changed).map_or(1, |x| x + 1);

        let inside = || (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
        let news = inside().filter(|&(x, y)| changed(y * w + x)).map(|(x, y)| pixels[y * w + x]);
        let mut palette = Palette::for_pixels(news);
        let transparent = palette.transparent();
        let indices = inside().map(|(x, y)| match y * w + x {
            i if changed(i) => palette.index(pixels[i], x, y),
            _ => transparent,
        });
        let buffer: Vec<u8> = indices.collect();
        // No side exceeds the animation's, which is 16-bit.
        gif::Frame {
            delay,
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(transparent),
            left: left as u16,
            top: top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
            palette: Some(palette.bytes()),
            buffer: Cow::Owned(buffer),
            ..gif::Frame::default()
        }
    }
}

/// Makes an animation of PNG frames on disk, in the order given. A resumed run gets the whole of
/// its animation this way.
///
/// # Errors
/// [`Error::NoFrames`] if the list is empty, [`Error::PictureSize`] if a frame has another size
/// than the first, and the errors of [`Image::read_png`] and [`Animation`].
pub fn from_frames(frames: &[PathBuf], path: impl AsRef<Path>, fps: f64) -> Result<(), Error> {
    let path = path.as_ref();
    let Some((first, rest)) = frames.split_first() else {
        return Err(Error::NoFrames { path: path.to_owned() });
    };
    let image = Image::read_png(first)?;
    let mut animation = Animation::create(path, image.width, image.height, fps)?;
    animation.push(&image)?;
    for frame in rest {
        let image = Image::read_png(frame)?;
        animation.push(&image).map_err(|e| match e {
            // Name the frame that does not fit rather than the animation.
            Error::PictureSize { found, expected, .. } => Error::PictureSize { path: frame.clone(), found, expected },
            other => other,
        })?;
    }
    animation.finish()
}

fn write_error(path: &Path, error: gif::EncodingError) -> Error {
    let source = match error {
        gif::EncodingError::Io(e) => e,
        other => std::io::Error::other(other.to_string()),
    };
    Error::io("write", path)(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    /// A bright square that moves over a gradient.
    fn frame(t: usize) -> Image {
        let (width, height) = (64, 40);
        let mut image = Image::filled(width, height, [0; 3]);
        for y in 0..height {
            for x in 0..width {
                let hit = x.abs_diff(10 + 4 * t) < 6 && y.abs_diff(20) < 6;
                let colour = if hit { [250, 120, 10] } else { [(x * 3) as u8, (y * 5) as u8, 90] };
                image.rgb[(y * width + x) * 3..][..3].copy_from_slice(&colour);
            }
        }
        image
    }

    /// What is on the screen after each frame, and the frames' delays.
    type Screens = (Vec<Vec<u8>>, Vec<u16>);

    /// Plays a file as a browser does: frame on frame.
    fn play(path: &Path) -> Result<Screens, Box<dyn std::error::Error>> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(std::fs::File::open(path)?)?;
        let width = usize::from(decoder.width());
        let mut screen = vec![0; width * usize::from(decoder.height()) * 3];
        let (mut frames, mut delays) = (Vec::new(), Vec::new());
        while let Some(frame) = decoder.read_next_frame()? {
            let w = usize::from(frame.width);
            for (i, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
                let (x, y) = (usize::from(frame.left) + i % w, usize::from(frame.top) + i / w);
                if pixel[3] > 0 {
                    screen[(y * width + x) * 3..][..3].copy_from_slice(&pixel[..3]);
                }
            }
            frames.push(screen.clone());
            delays.push(frame.delay);
        }
        Ok((frames, delays))
    }

    #[test]
    fn plays_back_close_to_what_was_pushed() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.gif");
        let mut animation = Animation::create(&path, 64, 40, 30.0)?;
        for t in 0..10 {
            animation.push(&frame(t))?;
        }
        assert!(!path.exists(), "unfinished files have no name");
        animation.finish()?;
        let (frames, delays) = play(&path)?;
        assert_eq!(frames.len(), 10);
        for (t, shown) in frames.iter().enumerate() {
            let want = frame(t).rgb;
            let error: f64 = want.iter().zip(shown).map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
            assert!(error / (want.len() as f64) < 5.0, "frame {t}");
        }
        // 10 frames at 30 a second last a third of a second.
        assert_eq!(delays.iter().sum::<u16>(), 33);
        Ok(())
    }

    #[test]
    fn still_frames_cost_next_to_nothing_and_fast_ones_are_thinned() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.gif");
        let mut animation = Animation::create(&path, 64, 40, 100.0)?;
        for _ in 0..100 {
            animation.push(&frame(0))?;
        }
        animation.finish()?;
        let (frames, delays) = play(&path)?;
        assert!(frames.len() <= 50);
        assert!(delays.iter().all(|&d| d >= 2));
        assert!((98..=102).contains(&delays.iter().sum::<u16>()));
        assert!(std::fs::metadata(&path)?.len() < 5_000);
        Ok(())
    }

    #[test]
    fn frames_on_disk_become_an_animation() -> Outcome {
        let folder = tempfile::tempdir()?;
        let paths: Vec<_> = (0..3).map(|t| folder.path().join(format!("{t}.png"))).collect();
        for (t, path) in paths.iter().enumerate() {
            frame(t).write_png(path)?;
        }
        let path = folder.path().join("a.gif");
        from_frames(&paths, &path, 10.0)?;
        assert_eq!(play(&path)?.1, [10, 10, 10]);

        Image::filled(3, 3, [0; 3]).write_png(&paths[1])?;
        let error = from_frames(&paths, &path, 10.0).expect_err("another size");
        assert!(error.to_string().contains("1.png"), "{error}");
        assert!(matches!(from_frames(&[], &path, 10.0), Err(Error::NoFrames { .. })));
        Ok(())
    }

    #[test]
    fn nonsense_is_refused() {
        let path = Path::new("never-made.gif");
        assert!(matches!(Animation::create(path, 0, 5, 1.0), Err(Error::PictureSize { .. })));
        assert!(matches!(Animation::create(path, 70_000, 5, 1.0), Err(Error::PictureSize { .. })));
        assert!(matches!(Animation::create(path, 5, 5, f64::NAN), Err(Error::FrameRate { .. })));
    }
}
