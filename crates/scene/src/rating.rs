//! Rating curves: discharge by level.

use thalweg_model::two_columns;

use crate::context::Context;
use crate::diagnostics::quoted;
use crate::format::RatingCurve;
use crate::number::exact;
use crate::report::At;
use crate::series::LARGEST_FILE;

/// Largest discharge of a curve, m³/s; a hundred Amazons.
const LARGEST: f64 = 2e7;

/// Points of a curve: levels, m, that increase, and discharges, m³/s, that do not decrease.
pub(crate) fn lower(file: &RatingCurve, context: &mut Context<'_>, at: &At) -> Option<Vec<[f64; 2]>> {
    let (points, at, lines) = match file {
        RatingCurve::Points { points } => (points.clone(), at.key("points"), None),
        RatingCurve::File { file, level, discharge } => {
            let at = at.key("file");
            let bytes = context.read(&at, file, LARGEST_FILE)?;
            match two_columns(&bytes, [level.as_deref(), discharge.as_deref()]) {
                Ok((points, lines)) => (points, at, Some((file, lines))),
                Err(error) => {
                    context.report.error(&at, format!("{}: {error}", quoted(file)));
                    return None;
                }
            }
        }
    };
    let Some((index, what)) = fault(&points) else { return Some(points) };
    // A point of a file is named by its line there.
    match (lines, index) {
        (Some((file, lines)), Some(index)) => {
            context.report.error(&at, format!("{}: line {}: {what}", quoted(file), lines[index]));
        }
        (Some((file, _)), None) => context.report.error(&at, format!("{}: {what}", quoted(file))),
        (None, index) => context.report.error(&index.map_or(at.clone(), |n| at.index(n)), format!("`{at}`: {what}")),
    }
    None
}

/// What is wrong with a curve, and with which point.
fn fault(points: &[[f64; 2]]) -> Option<(Option<usize>, String)> {
    if points.len() < 2 {
        return Some((None, "a rating curve needs two points or more".to_owned()));
    }
    for (index, &[level, discharge]) in points.iter().enumerate() {
        let is_sound = level.is_finite() && level.abs() <= 1e5 && (0.0..=LARGEST).contains(&discharge);
        if !is_sound {
            let what = format!(
                "{} m and {} m³/s: a level must be between -100000 and 100000 m, a discharge between 0 and {} m³/s",
                exact(level),
                exact(discharge),
                exact(LARGEST)
            );
            return Some((Some(index), what));
        }
        let Some(&[below, before]) = index.checked_sub(1).map(|n| &points[n]) else { continue };
        if level <= below {
            return Some((Some(index), format!("levels must increase: {} m after {} m", exact(level), exact(below))));
        }
        if discharge < before {
            let what = format!("discharges must not decrease: {} m³/s after {} m³/s", exact(discharge), exact(before));
            return Some((Some(index), what));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_that_no_weir_has_are_named_by_point() {
        assert_eq!(fault(&[[0.0, 0.0], [1.0, 5.0], [2.0, 5.0]]), None);
        let at = |points: &[[f64; 2]]| fault(points).expect("a fault");
        assert_eq!(at(&[[0.0, 1.0]]).0, None);
        assert_eq!(at(&[[0.0, 1.0], [0.0, 2.0]]), (Some(1), "levels must increase: 0 m after 0 m".to_owned()));
        assert_eq!(at(&[[0.0, 3.0], [1.0, 2.0]]).0, Some(1));
        assert_eq!(at(&[[0.0, -3.0], [1.0, 2.0]]).0, Some(0));
        assert_eq!(at(&[[0.0, 0.0], [f64::NAN, 2.0]]).0, Some(1));
    }
}
