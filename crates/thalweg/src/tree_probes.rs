//! Gauges on a quadtree: points are looked up, rectangles are sums over the cells that lie in them.

use thalweg_scene::{Grid, ProbeKind, Region, Scene};
use thalweg_shallow::Sample;
use thalweg_shallow::tree::TileFields;

use crate::probes::{Gauge, Probes};

impl Probes {
    /// For a scene on a quadtree: gauges have places instead of cells of a grid.
    pub(crate) fn on_tree(scene: &Scene) -> Self {
        let mut probes = Self::empty(&scene.grid);
        let origin = scene.grid.origin;
        let local = |[x, z]: [f64; 2]| [x - origin[0], z - origin[1]];
        for probe in &scene.probes {
            let mut gauge = Gauge::new(probe);
            let first = probes.places.len();
            match probe.kind {
                ProbeKind::Surface { at } | ProbeKind::Depth { at } | ProbeKind::Velocity { at } => {
                    probes.places.push(local(at));
                }
                ProbeKind::Discharge { from, to } => {
                    probes.places.extend(gauge.line(from, to, scene.grid.cell).into_iter().map(local));
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
    pub(crate) fn read_tree(&mut self, samples: &[Sample], tiles: &[TileFields], grid: &Grid) -> Vec<f64> {
        let values = |gauge: &mut Gauge| {
            if gauge.cells.is_empty() { vec![gauge.over(tiles, grid)] } else { gauge.values(samples, 0.0) }
        };
        self.gauges.iter_mut().flat_map(values).collect()
    }
}

/// A cell of the tree in the world.
struct Cell {
    low: [f64; 2],
    size: f64,
    bed: f64,
    depth: f64,
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

    fn is_in(&self, region: &Region) -> bool {
        region.contains(self.low.map(|low| low + 0.5 * self.size))
    }
}

impl Gauge {
    /// The value over all cells.
    fn over(&mut self, tiles: &[TileFields], grid: &Grid) -> f64 {
        let cells = || {
            tiles.iter().flat_map(|tile| {
                let low = [0, 1].map(|axis| grid.origin[axis] + tile.origin[axis]);
                let wide = (tile.depth.len() as f64).sqrt() as usize;
                (0..tile.depth.len()).map(move |at| Cell {
                    low: [low[0] + (at % wide) as f64 * tile.cell, low[1] + (at / wide) as f64 * tile.cell],
                    size: tile.cell,
                    bed: f64::from(tile.bed[at]),
                    depth: f64::from(tile.depth[at]),
                })
            })
        };
        match self.kind {
            ProbeKind::Volume { region } => cells().map(|cell| cell.depth * cell.area_in(&region)).sum(),
            ProbeKind::WetArea { region } => {
                let wet = cells().filter(|cell| cell.depth > 1e-4 * grid.cell);
                wet.map(|cell| cell.area_in(&region)).sum()
            }
            ProbeKind::Runup { region, threshold } => {
                let wet = cells().filter(|cell| cell.depth > threshold && cell.is_in(&region));
                self.highest = wet.map(|cell| cell.bed).fold(self.highest, f64::max);
                if self.highest.is_finite() { self.highest } else { f64::NAN }
            }
            // To the edge of the last cell: on a uniform grid it is a line between cells.
            ProbeKind::Front { axis, largest, threshold } => {
                let wet = cells().filter(|cell| cell.depth > threshold);
                let ends = wet.map(|cell| cell.low[axis] + if largest { cell.size } else { 0.0 });
                ends.reduce(if largest { f64::max } else { f64::min }).unwrap_or(f64::NAN)
            }
            _ => f64::NAN,
        }
    }
}
