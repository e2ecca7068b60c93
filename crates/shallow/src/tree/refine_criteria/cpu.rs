use rayon::prelude::*;

use super::constants::{AT_REST, BAND, FILM};
use super::{RefineParams, RefineSlices};
use crate::physics::{depth, inverse_depth, max, min, surface};
use crate::tree::layout::{CELLS, NONE, TILE, clock, want, wish};
use crate::tree::map::{Beyond, Map, TilePlace};
use crate::tree::neighbour_cells::{NeighbourCells, Prim};

/// Tiles that a thread takes at least.
const TILES_AT_ONCE: usize = 16;

pub(super) fn refine_criteria(p: &RefineParams, s: RefineSlices<'_>) {
    let map = Map(s.topology);
    let look = Look {
        p,
        neighbours: NeighbourCells { map, cells: s.cells, h_eps: p.h_eps },
        wishes: s.wishes,
        strain: s.clock[clock::STRAIN],
    };
    let slots = s.wants[..p.capacity as usize].par_iter_mut().enumerate().with_min_len(TILES_AT_ONCE);
    slots.for_each_init(Window::new, |window, (slot, out)| {
        *out = map.tile(slot as u32).map_or(want::KEEP, |place| look.judged(slot as u32, place, window));
    });
}

/// What all tiles share.
struct Look<'a> {
    p: &'a RefineParams,
    neighbours: NeighbourCells<'a>,
    wishes: &'a [f32],
    strain: f32,
}

impl Look<'_> {
    fn judged(&self, slot: u32, place: TilePlace, window: &mut Window) -> u32 {
        let Self { p, strain, .. } = *self;
        let (least, most) = limits(p, self.wishes, place);
        if place.level < least {
            return want::SPLIT;
        }
        if place.level > most {
            return want::MERGE; // whatever the water does
        }
        self.load(slot, place, window);
        let bands = if p.bends > 0 {
            differences::<true>(p, place.level, strain, &window.0)
        } else {
            differences::<false>(p, place.level, strain, &window.0)
        };
        let keep_above = keep_above(p);
        let worst = bands.iter().flatten().fold(0.0, |worst, &here| max(worst, here));
        let decision = if worst > 1.0 && place.level < most {
            want::SPLIT
        } else if worst > keep_above || place.level <= least || !mergeable(p, window, strain) {
            want::KEEP
        } else {
            want::MERGE
        };
        decision | restless_sides(&bands, keep_above) << want::SIDES
    }
}

/// Worst cells of every column: in the first `BAND` rows, in the last, and in those between.
type Bands = [[f32; TILE]; 3];

/// Sides that have restless cells less than `BAND` cells away, as bits.
fn restless_sides(bands: &Bands, keep_above: f32) -> u32 {
    let restless = |cells: &[f32]| cells.iter().any(|&here| here > keep_above);
    let columns = |from: usize| bands.iter().any(|band| restless(&band[from..from + BAND]));
    let sides = [columns(0), columns(TILE - BAND), restless(&bands[0]), restless(&bands[1])];
    sides.into_iter().enumerate().fold(0, |bits, (side, is)| bits | u32::from(is) << side)
}

/// Cells along x of a tile and its neighbours at the sides.
const WIDE: usize = TILE + 2;
/// Lanes of a window, in whole vectors, and room for the lane after it.
const LANES: usize = (WIDE * WIDE).next_multiple_of(16) + 16;

/// Lane of cell `(i, k)`, −1 to 16.
fn lane(i: i32, k: i32) -> usize {
    ((k + 1) * WIDE as i32 + i + 1) as usize
}

/// Surface, depth and velocity of a tile and of the cells at its sides; outside the domain the water goes on straight.
struct Window([[f32; LANES]; 4]);

impl Window {
    fn new() -> Self {
        Self([[0.0; LANES]; 4])
    }

    fn set(&mut self, at: usize, v: Prim) {
        for (lanes, v) in self.0.iter_mut().zip(v) {
            lanes[at] = v;
        }
    }
}

