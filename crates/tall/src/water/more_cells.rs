//! More regular cells for columns.
//!
//! Tall cells end below what moves (`solids/`): a body in a tall cell has no shape that two numbers could hold. When
//! its keel goes deeper than the regular cells of the columns reach, all columns get more of them, between two plans:
//! air on top, for the next remeshing to use below. What was there keeps its bits.

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_solids::Obstacle;

use crate::constants::FAR;
use crate::error::Result;
use crate::setup::{Options, Setup};
use crate::solver::stages::exchange::Exchange;
use crate::solver::stages::remesh::AHEAD;
use crate::solver::surface::level_set::fine::FineGrid;
use crate::water::TallWater;
use crate::water::observation::Observation;
use crate::water::snapshot::Snapshot;

/// Samples of all columns that they grow to at most, unless they have more from the start: some 2 GB of memory.
const MOST_SAMPLES: usize = 1 << 24;

/// Regular cells more than are missing, over those that there are: a body that sinks does not ask again at once, and
/// the flow below it gets some.
const SPARE: f64 = 0.5;

/// What a body of water was made from, but for its water.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    terrain: Arc<[f64]>,
    obstacles: Vec<Obstacle>,
    exchange: Exchange,
    height: f64,
    /// Regular cells of a column at the start.
    regular: usize,
}

impl Origin {
    pub(crate) fn new(setup: &Setup<'_>, exchange: &Exchange) -> Self {
        Self {
            terrain: setup.terrain.into(),
            obstacles: setup.obstacles.to_vec(),
            exchange: exchange.clone(),
            height: setup.height,
            regular: setup.shape.regular,
        }
    }

    /// Most regular cells of a column: those of a uniform grid.
    fn most_regular(&self, shape: Shape, cell: f64, options: &Options) -> usize {
        let above = options.band.map_or(0, |band| band.above as usize);
        let all = (self.height / cell).ceil() as usize + above;
        let fit = (MOST_SAMPLES / shape.columns().max(1)).saturating_sub(2);
        all.min(fit).max(self.regular)
    }
}

impl TallWater {
    /// Gives all columns more regular cells if the last [`Self::plan`] has found that something that moves would meet
    /// tall cells without them, and there is memory for them; `true` if it did. Between two plans, when nothing is
    /// being poured.
    pub fn make_room(&mut self) -> Result<bool> {
        let short = std::mem::take(&mut self.planning.short) as usize;
        let shape = self.state.shape();
        if short == 0 || !self.stages.remesh.is_active() {
            return Ok(false);
        }
        let most = self.origin.most_regular(shape, self.state.cell(), &self.options);
        let spare = (SPARE * shape.regular as f64) as usize;
        let regular = (shape.regular + short + spare).next_multiple_of(4).min(most);
        if regular <= shape.regular {
            return Ok(false);
        }
        let mut saved = self.snapshot()?;
        saved.observation = saved.observation.map(|observation| Observation { short: 0, ..observation });
        let wider = Widening { from: shape, to: Shape { regular, ..shape } };
        let mut grown = self.on_columns(wider.to)?;
        grown.restore(&wider.widened(saved, grown.stages.surface.fine().is_some()))?;
        *self = grown;
        Ok(true)
    }

    /// Regular cells that will be missing two plans from now, each of `seconds`: the plan goes by what the one before
    /// it has seen. `short` is how many would keep tall cells [`AHEAD`] cells below what moves.
    pub(crate) fn cells_missing(&self, short: u32, seconds: f64) -> u32 {
        let way = 2.0 * seconds * self.stages.solids.speed(self.clock.time) / self.state.cell();
        (short + way.min(f64::from(AHEAD)).ceil() as u32).saturating_sub(AHEAD as u32)
    }

    /// Changes to the number of regular cells that a snapshot has.
    pub(crate) fn fit(&mut self, saved: &Snapshot) -> Result<()> {
        let shape = self.state.shape();
        let columns = shape.columns();
        let samples = saved.level_set.len() / columns.max(1);
        let is_other = samples != shape.samples() && samples > 2 && samples * columns == saved.level_set.len();
        if is_other && saved.heights.len() == columns && self.stages.remesh.is_active() {
            *self = self.on_columns(Shape { regular: samples - 2, ..shape })?;
        }
        Ok(())
    }

    /// Water like this one on other columns, without any water in it yet.
    fn on_columns(&self, shape: Shape) -> Result<Self> {
        let Origin { terrain, obstacles, exchange, height, regular } = &self.origin;
        let cell = self.state.cell();
        let setup = Setup {
            shape,
            cell,
            height: *height,
            terrain,
            level_set: &|_| FAR * cell,
            obstacles,
            velocity: [0.0; 2],
            options: Options { iterations: self.most_iterations(), ..self.options },
        };
        let mut water = Self::with_exchange(self.exec.clone(), &setup, exchange)?;
        water.origin.regular = *regular;
        water.go_on_like(self);
        water.planning.most_crowded = self.planning.most_crowded;
        let bodies = self.stages.bodies.placed();
        if !bodies.is_empty() {
            water.place_bodies(bodies)?;
        }
        Ok(water)
    }
}

impl TallWater {
    /// Settings and limits of other water, which this one goes on for.
    pub(super) fn go_on_like(&mut self, other: &Self) {
        let Self { options, acceleration, given_speed, fall, .. } = *other;
        (self.options, self.acceleration, self.given_speed, self.fall) = (options, acceleration, given_speed, fall);
        self.state.set_level(other.state.level());
    }
}

