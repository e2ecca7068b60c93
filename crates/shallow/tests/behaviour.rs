//! What any user may rely on, on both executors: rest, mass, positivity, determinism, resuming.

use std::sync::Arc;

use thalweg_compute::parity::{Rng, test_gpu};
use thalweg_compute::{Cpu, Executor, Gpu, GpuOptions};
use thalweg_shallow::{Boundary, InitialCell, Options, Order, Scheme, Setup, ShallowWater, Source, SourceShape};

fn executors() -> Vec<Arc<Executor>> {
    let mut list = vec![Arc::new(Executor::cpu().unwrap())];
    if test_gpu().is_some() {
        let options = GpuOptions { allow_software: true, name_contains: None };
        list.push(Arc::new(Gpu::new(&options).unwrap().into()));
    }
    list
}

/// A smooth random bed between −1 and 1 m, the same for every caller.
fn bed(seed: u64) -> impl Fn(u32, u32) -> f64 + Sync {
    let mut rng = Rng::new(seed);
    let waves: Vec<[f64; 4]> = (0..12)
        .map(|_| [0.02, 0.3, 0.3, 6.3].map(|scale| scale * f64::from(rng.range(-1.0, 1.0))))
        .map(|[_, kx, kz, phase]| [0.25, kx, kz, phase])
        .collect();
    move |i, k| waves.iter().map(|[a, kx, kz, p]| a * (f64::from(i) * kx + f64::from(k) * kz + p).sin()).sum()
}

#[test]
fn a_lake_with_islands_stays_at_rest() {
    for exec in executors() {
        for (scheme, offset) in [
            (Order::First, 0.0),
            (Order::Second { limiter: Default::default() }, 0.0),
            (Order::Second { limiter: Default::default() }, 731.3),
        ] {
            let z = bed(3);
            let lake = |i, k| InitialCell { bed: z(i, k) + offset, surface: 0.2 + offset, velocity: [0.0; 2] };
            let mut setup = Setup::new(70, 45, 0.5, &lake);
            setup.options.scheme = Scheme::Hllc { order: scheme };
            let mut water = ShallowWater::new(Arc::clone(&exec), setup).unwrap();
            let before = water.statistics().unwrap();
            assert!(before.wet_area > 0.0 && before.wet_area < 0.9 * 70.0 * 45.0 * 0.25, "islands and water");
            water.advance(5.0).unwrap();
            let after = water.statistics().unwrap();
            assert!(after.max_speed < 1e-4, "{} {scheme:?}: {} m/s", exec.describe(), after.max_speed);
            assert!((after.volume / before.volume - 1.0).abs() < 1e-7);
        }
    }
}

#[test]
fn a_closed_basin_keeps_its_water_and_stays_positive() {
    for exec in executors() {
        for order in [Order::First, Order::Second { limiter: Default::default() }] {
            let z = bed(7);
            let dam = |i, k| InitialCell { bed: z(i, k), surface: if i < 20 { 2.0 } else { -9.0 }, velocity: [0.0; 2] };
            let mut setup = Setup::new(61, 40, 0.5, &dam);
            setup.options = Options { scheme: Scheme::Hllc { order }, manning: 0.02, ..Options::default() };
            let mut water = ShallowWater::new(Arc::clone(&exec), setup).unwrap();
            let before = water.statistics().unwrap();
            for _ in 0..20 {
                water.advance(0.5).unwrap();
                let f = water.fields().unwrap();
                assert!(f.depth.iter().all(|&h| h >= 0.0), "negative depth");
            }
            let after = water.statistics().unwrap();
            let drift = (after.volume / before.volume - 1.0).abs();
            assert!(drift < 1e-6, "{} {order:?}: drift {drift:e}", exec.describe());
            assert!(after.added == 0.0 && after.removed == 0.0, "walls let nothing through");
            assert!(after.max_speed > 0.01, "the dam broke");
        }
    }
}

fn rich(exec: &Arc<Executor>) -> ShallowWater {
    let z = bed(11);
    let initial = |i, k| InitialCell { bed: z(i, k), surface: 0.1, velocity: [0.1, 0.0] };
    let mut setup = Setup::new(150, 83, 0.5, &initial);
    setup.options.manning = 0.03;
    let level = |t: f64| 0.1 + 0.2 * (t * 2.0).sin();
    setup.boundaries[0] = Boundary::FarField { level: Box::new(level), rest: 0.1, layer: 8, span: 0..83 };
    setup.boundaries[1] = Boundary::Outflow;
    setup.boundaries[2] = Boundary::Discharge { rate: Box::new(|t| 2.0 + t), span: 20..30 };
    setup.rain = Some(Box::new(|_| 1e-4));
    let disc = SourceShape::Disc { center: [40.0, 20.0], radius: 2.0 };
    setup.sources.push(Source { shape: disc, rate: Box::new(|_| 0.5) });
    let drain = SourceShape::Box { min: [10.0, 10.0], max: [14.0, 12.0] };
    setup.sources.push(Source { shape: drain, rate: Box::new(|_| -0.4) });
    ShallowWater::new(Arc::clone(exec), setup).unwrap()
}

