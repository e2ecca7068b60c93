//! Three-dimensional water from the command line.

use thalweg_io::checkpoint::FILE_NAME;

use crate::program::Place;

/// A column collapses onto a ball, over a step in the ground: 12 steps of 0.025 s, two to a frame.
fn collapse(solver: &str, settings: &str) -> String {
    format!(
        r#"[scene]
name = "Collapse"
duration = 0.3
step = 0.025

[domain]
size = [2, 1.6, 0.6]
cell = 0.1

[terrain]
shapes = [{{ shape = "cone", center = [1.8, 0.3], base_radius = 0.5, height = 0.3 }}]

[water]
solver = "{solver}"
level = 0.2
boxes = [{{ min = [0, 0, 0], max = [0.6, 1.0, 0.6] }}]

[water.tall]
{settings}

[[obstacle]]
shape = "sphere"
center = [1.1, 0.3, 0.3]
radius = 0.2

[[probe]]
name = "gauge"
kind = "surface"
at = [1, 0.3]

[[probe]]
name = "current"
kind = "velocity"
at = [0.6, 0.3]

[[probe]]
name = "all"
kind = "volume"

[render]
width = 160

[output]
every = 0.05
"#
    )
}

#[test]
fn a_run_gives_figures_and_pictures() {
    for solver in ["tall-cells", "uniform"] {
        let place = Place::new(&collapse(solver, ""));
        let ended = place.run(&["--json"]).expect(0);
        let summary = ended.json();
        assert_eq!((&summary["steps"], &summary["frames"]), (&12.into(), &7.into()), "{summary}");
        assert_eq!(summary["crowded_columns"], 0, "{summary}");
        assert!(!ended.stderr.contains("warning"), "{}", ended.stderr);
        let drift = summary["volume"]["drift"].as_f64().expect("a number");
        assert!(drift.abs() < 0.02, "{summary}");
        let names: Vec<String> = place.frames().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), 21);
        assert!(names[0] == "side-00000.png" && names[20] == "view-00006.png", "{names:?}");
        assert!(place.file("view.mp4").exists() && place.file("report.html").exists());
        let stats = place.table("stats.csv");
        for column in ["volume", "kinetic_energy", "max_speed", "crowded_columns", "project_ms", "level_set_ms"] {
            assert!(stats.numbers(column).iter().all(|value| value.is_finite()), "{column}");
        }
        // The gauge over the whole domain and the statistics count alike.
        let gauges = place.table("probes.csv").numbers("all");
        let volumes = stats.numbers("volume");
        assert!(gauges.iter().zip(&volumes).all(|(a, b)| (a / b - 1.0).abs() < 1e-4), "{gauges:?} {volumes:?}");
    }
}

#[test]
fn a_broken_run_ends_with_the_same_bits() {
    for (solver, settings) in [
        ("tall-cells", "reinitialise_every = 2"),
        ("uniform", "reinitialise_every = 2"),
        ("tall-cells", "surface = 2"),
        ("tall-cells", "discretisation = 'collocated'"),
    ] {
        let reference = Place::new(&collapse(solver, settings));
        reference.run(&["--quiet"]).expect(0);
        let place = Place::new(&collapse(solver, settings));
        for frames in ["1", "3"] {
            place.run(&["--quiet", "--resume", "--frames", frames]).expect(0);
            assert_eq!(place.checkpoint().kind, "tall");
        }
        place.run(&["--quiet", "--resume"]).expect(0);
        place.assert_same_results(&reference);
        for ((name, a), (_, b)) in place.frames().iter().zip(&reference.frames()) {
            assert!(a.rgb == b.rgb, "{name} differs from that of a run without a break");
        }
    }
}

#[test]
fn too_few_cells_are_told() {
    let place = Place::new(&collapse("tall-cells", "regular_cells = 6\nbelow = 3\nabove = 3"));
    let ended = place.run(&["--json"]).expect(0);
    assert!(ended.json()["crowded_columns"].as_u64().expect("a number") > 0, "{}", ended.stdout);
    assert!(ended.stderr.contains("warning") && ended.stderr.contains("regular_cells"), "{}", ended.stderr);
}

