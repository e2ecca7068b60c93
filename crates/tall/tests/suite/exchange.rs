//! Water that enters and leaves: the ledger closes, and sides make and swallow waves.

use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_compute::parity::{own_physics_executors, own_test_executors};
use thalweg_tall::{Exchange, Options, Series, Setup, Side, Source, SourceShape, TallWater};

const CELL: f64 = 0.1;

/// A tank of these columns with water up to a level, in m.
fn tank(exec: &Arc<Executor>, shape: Shape, level: f64, options: Options, exchange: &Exchange) -> TallWater {
    let setup = Setup {
        shape,
        cell: CELL,
        height: 6.0,
        terrain: &vec![0.0; shape.columns()],
        level_set: &move |[_, y, _]| y - level,
        obstacles: &[],
        velocity: [0.0; 2],
        options,
    };
    TallWater::with_exchange(exec.clone(), &setup, exchange).expect("a tank")
}

fn is_cpu(exec: &Executor) -> bool {
    exec.describe().starts_with("cpu")
}

fn volume(water: &TallWater) -> f64 {
    water.statistics().expect("sums").volume * CELL.powi(3)
}

fn source(region: &Source, rate: f64, direction: Option<[f64; 3]>) -> Exchange {
    let source = Source { rate: Series::constant(rate), direction, ..region.clone() };
    Exchange { sources: vec![source], ..Default::default() }
}

/// A source between two corners, without water.
fn block(low: [f64; 3], high: [f64; 3]) -> Source {
    Source::in_box("source", [low, high], Series::constant(0.0))
}

/// Volume now against that of the start and the ledger, as a share; and the ledger against the rate.
fn compare(name: &str, water: &TallWater, first: f64, expected: f64) -> [f64; 2] {
    let ledger = water.ledger().expect("a ledger");
    let [added, removed] = [ledger.added(), ledger.removed()];
    let now = volume(water);
    let drift = (now - first - added + removed) / first.max(added);
    let counted = (added - removed) / expected - 1.0;
    println!(
        "{name}: {first:.4} → {now:.4} m³, in {added:.5}, out {removed:.5}, drift {drift:+.2e}, counted {counted:+.1e}"
    );
    [drift, counted]
}

#[test]
fn sources_and_drains_keep_their_rates() {
    // Submerged near the ground, in a tall cell; the same as a jet; a spring near the surface; a drain.
    let low = block([0.4, 0.2, 0.2], [0.8, 0.6, 0.6]);
    let disc = SourceShape::Disc { center: [0.6, 0.4], radius: 0.25 };
    let high = Source { y: Some([1.0, 1.4]), ..Source::new("source", disc, Series::constant(0.0)) };
    let cases = [
        ("spring", &low, 0.05, None),
        ("jet", &high, 0.05, Some([1.0, 0.0, 0.0])),
        ("spring at the surface", &high, 0.05, None),
        ("drain", &low, -0.05, None),
    ];
    for exec in own_physics_executors() {
        let seconds = if is_cpu(&exec) { 5.0 } else { 0.6 };
        for (name, region, rate, direction) in cases {
            let shape = Shape { nx: 20, nz: 8, regular: 32 };
            let mut water = tank(&exec, shape, 1.6, Options::default(), &source(region, rate, direction));
            let first = volume(&water);
            while water.time() < seconds - 1e-9 {
                water.step(0.02).expect("a step");
            }
            let name = format!("{}: {name}", exec.describe());
            let [drift, counted] = compare(&name, &water, first, rate * water.time());
            assert!(drift.abs() < 0.005 && counted.abs() < 1e-5, "{name}");
        }
    }
}