/// From columns to columns with more regular cells.
struct Widening {
    from: Shape,
    to: Shape,
}

impl Widening {
    fn widened(&self, mut saved: Snapshot, has_fine: bool) -> Snapshot {
        let n = self.from.samples();
        saved.level_set = self.level_set(&saved.level_set);
        saved.pressure = lines(&saved.pressure, (n, self.to.samples()), |_, line, new| new[line.len()..].fill(0.0));
        saved.samples = lines(&saved.samples, (n, self.to.samples()), repeat_last);
        let columns = self.from.columns();
        saved.faces = lines(&saved.faces, (n, self.to.samples()), |index, line, new| {
            new[line.len()..].fill(0.0);
            if index / columns == 1 {
                // The face at the top of the column is its entry 0; there are air and more faces over it now.
                new[line.len()..].fill(line[0]);
            }
        });
        if has_fine {
            let [from, to] = [self.from, self.to].map(|shape| FineGrid::new(shape).shape());
            saved.fine_level_set = Widening { from, to }.level_set(&saved.fine_level_set);
        }
        saved
    }

    /// Cells over a column are air, farther away from the water one by one.
    fn level_set(&self, values: &[f32]) -> Vec<f32> {
        lines(values, (self.from.samples(), self.to.samples()), |_, line, new| {
            let top = line[line.len() - 1].max(0.0);
            for (above, value) in new[line.len()..].iter_mut().enumerate() {
                *value = (top + above as f32 + 1.0).min(FAR as f32);
            }
        })
    }
}

fn repeat_last(_: usize, line: &[f32], new: &mut [f32]) {
    new[line.len()..].fill(line[line.len() - 1]);
}

/// Lines of columns, longer at their ends.
fn lines(values: &[f32], (from, to): (usize, usize), end: impl Fn(usize, &[f32], &mut [f32])) -> Vec<f32> {
    let mut all = Vec::with_capacity(values.len() / from * to);
    for (index, line) in values.chunks_exact(from).enumerate() {
        let first = all.len();
        all.extend_from_slice(line);
        all.resize(first + to, 0.0);
        end(index, line, &mut all[first..]);
    }
    all
}

#[cfg(test)]
mod tests {
    use thalweg_compute::parity::own_test_executors;

    use super::*;
    use crate::{Band, Motion, Travel};

    /// A ball on its way down through columns that are too short for it, in a sloshing tank.
    fn water(exec: &Arc<thalweg_compute::Executor>, fine_surface: bool) -> TallWater {
        let ball = Obstacle::Sphere { centre: [0.8, 4.6, 0.8], radius: 0.3 };
        let travel = Travel::Constant { velocity: [0.0, -1.0, 0.0] };
        let setup = Setup {
            shape: Shape { nx: 16, nz: 16, regular: 20 },
            cell: 0.1,
            height: 6.0,
            terrain: &[0.0; 256],
            level_set: &|[x, y, _]| y - 5.0 - 0.1 * x,
            obstacles: &[Obstacle::Moving { shape: Box::new(ball), motion: Motion { travel, spin: None } }],
            velocity: [0.0; 2],
            options: Options {
                band: Some(Band { below: 6, above: 6, ..Band::default() }),
                fine_surface,
                ..Options::default()
            },
        };
        TallWater::new(exec.clone(), &setup).expect("water")
    }

    #[test]
    fn columns_follow_what_goes_down() {
        for exec in own_test_executors() {
            let is_cpu = exec.describe().starts_with("cpu");
            for fine in [false, true] {
                let mut water = water(&exec, fine);
                let (mut grew, mut deep) = (0, 0);
                for _ in 0..if is_cpu { 60 } else { 20 } {
                    water.advance(1.0 / 30.0).expect("a step");
                    let (before, ledger) = (water.statistics().expect("sums"), water.ledger().expect("a ledger"));
                    if water.make_room().expect("room") {
                        grew += 1;
                        let after = water.statistics().expect("sums");
                        assert!((after.volume / before.volume - 1.0).abs() < 1e-6, "{before:?} {after:?}");
                        assert!((after.energy / before.energy - 1.0).abs() < 1e-5, "{before:?} {after:?}");
                        assert_eq!(water.ledger().expect("a ledger"), ledger);
                    }
                    let keel = ((4.3 - water.time()) / 0.1).floor() as i32;
                    let heights = water.heights().expect("heights");
                    deep += usize::from(heights[8 + 16 * 8][1] > keel);
                }
                assert!(grew > 0 && deep == 0, "grew {grew} times, the ball met a tall cell in {deep} frames");
            }
        }
    }

    #[test]
    fn grown_columns_are_restored_by_water_that_has_not_grown() {
        let exec = Arc::new(thalweg_compute::Executor::cpu().expect("an executor"));
        let mut whole = water(&exec, true);
        for _ in 0..40 {
            whole.advance(1.0 / 30.0).expect("a step");
            whole.make_room().expect("room");
        }
        let saved = whole.snapshot().expect("a snapshot");
        assert!(whole.shape().regular > 20);
        let mut other = water(&exec, true);
        other.restore(&saved).expect("restored");
        for water in [&mut whole, &mut other] {
            for _ in 0..10 {
                water.advance(1.0 / 30.0).expect("a step");
                water.make_room().expect("room");
            }
        }
        assert!(whole.snapshot().expect("a snapshot") == other.snapshot().expect("a snapshot"));
    }
}
