//! Reference tables: comment lines, one line of names, numbers. An empty field is a NaN: dry, or no sample.

use crate::{Result, ValidationError};

/// A table of numbers by columns; text columns read as NaN.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    name: &'static str,
    columns: Vec<(String, Vec<f64>)>,
    rows: Vec<Vec<String>>,
}

/// Embeds and reads `data/NAME.csv`.
macro_rules! table {
    ($name:literal) => {
        $crate::data::Table::parse($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/", $name, ".csv")))
    };
}
pub(crate) use table;

impl Table {
    pub(crate) fn parse(name: &'static str, text: &str) -> Result<Self> {
        let bad = |what: String| ValidationError::Data { table: name, what };
        let mut lines = text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty());
        let header = lines.next().ok_or_else(|| bad("is empty".into()))?;
        let names: Vec<&str> = header.split(',').map(str::trim).collect();
        let rows: Vec<Vec<String>> = lines.map(|l| l.split(',').map(|f| f.trim().to_owned()).collect()).collect();
        if let Some(n) = rows.iter().position(|r| r.len() != names.len()) {
            return Err(bad(format!("row {n} has not {} fields", names.len())));
        }
        let number = |field: &String| field.parse().unwrap_or(f64::NAN);
        let column = |c: usize| rows.iter().map(|r| number(&r[c])).collect();
        let columns = names.iter().enumerate().map(|(c, n)| ((*n).to_owned(), column(c))).collect();
        Ok(Self { name, columns, rows })
    }

    /// A column of numbers.
    pub(crate) fn column(&self, name: &str) -> Result<&[f64]> {
        let found = self.columns.iter().find(|(n, _)| n == name);
        found
            .map(|(_, values)| values.as_slice())
            .ok_or_else(|| ValidationError::Data { table: self.name, what: format!("has no column {name}") })
    }

    /// x and y of two columns, in the rows where `keep` says so of the row's fields.
    pub(crate) fn curve(&self, x: &str, y: &str, keep: impl Fn(&[String]) -> bool) -> Result<Curve> {
        let (xs, ys) = (self.column(x)?, self.column(y)?);
        let kept = self.rows.iter().enumerate().filter(|(_, r)| keep(r)).map(|(n, _)| n);
        Ok(Curve { points: kept.map(|n| [xs[n], ys[n]]).collect() })
    }
}

/// A function given by points in rising x.
#[derive(Debug, Clone)]
pub(crate) struct Curve {
    pub(crate) points: Vec<[f64; 2]>,
}

impl Curve {
    /// Value at `x`, linear between points; NaN outside and beside points that are NaN.
    pub(crate) fn at(&self, x: f64) -> f64 {
        let next = self.points.partition_point(|p| p[0] < x);
        let Some(&[x1, y1]) = self.points.get(next) else { return f64::NAN };
        if x1 == x {
            return y1;
        }
        let Some(&[x0, y0]) = next.checked_sub(1).and_then(|n| self.points.get(n)) else { return f64::NAN };
        y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    }

    /// Integral between two x, by trapezoids; the curve must reach over both.
    pub(crate) fn integral(&self, [from, to]: [f64; 2]) -> f64 {
        let inner = self.points.iter().copied().filter(|p| p[0] > from && p[0] < to);
        let points: Vec<[f64; 2]> =
            std::iter::once([from, self.at(from)]).chain(inner).chain([[to, self.at(to)]]).collect();
        points.windows(2).map(|p| 0.5 * (p[0][1] + p[1][1]) * (p[1][0] - p[0][0])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_read_and_interpolate() {
        let t = Table::parse("t", "# source\nx,y,set\n0,1,a\n1,,a\n2,5,b\n3,7,b\n").unwrap();
        let c = t.curve("x", "y", |_| true).unwrap();
        assert!(c.at(0.5).is_nan() && c.at(-1.0).is_nan() && c.at(4.0).is_nan());
        assert_eq!(c.at(2.25), 5.5);
        assert_eq!(t.curve("x", "y", |r| r[2] == "b").unwrap().points, [[2.0, 5.0], [3.0, 7.0]]);
        let line = Curve { points: vec![[0.0, 0.0], [1.0, 2.0], [4.0, 8.0]] };
        assert!((line.integral([0.5, 3.0]) - (9.0 - 0.25)).abs() < 1e-12 && line.integral([3.0, 5.0]).is_nan());
        assert!(t.column("z").is_err());
        assert!(Table::parse("t", "x,y\n1\n").is_err() && Table::parse("t", "# nothing\n").is_err());
    }
}
