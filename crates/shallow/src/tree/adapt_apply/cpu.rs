use rayon::prelude::*;

use super::{AdaptApplyParams, AdaptApplySlices};
use crate::physics::{depth, inverse_depth, limited, max, min, surface};
use crate::tree::layout::action;
use crate::tree::layout::{CELL_WORDS, CELLS, NONE, NURSERY_WORDS, RESTLESS, TILE, status, topology};
use crate::tree::map::{Map, TilePlace};

pub(super) fn adapt_apply(p: &AdaptApplyParams, mut s: AdaptApplySlices<'_>) {
    let map = Map(s.topology);
    let planned = |slot: u32| {
        let plan = &s.plan[action::WORDS * slot as usize..][..action::WORDS];
        let place = map.tile(slot).filter(|_| plan[0] != action::NONE)?;
        Some((plan[0], place, [slot, plan[1], plan[2], plan[3]]))
    };
    let plans: Vec<_> = (0..p.capacity).filter_map(planned).collect();
    // No slot that becomes free is used again in the same pass: all can be computed before any is written.
    let children = |&(action, _, [slot, ..]): &(u32, TilePlace, [u32; 4])| {
        let beds = &s.nursery[NURSERY_WORDS * slot as usize..][..NURSERY_WORDS];
        (action == action::SPLIT)
            .then(|| split_cells(p.h_eps, &s.cells[CELL_WORDS * slot as usize..][..CELL_WORDS], beds))
    };
    let split: Vec<_> = plans.par_iter().map(children).collect();
    for ((_, place, slots), children) in plans.into_iter().zip(split) {
        match children {
            Some(children) => split_tile(p, &mut s, place, slots, &children),
            None => merge(&mut s, place.parent(), slots),
        }
    }
}

fn tile(cells: &[f32], slot: u32) -> [f32; CELL_WORDS] {
    let mut tile = [0.0; CELL_WORDS];
    tile.copy_from_slice(&cells[CELL_WORDS * slot as usize..][..CELL_WORDS]);
    tile
}

/// Enters a tile into the map, or takes it out.
fn enter(topology: &mut [u32], place: TilePlace, slot: u32, ready: bool) {
    let tile = &mut topology[topology::TILES + topology::TILE_WORDS * slot as usize..][..topology::TILE_WORDS];
    tile.copy_from_slice(&[place.level, place.x, place.z, if ready { place.key() } else { NONE }]);
    put(topology, place, slot);
}

fn put(topology: &mut [u32], place: TilePlace, slot: u32) {
    let [first, nx] = [0, 1].map(|n| topology[topology::LEVEL_WORDS * place.level as usize + n]);
    topology[(first + place.x + nx * place.z) as usize] = slot;
}

/// Number in its child (and which child) of quarter `n` of the cell `at` of a parent.
fn quarter(at: usize, n: usize) -> (usize, usize) {
    let (i, k) = (2 * (at % TILE) + (n & 1), 2 * (at / TILE) + (n >> 1));
    ((i / TILE) | (k / TILE) << 1, (i % TILE) + TILE * (k % TILE))
}

