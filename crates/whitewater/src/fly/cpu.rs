use rayon::prelude::*;
use thalweg_columns::Shape;
use thalweg_columns::flow::{FlowSlices, spray_word as word};
use thalweg_compute::WORKGROUP;

use super::{FlyParams, FlySlices};
use crate::constants::BLOCK;
use crate::constants::event::{DEPOSITS, LIVED};
use crate::constants::fly::{BOUNCE, HALF, LOST};
use crate::constants::kind::{FOAM, SPRAY};
use crate::events::add;
use crate::particle::{fraction, parts};
use crate::random::draw;

/// What became of a particle.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    /// An empty slot, or foam that has gone: nothing to account for.
    Nothing,
    /// It lives on.
    Lives,
    /// It fell into the water and is gone, or lives on as foam.
    Landed { as_foam: bool },
    /// It is removed, and its water goes back.
    Returned,
    /// It flew out of the domain.
    Gone,
}

/// A drop whose volume goes into an account.
struct Event {
    fate: Fate,
    /// Fraction of a cell.
    volume: u32,
    column: usize,
}

impl FlyParams {
    /// Moves a drop through the air; `false` if it leaves the domain.
    fn fall(&self, kind: f32, place: &mut [f32; 4], motion: &mut [f32; 4]) -> bool {
        let [decay, mean, fall] = if kind == SPRAY {
            [self.spray_decay, self.spray_mean, self.spray_fall]
        } else {
            [self.mist_decay, self.mist_mean, self.mist_fall]
        };
        for axis in 0..3 {
            place[axis] += self.cells_per_metre * mean * motion[axis];
            motion[axis] *= decay;
        }
        place[1] -= self.cells_per_metre * fall;
        motion[1] -= self.gravity * mean;
        for (axis, size, low) in [(0, self.nx as f32, 1), (2, self.nz as f32, 4)] {
            let (below, above) = (place[axis] < 0.0, place[axis] > size);
            if !below && !above {
                continue;
            }
            let wall = if below { low } else { 2 * low };
            if self.walls & wall == 0 {
                return false;
            }
            let beyond = if below { -place[axis] } else { place[axis] - size };
            let inward = (BOUNCE * beyond).min(size);
            place[axis] = if below { inward } else { size - inward };
            motion[axis] *= -BOUNCE;
        }
        true
    }

    /// Whether a point is above the ceilings of all columns around it: nothing there to meet.
    fn is_clear(&self, ceilings: &[i32], point: [f32; 3]) -> bool {
        let along = |x: f32, size: u32| {
            let low = x.clamp(0.0, (size - 1) as f32) as usize;
            [low, (low + 1).min(size as usize - 1)]
        };
        let (i, k) = (along(point[0], self.nx), along(point[2], self.nz));
        let row = |k: usize| i.map(|i| ceilings[i + self.nx as usize * k]);
        let [[a, b], [c, d]] = k.map(row);
        point[1] > a.max(b).max(c).max(d) as f32
    }