/// Rates that change are integrated, not sampled.
#[test]
fn rates_in_time_are_integrated() {
    let exec = Arc::new(Executor::cpu().expect("an executor"));
    let region = block([0.4, 0.2, 0.0], [1.2, 0.6, 0.1]);
    let rate = Series::from_points([[0.0, 0.0], [0.5, 0.01], [0.51, -0.004], [0.8, 0.0]]).expect("a series");
    let exchange = Exchange { sources: vec![Source { rate, ..region }], ..Default::default() };
    let mut water = tank(&exec, Shape { nx: 20, nz: 1, regular: 32 }, 1.2, Options::default(), &exchange);
    (0..50).for_each(|_| water.step(0.02).expect("a step"));
    let ledger = water.ledger().expect("a ledger");
    let crosses = 0.5 + 0.01 * 10.0 / 14.0;
    let added = 0.5 * 0.01 * crosses;
    let removed = 0.5 * 0.004 * (0.8 - crosses);
    // The step in which the sign changes counts its sum.
    let mixed = 0.5 * (0.51 - crosses) * 0.004 + (0.01 * 0.004);
    println!("in {} of {added} m³, out {} of {removed} m³", ledger.added(), ledger.removed());
    assert!((ledger.added() - added).abs() < mixed && (ledger.removed() - removed).abs() < mixed);
    assert!((ledger.added() - ledger.removed() - (added - removed)).abs() < 1e-7);
}

/// Water comes out of thin air: a bucket that never empties over dry ground.
#[test]
fn a_jet_fills_an_empty_tank() {
    for exec in own_test_executors() {
        let seconds = if is_cpu(&exec) { 4.0 } else { 1.0 };
        for options in [Options::default(), Options { band: None, ..Default::default() }] {
            // Thinner jets become films on dry ground that cells cannot hold.
            let shape = Shape { nx: 20, nz: 12, regular: 30 };
            let region = block([0.2, 0.8, 0.2], [1.0, 1.6, 1.0]);
            let exchange = source(&region, 0.8, Some([1.0, 0.0, 0.0]));
            let mut water = tank(&exec, shape, -1.0, options, &exchange);
            while water.time() < seconds - 1e-9 {
                water.step(0.02).expect("a step");
            }
            let name = format!("{}: bucket, tall {}", exec.describe(), options.band.is_some());
            let [drift, counted] = compare(&name, &water, 0.0, 0.8 * water.time());
            let slack = if is_cpu(&exec) { 0.05 } else { 0.2 };
            assert!(drift.abs() < slack && counted.abs() < 1e-5, "{name}");
        }
    }
}

/// Only what is there can go.
#[test]
fn a_drain_runs_dry() {
    let exec = Arc::new(Executor::cpu().expect("an executor"));
    let region = block([0.0, 0.0, 0.0], [0.5, 0.5, 0.1]);
    let mut water =
        tank(&exec, Shape { nx: 16, nz: 1, regular: 32 }, 0.6, Options::default(), &source(&region, -0.05, None));
    let first = volume(&water);
    let mut worst = 0.0f64;
    while water.time() < 6.0 {
        water.step(0.02).expect("a step");
        let removed = water.ledger().expect("a ledger").removed();
        worst = worst.max((volume(&water) - first + removed).abs() / first);
        assert!(removed < 1.1 * first);
    }
    let left = volume(&water) / first;
    println!("left {left:.3} of the water, worst drift {worst:.3}");
    assert!(left < 0.25 && worst < 0.1);
}

#[test]
fn a_source_that_cannot_be_held_is_refused() {
    let exec = Arc::new(Executor::cpu().expect("an executor"));
    let shape = Shape { nx: 8, nz: 8, regular: 16 };
    let setup = Setup {
        shape,
        cell: CELL,
        height: 2.0,
        terrain: &[0.0; 64],
        level_set: &|[_, y, _]| y - 0.5,
        obstacles: &[],
        velocity: [0.0; 2],
        options: Options::default(),
    };
    let refused = |region: &Source, rate: f64, direction: Option<[f64; 3]>| {
        let made = TallWater::with_exchange(exec.clone(), &setup, &source(region, rate, direction));
        made.expect_err("refused").to_string()
    };
    let small = block([0.2, 0.2, 0.2], [0.3, 0.3, 0.3]);
    assert!(refused(&small, 1.0, None).contains("too small for its rate"));
    assert!(refused(&block([9.0; 3], [9.5; 3]), 0.1, None).contains("no cell"));
    assert!(refused(&small, 1e-4, Some([0.0; 3])).contains("direction"));
}

