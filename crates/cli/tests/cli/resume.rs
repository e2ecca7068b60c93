//! Runs that are killed go on as if nothing had happened.

use std::process::Child;
use std::time::{Duration, Instant};

use thalweg_io::checkpoint::{Checkpoint, FILE_NAME};

use crate::program::{Ended, Place, basin};

/// Steps of the runs that are killed: a second or so.
const STEPS: u32 = 300;

/// A run that nobody disturbed, and how long it took.
fn unbroken(steps: u32) -> (Place, Duration) {
    let place = Place::new(&basin(steps));
    let begin = Instant::now();
    place.run(&["--quiet", "--checkpoint-every", "0"]).expect(0);
    (place, begin.elapsed())
}

/// Kills a run as a power cut would. `None` if it was over by then.
fn kill(mut run: Child) -> Option<()> {
    let over = run.try_wait().expect("a child").is_some();
    run.kill().expect("killed");
    let output = run.wait_with_output().expect("its end");
    if over {
        Ended::of(output).expect(0);
        return None;
    }
    Some(())
}

/// Whatever a kill left is whole: pictures decode and the newest checkpoint, if any, is good.
fn assert_readable(place: &Place) {
    if place.file("frames").exists() {
        let hidden = |name: &str| name.starts_with('.');
        for entry in std::fs::read_dir(place.file("frames")).expect("frames") {
            let entry = entry.expect("readable");
            if !hidden(&entry.file_name().to_string_lossy()) {
                thalweg_io::Image::read_png(entry.path()).expect("a finished frame decodes");
            }
        }
    }
    if place.file(FILE_NAME).exists() {
        Checkpoint::read(place.file(FILE_NAME)).expect("a checkpoint under its name is good");
    }
}

#[test]
fn killed_at_any_moment_it_resumes_to_the_same_bits() {
    let (reference, wall) = unbroken(STEPS);
    let mut from_a_checkpoint = 0;
    for percent in [0, 2, 10, 25, 45, 70, 90] {
        let place = Place::new(&basin(STEPS));
        let run = place.start(&["--quiet", "--checkpoint-every", "0"]);
        std::thread::sleep(wall * percent / 100);
        let killed = kill(run);
        assert_readable(&place);
        if killed.is_some() && place.file(FILE_NAME).exists() && place.checkpoint().step < u64::from(STEPS) {
            from_a_checkpoint += 1;
        }
        place.run(&["--quiet", "--resume"]).expect(0);
        place.assert_same_results(&reference);
        assert_eq!(place.summary()["steps"], STEPS);
        assert_eq!(place.summary()["volume"], reference.summary()["volume"], "after {percent} %");
        assert_eq!(place.frames().len(), reference.frames().len());
        let video = |place: &Place| std::fs::read(place.file("depth.mp4")).expect("a video");
        assert!(video(&place) == video(&reference), "the whole video, whatever was drawn when");
    }
    assert!(from_a_checkpoint >= 2, "only {from_a_checkpoint} kills were between checkpoints");
}

#[test]
fn killed_again_and_again_it_ends_the_same() {
    let (reference, wall) = unbroken(STEPS);
    let place = Place::new(&basin(STEPS));
    let mut kills = 0;
    let mut patience = wall / 8;
    loop {
        let run = place.start(&["--quiet", "--resume", "--checkpoint-every", "0.01"]);
        std::thread::sleep(patience);
        assert_readable(&place);
        if kill(run).is_none() {
            break;
        }
        kills += 1;
        // Starting takes time as well: on a busy machine a short life would never end.
        patience = patience * 6 / 5;
        assert!(kills < 100, "it gets nowhere");
    }
    assert!(kills >= 2, "it was killed {kills} times only");
    place.assert_same_results(&reference);
    assert_eq!(place.frames().len(), reference.frames().len());
}

#[test]
fn a_damaged_checkpoint_gives_way_to_the_one_before() {
    let (reference, _) = unbroken(40);
    let place = Place::new(&basin(40));
    place.run(&["--quiet", "--checkpoint-every", "0", "--frames", "3"]).expect(0);
    let newest = place.file(FILE_NAME);
    let mut bytes = std::fs::read(&newest).expect("a checkpoint");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    std::fs::write(&newest, &bytes).expect("written");

    let ended = place.run(&["--quiet", "--resume", "--checkpoint-every", "0"]).expect(0);
    assert!(ended.stderr.starts_with("warning: ") && ended.stderr.contains(FILE_NAME), "{}", ended.stderr);
    place.assert_same_results(&reference);
}

