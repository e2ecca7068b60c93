//! ESRI ASCII grids: six lines, then rows of numbers.

use std::fmt::Write as _;

use super::{HeightField, Map, NODATA};

pub(super) fn encode(field: &HeightField<'_>, map: Map) -> Vec<u8> {
    let ([nx, nz], [x, z], cell) = (field.water.size, field.water.origin, field.water.cell);
    let mut text =
        format!("ncols {nx}\nnrows {nz}\nxllcorner {x}\nyllcorner {z}\ncellsize {cell}\nNODATA_value {NODATA}\n");
    for row in field.rows(map, Some(NODATA)).chunks(nx.max(1)) {
        for (place, value) in row.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(text, "{}{value}", if place > 0 { " " } else { "" });
        }
        text.push('\n');
    }
    text.into_bytes()
}
