//! What is refused, with which exit code, and in which words.

use std::path::{Path, PathBuf};

use crate::program::{Place, basin, end};

/// The scenes that the reader's own tests refuse; the first line of each says what must be found.
fn broken() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scene/tests/broken");
    let entries = std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("readable").path());
    let mut scenes: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    scenes.sort();
    assert!(scenes.len() >= 100, "only {} scenes were found", scenes.len());
    scenes
}

/// What the message must hold: the file with the line, and a part of the words.
fn expected(path: &Path) -> (String, String) {
    let bytes = std::fs::read(path).expect("readable");
    let text = String::from_utf8_lossy(&bytes);
    let first = text.lines().next().and_then(|line| line.strip_prefix("# expect: ")).expect("`# expect: `");
    let (line, part) = first.split_once(": ").expect("`<line>: <message>`");
    let name = path.file_name().expect("a name").to_string_lossy();
    // Line 0 stands for an error that the parser cannot place.
    let place = if line == "0" { name.into_owned() } else { format!("{name}:{line}:") };
    (place, part.to_owned())
}

/// Every file under a folder.
fn files_under(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("readable").path());
    paths.flat_map(|path| if path.is_dir() { files_under(&path) } else { vec![path] }).collect()
}

/// Complaints about a command on every broken scene.
fn complaints(command: impl Fn(&Path) -> crate::program::Ended) -> Vec<String> {
    let judge = |path: &PathBuf| {
        let (place, part) = expected(path);
        let ended = command(path);
        let right = ended.code == 2 && ended.stderr.contains(&place) && ended.stderr.contains(&part);
        let quiet = ended.stdout.is_empty();
        let complaint = format!(
            "{}: exit code {}, not 2 with `{place}` and `{part}`:\n{}{}",
            path.display(),
            ended.code,
            ended.stdout,
            ended.stderr
        );
        (!(right && quiet)).then_some(complaint)
    };
    broken().iter().filter_map(judge).collect()
}

