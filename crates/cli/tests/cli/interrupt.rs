//! Ctrl-C and termination end a run early, but in order.
#![cfg(unix)]

use std::process::{Child, Command};

use crate::program::{Ended, Place, basin};

const STEPS: u32 = 1000;

fn send(signal: &str, run: &Child) {
    let status = Command::new("kill").args([signal, &run.id().to_string()]).status().expect("kill is there");
    assert!(status.success(), "kill {signal}");
}

fn stopped_by(signal: &str) -> Place {
    let place = Place::new(&basin(STEPS));
    let mut run = place.start(&["--json"]);
    place.await_rows(&mut run, 25);
    send(signal, &run);
    let ended = Ended::of(run.wait_with_output().expect("its end")).expect(1);
    assert!(ended.stderr.contains("interrupted") && ended.stderr.contains("--resume"), "{}", ended.stderr);

    let summary = place.summary();
    assert_eq!(ended.json(), summary, "the object is printed all the same");
    let steps = summary["steps"].as_u64().expect("a number");
    assert!((25..u64::from(STEPS)).contains(&steps), "{steps} steps");
    assert_eq!(place.table("stats.csv").rows.len() as u64, steps + 1);
    assert_eq!(place.checkpoint().step, steps, "it goes on from where it stopped");
    assert_eq!(place.frames().len() as u64, 2 * (steps / 10 + 1));
    assert!(place.text("report.html").trim_end().ends_with("</html>"));
    place
}

#[test]
fn an_interrupted_run_ends_in_order_and_resumes() {
    let place = stopped_by("-INT");
    let reference = Place::new(&basin(STEPS));
    reference.run(&["--quiet"]).expect(0);
    place.run(&["--quiet", "--resume"]).expect(0);
    place.assert_same_results(&reference);
}

#[test]
fn a_terminated_run_ends_in_order() {
    stopped_by("-TERM");
}
