//! A flow on a tree beside the same flow on the uniform grid of its finest cells.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_shallow::tree::{GroundPyramid, InitialWater, Refinement, TILE, TreeSetup, TreeWater};
use thalweg_shallow::{Boundary, Datum, InitialCell, Setup, ShallowWater};

use crate::Result;
use crate::rig::{SECOND, options};

/// A function of a place (x, z), m.
pub(crate) type Field<T> = Box<dyn Fn([f64; 2]) -> T + Sync>;

/// Width of a channel in finest cells: a tile of the coarsest level.
pub(crate) fn channel_width(levels: u32) -> u32 {
    (TILE as u32) << (levels - 1)
}

/// Walls all around.
pub(crate) fn basin(_: u32) -> [Boundary; 4] {
    [const { Boundary::Wall }; 4]
}

/// What to simulate, and what should come out.
pub(crate) struct Flow {
    pub(crate) name: &'static str,
    /// Finest cells along x and z.
    pub(crate) size: [u32; 2],
    /// Nothing changes along z: the uniform grid then computes two rows, which count for all of them. (A single one would take longer steps.)
    pub(crate) is_channel: bool,
    pub(crate) cell: f64,
    pub(crate) levels: u32,
    pub(crate) bed: Field<f64>,
    pub(crate) initial: Field<InitialWater>,
    /// Sides, for `n` finest cells along west and east.
    pub(crate) sides: Box<dyn Fn(u32) -> [Boundary; 4] + Sync>,
    pub(crate) manning: f64,
    pub(crate) time: f64,
    /// Depth at the end, m.
    pub(crate) depth: Field<f64>,
    /// Where it is known.
    pub(crate) known: Field<bool>,
    /// Relative change of the volume that is allowed.
    pub(crate) drift: f64,
    pub(crate) refinement: Refinement,
}

impl Flow {
    /// A frictionless closed basin of `size` finest cells over level ground, four levels, depths known everywhere.
    pub(crate) fn new(name: &'static str, size: [u32; 2], cell: f64, time: f64) -> Self {
        Self {
            name,
            size,
            is_channel: false,
            cell,
            levels: 4,
            bed: Box::new(|_| 0.0),
            initial: Box::new(|_| InitialWater::default()),
            sides: Box::new(basin),
            manning: 0.0,
            time,
            depth: Box::new(|_| 0.0),
            known: Box::new(|_| true),
            drift: 1e-6,
            refinement: Refinement { budget: 1 << 20, interval: 4, ..Refinement::default() },
        }
    }

    /// A channel of `n` finest cells over `length` metres, as wide as a tile of the coarsest of `levels`.
    pub(crate) fn channel(name: &'static str, n: u32, length: f64, levels: u32, time: f64) -> Self {
        Self { is_channel: true, levels, ..Self::new(name, [n, channel_width(levels)], length / f64::from(n), time) }
    }

    /// Largest bends that are left to large cells.
    pub(crate) fn tolerate(mut self, surface: f64, speed: f64) -> Self {
        (self.refinement.surface, self.refinement.speed) = (surface, speed);
        self
    }

    fn place(&self, i: u32, k: u32) -> [f64; 2] {
        [i, k].map(|n| (f64::from(n) + 0.5) * self.cell)
    }

    /// Frames in which it runs.
    const FRAMES: u32 = 50;

    /// Depths on the uniform grid at the end, and its steps.
    fn on_the_grid(&self, exec: &Arc<Executor>) -> Result<(Vec<f32>, u64)> {
        let [nx, nz] = self.size;
        let rows = if self.is_channel { nz.min(2) } else { nz };
        let initial = |i: u32, k: u32| {
            let (at, water) = (self.place(i, k), (self.initial)(self.place(i, k)));
            InitialCell { bed: (self.bed)(at), surface: water.surface, velocity: water.velocity }
        };
        let mut setup = Setup::new(nx, rows, self.cell, &initial);
        setup.options = options(SECOND);
        setup.options.manning = self.manning;
        setup.boundaries = (self.sides)(rows);
        setup.datum = Datum::At(0.0);
        let mut water = ShallowWater::new(exec.clone(), setup)?;
        for _ in 0..Self::FRAMES {
            water.advance(self.time / f64::from(Self::FRAMES))?;
        }
        Ok((water.fields()?.depth, water.substeps()))
    }

    fn on_a_tree(&self, exec: &Arc<Executor>) -> Result<TreeWater> {
        let [nx, nz] = self.size;
        // Sampled once, it is owned.
        let beds: Vec<f64> = (0..nx * nz).map(|at| (self.bed)(self.place(at % nx, at / nx))).collect();
        let ground = Arc::new(GroundPyramid::new(self.size, self.levels, move |i, k| beds[(i + nx * k) as usize]));
        let start = |at: [f64; 2], _: f64| (self.initial)(at);
        let mut setup = TreeSetup::new(self.size, self.cell, self.levels, ground, &start);
        setup.options.order = SECOND;
        setup.options.manning = self.manning;
        setup.boundaries = (self.sides)(nz);
        setup.refinement = self.refinement.clone();
        Ok(TreeWater::new(exec.clone(), setup)?)
    }

    /// Exact depth of a cell `across` finest cells wide, summed over them; `None` if one of them is not known.
    fn exact(&self, [i, k]: [u32; 2], across: u32) -> Option<f64> {
        let inside = (0..across * across).map(|n| self.place(i + n % across, k + n / across));
        inside.map(|at| (self.known)(at).then(|| (self.depth)(at))).sum()
    }

    pub(crate) fn compare(&self, exec: &Arc<Executor>) -> Result<Comparison> {
        let [nx, nz] = self.size;
        let (found, substeps) = self.on_the_grid(exec)?;
        let (mut error, mut whole) = (0.0, 0.0);
        for (at, &h) in found.iter().enumerate() {
            if let Some(exact) = self.exact([at as u32 % nx, at as u32 / nx], 1) {
                error += (f64::from(h) - exact).abs();
                whole += exact;
            }
        }
        let uniform = error / whole;

        let mut tree = self.on_a_tree(exec)?;
        let began = tree.statistics()?.volume;
        let count = |tree: &mut TreeWater| -> Result<f64> {
            let tiles: usize = tree.census()?.iter().map(|[tiles, _]| tiles).sum();
            Ok((tiles * TILE * TILE) as f64)
        };
        let mut cells = 0.0;
        for _ in 0..Self::FRAMES {
            tree.advance(self.time / f64::from(Self::FRAMES))?;
            cells += count(&mut tree)? / f64::from(Self::FRAMES);
            tree.statistics()?;
        }
        let (mut error, mut whole) = (0.0, 0.0);
        for tile in tree.fields()? {
            // Means over large cells against means of the exact depth.
            let across = (tile.cell / self.cell).round() as u32;
            let [i0, k0] = tile.origin.map(|x| (x / self.cell).round() as u32);
            for (at, &h) in tile.depth.iter().enumerate() {
                let place = [i0 + at as u32 % TILE as u32 * across, k0 + at as u32 / TILE as u32 * across];
                if let Some(exact) = self.exact(place, across) {
                    error += (f64::from(h) * f64::from(across * across) - exact).abs();
                    whole += exact;
                }
            }
        }
        let now = tree.statistics()?;
        let all = f64::from(nx) * f64::from(nz);
        Ok(Comparison {
            uniform,
            tree: error / whole,
            fewer_cells: all / cells,
            fewer_at_the_end: all / count(&mut tree)?,
            less_work: all * substeps as f64 / tree.cell_steps(),
            drift: (now.volume - began - now.added + now.removed) / began.max(now.added),
        })
    }
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
