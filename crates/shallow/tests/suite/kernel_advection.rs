//! The scheme of [004] on the tree keeps its water, rests, and breaks dams.

use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_compute::parity::{Rng, is_software, own_test_executors};
use thalweg_ledger::{Account, Quantity};
use thalweg_model::{Inflow, Sides};
use thalweg_shallow::tree::{GroundPyramid, InitialWater, TreeScheme, TreeSetup, TreeWater, Wish};
use thalweg_shallow::{Series, Side, Source, SourceShape};

fn cpu() -> Arc<Executor> {
    Arc::new(Executor::cpu().expect("an executor"))
}

/// Hills, some of them islands in a lake of level 0.
fn hills(i: u32, k: u32) -> f64 {
    let (x, z) = (f64::from(i), f64::from(k));
    1.5 * (x * 0.031).sin() * (z * 0.043).cos() - 0.9 + 0.2 * (0.4 * x + 0.7 * z).sin()
}

/// Splits and merges at random; returns how many there were.
fn shake(water: &mut TreeWater, rng: &mut Rng) -> usize {
    water
        .reshape(|_, _| match rng.below(4) {
            0 => Wish::Split,
            1 | 2 => Wish::Merge,
            _ => Wish::Keep,
        })
        .expect("a change")
}

/// Splits at random, and merges at random what the tree lets merge: never what lies under a source.
fn shake_gently(water: &mut TreeWater, rng: &mut Rng) -> usize {
    water
        .reshape(|_, own| match (rng.below(4), own) {
            (0, _) => Wish::Split,
            (1 | 2, Wish::Merge) => Wish::Merge,
            _ => Wish::Keep,
        })
        .expect("a change")
}

/// Deepest hole and most water: depths are never negative.
fn depths(water: &mut TreeWater) -> [f32; 2] {
    let fields = water.fields().expect("fields");
    let all = || fields.iter().flat_map(|tile| tile.depth.iter().copied());
    [all().fold(f32::INFINITY, f32::min), all().fold(0.0, f32::max)]
}

/// Water sloshes over islands in a tree of five levels that changes all the time: not one unit is lost.
#[test]
fn water_is_counted_exactly_in_a_tree_that_changes() {
    let (size, levels) = ([512, 256], 5);
    let ground = Arc::new(GroundPyramid::new(size, levels, hills));
    let slosh = |[x, z]: [f64; 2], _: f64| InitialWater {
        surface: 0.6 * (0.05 * x).sin() * (0.08 * z).cos(),
        velocity: [0.7 * (0.11 * z).sin(), 0.5 * (0.07 * x).cos()],
    };
    let mut setup = TreeSetup::new(size, 0.5, levels, ground, &slosh);
    setup.options.scheme = TreeScheme::kernel_advection();
    setup.refinement.interval = 0;
    setup.refinement.surface = f64::INFINITY;
    setup.refinement.speed = f64::INFINITY;
    setup.refinement.fronts = false;
    setup.refinement.budget = 2 * 512 * 256;
    let mut water = TreeWater::new(cpu(), setup).expect("a basin");
    let (before, unit) = water.counted_volume().expect("a count").expect("units");
    let mut rng = Rng::new(3);
    let (mut changes, mut least, mut levels_seen) = (0, f32::INFINITY, [0usize; 5]);
    while water.ticks() < 250 {
        changes += shake(&mut water, &mut rng);
        water.advance(0.05).expect("a frame");
        let (now, _) = water.counted_volume().expect("a count").expect("units");
        assert_eq!(now, before, "after {} steps and {changes} changes", water.ticks());
        if water.ticks().is_multiple_of(5) {
            least = least.min(depths(&mut water)[0]);
        }
        for (seen, [tiles, _]) in levels_seen.iter_mut().zip(water.census().expect("a census")) {
            *seen = (*seen).max(tiles);
        }
    }
    let stats = water.statistics().expect("sums");
    let counted = before as f64 * unit;
    println!(
        "{} steps, {changes} changes, tiles by level at most {levels_seen:?}, least depth {least:e}, fastest {:.2} m/s, \
         f32 volume off by {:+.1e}",
        water.ticks(),
        stats.max_speed,
        stats.volume / counted - 1.0
    );
    assert!(changes > 200 && levels_seen[1..].iter().all(|&n| n > 0));
    assert!(least >= 0.0);
    assert!(stats.max_speed > 0.05 && stats.max_speed < 8.0, "{}", stats.max_speed);
    assert!((stats.volume / counted - 1.0).abs() < 1e-6);
}

