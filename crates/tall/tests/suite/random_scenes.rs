//! Whatever the scene: numbers stay finite, nothing runs away, and volumes are those of the ledger.

use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_compute::parity::{Rng, own_test_executors};
use thalweg_tall::{
    Band, Exchange, Motion, Obstacle, Options, Series, Setup, Side, Source, Statistics, TallWater, Travel,
};

const CELL: f64 = 0.1;
const G: f64 = 9.81;
const FRAME: f64 = 1.0 / 30.0;

/// Lengths in m.
struct Scene {
    shape: Shape,
    height: f64,
    terrain: Vec<f64>,
    level: f64,
    /// Boxes of water: low and high corners.
    boxes: Vec<[[f64; 3]; 2]>,
    obstacles: Vec<Obstacle>,
    exchange: Exchange,
    options: Options,
}

impl Scene {
    /// Terrain, water, obstacles (some move), sources, drains and sides from a seed.
    fn random(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let regular = 24 + rng.below(12) as usize;
        let shape = Shape { nx: 12 + rng.below(16) as usize, nz: 1 + rng.below(14) as usize, regular };
        let size = [shape.nx as f64 * CELL, 2.0, shape.nz as f64 * CELL];
        let real = |rng: &mut Rng, low: f64, high: f64| f64::from(rng.range(low as f32, high as f32));
        let point = |rng: &mut Rng| size.map(|edge| real(rng, 0.0, edge));
        let (amplitude, kx, kz, lift) =
            (real(&mut rng, 0.0, 0.5), real(&mut rng, 0.2, 0.9), real(&mut rng, 0.2, 0.9), real(&mut rng, 0.0, 0.6));
        let ground = |i: usize, k: usize| lift + amplitude * (1.0 + (kx * i as f64).sin() * (kz * k as f64).cos());
        let terrain: Vec<f64> = (0..shape.columns()).map(|c| ground(c % shape.nx, c / shape.nx)).collect();
        // Ground along the sides of low x, high x, low z and high z.
        let lowest = |side: usize| {
            let Shape { nx, nz, .. } = shape;
            let is_there = |c: &usize| [c % nx, nx - 1 - c % nx, c / nx, nz - 1 - c / nx][side] == 0;
            (0..nx * nz).filter(is_there).map(|c| terrain[c]).fold(f64::INFINITY, f64::min)
        };
        let level = real(&mut rng, 0.0, 1.2);
        let boxes = (0..rng.below(3)).map(|_| corners(point(&mut rng), point(&mut rng))).collect();
        // A solid that moves in a slice or in a trench seals water off and squeezes it; nothing can be right then.
        let is_wide = shape.nz >= 8;
        let obstacles = (0..rng.below(4)).map(|_| obstacle(&mut rng, point, is_wide)).collect();
        let sources = (0..rng.below(3)).map(|_| source(&mut rng, point, size)).collect();
        let layer = 3 + rng.below(3);
        let side = |rng: &mut Rng| match rng.below(5) {
            0 => Side::Open { level: Some(level), layer },
            1 => Side::Wave { level: Some(level), amplitude: 0.1, period: 1.2, ramp: 0.5, layer },
            _ => Side::Wall,
        };
        let sides = [side(&mut rng), side(&mut rng), side(&mut rng), side(&mut rng)];
        let mut sides = if !is_wide { [sides[0].clone(), sides[1].clone(), Side::Wall, Side::Wall] } else { sides };
        for (number, side) in sides.iter_mut().enumerate() {
            // Too shallow for waves: refused.
            if matches!(side, Side::Wave { amplitude, .. } if *amplitude >= level - lowest(number)) {
                *side = Side::Open { level: Some(level), layer };
            }
        }
        let band = (rng.below(3) > 0).then(|| Band { below: 4, above: 4, ..Default::default() });
        let options = Options { band, ..Default::default() };
        let exchange = Exchange { sources, sides: sides.into(), ..Exchange::default() };
        Self { shape, height: size[1], terrain, level, boxes, obstacles, exchange, options }
    }

    fn start(&self, exec: &Arc<Executor>) -> TallWater {
        let inside = |point: [f64; 3], [low, high]: &[[f64; 3]; 2]| {
            (0..3).map(|a| (low[a] - point[a]).max(point[a] - high[a])).fold(f64::NEG_INFINITY, f64::max)
        };
        let level_set = |point: [f64; 3]| {
            self.boxes.iter().map(|corners| inside(point, corners)).fold(point[1] - self.level, f64::min)
        };
        let setup = Setup {
            shape: self.shape,
            cell: CELL,
            height: self.height,
            terrain: &self.terrain,
            level_set: &level_set,
            obstacles: &self.obstacles,
            velocity: [0.0; 2],
            options: self.options,
        };
        TallWater::with_exchange(exec.clone(), &setup, &self.exchange).expect("a scene")
    }
}

fn corners(a: [f64; 3], b: [f64; 3]) -> [[f64; 3]; 2] {
    [std::array::from_fn(|c| a[c].min(b[c])), std::array::from_fn(|c| a[c].max(b[c]))]
}

