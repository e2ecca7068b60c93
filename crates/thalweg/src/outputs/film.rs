//! The pictures of a run as a video, which is made while the run goes on, and the one that is its poster.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use thalweg_io::Image;
use thalweg_io::table::Columns;
use thalweg_io::video::VideoWriter;

use super::{Observer, Outcome};

/// Frame rates at which a video can show real time: below, it is a series of pictures; above, no screen keeps up.
const SHOWN: std::ops::RangeInclusive<f64> = 1.0..=60.0;
/// Frames per second of a video in slow or fast motion.
const USUAL_RATE: f64 = 30.0;
/// Pictures that are kept in memory for an encoder that does not keep up; further ones it reads back from their files.
const MOST_HELD: usize = 16;

/// How fast a video runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Playback {
    /// Pictures per second.
    pub frames_per_second: f64,
    /// Seconds of the scene that pass in a second of the video.
    pub speed: f64,
}

impl Playback {
    /// Real time if frames that are `every` seconds apart allow it.
    pub fn of(every: f64) -> Self {
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
    pub fn describe(self) -> String {
        let rate = match self.frames_per_second {
            1.0 => "1 frame per second".to_owned(),
            rate => format!("{} frames per second", three_digits(rate)),
        };
        match self.speed {
            x if (x - 1.0).abs() < 2e-3 => format!("real time, {rate}"),
            x if x < 1.0 => format!("slow motion, {} times slower than real time, {rate}", three_digits(1.0 / x)),
            x => format!("fast motion, {} times faster than real time, {rate}", three_digits(x)),
        }
    }
}

/// Three digits without zeros at the end.
pub fn three_digits(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let digits = (2.0 - x.log10().floor()).clamp(0.0, 3.0) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A frame on its way into the video: its file, and the picture if there was room to keep it.
type Shot = (PathBuf, Option<Image>);

/// Where the frames of a video come from and where it goes to.
pub struct Film {
    /// Where the video is written.
    pub path: PathBuf,
    /// The file of a frame, by its number. It is there when the frame has been stored.
    pub frame: Box<dyn Fn(u64) -> PathBuf + Send + Sync>,
    /// Frames of an earlier run, which the video begins with.
    pub before: Vec<PathBuf>,
    /// How fast it runs.
    pub playback: Playback,
}

/// A video that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Filmed {
    /// Its file.
    pub path: PathBuf,
    /// Its frames.
    pub frames: u64,
    /// How fast it runs.
    pub playback: Playback,
}

/// A film that is made while a run goes on.
pub(super) struct Making<'a> {
    film: Film,
    threads: NonZero<usize>,
    observer: &'a dyn Observer,
    /// Pictures that are kept in memory.
    held: AtomicUsize,
}

/// Where frames come in that have been stored.
pub(super) struct Camera<'a> {
    making: &'a Making<'a>,
    shots: Sender<Shot>,
}

impl<'a> Making<'a> {
    pub(super) fn new(film: Film, threads: NonZero<usize>, observer: &'a dyn Observer) -> Self {
        Self { film, threads, observer, held: AtomicUsize::new(0) }
    }

    /// Begins with the frames that an earlier run has left: they are read back.
    pub(super) fn begin(&self) -> (Camera<'_>, Receiver<Shot>) {
        let (shots, received) = channel();
        let camera = Camera { making: self, shots };
        self.film.before.iter().for_each(|path| camera.send((path.clone(), None)));
        (camera, received)
    }

    /// Makes the video of all frames until the camera is gone; `None` if there are too few to move.
    pub(super) fn make(&self, received: Receiver<Shot>) -> Outcome<Option<Filmed>> {
        let mut shots = received.into_iter().map(|shot| self.develop(shot));
        let (Some(first), Some(second)) = (shots.next(), shots.next()) else { return Ok(None) };
        let first = first?;
        let (&Image { width, height, .. }, path, playback) = (&first.1, &self.film.path, self.film.playback);
        let mut video = VideoWriter::create_on(self.threads, path, width, height, playback.frames_per_second)?;
        self.observer.encoding(video.progress());
        let mut frames = 0;
        for shot in [Ok(first), second].into_iter().chain(shots) {
            let (path, image) = shot?;
            video.push(image).map_err(|error| error.of_frame(&path))?;
            frames += 1;
        }
        video.finish()?;
        Ok(Some(Filmed { path: path.clone(), frames, playback }))
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
    pub(super) fn shoot(&self, frame: u64, image: Image) {
        let has_room = self.making.held.load(Ordering::Relaxed) < MOST_HELD;
        if has_room {
            self.making.held.fetch_add(1, Ordering::Relaxed);
        }
        self.send(((self.making.film.frame)(frame), has_room.then_some(image)));
    }

    fn send(&self, shot: Shot) {
        self.making.observer.filmed();
        // An encoder that has failed takes no more; its end says why.
        let _ = self.shots.send(shot);
    }
}

/// The frame of these numbers whose time has the most kinetic energy in the statistics, the earliest of equals, and
/// that time.
pub fn liveliest(frames: &[u64], every: f64, stats: &Columns) -> Option<(u64, f64)> {
    let [times, energies] = ["time", "kinetic_energy"].map(|name| stats.get(name).unwrap_or_default());
    let mut best: Option<(u64, f64, f64)> = None;
    for &frame in frames {
        // A frame is drawn after the first step that reaches its time; the last one may come before it.
        let due = frame as f64 * every * (1.0 - 1e-9);
        let row = times.iter().position(|t| *t >= due).unwrap_or(times.len().saturating_sub(1));
        let (time, energy) = (*times.get(row)?, *energies.get(row)?);
        if energy.is_finite() && best.is_none_or(|(_, _, most)| energy > most) {
            best = Some((frame, time, energy));
        }
    }
    best.map(|(frame, time, _)| (frame, time))
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
            let playback = Playback::of(every);
            assert!((playback.frames_per_second - rate).abs() < 1e-9, "{every}: {playback:?}");
            assert_eq!(playback.describe(), words);
            assert!((playback.speed - playback.frames_per_second * every).abs() < 1e-12);
        }
    }

    #[test]
    fn the_liveliest_frame_is_found_the_earliest_of_equals() {
        let stats = |energies: [f64; 7]| Columns {
            names: ["time", "kinetic_energy"].map(str::to_owned).to_vec(),
            values: vec![(0..7).map(|n| 0.05 * f64::from(n)).collect(), energies.to_vec()],
        };
        // Frames are at every second row: the peak of row 3 has none.
        let found = |energies| liveliest(&[0, 1, 2, 3], 0.1, &stats(energies));
        assert_eq!(found([0.0, 1.0, 5.0, 9.0, 5.0, 1.0, 0.0]), Some((1, 0.1)));
        assert_eq!(found([0.0, 1.0, 5.0, 9.0, 6.0, 1.0, 0.0]), Some((2, 0.2)));
        assert_eq!(found([f64::NAN; 7]), None);
        assert_eq!(found([0.0; 7]), Some((0, 0.0)), "still water: the start");
    }
}
