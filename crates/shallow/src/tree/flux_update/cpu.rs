//! A tile's step, in the order in which it happens.

use std::cell::RefCell;

use rayon::prelude::*;

use super::lanes::{
    EMPTY, GIVEN_AWAY, Lane, NewRow, Row, WIDE, ZERO, balance, finish, is_dry, lane, outflows, predict, slopes,
    slow_down, x_fluxes, z_fluxes,
};
use super::window::{Coarse, NO_COARSE, View};
use super::{FluxParams, FluxSlices, Layer};
use crate::boundary::{Edges, enforce, kind};
use crate::physics::{Shared, add_dithered, at_face, depth, max, min};
use crate::tree::layout::{CELL_WORDS, CELLS, NONE, REGISTER_WORDS, SIDE_WORDS, TILE, clock, lists, out, source};
use crate::tree::map::{Beyond, TilePlace};
use crate::tree::params::covers;

/// Tiles that a thread takes at least: fewer are done before another thread is awake.
const TILES_AT_ONCE: usize = 24;

thread_local! {
    /// Of 60 KiB, too much to make anew for every share of a list.
    static WORKSPACE: RefCell<Box<Workspace>> = RefCell::new(Box::new(Workspace::new()));
}

pub(super) fn flux_update(p: &FluxParams, s: FluxSlices<'_>) {
    let view = View::new(p, s.topology, s.lists, s.clock, s.cells);
    let level = p.level as usize;
    let count = s.lists[lists::COUNTS + level] as usize;
    let first = lists::PLACES + p.capacity as usize * (1 + level);
    let list = &s.lists[first..first + count];
    let values = std::array::from_fn(|side| s.clock[clock::SIDE_VALUES + side]);
    let step = Step { view, edges: p.edges(values, s.levels), registers: s.registers };
    let tiles = s.out.par_chunks_mut(out::WORDS).zip(list).with_min_len(TILES_AT_ONCE);
    tiles.for_each(|(out, &slot)| WORKSPACE.with_borrow_mut(|w| step.tile(slot, w, out)));
}

/// What all tiles of a level share.
struct Step<'a> {
    view: View<'a>,
    edges: Edges<'a>,
    registers: &'a [f32],
}

struct Workspace {
    raw: Row,
    prim: Row,
    centre: Row,
    slope_x: Row,
    slope_z: Row,
    fx: Row,
    fz: Row,
    alpha: Lane,
    coarse: [Coarse; 4],
}

impl Workspace {
    fn new() -> Self {
        Self {
            raw: EMPTY,
            prim: EMPTY,
            centre: EMPTY,
            slope_x: EMPTY,
            slope_z: EMPTY,
            fx: EMPTY,
            fz: EMPTY,
            alpha: ZERO,
            coarse: [NO_COARSE; 4],
        }
    }
}

/// Lane of the face of cell `n` along a side.
fn face(side: usize, n: usize) -> usize {
    let (n, tile) = (n as i32, TILE as i32);
    match side {
        0 => lane(0, n),
        1 => lane(tile, n),
        2 => lane(n, 0),
        _ => lane(n, tile),
    }
}

