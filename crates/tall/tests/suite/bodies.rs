//! Solids that move through water, and what water does to solids.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_compute::parity::own_test_executors;
use thalweg_tall::{Band, DistanceGrid, Motion, Obstacle, Options, Sampling, Setup, Spin, TallWater, Travel};

fn cpu() -> Arc<Executor> {
    Arc::new(Executor::cpu().expect("an executor"))
}

fn moving(shape: Obstacle, travel: Travel) -> Obstacle {
    Obstacle::Moving { shape: Box::new(shape), motion: Motion { travel, spin: None } }
}

/// Wave number of waves with an angular frequency in a depth: `ω² = g k tanh(k h)`.
fn wave_number(omega: f64, depth: f64) -> f64 {
    (0..100).fold(omega * omega / 9.81, |k, _| 0.5 * (k + omega * omega / (9.81 * (k * depth).tanh())))
}

/// A piston at the end of a slice: height over stroke against linear theory.
fn piston_error(period: f64, band: Option<Band>) -> f64 {
    let (cell, depth, stroke) = (0.05, 1.0, 0.1);
    let (nx, regular) = (320, 40);
    let shape = Shape { nx, nz: 1, regular };
    let front = 0.5; // of the piston at rest, m
    // A slice of one column is a wall to the sides: only the front matters.
    let piston = Obstacle::Box { centre: [-1.0 + front as f32, 1.0, 0.0], half: [1.0, 3.0, 1.0] };
    let travel = Travel::Swing { amplitude: [0.5 * stroke, 0.0, 0.0], period, phase: 0.0, ramp: period };
    let setup = Setup {
        shape,
        cell,
        height: 1.9,
        terrain: &vec![0.0; nx],
        level_set: &|[_, y, _]| y - depth,
        obstacles: &[moving(piston, travel)],
        velocity: [0.0; 2],
        options: Options { band, ..Default::default() },
    };
    let mut water = TallWater::new(cpu(), &setup).expect("a tank");
    let k = wave_number(TAU / period, depth);
    let celerity = TAU / period / k;
    // Three depths from the piston only the travelling wave is left. The front goes at half the phase speed at least,
    // and comes back from the far wall later than this.
    let gauge = ((front + 3.0 * depth) / cell) as usize;
    let arrives = 3.0 * depth / (0.5 * celerity) + 2.0 * period;
    let mut heights: Vec<f64> = Vec::new();
    while water.time() < arrives + 2.0 * period {
        water.advance(0.02).expect("steps");
        if water.time() > arrives {
            heights.push(f64::from(water.surface().expect("a surface")[gauge].unwrap_or(0.0)) * cell);
        }
    }
    let [low, high] = [heights.iter().copied().fold(f64::MAX, f64::min), heights.iter().copied().fold(0.0, f64::max)];
    let kh2 = 2.0 * k * depth;
    let theory = 2.0 * (kh2.cosh() - 1.0) / (kh2.sinh() + kh2);
    let found = (high - low) / stroke;
    println!(
        "piston, period {period} s, {}: H/S {found:.3}, theory {theory:.3}",
        if band.is_some() { "tall" } else { "uniform" }
    );
    assert!(water.statistics().expect("sums").not_finite == 0);
    found / theory - 1.0
}

#[test]
fn a_piston_makes_waves_of_linear_theory() {
    for (period, band) in [(1.4, None), (2.0, None), (2.0, Some(Band::default()))] {
        let error = piston_error(period, band);
        assert!(error.abs() < 0.15, "period {period}: {:+.1} %", 100.0 * error);
    }
}

