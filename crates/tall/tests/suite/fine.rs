//! Water whose surface is tracked twice as finely as it is simulated.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_compute::parity::{Rng, own_physics_executors, own_test_executors};
use thalweg_tall::{
    Band, Exchange, Motion, Obstacle, Options, Series, Setup, Side, Snapshot, Source, TallError, TallWater, Travel,
};

const G: f64 = 9.81;

/// A body of water over flat ground, without velocity.
struct Body<'a> {
    shape: Shape,
    cell: f64,
    height: f64,
    level_set: &'a (dyn Fn([f64; 3]) -> f64 + Sync),
    obstacles: &'a [Obstacle],
    options: Options,
}

impl Body<'_> {
    fn water(&self, exec: &Arc<Executor>, exchange: &Exchange) -> Result<TallWater, TallError> {
        let setup = Setup {
            shape: self.shape,
            cell: self.cell,
            height: self.height,
            terrain: &vec![0.0; self.shape.columns()],
            level_set: self.level_set,
            obstacles: self.obstacles,
            velocity: [0.0; 2],
            options: self.options,
        };
        TallWater::with_exchange(exec.clone(), &setup, exchange)
    }
}

fn cpu() -> Arc<Executor> {
    Arc::new(Executor::cpu().expect("an executor"))
}

/// A lake of level 4.037 m over random hills, some of them islands.
#[test]
fn lakes_stay_still() {
    const DT: f64 = 1.0 / 30.0;
    for exec in own_test_executors() {
        let (count, steps) = if exec.describe().starts_with("cpu") { (3, 600) } else { (1, 60) };
        let lakes = [(1, Some(Band::default())), (2, Some(Band { step: 40, ..Default::default() })), (3, None)];
        for (seed, band) in lakes.into_iter().take(count) {
            let mut rng = Rng::new(seed);
            let shape = Shape { nx: 14, nz: 9, regular: if band.is_some() { 24 } else { 60 } };
            let terrain: Vec<f64> = (0..shape.columns()).map(|_| f64::from(rng.range(0.0, 4.4))).collect();
            let setup = Setup {
                shape,
                cell: 0.1,
                height: 6.0,
                terrain: &terrain,
                level_set: &|[_, y, _]| y - 4.037,
                obstacles: &[],
                velocity: [0.0; 2],
                options: Options { band, iterations: 4, fine_surface: true, ..Default::default() },
            };
            let mut water = TallWater::new(exec.clone(), &setup).expect("a lake");
            let volume = water.statistics().expect("sums").volume;
            for _ in 0..steps {
                water.step(DT).expect("a step");
            }
            let now = water.statistics().expect("sums");
            let (speed, drift) = (f64::from(now.speed) / (G * DT), now.volume / volume - 1.0);
            println!("{}: lake {seed}: {speed:.1e} g dt, volume {drift:+.1e}", exec.describe());
            assert!(speed < 1e-4, "{speed:e} g dt");
            assert!(drift.abs() < 1e-5, "{drift:e}");
        }
    }
}

/// The tank of tests/tank.rs: 48 columns, 32 cells of water, a wave of four cells.
fn tank(exec: &Arc<Executor>, band: Option<Band>, fine_surface: bool) -> TallWater {
    let regular = if band.is_some() { 28 } else { 46 };
    let options = Options { band, hold_volume: false, iterations: 8, fine_surface, ..Default::default() };
    let level_set = |[x, y, _]: [f64; 3]| y - 1.6 - 0.2 * (PI * x / 2.4).cos();
    let shape = Shape { nx: 48, nz: 1, regular };
    let body = Body { shape, cell: 0.05, height: 3.0, level_set: &level_set, obstacles: &[], options };
    body.water(exec, &Exchange::default()).expect("a tank")
}

#[test]
fn sloshing_keeps_the_volume_without_a_controller() {
    for exec in own_physics_executors() {
        let is_cpu = exec.describe().starts_with("cpu");
        let (bands, dt): (&[_], f64) =
            if is_cpu { (&[Some(Band::default()), None], 0.02) } else { (&[Some(Band::default())], 0.04) };
        for band in bands {
            for fine in [false, true].into_iter().filter(|fine| is_cpu || *fine) {
                let mut water = tank(&exec, *band, fine);
                let volume = water.statistics().expect("sums").volume;
                let mut worst: f64 = 0.0;
                while water.time() < 20.0 {
                    (0..5).for_each(|_| water.step(dt).expect("a step"));
                    let drift = water.statistics().expect("sums").volume / volume - 1.0;
                    worst = if drift.abs() > worst.abs() { drift } else { worst };
                }
                let grid = if band.is_some() { "tall" } else { "uniform" };
                println!("{}, {grid}, fine {fine}: volume at most {:+.3} %", exec.describe(), 100.0 * worst);
                assert!(!fine || worst.abs() < 0.002, "{worst}");
            }
        }
    }
}

