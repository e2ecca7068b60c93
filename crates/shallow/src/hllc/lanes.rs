//! Loops over one row in flight. Each has constant or vector-sized bounds and writes few arrays, so that it compiles
//! to straight vector code; what a row means and where it comes from is the march's business, in `cpu.rs`.

use super::{GIVEN_AWAY, HALO, HllcParams};
use crate::clock::NOT_FINITE;
use crate::physics::{
    Shared, Side, add_dithered, add_momentum, at_face, depth, face_flux, friction_factor, inverse_depth, limited, max,
    min, signal_speed,
};

/// Lanes of a vector that loops are cut to: AVX-512's.
pub(super) const VECTOR: usize = 16;
/// Columns of a row in flight: lanes `1..=16 · VECTOR` are computed, their neighbours read.
pub(super) const WIDTH: usize = 17 * VECTOR;
pub(super) type Lane = [f32; WIDTH];

/// Four quantities of one row: surface, depth, u, w of cells, or mass, left, right, tangent of faces.
pub(super) type Row = [Lane; 4];
pub(super) const EMPTY: Row = [[0.0; WIDTH]; 4];

/// Limited differences along x and z; a cell beside a dry one stays constant.
#[inline(always)]
pub(super) fn slopes(p: &HllcParams, n: usize, [below, here, above]: [&Row; 3], slope_x: &mut Row, slope_z: &mut Row) {
    assert!(n < WIDTH - 1);
    let mut keep = [0.0; WIDTH];
    for j in 1..n + 1 {
        let beside = min(min(here[1][j - 1], here[1][j + 1]), min(below[1][j], above[1][j]));
        keep[j] = if min(beside, here[1][j]) > p.h_eps { 1.0 } else { 0.0 };
    }
    for c in 0..4 {
        let (row, out) = (&here[c], &mut slope_x[c]);
        for j in 1..n + 1 {
            out[j] = keep[j] * limited(row[j] - row[j - 1], row[j + 1] - row[j], p.theta);
        }
        let (low, high, out) = (&below[c], &above[c], &mut slope_z[c]);
        for j in 1..n + 1 {
            out[j] = keep[j] * limited(row[j] - low[j], high[j] - row[j], p.theta);
        }
    }
}

/// Half a step of the primitive equations; the bed does not move, so η and h change alike.
#[inline(always)]
pub(super) fn predict(g: f32, ratio: f32, n: usize, here: &Row, dx: &Row, dz: &Row, centre: &mut Row) {
    assert!(n < WIDTH - 1);
    let half = 0.5 * ratio;
    for j in 1..n + 1 {
        let (h, u, w) = (here[1][j], here[2][j], here[3][j]);
        let fall = half * (u * dx[1][j] + h * dx[2][j] + w * dz[1][j] + h * dz[3][j]);
        centre[0][j] = here[0][j] - fall;
        centre[1][j] = h - fall;
        centre[2][j] = u - half * (u * dx[2][j] + w * dz[2][j] + g * dx[0][j]);
        centre[3][j] = w - half * (u * dx[3][j] + w * dz[3][j] + g * dz[0][j]);
    }
}

/// Friction of the half step: without it the fluxes of a river in balance would be off by a term in dt.
#[inline(always)]
pub(super) fn slow_down(p: &HllcParams, dt: f32, n: usize, here: &Row, centre: &mut Row) {
    assert!(n < WIDTH - 1);
    let [_, _, u, w] = centre;
    for j in 1..n + 1 {
        let speed = (here[2][j] * here[2][j] + here[3][j] * here[3][j]).sqrt();
        let slow = friction_factor(p.drag, dt, here[1][j], speed);
        u[j] *= slow;
        w[j] *= slow;
    }
}

/// g h δη along x and z: what the well-balanced source leaves of the pressure inside a cell.
#[inline(always)]
pub(super) fn pushes(g: f32, n: usize, h: &Lane, eta_x: &Lane, eta_z: &Lane, push: &mut [Lane; 2]) {
    assert!(n < WIDTH - 1);
    let [push_x, push_z] = push;
    for j in 1..n + 1 {
        let weight = g * max(h[j], 0.0);
        push_x[j] = weight * eta_x[j];
        push_z[j] = weight * eta_z[j];
    }
}

