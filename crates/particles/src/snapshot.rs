//! All that particles need to go on with the same bits.

use thalweg_compute::Later;

use crate::constants::{extent, tally};
use crate::error::{ParticlesError, Result};
use crate::particles::LiquidParticles;

/// Saved particles. Restored with the same setup they go on with the same bits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snapshot {
    /// Seconds since the start.
    pub time: f64,
    /// Largest speed, from which the next frame has its sub-steps, m/s.
    pub speed: f64,
    /// Number of the next particle.
    pub next_id: u32,
    /// Places in the order of slots.
    pub places: Vec<[f32; 4]>,
    /// Velocities and what solvers keep.
    pub motions: Vec<[f32; 4]>,
    /// Numbers.
    pub ids: Vec<u32>,
    /// What came and went: words.
    pub tally: Vec<u32>,
    /// Of every source the share of a particle that has come out, and particles let go.
    pub sources: Vec<(f64, u64)>,
}

impl LiquidParticles {
    /// Saves them; waits for the executor.
    pub fn snapshot(&self) -> Result<Snapshot> {
        self.snapshot_later()?.wait()
    }

    /// The same, to be put together while the particles go on; does not wait.
    pub fn snapshot_later(&self) -> Result<Later<Snapshot, ParticlesError>> {
        let (exec, state) = (&self.exec, &self.state);
        let words = exec.read_async(&state.extent)?;
        let (places, motions) = (exec.read_async(&state.places)?, exec.read_async(&state.motions)?);
        let (ids, tally) = (exec.read_async(&state.ids)?, exec.read_async(&state.tally)?);
        let census = self.census_later()?;
        let (time, next_id, sources, known) = (self.time, self.next_id, self.sources.saved(), self.speed);
        Ok(Later::new(move || {
            let count = words.wait()?[extent::COUNT] as usize;
            let (mut places, mut motions, mut ids) = (places.wait()?, motions.wait()?, ids.wait()?);
            places.truncate(count);
            motions.truncate(count);
            ids.truncate(count);
            // Before the first frame nobody has looked at the particles.
            let speed = if time > 0.0 { census.wait()?.speed } else { known };
            Ok(Snapshot { time, speed, next_id, places, motions, ids, tally: tally.wait()?, sources })
        }))
    }

    /// Restores what was saved, and makes room for it; nothing has changed if it does not fit.
    pub fn restore(&mut self, saved: &Snapshot) -> Result<()> {
        let fits = |field, found: usize, wanted: usize| match found == wanted {
            true => Ok(()),
            false => Err(ParticlesError::Snapshot { field, found, wanted }),
        };
        fits("motions", saved.motions.len(), saved.places.len())?;
        fits("ids", saved.ids.len(), saved.places.len())?;
        fits("tally", saved.tally.len(), tally::WORDS)?;
        fits("sources", saved.sources.len(), self.sources.saved().len())?;
        self.grow(saved.places.len())?;
        self.put(&saved.places, &saved.motions, &saved.ids)?;
        self.exec.write(&self.state.tally, 0, &saved.tally)?;
        self.sources.restore(&saved.sources);
        (self.time, self.speed, self.next_id) = (saved.time, saved.speed, saved.next_id);
        self.forget_pending();
        Ok(())
    }
}
