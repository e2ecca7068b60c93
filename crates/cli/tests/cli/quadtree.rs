//! Shallow water on a quadtree, from outside.

use crate::program::{Place, end};

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
    assert!(text.contains("256 × 128 finest cells of 0.5 m to 2 m on 3 levels, at most 30 000 at a time"), "{text}");
}

#[test]
fn volumes_are_refused() {
    let place = Place::new(DAM);
    assert!(place.run(&["--volumes=vdb"]).expect(2).stderr.contains("has no volume"));
}
