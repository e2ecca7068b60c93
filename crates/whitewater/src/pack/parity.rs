use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result, WORKGROUP};

use super::{Pack, PackParams};
use crate::constants::BLOCK;
use crate::constants::event::{LIVED, MADE};
use crate::events::Layout;
use crate::testing::random_particles;

/// More than one block of workgroups, and a last workgroup that is not full.
const CAPACITY: usize = 66 * WORKGROUP as usize + 9;

/// Drops to come: their slots are left alone.
const TO_COME: usize = 5;

fn order_and_empty_slots_behind(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let (places, motions) = random_particles(rng, CAPACITY);
    let alive: Vec<usize> = (0..CAPACITY).filter(|at| places[*at][3] > 0.0).collect();
    let layout = Layout::new(1, CAPACITY);
    let mut events = vec![0_u32; layout.len()];
    for at in &alive {
        let group = at / WORKGROUP as usize;
        events[layout.lived as usize + group] += 1;
        events[layout.blocks as usize + group / BLOCK] += 1;
    }
    (events[LIVED], events[MADE]) = (alive.len() as u32, TO_COME as u32);
    let sentinel = vec![[7.0_f32; 4]; CAPACITY];
    let events = exec.buffer_from("events", &events)?;
    let [from_places, from_motions] = [exec.buffer_from("places", &places)?, exec.buffer_from("motions", &motions)?];
    let [to_places, to_motions] =
        [exec.buffer_from("to_places", &sentinel)?, exec.buffer_from("to_motions", &sentinel)?];
    let mut rec = exec.record();
    let kernel = Pack {
        events: &events,
        places: &from_places,
        motions: &from_motions,
        to_places: &to_places,
        to_motions: &to_motions,
    };
    let params = PackParams { capacity: CAPACITY as u32, lived: layout.lived, blocks: layout.blocks };
    rec.run(&kernel, &params, Dispatch::Elements(CAPACITY))?;
    rec.submit()?;
    let (mut packed, mut packed_motions) = (exec.read(&to_places)?, exec.read(&to_motions)?);
    let free = packed.split_off(alive.len() + TO_COME);
    assert!(free.len() > 100 && free.iter().all(|place| *place == [0.0; 4]), "{}", exec.describe());
    packed.truncate(alive.len());
    packed_motions.truncate(alive.len());
    assert!(packed.iter().zip(&alive).all(|(place, at)| *place == places[*at]), "{}", exec.describe());
    assert!(packed_motions.iter().zip(&alive).all(|(motion, at)| *motion == motions[*at]));
    out.f32("places", packed.concat(), Tolerance::Exact);
    out.f32("motions", packed_motions.concat(), Tolerance::Exact);
    Ok(())
}

thalweg_compute::parity_cases! {
    order_and_empty_slots_behind: 3 seeds,
}
