//! A flow on a tree compared with the same flow on uniform grids.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_shallow::tree::{InitialWater, Refinement};
use thalweg_shallow::{Datum, InitialCell, Setup};

use crate::height_field::{HeightField, Spot, Tree, TreeCase, Uniform, channel_width, refinement, walls};
use crate::rig::{Edge, Run, SECOND, options, sides_and_far_fields};
use crate::{Outcome, Result};

/// A function of a place (x, z), m.
pub(crate) type Field<T> = Box<dyn Fn([f64; 2]) -> T + Sync>;
/// Water at the start, of a cell around a place (x, z), m, and of its size, m.
pub(crate) type Start = Box<dyn Fn([f64; 2], f64) -> InitialWater + Sync>;
/// Sides, for so many cells along west and east, and their size, m.
pub(crate) type Edges = Box<dyn Fn(u32, f64) -> [Edge; 4] + Sync>;

/// What to simulate, and what should come out.
pub(crate) struct Flow {
    pub(crate) name: &'static str,
    /// Finest cells along x and z.
    pub(crate) size: [u32; 2],
    /// Nothing should change along z.
    pub(crate) is_channel: bool,
    /// In a channel the uniform grid computes two rows, which count for all of them: a single one would take longer
    /// steps. Unless rows become different.
    pub(crate) all_rows: bool,
    pub(crate) cell: f64,
    pub(crate) levels: u32,
    pub(crate) bed: Field<f64>,
    pub(crate) initial: Start,
    pub(crate) edges: Edges,
    pub(crate) manning: f64,
    pub(crate) time: f64,
    /// Depth at the end, m.
    pub(crate) depth: Field<f64>,
    /// Where it is known.
    pub(crate) known: Field<bool>,
    pub(crate) refinement: Refinement,
    /// What else is measured at the end.
    pub(crate) also: Option<Also>,
}

/// Compares cells of a tree with those of the uniform grid.
pub(crate) type Also = Box<dyn Fn(&Comparison, &mut Outcome) -> Result<()> + Sync>;

impl Flow {
    /// A frictionless closed basin of `size` finest cells over level ground, four levels, depths known everywhere.
    pub(crate) fn new(name: &'static str, size: [u32; 2], cell: f64, time: f64) -> Self {
        let default = Refinement::default();
        Self {
            name,
            size,
            is_channel: false,
            all_rows: false,
            cell,
            levels: 4,
            bed: Box::new(|_| 0.0),
            initial: Box::new(|_, _| InitialWater::default()),
            edges: Box::new(|_, _| walls()),
            manning: 0.0,
            time,
            depth: Box::new(|_| 0.0),
            known: Box::new(|_| true),
            refinement: refinement(default.surface, default.speed),
            also: None,
        }
    }

    /// A channel of `n` finest cells over `length` metres, as wide as a tile of the coarsest of `levels`.
    pub(crate) fn channel(name: &'static str, n: u32, length: f64, levels: u32, time: f64) -> Self {
        Self { is_channel: true, levels, ..Self::new(name, [n, channel_width(levels)], length / f64::from(n), time) }
    }

    /// Largest bends that are left to large cells.
    pub(crate) fn tolerate(mut self, surface: f64, speed: f64) -> Self {
        self.refinement = refinement(surface, speed);
        self
    }

    /// Frames in which it runs.
    const FRAMES: u32 = 50;

    fn run(&self, water: &mut dyn HeightField) -> Result<()> {
        (1..=Self::FRAMES).try_for_each(|n| water.to(self.time * f64::from(n) / f64::from(Self::FRAMES)))
    }

    /// Bed and water of a cell at the start.
    fn start(&self, at: [f64; 2], size: f64) -> InitialCell {
        let InitialWater { surface, velocity } = (self.initial)(at, size);
        InitialCell { bed: (self.bed)(at), surface, velocity }
    }

    /// Rows of the uniform grid of the finest cells.
    fn rows(&self) -> u32 {
        if self.is_channel && !self.all_rows { 2 } else { self.size[1] }
    }

