//! Tables while a run goes on; poster, summary and report at its end.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thalweg::rigid::BodyState;
use thalweg::{Ability, Simulation, Statistics};
use thalweg_io::table::{self, Table};
use thalweg_scene::Scene;

use super::folder::Folder;
use super::{drift, film, report};
use crate::failure::{Failure, Outcome};
use crate::text;

/// What is written row by row.
pub(super) struct Record {
    stats: Table,
    probes: Option<Table>,
    bodies: Option<Table>,
    initial_volume: f64,
    began: Instant,
    step_ms: Vec<f64>,
    stages: BTreeMap<String, f64>,
    last: Statistics,
}

/// What the stages of a run have left for its summary and report.
pub(super) struct Leavings {
    /// Names of the fields that were drawn.
    pub(super) fields: Vec<&'static str>,
    /// The video, if there is one.
    pub(super) film: Outcome<Option<Value>>,
    /// The player of the report, if there is one.
    pub(super) player: Outcome<Option<String>>,
    /// Seconds that each stage was busy.
    pub(super) wall: Value,
}

/// Columns of the statistics and their values; the same columns for every state of a scene.
fn stats_row(scene: &Scene, now: &Statistics, initial_volume: f64) -> Vec<(&'static str, f64)> {
    let mut row = vec![
        ("time", now.time),
        ("substeps", now.substeps as f64),
        ("volume", now.volume),
        ("added", now.added),
        ("removed", now.removed),
        ("drift", drift(initial_volume, now)),
        ("kinetic_energy", now.kinetic_energy),
    ];
    row.extend(now.potential_energy.map(|energy| ("potential_energy", energy)));
    row.extend(now.wet_area.map(|area| ("wet_area", area)));
    row.push(("max_speed", now.max_speed));
    if scene.water.solver.has(Ability::ThreeDimensional) {
        row.push(("crowded_columns", now.crowded_columns.into()));
    }
    if scene.whitewater.is_some() {
        let some = &now.whitewater;
        row.extend([("spray", some.spray.into()), ("mist", some.mist.into()), ("foam", some.foam.into())]);
        row.push(("spray_volume", some.volume));
    }
    row
}

fn stats_columns(simulation: &Simulation, now: &Statistics) -> Vec<String> {
    let fixed = stats_row(simulation.scene(), now, now.volume).into_iter().map(|(name, _)| name.to_string());
    let times = simulation.stages().iter().map(|stage| format!("{}_ms", stage.replace(' ', "_")));
    fixed.chain(["step_ms".to_string()]).chain(times).collect()
}

fn probe_columns(simulation: &Simulation) -> Vec<String> {
    std::iter::once("time".to_string()).chain(simulation.probe_columns()).collect()
}

/// What `bodies.csv` tells of every body: place (m) and turn (a quaternion) of its frame, velocity (m/s) and rates (rad/s) of its centre of
/// mass, force (N) and torque (N m) of the water.
const BODY_COLUMNS: [&str; 19] =
    ["x", "y", "z", "qx", "qy", "qz", "qw", "vx", "vy", "vz", "wx", "wy", "wz", "fx", "fy", "fz", "tx", "ty", "tz"];

/// Columns of `bodies.csv`; only the time without bodies.
fn body_columns(simulation: &Simulation) -> Vec<String> {
    let bodies = simulation.bodies().into_iter();
    let own = bodies.flat_map(|body| BODY_COLUMNS.map(|column| format!("{}_{column}", body.name)));
    std::iter::once("time".to_string()).chain(own).collect()
}

fn body_row(simulation: &Simulation, time: f64) -> Vec<f64> {
    let numbers = |body: BodyState| {
        let vectors = [body.velocity, body.rates, body.force, body.torque];
        body.pose.position.into_iter().chain(body.pose.rotation).chain(vectors.into_iter().flatten())
    };
    std::iter::once(time).chain(simulation.bodies().into_iter().flat_map(numbers)).collect()
}

impl Record {
    /// Starts the tables with the state at time 0.
    pub(super) fn create(folder: &Folder, simulation: &mut Simulation) -> Outcome<Self> {
        let columns = probe_columns(simulation);
        let probes = if columns.len() > 1 { Some(Table::create(folder.file("probes.csv"), &columns)?) } else { None };
        let columns = body_columns(simulation);
        let bodies = if columns.len() > 1 { Some(Table::create(folder.file("bodies.csv"), &columns)?) } else { None };
        let first = simulation.statistics()?;
        let stats = Table::create(folder.file("stats.csv"), &stats_columns(simulation, &first))?;
        let mut record = Self::new(stats, (probes, bodies), first.volume, first);
        simulation.take_timings()?;
        record.row(simulation, &first, Duration::ZERO)?;
        record.step_ms.clear();
        Ok(record)
    }

