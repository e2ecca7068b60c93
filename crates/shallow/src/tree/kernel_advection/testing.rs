//! Random trees with random water, for tests of single kernels on both executors.

use std::sync::Arc;

use thalweg_compute::parity::Rng;
use thalweg_compute::{Buffer, Dispatch, Executor, Result};

use super::constants::{REACH, SIDE};
use super::units::ONE;
use super::*;
use crate::setup::{Series, Side, Source, SourceShape};
use crate::tree::layout::{CELL_WORDS, MAX_LEVELS, NONE, clock, lists, source, status};
use crate::tree::map::Map;
use crate::tree::{GroundPyramid, InitialWater, TreeScheme, TreeSetup, TreeSnapshot, TreeWater, Wish};

/// All that the kernels read and write, as words.
pub(super) struct Case {
    pub(super) params: Vec<KernelParams>,
    pub(super) topology: Vec<u32>,
    pub(super) lists: Vec<u32>,
    pub(super) clock: Vec<f32>,
    pub(super) cells: Vec<f32>,
    pub(super) volumes: Vec<u32>,
    pub(super) drift: Vec<u32>,
    pub(super) flow: Vec<f32>,
    pub(super) portions: Vec<f32>,
}

impl Case {
    pub(super) fn slots(&self) -> usize {
        self.params[0].capacity as usize
    }

    /// How many workgroups the tiles of a level need.
    pub(super) fn groups(&self, level: usize) -> Dispatch<'static> {
        Dispatch::Groups([self.lists[lists::COUNTS + level], 1, 1])
    }

    /// Volume of all that is awake, in units.
    #[cfg(test)]
    pub(super) fn sum(&self, words: &[u32], planes: usize) -> u128 {
        let places = &self.lists[lists::PLACES..][..self.slots()];
        let awake = (0..self.slots()).filter(|&slot| places[slot] != NONE);
        awake.map(|slot| tile_sum(&words[slot * planes * CELLS..])).sum()
    }
}

/// Islands, films, deep water and dry land over a tree that was split and merged at random; some tiles asleep; drifts
/// of up to the farthest reach; open sides in the east and south; rain, a spring and a drain.
pub(super) fn case(rng: &mut Rng) -> Case {
    let mut water = random_water(rng);
    let mut snapshot = water.snapshot().expect("words");
    let params = water.kernel_params().expect("the scheme").to_vec();
    let capacity = params[0].capacity as usize;
    stir(rng, &mut snapshot, params[0].depth_bits, capacity);
    let lists = lists_of_awake(rng, &snapshot.topology, capacity);
    let clock = clock_of(&water);
    let drift = drifts(rng, capacity);
    let flow = rng.f32s(capacity * 2 * CELLS, -2.0, 2.0);
    Case {
        params,
        topology: snapshot.topology,
        lists,
        clock,
        cells: snapshot.cells,
        volumes: snapshot.volumes,
        drift,
        flow,
        portions: vec![0.0, 0.3, 0.0, 0.9, 0.0, -0.2],
    }
}

const LEVELS: u32 = 5;

/// Water over hills, on tiles of all levels.
fn random_water(rng: &mut Rng) -> TreeWater {
    let (size, levels) = ([512, 256], LEVELS);
    let phase = f64::from(rng.range(0.0, 6.0));
    let hills = move |i: u32, k: u32| {
        let (x, z) = (f64::from(i), f64::from(k));
        2.5 * (x * 0.031 + phase).sin() * (z * 0.043).cos() - 0.9 + 0.2 * (0.4 * x + 0.7 * z).sin()
    };
    let ground = Arc::new(GroundPyramid::new(size, levels, hills));
    let slosh = |[x, z]: [f64; 2], _: f64| InitialWater {
        surface: 0.6 * (0.05 * x + phase).sin() * (0.08 * z).cos(),
        velocity: [0.9 * (0.11 * z).sin(), 0.8 * (0.07 * x + phase).cos()],
    };
    let mut setup = TreeSetup::new(size, 0.5, levels, ground, &slosh);
    setup.options.scheme = TreeScheme::KernelAdvection { viscosity: 0.05, friction: 0.01 };
    setup.options.manning = 0.03;
    (setup.sides.east, setup.sides.south) = (Side::Outflow, Side::Outflow);
    setup.rain = Some(Series::constant(1e-5));
    let place = |rng: &mut Rng| [f64::from(rng.range(0.0, 256.0)), f64::from(rng.range(0.0, 128.0))];
    let spring = SourceShape::Disc { center: place(rng), radius: 21.3 };
    let min = place(rng);
    let drain = SourceShape::Box { min, max: min.map(|x| x + 33.3) };
    setup.sources = vec![
        Source::new("spring", spring, Series::constant(70.0)),
        Source::new("drain", drain, Series::constant(-900.0)),
    ];
    setup.refinement.interval = 0;
    setup.refinement.surface = f64::INFINITY;
    setup.refinement.speed = f64::INFINITY;
    setup.refinement.fronts = false;
    setup.refinement.budget = 300 * CELLS;
    let exec = Arc::new(Executor::cpu().expect("an executor"));
    let mut water = TreeWater::new(exec, setup).expect("a tree");
    for _ in 0..6 {
        let shake = water.reshape(|_, _| match rng.below(5) {
            0 | 1 => Wish::Split,
            2 => Wish::Merge,
            _ => Wish::Keep,
        });
        shake.expect("a change");
    }
    water
}

