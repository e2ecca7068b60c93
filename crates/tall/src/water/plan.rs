//! How many steps to take, and how fast the water may be.

use crate::error::Result;
use crate::solver::stages::exchange::Moment;
use crate::solver::stages::longest_wave_step;
use crate::water::TallWater;

impl TallWater {
    /// How many equal steps to take until `seconds` have passed, by what the last plan saw of the flow and how it grew
    /// since the one before.
    pub fn plan(&mut self, seconds: f64) -> Result<u32> {
        let (cell, gravity) = (self.state.cell(), self.options.gravity);
        let (time, max_cfl) = (self.clock.time, self.options.max_cfl);
        let longest = longest_wave_step(cell, gravity);
        let jets = self.stages.exchange.speed(Moment { time, dt: seconds });
        let seen = self.observe()?;
        self.planning.iterations = seen.iterations.min(self.options.iterations);
        self.planning.most_crowded = self.planning.most_crowded.max(seen.crowded);
        self.planning.short = self.cells_missing(seen.short, seconds);
        // It has fallen for as long since; what grew faster is a jet of an impact, and gone by now.
        let growth = f64::from(seen.growth).min(gravity * seconds);
        let speed = (f64::from(seen.speed) + growth).max(jets) + gravity * seconds.min(longest);
        let solids = [0.0, 0.5, 1.0].map(|share| self.stages.solids.speed(time + share * seconds));
        let speed = solids.into_iter().fold(speed, f64::max);
        let cfl = max_cfl * cell / speed.max(1e-9);
        Ok(match self.options.single_step {
            true => 1,
            false => (seconds / longest.min(cfl)).ceil().clamp(1.0, 64.0) as u32,
        })
    }

    /// Speed at which velocities are cut off, m/s: that of a fall through the whole domain (or from twice the depth of
    /// the water at the start, if that is more) and what drives the water. Impacts make jets that are faster, thinner
    /// than a cell and gone after a frame; water squeezed in a pocket between solids or in a gap of a fraction of a
    /// cell would run away. [`Statistics::speed`](crate::Statistics::speed) at this limit tells that it happened.
    pub fn speed_limit(&self) -> f64 {
        let [ax, az] = self.acceleration;
        let weight = self.options.gravity.hypot(ax).hypot(az);
        let (sources, solids) = (self.stages.exchange.highest_speed(), self.stages.solids.speed(self.clock.time));
        let driven = self.given_speed + sources + solids;
        match (2.0 * weight * self.fall).sqrt() + driven {
            limit if limit > 0.0 => limit,
            _ => f64::from(f32::MAX),
        }
    }

    /// Most of [`Self::crowded_columns`] that any [`Self::plan`] has seen; does not wait.
    pub fn most_crowded(&self) -> u32 {
        self.planning.most_crowded
    }
}
