//! A column of water collapses on a dry floor (Martin & Moyce 1952, Koshizuka & Oka 1996).

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_tall::{Band, Options};

use crate::data::{Curve, table};
use crate::rig::{GRAVITY, is_software, slope};
use crate::tank::{GRIDS, Tank, best_shift, cubes, front};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "dam-break-2d",
    about: "A column twice as high as wide collapses on a dry floor: position of the front, height at the wall",
    source: "measured: Martin & Moyce 1952, figure 3 (two sizes) and table 6; Koshizuka & Oka 1996 (two transcriptions)",
    run,
};

/// Width of the column, m. Nothing in the model has a length of its own.
const WIDTH: f64 = 1.0;
/// Length of the channel in widths: no front reaches its end.
const CHANNEL: usize = 12;
/// Dimensionless time `T = t √(2g/a)` that is simulated.
pub(super) const END: f64 = 6.5;
/// Between these T the front runs at a nearly constant speed.
pub(super) const FAST: [f64; 2] = [2.0, 5.0];
/// Largest shift of the clock that may be asked for, in T. A gate takes a time to open.
pub(super) const MOST_SHIFT: f64 = 1.0;

/// What a collapse gives.
pub(super) struct Collapse {
    /// Front position in widths over T, in the middle row of columns.
    pub(super) front: Curve,
    /// Height of the water at the wall, of that at the start, over T.
    pub(super) height: Curve,
    /// Largest distance between the fronts of two rows, widths.
    pub(super) crooked: f64,
    /// Relative change of the volume.
    pub(super) change: f64,
}

/// With `per_width` cells per width, in a channel `rows` cells wide between walls.
pub(super) fn collapse(
    exec: &Arc<Executor>,
    (per_width, rows): (usize, usize),
    band: Option<Band>,
    end: f64,
) -> Result<Collapse> {
    let cell = WIDTH / per_width as f64;
    let level_set = |[x, y, _]: [f64; 3]| {
        let [dx, dy] = [x - WIDTH, y - 2.0 * WIDTH];
        dx.max(dy).min(0.0) + dx.max(0.0).hypot(dy.max(0.0))
    };
    let shape = cubes([CHANNEL * per_width, 2 * per_width + 8, rows]);
    let shape = if band.is_some() { Shape { regular: 2 * per_width + 8, ..shape } } else { shape };
    // One cell per step: longer steps lose water where sheets meet.
    let options = Options { band, max_cfl: 1.0, gravity: GRAVITY, ..Default::default() };
    let mut water = Tank { shape, cell, level_set: &level_set, options }.fill(exec)?;
    let began = water.statistics()?.volume;
    let unit = (WIDTH / (2.0 * GRAVITY)).sqrt();
    let mut points = vec![[0.0, front(&water, rows / 2)? / WIDTH]];
    let mut heights = vec![[0.0, 1.0]];
    let mut crooked = 0.0f64;
    while water.time() < end * unit {
        water.advance(0.05 * unit)?;
        let fronts = (0..rows).map(|k| front(&water, k)).collect::<Result<Vec<f64>>>()?;
        points.push([water.time() / unit, fronts[rows / 2] / WIDTH]);
        let wall = water.surface()?[rows / 2 * shape.nx].map_or(0.0, f64::from);
        heights.push([water.time() / unit, wall * cell / (2.0 * WIDTH)]);
        let [least, most] = fronts.iter().fold([f64::MAX, f64::MIN], |[a, b], x| [a.min(*x), b.max(*x)]);
        crooked = crooked.max((most - least) / WIDTH);
    }
    Ok(Collapse {
        front: Curve { points },
        height: Curve { points: heights },
        crooked,
        change: water.statistics()?.volume / began - 1.0,
    })
}

/// The measured heights of the column over T, as far as a run goes.
pub(super) fn measured_heights(end: f64) -> Result<Vec<[f64; 2]>> {
    let table = table!("mm1952_n2_2_a2.25in_height")?.curve("tau", "H", |_| true)?.points;
    // T = τ √2.
    let points = table.iter().map(|[tau, h]| [tau * 2f64.sqrt(), *h]).collect();
    Ok(until(Curve { points }, end))
}

