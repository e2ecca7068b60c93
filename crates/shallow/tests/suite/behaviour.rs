//! What any user may rely on, on both executors: rest, mass, positivity, determinism, resuming.

use std::sync::Arc;

use thalweg_compute::parity::{Rng, test_gpu};
use thalweg_compute::{Cpu, Executor, Gpu, GpuOptions};
use thalweg_ledger::{Account, Quantity};
use thalweg_model::Inflow;
use thalweg_shallow::{
    Datum, FarField, InitialCell, Options, Order, Scheme, Series, Setup, ShallowWater, Side, Source, SourceShape,
};

fn executors() -> Vec<Arc<Executor>> {
    let mut list = vec![Arc::new(Executor::cpu().expect("the CPU executor always starts"))];
    if test_gpu().is_some() {
        let options = GpuOptions { allow_software: true, ..GpuOptions::default() };
        list.push(Arc::new(Gpu::new(&options).expect("it opened before").into()));
    }
    list
}

fn schemes() -> [Scheme; 3] {
    let second = Order::Second { limiter: Default::default() };
    [Scheme::Hllc { order: Order::First }, Scheme::Hllc { order: second }, Scheme::Cmf10]
}

/// Runs a body for every executor and scheme.
fn for_each_scheme(body: impl Fn(&Arc<Executor>, Scheme)) {
    for exec in executors() {
        schemes().into_iter().for_each(|scheme| body(&exec, scheme));
    }
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
    for_each_scheme(|exec, scheme| {
        for offset in [0.0, 731.3] {
            let z = bed(3);
            let lake = |i, k| InitialCell { bed: z(i, k) + offset, surface: 0.2 + offset, velocity: [0.0; 2] };
            let mut setup = Setup::new(70, 45, 0.5, &lake);
            setup.options.scheme = scheme;
            let mut water = ShallowWater::new(Arc::clone(exec), setup).unwrap();
            let before = water.statistics().unwrap();
            assert!(
                before.wet_area.is_some_and(|area| area > 0.0 && area < 0.9 * 70.0 * 45.0 * 0.25),
                "islands and water"
            );
            water.advance(5.0).unwrap();
            let after = water.statistics().unwrap();
            assert!(after.max_speed < 1e-4, "{} {scheme:?}: {} m/s", exec.describe(), after.max_speed);
            assert!((after.volume / before.volume - 1.0).abs() < 1e-7);
        }
    });
}

#[test]
fn a_closed_basin_keeps_its_water_and_stays_positive() {
    // Short frames, and long ones that take many sub-steps.
    for (frame, frames) in [(0.5, 20), (5.0, 4)] {
        for_each_scheme(|exec, scheme| {
            let z = bed(7);
            let dam = |i, k| InitialCell { bed: z(i, k), surface: if i < 20 { 2.0 } else { -9.0 }, velocity: [0.0; 2] };
            let mut setup = Setup::new(61, 40, 0.5, &dam);
            setup.options = Options { scheme, manning: 0.02, ..Options::default() };
            let mut water = ShallowWater::new(Arc::clone(exec), setup).unwrap();
            let before = water.statistics().unwrap();
            let mut fastest = 0.0f64;
            for _ in 0..frames {
                water.advance(frame).unwrap();
                let f = water.fields().unwrap();
                assert!(f.depth.iter().all(|&h| h >= 0.0), "negative depth");
                fastest = fastest.max(water.statistics().unwrap().max_speed);
            }
            let after = water.statistics().unwrap();
            let drift = (after.volume / before.volume - 1.0).abs();
            assert!(drift < 1e-6, "{} {scheme:?}: drift {drift:e}", exec.describe());
            assert!(after.added == 0.0 && after.removed == 0.0, "walls let nothing through");
            assert!(fastest > 0.1 && fastest < 20.0, "{} {scheme:?}: the dam broke at {fastest} m/s", exec.describe());
        });
    }
}

