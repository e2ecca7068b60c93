//! All that whitewater needs to go on with the same bits.

use thalweg_compute::Later;

use crate::error::{Result, WhitewaterError};
use crate::spawn::{extent, state};
use crate::whitewater::Whitewater;

/// Saved whitewater. Restored with the same settings over the same water it goes on with the same bits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snapshot {
    /// Steps taken.
    pub steps: u64,
    /// Drops refused: words.
    pub state: Vec<u32>,
    /// Places of those alive.
    pub places: Vec<[f32; 4]>,
    /// Their motions.
    pub motions: Vec<[f32; 4]>,
    /// The foam map.
    pub foam: Vec<f32>,
}

impl Whitewater {
    /// Saves it.
    pub fn snapshot_later(&self) -> Result<Later<Snapshot, WhitewaterError>> {
        let (extents, state) = (self.exec.read_async(&self.extents)?, self.exec.read_async(&self.state)?);
        let (places, motions) = (self.exec.read_async(&self.now.places)?, self.exec.read_async(&self.now.motions)?);
        let (foam, steps) = (self.exec.read_async(&self.foam)?, self.steps);
        Ok(Later::new(move || {
            let alive = extents.wait()?[extent::ALIVE + extent::COUNT] as usize;
            let (mut places, mut motions) = (places.wait()?, motions.wait()?);
            places.truncate(alive);
            motions.truncate(alive);
            Ok(Snapshot { steps, state: state.wait()?, places, motions, foam: foam.wait()? })
        }))
    }

    /// Restores what was saved; nothing has changed if it does not fit.
    pub fn restore(&mut self, saved: &Snapshot) -> Result<()> {
        let capacity = self.settings.capacity as usize;
        let fits = |field, found: usize, wanted: usize| match found == wanted {
            true => Ok(()),
            false => Err(WhitewaterError::Snapshot { field, found, wanted }),
        };
        fits("particles", saved.places.len(), saved.places.len().min(capacity))?;
        fits("motions", saved.motions.len(), saved.places.len())?;
        fits("state", saved.state.len(), state::COUNT)?;
        fits("foam", saved.foam.len(), self.shape.columns())?;
        let mut rec = self.exec.record();
        rec.clear(&self.now.places)?;
        rec.clear(&self.now.motions)?;
        rec.submit()?;
        self.exec.write(&self.now.places, 0, &saved.places)?;
        self.exec.write(&self.now.motions, 0, &saved.motions)?;
        // The other buffers hold what they held: the next step empties all of them.
        let extents = [extent::of(saved.places.len() as u32), extent::of(self.settings.capacity)].concat();
        self.exec.write(&self.extents, 0, &extents)?;
        self.exec.write(&self.state, 0, &saved.state)?;
        self.exec.write(&self.foam, 0, &saved.foam)?;
        self.steps = saved.steps;
        Ok(())
    }
}
