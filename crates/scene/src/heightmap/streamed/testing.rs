//! Rasters for tests, on disk in every way that is read.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tiff::encoder::colortype::{ColorType, Gray16, Gray32Float, Gray64Float, GrayI16};
use tiff::encoder::{Compression, TiffEncoder, TiffValue};
use tiff::tags::Tag;

use super::{RasterPyramid, Sampling, TiledRaster};

/// Pixels of the test raster: no multiple of a block.
pub(super) const SIZE: [u32; 2] = [150, 70];
/// Size of its pixels, m.
pub(super) const PIXEL: f64 = 2.0;

/// Heights, m, whole numbers; the first row is north, as in files.
pub(super) fn heights() -> Vec<f64> {
    let height = |x: u32, z: u32| f64::from((x * 7 + z * z * 3 + x * z) % 251) + f64::from(x / 3) + 10.0;
    (0..SIZE[0] * SIZE[1]).map(|n| height(n % SIZE[0], SIZE[1] - 1 - n / SIZE[0])).collect()
}

/// A TIFF in strips of five rows.
pub(super) fn striped<C: ColorType>(convert: impl Fn(f64) -> C::Inner, compression: Compression) -> Vec<u8>
where
    [C::Inner]: TiffValue,
{
    let data: Vec<C::Inner> = heights().into_iter().map(convert).collect();
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).expect("header").with_compression(compression);
    let mut image = encoder.new_image::<C>(SIZE[0], SIZE[1]).expect("image");
    image.rows_per_strip(5).expect("strips");
    image.encoder().write_tag(Tag::ModelPixelScaleTag, &[PIXEL, PIXEL, 0.0][..]).expect("tag");
    image.encoder().write_tag(Tag::GdalNodata, "-9999").expect("tag");
    image.write_data(&data).expect("data");
    bytes.into_inner()
}

/// A TIFF in square tiles of single precision numbers; `values` start in the north.
pub(super) fn tiled([width, height]: [u32; 2], values: &[f64], tile: u32) -> Vec<u8> {
    let (across, down) = (width.div_ceil(tile), height.div_ceil(tile));
    let count = across * down;
    let tags = 11;
    let scale_at = 8 + 2 + 12 * tags + 4;
    let offsets_at = scale_at + 24;
    let counts_at = offsets_at + 4 * count;
    let data_at = counts_at + 4 * count;
    // Number, type (3 short, 4 long, 12 double), count, value or place.
    let entries = [
        (256, 4, 1, width),
        (257, 4, 1, height),
        (258, 3, 1, 32),
        (259, 3, 1, 1),
        (262, 3, 1, 1),
        (322, 4, 1, tile),
        (323, 4, 1, tile),
        (324, 4, count, if count == 1 { data_at } else { offsets_at }),
        (325, 4, count, if count == 1 { 4 * tile * tile } else { counts_at }),
        (339, 3, 1, 3),
        (33550, 12, 3, scale_at),
    ];
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    bytes.extend((tags as u16).to_le_bytes());
    for (tag, kind, count, value) in entries {
        bytes.extend((tag as u16).to_le_bytes());
        bytes.extend((kind as u16).to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 4]);
    [PIXEL, PIXEL, 0.0].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    (0..count).for_each(|n| bytes.extend((data_at + n * 4 * tile * tile).to_le_bytes()));
    (0..count).for_each(|_| bytes.extend((4 * tile * tile).to_le_bytes()));
    for n in 0..count {
        for at in 0..tile * tile {
            let (x, z) = ((n % across) * tile + at % tile, (n / across) * tile + at / tile);
            let inside = x < width && z < height;
            let value = if inside { values[(x + width * z) as usize] as f32 } else { 0.0 };
            bytes.extend(value.to_le_bytes());
        }
    }
    bytes
}

/// How tiles of a folder are written.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Png,
    Tiff,
    Esri,
}

/// Black and white of pictures, m: heights become their grey levels.
pub(super) const WHITE: f64 = 65535.0;

