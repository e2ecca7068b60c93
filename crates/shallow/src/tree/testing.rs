//! Random trees with random water, for tests of kernels.

use std::sync::Arc;

use thalweg_compute::parity::Rng;
use thalweg_compute::{Dispatch, Executor};
use thalweg_model::{Inflow, Sides};

use super::active_tiles::{FindActive, ListActive};
use super::layout::{clock, source, status};
use super::map::{Beyond, Map, TilePlace};
use super::params::TreePlan;
use super::set_topology::Wish;
use super::setup::{InitialWater, TreeSetup};
use super::step::Buffers;
use super::tree_clock::Begin;
use super::water::TreeWater;
use super::{CELLS, GroundPyramid};
use crate::clock::{DRIVER_SAMPLES, FIXED_DRIVERS};
use crate::setup::{Series, Side, Source, SourceShape};
use crate::testing::launch;

/// Finest tiles along x and z, and levels: one tile, one level, domains that are no multiple of the coarsest tiles, and
/// more slots than three workgroups have threads.
pub(crate) const TREES: [([u32; 2], u32); 5] = [([1, 1], 1), ([3, 2], 1), ([7, 5], 3), ([16, 16], 5), ([30, 28], 4)];

/// Length of a frame of a random tree, s.
pub(crate) const FRAME: f32 = 0.5;

/// What the buffers of a tree hold; see `layout` and `step::Buffers`.
#[allow(dead_code, reason = "a test needs some of it")]
pub(crate) struct TreeWords {
    pub(crate) params: TreePlan,
    pub(crate) topology: Vec<u32>,
    pub(crate) lists: Vec<u32>,
    pub(crate) clock: Vec<f32>,
    pub(crate) drivers: Vec<f32>,
    pub(crate) cells: Vec<f32>,
    pub(crate) nursery: Vec<f32>,
    pub(crate) registers: Vec<f32>,
    pub(crate) levels: Vec<f32>,
    pub(crate) out: Vec<f32>,
    pub(crate) status: Vec<f32>,
    pub(crate) wishes: Vec<f32>,
}

/// A tree of [`random_water`]; some tiles are put to sleep, at random. `lists` and `clock` stand at the start of a
/// round.
pub(crate) fn random_tree(rng: &mut Rng, tree: ([u32; 2], u32)) -> TreeWords {
    let (exec, mut params, b) = random_water(rng, tree).into_parts().expect("the buffers");
    // The tolerances of criteria that have something to tell.
    (params.refine_criteria.surface, params.refine_criteria.speed, params.refine_criteria.fronts) =
        (0.02, 0.2, rng.below(2));

    let mut words = exec.read(&b.status).expect("a buffer");
    let still = params.active_tiles.still;
    let restless = rng.range(0.0, 0.6) * rng.range(0.0, 1.0);
    for tile in words.chunks_exact_mut(status::WORDS) {
        let moves = rng.range(0.0, 1.0) < restless;
        tile[status::SPEED] = rng.range(0.0, 9.0);
        tile[status::MOTION] = if moves { rng.range(still, 2.0) } else { rng.range(0.0, still) };
        tile[status::ADDED] = rng.range(0.0, 2.0);
        tile[status::REMOVED] = rng.range(0.0, 2.0);
    }
    exec.write(&b.status, 0, &words).expect("a buffer");
    // A frame begins.
    exec.write(&b.clock, 0, &fresh_clock(&params, FRAME)).expect("a buffer");
    exec.write(&b.drivers, 0, &params.drivers.samples(0.0, f64::from(FRAME))).expect("a buffer");
    let Buffers { topology, status, clock, lists, tallies, .. } = &b;
    let slots = Dispatch::Elements(params.capacity);
    launch(&exec, &FindActive { topology, status, clock, lists, tallies }, &params.active_tiles, slots)
        .expect("tallies");
    launch(&exec, &ListActive { tallies, lists }, &params.active_tiles, slots).expect("lists");
    let begin = Begin { lists: &b.lists, drivers: &b.drivers, clock: &b.clock, args: &b.args };
    launch(&exec, &begin, &params.clock, Dispatch::Groups([1, 1, 1])).expect("a round");
    let read = |buffer| exec.read::<f32>(buffer).expect("a buffer");
    let rain = if rng.below(4) == 0 { 0.0 } else { rng.range(-0.01, 0.05) };
    exec.write(&b.clock, clock::RAIN_RATE, &[rain]).expect("a buffer");
    exec.write(&b.clock, clock::DITHER, &[rng.range(0.0, 1.0)]).expect("a buffer");
    let read_u32 = |buffer| exec.read::<u32>(buffer).expect("a buffer");
    TreeWords {
        topology: read_u32(&b.topology),
        lists: read_u32(&b.lists),
        clock: read(&b.clock),
        drivers: read(&b.drivers),
        cells: read(&b.cells),
        nursery: read(&b.nursery),
        registers: read(&b.registers),
        levels: read(&b.levels),
        out: read(&b.out),
        status: read(&b.status),
        wishes: read(&b.wishes),
        params,
    }
}

