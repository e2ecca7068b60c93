use rayon::prelude::*;

use super::{BAND, JudgeParams, JudgeSlices, want, wish};
use crate::physics::{depth, inverse_depth, max, min, surface};
use crate::tree::layout::{CELL_WORDS, CELLS, TILE, clock};
use crate::tree::map::{Beyond, Map, TilePlace};
use crate::tree::sight::{Prim, Sight};

/// Share of the tolerable difference of surfaces below which a depth does not count.
const FILM: f32 = 0.1;
/// Difference of surfaces in water at rest, m.
const AT_REST: f32 = 1e-5;

pub(super) fn judge(p: &JudgeParams, s: JudgeSlices<'_>) {
    let map = Map(s.topology);
    let sight = Sight { map, cells: s.cells, h_eps: p.h_eps };
    let strain = s.clock[clock::STRAIN];
    s.wants[..p.capacity as usize].par_iter_mut().enumerate().for_each(|(slot, out)| {
        *out = match map.tile(slot as u32) {
            Some(place) => judged(p, &sight, s.wishes, strain, slot as u32, place),
            None => want::KEEP,
        };
    });
}

fn judged(p: &JudgeParams, sight: &Sight<'_>, wishes: &[f32], strain: f32, slot: u32, place: TilePlace) -> u32 {
    let (least, most) = limits(p, wishes, place);
    if place.level < least {
        return want::SPLIT;
    }
    if place.level > most {
        return want::MERGE; // whatever the water does
    }
    let mut window = Window::new();
    window.load(p, sight, slot, place);
    let mut restless = [0.0; LANES];
    window.differences(p, place.level, strain, &mut restless);
    let keep_above = keep_above(p);
    let (mut worst, mut sides) = (0.0, 0);
    for k in 0..TILE {
        for i in 0..TILE {
            let here = restless[lane(i as i32, k as i32)];
            worst = max(worst, here);
            if here > keep_above {
                sides |= near_sides(i, k);
            }
        }
    }
    let decision = if worst > 1.0 && place.level < most {
        want::SPLIT
    } else if worst > keep_above || place.level <= least || !mergeable(p, &window, strain) {
        want::KEEP
    } else {
        want::MERGE
    };
    decision | sides << want::SIDES
}