#[test]
fn a_box_dragged_through_a_tank_keeps_its_water() {
    for exec in own_test_executors() {
        let is_cpu = exec.describe().starts_with("cpu");
        for band in [None, Some(Band::default())] {
            let shape = Shape { nx: 40, nz: 16, regular: 34 };
            let body = Obstacle::Box { centre: [0.4, 0.75, 0.4], half: [0.15, 0.2, 0.2] };
            // There and back, through the surface, and out of it at the end.
            let points: Arc<[[f64; 4]]> =
                [[0.0; 4], [1.0, 1.0, 0.0, 0.0], [2.0, 0.2, -0.3, 0.0], [2.5, 0.2, -0.3, 0.0], [3.5, 0.6, 0.6, 0.0]]
                    .into();
            let setup = Setup {
                shape,
                cell: 0.05,
                height: 1.8,
                terrain: &[0.0; 640],
                level_set: &|[_, y, _]| y - 0.8,
                obstacles: &[moving(body, Travel::Path { points })],
                velocity: [0.0; 2],
                options: Options { band, ..Default::default() },
            };
            let mut water = TallWater::new(exec.clone(), &setup).expect("a tank");
            let volume = water.statistics().expect("sums").volume;
            let expected = 40.0 * 16.0 * 16.0 - 6.0 * 8.0 * 5.0; // what the box takes away
            assert!((volume / expected - 1.0).abs() < 0.003, "{volume} and {expected} cells");
            let (mut worst, mut fastest): (f64, f32) = (0.0, 0.0);
            let end = if is_cpu { 5.0 } else { 0.3 };
            while water.time() < end {
                water.advance(1.0 / 30.0).expect("finite water");
                let sums = water.statistics().expect("sums");
                let drift = sums.volume / volume - 1.0;
                worst = if drift.abs() > worst.abs() { drift } else { worst };
                fastest = fastest.max(sums.speed);
            }
            let drift = water.statistics().expect("sums").volume / volume - 1.0;
            let name = if band.is_some() { "tall" } else { "uniform" };
            println!(
                "{}, {name}: volume at most {:+.3} %, at the end {:+.3} %, fastest {fastest:.2} m/s",
                exec.describe(),
                100.0 * worst,
                100.0 * drift
            );
            assert!(drift.abs() < 0.005 && worst.abs() < 0.02, "{drift} {worst}");
            assert!(fastest > 1.0 && fastest < 12.0, "{fastest}");
        }
    }
}

/// Still water with one solid in it, after a few steps.
fn immersed(solid: Obstacle, band: Option<Band>) -> TallWater {
    let setup = Setup {
        shape: Shape { nx: 24, nz: 24, regular: 40 },
        cell: 0.05,
        height: 1.9,
        terrain: &[0.0; 576],
        level_set: &|[_, y, _]| y - 1.413,
        obstacles: &[solid],
        velocity: [0.0; 2],
        options: Options { band, ..Default::default() },
    };
    let mut water = TallWater::new(cpu(), &setup).expect("water");
    (0..10).for_each(|_| water.step(0.02).expect("a step"));
    water
}

#[test]
fn still_water_lifts_by_the_weight_of_what_is_displaced() {
    let centre = [0.61, 0.72, 0.58];
    let (sphere, half) = (0.28f32, [0.23f32, 0.31, 0.17]);
    let sphere_volume = f64::from(4.0 / 3.0 * std::f32::consts::PI * sphere.powi(3));
    let box_volume = f64::from(8.0 * half[0] * half[1] * half[2]);
    let piercing = Obstacle::Box { centre: [0.6, 1.4, 0.6], half: [0.2; 3] };
    let drawn = 0.16 * (1.413 - 1.2);
    for band in [None, Some(Band::default())] {
        let cases = [
            ("sphere", Obstacle::Sphere { centre, radius: sphere }, sphere_volume),
            ("box", Obstacle::Box { centre, half }, box_volume),
            ("box on cells", Obstacle::Box { centre: [0.6, 0.7, 0.6], half: [0.2; 3] }, 0.064),
            ("box through the surface", piercing.clone(), drawn),
        ];
        for (name, solid, volume) in cases {
            let water = immersed(solid, band);
            let pressures = water.pressures().expect("pressures");
            let force = pressures.force(0).expect("a force");
            let lift = force[1] / (9.81 * volume);
            println!("{name}: lift {lift:.3} of Archimedes', aside {:+.4} {:+.4}", force[0], force[2]);
            assert!((lift - 1.0).abs() < 0.016, "{name}: {lift}");
            assert!(force[0].abs().max(force[2].abs()) < 0.01 * force[1], "{name}: {force:?}");
            for depth in [0.05, 0.2, 1.3] {
                let found = pressures.at([0.11, 1.413 - depth, 0.17]).expect("a pressure");
                assert!((found / (9.81 * depth) - 1.0).abs() < 0.01, "{name}, {depth} m deep: {found}");
            }
            assert_eq!(pressures.at([0.11, 1.7, 0.17]), Some(0.0), "air");
            if name != "box through the surface" {
                assert_eq!(pressures.at([0.6, 0.7, 0.6]), None, "inside of {name}");
            }
        }
    }
}