#[test]
fn standing_waves_keep_their_time() {
    let (depth, wavelength) = (64usize, 64usize);
    for exec in own_physics_executors() {
        for band in [Some(Band::default()), None] {
            if band.is_none() && !exec.describe().starts_with("cpu") {
                continue;
            }
            let k = TAU / (wavelength as f64 * 0.1);
            let omega = (G * k * (k * depth as f64 * 0.1).tanh()).sqrt();
            let regular = if band.is_some() { 24 } else { depth + 16 };
            let level_set = |[x, y, _]: [f64; 3]| y - 6.4 - 0.128 * (k * x).cos();
            let options = Options { band, fine_surface: true, ..Default::default() };
            let shape = Shape { nx: wavelength / 2, nz: 1, regular };
            let body = Body { shape, cell: 0.1, height: 12.8, level_set: &level_set, obstacles: &[], options };
            let mut water = body.water(&exec, &Exchange::default()).expect("a tank");
            let (dt, mut crossings, mut before) = (TAU / omega / 60.0, Vec::new(), None);
            while water.time() < 3.2 * TAU / omega {
                water.step(dt).expect("a step");
                let height = f64::from(water.surface().expect("a surface")[0].expect("water")) * 0.1 - 6.4;
                if let Some(last) = before.filter(|last: &f64| last * height < 0.0) {
                    crossings.push(water.time() - dt * height / (height - last));
                }
                before = Some(height);
            }
            let found = PI * (crossings.len() - 1) as f64 / (crossings[crossings.len() - 1] - crossings[0]);
            let error = found / omega - 1.0;
            let grid = if band.is_some() { "tall" } else { "uniform" };
            println!("{}, {grid}: wavelength {wavelength}: frequency {:+.2} %", exec.describe(), 100.0 * error);
            assert!(error.abs() < 0.055, "{error}");
        }
    }
}

/// Share of the volume that is left after a fall of a second and a half, 11 m or 22 cells.
fn after_a_fall(level_set: &(dyn Fn([f64; 3]) -> f64 + Sync), fine_surface: bool, band: Option<Band>) -> [f64; 2] {
    let options = Options { band, hold_volume: false, fine_surface, ..Default::default() };
    let shape = Shape { nx: 12, nz: 12, regular: 44 };
    let body = Body { shape, cell: 0.5, height: 22.0, level_set, obstacles: &[], options };
    let mut water = body.water(&cpu(), &Exchange::default()).expect("a drop");
    let before = water.statistics().expect("sums").volume;
    while water.time() < 1.499 {
        water.step(0.025).expect("a step");
    }
    let highest = water.surface().expect("a surface").into_iter().flatten().fold(f32::NAN, f32::max);
    [water.statistics().expect("sums").volume / before, f64::from(highest)]
}

#[test]
fn drops_and_sheets_fall_and_survive_better_than_on_the_columns() {
    // A drop of 1.5 cells radius; a sheet of 1.5 cells between walls. Both at 38 cells of height.
    let drop = |[x, y, z]: [f64; 3]| ((x - 3.1).powi(2) + (y - 19.0).powi(2) + (z - 2.9).powi(2)).sqrt() - 0.75;
    let sheet = |[_, y, _]: [f64; 3]| (y - 19.0).abs() - 0.375;
    for (name, level_set) in [("drop", &drop as &(dyn Fn([f64; 3]) -> f64 + Sync)), ("sheet", &sheet)] {
        for band in [None, Some(Band::default())] {
            let grid = if band.is_some() { "tall" } else { "uniform" };
            let [coarse, fine] = [false, true].map(|fine| after_a_fall(level_set, fine, band));
            println!("{name}, {grid}: volume left {:.3} on the columns, {:.3} on the fine lattice", coarse[0], fine[0]);
            println!("  highest surface {:.2} and {:.2} cells", coarse[1], fine[1]);
            assert!((fine[0] - 1.0).abs() < (coarse[0] - 1.0).abs(), "{name}");
            // ½ g t² are 22.07 cells, less half a step's.
            assert!((fine[1] - (38.0 - 22.07)).abs() < 3.0, "{name} is at {} cells", fine[1]);
        }
    }
}

