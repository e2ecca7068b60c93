//! Gauges: which cells they read, and what they make of them.

use thalweg_bodies::BodyState;
use thalweg_scene::{Area, Grid, Probe, ProbeKind, Region, Scene};
use thalweg_shallow::Sample;

use crate::bodies::quantity;
use crate::tall_scene::PressureGauge;

/// All gauges of a scene. One list of cells serves them all, so that a row costs one small read.
pub(crate) struct Probes {
    pub(crate) gauges: Vec<Gauge>,
    cells: Vec<u32>,
    /// On a quadtree, instead of cells: places, m from the low corner.
    pub(crate) places: Vec<[f64; 2]>,
    /// What is asked of the pressure.
    pressures: Vec<PressureGauge>,
    /// What bodies do, as it was told last.
    bodies: Vec<BodyState>,
    cell: f64,
    /// Columns along x and z, and their corner in the world, m.
    size: [usize; 2],
    origin: [f64; 2],
}

pub(crate) struct Gauge {
    name: String,
    pub(crate) kind: ProbeKind,
    /// This gauge's part of the list.
    pub(crate) cells: std::ops::Range<usize>,
    /// Its place among the pressures.
    pressure: usize,
    /// The body that it looks at: numbers change when bodies come and go.
    body: Option<String>,
    /// Of a gauge at a point: how much each of its cells counts.
    weights: Vec<f64>,
    /// The highest ground wetted so far, and the highest level of the water on it, m, or −∞; the only memory a gauge has.
    pub(crate) highest: [f64; 2],
    /// Unit normal and length that a point of a line stands for, m.
    normal: [f64; 2],
    spacing: f64,
}

impl Probes {
    /// Without gauges.
    pub(crate) fn empty(grid: &Grid) -> Self {
        Self {
            gauges: Vec::new(),
            cells: Vec::new(),
            places: Vec::new(),
            pressures: Vec::new(),
            bodies: Vec::new(),
            cell: grid.cell,
            size: [grid.nx as usize, grid.nz as usize],
            origin: grid.origin,
        }
    }

    /// For a scene on a grid of equal cells.
    pub(crate) fn new(scene: &Scene) -> Self {
        let grid = &scene.grid;
        let mut probes = Self::empty(grid);
        let (list, pressures) = (&mut probes.cells, &mut probes.pressures);
        for probe in &scene.probes {
            let mut gauge = Gauge::new(probe);
            let first = list.len();
            gauge.pressure = pressures.len();
            match &probe.kind {
                ProbeKind::Surface { at } | ProbeKind::Depth { at } | ProbeKind::Velocity { at } => {
                    for (cell, weight) in around(grid, *at) {
                        list.push(index(grid, cell));
                        gauge.weights.push(weight);
                    }
                }
                ProbeKind::Discharge { from, to } => {
                    let points = gauge.line(*from, *to, grid.cell);
                    list.extend(points.into_iter().map(|point| index(grid, grid.cell_at(point))));
                }
                ProbeKind::Volume { region } | ProbeKind::WetArea { region } => list.extend(cells_of(grid, *region)),
                ProbeKind::Runup { area, .. } => list.extend(area.cells(grid).map(|cell| index(grid, cell))),
                ProbeKind::Front { .. } => list.extend(0..grid.nx * grid.nz),
                ProbeKind::Pressure { at } => pressures.push(PressureGauge::Point(*at)),
                ProbeKind::Force { obstacle } => pressures.push(PressureGauge::Obstacle(*obstacle)),
                _ => {}
            }
            gauge.cells = first..list.len();
            if let ProbeKind::Body { body, .. } = probe.kind {
                gauge.body = scene.bodies.get(body).map(|body| body.name.clone());
            }
            probes.gauges.push(gauge);
        }
        probes
    }

    /// The cells that gauges look at.
    pub(crate) fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Whether there is nothing to read.
    pub(crate) fn is_empty(&self) -> bool {
        self.gauges.is_empty()
    }

    /// Tells what bodies do, for the rows that follow.
    pub(crate) fn see_bodies(&mut self, states: Vec<BodyState>) {
        self.bodies = states;
    }

    /// What gauges ask of the pressure.
    pub(crate) fn pressures(&self) -> &[PressureGauge] {
        &self.pressures
    }

