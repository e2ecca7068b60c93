//! Checkpoints: a saved simulation as a file, and back. The scene is in it, with the files that it names: the file is enough by itself, but for ground
//! that streams, which stays where it is.

mod scene;
mod shallow;
mod tall;
mod tree;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thalweg::{Saved, SavedWater, Simulation};
use thalweg_io::checkpoint::{Array, Checkpoint, Error, read_latest};
use thalweg_scene::{Scene, SceneText};

use super::folder::Folder;
use crate::failure::{Failure, Outcome};
use crate::text;

/// What stands in the checkpoint of any solver beside the water.
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
    /// What the solver adds.
    #[serde(flatten)]
    water: Value,
}

/// Water on its way into a file or out of it.
struct Packed {
    kind: &'static str,
    time: f64,
    header: Value,
    arrays: Vec<(String, Array)>,
}

/// A simulation to go on with.
pub(super) struct Resumed {
    pub(super) simulation: Saved,
    pub(super) initial_volume: f64,
    pub(super) ranges: Vec<Option<[f32; 2]>>,
}

/// A simulation put aside, on its way into a file.
pub(super) struct Aside {
    saved: Saved,
    text: Arc<SceneText>,
    initial_volume: f64,
}

/// Puts the simulation aside, which may go on then.
pub(super) fn save(simulation: &mut Simulation, initial_volume: f64) -> Outcome<Aside> {
    Ok(Aside { saved: simulation.save()?, text: simulation.scene().text.clone(), initial_volume })
}

impl Aside {
    /// Makes a checkpoint of it. `ranges` are the colour scales of the pictures up to now.
    pub(super) fn pack(self, ranges: Vec<Option<[f32; 2]>>) -> Outcome<Checkpoint> {
        let Self { saved, text, initial_volume } = self;
        let packed = match saved.water {
            SavedWater::Shallow(water) => shallow::pack(water)?,
            SavedWater::Tree(water) => tree::pack(*water)?,
            SavedWater::Tall(water) => tall::pack(*water)?,
            _ => return Err(Failure::Run("this solver's water cannot be put into a checkpoint".into())),
        };
        let mut arrays = packed.arrays;
        arrays.push(("probes".into(), Array::F64(saved.probes)));
        arrays.extend(scene::pack(&text));
        let header = Header {
            initial_volume,
            ranges,
            scene: text.name.clone(),
            streams_from: text.streams_from.clone(),
            water: packed.header,
        };
        Ok(Checkpoint {
            kind: packed.kind.into(),
            digest: saved.digest,
            time: packed.time,
            step: saved.steps,
            header: json(header)?,
            arrays,
        })
    }
}

fn json(header: impl Serialize) -> Outcome<Value> {
    serde_json::to_value(header).map_err(|e| Failure::Run(e.to_string()))
}

/// The newest good checkpoint; `None`, with a word to the user, if there is none yet.
pub(super) fn read(folder: &Folder, simulation: &Simulation, quiet: bool) -> Outcome<Option<Resumed>> {
    let latest = match read_latest(folder.path()) {
        Ok(latest) => latest,
        Err(Error::NotFound { .. }) => {
            if !quiet {
                text::tell(&format!("no checkpoint in {}: starting from the beginning", folder.path().display()));
            }
            return Ok(None);
        }
        Err(e) => return Err(Failure::Input(e.to_string())),
    };
    if let Some(bad) = latest.passed_over {
        text::tell(&format!("warning: the newest checkpoint cannot be used ({bad}); going on from the one before"));
    }
    let c = latest.checkpoint;
    let wanted = match (simulation.tall(), simulation.tree()) {
        (Some(_), _) => tall::KIND,
        (None, Some(_)) => tree::KIND,
        (None, None) => shallow::KIND,
    };
    if c.kind != wanted {
        let path = latest.path.display();
        return Err(Failure::Input(format!("{path} holds a `{}` run, this scene is `{wanted}`", c.kind)));
    }
    let (header, simulation) = unpack(&c, &latest.path)?;
    Ok(Some(Resumed { simulation, initial_volume: header.initial_volume, ranges: header.ranges }))
}

/// A checkpoint on its own, without the files of its scene.
pub(crate) struct Opened {
    pub(crate) scene: Scene,
    pub(crate) saved: Saved,
}

/// Opens a checkpoint, or the newest of a folder, with the scene that is in it.
pub(crate) fn open(path: &Path) -> Outcome<Opened> {
    let wrong = |e: Error| Failure::Input(e.to_string());
    let (checkpoint, path) = if path.is_dir() {
        let latest = read_latest(path).map_err(wrong)?;
        if let Some(bad) = latest.passed_over {
            text::tell(&format!("warning: the newest checkpoint cannot be used ({bad}); taking the one before"));
        }
        (latest.checkpoint, latest.path)
    } else {
        (Checkpoint::read(path).map_err(wrong)?, path.to_owned())
    };
    let (header, saved) = unpack(&checkpoint, &path)?;
    let input = |e: String| Failure::Input(format!("{}: {e}", path.display()));
    let scene = scene::unpack(&checkpoint, &header.scene, header.streams_from).map_err(input)?;
    Ok(Opened { scene, saved })
}

fn unpack(c: &Checkpoint, path: &Path) -> Outcome<(Header, Saved)> {
    let input = |e: String| Failure::Input(format!("{}: {e}", path.display()));
    let mut header: Header = parse(c.header.clone()).map_err(input)?;
    let own = std::mem::take(&mut header.water);
    let water = match c.kind.as_str() {
        tall::KIND => SavedWater::Tall(Box::new(tall::unpack(c, own).map_err(input)?)),
        tree::KIND => SavedWater::Tree(Box::new(tree::unpack(c, own).map_err(input)?)),
        shallow::KIND => SavedWater::Shallow(shallow::unpack(c, own).map_err(input)?),
        other => return Err(input(format!("it holds a `{other}` run, which this program does not know"))),
    };
    let probes = c.f64("probes").map_err(|e| input(e.to_string()))?.to_vec();
    Ok((header, Saved { digest: c.digest, steps: c.step, water, probes }))
}

fn parse<T: DeserializeOwned>(header: Value) -> Result<T, String> {
    serde_json::from_value(header).map_err(|e| e.to_string())
}

fn floats(checkpoint: &Checkpoint, name: &str) -> Result<Vec<f32>, String> {
    checkpoint.f32(name).map(<[f32]>::to_vec).map_err(|e| e.to_string())
}

/// The same of an array that not every run has.
fn optional_floats(checkpoint: &Checkpoint, name: &str) -> Result<Vec<f32>, String> {
    let is_there = checkpoint.arrays.iter().any(|(known, _)| known == name);
    if is_there { floats(checkpoint, name) } else { Ok(Vec::new()) }
}
