//! The paper's collocated cells in the whole time step: what they reach, and what they do not.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_compute::parity::{Rng, own_physics_executors, own_test_executors};
use thalweg_tall::{Band, Discretisation, Exchange, Options, Series, Setup, Side, Source, TallError, TallWater};

const G: f64 = 9.81;

fn collocated(band: Option<Band>) -> Options {
    Options { band, discretisation: Discretisation::Collocated, gravity: G, ..Default::default() }
}

fn is_cpu(exec: &Executor) -> bool {
    exec.describe().starts_with("cpu")
}

/// The lakes of `rest.rs`: level 4.037 m over random hills, some of them islands.
fn lake(exec: &Arc<Executor>, seed: u64, options: Options) -> TallWater {
    let mut rng = Rng::new(seed);
    let shape = Shape { nx: 14, nz: 9, regular: if options.band.is_some() { 24 } else { 60 } };
    let terrain: Vec<f64> = (0..shape.columns()).map(|_| f64::from(rng.range(0.0, 4.4))).collect();
    let setup = Setup {
        shape,
        cell: 0.1,
        height: 6.0,
        terrain: &terrain,
        level_set: &|[_, y, _]| y - 4.037,
        obstacles: &[],
        velocity: [0.0; 2],
        options: Options { iterations: 4, ..options },
    };
    TallWater::new(exec.clone(), &setup).expect("a lake")
}

#[test]
fn lakes_over_random_terrain_stay_still() {
    let dt = 1.0 / 30.0;
    for exec in own_test_executors() {
        let steep = Some(Band { step: 40, ..Default::default() });
        let lakes = [(1, Some(Band::default())), (2, steep), (3, None)];
        let (count, steps) = if is_cpu(&exec) { (3, 600) } else { (1, 100) };
        for (seed, band) in lakes.into_iter().take(count) {
            let mut water = lake(&exec, seed, collocated(band));
            let volume = water.statistics().expect("sums").volume;
            for _ in 0..steps {
                water.step(dt).expect("a step");
            }
            let now = water.statistics().expect("sums");
            let (speed, drift) = (f64::from(now.speed) / (G * dt), now.volume / volume - 1.0);
            println!("{}: lake {seed}, {steps} steps: {speed:.1e} g dt, volume {drift:+.1e}", exec.describe());
            assert!(speed < 1e-4, "{speed:e} g dt");
            assert!(drift.abs() < 1e-5, "{drift:e}");
        }
    }
}

const DEPTH: usize = 64;
const CELL: f64 = 0.1;

/// Frequency of linear theory, rad/s.
fn theory(wavelength: usize) -> f64 {
    let k = TAU / (wavelength as f64 * CELL);
    (G * k * (k * DEPTH as f64 * CELL).tanh()).sqrt()
}

/// From the times at which a height crosses zero: the frequency over that of theory, less one, per cent. `next` gives a
/// height after a step of a sixtieth of a period.
fn frequency_error(wavelength: usize, mut next: impl FnMut(f64) -> f64) -> f64 {
    let omega = theory(wavelength);
    let (dt, mut before, mut crossings) = (TAU / omega / 60.0, 1.0, Vec::new());
    for step in 1..400 {
        let height = next(dt);
        if before * height < 0.0 {
            crossings.push(dt * (f64::from(step) - height / (height - before)));
        }
        before = height;
    }
    assert!(crossings.len() >= 4, "{crossings:?}");
    100.0 * (PI * 3.0 / (crossings[3] - crossings[0]) / omega - 1.0)
}

/// A slice of a tank with a standing wave of half a wavelength. It is 0.3 cells high at most, so that `G_L` is the same
/// everywhere, and 0.005 of its length.
fn measured(exec: &Arc<Executor>, wavelength: usize, regular: usize, options: Options) -> f64 {
    let (nx, level, length) = (wavelength / 2, DEPTH as f64 * CELL, wavelength as f64 * CELL);
    let amplitude = (0.3 * CELL).min(0.005 * length);
    let setup = Setup {
        shape: Shape { nx, nz: 1, regular },
        cell: CELL,
        height: 2.0 * level,
        terrain: &vec![0.0; nx],
        level_set: &|[x, y, _]| y - level - amplitude * (TAU * x / length).cos(),
        obstacles: &[],
        velocity: [0.0; 2],
        options,
    };
    let mut water = TallWater::new(exec.clone(), &setup).expect("a tank");
    frequency_error(wavelength, |dt| {
        water.step(dt).expect("a step");
        f64::from(water.surface().expect("a surface")[0].expect("water")) * CELL - level
    })
}

