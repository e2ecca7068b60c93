//! How obstacles move.

use std::f64::consts::TAU;

use thalweg_model::{Motion, Spin, Travel};

use crate::context::Context;
use crate::diagnostics::quoted;
use crate::format::{self, Path};
use crate::number::exact;
use crate::report::At;
use crate::table::{self, TableError};

/// Largest file of a path, bytes.
const LARGEST_FILE: u64 = 64 << 20;

/// The motion at a key; `middle` is the point that a path is about, m.
pub(crate) fn lower(file: &format::Motion, middle: [f64; 3], context: &mut Context<'_>, at: &At) -> Option<Motion> {
    let given = [("velocity", file.velocity.is_some()), ("sine", file.sine.is_some()), ("path", file.path.is_some())];
    let mut given = given.into_iter().filter(|(_, is)| *is).map(|(key, _)| key);
    if let (Some(first), Some(second)) = (given.next(), given.next()) {
        let message = format!("`{at}` has both `{first}` and `{second}`");
        context.report.error_with(&at.key(second), message, "one way at a time; a path can be any of them");
        return None;
    }
    let travel = if let Some(velocity) = file.velocity {
        Travel::Constant { velocity }
    } else if let Some(sine) = &file.sine {
        let length = length(sine.direction);
        if length == 0.0 {
            context.report.error(&at.key("sine").key("direction"), "the direction has no length");
            return None;
        }
        let amplitude = sine.direction.map(|v| v / length * sine.amplitude);
        // Of many turns only the rest counts.
        Travel::Swing { amplitude, period: sine.period, phase: sine.phase % TAU, ramp: sine.ramp }
    } else if let Some(path) = &file.path {
        let points = lower_path(path, context, &at.key("path"))?;
        let from = |[t, x, y, z]: &[f64; 4]| [*t, x - middle[0], y - middle[1], z - middle[2]];
        Travel::Path { points: points.iter().map(from).collect() }
    } else {
        Travel::Rest
    };
    if file.spin.as_ref().is_some_and(|spin| length(spin.axis) == 0.0) {
        context.report.error(&at.key("spin").key("axis"), "the axis has no length");
        return None;
    }
    let spin = file.spin.as_ref().map(|spin| Spin { axis: spin.axis, rate: spin.rate, pivot: spin.pivot });
    Some(Motion { travel, spin })
}
fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn lower_path(path: &Path, context: &mut Context<'_>, at: &At) -> Option<Vec<[f64; 4]>> {
    let (points, key) = match path {
        Path::Points { points } => (check_times(points.clone()), "points"),
        Path::File { file } => {
            let bytes = context.read(&at.key("file"), file, LARGEST_FILE)?;
            (read_path(&bytes).map_err(|error| format!("{}: {error}", quoted(file))), "file")
        }
    };
    points.map_err(|message| context.report.error(&at.key(key), message)).ok()
}

fn check_times(points: Vec<[f64; 4]>) -> Result<Vec<[f64; 4]>, String> {
    match points.windows(2).position(|pair| pair[1][0] <= pair[0][0]) {
        Some(n) => {
            let [before, after] = [points[n][0], points[n + 1][0]].map(exact);
            Err(format!("times must increase: point {} has {after} s after {before} s", n + 1))
        }
        None => Ok(points),
    }
}

/// The first four columns of a CSV text: time, x, y, z. A first line without a number is a header.
pub(crate) fn read_path(bytes: &[u8]) -> Result<Vec<[f64; 4]>, TableError> {
    let mut points: Vec<[f64; 4]> = Vec::new();
    let mut rows = table::lines(table::text(bytes)?).peekable();
    rows.next_if(|(_, line)| table::fields(line).next().is_none_or(|field| field.parse::<f64>().is_err()));
    let mut last = 1;
    for (line, row) in rows {
        let mut fields = table::fields(row);
        let mut point = [0.0; 4];
        for (slot, name) in point.iter_mut().zip(["time", "x", "y", "z"]) {
            let field = fields.next().ok_or_else(|| TableError::new(line, format!("there is no column for {name}")))?;
            *slot = table::number(field, line)?;
        }
        if let Some(before) = points.last().filter(|before| point[0] <= before[0]) {
            let what = format!("times must increase: {} s after {} s", exact(point[0]), exact(before[0]));
            return Err(TableError::new(line, what));
        }
        points.push(point);
        last = line;
    }
    if points.is_empty() {
        return Err(TableError::new(last, "there are no points"));
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_with_and_without_header() {
        let wanted = [[0.0, 1.0, 2.0, 3.0], [1.5, 2.0, 2.0, 3.0]];
        assert_eq!(read_path(b"time,x,y,z\n0,1,2,3\n1.5,2,2,3\n").expect("a path"), wanted);
        assert_eq!(read_path(b"# a path\n0 1 2 3\n1.5 2 2 3\n").expect("a path"), wanted);
        let error = |text: &[u8]| read_path(text).expect_err("refused").to_string();
        assert_eq!(error(b"0,1,2\n"), "line 1: there is no column for z");
        assert_eq!(error(b"t,x,y,z\n0,1,2,3\n0,1,2,3\n"), "line 3: times must increase: 0 s after 0 s");
        assert_eq!(error(b"t,x,y,z\n"), "line 1: there are no points");
    }
}