impl Look<'_> {
    fn load(&self, slot: u32, place: TilePlace, window: &mut Window) {
        let Self { p, neighbours, .. } = self;
        let tile = TILE as i32;
        own_prims(p.h_eps, neighbours.tile(slot), &mut window.0);
        let (i0, k0) = (place.x as i32 * tile, place.z as i32 * tile);
        let shift = p.levels - 1 - place.level;
        let size = [(p.nx >> shift) as i32, (p.nz >> shift) as i32];
        for (side, [dx, dz]) in [[-1, 0], [1, 0], [0, -1], [0, 1]].into_iter().enumerate() {
            let beyond = neighbours.map.beyond(place, [dx, dz], size);
            if let Beyond::Same(other) = beyond {
                border_prims(p.h_eps, neighbours.tile(other), side, &mut window.0);
                continue;
            }
            let finer = neighbours.map.finer_beside(place, side);
            for n in 0..tile {
                let (i, k) = [(-1, n), (tile, n), (n, -1), (n, tile)][side];
                let (own_i, own_k) = (i - dx, k - dz);
                let own = || neighbours.at(slot, own_i, own_k);
                let there = match beyond {
                    Beyond::Outside => straight_on(p.h_eps, own(), neighbours.at(slot, own_i - dx, own_k - dz)),
                    Beyond::Same(_) | Beyond::Finer => match finer[(n / (tile / 2)) as usize] {
                        NONE => own(),
                        slot => neighbours.mean_of(slot, 2 * (i0 + i), 2 * (k0 + k)),
                    },
                    Beyond::Coarser(other) => {
                        let far = neighbours.at(other, (i0 + i) >> 1, (k0 + k) >> 1);
                        let beside = neighbours.at(slot, own_i ^ dx.abs() ^ 1, own_k ^ dz.abs() ^ 1);
                        nearer(p.h_eps, own(), beside, far)
                    }
                };
                window.set(lane(i, k), there);
            }
        }
    }
}

/// The water beyond the edge of the domain: as from the cell within to the one at the edge.
fn straight_on(h_eps: f32, edge: Prim, within: Prim) -> Prim {
    if within[1] <= h_eps {
        return edge; // the surface of dry cells is ground
    }
    let on = |n: usize| 2.0 * edge[n] - within[n];
    [on(0), edge[1], on(2), on(3)]
}

/// The water one small cell away from `own`, on the way to a large cell 1½ away; `beside` is the other small cell at
/// the large one. Exact on planes.
fn nearer(h_eps: f32, own: Prim, beside: Prim, far: Prim) -> Prim {
    if min(min(own[1], beside[1]), far[1]) <= h_eps {
        return far; // the surface of dry cells is ground
    }
    let near = |n: usize| own[n] + (far[n] - 0.5 * (own[n] + beside[n])) * (2.0 / 3.0);
    [near(0), far[1], near(2), near(3)]
}

/// Share of what is tolerable below which four tiles may merge. Cells twice as large see twice the step and four times
/// the bend; a factor of two more keeps tiles from going to and fro.
fn keep_above(p: &RefineParams) -> f32 {
    if p.bends > 0 { 0.125 } else { 0.25 }
}

/// Primitive variables of a tile's own cells.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
fn own_prims(h_eps: f32, stored: &[f32], window: &mut [[f32; LANES]; 4]) {
    for k in 0..TILE {
        let stored = std::array::from_fn(|plane| line(stored, plane * CELLS + k * TILE));
        for (lanes, values) in window.iter_mut().zip(prims(h_eps, stored)) {
            lanes[lane(0, k as i32)..][..TILE].copy_from_slice(&values);
        }
    }
}

/// Those of the cells beside a tile, from a neighbour of its size.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
fn border_prims(h_eps: f32, stored: &[f32], side: usize, window: &mut [[f32; LANES]; 4]) {
    let last = TILE - 1;
    // The first cell that is seen, the step to the next, and the lanes where they go.
    let (first, step) = [(last, TILE), (0, TILE), (TILE * last, 1), (0, 1)][side];
    let to = [lane(-1, 0), lane(TILE as i32, 0), lane(0, -1), lane(0, TILE as i32)][side];
    let stride = if side < 2 { WIDE } else { 1 };
    let cells: [[f32; TILE]; 4] =
        std::array::from_fn(|plane| std::array::from_fn(|n| stored[plane * CELLS + first + n * step]));
    for (lanes, values) in window.iter_mut().zip(prims(h_eps, cells)) {
        values.into_iter().enumerate().for_each(|(n, value)| lanes[to + n * stride] = value);
    }
}

