//! Loops over the window of a tile, row after row in one array: neighbours along z are `WIDE` lanes away. Bounds are constants and whole
//! vectors, so that everything compiles to straight vector code; lanes between rows are computed too and never looked at.

use super::FluxParams;
pub(super) use super::constants::{LANES, WIDE};
use crate::clock::NOT_FINITE;
pub(super) use crate::hllc::GIVEN_AWAY;
use crate::physics::{
    Shared, Side, add_dithered, add_momentum, at_face, depth, face_flux, friction_factor, inverse_depth, limited, max,
    min, signal_speed, surface,
};
use crate::tree::layout::TILE;

/// Lanes of a vector.
const VECTOR: usize = 16;
/// Room for vectors that overhang.
const ROOM: usize = (LANES + WIDE).next_multiple_of(VECTOR) + VECTOR;

pub(super) type Lane = [f32; ROOM];
/// Four quantities: surface, depth, u, w of cells, or mass, left, right, tangent of faces.
pub(super) type Row = [Lane; 4];
pub(super) const EMPTY: Row = [[0.0; ROOM]; 4];
pub(super) const ZERO: Lane = [0.0; ROOM];

/// Surface variable and discharges of a row of the tile, to be written and read at once: a vector that lies across two cache lines is late.
#[derive(Default)]
#[repr(align(64))]
pub(super) struct NewRow(pub(super) [[f32; TILE]; 3]);

/// First lane of the rows −1, 0.
const ROW_BELOW: usize = WIDE;
const ROW_0: usize = 2 * WIDE;
/// One past the last lane: of rows −1 to 16, of rows 0 to 15 and of the window, in whole vectors.
const SLOPES_END: usize = ROW_BELOW + ((TILE + 2) * WIDE).next_multiple_of(VECTOR);
const OWN_END: usize = ROW_0 + (TILE * WIDE).next_multiple_of(VECTOR);
const PRIMS_END: usize = LANES.next_multiple_of(VECTOR);

/// Lane of cell `(i, k)` of the tile, −2 to 17.
#[inline(always)]
pub(super) fn lane(i: i32, k: i32) -> usize {
    ((k + 2) * WIDE as i32 + i + 2) as usize
}

/// Surface, depth and velocity from what is stored: surface variable, discharges, bed.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
pub(super) fn prims(h_eps: f32, raw: &Row, row: &mut Row) {
    let ([s, qx, qz, z], [eta, h, u, w]) = (raw, row);
    for j in 0..PRIMS_END {
        eta[j] = surface(s[j], z[j]);
        h[j] = depth(s[j], z[j]);
    }
    for j in 0..PRIMS_END {
        let inverse = inverse_depth(h[j], h_eps);
        u[j] = qx[j] * inverse;
        w[j] = qz[j] * inverse;
    }
}

/// Limited differences along x and z; a cell beside a dry one stays constant.
#[inline(always)]
pub(super) fn slopes(p: &FluxParams, here: &Row, slope_x: &mut Row, slope_z: &mut Row) {
    let mut keep = ZERO;
    let h = &here[1];
    for j in ROW_BELOW..SLOPES_END {
        let beside = min(min(h[j - 1], h[j + 1]), min(h[j - WIDE], h[j + WIDE]));
        keep[j] = if min(beside, h[j]) > p.h_eps { 1.0 } else { 0.0 };
    }
    for c in 0..4 {
        let (row, out) = (&here[c], &mut slope_x[c]);
        for j in ROW_BELOW..SLOPES_END {
            out[j] = keep[j] * limited(row[j] - row[j - 1], row[j + 1] - row[j], p.theta);
        }
        let out = &mut slope_z[c];
        for j in ROW_BELOW..SLOPES_END {
            out[j] = keep[j] * limited(row[j] - row[j - WIDE], row[j + WIDE] - row[j], p.theta);
        }
    }
}

