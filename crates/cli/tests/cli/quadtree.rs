//! Shallow water on a quadtree, from outside.

use std::path::Path;

use crate::program::{Ended, Place, end, thalweg};

/// A dam breaks over hills; 20 steps, ten to a frame.
const DAM: &str = r#"[scene]
name = "Dam on a quadtree"
duration = 4
step = 0.2

[domain]
size = [128, 10, 64]
cell = 0.5

[terrain]
shapes = [
  { shape = "slope", from = [0, 0], to = [128, 0], heights = [2, 0] },
  { shape = "hills", seed = 3, amplitude = 0.6, wavelength = 25, octaves = 2 },
]

[water]
solver = "quadtree"
boxes = [{ min = [0, -5, 0], max = [40, 4, 64] }]

[water.quadtree]
levels = 3
budget = 30_000
surface = 0.1
speed = 0.5

[[probe]]
name = "front"
kind = "front"
axis = "x"

[[probe]]
name = "gauge"
kind = "depth"
at = [60, 30]

[render]
fields = ["depth", "speed"]
width = 160

[output]
every = 2.0
"#;

#[test]
fn a_run_leaves_pictures_tables_meshes_and_heights() {
    let place = Place::new(DAM);
    let summary = place.run(&["--json", "--meshes=ply", "--heights=npz,asc"]).expect(0).json();
    assert_eq!((&summary["frames"], &summary["steps"]), (&3.into(), &20.into()));
    let cells = summary["cells"].as_u64().expect("a number");
    assert!(cells.is_multiple_of(256) && (2048..=30_208).contains(&cells), "{summary}");
    let levels = summary["quadtree"]["levels"].as_array().expect("levels");
    assert_eq!(levels.len(), 3);
    assert_eq!((&levels[0]["cell_m"], &levels[2]["cell_m"]), (&2.0.into(), &0.5.into()));
    let tiles: u64 = levels.iter().map(|level| level["tiles"].as_u64().expect("a number")).sum();
    assert_eq!(256 * tiles, cells);
    assert!(summary["volume"]["drift"].as_f64().is_some_and(|drift| drift.abs() < 1e-6), "{summary}");
    for file in
        ["meshes/surface-00002.ply", "heights/water-00002.npz", "heights/depth-00002.asc", "probes.csv", "report.html"]
    {
        assert!(place.file(file).exists(), "there is no {file}");
    }
    assert!(place.text("stats.csv").lines().next().is_some_and(|line| line.contains("tree_ms")));
    assert_eq!(place.text("probes.csv").lines().count(), 22, "a header, the start and 20 steps");
}

#[test]
fn a_resumed_run_has_the_bits_of_an_unbroken_one() {
    let whole = Place::new(DAM);
    whole.run(&["--quiet"]).expect(0);
    let parts = Place::new(DAM);
    parts.run(&["--quiet", "--frames", "1"]).expect(0);
    assert_eq!(parts.checkpoint().kind, "quadtree");
    parts.run(&["--quiet", "--resume"]).expect(0);
    parts.assert_same_results(&whole);
}

#[test]
fn check_tells_sizes_and_budget() {
    let place = Place::new(DAM);
    let path = place.scene.to_str().expect("UTF-8");
    let object = end(["check", "--json", path]).expect(0).json();
    assert_eq!((&object["solver"], &object["cost"]["cells"]), (&"quadtree".into(), &30_000.into()));
    assert_eq!((&object["quadtree"]["levels"], &object["quadtree"]["coarsest_cell_m"]), (&3.into(), &2.0.into()));
    let text = end(["check", path]).expect(0).stdout;
    assert!(text.contains("quadtree, finite-volumes"), "{text}");
    assert_eq!(object["quadtree"]["scheme"], "finite-volumes");
    assert!(text.contains("256 × 128 finest cells of 0.5 m to 2 m on 3 levels, at most 30 000 at a time"), "{text}");
}

#[test]
fn kernel_advection_is_told_and_runs_with_its_volume() {
    let scene = DAM.replace("[water.quadtree]", "[water.quadtree]\nscheme = \"kernel-advection\"\nviscosity = 0.01");
    let place = Place::new(&scene.replace("duration = 4", "duration = 1"));
    let text = end(["check", place.scene.to_str().expect("UTF-8")]).expect(0).stdout;
    assert!(text.contains("quadtree, kernel-advection"), "{text}");
    let summary = place.run(&["--json"]).expect(0).json();
    assert!(summary["volume"]["drift"].as_f64().is_some_and(|drift| drift.abs() < 1e-6), "{summary}");
}

