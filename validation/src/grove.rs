//! A flow on a tree beside the same flow on the uniform grid of its finest cells.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_shallow::tree::{GroundPyramid, InitialWater, Refinement, TILE, TreeSetup, TreeWater};
use thalweg_shallow::{Boundary, Datum, InitialCell, Setup, ShallowWater};

use crate::Result;
use crate::rig::{SECOND, options};

/// A function of a place (x, z), m.
pub(crate) type Field<'a, T> = &'a (dyn Fn([f64; 2]) -> T + Sync);

/// What to simulate, and what should come out.
pub(crate) struct Flow<'a> {
    pub(crate) name: &'static str,
    /// Finest cells along x, and along z; a channel is as wide as one tile of the coarsest level.
    pub(crate) size: [u32; 2],
    pub(crate) cell: f64,
    pub(crate) levels: u32,
    pub(crate) bed: Field<'a, f64>,
    pub(crate) initial: Field<'a, InitialWater>,
    /// Sides, for `n` finest cells along west and east.
    pub(crate) sides: &'a (dyn Fn(u32) -> [Boundary; 4] + Sync),
    pub(crate) manning: f64,
    pub(crate) time: f64,
    /// Depth at the end, m.
    pub(crate) depth: Field<'a, f64>,
    /// Times fewer cells that are asked for, and relative change of the volume that is allowed.
    pub(crate) fewer_cells: f64,
    pub(crate) drift: f64,
    pub(crate) refinement: Refinement,
}

/// How both did.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Comparison {
    /// Σ|h − exact| / Σ exact over areas.
    pub(crate) uniform: f64,
    pub(crate) tree: f64,
    /// Cells of the uniform grid over those of the tree, in the mean over the run.
    pub(crate) fewer_cells: f64,
    /// The same at the end of the run.
    pub(crate) fewer_at_the_end: f64,
    /// Cell-steps of the uniform grid over those of the tree.
    pub(crate) less_work: f64,
    /// Relative change of the volume on the tree, what entered and left taken off.
    pub(crate) drift: f64,
}

/// Width of a channel in finest cells.
pub(crate) fn channel_width(levels: u32) -> u32 {
    (TILE as u32) << (levels - 1)
}

/// Walls all around.
pub(crate) fn basin(_: u32) -> [Boundary; 4] {
    [const { Boundary::Wall }; 4]
}

/// Frames in which a flow is run.
const FRAMES: u32 = 50;

pub(crate) fn compare(exec: &Arc<Executor>, flow: &Flow<'_>) -> Result<Comparison> {
    let [nx, nz] = flow.size;
    let place = |i: u32, k: u32| [i, k].map(|n| (f64::from(n) + 0.5) * flow.cell);
    let frame = flow.time / f64::from(FRAMES);
    let datum = 0.0;

    let initial = |i: u32, k: u32| {
        let (at, water) = (place(i, k), (flow.initial)(place(i, k)));
        InitialCell { bed: (flow.bed)(at), surface: water.surface, velocity: water.velocity }
    };
    let mut setup = Setup::new(nx, nz, flow.cell, &initial);
    setup.options = options(SECOND);
    setup.options.manning = flow.manning;
    setup.boundaries = (flow.sides)(nz);
    setup.datum = Datum::At(datum);
    let mut uniform = ShallowWater::new(exec.clone(), setup)?;
    for _ in 0..FRAMES {
        uniform.advance(frame)?;
    }
    let found = uniform.fields()?.depth;
    let (mut error, mut whole) = (0.0, 0.0);
    for (at, &h) in found.iter().enumerate() {
        let exact = (flow.depth)(place(at as u32 % nx, at as u32 / nx));
        error += (f64::from(h) - exact).abs();
        whole += exact;
    }
    let uniform_error = error / whole;

    let bed = flow.bed;
    // The ground outlives this call only in name: sampled once, it is owned.
    let beds: Vec<f64> = (0..nx * nz).map(|at| bed(place(at % nx, at / nx))).collect();
    let ground = Arc::new(GroundPyramid::new(flow.size, flow.levels, move |i, k| beds[(i + nx * k) as usize]));
    let start = |at: [f64; 2], _: f64| (flow.initial)(at);
    let mut setup = TreeSetup::new(flow.size, flow.cell, flow.levels, ground, &start);
    setup.options.order = SECOND;
    setup.options.manning = flow.manning;
    setup.boundaries = (flow.sides)(nz);
    setup.datum = datum;
    setup.refinement = flow.refinement.clone();
    let mut tree = TreeWater::new(exec.clone(), setup)?;
    let began = tree.statistics()?.volume;
    let mut cells = 0.0;
    for _ in 0..FRAMES {
        tree.advance(frame)?;
        let tiles: usize = tree.census()?.iter().map(|[tiles, _]| tiles).sum();
        cells += (tiles * TILE * TILE) as f64 / f64::from(FRAMES);
        tree.statistics()?;
    }
    let (mut error, mut whole) = (0.0, 0.0);
    for tile in tree.fields()? {
        // Means over large cells against means of the exact depth.
        let across = (tile.cell / flow.cell).round() as u32;
        let [i0, k0] = tile.origin.map(|x| (x / flow.cell).round() as u32);
        for (at, &h) in tile.depth.iter().enumerate() {
            let (i, k) = (i0 + at as u32 % TILE as u32 * across, k0 + at as u32 / TILE as u32 * across);
            let inside = (0..across * across).map(|n| (flow.depth)(place(i + n % across, k + n / across)));
            let exact: f64 = inside.sum::<f64>();
            error += (f64::from(h) * f64::from(across * across) - exact).abs();
            whole += exact;
        }
    }
    let now = tree.statistics()?;
    let tiles_now = (tree.census()?.iter().map(|[tiles, _]| tiles).sum::<usize>() * TILE * TILE) as f64;
    let all = f64::from(nx) * f64::from(nz);
    Ok(Comparison {
        uniform: uniform_error,
        tree: error / whole,
        fewer_cells: all / cells,
        less_work: all * uniform.substeps() as f64 / tree.cell_steps(),
        fewer_at_the_end: all / tiles_now,
        drift: (now.volume - began - now.added + now.removed) / began.max(now.added),
    })
}
