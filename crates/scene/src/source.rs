//! Springs and drains inside the domain.

use thalweg_model::{Source, SourceShape};

use crate::context::Context;
use crate::format;
use crate::grid::Grid;
use crate::number::{exact, tidy};
use crate::report::At;
use crate::series;

/// Largest rate of a source or drain, m³/s.
const LARGEST_RATE: f64 = 2e7;

/// The source at its place in the list.
pub(crate) fn lower(index: usize, file: &format::Source, grid: &Grid, context: &mut Context<'_>) -> Option<Source> {
    let at = At::root().key("source").index(index);
    let shape = file.shape;
    check_shape(&shape, grid, context, &at.key("shape"));
    let rate = series::lower(&file.rate, context, &at.key("rate"), [-LARGEST_RATE, LARGEST_RATE], "m³/s")?;
    let name = file.name.clone().unwrap_or_else(|| format!("source-{}", index + 1));
    if let Some([low, high]) = file.y
        && high - low < grid.cell
    {
        let message = format!("the source is {} m high and holds no cell", tidy(high - low));
        let hint = format!("a cell has {} m; write [low, high]", exact(grid.cell));
        context.report.error_with(&at.key("y"), message, hint);
    }
    if file.direction == Some([0.0; 3]) {
        context.report.error(&at.key("direction"), "the direction has no length");
    }
    Some(Source { name, shape, rate, y: file.y, direction: file.direction })
}

fn check_shape(shape: &SourceShape, grid: &Grid, context: &mut Context<'_>, at: &At) {
    let points = match shape {
        SourceShape::Disc { center, .. } => vec![("disc", "center", *center)],
        SourceShape::Box { min, max } => vec![("box", "min", *min), ("box", "max", *max)],
    };
    for (table, key, point) in points {
        if !grid.contains(point) {
            let message = format!("the source at x {}, z {} is outside the domain", exact(point[0]), exact(point[1]));
            context.report.error_with(&at.key(table).key(key), message, grid.extent_text());
            return;
        }
    }
    let holds_a_cell = match *shape {
        // The cell around the middle of a small disc may have its own middle outside it.
        SourceShape::Disc { center, .. } => {
            let [i, k] = grid.cell_at(center);
            shape.contains(grid.center(i, k))
        }
        SourceShape::Box { min, max } => {
            if min[0] >= max[0] || min[1] >= max[1] {
                context.report.error(&at.key("box").key("max"), "the box is empty: `max` must be more than `min`");
                return;
            }
            grid.touches(min, max)
        }
    };
    if !holds_a_cell {
        let hint = format!("cells are {} m wide and count where their middle is inside", exact(grid.cell));
        context.report.error_with(at, "the source is too small: it holds no cell", hint);
    }
}
