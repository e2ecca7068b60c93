//! CSV tables of numbers that survive a kill.
//!
//! A row reaches the operating system in one write before [`Table::row`] returns, so a killed
//! process loses nothing that was reported, and at worst leaves one torn last line. A line counts
//! only once its newline is there; [`Table::resume`] and [`read`] drop what follows the last one.
//!
//! Numbers are printed in the fewest digits that read back to the same `f64`. A number that is
//! not finite is an empty field.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::{Error, atomic};

/// A table being written. The first column is the time (or whatever orders the rows).
#[derive(Debug)]
pub struct Table {
    file: File,
    path: PathBuf,
    columns: usize,
    line: String,
}

impl Table {
    /// Starts an empty table, replacing an older file.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be written.
    pub fn create<S: AsRef<str>>(path: impl AsRef<Path>, columns: &[S]) -> Result<Self, Error> {
        Self::start(path.as_ref(), columns, "")
    }

    /// Continues a table after a stop: keeps the rows whose first column is at most `until_time`
    /// (to within rounding), drops later ones and a torn last line, and appends from there. A
    /// missing or empty file is created.
    ///
    /// # Errors
    /// [`Error::Columns`] if the file holds other columns, [`Error::Malformed`] if a line before
    /// the last is no row of numbers, [`Error::Io`] if the file cannot be read or written.
    pub fn resume<S: AsRef<str>>(path: impl AsRef<Path>, columns: &[S], until_time: f64) -> Result<Self, Error> {
        let path = path.as_ref();
        let text = match std::fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(e) if e.kind() == io::ErrorKind::NotFound => String::new(),
            Err(e) => return Err(Error::io("read", path)(e)),
        };
        let mut lines = whole_lines(&text);
        let Some((_, header)) = lines.next() else {
            return Self::start(path, columns, "");
        };
        let found = split_header(header);
        if !found.iter().eq(columns.iter().map(AsRef::as_ref)) {
            return Err(Error::Columns {
                path: path.to_owned(),
                found,
                expected: columns.iter().map(|c| c.as_ref().to_owned()).collect(),
            });
        }
        // Times come from sums of steps: allow for their rounding, never for a whole step.
        let limit = until_time + 1e-9 * until_time.abs().max(1e-3);
        let mut kept = String::with_capacity(text.len());
        for (number, line) in lines {
            let row = parse_row(path, number, line, found.len())?;
            if row.first().is_some_and(|&time| time <= limit) {
                kept.push_str(line);
                kept.push('\n');
            }
        }
        Self::start(path, columns, &kept)
    }

    /// Appends one row and passes it to the operating system.
    ///
    /// # Errors
    /// [`Error::RowLength`] if there is not one value per column, [`Error::Io`] if the write fails.
    pub fn row(&mut self, values: &[f64]) -> Result<(), Error> {
        if values.len() != self.columns {
            return Err(Error::RowLength { path: self.path.clone(), found: values.len(), expected: self.columns });
        }
        self.line.clear();
        for (i, &value) in values.iter().enumerate() {
            if i > 0 {
                self.line.push(',');
            }
            push_number(&mut self.line, value);
        }
        self.line.push('\n');
        self.file.write_all(self.line.as_bytes()).map_err(Error::io("append to", &self.path))
    }

    /// The file being written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts header and rows in place atomically, then opens the file for appending.
    fn start<S: AsRef<str>>(path: &Path, columns: &[S], rows: &str) -> Result<Self, Error> {
        let mut text = join_header(columns);
        text.push('\n');
        text.push_str(rows);
        atomic::write(path, text.as_bytes()).map_err(Error::io("write", path))?;
        let file = OpenOptions::new().append(true).open(path).map_err(Error::io("open", path))?;
        Ok(Self { file, path: path.to_owned(), columns: columns.len(), line: String::new() })
    }
}

/// A table in memory, by columns. Empty fields are NaN.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns {
    /// One name per column.
    pub names: Vec<String>,
    /// One vector per column, all of one length.
    pub values: Vec<Vec<f64>>,
}

impl Columns {
    /// The column of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        let at = self.names.iter().position(|n| n == name)?;
        self.values.get(at).map(Vec::as_slice)
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.values.first().map_or(0, Vec::len)
    }
}

/// Reads a table. A torn last line is ignored, so a table can be read while it is written.
///
/// # Errors
/// [`Error::Io`] if the file cannot be read, [`Error::Malformed`] if a line is no row of numbers.
pub fn read(path: impl AsRef<Path>) -> Result<Columns, Error> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(Error::io("read", path))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = whole_lines(&text);
    let Some((_, header)) = lines.next() else {
        return Ok(Columns::default());
    };
    let names = split_header(header);
    let mut values = vec![Vec::new(); names.len()];
    for (number, line) in lines {
        let row = parse_row(path, number, line, names.len())?;
        for (column, value) in values.iter_mut().zip(row) {
            column.push(value);
        }
    }
    Ok(Columns { names, values })
}