#[test]
fn a_checkpoint_of_another_solver_is_not_resumed() {
    let place = Place::new(&collapse("uniform", ""));
    place.run(&["--quiet", "--frames", "1"]).expect(0);
    let shallow = "[scene]\nname = 'a'\nduration = 1\n[domain]\nsize = [2, 1, 1]\ncell = 0.1\n";
    std::fs::write(&place.scene, shallow).expect("written");
    let ended = place.run(&["--quiet", "--resume"]).expect(2);
    assert!(ended.stderr.contains(FILE_NAME) && ended.stderr.contains("`tall`"), "{}", ended.stderr);
}

#[test]
fn what_it_cannot_do_is_refused_where_it_is_asked_for() {
    for (more, line) in [
        ("[rain]\nrate = 10", "has no rain yet"),
        ("[boundary]\neast = { kind = 'inflow', discharge = 1 }", "cannot let a discharge in"),
    ] {
        let place = Place::new(&format!("{}\n{more}\n", collapse("tall-cells", "")));
        let ended = place.run(&[]).expect(2);
        assert!(ended.stderr.contains(line) && ended.stderr.contains("scene.toml:"), "{}", ended.stderr);
        assert!(!place.out.exists());
    }
    let high = collapse("tall-cells", "").replace("max = [0.6, 1.0, 0.6]", "max = [0.6, 1.9, 0.6]");
    let ended = Place::new(&high).run(&[]).expect(2);
    assert!(ended.stderr.contains("water up to 1.9 m is higher than the domain"), "{}", ended.stderr);
}

#[test]
fn meshes_are_written_with_an_index_and_go_on_after_a_break() {
    for (format, magic) in [("ply", "ply\n"), ("obj", "# lengths"), ("glb", "glTF")] {
        let place = Place::new(&collapse("tall-cells", ""));
        place.run(&["--quiet", "--no-pictures", "--meshes", format, "--frames", "2"]).expect(0);
        let ended = place.run(&["--json", "--no-pictures", "--meshes", format, "--resume"]).expect(0);
        assert!(ended.json()["outputs"].as_array().expect("a list").contains(&"meshes/index.json".into()));
        let text = std::fs::read(place.file("meshes/index.json")).expect("an index");
        let index: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        let volumes = place.table("stats.csv").numbers("volume");
        for (number, entry) in index.as_array().expect("a list").iter().enumerate() {
            assert_eq!(entry["frame"], number, "{entry}");
            let file = format!("meshes/{}", entry["file"].as_str().expect("a name"));
            assert!(std::fs::read(place.file(&file)).expect("a mesh").starts_with(magic.as_bytes()), "{file}");
            // Cells of 0.1 m in a tank of 0.6 m: edges of the mesh are cut off, films are thinner than a cell.
            let volume = entry["volume"].as_f64().expect("a number");
            let wanted = volumes[(2 * number).saturating_sub(1).min(volumes.len() - 1)];
            assert!((volume / wanted - 1.0).abs() < 0.06, "{entry}: {wanted}");
        }
        assert_eq!(index.as_array().map(Vec::len), Some(7));
    }
}

#[test]
fn a_new_run_removes_old_meshes_and_shallow_water_has_none() {
    let place = Place::new(&collapse("uniform", ""));
    place.run(&["--quiet", "--no-pictures", "--meshes", "ply", "--frames", "1"]).expect(0);
    place.run(&["--quiet", "--no-pictures", "--frames", "1"]).expect(0);
    assert!(!place.file("meshes/index.json").exists() && !place.file("meshes/surface-00001.ply").exists());
    let shallow = Place::new("[scene]\nname = 'a'\nduration = 1\n[domain]\nsize = [2, 1, 1]\ncell = 0.1\n");
    let ended = shallow.run(&["--meshes", "ply"]).expect(2);
    assert!(ended.stderr.contains("--meshes") && ended.stderr.contains("height field"), "{}", ended.stderr);
    assert!(!shallow.out.exists());
}