/// Fluxes through the west face of every column.
#[inline(always)]
pub(super) fn x_fluxes<const SECOND: bool>(g: f32, n: usize, centre: &Row, slope: &Row, out: &mut Row) {
    assert!(n < WIDTH - 1);
    let [mass, left, right, tangent] = out;
    for j in 1..n + 1 {
        let low = |c| at_face::<SECOND, _>(centre, slope, c, j - 1, 0.5);
        let high = |c| at_face::<SECOND, _>(centre, slope, c, j, -0.5);
        let l = Side { eta: low(0), h: low(1), un: low(2), ut: low(3) };
        let r = Side { eta: high(0), h: high(1), un: high(2), ut: high(3) };
        let f = face_flux(g, l, r);
        (mass[j], left[j], right[j], tangent[j]) = (f.mass, f.left, f.right, f.tangent);
    }
}

/// Fluxes from one row to the next.
#[inline(always)]
pub(super) fn z_fluxes<const SECOND: bool>(g: f32, n: usize, below: [&Row; 2], above: [&Row; 2], out: &mut Row) {
    assert!(n < WIDTH - 1);
    let [mass, left, right, tangent] = out;
    for j in 1..n + 1 {
        let low = |c| at_face::<SECOND, _>(below[0], below[1], c, j, 0.5);
        let high = |c| at_face::<SECOND, _>(above[0], above[1], c, j, -0.5);
        let l = Side { eta: low(0), h: low(1), un: low(3), ut: low(2) };
        let r = Side { eta: high(0), h: high(1), un: high(3), ut: high(2) };
        let f = face_flux(g, l, r);
        (mass[j], left[j], right[j], tangent[j]) = (f.mass, f.left, f.right, f.tangent);
    }
}

/// What leaves each cell in this step, m; tells whether any of them would give more than it has.
#[inline(always)]
pub(super) fn outflows(ratio: f32, n: usize, h: &Lane, fx: &Lane, south: &Lane, north: &Lane, out: &mut Lane) -> bool {
    assert!(n < WIDTH - 1);
    for j in 1..n + 1 {
        let along_x = max(-fx[j], 0.0) + max(fx[j + 1], 0.0);
        out[j] = ratio * (along_x + max(-south[j], 0.0) + max(north[j], 0.0));
    }
    let mut most = [0.0; VECTOR];
    for (out, h) in out[1..n + 1].chunks_exact(VECTOR).zip(h[1..n + 1].chunks_exact(VECTOR)) {
        for l in 0..VECTOR {
            most[l] = max(out[l] - GIVEN_AWAY * h[l], most[l]);
        }
    }
    most.iter().any(|&excess| excess > 0.0)
}

/// Turns outflows into draining factors: a cell gives at most the water that it has.
#[inline(always)]
pub(super) fn drain(n: usize, h: &Lane, alpha: &mut Lane) {
    assert!(n < WIDTH - 1);
    for j in 1..n + 1 {
        let share = GIVEN_AWAY * h[j] / max(alpha[j], 1e-30);
        alpha[j] = min(max(share, 0.0), 1.0);
    }
}

/// Cuts fluxes through x-faces to what their donors can pay.
#[inline(always)]
pub(super) fn pay_x(n: usize, alpha: &Lane, u: &Lane, flux: &mut Row) {
    assert!(n < WIDTH - 1);
    let [mass, left, right, tangent] = flux;
    for j in 1..n + 1 {
        let eastward = mass[j] > 0.0;
        let share = if eastward { alpha[j - 1] } else { alpha[j] };
        let un = if eastward { u[j - 1] } else { u[j] };
        let lost = (1.0 - share) * mass[j];
        mass[j] -= lost;
        left[j] -= lost * un;
        right[j] -= lost * un;
        tangent[j] *= share;
    }
}

