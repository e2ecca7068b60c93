use super::{ReplanParams, ReplanSlices, action};
use crate::tree::judge::want;
use crate::tree::layout::{MAX_LEVELS, NONE, TILE, clock};
use crate::tree::map::{Beyond, Map, TilePlace};

/// Share of free slots below which tolerances grow, and above which they shrink again.
const SCARCE: f32 = 0.05;
const PLENTY: f32 = 0.15;

pub(super) fn replan(p: &ReplanParams, s: ReplanSlices<'_>) {
    let capacity = p.capacity as usize;
    let map = Map(s.topology);
    let tree = Tree { p, map };
    let mut by_level: [Vec<u32>; MAX_LEVELS] = Default::default();
    let mut free = 0;
    for slot in 0..capacity as u32 {
        match map.tile(slot) {
            Some(place) => by_level[place.level as usize].push(slot),
            None => {
                s.free[free] = slot;
                free += 1;
            }
        }
    }
    s.plan[..action::WORDS * capacity].fill(action::NONE);
    let levels = p.levels as usize;
    let wants = s.wants;

    // Restless neighbours. Decisions come from the bits, which do not change.
    for &slot in by_level[..levels].iter().flatten() {
        let wish = tree.wish_of_neighbours(wants, slot);
        let own = wants[slot as usize] & want::BITS;
        wants[slot as usize] = wants[slot as usize] & !want::BITS | own.max(wish);
    }
    // Balance, from fine to coarse.
    for level in (0..levels - 1).rev() {
        for &slot in &by_level[level] {
            if wants[slot as usize] & want::BITS != want::SPLIT && tree.beside_split(wants, slot) {
                wants[slot as usize] = wants[slot as usize] & !want::BITS | want::SPLIT;
            }
        }
    }
    // Splits, from coarse to fine.
    let mut taken = 0;
    let mut changes = 0u32;
    for list in &by_level[..levels - 1] {
        // Grants of a level do not depend on each other.
        for &slot in list {
            let splits = wants[slot as usize] & want::BITS == want::SPLIT;
            if splits && map.has_nursery(slot) && taken + 3 <= free && tree.may_split(s.plan, slot) {
                let children = [s.free[taken], s.free[taken + 1], s.free[taken + 2]];
                let plan = &mut s.plan[action::WORDS * slot as usize..][..action::WORDS];
                plan[0] = action::SPLIT;
                plan[1..].copy_from_slice(&children);
                taken += 3;
                changes += 1;
            }
        }
    }
    // Merges.
    for &slot in by_level[1..levels].iter().flatten() {
        if let Some(others) = tree.may_merge(wants, s.plan, slot) {
            let plan = &mut s.plan[action::WORDS * slot as usize..][..action::WORDS];
            plan[0] = action::MERGE;
            plan[1..].copy_from_slice(&others);
            changes += 1;
        }
    }
    // Products round alike everywhere; quotients need not.
    let (left, all) = ((free - taken) as f32, capacity as f32);
    let strain = s.clock[clock::STRAIN];
    s.clock[clock::STRAIN] = if left < SCARCE * all {
        (strain * 1.25).min(1e4)
    } else if left > PLENTY * all {
        (strain * 0.9).max(1.0)
    } else {
        strain
    };
    s.clock[clock::CHANGES] += changes as f32;
}

struct Tree<'a> {
    p: &'a ReplanParams,
    map: Map<'a>,
}

/// Directions to the eight neighbours.
const AROUND: [[i32; 2]; 8] = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];
/// Sides as directions, west, east, south, north.
const SIDES: [[i32; 2]; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

impl Tree<'_> {
    fn place(&self, slot: u32) -> TilePlace {
        self.map.tile(slot).unwrap_or(TilePlace { level: 0, x: 0, z: 0 })
    }

    fn beyond(&self, place: TilePlace, d: [i32; 2]) -> Beyond {
        let shift = self.p.levels - 1 - place.level;
        self.map.beyond(place, d, [(self.p.nx >> shift) as i32, (self.p.nz >> shift) as i32])
    }

    /// The smaller tiles beyond a side (two) or a corner (one); NONE where there is none.
    fn finer(&self, place: TilePlace, [dx, dz]: [i32; 2]) -> [u32; 2] {
        let (x, z) = (2 * (place.x as i32 + dx), 2 * (place.z as i32 + dz));
        let near = |d: i32| i32::from(d < 0);
        let (a, b) = (x + near(dx), z + near(dz));
        let first = self.map.slot(place.level + 1, a, b);
        let second = match (dx, dz) {
            (0, _) => self.map.slot(place.level + 1, a + 1, b),
            (_, 0) => self.map.slot(place.level + 1, a, b + 1),
            _ => NONE,
        };
        [first, second]
    }

    fn wish_of_neighbours(&self, wants: &[u32], slot: u32) -> u32 {
        let place = self.place(slot);
        let mut wish = want::MERGE;
        for (side, d) in SIDES.into_iter().enumerate() {
            let towards =
                |other: u32| other != NONE && wants[other as usize] >> (want::SIDES + (side as u32 ^ 1)) & 1 == 1;
            match self.beyond(place, d) {
                Beyond::Same(other) if towards(other) => wish = wish.max(want::KEEP),
                Beyond::Finer if self.finer(place, d).into_iter().any(towards) => wish = want::SPLIT,
                _ => {}
            }
        }
        wish
    }

    /// Whether a finer neighbour splits.
    fn beside_split(&self, wants: &[u32], slot: u32) -> bool {
        let place = self.place(slot);
        let splits = |other: u32| other != NONE && wants[other as usize] & want::BITS == want::SPLIT;
        AROUND
            .into_iter()
            .any(|d| self.beyond(place, d) == Beyond::Finer && self.finer(place, d).into_iter().any(splits))
    }

    /// Whether every coarser neighbour splits now.
    fn may_split(&self, plan: &[u32], slot: u32) -> bool {
        let place = self.place(slot);
        AROUND.into_iter().all(|d| match self.beyond(place, d) {
            Beyond::Coarser(other) => plan[action::WORDS * other as usize] == action::SPLIT,
            _ => true,
        })
    }

    /// The siblings of a child 0 with which it can merge.
    fn may_merge(&self, wants: &[u32], plan: &[u32], slot: u32) -> Option<[u32; 3]> {
        let place = self.place(slot);
        if place.number() != 0 {
            return None;
        }
        let parent = place.parent();
        let (x, z, level) = (place.x as i32, place.z as i32, place.level);
        let others = [1, 2, 3].map(|n| self.map.slot(level, x + (n & 1), z + (n >> 1)));
        let ready = |other: u32| {
            other != NONE
                && wants[other as usize] & want::BITS == want::MERGE
                && plan[action::WORDS * other as usize] == action::NONE
        };
        if !ready(slot) || !others.iter().all(|&other| ready(other)) || !self.is_whole(parent) {
            return None;
        }
        // Around the four: nothing finer than they are, and nothing that becomes so.
        let splits = |other: u32| plan[action::WORDS * other as usize] == action::SPLIT;
        for n in 0..4 {
            let child = parent.child(n);
            for d in AROUND {
                match self.beyond(child, d) {
                    Beyond::Finer => return None,
                    Beyond::Same(other) if splits(other) => return None,
                    _ => {}
                }
            }
        }
        Some(others)
    }

    /// Whether a tile lies in the domain as a whole.
    fn is_whole(&self, place: TilePlace) -> bool {
        let span = (TILE as u32) << (self.p.levels - 1 - place.level);
        (place.x + 1) * span <= self.p.nx && (place.z + 1) * span <= self.p.nz
    }
}
