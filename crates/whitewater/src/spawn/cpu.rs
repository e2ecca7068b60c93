use thalweg_columns::flow::spray_word as word;
use thalweg_model::MOST_PER_TRIAL;

use super::{SpawnParams, SpawnSlices, TallyParams, TallySlices, extent, state};
use crate::constants::event::{LIVED, MADE};
use crate::constants::kind::{MIST, SPRAY};
use crate::constants::radius::{LARGEST, SMALLEST};
use crate::events::add;
use crate::particle::{fraction, parts};
use crate::random::draw;
use crate::trial::SLOTS;

impl SpawnParams {
    /// A drop near a trial particle: its place and its motion.
    fn drop(&self, [place, motion]: [[f32; 4]; 2], number: u32) -> [[f32; 4]; 2] {
        let any = |which: u32| draw(self.salt, number, which);
        let near = |which: u32| 2.0 * any(which) - 1.0;
        let [u, v, w, _] = motion;
        let speed = (u * u + v * v + w * w).sqrt();
        let reach = place[3].min(0.5);
        let change = self.noise * speed;
        let kind = if any(6) < self.mist_share { MIST } else { SPRAY };
        let radius = (self.drop_radius * (0.5 + any(7))).clamp(SMALLEST, LARGEST);
        [
            [
                (place[0] + reach * near(0)).clamp(0.0, self.size_x),
                place[1] + reach * near(1),
                (place[2] + reach * near(2)).clamp(0.0, self.size_z),
                kind + radius,
            ],
            [u + change * near(3), v + change * near(4), w + change * near(5), self.spray_life],
        ]
    }
}

pub(super) fn spawn(p: &SpawnParams, s: SpawnSlices<'_>) {
    let mut at = s.events[LIVED] as usize;
    for slot in (0..p.slots).filter(|slot| s.freed[*slot as usize / SLOTS] >> (*slot as usize % SLOTS) & 1 == 1) {
        let trial = [0, 1].map(|half| s.trials[2 * slot as usize + half]);
        for number in 0..p.per_trial {
            if at >= p.capacity as usize {
                return; // those that follow come later still
            }
            let [place, motion] = p.drop(trial, slot.wrapping_mul(MOST_PER_TRIAL).wrapping_add(number));
            (s.places[at], s.motions[at]) = (place, motion);
            add(s.events, word::LEFT, fraction(p.volume, parts(place[3]).1));
            at += 1;
        }
    }
}

pub(super) fn tally(p: &TallyParams, s: TallySlices<'_>) {
    let (lived, made) = (s.events[LIVED], s.events[MADE]);
    let found = made.min(p.capacity - lived.min(p.capacity));
    s.events[MADE] = 0;
    let before = s.extents[extent::ALIVE + extent::COUNT];
    let alive = lived + found;
    s.extents[extent::ALIVE..extent::ALIVE + 4].copy_from_slice(&extent::of(alive));
    s.extents[extent::EITHER..extent::EITHER + 4].copy_from_slice(&extent::of(alive.max(before)));
    s.state[state::REFUSED] = s.state[state::REFUSED].wrapping_add(made - found);
}
