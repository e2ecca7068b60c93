//! The march over rows, eight or sixteen columns at a time.
//!
//! A task owns a band of rows and walks it in blocks of columns. All rows in flight are fixed-size arrays,
//! so every inner loop has constant bounds and compiles to straight vector code; ghosts are resolved
//! when a row is loaded, so no loop asks where it is.

use rayon::prelude::*;

use super::{HALO, HllcFirstSlices, HllcParams, HllcSecondSlices};
use crate::boundary::{Cell, Edges, kind};
use crate::clock::{NOT_FINITE, word};
use crate::physics::{
    Side, depth, face_flux, friction_factor, inverse_depth, limited, max, min, signal_speed, surface,
};

/// Columns that a block updates: rows in flight fill about 100 KiB, which stays in the second cache.
const BLOCK: usize = 256;
/// Columns of a row in flight.
const WIDTH: usize = BLOCK + 2 * HALO + 2; // a multiple of 8
/// Rows of a band, at most: halo rows are recomputed per band.
const MAX_BAND: usize = 128;

type Lane = [f32; WIDTH];

/// Four quantities of one row: surface, depth, u, w of cells, or mass, left, right, tangent of faces.
type Row = [Lane; 4];
const EMPTY: Row = [[0.0; WIDTH]; 4];

pub(super) fn first_order(p: &HllcParams, s: HllcFirstSlices<'_>) {
    let HllcFirstSlices { state, bed, clock, next, speeds, edges } = s;
    step::<false>(p, Input::new(p, state, bed, clock), next, speeds, edges);
}

pub(super) fn second_order(p: &HllcParams, s: HllcSecondSlices<'_>) {
    let HllcSecondSlices { state, bed, clock, next, speeds, edges } = s;
    step::<true>(p, Input::new(p, state, bed, clock), next, speeds, edges);
}

/// What a step reads.
#[derive(Clone, Copy)]
struct Input<'a> {
    s: &'a [f32],
    qx: &'a [f32],
    qz: &'a [f32],
    bed: &'a [f32],
    dt: f32,
    rain: f32,
    edges: Edges,
}

impl<'a> Input<'a> {
    fn new(p: &HllcParams, state: &'a [f32], bed: &'a [f32], clock: &[f32]) -> Self {
        let (s, q) = state.split_at(bed.len());
        let (qx, qz) = q.split_at(bed.len());
        let values = std::array::from_fn(|side| clock[word::SIDE_VALUES + side]);
        Self { s, qx, qz, bed, dt: clock[word::DT], rain: clock[word::RAIN_RATE], edges: p.edges(values) }
    }

    fn stored(&self, i: u32, k: u32) -> Cell {
        let at = i as usize + self.edges.nx as usize * k as usize;
        Cell { s: self.s[at], qx: self.qx[at], qz: self.qz[at], z: self.bed[at] }
    }
}

/// The rows of `next` and of the edge ledger that one band owns.
struct Output<'a> {
    s: &'a mut [f32],
    qx: &'a mut [f32],
    qz: &'a mut [f32],
    west: &'a mut [f32],
    east: &'a mut [f32],
}

/// One band's results for its neighbours: fastest signal, and volumes through the south and north sides.
struct BandResult {
    fastest: f32,
    south: Vec<f32>,
    north: Vec<f32>,
}

fn step<const SECOND: bool>(p: &HllcParams, input: Input<'_>, next: &mut [f32], speeds: &mut [f32], edges: &mut [f32]) {
    let (nx, nz) = (p.nx as usize, p.nz as usize);
    let band = nz.div_ceil(4 * rayon::current_num_threads()).clamp(16, MAX_BAND);
    let (s, q) = next.split_at_mut(nx * nz);
    let (qx, qz) = q.split_at_mut(nx * nz);
    let (sides, ends) = edges.split_at_mut(2 * nz);
    let (west, east) = sides.split_at_mut(nz);
    let planes = s.par_chunks_mut(nx * band).zip(qx.par_chunks_mut(nx * band)).zip(qz.par_chunks_mut(nx * band));
    let ledgers = west.par_chunks_mut(band).zip(east.par_chunks_mut(band));
    let march = |workspace: &mut Box<Workspace>, (b, (((s, qx), qz), (west, east)))| {
        let output = Output { s, qx, qz, west, east };
        march_band::<SECOND>(p, &input, output, b * band, workspace)
    };
    let results: Vec<BandResult> =
        planes.zip(ledgers).enumerate().map_init(|| Box::new(Workspace::new()), march).collect();

    speeds.fill(0.0);
    speeds[0] = results.iter().fold(0.0, |fastest, r| max(r.fastest, fastest));
    if let (Some(bottom), Some(top)) = (results.first(), results.last()) {
        let (south, north) = ends.split_at_mut(nx);
        south.iter_mut().zip(&bottom.south).for_each(|(total, v)| *total += v);
        north.iter_mut().zip(&top.north).for_each(|(total, v)| *total += v);
    }
}

