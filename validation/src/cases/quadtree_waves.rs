//! Waves of the uniform solver on a tree: standing waves, open edges, a beach and an island.
//!
//! A tree saves cells where waves are long, or where there are none. A sine that fills its basin has neither: its error
//! is made evenly, everywhere, and cells twice as large, of which there are four times fewer, make three times the
//! error. So the standing waves are one in a canal with land on both sides, with cells as in the uniform case, and one
//! in a basin with a shelf, where it is short.

use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_shallow::tree::FineRegion;
use thalweg_shallow::{InitialCell, Setup, Side};

use super::standing::Shape;
use super::{beach, island, layer, standing};
use crate::height_field::{
    FEWER, HeightField, Spot, Tree, TreeCase, Uniform, WORSE, channel_width, refinement, uniform_channel,
};
use crate::rig::{Edge, GRAVITY, Run, SECOND, channel_edges, is_software, largest, options};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "quadtree-waves",
    about: "Standing waves, open edges, a beach and an island on a tree beside the uniform grid of its finest cells: errors and cells",
    source: "what standing-wave-decay, absorbing-layer, plane-beach and conical-island are compared with; a mode of a basin with a shelf, from its equation",
    run,
};

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    in_a_canal(exec, &mut out)?;
    if !is_software(exec) {
        over_a_shelf(exec, &mut out)?;
        straight(exec, &mut out)?;
        oblique(exec, &mut out)?;
        on_a_beach(exec, &mut out)?;
        around_an_island(exec, &mut out)?;
    }
    Ok(out)
}

/// Reports errors and cells of a flow, each error with its name.
fn report_errors(out: &mut Outcome, flow: &str, errors: &[(String, f64, f64)], fewer: f64) {
    for (what, tree, uniform) in errors {
        out.ratio(format!("error over that of the uniform grid, {flow}, {what}"), tree / uniform, WORSE);
    }
    out.ratio(format!("cells of the uniform grid over those of the tree, {flow}"), fewer, FEWER);
    let errors = errors.iter().map(|(what, tree, uniform)| format!("{what} {tree:.3e} ({uniform:.3e})"));
    let errors = errors.collect::<Vec<_>>().join("; ");
    out.notes.push(format!("{flow}: {fewer:.1} times fewer cells; errors on the tree (uniform grid): {errors}"));
}

/// Decay, frequency, and both together.
fn swings(tree: &standing::Record, uniform: &standing::Record) -> Vec<(String, f64, f64)> {
    vec![
        ("decay per period".into(), tree.decay(), uniform.decay()),
        ("frequency".into(), tree.detuning(), uniform.detuning()),
        ("size and phase at the end".into(), tree.error(), uniform.error()),
    ]
}

/// The wave of 20 cells of the uniform case, eight of them in a canal between walls, with land at both sides.
fn in_a_canal(exec: &Arc<Executor>, out: &mut Outcome) -> Result<()> {
    const CANAL: std::ops::Range<f64> = 248.0..264.0;
    let periods = if is_software(exec) { 1 } else { 10 };
    let wave = standing::Wave { cells: 20, cell: 1.0, depth: 1.0, height: 1e-3, periods };
    let (size, levels) = ([160, 512], 4);
    let initial = |[x, z]: [f64; 2]| match CANAL.contains(&z) {
        true => wave.crest(x),
        false => InitialCell { bed: wave.depth, surface: wave.depth, velocity: [0.0; 2] },
    };
    let k = TAU / wave.length();
    let mode = |spot: &Spot| {
        let (x, wet) = (k * spot.at[0], if CANAL.contains(&spot.at[1]) { 1.0 } else { 0.0 });
        Shape { surface: wet * x.cos(), velocity: wet * x.sin() * (GRAVITY / wave.depth).sqrt(), depth: wave.depth }
    };
    let period = wave.length() / (GRAVITY * wave.depth).sqrt();
    let cells = |i: u32, k: u32| initial([i, k].map(|n| f64::from(n) + 0.5));
    let mut setup = Setup::new(size[0], size[1], 1.0, &cells);
    setup.options = options(SECOND);
    let uniform = standing::swing(&mut Uniform::new(Run::new(exec, setup)?, &[], &[])?, period, periods, &mode)?;
    let grown = TreeCase { still: 0.0, ..TreeCase::new(size, 1.0, levels, &initial, refinement(1e-5, 1e-5)) };
    let mut water = Tree::new(exec, grown, &[], &[])?;
    let tree = standing::swing(&mut water, period, periods, &mode)?;
    let flow = "standing wave in a canal";
    report_errors(out, flow, &swings(&tree, &uniform), water.fewer_cells());
    out.ratio(format!("change of volume, {flow}"), tree.drift, Limit::AtMost(1e-6));
    out.notes.push(
        "the decay in a canal is larger than in standing-wave-decay, on both grids: steps are half as long where cells have neighbours along z, and water beside land is worn faster".into(),
    );
    out.charts.push(
        Chart::new("Standing wave of 20 cells in a canal: amplitude left")
            .axes("time (periods)", "amplitude (share)")
            .with(Series::new("uniform", uniform.amplitude))
            .with(Series::new("tree", tree.amplitude).mark(Mark::Dashed)),
    );
    Ok(())
}

