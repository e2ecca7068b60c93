//! Shallow water in a checkpoint.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thalweg::shallow::Snapshot;
use thalweg_io::checkpoint::{Array, Checkpoint};

use super::{Packed, floats, json, optional_floats, parse};
use crate::failure::Outcome;

pub(super) const KIND: &str = "shallow";

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    speed: f32,
    books: [f64; 2],
    substeps: u64,
    substep_rate: f64,
}

pub(super) fn pack(water: Snapshot) -> Outcome<Packed> {
    let Snapshot { time, state, faces, sides, maps, speed, books, substeps, substep_rate } = water;
    let header = json(Header { speed, books, substeps, substep_rate })?;
    let mut arrays = vec![("state".into(), Array::F32(state)), ("faces".into(), Array::F32(faces))];
    if !sides.is_empty() {
        arrays.push(("sides".into(), Array::F32(sides))); // of sides that hold a level alone
    }
    if !maps.is_empty() {
        arrays.push(("maps".into(), Array::F32(maps))); // of scenes with maps over time alone
    }
    Ok(Packed { kind: KIND, time, header, arrays })
}

pub(super) fn unpack(checkpoint: &Checkpoint, header: Value) -> Result<Snapshot, String> {
    let Header { speed, books, substeps, substep_rate } = parse(header)?;
    let (state, faces) = (floats(checkpoint, "state")?, floats(checkpoint, "faces")?);
    let sides = optional_floats(checkpoint, "sides")?;
    let maps = optional_floats(checkpoint, "maps")?;
    Ok(Snapshot { time: checkpoint.time, state, faces, sides, maps, speed, books, substeps, substep_rate })
}
