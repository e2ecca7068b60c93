//! The series of a scene: a constant, a CSV file, points, or a sine.

use thalweg_model::{Series, SeriesError};

use crate::context::Context;
use crate::diagnostics::quoted;
use crate::format;
use crate::number::{exact, short};
use crate::report::At;
use crate::suggest::nearest;

/// Largest series file, bytes.
pub(crate) const LARGEST_FILE: u64 = 64 << 20;

/// Points per period of a sine. Linear interpolation between them is off by 0.12 % of the amplitude.
const POINTS_PER_PERIOD: f64 = 64.0;

/// Most points that a sine may become.
const MOST_POINTS: f64 = 4e6;

/// The series at a key. Values outside `range` are an error; `unit` is theirs.
pub(crate) fn lower(
    file: &format::Series,
    context: &mut Context<'_>,
    at: &At,
    range: [f64; 2],
    unit: &str,
) -> Option<Series> {
    use format::SeriesTable;
    let (series, value_at) = match file {
        format::Series::Constant(value) => (Series::constant(*value), at.clone()),
        format::Series::Table(SeriesTable::Points { points }) => {
            let at = at.key("points");
            match Series::from_points(points.clone()) {
                Ok(series) => (series, at),
                Err(error) => {
                    let place = match error {
                        SeriesError::Order { index, .. } => at.index(index),
                        _ => at.clone(),
                    };
                    context.report.error(&place, format!("`{at}`: {error}"));
                    return None;
                }
            }
        }
        format::Series::Table(SeriesTable::Sine { sine }) => {
            let at = at.key("sine");
            (from_sine(sine, context, &at)?, at)
        }
        format::Series::Table(SeriesTable::File { .. }) => (lower_file(file, context, at)?, at.key("file")),
    };
    let worst = if series.min() < range[0] { series.min() } else { series.max() };
    if worst < range[0] || worst > range[1] {
        context.report.error_with(
            &value_at,
            format!("`{at}` is out of range: {} {unit}", exact(worst)),
            format!("it must be between {} and {} {unit}", exact(range[0]), exact(range[1])),
        );
        return None;
    }
    Some(series)
}

fn lower_file(file: &format::Series, context: &mut Context<'_>, at: &At) -> Option<Series> {
    let format::Series::Table(format::SeriesTable::File { file, time, value, scale, offset, shift }) = file else {
        return None;
    };
    let bytes = context.read(&at.key("file"), file, LARGEST_FILE)?;
    match Series::from_csv(&bytes, time.as_deref(), value.as_deref()) {
        Ok(series) => {
            let moved = series.points().iter().map(|[time, value]| [time + shift, value * scale + offset]);
            // A huge shift can make neighbouring times equal.
            Series::from_points(moved.collect::<Vec<_>>())
                .map_err(|error| context.report.error(&at.key("file"), format!("{}: {error}", quoted(file))))
                .ok()
        }
        Err(error) => {
            let message = format!("{}: {error}", quoted(file));
            match &error {
                SeriesError::Column { name, known } => {
                    let key = if time.as_ref() == Some(name) { "time" } else { "value" };
                    let hint = match nearest(name, known.iter().map(String::as_str)) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None if known.is_empty() => "the file has no header line".to_owned(),
                        None => format!("the file has {}", known.join(", ")),
                    };
                    context.report.error_with(&at.key(key), message, hint);
                }
                _ => context.report.error(&at.key("file"), message),
            }
            None
        }
    }
}

/// A sine as points over the duration of the scene.
fn from_sine(sine: &format::Sine, context: &mut Context<'_>, at: &At) -> Option<Series> {
    let steps = (context.duration / sine.period * POINTS_PER_PERIOD).ceil() + 1.0;
    if steps > MOST_POINTS {
        let shortest = context.duration * POINTS_PER_PERIOD / MOST_POINTS;
        context.report.error_with(
            &at.key("period"),
            format!("the period of {} s is too short for a scene of {} s", exact(sine.period), exact(context.duration)),
            format!("it must be more than {} s", short(shortest)),
        );
        return None;
    }
    let points = (0..=steps as u64).map(|step| {
        let time = step as f64 * sine.period / POINTS_PER_PERIOD;
        let grown = if time < sine.ramp { time / sine.ramp } else { 1.0 };
        let angle = std::f64::consts::TAU * time / sine.period + sine.phase;
        [time, sine.mean + sine.amplitude * grown * angle.sin()]
    });
    Series::from_points(points.collect::<Vec<_>>())
        .map_err(|error| context.report.error(at, format!("`{at}`: {error}")))
        .ok()
}