/// A lake that is too high comes down to the level outside, and the ledger closes.
#[test]
fn an_open_side_brings_a_lake_to_its_level() {
    for exec in own_physics_executors() {
        let seconds = if is_cpu(&exec) { 20.0 } else { 0.6 };
        for (level, held) in [(1.3, 1.0), (1.0, 1.2)] {
            let sides = [Side::Wall, Side::Open { level: Some(held), layer: 12 }, Side::Wall, Side::Wall];
            let exchange = Exchange { sides: sides.into(), ..Default::default() };
            let shape = Shape { nx: 40, nz: if is_cpu(&exec) { 4 } else { 1 }, regular: 32 };
            let mut water = tank(&exec, shape, level, Options::default(), &exchange);
            let first = volume(&water);
            while water.time() < seconds {
                water.step(0.03).expect("a step");
            }
            let area = shape.columns() as f64 * CELL * CELL;
            let [drift, _] = compare(&format!("{}: {level} m to {held} m", exec.describe()), &water, first, 1.0);
            let found = volume(&water) / area;
            println!("  level {found:.4} m");
            assert!(drift.abs() < 0.005);
            assert!(!is_cpu(&exec) || (found - held).abs() < 0.005, "{found} m");
        }
    }
}

#[test]
fn an_open_side_at_its_own_level_leaves_a_lake_still() {
    for exec in own_test_executors() {
        let open = Side::Open { level: Some(1.23), layer: 6 };
        let exchange = Exchange { sides: [open.clone(), Side::Wall, open, Side::Wall].into(), ..Default::default() };
        let shape = Shape { nx: 16, nz: if is_cpu(&exec) { 12 } else { 8 }, regular: 24 };
        let mut water = tank(&exec, shape, 1.23, Options::default(), &exchange);
        let steps = if is_cpu(&exec) { 300 } else { 20 };
        (0..steps).for_each(|_| water.step(0.03).expect("a step"));
        let speed = water.statistics().expect("sums").speed;
        println!("{}: {speed:.1e} m/s", exec.describe());
        assert!(speed < 1e-4, "{speed} m/s");
    }
}

/// All water leaves over a side that is open to a lower land.
#[test]
fn an_outflow_lets_water_run_out() {
    let exec = Arc::new(Executor::cpu().expect("an executor"));
    let sides = [Side::Wall, Side::Outflow, Side::Wall, Side::Wall];
    let shape = Shape { nx: 32, nz: 1, regular: 32 };
    let mut water =
        tank(&exec, shape, 0.8, Options::default(), &Exchange { sides: sides.into(), ..Default::default() });
    let first = volume(&water);
    while water.time() < 6.0 {
        water.advance(0.03).expect("steps");
    }
    let [drift, _] = compare("outflow", &water, first, 1.0);
    let left = volume(&water) / first;
    println!("left {left:.3}");
    assert!(left < 0.3 && drift.abs() < 0.05);
}

/// A flume with a wave-maker at one end and an absorbing zone at the other; surfaces of all columns over time, m.
fn flume(exec: &Arc<Executor>, period: f64, amplitude: f64, seconds: f64, options: Options) -> Vec<(f64, Vec<f64>)> {
    let wave = Side::Wave { level: Some(2.0), amplitude, period, ramp: period, layer: 30 };
    let sides = [wave, Side::Open { level: Some(2.0), layer: 40 }, Side::Wall, Side::Wall];
    let shape = Shape { nx: 240, nz: 1, regular: 40 };
    let mut water = tank(exec, shape, 2.0, options, &Exchange { sides: sides.into(), ..Default::default() });
    let mut rows = Vec::new();
    while water.time() < seconds {
        water.step(0.025).expect("a step");
        let heights = water.surface().expect("a surface");
        rows.push((water.time(), heights.iter().map(|h| f64::from(h.unwrap_or(0.0)) * CELL - 2.0).collect()));
    }
    rows
}

/// Amplitude and phase of a frequency at a column, over whole periods at the end.
fn harmonic(rows: &[(f64, Vec<f64>)], column: usize, frequency: f64, from: f64) -> [f64; 2] {
    let part: Vec<_> = rows.iter().filter(|(t, _)| *t >= from).collect();
    let mut sum = [0.0; 2];
    for (t, line) in &part {
        sum[0] += line[column] * (frequency * t).cos();
        sum[1] += line[column] * (frequency * t).sin();
    }
    sum.map(|s| 2.0 * s / part.len() as f64)
}

