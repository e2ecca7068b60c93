//! Every reader of a user's bytes, and what must hold whatever the bytes are. The fuzz targets feed it what libFuzzer finds, `tests/damaged.rs` seeds
//! that are damaged in a fixed order.

pub mod checkpoint;
pub mod mesh;
pub mod scene_toml;
pub mod series_csv;
pub mod terrain_csv;
pub mod terrain_esri;
pub mod terrain_png;
pub mod terrain_tiff;

/// Name and function of a reader; its seeds are in `fuzz/seeds/<name>`.
pub type Reader = (&'static str, fn(&[u8]));

/// Every reader.
pub const READERS: &[Reader] = &[
    ("checkpoint", checkpoint::run),
    ("mesh", mesh::run),
    ("scene_toml", scene_toml::run),
    ("series_csv", series_csv::run),
    ("terrain_csv", terrain_csv::run),
    ("terrain_esri", terrain_esri::run),
    ("terrain_png", terrain_png::run),
    ("terrain_tiff", terrain_tiff::run),
];
