//! Maps over time, gauges at points and run-up in a polygon, of flows that are known at all times.

use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg::{Scene, Simulation};
use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_scene::Files;
use thalweg_shallow::{InitialCell, Maps, Setup};

use super::{ritter, thacker};
use crate::rig::{GRAVITY, Run, SECOND, center, is_software, largest, options, relative_l1};
use crate::{Case, Limit, Outcome, Result, ValidationError};

pub(crate) const CASE: Case = Case {
    name: "maps-over-time",
    about: "Greatest depth and speed, arrival and peak of a dry dam break and of a swing in a bowl; run-up in a polygon",
    source: "exact: Ritter 1892, Thacker 1981, parameters of `ritter` and `thacker-planar`",
    run,
};

/// Cells of the dam break.
const CELLS: u32 = 800;
/// Depth at which ground counts as wetted there, as a part of the dam's: where `ritter` looks for the front.
const PART: f64 = 1e-2;

/// Cells across the bowl.
const ACROSS: u32 = 128;
/// Depth at which its ground counts as wetted, m.
const WET: f64 = 0.02 * thacker::H0;
/// Rows of gauges in a period.
const ROWS: u32 = 200;

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    dam(exec, &mut out)?;
    bowl(exec, &mut out)?;
    Ok(out)
}

fn missing(what: &str) -> ValidationError {
    ValidationError::Missing { what: what.to_owned() }
}

/// Maps of a dam break onto a dry bed, simulated in so many frames.
fn broken_dam(exec: &Arc<Executor>, frames: u32) -> Result<Maps> {
    let cell = ritter::LENGTH / f64::from(CELLS);
    let cells = |i: u32, _k: u32| InitialCell {
        surface: if center(i, cell) < ritter::DAM { ritter::DEPTH } else { 0.0 },
        ..Default::default()
    };
    let mut setup = Setup::new(CELLS, 1, cell, &cells);
    setup.options = options(SECOND);
    setup.maps = Some(PART * ritter::DEPTH);
    let mut run = Run::new(exec, setup)?;
    for n in 1..=frames {
        run.to(f64::from(n) / f64::from(frames) * ritter::TIME)?;
    }
    run.water.maps()?.ok_or_else(|| missing("maps of the dam break"))
}

/// The depth h runs at 2c − 3√(gh), and the water is fastest there when it comes: 2c − 2√(gh).
fn dam(exec: &Arc<Executor>, out: &mut Outcome) -> Result<()> {
    let cell = ritter::LENGTH / f64::from(CELLS);
    // Arrivals lie between six frames.
    let maps = broken_dam(exec, 6)?;

    let c = (GRAVITY * ritter::DEPTH).sqrt();
    let front = 2.0 * c * (1.0 - 1.5 * PART.sqrt());
    let fastest = 2.0 * c * (1.0 - PART.sqrt());
    let points = |values: &[f32], from: f64, to: f64| -> Vec<[f64; 2]> {
        let all = values.iter().enumerate().map(|(i, v)| [center(i as u32, cell), f64::from(*v)]);
        all.filter(|p| p[0] > from && p[0] < to).collect()
    };
    let arrival = |x: f64| (x - ritter::DAM) / front;
    // As far as the computed front comes as well. It lags; `ritter` says by how much.
    let (first, last) = (ritter::DAM + 0.5, ritter::DAM + 0.9 * front * ritter::TIME);
    let came = points(&maps.arrival, first, last);
    out.ratio("dam break: arrival", relative_l1(&came, arrival), Limit::AtMost(0.155));
    // What is missed by looking at every eighth sub-step only. A frame is looked at at its end too, so that short
    // frames miss less.
    let close = points(&broken_dam(exec, 600)?.arrival, first, last);
    let late = came.iter().zip(&close).map(|(a, b)| (a[1] - b[1]).abs()).sum::<f64>() / close.len() as f64;
    out.ratio(
        "dam break: arrival, frames of 1 s against 10 ms, over the time",
        late / ritter::TIME,
        Limit::AtMost(0.0187),
    );
    let unordered = came.windows(2).filter(|p| p[1][1] < p[0][1]).count();
    out.ratio("dam break: cells that are wet before their neighbour at the dam", unordered as f64, Limit::AtMost(0.0));
    let deepest = points(&maps.depth, ritter::DAM, last);
    let rising = |x: f64| ritter::exact(x, ritter::TIME);
    out.ratio("dam break: greatest depth", relative_l1(&deepest, rising), Limit::AtMost(0.0135));
    let speeds = points(&maps.speed, first, last);
    out.ratio("dam break: greatest speed", relative_l1(&speeds, |_| fastest), Limit::AtMost(0.12));
    let dry = points(&maps.arrival, ritter::DAM + 2.0 * c * ritter::TIME, ritter::LENGTH);
    out.ratio(
        "dam break: cells wetted ahead of the front",
        dry.iter().filter(|p| !p[1].is_nan()).count() as f64,
        Limit::AtMost(0.0),
    );

    let line = |f: &dyn Fn(f64) -> f64| -> Vec<[f64; 2]> { came.iter().map(|p| [p[0], f(p[0])]).collect() };
    let exact = Series::new("exact", line(&arrival)).mark(Mark::Dashed);
    let mut chart = Chart::new("Dam break on dry ground: first wetting").axes("x (m)", "time (s)").with(exact);
    chart = chart.with(Series::new("computed", came));
    out.charts.push(chart);
    Ok(())
}