/// A lake with islands, in a tree that changes and in one that does not.
#[test]
fn a_lake_stays_at_rest() {
    for changing in [false, true] {
        let (size, levels) = ([256, 192], 4);
        let ground = Arc::new(GroundPyramid::new(size, levels, hills));
        let lake = |_: [f64; 2], _: f64| InitialWater::default();
        let mut setup = TreeSetup::new(size, 0.5, levels, ground, &lake);
        setup.options.scheme = TreeScheme::kernel_advection();
        setup.options.still = 0.0;
        setup.refinement.interval = 0;
        let mut water = TreeWater::new(cpu(), setup).expect("a lake");
        let before = water.counted_volume().expect("a count");
        let mut rng = Rng::new(7);
        let mut fastest = 0.0f64;
        for _ in 0..100 {
            if changing {
                shake_gently(&mut water, &mut rng);
            }
            water.advance(0.05).expect("a frame");
            fastest = fastest.max(water.statistics().expect("sums").max_speed);
        }
        println!("changing {changing}: fastest {fastest:e} m/s");
        assert_eq!(water.counted_volume().expect("a count"), before);
        if changing {
            assert!(fastest < 2e-5, "{fastest}");
        } else {
            assert_eq!(fastest, 0.0);
        }
    }
}

/// A wall of water falls, over wet and dry ground, towards either side.
#[test]
fn a_dam_breaks() {
    for (ahead, to_east) in [(0.2, true), (0.2, false), (0.0, true), (0.0, false)] {
        let (size, levels, cell) = ([256, 32], 2, 0.25);
        let ground = Arc::new(GroundPyramid::new(size, levels, |_, _| 0.0));
        let dam = move |[x, _]: [f64; 2], _: f64| InitialWater {
            surface: if (x < 32.0) == to_east { 1.0 } else { ahead },
            velocity: [0.0; 2],
        };
        let mut setup = TreeSetup::new(size, cell, levels, ground, &dam);
        setup.options.scheme = TreeScheme::kernel_advection();
        let mut water = TreeWater::new(cpu(), setup).expect("a dam");
        let before = water.counted_volume().expect("a count");
        for _ in 0..30 {
            water.advance(0.1).expect("a frame");
        }
        assert_eq!(water.counted_volume().expect("a count"), before);
        let along: Vec<[f64; 2]> = (0..128)
            .map(|n| [if to_east { 0.25 + 0.5 * f64::from(n) } else { 63.75 - 0.5 * f64::from(n) }, 4.0])
            .collect();
        let profile = water.sample(&along).expect("a profile");
        let front = profile.iter().rposition(|s| s.depth > ahead + 0.01).map_or(0.0, |n| 0.5 * n as f64 + 0.25);
        let depths: Vec<String> = profile.iter().step_by(4).map(|s| format!("{:.2}", s.depth)).collect();
        println!("ahead {ahead}, to the east {to_east}: front at {:.1} m; {}", front - 32.0, depths.join(" "));
        let [least, most] = depths_of(&profile);
        assert!(least >= 0.0 && most < 1.05, "{least} {most}");
        assert!(front > 34.0 && front < 32.0 + 3.0 * 6.3, "{front}");
    }
}

fn depths_of(profile: &[thalweg_shallow::Sample]) -> [f64; 2] {
    profile.iter().fold([f64::INFINITY, 0.0], |[low, high], s| [low.min(s.depth), high.max(s.depth)])
}

/// Waves of 1 mm on 1 m of water, 20 cells long, in a closed basin: they fade, and no noise grows out of them.
#[test]
fn small_waves_do_not_grow() {
    let (size, cell) = ([80, 16], 0.25);
    let ground = Arc::new(GroundPyramid::new(size, 1, |_, _| -1.0));
    let waves = |[x, _]: [f64; 2], _: f64| InitialWater {
        surface: 1e-3 * (x * 0.4 * std::f64::consts::PI).cos(),
        velocity: [0.0; 2],
    };
    let mut setup = TreeSetup::new(size, cell, 1, ground, &waves);
    setup.options.scheme = TreeScheme::kernel_advection();
    setup.options.still = 0.0;
    let mut water = TreeWater::new(cpu(), setup).expect("a basin");
    let mut highest = 0.0f32;
    for _ in 0..60 {
        water.advance(0.25).expect("a frame"); // a period is 1.6 s
        let fields = water.fields().expect("fields");
        highest = fields.iter().flat_map(|tile| &tile.surface).fold(highest, |high, s| high.max(s.abs()));
    }
    println!("highest in 15 s: {:.3} mm", 1e3 * highest);
    assert!(highest < 1.5e-3);
}

