//! The step split around the water, with a model of one unknown for the water: an added mass, a stiffness, and no
//! memory but its velocity.
use thalweg_bodies::{Body, Coupling, Impulse, Locks, Mooring, Walls, Wet, World, WorldError, WorldSetup};

use crate::shapes::{ball, block};

const DT: f64 = 1.0 / 30.0;
const G: f64 = 9.81;
const RHO: f64 = 1000.0;

/// Water that moves up and down with a cube of edge 1 m whose surface is at 0: it has the mass `added`, and loses
/// `loss` of its speed in a step to waves.
struct HeavingWater {
    added: f64,
    loss: f64,
    velocity: f64,
}

impl HeavingWater {
    /// The impulse on the cube: both move with one velocity, pushed by buoyancy. Implicit, as a pressure solve is.
    fn solve(&mut self, y: f64, free: f64, inverse_mass: f64) -> Impulse {
        let depth = (0.5 - y).clamp(0.0, 1.0);
        if depth == 0.0 {
            self.velocity = 0.0;
            return Impulse::default();
        }
        let mass = 1.0 / inverse_mass;
        let lift = RHO * G * depth * DT;
        let water = self.added * self.velocity * (1.0 - self.loss);
        self.velocity = (mass * free + water + lift) / (mass + self.added);
        Impulse { linear: [0.0, mass * (self.velocity - free), 0.0], angular: [0.0; 3] }
    }
}

fn cube(density: f64, y: f64) -> Body {
    let locks = Locks { rotation: [true; 3], ..Locks::default() };
    let mass = thalweg_bodies::Mass::Density(density);
    Body { mass, locks, ..Body::new("cube", block([0.5; 3]), [0.0, y, 0.0]) }
}

fn step(world: &mut World, water: &mut HeavingWater) -> f64 {
    world.foresee_floating();
    world.predict(DT).unwrap();
    let free = world.free()[0];
    let impulse = water.solve(free.centre_of_mass[1], free.velocity[1], free.inverse_mass[1]);
    world.receive(DT, &[impulse]).unwrap();
    world.states()[0].pose.position[1]
}

#[test]
fn bodies_come_to_their_draft_whatever_the_added_mass() {
    for density in [50.0, 200.0, 500.0, 900.0] {
        for ratio in [0.1, 1.0, 5.0, 20.0] {
            let wanted = 0.5 - density / RHO;
            let start = (wanted + 0.3_f64).min(0.45);
            let mut world =
                World::new(&WorldSetup { bodies: vec![cube(density, start)], ..WorldSetup::default() }).unwrap();
            let mut water = HeavingWater { added: ratio * density, loss: 0.1, velocity: 0.0 };
            let mut largest = 0.0_f64;
            for n in 0..1800 {
                let y = step(&mut world, &mut water);
                if n > 30 {
                    largest = largest.max((y - wanted).abs());
                }
            }
            let state = &world.states()[0];
            let y = state.pose.position[1];
            assert!((y - wanted).abs() < 1e-3, "density {density}, added {ratio}: {y} and not {wanted}");
            assert!(state.velocity[1].abs() < 1e-3, "{}", state.velocity[1]);
            assert!(largest < 0.5, "density {density}, added {ratio}: {largest} m off");
            assert!((state.force[1] - density * G).abs() < 1e-2 * density * G, "{}", state.force[1]);
        }
    }
}

/// A body that is let go where it floats stays there: the first step, predicted before the water's force is known, does
/// not make it bob. One that stands on the ground in shallow water is not lifted off it.
#[test]
fn a_body_let_go_at_rest_stays_at_rest() {
    for (density, added) in [(200.0, 500.0), (700.0, 350.0)] {
        let rest = 0.5 - density / RHO;
        let mut world = World::new(&WorldSetup { bodies: vec![cube(density, rest)], ..WorldSetup::default() }).unwrap();
        let mut water = HeavingWater { added, loss: 0.0, velocity: 0.0 };
        for _ in 0..60 {
            let y = step(&mut world, &mut water);
            assert!((y - rest).abs() < 1e-5, "{density} kg/m³: {y} instead of {rest}");
        }
    }
    let mut world = World::new(&WorldSetup { bodies: vec![cube(700.0, 3.0)], ..WorldSetup::default() }).unwrap();
    let mut dry = World::new(&WorldSetup { bodies: vec![cube(700.0, 3.0)], ..WorldSetup::default() }).unwrap();
    let mut water = HeavingWater { added: 350.0, loss: 0.0, velocity: 0.0 };
    for _ in 0..10 {
        dry.predict(DT).unwrap();
        let (y, alone) = (step(&mut world, &mut water), dry.states()[0].pose.position[1]);
        assert!((y - alone).abs() < 1e-5, "in the air at {y}, without any water at {alone}");
    }
    let walls = Walls { floor: Some(-0.3), ..Walls::default() };
    let setup = WorldSetup { walls, bodies: vec![cube(700.0, 0.2)], ..WorldSetup::default() };
    let mut world = World::new(&setup).unwrap();
    let mut water = HeavingWater { added: 350.0, loss: 0.0, velocity: 0.0 };
    for _ in 0..60 {
        let y = step(&mut world, &mut water);
        assert!((y - 0.2).abs() < 2e-3, "on the ground: {y}");
    }
}

