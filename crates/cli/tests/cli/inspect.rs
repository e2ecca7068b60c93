//! Commands that look and do not run: `check`, `scenes`, `schema`, `info`, and what can be listed.

use serde_json::Value;

use crate::program::{Ended, Place, basin, end, thalweg};
use crate::schema::faults;

/// Names of the shipped scenes: the files of the folder `scenes`.
pub(crate) fn shipped_names() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let paths = std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("readable").path());
    let scenes = paths.filter(|path| path.extension().is_some_and(|e| e == "toml"));
    let mut names: Vec<String> =
        scenes.map(|path| path.file_stem().expect("a name").to_string_lossy().into()).collect();
    names.sort();
    names
}

#[test]
fn check_tells_the_cost() {
    let place = Place::new(&basin(100));
    let path = place.scene.to_str().expect("UTF-8");
    let object = end(["check", "--json", path]).expect(0).json();
    assert_eq!((&object["nx"], &object["nz"]), (&80.into(), &60.into()));
    assert_eq!(
        (&object["scene"], &object["cell_m"], &object["duration_s"]),
        (&"Basin".into(), &0.1.into(), &2.0.into())
    );
    assert_eq!(object["cost"]["cells"], 4800);
    assert_eq!(object["cost"]["rows"], 101, "one row a step, and the start");
    assert_eq!(object["cost"]["pictures"], 22, "two fields, eleven frames");
    let bytes = |value: &Value| value.as_u64().expect("a number");
    assert!(bytes(&object["cost"]["bytes_state"]) >= 4800 * 28);
    assert!(bytes(&object["bytes"]) >= bytes(&object["cost"]["bytes_state"]));

    let ended = end(["check", path]).expect(0);
    for part in ["Basin: valid", "80 × 60 cells of 0.1 m", "4 800", "2 s in 100 steps"] {
        assert!(ended.stdout.contains(part), "no `{part}` in\n{}", ended.stdout);
    }
    assert_eq!(ended.stderr, "");
    assert!(!place.out.exists());
}

/// A tank with a wave-maker, and what is wrong with it.
const TANK: &str = "scene = { name = 'Tank', duration = 0.1 }
domain = { size = [4, 2, 1], cell = 0.25 }
water = { solver = 'tall-cells', level = 1 }
output = { every = 0.1 }
";

/// Warnings refuse nothing, name the line, and are there for machines.
#[test]
fn check_and_run_warn_of_what_is_hardly_meant() {
    let waves = |amplitude: f64| {
        let low = TANK.replace("[4, 2, 1]", "[4, 1.5, 1]");
        Place::new(&format!("{low}boundary.west = {{ kind = 'wave', amplitude = {amplitude}, period = 2 }}\n"))
    };
    let refused = waves(3.0).run(&["--quiet"]).expect(2).stderr;
    assert!(refused.contains("an amplitude of 3.000 m in 1.000 m of water"), "{refused}");
    let place = waves(0.9);
    let path = place.scene.to_str().expect("UTF-8");
    let told = |ended: &Ended| {
        let (text, waves) = (&ended.stderr, "warning: waves 1.800 m high come in over water of 1.000 m at most\n --> ");
        text.contains(waves) && text.contains("scene.toml:5:") && text.contains("= help: ")
    };
    let checked = end(["check", path]).expect(0);
    assert!(told(&checked) && checked.stdout.starts_with("Tank: valid"), "{}", checked.stderr);
    let checked = end(["check", "--json", path]).expect(0).json();
    let warnings = checked["warnings"].as_array().expect("a list");
    assert!(warnings.iter().all(|found| found["severity"] == "warning" && found["line"] == 5), "{checked}");
    assert_eq!(warnings.len(), 2, "high waves, and crests above the domain: {checked}");
    let ran = place.run(&["--quiet", "--no-pictures"]).expect(0);
    assert!(told(&ran), "{}", ran.stderr);
    assert_eq!(end(["check", "--json", "dam-break"]).expect(0).json()["warnings"], serde_json::json!([]));
}

/// What only the solver knows is found by a check too, and has its line.
#[test]
fn check_and_run_refuse_what_the_solver_cannot_take() {
    let source = "[[source]]\nshape = { disc = { center = [2, 0.5], radius = 0.4 } }\ny = [0, 0.5]\nrate = 1e6\n";
    let body = "[[body]]\nname = 'ball'\nposition = [2, 1, 0.5]\nshape = 'sphere'\nradius = 0.01\ndensity = 1e-3\n";
    for (more, line, part) in [(source, 8, "cannot carry 1000000 m³/s"), (body, 10, "the mass is 4.189e-9 kg")] {
        let place = Place::new(&format!("{TANK}{more}"));
        let path = place.scene.to_str().expect("UTF-8");
        for ended in [end(["check", path]), place.run(&["--quiet"])] {
            let text = ended.expect(2).stderr;
            assert!(text.contains(&format!("scene.toml:{line}:")) && text.contains(part), "{text}");
        }
    }
}

