use rayon::prelude::*;

use super::{ActiveParams, FindActiveSlices, ListActiveSlices};
use crate::physics::max;
use crate::tree::layout::{MAX_LEVELS, NONE, TILE, clock, lists, source, status};
use crate::tree::map::{Beyond, Map, TilePlace};
use crate::tree::slot_counts;

/// Groups of slots that a thread takes at least.
const GROUPS_AT_ONCE: usize = 4;

pub(super) fn find_active(p: &ActiveParams, s: FindActiveSlices<'_>) {
    let look = Look { p, map: Map(s.topology), status: s.status, clock: s.clock };
    let places = s.lists[lists::PLACES..][..p.capacity as usize].par_chunks_mut(slot_counts::GROUP);
    let groups = places.zip(s.tallies.par_chunks_mut(slot_counts::WORDS)).enumerate().with_min_len(GROUPS_AT_ONCE);
    groups.for_each(|(group, (places, tally))| {
        tally.fill(0);
        let (counts, speeds) = tally.split_at_mut(MAX_LEVELS);
        for (n, listed) in places.iter_mut().enumerate() {
            let slot = (group * slot_counts::GROUP + n) as u32;
            let Some(place) = look.map.tile(slot).filter(|&place| look.awake(slot, place)) else {
                *listed = NONE;
                continue;
            };
            *listed = place.level;
            let level = place.level as usize;
            counts[level] += 1;
            let speed = s.status[status::WORDS * slot as usize + status::SPEED];
            speeds[level] = max(speed, f32::from_bits(speeds[level])).to_bits();
        }
    });
}

pub(super) fn list_active(p: &ActiveParams, s: ListActiveSlices<'_>) {
    let capacity = p.capacity as usize;
    let (head, rest) = s.lists.split_at_mut(lists::PLACES);
    let (places, segments) = rest.split_at_mut(capacity);
    let (counts, speeds) = head.split_at_mut(lists::SPEEDS);
    counts.fill(0);
    speeds.fill(0);
    for (slot, listed) in places.iter_mut().enumerate().filter(|(_, listed)| **listed != NONE) {
        let level = *listed as usize;
        *listed = counts[level];
        segments[level * capacity + counts[level] as usize] = slot as u32;
        counts[level] += 1;
    }
    // Speeds are not negative, and then ordered as their bits are.
    for tally in s.tallies.chunks_exact(slot_counts::WORDS).take(slot_counts::groups(capacity)) {
        speeds.iter_mut().zip(&tally[MAX_LEVELS..]).for_each(|(fastest, &speed)| *fastest = speed.max(*fastest));
    }
}

struct Look<'a> {
    p: &'a ActiveParams,
    map: Map<'a>,
    status: &'a [f32],
    clock: &'a [f32],
}

impl Look<'_> {
    fn moves(&self, slot: u32) -> bool {
        slot != NONE && self.status[status::WORDS * slot as usize + status::MOTION] > self.p.still
    }

    fn awake(&self, slot: u32, place: TilePlace) -> bool {
        if self.clock[clock::RAIN_RATE] > 0.0 || self.moves(slot) || self.poured_on(place) {
            return true;
        }
        let shift = self.p.levels - 1 - place.level;
        let size = [(self.p.nx >> shift) as i32, (self.p.nz >> shift) as i32];
        for dz in -1..2 {
            for dx in -1..2 {
                if (dx, dz) == (0, 0) {
                    continue;
                }
                let moves = match self.map.beyond(place, [dx, dz], size) {
                    Beyond::Outside => self.driven(dx, dz),
                    Beyond::Same(other) | Beyond::Coarser(other) => self.moves(other),
                    Beyond::Finer => self.finer_moves(place, dx, dz),
                };
                if moves {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a side of the domain drives the water.
    fn driven(&self, dx: i32, dz: i32) -> bool {
        let bit = match (dx, dz) {
            (-1, 0) => 1,
            (1, 0) => 2,
            (0, -1) => 4,
            (0, 1) => 8,
            _ => 0,
        };
        self.p.driven & bit != 0
    }

    /// Whether one of the smaller tiles beyond a side (two) or a corner (one) moves.
    fn finer_moves(&self, place: TilePlace, dx: i32, dz: i32) -> bool {
        let near = |d: i32| match d {
            -1 => 1..2,
            0 => 0..2,
            _ => 0..1,
        };
        let (x, z) = (2 * (place.x as i32 + dx), 2 * (place.z as i32 + dz));
        near(dz).any(|b| near(dx).any(|a| self.moves(self.map.slot(place.level + 1, x + a, z + b))))
    }

    /// Whether a source that runs touches the tile.
    fn poured_on(&self, place: TilePlace) -> bool {
        let span = (TILE as u32) << (self.p.levels - 1 - place.level);
        let span = span as f32 * self.p.cell;
        let (x, z) = (place.x as f32 * span, place.z as f32 * span);
        (0..self.p.sources as usize).any(|n| {
            let from = &self.clock[clock::SOURCES + source::WORDS * n..][..source::WORDS];
            let r2 = from[source::RADIUS2];
            let (x0, z0, x1, z1) = if r2 < 0.0 {
                (from[source::X], from[source::Z], from[source::X1], from[source::Z1])
            } else {
                let r = r2.sqrt();
                (from[source::X] - r, from[source::Z] - r, from[source::X] + r, from[source::Z] + r)
            };
            from[source::RATE] != 0.0 && x <= x1 && z <= z1 && x + span >= x0 && z + span >= z0
        })
    }
}
