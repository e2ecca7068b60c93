//! Numbers in text: a matrix of heights, or points `x z height` on a regular grid.

use super::{HeightMap, HeightMapError, Samples, Values, check_size, flip_rows, sample};
use crate::number::{exact, tidy};
use crate::table::{self, TableError};

/// How far the distance between neighbours may be from the mean, as a part of it.
const SPACING_TOLERANCE: f64 = 0.02;

/// Coordinates nearer to each other than this part of their extent are the same.
const SAME_COORDINATE: f64 = 1e-7;

/// Reads a CSV: points where it has three columns, otherwise a matrix whose first row is north.
pub fn read_csv(bytes: &[u8]) -> Result<HeightMap, HeightMapError> {
    let text = table::text(bytes)?;
    match rows(text).next() {
        Some((_, row)) if table::fields(row).count() == 3 => read_xyz(bytes),
        Some(_) => read_matrix(text),
        None => Err(HeightMapError::Empty),
    }
}

/// The lines with numbers: a first line that starts with a word is a header.
fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_header = |row: &str| {
        let first = table::fields(row).next().unwrap_or_default();
        !first.is_empty() && first.parse::<f64>().is_err()
    };
    table::lines(text).enumerate().filter(move |(index, (_, row))| *index > 0 || !is_header(row)).map(|(_, row)| row)
}

fn read_matrix(text: &str) -> Result<HeightMap, HeightMapError> {
    let mut values = Vec::new();
    let mut width = 0;
    let mut height = 0;
    for (line, row) in rows(text) {
        let before = values.len();
        for field in table::fields(row) {
            let value = table::number_or_missing(field, line)?;
            values.push(sample(value, values.len() - before, usize::MAX)?);
        }
        let columns = values.len() - before;
        if height == 0 {
            width = columns;
        } else if columns != width {
            return Err(TableError::new(line, format!("{columns} numbers, the rows before have {width}")).into());
        }
        height += 1;
    }
    check_size(width as u64, height as u64)?;
    flip_rows(&mut values, width);
    Ok(HeightMap {
        width: width as u32,
        height: height as u32,
        values,
        values_are: Values::Metres,
        spacing: None,
        samples_are: Samples::Pixels,
    })
}

/// Reads points `x z height`, in any order, that fill a regular grid.
pub fn read_xyz(bytes: &[u8]) -> Result<HeightMap, HeightMapError> {
    let text = table::text(bytes)?;
    let mut points: Vec<[f64; 3]> = Vec::new();
    for (line, row) in rows(text) {
        let mut fields = table::fields(row);
        let mut point = [0.0; 3];
        for (axis, slot) in point.iter_mut().enumerate() {
            let field = fields.next().ok_or_else(|| TableError::new(line, "a point needs x, z and a height"))?;
            *slot = if axis == 2 { table::number_or_missing(field, line)? } else { table::number(field, line)? };
        }
        if fields.next().is_some() {
            return Err(TableError::new(line, "a point has three numbers: x, z and a height").into());
        }
        points.push(point);
    }
    if points.is_empty() {
        return Err(HeightMapError::Empty);
    }
    let x = Axis::of(&points, 0)?;
    let z = Axis::of(&points, 1)?;
    let count = check_size(x.count as u64, z.count as u64)?;
    if count != points.len() {
        return Err(HeightMapError::Damaged(format!(
            "{} points do not fill a regular grid of {} x {}",
            points.len(),
            x.count,
            z.count
        )));
    }

    let mut values = vec![f32::NAN; count];
    let mut filled = vec![false; count];
    for [px, pz, height] in points {
        let slot = z.index(pz) * x.count + x.index(px);
        if std::mem::replace(&mut filled[slot], true) {
            return Err(HeightMapError::Damaged(format!("two points are at x {}, z {}", exact(px), exact(pz))));
        }
        values[slot] = sample(height, slot, x.count)?;
    }
    // A single row of points has no spacing of its own across; it takes that of the other axis.
    let spacing = match (x.spacing, z.spacing) {
        (Some(dx), dz) => Some([dx, dz.unwrap_or(dx)]),
        (None, Some(dz)) => Some([dz, dz]),
        (None, None) => None,
    };
    Ok(HeightMap {
        width: x.count as u32,
        height: z.count as u32,
        values,
        values_are: Values::Metres,
        spacing,
        samples_are: Samples::Points,
    })
}

