//! A value in time: constant, from a CSV file, from points, or a sine.

use crate::context::Context;
use crate::diagnostics::quoted;
use crate::format;
use crate::number::{exact, short};
use crate::report::At;
use crate::suggest::nearest;
use crate::table::{self, TableError};

/// Largest series file, bytes.
pub(crate) const LARGEST_FILE: u64 = 64 << 20;

/// Points per period of a sine. Linear interpolation between them is off by 0.12 % of the amplitude.
const POINTS_PER_PERIOD: f64 = 64.0;

/// Most points that a sine may become.
const MOST_POINTS: f64 = 4e6;

/// A value in time, linear between points; the end values hold before the first and after the last.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    points: Vec<[f64; 2]>,
}

/// Why points do not make a series.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SeriesError {
    /// There are no points.
    #[error("there are no points")]
    Empty,
    /// A time or a value is not finite.
    #[error("point {index} is not finite")]
    NotFinite {
        /// Which point, from 0.
        index: usize,
    },
    /// A time is not later than the one before.
    #[error("times must increase: point {index} has {} s after {} s", exact(*time), exact(*before))]
    Order {
        /// Which point, from 0.
        index: usize,
        /// Its time, s.
        time: f64,
        /// The time before it, s.
        before: f64,
    },
    /// A line of the file is wrong.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file has no such column.
    #[error("there is no column {}", quoted(name))]
    Column {
        /// The name asked for.
        name: String,
        /// The names that the file has.
        known: Vec<String>,
    },
}

impl Series {
    /// The same value at all times.
    pub fn constant(value: f64) -> Self {
        Self { points: vec![[0.0, value]] }
    }

    /// Points `[time, value]`, finite, with times that strictly increase, s.
    pub fn from_points(points: Vec<[f64; 2]>) -> Result<Self, SeriesError> {
        if points.is_empty() {
            return Err(SeriesError::Empty);
        }
        if let Some(index) = points.iter().position(|point| !point.iter().all(|number| number.is_finite())) {
            return Err(SeriesError::NotFinite { index });
        }
        if let Some(index) = points.windows(2).position(|pair| pair[1][0] <= pair[0][0]) {
            let (before, time) = (points[index][0], points[index + 1][0]);
            return Err(SeriesError::Order { index: index + 1, time, before });
        }
        Ok(Self { points })
    }

    /// Two columns of a CSV text, by name, or the first and the second.
    ///
    /// ```
    /// let csv = b"time,level\n0,1.0\n10,2.0\n";
    /// let series = thalweg_scene::Series::from_csv(csv, None, Some("level"))?;
    /// assert_eq!(series.at(5.0), 1.5);
    /// # Ok::<(), thalweg_scene::SeriesError>(())
    /// ```
    pub fn from_csv(bytes: &[u8], time: Option<&str>, value: Option<&str>) -> Result<Self, SeriesError> {
        let (points, lines) = two_columns(bytes, [time, value])?;
        if let Some(n) = points.windows(2).position(|pair| pair[1][0] <= pair[0][0]) {
            let what = format!("times must increase: {} s after {} s", exact(points[n + 1][0]), exact(points[n][0]));
            return Err(TableError::new(lines[n + 1], what).into());
        }
        Self::from_points(points)
    }

    /// The points `[time, value]`; at least one, times increasing.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The value at a time, s.
    pub fn at(&self, time: f64) -> f64 {
        let after = self.points.partition_point(|point| point[0] <= time);
        match (after.checked_sub(1).map(|before| self.points[before]), self.points.get(after)) {
            (Some([t0, v0]), Some([t1, v1])) => v0 + (v1 - v0) * ((time - t0) / (t1 - t0)),
            (Some([_, v]), None) | (None, Some(&[_, v])) => v,
            (None, None) => 0.0,
        }
    }

    /// The smallest value.
    pub fn min(&self) -> f64 {
        self.points.iter().map(|point| point[1]).fold(f64::INFINITY, f64::min)
    }

