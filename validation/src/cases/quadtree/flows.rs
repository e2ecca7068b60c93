//! The flows of the uniform solver's cases, as a tree and the uniform grid of its finest cells both run them.
//!
//! Grids are finer than in the cases themselves: on a few tiles there is nothing to save.

use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_shallow::tree::InitialWater;
use thalweg_shallow::{InitialCell, Setup, ShallowWater, Side};

use crate::cases::{bump, circular, macdonald, rarefaction, ritter, stoker, thacker};
use crate::comparison::Flow;
use crate::data::table;
use crate::height_field::{Spot, WORSE, south};
use crate::rig::{Edge, GRAVITY, SECOND, channel_edges, downstream, inlet, largest, options};
use crate::{Limit, Result};

/// Water of a depth over a bed, with a discharge per width along x.
fn flowing(bed: f64, depth: f64, q: f64) -> InitialWater {
    InitialWater { surface: bed + depth, velocity: [q / depth, 0.0] }
}

pub(super) fn still(surface: f64) -> InitialWater {
    InitialWater { surface, velocity: [0.0; 2] }
}

/// How a flow begins that becomes steady.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// As it should end, so that a fifth of the time shows what the grid makes of it.
    Steady,
    /// Until every wave of the start has left.
    AtRest,
}

impl Start {
    fn time(self, from_rest: f64) -> f64 {
        if self == Start::AtRest { from_rest } else { 0.2 * from_rest }
    }
}

/// `fine` is 4, or 1 for small grids.
pub(super) fn wet_dam_break(star: stoker::Star, fine: u32, levels: u32) -> Flow {
    let mut flow = Flow::channel("wet dam break", 400 * fine, stoker::LENGTH, levels, stoker::TIME);
    flow.initial = Box::new(move |[x, _], _| still(if x < stoker::DAM { stoker::DEPTH } else { star.tail }));
    flow.depth = Box::new(move |[x, _]| stoker::exact(star, x, stoker::TIME));
    flow.tolerate(0.004, 0.02)
}

pub(super) fn dry_dam_break(fine: u32, levels: u32) -> Flow {
    let mut flow = Flow::channel("dry dam break", 400 * fine, ritter::LENGTH, levels, ritter::TIME);
    flow.initial = Box::new(|[x, _], _| still(if x < ritter::DAM { ritter::DEPTH } else { 0.0 }));
    flow.depth = Box::new(|[x, _]| ritter::exact(x, ritter::TIME));
    flow.also = Some(Box::new(|found, out| {
        let depth: Vec<[f64; 2]> = south(&found.spots).iter().map(|s| [s.at[0], s.depth]).collect();
        for ((lag, part), most) in ritter::lags(&depth)?.into_iter().zip(ritter::FRONTS).zip(ritter::LAGS) {
            let label = format!("dry dam break, lag of the front, depth 1/{:.0} of the dam's", 1.0 / part);
            out.ratio(label, lag, Limit::AtMost(most));
        }
        Ok(())
    }));
    flow.tolerate(1e-5, 2e-3)
}

pub(super) fn rarefactions(name: &'static str, speed: f64) -> Flow {
    let mut flow = Flow::channel(name, 1600, rarefaction::LENGTH, 4, rarefaction::TIME);
    let middle = 0.5 * rarefaction::LENGTH;
    flow.initial = Box::new(move |[x, _], _| InitialWater {
        surface: rarefaction::DEPTH,
        velocity: [if x < middle { -speed } else { speed }, 0.0],
    });
    flow.depth = Box::new(move |[x, _]| rarefaction::exact(speed, x - middle, rarefaction::TIME));
    flow.known = Box::new(move |[x, _]| rarefaction::is_free(speed, x - middle));
    flow.tolerate(0.01, 0.06)
}

