//! What a run prints and writes.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::program::{Place, basin, end, thalweg};

/// Steps of the runs below; ten make a frame.
const STEPS: usize = 30;

fn is_number(value: &Value) -> bool {
    value.as_f64().is_some_and(f64::is_finite)
}

#[test]
fn the_printed_object_keeps_the_contract() {
    let place = Place::new(&basin(STEPS as u32));
    let ended = place.run(&["--json"]).expect(0);
    assert_eq!(ended.stderr, "", "--json is silent beside its object");
    assert_eq!(ended.stdout.trim_end().lines().count(), 1, "one object in one line");
    let printed = ended.json();

    for key in ["frames", "steps", "cells", "particles"] {
        assert!(printed[key].is_u64(), "{key}: {}", printed[key]);
    }
    for key in ["simulated_seconds", "wall_seconds", "step_ms", "max_speed"] {
        assert!(is_number(&printed[key]), "{key}: {}", printed[key]);
    }
    for key in ["initial", "final", "added", "removed", "drift"] {
        assert!(is_number(&printed["volume"][key]), "volume.{key}: {}", printed["volume"][key]);
    }
    let stages = printed["stages"].as_object().expect("stages is an object");
    assert!(!stages.is_empty() && stages.values().all(is_number), "{stages:?}");
    assert!(printed["backend"].as_str().is_some_and(|name| name.to_lowercase().contains("cpu")), "{printed}");

    assert_eq!(printed["steps"], STEPS);
    assert_eq!(printed["cells"], 80 * 60);
    assert_eq!(printed["particles"], 0);
    assert!((printed["simulated_seconds"].as_f64().expect("a number") - 0.6).abs() < 1e-9);
    let volume = |key: &str| printed["volume"][key].as_f64().expect("a number");
    assert!(volume("initial") > 1.0 && volume("added") > 0.0 && volume("final") > volume("initial"));
    let unaccounted = volume("final") - volume("initial") - volume("added") + volume("removed");
    assert!((volume("drift") - unaccounted / volume("initial").max(volume("added"))).abs() < 1e-12);
    assert!(volume("drift").abs() < 1e-5, "water is kept: {}", volume("drift"));

    assert_eq!(place.summary(), printed, "summary.json holds the printed object");
    for name in printed["outputs"].as_array().expect("outputs is a list") {
        let path = place.file(name.as_str().expect("a name"));
        assert!(path.metadata().is_ok_and(|m| m.len() > 0), "{} is there", path.display());
    }
}

#[test]
fn tables_pictures_and_report_are_whole() {
    let place = Place::new(&basin(STEPS as u32));
    let summary = place.run(&["--json"]).expect(0).json();

    let probes = place.table("probes.csv");
    let columns =
        ["time", "gauge", "current", "current_x", "current_z", "section", "pond", "wet", "runup", "runup_level"];
    assert_eq!(probes.columns, columns);
    assert_eq!(probes.rows.len(), STEPS + 1);
    let stats = place.table("stats.csv");
    assert_eq!(stats.rows.len(), STEPS + 1, "one row a step, and the start");
    for (row, (a, b)) in stats.numbers("time").into_iter().zip(probes.numbers("time")).enumerate() {
        assert!((a - 0.02 * row as f64).abs() < 1e-9 && a == b, "row {row} is at {a} s and {b} s");
    }
    let wet = probes.numbers("wet");
    assert!(wet[STEPS] > wet[0], "the dam broke");
    let last = |column: &str| stats.numbers(column)[STEPS];
    for key in ["final", "added", "removed", "drift"] {
        let column = if key == "final" { "volume" } else { key };
        assert_eq!(summary["volume"][key].as_f64(), Some(last(column)), "{key}");
    }

    let frames = place.frames();
    let names: BTreeSet<String> = frames.iter().map(|(name, _)| name.clone()).collect();
    let wanted = |field: &'static str| (0..=3).map(move |n| format!("{field}-{n:05}.png"));
    assert_eq!(names, wanted("depth").chain(wanted("speed")).collect());
    assert_eq!(summary["frames"], 4, "the start and three more");
    for (name, image) in &frames {
        assert_eq!(image.width, 160, "{name}");
        let colours: BTreeSet<_> = image.rgb.chunks(3).collect();
        assert!(colours.len() > 8, "{name} shows {} colours", colours.len());
    }

    assert_eq!(place.video_frames("depth.mp4"), 4);
    // A frame every 0.2 s is shown for as long.
    assert_eq!(summary["video"]["frames_per_second"], 5.0);
    assert!(summary["video"]["speed"].as_f64().is_some_and(|speed| (speed - 1.0).abs() < 1e-9), "{summary}");
    assert!(place.text("report.html").contains("real time, 5 frames per second"));
    // The poster is the frame in whose row of the statistics the energy is largest.
    let energies: Vec<f64> = stats.numbers("kinetic_energy").into_iter().step_by(10).collect();
    let most = energies.iter().copied().fold(f64::MIN, f64::max);
    let liveliest = energies.iter().position(|energy| *energy == most).expect("one of them");
    let bytes = |name: &str| std::fs::read(place.file(name)).expect("a picture");
    assert!(bytes("poster.png") == bytes(&format!("frames/depth-{liveliest:05}.png")), "frame {liveliest}");
    assert_self_contained(&place.text("report.html"));
}