    /// Column names, in order, without `time`.
    pub(crate) fn columns(&self) -> Vec<String> {
        let names = |g: &Gauge| match g.kind {
            ProbeKind::Velocity { .. } => vec![g.name.clone(), format!("{}_x", g.name), format!("{}_z", g.name)],
            ProbeKind::Runup { .. } => vec![g.name.clone(), format!("{}_level", g.name)],
            ProbeKind::Force { .. } | ProbeKind::Body { .. } => {
                ["x", "y", "z"].map(|axis| format!("{}_{axis}", g.name)).to_vec()
            }
            _ => vec![g.name.clone()],
        };
        self.gauges.iter().flat_map(names).collect()
    }

    /// One row of values, from samples of [`Self::cells`] and values of [`Self::pressures`].
    pub(crate) fn read(&mut self, samples: &[Sample], pressures: &[[f64; 3]]) -> Vec<f64> {
        let area = self.cell * self.cell;
        let (size, origin, cell) = (self.size, self.origin, self.cell);
        let bodies = &self.bodies;
        let values = |g: &mut Gauge| match g.kind {
            ProbeKind::Pressure { .. } => vec![pressures[g.pressure][0]],
            ProbeKind::Force { .. } => pressures[g.pressure].to_vec(),
            ProbeKind::Body { what, .. } => {
                let body = bodies.iter().find(|body| g.body.as_ref() == Some(&body.name));
                body.map_or([f64::NAN; 3], |body| quantity(what, body)).to_vec()
            }
            ProbeKind::Front { axis, largest, threshold } => {
                let depth = |at: usize| samples[g.cells.start + at].depth;
                let cells = front(size, axis, largest, |at| depth(at) - threshold);
                vec![cells.map_or(f64::NAN, |cells| origin[axis] + cells * cell)]
            }
            _ => g.values(samples, area),
        };
        self.gauges.iter_mut().flat_map(values).collect()
    }

    /// What gauges remember, for a checkpoint.
    pub(crate) fn memory(&self) -> Vec<f64> {
        self.gauges.iter().flat_map(|g| g.highest).collect()
    }

    /// Whether it was the memory of these gauges. Older checkpoints have one number a gauge, without the level on the highest ground: that is an empty field
    /// until higher ground is wetted, or the same ground again.
    pub(crate) fn restore(&mut self, memory: &[f64]) -> bool {
        if memory.len() == self.gauges.len() {
            self.gauges.iter_mut().zip(memory).for_each(|(g, &ground)| g.highest = [ground, f64::NEG_INFINITY]);
            return true;
        }
        self.gauges.iter_mut().zip(memory.as_chunks::<2>().0).for_each(|(g, &highest)| g.highest = highest);
        memory.len() == 2 * self.gauges.len()
    }
}

impl Gauge {
    /// A gauge that looks at nothing yet.
    pub(crate) fn new(probe: &Probe) -> Self {
        Self {
            name: probe.name.clone(),
            kind: probe.kind.clone(),
            cells: 0..0,
            pressure: 0,
            body: None,
            weights: Vec::new(),
            highest: [f64::NEG_INFINITY; 2],
            normal: [0.0; 2],
            spacing: 0.0,
        }
    }

    /// Points of the line that the gauge counts water over, two to a cell.
    pub(crate) fn line(&mut self, from: [f64; 2], to: [f64; 2], cell: f64) -> Vec<[f64; 2]> {
        let (dx, dz) = (to[0] - from[0], to[1] - from[1]);
        let length = dx.hypot(dz);
        let points = (2.0 * length / cell).ceil().max(1.0) as usize;
        (self.normal, self.spacing) = ([dz / length, -dx / length], length / points as f64);
        let point = |n: usize| {
            let part = (n as f64 + 0.5) / points as f64;
            [from[0] + part * dx, from[1] + part * dz]
        };
        (0..points).map(point).collect()
    }

    /// Takes wet ground into the run-up, in any order; `level` is that of the water, m.
    pub(crate) fn wet(&mut self, ground: f64, level: f64) {
        let [highest, before] = self.highest;
        if ground > highest {
            self.highest = [ground, level];
        } else if ground == highest {
            self.highest[1] = before.max(level);
        }
    }

    /// The run-up so far; empty fields if nothing was wet.
    pub(crate) fn runup(&self) -> Vec<f64> {
        self.highest.map(|height| if height.is_finite() { height } else { f64::NAN }).to_vec()
    }