/// The same wave in the linear equations of the step: amplitudes of one Fourier mode in the samples of a column with
/// `below` cubic cells. `u ~ sin kx`, all else `~ cos kx`; the surface lies half a cell over the highest sample.
fn modelled(wavelength: usize, below: usize) -> f64 {
    let (n, k) = (below + 2, TAU / wavelength as f64);
    let inside = 1.0 / (DEPTH - below - 1) as f64; // conductance between the ends of the tall cell
    let (compact, wide) = (2.0 - 2.0 * k.cos(), k.sin()); // second difference; central difference
    let above = |j: usize| [inside, 1.0, 2.0][usize::from(j > 0) + usize::from(j + 1 == n)];
    let (mut u, mut v, mut air, mut eta) = (vec![0.0; n], vec![0.0; n], 0.0, 1e-3);
    frequency_error(wavelength, |dt| {
        let surface = G * dt * eta;
        // Mean of a sample and its upper neighbour, which inside a tall cell is a sub-cell.
        let up = |v: &[f64], j: usize| 0.5 * (v[j] + if j + 1 < n { v[j + 1] } else { air });
        let next_to = |v: &[f64], j: usize, other: usize| v[j] + 0.5 * (v[other] - v[j]) * inside;
        let divergence = |j: usize| {
            let along = match j {
                0 => next_to(&v, 0, 1),
                1 => up(&v, 1) - next_to(&v, 1, 0),
                _ => up(&v, j) - up(&v, j - 1),
            };
            wide * u[j] + along
        };
        let rhs: Vec<f64> =
            (0..n).map(|j| -CELL * divergence(j) + if j + 1 == n { above(j) * surface } else { 0.0 }).collect();
        // A tridiagonal matrix, by elimination.
        let (mut diagonal, mut q) = (vec![0.0; n], rhs);
        for j in 0..n {
            diagonal[j] = compact + above(j) + if j > 0 { above(j - 1) } else { 0.0 };
            if j > 0 {
                let factor = above(j - 1) / diagonal[j - 1];
                diagonal[j] -= factor * above(j - 1);
                q[j] += factor * q[j - 1];
            }
        }
        for j in (0..n).rev() {
            q[j] = (q[j] + if j + 1 < n { above(j) * q[j + 1] } else { 0.0 }) / diagonal[j];
        }
        let gradient = |j: usize| above(j) * (if j + 1 < n { q[j + 1] } else { surface } - q[j]) / CELL;
        let rise = up(&v, n - 1) - gradient(n - 1);
        let slowed = |j: usize| v[j] - 0.5 * (if j == 0 { v[0] } else { gradient(j - 1) } + gradient(j));
        let next: Vec<f64> = (0..n).map(slowed).collect();
        u.iter_mut().zip(&q).for_each(|(u, q)| *u += wide * q / CELL);
        (v, air) = (next, rise);
        eta += dt * rise;
        eta
    })
}

/// Wavelength, cells below the surface, and what the matrix alone says of the frequency at depth 64, per cent. In the
/// whole step waves are less slow: what divergence the samples keep goes into the next right-hand side, so that water
/// feels the wide differences of the samples in the end and not those of the matrix.
const WAVES: [(usize, u32, f64); 8] = [
    (32, 8, -2.9),
    (64, 8, -14.0),
    (128, 8, -33.0),
    (256, 8, -49.0),
    (32, 16, -0.4),
    (64, 16, -3.1),
    (128, 16, -16.0),
    (256, 16, -33.0),
];

/// Too slow, the more so the longer they are: the flaw of the published cells, as large as linear equations say. They
/// do not know that the surface moves among the cells, which is worth half a per cent without tall cells too, and more
/// where waves are slow.
#[test]
fn standing_waves_are_as_slow_as_linear_equations_say() {
    for exec in own_physics_executors() {
        let count = if is_cpu(&exec) { WAVES.len() } else { 2 };
        for (wavelength, below, matrix) in WAVES.into_iter().take(count) {
            let band = Band { below, ..Default::default() };
            let regular = below as usize + 8 + wavelength / 16;
            let found = measured(&exec, wavelength, regular, collocated(Some(band)));
            let model = modelled(wavelength, below as usize);
            let name = exec.describe();
            println!(
                "{name}: wavelength {wavelength}, {below} cells below: {found:+.2} %, linear {model:+.2} %, matrix {matrix:+.1} %"
            );
            assert!((found - model).abs() < 0.7 + 0.1 * model.abs(), "{found} {model}");
            assert!(found > matrix, "{found} {matrix}");
        }
    }
}

