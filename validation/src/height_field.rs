//! The same height field of water on a uniform grid and on a tree, behind one trait.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_shallow::tree::{
    GroundPyramid, InitialWater, PlaceList, Refinement, TILE, TileFields, TreeSetup, TreeWater,
};
use thalweg_shallow::{CellList, InitialCell, Sample, Setup, Side};

use crate::rig::{Edge, Gauges, Run, SECOND, channel_edges, sides_and_far_fields};
use crate::{Limit, Result};

/// What is asked of a tree: error over that of the uniform grid of its finest cells, and times fewer cells.
pub(crate) const WORSE: Limit = Limit::AtMost(2.0);
pub(crate) const FEWER: Limit = Limit::AtLeast(4.0);

/// Bends of surface and velocity that are left to large cells. Looked at every fourth step: waves cross few cells in
/// between.
pub(crate) fn refinement(surface: f64, speed: f64) -> Refinement {
    Refinement { surface, speed, budget: 1 << 20, interval: 4, ..Refinement::default() }
}

/// Width of a channel in finest cells: a tile of the coarsest level.
pub(crate) fn channel_width(levels: u32) -> u32 {
    (TILE as u32) << (levels - 1)
}

/// Walls all around.
pub(crate) fn walls() -> [Edge; 4] {
    [const { Edge::Side(Side::Wall) }; 4]
}

/// A cell, its middle (x, z), m, and its size, m.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot {
    pub(crate) at: [f64; 2],
    pub(crate) size: f64,
    pub(crate) depth: f64,
    pub(crate) surface: f64,
    pub(crate) velocity: f64,
}

/// Water with gauges and listed places.
pub(crate) trait HeightField {
    /// Simulates up to `time`, s.
    fn to(&mut self, time: f64) -> Result<()>;
    /// Surface at the gauges, linear between cells, m.
    fn gauges(&mut self) -> Result<Vec<f64>>;
    /// The water in the cells that hold the listed places.
    fn listed(&mut self) -> Result<Vec<Sample>>;
    /// All cells.
    fn spots(&mut self) -> Result<Vec<Spot>>;
    /// Change of the volume since the start, less what came in and went out where that is known, over the volume or
    /// what came in.
    fn drift(&mut self) -> Result<f64>;
    /// Surface along the south side by x.
    fn profile(&mut self) -> Result<Vec<[f64; 2]>> {
        Ok(south(&self.spots()?).iter().map(|s| [s.at[0], s.surface]).collect())
    }
}

/// The cells along the south side by x.
pub(crate) fn south(spots: &[Spot]) -> Vec<Spot> {
    let mut row: Vec<Spot> = spots.iter().copied().filter(|s| s.at[1] < s.size).collect();
    row.sort_by(|a, b| a.at[0].total_cmp(&b.at[0]));
    row
}

/// On a uniform grid.
pub(crate) struct Uniform {
    pub(crate) run: Run,
    gauges: Gauges,
    list: CellList,
}

impl Uniform {
    /// `gauges` and `places` are (x, z) in m from the low corner.
    pub(crate) fn new(run: Run, gauges: &[[f64; 2]], places: &[[f64; 2]]) -> Result<Self> {
        let ([nx, nz], cell) = (run.water.size(), run.water.cell());
        let index = |x: f64, n: usize| ((x / cell) as usize).min(n - 1);
        let cells: Vec<u32> = places.iter().map(|&[x, z]| (index(x, nx) + nx * index(z, nz)) as u32).collect();
        let list = run.water.cell_list(if cells.is_empty() { &[0] } else { &cells })?;
        Ok(Self { gauges: Gauges::new(&run.water, gauges)?, list, run })
    }
}

impl HeightField for Uniform {
    fn to(&mut self, time: f64) -> Result<()> {
        self.run.to(time)
    }

    fn gauges(&mut self) -> Result<Vec<f64>> {
        self.gauges.read(&mut self.run.water)
    }

    fn listed(&mut self) -> Result<Vec<Sample>> {
        Ok(self.run.water.sample(&self.list)?)
    }

    fn spots(&mut self) -> Result<Vec<Spot>> {
        let (fields, [nx, _], size) = (self.run.fields()?, self.run.water.size(), self.run.water.cell());
        let spot = |at: usize| Spot {
            at: [at % nx, at / nx].map(|n| (n as f64 + 0.5) * size),
            size,
            depth: f64::from(fields.depth[at]),
            surface: f64::from(fields.surface[at]),
            velocity: f64::from(fields.u[at]),
        };
        Ok((0..fields.surface.len()).map(spot).collect())
    }

