//! Bodies without water.
use thalweg_bodies::{
    Body, GroundHeights, Locks, Mass, Mooring, Motion, Obstacle, Spin, Travel, Walls, World, WorldError, WorldSetup,
};

use crate::shapes::{ball, block, mesh};

const DT: f64 = 1.0 / 30.0;

fn cube(name: &str, at: [f64; 3]) -> Body {
    Body::new(name, block([0.5; 3]), at)
}

fn world(bodies: Vec<Body>) -> World {
    World::new(&WorldSetup { bodies, ..WorldSetup::default() }).unwrap()
}

fn on_floor(bodies: Vec<Body>) -> World {
    let walls = Walls { floor: Some(0.0), ..Walls::default() };
    World::new(&WorldSetup { walls, bodies, ..WorldSetup::default() }).unwrap()
}

fn run(world: &mut World, seconds: f64) {
    for _ in 0..(seconds / DT).round() as u32 {
        world.predict(DT).unwrap();
    }
}

#[test]
fn a_body_falls_as_galileo_says() {
    let mut world = world(vec![Body { velocity: [2.0, 0.0, 0.0], ..cube("a", [0.0, 100.0, 0.0]) }]);
    run(&mut world, 2.0);
    let state = &world.states()[0];
    let wanted = 100.0 - 0.5 * 9.81 * 4.0;
    // Eight sub-steps: the place lags by half of one, g t dt/16.
    assert!((state.pose.position[1] - wanted).abs() < 0.06, "{}", state.pose.position[1]);
    assert!((state.pose.position[0] - 4.0).abs() < 1e-3);
    assert!((state.velocity[1] + 9.81 * 2.0).abs() < 1e-3);
}

#[test]
fn a_tower_of_ten_boxes_stands() {
    for edge in [5.0, 1.0, 0.2] {
        let half = 0.5 * edge;
        let place = |n: u32| [0.0, half + edge * f64::from(n), 0.0];
        let boxes = (0..10).map(|n| Body::new(format!("box-{n}"), block([half; 3]), place(n)));
        let mut world = on_floor(boxes.collect());
        run(&mut world, 10.0);
        for (n, state) in world.states().iter().enumerate() {
            let [x, y, z] = state.pose.position;
            let off = y - half - edge * n as f64;
            assert!(x.hypot(z) < 0.01 * edge && off.abs() < 0.05 * edge, "box {n} of {edge} m is at {x} {y} {z}");
            let speed = state.velocity.iter().map(|v| v * v).sum::<f64>().sqrt();
            assert!(speed < 0.02, "box {n} of {edge} m has {speed} m/s");
        }
    }
}

#[test]
fn bounces_and_friction_are_as_asked_for() {
    let sphere =
        |name: &str, x: f64, restitution: f64| Body { restitution, ..Body::new(name, ball(0.5), [x, 5.5, 0.0]) };
    let mut both = on_floor(vec![sphere("dead", 0.0, 0.0), sphere("lively", 5.0, 1.0)]);
    let mut highest = [0.0_f64; 2];
    for step in 0..60 {
        both.predict(DT).unwrap();
        for (n, state) in both.states().iter().enumerate() {
            if step > 32 {
                highest[n] = highest[n].max(state.pose.position[1]);
            }
        }
    }
    // The mean of restitutions with that of the floor, 0, counts: half the speed is a quarter of the height.
    assert!(highest[0] < 0.55, "{highest:?}");
    assert!(highest[1] > 1.2 && highest[1] < 2.6, "{highest:?}");

    // v² / (2 μ g) with μ the mean of 0.5 and the floor's 0.6.
    let slider = Body { velocity: [4.0, 0.0, 0.0], friction: 0.5, ..cube("slider", [0.0, 0.5, 0.0]) };
    let mut world = on_floor(vec![slider]);
    run(&mut world, 3.0);
    let way = world.states()[0].pose.position[0];
    let wanted = 16.0 / (2.0 * 0.55 * 9.81);
    assert!((way - wanted).abs() < 0.15 * wanted, "{way} m, not {wanted}");
}

