//! The pictures of a run as a video, and the one that stands for it.

use std::path::PathBuf;

use serde_json::{Value, json};
use thalweg_io::table::Columns;
use thalweg_io::video;
use thalweg_scene::Scene;

use super::folder::Folder;
use super::progress;
use crate::failure::{Failure, Outcome};
use crate::text;

/// The picture with the liveliest water.
pub(super) const POSTER: &str = "poster.png";
/// Frame rates at which a video can show real time: below, it stutters; above, no screen keeps up.
const SMOOTH: std::ops::RangeInclusive<f64> = 10.0..=60.0;
/// Frames per second of a video in slow or fast motion.
const USUAL_RATE: f64 = 30.0;

/// How fast a video runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pace {
    pub(super) frames_per_second: f64,
    /// Seconds of the scene that pass in a second of the video.
    pub(super) speed: f64,
}

impl Pace {
    /// Real time if frames that are `every` seconds apart allow it.
    pub(super) fn of(every: f64) -> Self {
        // A sixtieth of a second, written in decimals, is no sixtieth.
        let rate = 1.0 / every;
        let nearest = rate.clamp(*SMOOTH.start(), *SMOOTH.end());
        if (rate / nearest - 1.0).abs() < 1e-3 {
            Self { frames_per_second: nearest, speed: nearest * every }
        } else {
            Self { frames_per_second: USUAL_RATE, speed: USUAL_RATE * every }
        }
    }

    /// In words, for the report and the end of the run.
    pub(super) fn describe(self) -> String {
        let rate = format!("{} frames per second", round(self.frames_per_second));
        match self.speed {
            x if (x - 1.0).abs() < 2e-3 => format!("real time, {rate}"),
            x if x < 1.0 => format!("slow motion, {} times slower than real time, {rate}", round(1.0 / x)),
            x => format!("fast motion, {} times faster than real time, {rate}", round(x)),
        }
    }
}

/// Three digits without zeros at the end.
pub(super) fn round(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let digits = (2.0 - x.log10().floor()).clamp(0.0, 3.0) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Makes `<field>.mp4` of all frames of the field; `None` if there are too few to move.
pub(super) fn video(folder: &Folder, scene: &Scene, field: &str, quiet: bool) -> Outcome<Option<Value>> {
    let frames = folder.frames(field);
    if frames.len() < 2 || !scene.output.animation {
        return Ok(None);
    }
    if !cfg!(feature = "video") {
        if !quiet {
            text::tell("no video: this thalweg was built without the feature `video`");
        }
        return Ok(None);
    }
    let pace = Pace::of(scene.output.every);
    let name = format!("{field}.mp4");
    let bar = progress::encoding(&name, frames.len() as u64, quiet);
    let written =
        video::from_frames(&frames, folder.file(&name), pace.frames_per_second, |n| bar.set_position(n as u64));
    bar.finish_and_clear();
    written?;
    Ok(Some(json!({
        "file": name,
        "frames": frames.len(),
        "frames_per_second": pace.frames_per_second,
        "speed": pace.speed,
    })))
}

/// Copies the frame with the most kinetic energy to [`POSTER`]; `None` without frames.
pub(super) fn poster(folder: &Folder, scene: &Scene, field: &str, stats: &Columns) -> Outcome<Option<Value>> {
    let frames = folder.frames(field);
    let Some((frame, time)) = liveliest(&frames, scene.output.every, stats) else { return Ok(None) };
    let path = folder.file(POSTER);
    std::fs::read(frame)
        .and_then(|bytes| thalweg_io::write_atomically(&path, &bytes))
        .map_err(|e| Failure::Run(format!("cannot copy {} to {}: {e}", frame.display(), path.display())))?;
    Ok(Some(json!({ "file": POSTER, "time": time })))
}

/// The frame whose time has the most kinetic energy in the statistics, the earliest of equals, and that time.
fn liveliest<'a>(frames: &'a [PathBuf], every: f64, stats: &Columns) -> Option<(&'a PathBuf, f64)> {
    let [times, energies] = ["time", "kinetic_energy"].map(|name| stats.get(name).unwrap_or_default());
    let mut best: Option<(&PathBuf, f64, f64)> = None;
    for frame in frames {
        let stem = frame.file_stem()?.to_string_lossy();
        let number: f64 = stem.rsplit('-').next().and_then(|n| n.parse().ok())?;
        // A frame is drawn after the first step that reaches its time; the last one may come before it.
        let row =
            times.iter().position(|t| *t >= number * every * (1.0 - 1e-9)).unwrap_or(times.len().saturating_sub(1));
        let (time, energy) = (*times.get(row)?, *energies.get(row)?);
        if energy.is_finite() && best.is_none_or(|(_, _, most)| energy > most) {
            best = Some((frame, time, energy));
        }
    }
    best.map(|(frame, time, _)| (frame, time))
}

/// Lines for people: where the video and the poster are.
pub(super) fn for_people(summary: &Value, folder: &Folder) -> Vec<String> {
    let path = |value: &Value| value["file"].as_str().map(|name| folder.file(name).display().to_string());
    let (video, poster) = (&summary["video"], &summary["poster"]);
    let pace = Pace {
        frames_per_second: video["frames_per_second"].as_f64().unwrap_or_default(),
        speed: video["speed"].as_f64().unwrap_or_default(),
    };
    let video = path(video).map(|path| format!("video  {path} ({})", pace.describe()));
    let time = poster["time"].as_f64().map(round).unwrap_or_default();
    let poster = path(poster).map(|path| format!("poster {path} (at {time} s)"));
    video.into_iter().chain(poster).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_time_where_frames_allow_it() {
        for (every, rate, words) in [
            (0.04, 25.0, "real time, 25 frames per second"),
            (0.1, 10.0, "real time, 10 frames per second"),
            (0.01666, 60.0, "real time, 60 frames per second"),
            (0.03, 1.0 / 0.03, "real time, 33.3 frames per second"),
            (0.5, 30.0, "fast motion, 15 times faster than real time, 30 frames per second"),
            (0.005, 30.0, "slow motion, 6.67 times slower than real time, 30 frames per second"),
        ] {
            let pace = Pace::of(every);
            assert!((pace.frames_per_second - rate).abs() < 1e-9, "{every}: {pace:?}");
            assert_eq!(pace.describe(), words);
            assert!((pace.speed - pace.frames_per_second * every).abs() < 1e-12);
        }
    }

    #[test]
    fn the_liveliest_frame_is_found_the_earliest_of_equals() {
        let frames: Vec<_> = (0..4).map(|n| PathBuf::from(format!("frames/side-{n:05}.png"))).collect();
        let stats = |energies: [f64; 7]| Columns {
            names: ["time", "kinetic_energy"].map(str::to_owned).to_vec(),
            values: vec![(0..7).map(|n| 0.05 * f64::from(n)).collect(), energies.to_vec()],
        };
        // Frames are at every second row: the peak of row 3 has none.
        let found = |energies| liveliest(&frames, 0.1, &stats(energies)).map(|(path, time)| (path.clone(), time));
        assert_eq!(found([0.0, 1.0, 5.0, 9.0, 5.0, 1.0, 0.0]), Some((frames[1].clone(), 0.1)));
        assert_eq!(found([0.0, 1.0, 5.0, 9.0, 6.0, 1.0, 0.0]), Some((frames[2].clone(), 0.2)));
        assert_eq!(found([f64::NAN; 7]), None);
        assert_eq!(found([0.0; 7]), Some((frames[0].clone(), 0.0)), "still water: the start");
    }
}
