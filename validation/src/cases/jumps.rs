//! Hydraulic jumps between a discharge and a tail water, as scenes: over a bump, and in a channel with friction.

use std::fmt::Write;
use std::sync::Arc;

use thalweg::methods::TreeScene;
use thalweg::{Scene, Simulation};
use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_scene::Files;

use crate::rig::{GRAVITY, center, largest};
use crate::{Case, Limit, Outcome, Result, ValidationError};

pub(crate) const BUMP: Case = Case {
    name: "jump-bump",
    about: "A discharge over a bump against three tail waters (`level`): place of the jump and depth away from it, uniform grid and quadtree",
    source: "exact: energy, and force on both sides of the jump; discharge and tail water of SWASHES 3.1.5, over a bump four times as long",
    run: |exec| run(exec, &bump()),
};

pub(crate) const CHANNEL: Case = Case {
    name: "jump-channel",
    about: "A discharge down a rough channel that turns steep and flat again, against three tail waters (`level`): the same",
    source: "gradually varied flow dh/dx = (S₀ − S_f)/(1 − Fr²) by a Runge-Kutta method, and force on both sides of the jump",
    run: |exec| run(exec, &channel()),
};

/// A jump is drawn over so many cells to each side of its place.
const DRAWN: f64 = 3.0;
/// Steps of the reference in a cell.
const FINE: usize = 64;

/// A channel with a place where the flow turns critical.
struct Channel {
    name: &'static str,
    /// Cells along it, the finest ones of a tree.
    cells: u32,
    length: f64,
    /// Discharge per width, m²/s.
    q: f64,
    manning: f64,
    bed: fn(f64) -> f64,
    /// Where the flow is critical, m.
    control: f64,
    /// Levels held at the east side, m.
    tails: [f64; 3],
    duration: f64,
}

fn bump() -> Channel {
    Channel {
        name: "bump",
        cells: 512,
        length: 25.6,
        q: 0.18,
        manning: 0.0,
        bed: |x| (0.2 * (1.0 - ((x - 9.6) / 8.0).powi(2))).max(0.0),
        control: 9.6,
        tails: [0.30, 0.33, 0.36],
        duration: 160.0,
    }
}

/// Slopes of 4 in 1000, 30 in 1000 and 2 in 1000, with rounded breaks.
fn channel() -> Channel {
    // The integral of a slope that goes from 0 to 1 around a place.
    fn break_at(x: f64, place: f64) -> f64 {
        5.0 * ((x - place) / 5.0).exp().ln_1p()
    }
    let bed = |x: f64| 2.0 - 0.004 * x - 0.026 * break_at(x, 35.0) + 0.028 * break_at(x, 90.0);
    let mut channel = Channel {
        name: "channel",
        cells: 256,
        length: 128.0,
        q: 1.0,
        manning: 0.03,
        bed,
        control: 0.0,
        tails: [1.0, 1.1, 1.2],
        duration: 300.0,
    };
    // Critical where friction at the critical depth takes what the bed gives.
    let (mut low, mut high) = (0.0, 60.0);
    for _ in 0..80 {
        let x = 0.5 * (low + high);
        if channel.slope(x) < channel.friction(channel.critical()) { low = x } else { high = x }
    }
    channel.control = 0.5 * (low + high);
    channel
}

/// A curve of depths at equal distances from the west side.
struct Profile {
    step: f64,
    depth: Vec<f64>,
}

impl Profile {
    fn at(&self, x: f64) -> f64 {
        let at = (x / self.step).clamp(0.0, (self.depth.len() - 1) as f64);
        let low = (at as usize).min(self.depth.len() - 2);
        self.depth[low] + (at - low as f64) * (self.depth[low + 1] - self.depth[low])
    }
}

impl Channel {
    fn critical(&self) -> f64 {
        (self.q * self.q / GRAVITY).cbrt()
    }

    fn cell(&self) -> f64 {
        self.length / f64::from(self.cells)
    }

    /// Fall of the bed.
    fn slope(&self, x: f64) -> f64 {
        let d = 1e-4;
        ((self.bed)(x - d) - (self.bed)(x + d)) / (2.0 * d)
    }

    fn friction(&self, h: f64) -> f64 {
        (self.manning * self.q).powi(2) / h.powf(10.0 / 3.0)
    }

    fn rise(&self, x: f64, h: f64) -> f64 {
        let froude2 = self.q * self.q / (GRAVITY * h * h * h);
        (self.slope(x) - self.friction(h)) / (1.0 - froude2)
    }

    /// Force on a section over density and width, m³/s².
    fn force(&self, h: f64) -> f64 {
        self.q * self.q / h + 0.5 * GRAVITY * h * h
    }

