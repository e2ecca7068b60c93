//! Heights of fine columns, ends of their lines, which of their cells are solid and which of their faces open.

use rayon::prelude::*;
use thalweg_columns::grid::{is_tall, neighbours};
use thalweg_columns::interpolate::SideSpan;

use super::constants::CERTAIN;
use super::grid::fine_heights;
use super::{FineEndsSlices, FineHeightsSlices, FineOpenSlices, FineParams, FineSolidSlices};

pub(super) fn fine_heights_of_columns(p: &FineParams, s: FineHeightsSlices<'_>) {
    let grid = p.grid();
    let columns = s.fine_heights[..grid.shape().columns()].iter_mut().enumerate();
    columns.for_each(|(column, own)| *own = fine_heights(s.heights[grid.coarse_column(column)]));
}

pub(super) fn fine_ends(p: &FineParams, s: FineEndsSlices<'_>) {
    let grid = p.grid();
    let n = grid.coarse.samples();
    s.fine[..grid.shape().len()].par_chunks_mut(2 * n).enumerate().for_each(|(column, line)| {
        let column = grid.coarse_column(column);
        if !is_tall(s.heights[column]) {
            return;
        }
        let ends = [s.phi[column * n], s.phi[column * n + 1]];
        for phi in &mut line[..2] {
            if ends.iter().all(|end| *end <= -CERTAIN) {
                *phi = phi.min(-CERTAIN);
            } else if ends.iter().all(|end| *end >= CERTAIN) {
                *phi = phi.max(CERTAIN);
            }
        }
    });
}

pub(super) fn solid_of_fine_cells(p: &FineParams, s: FineSolidSlices<'_>) {
    let grid = p.grid();
    let n = grid.coarse.samples();
    s.fine_solid[..grid.shape().len()].par_chunks_mut(2 * n).enumerate().for_each(|(column, line)| {
        let column = grid.coarse_column(column);
        for (sample, fine) in line.iter_mut().enumerate() {
            let in_tall = sample < 4 && is_tall(s.heights[column]);
            *fine = if in_tall { 0.0 } else { s.solid[column * n + sample / 2] };
        }
    });
}

pub(super) fn fine_open(p: &FineParams, s: FineOpenSlices<'_>) {
    let grid = p.grid();
    let (n, len, shape) = (grid.coarse.samples(), grid.coarse.len(), grid.shape());
    s.open[..3 * shape.len()].par_chunks_mut(2 * n).enumerate().for_each(|(index, open)| {
        let (plane, own) = (index / shape.columns(), index % shape.columns());
        let column = grid.coarse_column(own);
        let line = &s.aperture[plane * len + column * n..][..n];
        if plane == 1 {
            for (entry, open) in open.iter_mut().enumerate() {
                let is_inside = entry % 2 == 1 && (entry > 1 || !is_tall(s.heights[column]));
                // The line inside a tall cell has one open fraction, entry 1 of both.
                let held_by = entry.div_ceil(2);
                *open = if is_inside || line[held_by] > 0.0 { 1.0 } else { 0.0 };
            }
            return;
        }
        let [place, ratio] = if plane == 0 { [own % shape.nx, grid.ratio[0]] } else { [own / shape.nx, grid.ratio[1]] };
        if place % ratio != 0 {
            open.fill(1.0); // inside a column
            return;
        }
        let Some(before) = neighbours(grid.coarse, column)[plane] else {
            open.fill(0.0); // a side of the grid
            return;
        };
        let ends = [s.heights[before], s.heights[column]];
        let held_by = SideSpan::new(ends[0], ends[1], n);
        let span = SideSpan::new(fine_heights(ends[0]), fine_heights(ends[1]), 2 * n);
        for (entry, open) in open.iter_mut().enumerate() {
            let is_open = span.has(entry) && held_by.at(line, span.cell_of(entry) >> 1) > 0.0;
            *open = if is_open { 1.0 } else { 0.0 };
        }
    });
}
