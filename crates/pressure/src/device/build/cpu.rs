use rayon::prelude::*;
use thalweg_columns::grid::{coarse_heights, face_base, face_heights, first_cell, is_tall, world_cell};
use thalweg_columns::{Heights, Shape};

use super::{
    AdoptParams, AdoptSlices, CoarsenFieldsSlices, CoarsenHeightsSlices, CoarsenOpenSlices, CoarsenSinksSlices,
    ConductancesSlices, DiagonalsParams, DiagonalsSlices, InvertParams, InvertSlices, LevelParams,
};
use crate::coarse_fields::{coarse_cell, coarse_open};
use crate::constants::{SINGULAR_PIVOT, flag, plane};
use crate::device::layout::PackedLevel;
use crate::fields::{FieldView, is_cell};
use crate::level::{cell_sink, fill_diagonal, fill_weights, reciprocals};
use crate::rows::{Discretisation, LevelView};

pub(super) fn adopt(p: &AdoptParams, s: AdoptSlices<'_>) {
    let (columns, len, total) = (p.columns as usize, p.len as usize, p.total as usize);
    s.heights[..columns].copy_from_slice(&s.own_heights[..columns]);
    s.open[..3 * len].copy_from_slice(&s.own_open[..3 * len]);
    s.cells[..len].copy_from_slice(&s.phi[..len]);
    s.cells[total..total + len].copy_from_slice(&s.solid[..len]);
    s.cells[plane::SINK * total..plane::SINK * total + len].fill(0.0); // bubbles vanish on coarse levels only
}

pub(super) fn coarsen_heights(p: &LevelParams, s: CoarsenHeightsSlices<'_>) {
    let fine = p.level();
    let coarse = fine.coarser();
    let (below, above) = s.heights.split_at_mut(coarse.column_at);
    let below = &below[fine.columns()];
    above[..coarse.shape.columns()].par_iter_mut().enumerate().with_min_len(1024).for_each(|(column, heights)| {
        *heights = coarse_heights(below, fine.shape, column % coarse.shape.nx, column / coarse.shape.nx);
    });
}

/// A level of fields out of the packed buffers.
fn fields<'a>(
    level: &PackedLevel,
    heights: &'a [Heights],
    open: &'a [f32],
    (phi, solid, sink): (&'a [f32], &'a [f32], &'a [f32]),
) -> FieldView<'a, f32> {
    FieldView {
        shape: level.shape,
        heights: &heights[level.columns()],
        phi: &phi[level.samples()],
        solid: &solid[level.samples()],
        open: &open[level.faces()],
        sink: &sink[level.samples()],
    }
}

/// The planes of `cells`, mutable.
fn planes(cells: &mut [f32], total: usize) -> [&mut [f32]; plane::COUNT] {
    let (phi, rest) = cells.split_at_mut(total);
    let (solid, rest) = rest.split_at_mut(total);
    let (sink, rest) = rest.split_at_mut(total);
    let (diagonal, inverse) = rest.split_at_mut(total);
    [phi, solid, sink, diagonal, inverse]
}

pub(super) fn coarsen_fields(p: &LevelParams, s: CoarsenFieldsSlices<'_>) {
    let fine = p.level();
    let coarse = fine.coarser();
    let (n, nx) = (coarse.shape.samples(), coarse.shape.nx);
    let [phi, solid, sink, ..] = planes(s.cells, p.total as usize);
    let (fine_phi, phi) = phi.split_at_mut(coarse.sample_at);
    let (fine_solid, solid) = solid.split_at_mut(coarse.sample_at);
    let below = fields(&fine, s.heights, s.open, (fine_phi, fine_solid, sink));
    let heights = &s.heights[coarse.columns()];
    let len = coarse.shape.len();
    phi[..len].par_chunks_mut(n).zip(solid[..len].par_chunks_mut(n)).enumerate().for_each(|(column, (phi, solid))| {
        for sample in 0..n {
            let y = world_cell(heights[column], sample);
            (phi[sample], solid[sample]) = coarse_cell(&below, column % nx, column / nx, y, p.keep_air != 0);
        }
    });
}