/// A map of the bowl as an ESRI grid.
fn grid(value: impl Fn(f64, f64) -> f64) -> Vec<u8> {
    let cell = 2.0 * thacker::HALF / f64::from(ACROSS);
    let mut text = format!("ncols {ACROSS}\nnrows {ACROSS}\nxllcorner 0\nyllcorner 0\ncellsize {cell}\n");
    for k in (0..ACROSS).rev() {
        let row = (0..ACROSS).map(|i| value(center(i, cell) - thacker::HALF, center(k, cell) - thacker::HALF));
        text.push_str(&row.map(|v| v.to_string()).collect::<Vec<_>>().join(" "));
        text.push('\n');
    }
    text.into_bytes()
}

/// A plane that swings around a bowl, as a scene with its files.
struct Bowl {
    simulation: Simulation,
    /// Level at a gauge over the time in periods, m.
    levels: Vec<[f64; 2]>,
    /// Height of the ground and level of the water at the highest place of a wedge around the northern shore, m.
    runup: Vec<f64>,
}

/// A gauge between the middles of cells, where it is always wet, m from the axis.
const GAUGE: [f64; 2] = [0.113, 0.071];

impl Bowl {
    /// Lets it swing once, on equal cells with maps over time, or on a quadtree.
    fn swing(exec: &Arc<Executor>, is_tree: bool) -> Result<Self> {
        let (half, size, turn) = (thacker::HALF, 2.0 * thacker::HALF, thacker::turn());
        let (_, velocity) = thacker::plane(0.0, [0.0, 0.0]);
        let (bed, water) = (grid(thacker::bed), grid(|x, z| thacker::plane(0.0, [x, z]).0));
        let solver = if is_tree {
            "solver = 'quadtree'\nquadtree = { levels = 2, surface = 0.001, speed = 0.02 }\n".to_owned()
        } else {
            format!("[maps]\nwet = {WET}\n")
        };
        let text = format!(
            "scene = {{ name = 'bowl', duration = {turn} }}\n\
             domain = {{ size = [{size}, 2, {size}], cell = {}, origin = [{}, {}] }}\n\
             [terrain]\nfile = 'bed.asc'\n\
             [water]\nsurface = {{ file = 'water.asc' }}\nvelocity = {velocity:?}\n{solver}\
             [[probe]]\nname = 'north'\nkind = 'runup'\npolygon = [[0, 0.5], [0.8, {half}], [-0.8, {half}]]\ndepth = {WET}\n\
             [[probe]]\nname = 'level'\nkind = 'surface'\nat = {GAUGE:?}\n",
            size / f64::from(ACROSS),
            -half,
            -half
        );
        let files: [(&str, &[u8]); 2] = [("bed.asc", &bed), ("water.asc", &water)];
        let scene = Scene::with_files(&text, "bowl.toml", &Files::Table(&files)).map_err(thalweg::Error::from)?;
        let mut simulation = Simulation::on(Arc::clone(exec), scene)?;
        let (mut levels, mut runup) = (Vec::new(), Vec::new());
        for n in 1..=ROWS {
            simulation.step(turn / f64::from(ROWS))?;
            let values = simulation.read_probes()?;
            let [north, north_level, level] = values[..] else { return Err(missing("the gauges of the bowl")) };
            levels.push([f64::from(n) / f64::from(ROWS), level]);
            runup = vec![north, north_level];
        }
        Ok(Self { simulation, levels, runup })
    }

    /// Reports by how much its gauges are off. `most` is allowed of the level, and of ground and water at the highest
    /// place.
    fn report(&self, name: &str, most: [f64; 3], out: &mut Outcome) {
        let off = largest(self.levels.iter().map(|[t, level]| level - exact_level(*t))) / thacker::H0;
        let label = format!("bowl: level at a point between cells, largest error over bowl depth, {name}");
        out.ratio(label, off, Limit::AtMost(most[0]));
        let highest = thacker::bed(thacker::SWING + shore(), 0.0);
        let parts = ["the ground's height", "the water's level"].into_iter().zip(&most[1..]);
        for ((part, most), found) in parts.zip(&self.runup) {
            let off = (found / highest - 1.0).abs();
            out.ratio(format!("bowl: run-up in a polygon, {part}, {name}"), off, Limit::AtMost(*most));
        }
    }
}

