//! Bodies that water carries, with the simplest of integrators for what the water does not do.
use std::sync::Arc;

use thalweg_columns::Shape;
use thalweg_compute::Executor;
use thalweg_compute::parity::own_physics_executors;
use thalweg_tall::{Band, BodyLoad, FreeBody, Obstacle, Options, Setup, TallError, TallWater};

const GRAVITY: f64 = 9.81;

fn cpu() -> Arc<Executor> {
    Arc::new(Executor::cpu().unwrap())
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A box around its centre of mass, without anything to bump into.
#[derive(Debug, Clone)]
struct FloatingBox {
    half: [f64; 3],
    density: f64,
    centre: [f64; 3],
    turn: [f64; 4],
    velocity: [f64; 3],
    rates: [f64; 3],
}

impl FloatingBox {
    fn new(half: [f64; 3], density: f64, centre: [f64; 3]) -> Self {
        Self { half, density, centre, turn: [0.0, 0.0, 0.0, 1.0], velocity: [0.0; 3], rates: [0.0; 3] }
    }

    fn volume(&self) -> f64 {
        8.0 * self.half.iter().product::<f64>()
    }

    fn obstacle(&self, body: usize) -> Obstacle {
        let shape = Obstacle::Box { centre: [0.0; 3], half: self.half.map(|v| v as f32) };
        Obstacle::Floating {
            shape: Box::new(shape),
            body,
            part: ([0.0; 3], [0.0, 0.0, 0.0, 1.0]),
            start: (self.centre, self.turn),
        }
    }

    /// Axes of the body in the world.
    fn axes(&self) -> [[f64; 3]; 3] {
        let [x, y, z, w] = self.turn;
        let q = [x, y, z];
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|v| {
            let once = cross(q, v);
            let twice = cross(q, [once[0] + w * v[0], once[1] + w * v[1], once[2] + w * v[2]]);
            [v[0] + 2.0 * twice[0], v[1] + 2.0 * twice[1], v[2] + 2.0 * twice[2]]
        })
    }

    /// Moves it over `dt` and pulls it down; the water has yet to answer.
    fn free(&mut self, dt: f64) -> FreeBody {
        for axis in 0..3 {
            self.centre[axis] += dt * self.velocity[axis];
        }
        let [x, y, z, w] = self.turn;
        let [a, b, c] = self.rates.map(|v| 0.5 * dt * v);
        let turn = [
            x + a * w + b * z - c * y,
            y - a * z + b * w + c * x,
            z + a * y - b * x + c * w,
            w - a * x - b * y - c * z,
        ];
        let size = turn.iter().map(|v| v * v).sum::<f64>().sqrt();
        self.turn = turn.map(|v| v / size);
        self.velocity[1] -= GRAVITY * dt;
        let [hx, hy, hz] = self.half.map(|v| v * v);
        // Over the mass: m (a² + b²)/3 with half edges.
        let inertia = [(hy + hz) / 3.0, (hx + hz) / 3.0, (hx + hy) / 3.0];
        let (axes, mass) = (self.axes(), self.density * self.volume());
        let per_inertia = std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                (0..3).map(|n| axes[n][row] * axes[n][column] / (mass * inertia[n])).sum::<f64>()
            })
        });
        FreeBody {
            position: self.centre,
            turn: self.turn,
            centre: self.centre,
            velocity: self.velocity,
            rates: self.rates,
            per_mass: [1.0 / mass; 3],
            per_inertia,
            volume: self.volume(),
        }
    }

    /// Takes what the water gave.
    fn receive(&mut self, free: &FreeBody, load: &BodyLoad) {
        for axis in 0..3 {
            self.velocity[axis] += free.per_mass[axis] * load.impulse[axis];
            self.rates[axis] += (0..3).map(|n| free.per_inertia[axis][n] * load.moment[n]).sum::<f64>();
        }
    }
}

