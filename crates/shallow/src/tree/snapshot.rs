//! A tree put aside and taken up again.

use thalweg_compute::{Later, Readback};

use super::layout::{NONE, topology};
use super::map::Map;
use super::water::TreeWater;
use crate::error::{Result, ShallowError, invalid};

/// All that a tree needs to go on with the same bits.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeSnapshot {
    /// Simulated time, s.
    pub time: f64,
    /// Tiles and maps.
    pub topology: Vec<u32>,
    /// Their cells.
    pub cells: Vec<f32>,
    /// Beds of their children.
    pub nursery: Vec<f32>,
    /// Signals, motion, volumes that came and went.
    pub status: Vec<f32>,
    /// Volumes as whole numbers, then what rain and sources owe, of [`TreeScheme::KernelAdvection`](super::TreeScheme); else empty.
    pub volumes: Vec<u32>,
    /// The levels that sides hold, and what absorbing sides remember; empty if no side holds a level.
    pub sides: Vec<f32>,
    /// Words of the ledger.
    pub ledger: Vec<u32>,
    /// Ticks and cell-steps since the start.
    pub counts: [f64; 2],
    /// Ticks since the tree was looked at, strain of tolerances, rounds a second, doublings of steps.
    pub pace: [f64; 4],
    /// Whether there is an observer (1 or 0), its place along x and z, and the distance up to which cells may be the finest, m. `None`: a snapshot from
    /// before it was kept; then the observer stays where it is.
    pub observer: Option<[f64; 4]>,
}

impl TreeWater {
    /// Everything needed to go on later with the same bits.
    pub fn snapshot_later(&mut self) -> Result<Later<TreeSnapshot, ShallowError>> {
        self.settle()?;
        let ledger = self.post()?;
        let (exec, b) = (&self.exec, &self.buffers);
        let (topology, cells, nursery) =
            (exec.read_async(&b.topology)?, exec.read_async(&b.cells)?, exec.read_async(&b.nursery)?);
        let (status, sides) = (exec.read_async(&b.status)?, exec.read_async(&b.levels)?);
        let volumes = b.kernel.as_ref().map(|kernel| exec.read_async(&kernel.volumes)).transpose()?;
        let portions = b.kernel.as_ref().and_then(|kernel| kernel.portions.as_ref());
        let portions = portions.map(|portions| exec.read_async(portions)).transpose()?;
        let (time, counts) = (self.time, [self.ticks as f64, self.work]);
        let pace = [f64::from(self.since), f64::from(self.strain), self.round_rate, f64::from(self.rates)];
        let observer = Some(self.plan.observer().map(f64::from));
        Ok(Later::new(move || {
            let mut words = volumes.map(Readback::wait).transpose()?.unwrap_or_default();
            let owed = portions.map(Readback::wait).transpose()?.unwrap_or_default();
            words.extend(owed.into_iter().map(f32::to_bits));
            Ok(TreeSnapshot {
                time,
                topology: topology.wait()?,
                cells: cells.wait()?,
                nursery: nursery.wait()?,
                status: status.wait()?,
                volumes: words,
                sides: sides.wait()?,
                ledger: ledger.wait()?.to_words(),
                counts,
                pace,
                observer,
            })
        }))
    }

    /// Goes back to a snapshot of a run with the same setup.
    pub fn restore(&mut self, snapshot: &TreeSnapshot) -> Result<()> {
        self.settle()?;
        let b = &self.buffers;
        let volumes = b
            .kernel
            .as_ref()
            .map_or(0, |kernel| kernel.volumes.len() + kernel.portions.as_ref().map_or(0, |portions| portions.len()));
        let needed = [b.topology.len(), b.cells.len(), b.nursery.len(), b.status.len(), volumes, b.levels.len()];
        let TreeSnapshot { topology, cells, nursery, status, volumes, sides, .. } = snapshot;
        let found = [topology.len(), cells.len(), nursery.len(), status.len(), volumes.len(), sides.len()];
        if needed != found {
            return invalid(
                "the snapshot is of a tree with another size, budget, scheme, number of levels or of sources, or other sides",
            );
        }
        let numbers = || snapshot.cells.iter().chain(&snapshot.nursery).chain(&snapshot.sides);
        let observed = snapshot.observer.iter().flatten().all(|x| x.is_finite());
        let owed = snapshot.volumes.iter().skip(b.kernel.as_ref().map_or(0, |kernel| kernel.volumes.len()));
        let portions = owed.map(|&bits| f32::from_bits(bits)).all(f32::is_finite);
        if !numbers().all(|x| x.is_finite()) || !snapshot.time.is_finite() || !observed || !portions {
            return invalid("the snapshot holds numbers that are not finite");
        }
        let table: Vec<u32> = self.plan.levels.table.iter().flatten().copied().collect();
        if snapshot.topology[..topology::TILES] != table[..] || !is_consistent(&snapshot.topology, self.plan.capacity) {
            return invalid("the snapshot's tiles do not fit together");
        }
        self.ledger.restore(&snapshot.ledger).or_else(|error| invalid(error.to_string()))?;
        self.posted = None;
        self.exec.write(&b.topology, 0, &snapshot.topology)?;
        self.exec.write(&b.cells, 0, &snapshot.cells)?;
        self.exec.write(&b.nursery, 0, &snapshot.nursery)?;
        self.exec.write(&b.status, 0, &snapshot.status)?;
        self.exec.write(&b.levels, 0, &snapshot.sides)?;
        if let Some(kernel) = &b.kernel {
            let (volumes, portions) = snapshot.volumes.split_at(kernel.volumes.len());
            self.exec.write(&kernel.volumes, 0, volumes)?;
            self.exec.write(&kernel.tallies, 0, &vec![0; kernel.tallies.len()])?;
            if let Some(buffer) = &kernel.portions {
                let portions: Vec<f32> = portions.iter().map(|&bits| f32::from_bits(bits)).collect();
                self.exec.write(buffer, 0, &portions)?;
            }
        }
        if let Some(observer) = snapshot.observer {
            self.plan.restore_observer(observer.map(|x| x as f32));
            self.exec.write(&b.wishes, 0, &self.plan.wishes)?;
        }
        self.time = snapshot.time;
        self.frames = 0;
        (self.ticks, self.work) = (snapshot.counts[0] as u64, snapshot.counts[1]);
        let [since, strain, round_rate, rates] = snapshot.pace;
        (self.since, self.strain, self.round_rate) = (since as f32, strain as f32, round_rate);
        self.rates = (rates as u32).min(self.plan.clock.rates);
        let words = topology::TILES + topology::TILE_WORDS * self.plan.capacity;
        self.tiles = Some(self.exec.read_start(&self.buffers.topology, words)?);
        Ok(())
    }
}

/// Whether every tile is where the map says, and the map says nothing else.
fn is_consistent(words: &[u32], capacity: usize) -> bool {
    let map = Map(words);
    let mut tiles = 0;
    for slot in 0..capacity as u32 {
        if let Some(place) = map.tile(slot) {
            tiles += 1;
            if map.slot(place.level, place.x as i32, place.z as i32) != slot {
                return false;
            }
        }
    }
    let maps = &words[topology::TILES + topology::TILE_WORDS * capacity..];
    maps.iter().filter(|&&slot| slot != NONE).count() == tiles
}