/// A balanced tree that was split and merged at random and has run for a moment: islands, films, moving water, sides,
/// sources and perhaps rain. Some slots are free. Always made on the CPU, so that both executors get the same.
fn random_water(rng: &mut Rng, ([tiles_x, tiles_z], levels): ([u32; 2], u32)) -> TreeWater {
    let exec = Arc::new(Executor::cpu().expect("the CPU executor always starts"));
    let size = [16 * tiles_x, 16 * tiles_z];
    let waves: [f64; 6] = std::array::from_fn(|n| f64::from(rng.range(0.03, 0.12 + 0.1 * n as f32)));
    let hills = move |i: u32, k: u32| {
        let (x, z) = (f64::from(i), f64::from(k));
        1.1 * (x * waves[0] + waves[5]).sin() * (z * waves[1]).cos() - 0.5 + 0.2 * (waves[2] * x + waves[3] * z).sin()
    };
    let swell = f64::from(rng.range(0.0, 0.2));
    let initial = move |[x, z]: [f64; 2], bed: f64| {
        let wave = (x * waves[4]).sin() * (z * waves[5]).cos();
        let film = (3.0 * x + 5.0 * z).sin() > 0.9;
        let surface = if film { bed + 2e-4 } else { swell * wave };
        InitialWater { surface, velocity: [wave, 0.5 - wave] }
    };
    let ground = Arc::new(GroundPyramid::new(size, levels, hills));
    let mut setup = TreeSetup::new(size, 0.5, levels, ground, &initial);
    let finest = (tiles_x * tiles_z) as usize;
    setup.refinement.budget = CELLS * (finest + rng.below(9) as usize);
    (setup.refinement.surface, setup.refinement.speed, setup.refinement.fronts) = (10.0, 10.0, false);
    setup.options.still = f64::from(rng.range(0.1, 0.3));
    setup.sides = Sides::from(std::array::from_fn(|side| random_side(rng, size[1 - side / 2], setup.cell)));
    if rng.below(4) == 0 {
        setup.rain = Some(Series::constant(1e-5));
    }
    for _ in 0..rng.below(3) {
        setup.sources.push(random_source(rng, size));
    }
    let mut water = TreeWater::new(exec, setup).expect("a tree");
    // Fine around some place, coarse elsewhere, more or less.
    let focus = [tiles_x, tiles_z].map(|n| rng.range(0.0, n as f32));
    let reach = rng.range(0.2, 5.0);
    let mut reshape = |water: &mut TreeWater, noise: u32| {
        let wish = |place: TilePlace, _| {
            let width = (1u32 << (levels - 1 - place.level)) as f32;
            let [x, z] = [place.x, place.z].map(|n| (n as f32 + 0.5) * width);
            let near = (x - focus[0]).hypot(z - focus[1]) < reach + 0.5 * width;
            match rng.below(noise) {
                0 => Wish::Keep,
                1 => Wish::Split,
                _ if near => Wish::Split,
                _ => Wish::Merge,
            }
        };
        water.reshape(wish).expect("a change")
    };
    for _ in 0..2 * levels {
        reshape(&mut water, 40);
    }
    water.advance(0.1).expect("a frame");
    water.settle().expect("its end");
    reshape(&mut water, 8);
    water
}

/// The clock as it is when a frame begins.
pub(crate) fn fresh_clock(params: &TreePlan, frame: f32) -> Vec<f32> {
    let samples = params.drivers.samples(0.0, f64::from(frame));
    let mut words = vec![0.0; clock::SOURCES + source::WORDS * params.sources.len()];
    (words[clock::FRAME], words[clock::STRAIN]) = (frame, 1.0);
    words[clock::RAIN_RATE] = samples[4 * DRIVER_SAMPLES];
    for (n, (words, given)) in words[clock::SOURCES..].chunks_exact_mut(source::WORDS).zip(&params.sources).enumerate()
    {
        words.copy_from_slice(given);
        words[source::RATE] = samples[(FIXED_DRIVERS + n) * DRIVER_SAMPLES];
    }
    words
}

fn random_side(rng: &mut Rng, length: u32, cell: f64) -> Side {
    let from = rng.below(length);
    let cells = if rng.below(2) == 0 { [0, length] } else { [from, from + 1 + rng.below(length - from)] };
    let span = Some(cells.map(|n| f64::from(n.min(length)) * cell));
    let series = |start, end| Series::from_points([[0.0, start], [1.0, end]]).expect("two points");
    match rng.below(8) {
        0 => Side::Outflow,
        1 => Side::Inflow { kind: Inflow::Surface(series(0.1, 0.14)), span, layer: rng.below(2) * 20 },
        2 => Side::Inflow { kind: Inflow::Discharge(series(0.3, 0.4)), span, layer: 0 },
        5 => Side::Level { level: series(0.1, -0.1), absorb: 2.0, span },
        6 => Side::Rating { curve: vec![[-0.8, 0.0], [0.0, 3.0], [0.3, 9.0]], span },
        7 => Side::Normal { slope: 0.01, manning: 0.03, span },
        _ => Side::Wall,
    }
}

fn random_source(rng: &mut Rng, size: [u32; 2]) -> Source {
    let [x, z] = size.map(|n| f64::from(rng.range(0.0, 0.5 * n as f32)));
    let shape = match rng.below(2) {
        0 => SourceShape::Disc { center: [x, z], radius: f64::from(rng.range(0.1, 9.0)) },
        _ => SourceShape::Box { min: [x, z], max: [x + 3.0, z + 7.0] },
    };
    let rate = [0.0, 0.4, -0.1][rng.below(3) as usize];
    Source::new("source", shape, Series::constant(rate))
}

/// Whether the cells beyond a side of the tile in a slot are larger.
pub(crate) fn has_larger_cells_beyond(g: &TreeWords, slot: u32, side: usize) -> bool {
    let map = Map(&g.topology);
    let tile = map.tile(slot).expect("listed tiles are there");
    let p = &g.params.flux_update[tile.level as usize];
    let size = [(p.nx >> p.shift()) as i32, (p.nz >> p.shift()) as i32];
    let d = [[-1, 0], [1, 0], [0, -1], [0, 1]][side];
    matches!(map.beyond(tile, d, size), Beyond::Coarser(_))
}
