//! RGB pictures, and PNG files of them.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use crate::{Error, atomic};

/// A picture of 8-bit sRGB pixels, rows from the top, three bytes a pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// `width * height * 3` bytes.
    pub rgb: Vec<u8>,
}

impl Image {
    /// A picture of one colour.
    #[must_use]
    pub fn filled(width: usize, height: usize, colour: [u8; 3]) -> Self {
        Self { width, height, rgb: colour.repeat(width * height) }
    }

    /// The pixel at `x` from the left and `y` from the top; `None` outside the picture.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> Option<[u8; 3]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = (y * self.width + x) * 3;
        self.rgb.get(at..at + 3)?.try_into().ok()
    }

    /// The picture as the bytes of a PNG file.
    ///
    /// # Errors
    /// [`Error::Fields`] if `rgb` has not `width * height * 3` bytes or a side is zero.
    pub fn encode_png(&self) -> Result<Vec<u8>, Error> {
        let wrong = || Error::Fields { found: self.rgb.len(), expected: self.width.max(1) * self.height.max(1) * 3 };
        let side = |n: usize| u32::try_from(n).ok().filter(|&n| n > 0).ok_or_else(wrong);
        let (width, height) = (side(self.width)?, side(self.height)?);
        if self.rgb.len() != self.width * self.height * 3 {
            return Err(wrong());
        }
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&self.rgb)?;
            writer.finish()
        });
        written.map_err(|e| Error::encode("PNG")(&e.to_string()))?;
        Ok(bytes)
    }

    /// Writes a PNG file atomically: the name holds the whole picture or what it held before.
    ///
    /// # Errors
    /// Those of [`encode_png`](Self::encode_png); [`Error::Io`] if the file cannot be written.
    pub fn write_png(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        atomic::write(path, &self.encode_png()?).map_err(Error::io("write", path))
    }

    /// Reads a PNG file of any depth and colour type. Transparency is laid over white.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be opened, [`Error::NotAPicture`] if it is no whole PNG.
    pub fn read_png(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let file = File::open(path).map_err(Error::io("open", path))?;
        let bad = |why: String| Error::NotAPicture { path: path.to_owned(), why };
        let mut decoder = png::Decoder::new(BufReader::new(file));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(|e| bad(e.to_string()))?;
        let size = reader.output_buffer_size().ok_or_else(|| bad("it is too large for memory".to_owned()))?;
        let mut bytes = vec![0; size];
        let frame = reader.next_frame(&mut bytes).map_err(|e| bad(e.to_string()))?;
        bytes.truncate(frame.buffer_size());
        let over_white = |c: u8, alpha: u8| {
            let (c, a) = (u32::from(c), u32::from(alpha));
            ((c * a + 255 * (255 - a) + 127) / 255) as u8
        };
        let rgb = match frame.color_type {
            png::ColorType::Rgb => bytes,
            png::ColorType::Rgba => {
                bytes.as_chunks::<4>().0.iter().flat_map(|&[r, g, b, a]| [r, g, b].map(|c| over_white(c, a))).collect()
            }
            png::ColorType::Grayscale => bytes.iter().flat_map(|&g| [g; 3]).collect(),
            png::ColorType::GrayscaleAlpha => {
                bytes.as_chunks::<2>().0.iter().flat_map(|&[g, a]| [over_white(g, a); 3]).collect()
            }
            png::ColorType::Indexed => return Err(bad("its palette is missing".to_owned())),
        };
        Ok(Self { width: frame.width as usize, height: frame.height as usize, rgb })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn png_round_trip_and_typed_errors() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("deep/er/a.png");
        let rgb = (0..7 * 5 * 3).map(|i| (i * 7 % 251) as u8).collect();
        let image = Image { width: 7, height: 5, rgb };
        image.write_png(&path)?;
        assert_eq!(Image::read_png(&path)?, image);

        // A torn file is an error that names it.
        let bytes = std::fs::read(&path)?;
        std::fs::write(&path, &bytes[..bytes.len() / 2])?;
        let error = Image::read_png(&path).expect_err("half a file");
        assert!(error.to_string().contains("a.png"), "{error}");

        let empty = Image::filled(0, 0, [0; 3]);
        assert!(matches!(empty.write_png(&path), Err(Error::Fields { .. })));
        let short = Image { rgb: vec![0; 3], ..Image::filled(2, 2, [0; 3]) };
        assert!(matches!(short.encode_png(), Err(Error::Fields { found: 3, expected: 12 })));
        Ok(())
    }

    #[test]
    fn pixels_outside_are_none() {
        let image = Image::filled(2, 3, [1, 2, 3]);
        assert_eq!(image.pixel(1, 2), Some([1, 2, 3]));
        assert_eq!(image.pixel(2, 0), None);
        assert_eq!(image.pixel(0, 3), None);
    }
}