/// Ripples, and water that is slow enough for gravity to turn it round.
fn stir(rng: &mut Rng, snapshot: &mut TreeSnapshot, depth_bits: u32, capacity: usize) {
    let map = Map(&snapshot.topology);
    for slot in (0..capacity).filter(|&slot| map.tile(slot as u32).is_some()) {
        let level = map.tile(slot as u32).map_or(0, |tile| tile.level);
        let tile = &mut snapshot.cells[CELL_WORDS * slot..][..CELL_WORDS];
        for at in 0..CELLS {
            let (floor, slow) = (tile[at + 3 * CELLS].min(0.0), [0.0, 0.02, 0.02, 1.0][rng.below(4) as usize]);
            if tile[at] > floor {
                tile[at] = (tile[at] + rng.range(-0.05, 0.05)).max(floor);
            }
            tile[at + CELLS] *= slow;
            tile[at + 2 * CELLS] *= slow;
        }
        let words = tile_volumes(tile, depth_bits, LEVELS - 1 - level);
        snapshot.volumes[slot * words.len()..][..words.len()].copy_from_slice(&words);
    }
}

/// The lists of tiles of all levels: one tile in eight sleeps.
fn lists_of_awake(rng: &mut Rng, topology: &[u32], capacity: usize) -> Vec<u32> {
    let map = Map(topology);
    let mut words = vec![0; lists::PLACES + capacity * (1 + LEVELS as usize)];
    words[lists::PLACES..].fill(NONE);
    for slot in 0..capacity {
        let Some(tile) = map.tile(slot as u32).filter(|_| rng.below(8) > 0) else { continue };
        let level = tile.level as usize;
        let place = words[lists::COUNTS + level] as usize;
        words[lists::PLACES + slot] = place as u32;
        words[lists::PLACES + capacity * (1 + level) + place] = slot as u32;
        words[lists::COUNTS + level] += 1;
    }
    words
}

/// The clock in the middle of a frame.
fn clock_of(water: &TreeWater) -> Vec<f32> {
    let mut clock = vec![0.0; clock::SOURCES];
    for (words, rate) in water.plan().sources.iter().zip([0.05, -0.8]) {
        clock.extend_from_slice(words);
        let at = clock.len() - source::WORDS;
        clock[at + source::RATE] = rate;
    }
    (clock[clock::TICKS], clock[clock::RAIN_RATE]) = (1.0, 1e-5);
    clock[clock::TICK_DT] = 0.03;
    clock[clock::PERIODS..][..MAX_LEVELS].fill(1.0);
    clock
}

/// How far the water of cells goes: mostly short drifts, some of them long, some none.
fn drifts(rng: &mut Rng, capacity: usize) -> Vec<u32> {
    let mut drifts = || {
        let far = [0.0, 0.01, 0.6, 0.6, REACH][rng.below(5) as usize];
        (rng.range(-far, far + 1e-9) * SIDE as f32) as i32 as u32
    };
    let mut drift: Vec<u32> = (0..capacity * plane::DRIFT * CELLS).map(|_| drifts()).collect();
    // Any cell may be at an open side; in a corner all of it may go through either.
    for tile in drift.chunks_exact_mut(plane::DRIFT * CELLS) {
        for word in &mut tile[plane::LEAVING * CELLS..] {
            *word = if rng.below(4) == 0 { rng.below(2 * ONE as u32 + 1) } else { 0 };
        }
    }
    drift
}