/// Adds the error of the heights of a column, over its height, after one shift of the clock.
pub(super) fn report_heights(out: &mut Outcome, grid: &str, computed: &Curve, measured: &[[f64; 2]]) {
    let (shift, left) = best_shift(computed, measured, MOST_SHIFT);
    out.ratio(format!("rms error of the height at the wall over that at the start, {grid}"), left, Limit::AtMost(0.05));
    out.ratio(format!("shift of its clock in T, height, {grid}"), shift, Limit::Within(-0.1, 0.6));
}

/// Slope dZ/dT between two times.
pub(super) fn speed(curve: &[[f64; 2]], [from, to]: [f64; 2]) -> f64 {
    slope(&curve.iter().copied().filter(|p| p[0] >= from && p[0] <= to).collect::<Vec<_>>())
}

/// Points that the run reaches.
pub(super) fn until(curve: Curve, end: f64) -> Vec<[f64; 2]> {
    curve.points.into_iter().filter(|p| p[0] <= end).collect()
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    // In metres and seconds, of a column 1 m wide.
    let second = table!("koshizuka_oka1996_front_dimensional")?.curve("t_s", "x_front_m", |_| true)?.points;
    let second = second.iter().map(|[t, x]| [t * (2.0 * GRAVITY).sqrt(), *x]).collect();
    let measured = [
        ("Martin & Moyce, 2.25 in", table!("mm1952_n2_2_a2.25in_front")?.curve("T", "Z", |_| true)?),
        ("Martin & Moyce, 1.125 in", table!("mm1952_n2_2_a1.125in_front")?.curve("T", "Z", |_| true)?),
        ("Koshizuka & Oka", table!("koshizuka_oka1996_front_exp")?.curve("T", "Z", |_| true)?),
        ("Koshizuka & Oka, other transcription", Curve { points: second }),
    ];
    let end = if is_software(exec) { 5.2 } else { END };
    let mut chart = Chart::new("Front of a collapsing column, 40 cells high").axes("t √(2g/a)", "front (widths)");
    let data: Vec<(&str, Vec<[f64; 2]>)> = measured.into_iter().map(|(name, c)| (name, until(c, end - 0.5))).collect();
    for (name, points) in &data {
        chart = chart.with(Series::new(*name, points.iter().copied()).mark(Mark::Points));
    }
    let heights = measured_heights(end - 0.5)?;
    let mut falls = Chart::new("Height of a collapsing column at the wall, 40 cells high")
        .axes("t √(2g/a)", "height over that at the start")
        .with(Series::new("Martin & Moyce, 2.25 in", heights.iter().copied()).mark(Mark::Points));
    for (grid, band) in GRIDS {
        let Collapse { front: curve, height, change, .. } = collapse(exec, (20, 1), band, end)?;
        report_heights(&mut out, grid, &height, &heights);
        falls = falls.with(Series::new(grid, height.points));
        for (name, points) in &data {
            let (shift, left) = best_shift(&curve, points, MOST_SHIFT);
            let range = points.iter().map(|p| p[1]).fold(0.0, f64::max) - 1.0;
            out.ratio(format!("rms error over range, {name}, {grid}"), left / range, Limit::AtMost(0.05));
            out.ratio(format!("shift of its clock in T, {name}, {grid}"), shift, Limit::Within(0.0, 0.6));
        }
        let ratio = speed(&curve.points, FAST) / speed(&data[0].1, FAST);
        out.ratio(
            format!("dZ/dT over that of Martin & Moyce, 2.25 in, T = 2 to 5, {grid}"),
            ratio,
            Limit::Within(0.9, 1.15),
        );
        out.ratio(format!("change of the volume, {grid}"), change.abs(), Limit::AtMost(0.0055));
        chart = chart.with(Series::new(grid, curve.points));
    }
    if !is_software(exec) {
        for per_width in [10, 40] {
            let curve = collapse(exec, (per_width, 1), None, end)?.front;
            out.notes.push(format!("uniform, {} cells high: dZ/dT {:.3}", 2 * per_width, speed(&curve.points, FAST)));
            chart = chart
                .with(Series::new(format!("uniform, {} cells high", 2 * per_width), curve.points).mark(Mark::Dashed));
        }
    }
    out.charts.push(chart);
    out.charts.push(falls);
    Ok(out)
}
