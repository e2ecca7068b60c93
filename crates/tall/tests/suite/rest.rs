//! Water at rest stays at rest, whatever lies under it.

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_compute::parity::{Rng, is_software, own_test_executors};
use thalweg_tall::{Band, Options, Setup, TallWater};

const G: f64 = 9.81;
const CELL: f64 = 0.1;
const DT: f64 = 1.0 / 30.0;

/// A lake of level 4.037 m over random hills, some of them islands.
fn lake(exec: &Arc<Executor>, seed: u64, band: Option<Band>) -> TallWater {
    let mut rng = Rng::new(seed);
    let shape = Shape { nx: 14, nz: 9, regular: if band.is_some() { 24 } else { 60 } };
    let terrain: Vec<f64> = (0..shape.columns()).map(|_| f64::from(rng.range(0.0, 4.4))).collect();
    // Still water needs no iterations; those that are recorded take the time of software drivers.
    let options = Options { band, iterations: 4, ..Default::default() };
    let level_set = |[_, y, _]: [f64; 3]| y - 4.037;
    let setup = Setup {
        shape,
        cell: CELL,
        height: 6.0,
        terrain: &terrain,
        level_set: &level_set,
        obstacles: &[],
        velocity: [0.0; 2],
        options,
    };
    TallWater::new(exec.clone(), &setup).expect("a lake")
}

#[test]
fn lakes_over_random_terrain_stay_still() {
    for exec in own_test_executors() {
        let lakes = [(1, Some(Band::default())), (2, Some(Band { step: 40, ..Default::default() })), (3, None)];
        let (count, steps) = if is_software(&exec) { (1, 60) } else { (3, 600) };
        for (seed, band) in lakes.into_iter().take(count) {
            let mut water = lake(&exec, seed, band);
            let (heights, volume) = (water.heights().expect("heights"), water.statistics().expect("sums").volume);
            for _ in 0..steps {
                water.step(DT).expect("a step");
            }
            let now = water.statistics().expect("sums");
            let speed = f64::from(now.speed) / (G * DT);
            let drift = now.volume / volume - 1.0;
            println!("{}: lake {seed}: {speed:.1e} g dt, volume {drift:+.1e}", exec.describe());
            // Asked for was 1e-4.
            assert!(speed < 1e-6, "{speed:e} g dt");
            assert!(drift.abs() < 1e-5, "{drift:e}");
            assert_eq!(water.heights().expect("heights"), heights, "still water remeshes");
        }
    }
}

/// A band that leaves no room for tall cells is the uniform grid, to the last bit.
#[test]
fn without_room_for_tall_cells_it_is_the_uniform_solver() {
    let exec = Arc::new(Executor::cpu().expect("an executor"));
    let state = |band: Option<Band>| {
        let shape = Shape { nx: 24, nz: 3, regular: 30 };
        let terrain: Vec<f64> = (0..shape.columns()).map(|c| 0.013 * (c % 24) as f64).collect();
        let options = Options { band, ..Default::default() };
        let level_set = |[x, y, _]: [f64; 3]| (x - 0.9).max(y - 1.4);
        let setup = Setup {
            shape,
            cell: CELL,
            height: 3.0,
            terrain: &terrain,
            level_set: &level_set,
            obstacles: &[],
            velocity: [0.0; 2],
            options,
        };
        let mut water = TallWater::new(exec.clone(), &setup).expect("a tank");
        for _ in 0..20 {
            water.step(0.01).expect("a step");
        }
        (water.heights().expect("heights"), water.level_set().expect("a level set"))
    };
    let uniform = state(None);
    let crowded = state(Some(Band { below: 1000, above: 0, ..Default::default() }));
    assert_eq!(uniform.0, crowded.0);
    let bits = |list: &[f32]| list.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&uniform.1), bits(&crowded.1));
}
