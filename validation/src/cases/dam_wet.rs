//! A dam breaks over a wet floor behind a gate that is pulled up (Jánosi et al. 2004).

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_tall::{Motion, Obstacle, Options, Setup, TallWater, Travel};

use crate::data::{Table, table};
use crate::rig::{GRAVITY, is_software, last_fall, rms};
use crate::tank::cubes;
use crate::{Case, Limit, Outcome, Result, ValidationError};

pub(crate) const CASE: Case = Case {
    name: "dam-break-wet",
    about: "A dam breaks over 38 mm of water: heights of the surface at eight instants",
    source: "measured: Jánosi et al. 2004, Exp. Fluids 37 (photographs, digitised)",
    run,
};

/// Length and height that are simulated, m. The channel was 9.93 m long: long waves on the water ahead need 1.5 s to
/// the end of this one, the bore 0.9 s.
const TANK: [f64; 2] = [1.3, 0.21];
/// Length and height of the water behind the gate, m.
const DAM: [f64; 2] = [0.38, 0.15];
/// Depth of the water before the gate, m.
const AHEAD: f64 = 0.038;
/// Speed at which the gate is pulled up, m/s.
const GATE: f64 = 1.5;
/// The photographs begin at the gate and end here, m.
const SEEN: f64 = 1.03;
/// Width of the strips in which heights are compared, m: three points of a trace or so.
const STRIP: f64 = 0.01;
/// Behind this place the profiles still show the water ahead of the bore, whose depth is known, m.
const UNTOUCHED: f64 = 1.0;
/// Time between recorded surfaces, s.
const FRAME: f64 = 0.005;
/// Largest shift of the clock that may be asked for, s.
const MOST_SHIFT: f64 = 0.1;

/// Heights of the highest surface per column, over time.
struct Record {
    cell: f64,
    frames: Vec<(f64, Vec<f64>)>,
    change: f64,
}

/// What a photograph shows: the highest point of each strip that has one, `[x, z]` in m.
struct Profile {
    time: f64,
    points: Vec<[f64; 2]>,
}

fn dam_break(exec: &Arc<Executor>, per_height: usize, seconds: f64) -> Result<Record> {
    let cell = DAM[1] / per_height as f64;
    let size = TANK.map(|l| (l / cell).round() as usize);
    let shape = cubes([size[0], size[1], 1]);
    // Two cells thick: thinner solids are not tight.
    let half = [cell as f32, 0.5, 1.0];
    let gate = Obstacle::Box { centre: [DAM[0] as f32, 0.5, 0.0], half };
    let motion = Motion { travel: Travel::Constant { velocity: [0.0, GATE, 0.0] }, spin: None };
    let level_set = |[x, y, _]: [f64; 3]| {
        let [dx, dy] = [x - DAM[0], y - DAM[1]];
        (dx.max(dy).min(0.0) + dx.max(0.0).hypot(dy.max(0.0))).min(y - AHEAD)
    };
    let setup = Setup {
        shape,
        cell,
        height: TANK[1],
        terrain: &vec![0.0; shape.columns()],
        level_set: &level_set,
        obstacles: &[Obstacle::Moving { shape: Box::new(gate), motion }],
        velocity: [0.0; 2],
        options: Options { band: None, max_cfl: 1.0, gravity: GRAVITY, ..Default::default() },
    };
    let mut water = TallWater::new(Arc::clone(exec), &setup)?;
    let began = water.statistics()?.volume;
    let mut frames = vec![(0.0, heights(&water)?)];
    while water.time() < seconds {
        water.advance(FRAME)?;
        frames.push((water.time(), heights(&water)?));
    }
    Ok(Record { cell, frames, change: water.statistics()?.volume / began - 1.0 })
}

/// Height of the highest surface per column, m; 0 where it is dry.
fn heights(water: &TallWater) -> Result<Vec<f64>> {
    let metres = |h: Option<f32>| f64::from(h.unwrap_or(0.0)) * water.cell();
    Ok(water.surface()?.into_iter().map(metres).collect())
}