/// A folder of tiles of 32 x 32 pixels; returns its index.
pub(super) fn folder(at: &Path, kind: Kind, from_north: bool) -> PathBuf {
    const TILE: u32 = 32;
    fs::create_dir_all(at).expect("a folder");
    let heights = heights();
    let (across, up) = (SIZE[0].div_ceil(TILE), SIZE[1].div_ceil(TILE));
    let ending = match kind {
        Kind::Png => "png",
        Kind::Tiff => "tif",
        Kind::Esri => "asc",
    };
    for z in 0..up {
        for x in 0..across {
            let columns = x * TILE..((x + 1) * TILE).min(SIZE[0]);
            let numbered = z * TILE..((z + 1) * TILE).min(SIZE[1]);
            // Rows of the whole, counted from the north, in the order of the file.
            let rows = if from_north { numbered } else { SIZE[1] - numbered.end..SIZE[1] - numbered.start };
            let (w, h) = (columns.len() as u32, rows.len() as u32);
            let values: Vec<f64> = rows
                .flat_map(|r| columns.clone().map(move |c| (r * SIZE[0] + c) as usize))
                .map(|n| heights[n])
                .collect();
            let bytes = match kind {
                Kind::Png => {
                    let data: Vec<u8> = values.iter().flat_map(|v| (*v as u16).to_be_bytes()).collect();
                    let mut bytes = Vec::new();
                    let mut encoder = png::Encoder::new(&mut bytes, w, h);
                    encoder.set_color(png::ColorType::Grayscale);
                    encoder.set_depth(png::BitDepth::Sixteen);
                    encoder.write_header().expect("header").write_image_data(&data).expect("data");
                    bytes
                }
                Kind::Tiff => tiled([w, h], &values, 16),
                Kind::Esri => {
                    let mut text = format!("ncols {w}\nnrows {h}\ncellsize {PIXEL}\n");
                    values.iter().for_each(|v| text += &format!("{v} "));
                    text.into_bytes()
                }
            };
            fs::write(at.join(format!("t{}_{}.{ending}", x + 1, z + 1)), bytes).expect("a tile");
        }
    }
    let picture = if matches!(kind, Kind::Png) { format!("height = [0, {WHITE}]\n") } else { String::new() };
    let side = if from_north { "north" } else { "south" };
    let text = format!(
        "tile = {TILE}\ncolumns = {across}\nrows = {up}\npixel = {PIXEL}\nfiles = \"t{{x}}_{{z}}.{ending}\"\n\
         size = [{}, {}]\nfirst = 1\nrows_from = \"{side}\"\n{picture}",
        SIZE[0], SIZE[1]
    );
    let index = at.join("tiles.toml");
    fs::write(&index, text).expect("an index");
    index
}

/// The test raster in every way that is read.
pub(super) fn everything(at: &Path) -> Vec<PathBuf> {
    let plain = Compression::Uncompressed;
    let files = [
        ("f32.tif", striped::<Gray32Float>(|h| h as f32, Compression::Deflate(Default::default()))),
        ("f64.tif", striped::<Gray64Float>(|h| h, plain)),
        ("i16.tif", striped::<GrayI16>(|h| h as i16, Compression::Lzw)),
        ("u16.tif", striped::<Gray16>(|h| h as u16, Compression::Packbits)),
        ("tiled.tif", tiled(SIZE, &heights(), 32)),
    ];
    let mut paths: Vec<PathBuf> = Vec::new();
    for (name, bytes) in files {
        paths.push(at.join(name));
        fs::write(at.join(name), bytes).expect("written");
    }
    for (name, kind, from_north) in [
        ("png", Kind::Png, false),
        ("tiff", Kind::Tiff, true),
        ("esri", Kind::Esri, false),
        ("north", Kind::Esri, true),
    ] {
        paths.push(folder(&at.join(name), kind, from_north));
    }
    paths
}

pub(super) fn pyramid(path: &Path, cache: u64, sampling: &Sampling) -> RasterPyramid {
    let raster = Arc::new(TiledRaster::open(path, cache).expect("opened"));
    RasterPyramid::open(raster, sampling, &mut |_, _| ()).expect("a pyramid").0
}