/// A wave of 1 mm, 20 cells long, on 1 m of water: its trough fills again, at the wall and in the middle of the basin,
/// where water flows together. [004] pulls no water through a face that both its cells flow towards; with that rule
/// alone both troughs stay where they are at half a period.
#[test]
fn troughs_fill_again() {
    let (size, length, amplitude) = ([80, 16], 20.0, 1e-3);
    let ground = Arc::new(GroundPyramid::new(size, 1, |_, _| -1.0));
    let shape = |x: f64| (x * std::f64::consts::TAU / length).cos();
    let wave = |[x, _]: [f64; 2], _: f64| InitialWater { surface: amplitude * shape(x), velocity: [0.0; 2] };
    let mut setup = TreeSetup::new(size, 1.0, 1, ground, &wave);
    setup.options.scheme = TreeScheme::kernel_advection();
    setup.options.still = 0.0;
    let mut water = TreeWater::new(cpu(), setup).expect("a basin");
    let period = length / 9.81f64.sqrt();
    let places: Vec<[f64; 2]> = (0..80).map(|n| [f64::from(n) + 0.5, 0.5]).collect();
    for frame in 1..=60 {
        water.advance(period / 12.0).expect("a frame");
        let along = water.sample(&places).expect("a profile");
        let relative = |n: usize| along[n].surface / amplitude;
        if frame % 6 != 0 {
            continue;
        }
        let left = along.iter().zip(&places).map(|(s, at)| s.surface * shape(at[0])).sum::<f64>() / (40.0 * amplitude);
        let near = |n: usize| format!("{:+.2} ({:+.2} mm/s)", relative(n), 1e3 * along[n].velocity[0]);
        println!(
            "after {:.1} periods {left:+.2} of the wave; at the wall {} {} {}; at 20 m {} {} {}",
            f64::from(frame) / 12.0,
            near(0),
            near(1),
            near(2),
            near(18),
            near(19),
            near(20)
        );
        let expected = if frame % 12 == 0 { 1.0 } else { -1.0 };
        if frame <= 12 {
            assert!(relative(0) * expected > 0.9 && relative(20) * expected > 0.9, "{} {}", relative(0), relative(20));
        }
        assert!(left * expected > 0.55, "{left}");
    }
}

/// A snapshot holds the whole numbers too: the run goes on with the same bits.
#[test]
fn snapshots_go_on_with_the_same_bits() {
    let (size, levels) = ([128, 128], 3);
    let ground = Arc::new(GroundPyramid::new(size, levels, hills));
    let slosh = |[x, z]: [f64; 2], _: f64| InitialWater {
        surface: 0.4 * (0.1 * x).sin() * (0.08 * z).cos(),
        velocity: [0.3, -0.2],
    };
    let basin = || {
        let mut setup = TreeSetup::new(size, 0.5, levels, ground.clone(), &slosh);
        setup.options.scheme = TreeScheme::kernel_advection();
        TreeWater::new(cpu(), setup).expect("a basin")
    };
    let (mut one, mut other) = (basin(), basin());
    (0..10).for_each(|_| one.advance(0.05).expect("a frame"));
    let before = one.snapshot().expect("a snapshot");
    other.restore(&before).expect("the same setup");
    for water in [&mut one, &mut other] {
        (0..10).for_each(|_| water.advance(0.05).expect("a frame"));
    }
    let (one, other) = (one.snapshot().expect("a snapshot"), other.snapshot().expect("a snapshot"));
    assert_ne!(one.cells, before.cells);
    assert_eq!((one.cells, one.volumes, one.topology), (other.cells, other.volumes, other.topology));
}

/// Units that came in and went out by the ledger, whose water is what the tiles hold.
fn came_and_went(water: &mut TreeWater) -> [u128; 2] {
    let (counted, unit) = water.counted_volume().expect("a count").expect("units");
    let ledger = water.ledger().expect("a ledger");
    assert_eq!(ledger.quantum(Quantity::Mass), Some(unit));
    assert_eq!(ledger.balance(Quantity::Mass, Account::Water), Some(counted as i128), "expected and counted");
    assert_eq!(ledger.imbalance(Quantity::Mass), 0);
    [ledger.added_quanta(), ledger.removed_quanta()]
}