/// The different coordinates of points along one axis.
struct Axis {
    first: f64,
    count: usize,
    spacing: Option<f64>,
}

impl Axis {
    fn of(points: &[[f64; 3]], axis: usize) -> Result<Self, HeightMapError> {
        let mut all: Vec<f64> = points.iter().map(|point| point[axis]).collect();
        all.sort_by(f64::total_cmp);
        let (first, last) = (all[0], all[all.len() - 1]);
        let extent = last - first;
        if !extent.is_finite() {
            return Err(HeightMapError::Damaged("its coordinates are too far apart".to_owned()));
        }
        all.dedup_by(|next, kept| *next - *kept <= extent * SAME_COORDINATE);
        let count = all.len();
        if count == 1 {
            return Ok(Self { first, count, spacing: None });
        }
        let spacing = extent / (count - 1) as f64;
        let uneven = all.windows(2).find(|pair| (pair[1] - pair[0] - spacing).abs() > SPACING_TOLERANCE * spacing);
        if let Some(pair) = uneven {
            let name = ["x", "z"][axis];
            return Err(HeightMapError::Damaged(format!(
                "the points are not on a regular grid: {name} goes from {} to {}, others are {} apart",
                exact(pair[0]),
                exact(pair[1]),
                tidy(spacing)
            )));
        }
        Ok(Self { first, count, spacing: Some(spacing) })
    }

    fn index(&self, coordinate: f64) -> usize {
        let steps = self.spacing.map_or(0.0, |spacing| ((coordinate - self.first) / spacing).round());
        (steps as usize).min(self.count - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_has_north_on_top() {
        let map = read_csv(b"1,2,3,4\n5,6,,8\n").expect("read");
        assert_eq!((map.width, map.height, map.spacing), (4, 2, None));
        assert_eq!(map.values[4..], [1.0, 2.0, 3.0, 4.0]);
        assert!(map.values[2].is_nan(), "an empty field is missing data");
    }

    #[test]
    fn points_come_in_any_order() {
        let map = read_csv(b"x,z,height\n1,5,4\n0,5,3\n0,4.5,1\n1,4.5,2\n").expect("read");
        assert_eq!(map.values, [1.0, 2.0, 3.0, 4.0]);
        assert_eq!((map.spacing, map.samples_are), (Some([1.0, 0.5]), Samples::Points));
        assert_eq!(read_xyz(b"0 0 1\n1 0 2\n2 0 3\n").expect("a profile").height, 1);
    }

    #[test]
    fn irregular_tables_are_refused() {
        let error = |text: &str| read_csv(text.as_bytes()).expect_err("refused").to_string();
        assert!(error("1,2,3,4\n1,2\n").contains("line 2: 2 numbers"));
        assert!(error("0,0,1\n1,0,2\n0,1,3\n").contains("do not fill"));
        assert!(error("0,0,1\n1,0,2\n5,0,3\n").contains("not on a regular grid"));
        assert!(error("0,0,1\n1,0,2\n0,0,1\n1,0,3\n").contains("do not fill"));
        assert!(error("0,0,1\n0,0,2\n1,1,1\n1,1,3\n").contains("two points"));
        assert!(error("").contains("no samples"));
        assert!(error("0,0,1\n1,0\n").contains("line 2"));
        assert!(error("0,0,1\n1e308,0,2\n-1e308,0,3\n").contains("too far apart"));
        assert!(error("1,2,x,4\n").contains("`x` is not a number"));
    }
}
