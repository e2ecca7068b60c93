//! Words for people: sizes, durations, tables.

use std::io::Write;

/// Prints a line of data; a closed pipe is no error.
pub(crate) fn print(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Says something beside the data, on the error output; a closed pipe is no error here, either.
pub(crate) fn tell(line: &str) {
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

/// A number with about four digits.
pub(crate) fn short(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".into()
    } else if !(1e-3..1e6).contains(&size) {
        format!("{x:.3e}")
    } else {
        let digits = (3 - size.log10().floor() as i32).clamp(0, 6) as usize;
        format!("{x:.digits$}")
    }
}

/// The stage of a step that a timed stage belongs to: `whitewater` of `whitewater: fly`.
pub(crate) fn stage_of(name: &str) -> &str {
    name.split(": ").next().unwrap_or(name)
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
        assert_eq!(short(0.012345), "0.01235");
        assert_eq!(short(1234.5), "1234");
        assert_eq!(short(1.5e-7), "1.500e-7");
    }
}