#[test]
fn the_books_balance_with_every_source_and_boundary() {
    for exec in executors() {
        let mut water = rich(&exec);
        let before = water.statistics().unwrap();
        for _ in 0..10 {
            water.advance(0.5).unwrap();
        }
        let after = water.statistics().unwrap();
        assert!(after.added > 1.0 && after.removed > 1.0);
        let drift = (after.volume - before.volume - after.added + after.removed) / before.volume.max(after.added);
        assert!(drift.abs() < 2e-6, "{}: drift {drift:e}, {after:?}", exec.describe());
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let run = |threads| {
        let exec = Arc::new(Executor::from(Cpu::with_threads(threads).unwrap()));
        let mut water = rich(&exec);
        (0..6).for_each(|_| water.advance(0.5).unwrap());
        water.snapshot().unwrap()
    };
    let one = run(1);
    for threads in [2, 3, 5] {
        assert_eq!(one, run(threads), "{threads} threads");
    }
}

#[test]
fn a_gpu_gives_the_same_bits_from_run_to_run() {
    for exec in executors() {
        let run = || {
            let mut water = rich(&exec);
            (0..4).for_each(|_| water.advance(0.5).unwrap());
            water.snapshot().unwrap()
        };
        assert_eq!(run(), run(), "{}", exec.describe());
    }
}

#[test]
fn a_restored_run_goes_on_with_the_same_bits() {
    for exec in executors() {
        let mut whole = rich(&exec);
        (0..6).for_each(|_| whole.advance(0.3).unwrap());
        let mut first = rich(&exec);
        (0..3).for_each(|_| first.advance(0.3).unwrap());
        let snapshot = first.snapshot().unwrap();
        let mut second = rich(&exec);
        second.restore(&snapshot).unwrap();
        (0..3).for_each(|_| second.advance(0.3).unwrap());
        let (a, b) = (whole.snapshot().unwrap(), second.snapshot().unwrap());
        assert_eq!(a.state, b.state, "{}", exec.describe());
        assert_eq!((a.time, a.substeps, a.speed), (b.time, b.substeps, b.speed));
    }
}

/// CPU and GPU run the same scene; rounding differs, the water does not.
#[test]
fn whole_runs_agree_on_both_executors_parity() {
    let [cpu, gpu] = &executors()[..] else { return };
    let run = |exec: &Arc<Executor>| {
        let mut water = rich(exec);
        (0..4).for_each(|_| water.advance(0.25).unwrap());
        (water.fields().unwrap(), water.statistics().unwrap())
    };
    let ((a, sa), (b, sb)) = (run(cpu), run(gpu));
    let worst = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(p, q)| (p - q).abs()).fold(0.0, f32::max);
    assert_eq!(sa.substeps, sb.substeps);
    assert!(worst(&a.depth, &b.depth) < 2e-4, "depth differs by {} m", worst(&a.depth, &b.depth));
    assert!((sa.volume / sb.volume - 1.0).abs() < 1e-6);
    assert!((sa.kinetic_energy / sb.kinetic_energy - 1.0).abs() < 1e-3);
}

#[test]
fn nonsense_is_refused() {
    let exec = Arc::new(Executor::cpu().unwrap());
    let flat = |_, _| InitialCell::default();
    let refused = |change: &dyn Fn(&mut Setup<'_>)| {
        let mut setup = Setup::new(10, 10, 1.0, &flat);
        change(&mut setup);
        ShallowWater::new(Arc::clone(&exec), setup).map(drop).unwrap_err().to_string()
    };
    assert!(refused(&|s| s.nx = 0).contains("cells"));
    assert!(refused(&|s| s.cell = f64::NAN).contains("cell size"));
    assert!(refused(&|s| s.options.cfl = 0.9).contains("Courant"));
    assert!(
        refused(&|s| s.boundaries[0] = Boundary::Discharge { rate: Box::new(|_| 1.0), span: 5..11 }).contains("span")
    );
    let nan = |_, _| InitialCell { bed: f64::NAN, ..Default::default() };
    assert!(ShallowWater::new(Arc::clone(&exec), Setup::new(4, 4, 1.0, &nan)).is_err());
    let mut water = ShallowWater::new(exec, Setup::new(4, 4, 1.0, &flat)).unwrap();
    assert!(water.advance(0.0).is_err() && water.advance(f64::INFINITY).is_err());
}
