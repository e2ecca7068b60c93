//! A column of water collapses: drops fly, the volume adds up, and the same run gives the same bits.

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::parity::own_test_executors;
use thalweg_compute::{Cpu, Executor};
use thalweg_ledger::{Account, Quantity};
use thalweg_tall::{Options, Setup, TallWater};
use thalweg_whitewater::{ParticleKind, Snapshot, Whitewater, WhitewaterSettings};

const SHAPE: Shape = Shape { nx: 40, nz: 6, regular: 40 };
const CELL: f64 = 0.05;
const STEP: f64 = 0.025;

/// A column 0.6 m wide and 1 m high in a tank of 2 m.
fn dam(exec: &Arc<Executor>, walls: [bool; 4], settings: WhitewaterSettings) -> (TallWater, Whitewater) {
    let setup = Setup {
        shape: SHAPE,
        cell: CELL,
        height: 2.0,
        terrain: &[0.0; 240],
        level_set: &|[x, y, _]| (x - 0.6).max(y - 1.0),
        obstacles: &[],
        velocity: [0.0; 2],
        options: Options::default(),
    };
    let water = TallWater::new(Arc::clone(exec), &setup).expect("water");
    let whitewater = Whitewater::new(Arc::clone(exec), SHAPE, CELL, walls, settings).expect("whitewater");
    (water, whitewater)
}

fn step((water, whitewater): &mut (TallWater, Whitewater)) {
    whitewater.before(water, STEP).expect("before");
    water.advance(STEP).expect("a step");
    whitewater.after(water, STEP).expect("after");
}

fn run(exec: &Arc<Executor>, steps: u32) -> Snapshot {
    let mut dam = dam(exec, [true; 4], WhitewaterSettings::default());
    (0..steps).for_each(|_| step(&mut dam));
    dam.1.snapshot().expect("a snapshot")
}

#[test]
fn water_and_spray_close_their_accounts() {
    // Through the far wall drops leave, and count as removed.
    let settings =
        WhitewaterSettings { mass: true, drop_radius: 0.2, foam_share: 0.5, ..WhitewaterSettings::default() };
    for exec in own_test_executors() {
        let mut dam = dam(&exec, [true, false, true, true], settings);
        let initial = dam.0.ledger().expect("a ledger").expected().expect("it is opened");
        let (mut most, mut foam) = (0.0_f64, 0);
        for n in 0..48 {
            step(&mut dam);
            let ledger = dam.0.ledger().expect("a ledger");
            let some = dam.1.census(&ledger).expect("counts");
            let spray = some.volume / CELL.powi(3);
            let expected = ledger.expected().expect("it is opened");
            let missing = expected + ledger.removed() - ledger.added() - initial;
            assert!(missing.abs() < 1e-12 * initial, "step {n} on {}: {missing} of {initial}", exec.describe());
            let water = ledger.amount(Quantity::Mass, Account::Water).expect("kept");
            assert!((water + some.volume - expected).abs() < 1e-12 * initial && ledger.imbalance(Quantity::Mass) == 0);
            (most, foam) = (most.max(spray), foam.max(some.foam));
            let flying = dam.1.particles().expect("particles").into_iter().filter(|p| p.kind != ParticleKind::Foam);
            let volume: f64 = flying.map(|p| 4.0 / 3.0 * std::f64::consts::PI * f64::from(p.radius).powi(3)).sum();
            assert!((volume - some.volume).abs() < 1e-4 * volume.max(1e-9), "{volume} {}", some.volume);
        }
        let removed = dam.0.ledger().expect("a ledger").removed();
        assert!(most > 1.0 && foam > 20 && removed > 0.0, "{most} cells in the air, {foam} of foam, {removed} gone");
    }
}

#[test]
fn the_number_of_threads_does_not_matter_nor_does_the_run() {
    let of = |threads| Arc::new(Executor::Cpu(Cpu::with_threads(threads).expect("threads")));
    let one = run(&of(1), 36);
    assert!(one.places.len() > 100, "{} particles", one.places.len());
    assert!(one == run(&of(2), 36), "other bits with two threads");
    for exec in own_test_executors().iter().skip(1) {
        assert!(run(exec, 24) == run(exec, 24), "other bits on {}", exec.describe());
    }
}

