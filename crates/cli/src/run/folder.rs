//! The output folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use thalweg_scene::Field;

use crate::failure::{Failure, Outcome};
use crate::text;

/// Held by the run that writes into a folder. The system lets go of it when the program ends, however it ends; the file itself stays.
const LOCK: &str = ".lock";

/// Where a run writes, and nobody else meanwhile.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    _lock: File,
}

/// `out/<scene>`.
pub(super) fn default_path(scene: &str) -> PathBuf {
    let stem = Path::new(scene).file_stem().map_or_else(|| "scene".into(), |s| s.to_os_string());
    Path::new("out").join(stem)
}

/// The picture of a field in an output folder.
pub(super) fn frame_in(folder: &Path, field: &str, n: u64) -> PathBuf {
    folder.join("frames").join(format!("{field}-{n:05}.png"))
}

impl Folder {
    /// Makes it if there is none, and keeps other runs out.
    pub(super) fn open(path: PathBuf) -> Outcome<Self> {
        let refused = |e: std::io::Error| Failure::Input(format!("cannot write into {}: {e}", path.display()));
        thalweg_io::make_folder(&path.join("frames")).map_err(refused)?;
        let lock = OpenOptions::new().create(true).append(true).open(path.join(LOCK)).map_err(refused)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::Input(format!(
                    "another run is writing into {}: wait until it has ended, or give this one a folder of its own with --out",
                    path.display()
                )));
            }
            // Some file systems of networks know no locks.
            Err(TryLockError::Error(e)) => {
                text::message(&format!("warning: {} cannot be locked ({e}): start no other run in it", path.display()));
            }
        }
        Ok(Self { path, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(super) fn frame(&self, field: &str, n: u64) -> PathBuf {
        frame_in(&self.path, field, n)
    }

    /// Pictures of a field, in order.
    pub(super) fn frames(&self, field: &str) -> Vec<PathBuf> {
        let prefix = format!("{field}-");
        let entries = std::fs::read_dir(self.path.join("frames")).into_iter().flatten().flatten();
        let mut list: Vec<PathBuf> = entries
            .map(|e| e.path())
            .filter(|p| {
                let name = p.file_name().unwrap_or_default().to_string_lossy();
                name.starts_with(&prefix) && name.ends_with(".png")
            })
            .collect();
        list.sort();
        list
    }

    /// Files in a folder of the output whose names pass.
    fn list(&self, folder: &str, is_ours: impl Fn(&str) -> bool) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.path.join(folder)).into_iter().flatten().flatten();
        let named = entries.filter(|entry| entry.file_name().to_str().is_some_and(&is_ours));
        named.map(|entry| entry.path()).collect()
    }

    /// Removes what a killed run was writing: `.NAME.part`, which never got its name.
    pub(super) fn clean_unfinished(&self) -> Outcome {
        let is_unfinished = |name: &str| name.starts_with('.') && name.ends_with(".part");
        let folders = ["", "frames"].into_iter().chain(super::archive::folders());
        let mut files = folders.flat_map(|folder| self.list(folder, is_unfinished)).filter(|path| path.is_file());
        files.try_for_each(|path| remove(&path))
    }

    /// Removes what an earlier run left, and nothing else. Checkpoints go first: a kill halfway must not leave one
    /// to resume from without its tables.
    pub(super) fn clean(&self) -> Outcome {
        let ours = [
            "checkpoint.thalweg.prev",
            "checkpoint.thalweg",
            "stats.csv",
            "probes.csv",
            "bodies.csv",
            "summary.json",
            "report.html",
        ];
        let mut old: Vec<PathBuf> = ours.iter().map(|name| self.file(name)).collect();
        for field in Field::ALL.map(Field::name) {
            old.extend(self.frames(field));
            old.push(self.file(&format!("{field}.mp4")));
        }
        old.push(self.file(super::film::POSTER));
        old.push(self.file(super::player::FILE));
        old.extend(super::archive::folders().iter().flat_map(|folder| self.list(folder, super::archive::is_ours)));
        old.iter().try_for_each(|path| remove(path))
    }
}

fn remove(path: &Path) -> Outcome {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Failure::Run(format!("cannot remove {}: {e}", path.display()))),
    }
}