/// A low wave much longer than a cell runs at √(g h), along x and along z.
#[test]
fn long_waves_run_at_the_speed_of_long_waves() {
    for_each_scheme(|exec, scheme| {
        for (nx, nz, axis) in [(260, 1, 0), (3, 260, 1)] {
            let (h, c) = (2.0, (9.81f64 * 2.0).sqrt());
            let wave = |i: u32, k: u32| {
                let x = f64::from([i, k][axis]) + 0.5 - 80.0;
                let eta = 1e-3 * (-x * x / 800.0).exp();
                let mut velocity = [0.0; 2];
                velocity[axis] = eta * c / h;
                InitialCell { bed: -h, surface: eta, velocity }
            };
            let mut setup = Setup::new(nx, nz, 1.0, &wave);
            setup.options.scheme = scheme;
            let mut water = ShallowWater::new(Arc::clone(exec), setup).unwrap();
            let centre = |water: &mut ShallowWater| {
                let surface = water.fields().unwrap().surface;
                let weight = |n: usize| f64::from(surface[n]).max(2e-5) - 2e-5;
                let place = |n: usize| [n % nx as usize, n / nx as usize][axis] as f64;
                let cells = 0..surface.len();
                cells.clone().map(|n| weight(n) * place(n)).sum::<f64>() / cells.map(weight).sum::<f64>()
            };
            let start = centre(&mut water);
            water.advance(100.0 / c).unwrap();
            let speed = (centre(&mut water) - start) * c / 100.0;
            assert!((speed / c - 1.0).abs() < 0.01, "{} {scheme:?}: {speed} m/s, not {c}", exec.describe());
        }
    });
}

/// A wave that meets a far field is gone; one that the far field sends arrives with its height.
#[test]
fn waves_leave_and_enter_through_a_far_field() {
    for_each_scheme(|exec, scheme| {
        for layer in [0, 12] {
            let hump = |i: u32, _| {
                let x = f64::from(i) - 60.0;
                InitialCell { bed: -2.0, surface: 0.01 * (-x * x / 200.0).exp(), velocity: [0.0; 2] }
            };
            let far = |level: fn(f64) -> f64| Some(FarField { level: Box::new(level), rest: 0.0, layer });
            let mut setup = Setup::new(120, 1, 1.0, &hump);
            setup.options.scheme = scheme;
            setup.far_fields = [far(|_| 0.0), far(|_| 0.0), None, None];
            let mut water = ShallowWater::new(Arc::clone(exec), setup).unwrap();
            water.advance(40.0).unwrap();
            let left = water.fields().unwrap().surface.iter().fold(0.0f32, |a, b| a.max(b.abs()));
            // A hump of 5 mm runs each way; 2 % of it may come back.
            assert!(left < 1e-4, "{} {scheme:?}, layer {layer}: {left} m are left", exec.describe());

            let still = |_, _| InitialCell { bed: -2.0, ..Default::default() };
            let mut setup = Setup::new(120, 1, 1.0, &still);
            setup.options.scheme = scheme;
            setup.far_fields = [far(|t| 0.01 * (t / 2.0).min(1.0)), far(|_| 0.0), None, None];
            let mut water = ShallowWater::new(Arc::clone(exec), setup).unwrap();
            water.advance(20.0).unwrap();
            let middle = f64::from(water.fields().unwrap().surface[50]);
            assert!((middle - 0.01).abs() < 3e-4, "{} {scheme:?}, layer {layer}: {middle} m", exec.describe());
        }
    });
}

/// Every boundary, rain, a source and a drain.
fn rich(exec: &Arc<Executor>, scheme: Scheme) -> ShallowWater {
    let z = bed(11);
    let initial = |i, k| InitialCell { bed: z(i, k), surface: 0.1, velocity: [0.1, 0.0] };
    let mut setup = Setup::new(150, 83, 0.5, &initial);
    setup.options = Options { scheme, manning: 0.03, ..Options::default() };
    let level = |t: f64| 0.1 + 0.2 * (t * 2.0).sin();
    setup.far_fields[0] = Some(FarField { level: Box::new(level), rest: 0.1, layer: 8 });
    setup.sides.east = Side::Outflow;
    let rate = Series::from_points([[0.0, 2.0], [10.0, 12.0]]).unwrap();
    setup.sides.south = Side::Inflow { kind: Inflow::Discharge(rate), span: Some([10.0, 15.0]), layer: 0 };
    setup.rain = Some(Series::constant(1e-4));
    let disc = SourceShape::Disc { center: [40.0, 20.0], radius: 2.0 };
    setup.sources.push(Source::new("spring", disc, Series::constant(0.5)));
    let drain = SourceShape::Box { min: [10.0, 10.0], max: [14.0, 12.0] };
    setup.sources.push(Source::new("drain", drain, Series::constant(-0.4)));
    ShallowWater::new(Arc::clone(exec), setup).expect("a valid setup")
}