/// A quarter of it, with the dam around a corner: walls mirror the rest. Depths of a run on cells half as large stand
/// for the exact ones.
pub(super) fn round_dam_break(exec: &Arc<Executor>) -> Result<Flow> {
    let n = 512u32;
    let cell = 0.5 * circular::CELL * f64::from(circular::CELLS) / f64::from(n);
    let fine = |i: u32, k: u32| {
        let at = [i, k].map(|n| (f64::from(n) + 0.5) * 0.5 * cell);
        InitialCell { surface: circular::depth(at, 0.5 * cell), ..Default::default() }
    };
    let mut setup = Setup::new(2 * n, 2 * n, 0.5 * cell, &fine);
    setup.options = options(SECOND);
    let mut water = ShallowWater::new(exec.clone(), setup)?;
    water.advance(circular::TIME)?;
    let found = water.fields()?.depth;
    let mut flow = Flow::new("round dam break", [n; 2], cell, circular::TIME);
    flow.initial = Box::new(move |at, size| still(circular::depth(at, size)));
    flow.depth = Box::new(move |at| {
        let [i, k] = at.map(|x| (x / cell) as usize);
        let four = [(0, 0), (1, 0), (0, 1), (1, 1)];
        let depth = |(di, dk)| f64::from(found[2 * i + di + 2 * n as usize * (2 * k + dk)]);
        0.25 * four.map(depth).iter().sum::<f64>()
    });
    Ok(flow.tolerate(0.01, 0.06))
}

/// A bowl of `n` × `n` cells.
fn bowl(name: &'static str, n: u32, time: f64) -> Flow {
    let mut flow = Flow::new(name, [n; 2], 2.0 * thacker::HALF / f64::from(n), time);
    flow.bed = Box::new(|[x, z]| thacker::bed(x - thacker::HALF, z - thacker::HALF));
    flow
}

pub(super) fn planar_swing(n: u32) -> Flow {
    let time = 1.25 * thacker::turn();
    let water = |t: f64, at: [f64; 2]| {
        let (surface, velocity) = thacker::plane(t, at.map(|x| x - thacker::HALF));
        InitialWater { surface, velocity }
    };
    let mut flow = bowl("planar swing in a bowl", n, time);
    flow.initial = Box::new(move |at, _| water(0.0, at));
    flow.depth = Box::new(move |at| {
        (water(time, at).surface - thacker::bed(at[0] - thacker::HALF, at[1] - thacker::HALF)).max(0.0)
    });
    flow.tolerate(0.03, 1.0)
}

pub(super) fn round_swing(n: u32) -> Result<Flow> {
    let period = TAU * thacker::A / (8.0 * GRAVITY * thacker::H0).sqrt();
    let table = table!("thacker_radial_paraboloid")?;
    let at = |fraction: &str| table.curve("r_m", "h_m", |row| row[0] == fraction);
    // A quarter after a whole period: the water is far from its start, and at its fastest.
    let (start, end, time) = (at("0")?, at("0.25")?, 1.25 * period);
    let depth = |curve: &crate::data::Curve, [x, z]: [f64; 2]| {
        let h = curve.at((x - thacker::HALF).hypot(z - thacker::HALF));
        if h.is_nan() { 0.0 } else { h }
    };
    let mut flow = bowl("round swing in a bowl", n, time);
    flow.initial =
        Box::new(move |at, _| still(thacker::bed(at[0] - thacker::HALF, at[1] - thacker::HALF) + depth(&start, at)));
    flow.depth = Box::new(move |at| depth(&end, at));
    Ok(flow.tolerate(0.003, 0.1))
}