    fn moved(
        &self,
        (flow, ceilings): (&FlowSlices<'_>, &[i32]),
        number: u32,
        place: &mut [f32; 4],
        motion: &mut [f32; 4],
    ) -> Fate {
        let (kind, radius) = parts(place[3]);
        if place[3] <= 0.0 {
            return Fate::Nothing;
        }
        motion[3] -= self.dt;
        if kind == FOAM {
            return self.carried(flow, place, motion);
        }
        if !self.fall(kind, place, motion) {
            return Fate::Gone;
        }
        let point = [place[0] - 0.5, place[1] - 0.5, place[2] - 0.5];
        let is_clear = self.is_clear(ceilings, point);
        if motion[3] <= 0.0 || !is_clear && flow.solid_at(point) >= 0.5 {
            return Fate::Returned;
        }
        if is_clear || flow.phi_at(point) >= 0.0 {
            return Fate::Lives;
        }
        let as_foam = draw(self.salt, number, 0) < self.foam_share;
        if as_foam {
            place[3] = FOAM + radius;
            *motion = [0.0, 0.0, 0.0, self.foam_life * (0.5 + draw(self.salt, number, 1))];
        }
        Fate::Landed { as_foam }
    }

    /// Foam goes with the surface.
    fn carried(&self, flow: &FlowSlices<'_>, place: &mut [f32; 4], motion: &mut [f32; 4]) -> Fate {
        let point = [place[0] - 0.5, place[1] - 0.5, place[2] - 0.5];
        let at = flow.at(point);
        if motion[3] <= 0.0 || at.solid >= 0.5 || at.phi.abs() > LOST {
            return Fate::Nothing;
        }
        let mut n = [0.0; 3];
        for (axis, n) in n.iter_mut().enumerate() {
            let [mut low, mut high] = [point, point];
            low[axis] -= HALF;
            high[axis] += HALF;
            *n = flow.phi_at(high) - flow.phi_at(low);
        }
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt().max(1e-3);
        let n = n.map(|c| c / length);
        let through = at.velocity[0] * n[0] + at.velocity[1] * n[1] + at.velocity[2] * n[2];
        for axis in 0..3 {
            let along = at.velocity[axis] - through * n[axis];
            motion[axis] = along;
            place[axis] += along * (self.dt * self.cells_per_metre) - at.phi * n[axis];
        }
        let is_inside = place[0] >= 0.0 && place[2] >= 0.0 && place[0] <= self.nx as f32 && place[2] <= self.nz as f32;
        if is_inside { Fate::Lives } else { Fate::Nothing }
    }

    /// The column under a place.
    fn column(&self, place: [f32; 4]) -> usize {
        let along = |x: f32, size: u32| (x.max(0.0) as u32).min(size - 1) as usize;
        along(place[0], self.nx) + self.nx as usize * along(place[2], self.nz)
    }
}

pub(super) fn fly(p: &FlyParams, s: FlySlices<'_>) {
    let shape = Shape { nx: p.nx as usize, nz: p.nz as usize, regular: p.samples as usize - 2 };
    let flow = FlowSlices { shape, heights: s.heights, phi: s.phi, velocity: s.velocity, solid: s.solid };
    let group = WORKGROUP as usize;
    let groups = s.places.par_chunks_mut(group).zip(s.motions.par_chunks_mut(group)).with_min_len(4).enumerate();
    let flown: Vec<(u32, Vec<Event>)> = groups
        .map(|(at, (places, motions))| {
            let (mut lived, mut events) = (0, Vec::new());
            for (n, (place, motion)) in places.iter_mut().zip(motions).enumerate() {
                // As it left the water: the radius of foam is rounded more coarsely.
                let radius = parts(place[3]).1;
                let fate = p.moved((&flow, s.ceilings), (at * group + n) as u32, place, motion);
                let is_alive = matches!(fate, Fate::Lives | Fate::Landed { as_foam: true });
                if !matches!(fate, Fate::Nothing | Fate::Lives) {
                    events.push(Event { fate, volume: fraction(p.volume, radius), column: p.column(*place) });
                }
                if is_alive {
                    lived += 1;
                } else {
                    *place = [0.0; 4];
                }
            }
            (lived, events)
        })
        .collect();
    for (at, (lived, events)) in flown.into_iter().enumerate() {
        s.events[p.lived as usize + at] = lived;
        s.events[p.blocks as usize + at / BLOCK] += lived;
        s.events[LIVED] += lived;
        for Event { fate, volume, column } in events {
            add(s.events, if fate == Fate::Gone { word::GONE } else { word::RETURNED }, volume);
            if let Fate::Landed { .. } = fate {
                let deposits = &mut s.events[DEPOSITS + column];
                *deposits = deposits.wrapping_add(p.deposit);
            }
        }
    }
}
