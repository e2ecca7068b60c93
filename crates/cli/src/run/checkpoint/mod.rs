//! Checkpoints: a saved simulation as a file, and back.

mod shallow;
mod tall;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thalweg::{Saved, SavedWater, Simulation};
use thalweg_io::checkpoint::{Array, Checkpoint, Error, read_latest};

use super::folder::Folder;
use super::pictures::Pictures;
use crate::failure::{Failure, Outcome};
use crate::text;

/// What stands in the checkpoint of any solver beside the water.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    initial_volume: f64,
    /// Colour scales of the pictures.
    #[serde(default)]
    ranges: Vec<Option<[f32; 2]>>,
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

pub(super) fn write(
    folder: &Folder,
    simulation: &mut Simulation,
    initial_volume: f64,
    pictures: &Pictures<'_>,
) -> Outcome {
    let saved = simulation.save()?;
    let packed = match saved.water {
        SavedWater::Shallow(water) => shallow::pack(water)?,
        SavedWater::Tall(water) => tall::pack(water)?,
        _ => return Err(Failure::Run("this solver's water cannot be put into a checkpoint".into())),
    };
    let header = Header { initial_volume, ranges: pictures.ranges(), water: packed.header };
    let mut arrays = packed.arrays;
    arrays.push(("probes".into(), Array::F64(saved.probes)));
    let checkpoint = Checkpoint {
        kind: packed.kind.into(),
        digest: saved.digest,
        time: packed.time,
        step: saved.steps,
        header: json(header)?,
        arrays,
    };
    Ok(checkpoint.write_latest(folder.path())?)
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
    let is_tall = simulation.tall().is_some();
    let wanted = if is_tall { tall::KIND } else { shallow::KIND };
    let input = |e: String| Failure::Input(format!("{}: {e}", latest.path.display()));
    if c.kind != wanted {
        let path = latest.path.display();
        return Err(Failure::Input(format!("{path} holds a `{}` run, this scene is `{wanted}`", c.kind)));
    }
    let header: Header = parse(c.header.clone()).map_err(input)?;
    let water = if is_tall {
        SavedWater::Tall(tall::unpack(&c, header.water).map_err(input)?)
    } else {
        SavedWater::Shallow(shallow::unpack(&c, header.water).map_err(input)?)
    };
    let probes = c.f64("probes").map_err(|e| input(e.to_string()))?.to_vec();
    let simulation = Saved { digest: c.digest, steps: c.step, water, probes };
    Ok(Some(Resumed { simulation, initial_volume: header.initial_volume, ranges: header.ranges }))
}

fn parse<T: DeserializeOwned>(header: Value) -> Result<T, String> {
    serde_json::from_value(header).map_err(|e| e.to_string())
}

fn floats(checkpoint: &Checkpoint, name: &str) -> Result<Vec<f32>, String> {
    checkpoint.f32(name).map(<[f32]>::to_vec).map_err(|e| e.to_string())
}
