//! A valley as a raster: a tiled GeoTIFF, or a folder of tiles.

use std::fs;
use std::path::{Path, PathBuf};

/// Pixels, and their size, m.
pub(crate) const PIXELS: [u32; 2] = [512, 128];
pub(crate) const PIXEL: f64 = 2.0;
/// Side of a block, pixels.
pub(crate) const BLOCK: u32 = 32;

/// A valley along x with four ponds between sills, in single precision; rows from the south.
pub(crate) fn valley() -> Vec<f32> {
    let height = |column: u32, row: u32| {
        let (x, z) = ((f64::from(column) + 0.5) * PIXEL, (f64::from(row) + 0.5) * PIXEL);
        let sides = 0.002 * (z - 128.0 - 20.0 * (x / 90.0).sin()).powi(2);
        let sills = 1.5 * (std::f64::consts::TAU * x / 256.0).cos() - 1.0;
        (sides + sills + 0.05 * (1.7 * x + 0.9 * z).sin()) as f32
    };
    (0..PIXELS[0] * PIXELS[1]).map(|n| height(n % PIXELS[0], n / PIXELS[0])).collect()
}

/// A TIFF of square tiles of `width × height` pixels; `value` is told column and row from the north-west.
pub(crate) fn tiff([width, height]: [u32; 2], value: impl Fn(u32, u32) -> f32) -> Vec<u8> {
    let (across, down) = (width / BLOCK, height / BLOCK);
    let (count, bytes_of_block) = (across * down, 4 * BLOCK * BLOCK);
    let scale_at = 8 + 2 + 12 * 11 + 4;
    let offsets_at = scale_at + 24;
    let counts_at = offsets_at + 4 * count;
    let data_at = counts_at + 4 * count;
    let list = |place: u32, only: u32| if count == 1 { only } else { place };
    // Tag, type (3 short, 4 long, 12 double), count, value or place of the values.
    let entries: [(u16, u16, u32, u32); 11] = [
        (256, 4, 1, width),
        (257, 4, 1, height),
        (258, 3, 1, 32),
        (259, 3, 1, 1),
        (262, 3, 1, 1),
        (322, 4, 1, BLOCK),
        (323, 4, 1, BLOCK),
        (324, 4, count, list(offsets_at, data_at)),
        (325, 4, count, list(counts_at, bytes_of_block)),
        (339, 3, 1, 3),
        (33550, 12, 3, scale_at),
    ];
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    bytes.extend((entries.len() as u16).to_le_bytes());
    for (tag, kind, count, value) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(kind.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 4]);
    [PIXEL, PIXEL, 0.0].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    (0..count).for_each(|n| bytes.extend((data_at + n * bytes_of_block).to_le_bytes()));
    (0..count).for_each(|_| bytes.extend(bytes_of_block.to_le_bytes()));
    for n in 0..count {
        for at in 0..BLOCK * BLOCK {
            bytes.extend(value((n % across) * BLOCK + at % BLOCK, (n / across) * BLOCK + at / BLOCK).to_le_bytes());
        }
    }
    bytes
}

pub(crate) fn write_tiff(folder: &Path, valley: &[f32]) -> PathBuf {
    let path = folder.join("valley.tif");
    let from_north = |column: u32, row: u32| valley[(column + PIXELS[0] * (PIXELS[1] - 1 - row)) as usize];
    fs::write(&path, tiff(PIXELS, from_north)).expect("written");
    path
}

pub(crate) fn write_folder(folder: &Path, valley: &[f32]) -> PathBuf {
    let path = folder.join("tiles");
    fs::create_dir(&path).expect("a folder");
    let [across, up] = PIXELS.map(|n| n / BLOCK);
    for z in 0..up {
        for x in 0..across {
            let from_north =
                |i: u32, k: u32| valley[(x * BLOCK + i + PIXELS[0] * (z * BLOCK + BLOCK - 1 - k)) as usize];
            fs::write(path.join(format!("{x}-{z}.tif")), tiff([BLOCK; 2], from_north)).expect("a tile");
        }
    }
    let index = format!(
        "tile = {BLOCK}\ncolumns = {across}\nrows = {up}\npixel = {PIXEL}\nfiles = \"{{x}}-{{z}}.tif\"\nnodata = -9999\n"
    );
    fs::write(path.join("tiles.toml"), index).expect("an index");
    path
}