/// Rows in flight, addressed modulo their number.
struct Workspace {
    /// Five: the update of row r − 3 still asks row r − 4 for its velocity.
    prim: [Row; 5],
    west: Row,
    east: Row,
    south: Row,
    north: [Row; 2],
    push: [[Lane; 2]; 4],
    fx: [Row; 4],
    fz: [Row; 4],
    alpha: [Lane; 4],
}

impl Workspace {
    fn new() -> Self {
        Self {
            prim: [EMPTY; 5],
            west: EMPTY,
            east: EMPTY,
            south: EMPTY,
            north: [EMPTY; 2],
            push: [[[0.0; WIDTH]; 2]; 4],
            fx: [EMPTY; 4],
            fz: [EMPTY; 4],
            alpha: [[1.0; WIDTH]; 4],
        }
    }
}

/// Slot of a row in a ring of four; rows start at −3.
fn slot(row: isize) -> usize {
    (row + 8) as usize & 3
}

/// Slot of a row in the ring of primitive rows.
fn prim_slot(row: isize) -> usize {
    (row + 10) as usize % 5
}

#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
fn march_band<const SECOND: bool>(
    p: &HllcParams,
    input: &Input<'_>,
    mut out: Output<'_>,
    first_row: usize,
    w: &mut Workspace,
) -> BandResult {
    let nx = p.nx as usize;
    let rows = out.s.len() / nx;
    let (k0, k1) = (first_row as isize, (first_row + rows) as isize);
    let ratio = input.dt / p.cell;
    let mut result = BandResult { fastest: 0.0, south: Vec::new(), north: Vec::new() };
    if k0 == 0 {
        result.south.resize(nx, 0.0);
    }
    if k1 == p.nz as isize {
        result.north.resize(nx, 0.0);
    }
    for x0 in (0..nx).step_by(BLOCK) {
        let columns = BLOCK.min(nx - x0);
        for r in k0 - 3..k1 + 3 {
            load_row(p, input, x0, r, &mut w.prim[prim_slot(r)]);
            if r > k0 - 2 {
                let at = slot(r - 1);
                if SECOND {
                    let (below, here, above) =
                        (&w.prim[prim_slot(r - 2)], &w.prim[prim_slot(r - 1)], &w.prim[prim_slot(r)]);
                    let north = &mut w.north[(r & 1) as usize];
                    reconstruct(
                        p,
                        ratio,
                        [below, here, above],
                        &mut w.west,
                        &mut w.east,
                        &mut w.south,
                        north,
                        &mut w.push[at],
                    );
                    x_fluxes(p.gravity, &w.east, &w.west, &mut w.fx[at]);
                } else {
                    let row = &w.prim[prim_slot(r - 1)];
                    x_fluxes(p.gravity, row, row, &mut w.fx[at]);
                }
                enforce_x(input, x0, r - 1, &mut w.fx[at]);
            }
            if r > k0 - 1 && p.planar > 0.0 {
                let at = slot(r - 1);
                if SECOND {
                    z_fluxes(p.gravity, &w.north[((r - 1) & 1) as usize], &w.south, &mut w.fz[at]);
                } else {
                    z_fluxes(p.gravity, &w.prim[prim_slot(r - 2)], &w.prim[prim_slot(r - 1)], &mut w.fz[at]);
                }
                enforce_z(input, x0, columns, r - 1, &mut w.fz[at]);
            }
            if r > k0 {
                let (at, north) = (slot(r - 2), slot(r - 1));
                drain(
                    ratio,
                    &w.prim[prim_slot(r - 2)][1],
                    &w.fx[at][0],
                    &w.fz[at][0],
                    &w.fz[north][0],
                    &mut w.alpha[at],
                );
                clear_ghosts(input, x0, r - 2, &mut w.alpha[at]);
            }
            if r > k0 + 2 {
                let k = r - 3;
                let fastest = update::<SECOND>(p, input, x0, columns, k, (k - k0) as usize, w, &mut out, &mut result);
                result.fastest = max(fastest, result.fastest);
            }
        }
    }
    result
}