impl Record {
    /// Highest surface in the strip around `x`, linear between frames.
    fn at(&self, time: f64, x: f64) -> f64 {
        let next = self.frames.partition_point(|(t, _)| *t < time).clamp(1, self.frames.len() - 1);
        let ((t0, before), (t1, after)) = (&self.frames[next - 1], &self.frames[next]);
        let share = ((time - t0) / (t1 - t0)).clamp(0.0, 1.0);
        let column = |x: f64| ((x / self.cell) as usize).min(before.len() - 1);
        let strip = column(x - 0.5 * STRIP)..=column(x + 0.5 * STRIP);
        let highest = |h: &[f64]| h[strip.clone()].iter().copied().fold(0.0, f64::max);
        highest(before) * (1.0 - share) + highest(after) * share
    }

    /// Root of the mean square of what differs from profiles, m.
    fn error(&self, profiles: &[Profile], shift: f64) -> f64 {
        let of = |p: &Profile| p.points.iter().map(|[x, z]| self.at(p.time - shift, *x) - z).collect::<Vec<_>>();
        rms(profiles.iter().flat_map(of))
    }

    /// The one shift of the clock that leaves least, and what it leaves.
    fn best_shift(&self, profiles: &[Profile]) -> (f64, f64) {
        let shifts = (-100..=100).map(|n| MOST_SHIFT * f64::from(n) / 100.0);
        let all = shifts.map(|shift| (shift, self.error(profiles, shift)));
        all.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0.0, f64::NAN))
    }

    /// The surface where a photograph shows it, at its time.
    fn seen(&self, photograph: &Profile, shift: f64) -> Profile {
        let time = photograph.time;
        Profile { time, points: photograph.points.iter().map(|[x, _]| [*x, self.at(time - shift, *x)]).collect() }
    }
}

impl Profile {
    /// Where the bore ends: the last place where the surface falls through twice the depth ahead, about half the height
    /// of the bore, m.
    fn front(&self) -> Result<f64> {
        last_fall(&self.points, 2.0 * AHEAD)
    }

    /// Height of the bore's crest, m.
    fn crest(&self) -> f64 {
        self.points.iter().map(|p| p[1]).fold(0.0, f64::max)
    }

    /// Water over the depth ahead in the strips that are seen, m².
    fn area(&self) -> f64 {
        self.points.iter().map(|p| (p[1] - AHEAD) * STRIP).sum()
    }
}

/// The highest points of the traces in strips.
fn profiles(table: &Table) -> Result<Vec<Profile>> {
    let (times, traces) = (table.column("t_s")?, table.curve("x_m", "z_m", |_| true)?.points);
    let mut found: Vec<Profile> = Vec::new();
    for (time, [x, z]) in times.iter().zip(traces) {
        if found.last().is_none_or(|p| p.time != *time) {
            found.push(Profile { time: *time, points: Vec::new() });
        }
        let middle = (((x - DAM[0]) / STRIP).floor() + 0.5) * STRIP + DAM[0];
        let Some(profile) = found.last_mut().filter(|_| x > DAM[0] && x < SEEN) else { continue };
        match profile.points.iter_mut().find(|p| (p[0] - middle).abs() < 0.5 * STRIP) {
            Some(point) => point[1] = point[1].max(z),
            None => profile.points.push([middle, z]),
        }
    }
    found.iter_mut().for_each(|p| p.points.sort_by(|a, b| a[0].total_cmp(&b[0])));
    Ok(found)
}

/// Profiles with the water ahead of the bore at the depth that it had: traces of single photographs are off by up to 8
/// mm.
fn levelled(profiles: &[Profile]) -> Result<Vec<Profile>> {
    let missing = || ValidationError::Missing { what: "water ahead of the bore".into() };
    let level = |p: &Profile| {
        let still: Vec<f64> = p.points.iter().filter(|q| q[0] > UNTOUCHED).map(|q| q[1]).collect();
        let mean = (!still.is_empty()).then(|| still.iter().sum::<f64>() / still.len() as f64).ok_or_else(missing)?;
        Ok(Profile { time: p.time, points: p.points.iter().map(|[x, z]| [*x, z - mean + AHEAD]).collect() })
    };
    profiles.iter().map(level).collect()
}