#[test]
fn numbers_are_told_in_a_few_digits() {
    let place = Place::new(&basin(10).replace("cell = 0.1", "cell = 1e-300"));
    let ended = end(["check", place.scene.to_str().expect("UTF-8")]).expect(2);
    let longest = ended.stderr.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
    assert!(longest < Some(25) && ended.stderr.contains("8e300 x 6e300 cells"), "{}", ended.stderr);
}

/// Where there is no screen nothing is said of one.
#[test]
fn a_machine_without_a_screen_is_told_nothing_of_it() {
    let mut info = thalweg(["info"]);
    for name in ["XDG_RUNTIME_DIR", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"] {
        info.env_remove(name);
    }
    let ended = Ended::of(info.output().expect("the program starts")).expect(0);
    assert_eq!(ended.stderr, "");
}

#[test]
fn every_shipped_scene_is_listed_checked_and_shown() {
    let list = end(["scenes", "--json"]).expect(0).json();
    let list = list.as_array().expect("a list");
    let mut names: Vec<&str> = list.iter().map(|scene| scene["name"].as_str().expect("a name")).collect();
    names.sort_unstable();
    assert_eq!(names, shipped_names(), "what ships is what the folder holds");
    let text = end(["scenes"]).expect(0).stdout;
    assert_eq!(text.lines().count(), list.len());
    for scene in list {
        let name = scene["name"].as_str().expect("a name");
        for key in ["title", "description"] {
            assert!(scene[key].as_str().is_some_and(|text| !text.is_empty()), "{name}: {key}");
        }
        assert!(scene["cells"].as_u64() > Some(0) && scene["duration_s"].as_f64() > Some(0.0), "{scene}");
        assert!(text.lines().any(|line| line.starts_with(name)), "{name} is not in\n{text}");
        let checked = end(["check", name, "--json"]).expect(0).json();
        assert_eq!((&checked["scene"], &checked["cost"]["cells"]), (&scene["title"], &scene["cells"]));
    }
}

#[test]
fn a_shown_scene_is_a_start_for_ones_own() {
    for name in shipped_names() {
        let text = end(["scenes", "--show", &name]).expect(0).stdout;
        let source = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        assert_eq!(text.trim_end(), std::fs::read_to_string(source).expect("there").trim_end(), "{name}");
    }
}

#[test]
fn the_schema_takes_every_scene_that_the_program_takes() {
    let schema = end(["schema"]).expect(0).json();
    assert_eq!(schema["title"], "Thalweg scene");
    let mut scenes = vec![("basin".to_owned(), basin(10))];
    scenes.extend(shipped_names().into_iter().map(|name| {
        let text = end(["scenes", "--show", &name]).expect(0).stdout;
        (name, text)
    }));
    for (name, text) in &scenes {
        let found = faults(&schema, &json(text));
        assert!(found.is_empty(), "{name}: {}", found.join("\n"));
    }
    for (from, to) in [
        ("manning", "maning"),
        ("cell = 0.1", "cell = -0.1"),
        ("duration = ", "durations = "),
        ("size = [8, 2, 6]", "size = [8, 2]"),
        ("kind = \"surface\"", "kind = \"surfaces\""),
        ("width = 160", "width = \"wide\""),
    ] {
        let text = basin(10).replace(from, to);
        assert!(!faults(&schema, &json(&text)).is_empty(), "the schema takes `{to}`");
    }
}

fn json(text: &str) -> Value {
    let table: toml::Table = text.parse().expect("TOML");
    serde_json::to_value(table).expect("JSON")
}

#[test]
fn info_tells_what_there_is() {
    let object = end(["info", "--json"]).expect(0).json();
    assert_eq!(object["version"], env!("CARGO_PKG_VERSION"));
    assert!(object["threads"].as_u64() >= Some(1));
    for adapter in object["adapters"].as_array().expect("a list") {
        for key in ["name", "api", "kind", "driver"] {
            assert!(adapter[key].is_string(), "{key} of {adapter}");
        }
        assert!(adapter["software"].is_boolean() && adapter["timestamps"].is_boolean(), "{adapter}");
        assert!(adapter["max_binding_bytes"].as_u64() > Some(0), "{adapter}");
    }
    let text = end(["info"]).expect(0).stdout;
    assert!(text.starts_with(concat!("thalweg ", env!("CARGO_PKG_VERSION"))) && text.contains("gpu "), "{text}");
}

