//! Water on a tree does what water does, whatever the tree does.

use std::sync::Arc;

use thalweg_compute::parity::{Rng, is_software, own_test_executors};
use thalweg_compute::{Cpu, Executor, allocated_bytes};
use thalweg_shallow::tree::{
    FineRegion, GroundPyramid, InitialWater, Refinement, TreeOptions, TreeSetup, TreeWater, Wish,
};
use thalweg_shallow::{InitialCell, Order, Scheme, Setup, ShallowWater};

fn cpu() -> Arc<Executor> {
    Arc::new(Executor::cpu().expect("an executor"))
}

/// Hills, some of them islands in a lake of level 0.
fn hills(i: u32, k: u32) -> f64 {
    let (x, z) = (f64::from(i), f64::from(k));
    1.5 * (x * 0.031).sin() * (z * 0.043).cos() - 0.9 + 0.2 * (0.4 * x + 0.7 * z).sin()
}

/// A lake at rest while tiles split and merge at random.
#[test]
fn a_lake_stays_at_rest_in_a_tree_that_changes() {
    for exec in own_test_executors() {
        let steps = if is_software(&exec) { 8 } else { 300 };
        let (size, levels) = ([256, 192], 4);
        let ground = Arc::new(GroundPyramid::new(size, levels, hills));
        let lake = |_: [f64; 2], _: f64| InitialWater::default();
        let mut setup = TreeSetup::new(size, 0.5, levels, ground, &lake);
        setup.options.still = 0.0;
        setup.refinement.interval = 0;
        let mut water = TreeWater::new(exec.clone(), setup).expect("a lake");
        let before = water.statistics().expect("sums").volume;
        let mut rng = Rng::new(7);
        let (mut changes, mut fastest) = (0, 0.0f64);
        for _ in 0..steps {
            changes += water
                .reshape(|_, own| match (rng.below(4), own) {
                    (0, _) => Wish::Split,
                    (1 | 2, Wish::Merge) => Wish::Merge,
                    _ => Wish::Keep,
                })
                .expect("a change");
            water.advance(0.05).expect("a frame");
            fastest = fastest.max(water.statistics().expect("sums").max_speed);
        }
        let drift = water.statistics().expect("sums").volume / before - 1.0;
        println!("{}: {changes} changes, fastest {fastest:.1e} m/s, volume {drift:+.1e}", exec.describe());
        assert!(changes > steps, "the tree changes");
        assert!(fastest < 1e-4);
        assert!(drift.abs() < 1e-6);
    }
}

/// One level is the uniform grid.
#[test]
fn one_level_is_the_uniform_solver() {
    for order in [Order::First, TreeOptions::default().order] {
        let size = [96, 64];
        let surface = |x: f64, z: f64| if x + 0.3 * z < 30.0 { 1.2 } else { 0.1 };
        let bed = |i: u32, k: u32| hills(i, k) * 0.4;
        let ground = Arc::new(GroundPyramid::new(size, 1, bed));
        let initial = |[x, z]: [f64; 2], _: f64| InitialWater { surface: surface(x, z), velocity: [0.0; 2] };
        let mut setup = TreeSetup::new(size, 1.0, 1, ground, &initial);
        setup.options.order = order;
        setup.options.still = -0.0;
        setup.options.manning = 0.03;
        let mut tree = TreeWater::new(cpu(), setup).expect("a tree");

        let cell = |i: u32, k: u32| InitialCell {
            bed: bed(i, k),
            surface: surface(f64::from(i) + 0.5, f64::from(k) + 0.5),
            velocity: [0.0; 2],
        };
        let mut setup = Setup::new(size[0], size[1], 1.0, &cell);
        setup.datum = thalweg_shallow::Datum::Elevation(0.0);
        setup.options.scheme = Scheme::Hllc { order };
        setup.options.manning = 0.03;
        let mut uniform = ShallowWater::new(cpu(), setup).expect("a grid");
        let mut worst = 0.0f32;
        for _ in 0..20 {
            tree.advance(0.25).expect("a frame");
            uniform.advance(0.25).expect("a frame");
            let whole = uniform.fields().expect("fields");
            for tile in tree.fields().expect("fields") {
                for (at, depth) in tile.depth.iter().enumerate() {
                    let (i, k) = (tile.place.x as usize * 16 + at % 16, tile.place.z as usize * 16 + at / 16);
                    worst = worst.max((depth - whole.depth[i + 96 * k]).abs());
                }
            }
        }
        println!("{order:?}: largest difference of depths {worst:.1e} m");
        assert!(worst < 2e-3, "{worst}");
    }
}

