//! ESRI ASCII grids (`.asc`): six header lines, then rows of numbers from north to south.

use super::{HeightMap, HeightMapError, Samples, Values, check_size, flip_rows, sample};
use crate::diagnostics::quoted;
use crate::table::{self, TableError};

/// Reads an ESRI ASCII grid.
pub fn read_esri(bytes: &[u8]) -> Result<HeightMap, HeightMapError> {
    let text = table::text(bytes)?;
    let (header, body) = read_header(text)?;
    let missing = |key: &str| TableError::new(1, format!("the header lacks `{key}`"));
    let columns = header.columns.ok_or_else(|| missing("ncols"))?;
    let rows = header.rows.ok_or_else(|| missing("nrows"))?;
    let count = check_size(columns, rows)?;
    let dx = header.dx.ok_or_else(|| missing("cellsize"))?;
    let dz = header.dz.ok_or_else(|| missing("cellsize"))?;
    // A sample takes a digit and a separator at least.
    if (body.len() as u64).div_ceil(2) < count as u64 {
        return Err(HeightMapError::Truncated(format!("{} bytes cannot hold {columns} x {rows} samples", body.len())));
    }

    let mut values = Vec::with_capacity(count);
    let first_line = text[..text.len() - body.len()].lines().count() + 1;
    for (index, line) in body.lines().enumerate() {
        for field in line.split_ascii_whitespace() {
            let value = table::number_or_missing(field, first_line + index)?;
            if values.len() == count {
                return Err(TableError::new(first_line + index, format!("more than {columns} x {rows} samples")).into());
            }
            let value = if header.nodata == Some(value) { f64::NAN } else { value };
            values.push(sample(value, values.len(), columns as usize)?);
        }
    }
    if values.len() < count {
        return Err(HeightMapError::Truncated(format!("{} of {count} samples are there", values.len())));
    }
    flip_rows(&mut values, columns as usize);
    Ok(HeightMap {
        width: columns as u32,
        height: rows as u32,
        values,
        values_are: Values::Metres,
        spacing: Some([dx, dz]),
        samples_are: Samples::Pixels,
    })
}

#[derive(Default)]
struct Header {
    columns: Option<u64>,
    rows: Option<u64>,
    dx: Option<f64>,
    dz: Option<f64>,
    nodata: Option<f64>,
}

/// The header, and the text after it. It ends at the first line that starts with a number.
fn read_header(text: &str) -> Result<(Header, &str), HeightMapError> {
    let mut header = Header::default();
    let mut rest = text;
    let mut number = 0;
    while let Some(line) = rest.lines().next() {
        number += 1;
        let mut fields = line.split_ascii_whitespace();
        match (fields.next(), fields.next()) {
            (None, _) => (),
            // Not only numbers: `1,5` is a number gone wrong, not a key.
            (Some(key), _) if !key.starts_with(|c: char| c.is_ascii_alphabetic()) => break,
            (Some(key), _) if key.parse::<f64>().is_ok() => break, // NaN
            (Some(key), Some(value)) => read_key(&mut header, key, value, number)?,
            (Some(key), None) => return Err(TableError::new(number, format!("{} has no value", quoted(key))).into()),
        }
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    Ok((header, rest))
}

fn read_key(header: &mut Header, key: &str, value: &str, line: usize) -> Result<(), HeightMapError> {
    let count = || {
        let whole = value.parse::<u64>();
        whole.map_err(|_| TableError::new(line, format!("{} is not a number of samples", quoted(value))))
    };
    let size = || match table::number(value, line)? {
        size if size > 0.0 => Ok(Some(size)),
        _ => Err(TableError::new(line, "the cell size must be more than 0")),
    };
    match key.to_ascii_lowercase().as_str() {
        "ncols" => header.columns = Some(count()?),
        "nrows" => header.rows = Some(count()?),
        "cellsize" => (header.dx, header.dz) = (size()?, size()?),
        "dx" => header.dx = size()?,
        "dy" => header.dz = size()?,
        "nodata_value" => header.nodata = Some(table::number_or_missing(value, line)?),
        // The position is checked but not used: the scene places the map.
        "xllcorner" | "yllcorner" | "xllcenter" | "yllcenter" => drop(table::number(value, line)?),
        _ => return Err(TableError::new(line, format!("unknown header key {}", quoted(key))).into()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: &str = "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 0.5\nNODATA_value -9999\n\
                        1 2 3\n4 -9999 6\n";

    #[test]
    fn reads_from_north_to_south() {
        let map = read_esri(GRID.as_bytes()).expect("read");
        assert_eq!((map.width, map.height, map.spacing), (3, 2, Some([0.5, 0.5])));
        assert_eq!(map.values[3..], [1.0, 2.0, 3.0]);
        assert_eq!((map.values[0], map.values[2]), (4.0, 6.0));
        assert!(map.values[1].is_nan());
    }

    #[test]
    fn rows_may_be_broken_anywhere() {
        let broken = GRID.replace("1 2 3\n4 ", "1 2\r\n3 4\r\n");
        let map = read_esri(broken.as_bytes()).expect("read");
        assert_eq!(map.values[3..], [1.0, 2.0, 3.0]);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error =
            |from: &str, to: &str| read_esri(GRID.replace(from, to).as_bytes()).expect_err("refused").to_string();
        assert!(error("-9999 6", "5.000").contains("5 of 6 samples"));
        assert!(error("1 2 3\n4 -9999 6\n", "1").contains("truncated"));
        assert!(error("ncols 3", "ncols 9000000000000").contains("too many"));
        assert!(error("ncols 3", "ncols 30000").contains("cannot hold"));
        assert!(error("ncols 3", "ncols -3").contains("line 1"));
        assert!(error("ncols 3\n", "").contains("lacks `ncols`"));
        assert!(error("cellsize 0.5", "cellsize 0").contains("more than 0"));
        assert!(error("4 -9999", "4 x").contains("line 8: `x` is not a number"));
        assert!(error("2 3", "1e39 3").contains("not a finite"));
        assert!(error("6\n", "6 7\n").contains("more than 3 x 2"));
        assert_eq!(read_esri(b"").expect_err("refused").to_string(), "line 1: the header lacks `ncols`");
    }
}
