//! Gauges on a quadtree: points are looked up, areas are sums over the cells that lie in them.

use thalweg_scene::{Area, Grid, ProbeKind, Region, Scene};
use thalweg_shallow::Sample;
use thalweg_shallow::tree::{SampledCell, TileFields};

use crate::probes::{Gauge, Probes, at_point};

/// Places beside a gauge at a point for each size that its cell may have: two next to it along x, two along z, one across the corner.
const BESIDE: usize = 5;

impl Probes {
    /// For a scene on a quadtree: gauges have places instead of cells of a grid.
    pub(crate) fn on_tree(scene: &Scene) -> Self {
        let mut probes = Self::empty(&scene.grid);
        let (origin, finest) = (scene.grid.origin, scene.grid.cell);
        let local = |[x, z]: [f64; 2]| [x - origin[0], z - origin[1]];
        for probe in &scene.probes {
            let mut gauge = Gauge::new(probe);
            let first = probes.places.len();
            match &probe.kind {
                ProbeKind::Surface { at } | ProbeKind::Depth { at } | ProbeKind::Velocity { at } => {
                    let sizes = (0..scene.water.quadtree.levels).rev().map(|shift| finest * f64::from(1u32 << shift));
                    probes.places.push(local(*at));
                    probes.places.extend(sizes.flat_map(|size| beside(local(*at), size)));
                }
                ProbeKind::Discharge { from, to } => {
                    probes.places.extend(gauge.line(*from, *to, finest).into_iter().map(local));
                }
                _ => {}
            }
            gauge.cells = first..probes.places.len();
            probes.gauges.push(gauge);
        }
        probes
    }

    /// Places that gauges look at, m from the low corner.
    pub(crate) fn places(&self) -> &[[f64; 2]] {
        &self.places
    }

    /// Whether a gauge wants all cells of the tree.
    pub(crate) fn wants_tiles(&self) -> bool {
        self.gauges.iter().any(|gauge| gauge.cells.is_empty())
    }

    /// One row of values, from samples of [`Self::places`] and, if a gauge wants them, all tiles.
    pub(crate) fn read_tree(&mut self, cells: &[SampledCell], tiles: &[TileFields], grid: &Grid) -> Vec<f64> {
        let samples: Vec<Sample> = cells.iter().map(|cell| cell.sample).collect();
        let places = &self.places;
        let values = |gauge: &mut Gauge| match gauge.kind {
            ProbeKind::Surface { .. } | ProbeKind::Depth { .. } | ProbeKind::Velocity { .. } => {
                let parts = around(places[gauge.cells.start], &cells[gauge.cells.clone()], grid.cell);
                at_point(&gauge.kind, parts, 1e-4 * grid.cell)
            }
            _ if gauge.cells.is_empty() => gauge.over(tiles, grid),
            _ => gauge.values(&samples, 0.0),
        };
        self.gauges.iter_mut().flat_map(values).collect()
    }
}

/// Where the neighbours of a point's cell are if that has a size, m: the middles of those half as large along both axes, which larger ones hold too.
fn beside(point: [f64; 2], size: f64) -> [[f64; 2]; BESIDE] {
    let middle = point.map(|x| ((x / size).floor() + 0.5) * size);
    let [x, z] = [0, 1].map(|n| 0.75 * size * if point[n] < middle[n] { -1.0 } else { 1.0 });
    let across = 0.25 * size;
    [[x, -across], [x, across], [-across, z], [across, z], [x, z]].map(|off| [middle[0] + off[0], middle[1] + off[1]])
}

/// The cells around a point with their parts of an interpolation that is bilinear among cells of one size; first the one that holds the point. `cells` are
/// those at the point and at the places [`beside`] it, for all sizes from the largest to the `finest` (m).
fn around(point: [f64; 2], cells: &[SampledCell], finest: f64) -> Vec<(Sample, f64)> {
    let Some((own, others)) = cells.split_first() else { return Vec::new() };
    let shift = (own.size / finest).round().log2() as usize;
    let levels = others.len() / BESIDE;
    let near = &others[BESIDE * (levels - 1 - shift)..][..BESIDE];
    // How far the point is on the way from the middle of its cell to that of the neighbour along an axis; beyond the outermost middles there is none.
    let part = |axis: usize, neighbour: &SampledCell| {
        let apart = (neighbour.middle[axis] - own.middle[axis]).abs();
        let off = (point[axis] - own.middle[axis]).abs();
        if apart > 0.1 * own.size { (off / apart).min(1.0) } else { 0.0 }
    };
    let (x, z) = (part(0, &near[0]), part(1, &near[2]));
    let weights = [0.5 * x * (1.0 - z), 0.5 * x * (1.0 - z), 0.5 * (1.0 - x) * z, 0.5 * (1.0 - x) * z, x * z];
    let own = (own.sample, (1.0 - x) * (1.0 - z));
    let near = near.iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
    std::iter::once(own).chain(near.map(|(cell, weight)| (cell.sample, weight))).collect()
}

/// A cell of the tree in the world.
struct Cell {
    low: [f64; 2],
    size: f64,
    bed: f64,
    depth: f64,
    surface: f64,
}

impl Cell {
    /// Area in a rectangle, m².
    fn area_in(&self, region: &Region) -> f64 {
        let along = |axis: usize| {
            let (low, high) =
                (self.low[axis].max(region.min[axis]), (self.low[axis] + self.size).min(region.max[axis]));
            (high - low).max(0.0)
        };
        along(0) * along(1)
    }

    fn is_in(&self, area: &Area) -> bool {
        area.contains(self.low.map(|low| low + 0.5 * self.size))
    }
}

impl Gauge {
    /// The values over all cells.
    fn over(&mut self, tiles: &[TileFields], grid: &Grid) -> Vec<f64> {
        let cells = || {
            tiles.iter().flat_map(|tile| {
                let low = [0, 1].map(|axis| grid.origin[axis] + tile.origin[axis]);
                let wide = (tile.depth.len() as f64).sqrt() as usize;
                (0..tile.depth.len()).map(move |at| Cell {
                    low: [low[0] + (at % wide) as f64 * tile.cell, low[1] + (at / wide) as f64 * tile.cell],
                    size: tile.cell,
                    bed: f64::from(tile.bed[at]),
                    depth: f64::from(tile.depth[at]),
                    surface: f64::from(tile.surface[at]),
                })
            })
        };
        let value = match &self.kind {
            ProbeKind::Volume { region } => cells().map(|cell| cell.depth * cell.area_in(region)).sum(),
            ProbeKind::WetArea { region } => {
                let wet = cells().filter(|cell| cell.depth > 1e-4 * grid.cell);
                wet.map(|cell| cell.area_in(region)).sum()
            }
            ProbeKind::Runup { area, threshold } => {
                let wet: Vec<Cell> = cells().filter(|cell| cell.depth > *threshold && cell.is_in(area)).collect();
                wet.iter().for_each(|cell| self.wet(cell.bed, cell.surface));
                return self.runup();
            }
            // To the edge of the last cell: on a uniform grid it is a line between cells.
            ProbeKind::Front { axis, largest, threshold } => {
                let wet = cells().filter(|cell| cell.depth > *threshold);
                let ends = wet.map(|cell| cell.low[*axis] + if *largest { cell.size } else { 0.0 });
                ends.reduce(if *largest { f64::max } else { f64::min }).unwrap_or(f64::NAN)
            }
            _ => f64::NAN,
        };
        vec![value]
    }
}