#[test]
fn the_ledger_balances_with_every_source_and_boundary() {
    for_each_scheme(|exec, scheme| {
        let mut water = rich(exec, scheme);
        let before = water.statistics().unwrap();
        for _ in 0..10 {
            water.advance(0.5).unwrap();
        }
        let after = water.statistics().unwrap();
        assert!(after.added > 1.0 && after.removed > 1.0);
        let drift = after.drift(before.volume);
        assert!(drift.abs() < 2e-6, "{} {scheme:?}: drift {drift:e}, {after:?}", exec.describe());
        // Each account for itself: rain, an outflow in the east, a discharge through the south, a spring and a drain.
        let ledger = water.ledger().unwrap();
        let volume = |units: u128| units as f64 * ledger.quantum(Quantity::Mass).unwrap();
        let of = |account| ledger.turnover(Quantity::Mass, account).unwrap();
        assert!((volume(of(Account::Rain).given) / (5.0 * 1e-4 * 3112.5) - 1.0).abs() < 1e-5);
        assert!((volume(of(Account::South).given) / 22.5 - 1.0).abs() < 1e-2);
        assert!(of(Account::East).received > 0 && of(Account::North).given + of(Account::North).received == 0);
        assert!((volume(of(Account::Sources).given) / 2.5 - 1.0).abs() < 1e-3, "{:?}", of(Account::Sources));
        // The drain asks for 2 m³ and runs dry now and then.
        let drained = volume(of(Account::Sources).received);
        assert!(drained > 1.0 && drained < 2.002, "{drained} m³");
        assert_eq!(ledger.imbalance(Quantity::Mass), 0);
        assert_eq!((ledger.added(), ledger.removed()), (after.added, after.removed));
    });
}

/// What a step of rain or of a source brings is less than the last digit of a deep lake, and is not lost in it.
#[test]
fn small_gains_of_deep_water_are_not_rounded_away() {
    for_each_scheme(|exec, scheme| {
        let (size, speed, depth) = ([40, 30], 30e-3 / 3600.0, 8.0);
        let area = f64::from(size[0] * size[1]);
        for (name, rain, spring) in [("rain", speed, 0.0), ("a source", 0.0, speed * area)] {
            let lake = |_: u32, _: u32| InitialCell { surface: depth, ..Default::default() };
            let mut setup = Setup::new(size[0], size[1], 1.0, &lake);
            setup.options.scheme = scheme;
            setup.rain = Some(Series::constant(rain));
            let shape = SourceShape::Box { min: [0.0; 2], max: size.map(f64::from) };
            setup.sources = vec![Source::new("spring", shape, Series::constant(spring))];
            setup.datum = Datum::Elevation(0.0);
            let mut water = ShallowWater::new(exec.clone(), setup).unwrap();
            (0..20).for_each(|_| water.advance(0.5).unwrap());
            let found = water.statistics().unwrap();
            let (came, whole) = (area * 10.0 * speed, area * depth);
            let drift = (found.volume - whole - found.added) / whole;
            println!("{} {scheme:?}: {} of {came} m³ by {name}, volume {drift:+.1e}", exec.describe(), found.added);
            // A digit of 8 m is 1.2·10⁻⁷ of it.
            assert!(drift.abs() < 2e-7, "{} {scheme:?}: {drift}", exec.describe());
            assert!((found.added - came).abs() < 2e-7 * whole, "{} of {came} m³", found.added);
        }
    });
}

#[test]
fn drivers_that_are_not_finite_are_refused() {
    for_each_scheme(|exec, scheme| {
        for broken in [f64::NAN, f64::INFINITY] {
            let lake = |_: u32, _: u32| InitialCell { surface: 1.0, ..Default::default() };
            let mut setup = Setup::new(20, 20, 1.0, &lake);
            setup.options.scheme = scheme;
            let level = Box::new(move |t| if t > 1.0 { broken } else { 1.0 });
            setup.far_fields[0] = Some(FarField { level, rest: 1.0, layer: 0 });
            let mut water = ShallowWater::new(exec.clone(), setup).unwrap();
            water.advance(0.5).unwrap();
            let before = water.statistics().unwrap();
            let error = water.advance(1.0).unwrap_err();
            assert!(error.to_string().contains("not finite"), "{error}");
            assert_eq!(water.statistics().unwrap(), before, "the water is as it was");
        }
    });
}

