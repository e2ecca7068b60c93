//! Three-dimensional water, its bodies and its whitewater as a snapshot.

use serde::{Deserialize, Serialize};
use thalweg_compute::Later;
use thalweg_model::Snapshot;
use thalweg_tall::{self as tall, Observation};
use thalweg_whitewater::{self as whitewater, Whitewater};

use super::TallScene;
use crate::bodies::FloatingBodies;
use crate::error::Error;

/// Name of what it saves.
pub(super) const KIND: &str = "tall";

/// Arrays that only some scenes have: a surface finer than the simulation, velocities of samples in the collocated discretisation, rigid bodies, and
/// spray, mist and foam.
const FINE: &str = "fine_surface";
const SAMPLES: &str = "samples";
const BODIES: &str = "bodies";
const PLACES: &str = "particles";
const MOTIONS: &str = "particle_motions";
const FOAM: &str = "foam";

#[derive(Debug, Serialize, Deserialize)]
struct Numbers {
    substeps: u64,
    #[serde(default)]
    outlook: Option<OutlookNumbers>,
    needed_iterations: usize,
    planned_iterations: usize,
    last_step: f64,
    ledger: Vec<u32>,
    sources: Vec<f32>,
    control: Vec<f32>,
    crowded_columns: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    whitewater: Option<WhitewaterNumbers>,
}

/// What steps are planned by.
#[derive(Debug, Serialize, Deserialize)]
struct OutlookNumbers {
    speed: f32,
    growth: f32,
    iterations: usize,
    crowded: u32,
    #[serde(default)]
    short: u32,
}

/// What whitewater remembers beside its arrays.
#[derive(Debug, Serialize, Deserialize)]
struct WhitewaterNumbers {
    steps: u64,
    state: Vec<u32>,
}

impl TallScene {
    pub(super) fn save_later(&self) -> Result<Later<Snapshot, Error>, Error> {
        let particles = self.whitewater.as_ref().map(Whitewater::snapshot_later).transpose()?;
        let bodies = self.bodies.as_ref().map_or_else(Vec::new, FloatingBodies::save);
        let (crowded, crowded_before) = (self.water.crowded_columns_later()?, self.crowded);
        let water = self.water.snapshot_later()?;
        Ok(Later::new(move || {
            let particles = particles.map(Later::wait).transpose()?;
            packed(water.wait()?, particles, &bodies, crowded_before.max(crowded.wait()?))
        }))
    }

    pub(super) fn load(&mut self, saved: &Snapshot) -> Result<(), Error> {
        let numbers: Numbers = saved.numbers()?;
        let bodies = if saved.has(BODIES) { bytes(saved.u32(BODIES)?) } else { Vec::new() };
        match &mut self.bodies {
            Some(afloat) => afloat.load(&bodies, &mut self.water)?,
            None if !bodies.is_empty() => return Err(Error::Saved("it holds bodies, the scene has none".into())),
            None => {}
        }
        match (&mut self.whitewater, numbers.whitewater) {
            (Some(here), Some(WhitewaterNumbers { steps, state })) => here.restore(&whitewater::Snapshot {
                steps,
                state,
                places: saved.f32(PLACES)?.as_chunks::<4>().0.to_vec(),
                motions: saved.f32(MOTIONS)?.as_chunks::<4>().0.to_vec(),
                foam: saved.f32(FOAM)?.to_vec(),
            })?,
            (None, None) => {}
            (here, _) => {
                let both = if here.is_some() {
                    "no whitewater, and this scene has"
                } else {
                    "whitewater, and this scene has no"
                };
                return Err(Error::Saved(format!("it was saved with {both} [whitewater]")));
            }
        }
        let plan = |OutlookNumbers { speed, growth, iterations, crowded, short }| Observation {
            speed,
            growth,
            iterations,
            crowded,
            short,
        };
        let heights = saved.u32("heights")?.as_chunks::<2>().0.iter().map(|pair| pair.map(u32::cast_signed));
        self.water.restore(&tall::Snapshot {
            time: saved.time,
            steps: numbers.substeps,
            observation: numbers.outlook.map(plan),
            needed_iterations: numbers.needed_iterations,
            planned_iterations: numbers.planned_iterations,
            last_step: numbers.last_step,
            ledger: numbers.ledger,
            sources: numbers.sources,
            control: numbers.control,
            heights: heights.collect(),
            level_set: saved.f32("state")?.to_vec(),
            fine_level_set: saved.some_f32(FINE)?.to_vec(),
            faces: saved.f32("faces")?.to_vec(),
            inner: saved.f32("inner")?.to_vec(),
            pressure: saved.f32("pressure")?.to_vec(),
            samples: saved.some_f32(SAMPLES)?.to_vec(),
        })?;
        (self.frames, self.crowded, self.pours) = (0, numbers.crowded_columns, false);
        Ok(())
    }
}

fn packed(
    water: tall::Snapshot,
    particles: Option<whitewater::Snapshot>,
    bodies: &[u8],
    crowded_columns: u32,
) -> Result<Snapshot, Error> {
    let plan = |Observation { speed, growth, iterations, crowded, short }| OutlookNumbers {
        speed,
        growth,
        iterations,
        crowded,
        short,
    };
    let numbers = Numbers {
        substeps: water.steps,
        outlook: water.observation.map(plan),
        needed_iterations: water.needed_iterations,
        planned_iterations: water.planned_iterations,
        last_step: water.last_step,
        ledger: water.ledger,
        sources: water.sources,
        control: water.control,
        crowded_columns,
        whitewater: particles
            .as_ref()
            .map(|saved| WhitewaterNumbers { steps: saved.steps, state: saved.state.clone() }),
    };
    // Heights below the corner of the domain keep their bits.
    let heights: Vec<u32> = water.heights.iter().flatten().map(|cells| cells.cast_unsigned()).collect();
    let saved = Snapshot::new(KIND, water.time, &numbers)?
        .with("state", water.level_set)
        .with("heights", heights)
        .with("faces", water.faces)
        .with("inner", water.inner)
        .with("pressure", water.pressure)
        .with_some(FINE, water.fine_level_set)
        .with_some(SAMPLES, water.samples)
        .with_some(BODIES, words(bodies));
    Ok(match particles {
        Some(particles) => saved
            .with(PLACES, particles.places.concat())
            .with(MOTIONS, particles.motions.concat())
            .with(FOAM, particles.foam),
        None => saved,
    })
}

/// Bytes as words of four, the last one filled up; the first word is how many there are. Nothing of nothing.
fn words(bytes: &[u8]) -> Vec<u32> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let mut words = vec![u32::try_from(bytes.len()).unwrap_or(u32::MAX)];
    words.extend(bytes.chunks(4).map(|chunk| {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        u32::from_le_bytes(word)
    }));
    words
}

/// What [`words`] were made of.
fn bytes(words: &[u32]) -> Vec<u8> {
    let Some((count, words)) = words.split_first() else { return Vec::new() };
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.truncate(*count as usize);
    bytes
}

#[cfg(test)]
mod tests {
    use super::{bytes, words};

    #[test]
    fn bytes_come_back_from_words() {
        for count in 0..9u8 {
            let some: Vec<u8> = (1..=count).collect();
            assert_eq!(bytes(&words(&some)), some);
        }
    }
}
