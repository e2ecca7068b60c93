//! The march over rows, sixteen columns at a time.
//!
//! A task owns a band of rows and walks it in blocks of columns. Rows in flight are fixed-size arrays and the
//! number of lanes is a multiple of sixteen, so every inner loop compiles to straight vector code; ghosts
//! are resolved when a row is loaded, so no loop asks where it is. Loops are kept short and write few
//! arrays each: a loop over everything at once is one that the compiler gives up on.

use rayon::prelude::*;

use super::lanes::{
    EMPTY, Lane, Row, VECTOR, WIDTH, balance, drain, finish, largest, outflows, pay_x, pay_z, predict, pushes, slopes,
    slow_down, x_fluxes, z_fluxes,
};
use super::{HALO, HllcFirstSlices, HllcParams, HllcSecondSlices};
use crate::boundary::{Cell, Edges, enforce};
use crate::clock::word;
use crate::physics::{Shared, depth, inverse_depth, max, surface};

/// Columns that a block updates, at most: rows in flight fill about 60 KiB, which stays in the second cache.
const MAX_BLOCK: usize = 16 * VECTOR - 4;
/// Rows of a band, at most: halo rows are recomputed per band.
const MAX_BAND: usize = 128;

pub(super) fn first_order(p: &HllcParams, s: HllcFirstSlices<'_>) {
    let HllcFirstSlices { state, bed, clock, levels, next, speeds, edges } = s;
    step::<false>(p, Input::new(p, state, bed, clock, levels), next, speeds, edges);
}

pub(super) fn second_order(p: &HllcParams, s: HllcSecondSlices<'_>) {
    let HllcSecondSlices { state, bed, clock, levels, next, speeds, edges } = s;
    step::<true>(p, Input::new(p, state, bed, clock, levels), next, speeds, edges);
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
    dither: f32,
    edges: Edges<'a>,
}

impl<'a> Input<'a> {
    fn new(p: &HllcParams, state: &'a [f32], bed: &'a [f32], clock: &[f32], levels: &'a [f32]) -> Self {
        let (s, q) = state.split_at(bed.len());
        let (qx, qz) = q.split_at(bed.len());
        let values = std::array::from_fn(|side| clock[word::SIDE_VALUES + side]);
        Self {
            s,
            qx,
            qz,
            bed,
            dt: clock[word::DT],
            rain: clock[word::RAIN_RATE],
            dither: clock[word::DITHER],
            edges: p.edges(values, levels),
        }
    }

    fn stored(&self, i: u32, k: u32) -> Cell {
        let at = i as usize + self.edges.nx as usize * k as usize;
        Cell { s: self.s[at], qx: self.qx[at], qz: self.qz[at], z: self.bed[at] }
    }
}

/// The rows of `next` and of the edge volumes that one band owns.
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
    let edges = west.par_chunks_mut(band).zip(east.par_chunks_mut(band));
    let march = |workspace: &mut Box<Workspace>, (b, (((s, qx), qz), (west, east)))| {
        let output = Output { s, qx, qz, west, east };
        march_band::<SECOND>(p, &input, output, b * band, workspace)
    };
    let results: Vec<BandResult> =
        planes.zip(edges).enumerate().map_init(|| Box::new(Workspace::new()), march).collect();

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
    prim: [Row; 4],
    /// State at half time in the middle of a cell, and limited differences across it.
    centre: [Row; 2],
    slope_x: Row,
    slope_z: [Row; 2],
    push: [[Lane; 2]; 4],
    fx: [Row; 4],
    fz: [Row; 4],
    alpha: [Lane; 4],
    /// Whether a factor of the row is below one.
    drains: [bool; 4],
    old: Row,
    new: Row,
}

impl Workspace {
    fn new() -> Self {
        Self {
            prim: [EMPTY; 4],
            centre: [EMPTY; 2],
            slope_x: EMPTY,
            slope_z: [EMPTY; 2],
            push: [[[0.0; WIDTH]; 2]; 4],
            fx: [EMPTY; 4],
            fz: [EMPTY; 4],
            alpha: [[1.0; WIDTH]; 4],
            drains: [false; 4],
            old: EMPTY,
            new: EMPTY,
        }
    }
}

/// Slot of a row in a ring of four; rows start at −3.
fn slot(row: isize) -> usize {
    (row + 8) as usize & 3
}

/// Columns `x0 .. x0 + columns`; lane `j` is column `x0 + j − HALO`. Lanes `1..=lanes` are computed.
#[derive(Clone, Copy)]
struct Block {
    x0: usize,
    columns: usize,
    lanes: usize,
}

impl Block {
    /// Blocks of nearly equal width that cover `nx` columns.
    fn cover(nx: usize) -> impl Iterator<Item = Self> {
        let wide = nx.div_ceil(nx.div_ceil(MAX_BLOCK));
        (0..nx).step_by(wide).map(move |x0| {
            let columns = wide.min(nx - x0);
            Self { x0, columns, lanes: (columns + 4).next_multiple_of(VECTOR) }
        })
    }