/// A column of water collapses onto a block.
fn collapse(exec: &Arc<Executor>, options: Options) -> TallWater {
    let shape = Shape { nx: 16, nz: 6, regular: 24 };
    let level_set = |[x, y, _]: [f64; 3]| (x - 0.5).max(y - 1.6).min(y - 0.4);
    let obstacles = [Obstacle::Box { centre: [1.1, 0.3, 0.3], half: [0.15, 0.3, 0.2] }];
    let body = Body { shape, cell: 0.1, height: 2.4, level_set: &level_set, obstacles: &obstacles, options };
    body.water(exec, &Exchange::default()).expect("water")
}

#[test]
fn restored_water_goes_on_with_the_same_bits() {
    for exec in own_test_executors() {
        let fine = Options { fine_surface: true, ..Default::default() };
        for options in [fine, Options { band: None, reinitialise_every: 3, ..fine }] {
            let run = |water: &mut TallWater| (0..10).for_each(|_| water.step(0.02).expect("a step"));
            let mut whole = collapse(&exec, options);
            run(&mut whole);
            let saved: Snapshot = whole.snapshot().expect("a snapshot");
            run(&mut whole);
            let mut other = collapse(&exec, options);
            (0..3).for_each(|_| other.step(0.03).expect("a step"));
            other.restore(&saved).expect("restored");
            run(&mut other);
            assert!(whole.snapshot().expect("a snapshot") == other.snapshot().expect("a snapshot"));
            let mut plain = collapse(&exec, Options { fine_surface: false, ..options });
            assert!(plain.restore(&saved).is_err(), "a fine surface fits only into a fine surface");
            // What is left of the water is where pictures and gauges see it.
            let depth: f64 = whole.columns().expect("columns").depth.iter().map(|d| f64::from(*d)).sum::<f64>() / 0.1;
            let counted = whole.statistics().expect("sums").volume;
            assert!((depth / counted - 1.0).abs() < 1e-5, "{depth} and {counted} cells");
        }
    }
}

#[test]
fn a_collapse_onto_a_block_keeps_its_water() {
    for band in [Some(Band::default()), None] {
        for fine_surface in [false, true] {
            let mut water = collapse(&cpu(), Options { band, fine_surface, ..Default::default() });
            let volume = water.statistics().expect("sums").volume;
            let mut worst = [0.0f64; 2];
            while water.time() < 20.0 {
                water.advance(1.0 / 30.0).expect("a step");
                let drift = water.statistics().expect("sums").volume / volume - 1.0;
                worst = [worst[0].min(drift), worst[1].max(drift)];
            }
            let now = water.statistics().expect("sums");
            let [low, high, end] = [worst[0], worst[1], now.volume / volume - 1.0].map(|v| 100.0 * v);
            let grid = if band.is_some() { "tall" } else { "uniform" };
            println!(
                "{grid}, fine {fine_surface}: {low:+.2} to {high:+.2} %, at the end {end:+.2} %, {:.2} m/s",
                now.speed
            );
            // Where the level set was not continued into the block it was -8 %.
            assert!(!fine_surface || (low > -5.0 && end.abs() < 0.5), "{low} {end}");
        }
    }
}

/// A slice of 4 m with water up to a level, for 20 s or fewer.
fn open_tank(exec: &Arc<Executor>, level: f64, nz: usize, exchange: &Exchange) -> TallWater {
    let options = Options { fine_surface: true, ..Default::default() };
    let level_set = move |p: [f64; 3]| p[1] - level;
    let shape = Shape { nx: 40, nz, regular: 24 };
    let body = Body { shape, cell: 0.1, height: 3.0, level_set: &level_set, obstacles: &[], options };
    body.water(exec, exchange).expect("a tank")
}

/// Volume over what the start and the ledger make it.
fn against_the_ledger(water: &TallWater, first: f64) -> f64 {
    let ledger = water.ledger().expect("a ledger");
    water.statistics().expect("sums").volume / (first + (ledger.added() - ledger.removed()) / 1e-3) - 1.0
}