/// The dam over a folder of four tiles, 64 x 32 pixels of 1 m each.
fn dam_that_streams() -> Place {
    let shapes = DAM.find("shapes = [").expect("shapes")..DAM.find("[water]").expect("water");
    let place = Place::new(&DAM.replace(&DAM[shapes], "file = \"tiles\"\nstream = true\nmemory = 4\n\n"));
    let folder = place.path().join("tiles");
    std::fs::create_dir(&folder).expect("a folder");
    let index = "tile = 64\ncolumns = 2\nrows = 1\nsize = [128, 64]\npixel = 1.0\nfiles = \"{x}-{z}.asc\"\n";
    std::fs::write(folder.join("tiles.toml"), index).expect("an index");
    for x in 0..2u32 {
        let height = |n: u32| {
            let [x, z] = [64 * x + n % 64, 63 - n / 64].map(f64::from);
            format!("{:.3} ", 2.0 - x / 64.0 + 0.5 * (0.21 * x).sin() * (0.17 * z).cos())
        };
        let heights: String = (0..64 * 64).map(height).collect();
        std::fs::write(folder.join(format!("{x}-0.asc")), format!("ncols 64\nnrows 64\ncellsize 1\n{heights}\n"))
            .expect("a tile");
    }
    place
}

#[test]
fn ground_that_streams_is_checked_run_resumed_and_exported() {
    let place = dam_that_streams();
    let path = place.scene.to_str().expect("UTF-8");
    let text = end(["check", path]).expect(0).stdout;
    assert!(text.contains("streams from `tiles`, 128 × 64 pixels, 4.0 MiB at a time"), "{text}");
    let summary = place.run(&["--json", "--meshes=ply", "--heights=npz"]).expect(0).json();
    assert!(summary["volume"]["drift"].as_f64().is_some_and(|drift| drift.abs() < 1e-6), "{summary}");
    for file in ["meshes/surface-00002.ply", "heights/water-00002.npz", "report.html"] {
        assert!(place.file(file).exists(), "there is no {file}");
    }
    assert!(place.path().join("tiles/tiles.toml.pyramid").exists(), "the survey is kept");

    let parts = place.path().join("parts");
    let out = parts.to_str().expect("UTF-8");
    let run = |more: &[&str]| end([&["run", "--backend", "cpu", "--quiet", path, "--out", out][..], more].concat());
    run(&["--frames", "1"]).expect(0);
    run(&["--resume"]).expect(0);
    let probes = std::fs::read_to_string(parts.join("probes.csv")).expect("probes");
    assert_eq!(probes, place.text("probes.csv"), "a resumed run has the bits of an unbroken one");

    let map = place.path().join("bed.asc");
    let export = [out, "--to", map.to_str().expect("UTF-8"), "--what", "bed"];
    end([&["export"][..], &export[..]].concat()).expect(0);
    std::fs::rename(place.path().join("tiles"), place.path().join("gone")).expect("renamed");
    let told = end([&["export"][..], &export[..]].concat()).expect(2).stderr;
    assert!(told.contains("tiles"), "{told}");
    assert!(run(&["--resume"]).expect(2).stderr.contains("scene.toml:11"), "where the scene names it");
}

/// Runs the scene of a folder by its bare name, from there, to the first frame.
fn run_bare(folder: &Path) -> Ended {
    let mut command = thalweg(["run", "--backend", "cpu", "--quiet", "--frames", "1", "scene.toml", "--out", "out"]);
    Ended::of(command.current_dir(folder).output().expect("the program starts"))
}

#[test]
fn checkpoints_know_the_ground_of_a_bare_name_from_elsewhere() {
    let place = dam_that_streams();
    run_bare(place.path()).expect(0);
    let folder = place.path().canonicalize().expect("a folder");
    assert_eq!(place.checkpoint().header["streams_from"], folder.to_str().expect("UTF-8"));
    let map = place.path().join("bed.asc");
    let [out, to] = [&place.out, &map].map(|path| path.to_str().expect("UTF-8"));
    end(["export", out, "--to", to, "--what", "bed"]).expect(0);
    assert!(std::fs::read_to_string(&map).expect("a map").starts_with("ncols"));
}

/// A checkpoint could not name the folder: that is told before the run.
#[cfg(target_os = "linux")]
#[test]
fn ground_in_a_folder_that_is_no_text_is_refused_at_once() {
    use std::os::unix::ffi::OsStrExt;
    let place = dam_that_streams();
    let folder = place.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    std::fs::create_dir(&folder).expect("a folder");
    for name in ["scene.toml", "tiles"] {
        std::fs::rename(place.path().join(name), folder.join(name)).expect("moved");
    }
    let told = run_bare(&folder).expect(2).stderr;
    assert!(told.contains("scene.toml:11") && told.contains("not UTF-8"), "{told}");
    assert!(!folder.join("out").exists(), "nothing was run");
}

#[test]
fn volumes_are_refused() {
    let place = Place::new(DAM);
    assert!(place.run(&["--volumes=vdb"]).expect(2).stderr.contains("has no volume"));
}