/// A basin 100 km long: 1000 m deep, with a shelf at its east end.
struct Seiche {
    /// Angular frequency, 1/s.
    omega: f64,
    /// Surface and its slope at the ends of equal steps.
    mode: Vec<[f64; 2]>,
}

impl Seiche {
    const LENGTH: f64 = 1e5;
    const DEEP: f64 = 1000.0;
    const SHELF: f64 = 1000.0 / 64.0;
    const STEPS: usize = 16_384;

    /// Depth; from 80 to 86 km it falls smoothly to that of the shelf.
    fn depth(x: f64) -> f64 {
        let s = ((x - 0.80 * Self::LENGTH) / (0.06 * Self::LENGTH)).clamp(0.0, 1.0);
        let s = s * s * (3.0 - 2.0 * s);
        // Long waves are as fast as the root of the depth: that one is what changes evenly.
        (Self::DEEP.sqrt() * (1.0 - s) + Self::SHELF.sqrt() * s).powi(2)
    }

    /// The mode `(h η')' + ω²/g η = 0` between walls: surface and flux from the west, Runge-Kutta of order four.
    fn shoot(omega: f64) -> (Vec<[f64; 2]>, f64, u32) {
        let dx = Self::LENGTH / Self::STEPS as f64;
        let rate = |x: f64, [eta, flux]: [f64; 2]| [flux / Self::depth(x), -omega * omega / GRAVITY * eta];
        let (mut now, mut mode, mut nodes) = ([1.0, 0.0], vec![[1.0, 0.0]], 0);
        for n in 0..Self::STEPS {
            let x = n as f64 * dx;
            let ahead = |by: f64, r: [f64; 2]| [now[0] + by * r[0], now[1] + by * r[1]];
            let a = rate(x, now);
            let b = rate(x + 0.5 * dx, ahead(0.5 * dx, a));
            let c = rate(x + 0.5 * dx, ahead(0.5 * dx, b));
            let d = rate(x + dx, ahead(dx, c));
            let next = [0, 1].map(|n| now[n] + dx / 6.0 * (a[n] + 2.0 * b[n] + 2.0 * c[n] + d[n]));
            nodes += u32::from(next[0] * now[0] < 0.0);
            now = next;
            mode.push([now[0], now[1] / Self::depth(x + dx)]);
        }
        (mode, now[1], nodes)
    }

    /// The mode with so many nodes: the flux at the east wall vanishes.
    fn new(nodes: u32) -> Self {
        // With a higher frequency there are more zeros of the flux between the walls.
        let above = |omega: f64| {
            let (_, flux, found) = Self::shoot(omega);
            // After an even number of nodes the surface is high, and the flux falls through zero there.
            found > nodes || (found == nodes && (flux < 0.0) == nodes.is_multiple_of(2))
        };
        let (mut low, mut high) = (1e-6, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if above(middle) { high = middle } else { low = middle }
        }
        Self { omega: low, mode: Self::shoot(low).0 }
    }