impl Step<'_> {
    fn tile(&self, slot: u32, w: &mut Workspace, report: &mut [f32]) {
        let Some(place) = self.view.map.tile(slot) else { return };
        if self.view.p.order < 2 {
            self.advance::<false>(slot, place, w, report);
        } else {
            self.advance::<true>(slot, place, w, report);
        }
    }

    fn advance<const SECOND: bool>(&self, slot: u32, place: TilePlace, w: &mut Workspace, report: &mut [f32]) {
        let View { p, dt, .. } = self.view;
        let beyond = self.view.load::<SECOND>(slot, place, &self.edges, &mut w.raw, &mut w.prim, &mut w.coarse);
        report[out::SPEED..].fill(0.0);
        for side in (0..4).filter(|&side| matches!(beyond[side], Beyond::Coarser(_))) {
            report[out::EDGES + SIDE_WORDS * side..][..SIDE_WORDS].fill(0.0);
        }
        let ratio = dt / p.cell;
        // Lanes that this order does not look at hold what a thread saw before: water there costs time, and changes nothing.
        if is_dry(&w.prim[1]) {
            (w.fx, w.fz, w.slope_x, w.slope_z) = (EMPTY, EMPTY, EMPTY, EMPTY);
            w.centre.clone_from(&w.prim);
        } else {
            fluxes::<SECOND>(p, dt, w);
        }
        let taken = self.settle_sides(place, beyond, w);
        let drains = outflows(ratio, &w.prim[1], &w.fx[0], &w.fz[0], &mut w.alpha);
        if drains {
            let held_back = pay(&taken, beyond, w, &mut report[out::EDGES..]);
            report[out::HELD_BACK] = held_back as f32;
        }
        self.report_to_coarse::<SECOND>(beyond, w, report);
        self.count_sides(beyond, w, report);
        let rain = dt * self.view.clock[clock::RAIN_RATE];
        count(report, rain * (CELLS as f32 * p.cell * p.cell));
        let shared = Shared { ratio, rain, dither: self.view.clock[clock::DITHER] };
        update::<SECOND>(p, dt, shared, self.old(slot), w, report);
        self.absorb(slot, place, report);
        self.pour(slot, place, report);
    }

    fn old(&self, slot: u32) -> &[f32] {
        &self.view.cells[CELL_WORDS * slot as usize..][..CELL_WORDS]
    }

    /// Faces at the sides of the tile: what the domain's edge asks for, nothing to those who sleep, what smaller cells have already taken or given, and no more than
    /// their share from larger ones. Returns for every side what is beyond this tile's say, m.
    fn settle_sides(&self, place: TilePlace, beyond: [Beyond; 4], w: &mut Workspace) -> [[f32; TILE]; 4] {
        let View { p, dt, .. } = self.view;
        let mut taken = [[0.0; TILE]; 4];
        let tile = TILE as u32;
        for side in 0..4 {
            let Workspace { prim, fx, fz, coarse, .. } = w;
            let flux = if side < 2 { fx } else { fz };
            let inward = if side & 1 == 0 { 1.0 } else { -1.0 };
            match beyond[side] {
                Beyond::Outside => {
                    let along = tile * if side < 2 { place.z } else { place.x };
                    for n in 0..TILE {
                        let code = self.edges.kind_at(side, along + n as u32);
                        enforce(code, inward, self.edges.values[side], flux, face(side, n));
                    }
                }
                Beyond::Same(other) if self.view.awake(other) => {}
                Beyond::Coarser(other) if self.view.awake(other) => {
                    // A share that all who may ask can have: two faces, as many steps as fit into the large cell's, and a corner cell has two such sides.
                    let steps = self.view.clock[clock::PERIODS + p.level as usize - 1]
                        / self.view.clock[clock::PERIODS + p.level as usize];
                    for n in 0..TILE {
                        // Number of the large cell along the side of its own tile.
                        let at = ((if side < 2 { place.z } else { place.x } * tile + n as u32) / 2) % tile;
                        let share = if at == 0 || at == tile - 1 { 1.0 } else { 2.0 } / steps;
                        let most = GIVEN_AWAY * share * coarse[side].now[n] * p.cell / dt;
                        let j = face(side, n);
                        let mass = inward * flux[0][j];
                        if mass > most {
                            let step = if side < 2 { 1 } else { WIDE };
                            let donor = if side & 1 == 0 { j - step } else { j };
                            cut(flux, j, inward * most, prim[2 + side / 2][donor]);
                        }
                    }
                }
                Beyond::Same(_) | Beyond::Coarser(_) => {
                    for n in 0..TILE {
                        (flux[0][face(side, n)], flux[3][face(side, n)]) = (0.0, 0.0);
                    }
                }
                Beyond::Finer => self.take_registers(place, side, flux, &mut taken[side]),
            }
        }
        taken
    }

    /// The flux through a side with smaller cells is what those have passed on.
    fn take_registers(&self, place: TilePlace, side: usize, flux: &mut Row, taken: &mut [f32; TILE]) {
        let View { p, dt, .. } = self.view;
        let per_length = 1.0 / (dt * p.cell);
        let (opposite, finer) = (side ^ 1, self.view.map.finer_beside(place, side));
        for (n, taken) in taken.iter_mut().enumerate() {
            let j = face(side, n);
            let finer = finer[n / (TILE / 2)];
            if finer == NONE || !self.view.awake(finer) {
                (flux[0][j], flux[3][j]) = (0.0, 0.0);
                continue;
            }
            let register = &self.registers[REGISTER_WORDS * finer as usize + SIDE_WORDS * opposite..][..SIDE_WORDS];
            let m = 2 * (n % (TILE / 2));
            let sum = |c: usize| per_length * (register[c * TILE + m] + register[c * TILE + m + 1]);
            let mass = sum(0);
            flux[0][j] = mass;
            // Left and right are relative to the cell's own pressure; only the one inside this tile is asked for.
            flux[1][j] = sum(1);
            flux[2][j] = sum(1);
            flux[3][j] = sum(2);
            let outward = if side & 1 == 0 { -mass } else { mass };
            *taken = max(outward, 0.0) * dt / p.cell;
        }
    }

    /// What passed the sides to larger cells in this step, m³ and its momentum, as they see it.
    fn report_to_coarse<const SECOND: bool>(&self, beyond: [Beyond; 4], w: &Workspace, report: &mut [f32]) {
        let View { p, dt, .. } = self.view;
        let weight = dt * p.cell;
        for side in 0..4 {
            let Beyond::Coarser(other) = beyond[side] else { continue };
            if !self.view.awake(other) {
                continue;
            }
            let (flux, slope, step) = if side < 2 { (&w.fx, &w.slope_x, 1) } else { (&w.fz, &w.slope_z, WIDE) };
            let edges = &mut report[out::EDGES + SIDE_WORDS * side..][..SIDE_WORDS];
            for n in 0..TILE {
                let j = face(side, n);
                // The small ghost cell at the face, which the flux was computed with, against the large cell itself.
                let (ghost, half) = if side & 1 == 0 { (j - step, 0.5) } else { (j, -0.5) };
                let centre = if SECOND { &w.centre } else { &w.prim };
                let (eta, h) = (
                    at_face::<SECOND, _>(centre, slope, 0, ghost, half),
                    at_face::<SECOND, _>(centre, slope, 1, ghost, half),
                );
                let coarse = &w.coarse[side];
                let (eta_c, h_c) = if SECOND { (coarse.eta[n], coarse.h[n]) } else { (eta, h) };
                let push = 0.5 * p.gravity * (h + h_c) * (eta - eta_c);
                let own = if side & 1 == 0 { flux[1][j] } else { flux[2][j] };
                edges[n] = weight * flux[0][j];
                edges[TILE + n] = weight * (own + push);
                edges[2 * TILE + n] = weight * flux[3][j];
            }
        }
    }

    /// Counts what entered through the edge of the domain.
    fn count_sides(&self, beyond: [Beyond; 4], w: &Workspace, report: &mut [f32]) {
        let View { p, dt, .. } = self.view;
        for side in (0..4).filter(|&side| beyond[side] == Beyond::Outside) {
            let flux = if side < 2 { &w.fx[0] } else { &w.fz[0] };
            let inward = if side & 1 == 0 { dt * p.cell } else { -dt * p.cell };
            (0..TILE).for_each(|n| count(report, inward * flux[face(side, n)]));
        }
    }

    /// Absorbing layers, see `crate::absorb`; by distance, whatever the size of cells.
    fn absorb(&self, slot: u32, place: TilePlace, report: &mut [f32]) {
        let View { p, dt, .. } = self.view;
        let span = TILE as f32 * p.cell;
        let size = [p.nx, p.nz].map(|n| n as f32 * p.cell / (1 << p.shift()) as f32);
        let low = [place.x, place.z].map(|n| n as f32 * span);
        for (side, Layer { width, strength }) in p.layers().into_iter().enumerate() {
            let axis = side / 2;
            let nearest = if side & 1 == 0 { low[axis] } else { size[axis] - low[axis] - span };
            if width <= 0.0 || nearest >= width {
                continue;
            }
            let beds = &self.old(slot)[3 * CELLS..];
            let (level, rest) = (self.edges.values[side], self.edges.sides[side].rest);
            for at in 0..CELLS {
                let (i, k) = (at % TILE, at / TILE);
                let (across, along) = if side < 2 { (i, k) } else { (k, i) };
                let start = TILE as u32 * if side < 2 { place.z } else { place.x };
                let z = beds[at];
                let h = level - z;
                if h <= 0.0 || self.edges.kind_at(side, start + along as u32) != kind::FAR_FIELD {
                    continue;
                }
                let across = if side & 1 == 0 { across } else { TILE - 1 - across };
                let away = nearest + (across as f32 + 0.5) * p.cell;
                if away >= width {
                    continue;
                }
                let inwardness = 1.0 - away / width;
                let keep = 1.0 / (1.0 + strength * inwardness * inwardness * dt);
                let u = 2.0 * ((p.gravity * h).sqrt() - (p.gravity * max(rest - z, 0.0)).sqrt());
                let inward = if side & 1 == 0 { 1.0 } else { -1.0 };
                let normal = at + CELLS * (1 + axis);
                let (s_far, q_far) = (level - max(z, 0.0), inward * h * u);
                let s = max(s_far + keep * (report[at] - s_far), min(z, 0.0));
                let added = p.cell * p.cell * (s - report[at]);
                report[at] = s;
                report[normal] = q_far + keep * (report[normal] - q_far);
                count(report, added);
            }
        }
    }

    /// Sources and drains, see `crate::sources`.
    fn pour(&self, slot: u32, place: TilePlace, report: &mut [f32]) {
        let View { p, dt, .. } = self.view;
        for n in 0..p.sources as usize {
            let from = &self.view.clock[clock::SOURCES + source::WORDS * n..][..source::WORDS];
            let low = [place.x, place.z].map(|n| (n * TILE as u32) as f32 * p.cell);
            let added = dt * from[source::RATE];
            let span = TILE as f32 * p.cell;
            let reach = bounds(from);
            if low[0] > reach[2] || low[1] > reach[3] || low[0] + span < reach[0] || low[1] + span < reach[1] {
                continue;
            }
            let beds = &self.old(slot)[3 * CELLS..];
            for at in 0..CELLS {
                let (i, k) = (at % TILE, at / TILE);
                if !covers(from, low[0] + (i as f32 + 0.5) * p.cell, low[1] + (k as f32 + 0.5) * p.cell) {
                    continue;
                }
                let (s, z) = (report[at], beds[at]);
                let new = max(add_dithered(s, added, self.view.clock[clock::DITHER]), min(z, 0.0));
                if added < 0.0 {
                    let keep = depth(new, z) / max(depth(s, z), 1e-12);
                    report[at + CELLS] *= keep;
                    report[at + 2 * CELLS] *= keep;
                }
                report[at] = new;
                count(report, p.cell * p.cell * (new - s));
            }
        }
    }
}

