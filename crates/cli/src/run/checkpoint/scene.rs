//! The scene in a checkpoint: its text, and the files that it names.

use std::path::PathBuf;

use thalweg::Snapshot;
use thalweg_io::checkpoint::Array;
use thalweg_scene::{Scene, SceneText};

/// The array that holds the text.
const TEXT: &str = "scene";

/// What stands before the names of files.
const FILE: &str = "file:";

pub(super) fn pack(scene: &SceneText) -> Vec<(String, Array)> {
    let files = scene.files.iter().map(|(name, content)| (format!("{FILE}{name}"), Array::U8(content.clone())));
    [(TEXT.to_owned(), Array::U8(scene.text.clone().into_bytes()))].into_iter().chain(files).collect()
}

/// `streams_from` is the folder of ground that streams, which is not in the file.
pub(super) fn unpack(saved: &Snapshot, name: &str, streams_from: Option<PathBuf>) -> Result<Scene, String> {
    let text = saved.bytes(TEXT).map_err(|_| {
        "this checkpoint holds no scene, an older thalweg wrote it: `thalweg run SCENE --resume` on its folder writes one that does"
            .to_owned()
    })?;
    let text = String::from_utf8(text.to_vec()).map_err(|_| "the scene in it is no text in UTF-8".to_owned())?;
    let files = saved.arrays.iter().filter_map(|(name, array)| match (name.strip_prefix(FILE), array) {
        (Some(name), Array::U8(content)) => Some((name.to_owned(), content.clone())),
        _ => None,
    });
    let text = SceneText { name: name.to_owned(), text, files: files.collect(), streams_from };
    Scene::from_text(&text).map_err(|e| format!("the scene in it is refused: {e}"))
}