    /// Opens the tables again and drops rows past the checkpoint.
    pub(super) fn resume(folder: &Folder, simulation: &mut Simulation, initial_volume: f64) -> Outcome<Self> {
        let time = simulation.time();
        let columns = probe_columns(simulation);
        let probes =
            if columns.len() > 1 { Some(Table::resume(folder.file("probes.csv"), &columns, time)?) } else { None };
        let columns = body_columns(simulation);
        let bodies =
            if columns.len() > 1 { Some(Table::resume(folder.file("bodies.csv"), &columns, time)?) } else { None };
        // There may be no step left to take: the summary then tells of this state.
        let last = simulation.statistics()?;
        let stats = Table::resume(folder.file("stats.csv"), &stats_columns(simulation, &last), time)?;
        simulation.take_timings()?;
        Ok(Self::new(stats, (probes, bodies), initial_volume, last))
    }

    fn new(
        stats: Table,
        (probes, bodies): (Option<Table>, Option<Table>),
        initial_volume: f64,
        last: Statistics,
    ) -> Self {
        let (step_ms, stages) = (Vec::new(), BTreeMap::new());
        Self { stats, probes, bodies, initial_volume, began: Instant::now(), step_ms, stages, last }
    }

    /// The statistics of the last row.
    pub(super) fn last(&self) -> Statistics {
        self.last
    }

    pub(super) fn initial_volume(&self) -> f64 {
        self.initial_volume
    }

    /// One row of each table.
    pub(super) fn row(&mut self, simulation: &mut Simulation, now: &Statistics, wall: Duration) -> Outcome {
        if let Some(probes) = &mut self.probes {
            let values = simulation.read_probes()?;
            probes.row(&std::iter::once(now.time).chain(values).collect::<Vec<_>>())?;
        }
        if let Some(bodies) = &mut self.bodies {
            bodies.row(&body_row(simulation, now.time))?;
        }
        let step_ms = wall.as_secs_f64() * 1e3;
        self.step_ms.push(step_ms);
        let timings = simulation.take_timings()?;
        let stages = simulation.stages();
        let mut stage_ms = vec![0.0; stages.len()];
        for (name, time) in timings.stages() {
            let stage = text::stage_of(name);
            *self.stages.entry(stage.into()).or_default() += time.ms;
            if let Some(n) = stages.iter().position(|s| *s == stage) {
                stage_ms[n] += time.ms;
            }
        }
        let row = stats_row(simulation.scene(), now, self.initial_volume).into_iter().map(|(_, value)| value);
        let row: Vec<f64> = row.chain([step_ms]).chain(stage_ms).collect();
        self.stats.row(&row)?;
        self.last = *now;
        Ok(())
    }

