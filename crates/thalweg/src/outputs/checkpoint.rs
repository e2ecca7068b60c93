//! Checkpoints: a session as bytes, and back. The scene is in it, with the files that it names: the bytes are enough by
//! themselves, but for ground that streams, which stays where it is.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thalweg_compute::Later;
use thalweg_io::checkpoint::{Array, Checkpoint};
use thalweg_model::Snapshot;
use thalweg_scene::{Scene, SceneText};

use super::{Outcome, OutputError};
use crate::session::{SavedSession, Session};
use crate::simulation::Saved;

/// What stands in the checkpoint of any method beside the water.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    initial_volume: f64,
    /// Colour scales of the pictures.
    #[serde(default)]
    ranges: Vec<Option<[f32; 2]>>,
    /// Name of the scene's file.
    #[serde(default)]
    scene: String,
    /// Folder of ground that streams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    streams_from: Option<PathBuf>,
    /// What the method adds.
    #[serde(flatten)]
    water: Value,
}

/// The array that holds what gauges remember.
const PROBES: &str = "probes";

/// The array that holds the text of the scene.
const TEXT: &str = "scene";

/// What stands before the names of the scene's files.
const FILE: &str = "file:";

/// All that a run needs to go on from where it was saved.
///
/// ```
/// use thalweg::outputs::SavedRun;
/// use thalweg::{Backend, Scene, Session, Simulation};
///
/// let simulation = Simulation::new(Scene::shipped("column-2d")?, Backend::Cpu)?;
/// let mut session = Session::run(simulation, None, None)?;
/// let bytes = SavedRun::new(&mut session)?.to_bytes()?;
///
/// let back = SavedRun::from_bytes(&bytes)?;
/// let simulation = Simulation::new(back.scene()?, Backend::Cpu)?;
/// let session = Session::run(simulation, None, Some(&back.session))?;
/// assert_eq!(session.simulation().scene().name, back.scene()?.name);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SavedRun {
    /// The session.
    pub session: SavedSession,
    /// Colour scales of the pictures; empty without pictures.
    pub ranges: Vec<Option<[f32; 2]>>,
    /// The scene; checkpoints of old versions have none.
    text: Option<Arc<SceneText>>,
}

impl SavedRun {
    /// Saves a session, which may go on then.
    ///
    /// # Errors
    /// As [`Session::save`].
    pub fn new(session: &mut Session) -> Outcome<Self> {
        Self::later(session)?.wait()
    }

    /// The same, to be waited for while the session goes on.
    ///
    /// # Errors
    /// As [`Session::save_later`].
    pub fn later(session: &mut Session) -> Outcome<Later<Self, OutputError>> {
        let text = Some(session.simulation().scene().text.clone());
        Ok(session.save_later()?.map(|session| Self { session, ranges: Vec::new(), text }))
    }

    /// The scene.
    ///
    /// # Errors
    /// If an old version has written it without its scene, or this version refuses the scene.
    pub fn scene(&self) -> Outcome<Scene> {
        let text = self.text.as_deref().ok_or_else(|| {
            OutputError::Contents(
                "this checkpoint holds no scene, an older thalweg wrote it: `thalweg run SCENE --resume` on its folder writes one that does"
                    .to_owned(),
            )
        })?;
        Scene::from_text(text).map_err(|e| OutputError::Contents(format!("the scene in it is refused: {e}")))
    }

    /// The bytes of a checkpoint.
    ///
    /// # Errors
    /// If it is larger than the format can hold.
    pub fn to_bytes(self) -> Outcome<Vec<u8>> {
        Ok(self.into_checkpoint()?.to_bytes()?)
    }

    /// Reads the bytes of a checkpoint.
    ///
    /// # Errors
    /// If they are not what was written.
    pub fn from_bytes(bytes: &[u8]) -> Outcome<Self> {
        Self::from_checkpoint(Checkpoint::from_bytes(bytes)?)
    }

    /// The checkpoint, for a file.
    ///
    /// # Errors
    /// If what the method adds is no JSON.
    pub fn into_checkpoint(self) -> Outcome<Checkpoint> {
        let Self { session: SavedSession { simulation: saved, initial_volume }, ranges, text } = self;
        let Snapshot { kind, time, header, mut arrays } = saved.water;
        arrays.push((PROBES.into(), Array::F64(saved.probes)));
        let (mut scene, mut streams_from) = (String::new(), None);
        if let Some(text) = text {
            arrays.push((TEXT.to_owned(), Array::U8(text.text.clone().into_bytes())));
            let files = text.files.iter();
            arrays.extend(files.map(|(name, content)| (format!("{FILE}{name}"), Array::U8(content.clone()))));
            (scene, streams_from) = (text.name.clone(), text.streams_from.clone());
        }
        let header = Header { initial_volume, ranges, scene, streams_from, water: header };
        let header = serde_json::to_value(header).map_err(|e| OutputError::Contents(e.to_string()))?;
        Ok(Checkpoint { kind, digest: saved.digest, time, step: saved.steps, header, arrays })
    }

    /// Takes a checkpoint apart.
    ///
    /// # Errors
    /// If it lacks something that every run has.
    pub fn from_checkpoint(checkpoint: Checkpoint) -> Outcome<Self> {
        let probes = checkpoint.f64(PROBES)?.to_vec();
        let Checkpoint { kind, digest, time, step, header, arrays } = checkpoint;
        let contents = |e: &dyn std::fmt::Display| OutputError::Contents(e.to_string());
        let header: Header = serde_json::from_value(header).map_err(|e| contents(&e))?;
        let (mut text, mut files, mut water) = (None, Vec::new(), Vec::new());
        for (name, array) in arrays {
            match (name.strip_prefix(FILE), array) {
                (Some(file), Array::U8(content)) => files.push((file.to_owned(), content)),
                (_, Array::U8(content)) if name == TEXT => {
                    let content = String::from_utf8(content);
                    text = Some(content.map_err(|_| contents(&"the scene in it is no text in UTF-8"))?);
                }
                (_, array) if name != PROBES => water.push((name, array)),
                _ => {}
            }
        }
        let Header { initial_volume, ranges, scene: name, streams_from, water: own } = header;
        let text = text.map(|text| Arc::new(SceneText { name, text, files, streams_from }));
        let water = Snapshot { kind, time, header: own, arrays: water };
        let simulation = Saved { digest, steps: step, water, probes };
        Ok(Self { session: SavedSession { simulation, initial_volume }, ranges, text })
    }
}