/// A tank of still water, `[x, y, z]` of it, in cells; `depth` in m.
fn tank(
    exec: Arc<Executor>,
    cells: [usize; 3],
    cell: f64,
    depth: f64,
    bodies: &[FloatingBox],
    band: Option<Band>,
) -> TallWater {
    let obstacles: Vec<Obstacle> = bodies.iter().enumerate().map(|(n, body)| body.obstacle(n)).collect();
    let setup = Setup {
        shape: Shape { nx: cells[0], nz: cells[2], regular: cells[1] },
        cell,
        height: cells[1] as f64 * cell,
        terrain: &vec![0.0; cells[0] * cells[2]],
        level_set: &|[_, y, _]| y - depth,
        obstacles: &obstacles,
        velocity: [0.0; 2],
        options: Options { band, ..Default::default() },
    };
    TallWater::new(exec, &setup).unwrap()
}

/// One step of everything.
fn step(water: &mut TallWater, bodies: &mut [FloatingBox], dt: f64) {
    let free: Vec<FreeBody> = bodies.iter_mut().map(|body| body.free(dt)).collect();
    water.place_bodies(&free).unwrap();
    water.step(dt).unwrap();
    let loads = water.body_loads().unwrap();
    for ((body, free), load) in bodies.iter_mut().zip(&free).zip(&loads) {
        body.receive(free, load);
    }
}

/// Bodies and water for some time; calls back after every frame of 1/30 s.
fn run(water: &mut TallWater, bodies: &mut [FloatingBox], seconds: f64, mut seen: impl FnMut(f64, &[FloatingBox])) {
    while water.time() < seconds {
        let steps = water.plan(1.0 / 30.0).unwrap();
        for _ in 0..steps {
            step(water, bodies, 1.0 / 30.0 / f64::from(steps));
        }
        seen(water.time(), bodies);
    }
}

/// Impulse upwards that a step of still water gives to a held body, over `g Δt`: the volume displaced, m³.
fn held_lift(water: &mut TallWater, body: &FloatingBox) -> f64 {
    let (mut free, dt) = (body.clone().free(0.0), 1.0 / 60.0);
    (free.per_mass, free.per_inertia) = ([0.0; 3], [[0.0; 3]; 3]);
    water.place_bodies(&[free]).unwrap();
    water.step(dt).unwrap();
    water.body_loads().unwrap()[0].impulse[1] / dt / GRAVITY
}

/// Still water carries the weight of what a held box displaces, wherever it is between the cells.
#[test]
fn held_boxes_are_carried_by_what_they_displace() {
    let (cell, half) = (0.05, [0.25, 0.125, 0.25]);
    for (tilt, limit) in [(0.0f64, 0.003), (0.2, 0.003)] {
        for (aside, up) in [(0.0, 0.0), (0.3, 0.2), (0.5, 0.4), (0.3, 0.6), (0.0, 0.8)] {
            let centre = [1.0 + aside * cell, 0.89 + up * cell, 1.0 + aside * cell];
            let mut body = FloatingBox::new(half, 0.5, centre);
            body.turn = [0.0, 0.0, (0.5 * tilt).sin(), (0.5 * tilt).cos()];
            let mut water = tank(cpu(), [40, 32, 40], cell, 1.0, std::slice::from_ref(&body), None);
            let lift = held_lift(&mut water, &body);
            let axes = body.axes();
            let (points, mut wet) = (400, 0);
            for point in 0..points * points {
                let along = |n: usize, half: f64| half * (2.0 * (n as f64 + 0.5) / f64::from(points as u32) - 1.0);
                let (a, b) = (along(point % points, half[0]), along(point / points, half[1]));
                wet += usize::from(centre[1] + a * axes[0][1] + b * axes[1][1] < 1.0);
            }
            let displaced = body.volume() * wet as f64 / (points * points) as f64;
            let error = lift / displaced - 1.0;
            println!("tilt {tilt}, {aside} {up}: {:+.2} %", 100.0 * error);
            assert!(error.abs() < limit, "{error}");
        }
    }
}