/// Primitive variables of row `k`, ghosts included, for columns `x0 − 3 …`.
#[inline(always)]
fn load_row(p: &HllcParams, input: &Input<'_>, x0: usize, k: isize, row: &mut Row) {
    let nx = p.nx as usize;
    let [eta, h, u, w] = row;
    let mut set = |j: usize, c: Cell| {
        let d = depth(c.s, c.z);
        let inverse = inverse_depth(d, p.h_eps);
        (eta[j], h[j], u[j], w[j]) = (surface(c.s, c.z), d, c.qx * inverse, c.qz * inverse);
    };
    let end = (nx + HALO - x0 + HALO).min(WIDTH); // lanes beyond the last ghost keep old, finite values
    let inside = if k >= 0 && k < p.nz as isize { HALO.saturating_sub(x0)..(nx + HALO - x0).min(WIDTH) } else { 0..0 };
    let ghost = |j: usize| {
        let i = (x0 + j) as i32 - HALO as i32;
        input.edges.cell(|i, k| input.stored(i, k), i, k as i32)
    };
    (0..inside.start.min(end)).chain(inside.end..end).for_each(|j| set(j, ghost(j)));
    if !inside.is_empty() {
        let at = k as usize * nx + x0 + inside.start - HALO;
        let n = inside.len();
        let planes = (&input.s[at..at + n], &input.qx[at..at + n], &input.qz[at..at + n], &input.bed[at..at + n]);
        let (eta, h) = (&mut eta[inside.clone()], &mut h[inside.clone()]);
        let (u, w) = (&mut u[inside.clone()], &mut w[inside]);
        for j in 0..n {
            let (s, z) = (planes.0[j], planes.3[j]);
            let d = depth(s, z);
            let inverse = inverse_depth(d, p.h_eps);
            (eta[j], h[j], u[j], w[j]) = (surface(s, z), d, planes.1[j] * inverse, planes.2[j] * inverse);
        }
    }
}

/// Face values at half time from limited slopes (MUSCL-Hancock); a cell beside a dry one stays constant.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the five rows of a stencil")]
fn reconstruct(
    p: &HllcParams,
    ratio: f32,
    [below, here, above]: [&Row; 3],
    west: &mut Row,
    east: &mut Row,
    south: &mut Row,
    north: &mut Row,
    push: &mut [Lane; 2],
) {
    let half_ratio = 0.5 * ratio;
    let g = p.gravity;
    for j in 1..WIDTH - 1 {
        let [eta, h, u, w] = [here[0][j], here[1][j], here[2][j], here[3][j]];
        let shallowest = min(min(min(here[1][j - 1], here[1][j + 1]), min(below[1][j], above[1][j])), h);
        let keep = if shallowest > p.h_eps { 1.0 } else { 0.0 };
        let dx = |c: usize| keep * limited(here[c][j] - here[c][j - 1], here[c][j + 1] - here[c][j], p.theta);
        let dz = |c: usize| keep * limited(here[c][j] - below[c][j], above[c][j] - here[c][j], p.theta);
        let (eta_x, h_x, u_x, w_x) = (dx(0), dx(1), dx(2), dx(3));
        let (eta_z, h_z, u_z, w_z) = (dz(0), dz(1), dz(2), dz(3));
        // Half a step of the primitive equations; the bed does not move, so η and h change alike.
        let h_t = half_ratio * (u * h_x + h * u_x + w * h_z + h * w_z);
        let u_t = half_ratio * (u * u_x + w * u_z + g * eta_x);
        let w_t = half_ratio * (u * w_x + w * w_z + g * eta_z);
        let (eta, h, u, w) = (eta - h_t, h - h_t, u - u_t, w - w_t);
        let put = |row: &mut Row, sign: f32, [a, b, c, d]: [f32; 4]| {
            row[0][j] = eta + sign * a;
            row[1][j] = max(h + sign * b, 0.0);
            row[2][j] = u + sign * c;
            row[3][j] = w + sign * d;
        };
        put(west, -0.5, [eta_x, h_x, u_x, w_x]);
        put(east, 0.5, [eta_x, h_x, u_x, w_x]);
        put(south, -0.5, [eta_z, h_z, u_z, w_z]);
        put(north, 0.5, [eta_z, h_z, u_z, w_z]);
        // g h δη: what the well-balanced source leaves of the pressure inside the cell.
        let weight = g * max(h, 0.0);
        push[0][j] = weight * eta_x;
        push[1][j] = weight * eta_z;
    }
}

