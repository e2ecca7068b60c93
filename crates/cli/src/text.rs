//! Words for people: sizes, durations, tables.

use std::io::Write;

pub(crate) use thalweg_scene::number::short;

/// Prints a line of data; a closed pipe is no error.
pub(crate) fn print(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Says something beside the data, on the error output; a closed pipe is no error here, either.
pub(crate) fn message(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Bytes in binary units.
pub(crate) fn bytes(n: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{n} B") } else { format!("{value:.1} {}", units[unit]) }
}

/// A whole number with thin groups of three digits.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// A table with aligned columns; the first column is left-aligned, the others right.
pub(crate) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let columns = header.len();
    let width = |c: usize| {
        let cells = rows.iter().map(|r| r[c].chars().count());
        cells.chain([header[c].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |cells: &[String]| {
        let padded: Vec<String> = cells
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(c, (cell, &w))| if c == 0 { format!("{cell:<w$}") } else { format!("{cell:>w$}") })
            .collect();
        padded.join("  ").trim_end().to_string()
    };
    let head: Vec<String> = header.iter().map(|h| (*h).to_string()).collect();
    let rule: Vec<String> = widths.iter().map(|&w| "─".repeat(w)).collect();
    let mut out = vec![line(&head), line(&rule)];
    out.extend(rows.iter().map(|r| line(r)));
    out.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(grouped(1234567), "1 234 567");
    }
}