/// Sides from which a cell is less than `BAND` cells away, as bits.
fn near_sides(i: usize, k: usize) -> u32 {
    u32::from(i < BAND) | u32::from(i >= TILE - BAND) << 1 | u32::from(k < BAND) << 2 | u32::from(k >= TILE - BAND) << 3
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

    fn load(&mut self, p: &JudgeParams, sight: &Sight<'_>, slot: u32, place: TilePlace) {
        let tile = TILE as i32;
        self.load_own(p.h_eps, &sight.cells[CELL_WORDS * slot as usize..][..CELL_WORDS]);
        let (i0, k0) = (place.x as i32 * tile, place.z as i32 * tile);
        let shift = p.levels - 1 - place.level;
        let size = [(p.nx >> shift) as i32, (p.nz >> shift) as i32];
        for (dx, dz) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            let beyond = sight.map.beyond(place, [dx, dz], size);
            for n in 0..tile {
                let (i, k) = match (dx, dz) {
                    (-1, _) => (-1, n),
                    (1, _) => (tile, n),
                    (_, -1) => (n, -1),
                    _ => (n, tile),
                };
                let (own_i, own_k) = (i - dx, k - dz);
                let own = || sight.at(slot, own_i, own_k);
                let there = match beyond {
                    Beyond::Outside => straight_on(p.h_eps, own(), sight.at(slot, own_i - dx, own_k - dz)),
                    Beyond::Same(other) => sight.at(other, i, k),
                    Beyond::Finer => sight.rough(place.level, i0 + i, k0 + k).unwrap_or_else(own),
                    Beyond::Coarser(other) => {
                        let far = sight.at(other, (i0 + i) >> 1, (k0 + k) >> 1);
                        let beside = sight.at(slot, own_i ^ dx.abs() ^ 1, own_k ^ dz.abs() ^ 1);
                        nearer(p.h_eps, own(), beside, far)
                    }
                };
                self.set(lane(i, k), there);
            }
        }
    }

    fn load_own(&mut self, h_eps: f32, stored: &[f32]) {
        own_prims(h_eps, stored, &mut self.0);
    }

    fn differences(&self, p: &JudgeParams, level: u32, strain: f32, restless: &mut [f32; LANES]) {
        differences(p, level, strain, &self.0, restless);
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

/// The water one small cell away from `own`, on the way to a large cell 1½ away; `beside` is the other small cell at the large one. Exact on planes.
fn nearer(h_eps: f32, own: Prim, beside: Prim, far: Prim) -> Prim {
    if min(min(own[1], beside[1]), far[1]) <= h_eps {
        return far; // the surface of dry cells is ground
    }
    let near = |n: usize| own[n] + (far[n] - 0.5 * (own[n] + beside[n])) * (2.0 / 3.0);
    [near(0), far[1], near(2), near(3)]
}

/// Share of what is tolerable below which four tiles may merge. Cells twice as large see twice the step and four times the bend; a factor of two more keeps tiles from
/// going to and fro.
fn keep_above(p: &JudgeParams) -> f32 {
    if p.bends > 0 { 0.125 } else { 0.25 }
}

/// Primitive variables of a tile's own cells.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
fn own_prims(h_eps: f32, stored: &[f32], window: &mut [[f32; LANES]; 4]) {
    let [eta, h, u, w] = window;
    for k in 0..TILE {
        let row = |plane: usize| &stored[plane * CELLS + k * TILE..][..TILE];
        let (s, qx, qz, z) = (row(0), row(1), row(2), row(3));
        let to = lane(0, k as i32)..lane(0, k as i32) + TILE;
        let (eta, h, u, w) = (&mut eta[to.clone()], &mut h[to.clone()], &mut u[to.clone()], &mut w[to]);
        for j in 0..TILE {
            eta[j] = surface(s[j], z[j]);
            h[j] = depth(s[j], z[j]);
            let inverse = inverse_depth(h[j], h_eps);
            u[j] = qx[j] * inverse;
            w[j] = qz[j] * inverse;
        }
    }
}

/// How much more than tolerable each cell differs from its neighbours, or from the straight line between two of them.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
fn differences(p: &JudgeParams, level: u32, strain: f32, window: &[[f32; LANES]; 4], restless: &mut [f32; LANES]) {
    // Edges ask for the finest cells while there are enough of them.
    let front = if p.fronts > 0 { (1u32 << (p.levels - 1 - level)) as f32 / strain } else { 0.0 };
    let (per_metre, per_speed) = (1.0 / (p.surface * strain), 1.0 / (p.speed * strain));
    let film = film(p, strain);
    let bends = p.bends > 0;
    let [eta, h, u, w] = window;
    for a in WIDE..WIDE + (TILE * WIDE).next_multiple_of(16) {
        let mut most = 0.0;
        for (b, c) in [(a - 1, a + 1), (a - WIDE, a + WIDE)] {
            let wet = [h[b] > film, h[a] > film, h[c] > film];
            let step = |v: &[f32; LANES], b: usize| (v[a] - v[b]).abs();
            let steps = |v: &[f32; LANES]| {
                max(if wet[0] & wet[1] { step(v, b) } else { 0.0 }, if wet[1] & wet[2] { step(v, c) } else { 0.0 })
            };
            let bend = |v: &[f32; LANES]| {
                if wet[0] & wet[1] & wet[2] { ((v[b] - v[a]) - (v[a] - v[c])).abs() } else { 0.0 }
            };
            let change = |v: &[f32; LANES]| if bends { bend(v) } else { steps(v) };
            most = max(most, change(eta) * per_metre);
            most = max(most, max(change(u), change(w)) * per_speed);
            for (wet_b, b) in [(wet[0], b), (wet[2], c)] {
                // Water that stands over dry ground beside it.
                let (high, low, deep) = if wet[1] { (eta[a], eta[b], h[a]) } else { (eta[b], eta[a], h[b]) };
                let stands = max(min(high - low, deep), 0.0) * per_metre;
                most = max(most, if wet[1] ^ wet_b { max(front, stands) } else { 0.0 });
            }
        }
        restless[a] = most;
    }
}

/// Whether every four cells that become one may: all dry, all wet with nearly the same surface, or a film that runs down a slope. A still lake stays still then, its shore too.
fn mergeable(p: &JudgeParams, window: &Window, strain: f32) -> bool {
    let [eta, h, ..] = &window.0;
    let film = film(p, strain);
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
fn film(p: &JudgeParams, strain: f32) -> f32 {
    max(p.h_eps, FILM * p.surface * strain)
}

/// The coarsest and the finest level that wishes allow for a tile's place.
fn limits(p: &JudgeParams, wishes: &[f32], place: TilePlace) -> (u32, u32) {
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
