//! TIFF and GeoTIFF: one band of numbers, strips or tiles, plain, deflate, LZW or PackBits.
//!
//! The `tiff` crate decodes; the three tags that a height map needs (pixel scale, tie point,
//! GDAL's no-data value) are read here. A full GeoTIFF crate would add projections and
//! overviews that are not used, and take control of memory away.

use std::io::{Cursor, Read, Seek};

use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;
use tiff::{ColorType, TiffError};

use super::{HeightMap, HeightMapError, Samples, Values, check_size, flip_rows, sample};

/// More than any accepted compression makes from one byte (LZW: strings of 4096 from 12 bits).
pub(super) const MOST_FROM_A_BYTE: u64 = 4096;

pub(super) const COMPRESSION_NONE: u16 = 1;

/// Reads a single-band TIFF of 8, 16, 32 or 64 bit numbers.
pub fn read_tiff(bytes: &[u8]) -> Result<HeightMap, HeightMapError> {
    let mut limits = Limits::default();
    limits.ifd_value_size = bytes.len().min(64 << 20);
    limits.intermediate_buffer_size = bytes.len();
    let mut decoder = Decoder::new(Cursor::new(bytes)).map_err(from_tiff)?.with_limits(limits.clone());

    // The header against the limits and the length of the file.
    let (width, height) = decoder.dimensions().map_err(from_tiff)?;
    let bits = match decoder.colortype().map_err(from_tiff)? {
        ColorType::Gray(bits @ (8 | 16 | 32 | 64)) => u64::from(bits),
        other => {
            return Err(HeightMapError::Unsupported(format!(
                "a TIFF height map has one band of 8, 16, 32 or 64 bit numbers, this one is {other:?}"
            )));
        }
    };
    let count = check_size(u64::from(width), u64::from(height))?;
    let raw_bytes = count as u64 * (bits / 8);
    let compression: Option<u16> = decoder.find_tag_unsigned(Tag::Compression).map_err(from_tiff)?;
    let plain = compression.unwrap_or(COMPRESSION_NONE) == COMPRESSION_NONE;
    let most = bytes.len() as u64 * if plain { 1 } else { MOST_FROM_A_BYTE };
    if raw_bytes > most {
        return Err(HeightMapError::Truncated(format!("{} bytes cannot hold {width} x {height} samples", bytes.len())));
    }
    // One chunk is at most the picture; tags may be a little longer than a tiny one.
    limits.decoding_buffer_size = raw_bytes as usize + (4 << 20);
    decoder = decoder.with_limits(limits);

    let spacing = pixel_scale(&mut decoder);
    let nodata = nodata(&mut decoder);
    let mut values = vec![f32::NAN; count];
    let (chunk_width, chunk_height) = decoder.chunk_dimensions();
    if chunk_width == 0 || chunk_height == 0 {
        return Err(HeightMapError::Damaged("its tiles have no size".to_owned()));
    }
    let across = width.div_ceil(chunk_width);
    let down = height.div_ceil(chunk_height);
    for chunk in 0..across.saturating_mul(down) {
        let decoded = decoder.read_chunk(chunk).map_err(from_tiff)?;
        let (data_width, data_height) = decoder.chunk_data_dimensions(chunk);
        let corner = ((chunk % across) * chunk_width, (chunk / across) * chunk_height);
        let place = Placement {
            corner: (corner.0 as usize, corner.1 as usize),
            size: (data_width as usize, data_height as usize),
            width: width as usize,
        };
        place.copy(&decoded, nodata, &mut values)?;
    }
    flip_rows(&mut values, width as usize);
    Ok(HeightMap { width, height, values, values_are: Values::Metres, spacing, samples_are: Samples::Pixels })
}

/// Where a chunk goes in the picture.
pub(super) struct Placement {
    pub(super) corner: (usize, usize),
    pub(super) size: (usize, usize),
    pub(super) width: usize,
}

impl Placement {
    pub(super) fn copy(
        &self,
        decoded: &DecodingResult,
        nodata: Option<f64>,
        values: &mut [f32],
    ) -> Result<(), HeightMapError> {
        match decoded {
            DecodingResult::U8(data) => self.copy_as(data, nodata, values, |&v| f64::from(v)),
            DecodingResult::I8(data) => self.copy_as(data, nodata, values, |&v| f64::from(v)),
            DecodingResult::U16(data) => self.copy_as(data, nodata, values, |&v| f64::from(v)),
            DecodingResult::I16(data) => self.copy_as(data, nodata, values, |&v| f64::from(v)),
            DecodingResult::U32(data) => self.copy_as(data, nodata, values, |&v| f64::from(v)),
            DecodingResult::I32(data) => self.copy_as(data, nodata, values, |&v| f64::from(v)),
            DecodingResult::F32(data) => self.copy_as(data, nodata, values, |&v| f64::from(v)),
            DecodingResult::F64(data) => self.copy_as(data, nodata, values, |&v| v),
            _ => Err(HeightMapError::Unsupported(
                "a TIFF height map has whole numbers of 8 to 32 bits, or floats of 32 or 64".to_owned(),
            )),
        }
    }

    fn copy_as<T>(
        &self,
        data: &[T],
        nodata: Option<f64>,
        values: &mut [f32],
        number: impl Fn(&T) -> f64,
    ) -> Result<(), HeightMapError> {
        let (columns, rows) = self.size;
        if data.len() < columns * rows {
            return Err(HeightMapError::Truncated("a strip or tile is too short".to_owned()));
        }
        for (row, line) in data.chunks_exact(columns.max(1)).take(rows).enumerate() {
            let first = (self.corner.1 + row) * self.width + self.corner.0;
            let Some(target) = values.get_mut(first..first + columns) else {
                return Err(HeightMapError::Damaged("a strip or tile is outside the picture".to_owned()));
            };
            for (column, (slot, value)) in target.iter_mut().zip(line).enumerate() {
                let value = number(value);
                // GDAL writes the no-data value of single precision maps rounded or in full.
                let missing = nodata.is_some_and(|nodata| value == nodata || value == f64::from(nodata as f32));
                *slot = if missing { f32::NAN } else { sample(value, first + column, self.width)? };
            }
        }
        Ok(())
    }
}

/// GeoTIFF's `ModelPixelScaleTag`, m.
pub(super) fn pixel_scale<R: Read + Seek>(decoder: &mut Decoder<R>) -> Option<[f64; 2]> {
    let scale = decoder.get_tag_f64_vec(Tag::ModelPixelScaleTag).ok()?;
    match scale.as_slice() {
        [x, y, ..] if x.is_finite() && y.is_finite() && *x > 0.0 && *y > 0.0 => Some([*x, *y]),
        _ => None,
    }
}

/// The value that stands for missing data, in GDAL's tag.
pub(super) fn nodata<R: Read + Seek>(decoder: &mut Decoder<R>) -> Option<f64> {
    let text = decoder.get_tag_ascii_string(Tag::GdalNodata).ok()?;
    text.trim_matches(['\0', ' ']).parse().ok()
}

pub(super) fn from_tiff(error: TiffError) -> HeightMapError {
    match error {
        TiffError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            HeightMapError::Truncated("the picture ends early".to_owned())
        }
        TiffError::UnsupportedError(error) => HeightMapError::Unsupported(error.to_string()),
        TiffError::LimitsExceeded => HeightMapError::Damaged("its parts are larger than the file".to_owned()),
        error => HeightMapError::Damaged(error.to_string()),
    }
}

#[cfg(test)]
mod tests;