#[test]
fn a_body_on_a_path_goes_its_way_and_shoves_others() {
    let path = Motion {
        travel: Travel::Path { points: [[1.0, 0.0, 0.0, 0.0], [3.0, 4.0, 0.0, 0.0]].into() },
        spin: Some(Spin { axis: [0.0, 1.0, 0.0], rate: 0.0, pivot: None }),
    };
    let pusher = Body { motion: Some(path), ..cube("pusher", [0.0, 0.5, 0.0]) };
    let mut world = on_floor(vec![pusher, cube("shoved", [2.0, 0.5, 0.0])]);
    run(&mut world, 2.0);
    let states = world.states();
    assert!((states[0].pose.position[0] - 2.0).abs() < 1e-9 && (states[0].velocity[0] - 2.0).abs() < 1e-9);
    let free = world.free();
    assert_eq!((free[0].inverse_mass, free[0].inverse_inertia), ([0.0; 3], [[0.0; 3]; 3]));
    run(&mut world, 2.0);
    let states = world.states();
    assert!((states[0].pose.position[0] - 4.0).abs() < 1e-9 && states[0].velocity == [0.0; 3]);
    assert!(states[1].pose.position[0] > 4.9, "shoved to {:?}", states[1].pose.position);
    assert!(matches!(world.push(0, [1.0; 3], [0.0; 3]), Err(WorldError::Kinematic { .. })));
}

#[test]
fn a_mooring_holds_and_never_pushes() {
    // Far stiffer than the step can follow: k dt²/m is 111.
    let stiffness = 5e7;
    let mooring = Mooring { at: [0.0; 3], anchor: [0.0, 20.0, 0.0], length: 10.0, stiffness, damping: 1e3 };
    let body = |y: f64| Body { moorings: vec![mooring], mass: Mass::Mass(500.0), ..cube("buoy", [0.0, y, 0.0]) };
    let mut hanging = world(vec![body(9.0)]);
    run(&mut hanging, 10.0);
    let state = &hanging.states()[0];
    let stretch = 10.0 - state.pose.position[1];
    assert!((stretch - 500.0 * 9.81 / stiffness).abs() < 2e-3, "stretched by {stretch} m");
    assert!(state.velocity[1].abs() < 1e-2);
    // Slack: it falls as if there were no line.
    let mut slack = world(vec![body(25.0)]);
    run(&mut slack, 0.5);
    assert!((slack.states()[0].velocity[1] + 0.5 * 9.81).abs() < 1e-3);
}

#[test]
fn two_lines_share_a_load() {
    let line = |x: f64, at: f64| Mooring {
        at: [at, 0.5, 0.0],
        anchor: [x, 5.5, 0.0],
        length: 4.0,
        stiffness: 2e5,
        damping: 5e3,
    };
    let setup = Body { moorings: vec![line(-0.5, -0.5), line(0.5, 0.5)], ..cube("a", [0.0, 1.0, 0.0]) };
    let mut world = world(vec![setup]);
    run(&mut world, 10.0);
    let state = &world.states()[0];
    let wanted = 1.0 - 0.5 * state.mass * 9.81 / 2e5;
    assert!((state.pose.position[1] - wanted).abs() < 5e-3, "{:?} and not {wanted}", state.pose.position);
    assert!(state.pose.rotation[2].abs() < 1e-3);
}

#[test]
fn locks_lock() {
    let locks = Locks { translation: [true, false, true], rotation: [true, true, false] };
    let setup = Body { locks, velocity: [0.0; 3], spin: [0.0, 0.0, 1.0], ..cube("a", [0.0, 50.0, 0.0]) };
    let mut world = world(vec![setup]);
    world.push(0, [1e3, 0.0, 1e3], [0.5, 50.5, 0.5]).unwrap();
    run(&mut world, 1.0);
    let (state, free) = (&world.states()[0], &world.free()[0]);
    assert!(state.pose.position[0].abs() < 1e-6 && state.pose.position[2].abs() < 1e-6);
    assert!(state.pose.position[1] < 46.0 && state.pose.rotation[0].abs() < 1e-6);
    assert_eq!([free.inverse_mass[0], free.inverse_mass[2]], [0.0; 2]);
    assert!(free.inverse_mass[1] > 0.0 && free.inverse_inertia[2][2] > 0.0);
    assert_eq!([free.inverse_inertia[0][0], free.inverse_inertia[1][1], free.inverse_inertia[0][2]], [0.0; 3]);
}