/// Columns that end below the top of a body do not see all of it, but what they do not see displaces nothing.
#[test]
fn bodies_higher_than_columns_are_carried_by_what_they_displace() {
    let (cell, depth) = (0.05, 1.0);
    // 20 cells high; columns end 9 cells over the water.
    for top in [8.4, 9.1, 9.4, 9.8, 14.0] {
        let body = FloatingBox::new([0.25, 0.5, 0.25], 0.5, [1.0, depth + top * cell - 0.5, 1.0]);
        let mut water = tank(cpu(), [40, 27, 40], cell, depth, std::slice::from_ref(&body), None);
        let error = held_lift(&mut water, &body) / (0.25 * (1.0 - top * cell)) - 1.0;
        println!("top {top} cells over the water: {:+.2} %", 100.0 * error);
        assert!(error.abs() < 0.003, "{top}: {error}");
    }
}

/// Still water does nothing to a body to the sides, and a square prism that lies half sunk on its corner is not turned,
/// wherever it is between the cells.
#[test]
fn still_water_neither_pushes_aside_nor_turns() {
    let (cell, half) = (0.1, [0.5, 0.5, 0.4]);
    let eighth = 0.125 * std::f64::consts::PI; // half the angle of a turn by 45°
    // What the axes of the turn are, and whether the box lies evenly on the water.
    for (axis, is_even) in [([0.0, 0.0, 1.0], true), ([0.6, 0.48, 0.64], false)] {
        for (x, z) in [(0.0, 0.0), (0.2, 0.1), (0.25, 0.5), (0.4, 0.3), (0.7, 0.85)] {
            let mut body = FloatingBox::new(half, 0.5, [1.0 + x * cell, 1.2, 1.0 + z * cell]);
            body.turn = [axis[0] * eighth.sin(), axis[1] * eighth.sin(), axis[2] * eighth.sin(), eighth.cos()];
            let mut water = tank(cpu(), [20, 24, 20], cell, 1.2, std::slice::from_ref(&body), None);
            let mut free = body.clone().free(0.0);
            (free.per_mass, free.per_inertia) = ([0.0; 3], [[0.0; 3]; 3]);
            water.place_bodies(&[free]).unwrap();
            water.step(1.0 / 60.0).unwrap();
            let BodyLoad { impulse: [aside, lift, across], moment: [_, _, turn], .. } = water.body_loads().unwrap()[0];
            println!("{axis:?} {x} {z}: {aside:e} {across:e} {turn:e} of {lift}");
            // A box that is turned around all axes is pushed by up to 2e-4 of its lift; what is left over was not
            // looked into.
            let most = if is_even { 1e-6 } else { 1e-3 };
            assert!(aside.hypot(across) < most * lift, "pushed by {aside} and {across}, lifted by {lift}");
            assert!(!is_even || turn.abs() < 1e-3 * lift * half[0], "turned by {turn}, lifted by {lift}");
        }
    }
}

/// A box of a twentieth of the density of water, dropped: its added mass is ten times its own, and nothing is guessed
/// about it.
#[test]
fn a_light_box_floats_quietly() {
    for exec in own_physics_executors() {
        let is_cpu = exec.describe().starts_with("cpu");
        for band in [None, Some(Band { below: 6, above: 6, ..Default::default() })] {
            let half = [0.25, 0.125, 0.25];
            let mut bodies = [FloatingBox::new(half, 0.05, [0.8, 1.3, 0.8])];
            let mut water = tank(exec.clone(), [32, 28, 32], 0.05, 1.0, &bodies, band);
            let (mut highest, mut late): (f64, Vec<f64>) = (0.0, Vec::new());
            run(&mut water, &mut bodies, if is_cpu { 3.0 } else { 0.3 }, |time, bodies| {
                let keel = bodies[0].centre[1] - half[1];
                // It touches the water after 0.19 s.
                highest = if time > 0.2 { highest.max(keel) } else { 0.0 };
                late.extend((time > 1.5).then_some(keel));
            });
            let mean = late.iter().sum::<f64>() / late.len().max(1) as f64;
            println!("{}: highest {highest:.3}, draft {:.4} m", exec.describe(), 1.0 - mean);
            assert!(highest < 1.12, "it was thrown up to {highest} m");
            assert!(late.is_empty() || (1.0 - mean - 0.0125).abs() < 0.006, "{}", 1.0 - mean);
        }
    }
}