/// Low and high corner of a source.
fn bounds(from: &[f32]) -> [f32; 4] {
    let (x0, z0, r2) = (from[source::X], from[source::Z], from[source::RADIUS2]);
    if r2 < 0.0 {
        return [x0, z0, from[source::X1], from[source::Z1]];
    }
    let r = r2.sqrt();
    [x0 - r, z0 - r, x0 + r, z0 + r]
}

fn count(report: &mut [f32], volume: f32) {
    if volume >= 0.0 {
        report[out::ADDED] += volume;
    } else {
        report[out::REMOVED] -= volume;
    }
}

/// Cuts a flux to a mass; the momentum that the rest would have carried stays with its donor, which moves at `un`.
fn cut(flux: &mut Row, j: usize, mass: f32, un: f32) {
    let lost = flux[0][j] - mass;
    flux[3][j] *= mass / flux[0][j];
    flux[0][j] = mass;
    flux[1][j] -= lost * un;
    flux[2][j] -= lost * un;
}

#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
fn fluxes<const SECOND: bool>(p: &FluxParams, dt: f32, w: &mut Workspace) {
    let (g, ratio) = (p.gravity, dt / p.cell);
    if SECOND {
        slopes(p, &w.prim, &mut w.slope_x, &mut w.slope_z);
        predict(g, ratio, &w.prim, &w.slope_x, &w.slope_z, &mut w.centre);
        if p.drag > 0.0 {
            slow_down(p, 0.5 * dt, &w.prim, &mut w.centre);
        }
        x_fluxes::<true>(g, &w.centre, &w.slope_x, &mut w.fx);
        z_fluxes::<true>(g, &w.centre, &w.slope_z, &mut w.fz);
    } else {
        x_fluxes::<false>(g, &w.prim, &w.prim, &mut w.fx);
        z_fluxes::<false>(g, &w.prim, &w.prim, &mut w.fz);
    }
}

