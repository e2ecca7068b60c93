//! Scenes to measure solvers with.

use std::f64::consts::TAU;

use thalweg_columns::grid::world_cell;
use thalweg_columns::{ColumnGrid, GridError, Shape};
use thalweg_pressure::Fields;

use crate::stored_system::StoredSystem;

/// Water level of the tank of [`stream`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TankLevel {
    /// 15 % of the height.
    Low,
    /// 40 %.
    Mid,
    /// 65 %.
    High,
}

impl TankLevel {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Low, Self::Mid, Self::High];

    /// As the paper calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "Low",
            Self::Mid => "Mid",
            Self::High => "High",
        }
    }

    fn share(self) -> f64 {
        match self {
            Self::Low => 0.15,
            Self::Mid => 0.40,
            Self::High => 0.65,
        }
    }
}

/// A small generator of numbers (splitmix64): scenes are the same on every machine.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.next()
    }
}

/// A sphere of water or of air: centre and radius in edges of the box.
struct Sphere {
    centre: [f64; 3],
    radius: f64,
}

/// Edge of the box of [`stream`], m.
const EDGE: f64 = 4.0;
const GRAVITY: f64 = 9.81;
/// Speed of the jet, m/s, and the height at which it enters.
const JET: (f64, f64) = (4.6, 0.92);
const SPHERE: ([f64; 3], f64) = ([0.5, 0.55, 0.5], 0.14);

/// \[000\] Figure 6 and Table 3: a stream of water flows past a sphere into a tank, `n³` cells.
///
/// The paper does not give its scene in numbers. This one has what makes the problem hard: a jet, a film on the
/// sphere, a ragged curtain that plunges into a rough surface, droplets above and bubbles below it, both of the size of
/// a cell, and as many of them per cell of surface on every grid.
pub fn stream(n: usize, level: TankLevel) -> StoredSystem {
    let dx = EDGE / n as f64;
    let mut dice = SplitMix64(7);
    let waves: Vec<[f64; 4]> = (0..40)
        .map(|octave| {
            let number = TAU * (1.0 + 0.5 * f64::from(octave)) * if octave < 30 { 1.0 } else { n as f64 / 128.0 };
            let (angle, phase) = (dice.between(0.0, TAU), dice.between(0.0, TAU));
            let amplitude = if number > TAU * n as f64 / 4.0 { 0.0 } else { 0.012 / (1.0 + 0.25 * f64::from(octave)) };
            [number * angle.cos(), number * angle.sin(), phase, amplitude]
        })
        .collect();
    let surface = |x: f64, z: f64| {
        let rough: f64 = waves.iter().map(|[kx, kz, phase, a]| a * (kx * x + kz * z + phase).sin()).sum();
        let r = ((x - 0.56).powi(2) + (z - 0.5).powi(2)).sqrt();
        level.share() + rough + 0.035 * (-(r / 0.25).powi(2)).exp() * (TAU * r / 0.09).cos()
    };
    let count = (80.0 * (n as f64 / 64.0).powi(2)) as usize;
    let size = |dice: &mut SplitMix64| dice.between(0.8, 2.5) / n as f64;
    let top = (level.share() + 0.35).min(0.95);
    let droplets: Vec<Sphere> = (0..count)
        .map(|_| Sphere {
            radius: size(&mut dice),
            centre: [dice.between(0.1, 0.95), dice.between(level.share() + 0.05, top), dice.between(0.1, 0.9)],
        })
        .collect();
    let bubbles: Vec<Sphere> = (0..count)
        .map(|_| {
            let radius = size(&mut dice);
            let (r, angle) = (0.25 * dice.next().sqrt(), dice.between(0.0, TAU));
            let depth = dice.between(0.01, (level.share() - 0.02).min(0.15));
            Sphere { radius, centre: [0.55 + r * angle.cos(), level.share() - depth, 0.5 + r * angle.sin()] }
        })
        .collect();
    let centre = |i: usize| (i as f64 + 0.5) / n as f64;
    let index = |i: usize, j: usize, k: usize| i + n * (j + n * k);
    let mut phi = vec![0.0; n * n * n];
    let mut solid = vec![0.0; n * n * n];
    for k in 0..n {
        for i in 0..n {
            let water = surface(centre(i), centre(k));
            for j in 0..n {
                let at = [centre(i), centre(j), centre(k)];
                phi[index(i, j, k)] = falling_water(at).min(at[1] - water);
                solid[index(i, j, k)] = if sphere(at) < 0.0 { 1.0 } else { 0.0 };
            }
        }
    }
    for (spheres, water) in [(&droplets, true), (&bubbles, false)] {
        for sphere in spheres {
            stamp(n, &mut phi, sphere, water);
        }
    }
    for value in &mut phi {
        *value = (*value * EDGE).clamp(-5.0 * dx, 5.0 * dx);
        if value.abs() < 1e-9 * dx {
            *value = 1e-9 * dx;
        }
    }
    let rhs = divergence(n, level, &phi, &solid, &mut dice);
    StoredSystem { size: [n; 3], dx, dt: 1.0 / 30.0, theta_min: 0.01, phi, solid, rhs }
}