    fn drift(&mut self) -> Result<f64> {
        self.run.drift()
    }
}

/// What to simulate on a tree; start from [`TreeCase::new`].
pub(crate) struct TreeCase<'a> {
    /// Finest cells along x and z.
    pub(crate) size: [u32; 2],
    pub(crate) cell: f64,
    pub(crate) levels: u32,
    pub(crate) initial: &'a (dyn Fn([f64; 2]) -> InitialCell + Sync),
    pub(crate) datum: f64,
    pub(crate) edges: [Edge; 4],
    pub(crate) manning: f64,
    /// Water slower than this sleeps, m/s.
    pub(crate) still: f64,
    pub(crate) refinement: Refinement,
    /// Longest frame, s: what splits waits for the ground until the next one begins.
    pub(crate) frame: f64,
}

impl<'a> TreeCase<'a> {
    /// A frictionless closed basin.
    pub(crate) fn new(
        size: [u32; 2],
        cell: f64,
        levels: u32,
        initial: &'a (dyn Fn([f64; 2]) -> InitialCell + Sync),
        refinement: Refinement,
    ) -> Self {
        Self {
            size,
            cell,
            levels,
            initial,
            datum: 0.0,
            edges: walls(),
            manning: 0.0,
            still: 1e-4,
            refinement,
            frame: f64::INFINITY,
        }
    }
}

/// On a tree.
pub(crate) struct Tree {
    pub(crate) water: TreeWater,
    gauges: Vec<[f64; 2]>,
    list: PlaceList,
    began: f64,
    frame: f64,
    /// Cells times seconds.
    cells: f64,
    /// Tiles as they are now, if asked for.
    tiles: Option<Vec<TileFields>>,
}

impl Tree {
    pub(crate) fn new(
        exec: &Arc<Executor>,
        what: TreeCase<'_>,
        gauges: &[[f64; 2]],
        places: &[[f64; 2]],
    ) -> Result<Self> {
        let TreeCase { size, cell, levels, initial, .. } = what;
        let beds: Vec<f64> = (0..size[0] * size[1])
            .map(|at| initial([at % size[0], at / size[0]].map(|n| (f64::from(n) + 0.5) * cell)).bed)
            .collect();
        let ground = Arc::new(GroundPyramid::new(size, levels, move |i, k| beds[(i + size[0] * k) as usize]));
        let start = |at: [f64; 2], _: f64| {
            let InitialCell { surface, velocity, .. } = initial(at);
            InitialWater { surface, velocity }
        };
        let mut setup = TreeSetup::new(size, cell, levels, ground, &start);
        (setup.options.order, setup.options.manning, setup.options.still) = (SECOND, what.manning, what.still);
        setup.datum = what.datum;
        (setup.sides, setup.far_fields) = sides_and_far_fields(what.edges);
        setup.refinement = what.refinement;
        let mut water = TreeWater::new(exec.clone(), setup)?;
        let (began, list) = (water.statistics()?.volume, water.place_list(places)?);
        Ok(Self { water, gauges: gauges.to_vec(), list, began, frame: what.frame, cells: 0.0, tiles: None })
    }

    /// Cells of the uniform grid of the finest cells over those of the tree, in the mean over the run.
    pub(crate) fn fewer_cells(&self) -> f64 {
        let [nx, nz] = self.water.size();
        (nx * nz) as f64 * self.water.time() / self.cells
    }

    /// Cells now, of all tiles: those that are dry or sleep too.
    pub(crate) fn cells(&mut self) -> Result<f64> {
        let tiles: usize = self.water.census()?.iter().map(|[tiles, _]| tiles).sum();
        Ok((tiles * TILE * TILE) as f64)
    }

    fn tiles(&mut self) -> Result<&[TileFields]> {
        let tiles = match self.tiles.take() {
            Some(tiles) => tiles,
            None => self.water.fields()?,
        };
        Ok(self.tiles.insert(tiles))
    }
}

