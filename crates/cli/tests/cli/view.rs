//! `view` where there is no window to open; `scripts/check-view.sh` drives it where there is one.

use crate::program::{Ended, end, thalweg};

#[test]
#[cfg(target_os = "linux")]
fn without_a_display_it_says_what_to_do() {
    let mut command = thalweg(["view", "column-2d", "--backend", "cpu"]);
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    let ended = Ended::of(command.output().expect("the program starts")).expect(1);
    for part in ["no window can be opened", "DISPLAY", "`thalweg run`"] {
        assert!(ended.stderr.contains(part), "{}", ended.stderr);
    }
    assert!(!ended.stderr.contains(".rs:"), "no lines of other people's sources: {}", ended.stderr);
}

#[test]
fn mistakes_are_told_before_a_window_opens() {
    let scene = end(["view", "dam-brake"]).expect(2);
    assert!(scene.stderr.contains("did you mean `dam-break`?"), "{}", scene.stderr);
    let size = end(["view", "tank", "--size", "big"]).expect(2);
    assert!(size.stderr.contains("1280x800"), "{}", size.stderr);
    let scale = end(["view", "tank", "--scale", "3"]).expect(2);
    assert!(scale.stderr.contains("1/2"), "{}", scale.stderr);
}