    /// Writes poster, summary and report; returns the summary. A video that has failed does not take the others with it.
    pub(super) fn finish(
        self,
        folder: &Folder,
        scene: &Scene,
        simulation: &mut Simulation,
        leavings: Leavings,
    ) -> Outcome<Value> {
        let Leavings { fields, film: video, player, wall } = leavings;
        let wall_seconds = self.began.elapsed().as_secs_f64();
        let stats = table::read(folder.file("stats.csv"))?;
        let column = |name: &str| stats.get(name).unwrap_or_default();
        let mut outputs = vec!["stats.csv".to_string(), "summary.json".into(), "report.html".into()];
        if self.probes.is_some() {
            outputs.push("probes.csv".into());
        }
        if self.bodies.is_some() {
            outputs.push("bodies.csv".into());
        }
        outputs.extend(super::exports::indexes().filter(|index| folder.file(index).exists()));
        let poster = match fields.first() {
            Some(field) => film::poster(folder, scene, field, &stats),
            None => Ok(None),
        };
        let shown = |made: &Outcome<Option<Value>>| made.as_ref().ok().cloned().flatten();
        let (shown_video, shown_poster) = (shown(&video), shown(&poster));
        let files = [&shown_video, &shown_poster].into_iter().flatten().filter_map(|made| made["file"].as_str());
        outputs.extend(files.map(str::to_owned));
        let frames = fields.first().map_or(0, |field| folder.frames(field).len());
        let max_speed = column("max_speed").iter().copied().fold(0.0, f64::max);
        let steps = self.step_ms.len();
        let kinds = ["spray", "mist", "foam"].map(&column);
        let alive = (0..kinds[0].len()).map(|row| kinds.iter().map(|kind| kind[row]).sum::<f64>());
        let whitewater = self.last.whitewater;
        let report = simulation.report()?;
        let cells = report.as_ref().and_then(|(_, report)| report.get("cells").cloned());
        let mut summary = json!({
            "scene": scene.name,
            "frames": frames,
            "steps": simulation.steps(),
            "substeps": self.last.substeps,
            "simulated_seconds": simulation.time(),
            "wall_seconds": wall_seconds,
            "wall": wall,
            "step_ms": median(self.step_ms.clone()),
            "stages": self.stages.iter().map(|(s, ms)| (s.clone(), ms / steps.max(1) as f64)).collect::<BTreeMap<_, _>>(),
            "cells": cells.unwrap_or(scene.cost().cells.into()),
            "particles": whitewater.particles(),
            "whitewater": scene.whitewater.map(|_| json!({
                "most_particles": alive.fold(0.0, f64::max) as u64,
                "spray": whitewater.spray,
                "mist": whitewater.mist,
                "foam": whitewater.foam,
                "refused": whitewater.refused,
                "volume": whitewater.volume,
            })),
            "volume": {
                "initial": self.initial_volume,
                "final": self.last.volume,
                "added": self.last.added,
                "removed": self.last.removed,
                "drift": drift(self.initial_volume, &self.last),
            },
            "max_speed": max_speed,
            "speed_limit": self.last.speed_limit,
            "crowded_columns": self.last.crowded_columns,
            "backend": simulation.executor().describe(),
            "video": shown_video,
            "poster": shown_poster,
            "outputs": outputs,
        });
        // What the method has to say stands under its own name.
        if let Some((name, report)) = report {
            summary[name] = report;
        }
        let pretty = format!("{summary:#}\n");
        let path = folder.file("summary.json");
        thalweg_io::write_atomically(&path, pretty.as_bytes())
            .map_err(|e| Failure::Run(format!("cannot write {}: {e}", path.display())))?;
        let probes = self.probes.is_some().then(|| table::read(folder.file("probes.csv"))).transpose()?;
        let page = match &player {
            Ok(page) => page.clone(),
            Err(_) => None,
        };
        report::write(folder, scene, &summary, (&stats, probes.as_ref()), &fields, page)?;
        video?;
        poster?;
        player?;
        Ok(summary)
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What the user should know although the run went well.
pub(super) fn warnings(summary: &Value) -> Vec<String> {
    let crowded = summary["crowded_columns"].as_u64().filter(|columns| *columns > 0).map(|columns| {
        format!(
            "warning: in up to {columns} columns the cubic cells did not reach over all of the water with the margins \
             asked for; raise `regular_cells` in [water.tall]"
        )
    });
    let limit = summary["speed_limit"].as_f64().unwrap_or(f64::INFINITY);
    let is_cut_off = summary["max_speed"].as_f64().is_some_and(|speed| speed >= 0.999 * limit);
    let cut_off = is_cut_off.then(|| {
        format!(
            "note: the fastest water was held at {} m/s, the speed of a fall through the domain: a jet of an impact, or \
             water squeezed in a gap of less than a cell",
            text::short(limit)
        )
    });
    let strain = summary["quadtree"]["strain"].as_f64().filter(|strain| *strain > 1.5);
    let strained = strain.map(|strain| {
        format!(
            "note: the water asked for more cells than the budget: at the end tolerances were {} times those of the scene; raise `budget` in \
             [water.quadtree] for more detail",
            text::short(strain)
        )
    });
    crowded.into_iter().chain(cut_off).chain(strained).collect()
}

/// The summary in a few lines.
pub(super) fn for_people(summary: &Value, folder: &Folder) -> String {
    let f = |v: &Value| v.as_f64().map_or_else(String::new, text::short);
    let volume = &summary["volume"];
    let mut lines = vec![
        format!(
            "{} s simulated in {} s: {} steps, {} sub-steps, {} ms a step on {}",
            f(&summary["simulated_seconds"]),
            f(&summary["wall_seconds"]),
            summary["steps"],
            summary["substeps"],
            f(&summary["step_ms"]),
            summary["backend"].as_str().unwrap_or_default()
        ),
        format!(
            "volume {} → {} m³ (in {}, out {}, unaccounted {})",
            f(&volume["initial"]),
            f(&volume["final"]),
            f(&volume["added"]),
            f(&volume["removed"]),
            f(&volume["drift"])
        ),
    ];
    if let Some(levels) = summary["quadtree"]["levels"].as_array() {
        let tiles = |level: &Value| format!("{} of {} m", level["tiles"], f(&level["cell_m"]));
        let tiles: Vec<String> = levels.iter().filter(|level| level["tiles"] != 0).map(tiles).collect();
        let cells = text::grouped(summary["cells"].as_u64().unwrap_or_default());
        lines.push(format!("{cells} cells in tiles with cells: {}", tiles.join(", ")));
    }
    lines.extend(film::for_people(summary, folder));
    lines.push(format!("report {}", folder.file("report.html").display()));
    lines.join("\n")
}
