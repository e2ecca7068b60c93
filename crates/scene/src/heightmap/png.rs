//! PNG pictures, 8 or 16 bit grey: black is 0, white is 1, the top row is north.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};

use super::{HeightMap, HeightMapError, Samples, Values, check_size, flip_rows};

/// Deflate cannot make more than this from one byte.
const MOST_FROM_A_BYTE: u64 = 1032;

/// Memory for the decoder's own buffers (a few rows), bytes.
const DECODER_BYTES: usize = 64 << 20;

/// Reads an 8 or 16 bit grey PNG.
pub fn read_png(bytes: &[u8]) -> Result<HeightMap, HeightMapError> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: DECODER_BYTES });
    decoder.set_transformations(Transformations::IDENTITY);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);

    let info = decoder.read_header_info().map_err(from_png)?;
    let (width, height) = (info.width, info.height);
    let sample_bytes = match (info.color_type, info.bit_depth) {
        (ColorType::Grayscale, BitDepth::Eight) => 1,
        (ColorType::Grayscale, BitDepth::Sixteen) => 2,
        (color, depth) => {
            return Err(HeightMapError::Unsupported(format!(
                "a PNG height map is grey with 8 or 16 bits, this one is {color:?} with {} bits",
                depth as u8
            )));
        }
    };
    let count = check_size(u64::from(width), u64::from(height))?;
    let raw_bytes = count as u64 * sample_bytes;
    if raw_bytes > bytes.len() as u64 * MOST_FROM_A_BYTE {
        return Err(HeightMapError::Truncated(format!("{} bytes cannot hold {width} x {height} samples", bytes.len())));
    }

    let mut reader = decoder.read_info().map_err(from_png)?;
    let mut raw = vec![0; raw_bytes as usize];
    reader.next_frame(&mut raw).map_err(from_png)?;

    let mut values: Vec<f32> = if sample_bytes == 1 {
        raw.iter().map(|&level| f32::from(level) / 255.0).collect()
    } else {
        raw.chunks_exact(2).map(|pair| f32::from(u16::from_be_bytes([pair[0], pair[1]])) / 65535.0).collect()
    };
    flip_rows(&mut values, width as usize);
    Ok(HeightMap { width, height, values, values_are: Values::Fraction, spacing: None, samples_are: Samples::Pixels })
}

fn from_png(error: DecodingError) -> HeightMapError {
    match error {
        DecodingError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            HeightMapError::Truncated("the picture ends early".to_owned())
        }
        DecodingError::LimitsExceeded => HeightMapError::Damaged("its chunks are too large".to_owned()),
        error => HeightMapError::Damaged(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(color: ColorType, depth: BitDepth, width: u32, height: u32, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        encoder.set_depth(depth);
        encoder.write_header().expect("header").write_image_data(data).expect("data");
        bytes
    }

    #[test]
    fn sixteen_bits_round_trip() {
        let data: Vec<u8> = [0_u16, 65535, 256, 1, 2, 3].iter().flat_map(|level| level.to_be_bytes()).collect();
        let map = read_png(&picture(ColorType::Grayscale, BitDepth::Sixteen, 3, 2, &data)).expect("read");
        assert_eq!((map.width, map.height), (3, 2));
        // The second row of the picture is the southern one.
        assert_eq!(map.values[3..], [0.0, 1.0, 256.0 / 65535.0]);
        assert_eq!(map.values[2], 3.0 / 65535.0);
    }

    #[test]
    fn eight_bits_round_trip() {
        let map = read_png(&picture(ColorType::Grayscale, BitDepth::Eight, 2, 1, &[0, 255])).expect("read");
        assert_eq!(map.values, [0.0, 1.0]);
    }

    #[test]
    fn colours_are_refused() {
        let bytes = picture(ColorType::Rgb, BitDepth::Eight, 1, 1, &[1, 2, 3]);
        assert!(matches!(read_png(&bytes), Err(HeightMapError::Unsupported(_))));
    }

    #[test]
    fn every_cut_is_an_error() {
        let whole = picture(ColorType::Grayscale, BitDepth::Eight, 16, 16, &[7; 256]);
        // The last chunk (IEND, 12 bytes) holds no picture.
        for length in 0..whole.len() - 12 {
            assert!(read_png(&whole[..length]).is_err(), "cut to {length} bytes");
        }
    }

    #[test]
    fn a_forged_header_costs_nothing() {
        // 20000 x 20000 samples in a file of a few dozen bytes.
        let mut bytes = picture(ColorType::Grayscale, BitDepth::Sixteen, 1, 1, &[0, 0]);
        bytes[16..24].copy_from_slice(&[0, 0, 0x4e, 0x20, 0, 0, 0x4e, 0x20]);
        let checksum = crc32(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&checksum.to_be_bytes());
        assert!(matches!(read_png(&bytes), Err(HeightMapError::Truncated(_))));
    }

    /// The checksum of PNG chunks, bit by bit.
    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
        })
    }
}
