//! The solver on a tree: frames in, fields and statistics out.
//!
//! Nothing can be read before it is known whether the last frame has reached its end: that is what
//! [`TreeWater::settle`] waits for. All other reads only begin here; the caller waits for them.

use std::sync::Arc;

use rayon::prelude::*;
use thalweg_compute::{Dispatch, Executor, Later, Readback, Shared};
use thalweg_ledger::{Account, Ledger, Quantity};

use super::grow::{Beds, edge_beds, relative};
use super::initial_tiles;
use super::layout::{CELLS, NONE, NURSERY_WORDS, clock, source, topology};
use super::ledger::open_ledger;
use super::map::{Map, TilePlace, Tiling};
use super::params::TreePlan;
use super::setup::{Ground, TreeSetup};
use super::slot_counts;
use super::step::{Buffers, round};
use super::sums::{self, Sums};
use super::tree_clock::{MAX_RATE, arg};
use crate::clock::{DRIVER_SAMPLES, FIXED_DRIVERS, status as outcome};
use crate::error::{Result, ShallowError, invalid};
use crate::output::Statistics;
use crate::physics::dither_after;
use crate::plan::MAX_SUBSTEPS;

/// Density of water, kg/m³: only energies know it.
const DENSITY: f64 = 1000.0;
/// Tiles that get the beds of their children in one frame, at most.
const TENDED_AT_ONCE: usize = 512;

/// Shallow water on a quadtree of tiles.
pub struct TreeWater {
    pub(super) exec: Arc<Executor>,
    pub(super) plan: TreePlan,
    pub(super) buffers: Buffers,
    pub(super) ground: Arc<dyn Ground>,
    /// Finest cells along x and z.
    pub(super) size: [u32; 2],
    pub(super) levels: u32,
    pub(super) cell: f64,
    pub(super) datum: f64,
    pub(super) h_eps: f32,
    pub(super) time: f64,
    pub(super) frame: Option<Frame>,
    pub(super) frames: u64,
    /// Rounds of the last frame per second.
    pub(super) round_rate: f64,
    /// Doublings of steps that rounds are recorded with.
    pub(super) rates: u32,
    /// Without what was posted since the last frame.
    pub(super) ledger: Ledger,
    /// With it, if it was.
    pub(super) posted: Option<Shared<Ledger, ShallowError>>,
    pub(super) ticks: u64,
    /// Cells times steps since the start.
    pub(super) work: f64,
    /// Ticks since the tree was looked at, and how much tolerances are strained.
    pub(super) since: f32,
    pub(super) strain: f32,
    /// Tiles read back, to see which ones want the beds of their children.
    pub(super) tiles: Option<Readback<u32>>,
}

pub(super) struct Frame {
    seconds: f64,
    clock: Readback<f32>,
    /// Rounds that were complete when it was submitted.
    rounds: f32,
}

impl std::fmt::Debug for TreeWater {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TreeWater").field("time", &self.time).field("levels", &self.levels).finish_non_exhaustive()
    }
}

impl TreeWater {
    /// Takes memory, grows the tree that the water asks for and fills it. The setup is checked first.
    pub fn new(exec: Arc<Executor>, mut setup: TreeSetup<'_>) -> Result<Self> {
        setup.validate().map_err(|what| ShallowError::Invalid { what })?;
        let size = [setup.nx, setup.nz];
        let places = initial_tiles::cover(size, setup.levels);
        let cells = places.len() * CELLS;
        if cells > setup.refinement.budget {
            return invalid(format!(
                "the coarsest tiles alone have {cells} cells, more than the budget of {}: allow more cells, more levels, or a domain of whole tiles of the coarsest level",
                setup.refinement.budget
            ));
        }
        let mut beds = Beds::new(setup.ground.clone(), setup.datum);
        let edge_beds = edge_beds(&mut beds, &places, size, setup.levels);
        let plan = TreePlan::new(&mut setup, edge_beds)?;
        let buffers = Buffers::new(&exec, &plan)?;
        let mut topology = vec![NONE; plan.levels.words];
        for (words, table) in topology.chunks_exact_mut(topology::LEVEL_WORDS).zip(&plan.levels.table) {
            words.copy_from_slice(table);
        }
        for (slot, place) in places.iter().enumerate() {
            let tile = &mut topology[topology::TILES + topology::TILE_WORDS * slot..][..topology::TILE_WORDS];
            tile.copy_from_slice(&[place.level, place.x, place.z, NONE]);
            match plan.levels.word(*place) {
                Some(word) => topology[word] = slot as u32,
                None => return invalid(format!("tile {place:?} lies outside the domain")),
            }
        }
        exec.write(&buffers.topology, 0, &topology)?;
        let h_eps = plan.refine_criteria.h_eps;
        let mut water = Self {
            size,
            levels: setup.levels,
            cell: setup.cell,
            datum: setup.datum,
            ground: setup.ground.clone(),
            h_eps,
            time: 0.0,
            frame: None,
            frames: 0,
            round_rate: 0.0,
            rates: plan.clock.rates,
            ledger: open_ledger(&plan, setup.cell, size),
            posted: None,
            ticks: 0,
            work: 0.0,
            since: 0.0,
            strain: 1.0,
            tiles: None,
            exec,
            plan,
            buffers,
        };
        let units = water.grow(setup.initial, &mut beds)?;
        if water.buffers.kernel.is_some() {
            water.ledger.transfer(Quantity::Mass, Account::Opening, Account::Water, units as i128)?;
        }
        Ok(water)
    }