fn sphere([x, y, z]: [f64; 3]) -> f64 {
    let ([cx, cy, cz], radius) = SPHERE;
    ((x - cx).powi(2) + (y - cy).powi(2) + (z - cz).powi(2)).sqrt() - radius
}

/// Time after which the jet is at `x`, s, and its height there.
fn jet_at(x: f64) -> (f64, f64) {
    let time = (x * EDGE / JET.0).clamp(0.0, 0.55);
    (time, JET.1 - 0.5 * GRAVITY * time * time / EDGE)
}

/// Signed distance (about) to jet, film and curtain, in edges of the box.
fn falling_water(at: [f64; 3]) -> f64 {
    let [x, y, z] = at;
    let (time, height) = jet_at(x);
    let slope = GRAVITY * time / JET.0;
    let across = (((y - height) / (1.0 + slope * slope).sqrt()).powi(2) + (z - 0.5).powi(2)).sqrt();
    let jet = (across - 0.055 * (1.0 + 0.08 * (40.0 * x).sin())).max(x - SPHERE.0[0] - 0.05);
    let film = (sphere(at) - 0.045).max(SPHERE.0[1] - 0.09 - y);
    let angle = (z - 0.5).atan2(x - 0.53);
    let ragged = 0.022 + 0.016 * (5.0 * angle + 9.0 * y).sin() + 0.010 * (11.0 * angle - 23.0 * y).sin();
    let radius = ((x - 0.53).powi(2) + (z - 0.5).powi(2)).sqrt();
    let curtain = ((radius - 0.15 - 0.03 * (SPHERE.0[1] - y)).abs() - ragged).max(y - SPHERE.0[1] - 0.02);
    jet.min(film).min(curtain)
}

/// Adds a droplet to, or takes a bubble out of the level set (in edges of the box).
fn stamp(n: usize, phi: &mut [f64], sphere: &Sphere, water: bool) {
    let range = |c: f64| {
        let low = (((c - sphere.radius) * n as f64).floor() as isize - 4).max(0) as usize;
        low..((((c + sphere.radius) * n as f64) as usize) + 5).min(n)
    };
    for k in range(sphere.centre[2]) {
        for j in range(sphere.centre[1]) {
            for i in range(sphere.centre[0]) {
                let square: f64 =
                    [i, j, k].iter().zip(sphere.centre).map(|(i, c)| ((*i as f64 + 0.5) / n as f64 - c).powi(2)).sum();
                let distance = square.sqrt() - sphere.radius;
                let value = &mut phi[i + n * (j + n * k)];
                *value = if water { value.min(distance) } else { value.max(-distance) };
            }
        }
    }
}

/// `−∇·u*` of a smooth flow with noise and one step of gravity, 1/s.
fn divergence(n: usize, level: TankLevel, phi: &[f64], solid: &[f64], dice: &mut SplitMix64) -> Vec<f64> {
    let dx = EDGE / n as f64;
    let stride = [1, n, n * n];
    let mut rhs = vec![0.0; phi.len()];
    for (axis, step) in stride.into_iter().enumerate() {
        for k in 0..n {
            for j in 0..n {
                for i in 0..n {
                    let here = [i, j, k];
                    let index = i + n * (j + n * k);
                    // The sum of three uniform numbers is near enough to a normal one of deviation 1/2.
                    let noise = 0.1 * (dice.next() + dice.next() + dice.next() - 1.5);
                    if here[axis] == 0 || solid[index] + solid[index - step] > 0.0 {
                        continue;
                    }
                    let mut at = here.map(|c| (c as f64 + 0.5) / n as f64);
                    at[axis] = here[axis] as f64 / n as f64;
                    let u = velocity(at, level)[axis] + noise - if axis == 1 { GRAVITY / 30.0 } else { 0.0 };
                    rhs[index] += u / dx;
                    rhs[index - step] -= u / dx;
                }
            }
        }
    }
    for ((b, phi), solid) in rhs.iter_mut().zip(phi).zip(solid) {
        if *phi >= 0.0 || *solid > 0.0 {
            *b = 0.0;
        }
    }
    rhs
}

