//! What sides, rain, sources and observers may be given, and what becomes of it.

use std::sync::Arc;

use thalweg_compute::parity::{own_physics_executors, own_test_executors, test_gpu};
use thalweg_compute::{Executor, GpuOptions};
use thalweg_model::Inflow;
use thalweg_shallow::tree::{GroundPyramid, InitialWater, Observer, TreeScheme, TreeSetup, TreeWater};
use thalweg_shallow::{Series, Side, Source, SourceShape};

const SIZE: [u32; 2] = [128, 64];

fn still([_, _]: [f64; 2], _: f64) -> InitialWater {
    InitialWater::default()
}

/// A flat basin 1 m deep with cells of `cell` on three levels.
fn basin(cell: f64, change: impl FnOnce(&mut TreeSetup<'_>)) -> Result<TreeWater, thalweg_shallow::ShallowError> {
    let ground = Arc::new(GroundPyramid::new(SIZE, 3, |_, _| -1.0));
    let mut setup = TreeSetup::new(SIZE, cell, 3, ground, &still);
    change(&mut setup);
    TreeWater::new(Arc::new(Executor::cpu().expect("an executor")), setup)
}

/// In single precision they are infinite. Whole units of kernel advection have no NaN that would show it later.
#[test]
fn drivers_that_are_not_finite_are_refused() {
    for scheme in [TreeScheme::FiniteVolumes, TreeScheme::kernel_advection()] {
        for broken in [1e300, -1e300] {
            let mut water = basin(1.0, |setup| {
                setup.options.scheme = scheme;
                setup.rain = Some(Series::from_points([[1.0, 1e-6], [1.01, broken]]).expect("a series"));
            })
            .expect("a basin");
            water.advance(0.5).expect("a frame before it breaks");
            let volume = water.statistics().expect("sums").volume;
            let error = water.advance(1.0).expect_err("not finite");
            assert!(error.to_string().contains("not finite"), "{error}");
            assert_eq!(water.statistics().expect("sums").volume, volume, "the water is as it was");
        }
    }
}

/// A source whose edge lies on centres of cells: as many cells count in its area as get its water.
#[test]
fn sources_bring_their_rate_wherever_their_edges_lie() {
    for scheme in [TreeScheme::FiniteVolumes, TreeScheme::kernel_advection()] {
        for cell in [0.1, 0.7] {
            for n in [3, 16, 47, 63, 113] {
                let min = [(f64::from(n) + 0.5) * cell, 1.5 * cell];
                let shape = SourceShape::Box { min, max: [min[0] + 6.0 * cell, min[1] + 5.0 * cell] };
                let mut water = basin(cell, |setup| {
                    setup.options.scheme = scheme;
                    setup.sources = vec![Source::new("spring", shape, Series::constant(0.2))];
                })
                .expect("a basin");
                water.advance(0.5).expect("a frame");
                let added = water.statistics().expect("sums").added;
                assert!((added / 0.1 - 1.0).abs() < 1e-4, "{scheme:?}, cells of {cell} m, from {n}: {added} of 0.1 m³");
            }
        }
    }
}

/// Somebody who sees all of the water finely, however it is said, is in snapshots that can be read.
#[test]
fn observers_may_see_for_ever() {
    for near in [f64::INFINITY, 1e39] {
        let make = || basin(1.0, |setup| setup.refinement.observer = Some(Observer::at([3.0, 4.0], near)));
        let mut water = make().expect("a basin");
        let snapshot = water.snapshot().expect("a snapshot");
        assert!(snapshot.observer.expect("an observer").iter().all(|x| x.is_finite()));
        make().expect("a basin").restore(&snapshot).expect("restored");
        water.observe([1.0, 2.0], near).expect("observed");
    }
    for (place, near) in [([f64::NAN, 0.0], 1.0), ([0.0; 2], 0.0), ([0.0; 2], f64::NAN)] {
        assert!(basin(1.0, |setup| setup.refinement.observer = Some(Observer::at(place, near))).is_err());
    }
}

/// Dry ground below the level of the sea, behind a dike and partly under an absorbing layer, is dry and has gauges.
#[test]
fn polders_beside_absorbing_layers_stay_dry() {
    for exec in own_test_executors() {
        let level = 0.798_92;
        let bed = |i: u32, _: u32| match i {
            0..8 => -3.0,
            8..14 => 2.0,
            i => -7.394_064 - 0.013 * f64::from(i),
        };
        let ground = Arc::new(GroundPyramid::new(SIZE, 1, bed));
        let sea = |[x, _]: [f64; 2], bed: f64| InitialWater {
            surface: if x < 8.0 { level } else { bed },
            velocity: [0.0; 2],
        };
        let mut setup = TreeSetup::new(SIZE, 1.0, 1, ground, &sea);
        setup.options.still = 0.0;
        setup.sides.west = Side::Open { level: Some(level), layer: 6 };
        let mut water = TreeWater::new(exec.clone(), setup).expect("a coast");
        let places: Vec<[f64; 2]> = (14..100).map(|i| [f64::from(i) + 0.5, 8.5]).collect();
        for _ in 0..3 {
            water.advance(0.5).expect("a frame");
            for (place, found) in places.iter().zip(water.sample(&places).expect("gauges")) {
                assert_eq!(found.depth, 0.0, "{}: {place:?}", exec.describe());
            }
        }
    }
}

/// What a step of rain or of a source brings is less than the last digit of a deep lake, and is not lost in it.
#[test]
fn small_gains_of_deep_water_are_not_rounded_away() {
    for exec in own_physics_executors() {
        let ground = Arc::new(GroundPyramid::new(SIZE, 3, |_, _| -0.0));
        let lake = |_: [f64; 2], _: f64| InitialWater { surface: 8.0, velocity: [0.0; 2] };
        let make = |rain: f64, spring: f64| {
            let mut setup = TreeSetup::new(SIZE, 1.0, 3, ground.clone(), &lake);
            setup.rain = Some(Series::constant(rain));
            let shape = SourceShape::Box { min: [0.0; 2], max: SIZE.map(f64::from) };
            setup.sources = vec![Source::new("spring", shape, Series::constant(spring))];
            TreeWater::new(exec.clone(), setup).expect("a lake")
        };
        let area = f64::from(SIZE[0] * SIZE[1]);
        let speed = 30e-3 / 3600.0;
        for (name, rain, spring) in [("rain", speed, 0.0), ("a source", 0.0, speed * area)] {
            let mut water = make(rain, spring);
            for _ in 0..8 {
                water.advance(0.5).expect("a frame");
            }
            let found = water.statistics().expect("sums");
            let (came, whole) = (area * 4.0 * speed, 8.0 * area);
            let drift = (found.volume - whole - found.added) / whole;
            println!("{}: {} of {came} m³ by {name}, volume {drift:+.1e}", exec.describe(), found.added);
            // A digit of 8 m is 1.2·10⁻⁷ of it.
            assert!(drift.abs() < 2e-7, "{drift}");
            assert!((found.added - came).abs() < 2e-7 * whole, "{} of {came} m³", found.added);
            // A snapshot goes on with the same bits.
            let snapshot = water.snapshot().expect("a snapshot");
            let mut other = make(rain, spring);
            other.restore(&snapshot).expect("restored");
            for water in [&mut water, &mut other] {
                water.advance(0.5).expect("a frame");
            }
            assert!(other.snapshot().expect("a snapshot").cells == water.snapshot().expect("a snapshot").cells);
        }
    }
}

/// The ledger of thousands of steps that bring and take the same: each sum is a million times what a step adds, and
/// what it loses to rounding is kept beside it. A compiler that takes `(a + b) - a` for `b` would lose that, and one
/// part in 10⁵ of the water with it.
#[test]
fn the_ledger_of_a_long_flow_is_right_whatever_a_compiler_does() {
    let mut executors = own_test_executors();
    if test_gpu().is_some() {
        let options = GpuOptions { allow_software: true, take_liberties: true, ..GpuOptions::default() };
        executors.push(Arc::new(Executor::gpu(&options).expect("the GPU of the tests starts again")));
    }
    for exec in executors {
        let ground = Arc::new(GroundPyramid::new([32, 16], 1, |_, _| -1.0));
        let mut setup = TreeSetup::new([32, 16], 1.0, 1, ground, &still);
        let kind = Inflow::Discharge(Series::constant(16.0 * 0.7));
        setup.sides.west = Side::Inflow { kind, span: None, layer: 0 };
        setup.sides.east = Side::Outflow;
        let mut water = TreeWater::new(exec.clone(), setup).expect("a canal");
        for _ in 0..20 {
            water.advance(30.0).expect("a frame");
        }
        let found = water.statistics().expect("sums");
        let unexplained = (found.volume - 512.0 - found.added + found.removed) / found.added;
        println!("{}: {} steps, {} m³ came, {unexplained:+.1e}", exec.describe(), water.ticks(), found.added);
        assert!(water.ticks() > 3000 && found.removed > 5000.0);
        assert!(unexplained.abs() < 2e-7, "{}: {unexplained:e}", exec.describe());
    }
}