/// The cells of four tiles that one splits into, over their beds.
fn split_cells(h_eps: f32, parent: &[f32], beds: &[f32]) -> Box<[[f32; CELL_WORDS]; 4]> {
    let mut out = Box::new([[0.0; CELL_WORDS]; 4]);
    let seen = Seen::new(h_eps, parent);
    for at in 0..CELLS {
        let quarters: [(usize, usize); 4] = std::array::from_fn(|n| quarter(at, n));
        let z = quarters.map(|(child, cell)| beds[CELLS * child + cell]);
        let (old_s, old_z) = (parent[at], parent[at + 3 * CELLS]);
        let mut new = pour_into(old_s, old_z, z);
        let h = depth(old_s, old_z);
        let slopes = seen.tilt(h_eps, at);
        let offsets = |value: usize| {
            let [x, z] = [0.25 * slopes[0][value], 0.25 * slopes[1][value]];
            [-x - z, x - z, z - x, x + z]
        };
        let rise = offsets(0);
        if (0..4).all(|n| depth(new[n], z[n]) > rise[n].abs()) {
            (0..4).for_each(|n| new[n] += rise[n]);
        }
        let depths: [f32; 4] = std::array::from_fn(|n| depth(new[n], z[n]));
        // Faster here, slower there: the momentum stays what it was.
        let gains = [offsets(1), offsets(2)].map(|gain| {
            let dot = |a: &[f32; 4]| (depths[0] * a[0] + depths[1] * a[1]) + (depths[2] * a[2] + depths[3] * a[3]);
            let mean = dot(&gain) / max(dot(&[1.0; 4]), 1e-30);
            gain.map(|gain| gain - mean)
        });
        for (n, (child, cell)) in quarters.into_iter().enumerate() {
            let out = &mut out[child];
            let share = if h > 0.0 { depths[n] / h } else { 0.0 };
            out[cell] = new[n];
            out[cell + CELLS] = parent[at + CELLS] * share + depths[n] * gains[0][n];
            out[cell + 2 * CELLS] = parent[at + 2 * CELLS] * share + depths[n] * gains[1][n];
            out[cell + 3 * CELLS] = z[n];
        }
    }
    out
}