    /// Lane of the face beyond the last column of the grid, if it is in flight.
    fn east_lane(&self, nx: u32) -> Option<usize> {
        let lane = nx as usize + HALO - self.x0;
        (lane <= self.lanes).then_some(lane)
    }
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
    let (g, ratio) = (p.gravity, input.dt / p.cell);
    let mut result = BandResult { fastest: 0.0, south: Vec::new(), north: Vec::new() };
    if k0 == 0 {
        result.south.resize(nx, 0.0);
    }
    if k1 == p.nz as isize {
        result.north.resize(nx, 0.0);
    }
    for block in Block::cover(nx) {
        let n = block.lanes;
        for r in k0 - 3..k1 + 3 {
            load_row(p, input, block, r, &mut w.prim[slot(r)]);
            let (new, old) = ((r & 1) as usize, ((r - 1) & 1) as usize); // rows r − 1 and r − 2 of rings of two
            if r > k0 - 2 {
                let at = slot(r - 1);
                let here = &w.prim[at];
                if SECOND {
                    let (below, above) = (&w.prim[slot(r - 2)], &w.prim[slot(r)]);
                    slopes(p, n, [below, here, above], &mut w.slope_x, &mut w.slope_z[new]);
                    predict(g, ratio, n, here, &w.slope_x, &w.slope_z[new], &mut w.centre[new]);
                    if p.drag > 0.0 {
                        slow_down(p, 0.5 * input.dt, n, here, &mut w.centre[new]);
                    }
                    pushes(g, n, &w.centre[new][1], &w.slope_x[0], &w.slope_z[new][0], &mut w.push[at]);
                    x_fluxes::<true>(g, n, &w.centre[new], &w.slope_x, &mut w.fx[at]);
                } else {
                    x_fluxes::<false>(g, n, here, here, &mut w.fx[at]);
                }
                enforce_x(input, block, r - 1, &mut w.fx[at]);
            }
            if r > k0 - 1 && p.planar > 0.0 {
                let (below, at) = (slot(r - 2), slot(r - 1));
                if SECOND {
                    let (low, high) = (&w.centre[old], &w.centre[new]);
                    z_fluxes::<true>(g, n, [low, &w.slope_z[old]], [high, &w.slope_z[new]], &mut w.fz[at]);
                } else {
                    let (low, high) = (&w.prim[below], &w.prim[at]);
                    z_fluxes::<false>(g, n, [low, low], [high, high], &mut w.fz[at]);
                }
                enforce_z(input, block, r - 1, &mut w.fz[at]);
            }
            if r > k0 {
                // Row r − 2 now knows all that leaves it; faces between two such rows can be paid.
                let (at, north) = (slot(r - 2), slot(r - 1));
                let (south_faces, north_faces) = (&w.fz[at][0], &w.fz[north][0]);
                w.drains[at] =
                    outflows(ratio, n, &w.prim[at][1], &w.fx[at][0], south_faces, north_faces, &mut w.alpha[at]);
                if w.drains[at] {
                    drain(n, &w.prim[at][1], &mut w.alpha[at]);
                    clear_ghosts(input, block, r - 2, &mut w.alpha[at]);
                    pay_x(n, &w.alpha[at], &w.prim[at][2], &mut w.fx[at]);
                } else {
                    w.alpha[at].fill(1.0);
                }
                // Most rows drain nowhere: a factor of one changes no bit, so skipping it changes none either.
                if r > k0 + 1 && p.planar > 0.0 && (w.drains[at] || w.drains[slot(r - 3)]) {
                    let below = slot(r - 3);
                    let (low, high) = ((&w.alpha[below], &w.prim[below][3]), (&w.alpha[at], &w.prim[at][3]));
                    pay_z(n, low, high, &mut w.fz[at]);
                }
            }
            if r > k0 + 2 {
                let k = r - 3;
                let fastest = update::<SECOND>(p, input, block, k, (k - k0) as usize, w, &mut out);
                result.fastest = max(fastest, result.fastest);
                count_edges(p, input, block, k, (k - k0) as usize, w, &mut out, &mut result);
            }
        }
    }
    result
}

/// Primitive variables of row `k`, ghosts included.
#[inline(always)]
fn load_row(p: &HllcParams, input: &Input<'_>, block: Block, k: isize, row: &mut Row) {
    let (nx, x0) = (p.nx as usize, block.x0);
    let [eta, h, u, w] = row;
    let end = (nx + 2 * HALO - x0).min(block.lanes + 2); // lanes beyond the last ghost keep old, finite values
    let inside = if k >= 0 && k < p.nz as isize { HALO.saturating_sub(x0)..(nx + HALO - x0).min(end) } else { 0..0 };
    for j in (0..inside.start.min(end)).chain(inside.end..end) {
        let i = (x0 + j) as i32 - HALO as i32;
        let c = input.edges.cell(|i, k| input.stored(i, k), i, k as i32);
        let d = depth(c.s, c.z);
        let inverse = inverse_depth(d, p.h_eps);
        (eta[j], h[j], u[j], w[j]) = (surface(c.s, c.z), d, c.qx * inverse, c.qz * inverse);
    }
    if inside.is_empty() {
        return;
    }
    let at = k as usize * nx + x0 + inside.start - HALO;
    let n = inside.len();
    let (s, z) = (&input.s[at..at + n], &input.bed[at..at + n]);
    let (qx, qz) = (&input.qx[at..at + n], &input.qz[at..at + n]);
    let (eta, h) = (&mut eta[inside.clone()], &mut h[inside.clone()]);
    let (u, w) = (&mut u[inside.clone()], &mut w[inside]);
    for j in 0..n {
        eta[j] = surface(s[j], z[j]);
        h[j] = depth(s[j], z[j]);
    }
    for j in 0..n {
        let inverse = inverse_depth(h[j], p.h_eps);
        u[j] = qx[j] * inverse;
        w[j] = qz[j] * inverse;
    }
}

