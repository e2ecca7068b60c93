use thalweg_bodies::{Coupling, MassProperties, Shape, World};
use thalweg_scene::{BodyQuantity, Scene};

use super::{Sampler, quantity, wet_parts, world_setup};
use crate::solids::middle;

fn scene(rest: &str) -> Scene {
    let text = format!(
        "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [8, 4, 6], cell = 0.25, origin = [100, 200] }}\n\
         [water]\nsolver = 'tall-cells'\nlevel = 1\n{rest}\n"
    );
    Scene::from_str(&text, "a.toml", ".").unwrap_or_else(|error| panic!("{error}"))
}

const ALL: &str = r#"
    [boundary]
    east = "open"
    [[obstacle]]
    shape = "cylinder"
    from = [104, 0, 203]
    to = [104, 3, 203]
    radius = 0.3
    motion.spin = { rate = 1 }
    [bodies]
    coupling = "buoyancy"
    [[body]]
    name = "box"
    shape = "box"
    size = [1, 0.5, 0.5]
    position = [102, 2, 203]
    rotation = { degrees = 90 }
    moorings = [{ at = [0.5, 0, 0], anchor = [102, 0, 203], stiffness = 100 }]
    lock = ["z", "turn-x"]
    [[body]]
    name = "log"
    shape = "capsule"
    from = [105, 2, 203]
    to = [107, 2, 203]
    radius = 0.2
    [[body]]
    name = "stone"
    shape = "hull"
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    position = [102, 2, 201]
    [[body]]
    name = "raft"
    shape = "compound"
    position = [106, 2, 205]
    parts = [
        { shape = "box", size = [1, 0.2, 1] },
        { shape = "box", size = [0.2, 0.2, 0.2], position = [0, 0.3, 0], rotation = { axis = [1, 0, 0], degrees = 45 } },
    ]
"#;

#[test]
fn a_scene_becomes_a_world() {
    let scene = scene(ALL);
    // Any bed will do.
    let bed: Vec<f32> = (0..32 * 24).map(|n| 0.1 * (n % 3) as f32).collect();
    let setup = world_setup(&scene, &bed);
    assert_eq!((setup.coupling, setup.origin), (Coupling::Buoyancy, [100.0, 0.0, 200.0]));
    assert_eq!((setup.walls.west, setup.walls.east), (Some(100.0), None), "an open side lets bodies out");
    assert_eq!((setup.walls.south, setup.walls.north, setup.walls.floor), (Some(200.0), Some(206.0), Some(0.0)));
    assert_eq!(setup.ground.as_ref().map(|ground| (ground.nx, ground.nz)), Some((32, 24)));
    let mill = &setup.obstacles[0];
    let motion = mill.motion.clone().map(|motion| motion.about(middle(mill)));
    let spin = motion.and_then(|motion| motion.spin).expect("a spin");
    assert_eq!(spin.pivot, Some([104.0, 1.5, 203.0]));

    let log = &setup.bodies[1];
    let mass = MassProperties::of(log).expect("a mass");
    assert!(mass.inertia[0][0] < 0.1 * mass.inertia[1][1], "it lies along x: {mass:?}");
    assert!(matches!(Shape::of_body(&setup.bodies[0]), Shape::Box { half: [0.5, 0.25, 0.25] }));
    assert_eq!(setup.bodies[0].locks.translation, [false, false, true]);
    let tied = setup.bodies[0].pose.point(setup.bodies[0].moorings[0].at);
    assert!((tied[2] - 202.5).abs() < 1e-12, "{tied:?}");

    let mut world = World::new(&setup).expect("a world");
    assert_eq!(world.overlaps(), []);
    for _ in 0..30 {
        world.predict(1.0 / 30.0).expect("a step");
    }
    let states = world.states();
    assert!(states.iter().all(|state| state.pose.position[1] > 0.0 && state.pose.position[1] < 2.5));
    assert_eq!(quantity(BodyQuantity::Position, &states[0]), states[0].pose.position);
    let turn = quantity(BodyQuantity::Rotation, &states[0]);
    assert!((turn[1] - std::f64::consts::FRAC_PI_2).abs() < 0.3, "{turn:?}");
    assert_eq!(quantity(BodyQuantity::Velocity, &states[1]), states[1].velocity);
    assert_eq!(quantity(BodyQuantity::Force, &states[1]), [0.0; 3]);

    let flat = vec![0.5; 32 * 24];
    let setup = world_setup(&scene, &flat);
    assert_eq!((setup.ground, setup.walls.floor), (None, Some(0.5)), "flat ground is a plane");
}

#[test]
fn bodies_in_a_slice_stay_in_it() {
    let text = "scene = { name = 'a', duration = 1 }\ndomain = { size = [8, 4, 0.25], cell = 0.25 }\n\
                [water]\nsolver = 'uniform'\nlevel = 1\n\
                [[body]]\nname = 'a'\nshape = 'box'\nsize = [1, 1, 1]\nposition = [4, 2, 0.125]\n";
    let scene = Scene::from_str(text, "a.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    let setup = world_setup(&scene, &[0.0; 32]);
    assert_eq!((setup.walls.south, setup.walls.north), (None, None));
    let locks = setup.bodies[0].locks;
    assert_eq!((locks.translation, locks.rotation), ([false, false, true], [true, true, false]));
}

/// Distances of the parts that the water sees are those of the shapes that contacts see.
#[test]
fn the_water_sees_the_same_shapes() {
    let scene = scene(&ALL[ALL.find("[bodies]").expect("there")..]);
    let distance = |name: &str, point: [f64; 3]| {
        let body = scene.bodies.iter().find(|body| body.name == name).expect("a body");
        let parts = wet_parts(body, &Sampler::new(&scene, 0.0), 0.25).expect("parts");
        let each = parts.iter().map(|part| part.obstacle.distance(part.pose.local(point).map(|v| v as f32)));
        each.fold(f32::INFINITY, f32::min)
    };
    for (name, point, wanted, tolerance) in [
        ("box", [0.6, 0.0, 0.0], 0.1, 1e-6),
        ("log", [0.5, 0.3, 0.0], 0.1, 1e-6),
        ("log", [1.4, 0.0, 0.0], 0.2, 1e-6),
        // The plane x + y + z = 1 of the stone, whose frame is in the middle of its box.
        ("stone", [0.0, 0.0, 0.0], 0.5 / 3.0_f32.sqrt(), 0.02),
        ("stone", [-0.2, -0.2, -0.45], -0.05, 0.02),
        // An edge of the turned cube is on top, 0.1 m below the point; the frame is in the middle of all parts.
        ("raft", [0.0, 0.1 + 0.5 * (0.4 + 0.1 * 2.0_f64.sqrt()), 0.0], 0.1, 1e-5),
    ] {
        let found = distance(name, point);
        assert!((found - wanted).abs() < tolerance, "{name} at {point:?}: {found} and not {wanted}");
    }
}