#[test]
fn what_was_put_aside_goes_on_with_the_same_bits() {
    for exec in own_test_executors() {
        let mut whole = dam(&exec, [true; 4], WhitewaterSettings::default());
        (0..24).for_each(|_| step(&mut whole));
        let (water, saved) = (whole.0.snapshot().expect("water"), whole.1.snapshot().expect("whitewater"));
        let mut resumed = dam(&exec, [true; 4], WhitewaterSettings::default());
        resumed.0.restore(&water).expect("water");
        resumed.1.restore(&saved).expect("whitewater");
        for dam in [&mut whole, &mut resumed] {
            (0..6).for_each(|_| step(dam));
        }
        let later = whole.1.snapshot().expect("a snapshot");
        assert!(later == resumed.1.snapshot().expect("a snapshot"));
        // Once more in memory that holds what came after: nothing of it is left over.
        whole.0.restore(&water).expect("water");
        whole.1.restore(&saved).expect("whitewater");
        (0..6).for_each(|_| step(&mut whole));
        assert!(whole.1.snapshot().expect("a snapshot") == later);
        assert_eq!(
            whole.1.census(&whole.0.ledger().expect("a ledger")).expect("counts").particles() as usize,
            later.places.len()
        );
        let small = WhitewaterSettings { capacity: 3, ..WhitewaterSettings::default() };
        let mut other = Whitewater::new(Arc::clone(&exec), SHAPE, CELL, [true; 4], small).expect("whitewater");
        assert!(other.restore(&saved).is_err(), "more particles than there is room for");
    }
}

#[test]
fn still_water_makes_no_drops_and_full_memory_holds() {
    for exec in own_test_executors() {
        let small = WhitewaterSettings { capacity: 64, ..WhitewaterSettings::default() };
        let mut dam = dam(&exec, [true; 4], small);
        (0..40).for_each(|_| step(&mut dam));
        let some = dam.1.census(&dam.0.ledger().expect("a ledger")).expect("counts");
        assert!(some.particles() <= 64 && some.refused > 0, "{some:?}");
        let setup = Setup {
            shape: SHAPE,
            cell: CELL,
            height: 2.0,
            terrain: &[0.0; 240],
            level_set: &|[_, y, _]| y - 0.52,
            obstacles: &[],
            velocity: [0.0; 2],
            options: Options::default(),
        };
        let lake = TallWater::new(Arc::clone(&exec), &setup).expect("water");
        let calm = Whitewater::new(Arc::clone(&exec), SHAPE, CELL, [true; 4], WhitewaterSettings::default())
            .expect("whitewater");
        let mut lake = (lake, calm);
        (0..20).for_each(|_| step(&mut lake));
        assert_eq!(lake.1.census(&lake.0.ledger().expect("a ledger")).expect("counts").particles(), 0);
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let exec = own_test_executors().remove(0);
    for bad in [
        WhitewaterSettings { capacity: 0, ..WhitewaterSettings::default() },
        WhitewaterSettings { per_trial: 65, ..WhitewaterSettings::default() },
        WhitewaterSettings { mist_share: 1.5, ..WhitewaterSettings::default() },
        WhitewaterSettings { spray_drag: f64::NAN, ..WhitewaterSettings::default() },
        WhitewaterSettings { foam_decay: 0.0, ..WhitewaterSettings::default() },
    ] {
        assert!(Whitewater::new(Arc::clone(&exec), SHAPE, CELL, [true; 4], bad).is_err(), "{bad:?}");
    }
}

/// The dam stands in columns 0 to 11. With all columns calm nothing is made; with those at the other end calm, as much
/// as ever in the first steps.
#[test]
fn calm_sides_make_no_drops() {
    for exec in own_test_executors() {
        let made = |calm: [u32; 4]| {
            let (water, whitewater) = dam(&exec, [true; 4], WhitewaterSettings::default());
            let mut dam = (water, whitewater.with_calm_sides(calm));
            (0..14).for_each(|_| step(&mut dam));
            dam.1.census(&dam.0.ledger().expect("a ledger")).expect("counts").particles()
        };
        let all = made([0; 4]);
        assert!(all > 20, "{all} particles on {}", exec.describe());
        assert_eq!((made([40, 0, 0, 0]), made([0, 0, 3, 3])), (0, 0), "{}", exec.describe());
        assert_eq!(made([0, 1, 0, 0]), all, "nothing is near the far side yet: {}", exec.describe());
    }
}
