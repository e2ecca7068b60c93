//! Standing waves against linear theory.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_compute::parity::own_physics_executors;
use thalweg_tall::{Band, Options, Setup, TallWater};

const G: f64 = 9.81;

/// A slice of a tank with a standing wave of half a wavelength.
fn standing_wave(
    exec: &Arc<Executor>,
    wavelength: usize,
    depth: usize,
    regular: usize,
    band: Option<Band>,
) -> TallWater {
    let (nx, cell) = (wavelength / 2, 0.1);
    let (length, level) = (wavelength as f64 * cell, depth as f64 * cell);
    let terrain = vec![0.0; nx];
    let surface = move |x: f64| level + 0.02 * length * (TAU * x / length).cos();
    let level_set = move |[x, y, _]: [f64; 3]| y - surface(x);
    let options = Options { band, gravity: G, ..Default::default() };
    let setup = Setup {
        shape: Shape { nx, nz: 1, regular },
        cell,
        height: 2.0 * level,
        terrain: &terrain,
        level_set: &level_set,
        obstacles: &[],
        velocity: [0.0; 2],
        options,
    };
    TallWater::new(exec.clone(), &setup).expect("a tank")
}

/// Frequency by the times at which the surface at the wall crosses its level, rad/s.
fn frequency(water: &mut TallWater, level: f64, dt: f64, seconds: f64) -> f64 {
    let mut crossings = Vec::new();
    let mut before: Option<f64> = None;
    while water.time() < seconds {
        water.step(dt).expect("a step");
        let height = f64::from(water.surface().expect("a surface")[0].expect("water")) * 0.1 - level;
        if let Some(last) = before
            && last * height < 0.0
        {
            crossings.push(water.time() - dt * height / (height - last));
        }
        before = Some(height);
    }
    assert!(crossings.len() >= 3, "{crossings:?}");
    PI * (crossings.len() - 1) as f64 / (crossings[crossings.len() - 1] - crossings[0])
}

#[test]
fn standing_waves_keep_their_time() {
    let depth = 64;
    for (exec, wavelength, below) in own_physics_executors().into_iter().flat_map(|exec| {
        let cases = [32, 64, 128, 256].into_iter().flat_map(|wavelength| [(wavelength, 8), (wavelength, 16)]);
        cases.map(move |(wavelength, below)| (exec.clone(), wavelength, below))
    }) {
        let limit = if below == 8 { 0.055 } else { 0.02 };
        let k = TAU / (wavelength as f64 * 0.1);
        let omega = (G * k * (k * depth as f64 * 0.1).tanh()).sqrt();
        let band = Band { below, ..Default::default() };
        let regular = below as usize + 8 + wavelength / 8;
        let mut water = standing_wave(&exec, wavelength, depth, regular, Some(band));
        let found = frequency(&mut water, 6.4, TAU / omega / 60.0, 3.2 * TAU / omega);
        let error = found / omega - 1.0;
        let name = exec.describe();
        println!("{name}: wavelength {wavelength}, {below} cells below: frequency {:+.2} %", 100.0 * error);
        assert!(error.abs() < limit, "{error}");
    }
}