#[test]
fn nothing_but_damaged_checkpoints_is_told_and_nothing_is_lost() {
    let place = Place::new(&basin(20));
    place.run(&["--quiet", "--checkpoint-every", "0"]).expect(0);
    let stats = place.text("stats.csv");
    for name in [FILE_NAME.to_owned(), format!("{FILE_NAME}.prev")] {
        let bytes = std::fs::read(place.file(&name)).expect("a checkpoint");
        std::fs::write(place.file(&name), &bytes[..bytes.len() - 1]).expect("written");
    }
    let ended = place.run(&["--quiet", "--resume"]).expect(2);
    assert!(ended.stderr.contains(FILE_NAME), "{}", ended.stderr);
    assert_eq!(place.text("stats.csv"), stats, "the tables are as they were");
}

#[test]
fn a_changed_scene_is_not_resumed() {
    let place = Place::new(&basin(40));
    place.run(&["--quiet", "--frames", "2"]).expect(0);
    let (stats, checkpoint) = (place.text("stats.csv"), place.checkpoint());
    for (from, to) in
        [("manning = 0.02", "manning = 0.03"), ("cell = 0.1", "cell = 0.2"), ("name = \"gauge\"", "name = \"g\"")]
    {
        std::fs::write(&place.scene, basin(40).replace(from, to)).expect("written");
        let ended = place.run(&["--quiet", "--resume"]).expect(2);
        assert!(ended.stderr.contains("scene") && ended.stderr.contains("changed"), "{}", ended.stderr);
        assert_eq!(place.text("stats.csv"), stats);
        assert_eq!(place.checkpoint().step, checkpoint.step);
    }
}

#[test]
fn without_a_checkpoint_it_starts_from_the_beginning() {
    let (reference, _) = unbroken(20);
    let place = Place::new(&basin(20));
    let ended = place.run(&["--resume"]).expect(0);
    assert!(ended.stderr.contains("starting from the beginning"), "{}", ended.stderr);
    place.assert_same_results(&reference);
}

#[test]
fn a_run_is_extended_by_more_frames() {
    let (reference, _) = unbroken(40);
    let place = Place::new(&basin(40));
    for frames in ["1", "3", "4"] {
        place.run(&["--quiet", "--resume", "--frames", frames]).expect(0);
        assert_eq!(place.frames().len(), 2 * (frames.parse::<usize>().expect("a number") + 1));
    }
    place.assert_same_results(&reference);
}

/// Frames that fall between steps end the run between steps, too; going on must meet the same steps again.
#[test]
fn a_run_that_ended_between_steps_is_extended_to_the_same_bits() {
    let text = basin(20).replace("every = 0.2", "every = 0.05");
    let [reference, place] = [&text, &text].map(|text| Place::new(text));
    reference.run(&["--quiet"]).expect(0);
    place.run(&["--quiet", "--frames", "1"]).expect(0);
    place.run(&["--quiet", "--resume"]).expect(0);
    place.assert_same_results(&reference);
}

#[test]
fn a_finished_run_resumed_tells_the_same_story() {
    let place = Place::new(&basin(20));
    let first = place.run(&["--json"]).expect(0).json();
    let stats = place.text("stats.csv");
    let again = place.run(&["--json", "--resume"]).expect(0).json();
    for key in ["frames", "steps", "substeps", "simulated_seconds", "cells", "volume", "max_speed", "outputs"] {
        assert_eq!(first[key], again[key], "{key}");
    }
    assert_eq!(place.text("stats.csv"), stats);
}

#[test]
fn resumed_pictures_keep_their_colours() {
    let (reference, _) = unbroken(60);
    let place = Place::new(&basin(60));
    place.run(&["--quiet", "--frames", "3"]).expect(0);
    place.run(&["--quiet", "--resume"]).expect(0);
    for ((name, a), (_, b)) in place.frames().iter().zip(&reference.frames()) {
        assert!(a.rgb == b.rgb, "{name} has other colours than in a run without a break");
    }
}