/// Shares of waves that go on and come back, and the damping per cell: the best fit of `a e^{(−ik−γ)x} + b e^{(ik+γ)x}`
/// to complex amplitudes along the flume, over wave numbers near the given one and dampings.
fn split(amplitudes: &[[f64; 2]], wave_number: f64) -> (f64, f64, f64) {
    let mut best = (f64::INFINITY, 0.0, 0.0, 0.0);
    for k in (-10..=10).map(|n| wave_number * (1.0 + 0.01 * f64::from(n))) {
        for damping in (0..20).map(|n| 2e-4 * f64::from(n)) {
            // Normal equations of two complex unknowns; the diagonal is real.
            let (mut d1, mut d2, mut off, mut r1, mut r2, mut norm) = (0.0, 0.0, [0.0; 2], [0.0; 2], [0.0; 2], 0.0);
            for (n, [c, s]) in amplitudes.iter().enumerate() {
                let x = n as f64;
                let (near, far) = ((-damping * x).exp(), (damping * x).exp());
                let (cos, sin) = ((k * x).cos(), (k * x).sin());
                // η = c cos ωt + s sin ωt is the real part of (c + i s) e^{−iωt}; waves go on as e^{ikx}.
                d1 += near * near;
                d2 += far * far;
                // conj(e^{ikx}) e^{−ikx} = e^{−2ikx}
                off[0] += (2.0 * k * x).cos();
                off[1] -= (2.0 * k * x).sin();
                r1[0] += near * (c * cos + s * sin);
                r1[1] += near * (s * cos - c * sin);
                r2[0] += far * (c * cos - s * sin);
                r2[1] += far * (s * cos + c * sin);
                norm += c * c + s * s;
            }
            let det = d1 * d2 - off[0] * off[0] - off[1] * off[1];
            let times = |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
            let (o2, o1) = (times(off, r2), times([off[0], -off[1]], r1));
            let a = [0, 1].map(|n| (d2 * r1[n] - o2[n]) / det);
            let b = [0, 1].map(|n| (d1 * r2[n] - o1[n]) / det);
            let explained = a[0] * r1[0] + a[1] * r1[1] + b[0] * r2[0] + b[1] * r2[1];
            if norm - explained < best.0 {
                best = (norm - explained, a[0].hypot(a[1]), b[0].hypot(b[1]), damping);
            }
        }
    }
    (best.1, best.2, best.3)
}

/// Waves of the asked height and period, and little of them comes back from the zone at the end.
#[test]
fn waves_are_made_and_swallowed() {
    let exec = Arc::new(Executor::cpu().expect("an executor"));
    let amplitude = 0.1;
    for (period, wavelength) in [(2.0, 6.03), (3.0, 11.2)] {
        let rows = flume(&exec, period, amplitude, 12.0 * period, Options::default());
        let from = 8.0 * period + 1e-6;
        let along: Vec<[f64; 2]> = (35..195).map(|column| harmonic(&rows, column, TAU / period, from)).collect();
        let (onward, back, damping) = split(&along, TAU * CELL / wavelength);
        // What comes back has been damped on its way: at the zone it was larger.
        let reflected = back * (damping * 160.0).exp() / (onward * (-damping * 160.0).exp());
        // Upward crossings of the mean at a column give the period.
        let series: Vec<(f64, f64)> = rows.iter().filter(|(t, _)| *t > from).map(|(t, l)| (*t, l[80])).collect();
        let mean = series.iter().map(|(_, h)| h).sum::<f64>() / series.len() as f64;
        let crossings: Vec<f64> = series
            .windows(2)
            .filter(|pair| pair[0].1 < mean && pair[1].1 >= mean)
            .map(|pair| pair[0].0 + (mean - pair[0].1) / (pair[1].1 - pair[0].1) * (pair[1].0 - pair[0].0))
            .collect();
        let found = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
        println!(
            "period {period} s: amplitude {:.3} and period {:.4} of the asked, damping {damping:.4} per cell, reflected {reflected:.3}, \
             mean {mean:+.4} m",
            onward / amplitude,
            found / period
        );
        assert!((onward / amplitude - 1.0).abs() < 0.15, "{onward} m");
        assert!((found / period - 1.0).abs() < 0.03, "{found} s");
        assert!(reflected < 0.1, "{reflected}");
    }
}