/// A row of values.
#[inline(always)]
fn line(values: &[f32], from: usize) -> [f32; TILE] {
    let mut row = [0.0; TILE];
    row.copy_from_slice(&values[from..from + TILE]);
    row
}

/// Surface, depth and velocity of a row of cells.
#[inline(always)]
fn prims(h_eps: f32, [s, qx, qz, z]: [[f32; TILE]; 4]) -> [[f32; TILE]; 4] {
    let mut out = [[0.0; TILE]; 4];
    for j in 0..TILE {
        let h = depth(s[j], z[j]);
        let inverse = inverse_depth(h, h_eps);
        (out[0][j], out[1][j]) = (surface(s[j], z[j]), h);
        (out[2][j], out[3][j]) = (qx[j] * inverse, qz[j] * inverse);
    }
    out
}

/// How much more than tolerable each cell differs from its neighbours, or from the straight line between two of them.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
fn differences<const BENDS: bool>(p: &RefineParams, level: u32, strain: f32, window: &[[f32; LANES]; 4]) -> Bands {
    // Edges ask for the finest cells while there are enough of them.
    let front = if p.fronts > 0 { (1u32 << (p.levels - 1 - level)) as f32 / strain } else { 0.0 };
    let per = Tolerance {
        film: film(p, strain),
        front,
        per_metre: 1.0 / (p.surface * strain),
        per_speed: 1.0 / (p.speed * strain),
    };
    let mut bands = [[0.0; TILE]; 3];
    for k in 0..TILE {
        let at = lane(0, k as i32);
        let rows = |from: usize| -> [[f32; TILE]; 4] { std::array::from_fn(|c| line(&window[c], from)) };
        let here = rows(at);
        let band = &mut bands[if k < BAND { 0 } else { 2 - usize::from(k >= TILE - BAND) }];
        changes::<BENDS>(&per, [&rows(at - 1), &here, &rows(at + 1)], band);
        changes::<BENDS>(&per, [&rows(at - WIDE), &here, &rows(at + WIDE)], band);
    }
    bands
}

struct Tolerance {
    /// Depth below which water does not count, m.
    film: f32,
    /// What an edge of the water is worth.
    front: f32,
    /// Of differences of surface, 1/m, and velocity, s/m.
    per_metre: f32,
    per_speed: f32,
}

/// How much more than tolerable the water changes from `b` over `a` to `c`, in a row of cells.
#[inline(always)]
fn changes<const BENDS: bool>(per: &Tolerance, [b, a, c]: [&[[f32; TILE]; 4]; 3], worst: &mut [f32; TILE]) {
    for j in 0..TILE {
        let wet = [b, a, c].map(|v| v[1][j] > per.film);
        let change = |n: usize| {
            let (b, a, c) = (b[n][j], a[n][j], c[n][j]);
            if BENDS {
                let bend = ((b - a) - (a - c)).abs();
                if wet[0] & wet[1] & wet[2] { bend } else { 0.0 }
            } else {
                let (before, after) = ((a - b).abs(), (a - c).abs());
                max(if wet[0] & wet[1] { before } else { 0.0 }, if wet[1] & wet[2] { after } else { 0.0 })
            }
        };
        let mut most = max(change(0) * per.per_metre, max(change(2), change(3)) * per.per_speed);
        for (wet_b, b) in [(wet[0], b), (wet[2], c)] {
            // Water that stands over dry ground beside it.
            let rise = if wet[1] { a[0][j] - b[0][j] } else { b[0][j] - a[0][j] };
            let deep = if wet[1] { a[1][j] } else { b[1][j] };
            let edge = max(per.front, max(min(rise, deep), 0.0) * per.per_metre);
            most = max(most, if wet[1] ^ wet_b { edge } else { 0.0 });
        }
        worst[j] = max(worst[j], most);
    }
}

