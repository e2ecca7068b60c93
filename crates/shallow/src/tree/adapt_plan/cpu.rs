use rayon::prelude::*;

use super::constants::{PLENTY, SCARCE};
use super::{
    AdaptPlanParams, BalanceSlices, CloseSlices, CountSlices, GrantSlices, NumberSlices, ProposeSlices, SurveySlices,
};
use crate::tree::layout::{MAX_LEVELS, NONE, TILE, action, clock, want};
use crate::tree::map::{Beyond, Map, SIDES, TilePlace};
use crate::tree::slot_counts;

/// Slots that a thread takes at least.
const SLOTS_AT_ONCE: usize = 1024;

pub(super) fn survey(p: &AdaptPlanParams, s: SurveySlices<'_>) {
    let tree = Tree { p, map: Map(s.topology) };
    let wants = &*s.wants;
    let slots = s.plan.par_chunks_exact_mut(action::WORDS).take(p.capacity as usize).enumerate();
    slots.with_min_len(SLOTS_AT_ONCE).for_each(|(slot, plan)| {
        let own = wants[slot] & want::BITS;
        let wish = |place| own.max(tree.wish_of_neighbours(wants, place));
        plan[0] = tree.map.tile(slot as u32).map_or(want::KEEP, wish);
    });
}

pub(super) fn balance(p: &AdaptPlanParams, s: BalanceSlices<'_>) {
    let tree = Tree { p, map: Map(s.topology) };
    let plan = &*s.plan;
    let forced = tree.of_level(|slot, place| !wants_split(plan, slot) && tree.beside_split(plan, place));
    forced.into_iter().for_each(|slot| s.plan[action::WORDS * slot as usize] = want::SPLIT);
}

pub(super) fn propose(p: &AdaptPlanParams, s: ProposeSlices<'_>) {
    let tree = Tree { p, map: Map(s.topology) };
    let plan = &*s.plan;
    let able = |slot, place| wants_split(plan, slot) && tree.map.has_nursery(slot) && tree.may_split(plan, place);
    let proposed = tree.of_level(able);
    proposed.into_iter().for_each(|slot| s.plan[action::WORDS * slot as usize] |= action::MAY_SPLIT);
}

pub(super) fn count(p: &AdaptPlanParams, s: CountSlices<'_>) {
    let map = Map(s.topology);
    let plans = s.plan[..action::WORDS * p.capacity as usize].chunks(action::WORDS * slot_counts::GROUP);
    for (group, (plans, tally)) in plans.zip(s.tallies.chunks_exact_mut(slot_counts::WORDS)).enumerate() {
        tally.fill(0);
        for (n, plan) in plans.chunks_exact(action::WORDS).enumerate() {
            match map.tile((group * slot_counts::GROUP + n) as u32) {
                None => tally[slot_counts::FREE] += 1,
                Some(place) => tally[place.level as usize] += u32::from(plan[0] & action::MAY_SPLIT != 0),
            }
        }
    }
}

pub(super) fn number(p: &AdaptPlanParams, s: NumberSlices<'_>) {
    let map = Map(s.topology);
    let totals = slot_counts::totals(s.tallies, p.capacity as usize);
    let most = totals[slot_counts::FREE] / 3;
    let mut free = 0;
    let mut next = [0; MAX_LEVELS];
    for level in 1..MAX_LEVELS {
        next[level] = next[level - 1] + totals[level - 1];
    }
    let plans = s.plan.chunks_exact_mut(action::WORDS);
    for (slot, (plan, want)) in plans.zip(&mut s.wants[..p.capacity as usize]).enumerate() {
        let Some(place) = map.tile(slot as u32) else {
            s.free[free] = slot as u32;
            free += 1;
            continue;
        };
        let mut state = plan[0];
        if state & action::MAY_SPLIT != 0 {
            let next = &mut next[place.level as usize];
            plan[1] = *next;
            state = if *next < most { state } else { state & !action::MAY_SPLIT };
            *next += 1;
        }
        *want = *want & !(want::BITS | action::MAY_SPLIT) | state;
    }
}