/// Cells that would give more than they have give what they have; `taken` is already gone. What neighbours of the same size will not get stands in `edges`, and
/// the sides where that is so are returned as bits.
fn pay(taken: &[[f32; TILE]; 4], beyond: [Beyond; 4], w: &mut Workspace, edges: &mut [f32]) -> u32 {
    let tile = TILE as i32;
    let h = &w.prim[1];
    // Factors of own cells; one where nothing is held back, also around the tile.
    let out = w.alpha;
    w.alpha.fill(1.0);
    for k in 0..tile {
        for i in 0..tile {
            let j = lane(i, k);
            let gone = [(i == 0, 0, k), (i == tile - 1, 1, k), (k == 0, 2, i), (k == tile - 1, 3, i)]
                .into_iter()
                .filter(|(at, ..)| *at)
                .map(|(_, side, n)| taken[side][n as usize])
                .sum::<f32>();
            let (wanted, can) = (out[j] - gone, GIVEN_AWAY * h[j] - gone);
            if wanted > can {
                w.alpha[j] = min(max(can / max(wanted, 1e-30), 0.0), 1.0);
            }
        }
    }
    edges[..REGISTER_WORDS].fill(0.0);
    let mut held_back = 0;
    let passes = |side: usize| !matches!(beyond[side], Beyond::Finer);
    for k in 0..tile {
        for i in 0..=tile {
            let own = (i > 0 || passes(0)) && (i < tile || passes(1));
            if own {
                let j = lane(i, k);
                let lost = pay_face(&w.alpha, &w.prim[2], &mut w.fx, j, 1);
                held_back |= told(
                    edges,
                    lost,
                    if i == 0 {
                        Some(0)
                    } else if i == tile {
                        Some(1)
                    } else {
                        None
                    },
                    k,
                );
            }
        }
    }
    for k in 0..=tile {
        for i in 0..tile {
            let own = (k > 0 || passes(2)) && (k < tile || passes(3));
            if own {
                let j = lane(i, k);
                let lost = pay_face(&w.alpha, &w.prim[3], &mut w.fz, j, WIDE);
                held_back |= told(
                    edges,
                    lost,
                    if k == 0 {
                        Some(2)
                    } else if k == tile {
                        Some(3)
                    } else {
                        None
                    },
                    i,
                );
            }
        }
    }
    // Larger neighbours learn of it through the register, those outside the domain not at all.
    for side in (0..4).filter(|&side| !matches!(beyond[side], Beyond::Same(_))) {
        edges[SIDE_WORDS * side..][..SIDE_WORDS].fill(0.0);
        held_back &= !(1 << side);
    }
    held_back
}

