//! Water that is saved, and restored.

use thalweg_compute::{Buffer, Later, Readback};

use crate::error::{Result, ShallowError, invalid};
use crate::output::Snapshot;
use crate::solver::ShallowWater;

impl ShallowWater {
    /// Everything needed to go on later with the same bits.
    pub fn snapshot_later(&mut self) -> Result<Later<Snapshot, ShallowError>> {
        self.settle()?;
        let ledger = self.post()?;
        self.look_now()?;
        let Self { exec, buffers, time, substeps, substep_rate, .. } = &*self;
        let (time, substeps, substep_rate) = (*time, *substeps, *substep_rate);
        let read = |buffer: &Buffer<f32>| exec.read_async(buffer);
        let (state, sides, speeds) =
            (read(&buffers.state[self.current])?, read(&buffers.levels)?, read(&buffers.speeds)?);
        let faces = buffers.staggered.as_ref().map(|m| read(&m.faces)).transpose()?;
        let maps = buffers.maps.as_ref().map(read).transpose()?;
        Ok(Later::new(move || {
            let some =
                |read: Option<Readback<f32>>| read.map(Readback::wait).transpose().map(Option::unwrap_or_default);
            Ok(Snapshot {
                time,
                state: state.wait()?,
                faces: some(faces)?,
                sides: sides.wait()?,
                maps: some(maps)?,
                speed: speeds.wait()?.iter().fold(0.0, |a: f32, &b| a.max(b)),
                ledger: ledger.wait()?.to_words(),
                substeps,
                substep_rate,
            })
        }))
    }

    /// Goes back to a snapshot of a run with the same setup.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<()> {
        self.settle()?;
        let faces = self.buffers.staggered.as_ref().map_or(0, |m| m.faces.len());
        let planes = self.buffers.maps.as_ref().map_or(0, Buffer::len);
        let needed = [3 * self.bed.len(), faces, self.buffers.levels.len(), planes];
        let found = [snapshot.state.len(), snapshot.faces.len(), snapshot.sides.len(), snapshot.maps.len()];
        if found != needed {
            return invalid(format!(
                "the snapshot has {} words of cells, {} of faces, {} of sides and {} of maps, this grid, scheme, sides and maps need {}, {}, {} and {}",
                found[0], found[1], found[2], found[3], needed[0], needed[1], needed[2], needed[3]
            ));
        }
        let numbers = || snapshot.state.iter().chain(&snapshot.faces).chain(&snapshot.sides).chain(&snapshot.maps);
        if !numbers().all(|x| x.is_finite()) || !snapshot.time.is_finite() {
            return invalid("the snapshot holds numbers that are not finite");
        }
        self.ledger.restore(&snapshot.ledger).or_else(|error| invalid(error.to_string()))?;
        self.posted = None;
        self.exec.write(&self.buffers.state[self.current], 0, &snapshot.state)?;
        if let Some(m) = &self.buffers.staggered {
            self.exec.write(&m.faces, 0, &snapshot.faces)?;
        }
        self.exec.write(&self.buffers.levels, 0, &snapshot.sides)?;
        if let Some(maps) = &self.buffers.maps {
            self.exec.write(maps, 0, &snapshot.maps)?;
        }
        let mut speeds = vec![0.0; self.buffers.speeds.len()];
        speeds[0] = snapshot.speed;
        self.exec.write(&self.buffers.speeds, 0, &speeds)?;
        let mut rec = self.exec.record();
        rec.clear(&self.buffers.edges)?;
        rec.clear(&self.buffers.exchanged)?;
        rec.submit()?;
        self.time = snapshot.time;
        self.frames = 0;
        self.substeps = snapshot.substeps;
        self.substep_rate = snapshot.substep_rate;
        Ok(())
    }
}