    /// Brings the beds of a tile's children.
    pub(super) fn tend(&self, slot: u32, place: TilePlace, bed: impl Fn(TilePlace) -> Arc<[f32; CELLS]>) -> Result<()> {
        if place.level + 1 < self.levels {
            let mut words = Vec::with_capacity(NURSERY_WORDS);
            (0..4).for_each(|n| words.extend_from_slice(&*bed(place.child(n))));
            self.exec.write(&self.buffers.nursery, slot as usize * NURSERY_WORDS, &words)?;
        }
        let key = topology::TILES + topology::TILE_WORDS * slot as usize + 3;
        Ok(self.exec.write(&self.buffers.topology, key, &[place.key()])?)
    }

    /// How its tiles lie in the domain.
    pub(super) fn tiling(&self) -> Tiling {
        Tiling { capacity: self.plan.capacity as u32, levels: self.levels, cell: self.cell }
    }

    /// Simulated time at the end of the last frame, s; that frame may still be under way on a GPU.
    pub fn time(&self) -> f64 {
        self.time + self.frame.as_ref().map_or(0.0, |frame| frame.seconds)
    }

    /// Frames since the start or the last [`restore`](Self::restore).
    pub fn frames(&self) -> u64 {
        self.frames + u64::from(self.frame.is_some())
    }

    /// Steps of the finest cells since the start, of frames that are complete.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Cells times steps since the start, of frames that are complete.
    pub fn cell_steps(&self) -> f64 {
        self.work
    }

    /// By how much tolerances are multiplied now to keep to the budget; 1 if it is large enough.
    pub fn strain(&self) -> f64 {
        f64::from(self.strain)
    }

