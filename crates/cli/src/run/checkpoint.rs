//! Checkpoints: a saved simulation as a file, and back.

use serde::{Deserialize, Serialize};
use thalweg::{Saved, Simulation};
use thalweg_io::checkpoint::{Array, Checkpoint, Error, read_latest};

use super::folder::Folder;
use super::pictures::Pictures;
use crate::failure::{Failure, Outcome};
use crate::text;

const KIND: &str = "shallow";

/// What stands in a checkpoint beside the arrays.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    speed: f32,
    books: [f64; 2],
    substeps: u64,
    substep_rate: f64,
    initial_volume: f64,
    /// Colour scales of the pictures.
    #[serde(default)]
    ranges: Vec<Option<[f32; 2]>>,
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
    let w = saved.water;
    let header = Header {
        speed: w.speed,
        books: w.books,
        substeps: w.substeps,
        substep_rate: w.substep_rate,
        initial_volume,
        ranges: pictures.ranges(),
    };
    let checkpoint = Checkpoint {
        kind: KIND.into(),
        digest: saved.digest,
        time: w.time,
        step: saved.steps,
        header: serde_json::to_value(header).map_err(|e| Failure::Run(e.to_string()))?,
        arrays: vec![
            ("state".into(), Array::F32(w.state)),
            ("faces".into(), Array::F32(w.faces)),
            ("probes".into(), Array::F64(saved.probes)),
        ],
    };
    Ok(checkpoint.write_latest(folder.path())?)
}

/// The newest good checkpoint; `None`, with a word to the user, if there is none yet.
pub(super) fn read(folder: &Folder, quiet: bool) -> Outcome<Option<Resumed>> {
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
    if c.kind != KIND {
        return Err(Failure::Input(format!(
            "{} holds a `{}` run, this scene is `{KIND}`",
            latest.path.display(),
            c.kind
        )));
    }
    let header: Header = serde_json::from_value(c.header.clone())
        .map_err(|e| Failure::Input(format!("{}: {e}", latest.path.display())))?;
    let input = |e: Error| Failure::Input(format!("{}: {e}", latest.path.display()));
    let water = thalweg::shallow::Snapshot {
        time: c.time,
        state: c.f32("state").map_err(input)?.to_vec(),
        faces: c.f32("faces").map_err(input)?.to_vec(),
        speed: header.speed,
        books: header.books,
        substeps: header.substeps,
        substep_rate: header.substep_rate,
    };
    let probes = c.f64("probes").map_err(input)?.to_vec();
    let simulation = Saved { digest: c.digest, steps: c.step, water, probes };
    Ok(Some(Resumed { simulation, initial_volume: header.initial_volume, ranges: header.ranges }))
}
