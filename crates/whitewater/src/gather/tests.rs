use thalweg_compute::Dispatch;
use thalweg_compute::parity::{Tolerance, assert_parity};

use super::{Gather, GatherParams};
use crate::testing::random_swarm;

#[test]
fn gather_parity_and_empty_slots_behind() {
    assert_parity(3, |exec, rng, out| {
        let (places, motions) = random_swarm(rng, 700);
        let list: Vec<u32> = (0..700).filter(|at| at % 3 != 1).chain(std::iter::repeat_n(0, 233)).collect();
        let sentinel = vec![[7.0_f32; 4]; 700];
        let alive = exec.buffer_from("alive", &[467_u32])?;
        let list = exec.buffer_from("list", &list)?;
        let [from_places, from_motions] =
            [exec.buffer_from("places", &places)?, exec.buffer_from("motions", &motions)?];
        let [to_places, to_motions] =
            [exec.buffer_from("to_places", &sentinel)?, exec.buffer_from("to_motions", &sentinel)?];
        let mut rec = exec.record();
        let kernel = Gather {
            list: &list,
            alive: &alive,
            places: &from_places,
            motions: &from_motions,
            to_places: &to_places,
            to_motions: &to_motions,
        };
        rec.run(&kernel, &GatherParams { capacity: 700 }, Dispatch::Elements(700))?;
        rec.submit()?;
        let (moved, moved_motions) = (exec.read(&to_places)?, exec.read(&to_motions)?);
        assert!(moved[2] == places[3] && moved_motions[466] == motions[699] && moved[467..] == [[0.0; 4]; 233]);
        out.f32("places", moved.concat(), Tolerance::Exact);
        out.f32("motions", moved_motions.concat(), Tolerance::Exact);
        Ok(())
    });
}
