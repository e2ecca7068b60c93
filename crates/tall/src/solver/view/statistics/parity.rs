use thalweg_columns::grid::is_tall;
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};

use super::{StatsInput, WaterStats, word};
use crate::testing_heights::{Scene, random_scene};

/// A scene with solids and velocities.
pub(super) struct Input {
    pub(super) scene: Scene,
    pub(super) solid: Vec<f32>,
    pub(super) open: Vec<f32>,
    pub(super) faces: Vec<f32>,
    pub(super) inner: Vec<f32>,
}

pub(super) fn random_input(rng: &mut Rng, number: u64) -> Input {
    let scene = random_scene(rng, number);
    let (len, n) = (scene.shape.len(), scene.shape.samples());
    let share = |rng: &mut Rng| match rng.below(6) {
        0 => 1.0,
        1 => rng.range(0.0, 1.0),
        _ => 0.0,
    };
    let tall = |at: usize| is_tall(scene.heights[at / n]) && at % n < 2;
    let solid = (0..len).map(|at| if tall(at) { 0.0 } else { share(rng) }).collect();
    let open = (0..3 * len).map(|_| 1.0 - share(rng)).collect();
    let (faces, inner) = (rng.f32s(3 * len, -2.0, 2.0), rng.f32s(scene.shape.columns(), -2.0, 2.0));
    Input { scene, solid, open, faces, inner }
}

pub(super) fn reduce_words(exec: &Executor, input: &Input) -> Vec<u32> {
    let stats = WaterStats::new(exec, input.scene.shape).expect("memory");
    let heights = exec.buffer_from("heights", &input.scene.heights).expect("memory");
    let lists = [&input.scene.terrain, &input.scene.phi, &input.solid, &input.open, &input.faces, &input.inner];
    let [terrain, phi, solid, open, faces, inner] = lists.map(|list| exec.buffer_from("list", list).expect("memory"));
    let water = StatsInput {
        heights: &heights,
        terrain: &terrain,
        phi: &phi,
        solid: &solid,
        open: &open,
        faces: &faces,
        inner: &inner,
    };
    let mut rec = exec.record();
    stats.record(&mut rec, &water, None).expect("recorded");
    rec.submit().expect("done");
    let words = exec.read(stats.result()).expect("a buffer");
    assert_eq!(stats.read_async(exec).expect("memory").wait().expect("memory"), words);
    words
}

/// Integers are exact, sums of thousands of floats are taken in another order.
fn stats(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        (0..number).for_each(|_| _ = rng.next_u64());
        let words = reduce_words(exec, &random_input(rng, number));
        let floats = [word::PART, word::ENERGY].map(|at| f32::from_bits(words[at])).to_vec();
        out.f32("volume and energy", floats, Tolerance::Mixed { absolute: 1e-5, relative: 5e-6 });
        let whole = [word::FULL, word::SPEED, word::HIGHEST, word::WET, word::BROKEN].map(|at| words[at]).to_vec();
        out.u32("counts", whole);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    stats: 4 seeds,
}