/// A box that is as dense as water, deep in it, is water.
#[test]
fn a_neutral_box_stays() {
    let mut bodies = [FloatingBox::new([0.2; 3], 1.0, [0.83, 0.51, 0.79])];
    let mut water = tank(cpu(), [32, 28, 32], 0.05, 1.0, &bodies, None);
    run(&mut water, &mut bodies, 2.0, |_, _| {});
    let moved: Vec<f64> = bodies[0].centre.iter().zip([0.83, 0.51, 0.79]).map(|(a, b)| a - b).collect();
    println!("moved by {moved:.4?} m, speed {:.4?}", bodies[0].velocity);
    assert!(moved.iter().all(|way| way.abs() < 0.025), "{moved:?}");
}

/// A box far below the cells of the surface displaces water all the same: a light one comes up, a heavy one goes down.
#[test]
fn deep_bodies_are_carried_too() {
    for (density, sign) in [(0.5, 1.0), (2.0, -1.0)] {
        let band = Band { below: 4, above: 4, ..Default::default() };
        let mut bodies = [FloatingBox::new([0.15; 3], density, [0.8, 0.8, 0.8])];
        let obstacles = [bodies[0].obstacle(0)];
        let setup = Setup {
            shape: Shape { nx: 16, nz: 16, regular: 12 },
            cell: 0.1,
            height: 4.0,
            terrain: &[0.0; 256],
            level_set: &|[_, y, _]| y - 3.0,
            obstacles: &obstacles,
            velocity: [0.0; 2],
            options: Options { band: Some(band), ..Default::default() },
        };
        let mut water = TallWater::new(cpu(), &setup).unwrap();
        run(&mut water, &mut bodies, 0.2, |_, _| {});
        let way = bodies[0].centre[1] - 0.8;
        println!("density {density}: {way:+.3} m");
        assert!(way * sign > 0.01 && way.abs() < 0.5 * GRAVITY * 0.05, "{way}");
    }
}

/// As much of deep water goes with a body on tall cells as on cubic ones, wherever it lies between the cells: from the
/// velocity that a short step gives to one let go at rest.
#[test]
fn deep_water_goes_with_a_body_as_on_cubic_cells() {
    let (cell, depth, half, density, dt) = (0.05, 4.0, 0.4, 0.3, 1e-3);
    // Over the mass displaced by half of the body.
    let added = |band: Option<Band>, regular: usize, up: f64| {
        let mut bodies = [FloatingBox::new([half; 3], density, [1.6, depth + up, 1.6])];
        let setup = Setup {
            shape: Shape { nx: 64, nz: 64, regular },
            cell,
            height: depth + 0.5,
            terrain: &[0.0; 64 * 64],
            level_set: &|[_, y, _]| y - depth,
            obstacles: &[bodies[0].obstacle(0)],
            velocity: [0.0; 2],
            options: Options { band, ..Options::default() },
        };
        let mut water = TallWater::new(cpu(), &setup).unwrap();
        step(&mut water, &mut bodies, dt);
        let lift = 1.0 - up / half;
        (lift - 2.0 * density) * GRAVITY * dt / bodies[0].velocity[1] - 2.0 * density
    };
    for up in [-1e-3, -5e-6, 5e-6, 1e-3] {
        // Columns as a scene has them by default: half the width of the body below it where it is just under water.
        let [cubic, tall] = [added(None, 92, up), added(Some(Band::default()), 40, up)];
        println!("{up:+} m up: {cubic:.4} on cubic cells, {tall:.4} on tall ones");
        assert!((tall / cubic - 1.0).abs() < 0.015, "{tall} instead of {cubic}");
    }
}

#[test]
fn bodies_must_be_placed_and_finite() {
    let body = FloatingBox::new([0.2; 3], 0.5, [0.8, 1.0, 0.8]);
    let mut water = tank(cpu(), [16, 20, 16], 0.1, 1.0, std::slice::from_ref(&body), None);
    assert!(matches!(water.step(0.01), Err(TallError::BodiesNotPlaced)));
    assert!(matches!(water.place_bodies(&[]), Err(TallError::Bodies { found: 0, wanted: 1 })));
    let mut free = body.clone().free(0.01);
    free.velocity[2] = f64::NAN;
    assert!(matches!(water.place_bodies(&[free]), Err(TallError::BodyNotFinite { .. })));
}