/// What the traces are off by ahead of the bore, where the depth is known, m.
fn error_of_traces(profiles: &[Profile]) -> f64 {
    let still = profiles.iter().flat_map(|p| &p.points).filter(|p| p[0] > UNTOUCHED);
    rms(still.map(|p| p[1] - AHEAD))
}

/// Difference of the largest and the smallest.
fn range(values: impl Iterator<Item = f64>) -> f64 {
    let [least, most] = values.fold([f64::MAX, f64::MIN], |[a, b], v| [a.min(v), b.max(v)]);
    most - least
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let traced = profiles(&table!("janosi2004_wet_bed_d38mm_profiles")?)?;
    let software = is_software(exec);
    let count = if software { 4 } else { traced.len() };
    let measured = levelled(&traced[..count])?;
    let heights = range(measured.iter().flat_map(|p| &p.points).map(|p| p[1]));
    let fronts = measured.iter().map(Profile::front).collect::<Result<Vec<f64>>>()?;
    let seconds = measured.last().map_or(0.0, |p| p.time) + MOST_SHIFT;
    // Cells per height of the column, and what is allowed of the heights, the front, the crest, the area and the
    // volume.
    let runs: &[(usize, [f64; 5])] = match software {
        true => &[(20, [0.12, 0.06, 0.16, 0.23, 0.0085])],
        false => &[(20, [0.17, 0.11, 0.19, 0.25, 0.0085]), (40, [0.14, 0.05, 0.115, 0.2, 0.005])],
    };
    let mut charts: Vec<Chart> = measured
        .iter()
        .map(|p| {
            let chart = Chart::new(format!("Dam break over 38 mm of water, {} s", p.time)).axes("x (m)", "surface (m)");
            chart.with(Series::new("measured", p.points.clone()).mark(Mark::Points))
        })
        .collect();
    for &(per_height, [most_height, most_front, most_crest, most_area, most_change]) in runs {
        let record = dam_break(exec, per_height, seconds)?;
        let (shift, left) = record.best_shift(&measured);
        let found: Vec<Profile> = measured.iter().map(|p| record.seen(p, shift)).collect();
        let name = format!("{per_height} cells high");
        out.ratio(
            format!("rms error of the heights over their range, {name}"),
            left / heights,
            Limit::AtMost(most_height),
        );
        let late = found.iter().zip(&fronts).map(|(p, x)| Ok(p.front()? - x)).collect::<Result<Vec<f64>>>()?;
        let run = range(fronts.iter().copied());
        out.ratio(format!("rms error of the front over its range, {name}"), rms(late) / run, Limit::AtMost(most_front));
        // The first photograph shows the reservoir still higher than the bore.
        let crests = found.iter().zip(&measured).skip(1).map(|(a, b)| a.crest() - b.crest());
        out.ratio(
            format!("rms error of the crest over the range, {name}"),
            rms(crests) / heights,
            Limit::AtMost(most_crest),
        );
        let areas = found.iter().zip(&measured).map(|(a, b)| a.area() / b.area() - 1.0);
        out.ratio(format!("rms error of the water beyond the gate, {name}"), rms(areas), Limit::AtMost(most_area));
        out.measure(format!("shift of the clock, {name}"), shift, Limit::Within(0.0, 0.08), "s");
        out.ratio(format!("change of the volume, {name}"), record.change.abs(), Limit::AtMost(most_change));
        for (chart, profile) in charts.iter_mut().zip(found) {
            chart.series.push(Series::new(name.clone(), profile.points));
        }
        let as_traced = record.best_shift(&traced[..count]).1 / heights;
        out.notes
            .push(format!("{name}: rms error of the heights {as_traced:.3} of the range with the traces as they are"));
    }
    out.notes.push(format!(
        "traces are levelled by the water ahead of the bore, 38 mm deep; as they are its rms error is {:.1} mm, {:.3} of the range",
        1e3 * error_of_traces(&traced[..count]),
        error_of_traces(&traced[..count]) / heights
    ));
    out.charts = charts;
    Ok(out)
}