/// Numbered lines (from 1) that end in a newline, without it.
fn whole_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n')
        .enumerate()
        .filter_map(|(i, line)| Some((i + 1, line.strip_suffix('\n')?)))
        .map(|(i, line)| (i, line.strip_suffix('\r').unwrap_or(line)))
}

fn parse_row(path: &Path, line: usize, text: &str, columns: usize) -> Result<Vec<f64>, Error> {
    let malformed = |why: String| Error::Malformed { path: path.to_owned(), line, why };
    let row = text
        .split(',')
        .map(|field| match field.trim() {
            "" => Ok(f64::NAN),
            number => number.parse().map_err(|_| malformed(format!("`{number}` is not a number"))),
        })
        .collect::<Result<Vec<f64>, _>>()?;
    if row.len() == columns { Ok(row) } else { Err(malformed(format!("{} fields, expected {columns}", row.len()))) }
}

/// Shortest text that reads back to the same number; nothing when it is not finite.
fn push_number(line: &mut String, value: f64) {
    if value.is_finite() {
        // `{:?}` is the shortest round trip with an exponent where that is shorter.
        let text = format!("{value:?}");
        line.push_str(text.strip_suffix(".0").unwrap_or(&text));
    }
}

/// RFC 4180, except that a newline in a name becomes a blank: a line must stay a line.
fn join_header<S: AsRef<str>>(columns: &[S]) -> String {
    let quote = |name: &str| {
        let name = name.replace(['\n', '\r'], " ");
        if name.contains([',', '"']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name }
    };
    let names: Vec<_> = columns.iter().map(|c| quote(c.as_ref())).collect();
    names.join(",")
}

fn split_header(line: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        let Some(name) = names.last_mut() else { break };
        match c {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                name.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => names.push(String::new()),
            c => name.push(c),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn numbers_read_back_to_the_same_bits() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("t.csv");
        let numbers = [0.1, -0.0, 1.0, 1e300, 5e-324, f64::MAX, 1.0 / 3.0, 123_456_789.125];
        let mut table = Table::create(&path, &["a"])?;
        for x in numbers {
            table.row(&[x])?;
        }
        for x in [f64::NAN, f64::INFINITY] {
            table.row(&[x])?;
        }
        let back = read(&path)?;
        let column = back.get("a").expect("the column");
        for (x, y) in numbers.iter().zip(column) {
            assert_eq!(x.to_bits(), y.to_bits());
        }
        assert!(column[numbers.len()..].iter().all(|x| x.is_nan()));
        assert!(std::fs::read_to_string(&path)?.contains("\n1\n"));
        Ok(())
    }

    #[test]
    fn a_resumed_table_equals_an_unbroken_one_wherever_it_was_torn() -> Outcome {
        let folder = tempfile::tempdir()?;
        let columns = ["time", "level, left (m)", "say \"h\""];
        let row = |i: u32| {
            let t = f64::from(i) * 0.1;
            [t, t.sin(), -t]
        };
        let whole = folder.path().join("whole.csv");
        let mut table = Table::create(&whole, &columns)?;
        for i in 0..6 {
            table.row(&row(i))?;
        }
        let want = std::fs::read(&whole)?;

        let torn = folder.path().join("torn.csv");
        for cut in 0..=want.len() {
            std::fs::write(&torn, &want[..cut])?;
            // The checkpoint is at row 2, but only what is on disk can be kept.
            let mut table = Table::resume(&torn, &columns, 0.1 * 2.0)?;
            let kept = read(&torn)?.rows() as u32;
            assert!(kept <= 3);
            for i in kept..6 {
                table.row(&row(i))?;
            }
            assert_eq!(std::fs::read(&torn)?, want, "cut at byte {cut}");
        }
        Ok(())
    }

    #[test]
    fn resume_refuses_other_columns_and_damage_in_the_middle() -> Outcome {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("t.csv");
        std::fs::write(&path, "time,a\n0,1\n")?;
        let error = Table::resume(&path, &["time", "b"], 1.0).expect_err("other columns");
        assert!(matches!(error, Error::Columns { .. }), "{error}");
        std::fs::write(&path, "time,a\n0,oops\n1,2\n")?;
        let error = Table::resume(&path, &["time", "a"], 1.0).expect_err("damage");
        assert!(matches!(error, Error::Malformed { line: 2, .. }), "{error}");
        Ok(())
    }

    #[test]
    fn a_row_of_the_wrong_length_is_refused() -> Outcome {
        let folder = tempfile::tempdir()?;
        let mut table = Table::create(folder.path().join("t.csv"), &["a", "b"])?;
        assert!(matches!(table.row(&[1.0]), Err(Error::RowLength { .. })));
        Ok(())
    }
}