    /// The largest value.
    pub fn max(&self) -> f64 {
        self.points.iter().map(|point| point[1]).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Every value times a factor.
    pub(crate) fn scaled(mut self, factor: f64) -> Self {
        for point in &mut self.points {
            point[1] *= factor;
        }
        self
    }

    /// The series at a key. Values outside `range` are an error; `unit` is theirs.
    pub(crate) fn lower(
        file: &format::Series,
        context: &mut Context<'_>,
        at: &At,
        range: [f64; 2],
        unit: &str,
    ) -> Option<Self> {
        use format::SeriesTable;
        let (series, value_at) = match file {
            format::Series::Constant(value) => (Self::constant(*value), at.clone()),
            format::Series::Table(SeriesTable::Points { points }) => {
                let at = at.key("points");
                match Self::from_points(points.clone()) {
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
                (Self::from_sine(sine, context, &at)?, at)
            }
            format::Series::Table(SeriesTable::File { .. }) => (Self::lower_file(file, context, at)?, at.key("file")),
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

    fn lower_file(file: &format::Series, context: &mut Context<'_>, at: &At) -> Option<Self> {
        let format::Series::Table(format::SeriesTable::File { file, time, value, scale, offset, shift }) = file else {
            return None;
        };
        let bytes = context.read(&at.key("file"), file, LARGEST_FILE)?;
        match Self::from_csv(&bytes, time.as_deref(), value.as_deref()) {
            Ok(mut series) => {
                for point in &mut series.points {
                    *point = [point[0] + shift, point[1] * scale + offset];
                }
                // A huge shift can make neighbouring times equal.
                Self::from_points(series.points)
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
    fn from_sine(sine: &format::Sine, context: &mut Context<'_>, at: &At) -> Option<Self> {
        let steps = (context.duration / sine.period * POINTS_PER_PERIOD).ceil() + 1.0;
        if steps > MOST_POINTS {
            let shortest = context.duration * POINTS_PER_PERIOD / MOST_POINTS;
            context.report.error_with(
                &at.key("period"),
                format!(
                    "the period of {} s is too short for a scene of {} s",
                    exact(sine.period),
                    exact(context.duration)
                ),
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
        Self::from_points(points.collect()).map_err(|error| context.report.error(at, format!("`{at}`: {error}"))).ok()
    }
}

/// Two columns of a CSV text, by name, or the first and the second: the rows, and the line of each.
pub(crate) fn two_columns(bytes: &[u8], names: [Option<&str>; 2]) -> Result<(Vec<[f64; 2]>, Vec<usize>), SeriesError> {
    let text = table::text(bytes)?;
    let mut rows = table::lines(text).peekable();

    // A first line without a number in its first field is a header.
    let mut header = Vec::new();
    if let Some((_, line)) =
        rows.next_if(|(_, line)| table::fields(line).next().is_none_or(|field| field.parse::<f64>().is_err()))
    {
        header = table::fields(line).map(str::to_owned).collect();
    }
    let column = |name: Option<&str>, default: usize| match name {
        None => Ok(default),
        Some(name) => header
            .iter()
            .position(|known| known == name)
            .ok_or_else(|| SeriesError::Column { name: name.to_owned(), known: header.clone() }),
    };
    let columns = [column(names[0], 0)?, column(names[1], 1)?];

    let (mut points, mut lines) = (Vec::new(), Vec::new());
    for (line, row) in rows {
        let mut point = [0.0; 2];
        for (slot, &column) in point.iter_mut().zip(&columns) {
            let field = table::fields(row).nth(column);
            let field = field.ok_or_else(|| TableError::new(line, format!("there is no column {}", column + 1)))?;
            *slot = table::number(field, line)?;
        }
        points.push(point);
        lines.push(line);
    }
    Ok((points, lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_between_and_constant_outside() {
        let series = Series::from_points(vec![[1.0, 10.0], [3.0, 20.0], [4.0, 0.0]]).expect("valid");
        for (time, value) in [(-5.0, 10.0), (1.0, 10.0), (2.0, 15.0), (3.0, 20.0), (3.5, 10.0), (9.0, 0.0)] {
            assert_eq!(series.at(time), value, "at {time} s");
        }
        assert_eq!((series.min(), series.max()), (0.0, 20.0));
        assert_eq!(Series::constant(2.0).at(1e9), 2.0);
        assert!(series.at(f64::NAN).is_finite());
    }

    #[test]
    fn wrong_points_are_refused() {
        let refused = |points: &[[f64; 2]]| Series::from_points(points.to_vec()).expect_err("refused");
        assert_eq!(refused(&[]), SeriesError::Empty);
        assert_eq!(refused(&[[0.0, f64::NAN]]), SeriesError::NotFinite { index: 0 });
        assert_eq!(refused(&[[0.0, 1.0], [0.0, 2.0]]), SeriesError::Order { index: 1, time: 0.0, before: 0.0 });
    }

    #[test]
    fn csv_by_name_by_default_and_without_header() {
        let named = b"t;q;level\n0;5;1\n2;7;3\n";
        let series = Series::from_csv(named, Some("t"), Some("level")).expect("valid");
        assert_eq!(series.points(), [[0.0, 1.0], [2.0, 3.0]]);
        assert_eq!(Series::from_csv(named, None, None).expect("valid").points()[1], [2.0, 7.0]);
        let plain = b"# gauge\n0 1\n1 2\n";
        assert_eq!(Series::from_csv(plain, None, None).expect("valid").at(0.5), 1.5);
    }

    #[test]
    fn csv_errors_name_the_line() {
        let error = |csv: &[u8]| Series::from_csv(csv, None, None).expect_err("refused").to_string();
        assert_eq!(error(b"t,q\n0,1\n1,x\n"), "line 3: `x` is not a number");
        assert_eq!(error(b"t,q\n0,1\n0,2\n"), "line 3: times must increase: 0 s after 0 s");
        assert_eq!(error(b"t,q\n0\n"), "line 2: there is no column 2");
        assert_eq!(error(b"t,q\n0,inf\n"), "line 2: `inf` is not a finite number");
        assert_eq!(error(b""), "there are no points");
        assert!(matches!(Series::from_csv(b"t,q\n0,1\n", Some("time"), None), Err(SeriesError::Column { .. })));
    }
}
