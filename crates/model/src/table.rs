//! Tables of numbers in text: the common part of CSV series, CSV matrices and XYZ points.

use crate::number::quoted;

/// Why a line of a table could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct TableError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl TableError {
    /// At a line, from 1.
    pub fn new(line: usize, what: impl Into<String>) -> Self {
        Self { line, what: what.into() }
    }
}

/// The text of a table. A byte-order mark is skipped; anything but UTF-8 is an error.
pub fn text(bytes: &[u8]) -> Result<&str, TableError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        TableError::new(line, "the file is not text (UTF-8)")
    })
}

/// The lines with content, each with its number from 1. `#` starts a comment line.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The fields of a line, separated by the first of `;`, tab, `,` that it has, or by blanks.
/// A separator at the end of the line adds no field.
pub fn fields(line: &str) -> impl Iterator<Item = &str> {
    let separator = [';', '\t', ','].into_iter().find(|&separator| line.contains(separator));
    let line = separator.map_or(line, |separator| line.strip_suffix(separator).unwrap_or(line));
    let (separated, blank) = match separator {
        Some(separator) => (Some(line.split(separator)), None),
        None => (None, Some(line.split_whitespace())),
    };
    separated
        .into_iter()
        .flatten()
        .chain(blank.into_iter().flatten())
        .map(|field| field.trim().trim_matches('"').trim())
}

/// A finite number.
pub fn number(field: &str, line: usize) -> Result<f64, TableError> {
    match field.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(TableError::new(line, format!("{} is not a finite number", quoted(field)))),
        Err(_) => Err(TableError::new(line, format!("{} is not a number", quoted(field)))),
    }
}

/// A number, or NaN where the field is empty or says so: a value that is missing.
pub fn number_or_missing(field: &str, line: usize) -> Result<f64, TableError> {
    if field.is_empty() || field.eq_ignore_ascii_case("nan") {
        return Ok(f64::NAN);
    }
    number(field, line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators() {
        let read = |line| fields(line).collect::<Vec<_>>();
        assert_eq!(read("1, 2,3"), ["1", "2", "3"]);
        assert_eq!(read("1;2,5;3"), ["1", "2,5", "3"], "a semicolon wins");
        assert_eq!(read("1\t2"), ["1", "2"]);
        assert_eq!(read("  1   2 "), ["1", "2"]);
        assert_eq!(read("\"time\",\"a b\","), ["time", "a b"]);
        assert_eq!(read("1,,3"), ["1", "", "3"]);
    }

    #[test]
    fn comments_blanks_and_marks_are_skipped() {
        let text = text(b"\xef\xbb\xbf# x\n\n1 2\r\n").expect("text");
        assert_eq!(lines(text).collect::<Vec<_>>(), [(3, "1 2")]);
        assert_eq!(super::text(b"1\n\xff").expect_err("bad").line, 2);
    }
}