#[test]
fn an_impact_shares_momentum_and_does_not_bounce() {
    for ratio in [1.0, 20.0] {
        let (mass, speed) = (100.0, 10.0);
        let bodies = vec![Body { velocity: [0.0, -speed, 0.0], ..cube(mass, 0.52) }];
        let mut world = World::new(&WorldSetup { gravity: 0.0, bodies, ..WorldSetup::default() }).unwrap();
        world.predict(DT).unwrap();
        let free = world.free()[0];
        // Inelastic: the water at rest is taken along.
        let after = -speed / (1.0 + ratio);
        let impulse = Impulse { linear: [0.0, mass * (after - free.velocity[1]), 0.0], angular: [0.0; 3] };
        world.receive(DT, &[impulse]).unwrap();
        assert!((world.states()[0].velocity[1] - after).abs() < 1e-4);
    }
    // With weight: the impact's force is far beyond what is predicted, so the next step goes on down.
    let bodies = vec![Body { velocity: [0.0, -10.0, 0.0], ..cube(100.0, 0.6) }];
    let mut world = World::new(&WorldSetup { bodies, ..WorldSetup::default() }).unwrap();
    let mut water = HeavingWater { added: 2000.0, loss: 0.1, velocity: 0.0 };
    let mut before = 0.6;
    for _ in 0..4 {
        let y = step(&mut world, &mut water);
        assert!(y < before, "it went up from {before} to {y}");
        before = y;
    }
}

#[test]
fn a_sunk_body_rests_on_the_ground() {
    let walls = Walls { floor: Some(-3.0), ..Walls::default() };
    let bodies = vec![cube(2500.0, -2.5)];
    let mut world = World::new(&WorldSetup { walls, bodies, ..WorldSetup::default() }).unwrap();
    let mut water = HeavingWater { added: 700.0, loss: 0.1, velocity: 0.0 };
    let mut speeds = Vec::new();
    for n in 0..300 {
        let y = step(&mut world, &mut water);
        if n > 100 {
            assert!((y + 2.5).abs() < 0.02, "at {y}");
            speeds.push(world.states()[0].velocity[1].abs());
        }
    }
    let fastest = speeds.into_iter().fold(0.0, f64::max);
    assert!(fastest < 0.05, "it jumps with {fastest} m/s");
}

#[test]
fn a_light_body_is_held_down_by_its_mooring() {
    let mooring = Mooring { at: [0.0, -0.5, 0.0], anchor: [0.0, -6.0, 0.0], length: 2.0, stiffness: 1e6, damping: 1e4 };
    let bodies = vec![Body { moorings: vec![mooring], ..cube(100.0, -3.5) }];
    let mut world = World::new(&WorldSetup { bodies, ..WorldSetup::default() }).unwrap();
    let mut water = HeavingWater { added: 700.0, loss: 0.1, velocity: 0.0 };
    let mut heights = Vec::new();
    for _ in 0..600 {
        heights.push(step(&mut world, &mut water));
    }
    let wanted = -3.5 + 900.0 * G / 1e6;
    assert!(heights[500..].iter().all(|y| (y - wanted).abs() < 0.02), "{:?} and not {wanted}", &heights[590..]);
}