    /// The end on a uniform grid of cells as wide as `across` of the finest.
    pub(crate) fn on_a_grid(&self, exec: &Arc<Executor>, across: u32, rows: u32) -> Result<Uniform> {
        let size = self.cell * f64::from(across);
        let initial = |i: u32, k: u32| self.start([i, k].map(|n| (f64::from(n) + 0.5) * size), size);
        let mut setup = Setup::new(self.size[0] / across, rows, size, &initial);
        setup.options = options(SECOND);
        setup.options.manning = self.manning;
        (setup.sides, setup.far_fields) = sides_and_far_fields((self.edges)(rows, size));
        setup.datum = Datum::Elevation(0.0);
        let mut water = Uniform::new(Run::new(exec, setup)?, &[], &[])?;
        self.run(&mut water)?;
        Ok(water)
    }

    /// The same on a tree, before it runs.
    pub(crate) fn on_a_tree(&self, exec: &Arc<Executor>) -> Result<Tree> {
        let initial = |at: [f64; 2]| self.start(at, self.cell);
        let mut grown = TreeCase::new(self.size, self.cell, self.levels, &initial, self.refinement.clone());
        (grown.manning, grown.edges) = (self.manning, (self.edges)(self.size[1], self.cell));
        grown.frame = self.time / f64::from(Self::FRAMES);
        Tree::new(exec, grown, &[], &[])
    }

    /// Exact depth of a cell `across` finest cells wide, summed over them; `None` if one of them is not known.
    fn exact(&self, [i, k]: [u32; 2], across: u32) -> Option<f64> {
        let place = |i: u32, k: u32| [i, k].map(|n| (f64::from(n) + 0.5) * self.cell);
        let inside = (0..across * across).map(|n| place(i + n % across, k + n / across));
        inside.map(|at| (self.known)(at).then(|| (self.depth)(at))).sum()
    }

    /// Σ|h − exact| / Σ exact over areas: means over cells against means of the exact depth, whatever their size.
    fn error(&self, spots: &[Spot]) -> f64 {
        let (mut error, mut whole) = (0.0, 0.0);
        for spot in spots {
            let across = (spot.size / self.cell).round() as u32;
            let corner = spot.at.map(|x| ((x - 0.5 * spot.size) / self.cell).round() as u32);
            if let Some(exact) = self.exact(corner, across) {
                error += (spot.depth * f64::from(across * across) - exact).abs();
                whole += exact;
            }
        }
        error / whole
    }

    pub(crate) fn compare(&self, exec: &Arc<Executor>) -> Result<Comparison> {
        let mut uniform = self.on_a_grid(exec, 1, self.rows())?;
        let one_row = match self.is_channel {
            true => Some(self.error(&self.on_a_grid(exec, 1, 1)?.spots()?)),
            false => None,
        };
        let doubled_rows = (self.rows() / 2).max(2);
        let doubled = self.error(&self.on_a_grid(exec, 2, doubled_rows)?.spots()?);
        let mut tree = self.on_a_tree(exec)?;
        self.run(&mut tree)?;
        let (spots, uniform_spots) = (tree.spots()?, uniform.spots()?);
        let all = self.size.map(f64::from).iter().product::<f64>();
        Ok(Comparison {
            uniform: self.error(&uniform_spots),
            doubled,
            one_row,
            tree: self.error(&spots),
            fewer_cells: tree.fewer_cells(),
            fewer_at_the_end: all / tree.cells()?,
            less_work: all * uniform.run.water.substeps() as f64 / tree.water.cell_steps(),
            drift: tree.drift()?,
            spots,
            uniform_spots,
        })
    }
}

/// How a tree and uniform grids did; errors are [`Flow::error`].
#[derive(Debug, Clone)]
pub(crate) struct Comparison {
    /// On the uniform grid of the finest cells.
    pub(crate) uniform: f64,
    /// On the one of cells twice as large: four times fewer.
    pub(crate) doubled: f64,
    /// In a channel: on a single row of the finest cells, whose steps are twice as long.
    pub(crate) one_row: Option<f64>,
    pub(crate) tree: f64,
    /// Cells of the uniform grid over those of the tree, in the mean over the run.
    pub(crate) fewer_cells: f64,
    /// The same at the end of the run.
    pub(crate) fewer_at_the_end: f64,
    /// Cell-steps of the uniform grid over those of the tree.
    pub(crate) less_work: f64,
    /// Relative change of the volume on the tree, what entered and left taken off.
    pub(crate) drift: f64,
    /// Cells of the tree at the end.
    pub(crate) spots: Vec<Spot>,
    /// Those of the uniform grid of the finest cells.
    pub(crate) uniform_spots: Vec<Spot>,
}