#[test]
fn ground_walls_and_obstacles_hold_bodies() {
    // A slope of 45 degrees along x, far from the world's origin.
    let (nx, nz, far) = (20_usize, 10_usize, 4e6);
    let heights = (0..nx * nz).map(|n| (n % nx) as f32 + 0.5).collect();
    let ground = Some(GroundHeights { nx, nz, cell: 1.0, origin: [far, far], heights });
    let walls = Walls { west: Some(far), floor: Some(-1.0), ..Walls::default() };
    let sphere = Body::new("sphere", ball(0.4), [far + 10.0, 12.0, far + 5.0]);
    let setup = WorldSetup { ground, walls, origin: [far, 0.0, far], bodies: vec![sphere], ..WorldSetup::default() };
    let mut world = World::new(&setup).unwrap();
    run(&mut world, 0.6);
    let [x, y, _] = world.states()[0].pose.position;
    assert!(y - (x - far) > 0.4, "above the slope, at {x} {y}");
    run(&mut world, 10.0);
    let [x, y, z] = world.states()[0].pose.position;
    assert!((x - far - 0.4).abs() < 0.1 && y > 0.3 && y < 1.6 && (z - far - 5.0).abs() < 0.5, "{x} {y} {z}");

    // Half of a tunnel with a lid: a mesh with a hollow catches a sphere, a lift raises it.
    let lift = Motion { travel: Travel::Constant { velocity: [0.0, 0.5, 0.0] }, spin: None };
    let plate = Obstacle { motion: Some(lift), ..Obstacle::at_rest(block([1.0, 0.1, 1.0])) };
    let sphere = Body::new("sphere", ball(0.25), [0.0, 0.5, 0.0]);
    let setup = WorldSetup { obstacles: vec![plate], bodies: vec![sphere], ..WorldSetup::default() };
    let mut world = World::new(&setup).unwrap();
    run(&mut world, 4.0);
    let state = &world.states()[0];
    assert!((state.pose.position[1] - 2.35).abs() < 0.05, "lifted to {:?}", state.pose.position);
    assert!((state.velocity[1] - 0.5).abs() < 0.05);
}

#[test]
fn a_world_that_begins_late_and_other_obstacles_have_them_where_they_are() {
    let slab = |motion| Obstacle { motion, ..Obstacle::at_rest(block([0.5, 0.1, 0.5]).moved([0.0, 3.0, 0.0])) };
    let travel = Travel::Constant { velocity: [1.0, 0.0, 0.0] };
    let obstacles = vec![slab(Some(Motion { travel, spin: None }))];
    let walls = Walls { west: Some(-9.0), floor: Some(0.0), ..Walls::default() };
    let bodies = vec![cube("a", [0.0, 0.5, 0.0]), cube("b", [5.0, 0.5, 0.0])];
    let setup = WorldSetup { walls, obstacles, bodies, ..WorldSetup::default() };
    let mut world = World::new_at(&setup, 5.0).unwrap();
    let seen = |world: &World, x: f64| world.pick([x, 9.0, 0.0], [0.0, -1.0, 0.0]).map(|hit| hit.body);
    assert_eq!((seen(&world, 0.0), seen(&world, 5.0)), (Some(0), None), "it is above the second by now");
    world.predict(DT).unwrap();
    assert!((world.states()[1].pose.position[1] - 0.5).abs() < 0.01, "and did not jump there");
    let through = world.pick([-20.0, 0.5, 0.0], [1.0, 0.0, 0.0]).map(|hit| hit.body);
    assert_eq!(through, Some(0), "sides are glass");

    world.set_obstacles(&[slab(None)]).unwrap();
    assert_eq!((seen(&world, 0.0), seen(&world, 5.0)), (None, Some(1)));
    let bad = Obstacle::at_rest(ball(-1.0));
    let refused = world.set_obstacles(&[slab(None), bad]);
    assert!(matches!(refused, Err(WorldError::Obstacle { index: 1, .. })), "{refused:?}");
    assert_eq!((seen(&world, 0.0), seen(&world, 5.0)), (None, Some(1)), "nothing has changed");
    world.set_obstacles(&[]).unwrap();
    assert_eq!((seen(&world, 0.0), seen(&world, 5.0)), (Some(0), Some(1)));
    world.drag(0, [0.0; 3]).unwrap_err();
    run(&mut world, 0.2);
}

