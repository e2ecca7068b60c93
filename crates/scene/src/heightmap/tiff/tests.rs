//! Round trips through the encoder, and tiles and damage by hand.

use std::io::Cursor;

use tiff::encoder::colortype::{ColorType, Gray8, Gray16, Gray32Float, Gray64Float, GrayI16, GrayI32, RGB8};
use tiff::encoder::{Compression, TiffEncoder, TiffValue};
use tiff::tags::Tag;

use super::*;

/// A 3 x 2 picture, with the tags of a GeoTIFF.
fn encoded<C: ColorType>(data: &[C::Inner], compression: Compression) -> Vec<u8>
where
    [C::Inner]: TiffValue,
{
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).expect("header").with_compression(compression);
    let mut image = encoder.new_image::<C>(3, 2).expect("image");
    image.encoder().write_tag(Tag::ModelPixelScaleTag, &[2.5_f64, 1.5, 0.0][..]).expect("tag");
    image.encoder().write_tag(Tag::ModelTiepointTag, &[0.0_f64, 0.0, 0.0, 4e5, 5e6, 0.0][..]).expect("tag");
    image.encoder().write_tag(Tag::GdalNodata, "-9999").expect("tag");
    image.write_data(data).expect("data");
    bytes.into_inner()
}

#[test]
fn every_number_type_round_trips() {
    let expected = [4.0, 5.0, 6.0, 1.0, 2.0, 3.0];
    let plain = Compression::Uncompressed;
    for bytes in [
        encoded::<Gray8>(&[1, 2, 3, 4, 5, 6], plain),
        encoded::<Gray16>(&[1, 2, 3, 4, 5, 6], plain),
        encoded::<GrayI16>(&[1, 2, 3, 4, 5, 6], plain),
        encoded::<GrayI32>(&[1, 2, 3, 4, 5, 6], plain),
        encoded::<Gray32Float>(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], plain),
        encoded::<Gray64Float>(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], plain),
    ] {
        let map = read_tiff(&bytes).expect("read");
        assert_eq!((map.width, map.height, map.values.as_slice()), (3, 2, &expected[..]));
        assert_eq!((map.spacing, map.values_are), (Some([2.5, 1.5]), Values::Metres));
    }
}

#[test]
fn compressions_round_trip() {
    let data = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5];
    for compression in [Compression::Lzw, Compression::Deflate(Default::default()), Compression::Packbits] {
        let map = read_tiff(&encoded::<Gray32Float>(&data, compression)).expect("read");
        assert_eq!(map.values, [4.5, 5.5, 6.5, 1.5, 2.5, 3.5]);
    }
}

#[test]
fn missing_and_infinite_samples() {
    let plain = Compression::Uncompressed;
    let map = read_tiff(&encoded::<GrayI16>(&[1, -9999, 3, 4, 5, 6], plain)).expect("read");
    assert!(map.values[4].is_nan());
    let map = read_tiff(&encoded::<Gray32Float>(&[f32::NAN, 2.0, 3.0, 4.0, 5.0, 6.0], plain)).expect("read");
    assert!(map.values[3].is_nan());
    let infinite = encoded::<Gray64Float>(&[1.0, 2.0, 3.0, 1e39, 5.0, 6.0], plain);
    assert_eq!(read_tiff(&infinite), Err(HeightMapError::NotFinite { column: 0, row: 1 }));
}

#[test]
fn colours_are_refused() {
    let mut bytes = Cursor::new(Vec::new());
    TiffEncoder::new(&mut bytes).expect("header").write_image::<RGB8>(1, 1, &[1, 2, 3]).expect("image");
    assert!(matches!(read_tiff(&bytes.into_inner()), Err(HeightMapError::Unsupported(_))));
}

/// A grey 8 bit TIFF with any directory, its data behind it.
fn by_hand(entries: &[(u16, u32)], data: &[u8]) -> Vec<u8> {
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    bytes.extend((entries.len() as u16).to_le_bytes());
    for (tag, value) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(4_u16.to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 4]);
    bytes.extend(data);
    bytes
}

#[test]
fn a_tile_larger_than_the_picture_is_cut() {
    let start = 8 + 2 + 9 * 12 + 4;
    let tile: Vec<u8> = (0..=255).collect();
    let tiled = |width, height, tile_width| {
        let tags = [
            (256, width),
            (257, height),
            (258, 8),
            (259, 1),
            (262, 1),
            (322, tile_width),
            (323, 16),
            (324, start),
            (325, 256),
        ];
        read_tiff(&by_hand(&tags, &tile))
    };
    let map = tiled(3, 2, 16).expect("read");
    assert_eq!(map.values, [16.0, 17.0, 18.0, 0.0, 1.0, 2.0]);
    for (width, height, tile_width) in [(3, 2, 0), (20, 2, 16), (3, 2, u32::MAX), (0, 2, 16), (16, 15, 16)] {
        let _ = tiled(width, height, tile_width); // no panic
    }
    assert!(tiled(20, 2, 16).is_err(), "the second tile is not there");
}

#[test]
fn every_cut_is_an_error() {
    let tags = [(256, 16), (257, 16), (258, 8), (259, 1), (262, 1), (273, 8 + 2 + 8 * 12 + 4), (278, 16), (279, 256)];
    let whole = by_hand(&tags, &[7; 256]);
    assert!(read_tiff(&whole).is_ok());
    for length in 0..whole.len() {
        assert!(read_tiff(&whole[..length]).is_err(), "cut to {length} bytes");
    }
}
