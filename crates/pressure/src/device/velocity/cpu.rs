use std::borrow::Cow;

use thalweg_columns::Heights;

use super::{
    AboveTop, AperturesSlices, RemeshParams, TransferCellsSlices, TransferFacesSlices, VelocityParams,
    VelocityRhsSlices, VelocityUpdateSlices,
};
use crate::device::layout::plane;
use crate::fields::FieldView;
use crate::rows::{Discretisation, LevelView};
use crate::velocity::{Columns, FaceVelocityView, Staggered, fill_apertures, move_cells, move_faces};

pub(super) fn apertures(p: &VelocityParams, s: AperturesSlices<'_>) {
    let shape = p.shape();
    let (len, total) = (shape.len(), p.total as usize);
    let fields = FieldView {
        shape,
        heights: &s.heights[..shape.columns()],
        phi: &s.cells[plane::PHI * total..][..len],
        solid: &s.cells[plane::SOLID * total..][..len],
        open: &s.open[..3 * len],
        sink: &[],
    };
    fill_apertures(&fields, &mut s.aperture[..3 * len]);
}

/// The operators of the host over the buffers' memory; each reads either the conductances or the diagonal.
fn operators<'a>(
    p: &VelocityParams,
    heights: &'a [Heights],
    weights: &'a [f32],
    diagonal: &'a [f32],
    aperture: &'a [f32],
    solid: &'a [f32],
) -> Staggered<'a, f32> {
    let shape = p.shape();
    let level = LevelView {
        shape,
        heights: &heights[..shape.columns()],
        weights,
        diagonal,
        blocks: &[],
        unit: false,
        discretisation: Discretisation::Galerkin,
    };
    let solid = if p.moving_solids != 0 { &solid[..3 * shape.len()] } else { &[] };
    Staggered::over(level, [p.cell, p.per_cell], Cow::Borrowed(aperture), solid)
}

pub(super) fn velocity_rhs(p: &VelocityParams, s: VelocityRhsSlices<'_>) {
    let len = p.shape().len();
    let diagonal = &s.cells[plane::DIAGONAL * p.total as usize..][..len];
    let u = FaceVelocityView { faces: &s.faces[..3 * len], inner: s.inner };
    operators(p, s.heights, &[], diagonal, s.aperture, s.solid_velocity).rhs_of(u, &mut s.b[..len]);
}

pub(super) fn velocity_update(p: &VelocityParams, s: VelocityUpdateSlices<'_>) {
    let shape = p.shape();
    let (faces, inner) = (&mut s.faces[..3 * shape.len()], &mut s.inner[..shape.columns()]);
    let weights = &s.matrix[..3 * shape.len()];
    operators(p, s.heights, weights, &[], s.aperture, s.solid_velocity).update_arrays(s.q, faces, inner);
}

/// The old and the new grid.
fn grids<'a>(p: &RemeshParams, old: &'a [Heights], new: &'a [Heights]) -> [Columns<'a>; 2] {
    let shape = p.shape();
    [old, new].map(|heights| Columns { shape, heights: &heights[..shape.columns()] })
}

pub(super) fn transfer_cells(p: &RemeshParams, s: TransferCellsSlices<'_>) {
    let [old, new] = grids(p, s.old_heights, s.new_heights);
    let (start, len) = (p.start as usize, p.shape().len());
    let (values, moved) = (&s.values[start..start + len], &mut s.moved[start..start + len]);
    if p.above == AboveTop::Distance as u32 {
        move_cells(old, new, values, |top, distance| top + distance, moved);
    } else {
        move_cells(old, new, values, |top, _| top, moved);
    }
}

pub(super) fn transfer_faces(p: &RemeshParams, s: TransferFacesSlices<'_>) {
    let [old, new] = grids(p, s.old_heights, s.new_heights);
    let shape = p.shape();
    let u = FaceVelocityView { faces: &s.values[..3 * shape.len()], inner: s.inner };
    move_faces(old, new, u, &mut s.moved[..3 * shape.len()], &mut s.moved_inner[..shape.columns()]);
}