/// Rain, a spring, a drain and an open side over islands, in a tree that changes: every unit is in the basin or in the
/// ledger. On either executor.
#[test]
fn rain_sources_and_outflow_are_counted_to_the_unit() {
    for exec in own_test_executors() {
        let (size, levels, cell) = ([128, 128], 4, 0.5);
        let ground = Arc::new(GroundPyramid::new(size, levels, hills));
        let slosh = |[x, z]: [f64; 2], _: f64| InitialWater {
            surface: 0.3 * (0.05 * x).sin() * (0.08 * z).cos(),
            velocity: [0.5, -0.2],
        };
        let mut setup = TreeSetup::new(size, cell, levels, ground, &slosh);
        setup.options.scheme = TreeScheme::kernel_advection();
        setup.refinement.interval = 0;
        (setup.refinement.surface, setup.refinement.speed) = (f64::INFINITY, f64::INFINITY);
        setup.refinement.fronts = false;
        setup.sides.east = Side::Outflow;
        let (rain, spring) = (50e-3 / 3600.0, 2.0);
        setup.rain = Some(Series::constant(rain));
        let disc = SourceShape::Disc { center: [20.2, 30.1], radius: 3.0 };
        let drain = SourceShape::Box { min: [40.0, 8.0], max: [44.0, 12.0] };
        setup.sources = vec![
            Source::new("spring", disc, Series::constant(spring)),
            Source::new("drain", drain, Series::from_points([[0.999, -3.0], [1.0, -30.0]]).expect("a series")),
        ];
        let mut water = TreeWater::new(exec.clone(), setup).expect("a basin");
        let (before, unit) = water.counted_volume().expect("a count").expect("units");
        let mut rng = Rng::new(5);
        let (mut drained, mut changes) = (0, 0);
        let frames = if is_software(&exec) { 6 } else { 40 };
        for frame in 1..=frames {
            changes += shake_gently(&mut water, &mut rng);
            water.advance(0.05).expect("a frame");
            let (now, _) = water.counted_volume().expect("a count").expect("units");
            let [added, removed] = came_and_went(&mut water);
            assert_eq!(now + removed, before + added, "{}, frame {frame}", exec.describe());
            drained = if frame == 20 { removed } else { drained };
        }
        let [added, removed] = came_and_went(&mut water);
        let stats = water.statistics().expect("sums");
        assert_eq!([stats.added, stats.removed], [added as f64 * unit, removed as f64 * unit]);
        let due = 0.05 * frames as f64 * (rain * 64.0 * 64.0 + spring);
        println!(
            "{}: {changes} changes, {:.6} of {due:.6} m³ came, {:.3} m³ went",
            exec.describe(),
            stats.added,
            stats.removed
        );
        assert!((stats.added / due - 1.0).abs() < 1e-5, "{} of {due}", stats.added);
        assert!(removed > 0 && changes > frames / 2, "{removed} {changes}");
        assert!(frames < 40 || drained > 0 && removed > 2 * drained, "{drained} {removed}");
        let depth = depths(&mut water)[0];
        assert!(depth >= 0.0, "{depth}");
    }
}

/// Less than a unit in a step is not lost: it is owed, also across a snapshot.
#[test]
fn drizzle_adds_up() {
    let size = [32, 32];
    let ground = Arc::new(GroundPyramid::new(size, 2, |_, _| -1.0));
    let lake = |_: [f64; 2], _: f64| InitialWater::default();
    let rain = 0.05e-3 / 3600.0;
    let basin = || {
        let mut setup = TreeSetup::new(size, 1.0, 2, ground.clone(), &lake);
        setup.options.scheme = TreeScheme::kernel_advection();
        setup.rain = Some(Series::constant(rain));
        TreeWater::new(cpu(), setup).expect("a basin")
    };
    let (mut water, mut other) = (basin(), basin());
    let (before, unit) = water.counted_volume().expect("a count").expect("units");
    let in_a_frame = 0.05 * rain / unit;
    (0..99).for_each(|_| water.advance(0.05).expect("a frame"));
    other.restore(&water.snapshot().expect("a snapshot")).expect("the same setup");
    (0..101).for_each(|_| other.advance(0.05).expect("a frame"));
    let (after, _) = other.counted_volume().expect("a count").expect("units");
    let per_cell = (after - before) / 1024;
    println!("{in_a_frame:.3} units in a frame, {per_cell} in 200 frames");
    assert_eq!(came_and_went(&mut other), [after - before, 0]);
    assert_eq!((after - before) % 1024, 0);
    assert!(in_a_frame < 1.0 && (per_cell as f64 - 200.0 * in_a_frame).abs() <= 1.0);
}