fn velocity([x, y, z]: [f64; 3], level: TankLevel) -> [f64; 3] {
    let (time, height) = jet_at(x);
    let jet = if x < 0.6 { (-((y - height).powi(2) + (z - 0.5).powi(2)) / 0.0064).exp() } else { 0.0 };
    let radius = ((x - 0.53).powi(2) + (z - 0.5).powi(2)).sqrt();
    let curtain = (-((radius - 0.15) / 0.06).powi(2)).exp() * (1.0 - jet);
    let depth = level.share() - y;
    let fall = (2.0 * GRAVITY * (0.9 - y.max(level.share())) * EDGE).max(0.0).sqrt();
    let fall = fall * if depth > 0.0 { (-depth / 0.08).exp() } else { 1.0 };
    let rest = 1.0 - jet;
    [
        jet * JET.0 + rest * 0.8 * (TAU * x).sin() * (TAU * y).cos() * (2.0 * TAU * z).cos(),
        -jet * GRAVITY * time - curtain * fall - rest * 0.8 * (TAU * x).cos() * (TAU * y).sin() * (2.0 * TAU * z).cos(),
        rest * 0.4 * (2.0 * TAU * x).sin() * (TAU * y).sin() * (TAU * z).cos(),
    ]
}

/// Scenes with tall cells, \[000\] Figure 7: what convergence is shown on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TallScene {
    /// Tall cells of height two: a uniform grid.
    Uniform,
    /// Flat ground, tall cells of 40.
    Flat,
    /// Hills under a wavy surface.
    Hills,
    /// Ground that rises out of the water.
    Beach,
    /// Tall cells of about 800.
    Deep,
    /// Hills with 3 % of the cells near the surface air.
    Bubbles,
}

impl TallScene {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Uniform, Self::Flat, Self::Hills, Self::Beach, Self::Deep, Self::Bubbles];

    /// A name for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Flat => "flat, h = 40",
            Self::Hills => "hills",
            Self::Beach => "beach",
            Self::Deep => "h ≈ 800",
            Self::Bubbles => "bubbles",
        }
    }

    /// Grid, fields and a right-hand side of mixed frequencies.
    pub fn build(self, shape: Shape) -> Result<(ColumnGrid, Fields<f64>, Vec<f64>), GridError> {
        let Shape { nx, nz, regular } = shape;
        let regular_height = regular as f64;
        let mut dice = SplitMix64(11);
        let wave = |i: usize, k: usize, number: f64| {
            let (x, z) = (i as f64 / nx.max(nz) as f64, k as f64 / nx.max(nz) as f64);
            (TAU * number * x + 0.4).sin() * (TAU * 0.7 * number * z + 1.1).cos()
        };
        let (mut terrain, mut tall, mut surface) = (Vec::new(), Vec::new(), Vec::new());
        for k in 0..nz {
            for i in 0..nx {
                let ripple = 0.08 * regular_height * wave(i, k, 3.0);
                let (ground, height) = match self {
                    Self::Uniform => (0.0, 2.0),
                    Self::Flat => (0.0, 40.0),
                    // Neighbouring tall tops differ by less than a cell; the band holds the surface everywhere.
                    Self::Hills | Self::Bubbles => {
                        let ground = (12.0 + 10.0 * wave(i, k, 1.0)).round();
                        (ground, 38.0 + 4.0 * wave(i, k, 1.3) - ground)
                    }
                    Self::Beach => ((i as f64 / nx as f64 * 1.3 * regular_height).floor(), 2.0),
                    Self::Deep => (0.0, 800.0 + 3.0 * wave(i, k, 2.0)),
                };
                let (ground, height) = (ground.round(), height.round().max(2.0));
                let level = match self {
                    Self::Beach => 0.62 * regular_height + ripple,
                    Self::Hills | Self::Bubbles => 38.0 + 0.62 * regular_height + ripple,
                    _ => height.min(800.0) + 0.62 * regular_height + ripple,
                };
                terrain.push(ground as i32);
                tall.push(height as i32);
                surface.push(level + 0.013);
            }
        }
        let grid = ColumnGrid::new(shape, 1.0, &terrain, &tall)?;
        let n = shape.samples();
        let mut phi = vec![0.0; shape.len()];
        let mut b = vec![0.0; shape.len()];
        for (column, line) in phi.chunks_mut(n).enumerate() {
            for (sample, value) in line.iter_mut().enumerate() {
                let y = f64::from(world_cell(grid.heights[column], sample));
                *value = (y + 0.5 - surface[column]).clamp(-5.0, 5.0);
                let bubble = self == Self::Bubbles && sample > 2 && dice.next() < 0.03;
                if bubble {
                    *value = 0.3;
                }
                let (i, k) = (column % nx, column / nx);
                let scale = if sample < 2 { 0.5 * f64::from(tall[column]) } else { 1.0 };
                b[column * n + sample] = scale * (wave(i, k, 2.0) + 0.3 * (dice.next() - 0.5));
            }
        }
        let fields = Fields::open_water(&grid, &phi)?;
        Ok((grid, fields, b))
    }
}
