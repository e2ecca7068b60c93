use thalweg_columns::flow::spray_word as word;
use thalweg_columns::grid::world_cell;
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Fly, FlyParams};
use crate::constants::event::LIVED;
use crate::events::Layout;
use crate::testing::{Water, random_particles};
use crate::whitewater::fall_with_drag;

pub(super) const UNIT_SPHERE: f32 = 4.1887903;

/// Most particles of a test.
const MOST: usize = 3000;

pub(super) fn params(water: &Water, dt: f64) -> FlyParams {
    let [nx, nz, samples] = water.size();
    let [spray, mist] = [0.3, 3.0].map(|drag| fall_with_drag(drag, dt, 9.81));
    FlyParams {
        nx,
        nz,
        samples,
        salt: 3,
        walls: 0b1011,
        dt: dt as f32,
        cells_per_metre: 4.0,
        gravity: 9.81,
        spray_decay: spray[0],
        spray_mean: spray[1],
        spray_fall: spray[2],
        mist_decay: mist[0],
        mist_mean: mist[1],
        mist_fall: mist[2],
        foam_share: 0.5,
        foam_life: 2.0,
        deposit: 100,
        volume: UNIT_SPHERE,
        lived: layout(water).lived,
        blocks: layout(water).blocks,
    }
}

fn layout(water: &Water) -> Layout {
    Layout::new(water.shape.columns(), MOST)
}

pub(super) struct Flown {
    pub(super) places: Vec<[f32; 4]>,
    pub(super) motions: Vec<[f32; 4]>,
    /// 1 where a particle is alive.
    pub(super) flags: Vec<u32>,
    /// Those before the counts.
    pub(super) events: Vec<u32>,
}

type ParticleSlices<'a> = (&'a [[f32; 4]], &'a [[f32; 4]]);

pub(super) fn flown(exec: &Executor, water: &Water, p: FlyParams, particles: ParticleSlices<'_>, steps: u32) -> Flown {
    flown_under(exec, water, p, particles, &ceilings(water), steps)
}

pub(super) fn flown_under(
    exec: &Executor,
    water: &Water,
    p: FlyParams,
    particles: ParticleSlices<'_>,
    ceilings: &[i32],
    steps: u32,
) -> Flown {
    let stored = "memory";
    let b = water.upload(exec).expect(stored);
    let (places, motions) = (
        exec.buffer_from("places", particles.0).expect(stored),
        exec.buffer_from("motions", particles.1).expect(stored),
    );
    let events = exec.zeros::<u32>("events", layout(water).len()).expect(stored);
    let ceilings = exec.buffer_from("ceilings", ceilings).expect(stored);
    for _ in 0..steps {
        let mut rec = exec.record();
        let kernel = Fly {
            heights: &b.heights,
            phi: &b.phi,
            velocity: &b.velocity,
            solid: &b.solid,
            ceilings: &ceilings,
            places: &places,
            motions: &motions,
            events: &events,
        };
        rec.run(&kernel, &p, Dispatch::Elements(particles.0.len())).expect("recorded");
        rec.submit().expect("run");
    }
    let read = "read";
    let places = exec.read(&places).expect(read);
    let flags: Vec<u32> = places.iter().map(|place| (place[3] > 0.0).into()).collect();
    let mut events = exec.read(&events).expect(read);
    if steps == 1 {
        let (alive, groups) = (flags.iter().sum::<u32>(), flags.chunks(256).map(|flags| flags.iter().sum::<u32>()));
        assert_eq!((events[LIVED], events[layout(water).blocks as usize]), (alive, alive), "{}", exec.describe());
        assert!(groups.eq(events[layout(water).lived as usize..].iter().copied().take(flags.len().div_ceil(256))));
    }
    events.truncate(layout(water).made as usize);
    events[LIVED] = 0;
    Flown { places, motions: exec.read(&motions).expect(read), flags, events }
}

/// Above the highest cell of a column that is not clear.
pub(super) fn ceilings(water: &Water) -> Vec<i32> {
    let n = water.shape.samples();
    let of = |column: usize| {
        let filled = (0..n).rev().find(|s| water.phi[column * n + s] < 0.0 || water.solid[column * n + s] > 0.0);
        match filled {
            Some(sample) if sample + 1 == n => i32::MAX,
            Some(sample) => world_cell(water.heights[column], sample + 1),
            None => water.heights[column][0],
        }
    };
    (0..water.shape.columns()).map(of).collect()
}

/// Foam moves by differences of lookups divided by their length; the rest by products and sums.
fn fly(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let water = Water::random(rng);
    let (places, motions) = random_particles(rng, 3000);
    let flown = flown(exec, &water, params(&water, 0.03), (&places, &motions), 1);
    let alive = |values: Vec<[f32; 4]>| -> Vec<f32> {
        values.iter().zip(&flown.flags).filter(|(_, flag)| **flag == 1).flat_map(|(v, _)| *v).collect()
    };
    assert!(flown.events[word::RETURNED] > 0 && flown.events[word::GONE] > 0);
    out.u32("flags", flown.flags.clone());
    out.u32("events", flown.events.clone());
    out.f32("places", alive(flown.places.clone()), Tolerance::Absolute(3e-4));
    out.f32("motions", alive(flown.motions.clone()), Tolerance::Absolute(3e-4));
    Ok(())
}

thalweg_compute::parity_cases! {
    fly: 4 seeds,
}
