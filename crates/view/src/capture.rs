//! Pictures into files: screenshots and recordings.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use thalweg::Picture;
use thalweg_io::{Image, video};

/// Where pictures of a recording go: the one place that knows their format.
#[derive(Debug)]
pub(crate) struct Recorder {
    folder: PathBuf,
    pub(crate) frames: u64,
    /// Simulated time of the next picture, s.
    next: f64,
}

/// Pictures per second of a recording that is played as fast as it was watched.
const FRAMES_PER_SECOND: f64 = 30.0;

impl Recorder {
    /// Into a new folder beside others.
    pub(crate) fn create(out: &Path, stem: &str, time: f64) -> Result<Self, String> {
        let folder = free(out, &format!("{stem}-frames"), "");
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("the folder {} cannot be made: {error}", folder.display()))?;
        Ok(Self { folder, frames: 0, next: time })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether a picture is due at a simulated time, s.
    pub(crate) fn is_due(&self, time: f64) -> bool {
        time >= self.next * (1.0 - 1e-12) - 1e-12
    }

    /// Writes a picture; the next one is due `speed` thirtieths of a second later.
    pub(crate) fn write(&mut self, picture: &Picture, time: f64, speed: f64) -> Result<(), String> {
        write_png(picture, &self.folder.join(format!("frame-{:05}.png", self.frames)))?;
        self.frames += 1;
        self.next = (self.next + speed / FRAMES_PER_SECOND).max(time);
        Ok(())
    }

    /// Ends the recording and makes a video of it in a thread of its own, so that water and window go on.
    pub(crate) fn film(self) -> Film {
        let (folder, frames) = (self.folder.clone(), self.frames);
        let thread = std::thread::spawn(move || {
            let pictures: Vec<PathBuf> = (0..frames).map(|n| folder.join(format!("frame-{n:05}.png"))).collect();
            let path = folder.with_extension("mp4");
            video::from_frames(&pictures, &path, FRAMES_PER_SECOND, |_| {}).map(|()| path)
        });
        Film { folder: self.folder, frames, thread }
    }
}

/// A recording that becomes a video.
#[derive(Debug)]
pub(crate) struct Film {
    folder: PathBuf,
    frames: u64,
    thread: JoinHandle<Result<PathBuf, thalweg_io::Error>>,
}

impl Film {
    /// Whether [`Self::outcome`] need not wait.
    pub(crate) fn is_done(&self) -> bool {
        self.thread.is_finished()
    }

    /// What was made, or what went wrong. The pictures are there in any case.
    pub(crate) fn outcome(self) -> Result<String, String> {
        let pictures = format!("{} pictures in {}", self.frames, self.folder.display());
        match self.thread.join() {
            Ok(Ok(path)) => Ok(format!("{}, {pictures}", path.display())),
            Ok(Err(error)) => Err(format!("{error}\nThere is no video, but {pictures}.")),
            Err(_) => Err(format!("the encoder broke down. There is no video, but {pictures}.")),
        }
    }
}

/// Writes a picture into a new file; returns its path.
pub(crate) fn screenshot(picture: &Picture, out: &Path, stem: &str) -> Result<PathBuf, String> {
    std::fs::create_dir_all(out).map_err(|error| format!("the folder {} cannot be made: {error}", out.display()))?;
    let path = free(out, stem, ".png");
    write_png(picture, &path)?;
    Ok(path)
}

fn write_png(picture: &Picture, path: &Path) -> Result<(), String> {
    let [width, height] = picture.size.map(|side| side as usize);
    let rgb = picture.rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    Image { width, height, rgb }.write_png(path).map_err(|error| error.to_string())
}

/// The first name `stem-0001` and so on that is not taken.
fn free(out: &Path, stem: &str, ending: &str) -> PathBuf {
    let name = |number: u32| out.join(format!("{stem}-{number:04}{ending}"));
    let number = (1..u32::MAX).find(|number| !name(*number).exists()).unwrap_or(u32::MAX);
    name(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Picture {
        Picture { size: [2, 1], rgba: vec![1, 2, 3, 255, 4, 5, 6, 255] }
    }

    #[test]
    fn a_recording_becomes_a_video_and_keeps_its_pictures() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut recorder = Recorder::create(folder.path(), "tank", 0.0).expect("a recorder");
        let grey = Picture { size: [32, 16], rgba: vec![128; 4 * 32 * 16] };
        (0..3).for_each(|n| recorder.write(&grey, f64::from(n), 1.0).expect("written"));
        let outcome = recorder.film().outcome().expect("a video");
        assert!(outcome.contains("tank-frames-0001.mp4") && outcome.contains("3 pictures"), "{outcome}");
        assert!(folder.path().join("tank-frames-0001.mp4").exists());
        // Too small for a video: that is an error, and the pictures stay.
        let mut small = Recorder::create(folder.path(), "tank", 0.0).expect("a recorder");
        small.write(&picture(), 0.0, 1.0).expect("written");
        let outcome = small.film().outcome().expect_err("no video");
        assert!(outcome.contains("1 pictures"), "{outcome}");
        assert!(folder.path().join("tank-frames-0002/frame-00000.png").exists());
    }

    #[test]
    fn screenshots_never_overwrite_each_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("new");
        let [first, second] = [0, 1].map(|_| screenshot(&picture(), &out, "tank").expect("written"));
        assert_ne!(first, second);
        let image = Image::read_png(&second).expect("a picture");
        assert_eq!((image.width, image.height, image.rgb), (2, 1, vec![1, 2, 3, 4, 5, 6]));
    }

    #[test]
    fn a_recording_has_thirty_pictures_per_watched_second() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut recorder = Recorder::create(folder.path(), "tank", 2.0).expect("a recorder");
        // Half speed, steps of 1/240 s: a sixtieth of a second is four of them.
        for step in 0..240 {
            let time = 2.0 + f64::from(step) / 240.0;
            if recorder.is_due(time) {
                recorder.write(&picture(), time, 0.5).expect("written");
            }
        }
        assert_eq!(recorder.frames, 60);
        assert!(recorder.folder().join("frame-00059.png").exists());
    }
}