/// A hump of 1 cm falls apart into two waves, which leave through open sides; walls would send all of them back.
#[test]
fn waves_leave_through_open_sides() {
    let (size, cell) = ([256, 32], 0.25);
    let left = [true, false].map(|open| {
        let ground = Arc::new(GroundPyramid::new(size, 2, |_, _| -1.0));
        let hump = |[x, _]: [f64; 2], _: f64| InitialWater {
            surface: 0.01 * (-(x - 32.0) * (x - 32.0) / 8.0).exp(),
            velocity: [0.0; 2],
        };
        let mut setup = TreeSetup::new(size, cell, 2, ground, &hump);
        setup.options.scheme = TreeScheme::kernel_advection();
        setup.options.still = 0.0;
        if open {
            setup.sides = Sides::from([Side::Outflow, Side::Outflow, Side::Wall, Side::Wall]);
        }
        let mut water = TreeWater::new(cpu(), setup).expect("a channel");
        let (before, _) = water.counted_volume().expect("a count").expect("units");
        (0..180).for_each(|_| water.advance(0.1).expect("a frame"));
        let (after, unit) = water.counted_volume().expect("a count").expect("units");
        assert_eq!(came_and_went(&mut water), [0, before - after]);
        let fields = water.fields().expect("fields");
        let highest = fields.iter().flat_map(|tile| &tile.surface).fold(0.0f32, |high, s| high.max(s.abs()));
        println!("open {open}: {:.3} mm left, {:.4} m³ gone", 1e3 * highest, (before - after) as f64 * unit);
        highest
    });
    assert!(left[1] > 4e-3 && left[0] < 0.1 * left[1], "{left:?}");
}

/// A dam breaks over dry ground and runs out: as fast as finite volumes have it, and to the last unit by the ledger.
#[test]
fn a_flood_runs_out() {
    let schemes = [TreeScheme::FiniteVolumes, TreeScheme::kernel_advection()];
    let left = schemes.map(|scheme| {
        let (size, cell) = ([128, 32], 0.25);
        let ground = Arc::new(GroundPyramid::new(size, 2, |_, _| 0.0));
        let dam =
            |[x, _]: [f64; 2], _: f64| InitialWater { surface: if x < 16.0 { 1.0 } else { 0.0 }, velocity: [0.0; 2] };
        let mut setup = TreeSetup::new(size, cell, 2, ground, &dam);
        setup.options.scheme = scheme;
        setup.sides.east = Side::Outflow;
        let mut water = TreeWater::new(cpu(), setup).expect("a dam");
        let before = water.counted_volume().expect("a count");
        [5.0, 10.0, 20.0].map(|until| {
            while water.time() < until - 0.01 {
                water.advance(0.1).expect("a frame");
            }
            if let (Some((before, _)), Some((after, _))) = (before, water.counted_volume().expect("a count")) {
                assert_eq!(came_and_went(&mut water), [0, before - after]);
            }
            water.statistics().expect("sums").volume / 128.0
        })
    });
    println!("left after 5, 10 and 20 s: {left:.3?}");
    for (finite_volumes, found) in left[0].iter().zip(left[1]) {
        assert!((found - finite_volumes).abs() < 0.05, "{found} {finite_volumes}");
    }
}

/// What the scheme does not know is refused before it starts.
#[test]
fn other_sides_are_refused() {
    let ground = Arc::new(GroundPyramid::new([64, 64], 1, |_, _| -1.0));
    let lake = |_: [f64; 2], _: f64| InitialWater::default();
    let mut setup = TreeSetup::new([64, 64], 1.0, 1, ground, &lake);
    setup.options.scheme = TreeScheme::kernel_advection();
    setup.sides.east = Side::Inflow { kind: Inflow::Discharge(Series::constant(1.0)), span: None, layer: 0 };
    let error = TreeWater::new(cpu(), setup).expect_err("an inflow").to_string();
    assert!(error.contains("walls and outflow alone"), "{error}");
}