/// Sloshing with refinement all the time keeps its volume.
#[test]
fn volume_is_kept_while_the_tree_follows_the_water() {
    let (size, levels) = ([512, 256], 5);
    let ground = Arc::new(GroundPyramid::new(size, levels, |i, k| hills(i, k) * 0.5 - 0.3));
    let initial =
        |[x, _]: [f64; 2], _: f64| InitialWater { surface: if x < 60.0 { 1.0 } else { -0.3 }, velocity: [0.0; 2] };
    let mut setup = TreeSetup::new(size, 0.5, levels, ground, &initial);
    setup.refinement = Refinement { surface: 0.05, speed: 0.3, budget: 120_000, interval: 4, ..Default::default() };
    let mut water = TreeWater::new(cpu(), setup).expect("a basin");
    let before = water.statistics().expect("sums").volume;
    for frame in 0..200 {
        water.advance(0.1).expect("a frame");
        if frame % 20 == 0 {
            let now = water.statistics().expect("sums");
            println!(
                "{:.1} s: volume {:+.2e}, speed {:.2}, tiles {:?}, strain {}",
                now.time,
                now.volume / before - 1.0,
                now.max_speed,
                water.census().expect("tiles"),
                water.strain()
            );
        }
    }
    let drift = water.statistics().expect("sums").volume / before - 1.0;
    println!("{} ticks, {:.3e} cell-steps, volume {drift:+.2e}", water.ticks(), water.cell_steps());
    assert!(drift.abs() < 1e-6, "{drift:e}");
}

/// A packet of waves, sixteen large cells each, that runs over a border between cells of two sizes: what comes back, as
/// a share of what went there.
fn reflection(into_fine: bool, waves: f64, order: Order) -> f64 {
    let size = [4096, 32];
    let (levels, cell, depth, amplitude) = (2, 0.5, 1.0, 1e-3);
    let ground = Arc::new(GroundPyramid::new(size, levels, |_, _| -1.0));
    let length = waves * 2.0 * cell; // of a wave
    let middle = 0.5 * f64::from(size[0]) * cell;
    let (centre, width) = (middle - 5.0 * length, 1.5 * length);
    let speed = (9.81f64 * depth).sqrt();
    let packet = move |[x, _]: [f64; 2], _: f64| {
        let envelope = (-((x - centre) / width).powi(2)).exp();
        let eta = amplitude * envelope * (std::f64::consts::TAU * (x - centre) / length).cos();
        // A wave to the right: u = 2 (c − c0).
        let u = 2.0 * ((9.81 * (depth + eta)).sqrt() - speed);
        InitialWater { surface: eta, velocity: [u, 0.0] }
    };
    let mut setup = TreeSetup::new(size, cell, levels, ground, &packet);
    let (low, high) = if into_fine { (middle, 2.0 * middle) } else { (0.0, middle) };
    let region = FineRegion { min: [low + 0.1, 0.0], max: [high - 0.1, 16.0], cell };
    setup.refinement = Refinement {
        surface: 1e9,
        speed: 1e9,
        fronts: false,
        regions: vec![region],
        interval: 0,
        ..Default::default()
    };
    setup.options.order = order;
    setup.options.still = 0.0;
    let mut water = TreeWater::new(cpu(), setup).expect("a channel");
    let range = |water: &mut TreeWater, low: f64, high: f64| {
        let tiles = water.fields().expect("fields");
        let cells = tiles.iter().flat_map(|t| {
            (0..256).map(move |at| (t.origin[0] + (f64::from(at as u32 % 16) + 0.5) * t.cell, t.surface[at].abs()))
        });
        cells.filter(|(x, _)| *x > low && *x < high).fold(0.0f32, |a, (_, eta)| a.max(eta))
    };
    let mut arriving = 0.0f32;
    let frames = 40;
    let total = 10.0 * length / speed;
    for n in 0..frames {
        water.advance(total / f64::from(frames)).expect("a frame");
        if n == frames / 2 - 8 {
            arriving = range(&mut water, 0.0, middle);
        }
    }
    // The packet is five lengths behind the border now, what came back five before it.
    let back = range(&mut water, 0.0, middle - 2.0 * length);
    f64::from(back / arriving)
}

#[test]
fn borders_between_sizes_reflect_little() {
    for (order, waves) in
        [(TreeOptions::default().order, 16.0), (TreeOptions::default().order, 32.0), (Order::First, 32.0)]
    {
        for into_fine in [true, false] {
            let share = reflection(into_fine, waves, order);
            println!("{waves} large cells a wave, {order:?}, into fine: {into_fine}: {:.2} %", 100.0 * share);
            assert!(share < 0.01, "{share}");
        }
    }
}