    /// Parameters of the kernels.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn plan(&self) -> &TreePlan {
        &self.plan
    }

    /// The executor.
    pub fn executor(&self) -> &Arc<Executor> {
        &self.exec
    }

    /// Finest cells along x and z.
    pub fn size(&self) -> [usize; 2] {
        self.size.map(|n| n as usize)
    }

    /// Size of the finest cells, m.
    pub fn cell(&self) -> f64 {
        self.cell
    }

    /// Levels.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// Puts the observer somewhere in the world, m; cells within `near` may be the finest. The tree follows within the
    /// next frames. An observer of the setup who goes somewhere is back on his way in the next frame.
    pub fn observe(&mut self, place: [f64; 2], near: f64) -> Result<()> {
        if !(place.iter().all(|x| x.is_finite()) && near > 0.0) {
            return invalid("an observer needs a place and a distance that is positive");
        }
        self.plan.set_observer(place, near);
        Ok(self.exec.write(&self.buffers.wishes, 0, &self.plan.wishes)?)
    }

    /// Simulates `seconds`. On a GPU it returns before the work is done; an error of this frame may show at the next call.
    pub fn advance(&mut self, seconds: f64) -> Result<()> {
        if !(seconds.is_finite() && seconds > 0.0) {
            return invalid(format!("a frame of {seconds} s cannot be simulated"));
        }
        if let Some((place, near)) = self.plan.walker.as_ref().map(|walker| (walker.place(self.time), walker.near)) {
            self.observe(place, near)?;
        }
        self.settle()?;
        self.tend_tiles()?;
        let samples = self.plan.drivers.checked_samples(self.time, seconds)?;
        let mut clock = vec![0.0; self.buffers.clock.len()];
        clock[clock::FRAME] = seconds as f32;
        clock[clock::SINCE] = self.since;
        clock[clock::STRAIN] = self.strain;
        clock[clock::RAIN_RATE] = samples[4 * DRIVER_SAMPLES];
        clock[clock::DITHER] = dither_after(self.ticks);
        for (n, words) in self.plan.sources.iter().enumerate() {
            let out = &mut clock[clock::SOURCES + source::WORDS * n..][..source::WORDS];
            out.copy_from_slice(words);
            out[source::RATE] = samples[(FIXED_DRIVERS + n) * DRIVER_SAMPLES];
        }
        let due = self.plan.clock.interval > 0 && self.since >= self.plan.clock.interval as f32;
        if due {
            clock[clock::SINCE] = 0.0;
        }
        let tiles = thalweg_compute::fold(self.plan.capacity as u64).unwrap_or([0, 1, 1]);
        let mut args = vec![0u32; 3 * arg::COUNT];
        let groups = thalweg_compute::fold(slot_counts::groups(self.plan.capacity) as u64).unwrap_or([0, 1, 1]);
        let between = [
            (arg::ACTIVE_TILES, true, groups),
            (arg::REFINE_CRITERIA, due, tiles),
            (arg::ADAPT_PLAN, due, groups),
            (arg::CLOSE, due, [1, 1, 1]),
            (arg::ADAPT_APPLY, due, tiles),
        ];
        for (arg, on, groups) in between {
            args[3 * arg..][..3].copy_from_slice(&if on { groups } else { [0, 1, 1] });
        }
        self.exec.write(&self.buffers.clock, 0, &clock)?;
        self.exec.write(&self.buffers.args, 0, &args)?;
        self.exec.write(&self.buffers.drivers, 0, &samples)?;
        let guess = (self.round_rate * seconds).ceil() as u32 + 1;
        self.submit(seconds, guess, 0.0)
    }

    fn submit(&mut self, seconds: f64, rounds: u32, before: f32) -> Result<()> {
        let Self { exec, plan, buffers, rates, .. } = &*self;
        exec.submit(|rec| -> Result<()> {
            for _ in 0..rounds.clamp(1, 256) {
                round(rec, plan, buffers, *rates)?;
            }
            Ok(())
        })?;
        self.frame = Some(Frame { seconds, clock: self.exec.read_async(&self.buffers.clock)?, rounds: before });
        Ok(())
    }

    /// Waits until the last frame is complete.
    pub fn settle(&mut self) -> Result<()> {
        while let Some(Frame { seconds, clock, rounds: before }) = self.frame.take() {
            let clock = clock.wait()?;
            let (from, to) = (self.time, self.time + seconds);
            match clock[clock::STATUS] {
                outcome::FINE => {}
                outcome::COLLAPSED => {
                    let speed = clock[clock::SPEED];
                    return Err(ShallowError::Collapsed { time: from, speed, frame: seconds, limit: MAX_SUBSTEPS });
                }
                _ => return Err(ShallowError::NotFinite { from, to }),
            }
            let done = clock[clock::ELAPSED] + clock[clock::TICKS] * clock[clock::TICK_DT];
            let frame = clock[clock::FRAME];
            let rounds = clock[clock::ROUNDS];
            if done < frame * (1.0 - 1e-6) {
                if rounds <= before {
                    return Err(ShallowError::NotFinite { from, to }); // a clock that stands still
                }
                let rate = f64::from(rounds) / f64::from(done).max(1e-30);
                let left = (rate * f64::from(frame - done)).ceil().min(1e6) as u32 + 1;
                self.submit(seconds, left, rounds)?;
                continue;
            }
            self.catch_up()?; // what was read before this frame began is there
            self.time = to;
            self.frames += 1;
            self.ticks += clock[clock::ALL_TICKS] as u64;
            self.work += CELLS as f64
                * (f64::from(clock[clock::WORK]) * f64::from(1u32 << 20) + f64::from(clock[clock::WORK_REST]));
            self.round_rate = f64::from(rounds) / seconds;
            // Rounds of the next frame are recorded with one doubling to spare.
            if self.plan.clock.rates > 0 {
                let used = clock[clock::TICKS].max(1.0).log2().round() as u32;
                self.rates = (used + 1).min(MAX_RATE.min(self.levels - 1)).max(1);
            }
            (self.since, self.strain) = (clock[clock::SINCE], clock[clock::STRAIN]);
            if clock[clock::CHANGES] > 0.0 && self.tiles.is_none() {
                let words = topology::TILES + topology::TILE_WORDS * self.plan.capacity;
                self.tiles = Some(self.exec.read_start(&self.buffers.topology, words)?);
            }
        }
        Ok(())
    }

    /// Brings beds to tiles that cannot split without; what is not there yet comes a frame later.
    pub(super) fn tend_tiles(&mut self) -> Result<()> {
        let Some(tiles) = self.tiles.take_if(|tiles| tiles.is_ready()) else { return Ok(()) };
        let words = tiles.wait()?;
        let map = Map(&words);
        let wanted =
            |slot: &u32| map.tile(*slot).is_some_and(|place| place.level + 1 < self.levels) && !map.has_nursery(*slot);
        let wanted: Vec<u32> = (0..self.plan.capacity as u32).filter(wanted).take(TENDED_AT_ONCE).collect();
        let datum = self.datum;
        let ground = &self.ground;
        let bed = |place: TilePlace| {
            let tile = ground.tile_if_ready(place.level, place.x, place.z)?;
            Some(relative(&tile, datum))
        };
        let children: Vec<(u32, TilePlace, Vec<_>)> = wanted
            .par_iter()
            .filter_map(|&slot| map.tile(slot).map(|place| (slot, place)))
            .filter_map(|(slot, place)| {
                let beds: Option<Vec<_>> = (0..4).map(|n| bed(place.child(n))).collect();
                Some((slot, place, beds?))
            })
            .collect();
        let more = children.len() == TENDED_AT_ONCE;
        for (slot, place, beds) in children {
            self.tend(slot, place, |child| beds[child.number() as usize].clone())?;
        }
        if more {
            let words = topology::TILES + topology::TILE_WORDS * self.plan.capacity;
            self.tiles = Some(self.exec.read_start(&self.buffers.topology, words)?);
        }
        Ok(())
    }

    /// Sums over the domain, and by the ledger what came in and went out.
    pub fn statistics_later(&mut self) -> Result<Later<Statistics, ShallowError>> {
        self.settle()?;
        let mut rec = self.exec.record();
        rec.stage("statistics");
        let Buffers { topology, cells, totals, .. } = &self.buffers;
        let tiles = thalweg_compute::fold(self.plan.capacity as u64).unwrap_or([0, 1, 1]);
        rec.run(&Sums { topology, cells, totals }, &self.plan.sums, Dispatch::Groups(tiles))?;
        rec.submit()?;
        let (totals, ledger) = (self.exec.read_async(totals)?, self.post()?);
        let (time, substeps) = (self.time, self.ticks);
        Ok(Later::new(move || {
            let mut sum = [0.0f64; sums::WORDS];
            for tile in totals.wait()?.chunks_exact(sums::WORDS) {
                for n in 0..4 {
                    sum[n] += f64::from(tile[n]);
                }
                sum[4] = sum[4].max(f64::from(tile[4]));
            }
            let ledger = ledger.wait()?;
            Ok(Statistics {
                time,
                volume: sum[0],
                kinetic_energy: sum[1] * DENSITY,
                potential_energy: Some(sum[2] * DENSITY),
                wet_area: Some(sum[3]),
                max_speed: sum[4],
                added: ledger.added(),
                removed: ledger.removed(),
                substeps,
                ..Statistics::default()
            })
        }))
    }

    /// Parameters of kernel advection, by level.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn kernel_params(&self) -> Option<&[super::kernel_advection::KernelParams]> {
        self.plan.kernel.as_deref()
    }

    /// What kernels work on, for their tests.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn into_parts(mut self) -> Result<(Arc<Executor>, TreePlan, Buffers)> {
        self.settle()?;
        Ok((self.exec, self.plan, self.buffers))
    }
}
