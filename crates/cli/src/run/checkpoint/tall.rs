//! Three-dimensional water in a checkpoint.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thalweg::SavedTall;
use thalweg::tall::{Outlook, Snapshot};
use thalweg::whitewater;
use thalweg_io::checkpoint::{Array, Checkpoint};

use super::{Packed, floats, json, parse};
use crate::failure::Outcome;

pub(super) const KIND: &str = "tall";

/// The level set of a surface that is finer than the simulation; without one there is no such array.
const FINE: &str = "fine_surface";

/// Spray, mist and foam; without whitewater there are no such arrays.
const PLACES: &str = "particles";
const MOTIONS: &str = "particle_motions";
const FOAM: &str = "foam";

/// Velocities of samples in the collocated discretisation; without it there is no such array.
const SAMPLES: &str = "samples";

/// Rigid bodies; without any there is no such array.
const BODIES: &str = "bodies";

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    substeps: u64,
    #[serde(default)]
    outlook: Option<OutlookHeader>,
    needed_iterations: usize,
    planned_iterations: usize,
    last_step: f64,
    ledger: Vec<u32>,
    sources: Vec<f32>,
    control: Vec<f32>,
    crowded_columns: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    whitewater: Option<WhitewaterHeader>,
}

/// What steps are planned by.
#[derive(Debug, Serialize, Deserialize)]
struct OutlookHeader {
    speed: f32,
    growth: f32,
    iterations: usize,
    crowded: u32,
    #[serde(default)]
    short: u32,
}

/// What whitewater remembers beside its arrays.
#[derive(Debug, Serialize, Deserialize)]
struct WhitewaterHeader {
    steps: u64,
    state: Vec<u32>,
}

pub(super) fn pack(water: SavedTall) -> Outcome<Packed> {
    let SavedTall { snapshot, crowded_columns, bodies, whitewater } = water;
    let whitewater_header =
        whitewater.as_ref().map(|saved| WhitewaterHeader { steps: saved.steps, state: saved.state.clone() });
    let Snapshot {
        time,
        steps,
        outlook,
        needed_iterations,
        planned_iterations,
        last_step,
        ledger,
        sources,
        control,
        heights,
        level_set,
        fine_level_set,
        faces,
        inner,
        pressure,
        samples,
    } = snapshot;
    let header = json(Header {
        substeps: steps,
        outlook: outlook.map(|Outlook { speed, growth, iterations, crowded, short }| OutlookHeader {
            speed,
            growth,
            iterations,
            crowded,
            short,
        }),
        needed_iterations,
        planned_iterations,
        last_step,
        ledger,
        sources,
        control,
        crowded_columns,
        whitewater: whitewater_header,
    })?;
    // Heights below the corner of the domain keep their bits.
    let heights = heights.iter().flatten().map(|cells| cells.cast_unsigned()).collect();
    let mut arrays = vec![
        ("state".into(), Array::F32(level_set)),
        ("heights".into(), Array::U32(heights)),
        ("faces".into(), Array::F32(faces)),
        ("inner".into(), Array::F32(inner)),
        ("pressure".into(), Array::F32(pressure)),
    ];
    if !fine_level_set.is_empty() {
        arrays.push((FINE.into(), Array::F32(fine_level_set)));
    }
    if !samples.is_empty() {
        arrays.push((SAMPLES.into(), Array::F32(samples)));
    }
    if !bodies.is_empty() {
        // Words of four bytes, the last one filled up; the first is how many there are.
        let mut words = vec![u32::try_from(bodies.len()).unwrap_or(u32::MAX)];
        words.extend(bodies.chunks(4).map(|chunk| {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            u32::from_le_bytes(word)
        }));
        arrays.push((BODIES.into(), Array::U32(words)));
    }
    if let Some(saved) = whitewater {
        arrays.push((PLACES.into(), Array::F32(saved.places.concat())));
        arrays.push((MOTIONS.into(), Array::F32(saved.motions.concat())));
        arrays.push((FOAM.into(), Array::F32(saved.foam)));
    }
    Ok(Packed { kind: KIND, time, header, arrays })
}

pub(super) fn unpack(checkpoint: &Checkpoint, header: Value) -> Result<SavedTall, String> {
    let Header {
        substeps,
        outlook,
        needed_iterations,
        planned_iterations,
        last_step,
        ledger,
        sources,
        control,
        crowded_columns,
        whitewater,
    } = parse(header)?;
    let optional = |wanted: &str| {
        let is_there = checkpoint.arrays.iter().any(|(name, _)| name == wanted);
        if is_there { floats(checkpoint, wanted) } else { Ok(Vec::new()) }
    };
    let heights = checkpoint.u32("heights").map_err(|e| e.to_string())?;
    let snapshot = Snapshot {
        time: checkpoint.time,
        steps: substeps,
        outlook: outlook.map(|OutlookHeader { speed, growth, iterations, crowded, short }| Outlook {
            speed,
            growth,
            iterations,
            crowded,
            short,
        }),
        needed_iterations,
        planned_iterations,
        last_step,
        ledger,
        sources,
        control,
        heights: heights.as_chunks::<2>().0.iter().map(|pair| pair.map(u32::cast_signed)).collect(),
        level_set: floats(checkpoint, "state")?,
        fine_level_set: optional(FINE)?,
        faces: floats(checkpoint, "faces")?,
        inner: floats(checkpoint, "inner")?,
        pressure: floats(checkpoint, "pressure")?,
        samples: optional(SAMPLES)?,
    };
    let bodies = if checkpoint.arrays.iter().any(|(name, _)| name == BODIES) {
        let words = checkpoint.u32(BODIES).map_err(|e| e.to_string())?;
        let (count, words) = words.split_first().ok_or("its bodies are empty")?;
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(*count as usize);
        bytes
    } else {
        Vec::new()
    };
    let vectors = |name: &str| -> Result<Vec<[f32; 4]>, String> {
        Ok(checkpoint.f32(name).map_err(|e| e.to_string())?.as_chunks::<4>().0.to_vec())
    };
    let whitewater = match whitewater {
        Some(WhitewaterHeader { steps, state }) => Some(Box::new(whitewater::Snapshot {
            steps,
            state,
            places: vectors(PLACES)?,
            motions: vectors(MOTIONS)?,
            foam: floats(checkpoint, FOAM)?,
        })),
        None => None,
    };
    Ok(SavedTall { snapshot, crowded_columns, bodies, whitewater })
}