    /// Surface and its slope at a place.
    fn at(&self, x: f64) -> [f64; 2] {
        let at = (x / Self::LENGTH * Self::STEPS as f64).clamp(0.0, Self::STEPS as f64);
        let low = (at as usize).min(Self::STEPS - 1);
        [0, 1].map(|n| self.mode[low][n] + (at - low as f64) * (self.mode[low + 1][n] - self.mode[low][n]))
    }

    /// In a cell, as a mean.
    fn shape(&self, spot: &Spot) -> Shape {
        let parts = (spot.size / Self::LENGTH * Self::STEPS as f64 / 2.0).ceil().max(1.0) as u32;
        let place = |n: u32| spot.at[0] + ((f64::from(n) + 0.5) / f64::from(parts) - 0.5) * spot.size;
        let mean = |part: usize| (0..parts).map(|n| self.at(place(n))[part]).sum::<f64>() / f64::from(parts);
        let depth = Self::depth(spot.at[0]);
        Shape { surface: mean(0), velocity: -GRAVITY / self.omega * mean(1), depth }
    }
}

/// A mode of a basin of 1000 m with a shelf, 1 mm high in the deep water.
fn over_a_shelf(exec: &Arc<Executor>, out: &mut Outcome) -> Result<()> {
    const PERIODS: u32 = 3;
    let (n, levels) = (1024, 4);
    let (cell, width) = (Seiche::LENGTH / f64::from(n), channel_width(levels));
    let seiche = Seiche::new(3);
    let period = TAU / seiche.omega;
    let mode = |spot: &Spot| seiche.shape(spot);
    let crest = |height: f64| {
        let seiche = &seiche;
        move |x: f64| InitialCell { bed: -Seiche::depth(x), surface: height * seiche.at(x)[0], velocity: [0.0; 2] }
    };
    let on_the_tree = |height: f64| -> Result<(standing::Record, f64)> {
        let crest = crest(height);
        let initial = |[x, _]: [f64; 2]| crest(x);
        let surface = 1e-2 * height;
        let tolerances = refinement(surface, surface * (GRAVITY / Seiche::SHELF).sqrt());
        let grown = TreeCase { still: 0.0, ..TreeCase::new([n, width], cell, levels, &initial, tolerances) };
        let mut water = Tree::new(exec, grown, &[], &[])?;
        let record = standing::swing(&mut water, period, PERIODS, &mode)?;
        Ok((record, water.fewer_cells()))
    };
    let walls = [const { Edge::Side(Side::Wall) }; 2];
    let small = 1e-3;
    let mut uniform = uniform_channel(exec, (n, cell), &crest(small), walls, (&[], &[]))?;
    let uniform = standing::swing(&mut uniform, period, PERIODS, &mode)?;
    let (tree, fewer) = on_the_tree(small)?;
    let (large, _) = on_the_tree(10.0 * small)?;
    let flow = "1 mm over 1000 m and a shelf";
    report_errors(out, flow, &swings(&tree, &uniform), fewer);
    out.ratio(format!("change of volume, {flow}"), tree.drift, Limit::AtMost(1e-6));
    let left = |r: &standing::Record| r.amplitude.last().map_or(f64::NAN, |a| a[1]);
    let apart = (left(&tree) / left(&large) - 1.0).abs();
    out.ratio(format!("{flow}: amplitude against that of a wave of 1 cm"), apart, Limit::AtMost(2e-4));
    out.charts.push(
        Chart::new("A wave of 1 mm in a basin with a shelf: amplitude left")
            .axes("time (periods)", "amplitude (share)")
            .with(Series::new("uniform", uniform.amplitude))
            .with(Series::new("tree", tree.amplitude).mark(Mark::Dashed)),
    );
    Ok(())
}