#[test]
fn threads_do_not_change_a_bit() {
    for scheme in schemes() {
        let run = |threads| {
            let exec = Arc::new(Executor::from(Cpu::with_threads(threads).unwrap()));
            let mut water = rich(&exec, scheme);
            (0..6).for_each(|_| water.advance(0.5).unwrap());
            water.snapshot().unwrap()
        };
        let one = run(1);
        for threads in [2, 3, 5] {
            assert_eq!(one, run(threads), "{scheme:?}, {threads} threads");
        }
    }
}

#[test]
fn a_run_gives_the_same_bits_again() {
    for_each_scheme(|exec, scheme| {
        let run = || {
            let mut water = rich(exec, scheme);
            (0..4).for_each(|_| water.advance(0.5).unwrap());
            water.snapshot().unwrap()
        };
        assert_eq!(run(), run(), "{} {scheme:?}", exec.describe());
    });
}

#[test]
fn a_restored_run_goes_on_with_the_same_bits() {
    for_each_scheme(|exec, scheme| {
        let mut whole = rich(exec, scheme);
        (0..6).for_each(|_| whole.advance(0.3).unwrap());
        let mut first = rich(exec, scheme);
        (0..3).for_each(|_| first.advance(0.3).unwrap());
        let snapshot = first.snapshot().unwrap();
        assert_eq!(snapshot.faces.is_empty(), scheme != Scheme::Cmf10, "only staggered velocities live on faces");
        let mut second = rich(exec, scheme);
        second.restore(&snapshot).unwrap();
        (0..3).for_each(|_| second.advance(0.3).unwrap());
        let (a, b) = (whole.snapshot().unwrap(), second.snapshot().unwrap());
        assert_eq!((&a.state, &a.faces), (&b.state, &b.faces), "{} {scheme:?}", exec.describe());
        assert_eq!((a.time, a.substeps, a.speed), (b.time, b.substeps, b.speed));
        let mut short = snapshot;
        short.faces.push(0.0);
        assert!(second.restore(&short).is_err(), "faces of another scheme");
    });
}

/// CPU and GPU run the same scene; rounding differs, the water does not.
#[test]
fn whole_runs_agree_on_both_executors_parity() {
    let [cpu, gpu] = &executors()[..] else { return };
    for scheme in schemes() {
        let run = |exec: &Arc<Executor>| {
            let mut water = rich(exec, scheme);
            (0..4).for_each(|_| water.advance(0.25).unwrap());
            (water.fields().unwrap(), water.statistics().unwrap())
        };
        let ((a, sa), (b, sb)) = (run(cpu), run(gpu));
        let worst = a.depth.iter().zip(&b.depth).map(|(p, q)| (p - q).abs()).fold(0.0, f32::max);
        assert_eq!(sa.substeps, sb.substeps, "{scheme:?}");
        assert!(worst < 2e-4, "{scheme:?}: depth differs by {worst} m");
        assert!((sa.volume / sb.volume - 1.0).abs() < 1e-6);
        assert!((sa.kinetic_energy / sb.kinetic_energy - 1.0).abs() < 1e-3);
    }
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
    let inflow = |span| Side::Inflow { kind: Inflow::Discharge(Series::constant(1.0)), span: Some(span), layer: 0 };
    assert!(refused(&|s| s.sides.west = inflow([10.0, 11.0])).contains("span"));
    let nan = |_, _| InitialCell { bed: f64::NAN, ..Default::default() };
    assert!(ShallowWater::new(Arc::clone(&exec), Setup::new(4, 4, 1.0, &nan)).is_err());
    let mut water = ShallowWater::new(exec, Setup::new(4, 4, 1.0, &flat)).unwrap();
    assert!(water.advance(0.0).is_err() && water.advance(f64::INFINITY).is_err());
}

/// A dam breaks over islands, with maps of ground wetted by a centimetre. The water goes through by itself, and a film
/// is never deep.
fn flooded(exec: &Arc<Executor>, scheme: Scheme, maps: bool) -> ShallowWater {
    let z = bed(7);
    let dam = move |i: u32, k: u32| InitialCell {
        bed: z(i, k),
        surface: if i < 20 { 1.5 } else { -0.3 },
        velocity: [0.0; 2],
    };
    let mut setup = Setup::new(70, 45, 0.5, &dam);
    setup.options.scheme = scheme;
    setup.maps = maps.then_some(0.01);
    ShallowWater::new(Arc::clone(exec), setup).unwrap()
}