    /// Slope of the depth where the flow turns from streaming to shooting: 3 h'² − (10/3) S_f h' − S₀' h = 0 there.
    fn rise_at_control(&self) -> f64 {
        let (h, d) = (self.critical(), 1e-2);
        let bend = (self.slope(self.control + d) - self.slope(self.control - d)) / (2.0 * d);
        let b = 10.0 / 3.0 * self.friction(h);
        (b - (b * b + 12.0 * bend * h).sqrt()) / 6.0
    }

    /// Depths from a place with a known one to `to`, in steps of `dx`, which may be negative; the start is not among
    /// them.
    fn march(&self, mut x: f64, mut h: f64, to: f64, dx: f64) -> Vec<[f64; 2]> {
        let mut out = Vec::new();
        while (to - x) * dx > 1e-9 {
            let d = if dx > 0.0 { dx.min(to - x) } else { dx.max(to - x) };
            let k1 = self.rise(x, h);
            let k2 = self.rise(x + 0.5 * d, h + 0.5 * d * k1);
            let k3 = self.rise(x + 0.5 * d, h + 0.5 * d * k2);
            let k4 = self.rise(x + d, h + d * k3);
            h += d / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
            x += d;
            if !h.is_finite() || h <= 0.0 {
                break;
            }
            out.push([x, h]);
        }
        out
    }

    /// Depth without a jump: streaming up to the control, shooting behind it.
    fn free(&self) -> Vec<[f64; 2]> {
        let (h, slope) = (self.critical(), self.rise_at_control());
        let (dx, away) = (self.cell() / FINE as f64, 0.02 * self.cell());
        let mut before = self.march(self.control - away, h - slope * away, 0.0, -dx);
        before.reverse();
        let after = self.march(self.control + away, h + slope * away, self.length, dx);
        [before, vec![[self.control, h]], after].concat()
    }

    /// Depth with a tail water at a level, and the place of the jump.
    fn exact(&self, tail: f64) -> Result<(Profile, f64)> {
        let step = self.cell() / FINE as f64;
        let free = sampled(&self.free(), step, self.length);
        let mut drowned = self.march(self.length, tail - (self.bed)(self.length), self.control, -step);
        drowned.reverse();
        drowned.push([self.length, tail - (self.bed)(self.length)]);
        // Streaming water ends where it would turn critical: the jump stands behind that.
        let lowest = drowned.iter().rposition(|p| p[1] < 1.0001 * self.critical()).map_or(0, |n| n + 1);
        let drowned = &drowned[lowest..];
        let excess = |p: &[f64; 2]| self.force(free.at(p[0])) - self.force(p[1]);
        let jump = drowned.windows(2).find(|p| (excess(&p[0]) < 0.0) != (excess(&p[1]) < 0.0));
        let missing = || ValidationError::Missing { what: format!("a jump before a tail water at {tail} m") };
        let pair = jump.ok_or_else(missing)?;
        let (a, b) = (excess(&pair[0]), excess(&pair[1]));
        let place = pair[0][0] + (pair[1][0] - pair[0][0]) * a / (a - b);
        let behind = sampled(drowned, step, self.length);
        let count = free.depth.len();
        let depth = (0..count).map(|n| if n as f64 * step < place { free.depth[n] } else { behind.depth[n] });
        Ok((Profile { step, depth: depth.collect() }, place))
    }

    /// The scene, as a user would write it.
    fn scene(&self, tail: f64, is_tree: bool) -> String {
        let (cell, rows) = (self.cell(), if is_tree { 32 } else { 1 });
        let width = cell * f64::from(rows);
        let (solver, tree) = match is_tree {
            // Large cells but for the control and, where the water asks for it, the jump.
            true => (
                "quadtree",
                format!(
                    "[water.quadtree]\nlevels = 2\nsurface = 0.002\nspeed = 0.02\n[[water.quadtree.region]]\nmin = [{:?}, 0.0]\nmax = [{:?}, {width:?}]\ncell = {cell:?}\n",
                    self.control - 8.0 * cell,
                    self.control + 8.0 * cell,
                ),
            ),
            false => ("shallow", String::new()),
        };
        format!(
            r#"
[scene]
name = "Jump"
duration = {duration:?}

[domain]
size = [{length:?}, 5.0, {width:?}]
cell = {cell:?}

[terrain]
file = "bed.csv"

[water]
solver = "{solver}"
level = {tail:?}

[water.shallow]
manning = {manning:?}
{tree}
[boundary]
west = {{ kind = "inflow", discharge = {discharge:?} }}
east = {{ kind = "level", level = {tail:?} }}
"#,
            duration = self.duration,
            length = self.length,
            manning = self.manning,
            discharge = self.q * width,
        )
    }

