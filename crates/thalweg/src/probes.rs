//! Gauges: which cells they read, and what they make of them.

use thalweg_bodies::BodyState;
use thalweg_scene::{Grid, Probe, ProbeKind, Region, Scene};
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
    /// Bed elevations of a run-up gauge's cells, m.
    beds: Vec<f32>,
    /// Highest bed wetted so far, m; the only memory a gauge has.
    pub(crate) highest: f64,
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

    /// `bed` is the elevation of every cell, m.
    pub(crate) fn new(scene: &Scene, bed: &[f32]) -> Self {
        let grid = &scene.grid;
        let mut probes = Self::empty(grid);
        let (list, pressures) = (&mut probes.cells, &mut probes.pressures);
        for probe in &scene.probes {
            let mut gauge = Gauge::new(probe);
            let first = list.len();
            gauge.pressure = pressures.len();
            match probe.kind {
                ProbeKind::Surface { at } | ProbeKind::Depth { at } | ProbeKind::Velocity { at } => {
                    list.push(index(grid, grid.cell_at(at)));
                }
                ProbeKind::Discharge { from, to } => {
                    let points = gauge.line(from, to, grid.cell);
                    list.extend(points.into_iter().map(|point| index(grid, grid.cell_at(point))));
                }
                ProbeKind::Volume { region } | ProbeKind::WetArea { region } | ProbeKind::Runup { region, .. } => {
                    list.extend(cells_of(grid, &region));
                }
                ProbeKind::Front { .. } => list.extend(0..grid.nx * grid.nz),
                ProbeKind::Pressure { at } => pressures.push(PressureGauge::Point(at)),
                ProbeKind::Force { obstacle } => pressures.push(PressureGauge::Obstacle(obstacle)),
                _ => {}
            }
            gauge.cells = first..list.len();
            if matches!(probe.kind, ProbeKind::Runup { .. }) {
                gauge.beds = list[gauge.cells.clone()].iter().map(|&c| bed[c as usize]).collect();
            }
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
        self.gauges.iter().map(|g| g.highest).collect()
    }

    pub(crate) fn restore(&mut self, memory: &[f64]) -> bool {
        self.gauges.iter_mut().zip(memory).for_each(|(g, &m)| g.highest = m);
        memory.len() == self.gauges.len()
    }
}

impl Gauge {
    /// A gauge that looks at nothing yet.
    pub(crate) fn new(probe: &Probe) -> Self {
        Self {
            name: probe.name.clone(),
            kind: probe.kind,
            cells: 0..0,
            pressure: 0,
            body: None,
            beds: Vec::new(),
            highest: f64::NEG_INFINITY,
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

    pub(crate) fn values(&mut self, samples: &[Sample], area: f64) -> Vec<f64> {
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

fn index(grid: &Grid, [i, k]: [u32; 2]) -> u32 {
    i + grid.nx * k
}

fn cells_of<'a>(grid: &'a Grid, region: &'a Region) -> impl Iterator<Item = u32> + 'a {
    let all = (0..grid.nz).flat_map(|k| (0..grid.nx).map(move |i| [i, k]));
    all.filter(|&[i, k]| region.contains(grid.center(i, k))).map(|c| index(grid, c))
}

#[cfg(test)]
mod tests {
    use super::front;

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