#[test]
fn archimedes_holds_bodies_without_a_pressure_solve() {
    let setup = WorldSetup {
        coupling: Coupling::Buoyancy,
        bodies: vec![Body { drag: 1.0, ..cube(300.0, 1.0) }],
        ..WorldSetup::default()
    };
    let mut world = World::new(&setup).unwrap();
    for _ in 0..900 {
        world.predict(DT).unwrap();
        assert_eq!(world.free()[0].inverse_mass, [0.0; 3]);
        world.receive(DT, &[Impulse::default()]).unwrap();
        let y = world.states()[0].pose.position[1];
        let displaced = (0.5 - y).clamp(0.0, 1.0);
        let wet = Wet {
            displaced,
            centre: [0.0, -0.5 * displaced, 0.0],
            area: [displaced, 1.0, displaced],
            ..Wet::default()
        };
        world.submerge(&[wet]).unwrap();
    }
    let state = &world.states()[0];
    assert!((state.pose.position[1] - 0.2).abs() < 2e-3, "{:?}", state.pose.position);
    assert!((state.force[1] - 300.0 * G).abs() < 30.0, "{}", state.force[1]);
}

#[test]
fn drag_brings_bodies_to_the_speed_of_the_water_and_not_beyond() {
    for (coefficient, coupling) in [(0.5, Coupling::Pressure), (1e3, Coupling::Pressure), (1e3, Coupling::Buoyancy)] {
        let bodies = vec![Body { drag: coefficient, spin: [0.0, 4.0, 0.0], ..Body::new("a", ball(0.5), [0.0; 3]) }];
        let mut world = World::new(&WorldSetup { gravity: 0.0, coupling, bodies, ..WorldSetup::default() }).unwrap();
        let wet = Wet { displaced: 0.1, area: [0.8; 3], velocity: [3.0, 0.0, 0.0], ..Wet::default() };
        let mut before = 0.0;
        for _ in 0..600 {
            world.submerge(&[wet]).unwrap();
            world.predict(DT).unwrap();
            let state = &world.states()[0];
            let drag = world.free()[0].drag.linear[0];
            assert!(state.velocity[0] >= before - 1e-6 && state.velocity[0] <= 3.0 + 1e-6, "{:?}", state.velocity);
            assert!((drag - state.mass * (state.velocity[0] - before)).abs() < 1e-3 * state.mass, "{drag}");
            assert!(state.rates[1] >= -1e-6);
            before = state.velocity[0];
        }
        if coupling == Coupling::Pressure {
            assert!(before > 2.8, "{before}");
            assert!(world.states()[0].rates[1] < 1.0);
        }
    }
}

#[test]
fn quadratic_drag_slows_as_its_closed_form() {
    // dv/dt = −k v², v = v₀/(1 + k v₀ t).
    let bodies = vec![Body { drag: 0.4, velocity: [5.0, 0.0, 0.0], ..Body::new("a", ball(0.5), [0.0; 3]) }];
    let mut world = World::new(&WorldSetup { gravity: 0.0, bodies, ..WorldSetup::default() }).unwrap();
    let k = 0.5 * RHO * 0.4 * 0.7 / world.states()[0].mass;
    for _ in 0..2000 {
        world.submerge(&[Wet { displaced: 0.5, area: [0.7; 3], ..Wet::default() }]).unwrap();
        world.predict(1e-3).unwrap();
    }
    let (found, wanted) = (world.states()[0].velocity[0], 5.0 / (1.0 + k * 5.0 * 2.0));
    assert!((found - wanted).abs() < 5e-3 * wanted, "{found} and not {wanted}");
}

#[test]
fn nonsense_is_refused_and_changes_nothing() {
    let mut world = World::new(&WorldSetup { bodies: vec![cube(500.0, 0.0)], ..WorldSetup::default() }).unwrap();
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(world.predict(dt), Err(WorldError::Number { .. })), "{dt}");
        assert!(matches!(world.receive(dt, &[Impulse::default()]), Err(WorldError::Number { .. })), "{dt}");
    }
    assert!(matches!(world.receive(DT, &[]), Err(WorldError::Count { found: 0, count: 1, .. })));
    assert!(matches!(world.submerge(&[]), Err(WorldError::Count { .. })));
    let before = world.save();
    let nan = Impulse { linear: [f64::NAN, 0.0, 0.0], angular: [0.0; 3] };
    assert!(matches!(world.receive(DT, &[nan]), Err(WorldError::NotFinite { .. })));
    assert!(matches!(world.submerge(&[Wet { displaced: -1.0, ..Wet::default() }]), Err(WorldError::NotFinite { .. })));
    assert_eq!(world.save(), before);
}
