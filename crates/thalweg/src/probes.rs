//! Gauges: which cells they read, and what they make of them.

use thalweg_scene::{Grid, ProbeKind, Region, Scene};
use thalweg_shallow::Sample;

/// All gauges of a scene. One list of cells serves them all, so that a row costs one small read.
pub(crate) struct Probes {
    gauges: Vec<Gauge>,
    cells: Vec<u32>,
    cell: f64,
}

struct Gauge {
    name: String,
    kind: ProbeKind,
    /// This gauge's part of the list.
    cells: std::ops::Range<usize>,
    /// Bed elevations of a run-up gauge's cells, m.
    beds: Vec<f32>,
    /// Highest bed wetted so far, m; the only memory a gauge has.
    highest: f64,
    /// Unit normal and length that a point of a line stands for, m.
    normal: [f64; 2],
    spacing: f64,
}

impl Probes {
    /// `bed` is the elevation of every cell, m.
    pub(crate) fn new(scene: &Scene, bed: &[f32]) -> Self {
        let grid = &scene.grid;
        let mut list = Vec::new();
        let mut gauges = Vec::new();
        for probe in &scene.probes {
            let first = list.len();
            let (mut normal, mut spacing) = ([0.0; 2], 0.0);
            match probe.kind {
                ProbeKind::Surface { at } | ProbeKind::Depth { at } | ProbeKind::Velocity { at } => {
                    list.push(index(grid, grid.cell_at(at)));
                }
                ProbeKind::Discharge { from, to } => {
                    let (dx, dz) = (to[0] - from[0], to[1] - from[1]);
                    let length = dx.hypot(dz);
                    let points = (2.0 * length / grid.cell).ceil().max(1.0) as usize;
                    (normal, spacing) = ([dz / length, -dx / length], length / points as f64);
                    list.extend((0..points).map(|n| {
                        let part = (n as f64 + 0.5) / points as f64;
                        index(grid, grid.cell_at([from[0] + part * dx, from[1] + part * dz]))
                    }));
                }
                ProbeKind::Volume { region } | ProbeKind::WetArea { region } | ProbeKind::Runup { region, .. } => {
                    list.extend(cells_of(grid, &region));
                }
                _ => {}
            }
            let cells = first..list.len();
            let keeps_beds = matches!(probe.kind, ProbeKind::Runup { .. });
            let beds =
                if keeps_beds { list[cells.clone()].iter().map(|&c| bed[c as usize]).collect() } else { Vec::new() };
            let (name, kind) = (probe.name.clone(), probe.kind);
            gauges.push(Gauge { name, kind, cells, beds, highest: f64::NEG_INFINITY, normal, spacing });
        }
        Self { gauges, cells: list, cell: grid.cell }
    }

    /// The cells that gauges look at.
    pub(crate) fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Column names, in order, without `time`.
    pub(crate) fn columns(&self) -> Vec<String> {
        let names = |g: &Gauge| match g.kind {
            ProbeKind::Velocity { .. } => vec![g.name.clone(), format!("{}_x", g.name), format!("{}_z", g.name)],
            _ => vec![g.name.clone()],
        };
        self.gauges.iter().flat_map(names).collect()
    }

    /// One row of values, from samples of [`Self::cells`].
    pub(crate) fn read(&mut self, samples: &[Sample]) -> Vec<f64> {
        let area = self.cell * self.cell;
        self.gauges.iter_mut().flat_map(|g| g.values(samples, area)).collect()
    }

    /// What gauges remember, for a checkpoint.
    pub(crate) fn memory(&self) -> Vec<f64> {
        self.gauges.iter().map(|g| g.highest).collect()
    }

    pub(crate) fn restore(&mut self, memory: &[f64]) -> bool {
        self.gauges.iter_mut().zip(memory).for_each(|(g, &m)| g.highest = m);
        memory.len() == self.gauges.len()
    }
}

impl Gauge {
    fn values(&mut self, samples: &[Sample], area: f64) -> Vec<f64> {
        let mine = &samples[self.cells.clone()];
        match self.kind {
            ProbeKind::Surface { .. } => vec![mine[0].surface],
            ProbeKind::Depth { .. } => vec![mine[0].depth],
            ProbeKind::Velocity { .. } => {
                let [x, z] = mine[0].velocity;
                vec![x.hypot(z), x, z]
            }
            ProbeKind::Discharge { .. } => {
                let through = |s: &Sample| s.depth * (s.velocity[0] * self.normal[0] + s.velocity[1] * self.normal[1]);
                vec![mine.iter().map(through).sum::<f64>() * self.spacing]
            }
            ProbeKind::Volume { .. } => vec![mine.iter().map(|s| s.depth).sum::<f64>() * area],
            ProbeKind::WetArea { .. } => {
                vec![mine.iter().filter(|s| s.depth > 1e-4 * area.sqrt()).count() as f64 * area]
            }
            ProbeKind::Runup { threshold, .. } => {
                let wet = mine.iter().zip(&self.beds).filter(|(s, _)| s.depth > threshold);
                self.highest = wet.map(|(_, &z)| f64::from(z)).fold(self.highest, f64::max);
                vec![if self.highest.is_finite() { self.highest } else { f64::NAN }] // an empty field: never wet
            }
            _ => vec![f64::NAN],
        }
    }
}

fn index(grid: &Grid, [i, k]: [u32; 2]) -> u32 {
    i + grid.nx * k
}

fn cells_of<'a>(grid: &'a Grid, region: &'a Region) -> impl Iterator<Item = u32> + 'a {
    let all = (0..grid.nz).flat_map(|k| (0..grid.nx).map(move |i| [i, k]));
    all.filter(|&[i, k]| region.contains(grid.center(i, k))).map(|c| index(grid, c))
}