#[test]
fn water_enters_and_leaves() {
    for exec in own_physics_executors() {
        let is_cpu = exec.describe().starts_with("cpu");
        let seconds = if is_cpu { 20.0 } else { 1.0 };
        // Still water beside its own level.
        let open = |level: f64| Side::Open { level: Some(level), layer: 8 };
        let sides = [open(1.03), open(1.03), Side::Wall, Side::Wall];
        let still = Exchange { sides: sides.into(), ..Default::default() };
        let mut water = open_tank(&exec, 1.03, 1, &still);
        (0..100).for_each(|_| water.step(0.02).expect("a step"));
        let speed = f64::from(water.statistics().expect("sums").speed) / (G * 0.02);
        println!("{}: still beside its own level {speed:.1e} g dt", exec.describe());
        assert!(speed < 1e-4, "{speed}");
        // A lake of 1.3 m beside a level of 1 m.
        let sides = [Side::Wall, open(1.0), Side::Wall, Side::Wall];
        let exchange = Exchange { sides: sides.into(), ..Default::default() };
        let mut water = open_tank(&exec, 1.3, 1, &exchange);
        let first = water.statistics().expect("sums").volume;
        while water.time() < seconds {
            water.advance(1.0 / 30.0).expect("a step");
        }
        let level = water.columns().expect("columns").surface[5];
        let drift = against_the_ledger(&water, first);
        println!("{}: level {level:.4} m, volume against the ledger {drift:+.1e}", exec.describe());
        assert!(drift.abs() < if is_cpu { 1e-3 } else { 1e-2 }, "{drift}");
        assert!(!is_cpu || (level - 1.0).abs() < 0.005, "{level}");
        // A jet in the air over water, 0.05 m³/s.
        let jet = Source::in_box("jet", [[0.4, 1.4, 0.2], [0.8, 1.8, 0.6]], Series::constant(0.05));
        let jet = Source { direction: Some([1.0, 0.0, 0.0]), ..jet };
        let exchange = Exchange { sources: vec![jet], ..Default::default() };
        let mut water = open_tank(&exec, 0.8, 8, &exchange);
        let first = water.statistics().expect("sums").volume;
        while water.time() < 0.2 * seconds {
            water.advance(1.0 / 30.0).expect("a step");
        }
        let drift = against_the_ledger(&water, first);
        let added = water.ledger().expect("a ledger").added() / 1e-3;
        let asked = 0.05 * water.time() / 1e-3;
        println!("{}: jet {:.1} of {asked:.1} cells came, volume {drift:+.1e}", exec.describe(), added);
        assert!(drift.abs() < 0.02, "{drift}");
        assert!((added - asked).abs() < 70.0, "less than the region holds may be owed");
    }
}

/// A box is dragged through a closed tank, out of the water and back.
#[test]
fn bodies_move_through_the_fine_surface() {
    for exec in own_test_executors() {
        let is_cpu = exec.describe().starts_with("cpu");
        for band in [Some(Band::default()), None].into_iter().filter(|band| is_cpu || band.is_some()) {
            let shape = Box::new(Obstacle::Box { centre: [1.2, 1.2, 0.4], half: [0.2, 0.3, 0.2] });
            let travel = Travel::Swing { amplitude: [0.5, 0.5, 0.0], period: 2.5, phase: 0.0, ramp: 0.5 };
            let obstacles = [Obstacle::Moving { shape, motion: Motion { travel, spin: None } }];
            let options = Options { band, iterations: 8, fine_surface: true, ..Default::default() };
            let shape = Shape { nx: 24, nz: 8, regular: 28 };
            let level_set = |p: [f64; 3]| p[1] - 1.22;
            let body = Body { shape, cell: 0.1, height: 2.4, level_set: &level_set, obstacles: &obstacles, options };
            let mut water = body.water(&exec, &Exchange::default()).expect("a tank");
            let volume = water.statistics().expect("sums").volume;
            let mut worst: f64 = 0.0;
            while water.time() < if is_cpu { 5.0 } else { 0.5 } {
                water.advance(1.0 / 30.0).expect("a step");
                let drift = water.statistics().expect("sums").volume / volume - 1.0;
                worst = if drift.abs() > worst.abs() { drift } else { worst };
            }
            let grid = if band.is_some() { "tall" } else { "uniform" };
            println!("{}, {grid}: volume at most {:+.2} %", exec.describe(), 100.0 * worst);
            assert!(worst.abs() < 0.03, "{worst}");
        }
    }
}
