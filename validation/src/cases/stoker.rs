//! A dam breaks onto shallower water (Stoker 1957): a bore, a plateau and a rarefaction.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Scale, Series};
use thalweg_shallow::{InitialCell, Order};

use crate::data::table;
use crate::height_field::{HeightField, Uniform, south};
use crate::rig::{GRAVITY, ORDERS, Run, SECOND, last_fall, order_of, profile, relative_l1, slope};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "stoker",
    about: "A dam breaks onto shallower water: error, its fall with the cell size, plateau and speed of the bore",
    source: "exact: Stoker 1957, five depth ratios from 1:0.5 to 1:0.0001",
    run,
};

pub(super) const DEPTH: f64 = 1.0;
pub(super) const LENGTH: f64 = 20.0;
pub(super) const DAM: f64 = 8.0;
pub(super) const TIME: f64 = 2.0;
const CELLS: [u32; 4] = [100, 200, 400, 800];

/// Tail water, plateau, its velocity and the speed of the bore.
#[derive(Clone, Copy)]
pub(super) struct Star {
    pub(super) tail: f64,
    depth: f64,
    speed: f64,
    bore: f64,
}

/// Depth at `x` after `t` seconds.
pub(super) fn exact(star: Star, x: f64, t: f64) -> f64 {
    let (c, cm) = ((GRAVITY * DEPTH).sqrt(), (GRAVITY * star.depth).sqrt());
    match (x - DAM) / t {
        s if s <= -c => DEPTH,
        s if s <= star.speed - cm => 4.0 / (9.0 * GRAVITY) * (c - 0.5 * s).powi(2),
        s if s <= star.bore => star.depth,
        _ => star.tail,
    }
}

fn dam(exec: &Arc<Executor>, tail: f64, n: u32, order: Order) -> Result<Run> {
    let dam = |x: f64| InitialCell { surface: if x < DAM { DEPTH } else { tail }, ..Default::default() };
    Run::channel(exec, n, LENGTH / f64::from(n), order, &dam)
}

/// Relative error of the speed of the bore between half time and the end: the slope of a straight line through its
/// places at eleven times, for each of them is known to a part of a cell only.
pub(super) fn bore_speed(water: &mut dyn HeightField, star: Star) -> Result<f64> {
    let middle = 0.5 * (star.depth + star.tail);
    let mut bore: Vec<[f64; 2]> = Vec::new();
    for n in 0..=10 {
        let time = TIME * (0.5 + 0.05 * f64::from(n));
        water.to(time)?;
        let depth: Vec<[f64; 2]> = south(&water.spots()?).iter().map(|s| [s.at[0], s.depth]).collect();
        bore.push([time, last_fall(&depth, middle)?]);
    }
    Ok(slope(&bore) / star.bore - 1.0)
}

/// Relative error of the mean depth in the middle half of the plateau at the end. A stop in between cuts steps short,
/// and a bore whose step changes leaves a ripple behind: eleven of them make the uniform grid's error up to twenty
/// times as large.
pub(super) fn plateau(water: &mut dyn HeightField, star: Star) -> Result<f64> {
    water.to(TIME)?;
    let tail_of_fan = star.speed - (GRAVITY * star.depth).sqrt();
    let at = |part: f64| DAM + TIME * (tail_of_fan + part * (star.bore - tail_of_fan));
    let spots = south(&water.spots()?);
    let inside = spots.iter().filter(|s| s.at[0] > at(0.25) && s.at[0] < at(0.75)).map(|s| s.depth);
    let inside: Vec<f64> = inside.collect();
    let mean = inside.iter().sum::<f64>() / inside.len() as f64;
    Ok(mean / star.depth - 1.0)
}

/// What is allowed of them for each ratio of depths.
pub(super) const LIMITS: [[f64; 2]; 5] = [[1e-5, 1e-3], [1e-5, 1e-3], [5e-5, 1e-3], [2e-4, 1e-3], [5e-4, 1e-3]];

/// The star state of a ratio of depths: 0.5, 0.1, and so on to 0.0001.
pub(super) fn star(n: usize) -> Result<Star> {
    let table = table!("stoker_star_states")?;
    let value = |name| table.column(name).map(|column| column[n]);
    Ok(Star { tail: value("hr_m")?, depth: value("hm_m")?, speed: value("um_m_s")?, bore: value("shock_speed_m_s")? })
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut drift = 0.0f64;

    let tenth = star(1)?;
    let mut profiles = Chart::new("Dam break onto a tenth of its depth, after 2 s").axes("x (m)", "depth (m)");
    let exact_points = (0..2000).map(|i| f64::from(i) * 0.01).map(|x| [x, exact(tenth, x, TIME)]);
    profiles = profiles.with(Series::new("exact", exact_points).mark(Mark::Dashed));
    let mut errors =
        Chart::new("Wet dam break: error").axes("cell (m)", "relative L1 error").scales(Scale::Log, Scale::Log);
    for ((name, order), (l1, fall)) in ORDERS.into_iter().zip([(0.0095, 0.75), (0.0034, 0.9)]) {
        let mut measured = Vec::new();
        for n in CELLS {
            let cell = LENGTH / f64::from(n);
            let mut run = dam(exec, tenth.tail, n, order)?;
            run.to(TIME)?;
            drift = drift.max(run.drift()?);
            let depth = profile(&run.fields()?.depth, cell);
            measured.push([cell, relative_l1(&depth, |x| exact(tenth, x, TIME))]);
            if n == CELLS[1] {
                profiles = profiles.with(Series::new(format!("{name}, {n} cells"), depth));
            }
        }
        out.ratio(format!("L1 error of depth, {name}, 400 cells"), measured[2][1], Limit::AtMost(l1));
        out.ratio(format!("order of convergence, {name}"), order_of(&measured), Limit::AtLeast(fall));
        errors = errors.with(Series::new(name, measured).mark(Mark::LinePoints));
    }
    for (n, [plateau, bore]) in LIMITS.into_iter().enumerate() {
        let star = star(n)?;
        let water = || Uniform::new(dam(exec, star.tail, 800, SECOND)?, &[], &[]);
        let s = bore_speed(&mut water()?, star)?;
        let mut water = water()?;
        let d = self::plateau(&mut water, star)?;
        drift = drift.max(water.drift()?);
        out.ratio(format!("plateau depth error, tail water 1:{}", star.tail), d.abs(), Limit::AtMost(plateau));
        out.ratio(format!("bore speed error, tail water 1:{}", star.tail), s.abs(), Limit::AtMost(bore));
    }
    out.mass(drift);
    out.charts.extend([profiles, errors]);
    Ok(out)
}