/// The words of a case on an executor, and what stages write.
pub(super) struct Memory {
    pub(super) topology: Buffer<u32>,
    pub(super) lists: Buffer<u32>,
    pub(super) clock: Buffer<f32>,
    pub(super) cells: Buffer<f32>,
    pub(super) volumes: Buffer<u32>,
    pub(super) drift: Buffer<u32>,
    pub(super) flow: Buffer<f32>,
    pub(super) asked: Buffer<u32>,
    pub(super) arrivals: Buffer<u32>,
    pub(super) status: Buffer<f32>,
    pub(super) tallies: Buffer<u32>,
    pub(super) portions: Buffer<f32>,
}

impl Memory {
    pub(super) fn new(exec: &Executor, case: &Case) -> Result<Self> {
        let slots = case.slots();
        // What is added to begins with zeros, and tiles that sleep are left alone.
        Ok(Self {
            topology: exec.buffer_from("test.topology", &case.topology)?,
            lists: exec.buffer_from("test.lists", &case.lists)?,
            clock: exec.buffer_from("test.clock", &case.clock)?,
            cells: exec.buffer_from("test.cells", &case.cells)?,
            volumes: exec.buffer_from("test.volumes", &case.volumes)?,
            drift: exec.buffer_from("test.drift", &case.drift)?,
            flow: exec.buffer_from("test.flow", &case.flow)?,
            asked: exec.zeros("test.asked", slots * plane::ASKED * CELLS)?,
            arrivals: exec.zeros("test.arrivals", slots * plane::ARRIVALS * CELLS)?,
            status: exec.zeros("test.status", slots * status::WORDS)?,
            tallies: exec.zeros("test.tallies", slots * tallies::WORDS)?,
            portions: exec.buffer_from("test.portions", &case.portions)?,
        })
    }

    pub(super) fn drift(&self, exec: &Executor, case: &Case) -> Result<()> {
        let Self { topology, lists, clock, cells, flow, drift, asked, .. } = self;
        let mut rec = exec.record();
        for (level, p) in case.params.iter().enumerate() {
            rec.run(&Drift { topology, lists, clock, cells, flow, drift, asked }, p, case.groups(level))?;
        }
        rec.submit()
    }

    /// Limits of outflow, gather, outflow through sides and the rest, with the drifts that there are.
    pub(super) fn advect(&self, exec: &Executor, case: &Case) -> Result<()> {
        let Self { topology, lists, cells, volumes, drift, flow, asked, arrivals, tallies, .. } = self;
        let mut rec = exec.record();
        for (level, p) in case.params.iter().enumerate() {
            rec.run(&OutflowLimit { topology, lists, drift, cells, asked }, p, case.groups(level))?;
        }
        for (level, p) in case.params.iter().enumerate() {
            let take = Gather { topology, lists, drift, flow, volumes, cells, asked, arrivals };
            rec.run(&take, p, case.groups(level))?;
        }
        for (level, p) in case.params.iter().enumerate() {
            rec.run(&SideOutflow { lists, drift, volumes, asked, tallies }, p, case.groups(level))?;
        }
        for (level, p) in case.params.iter().enumerate() {
            let push = ScatterRest { topology, lists, drift, flow, volumes, cells, asked, arrivals };
            rec.run(&push, p, case.groups(level))?;
        }
        rec.submit()
    }

    /// Rain and sources on what arrived.
    pub(super) fn supply(&self, exec: &Executor, case: &Case) -> Result<()> {
        let Self { topology, lists, clock, arrivals, tallies, portions, .. } = self;
        let mut rec = exec.record();
        rec.run(&SourceShare { clock, portions }, &case.params[0], Dispatch::Groups([1, 1, 1]))?;
        for (level, p) in case.params.iter().enumerate() {
            rec.run(&Inflow { topology, lists, clock, portions, arrivals, tallies }, p, case.groups(level))?;
        }
        rec.submit()
    }

    pub(super) fn arrive(&self, exec: &Executor, case: &Case) -> Result<()> {
        let Self { lists, clock, cells, volumes, arrivals, status, .. } = self;
        let mut rec = exec.record();
        for (level, p) in case.params.iter().enumerate() {
            rec.run(&Collect { lists, clock, arrivals, volumes, cells, status }, p, case.groups(level))?;
        }
        rec.submit()
    }
}
