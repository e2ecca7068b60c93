//! Every format, read back by other means than it was written.

use std::io::Cursor;

use super::*;

const NX: usize = 3;

/// Two rows of three cells; the last cell of the southern row is dry.
fn water() -> WaterSurface {
    WaterSurface {
        size: [NX, 2],
        cell: 0.5,
        origin: [100.0, 200.0],
        bed: vec![0.0, 0.25, 1.5, -1.0, -0.5, 0.125],
        depth: vec![1.0, 0.75, 0.0, 2.0, 1.5, 0.5],
        surface: vec![1.0, 1.0, 1.5, 1.0, 1.0, 0.625],
        velocity: [vec![3.0, 0.0, 0.0, 1.0, 1.0, 1.0], vec![4.0, 0.0, 0.0, 0.0, 0.0, -1.0]],
        maps: None,
    }
}

/// The same with maps over time; the last cell of the southern row never was wet.
fn water_over_time() -> WaterSurface {
    const NEVER: f32 = f32::NAN;
    let maps = Maps {
        depth: vec![1.5, 1.0, NEVER, 2.0, 1.5, 0.75],
        surface: vec![1.5, 1.25, NEVER, 1.0, 1.0, 0.875],
        speed: vec![6.0, 0.5, NEVER, 1.0, 1.0, 1.5],
        arrival: vec![0.0, 0.5, NEVER, 0.0, 0.0, 2.0],
        peak: vec![0.5, 1.0, NEVER, 0.0, 0.0, 2.25],
    };
    WaterSurface { maps: Some(maps), ..water() }
}

fn encode(water: &WaterSurface, format: HeightFormat, maps: &[Map]) -> Result<HeightFile, Error> {
    HeightField { water, dry_depth: 1e-3, time: 2.5 }.encode(format, maps)
}

/// A map of the field with the northern row first.
fn northern_first(values: &[f32]) -> Vec<f32> {
    [&values[NX..], &values[..NX]].concat()
}

#[test]
fn ascii_grids_are_placed_and_have_no_data_where_dry() {
    let text = |map| String::from_utf8(encode(&water(), HeightFormat::Asc, &[map]).unwrap().bytes).unwrap();
    let surface = text(Map::Surface);
    let lines: Vec<&str> = surface.lines().collect();
    assert_eq!(lines[..5], ["ncols 3", "nrows 2", "xllcorner 100", "yllcorner 200", "cellsize 0.5"]);
    assert_eq!(lines[5..], ["NODATA_value -9999", "1 1 0.625", "1 1 -9999"]);
    assert!(text(Map::Bed).ends_with("-1 -0.5 0.125\n0 0.25 1.5\n"), "the ground is there everywhere");
    assert!(text(Map::Speed).ends_with("5 0 -9999\n"));
}

#[test]
fn pictures_say_what_black_and_white_are() {
    let file = encode(&water(), HeightFormat::Png, &[Map::Bed]).unwrap();
    assert_eq!(file.range, Some([-1.0, 1.5]));
    let mut reader = ::png::Decoder::new(Cursor::new(&file.bytes)).read_info().unwrap();
    let mut data = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut data).unwrap();
    let levels: Vec<u16> = data.as_chunks::<2>().0.iter().map(|b| u16::from_be_bytes(*b)).collect();
    assert_eq!((levels[0], levels[5]), (0, 65535));
    let notes = &reader.info().uncompressed_latin1_text;
    let note = |key: &str| notes.iter().find(|n| n.keyword == key).unwrap().text.clone();
    let (scale, offset): (f64, f64) = (note("Scale").parse().unwrap(), note("Offset").parse().unwrap());
    for (level, wanted) in levels.iter().zip(northern_first(&water().bed)) {
        assert!((offset + scale * f64::from(*level) - f64::from(wanted)).abs() <= 0.5 * scale + 1e-12);
    }
    // One value everywhere is a picture as well.
    let flat = WaterSurface { bed: vec![7.0; 6], ..water() };
    assert_eq!(encode(&flat, HeightFormat::Png, &[Map::Bed]).unwrap().range, Some([7.0, 8.0]));
}

#[test]
fn exr_channels_come_back() {
    use ::exr::prelude::*;
    let file = encode(&water(), HeightFormat::Exr, &Map::USUAL).unwrap();
    let image = read().no_deep_data().largest_resolution_level().all_channels().first_valid_layer().all_attributes();
    let image = image.from_buffered(Cursor::new(&file.bytes)).unwrap();
    let layer = &image.layer_data;
    assert_eq!(layer.size, Vec2(3, 2));
    let about = r#"{"cell":0.5,"origin":[100.0,200.0],"time":2.5}"#;
    assert_eq!(layer.attributes.other.get(&Text::from("thalweg")), Some(&AttributeValue::Text(Text::from(about))));
    let channel = |name: &str| -> Vec<f32> {
        let found = layer.channel_data.list.iter().find(|c| c.name == *name).unwrap();
        found.sample_data.values_as_f32().collect()
    };
    assert_eq!(layer.channel_data.list.len(), 5);
    assert_eq!(channel("surface"), northern_first(&water().surface));
    assert_eq!(channel("velocity.z"), northern_first(&water().velocity[1]));
    assert_eq!(channel("bed"), northern_first(&water().bed));
}

