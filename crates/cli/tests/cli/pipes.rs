//! Nobody reads any more: `thalweg schema | head -1` is no reason to panic, nor to stop a run.

use std::process::{Command, Stdio};

use crate::program::{Ended, Place, basin, thalweg};

/// The writing end of a pipe that nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

fn end(command: &mut Command) -> Ended {
    Ended::of(command.output().expect("the program starts"))
}

#[test]
fn a_closed_output_is_no_failure() {
    let lines: &[&[&str]] = &[
        &["schema"],
        &["scenes"],
        &["scenes", "--json"],
        &["scenes", "--show", "lake"],
        &["check", "lake"],
        &["check", "lake", "--json"],
        &["info"],
        &["info", "--json"],
        &["bench", "--list"],
        &["validate", "--list"],
        &["--help"],
        &["--version"],
    ];
    for line in lines {
        let ended = end(thalweg(*line).stdout(closed()));
        // Graphics drivers may have words of their own on stderr.
        let complained = ["panicked", "pipe"].iter().any(|word| ended.stderr.contains(word));
        assert!(ended.code == 0 && !complained, "{line:?}: {} {}", ended.code, ended.stderr);
    }
}

#[test]
fn a_run_goes_on_when_nobody_listens() {
    for flags in [&["--json"][..], &[]] {
        let place = Place::new(&basin(10));
        let command = &mut place.command(flags);
        // A panic could not be told on a closed pipe: its exit code would.
        end(command.stdout(closed()).stderr(closed())).expect(0);
        assert_eq!(place.summary()["steps"], 10);
        // Not a word is lost on resuming, either: it begins anew, which it says.
        std::fs::remove_dir_all(&place.out).expect("removed");
        end(place.command(&["--resume"]).stderr(closed())).expect(0);
    }
}

#[test]
fn a_refusal_keeps_its_exit_code_when_nobody_listens() {
    end(thalweg(["check", "no-such-scene"]).stderr(closed())).expect(2);
    end(thalweg(["run", "lake", "--fast"]).stderr(closed())).expect(2);
}
