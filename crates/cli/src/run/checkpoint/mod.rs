//! Checkpoints: a saved simulation as a file, and back. The scene is in it, with the files that it names: the file is enough by itself, but for ground
//! that streams, which stays where it is.

mod scene;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thalweg::{Saved, Simulation, Snapshot};
use thalweg_io::checkpoint::{Array, Checkpoint, Error, read_latest};
use thalweg_scene::{Scene, SceneText};

use super::folder::Folder;
use crate::failure::{Failure, Outcome};
use crate::text;

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
        let Snapshot { kind, time, header, mut arrays } = saved.water;
        arrays.push(("probes".into(), Array::F64(saved.probes)));
        arrays.extend(scene::pack(&text));
        let header = Header {
            initial_volume,
            ranges,
            scene: text.name.clone(),
            streams_from: text.streams_from.clone(),
            water: header,
        };
        Ok(Checkpoint {
            kind,
            digest: saved.digest,
            time,
            step: saved.steps,
            header: serde_json::to_value(header).map_err(|e| Failure::Run(e.to_string()))?,
            arrays,
        })
    }
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
    let wanted = simulation.kind();
    if c.kind != wanted {
        let path = latest.path.display();
        return Err(Failure::Input(format!("{path} holds a `{}` run, this scene is `{wanted}`", c.kind)));
    }
    let (header, simulation) = unpack(c, &latest.path)?;
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
    let input = |e: String| Failure::Input(format!("{}: {e}", path.display()));
    let (header, saved) = unpack(checkpoint, &path)?;
    let scene = scene::unpack(&saved.water, &header.scene, header.streams_from).map_err(input)?;
    Ok(Opened { scene, saved })
}

fn unpack(c: Checkpoint, path: &Path) -> Outcome<(Header, Saved)> {
    let input = |e: String| Failure::Input(format!("{}: {e}", path.display()));
    let probes = c.f64("probes").map_err(|e| input(e.to_string()))?.to_vec();
    let mut header: Header = serde_json::from_value(c.header).map_err(|e| input(e.to_string()))?;
    let own = std::mem::take(&mut header.water);
    let water = Snapshot { kind: c.kind, time: c.time, header: own, arrays: c.arrays };
    Ok((header, Saved { digest: c.digest, steps: c.step, water, probes }))
}