    pub(crate) fn values(&mut self, samples: &[Sample], area: f64) -> Vec<f64> {
        let mine = &samples[self.cells.clone()];
        let dry = 1e-4 * area.sqrt();
        match self.kind {
            ProbeKind::Surface { .. } | ProbeKind::Depth { .. } | ProbeKind::Velocity { .. } => {
                let parts = mine.iter().copied().zip(self.weights.iter().copied());
                at_point(&self.kind, parts.collect::<Vec<_>>(), dry)
            }
            ProbeKind::Discharge { .. } => {
                let through = |s: &Sample| s.depth * (s.velocity[0] * self.normal[0] + s.velocity[1] * self.normal[1]);
                vec![mine.iter().map(through).sum::<f64>() * self.spacing]
            }
            ProbeKind::Volume { .. } => vec![mine.iter().map(|s| s.depth).sum::<f64>() * area],
            ProbeKind::WetArea { .. } => {
                vec![mine.iter().filter(|s| s.depth > dry).count() as f64 * area]
            }
            ProbeKind::Runup { threshold, .. } => {
                mine.iter().filter(|s| s.depth > threshold).for_each(|s| self.wet(s.bed, s.surface));
                self.runup()
            }
            _ => vec![f64::NAN],
        }
    }
}

/// How far cells with a positive `excess` reach along an axis, in cells from the corner; `None` without any. Between the middle
/// of the last such cell and that of the next one the excess is a line.
fn front([nx, nz]: [usize; 2], axis: usize, largest: bool, excess: impl Fn(usize) -> f64) -> Option<f64> {
    let (length, lines) = if axis == 0 { (nx, nz) } else { (nz, nx) };
    let farther = |a: f64, b: f64| if largest { a.max(b) } else { a.min(b) };
    let of_line = |line: usize| {
        // Place `n` of the line, counted from where the front looks to.
        let at = |n: usize| {
            let n = if largest { length - 1 - n } else { n };
            if axis == 0 { n + nx * line } else { line + nx * n }
        };
        let found = (0..length).find(|n| excess(at(*n)) > 0.0)?;
        let beyond = match found.checked_sub(1) {
            Some(next) => {
                let (inside, outside) = (excess(at(found)), excess(at(next)));
                inside / (inside - outside)
            }
            // The last cell ends at the side of the domain.
            None => 0.5,
        };
        let middle = found as f64 + 0.5;
        Some(if largest { length as f64 - (middle - beyond) } else { middle - beyond })
    };
    (0..lines).filter_map(of_line).reduce(farther)
}

/// What a gauge at a point reads from cells around it with their weights, which add up to 1; the first one holds the point. Cells with no more water than
/// `dry` (m) have neither level nor velocity; where the first one is dry the point is.
pub(crate) fn at_point(kind: &ProbeKind, parts: Vec<(Sample, f64)>, dry: f64) -> Vec<f64> {
    let is_wet = parts.first().is_some_and(|(own, _)| own.depth > dry);
    let wet: f64 = parts.iter().filter(|(s, _)| s.depth > dry).map(|(_, weight)| weight).sum();
    let over_wet = |value: &dyn Fn(&Sample) -> f64| -> f64 {
        let sum: f64 = parts.iter().filter(|(s, _)| s.depth > dry).map(|(s, weight)| weight * value(s)).sum();
        sum / wet
    };
    match kind {
        ProbeKind::Surface { .. } if is_wet => vec![over_wet(&|s| s.surface)],
        ProbeKind::Surface { .. } => vec![f64::NAN], // an empty field
        ProbeKind::Depth { .. } => vec![parts.iter().map(|(s, weight)| weight * s.depth).sum()],
        _ if is_wet => {
            let [x, z] = [0, 1].map(|axis| over_wet(&|s| s.velocity[axis]));
            vec![x.hypot(z), x, z]
        }
        _ => vec![0.0; 3],
    }
}

/// The cells whose middles lie around a point, with their parts of a bilinear interpolation; first the one that holds the point. Beyond the outermost middles
/// the value is that on the line through them.
fn around(grid: &Grid, point: [f64; 2]) -> Vec<([u32; 2], f64)> {
    let own = grid.cell_at(point);
    let middle = grid.center(own[0], own[1]);
    let count = [grid.nx, grid.nz];
    // Per axis the neighbour on the side of the point, and how much it counts.
    let beside = [0, 1].map(|axis| {
        let off = (point[axis] - middle[axis]) / grid.cell;
        let next = if off < 0.0 { own[axis].checked_sub(1) } else { Some(own[axis] + 1).filter(|n| *n < count[axis]) };
        next.map(|next| (next, off.abs().min(0.5)))
    });
    let along = |axis: usize| {
        let (next, part) = beside[axis].unwrap_or((own[axis], 0.0));
        [(own[axis], 1.0 - part), (next, part)]
    };
    let cells = along(1).into_iter().flat_map(|(k, z)| along(0).into_iter().map(move |(i, x)| ([i, k], x * z)));
    cells.enumerate().filter(|(n, (_, weight))| *n == 0 || *weight > 0.0).map(|(_, part)| part).collect()
}