/// Writes what a neighbour will not get.
fn told(edges: &mut [f32], lost: [f32; 3], side: Option<usize>, n: i32) -> u32 {
    let Some(side) = side else { return 0 };
    if lost[0] == 0.0 {
        return 0;
    }
    for (c, lost) in lost.into_iter().enumerate() {
        edges[SIDE_WORDS * side + c * TILE + n as usize] = lost;
    }
    1 << side
}

/// Cuts the flux through one face to what its donor can pay; returns what it lost: mass, momentum across and along.
fn pay_face(alpha: &Lane, velocity: &Lane, flux: &mut Row, j: usize, step: usize) -> [f32; 3] {
    let donor = if flux[0][j] > 0.0 { j - step } else { j };
    if alpha[donor] >= 1.0 {
        return [0.0; 3];
    }
    let lost = (1.0 - alpha[donor]) * flux[0][j];
    let along = (1.0 - alpha[donor]) * flux[3][j];
    let across = lost * velocity[donor];
    flux[0][j] -= lost;
    flux[1][j] -= across;
    flux[2][j] -= across;
    flux[3][j] -= along;
    [lost, across, along]
}

/// New cells of the tile into `report`.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
fn update<const SECOND: bool>(p: &FluxParams, dt: f32, shared: Shared, old: &[f32], w: &Workspace, report: &mut [f32]) {
    let (s, rest) = report.split_at_mut(CELLS);
    let (qx, rest) = rest.split_at_mut(CELLS);
    let (qz, rest) = rest.split_at_mut(CELLS);
    let planes: [&[f32]; 3] = [&old[..CELLS], &old[CELLS..2 * CELLS], &old[2 * CELLS..3 * CELLS]];
    let beds = &old[3 * CELLS..];
    let inside = (&w.centre, &w.slope_x, &w.slope_z);
    let mut fastest = [[0.0f32; TILE]; 2];
    let mut new = NewRow::default();
    for k in 0..TILE {
        let row = k * TILE..(k + 1) * TILE;
        balance::<SECOND>(p.gravity, shared, &planes, (&w.fx, &w.fz), inside, k, &mut new);
        let was = (&beds[row.clone()], &planes[1][row.clone()], &planes[2][row.clone()]);
        finish(p, dt, was, &mut new, &mut fastest);
        s[row.clone()].copy_from_slice(&new.0[0]);
        qx[row.clone()].copy_from_slice(&new.0[1]);
        qz[row].copy_from_slice(&new.0[2]);
    }
    let fastest = fastest.map(|columns| columns.iter().fold(0.0, |a, &b| max(b, a)));
    rest[out::SPEED - 3 * CELLS] = fastest[0];
    rest[out::MOTION - 3 * CELLS] = fastest[1];
}