/// Half a step of the primitive equations.
#[inline(always)]
pub(super) fn predict(g: f32, ratio: f32, here: &Row, dx: &Row, dz: &Row, centre: &mut Row) {
    let half = 0.5 * ratio;
    for j in ROW_BELOW..SLOPES_END {
        let (h, u, w) = (here[1][j], here[2][j], here[3][j]);
        let fall = half * (u * dx[1][j] + h * dx[2][j] + w * dz[1][j] + h * dz[3][j]);
        centre[0][j] = here[0][j] - fall;
        centre[1][j] = h - fall;
        centre[2][j] = u - half * (u * dx[2][j] + w * dz[2][j] + g * dx[0][j]);
        centre[3][j] = w - half * (u * dx[3][j] + w * dz[3][j] + g * dz[0][j]);
    }
}

/// Friction of the half step.
#[inline(always)]
pub(super) fn slow_down(p: &FluxParams, dt: f32, here: &Row, centre: &mut Row) {
    let [_, _, u, w] = centre;
    for j in ROW_BELOW..SLOPES_END {
        let speed = (here[2][j] * here[2][j] + here[3][j] * here[3][j]).sqrt();
        let slow = friction_factor(p.drag, dt, here[1][j], speed);
        u[j] *= slow;
        w[j] *= slow;
    }
}

/// Fluxes through the west faces of rows 0 to 15.
#[inline(always)]
pub(super) fn x_fluxes<const SECOND: bool>(g: f32, centre: &Row, slope: &Row, out: &mut Row) {
    let [mass, left, right, tangent] = out;
    for j in ROW_0..OWN_END {
        let low = |c| at_face::<SECOND, _>(centre, slope, c, j - 1, 0.5);
        let high = |c| at_face::<SECOND, _>(centre, slope, c, j, -0.5);
        let l = Side { eta: low(0), h: low(1), un: low(2), ut: low(3) };
        let r = Side { eta: high(0), h: high(1), un: high(2), ut: high(3) };
        let f = face_flux(g, l, r);
        (mass[j], left[j], right[j], tangent[j]) = (f.mass, f.left, f.right, f.tangent);
    }
}

/// Fluxes through the south faces of rows 0 to 16.
#[inline(always)]
pub(super) fn z_fluxes<const SECOND: bool>(g: f32, centre: &Row, slope: &Row, out: &mut Row) {
    let [mass, left, right, tangent] = out;
    for k in 0..TILE + 1 {
        let from = ROW_0 + k * WIDE + 2;
        for j in from..from + TILE {
            let low = |c| at_face::<SECOND, _>(centre, slope, c, j - WIDE, 0.5);
            let high = |c| at_face::<SECOND, _>(centre, slope, c, j, -0.5);
            let l = Side { eta: low(0), h: low(1), un: low(3), ut: low(2) };
            let r = Side { eta: high(0), h: high(1), un: high(3), ut: high(2) };
            let f = face_flux(g, l, r);
            (mass[j], left[j], right[j], tangent[j]) = (f.mass, f.left, f.right, f.tangent);
        }
    }
}

/// Whether there is any water in a window.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
pub(super) fn is_dry(h: &Lane) -> bool {
    let mut wet = [0.0f32; VECTOR];
    for row in h[..PRIMS_END].chunks_exact(VECTOR) {
        for (wet, &h) in wet.iter_mut().zip(row) {
            *wet = max(h, *wet);
        }
    }
    wet.iter().all(|&h| h <= 0.0)
}

/// What leaves each cell of the tile in this step, m; tells whether one of them would give more than it has.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
pub(super) fn outflows(ratio: f32, h: &Lane, fx: &Lane, fz: &Lane, out: &mut Lane) -> bool {
    for j in ROW_0..OWN_END {
        let along_x = max(-fx[j], 0.0) + max(fx[j + 1], 0.0);
        out[j] = ratio * (along_x + max(-fz[j], 0.0) + max(fz[j + WIDE], 0.0));
    }
    let mut most = [0.0; TILE];
    for k in 0..TILE as i32 {
        let from = lane(0, k);
        for ((most, out), h) in most.iter_mut().zip(&out[from..from + TILE]).zip(&h[from..from + TILE]) {
            *most = max(out - GIVEN_AWAY * h, *most);
        }
    }
    most.iter().any(|&excess| excess > 0.0)
}