/// Waves of 10 to 80 m run into a layer of 12 m; the cells of the uniform case have 1 m, here they are smaller.
fn straight(exec: &Arc<Executor>, out: &mut Outcome) -> Result<()> {
    const LENGTH: f64 = 128.0;
    let levels = 3;
    let width = channel_width(levels);
    let still = |_: f64| InitialCell { bed: -layer::DEPTH, surface: 0.0, velocity: [0.0; 2] };
    let (mut on_uniform, mut on_tree, mut heights) = (Vec::new(), Vec::new(), Vec::new());
    for (wavelength, n) in [(10.0, 2048), (20.0, 2048), (40.0, 1024), (80.0, 1024)] {
        let cell = LENGTH / f64::from(n);
        let cells = (f64::from(layer::LAYER) / cell).round() as u32;
        let edges = || [layer::train(wavelength), layer::open(cells)];
        let gauge = [[LENGTH - f64::from(layer::LAYER) - 2.5, 0.5 * cell]];
        let mut uniform = uniform_channel(exec, (n, cell), &still, edges(), (&[], &gauge))?;
        let uniform = layer::invariants(&mut uniform, LENGTH, wavelength)?;
        // Cells four times as large carry the waves, whose bends there are a quarter of the tolerance; before the layer
        // they are the finest.
        let before = FineRegion { min: [LENGTH - 16.0, 0.0], max: [LENGTH, f64::from(width) * cell], cell };
        let surface = 4.0 * layer::HEIGHT * (TAU / wavelength * 4.0 * cell).powi(2);
        let mut tolerances = refinement(surface, surface * (GRAVITY / layer::DEPTH).sqrt());
        tolerances.regions.push(before);
        let initial = |[x, _]: [f64; 2]| still(x);
        let mut grown = TreeCase::new([n, width], cell, levels, &initial, tolerances);
        let [west, east] = edges();
        (grown.edges, grown.still) = (channel_edges(west, east), 1e-8);
        let mut water = Tree::new(exec, grown, &[], &gauge)?;
        let tree = layer::invariants(&mut water, LENGTH, wavelength)?;
        let [on_a_grid, on_leaves] = [&uniform, &tree].map(layer::share);
        let flow = format!("waves of {wavelength} m into a layer");
        report_errors(out, &flow, &[("reflection".into(), on_leaves, on_a_grid)], water.fewer_cells());
        out.ratio(format!("reflection of {flow}"), on_leaves, Limit::AtMost(0.01));
        let height = |r: &[Vec<[f64; 2]>; 2]| 1e3 * largest(r[0].iter().map(|p| p[1]));
        heights.push(format!("{:.2} and {:.2} mm", height(&tree), height(&uniform)));
        on_uniform.push([wavelength, on_a_grid]);
        on_tree.push([wavelength, on_leaves]);
    }
    out.notes.push(format!(
        "waves of 1 mm are worn before the layer: of 10, 20, 40, 80 m there arrive, on the tree and on the uniform grid, {}",
        heights.join(", ")
    ));
    out.charts.push(
        Chart::new("Reflection of a layer of 12 m")
            .axes("wavelength (m)", "reflected share")
            .with(Series::new("uniform", on_uniform).mark(Mark::LinePoints))
            .with(Series::new("tree", on_tree).mark(Mark::LinePoints)),
    );
    Ok(())
}