/// Whether every four cells that become one may: all dry, all wet with nearly the same surface, or a film that runs
/// down a slope. A still lake stays still then, its shore too.
fn mergeable(p: &RefineParams, window: &Window, strain: f32) -> bool {
    let [eta, h, ..] = &window.0;
    let film = film(p, strain);
    let (shallowest, deepest) = extremes(h);
    if shallowest > film || deepest <= 0.0 {
        return true; // all deep, or all dry
    }
    (0..TILE as i32).step_by(2).all(|k| {
        (0..TILE as i32).step_by(2).all(|i| {
            let first = lane(i, k);
            let four = [first, first + 1, first + WIDE, first + WIDE + 1];
            let (mut wet, mut low, mut high) = (0, f32::MAX, f32::MIN);
            let (mut shallowest, mut deepest) = (f32::MAX, 0.0);
            for a in four {
                wet += u32::from(h[a] > 0.0);
                low = min(eta[a], low);
                high = max(eta[a], high);
                shallowest = min(h[a], shallowest);
                deepest = max(h[a], deepest);
            }
            // Deeper water has been looked at.
            let level = shallowest > film || high - low <= p.surface * strain;
            wet == 0 || (wet == 4 && level) || (deepest <= film && !rests(eta, h, first, low))
        })
    })
}

/// The least and the largest depth of a tile, m.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
fn extremes(h: &[f32; LANES]) -> (f32, f32) {
    let (mut low, mut high) = ([f32::MAX; TILE], [0.0f32; TILE]);
    for k in 0..TILE {
        let row = line(h, lane(0, k as i32));
        for j in 0..TILE {
            low[j] = min(row[j], low[j]);
            high[j] = max(row[j], high[j]);
        }
    }
    (low.into_iter().fold(f32::MAX, min), high.into_iter().fold(0.0, max))
}

/// Whether the water of four cells rests: neither among them nor beside them is a lower place. A film would run there.
fn rests(eta: &[f32; LANES], h: &[f32; LANES], first: usize, low: f32) -> bool {
    let around = [
        first - 1,
        first + 2,
        first + WIDE - 1,
        first + WIDE + 2,
        first - WIDE,
        first - WIDE + 1,
        first + 2 * WIDE,
        first + 2 * WIDE + 1,
    ];
    let lowest = around.into_iter().fold(low, |low, b| min(eta[b], low));
    [first, first + 1, first + WIDE, first + WIDE + 1].into_iter().all(|a| h[a] <= 0.0 || eta[a] <= lowest + AT_REST)
}

/// Depth below which water does not matter to the tree, m.
fn film(p: &RefineParams, strain: f32) -> f32 {
    max(p.h_eps, FILM * p.surface * strain)
}

/// The coarsest and the finest level that wishes allow for a tile's place.
fn limits(p: &RefineParams, wishes: &[f32], place: TilePlace) -> (u32, u32) {
    let finest = p.levels - 1;
    let span = ((TILE as u32) << (finest - place.level)) as f32 * p.cell;
    let (x0, z0) = (place.x as f32 * span, place.z as f32 * span);
    let (x1, z1) = (x0 + span, z0 + span);
    let mut most = finest;
    if wishes[wish::OBSERVER] > 0.0 {
        let dx = max(max(x0 - wishes[wish::X], wishes[wish::X] - x1), 0.0);
        let dz = max(max(z0 - wishes[wish::Z], wishes[wish::Z] - z1), 0.0);
        let distance = (dx * dx + dz * dz).sqrt();
        let mut reach = wishes[wish::NEAR];
        while most > 0 && distance > reach {
            reach *= 2.0;
            most -= 1;
        }
    }
    let mut least = 0;
    for n in 0..wishes[wish::REGIONS] as usize {
        let r = &wishes[wish::FIRST + wish::REGION_WORDS * n..][..wish::REGION_WORDS];
        if x0 < r[2] && x1 > r[0] && z0 < r[3] && z1 > r[1] {
            least = least.max(r[4] as u32);
        }
    }
    (least, most.max(least))
}