pub(super) fn grant(p: &AdaptPlanParams, s: GrantSlices<'_>) {
    let tree = Tree { p, map: Map(s.topology) };
    let (wants, free) = (&*s.wants, &*s.free);
    let plans = s.plan[..action::WORDS * p.capacity as usize].par_chunks_mut(action::WORDS * slot_counts::GROUP);
    plans.zip(s.tallies.par_chunks_exact_mut(slot_counts::WORDS)).enumerate().for_each(|(group, (plans, tally))| {
        tally[slot_counts::MERGES] = 0;
        for (n, plan) in plans.chunks_exact_mut(action::WORDS).enumerate() {
            let slot = (group * slot_counts::GROUP + n) as u32;
            let place = tree.map.tile(slot);
            if place.is_some() && wants[slot as usize] & action::MAY_SPLIT != 0 {
                let first = 3 * plan[1] as usize;
                plan[0] = action::SPLIT;
                plan[1..].copy_from_slice(&free[first..first + 3]);
            } else if let Some(others) = place.and_then(|place| tree.may_merge(wants, slot, place)) {
                plan[0] = action::MERGE;
                plan[1..].copy_from_slice(&others);
                tally[slot_counts::MERGES] += 1;
            } else {
                plan.fill(action::NONE);
            }
        }
    });
}

pub(super) fn close(p: &AdaptPlanParams, s: CloseSlices<'_>) {
    let totals = slot_counts::totals(s.tallies, p.capacity as usize);
    let proposed: u32 = totals[..MAX_LEVELS].iter().sum();
    let free = totals[slot_counts::FREE];
    let granted = proposed.min(free / 3);
    // Products round alike everywhere; quotients need not.
    let (left, all) = ((free - 3 * granted) as f32, p.capacity as f32);
    let strain = s.clock[clock::STRAIN];
    s.clock[clock::STRAIN] = if left < SCARCE * all {
        (strain * 1.25).min(1e4)
    } else if left > PLENTY * all {
        (strain * 0.9).max(1.0)
    } else {
        strain
    };
    s.clock[clock::CHANGES] += (granted + totals[slot_counts::MERGES]) as f32;
}

/// What `plan` says of a slot's wish.
fn wants_split(plan: &[u32], slot: u32) -> bool {
    slot != NONE && plan[action::WORDS * slot as usize] & want::BITS == want::SPLIT
}

struct Tree<'a> {
    p: &'a AdaptPlanParams,
    map: Map<'a>,
}

/// Directions to the eight neighbours.
const AROUND: [[i32; 2]; 8] = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

impl Tree<'_> {
    /// Slots with tiles of the level that is looked at, for which something holds.
    fn of_level(&self, holds: impl Fn(u32, TilePlace) -> bool + Sync) -> Vec<u32> {
        let slots = (0..self.p.capacity).into_par_iter().with_min_len(SLOTS_AT_ONCE);
        let of_level = |slot: &u32| self.map.tile(*slot).is_some_and(|at| at.level == self.p.level && holds(*slot, at));
        slots.filter(of_level).collect()
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

    fn wish_of_neighbours(&self, wants: &[u32], place: TilePlace) -> u32 {
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
    fn beside_split(&self, plan: &[u32], place: TilePlace) -> bool {
        let splits = |other: u32| wants_split(plan, other);
        AROUND
            .into_iter()
            .any(|d| self.beyond(place, d) == Beyond::Finer && self.finer(place, d).into_iter().any(splits))
    }

    /// Whether every coarser neighbour may split now.
    fn may_split(&self, plan: &[u32], place: TilePlace) -> bool {
        AROUND.into_iter().all(|d| match self.beyond(place, d) {
            Beyond::Coarser(other) => plan[action::WORDS * other as usize] & action::MAY_SPLIT != 0,
            _ => true,
        })
    }

    /// The siblings of a child 0 with which it can merge.
    fn may_merge(&self, wants: &[u32], slot: u32, place: TilePlace) -> Option<[u32; 3]> {
        if place.level == 0 || place.number() != 0 {
            return None;
        }
        let parent = place.parent();
        let (x, z, level) = (place.x as i32, place.z as i32, place.level);
        let others = [1, 2, 3].map(|n| self.map.slot(level, x + (n & 1), z + (n >> 1)));
        let ready = |other: u32| other != NONE && wants[other as usize] & want::BITS == want::MERGE;
        if !ready(slot) || !others.iter().all(|&other| ready(other)) || !self.is_whole(parent) {
            return None;
        }
        // Around the four: nothing finer than they are, and nothing that becomes so.
        let splits = |other: u32| wants[other as usize] & action::MAY_SPLIT != 0;
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