fn index(grid: &Grid, [i, k]: [u32; 2]) -> u32 {
    i + grid.nx * k
}

fn cells_of(grid: &Grid, region: Region) -> Vec<u32> {
    Area::Rectangle(region).cells(grid).map(|cell| index(grid, cell)).collect()
}

#[cfg(test)]
mod tests {
    use thalweg_scene::{Grid, ProbeKind};
    use thalweg_shallow::Sample;

    use super::{around, at_point, front};

    /// 4 x 3 cells of 2 m from (10, 20).
    fn grid() -> Grid {
        let text = "scene = { name = 'g', duration = 1 }\ndomain = { size = [8, 1, 6], cell = 2, origin = [10, 20] }";
        thalweg_scene::Scene::from_str(text, "g.toml", ".").expect("a scene").grid
    }

    #[test]
    fn points_lie_between_the_middles_of_cells() {
        let grid = grid();
        // A plane comes back exactly, whatever the point; within half a cell of the sides it is held.
        for point in [[12.0, 23.0], [13.7, 22.4], [16.9, 24.99], [11.0, 21.0]] {
            let cells = around(&grid, point);
            assert_eq!(cells[0].0, grid.cell_at(point), "the first one holds the point");
            let sum: f64 = cells.iter().map(|(_, weight)| weight).sum();
            let place = [0, 1].map(|n| cells.iter().map(|([i, k], w)| w * grid.center(*i, *k)[n]).sum::<f64>());
            assert!((sum - 1.0).abs() < 1e-12, "{cells:?}");
            assert!((place[0] - point[0]).abs() < 1e-9 && (place[1] - point[1]).abs() < 1e-9, "{point:?}: {place:?}");
        }
        assert_eq!(around(&grid, [10.0, 20.0]), [([0, 0], 1.0)]);
        assert_eq!(around(&grid, [18.0, 23.0]), [([3, 1], 1.0)]);
    }

    #[test]
    fn dry_cells_have_no_level_and_no_flow() {
        let water =
            |depth: f64, surface: f64, u: f64| Sample { depth, surface, velocity: [u, 0.0], bed: surface - depth };
        let read = |kind: ProbeKind, parts: &[(Sample, f64)]| at_point(&kind, parts.to_vec(), 1e-3);
        let (wet, high, dry) = (water(1.0, 2.0, 3.0), water(0.5, 4.0, 1.0), water(0.0, 9.0, 0.0));
        let at = [0.0; 2];
        assert_eq!(read(ProbeKind::Surface { at }, &[(wet, 0.75), (high, 0.25)]), [2.5]);
        assert_eq!(read(ProbeKind::Surface { at }, &[(wet, 0.75), (dry, 0.25)]), [2.0], "the bed is no level");
        assert!(read(ProbeKind::Surface { at }, &[(dry, 0.75), (wet, 0.25)])[0].is_nan(), "the point is dry");
        assert_eq!(read(ProbeKind::Depth { at }, &[(dry, 0.75), (wet, 0.25)]), [0.25]);
        assert_eq!(read(ProbeKind::Velocity { at }, &[(wet, 0.5), (high, 0.25), (dry, 0.25)])[1], 7.0 / 3.0);
        assert_eq!(read(ProbeKind::Velocity { at }, &[(dry, 0.75), (wet, 0.25)]), [0.0; 3]);
    }

    #[test]
    fn fronts_lie_where_the_depth_falls_below() {
        // 5 x 2 cells; depths less the threshold.
        let excess = [3.0, 2.0, 1.0, -1.0, -1.0, -1.0, 2.0, 2.0, 2.0, -6.0];
        let at = |axis: usize, largest: bool| front([5, 2], axis, largest, |n| excess[n]);
        assert_eq!(at(0, true), Some(3.5 + 0.25));
        assert_eq!((at(0, false), at(1, true), at(1, false)), (Some(0.0), Some(2.0), Some(0.0)));
        assert_eq!(front([5, 2], 0, true, |_| -1.0), None);
        assert_eq!(front([5, 2], 0, false, |n| if n % 5 > 1 { 1.0 } else { -1.0 }), Some(2.0));
    }
}