#[test]
fn without_tall_cells_waves_keep_their_time() {
    for exec in own_physics_executors() {
        let error = measured(&exec, 32, 80, collocated(None));
        println!("{}: wavelength 32, uniform grid: {error:+.2} %", exec.describe());
        assert!(error.abs() < 0.5, "{error}");
    }
}

/// A column of water collapses onto a block. Lowest and highest volume on the way and the last one, per cent off the
/// first; the highest speed.
fn collapse(exec: &Arc<Executor>, options: Options, seconds: f64) -> ([f64; 3], f32) {
    let regular = if options.band.is_some() { 30 } else { 38 };
    let setup = Setup {
        shape: Shape { nx: 40, nz: 1, regular },
        cell: 0.05,
        height: 2.0,
        terrain: &[0.0; 40],
        level_set: &|[x, y, _]| (x - 0.6).max(y - 1.2).min(y - 0.7),
        obstacles: &[thalweg_tall::Obstacle::Box { centre: [1.5, 0.5, 0.0], half: [0.1, 0.4, 1.0] }],
        velocity: [0.0; 2],
        options,
    };
    let mut water = TallWater::new(exec.clone(), &setup).expect("a tank");
    let volume = water.statistics().expect("sums").volume;
    let (mut range, mut fastest) = ([0.0f64; 3], 0.0f32);
    while water.time() < seconds {
        water.advance(1.0 / 30.0).expect("a frame");
        let sums = water.statistics().expect("finite sums");
        let drift = 100.0 * (sums.volume / volume - 1.0);
        range = [range[0].min(drift), range[1].max(drift), drift];
        fastest = fastest.max(sums.speed);
    }
    println!(
        "{}: {:?}, tall {}: volume {:+.2} to {:+.2} %, at the end {:+.2} %; {fastest:.1} of {:.1} m/s, last {:.2}",
        exec.describe(),
        options.discretisation,
        options.band.is_some(),
        range[0],
        range[1],
        range[2],
        water.speed_limit(),
        water.statistics().expect("sums").speed
    );
    (range, fastest)
}

#[test]
fn a_column_collapses() {
    for exec in own_test_executors() {
        let seconds = if is_cpu(&exec) { 15.0 } else { 1.0 };
        for band in [Some(Band::default()), None] {
            let ([low, high, end], fastest) = collapse(&exec, collocated(band), seconds);
            // A fall through the tank makes 6.3 m/s.
            assert!(low > -5.0 && high < 4.0 && fastest < 6.3, "{low} {high} {fastest}");
            if is_cpu(&exec) {
                assert!(end.abs() < 1.0, "{end}");
                collapse(&exec, Options { band, ..Default::default() }, seconds); // to compare with
            }
        }
    }
}

#[test]
fn what_is_not_there_is_refused() {
    let setup = Setup {
        shape: Shape { nx: 16, nz: 1, regular: 30 },
        cell: 0.1,
        height: 3.0,
        terrain: &[0.0; 16],
        level_set: &|[_, y, _]| y - 1.0,
        obstacles: &[],
        velocity: [0.0; 2],
        options: collocated(Some(Band::default())),
    };
    let source = Source::in_box("spring", [[0.4, 0.2, 0.0], [0.8, 0.6, 0.1]], Series::constant(0.01));
    let open = Side::Open { level: Some(1.0), layer: 4 };
    for exchange in [
        Exchange { sources: vec![source], ..Default::default() },
        Exchange { sides: [Side::Wall, open, Side::Wall, Side::Wall].into(), ..Default::default() },
    ] {
        let exec = Arc::new(Executor::cpu().expect("an executor"));
        let error = TallWater::with_exchange(exec, &setup, &exchange).expect_err("refused");
        assert!(matches!(error, TallError::Collocated { .. }), "{error}");
        println!("{error}");
    }
}