/// Fluxes through the west face of every column: `left` holds east-face values, `right` west-face values.
#[inline(always)]
fn x_fluxes(g: f32, left: &Row, right: &Row, out: &mut Row) {
    for j in 1..WIDTH {
        let l = Side { eta: left[0][j - 1], h: left[1][j - 1], un: left[2][j - 1], ut: left[3][j - 1] };
        let r = Side { eta: right[0][j], h: right[1][j], un: right[2][j], ut: right[3][j] };
        let f = face_flux(g, l, r);
        (out[0][j], out[1][j], out[2][j], out[3][j]) = (f.mass, f.left, f.right, f.tangent);
    }
}

/// Fluxes from one row to the next.
#[inline(always)]
fn z_fluxes(g: f32, below: &Row, above: &Row, out: &mut Row) {
    for j in 0..WIDTH {
        let l = Side { eta: below[0][j], h: below[1][j], un: below[3][j], ut: below[2][j] };
        let r = Side { eta: above[0][j], h: above[1][j], un: above[3][j], ut: above[2][j] };
        let f = face_flux(g, l, r);
        (out[0][j], out[1][j], out[2][j], out[3][j]) = (f.mass, f.left, f.right, f.tangent);
    }
}

/// What a wall stops, what a discharge side forces.
fn enforce(code: u32, inward: f32, value: f32, flux: &mut Row, j: usize) {
    match code {
        kind::WALL => (flux[0][j], flux[3][j]) = (0.0, 0.0),
        kind::DISCHARGE => (flux[0][j], flux[3][j]) = (inward * max(value, 0.0), 0.0),
        _ => {}
    }
}

fn enforce_x(input: &Input<'_>, x0: usize, k: isize, flux: &mut Row) {
    let e = &input.edges;
    if k < 0 || k >= e.nz as isize {
        return;
    }
    if x0 == 0 {
        enforce(e.kind_at(0, k as u32), 1.0, e.values[0], flux, HALO);
    }
    let east = e.nx as usize + HALO - x0;
    if east < WIDTH {
        enforce(e.kind_at(1, k as u32), -1.0, e.values[1], flux, east);
    }
}

/// `k` is the row north of the face.
fn enforce_z(input: &Input<'_>, x0: usize, columns: usize, k: isize, flux: &mut Row) {
    let e = &input.edges;
    let (side, inward) = match k {
        0 => (2, 1.0),
        k if k == e.nz as isize => (3, -1.0),
        _ => return,
    };
    let low = x0.saturating_sub(1); // a neighbour block's column feeds this block's draining factors
    for i in low..(x0 + columns + 1).min(e.nx as usize) {
        enforce(e.kind_at(side, i as u32), inward, e.values[side], flux, i + HALO - x0);
    }
}

/// The largest of a row of speeds, lane by lane so that it vectorises.
#[inline(always)]
fn largest(speeds: &[f32; BLOCK]) -> f32 {
    let mut lanes = [0.0; 16];
    for chunk in speeds.chunks_exact(16) {
        for (lane, &speed) in lanes.iter_mut().zip(chunk) {
            *lane = max(speed, *lane);
        }
    }
    lanes.iter().fold(0.0, |a, &b| max(b, a))
}

/// Draining factors: a cell gives at most the water that it has.
#[inline(always)]
fn drain(ratio: f32, h: &Lane, fx: &Lane, south: &Lane, north: &Lane, alpha: &mut Lane) {
    for j in 1..WIDTH - 1 {
        let outflow = ratio * (max(-fx[j], 0.0) + max(fx[j + 1], 0.0) + max(-south[j], 0.0) + max(north[j], 0.0));
        alpha[j] = if outflow > h[j] { h[j] / outflow } else { 1.0 };
    }
}

/// Ghosts never run dry.
fn clear_ghosts(input: &Input<'_>, x0: usize, k: isize, alpha: &mut Lane) {
    let e = &input.edges;
    if k < 0 || k >= e.nz as isize {
        alpha.fill(1.0);
        return;
    }
    if x0 == 0 {
        alpha[..HALO].fill(1.0);
    }
    let east = e.nx as usize + HALO - x0;
    if east < WIDTH {
        alpha[east..].fill(1.0);
    }
}

/// The flux that a donor with this draining factor and normal velocity can pay for.
#[inline(always)]
fn drained(flux: &Row, j: usize, alpha: f32, un: f32) -> [f32; 4] {
    let lost = (1.0 - alpha) * flux[0][j];
    [flux[0][j] - lost, flux[1][j] - lost * un, flux[2][j] - lost * un, alpha * flux[3][j]]
}