    /// Depths along the middle after the scene's duration, and the tiles of the two sizes of a tree.
    fn simulate(&self, exec: &Arc<Executor>, tail: f64, is_tree: bool) -> Result<(Vec<f64>, Option<[usize; 2]>)> {
        let mut row = String::new();
        for i in 0..self.cells {
            let separator = if i == 0 { "" } else { "," };
            let _ = write!(row, "{separator}{:.9}", (self.bed)(center(i, self.cell())));
        }
        let bed = format!("{row}\n{row}\n");
        let failed = |error: thalweg::Error| ValidationError::Simulation(Arc::new(error));
        let files = [("bed.csv", bed.as_bytes())];
        let scene = Scene::with_files(&self.scene(tail, is_tree), "jump.toml", &Files::Table(&files));
        let mut simulation = Simulation::on(exec.clone(), scene.map_err(|e| failed(e.into()))?).map_err(failed)?;
        for _ in 0..20 {
            simulation.step(self.duration / 20.0).map_err(failed)?;
        }
        let water = simulation.water_surface().map_err(failed)?;
        let middle = water.size[0] * (water.size[1] / 2);
        let depths = water.depth[middle..middle + water.size[0]].iter().map(|h| f64::from(*h)).collect();
        let levels = simulation.method_mut::<TreeScene>().map(TreeScene::levels).transpose().map_err(failed)?;
        let tiles = levels.map(|levels| [levels[0].tiles, levels[1].tiles]);
        Ok((depths, tiles))
    }
}

/// A curve at equal distances from 0 to `length`, linear between its points; the ends hold beyond them.
fn sampled(points: &[[f64; 2]], step: f64, length: f64) -> Profile {
    let count = (length / step).round() as usize + 1;
    let at = |x: f64| {
        let after = points.partition_point(|p| p[0] <= x).clamp(1, points.len() - 1);
        let (a, b) = (points[after - 1], points[after]);
        a[1] + (b[1] - a[1]) * ((x - a[0]) / (b[0] - a[0])).clamp(0.0, 1.0)
    };
    Profile { step, depth: (0..count).map(|n| at(n as f64 * step)).collect() }
}

/// Where depths rise through a value near a place, m.
fn rise_through(found: &[[f64; 2]], value: f64, near: f64) -> f64 {
    let crossings = found.windows(2).filter(|p| p[0][1] < value && p[1][1] >= value);
    let places = crossings.map(|p| p[0][0] + (value - p[0][1]) / (p[1][1] - p[0][1]) * (p[1][0] - p[0][0]));
    places.min_by(|a, b| (a - near).abs().total_cmp(&(b - near).abs())).unwrap_or(f64::NAN)
}

fn run(exec: &Arc<Executor>, channel: &Channel) -> Result<Outcome> {
    let mut out = Outcome::default();
    let cell = channel.cell();
    let mut chart = Chart::new(format!("Hydraulic jumps, {}", channel.name)).axes("x (m)", "surface (m)");
    let bed: Vec<[f64; 2]> = (0..channel.cells).map(|i| [center(i, cell), (channel.bed)(center(i, cell))]).collect();
    chart = chart.with(Series::new("bed", bed.clone()).mark(Mark::Dashed));
    for tail in channel.tails {
        let (exact, place) = channel.exact(tail)?;
        let (before, after) = (exact.at(place - exact.step), exact.at(place + exact.step));
        out.notes
            .push(format!("tail water at {tail} m: the jump stands at {place:.2} m, from {before:.3} to {after:.3} m"));
        for (name, is_tree) in [("uniform", false), ("quadtree", true)] {
            let (depths, tiles) = channel.simulate(exec, tail, is_tree)?;
            if let Some([large, small]) = tiles {
                out.notes.push(format!("tail water at {tail} m: {large} large and {small} small tiles at the end"));
            }
            let found: Vec<[f64; 2]> = depths.iter().zip(&bed).map(|(h, [x, _])| [*x, *h]).collect();
            let at = rise_through(&found, 0.5 * (before + after), place);
            out.measure(
                format!("place of the jump in cells, tail water {tail} m, {name}"),
                ((at - place) / cell).abs(),
                Limit::AtMost(1.0),
                "cells",
            );
            let away = found.iter().filter(|p| (p[0] - place).abs() > DRAWN * cell);
            let worst = largest(away.map(|[x, h]| h / exact.at(*x) - 1.0));
            out.ratio(format!("depth away from the jump, tail water {tail} m, {name}"), worst, Limit::AtMost(0.005));
            let surface: Vec<[f64; 2]> = found.iter().zip(&bed).map(|(p, b)| [p[0], p[1] + b[1]]).collect();
            chart = chart.with(Series::new(format!("{tail} m, {name}"), surface));
        }
        let curve: Vec<[f64; 2]> = bed.iter().map(|[x, z]| [*x, exact.at(*x) + z]).collect();
        chart = chart.with(Series::new(format!("{tail} m, exact"), curve).mark(Mark::Dashed));
    }
    out.charts.push(chart);
    Ok(out)
}
