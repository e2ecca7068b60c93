//! `report.html`: what the run looked like, what it measured and what it took.

use serde_json::Value;
use thalweg::outputs::{Playback, three_digits};
use thalweg_io::plot::{Chart, Series};
use thalweg_io::report::{Report, Video};
use thalweg_io::table::Columns;
use thalweg_scene::{BodyQuantity, ProbeKind, Scene};

use super::folder::Folder;
use crate::failure::Outcome;
use crate::text;

/// Width and height of a chart, pixels. Two stand side by side on a wide page.
const CHART: [u32; 2] = [560, 300];

/// A column of a table and its name in the legend.
type Line<'a> = (&'a str, &'a str);

/// Columns of the statistics that belong into one chart: title, unit, lines.
const GROUPS: [(&str, &str, &[Line<'_>]); 6] = [
    ("Volume", "m³", &[("volume", "water"), ("added", "added"), ("removed", "removed")]),
    ("Volume that the ledger does not explain", "share", &[("drift", "")]),
    ("Energy", "J", &[("kinetic_energy", "kinetic"), ("potential_energy", "potential")]),
    ("Fastest water", "m/s", &[("max_speed", "")]),
    ("Wet area", "m²", &[("wet_area", "")]),
    ("Sub-steps so far", "", &[("substeps", "")]),
];

/// Writes the page from what is in the folder, and the player.
pub(super) fn write(
    folder: &Folder,
    scene: &Scene,
    summary: &Value,
    (stats, probes): (&Columns, Option<&Columns>),
    fields: &[&str],
    player: Option<String>,
) -> Outcome {
    let mut report = Report::new(&scene.name).describe(&scene.description);
    if let Some(video) = video(folder, summary) {
        report = report.video(video);
    }
    for (name, value) in figures(scene, summary) {
        report = report.summarise(name, value);
    }
    if let Some(player) = player {
        report = report.html("The water", player);
    }
    let stages = summary["stages"].as_object().into_iter().flatten();
    let parts: Vec<_> = stages.map(|(name, ms)| (name.clone(), ms.as_f64().unwrap_or(0.0))).collect();
    if parts.iter().any(|(_, ms)| *ms > 0.0) {
        report = report.shares("Time of a step by stage", "ms", parts);
    }
    let busy = summary["wall"].as_object().into_iter().flatten();
    let busy: Vec<_> = busy.map(|(name, seconds)| (name.clone(), seconds.as_f64().unwrap_or(0.0))).collect();
    if busy.iter().any(|(_, seconds)| *seconds > 0.0) {
        report = report.shares("Time that the stages of the run were busy, side by side", "s", busy);
    }
    if let Some(probes) = probes {
        report = report.charts("Probes", probe_charts(scene, probes));
    }
    report = report.charts("Statistics", statistics_charts(stats));
    for field in fields {
        report = report.frames(format!("Pictures: {field}"), folder.frames(field));
    }
    Ok(report.write(folder.file("report.html"))?)
}

fn video(folder: &Folder, summary: &Value) -> Option<Video> {
    let path = |what: &str| summary[what]["file"].as_str().map(|name| folder.file(name));
    let (path, poster) = (path("video"), path("poster"));
    let number = |what: &str| summary["video"][what].as_f64();
    let pace = number("frames_per_second").zip(number("speed"));
    let pace = pace.map(|(frames_per_second, speed)| Playback { frames_per_second, speed }.describe());
    let time = summary["poster"]["time"].as_f64();
    let still =
        time.map(|time| format!("the still picture is at {} s, where the water moves most", three_digits(time)));
    let caption = [pace, still].into_iter().flatten().collect::<Vec<_>>().join("; ");
    (path.is_some() || poster.is_some()).then_some(Video { path, poster, caption })
}

fn figures(scene: &Scene, summary: &Value) -> Vec<(String, String)> {
    let number = |value: &Value| value.as_f64().map_or_else(|| value.to_string(), text::short);
    let mut figures: Vec<(String, String)> = [
        ("simulated_seconds", "simulated, s"),
        ("wall_seconds", "wall time, s"),
        ("step_ms", "step, ms (median)"),
        ("max_speed", "fastest water, m/s"),
    ]
    .map(|(key, label)| (label.to_owned(), number(&summary[key])))
    .to_vec();
    for key in ["initial", "final", "added", "removed"] {
        figures.push((format!("volume {key}, m³"), number(&summary["volume"][key])));
    }
    figures.push(("volume unaccounted, share".to_owned(), number(&summary["volume"]["drift"])));
    figures.push(("steps".to_owned(), summary["steps"].to_string()));
    figures.push(("cells".to_owned(), text::grouped(scene.cost().cells)));
    figures.push(("backend".to_owned(), summary["backend"].as_str().unwrap_or_default().to_owned()));
    figures.push(("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()));
    figures
}

/// A chart over time of columns that share a unit; `None` if there are none of them.
fn chart(title: &str, unit: &str, table: &Columns, columns: &[Line<'_>]) -> Option<Chart> {
    let time = table.get("time")?;
    let mut chart = Chart::new(title).axes("time (s)", unit);
    (chart.width, chart.height) = (CHART[0], CHART[1]);
    for (column, name) in columns {
        if let Some(values) = table.get(column).filter(|values| values.iter().any(|v| v.is_finite())) {
            chart = chart.with(Series::from_columns(*name, time, values));
        }
    }
    (!chart.series.is_empty()).then_some(chart)
}

/// Leaves out what is zero all the time, beside others that are not.
fn without_zeros<'a>(stats: &Columns, columns: &[Line<'a>]) -> Vec<Line<'a>> {
    let moves = |name: &str| stats.get(name).unwrap_or_default().iter().any(|v| *v != 0.0);
    let moving: Vec<_> = columns.iter().copied().filter(|(name, _)| moves(name)).collect();
    if moving.is_empty() { columns[..1].to_vec() } else { moving }
}

fn statistics_charts(stats: &Columns) -> Vec<Chart> {
    let mut charts: Vec<_> = GROUPS
        .iter()
        .filter_map(|(title, unit, columns)| chart(title, unit, stats, &without_zeros(stats, columns)))
        .collect();
    let is_time_taken = |name: &&str| name.ends_with("_ms");
    let stages: Vec<(&str, String)> = (stats.names.iter().map(String::as_str).filter(is_time_taken))
        .map(|name| (name, name.trim_end_matches("_ms").replace('_', " ")))
        .collect();
    // A stage that never ran has no time to show.
    let taken: Vec<_> = stages.iter().map(|(name, legend)| (*name, legend.as_str())).collect();
    if !taken.is_empty() {
        charts.extend(chart("Wall time of a step", "ms", stats, &without_zeros(stats, &taken)));
    }
    // Columns that nobody has given a place yet.
    let placed = |name: &str| {
        name == "time" || is_time_taken(&name) || GROUPS.iter().any(|(.., columns)| columns.iter().any(|c| c.0 == name))
    };
    let moves = |name: &str| stats.get(name).unwrap_or_default().iter().any(|v| *v != 0.0);
    let others = stats.names.iter().filter(|name| !placed(name) && moves(name));
    charts.extend(others.filter_map(|name| chart(&name.replace('_', " "), "", stats, &[(name, "")])));
    charts
}

/// Gauges that measure the same thing share a chart.
fn probe_charts(scene: &Scene, probes: &Columns) -> Vec<Chart> {
    let mut groups: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for probe in &scene.probes {
        let (title, unit, columns) = match probe.kind {
            ProbeKind::Surface { .. } => ("Water surface", "m", vec![probe.name.clone()]),
            ProbeKind::Depth { .. } => ("Depth", "m", vec![probe.name.clone()]),
            ProbeKind::Velocity { .. } => {
                let parts = ["x", "z"].map(|axis| format!("{}_{axis}", probe.name));
                ("Velocity", "m/s", [probe.name.clone()].into_iter().chain(parts).collect())
            }
            ProbeKind::Discharge { .. } => ("Discharge", "m³/s", vec![probe.name.clone()]),
            ProbeKind::Volume { .. } => ("Volume of regions", "m³", vec![probe.name.clone()]),
            ProbeKind::WetArea { .. } => ("Wet area of regions", "m²", vec![probe.name.clone()]),
            ProbeKind::Runup { .. } => ("Run-up", "m", vec![probe.name.clone(), format!("{}_level", probe.name)]),
            ProbeKind::Pressure { .. } => ("Pressure", "Pa", vec![probe.name.clone()]),
            ProbeKind::Force { .. } => {
                ("Force", "N", ["x", "y", "z"].map(|axis| format!("{}_{axis}", probe.name)).to_vec())
            }
            ProbeKind::Body { what, .. } => {
                let (title, unit) = match what {
                    BodyQuantity::Position => ("Places of bodies", "m"),
                    BodyQuantity::Velocity => ("Velocities of bodies", "m/s"),
                    BodyQuantity::Rotation => ("Turns of bodies", "rad"),
                    BodyQuantity::Force => ("Force on bodies", "N"),
                    _ => ("Bodies", ""),
                };
                (title, unit, ["x", "y", "z"].map(|axis| format!("{}_{axis}", probe.name)).to_vec())
            }
            ProbeKind::Front { .. } => ("Front", "m", vec![probe.name.clone()]),
            _ => ("Other gauges", "", vec![probe.name.clone()]),
        };
        match groups.iter_mut().find(|group| group.0 == title) {
            Some(group) => group.2.extend(columns),
            None => groups.push((title, unit, columns)),
        }
    }
    let drawn = |(title, unit, columns): &(&str, &str, Vec<String>)| {
        let columns: Vec<_> = columns.iter().map(|name| (name.as_str(), name.as_str())).collect();
        chart(title, unit, probes, &columns)
    };
    groups.iter().filter_map(drawn).collect()
}