/// Cuts fluxes from one row to the next; `low` and `high` are the rows' draining factors and velocities.
#[inline(always)]
pub(super) fn pay_z(n: usize, low: (&Lane, &Lane), high: (&Lane, &Lane), flux: &mut Row) {
    assert!(n < WIDTH - 1);
    let [mass, left, right, tangent] = flux;
    for j in 1..n + 1 {
        let northward = mass[j] > 0.0;
        let share = if northward { low.0[j] } else { high.0[j] };
        let un = if northward { low.1[j] } else { high.1[j] };
        let lost = (1.0 - share) * mass[j];
        mass[j] -= lost;
        left[j] -= lost * un;
        right[j] -= lost * un;
        tangent[j] *= share;
    }
}

/// Fluxes in and out of the cells of a row. `faces` are x-faces, and z-faces to the south and north.
#[inline(always)]
pub(super) fn balance<const SECOND: bool>(
    Shared { ratio, rain, dither }: Shared,
    n: usize,
    old: &Row,
    [fx, south, north]: [&Row; 3],
    push: &[Lane; 2],
    new: &mut Row,
) {
    assert!(n + HALO < WIDTH);
    let [s, qx, qz, _] = new;
    for c in 0..n {
        let j = c + HALO;
        let outflow = (fx[0][j + 1] - fx[0][j]) + (north[0][j] - south[0][j]);
        s[c] = max(add_dithered(old[0][c], rain - ratio * outflow, dither), min(old[3][c], 0.0));
    }
    for c in 0..n {
        let j = c + HALO;
        let push = if SECOND { push[0][j] } else { 0.0 };
        qx[c] = add_momentum::<SECOND>(
            old[1][c],
            -ratio * ((fx[1][j + 1] - fx[2][j]) + (north[3][j] - south[3][j]) + push),
            dither,
        );
    }
    for c in 0..n {
        let j = c + HALO;
        let push = if SECOND { push[1][j] } else { 0.0 };
        qz[c] = add_momentum::<SECOND>(
            old[2][c],
            -ratio * ((north[1][j] - south[2][j]) + (fx[3][j + 1] - fx[3][j]) + push),
            dither,
        );
    }
}

/// Thin films and friction; the fastest signal of each cell goes into the fourth lane.
#[inline(always)]
pub(super) fn finish(p: &HllcParams, dt: f32, n: usize, z: &Lane, new: &mut Row) {
    assert!(n <= WIDTH);
    let [s, qx, qz, speed] = new;
    if p.drag > 0.0 {
        for c in 0..n {
            let h = depth(s[c], z[c]);
            let fast = (qx[c] * qx[c] + qz[c] * qz[c]).sqrt() * inverse_depth(h, p.h_eps);
            let slow = friction_factor(p.drag, dt, h, fast);
            qx[c] *= slow;
            qz[c] *= slow;
        }
    }
    for c in 0..n {
        let h = depth(s[c], z[c]);
        let inverse = inverse_depth(h, p.h_eps);
        let fade = if h < p.h_eps { h * inverse } else { 1.0 };
        qx[c] *= fade;
        qz[c] *= fade;
        let fast = signal_speed(p.gravity, h, qx[c] * inverse, qz[c] * inverse, p.planar);
        let sum = s[c] + qx[c] + qz[c];
        speed[c] = if sum.abs() < NOT_FINITE { fast } else { NOT_FINITE };
    }
}

/// The largest of a row of speeds, lane by lane so that it vectorises.
#[inline(always)]
pub(super) fn largest(speeds: &[f32]) -> f32 {
    let mut lanes = [0.0; VECTOR];
    let chunks = speeds.chunks_exact(VECTOR);
    let rest = chunks.remainder().iter().fold(0.0, |a, &b| max(b, a));
    for chunk in chunks {
        for (lane, &speed) in lanes.iter_mut().zip(chunk) {
            *lane = max(speed, *lane);
        }
    }
    lanes.iter().fold(rest, |a, &b| max(b, a))
}