/// Maps are those of the fields at every frame, and what happens within a frame is in them too.
#[test]
fn maps_hold_the_extremes_of_the_fields() {
    for_each_scheme(|exec, scheme| {
        let mut water = flooded(exec, scheme, true);
        let ground = water.bed();
        let cells = ground.len();
        let (mut depth, mut speed) = (vec![f32::NAN; cells], vec![f32::NAN; cells]);
        // Frame in which the ground was wet first.
        let mut came = vec![f64::NAN; cells];
        const FRAME: f64 = 0.1;
        for n in 0..=20 {
            if n > 0 {
                water.advance(FRAME).unwrap();
            }
            let now = water.fields().unwrap();
            for at in (0..cells).filter(|&at| now.depth[at] > 0.01) {
                depth[at] = depth[at].max(now.depth[at]);
                speed[at] = speed[at].max(now.u[at].hypot(now.w[at]));
                if came[at].is_nan() {
                    came[at] = f64::from(n) * FRAME;
                }
            }
        }
        let maps = water.maps().unwrap().expect("they were asked for");
        let who = format!("{} {scheme:?}", exec.describe());
        let (mut dry, mut flooded) = (0, 0);
        for at in 0..cells {
            let found = [maps.depth[at], maps.surface[at], maps.speed[at], maps.arrival[at], maps.peak[at]];
            if found[0].is_nan() {
                assert!(found.iter().all(|x| x.is_nan()) && depth[at].is_nan(), "{who}, cell {at}: {found:?}");
                dry += 1;
                continue;
            }
            // A crest within a frame may be higher than what the frames show, and never lower.
            if depth[at].is_finite() {
                assert!(found[0] >= depth[at] && found[2] >= speed[at] - 1e-5, "{who}, cell {at}: {found:?}");
                assert!(
                    f64::from(found[3]) <= came[at] + 1e-5,
                    "{who}, cell {at}: {} s after {} s",
                    found[3],
                    came[at]
                );
                assert!(came[at] - f64::from(found[3]) < FRAME || came[at] == 0.0, "{who}, cell {at}: too early");
            }
            assert!(
                (found[1] - ground[at] - found[0]).abs() < 1e-5 && found[3] <= found[4],
                "{who}, cell {at}: {found:?}"
            );
            assert!((0.0..=2.00001).contains(&found[4]), "{who}, cell {at}: the peak at {} s", found[4]);
            flooded += usize::from(found[3] > 0.0);
        }
        assert!(dry > 20 && flooded > 200, "{who}: {dry} cells stay dry, {flooded} are flooded");
    });
}

/// Saving in the middle changes no bit of the maps, nor do maps change the water.
#[test]
fn maps_go_on_after_a_break() {
    for_each_scheme(|exec, scheme| {
        let [mut whole, mut plain] = [true, false].map(|maps| flooded(exec, scheme, maps));
        let mut first = flooded(exec, scheme, true);
        assert!(plain.maps().unwrap().is_none(), "nobody asked");
        for n in 0..6 {
            for water in [&mut whole, &mut plain] {
                water.advance(0.17).unwrap();
            }
            if n < 3 {
                first.advance(0.17).unwrap();
            }
        }
        let saved = first.snapshot().unwrap();
        let mut second = flooded(exec, scheme, true);
        second.restore(&saved).unwrap();
        (0..3).for_each(|_| second.advance(0.17).unwrap());
        let (whole, plain) = (whole.snapshot().unwrap(), plain.snapshot().unwrap());
        assert!(whole.maps == second.snapshot().unwrap().maps, "{} {scheme:?}", exec.describe());
        assert!(whole.state == plain.state, "{} {scheme:?}: who looks changes nothing", exec.describe());
        assert!(flooded(exec, scheme, true).restore(&plain).is_err(), "a snapshot without maps");
    });
}

#[test]
fn ground_cannot_be_wetted_by_nothing() {
    for wet in [0.0, -1.0, f64::NAN] {
        let flat = |_, _| InitialCell::default();
        let mut setup = Setup::new(4, 4, 1.0, &flat);
        setup.maps = Some(wet);
        assert!(ShallowWater::new(Arc::new(Executor::cpu().unwrap()), setup).is_err(), "{wet}");
    }
}