#[test]
fn hands_grab_push_and_pick() {
    let floating = |name: &str, at: [f64; 3]| cube(name, at);
    let bodies = vec![floating("a", [0.0, 0.0, 0.0]), floating("b", [5.0, 0.0, 0.0])];
    let mut world = World::new(&WorldSetup { gravity: 0.0, bodies, ..WorldSetup::default() }).unwrap();
    let hit = world.pick([-10.0, 0.25, 0.0], [2.0, 0.0, 0.0]).unwrap();
    assert_eq!(hit.body, 0);
    assert!(
        (hit.distance - 9.5).abs() < 1e-4 && (hit.point[0] + 0.5).abs() < 1e-4 && (hit.point[1] - 0.25).abs() < 1e-6
    );
    assert_eq!(world.pick([-10.0, 3.0, 0.0], [1.0, 0.0, 0.0]), None);
    assert_eq!(world.pick([0.0, 10.0, 0.0], [0.0; 3]), None);

    world.grab(1, [0.0; 3], [5.0, 2.0, 0.0]).unwrap();
    run(&mut world, 3.0);
    let [_, y, _] = world.states()[1].pose.position;
    assert!((y - 2.0).abs() < 0.01, "pulled to {y}");
    world.release(1).unwrap();
    world.push(1, [500.0, 0.0, 0.0], world.states()[1].centre_of_mass).unwrap();
    assert!((world.states()[1].velocity[0] - 1.0).abs() < 1e-2);
    world.set_velocity(1, [0.0; 3], [0.0; 3]).unwrap();
    world.add_force(1, [500.0, 0.0, 0.0], world.states()[1].centre_of_mass).unwrap();
    world.predict(0.5).unwrap();
    world.predict(0.5).unwrap();
    assert!((world.states()[1].velocity[0] - 0.5).abs() < 1e-3, "a force lasts for one step");

    assert_eq!(world.add(&cube("c", [0.0, 9.0, 0.0])), Ok(2));
    assert_eq!(world.pick([0.0, 20.0, 0.0], [0.0, -1.0, 0.0]).map(|hit| hit.body), Some(2));
    world.remove(0).unwrap();
    assert_eq!((world.find("b"), world.find("c"), world.len()), (Some(0), Some(1), 2));
    assert_eq!(world.remove(7), Err(WorldError::NoBody { index: 7, count: 2 }));
    world.predict(DT).unwrap();
}

#[test]
fn overlaps_are_told() {
    let world = on_floor(vec![cube("a", [0.0, 0.5, 0.0]), cube("b", [0.8, 0.5, 0.0]), cube("c", [5.0, 0.3, 0.0])]);
    let found: Vec<_> = world.overlaps().into_iter().map(|o| (o.body, o.other, o.depth)).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!((found[0].0.as_str(), found[0].1.as_deref()), ("a", Some("b")));
    assert!((found[0].2 - 0.2).abs() < 1e-3 && (found[1].2 - 0.2).abs() < 1e-3);
    assert_eq!((found[1].0.as_str(), &found[1].1), ("c", &None));
}

#[test]
fn a_hollow_mesh_is_hollow_to_others() {
    // An L: two boxes of 2 x 1 x 1 and 1 x 1 x 1 as one prism.
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let vertices: Vec<[f64; 3]> = [0.0, 1.0].iter().flat_map(|z| outline.map(|[x, y]| [x, y, *z])).collect();
    let lid = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let mut triangles: Vec<[u32; 3]> = lid.iter().flat_map(|[a, b, c]| [[*a, *c, *b], [a + 6, b + 6, c + 6]]).collect();
    triangles.extend((0..6).flat_map(|n| {
        let m = (n + 1) % 6;
        [[n, m, m + 6], [n, m + 6, n + 6]]
    }));
    let heavy = Body { mass: Mass::Density(5000.0), ..Body::new("l", mesh(vertices, triangles), [0.0; 3]) };
    let sphere = Body::new("sphere", ball(0.3), [1.5, 2.0, 0.5]);
    let mut world = on_floor(vec![heavy, sphere]);
    assert!((world.states()[0].volume - 3.0).abs() < 1e-9);
    run(&mut world, 2.0);
    let [x, y, _] = world.states()[1].pose.position;
    // It falls into the corner, where the hull is full.
    assert!((y - 1.3).abs() < 0.1 && x > 1.2, "the sphere is at {x} {y}");
}