/// A flow over a bump. Cells are a quarter as large as in the uniform case: with cells as large as there a tree has 1.7
/// times fewer.
pub(super) fn over_a_bump(name: &'static str, steady: bump::Flow, start: Start) -> Flow {
    let mut flow = Flow::channel(name, 1024, bump::LENGTH, 4, start.time(bump::TIME));
    let (q, outlet, level) = (steady.q, steady.outlet, steady.level);
    let ((exact, jump), (begin, _)) = (steady.exact(), steady.exact());
    flow.bed = Box::new(|[x, _]| bump::bed(x));
    flow.initial = Box::new(move |[x, _], _| match start {
        Start::AtRest => still(level.max(bump::bed(x))),
        Start::Steady => flowing(bump::bed(x), begin(x), q),
    });
    flow.depth = Box::new(move |[x, _]| exact(x));
    flow.edges = Box::new(move |n, cell| {
        let outlet = outlet.map_or(Edge::Side(Side::Outflow), |h| downstream(0.0, h, q / h));
        channel_edges(inlet(q * cell * f64::from(n)), outlet)
    });
    let (beside, coarsest) = (2.0 * flow.cell, 8.0 * flow.cell);
    flow.also = Some(Box::new(move |found, out| {
        let error = |spots: &[Spot], beside: f64| {
            let discharges: Vec<[f64; 2]> = spots.iter().map(|s| [s.at[0], s.depth * s.velocity]).collect();
            steady.discharge_error(&discharges, beside)
        };
        let (tree, uniform) = (error(&found.spots, beside), error(&found.uniform_spots, beside));
        let [most, all, _] = steady.limits[1];
        if jump.is_none() {
            out.ratio(format!("discharge error, {name}"), tree, Limit::AtMost(most));
            return Ok(());
        }
        // Rows of HLLC part behind a jump that stands, on the uniform grid as on the tree: the limits of a single row
        // cannot be met.
        out.ratio(format!("discharge error over that of the uniform grid, {name}"), tree / uniform, WORSE);
        out.notes.push(format!("{name}: discharge error {uniform:.2e} on the uniform grid, {tree:.2e} on the tree"));
        let label = format!("discharge error with the jump's four finest cells, {name}");
        out.ratio(label, error(&found.spots, 0.0), Limit::AtMost(all));
        // What the whole width carries is right all the same, in sections of a coarsest cell that do not touch that of
        // the jump.
        let through = sections(&found.spots, coarsest);
        let label = format!("discharge error of whole sections, {name}");
        out.ratio(label, steady.discharge_error(&through, 1.5 * coarsest), Limit::AtMost(most));
        Ok(())
    }));
    flow
}

/// Discharge per width of sections across the channel, `wide` along it, m: cells count by their area.
fn sections(spots: &[Spot], wide: f64) -> Vec<[f64; 2]> {
    let count = spots.iter().map(|s| (s.at[0] / wide) as usize + 1).max().unwrap_or(0);
    let mut sums = vec![[0.0; 2]; count];
    for spot in spots {
        let sum = &mut sums[(spot.at[0] / wide) as usize];
        sum[0] += spot.size * spot.size * spot.depth * spot.velocity;
        sum[1] += spot.size * spot.size;
    }
    let middle = |n: usize| (n as f64 + 0.5) * wide;
    sums.iter().enumerate().map(|(n, [flow, area])| [middle(n), flow / area]).collect()
}

pub(super) fn river() -> Result<Flow> {
    let table = table!("macdonald_long_subcritical")?;
    let (bed, depth) = (table.curve("x_m", "z_m", |_| true)?, table.curve("x_m", "h_m", |_| true)?);
    let mut flow = Flow::channel("river with friction", 1024, macdonald::LENGTH, 4, macdonald::TIME);
    let (ground, under, known) = (bed.clone(), bed.clone(), depth.clone());
    flow.bed = Box::new(move |[x, _]| ground.at(x));
    flow.initial = Box::new(move |[x, _], _| still(under.at(x) + 0.75));
    flow.depth = Box::new(move |[x, _]| known.at(x));
    flow.known = Box::new(|[x, _]| macdonald::inner(x));
    flow.manning = macdonald::MANNING;
    flow.edges = Box::new(move |n, cell| {
        let last = macdonald::LENGTH - 0.5 * cell;
        let (low, outlet) = (bed.at(last), depth.at(last));
        let q = macdonald::DISCHARGE;
        channel_edges(inlet(q * cell * f64::from(n)), downstream(low, outlet, q / outlet))
    });
    flow.also = Some(Box::new(|found, out| {
        let inside = found.spots.iter().filter(|s| macdonald::inner(s.at[0]));
        let error = largest(inside.map(|s| s.depth * s.velocity / macdonald::DISCHARGE - 1.0));
        let name = "discharge error, inner four fifths, river with friction";
        out.ratio(name, error, Limit::AtMost(macdonald::FLOW_LIMIT));
        Ok(())
    }));
    Ok(flow.tolerate(0.05, 0.25))
}
