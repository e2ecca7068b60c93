use rayon::prelude::*;
use thalweg_pressure::NONE;
use thalweg_pressure::parts::device::{put, slot};

use super::{FacesParams, RhsSlices, UpdateSlices};
use crate::narrow_band::grid::{ravel, strides, unravel};

/// Elements that one task handles.
const CHUNK: usize = 1 << 12;

/// Sum of `± a u` over the faces of a cell, lower faces first.
fn outflow(p: &FacesParams, open: &[f32], u: &[f32], cell: usize) -> f32 {
    let at = unravel([p.nx, p.ny, p.nz].map(|n| n as usize), cell);
    let starts = p.starts();
    let flux = |axis: usize, upper: usize| {
        let size = p.size(axis);
        let face = starts[axis] + ravel(size, at) + upper * strides(size)[axis];
        open[face] * u[face]
    };
    (0..3).fold(0.0, |sum, axis| sum + (flux(axis, 1) - flux(axis, 0)))
}

pub(super) fn rhs(p: &FacesParams, s: RhsSlices<'_>) {
    // As integers, magnitudes are ordered like the numbers, with infinity and NaN on top.
    let largest = s.b[..p.unknowns as usize]
        .par_chunks_mut(CHUNK)
        .zip(s.cell_of_unknown.par_chunks(CHUNK))
        .map(|(b, cells)| {
            let mut largest = 0_u32;
            for (b, cell) in b.iter_mut().zip(cells) {
                *b = p.scale * outflow(p, s.open, s.u, *cell as usize);
                largest = largest.max(b.abs().to_bits());
            }
            largest
        })
        .max();
    put(s.partials, slot::MAX_B, p.groups, f32::from_bits(largest.unwrap_or(0)));
}

pub(super) fn update(p: &FacesParams, s: UpdateSlices<'_>) {
    let cells = [p.nx, p.ny, p.nz].map(|n| n as usize);
    let starts = p.starts();
    let pressure_in = |cell: usize| match s.unknown_of_cell[cell] {
        NONE => 0.0,
        unknown => s.pressure[unknown as usize],
    };
    s.u[..starts[3]].par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, u)| {
        for (i, u) in u.iter_mut().enumerate() {
            let face = chunk * CHUNK + i;
            if s.open[face] <= 0.0 {
                *u = 0.0;
                continue;
            }
            let axis = usize::from(face >= starts[1]) + usize::from(face >= starts[2]);
            // Open faces are inside the domain, so that both cells exist.
            let above = ravel(cells, unravel(p.size(axis), face - starts[axis]));
            let below = above - strides(cells)[axis];
            *u -= p.scale * s.slope[face] * (pressure_in(above) - pressure_in(below));
        }
    });
}