/// A hundred thousand steps of waves in a basin, its tree changed at random every few of them.
#[test]
fn volume_is_kept_over_a_hundred_thousand_steps() {
    let (size, levels) = ([64, 64], 3);
    let ground = Arc::new(GroundPyramid::new(size, levels, |i, k| 0.3 * hills(i * 3, k * 3) - 0.4));
    let initial = |[x, z]: [f64; 2], _: f64| InitialWater {
        surface: 0.2 * (0.2 * x).sin() * (0.15 * z).cos(),
        velocity: [0.3, -0.2],
    };
    let mut setup = TreeSetup::new(size, 0.5, levels, ground, &initial);
    setup.options.still = 0.0;
    setup.refinement = Refinement { interval: 0, fronts: false, surface: 10.0, speed: 10.0, ..Default::default() };
    let mut water = TreeWater::new(cpu(), setup).expect("a basin");
    let before = water.statistics().expect("sums").volume;
    let mut rng = Rng::new(5);
    let mut changes = 0;
    while water.ticks() < 100_000 {
        changes +=
            water.reshape(|_, _| [Wish::Split, Wish::Merge, Wish::Keep][rng.below(3) as usize]).expect("a change");
        water.advance(0.5).expect("a frame");
        water.settle().expect("its end");
    }
    let now = water.statistics().expect("sums");
    let drift = now.volume / before - 1.0;
    println!("{} steps, {changes} changes, volume {drift:+.2e}, speed {:.1e} m/s", water.ticks(), now.max_speed);
    assert!(changes > 1000);
    assert!(drift.abs() < 1e-6, "{drift:e}");
}

/// Dry land around a pond takes no cells that step, and next to no memory: 10 km by 10 km in cells of 1 m.
#[test]
fn dry_land_is_free() {
    let census = |size: u32, levels: u32| {
        let middle = 0.5 * f64::from(size);
        let inside = move |x: f64, z: f64| (x - middle).abs() < 160.0 && (z - middle).abs() < 160.0;
        let bed = move |i: u32, k: u32| if inside(f64::from(i) + 0.5, f64::from(k) + 0.5) { -2.0 } else { 1.0 };
        let initial = move |[x, _]: [f64; 2], bed: f64| InitialWater {
            surface: if bed < 0.0 { 0.3 * (0.1 * (x - middle)).sin() } else { bed },
            velocity: [0.0; 2],
        };
        let ground = Arc::new(GroundPyramid::new([size; 2], levels, bed));
        let mut setup = TreeSetup::new([size; 2], 1.0, levels, ground, &initial);
        setup.refinement.budget = 400_000;
        let region = FineRegion { min: [middle - 160.0; 2], max: [middle + 160.0; 2], cell: 1.0 };
        setup.refinement.regions.push(region);
        let before = allocated_bytes() as i64;
        let mut water = TreeWater::new(cpu(), setup).expect("a pond");
        // Tests beside this one take and give back some, too.
        let memory = allocated_bytes() as i64 - before;
        for _ in 0..4 {
            water.advance(0.5).expect("a frame");
        }
        let active: usize = water.census().expect("tiles").iter().map(|[_, active]| active).sum();
        (active * 256, water.cell_steps() / water.ticks() as f64, memory)
    };
    let (small, small_work, _) = census(640, 4);
    let (large, large_work, memory) = census(10_240, 8);
    println!(
        "cells that step: {small} alone, {large} in 10 km; in the mean {small_work:.0}, {large_work:.0}; {memory} bytes"
    );
    assert!(large_work < 1.2 * small_work);
    assert!(large >= 320 * 320 && memory < 1 << 28);
}

/// A snapshot knows where the observer went: a resumed run goes on with the same bits, also if the setup has another
/// observer, or none.
#[test]
fn snapshots_know_the_observer() {
    let (size, levels) = ([256, 128], 4);
    let ground = Arc::new(GroundPyramid::new(size, levels, |i, k| hills(i, k) * 0.5 - 0.3));
    let initial =
        |[x, _]: [f64; 2], _: f64| InitialWater { surface: if x < 40.0 { 1.0 } else { -0.3 }, velocity: [0.0; 2] };
    let make = || {
        let mut setup = TreeSetup::new(size, 0.5, levels, ground.clone(), &initial);
        setup.refinement = Refinement { surface: 0.05, interval: 4, fronts: false, ..Default::default() };
        TreeWater::new(cpu(), setup).expect("a basin")
    };
    let run = |water: &mut TreeWater| (0..5).for_each(|_| water.advance(0.1).expect("a frame"));
    let mut whole = make();
    run(&mut whole);
    whole.observe([100.0, 30.3], 12.7).expect("seen");
    run(&mut whole);
    let snapshot = whole.snapshot().expect("a snapshot");
    let tiles = |water: &mut TreeWater| water.snapshot().expect("a snapshot").topology;
    run(&mut whole);
    let mut resumed = make();
    resumed.restore(&snapshot).expect("restored");
    run(&mut resumed);
    let [a, b] = [&mut whole, &mut resumed].map(|water| water.snapshot().expect("a snapshot"));
    assert!(a == b, "the same bits");

    let mut old = make();
    old.restore(&thalweg_shallow::tree::TreeSnapshot { observer: None, ..snapshot.clone() }).expect("restored");
    run(&mut old);
    assert_ne!(tiles(&mut old), a.topology, "without the observer the tree is another one");
    let before = make().snapshot().expect("a snapshot");
    whole.restore(&before).expect("restored");
    let mut fresh = make();
    [&mut whole, &mut fresh].into_iter().for_each(run);
    assert_eq!(tiles(&mut whole), tiles(&mut fresh), "a snapshot without an observer takes him away");
    let broken = thalweg_shallow::tree::TreeSnapshot { observer: Some([1.0, f64::NAN, 0.0, 1.0]), ..snapshot };
    assert!(fresh.restore(&broken).is_err(), "no place");
}