pub(super) fn coarsen_open(p: &LevelParams, s: CoarsenOpenSlices<'_>) {
    let fine = p.level();
    let coarse = fine.coarser();
    let (n, columns) = (coarse.shape.samples(), coarse.shape.columns());
    let (below, open) = s.open.split_at_mut(coarse.faces().start);
    let below = FieldView {
        shape: fine.shape,
        heights: &s.heights[fine.columns()],
        phi: &[],
        solid: &[],
        open: &below[fine.faces()],
        sink: &[],
    };
    let heights = &s.heights[coarse.columns()];
    open[..coarse.faces().len()].par_chunks_mut(n).enumerate().for_each(|(index, line)| {
        let (plane, column) = (index / columns, index % columns);
        for (sample, value) in line.iter_mut().enumerate() {
            *value = coarse_open(&below, coarse.shape, heights, plane, column, sample);
        }
    });
}

pub(super) fn coarsen_sinks(p: &LevelParams, s: CoarsenSinksSlices<'_>) {
    let fine = p.level();
    let coarse = fine.coarser();
    let n = coarse.shape.samples();
    let [phi, solid, sink, ..] = planes(s.cells, p.total as usize);
    let (fine_sink, sink) = sink.split_at_mut(coarse.sample_at);
    let below = fields(&fine, s.heights, s.open, (phi, solid, fine_sink));
    let here = FieldView {
        shape: coarse.shape,
        heights: &s.heights[coarse.columns()],
        phi: &phi[coarse.samples()],
        solid: &solid[coarse.samples()],
        open: &s.open[coarse.faces()],
        sink: &[],
    };
    sink[..coarse.shape.len()].par_chunks_mut(n).enumerate().for_each(|(column, line)| {
        for (sample, value) in line.iter_mut().enumerate() {
            let index = column * n + sample;
            let liquid = here.phi[index] < 0.0 && here.solid[index] < 1.0;
            let has_sink = liquid && is_cell(here.heights[column], sample);
            *value = if has_sink { cell_sink(&below, &here, column, sample) } else { 0.0 };
        }
    });
}

pub(super) fn conductances(p: &LevelParams, s: ConductancesSlices<'_>) {
    let level = p.level();
    let [phi, solid, sink, ..] = planes(s.cells, p.total as usize);
    let view = fields(&level, s.heights, s.open, (phi, solid, sink));
    let weights = &mut s.matrix[level.faces()];
    fill_weights(&view, p.theta_min, weights);
    let weights = &*weights;
    let any = |what: &(dyn Fn(&Face, f32) -> bool + Sync)| {
        let (n, columns) = (level.shape.samples(), level.shape.columns());
        (0..3 * columns).into_par_iter().any(|line| {
            (0..n).any(|sample| {
                let face = face(&view, line / columns, line % columns, sample);
                face.is_some_and(|face| what(&face, weights[line * n + sample]))
            })
        })
    };
    let wet = |face: &Face| face.phi[0] < 0.0 && face.phi[1] < 0.0;
    let flags = &mut s.marks[flag::COUNT * level.number..flag::COUNT * (level.number + 1)];
    flags[flag::NOT_UNIT] = u32::from(any(&|face, weight| face.of_cells && wet(face) && weight != 1.0));
    flags[flag::TOUCHES_AIR] = u32::from(any(&|face, weight| !wet(face) && weight > 0.0));
    flags[flag::HAS_TALL] = u32::from(view.heights.iter().any(|h| is_tall(*h)));
}

/// A face between two samples or places that are not solid.
struct Face {
    /// Level set on its two sides.
    phi: [f32; 2],
    /// Whether it is the face of a cell, not the end of an overlap or the inside of a tall cell.
    of_cells: bool,
}

