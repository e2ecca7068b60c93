use rayon::prelude::*;

use super::{BAND, JudgeParams, JudgeSlices, want, wish};
use crate::physics::{depth, inverse_depth, max, min, surface};
use crate::tree::layout::{CELL_WORDS, CELLS, TILE, clock};
use crate::tree::map::{Beyond, Map, TilePlace};
use crate::tree::sight::{Prim, Sight};

/// Restlessness of the edge of the water: more than any tolerance.
const FRONT: f32 = 1e30;
/// Cells twice as large see twice the difference; a factor of two more keeps tiles from going to and fro.
const KEEP_ABOVE: f32 = 0.25;

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
    window.differences(p, strain, &mut restless);
    let (mut worst, mut sides) = (0.0, 0);
    for k in 0..TILE {
        for i in 0..TILE {
            let here = restless[lane(i as i32, k as i32)];
            worst = max(worst, here);
            if here > KEEP_ABOVE {
                sides |= near_sides(i, k);
            }
        }
    }
    let decision = if worst > 1.0 && place.level < most {
        want::SPLIT
    } else if worst > KEEP_ABOVE || place.level <= least || !mergeable(p, sight, strain, slot) {
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

/// Surface, depth and velocity of a tile and of the cells at its sides; outside the domain, those of the cell at the edge.
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
                let own = || sight.at(slot, i - dx, k - dz);
                let there = match beyond {
                    Beyond::Outside => own(),
                    Beyond::Same(other) => sight.at(other, i, k),
                    _ => sight.rough(place.level, i0 + i, k0 + k).unwrap_or_else(own),
                };
                self.set(lane(i, k), there);
            }
        }
    }

    fn load_own(&mut self, h_eps: f32, stored: &[f32]) {
        own_prims(h_eps, stored, &mut self.0);
    }

    fn differences(&self, p: &JudgeParams, strain: f32, restless: &mut [f32; LANES]) {
        differences(p, strain, &self.0, restless);
    }
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

/// How much more than tolerable each cell differs from one of its four neighbours.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
fn differences(p: &JudgeParams, strain: f32, window: &[[f32; LANES]; 4], restless: &mut [f32; LANES]) {
    let front = if p.fronts > 0 { FRONT } else { 0.0 };
    let (per_metre, per_speed) = (1.0 / (p.surface * strain), 1.0 / (p.speed * strain));
    let film = film(p, strain);
    let [eta, h, u, w] = window;
    for a in WIDE..WIDE + (TILE * WIDE).next_multiple_of(16) {
        let mut most = 0.0;
        for b in [a - 1, a + 1, a - WIDE, a + WIDE] {
            let surface = (eta[a] - eta[b]).abs() * per_metre;
            let speed = max((u[a] - u[b]).abs(), (w[a] - w[b]).abs()) * per_speed;
            let (wet_a, wet_b) = (h[a] > film, h[b] > film);
            let wet = if wet_a & wet_b { max(surface, speed) } else { 0.0 };
            most = max(most, if wet_a ^ wet_b { front } else { wet });
        }
        restless[a] = most;
    }
}

/// Whether every four cells that become one may: all dry, all wet with nearly the same surface, or a film that runs down a slope. A still lake stays still then, its shore too.
fn mergeable(p: &JudgeParams, sight: &Sight<'_>, strain: f32, slot: u32) -> bool {
    let tile = TILE as i32;
    (0..tile).step_by(2).all(|k| {
        (0..tile).step_by(2).all(|i| {
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(di, dk)| sight.at(slot, i + di, k + dk));
            let (mut wet, mut low, mut high, mut deepest) = (0, f32::MAX, f32::MIN, 0.0);
            for v in four {
                wet += u32::from(v[1] > 0.0);
                low = min(v[0], low);
                high = max(v[0], high);
                deepest = max(v[1], deepest);
            }
            let level = high - low <= p.surface * strain;
            // Water at rest that ends here: ground beside it is as high. A film would run down.
            let rests = four.iter().all(|v| v[1] <= 0.0 || v[0] <= low + AT_REST);
            wet == 0 || (wet == 4 && level) || (deepest <= film(p, strain) && !rests)
        })
    })
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