/// Puts four tiles in the place of one.
fn split_tile(
    p: &AdaptApplyParams,
    s: &mut AdaptApplySlices<'_>,
    place: TilePlace,
    slots: [u32; 4],
    children: &[[f32; CELL_WORDS]; 4],
) {
    for (slot, child) in slots.into_iter().zip(children) {
        s.cells[CELL_WORDS * slot as usize..][..CELL_WORDS].copy_from_slice(child);
    }
    put(s.topology, place, NONE);
    let is_finest = place.level + 2 == p.levels;
    for (n, slot) in slots.into_iter().enumerate() {
        enter(s.topology, place.child(n as u32), slot, is_finest);
    }
    let at = |slot: u32| slot as usize * status::WORDS;
    let speed = s.status[at(slots[0]) + status::SPEED];
    for &slot in &slots[1..] {
        s.status[at(slot)..][..status::WORDS].copy_from_slice(&[speed, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
    for slot in slots {
        s.status[at(slot) + status::MOTION] = RESTLESS;
    }
}

/// Surface, velocity along x and z, and depth of the cells of a tile.
struct Seen([[f32; CELLS]; 4]);

impl Seen {
    fn new(h_eps: f32, tile: &[f32]) -> Self {
        let mut out = [[0.0; CELLS]; 4];
        for at in 0..CELLS {
            let (s, z) = (tile[at], tile[at + 3 * CELLS]);
            let h = depth(s, z);
            let inverse = inverse_depth(h, h_eps);
            (out[0][at], out[3][at]) = (surface(s, z), h);
            (out[1][at], out[2][at]) = (tile[at + CELLS] * inverse, tile[at + 2 * CELLS] * inverse);
        }
        Self(out)
    }

    /// Limited differences of surface and velocity across a cell along x and z, from its neighbours in the tile (at the
    /// edge, from those farther in); 0 beside dry cells.
    fn tilt(&self, h_eps: f32, at: usize) -> [[f32; 3]; 2] {
        let [.., h] = &self.0;
        [(at % TILE, 1), (at / TILE, TILE)].map(|(place, step)| {
            let middle = at - place * step + place.clamp(1, TILE - 2) * step;
            let (low, high) = (middle - step, middle + step);
            if min(min(h[low], h[middle]), h[high]) <= h_eps {
                return [0.0; 3];
            }
            std::array::from_fn(|n| {
                let v = &self.0[n];
                limited(v[middle] - v[low], v[high] - v[middle], 1.0)
            })
        })
    }
}

/// Surface variables of the four cells that the water of one is poured into.
fn pour_into(s: f32, z: f32, beds: [f32; 4]) -> [f32; 4] {
    let h = depth(s, z);
    if h <= 0.0 {
        return beds.map(|bed| min(bed, 0.0));
    }
    let highest = beds.iter().fold(f32::MIN, |high, &bed| max(bed, high));
    if highest < 0.0 && s > highest && z < 0.0 {
        return [s; 4];
    }
    // The level that the water reaches in the m lowest of them, for the first m that it does not overflow.
    let mut sorted = beds;
    sorted.sort_by(f32::total_cmp);
    let mut depths_below = 0.0; // Σ (z_m − z) over the m lowest
    let mut rise = 4.0 * h;
    let mut m = 1;
    while m < 4 {
        let more = depths_below + m as f32 * (sorted[m] - sorted[m - 1]);
        if more >= 4.0 * h {
            break;
        }
        depths_below = more;
        m += 1;
    }
    rise = (rise - depths_below) / m as f32; // above the highest bed that is wet
    let top = sorted[m - 1];
    let filled = beds.map(|bed| max(rise + (top - bed), 0.0));
    // What rounding left over goes to the deepest.
    let missing = (h - filled[0]) + (h - filled[1]) + (h - filled[2]) + (h - filled[3]);
    let deepest = (0..4).fold(0, |best, n| if filled[n] > filled[best] { n } else { best });
    std::array::from_fn(|n| {
        let depth = if n == deepest { max(filled[n] + missing, 0.0) } else { filled[n] };
        depth + min(beds[n], 0.0)
    })
}

fn merge(s: &mut AdaptApplySlices<'_>, place: TilePlace, slots: [u32; 4]) {
    let children = slots.map(|slot| tile(s.cells, slot));
    let parent = &mut s.cells[CELL_WORDS * slots[0] as usize..][..CELL_WORDS];
    for at in 0..CELLS {
        let four: [[f32; 4]; 4] = std::array::from_fn(|n| {
            let (child, cell) = quarter(at, n);
            [0, 1, 2, 3].map(|plane| children[child][cell + plane * CELLS])
        });
        let mean = |plane: usize| 0.25 * ((four[0][plane] + four[1][plane]) + (four[2][plane] + four[3][plane]));
        let z = mean(3);
        let below = four.iter().filter(|v| v[3] < 0.0).count();
        // All below or all above the datum: the mean of surfaces is that of depths.
        parent[at] = if below == 0 || below == 4 {
            mean(0)
        } else {
            let h = four.map(|v| depth(v[0], v[3]));
            0.25 * ((h[0] + h[1]) + (h[2] + h[3])) + min(z, 0.0)
        };
        parent[at + CELLS] = mean(1);
        parent[at + 2 * CELLS] = mean(2);
        parent[at + 3 * CELLS] = z;
    }
    let beds = &mut s.nursery[NURSERY_WORDS * slots[0] as usize..][..NURSERY_WORDS];
    for (n, child) in children.iter().enumerate() {
        beds[CELLS * n..][..CELLS].copy_from_slice(&child[3 * CELLS..]);
    }
    for (n, &slot) in slots.iter().enumerate() {
        put(s.topology, place.child(n as u32), NONE);
        s.topology[topology::TILES + topology::TILE_WORDS * slot as usize] = NONE;
    }
    enter(s.topology, place, slots[0], true);
    let words = slots
        .map(|slot| -> [f32; status::WORDS] { std::array::from_fn(|n| s.status[slot as usize * status::WORDS + n]) });
    let all = |n: usize| words.map(|w| w[n]);
    let largest = |n: usize| all(n).into_iter().fold(0.0, |a, b| max(b, a));
    let sum = |n: usize| all(n).into_iter().sum::<f32>();
    s.status[slots[0] as usize * status::WORDS..][..status::WORDS].copy_from_slice(&[
        largest(status::SPEED),
        RESTLESS,
        sum(status::ADDED),
        sum(status::REMOVED),
        sum(status::ADDED_REST),
        sum(status::REMOVED_REST),
    ]);
    // What they have exchanged counts with the parent now.
    for &slot in &slots[1..] {
        s.status[slot as usize * status::WORDS..][..status::WORDS].fill(0.0);
    }
}