/// A mound spreads near an open side: as in the uniform case, with cells of a sixth of a metre. What differs from a
/// uniform grid in a wider domain counts as reflection, on both.
fn oblique(exec: &Arc<Executor>, out: &mut Outcome) -> Result<()> {
    const FINE: u32 = 6;
    let cell = 1.0 / f64::from(FINE);
    let [nx, nz] = [72 * FINE, 96 * FINE];
    let places = layer::places();
    let record = |water: &mut dyn HeightField| -> Result<Vec<Vec<f64>>> {
        let read = |n: u32| {
            water.to(0.3 * f64::from(n))?;
            water.gauges()
        };
        (1..=100).map(read).collect()
    };
    let uniform = |nx: u32, layer: u32| -> Result<Vec<Vec<f64>>> {
        let initial = |i: u32, k: u32| layer::mound([i, k].map(|n| (f64::from(n) + 0.5) * cell));
        let mut setup = Setup::new(nx, nz, cell, &initial);
        setup.options = options(SECOND);
        setup.sides.east = Side::Open { level: Some(0.0), layer };
        record(&mut Uniform::new(Run::new(exec, setup)?, &places, &[])?)
    };
    let wide = uniform(nx + 60 * FINE, 0)?;
    let narrow = uniform(nx, layer::LAYER * FINE)?;
    let mut grown = TreeCase::new([nx, nz], cell, 4, &layer::mound, refinement(2e-5, 2e-5));
    (grown.edges[1], grown.still) = (layer::open(layer::LAYER * FINE), 1e-8);
    let mut water = Tree::new(exec, grown, &places, &[])?;
    let tree = record(&mut water)?;
    let share = |found: &[Vec<f64>], g: usize| {
        let size = largest(wide.iter().map(|r| r[g]));
        largest(found.iter().zip(&wide).map(|(a, b)| a[g] - b[g])) / size
    };
    let mut errors = Vec::new();
    for (g, (angle, limit)) in layer::ANGLES.into_iter().zip(layer::OBLIQUE).enumerate() {
        errors.push((format!("{angle}°"), share(&tree, g), share(&narrow, g)));
        out.ratio(format!("reflection of a pulse at {angle}°"), share(&tree, g), Limit::AtMost(limit));
    }
    report_errors(out, "a pulse into a layer", &errors, water.fewer_cells());
    let by_angle = |found: &[Vec<f64>]| {
        layer::ANGLES.iter().enumerate().map(|(g, &angle)| [angle, share(found, g)]).collect::<Vec<_>>()
    };
    out.charts.push(
        Chart::new("Reflection of a pulse by angle, a layer of 12 m")
            .axes("angle of incidence (degrees)", "reflected share")
            .with(Series::new("uniform", by_angle(&narrow)).mark(Mark::LinePoints))
            .with(Series::new("tree", by_angle(&tree)).mark(Mark::LinePoints)),
    );
    Ok(())
}

/// A solitary wave on a plane beach, the finest cells as in the uniform case.
fn on_a_beach(exec: &Arc<Executor>, out: &mut Outcome) -> Result<()> {
    let (n, levels) = (1440, 4);
    let (cell, width) = (beach::LENGTH / f64::from(n), channel_width(levels));
    let (gauges, shore) = beach::places(cell);
    let walls = [const { Edge::Side(Side::Wall) }; 2];
    let mut uniform = uniform_channel(exec, (n, cell), &beach::initial, walls, (&gauges, &shore))?;
    let uniform = beach::record(&mut uniform)?;
    let initial = |[x, _]: [f64; 2]| beach::initial(x);
    let grown = TreeCase::new([n, width], cell, levels, &initial, refinement(4e-5, 4e-4));
    let mut water = Tree::new(exec, grown, &gauges, &shore)?;
    let tree = beach::record(&mut water)?;
    let known = beach::known()?;
    let (on_tree, on_uniform) = (tree.errors(&known), uniform.errors(&known));
    let mut errors = Vec::new();
    for (n, (what, limit)) in beach::ERRORS.into_iter().zip(beach::LIMITS).enumerate() {
        out.ratio(format!("plane beach: {what}"), on_tree[n], Limit::AtMost(limit));
        errors.push((what.to_owned(), on_tree[n], on_uniform[n]));
    }
    let one_row = beach::simulate(exec, cell, SECOND)?.errors(&known);
    let over: Vec<String> = on_tree.iter().zip(one_row).map(|(tree, row)| format!("{:.2}", tree / row)).collect();
    out.notes.push(format!(
        "plane beach: errors on the tree over those of a single row, as in the uniform case, whose steps are twice as long: {}",
        over.join(", ")
    ));
    let flow = "plane beach";
    report_errors(out, flow, &errors, water.fewer_cells());
    out.ratio(format!("change of volume, {flow}"), tree.drift, Limit::AtMost(1e-6));
    out.notes.push(format!(
        "run-up R/d {:.4} on the tree, {:.4} on the uniform grid; law {:.4}, highest exact point {:.4}; one cell of the shore is {:.4} high",
        tree.runup, uniform.runup, known.law, known.highest, cell / beach::SLOPE
    ));
    let mut chart = Chart::new("Run-up on a plane beach, tree").axes("x / d", "surface / d");
    chart.x_range = Some([-2.0, 20.0]);
    for (n, t) in beach::PROFILES.into_iter().enumerate().filter(|(_, t)| [40, 55, 70].contains(t)) {
        let shown =
            |points: &[[f64; 2]]| points.iter().copied().filter(|p| p[0] > -2.0 && p[0] < 20.0).collect::<Vec<_>>();
        chart = chart
            .with(Series::new(format!("tree, t = {t}"), shown(&tree.profiles[n])))
            .with(Series::new(format!("uniform, t = {t}"), shown(&uniform.profiles[n])))
            .with(Series::new(format!("exact, t = {t}"), known.profiles[n].points.clone()).mark(Mark::Dashed));
    }
    out.charts.push(chart);
    let mut chart = Chart::new("Gauges on a plane beach, tree").axes("t √(g/d)", "surface / d");
    for (g, (name, exact)) in [("x/d = 0.25", &known.near), ("x/d = 9.95", &known.off)].into_iter().enumerate() {
        chart = chart
            .with(Series::new(format!("tree, {name}"), tree.gauges[g].clone()))
            .with(Series::new(format!("uniform, {name}"), uniform.gauges[g].clone()))
            .with(Series::new(format!("exact, {name}"), exact.points.clone()).mark(Mark::Dashed));
    }
    out.charts.push(chart);
    Ok(())
}

