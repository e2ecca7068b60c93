use super::fit::{Columns, move_cells, move_faces};
use super::{AboveTop, TransferCellsSlices, TransferFacesSlices, TransferParams};
use crate::Heights;
use crate::face_velocity::FaceVelocityView;

/// The old and the new grid.
fn grids<'a>(p: &TransferParams, old: &'a [Heights], new: &'a [Heights]) -> [Columns<'a>; 2] {
    let shape = p.shape();
    [old, new].map(|heights| Columns { shape, heights: &heights[..shape.columns()] })
}

pub(super) fn transfer_cells(p: &TransferParams, s: TransferCellsSlices<'_>) {
    let [old, new] = grids(p, s.old_heights, s.new_heights);
    let (start, len) = (p.start as usize, p.shape().len());
    let (values, moved) = (&s.values[start..start + len], &mut s.moved[start..start + len]);
    if p.above == AboveTop::Distance as u32 {
        move_cells(old, new, values, |top, distance| top + distance, moved);
    } else {
        move_cells(old, new, values, |top, _| top, moved);
    }
}

pub(super) fn transfer_faces(p: &TransferParams, s: TransferFacesSlices<'_>) {
    let [old, new] = grids(p, s.old_heights, s.new_heights);
    let shape = p.shape();
    let u = FaceVelocityView { faces: &s.values[..3 * shape.len()], inner: s.inner };
    move_faces(old, new, u, &mut s.moved[..3 * shape.len()], &mut s.moved_inner[..shape.columns()]);
}
