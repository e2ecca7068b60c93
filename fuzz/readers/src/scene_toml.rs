//! Any bytes as a scene: it is refused with a place in the text, or it can be rasterised and written again.

use thalweg_scene::format::SceneFile;
use thalweg_scene::{Files, Scene};

/// Files that a scene may name; small enough for every run.
const FILES: &[(&str, &[u8])] = &[
    ("a.asc", b"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9\n1 2\n3 -9\n"),
    ("a.csv", b"time,value\n0,1\n1,2\n"),
    ("a.xyz", b"0 0 1\n1 0 2\n0 1 3\n1 1 4\n"),
];

/// Larger grids are valid too, but rasterising them tests patience only.
const MOST_CELLS: u64 = 10_000;

/// The bytes, read.
pub fn run(bytes: &[u8]) {
    match Scene::from_bytes(bytes, "fuzz.toml", &Files::Table(FILES)) {
        Ok(scene) => {
            assert!(scene.cost().cells == scene.grid.cells() && scene.grid.nx > 0 && scene.grid.nz > 0);
            let file = SceneFile::parse(&scene.text.text, "fuzz.toml").expect("it was read before");
            match Scene::build(&file, &Files::Table(FILES)) {
                Ok(again) => assert_eq!(again.digest, scene.digest),
                Err(error) => panic!("written again it is refused: {error}"),
            }
            if scene.grid.cells() > MOST_CELLS {
                return;
            }
            if let Ok(bed) = scene.terrain.rasterise(&scene.grid) {
                assert!(bed.iter().all(|height| height.is_finite()));
                if let Ok(depth) = scene.water.rasterise(&scene.grid, &bed) {
                    assert!(depth.iter().all(|depth| depth.is_finite() && *depth >= 0.0));
                }
            }
        }
        Err(error) => {
            assert!(!error.diagnostics().is_empty());
            assert!(!error.to_string().is_empty());
        }
    }
}