/// What lies on the two sides of one entry of the conductances; nothing where there is no face.
fn face(view: &FieldView<'_, f32>, plane: usize, column: usize, sample: usize) -> Option<Face> {
    let Shape { nx, regular, .. } = view.shape;
    let n = view.shape.samples();
    let own = view.heights[column];
    if plane == 1 {
        let base = column * n;
        let (lower, upper) = if sample == 0 { (n - 1, n) } else { (sample - 1, sample) };
        let above = view.phi[base + n - 1].max(0.0) + 1.0;
        let solid = |j: usize| j < n && view.solid[base + j] >= 1.0;
        let phi = |j: usize| if j == n { above } else { view.phi[base + j] };
        let of_cells = sample >= 2 || (sample == 1 && !is_tall(own));
        return (!solid(lower) && !solid(upper)).then(|| Face { phi: [phi(lower), phi(upper)], of_cells });
    }
    let other = match plane {
        0 => (!column.is_multiple_of(nx)).then(|| column - 1),
        _ => column.checked_sub(nx),
    }?;
    let theirs = view.heights[other];
    let overlap = face_heights(own, theirs);
    let y = match sample {
        0 => overlap[0],
        1 => (overlap[1] - 1).max(overlap[0]),
        _ => face_base(overlap) + sample as i32 - 2,
    };
    let exists = if sample < 2 { overlap[1] > overlap[0] } else { y < own[1].min(theirs[1]) + regular as i32 };
    if !exists {
        return None;
    }
    let ((phi_a, solid_a), (phi_b, solid_b)) = (view.at(other, y), view.at(column, y));
    let of_cells = y >= first_cell(own).min(first_cell(theirs));
    (solid_a < 1.0 && solid_b < 1.0).then_some(Face { phi: [phi_a, phi_b], of_cells })
}

pub(super) fn diagonals(p: &DiagonalsParams, s: DiagonalsSlices<'_>) {
    let level = p.level();
    let heights = &s.heights[level.columns()];
    let (weights, blocks) = s.matrix.split_at_mut(p.blocks_at as usize);
    let [phi, solid, sink, diagonal, inverse] = planes(s.cells, p.total as usize);
    let samples = level.samples();
    let fields = FieldView {
        shape: level.shape,
        heights,
        phi: &phi[samples.clone()],
        solid: &solid[samples.clone()],
        open: &[],
        sink: &sink[samples.clone()],
    };
    let discretisation = if p.collocated == 0 { Discretisation::Galerkin } else { Discretisation::Collocated };
    let view = LevelView {
        shape: level.shape,
        heights,
        weights: &weights[level.faces()],
        diagonal: &[],
        blocks: &[],
        unit: false,
        discretisation,
    };
    let blocks: &mut [[f32; 4]] = bytemuck::cast_slice_mut(blocks);
    let diagonal = &mut diagonal[samples.clone()];
    fill_diagonal(&view, &fields, diagonal, &mut blocks[level.columns()]);
    inverse[samples].copy_from_slice(&reciprocals(diagonal));
    let n = level.shape.samples();
    let ends = &mut s.marks[p.ends_at as usize..][level.columns()];
    for (end, line) in ends.iter_mut().zip(diagonal.chunks(n)) {
        *end = line.iter().rposition(|d| *d > 0.0).map_or(0, |j| j as u32 + 1);
    }
    let solids = &mut s.marks[p.solids_at as usize..][level.columns()];
    for (lowest, line) in solids.iter_mut().zip(fields.solid.chunks(n)) {
        *lowest = line.iter().position(|s| *s >= 1.0).unwrap_or(n) as u32;
    }
}

/// As [`crate::direct::Direct`], in floats and in the order of the rows.
pub(super) fn invert(p: &InvertParams, s: InvertSlices<'_>) {
    let n = p.n as usize;
    let a = &mut s.direct[..n * n];
    let at = |row: usize, column: usize| column * n + row;
    let diagonal: Vec<f32> = (0..n).map(|k| a[at(k, k)]).collect();
    for k in 0..n {
        let pivot = a[at(k, k)];
        let free = pivot.abs() <= SINGULAR_PIVOT * diagonal[k];
        let reciprocal = if free { 0.0 } else { 1.0 / pivot };
        let pivot_column: Vec<f32> = a[at(0, k)..at(0, k + 1)].to_vec();
        for (column, entries) in a.chunks_mut(n).enumerate() {
            if column == k {
                entries.iter_mut().for_each(|e| *e *= -reciprocal);
                entries[k] = reciprocal;
                continue;
            }
            let factor = entries[k] * reciprocal;
            entries.iter_mut().zip(&pivot_column).for_each(|(e, p)| *e -= p * factor);
            entries[k] = factor;
        }
    }
}
