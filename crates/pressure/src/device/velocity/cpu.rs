use std::borrow::Cow;

use thalweg_columns::Heights;
use thalweg_columns::face_velocity::FaceVelocityView;

use super::{AperturesSlices, VelocityParams, VelocityRhsSlices, VelocityUpdateSlices};
use crate::constants::plane;
use crate::fields::FieldView;
use crate::rows::{Discretisation, LevelView};
use crate::velocity::{Staggered, fill_apertures};

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