/// New state of row `k`, row `local` of the band. Returns the fastest signal.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "one row of everything in flight")]
fn update<const SECOND: bool>(
    p: &HllcParams,
    input: &Input<'_>,
    x0: usize,
    columns: usize,
    k: isize,
    local: usize,
    w: &mut Workspace,
    out: &mut Output<'_>,
    result: &mut BandResult,
) -> f32 {
    let nx = p.nx as usize;
    let (at, above, below) = (slot(k), slot(k + 1), slot(k - 1)); // in rings of four
    let (prim, fx) = (&w.prim[prim_slot(k)], &w.fx[at]);
    let (f_south, f_north) = (&w.fz[at], &w.fz[above]);
    let (alpha, alpha_s, alpha_n) = (&w.alpha[at], &w.alpha[below], &w.alpha[above]);
    let (w_below, w_above) = (&w.prim[prim_slot(k - 1)][3], &w.prim[prim_slot(k + 1)][3]);
    let push = &w.push[at];
    let ratio = input.dt / p.cell;
    let from = k as usize * nx + x0;
    let (s_old, qx_old) = (&input.s[from..from + columns], &input.qx[from..from + columns]);
    let (qz_old, z) = (&input.qz[from..from + columns], &input.bed[from..from + columns]);
    let to = local * nx + x0;
    let s_new = &mut out.s[to..to + columns];
    let qx_new = &mut out.qx[to..to + columns];
    let qz_new = &mut out.qz[to..to + columns];
    let rain = input.dt * input.rain;
    let mut speeds = [0.0f32; BLOCK];
    let mut broken = 0u32;
    assert!(columns <= BLOCK, "lets the compiler drop bounds checks");
    for c in 0..columns {
        let j = c + HALO;
        let pick = |positive: bool, a: f32, b: f32| if positive { a } else { b };
        let (u, v) = (prim[2][j], prim[3][j]);
        let e = fx[0][j] > 0.0;
        let f_w = drained(fx, j, pick(e, alpha[j - 1], alpha[j]), pick(e, prim[2][j - 1], u));
        let e = fx[0][j + 1] > 0.0;
        let f_e = drained(fx, j + 1, pick(e, alpha[j], alpha[j + 1]), pick(e, u, prim[2][j + 1]));
        let e = f_south[0][j] > 0.0;
        let f_s = drained(f_south, j, pick(e, alpha_s[j], alpha[j]), pick(e, w_below[j], v));
        let e = f_north[0][j] > 0.0;
        let f_n = drained(f_north, j, pick(e, alpha[j], alpha_n[j]), pick(e, v, w_above[j]));
        let (push_x, push_z) = if SECOND { (push[0][j], push[1][j]) } else { (0.0, 0.0) };

        let outflow = ratio * ((f_e[0] - f_w[0]) + (f_n[0] - f_s[0]));
        let s = max(s_old[c] - outflow + rain, min(z[c], 0.0));
        let mut qx = qx_old[c] - ratio * ((f_e[1] - f_w[2]) + (f_n[3] - f_s[3]) + push_x);
        let mut qz = qz_old[c] - ratio * ((f_n[1] - f_s[2]) + (f_e[3] - f_w[3]) + push_z);
        let h = depth(s, z[c]);
        let inverse = inverse_depth(h, p.h_eps);
        let fade = if h < p.h_eps { h * inverse } else { 1.0 };
        qx *= fade;
        qz *= fade;
        if p.drag > 0.0 {
            let slow = friction_factor(p.drag, input.dt, h, (qx * qx + qz * qz).sqrt() * inverse);
            qx *= slow;
            qz *= slow;
        }
        (s_new[c], qx_new[c], qz_new[c]) = (s, qx, qz);
        speeds[c] = signal_speed(p.gravity, h, qx * inverse, qz * inverse, p.planar);
        broken |= u32::from(!(s + qx + qz).is_finite());
    }

    let volume = input.dt * p.cell;
    let paid = |flux: &Row, j: usize, a: f32, b: f32| if flux[0][j] > 0.0 { flux[0][j] * a } else { flux[0][j] * b };
    if x0 == 0 {
        out.west[local] += volume * paid(fx, HALO, alpha[HALO - 1], alpha[HALO]);
    }
    if x0 + columns == nx {
        let j = HALO + columns;
        out.east[local] -= volume * paid(fx, j, alpha[j - 1], alpha[j]);
    }
    if k == 0 {
        (0..columns)
            .for_each(|c| result.south[x0 + c] = volume * paid(f_south, c + HALO, alpha_s[c + HALO], alpha[c + HALO]));
    }
    if k + 1 == p.nz as isize {
        (0..columns)
            .for_each(|c| result.north[x0 + c] = -volume * paid(f_north, c + HALO, alpha[c + HALO], alpha_n[c + HALO]));
    }
    if broken != 0 { NOT_FINITE } else { largest(&speeds) }
}
