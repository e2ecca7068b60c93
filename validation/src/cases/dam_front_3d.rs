//! The collapsing column of `dam_2d` in a tank between side walls.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};

use super::dam_2d::{Collapse, END, FAST, MOST_SHIFT, collapse, measured_heights, report_heights, speed, until};
use crate::data::table;
use crate::rig::is_software;
use crate::tank::{GRIDS, best_shift};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "dam-break-3d-front",
    about: "A column twice as high as wide collapses in a tank between side walls: position of the front, height at the wall",
    source: "measured: Martin & Moyce 1952, figure 3 (two sizes) and table 6",
    run,
};

/// Columns of cells from wall to wall.
const ROWS: usize = 12;

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let software = is_software(exec);
    let end = if software { 3.5 } else { END };
    let data = [
        ("2.25 in", until(table!("mm1952_n2_2_a2.25in_front")?.curve("T", "Z", |_| true)?, end - 0.5)),
        ("1.125 in", until(table!("mm1952_n2_2_a1.125in_front")?.curve("T", "Z", |_| true)?, end - 0.5)),
    ];
    let heights = measured_heights(end - 0.5)?;
    let (per_width, lost) = if software { (8, 0.024) } else { (20, 0.0055) };
    let mut chart = Chart::new(format!("Front of a collapsing column in a tank, {} cells high", 2 * per_width))
        .axes("t √(2g/a)", "front (widths)");
    for (name, points) in &data {
        chart = chart.with(Series::new(format!("Martin & Moyce, {name}"), points.clone()).mark(Mark::Points));
    }
    for (grid, band) in GRIDS.into_iter().take(if software { 1 } else { 2 }) {
        let Collapse { front, height, crooked, change } = collapse(exec, (per_width, ROWS), band, end)?;
        for (name, points) in &data {
            let (shift, left) = best_shift(&front, points, MOST_SHIFT);
            let range = points.iter().map(|p| p[1]).fold(0.0, f64::max) - 1.0;
            out.ratio(format!("rms error over range, {name}, {grid}"), left / range, Limit::AtMost(0.05));
            out.ratio(format!("shift of its clock in T, {name}, {grid}"), shift, Limit::Within(0.0, 0.6));
        }
        report_heights(&mut out, grid, &height, &heights);
        if !software {
            let ratio = speed(&front.points, FAST) / speed(&data[0].1, FAST);
            let limit = Limit::Within(0.9, 1.15);
            out.ratio(format!("dZ/dT over that of Martin & Moyce, 2.25 in, T = 2 to 5, {grid}"), ratio, limit);
        }
        out.ratio(format!("largest distance between fronts of two rows, widths, {grid}"), crooked, Limit::AtMost(0.05));
        out.ratio(format!("change of the volume, {grid}"), change.abs(), Limit::AtMost(lost));
        chart = chart.with(Series::new(grid, front.points));
    }
    out.charts.push(chart);
    Ok(out)
}