fn enforce_x(input: &Input<'_>, block: Block, k: isize, flux: &mut Row) {
    let e = &input.edges;
    if k < 0 || k >= e.nz as isize {
        return;
    }
    if block.x0 == 0 {
        enforce(e.kind_at(0, k as u32), 1.0, e.values[0], flux, HALO);
    }
    if let Some(lane) = block.east_lane(e.nx) {
        enforce(e.kind_at(1, k as u32), -1.0, e.values[1], flux, lane);
    }
}

/// `k` is the row north of the face.
fn enforce_z(input: &Input<'_>, block: Block, k: isize, flux: &mut Row) {
    let e = &input.edges;
    let (side, inward) = match k {
        0 => (2, 1.0),
        k if k == e.nz as isize => (3, -1.0),
        _ => return,
    };
    let low = block.x0.saturating_sub(1); // a neighbour block's column feeds this block's draining factors
    for i in low..(block.x0 + block.columns + 1).min(e.nx as usize) {
        enforce(e.kind_at(side, i as u32), inward, e.values[side], flux, i + HALO - block.x0);
    }
}

/// Ghosts never run dry.
fn clear_ghosts(input: &Input<'_>, block: Block, k: isize, alpha: &mut Lane) {
    let e = &input.edges;
    if k < 0 || k >= e.nz as isize {
        alpha.fill(1.0);
        return;
    }
    if block.x0 == 0 {
        alpha[..HALO].fill(1.0);
    }
    if let Some(lane) = block.east_lane(e.nx) {
        alpha[lane..].fill(1.0);
    }
}

/// New state of row `k`, row `local` of the band. Returns the fastest signal.
#[inline(always)]
fn update<const SECOND: bool>(
    p: &HllcParams,
    input: &Input<'_>,
    block: Block,
    k: isize,
    local: usize,
    w: &mut Workspace,
    out: &mut Output<'_>,
) -> f32 {
    let Block { x0, columns, .. } = block;
    let (nx, at) = (p.nx as usize, slot(k));
    let from = k as usize * nx + x0;
    for (row, plane) in w.old.iter_mut().zip([input.s, input.qx, input.qz, input.bed]) {
        row[..columns].copy_from_slice(&plane[from..from + columns]);
    }
    let n = columns.next_multiple_of(VECTOR);
    let faces = [&w.fx[at], &w.fz[at], &w.fz[slot(k + 1)]];
    let shared = Shared { ratio: input.dt / p.cell, rain: input.dt * input.rain, dither: input.dither };
    balance::<SECOND>(shared, n, &w.old, faces, &w.push[at], &mut w.new);
    finish(p, input.dt, n, &w.old[3], &mut w.new);
    let to = local * nx + x0;
    for (row, plane) in w.new.iter().zip([&mut *out.s, &mut *out.qx, &mut *out.qz]) {
        plane[to..to + columns].copy_from_slice(&row[..columns]);
    }
    largest(&w.new[3][..columns])
}

/// Counts what entered through the sides of the domain.
#[expect(clippy::too_many_arguments, reason = "one row of everything in flight")]
fn count_edges(
    p: &HllcParams,
    input: &Input<'_>,
    block: Block,
    k: isize,
    local: usize,
    w: &Workspace,
    out: &mut Output<'_>,
    result: &mut BandResult,
) {
    let volume = input.dt * p.cell;
    let at = slot(k);
    if block.x0 == 0 {
        out.west[local] += volume * w.fx[at][0][HALO];
    }
    if block.x0 + block.columns == p.nx as usize {
        out.east[local] -= volume * w.fx[at][0][HALO + block.columns];
    }
    let own = HALO..HALO + block.columns;
    let here = block.x0..block.x0 + block.columns;
    if k == 0 {
        let faces = &w.fz[at][0][own.clone()];
        result.south[here.clone()].iter_mut().zip(faces).for_each(|(total, mass)| *total = volume * mass);
    }
    if k + 1 == p.nz as isize {
        let faces = &w.fz[slot(k + 1)][0][own];
        result.north[here].iter_mut().zip(faces).for_each(|(total, mass)| *total = -volume * mass);
    }
}
