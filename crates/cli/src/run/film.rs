//! The video of a run and its poster in the folder and in the summary.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use thalweg::outputs::{Film, Filmed, Playback, liveliest, three_digits};
use thalweg_io::table::Columns;
use thalweg_scene::Scene;

use super::folder::{Folder, frame_in};
use crate::failure::{Failure, Outcome};
use crate::text;

/// The picture with the liveliest water.
pub(super) const POSTER: &str = "poster.png";

/// The film of a field, which begins with the frames that an earlier run has left up to one; `None`, with a word to the
/// user, if this program makes no videos.
pub(super) fn film(folder: &Folder, field: &'static str, scene: &Scene, last: Option<u64>) -> Option<Film> {
    if !cfg!(feature = "video") {
        text::message("no video: this thalweg was built without the feature `video`");
        return None;
    }
    let is_before = |path: &PathBuf| number(path).zip(last).is_some_and(|(number, last)| number <= last);
    let output = folder.path().to_owned();
    Some(Film {
        path: folder.file(&format!("{field}.mp4")),
        frame: Box::new(move |n| frame_in(&output, field, n)),
        before: folder.frames(field).into_iter().filter(is_before).collect(),
        playback: Playback::of(scene.output.every),
    })
}

/// What the summary says of a video.
pub(super) fn about(filmed: &Filmed) -> Value {
    json!({
        "file": filmed.path.file_name().map(|name| name.to_string_lossy()),
        "frames": filmed.frames,
        "frames_per_second": filmed.playback.frames_per_second,
        "speed": filmed.playback.speed,
    })
}

/// The number of a frame, by the name of its file.
fn number(frame: &Path) -> Option<u64> {
    frame.file_stem()?.to_str()?.rsplit('-').next()?.parse().ok()
}

/// Copies the frame with the most kinetic energy to [`POSTER`]; `None` without frames.
pub(super) fn poster(folder: &Folder, scene: &Scene, field: &str, stats: &Columns) -> Outcome<Option<Value>> {
    let numbers: Vec<u64> = folder.frames(field).iter().filter_map(|path| number(path)).collect();
    let Some((frame, time)) = liveliest(&numbers, scene.output.every, stats) else { return Ok(None) };
    let (frame, path) = (folder.frame(field, frame), folder.file(POSTER));
    std::fs::read(&frame)
        .and_then(|bytes| thalweg_io::write_atomically(&path, &bytes))
        .map_err(|e| Failure::Run(format!("cannot copy {} to {}: {e}", frame.display(), path.display())))?;
    Ok(Some(json!({ "file": POSTER, "time": time })))
}

/// Lines for people: where the video and the poster are.
pub(super) fn for_people(summary: &Value, folder: &Folder) -> Vec<String> {
    let path = |value: &Value| value["file"].as_str().map(|name| folder.file(name).display().to_string());
    let (video, poster) = (&summary["video"], &summary["poster"]);
    let playback = Playback {
        frames_per_second: video["frames_per_second"].as_f64().unwrap_or_default(),
        speed: video["speed"].as_f64().unwrap_or_default(),
    };
    let video = path(video).map(|path| format!("video  {path} ({})", playback.describe()));
    let time = poster["time"].as_f64().map(three_digits).unwrap_or_default();
    let poster = path(poster).map(|path| format!("poster {path} (at {time} s)"));
    video.into_iter().chain(poster).collect()
}
