use thalweg_compute::parity::{Tolerance, assert_parity, test_executors};
use thalweg_compute::{Buffer, Dispatch, Executor, Result};
use thalweg_tall::spray_word as word;

use super::{Spawn, SpawnParams, Tally, TallyParams, state};
use crate::particle::{fraction, parts};

fn params(slots: u32, capacity: u32) -> SpawnParams {
    SpawnParams {
        slots,
        capacity,
        salt: 5,
        size_x: 5.3,
        size_z: 4.9,
        noise: 0.2,
        drop_radius: 0.1,
        mist_share: 0.3,
        spray_life: 4.0,
        volume: 4.1887903,
    }
}

/// Places and motions after spawning behind 3 that are there, events and how many are alive.
struct Spawned {
    places: Vec<[f32; 4]>,
    motions: Vec<[f32; 4]>,
    events: Vec<u32>,
    alive: u32,
    state: Vec<u32>,
}

fn spawned(exec: &Executor, counts: &[u32], trials: &[[f32; 4]], capacity: u32) -> Result<Spawned> {
    let offsets: Vec<u32> = counts.iter().scan(0, |sum, count| Some(std::mem::replace(sum, *sum + count))).collect();
    let total = exec.buffer_from("total", &[counts.iter().sum::<u32>()])?;
    let [counts, offsets]: [Buffer<u32>; 2] =
        [exec.buffer_from("counts", counts)?, exec.buffer_from("offsets", &offsets)?];
    let (trials, alive) = (exec.buffer_from("trials", trials)?, exec.buffer_from("alive", &[3_u32])?);
    let mut old = vec![[0.0_f32; 4]; capacity as usize];
    old[..3].fill([1.0, 2.0, 3.0, 0.25]);
    let (places, motions) = (exec.buffer_from("places", &old)?, exec.buffer_from("motions", &old)?);
    let (events, state) = (exec.buffer("events", word::COUNT)?, exec.buffer("state", state::COUNT)?);
    let mut rec = exec.record();
    let kernel = Spawn {
        trials: &trials,
        counts: &counts,
        offsets: &offsets,
        alive: &alive,
        places: &places,
        motions: &motions,
        events: &events,
    };
    rec.run(&kernel, &params(counts.len() as u32, capacity), Dispatch::Elements(counts.len()))?;
    let kernel = Tally { total: &total, events: &events, alive: &alive, state: &state };
    rec.run(&kernel, &TallyParams { capacity }, Dispatch::Groups([1, 1, 1]))?;
    rec.submit()?;
    Ok(Spawned {
        places: exec.read(&places)?,
        motions: exec.read(&motions)?,
        events: exec.read(&events)?,
        alive: exec.read(&alive)?[0],
        state: exec.read(&state)?,
    })
}

#[test]
fn spawn_parity() {
    assert_parity(4, |exec, rng, out| {
        let counts: Vec<u32> = (0..300).map(|_| if rng.below(3) == 0 { rng.below(9) } else { 0 }).collect();
        let trials: Vec<[f32; 4]> = (0..600).map(|_| [0; 4].map(|_| rng.range(0.1, 5.0))).collect();
        let Spawned { places, motions, events, alive, state } = spawned(exec, &counts, &trials, 250)?;
        assert!(alive > 200 && places.iter().any(|p| p[3] > 1.0) && events[word::LEFT + 1] > 0);
        out.f32("places", places.concat(), Tolerance::Absolute(2e-6));
        out.f32("motions", motions.concat(), Tolerance::Absolute(4e-6));
        // Radii are a product and a sum, fused or not: a unit in the last place of each of 247 volumes.
        out.f32("left", vec![events[word::LEFT + 1] as f32, events[word::LEFT] as f32], Tolerance::Relative(1e-5));
        out.f32("in the air", vec![state[1] as f32, state[0] as f32], Tolerance::Relative(1e-5));
        out.u32("alive", vec![alive, state[state::REFUSED]], Tolerance::Exact);
        Ok(())
    });
}

#[test]
fn when_it_is_full_the_oldest_stay_and_the_rest_is_counted() {
    let trials = [[[5.0, 5.0, 5.0, 0.5], [1.0, 2.0, 3.0, 0.0]]; 4].concat();
    for exec in test_executors() {
        let Spawned { places, motions, events, alive, state } =
            spawned(exec, &[2, 0, 8, 8], &trials, 8).expect("spawned");
        assert_eq!((alive, state[state::REFUSED]), (8, 18 - 5), "{}", exec.describe());
        assert!(places[..3].iter().all(|place| *place == [1.0, 2.0, 3.0, 0.25]));
        let volumes: u64 = places[3..].iter().map(|p| u64::from(fraction(4.1887903, parts(p[3]).1))).sum();
        assert_eq!(u64::from(events[0]) << 32 | u64::from(events[1]), volumes);
        assert_eq!(&state[..2], &events[..2], "all of it is in the air");
        for (place, motion) in places[3..].iter().zip(&motions[3..]) {
            let radius = parts(place[3]).1;
            assert!(place[0] <= 5.3 && place[2] <= 4.9, "in the domain: {place:?}");
            assert!(place[..3].iter().all(|x| (x - 5.0).abs() <= 0.5) && (0.0499..0.1501).contains(&radius));
            let change = 0.2 * 14_f32.sqrt() + 1e-5;
            assert!((0..3).all(|axis| (motion[axis] - [1.0, 2.0, 3.0][axis]).abs() <= change) && motion[3] == 4.0);
        }
    }
}
