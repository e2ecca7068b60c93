//! Placement and sampling of height maps, through whole scenes.

use std::path::Path;

use crate::{Files, Scene, SceneError};

/// The bed of a scene over 4 x 2 m in cells of 1 m, with one file.
fn bed(terrain: &str, name: &str, content: &[u8]) -> Result<Vec<f32>, SceneError> {
    let text = format!(
        "scene = {{ name = 'a', duration = 1 }}\n\
         domain = {{ size = [4, 1, 2], cell = 1, origin = [10, 20] }}\n[terrain]\n{terrain}\n"
    );
    let table = [(name, content)];
    let scene = Scene::with_files(&text, "a.toml", &Files::Table(&table))?;
    scene.terrain.rasterise(&scene.grid)
}

const MATRIX: &[u8] = b"1,2,3,4\n5,6,7,8\n";

#[test]
fn a_matrix_as_fine_as_the_grid_is_copied() {
    let bed = bed("file = 'a.csv'", "a.csv", MATRIX).expect("a bed");
    assert_eq!(bed, [5.0, 6.0, 7.0, 8.0, 1.0, 2.0, 3.0, 4.0], "the first row is north");
}

#[test]
fn scale_and_offset() {
    let bed = bed("file = 'a.csv'\nscale = 2\noffset = -1", "a.csv", MATRIX).expect("a bed");
    assert_eq!(bed[..2], [9.0, 11.0]);
}

#[test]
fn coarse_maps_are_bilinear_and_flat_at_the_edge() {
    // Two pixels of 2 m: middles at x 11 and 13; cells' middles at 10.5, 11.5, 12.5, 13.5.
    let bed = bed("file = 'a.csv'", "a.csv", b"0,8\n").expect("a bed");
    assert_eq!(bed[..4], [0.0, 2.0, 6.0, 8.0]);
}

#[test]
fn georeferenced_maps_keep_their_spacing() {
    let grid = b"ncols 8\nnrows 2\nxllcorner 1e6\nyllcorner 5e6\ncellsize 1\n1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8\n";
    let at_corner = bed("file = 'a.asc'", "a.asc", grid).expect("a bed");
    assert_eq!(at_corner[..4], [1.0, 2.0, 3.0, 4.0]);
    let moved = bed("file = 'a.asc'\norigin = [7, 20]", "a.asc", grid).expect("a bed");
    assert_eq!(moved[..4], [4.0, 5.0, 6.0, 7.0]);
    let stretched = bed("file = 'a.asc'\nsize = [4, 2]", "a.asc", grid).expect("a bed");
    assert_eq!(stretched[..2], [1.5, 3.5]);
    let error = bed("file = 'a.asc'\norigin = [16, 20]", "a.asc", grid).expect_err("off the map");
    assert!(error.to_string().contains("does not cover the domain: along x"), "{error}");
}

#[test]
fn points_are_on_the_edge() {
    // Points from 0 to 4 m span the domain: a height equal to x stays equal to x.
    let points: String = (0..15).map(|i| format!("{} {} {}\n", i % 5, i / 5, i % 5)).collect();
    let bed = bed("file = 'a.xyz'", "a.xyz", points.as_bytes()).expect("a bed");
    assert_eq!(bed[..4], [0.5, 1.5, 2.5, 3.5]);
}

#[test]
fn missing_data_are_an_error_or_replaced() {
    let holed = b"1,2,3,4\n5,,7,8\n";
    let error = bed("file = 'a.csv'", "a.csv", holed).expect_err("a hole");
    assert_eq!(error.diagnostics()[0].line(), Some(4));
    assert!(error.to_string().contains("has no data at x 11.5, z 20.5"), "{error}");
    let filled = bed("file = 'a.csv'\nscale = 3\nnodata = -2", "a.csv", holed).expect("a bed");
    assert_eq!(filled[..3], [15.0, -2.0, 21.0]);
}

#[test]
fn shapes_go_on_top_of_the_file() {
    let shapes =
        "file = 'a.csv'\nshapes = [{ shape = 'plane', height = 10 }, { shape = 'plane', height = 13, mode = 'min' }]";
    let bed = bed(shapes, "a.csv", MATRIX).expect("a bed");
    assert_eq!(bed, [13.0, 13.0, 13.0, 13.0, 11.0, 12.0, 13.0, 13.0]);
}

/// A scene over the tiles of `tests/valid`, which it names from a folder.
fn streamed(folder: &Path, file: &str) -> Result<Scene, SceneError> {
    let text = format!(
        "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [16, 1, 16], cell = 1 }}\n\
         [terrain]\nfile = '{file}'\nstream = true\n[water]\nsolver = 'quadtree'\n"
    );
    Scene::from_str(&text, "a.toml", folder)
}

/// Who reads the scene again may be elsewhere: a bare file name has an empty folder, which is the current one.
#[test]
fn folders_of_streams_are_absolute() {
    let here = std::env::current_dir().expect("a folder");
    for (folder, file, wanted) in [
        ("", "tests/valid/tiles", here.clone()),
        (".", "tests/valid/tiles", here.clone()),
        ("tests", "valid/tiles", here.join("tests")),
    ] {
        let scene = streamed(Path::new(folder), file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scene.text.streams_from.as_deref(), Some(wanted.as_path()), "from {folder:?}");
        assert!(Scene::from_text(&scene.text).is_ok_and(|again| again.digest == scene.digest));
    }
}

/// Checkpoints name the folder in JSON: better told now than at the end of a run.
#[cfg(unix)]
#[test]
fn folders_of_streams_are_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let error = streamed(Path::new(OsStr::from_bytes(b"/caf\xe9")), "tiles").expect_err("refused").to_string();
    assert!(error.contains("a.toml:4") && error.contains("not UTF-8"), "{error}");
    assert!(error.contains("move the scene and its raster"), "{error}");
}