/// The cell that holds a place, the nearest in the domain.
fn spot_at(tiles: &[TileFields], place: [f64; 2], far: [f64; 2]) -> Option<Spot> {
    let place = [0, 1].map(|n| place[n].clamp(0.0, far[n] * (1.0 - 1e-12)));
    let holds = |t: &&TileFields| (0..2).all(|n| (0.0..t.cell * TILE as f64).contains(&(place[n] - t.origin[n])));
    let tile = tiles.iter().find(holds)?;
    let [i, k] = [0, 1].map(|n| (((place[n] - tile.origin[n]) / tile.cell) as usize).min(TILE - 1));
    Some(spot(tile, i + TILE * k))
}

fn spot(tile: &TileFields, at: usize) -> Spot {
    let [i, k] = [at % TILE, at / TILE];
    Spot {
        at: [tile.origin[0] + (i as f64 + 0.5) * tile.cell, tile.origin[1] + (k as f64 + 0.5) * tile.cell],
        size: tile.cell,
        depth: f64::from(tile.depth[at]),
        surface: f64::from(tile.surface[at]),
        velocity: f64::from(tile.u[at]),
    }
}

/// Surface at a place: that of the cell that holds it, and from there straight to the neighbours on its side.
fn surface_at(tiles: &[TileFields], place: [f64; 2], far: [f64; 2]) -> Option<f64> {
    let here = spot_at(tiles, place, far)?;
    let mut surface = here.surface;
    for axis in 0..2 {
        let off = place[axis].clamp(0.0, far[axis]) - here.at[axis];
        let mut beside = here.at;
        beside[axis] += 0.75 * here.size * off.signum();
        let there = spot_at(tiles, beside, far)?;
        let apart = there.at[axis] - here.at[axis];
        if apart.abs() > 1e-3 * here.size {
            // Where the neighbours are smaller, two of them lie side by side.
            let mut other = beside;
            other[1 - axis] = 2.0 * here.at[1 - axis] - there.at[1 - axis];
            let both = 0.5 * (there.surface + spot_at(tiles, other, far)?.surface);
            let value = if there.size < here.size { both } else { there.surface };
            surface += (value - here.surface) / apart * off;
        }
    }
    Some(surface)
}

impl HeightField for Tree {
    fn to(&mut self, time: f64) -> Result<()> {
        let mut left = time - self.water.time();
        while left > 1e-9 {
            // Frames of equal length.
            let frame = left / (left / self.frame - 1e-6).ceil().max(1.0);
            self.tiles = None;
            self.water.advance(frame)?;
            self.cells += self.cells()? * frame;
            // Moves what came in and went out into f64.
            self.water.statistics()?;
            left = time - self.water.time();
        }
        Ok(())
    }

    fn gauges(&mut self) -> Result<Vec<f64>> {
        let far = self.water.size().map(|n| n as f64 * self.water.cell());
        let places = std::mem::take(&mut self.gauges);
        let tiles = self.tiles()?;
        let read = places.iter().map(|&place| surface_at(tiles, place, far).unwrap_or(f64::NAN)).collect();
        self.gauges = places;
        Ok(read)
    }

    fn listed(&mut self) -> Result<Vec<Sample>> {
        Ok(self.water.sample_list(&self.list)?)
    }

    fn spots(&mut self) -> Result<Vec<Spot>> {
        Ok(self.tiles()?.iter().flat_map(|tile| (0..TILE * TILE).map(|at| spot(tile, at))).collect())
    }

    fn drift(&mut self) -> Result<f64> {
        let now = self.water.statistics()?;
        Ok(now.drift(self.began).abs())
    }
}

/// A channel two cells wide on a uniform grid: the rows of a wider one are the same. One row alone would take longer
/// steps.
pub(crate) fn uniform_channel(
    exec: &Arc<Executor>,
    (n, cell): (u32, f64),
    initial: &(dyn Fn(f64) -> InitialCell + Sync),
    [west, east]: [Edge; 2],
    (gauges, places): (&[[f64; 2]], &[[f64; 2]]),
) -> Result<Uniform> {
    let cells = |i: u32, _k: u32| initial((f64::from(i) + 0.5) * cell);
    let mut setup = Setup::new(n, 2, cell, &cells);
    setup.options = crate::rig::options(SECOND);
    (setup.sides, setup.far_fields) = sides_and_far_fields(channel_edges(west, east));
    Uniform::new(Run::new(exec, setup)?, gauges, places)
}