#[test]
fn before_the_first_step_no_pressure_is_known() {
    let setup = Setup {
        shape: Shape { nx: 4, nz: 4, regular: 20 },
        cell: 0.1,
        height: 1.0,
        terrain: &[0.0; 16],
        level_set: &|[_, y, _]| y - 0.5,
        obstacles: &[Obstacle::Sphere { centre: [0.2; 3], radius: 0.1 }],
        velocity: [0.0; 2],
        options: Options::default(),
    };
    let water = TallWater::new(cpu(), &setup).expect("water");
    let pressures = water.pressures().expect("pressures");
    assert_eq!((pressures.at([0.1, 0.1, 0.1]), pressures.force(0)), (None, None));
}

/// Distances half a cell apart.
const HALF_A_CELL: Sampling = Sampling { spacing: 0.025, reach: 0.075, window: None, most: 1 << 20 };

/// A sphere of triangles, of longitudes and latitudes.
fn ball(radius: f64) -> Arc<DistanceGrid> {
    let (rings, around) = (16u32, 32u32);
    let point = |ring: u32, n: u32| {
        let (s, c) = (PI * f64::from(ring) / f64::from(rings)).sin_cos();
        let (sn, cn) = (TAU * f64::from(n) / f64::from(around)).sin_cos();
        [radius * s * cn, radius * c, radius * s * sn]
    };
    let vertices: Vec<[f64; 3]> = (0..=rings).flat_map(|r| (0..around).map(move |n| point(r, n))).collect();
    let at = |ring: u32, n: u32| ring * around + n % around;
    let quad =
        |(r, n): (u32, u32)| [[at(r, n), at(r, n + 1), at(r + 1, n)], [at(r, n + 1), at(r + 1, n + 1), at(r + 1, n)]];
    let triangles: Vec<[u32; 3]> = (0..rings).flat_map(|r| (0..around).map(move |n| (r, n))).flat_map(quad).collect();
    Arc::new(DistanceGrid::from_triangles(&vertices, &triangles, &HALF_A_CELL).expect("a solid"))
}

#[test]
fn a_mesh_of_a_sphere_is_lifted_like_a_sphere() {
    let solid = Obstacle::Mesh { distances: ball(0.28), position: [0.61, 0.72, 0.58] };
    let water = immersed(solid, None);
    let force = water.pressures().expect("pressures").force(0).expect("a force");
    let lift = force[1] / (9.81 * 4.0 / 3.0 * PI * 0.28f64.powi(3));
    println!("mesh of a sphere: lift {lift:.3} of Archimedes'");
    assert!((lift - 1.0).abs() < 0.016, "{lift}");
}

