//! Tables while a run goes on; poster, summary and report at its end.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::{Value, json};
use thalweg::Simulation;
use thalweg::outputs::{Measurements, RowColumns, Rows};
use thalweg_io::table::{self, Table};
use thalweg_scene::Scene;

use super::folder::Folder;
use super::{film, report};
use crate::failure::{Failure, Outcome};
use crate::text;

/// The tables of a run.
pub(super) struct Tables {
    statistics: Table,
    probes: Option<Table>,
    bodies: Option<Table>,
    began: Instant,
}

/// What a run has left for its summary and report.
pub(super) struct Artefacts {
    /// Names of the fields that were drawn.
    pub(super) fields: Vec<&'static str>,
    pub(super) measurements: Measurements,
    /// The video, if there is one.
    pub(super) film: Outcome<Option<Value>>,
    /// The player of the report, if there is one.
    pub(super) player: Outcome<Option<String>>,
    /// Seconds that each stage was busy.
    pub(super) wall: Value,
}

impl Tables {
    /// Opens the tables, and those of an earlier run up to a time, s: rows past the checkpoint are dropped.
    pub(super) fn open(folder: &Folder, columns: &RowColumns, resumed: Option<f64>) -> Outcome<Self> {
        let open = |name: &str, columns: &[String]| match resumed {
            Some(time) => Table::resume(folder.file(name), columns, time),
            None => Table::create(folder.file(name), columns),
        };
        let some = |name: &str, columns: &[String]| (columns.len() > 1).then(|| open(name, columns)).transpose();
        let (probes, bodies) = (some("probes.csv", &columns.probes)?, some("bodies.csv", &columns.bodies)?);
        Ok(Self { statistics: open("stats.csv", &columns.statistics)?, probes, bodies, began: Instant::now() })
    }

    /// A row of each.
    pub(super) fn row(&mut self, rows: &Rows) -> Result<(), thalweg_io::Error> {
        if let Some(probes) = &mut self.probes {
            probes.row(&rows.probes)?;
        }
        if let Some(bodies) = &mut self.bodies {
            bodies.row(&rows.bodies)?;
        }
        self.statistics.row(&rows.statistics)
    }

    /// Writes poster, summary and report; returns the summary. A video that has failed does not take the others with it.
    pub(super) fn finish(
        self,
        folder: &Folder,
        scene: &Scene,
        simulation: &mut Simulation,
        artefacts: Artefacts,
    ) -> Outcome<Value> {
        let Artefacts { fields, measurements, film: video, player, wall } = artefacts;
        let (last, step_ms) = (measurements.last(), measurements.step_ms());
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
        outputs.extend(super::archive::indexes().filter(|index| folder.file(index).exists()));
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
        let steps = step_ms.len();
        let kinds = ["spray", "mist", "foam"].map(&column);
        let alive = (0..kinds[0].len()).map(|row| kinds.iter().map(|kind| kind[row]).sum::<f64>());
        let whitewater = last.whitewater;
        let report = simulation.report()?;
        let cells = report.as_ref().and_then(|(_, report)| report.get("cells").cloned());
        let mut summary = json!({
            "scene": scene.name,
            "frames": frames,
            "steps": simulation.steps(),
            "substeps": last.substeps,
            "simulated_seconds": simulation.time(),
            "wall_seconds": wall_seconds,
            "wall": wall,
            "step_ms": median(step_ms.to_vec()),
            "stages": measurements.stages().iter().map(|(s, ms)| (s.clone(), ms / steps.max(1) as f64)).collect::<BTreeMap<_, _>>(),
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
                "initial": measurements.initial_volume(),
                "final": last.volume,
                "added": last.added,
                "removed": last.removed,
                "drift": last.drift(measurements.initial_volume()),
            },
            "max_speed": max_speed,
            "speed_limit": last.speed_limit,
            "crowded_columns": last.crowded_columns,
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
