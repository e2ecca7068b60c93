use thalweg_compute::Executor;
use thalweg_compute::parity::Rng;

use super::parity::step;
use super::state;
use crate::testing::random_scene;

/// Parity over random scenes is worth what the scenes contain.
#[test]
fn random_scenes_paint_flow_and_drain() {
    let (mut painted, mut flowed, mut drained) = (0, 0, 0);
    for number in 0..16 {
        for seed in 0..4 {
            let exec = Executor::cpu().expect("an executor");
            let rng = &mut Rng::new(seed);
            (0..number).for_each(|_| _ = rng.next_u64());
            let scene = random_scene(rng, number);
            let solid: Vec<f32> = (0..scene.shape.len()).map(|_| [0.0, 0.0, 0.4, 1.0][rng.below(4) as usize]).collect();
            let [_, balanced, phi, ..] = step(&exec, rng, &scene, &solid).expect("a step");
            painted += usize::from(phi != scene.phi);
            flowed += usize::from(balanced[state::WORDS + state::FLOW] > 0.0);
            drained += usize::from(balanced[2 * state::WORDS + 2] > 0.0);
        }
    }
    println!("{painted} painted, {flowed} flowed, {drained} drained of 64");
    assert!(painted > 3 && flowed > 10 && drained > 3);
}
