//! A run and the folder that it writes into: nobody else at the same time, and what happens where it cannot write.

use thalweg_io::checkpoint::FILE_NAME;

use crate::program::{Place, basin, end};

/// Long enough not to be over before something has happened to it.
const STEPS: u32 = 2000;

#[test]
fn a_second_run_in_a_folder_is_kept_out_and_the_first_goes_on() {
    let place = Place::new(&basin(STEPS));
    let mut first = place.start(&["--quiet"]);
    place.await_rows(&mut first, 15);
    for more in [&["--quiet"][..], &["--quiet", "--resume"]] {
        let second = place.run(more).expect(2);
        for word in ["another run", &place.out.display().to_string(), "--out"] {
            assert!(second.stderr.contains(word), "{word} in {}", second.stderr);
        }
    }
    assert!(first.try_wait().expect("a child").is_none(), "the first one runs");
    place.await_rows(&mut first, place.rows_so_far() + 10);
    // Killed, it can tell nobody, and yet the next one may begin.
    first.kill().expect("killed");
    first.wait().expect("its end");
    place.run(&["--quiet", "--frames", "1"]).expect(0);
    assert_eq!(place.summary()["steps"], 10);
}

#[test]
fn what_cannot_be_written_stops_the_run_and_is_told_once() {
    let place = Place::new(&basin(STEPS));
    // In the way of the third frame, where it is written before it gets its name.
    let in_the_way = place.file("frames/.speed-00002.png.part");
    std::fs::create_dir_all(&in_the_way).expect("a folder in the way");
    let ended = place.run(&["--checkpoint-every", "0"]).expect(1);
    let errors: Vec<&str> = ended.stderr.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(errors.len(), 1, "{}", ended.stderr);
    assert!(errors[0].contains("cannot write") && errors[0].contains("speed-00002.png"), "{}", errors[0]);

    let steps = place.summary()["steps"].as_u64().expect("a number");
    assert!((20..u64::from(STEPS)).contains(&steps), "it went on for {steps} steps");
    let names: Vec<String> = std::fs::read_dir(place.file("frames"))
        .expect("frames")
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .filter(|name| !name.starts_with('.'))
        .collect();
    assert_eq!(names.len(), 5, "two whole frames, and what of the third came before: {names:?}");
    assert!(place.text("report.html").trim_end().ends_with("</html>"));
    let claimed = place.checkpoint().step;
    assert!(claimed < 20, "the checkpoint of step {claimed} claims a frame that is not there");

    // As soon as there is a way, it goes on to the same end.
    std::fs::remove_dir(&in_the_way).expect("removed");
    place.run(&["--quiet", "--resume", "--frames", "5"]).expect(0);
    let reference = Place::new(&basin(STEPS));
    reference.run(&["--quiet", "--frames", "5"]).expect(0);
    place.assert_same_results(&reference);
    assert_eq!(place.frames().len(), reference.frames().len());
    for ((name, a), (_, b)) in place.frames().iter().zip(&reference.frames()) {
        assert!(a.rgb == b.rgb, "{name} differs");
    }
    let video = |place: &Place| std::fs::read(place.file("depth.mp4")).expect("a video");
    assert!(video(&place) == video(&reference), "the frames of before were read back");
}

#[test]
fn a_checkpoint_that_cannot_be_written_stops_the_run_and_is_told_once() {
    let place = Place::new(&basin(STEPS));
    std::fs::create_dir_all(place.file(&format!(".{FILE_NAME}.part"))).expect("a folder in the way");
    let ended = place.run(&["--json", "--checkpoint-every", "0"]).expect(1);
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    assert!(ended.stderr.contains(FILE_NAME), "{}", ended.stderr);
    assert!(place.summary()["steps"].as_u64().is_some_and(|steps| steps < u64::from(STEPS)));
}

#[test]
fn the_stages_of_a_run_tell_how_long_they_were_busy() {
    let place = Place::new(&basin(100));
    let summary = place.run(&["--json"]).expect(0).json();
    let wall = summary["wall"].as_object().expect("an object");
    assert_eq!(wall.keys().collect::<Vec<_>>(), ["simulate", "draw", "write", "encode"]);
    assert!(wall.values().all(|seconds| seconds.as_f64().is_some_and(|s| s > 0.0)), "{wall:?}");
    assert!(wall["simulate"].as_f64() <= summary["wall_seconds"].as_f64(), "{summary}");
    assert!(place.text("report.html").contains("stages of the run"));

    let wall = place.run(&["--json", "--no-pictures"]).expect(0).json()["wall"].clone();
    assert!(wall["simulate"].as_f64() > Some(0.0) && wall["encode"] == 0.0, "{wall}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_takes_nothing_is_not_called_missing() {
    let ended = end(["run", "column-2d", "--backend", "cpu", "--quiet", "--out", "/proc/thalweg"]).expect(2);
    assert!(ended.stderr.contains("cannot write into /proc/thalweg"), "{}", ended.stderr);
    assert!(ended.stderr.contains("/proc takes no new"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("No such file"), "{}", ended.stderr);
}
