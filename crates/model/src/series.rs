//! A quantity in time: linear between points, constant before the first and after the last.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::number::{exact, quoted};
use crate::table::{self, TableError};

/// A value in time, linear between points; the end values hold before the first and after the last.
///
/// In text it is a number, or `{ points = [[time, value], …] }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Text", into = "Text")]
pub struct Series {
    points: Vec<[f64; 2]>,
}

/// A series as it is written.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Text {
    /// The same value at all times.
    Constant(f64),
    /// Points `[time, value]`; times increase, s.
    Points {
        /// At least one.
        #[schemars(length(min = 1))]
        points: Vec<[f64; 2]>,
    },
}

impl TryFrom<Text> for Series {
    type Error = SeriesError;

    fn try_from(text: Text) -> Result<Self, SeriesError> {
        match text {
            Text::Constant(value) => Self::from_points([[0.0, value]]),
            Text::Points { points } => Self::from_points(points),
        }
    }
}

impl From<Series> for Text {
    fn from(series: Series) -> Self {
        match series.points[..] {
            [[0.0, value]] => Self::Constant(value),
            _ => Self::Points { points: series.points },
        }
    }
}

impl JsonSchema for Series {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Series".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Text::json_schema(generator)
    }
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
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self { points: vec![[0.0, value]] }
    }

    /// Points `[time, value]`, finite, with times that strictly increase, s.
    ///
    /// # Errors
    /// [`SeriesError`] if the points do not form a series.
    pub fn from_points(points: impl Into<Vec<[f64; 2]>>) -> Result<Self, SeriesError> {
        let points = points.into();
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
    /// let series = thalweg_model::Series::from_csv(csv, None, Some("level"))?;
    /// assert_eq!(series.at(5.0), 1.5);
    /// # Ok::<(), thalweg_model::SeriesError>(())
    /// ```
    ///
    /// # Errors
    /// [`SeriesError`] with the line that is wrong.
    pub fn from_csv(bytes: &[u8], time: Option<&str>, value: Option<&str>) -> Result<Self, SeriesError> {
        let (points, lines) = two_columns(bytes, [time, value])?;
        if let Some(n) = points.windows(2).position(|pair| pair[1][0] <= pair[0][0]) {
            let what = format!("times must increase: {} s after {} s", exact(points[n + 1][0]), exact(points[n][0]));
            return Err(TableError::new(lines[n + 1], what).into());
        }
        Self::from_points(points)
    }

    /// The points `[time, value]`; at least one, times increasing.
    #[must_use]
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The value at a time, s.
    #[must_use]
    pub fn at(&self, time: f64) -> f64 {
        let after = self.points.partition_point(|point| point[0] <= time);
        match (after.checked_sub(1).map(|before| self.points[before]), self.points.get(after)) {
            (Some([t0, v0]), Some([t1, v1])) => v0 + (v1 - v0) * (time - t0) / (t1 - t0),
            (Some([_, v]), None) | (None, Some(&[_, v])) => v,
            (None, None) => 0.0,
        }
    }

    /// The smallest value.
    #[must_use]
    pub fn min(&self) -> f64 {
        self.points.iter().map(|point| point[1]).fold(f64::INFINITY, f64::min)
    }

    /// The largest value.
    #[must_use]
    pub fn max(&self) -> f64 {
        self.points.iter().map(|point| point[1]).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The largest magnitude.
    #[must_use]
    pub fn largest(&self) -> f64 {
        self.points.iter().map(|[_, value]| value.abs()).fold(0.0, f64::max)
    }

    /// The integral over `dt` seconds from `time` on, exact: trapezes between the points that lie in it.
    #[must_use]
    pub fn integral(&self, time: f64, dt: f64) -> f64 {
        let end = time + dt;
        let inside = self.points.iter().map(|[t, _]| *t).filter(|t| *t > time && *t < end);
        let (mut sum, mut from) = (0.0, time);
        for to in inside.chain([end]) {
            sum += 0.5 * (self.at(from) + self.at(to)) * (to - from);
            from = to;
        }
        sum
    }

    /// Every value times a factor.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        for point in &mut self.points {
            point[1] *= factor;
        }
        self
    }

    /// Every value and a number, such as levels from another zero.
    #[must_use]
    pub fn raised(mut self, by: f64) -> Self {
        for point in &mut self.points {
            point[1] += by;
        }
        self
    }
}

/// Two columns of a CSV text, by name, or the first and the second: the rows, and the line of each.
///
/// # Errors
/// [`SeriesError::Table`] or [`SeriesError::Column`].
pub fn two_columns(bytes: &[u8], names: [Option<&str>; 2]) -> Result<(Vec<[f64; 2]>, Vec<usize>), SeriesError> {
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

    #[test]
    fn integrals_are_exact_across_points() {
        let series = Series::from_points([[1.0, 2.0], [2.0, 4.0], [4.0, 0.0]]).expect("valid");
        assert_eq!([0.0, 1.5, 3.0, 9.0].map(|t| series.at(t)), [2.0, 3.0, 2.0, 0.0]);
        assert_eq!(series.integral(0.0, 5.0), 2.0 + 3.0 + 4.0);
        assert!((series.integral(1.5, 1.0) - (1.75 + 1.75)).abs() < 1e-12);
        assert_eq!((Series::constant(-3.0).largest(), Series::constant(-3.0).raised(1.0).max()), (3.0, -2.0));
    }

    #[test]
    fn text_is_a_number_or_points() {
        for text in ["0.5", r#"{"points":[[5.0,1.0]]}"#, r#"{"points":[[0.0,1.0],[2.0,3.0]]}"#] {
            let series: Series = serde_json::from_str(text).expect("valid");
            assert_eq!(serde_json::to_string(&series).expect("serialises"), text);
        }
        for text in [r#"{"points":[]}"#, r#"{"points":[[1.0,1.0],[1.0,3.0]]}"#] {
            assert!(serde_json::from_str::<Series>(text).is_err(), "{text}");
        }
    }
}
