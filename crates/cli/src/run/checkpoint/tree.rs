//! Shallow water on a quadtree in a checkpoint.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thalweg::shallow::tree::TreeSnapshot;
use thalweg_io::checkpoint::{Array, Checkpoint};

use super::{Packed, floats, json, optional_floats, parse};
use crate::failure::Outcome;

pub(super) const KIND: &str = "quadtree";

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    books: [f64; 2],
    counts: [f64; 2],
    pace: [f64; 4],
    /// Not in checkpoints of before it was kept.
    #[serde(default)]
    observer: Option<[f64; 4]>,
}

pub(super) fn pack(water: TreeSnapshot) -> Outcome<Packed> {
    let TreeSnapshot { time, topology, cells, nursery, status, volumes, sides, books, counts, pace, observer } = water;
    let header = json(Header { books, counts, pace, observer })?;
    let mut arrays = vec![
        ("topology".into(), Array::U32(topology)),
        ("state".into(), Array::F32(cells)),
        ("nursery".into(), Array::F32(nursery)),
        ("status".into(), Array::F32(status)),
    ];
    if !volumes.is_empty() {
        arrays.push(("volumes".into(), Array::U32(volumes))); // of kernel advection alone
    }
    if !sides.is_empty() {
        arrays.push(("sides".into(), Array::F32(sides))); // of sides that hold a level alone
    }
    Ok(Packed { kind: KIND, time, header, arrays })
}

pub(super) fn unpack(checkpoint: &Checkpoint, header: Value) -> Result<TreeSnapshot, String> {
    let Header { books, counts, pace, observer } = parse(header)?;
    let has_volumes = checkpoint.arrays.iter().any(|(name, _)| name == "volumes");
    let volumes = match has_volumes {
        true => checkpoint.u32("volumes").map_err(|e| e.to_string())?.to_vec(),
        false => Vec::new(),
    };
    Ok(TreeSnapshot {
        time: checkpoint.time,
        topology: checkpoint.u32("topology").map_err(|e| e.to_string())?.to_vec(),
        cells: floats(checkpoint, "state")?,
        nursery: floats(checkpoint, "nursery")?,
        status: floats(checkpoint, "status")?,
        volumes,
        sides: optional_floats(checkpoint, "sides")?,
        books,
        counts,
        pace,
        observer,
    })
}