/// Rain, and fluxes in and out of the cells; `push` is what the slope of the surface inside a cell does to its water.
#[inline(always)]
pub(super) fn balance<const SECOND: bool>(
    g: f32,
    Shared { ratio, rain, dither }: Shared,
    old: &[&[f32]; 3],
    (fx, fz): (&Row, &Row),
    (centre, slope_x, slope_z): (&Row, &Row, &Row),
    k: usize,
    NewRow([s, qx, qz]): &mut NewRow,
) {
    let from = lane(0, k as i32);
    let row = k * TILE..(k + 1) * TILE;
    let (os, oqx, oqz) = (&old[0][row.clone()], &old[1][row.clone()], &old[2][row]);
    let x = |c: usize| &fx[c][from..from + TILE + 1];
    let south = |c: usize| &fz[c][from..from + TILE];
    let north = |c: usize| &fz[c][from + WIDE..from + WIDE + TILE];
    let (m, ms, mn) = (x(0), south(0), north(0));
    for j in 0..TILE {
        s[j] = add_dithered(os[j], rain - ratio * ((m[j + 1] - m[j]) + (mn[j] - ms[j])), dither);
    }
    let weight = |j: usize| if SECOND { g * max(centre[1][from + j], 0.0) } else { 0.0 };
    let (l, r, ts, tn) = (x(1), x(2), south(3), north(3));
    for j in 0..TILE {
        let push = if SECOND { weight(j) * slope_x[0][from + j] } else { 0.0 };
        qx[j] = add_momentum::<SECOND>(oqx[j], -ratio * ((l[j + 1] - r[j]) + (tn[j] - ts[j]) + push), dither);
    }
    let (l, r, t) = (north(1), south(2), x(3));
    for j in 0..TILE {
        let push = if SECOND { weight(j) * slope_z[0][from + j] } else { 0.0 };
        qz[j] = add_momentum::<SECOND>(oqz[j], -ratio * ((l[j] - r[j]) + (t[j + 1] - t[j]) + push), dither);
    }
}

/// Friction and thin films of one row; `fastest` keeps the fastest signal of each column, and how fast the water is or would be in a second.
#[inline(always)]
pub(super) fn finish(
    p: &FluxParams,
    dt: f32,
    (z, old_qx, old_qz): (&[f32], &[f32], &[f32]),
    NewRow([s, qx, qz]): &mut NewRow,
    [signals, speeds]: &mut [[f32; TILE]; 2],
) {
    let z = &z[..TILE];
    let (old_qx, old_qz, per_second) = (&old_qx[..TILE], &old_qz[..TILE], 1.0 / dt);
    for j in 0..TILE {
        s[j] = max(s[j], min(z[j], 0.0));
    }
    if p.drag > 0.0 {
        for j in 0..TILE {
            let h = depth(s[j], z[j]);
            let fast = (qx[j] * qx[j] + qz[j] * qz[j]).sqrt() * inverse_depth(h, p.h_eps);
            let slow = friction_factor(p.drag, dt, h, fast);
            qx[j] *= slow;
            qz[j] *= slow;
        }
    }
    for j in 0..TILE {
        let h = depth(s[j], z[j]);
        let inverse = inverse_depth(h, p.h_eps);
        let fade = if h < p.h_eps { h * inverse } else { 1.0 };
        qx[j] *= fade;
        qz[j] *= fade;
        let (u, w) = (qx[j] * inverse, qz[j] * inverse);
        let fast = signal_speed(p.gravity, h, u, w, 1.0);
        let sum = s[j] + qx[j] + qz[j];
        signals[j] = max(if sum.abs() < NOT_FINITE { fast } else { NOT_FINITE }, signals[j]);
        let gain = per_second * inverse * max((qx[j] - old_qx[j]).abs(), (qz[j] - old_qz[j]).abs());
        speeds[j] = max(max(max(u.abs(), w.abs()), gain), speeds[j]);
    }
}