/// A solitary wave around an island, cells as in the uniform case. The basin is cut so that it is whole tiles.
fn around_an_island(exec: &Arc<Executor>, out: &mut Outcome) -> Result<()> {
    let part = island::Part { nx: 384, nz: 256, cell: 0.05 };
    let uniform = part.record(&mut part.uniform(exec, SECOND)?)?;
    let (gauges, shore) = part.places();
    let initial = |at: [f64; 2]| part.initial(at);
    let mut grown = TreeCase::new([part.nx, part.nz], part.cell, 4, &initial, refinement(5e-4, 5e-3));
    (grown.datum, grown.edges) = (island::DEPTH, part.edges());
    let mut water = Tree::new(exec, grown, &gauges, &shore)?;
    let tree = part.record(&mut water)?;
    let lab = island::Laboratory::read()?;
    let mut errors = Vec::new();
    for (t, u) in lab.errors(&tree).into_iter().zip(lab.errors(&uniform)) {
        out.measure(format!("conical island, {}", t.what), t.error, Limit::AtMost(t.limit), t.unit);
        errors.push((t.what, t.error, u.error));
    }
    report_errors(out, "conical island", &errors, water.fewer_cells());
    let shift = lab.shift(&tree);
    for (n, name) in island::NAMES.into_iter().enumerate() {
        let shifted = |r: &island::Record| r.gauges[n].points.iter().map(|p| [p[0] + shift, p[1]]).collect::<Vec<_>>();
        out.charts.push(
            Chart::new(format!("Conical island on a tree, gauge {name}"))
                .axes("time (s)", "surface (m)")
                .with(Series::new("measured", lab.shown(n, shift)).mark(Mark::Points))
                .with(Series::new("uniform", shifted(&uniform)))
                .with(Series::new("tree", shifted(&tree))),
        );
    }
    let mut chart = Chart::new("Conical island on a tree: run-up")
        .axes("angle from the front (degrees)", "run-up (m)")
        .with(Series::new("uniform", uniform.runup_around()))
        .with(Series::new("tree", tree.runup_around()));
    for set in &lab.runup {
        chart = chart.with(Series::new(format!("measured ({})", set.name), set.points.clone()).mark(Mark::Points));
    }
    out.charts.push(chart);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mode of the basin has the nodes that were asked for, ends at a wall.
    #[test]
    fn modes_end_at_walls() {
        for nodes in [2, 3, 4] {
            let seiche = Seiche::new(nodes);
            let found = seiche.mode.windows(2).filter(|pair| pair[0][0] * pair[1][0] < 0.0).count();
            assert_eq!(found, nodes as usize);
            let steepest = largest(seiche.mode.iter().map(|m| m[1]));
            let end = seiche.mode.last().map_or(f64::NAN, |m| m[1]);
            assert!(end.abs() < 1e-9 * steepest, "{nodes}: {end} of {steepest}");
        }
    }
}