/// Level at the gauge after so many periods, m.
fn exact_level(time: f64) -> f64 {
    thacker::plane(time * thacker::turn(), GAUGE).0
}

/// Distance from the middle of the water at which it is as deep as counts as wet, m.
fn shore() -> f64 {
    thacker::A * (1.0 - WET / thacker::H0).sqrt()
}

/// The shoreline reaches 1.5 m from the axis all around. Along the ray at the angle θ the water is deepest when the
/// plane tilts that way: then the depth is H₀ (1 − (r − S)²/A²).
fn bowl(exec: &Arc<Executor>, out: &mut Outcome) -> Result<()> {
    const SWING: f64 = thacker::SWING;
    let (half, turn, shore) = (thacker::HALF, thacker::turn(), shore());
    let omega = TAU / turn;
    let cell = 2.0 * half / f64::from(ACROSS);
    let mut bowl = Bowl::swing(exec, false)?;
    let maps = bowl.simulation.water_surface()?.maps.ok_or_else(|| missing("maps of the bowl"))?;

    // Cells from the axis: radius, angle from 0 to 2π, index.
    let cells = (0..ACROSS * ACROSS).map(|n| {
        let [x, z] = [n % ACROSS, n / ACROSS].map(|n| center(n, cell) - half);
        (x.hypot(z), z.atan2(x).rem_euclid(TAU), n as usize)
    });
    let deepest = |r: f64| thacker::H0 * (1.0 - ((r - SWING) / thacker::A).powi(2));
    let mut depth = [0.0; 2];
    let (mut peaks, mut arrivals, mut speeds) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    for (r, angle, at) in cells {
        if r > 0.98 * (SWING + shore) {
            continue;
        }
        let found = f64::from(maps.depth[at]);
        depth[0] += if found.is_nan() { deepest(r) } else { (found - deepest(r)).abs() };
        depth[1] += deepest(r);
        // Near the axis it is hardly ever higher than at other times.
        if r > 0.3 {
            let late = f64::from(maps.peak[at]) * omega - angle;
            peaks.push((late - TAU * (late / TAU).round()) / TAU);
        }
        // The speed is the same everywhere at all times. Within 0.5 m of the axis it never dries.
        let part = usize::from(r > 0.4);
        speeds[part].push(f64::from(maps.speed[at]) / (SWING * omega) - 1.0);
        // The shoreline comes when the middle of the water is near enough: r² + S² − 2 r S cos(ωt − θ) = shore².
        let reach = ((r * r + SWING * SWING - shore * shore) / (2.0 * r * SWING)).clamp(-1.0, 1.0).acos();
        let comes = (angle - reach) / TAU;
        if r > 1.1 * (shore - SWING) && comes > 0.02 && comes + 2.0 * reach / TAU < 0.98 {
            arrivals.push(f64::from(maps.arrival[at]) / turn - comes);
        }
    }
    let mean = |values: &[f64]| values.iter().map(|v| v.abs()).sum::<f64>() / values.len() as f64;
    out.ratio("bowl: greatest depth, L1 error", depth[0] / depth[1], Limit::AtMost(0.0105));
    out.ratio("bowl: time of the peak, mean error in periods", mean(&peaks), Limit::AtMost(0.0036));
    out.ratio("bowl: first wetting, mean error in periods", mean(&arrivals), Limit::AtMost(0.0112));
    let [wet, flooded] = &speeds;
    out.ratio("bowl: greatest speed where it never dries, mean error", mean(wet), Limit::AtMost(0.019));
    out.ratio("bowl: greatest speed where the shore passes, mean error", mean(flooded), Limit::AtMost(0.285));
    bowl.report("uniform", [0.0116, 0.132, 0.157], out);
    let exact = bowl.levels.iter().map(|[t, _]| [*t, exact_level(*t)]).collect::<Vec<_>>();
    let mut chart = Chart::new("Swing in a bowl: level at a gauge").axes("time (periods)", "level (m)");
    chart = chart.with(Series::new("exact", exact).mark(Mark::Dashed));
    chart = chart.with(Series::new("uniform", bowl.levels));
    if is_software(exec) {
        out.notes.push("on a software GPU the bowl has no quadtree".to_owned());
    } else {
        let tree = Bowl::swing(exec, true)?;
        tree.report("quadtree", [0.0114, 0.121, 0.148], out);
        chart = chart.with(Series::new("quadtree", tree.levels));
    }
    out.charts.push(chart);
    Ok(())
}