/// A still or, if it may move, a swinging solid of a few cells.
fn obstacle(rng: &mut Rng, point: impl Fn(&mut Rng) -> [f64; 3], may_move: bool) -> Obstacle {
    let centre = point(rng).map(|x| x as f32);
    let size = rng.range(0.1, 0.4);
    let end = [centre[0] + size, centre[1] + 0.3, centre[2]];
    let shape = match rng.below(4) {
        0 => Obstacle::Box { centre, half: [size, 0.7 * size, size] },
        1 => Obstacle::Sphere { centre, radius: size },
        2 => Obstacle::Capsule { ends: [centre, end], radius: 0.5 * size },
        _ => Obstacle::Cone { ends: [centre, end], radii: [size, 0.0] },
    };
    if rng.below(2) == 0 || !may_move {
        return shape;
    }
    let amplitude = [0.2, 0.1, 0.0].map(|most: f32| f64::from(rng.range(-most, most)));
    let travel = Travel::Swing { amplitude, period: 1.5, phase: 0.0, ramp: 0.3 };
    Obstacle::Moving { shape: Box::new(shape), motion: Motion { travel, spin: None } }
}

/// A spring, a jet or a drain.
fn source(rng: &mut Rng, point: impl Fn(&mut Rng) -> [f64; 3], size: [f64; 3]) -> Source {
    let half: [f64; 3] = [0.2; 3];
    let middle = point(rng);
    let middle: [f64; 3] =
        std::array::from_fn(|a| middle[a].clamp(half[a].min(0.5 * size[a]), (size[a] - half[a]).max(0.5 * size[a])));
    let low = std::array::from_fn(|a| (middle[a] - half[a]).max(0.0));
    let high = std::array::from_fn(|a| (middle[a] + half[a]).min(size[a]));
    let rate = f64::from(rng.range(-0.02, 0.04));
    let direction = (rng.below(2) == 0).then_some([1.0, -0.5, 0.0]);
    Source { direction, ..Source::in_box("source", [low, high], Series::constant(rate)) }
}

/// Speed that water may have: fallen through the domain, and half as fast again where a crest is thrown up by an
/// impact.
fn bound(height: f64) -> f64 {
    1.5 * (2.0 * G * height).sqrt() + 2.0
}

fn run(exec: &Arc<Executor>, seed: u64, frames: usize) {
    let scene = Scene::random(seed);
    let mut water = scene.start(exec);
    let (mut fastest, mut worst) = (0.0_f64, 0.0_f64);
    for _ in 0..frames {
        water.advance(FRAME).unwrap_or_else(|e| panic!("{} seed {seed}: {e}", exec.describe()));
        let Statistics { volume, speed, .. } = water.statistics().expect("finite numbers");
        fastest = fastest.max(f64::from(speed));
        let expected = water.ledger().expect("a ledger").expected().expect("it is opened") / water.cell().powi(3);
        let drift = (volume - expected).abs() / expected.max(100.0);
        assert!(drift < 1.0, "{} seed {seed}: {volume} cells instead of {expected}", exec.describe());
        worst = worst.max(drift);
    }
    println!("{} seed {seed}: fastest {fastest:.2} m/s, volume off by at most {:.2} %", exec.describe(), 100.0 * worst);
    assert!(fastest < bound(scene.height + 0.6), "{} seed {seed}: {fastest} m/s", exec.describe());
}

#[test]
fn twenty_random_scenes_never_run_away() {
    for exec in own_test_executors() {
        let is_cpu = exec.describe().starts_with("cpu");
        // Software drivers are slow.
        let (seeds, frames) = if is_cpu { (20, 60) } else { (4, 8) };
        (0..seeds).for_each(|seed| run(&exec, seed, frames));
    }
}

/// The scene `dam-break` with every length doubled, past the impact on the block.
#[test]
fn a_dam_break_of_twice_the_size_does_not_run_away() {
    let exec = Arc::new(Executor::cpu().expect("an executor"));
    let scene = Scene {
        shape: Shape { nx: 160, nz: 40, regular: 112 },
        height: 10.0,
        terrain: vec![0.0; 160 * 40],
        level: -1.0,
        boxes: vec![[[0.0; 3], [4.0, 6.0, 4.0]]],
        obstacles: vec![Obstacle::Box { centre: [10.6, 0.8, 2.0], half: [0.6, 0.8, 0.8] }],
        exchange: Exchange::default(),
        options: Options::default(),
    };
    let mut water = scene.start(&exec);
    let volume = water.statistics().expect("sums").volume;
    while water.time() < 1.2 {
        water.advance(1.0 / 15.0).expect("a step");
        let found = water.statistics().expect("finite numbers");
        assert!(f64::from(found.speed) < bound(10.0), "{} m/s", found.speed);
        assert!((found.volume / volume - 1.0).abs() < 0.08, "{}", found.volume / volume);
    }
    assert_eq!(water.crowded_columns().expect("columns"), 0);
}