#[test]
fn geotiff_bands_come_back_with_their_place() {
    use tiff::decoder::{Decoder, DecodingResult};
    use tiff::tags::Tag;
    for (maps, count) in [(&Map::USUAL[..], 5), (&[Map::Bed][..], 1)] {
        let bytes = encode(&water(), HeightFormat::Tif, maps).unwrap().bytes;
        let mut decoder = Decoder::new(Cursor::new(&bytes)).unwrap();
        assert_eq!(decoder.dimensions().unwrap(), (3, 2));
        assert_eq!(decoder.get_tag_u32(Tag::SamplesPerPixel).unwrap(), count as u32);
        assert_eq!(decoder.get_tag_f64_vec(Tag::ModelPixelScaleTag).unwrap(), [0.5, 0.5, 0.0]);
        assert_eq!(decoder.get_tag_f64_vec(Tag::ModelTiepointTag).unwrap(), [0.0, 0.0, 0.0, 100.0, 201.0, 0.0]);
        assert_eq!(decoder.get_tag_ascii_string(Tag::GdalNodata).unwrap().trim_matches('\0'), "-9999");
        if count > 1 {
            continue; // this reader knows no more than four bands; other programs are asked by `scripts/check-exports.sh`
        }
        let DecodingResult::F32(values) = decoder.read_image().unwrap() else { panic!("floats") };
        assert_eq!(values, northern_first(&water().bed));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let short = WaterSurface { depth: vec![0.0], ..water() };
    assert!(matches!(encode(&short, HeightFormat::Npz, &Map::USUAL), Err(Error::Fields { found: 1, expected: 6 })));
    assert!(matches!(encode(&water(), HeightFormat::Asc, &Map::USUAL), Err(Error::Fields { found: 5, expected: 1 })));
    assert!(matches!(encode(&water(), HeightFormat::Exr, &[]), Err(Error::Fields { found: 0, expected: 1 })));
}

#[test]
fn maps_over_time_have_no_value_where_it_never_was_wet() {
    let text = |map| String::from_utf8(encode(&water_over_time(), HeightFormat::Asc, &[map]).unwrap().bytes).unwrap();
    assert!(text(Map::Arrival).ends_with("NODATA_value -9999\n0 0 2\n0 0.5 -9999\n"));
    assert!(text(Map::MaxSpeed).ends_with("1 1 1.5\n6 0.5 -9999\n"));

    let bytes = encode(&water_over_time(), HeightFormat::Tif, &[Map::MaxDepth]).unwrap().bytes;
    let mut decoder = tiff::decoder::Decoder::new(Cursor::new(&bytes)).unwrap();
    let tiff::decoder::DecodingResult::F32(values) = decoder.read_image().unwrap() else { panic!("floats") };
    assert_eq!(values, [2.0, 1.5, 0.75, 1.5, 1.0, NODATA]);

    // Black stands for no value; every other cell keeps its own.
    let file = encode(&water_over_time(), HeightFormat::Png, &[Map::PeakTime]).unwrap();
    let [low, high] = file.range.unwrap();
    assert!(low < 0.0 && high == 2.25, "{low} {high}");
    let mut reader = ::png::Decoder::new(Cursor::new(&file.bytes)).read_info().unwrap();
    let mut data = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut data).unwrap();
    let levels: Vec<u16> = data.as_chunks::<2>().0.iter().map(|b| u16::from_be_bytes(*b)).collect();
    assert_eq!((levels[0], levels[2], levels[5]), (1, 65535, 0));
    let value = low + (high - low) * f64::from(levels[4]) / 65535.0;
    assert!((value - 1.0).abs() < 1e-4, "{value}");
}

#[test]
fn all_maps_are_those_that_were_kept() {
    assert_eq!(
        [water(), water_over_time()].map(|water| HeightField { water: &water, dry_depth: 0.0, time: 0.0 }.maps().len()),
        [5, 10]
    );
    let archive = encode(&water_over_time(), HeightFormat::Npz, &Map::USUAL).unwrap().bytes;
    let names = ["max_depth", "max_surface", "max_speed", "arrival", "peak_time"];
    assert!(names.iter().all(|name| String::from_utf8_lossy(&archive).contains(&format!("{name}.npy"))));
    let refused = encode(&water(), HeightFormat::Npz, &[Map::Arrival]).unwrap_err();
    assert!(matches!(refused, Error::NotKept { map: "arrival" }) && refused.to_string().contains("[maps]"));
    let short = Maps { peak: vec![0.0], ..water_over_time().maps.unwrap() };
    let short = WaterSurface { maps: Some(short), ..water() };
    assert!(matches!(encode(&short, HeightFormat::Exr, &Map::USUAL), Err(Error::Fields { found: 1, expected: 6 })));
}
