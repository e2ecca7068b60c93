//! A tank that is accelerated: gravity points to the other side.

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_compute::parity::own_physics_executors;
use thalweg_tall::{Options, Setup, TallWater};

const GRAVITY: f64 = 9.81;
const DT: f64 = 0.03;

/// Water whose surface is level in a tank that is accelerated along x or z.
fn tilted(exec: Arc<Executor>, acceleration: [f64; 2]) -> TallWater {
    let tilt = acceleration.map(|a| a / GRAVITY);
    let upright = (1.0 + tilt[0] * tilt[0] + tilt[1] * tilt[1]).sqrt();
    let setup = Setup {
        shape: Shape { nx: 24, nz: 12, regular: 24 },
        cell: 0.1,
        height: 3.0,
        terrain: &[0.0; 288],
        level_set: &|[x, y, z]| (y - 1.6 + tilt[0] * (x - 1.2) + tilt[1] * (z - 0.6)) / upright,
        obstacles: &[],
        velocity: [0.0; 2],
        options: Options::default(),
    };
    TallWater::new(exec, &setup).expect("a tank")
}

#[test]
fn a_tilted_surface_is_at_rest_in_an_accelerated_tank() {
    for (exec, acceleration) in
        own_physics_executors().into_iter().flat_map(|exec| [[1.5, 0.0], [0.0, -0.75]].map(|a| (exec.clone(), a)))
    {
        let speed = |water: &TallWater| f64::from(water.statistics().expect("sums").speed);
        let mut water = tilted(exec, acceleration);
        water.accelerate(acceleration);
        (0..20).for_each(|_| water.step(DT).expect("a step"));
        let found = speed(&water) / (GRAVITY * DT);
        println!("{}: {found:.1e} g dt", water.executor().describe());
        // 4e-3 at most were seen: where the surface passes within a hundredth of a cell of a sample it counts as that
        // far away.
        assert!(found < 0.01, "{found}");
        // Without the acceleration it is not.
        water.accelerate([0.0; 2]);
        (0..10).for_each(|_| water.step(DT).expect("a step"));
        assert!(speed(&water) > 0.1, "{}", speed(&water));
    }
}