/// A paddle that turns in a basin sets its water in motion, whichever way it is described, and keeps it inside.
#[test]
fn a_paddle_stirs_a_basin() {
    let paddle = |mesh: bool| {
        let half = [0.3f32, 0.25, 0.06];
        let shape = if mesh {
            let corner =
                |n: usize| std::array::from_fn(|a| f64::from(half[a]) * if n >> a & 1 == 0 { -1.0 } else { 1.0 });
            let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
            let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
            let vertices: Vec<[f64; 3]> = (0..8).map(corner).collect();
            let grid = DistanceGrid::from_triangles(&vertices, &triangles, &HALF_A_CELL).expect("a solid");
            Obstacle::Mesh { distances: Arc::new(grid), position: [0.6, 0.3, 0.6] }
        } else {
            Obstacle::Box { centre: [0.6, 0.3, 0.6], half }
        };
        let spin = Some(Spin { axis: [0.0, 1.0, 0.0], rate: 3.0, pivot: None });
        let solid = Obstacle::Moving { shape: Box::new(shape), motion: Motion { travel: Travel::Rest, spin } };
        let setup = Setup {
            shape: Shape { nx: 24, nz: 24, regular: 26 },
            cell: 0.05,
            height: 1.2,
            terrain: &[0.0; 576],
            level_set: &|[_, y, _]| y - 0.7,
            obstacles: &[solid],
            velocity: [0.0; 2],
            options: Options { band: None, ..Default::default() },
        };
        let mut water = TallWater::new(cpu(), &setup).expect("a basin");
        let volume = water.statistics().expect("sums").volume;
        while water.time() < 1.5 {
            water.advance(1.0 / 30.0).expect("finite water");
        }
        let sums = water.statistics().expect("sums");
        let drift = sums.volume / volume - 1.0;
        println!(
            "paddle, mesh {mesh}: energy {:.2}, volume {:+.3} %, fastest {:.2}",
            sums.energy,
            100.0 * drift,
            sums.speed
        );
        assert!(drift.abs() < 0.01, "{drift}");
        // The tip goes at 0.9 m/s.
        assert!(sums.speed > 0.5 && sums.speed < 6.0, "{}", sums.speed);
        sums.energy
    };
    let (solid, mesh) = (paddle(false), paddle(true));
    assert!((mesh / solid - 1.0).abs() < 0.1, "{mesh} and {solid}");
}

/// A sphere that swings in water carries half of its volume along: `F = −½ ρ V a`, a little more between walls.
#[test]
fn a_swinging_sphere_has_its_added_mass() {
    let (radius, amplitude, period, step) = (0.3, 0.04, 0.8, 0.02);
    let shape = Obstacle::Sphere { centre: [1.01, 0.98, 0.99], radius: radius as f32 };
    let travel = Travel::Swing { amplitude: [amplitude, 0.0, 0.0], period, phase: 0.0, ramp: 0.0 };
    let setup = Setup {
        shape: Shape { nx: 40, nz: 40, regular: 46 },
        cell: 0.05,
        height: 2.4,
        terrain: &[0.0; 1600],
        level_set: &|[_, y, _]| y - 2.0,
        obstacles: &[moving(shape, travel)],
        velocity: [0.0; 2],
        options: Options { band: None, ..Default::default() },
    };
    let mut water = TallWater::new(cpu(), &setup).expect("a tank");
    let (mut product, mut square) = (0.0, 0.0);
    for n in 0..60 {
        water.step(step).expect("a step");
        if n >= 20 {
            let force = water.pressures().expect("pressures").force(0).expect("a force");
            // The pressure of a step is the one that makes the change of velocity in it.
            let omega = TAU / period;
            let acceleration = -amplitude * omega * omega * (omega * (water.time() - 0.5 * step)).sin();
            product -= force[0] * acceleration;
            square += acceleration * acceleration;
        }
    }
    let coefficient = product / square / (4.0 / 3.0 * PI * f64::powi(radius, 3));
    println!("added mass {coefficient:.3} of the displaced one");
    assert!((0.45..0.62).contains(&coefficient), "{coefficient}");
}
