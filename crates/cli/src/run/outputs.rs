//! What a run makes of the water at a frame. The thread of the simulation only reads the water; the rest is tasks for the line.

use std::sync::Arc;

use thalweg::compute::Later;
use thalweg::{Ability, Error, Simulation, Statistics, WaterSurface};

use super::busy::{Busy, Stage};
use super::checkpoint;
use super::exports::Exports;
use super::line::{Job, Line};
use super::pictures::Pictures;
use super::player::Player;
use super::progress::Progress;
use super::writer::Made;
use crate::failure::Outcome;

/// Work that ends with something to write.
pub(super) type Task<'a> = Job<'a, Vec<Made>>;

/// The water at a frame.
pub(super) struct Moment {
    pub(super) frame: u64,
    /// s.
    pub(super) time: f64,
    pub(super) statistics: Statistics,
    /// Of a height field, read once for all that look at it.
    pub(super) surface: Option<Arc<WaterSurface>>,
}

impl Moment {
    /// The surface, for a task.
    pub(super) fn surface_later(&self, simulation: &mut Simulation) -> Outcome<Later<Arc<WaterSurface>, Error>> {
        Ok(match self.surface.clone() {
            Some(surface) => Later::new(|| Ok(surface)),
            None => simulation.water_surface_later()?.map(Arc::new),
        })
    }
}

/// All that is made of frames, and the line to its writer.
pub(super) struct Outputs<'a> {
    pub(super) pictures: Pictures,
    pub(super) exports: Exports,
    pub(super) player: Option<Player>,
    pub(super) line: Line<'a, Vec<Made>>,
    pub(super) busy: &'a Busy,
    pub(super) progress: &'a Progress,
}

impl<'a> Outputs<'a> {
    /// Sends the water as it is off to become files.
    pub(super) fn frame(&mut self, simulation: &mut Simulation, frame: u64, statistics: Statistics) -> Outcome {
        let busy = self.busy;
        let tasks = busy.time(Stage::Draw, || -> Outcome<_> {
            let moment = Moment { frame, time: simulation.time(), statistics, surface: self.surface(simulation)? };
            let mut tasks = self.pictures.read(simulation, &moment, busy)?;
            tasks.extend(self.exports.read(simulation, &moment, busy)?);
            if let Some(player) = &self.player {
                tasks.extend(player.read(simulation, &moment, busy)?);
            }
            Ok(tasks)
        })?;
        tasks.into_iter().try_for_each(|task| self.put(task))
    }

    /// Sends a checkpoint after all that was made before it.
    pub(super) fn checkpoint(&mut self, simulation: &mut Simulation, initial_volume: f64) -> Outcome {
        let (busy, scales) = (self.busy, self.pictures.scales());
        let saved = busy.time(Stage::Write, || checkpoint::save(simulation, initial_volume))?;
        self.put(Box::new(move || {
            let ranges = scales.run(|scales| super::pictures::ranges(scales.as_slice()))?;
            Ok(vec![Made::Checkpoint(busy.time(Stage::Write, || saved.pack(ranges))?)])
        }))
    }

    /// Waits until all is written, and tells what went wrong on the way.
    pub(super) fn finish(self) -> Outcome {
        self.line.finish()
    }

    fn put(&self, task: Task<'a>) -> Outcome {
        self.progress.asked();
        Ok(self.line.put(task)?)
    }

    fn surface(&self, simulation: &mut Simulation) -> Outcome<Option<Arc<WaterSurface>>> {
        let is_wanted = self.pictures.wants_surface() || self.exports.wants_surface() || self.player.is_some();
        let is_height_field = !simulation.abilities().has(Ability::ThreeDimensional);
        Ok(if is_wanted && is_height_field { Some(Arc::new(simulation.water_surface()?)) } else { None })
    }
}
