//! The pictures of a run as a video, which is made while the run goes on, and the one that stands for it.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use serde_json::{Value, json};
use thalweg_io::Image;
use thalweg_io::table::Columns;
use thalweg_io::video::VideoWriter;
use thalweg_scene::Scene;

use super::folder::Folder;
use super::progress::Progress;
use crate::failure::{Failure, Outcome};
use crate::text;

/// The picture with the liveliest water.
pub(super) const POSTER: &str = "poster.png";
/// Frame rates at which a video can show real time: below, it is a series of pictures; above, no screen keeps up.
const SHOWN: std::ops::RangeInclusive<f64> = 1.0..=60.0;
/// Frames per second of a video in slow or fast motion.
const USUAL_RATE: f64 = 30.0;
/// Pictures that are kept in memory for an encoder that does not keep up; further ones it reads back from their files.
const MOST_HELD: usize = 16;

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
        let nearest = rate.clamp(*SHOWN.start(), *SHOWN.end());
        if (rate / nearest - 1.0).abs() < 1e-3 {
            Self { frames_per_second: nearest, speed: nearest * every }
        } else {
            Self { frames_per_second: USUAL_RATE, speed: USUAL_RATE * every }
        }
    }

    /// In words, for the report and the end of the run.
    pub(super) fn describe(self) -> String {
        let rate = match self.frames_per_second {
            1.0 => "1 frame per second".to_owned(),
            rate => format!("{} frames per second", round(rate)),
        };
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

/// A frame on its way into the video: its file, and the picture if there was room to keep it.
type Shot = (PathBuf, Option<Image>);

/// The video of the frames of one field.
pub(super) struct Film<'a> {
    folder: &'a Folder,
    field: &'static str,
    pace: Pace,
    threads: NonZero<usize>,
    progress: &'a Progress,
    /// Pictures that are kept in memory.
    held: AtomicUsize,
}

/// Where frames come in that have been written.
pub(super) struct Camera<'a> {
    film: &'a Film<'a>,
    shots: Sender<Shot>,
}

impl<'a> Film<'a> {
    pub(super) fn new(
        folder: &'a Folder,
        field: &'static str,
        every: f64,
        threads: NonZero<usize>,
        progress: &'a Progress,
    ) -> Self {
        Self { folder, field, pace: Pace::of(every), threads, progress, held: AtomicUsize::new(0) }
    }

    /// Begins with the frames that an earlier run has left, up to one: they are read back.
    pub(super) fn roll(&self, last: Option<u64>) -> (Camera<'_>, Receiver<Shot>) {
        let (shots, roll) = channel();
        let camera = Camera { film: self, shots };
        let is_before = |path: &PathBuf| number(path).zip(last).is_some_and(|(number, last)| number <= last);
        for path in self.folder.frames(self.field).into_iter().filter(is_before) {
            camera.send((path, None));
        }
        (camera, roll)
    }

    /// Makes `<field>.mp4` of all frames until the camera is gone; `None` if there are too few to move.
    pub(super) fn make(&self, roll: Receiver<Shot>) -> Outcome<Option<Value>> {
        if !cfg!(feature = "video") {
            text::tell("no video: this thalweg was built without the feature `video`");
            return Ok(None);
        }
        let mut shots = roll.into_iter().map(|shot| self.develop(shot));
        let (Some(first), Some(second)) = (shots.next(), shots.next()) else { return Ok(None) };
        let first = first?;
        let (file, &Image { width, height, .. }) = (format!("{}.mp4", self.field), &first.1);
        let (path, rate) = (self.folder.file(&file), self.pace.frames_per_second);
        let mut video = VideoWriter::create_on(self.threads, path, width, height, rate)?;
        self.progress.encoding(video.progress());
        let mut frames = 0;
        for shot in [Ok(first), second].into_iter().chain(shots) {
            let (path, image) = shot?;
            video.push(image).map_err(|error| error.of_frame(&path))?;
            frames += 1;
        }
        video.finish()?;
        Ok(Some(json!({
            "file": file,
            "frames": frames,
            "frames_per_second": self.pace.frames_per_second,
            "speed": self.pace.speed,
        })))
    }

    fn develop(&self, (path, image): Shot) -> Outcome<(PathBuf, Image)> {
        let image = match image {
            Some(image) => {
                self.held.fetch_sub(1, Ordering::Relaxed);
                image
            }
            None => Image::read_png(&path)?,
        };
        Ok((path, image))
    }
}

impl Camera<'_> {
    /// Never waits: what an encoder has no room for it reads back when its time has come.
    pub(super) fn shoot(&self, path: PathBuf, image: Image) {
        let has_room = self.film.held.load(Ordering::Relaxed) < MOST_HELD;
        if has_room {
            self.film.held.fetch_add(1, Ordering::Relaxed);
        }
        self.send((path, has_room.then_some(image)));
    }

    fn send(&self, shot: Shot) {
        self.film.progress.shot();
        // A film that has torn takes no more; it tells why at the end.
        let _ = self.shots.send(shot);
    }
}

/// The number of a frame, by the name of its file.
fn number(frame: &Path) -> Option<u64> {
    frame.file_stem()?.to_str()?.rsplit('-').next()?.parse().ok()
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
        let number = number(frame)? as f64;
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
            (0.2, 5.0, "real time, 5 frames per second"),
            (0.4, 2.5, "real time, 2.5 frames per second"),
            (1.0, 1.0, "real time, 1 frame per second"),
            (0.01666, 60.0, "real time, 60 frames per second"),
            (0.03, 1.0 / 0.03, "real time, 33.3 frames per second"),
            (1.5, 30.0, "fast motion, 45 times faster than real time, 30 frames per second"),
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
