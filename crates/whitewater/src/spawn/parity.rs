use thalweg_columns::flow::spray_word as word;
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Buffer, Dispatch, Executor, Result};

use super::{Spawn, SpawnParams, Tally, TallyParams, extent, state};
use crate::constants::event::{LIVED, MADE};
use crate::events::Layout;
use crate::trial::SLOTS;

/// Drops of a trial particle.
const PER_TRIAL: u32 = 3;

fn params(columns: usize, capacity: u32, made: u32) -> SpawnParams {
    SpawnParams {
        slots: (SLOTS * columns) as u32,
        capacity,
        salt: 5,
        size_x: 5.3,
        size_z: 4.9,
        noise: 0.2,
        drop_radius: 0.1,
        mist_share: 0.3,
        spray_life: 4.0,
        volume: 4.1887903,
        per_trial: PER_TRIAL,
        made,
    }
}

/// How many were alive before the step.
const BEFORE: u32 = 600;

/// Places and motions after spawning behind 3 that are there, events and how many are alive.
pub(super) struct Spawned {
    pub(super) places: Vec<[f32; 4]>,
    pub(super) motions: Vec<[f32; 4]>,
    pub(super) events: Vec<u32>,
    pub(super) extents: Vec<u32>,
    pub(super) state: Vec<u32>,
}

pub(super) fn spawned(exec: &Executor, freed: &[u32], trials: &[[f32; 4]], capacity: u32) -> Result<Spawned> {
    let layout = Layout::new(freed.len(), capacity as usize);
    let mut counts = vec![0_u32; layout.len()];
    for (tile, freed) in freed.chunks(256).enumerate() {
        let made: u32 = freed.iter().map(|bits| PER_TRIAL * bits.count_ones()).sum();
        counts[layout.made as usize + tile] = made;
        counts[MADE] += made;
    }
    counts[LIVED] = 3;
    let freed: Buffer<u32> = exec.buffer_from("freed", freed)?;
    let (trials, events) = (exec.buffer_from("trials", trials)?, exec.buffer_from("events", &counts)?);
    let mut old = vec![[0.0_f32; 4]; capacity as usize];
    old[..3].fill([1.0, 2.0, 3.0, 0.25]);
    let (places, motions) = (exec.buffer_from("places", &old)?, exec.buffer_from("motions", &old)?);
    let extents = exec.buffer_from("extents", &[extent::of(BEFORE), extent::of(0)].concat())?;
    let state = exec.zeros("state", state::COUNT)?;
    let mut rec = exec.record();
    let kernel = Spawn { trials: &trials, freed: &freed, places: &places, motions: &motions, events: &events };
    rec.run(&kernel, &params(freed.len(), capacity, layout.made), Dispatch::Elements(SLOTS * freed.len()))?;
    let kernel = Tally { events: &events, extents: &extents, state: &state };
    rec.run(&kernel, &TallyParams { capacity }, Dispatch::Groups([1, 1, 1]))?;
    rec.submit()?;
    Ok(Spawned {
        places: exec.read(&places)?,
        motions: exec.read(&motions)?,
        events: exec.read(&events)?,
        extents: exec.read(&extents)?,
        state: exec.read(&state)?,
    })
}

fn spawn(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    // More columns than are counted together.
    let freed: Vec<u32> = (0..300).map(|_| if rng.below(4) == 0 { rng.below(16) } else { 0 }).collect();
    let trials: Vec<[f32; 4]> = (0..2 * SLOTS * 300).map(|_| [0; 4].map(|_| rng.range(0.1, 5.0))).collect();
    let Spawned { places, motions, events, extents, state } = spawned(exec, &freed, &trials, 420)?;
    let (alive, made) = (extents[extent::COUNT], freed.iter().map(|f| PER_TRIAL * f.count_ones()).sum::<u32>());
    assert!(alive > 300 && places.iter().any(|p| p[3] > 1.0) && events[word::LEFT] > 0);
    assert!(alive == (3 + made).min(420) && state[state::REFUSED] == 3 + made - alive);
    assert_eq!(places.iter().position(|p| p[3] == 0.0).unwrap_or(420), alive as usize, "{}", exec.describe());
    assert!(extents == [extent::of(alive), extent::of(BEFORE)].concat() && events[MADE] == 0);
    out.f32("places", places.concat(), Tolerance::Absolute(2e-6));
    out.f32("motions", motions.concat(), Tolerance::Absolute(4e-6));
    // Radii are a product and a sum, fused or not: a unit in the last place of each of 417 volumes.
    out.f32("left", vec![events[word::LEFT] as f32, events[word::LEFT + 1] as f32], Tolerance::Relative(1e-5));
    out.f32("in the air", vec![state[1] as f32, state[0] as f32], Tolerance::Relative(1e-5));
    out.u32("alive", [extents, vec![state[state::REFUSED]]].concat());
    Ok(())
}

thalweg_compute::parity_cases! {
    spawn: 4 seeds,
}