#[test]
fn check_refuses_every_broken_scene() {
    let found = complaints(|path| end([Path::new("check"), path]));
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

#[test]
fn run_refuses_every_broken_scene_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let found = complaints(|path| {
        let ended = end([Path::new("run"), path, "--backend=cpu".as_ref(), "--out".as_ref(), &out]);
        assert!(!out.exists(), "{} was refused, but there is {:?}", path.display(), files_under(&out));
        ended
    });
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

#[test]
fn a_refused_scene_leaves_an_earlier_run_as_it_was() {
    let place = Place::new(&basin(10));
    place.run(&["--quiet"]).expect(0);
    let list = || {
        let mut files: Vec<_> =
            files_under(&place.out).into_iter().map(|p| (std::fs::read(&p).expect("read"), p)).collect();
        files.sort();
        files
    };
    let before = list();
    std::fs::write(&place.scene, basin(10).replace("manning", "maning")).expect("written");
    let ended = place.run(&[]).expect(2);
    assert!(ended.stderr.contains("did you mean `manning`?"), "{}", ended.stderr);
    assert!(before == list(), "the earlier run changed");
}

#[test]
fn an_unknown_scene_is_refused_with_the_nearest_name() {
    for command in ["run", "check"] {
        let ended = end([command, "dam-vally"]).expect(2);
        assert!(ended.stderr.contains("did you mean `dam-valley`?"), "{}", ended.stderr);
        let ended = end([command, "nothing-like-it"]).expect(2);
        assert!(ended.stderr.contains("thalweg scenes"), "{}", ended.stderr);
        let ended = end([command, "no/such/file.toml"]).expect(2);
        assert!(ended.stderr.contains("no/such/file.toml"), "{}", ended.stderr);
        end([command, "/"]).expect(2);
        end([command, ""]).expect(2);
    }
    let ended = end(["scenes", "--show", "dam-vally"]).expect(2);
    assert!(ended.stderr.contains("dam-vally"), "{}", ended.stderr);
}

#[test]
fn wrong_words_on_the_command_line_are_refused() {
    let lines: &[&[&str]] = &[
        &[],
        &["swim"],
        &["run"],
        &["run", "lake", "--fast"],
        &["run", "lake", "--backend", "tpu"],
        &["run", "lake", "--threads", "0"],
        &["run", "lake", "--threads", "many"],
        &["run", "lake", "--frames", "-1"],
        &["run", "lake", "--checkpoint-every", "soon"],
        &["check"],
        &["check", "lake", "--backend", "cpu"],
        &["scenes", "--all"],
        &["bench"],
        &["bench", "no-such-bench"],
        &["bench", "poisson"],
        &["bench", "poisson", "no-such-file.wpoi"],
        &["bench", "poisson", "Cargo.toml"],
        &["validate", "no-such-case"],
        &["validate", "no-such-case", "--list"],
        &["validate", "--limit", "3"],
    ];
    for line in lines {
        let ended = end(*line).expect(2);
        assert!(!ended.stderr.is_empty() && ended.stdout.is_empty(), "{line:?}");
    }
    let ended = end(["run", "lake", "--bakend", "cpu"]).expect(2);
    assert!(ended.stderr.contains("--backend"), "a slip is met with a suggestion: {}", ended.stderr);
}

#[test]
fn a_time_between_checkpoints_is_a_time() {
    let place = Place::new(&basin(10));
    for wrong in ["-1", "nan", "inf", "-inf"] {
        let ended = place.run(&["--quiet", &format!("--checkpoint-every={wrong}")]).expect(2);
        assert!(ended.stderr.contains("--checkpoint-every"), "{}", ended.stderr);
        assert!(!place.out.exists());
    }
    // As long as it is finite, never is a time as well.
    place.run(&["--quiet", "--checkpoint-every=1e300"]).expect(0);
}

#[test]
fn an_output_folder_that_is_a_file_is_wrong_input() {
    let place = Place::new(&basin(10));
    std::fs::write(&place.out, "mine").expect("written");
    let ended = place.run(&["--quiet"]).expect(2);
    assert!(ended.stderr.contains(&place.out.display().to_string()), "{}", ended.stderr);
    assert_eq!(std::fs::read_to_string(&place.out).expect("still a file"), "mine");
}

/// A puddle a few centimetres long, calm for four steps of a second; then its spring is on in the wrong unit.
const COLLAPSING: &str = r#"
scene = { name = "Puddle", duration = 10, step = 1 }
domain = { size = [0.032, 1, 0.004], cell = 0.001 }
water = { level = 0.002 }
output = { every = 1 }
render = { fields = ["depth", "speed"], width = 128 }

[[source]]
shape = { box = { min = [0.01, 0.001], max = [0.014, 0.003] } }
rate = { points = [[0, 1e-9], [4, 1e-9], [4.1, 2e7]] }

[[probe]]
name = "spring"
kind = "depth"
at = [0.012, 0.002]
"#;

#[test]
fn a_run_that_fails_leaves_what_was_finished() {
    let place = Place::new(COLLAPSING);
    let ended = place.run(&["--json"]).expect(1);
    assert!(ended.stderr.starts_with("error: ") && ended.stderr.contains("wrong unit"), "{}", ended.stderr);

    let stats = place.table("stats.csv");
    assert_eq!(stats.rows.len(), 5, "the start and four good steps");
    for column in ["volume", "max_speed", "kinetic_energy"] {
        assert!(stats.numbers(column).iter().all(|x| x.is_finite()), "{column}");
    }
    assert_eq!(place.table("probes.csv").rows.len(), 5);
    assert_eq!(place.frames().len(), 2 * 5, "every frame whose time came is there, and decodes");
    assert_eq!(place.summary()["steps"], 4);
    assert!(place.text("report.html").trim_end().ends_with("</html>"));
    assert!(place.file("depth.mp4").is_file());
}

#[test]
fn a_run_that_failed_fails_again_when_resumed() {
    let place = Place::new(COLLAPSING);
    let first = place.run(&["--quiet", "--checkpoint-every", "0"]).expect(1);
    assert_eq!(place.checkpoint().step, 4, "the last good step");
    let second = place.run(&["--quiet", "--resume", "--checkpoint-every", "0"]).expect(1);
    assert_eq!(first.stderr, second.stderr);
    assert_eq!(place.table("stats.csv").rows.len(), 5);
}