/// Places are looked up on the executor: the water of the cell that holds each.
#[test]
fn samples_are_those_of_the_cells() {
    for exec in own_test_executors() {
        let (size, levels) = ([256, 128], 4);
        let ground = Arc::new(GroundPyramid::new(size, levels, |i, k| hills(i, k) * 0.5 - 0.3));
        let initial =
            |[x, _]: [f64; 2], _: f64| InitialWater { surface: if x < 40.0 { 1.0 } else { -0.3 }, velocity: [0.0; 2] };
        let mut setup = TreeSetup::new(size, 0.5, levels, ground, &initial);
        (setup.datum, setup.refinement.surface) = (-0.25, 0.05);
        let mut water = TreeWater::new(exec.clone(), setup).expect("a basin");
        (0..5).for_each(|_| water.advance(0.1).expect("a frame"));
        let tiles = water.fields().expect("fields");
        let middles = tiles.iter().flat_map(|tile| {
            let place = |at: usize| {
                let [i, k] = [at % 16, at / 16].map(|n| (n as f64 + 0.5) * tile.cell);
                [tile.origin[0] + i, tile.origin[1] + k]
            };
            [0, 37, 255].map(|at| (tile, at, place(at)))
        });
        let middles: Vec<_> = middles.collect();
        let places: Vec<[f64; 2]> = middles.iter().map(|(.., place)| *place).collect();
        for ((tile, at, place), found) in middles.iter().zip(water.sample(&places).expect("samples")) {
            let wanted = [tile.depth[*at], tile.surface[*at], tile.u[*at], tile.w[*at], tile.bed[*at]];
            let found = [found.depth, found.surface, found.velocity[0], found.velocity[1], found.bed];
            for (a, b) in wanted.into_iter().zip(found) {
                assert!((f64::from(a) - b).abs() < 1e-6 * (1.0 + b.abs()), "{}: {place:?}", exec.describe());
            }
        }
        assert!(water.sample(&[]).expect("none").is_empty());
        assert!(water.sample(&[[f64::NAN, 0.0]]).is_err());
        let corner = water.sample(&[[-5.0, 1e9]]).expect("the nearest cell")[0];
        assert_eq!(corner, water.sample(&[[0.1, 63.9]]).expect("a cell")[0]);
    }
}

/// The same bits for any number of threads, and after a snapshot.
#[test]
fn runs_are_reproducible() {
    let run = |threads: usize, saved: bool| {
        let (size, levels) = ([256, 128], 4);
        let ground = Arc::new(GroundPyramid::new(size, levels, |i, k| hills(i, k) * 0.5 - 0.3));
        let initial =
            |[x, _]: [f64; 2], _: f64| InitialWater { surface: if x < 40.0 { 1.0 } else { -0.3 }, velocity: [0.0; 2] };
        let exec = || Arc::new(Executor::from(Cpu::with_threads(threads).expect("threads")));
        let make = || {
            let mut setup = TreeSetup::new(size, 0.5, levels, ground.clone(), &initial);
            setup.refinement = Refinement { surface: 0.05, interval: 4, ..Default::default() };
            TreeWater::new(exec(), setup).expect("a basin")
        };
        let mut water = make();
        for n in 0..12 {
            if saved && n == 6 {
                let snapshot = water.snapshot().expect("a snapshot");
                water = make();
                water.restore(&snapshot).expect("restored");
            }
            water.advance(0.1).expect("a frame");
        }
        water.snapshot().expect("a snapshot")
    };
    let reference = run(1, false);
    assert!(run(2, false) == reference, "another number of threads");
    let resumed = run(2, true);
    assert!(resumed.cells == reference.cells && resumed.topology == reference.topology, "after a snapshot");
}