/// Nothing in the page is fetched: every source and link is within it, or data.
fn assert_self_contained(html: &str) {
    assert!(html.trim_start().to_lowercase().starts_with("<!doctype html>") && html.trim_end().ends_with("</html>"));
    assert!(html.contains("Basin") && html.contains("data:image/"), "it has its title and its pictures");
    assert!(html.contains("data:video/mp4;base64,"), "and its video");
    // A namespace is a name, not a place.
    let html = html.replace("http://www.w3.org/", "");
    for word in ["http:", "https:", "@import", "<link", "src=\"//", "<iframe"] {
        assert!(!html.contains(word), "the report holds {word}");
    }
    for attribute in ["src=\"", "href=\"", "url("] {
        for (at, _) in html.match_indices(attribute) {
            let target: String = html[at + attribute.len()..].chars().take(24).collect();
            let inside = target.starts_with("data:") || target.starts_with('#');
            assert!(inside, "the report loads {attribute}{target}");
        }
    }
}

#[test]
fn a_video_that_cannot_be_written_is_told_and_takes_nothing_with_it() {
    let place = Place::new(&basin(20));
    // Where the video is written before it gets its name.
    std::fs::create_dir_all(place.file(".depth.mp4.part")).expect("a folder in the way");
    let ended = place.run(&["--quiet"]).expect(1);
    assert!(ended.stderr.contains("cannot create") && ended.stderr.contains("depth.mp4"), "{}", ended.stderr);
    assert!(!place.file("depth.mp4").exists());
    assert!(place.summary()["video"].is_null());
    assert!(place.file("poster.png").exists(), "the frames are there, and the picture of them");
    assert!(place.text("report.html").trim_end().ends_with("</html>"));
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let [one, two] = ["1", "2"].map(|threads| {
        let place = Place::new(&basin(60));
        place.run(&["--quiet", "--threads", threads]).expect(0);
        place
    });
    one.assert_same_results(&two);
    assert_eq!(one.frames().len(), two.frames().len());
    for ((name, a), (_, b)) in one.frames().iter().zip(&two.frames()) {
        assert!(a.rgb == b.rgb, "{name} differs");
    }
}

#[test]
fn people_are_told_where_to_look() {
    let place = Place::new(&basin(10));
    let ended = place.run(&[]).expect(0);
    assert!(ended.stderr.contains("Basin") && ended.stderr.contains("4 800 cells"), "{}", ended.stderr);
    for word in ["10 steps", "depth.mp4", "poster.png", "report.html"] {
        assert!(ended.stdout.contains(word), "{word} in {}", ended.stdout);
    }
    assert!(!ended.stdout.contains('\u{1b}') && !ended.stderr.contains('\u{1b}'), "no colour into a file");
}

#[test]
fn quiet_prints_nothing() {
    let place = Place::new(&basin(10));
    let ended = place.run(&["--quiet"]).expect(0);
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", ""));
}

#[test]
fn the_default_folder_is_named_after_the_scene() {
    let place = Place::new(&basin(10));
    let mut command = thalweg(["run", "scene.toml", "--backend", "cpu", "--quiet", "--no-pictures"]);
    let status = command.current_dir(place.path()).status().expect("the program starts");
    assert!(status.success());
    assert!(place.path().join("out/scene/summary.json").is_file());
}

#[test]
fn frames_can_be_few_or_none() {
    let place = Place::new(&basin(STEPS as u32));
    for (frames, steps) in [("2", 20), ("1", 10), ("0", 0), ("99", STEPS)] {
        let summary = place.run(&["--json", "--frames", frames]).expect(0).json();
        assert_eq!(summary["steps"], steps, "--frames {frames}");
        assert_eq!(summary["frames"], steps / 10 + 1, "an earlier run's frames are gone");
        assert_eq!(place.table("stats.csv").rows.len(), steps + 1);
        assert!(is_number(&summary["volume"]["drift"]) && is_number(&summary["step_ms"]), "{summary}");
    }
    let summary = place.run(&["--json", "--no-pictures"]).expect(0).json();
    assert_eq!(summary["frames"], 0);
    assert!(place.frames().is_empty() && !place.file("depth.mp4").exists());
    assert!(!place.file("poster.png").exists());
}

#[test]
fn files_of_others_are_left_alone() {
    let place = Place::new(&basin(10));
    std::fs::create_dir_all(place.file("frames")).expect("a folder");
    for name in ["notes.txt", "frames/depth.txt", "frames/mine.png"] {
        std::fs::write(place.file(name), "mine").expect("written");
    }
    place.run(&["--quiet"]).expect(0);
    for name in ["notes.txt", "frames/depth.txt", "frames/mine.png"] {
        assert_eq!(place.text(name), "mine");
    }
}

#[test]
fn a_scene_without_probes_writes_no_empty_table() {
    let text = basin(10);
    let start = text.find("[[probe]]").expect("probes");
    let end_of_probes = text.find("[render]").expect("after them");
    let place = Place::new(&format!("{}{}", &text[..start], &text[end_of_probes..]));
    let summary = place.run(&["--json"]).expect(0).json();
    assert!(!place.file("probes.csv").exists());
    assert!(!summary["outputs"].to_string().contains("probes.csv"));
}

#[test]
fn a_version_is_told() {
    let ended = end(["--version"]).expect(0);
    assert_eq!(ended.stdout.trim(), format!("thalweg {}", env!("CARGO_PKG_VERSION")));
}
