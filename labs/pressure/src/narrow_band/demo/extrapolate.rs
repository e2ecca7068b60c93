//! Velocity in the air: averaged outwards, then made divergence-free next to the surface.

use crate::narrow_band::grid::{FaceField, FineGrid, Side, ravel, strides, unravel};

/// Layers of faces that get a velocity.
const LAYERS: usize = 8;
/// Layers of air cells without divergence: what the traces of surface cells reach. With three a sloshing tank gains 0.1
/// % in 500 steps, with two 0.5 %, with none it loses 0.8 %.
const DIVERGENCE_FREE: u8 = 3;
/// Gauss–Seidel sweeps per layer.
const SWEEPS: usize = 12;

/// Fills the faces outside the liquid.
pub(super) fn extrapolate(grid: &FineGrid, u: &mut FaceField) {
    for (axis, u) in u.iter_mut().enumerate().take(grid.dimensions()) {
        spread(grid, axis, u);
    }
    remove_divergence(grid, u);
}

/// Faces of the liquid are known. Each further layer takes the mean of its known neighbours.
fn spread(grid: &FineGrid, axis: usize, u: &mut [f64]) {
    let (cells, size, axes) = (grid.cells(), grid.face_cells(axis), grid.dimensions());
    let (stride, cell_stride) = (strides(size), strides(cells)[axis]);
    let open = &grid.open()[axis];
    let mut known: Vec<bool> = (0..u.len())
        .map(|face| {
            let at = unravel(size, face);
            let above = || grid.is_liquid(ravel(cells, at));
            let below = || grid.is_liquid(ravel(cells, at) - cell_stride);
            if open[face] > 0.0 {
                above() || below()
            } else {
                (at[axis] < cells[axis] && above()) || (at[axis] > 0 && below())
            }
        })
        .collect();
    let neighbours = |face: usize| {
        let at = unravel(size, face);
        let pair = move |a: usize| {
            let below = (at[a] > 0).then(|| face - stride[a]);
            let above = (at[a] + 1 < size[a]).then(|| face + stride[a]);
            [below, above]
        };
        (0..axes).flat_map(pair).flatten()
    };
    let mut front: Vec<usize> = (0..u.len()).filter(|f| known[*f]).collect();
    for _ in 0..LAYERS {
        let mut next: Vec<usize> = front.iter().flat_map(|f| neighbours(*f)).filter(|f| !known[*f]).collect();
        next.sort_unstable();
        next.dedup();
        for &face in &next {
            let (mut sum, mut count) = (0.0, 0.0);
            for other in neighbours(face).filter(|f| known[*f]) {
                sum += u[other];
                count += 1.0;
            }
            u[face] = if open[face] > 0.0 { sum / count } else { 0.0 };
        }
        next.iter().for_each(|f| known[*f] = true);
        front = next;
    }
    // Beyond, air is at rest, so that nothing fast is left over from water that was there long ago.
    u.iter_mut().zip(&known).filter(|(_, known)| !**known).for_each(|(u, _)| *u = 0.0);
}

/// Each air cell of a layer spreads its divergence evenly over its open faces that do not touch the layer before.
fn remove_divergence(grid: &FineGrid, u: &mut FaceField) {
    let cells = grid.cells();
    let mut layer: Vec<u8> = (0..grid.phi.len()).map(|c| if grid.is_liquid(c) { 0 } else { u8::MAX }).collect();
    let mut last: Vec<usize> = (0..layer.len()).filter(|c| layer[*c] == 0).collect();
    for number in 1..=DIVERGENCE_FREE {
        let around = |c: &usize| {
            let open = |s: &Side| grid.open()[s.axis][s.face] > 0.0;
            grid.sides(unravel(cells, *c)).into_iter().filter(open).filter_map(|s| s.beyond)
        };
        let mut members: Vec<usize> = last.iter().flat_map(around).filter(|c| layer[*c] == u8::MAX).collect();
        members.sort_unstable();
        members.dedup();
        members.iter().for_each(|c| layer[*c] = number);
        for _ in 0..SWEEPS {
            for &c in &members {
                let sides = grid.sides(unravel(cells, c));
                let open = |s: &&Side| grid.open()[s.axis][s.face] > 0.0;
                let free = |s: &&Side| s.beyond.is_some_and(|c| layer[c] >= number);
                let outflow: f64 = sides.iter().filter(open).map(|s| s.sign * u[s.axis][s.face]).sum();
                let count = sides.iter().filter(open).filter(free).count();
                for s in sides.iter().filter(open).filter(free) {
                    u[s.axis][s.face] -= s.sign * outflow / count as f64;
                }
            }
        }
        last = members;
    }
}