#[test]
fn benches_and_cases_are_listed() {
    let benches = end(["bench", "--list"]).expect(0).stdout;
    assert!(benches.lines().any(|line| line.starts_with("shallow ")), "{benches}");
    let cases = end(["validate", "--list"]).expect(0).stdout;
    assert!(cases.lines().count() >= 10, "{cases}");
    let part = end(["validate", "thacker", "--list"]).expect(0).stdout;
    assert!(part.lines().count() == 2 && part.lines().all(|line| line.starts_with("thacker-")), "{part}");
    let long = end(["validate", "--long", "--list"]).expect(0).stdout;
    assert!(long.lines().any(|line| line.starts_with("quiet ")) && !long.contains("thacker-"), "{long}");
    let none = end(["validate", "thacker", "--long"]).expect(2).stderr;
    assert!(none.contains("no case with a long form is called `thacker`"), "{none}");
}

#[test]
fn a_small_bench_has_flat_rows() {
    let line = ["bench", "shallow", "--min-size", "64", "--max-size", "64", "--backend", "cpu", "--json"];
    let object = end(line).expect(0).json();
    assert_eq!(object["bench"], "shallow");
    assert!(object["machine"].is_object());
    let rows = object["rows"].as_array().expect("rows");
    assert!(!rows.is_empty());
    for row in rows {
        let row = row.as_object().expect("an object");
        assert!(row.values().all(|value| value.is_number() || value.is_string()), "{row:?}");
        for key in ["ns_per_cell", "copy_share"] {
            assert!(row[key].as_f64().is_some_and(|x| x > 0.0), "{key} of {row:?}");
        }
    }
}

#[test]
fn stored_systems_are_solved_and_told_in_one_line_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.wpoi");
    let mut file = std::fs::File::create(&path).expect("a file");
    let system = thalweg_pressure_labs::scenes::stream(16, thalweg_pressure_labs::scenes::TankLevel::Mid);
    system.write_to(&mut file).expect("written");
    let path = path.to_str().expect("a plain name");
    let lines = end(["bench", "poisson", path]).expect(0).stdout;
    let results: Vec<&str> = lines.lines().filter(|l| l.starts_with("RES ")).collect();
    assert!(results.len() >= 5, "{lines}");
    for line in results {
        assert!(line.contains("small.wpoi") && line.contains("| 1e-8: it") && !line.contains("it   -1"), "{line}");
    }
}

#[test]
fn convergence_is_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("a plain name");
    let object = end(["bench", "poisson-convergence", "--max-size", "16", "--out", out, "--json"]).expect(0).json();
    let rows = object["rows"].as_array().expect("rows");
    let galerkin = rows.iter().filter(|r| r["discretisation"] == "Galerkin" && r["solver"] == "MG-CG same precision");
    for row in galerkin {
        assert!(row["after_20"].as_f64().is_some_and(|r| r < 1e-4), "{row}");
    }
    let csv = std::fs::read_to_string(folder.path().join("convergence.csv")).expect("a table");
    assert!(csv.starts_with("scene,discretisation,solver,cycle,residual\n") && csv.lines().count() > 100);
    assert!(folder.path().join("hills.svg").exists());
}

#[test]
fn a_small_validation_keeps_the_contract() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("deep/er");
    let line = ["validate", "double-rarefaction", "--backend", "cpu", "--json", "--out"];
    let ended = end(line.map(std::ffi::OsStr::new).into_iter().chain([out.as_os_str()])).expect(0);
    let object = ended.json();
    let cases = object["cases"].as_array().expect("cases");
    assert!(!cases.is_empty());
    for case in cases {
        assert_eq!((&case["case"], &case["backend"]), (&"double-rarefaction".into(), &"cpu".into()));
        assert!(case["metric"].is_string() && !case["limit"].is_null(), "{case}");
        assert!(case["value"].is_number() && case["pass"] == true, "{case}");
    }
    let report = std::fs::read_to_string(out.join("validation.html")).expect("a report");
    assert!(report.trim_end().ends_with("</html>"));
}

/// What a case remarks is told under its figures, in the report, and to machines.
#[test]
fn remarks_of_a_case_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = ["validate", "bump-transcritical", "--backend", "cpu"];
    let told = end(line).expect(0).stdout;
    let line = line.map(std::ffi::OsStr::new).into_iter().chain(["--json".as_ref(), "--out".as_ref()]);
    let object = end(line.chain([folder.path().as_os_str()])).expect(0).json();
    let notes = object["notes"].as_array().expect("notes");
    assert!(!notes.is_empty());
    let report = std::fs::read_to_string(folder.path().join("validation.html")).expect("a report");
    assert!(report.contains("bump-transcritical (cpu): remarks"));
    for note in notes {
        let text = note["note"].as_str().expect("a text");
        assert!(told.lines().any(|line| line.starts_with("      ") && line.trim() == text), "{told}");
    }
}
