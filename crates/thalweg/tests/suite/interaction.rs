//! Bodies that are touched while they float: held, dragged, thrown, dropped in, taken out.

use thalweg::compute::parity::own_physics_executors;
use thalweg::rigid::BodyState;
use thalweg::{Ability, Backend, Error, Interaction, Pour, Scene, Simulation};
use thalweg_scene::{Body, BodyMass, Obstacle, PartShape, Solid};

/// A basin of 2 x 1.2 m, far from the world's origin, with 0.6 m of water: 1.44 m³.
fn basin(rest: &str) -> Scene {
    let text = format!(
        r#"
        [scene]
        name = "Basin"
        duration = 10.0
        [domain]
        size = [2, 2, 1.2]
        cell = 0.1
        origin = [10, -5]
        [water]
        solver = "tall-cells"
        level = 0.6
        [water.tall]
        below = 4
        above = 4
        {rest}
        "#
    );
    Scene::from_str(&text, "basin.toml", ".").unwrap_or_else(|error| panic!("{error}"))
}

const BODIES: &str = r#"
    [[body]]
    name = "crate"
    shape = "box"
    size = [0.4, 0.4, 0.4]
    position = [10.5, 0.6, -4.4]
    [[body]]
    name = "ferry"
    shape = "box"
    size = [0.2, 0.2, 0.2]
    position = [11.7, 0.3, -4.7]
    motion.velocity = [-0.01, 0, 0]
    [[probe]]
    name = "where"
    kind = "body_position"
    body = "ferry"
"#;

fn simulation(rest: &str) -> Simulation {
    Simulation::new(basin(rest), Backend::Cpu).unwrap()
}

fn state(simulation: &Simulation, name: &str) -> BodyState {
    simulation.bodies().into_iter().find(|body| body.name == name).unwrap()
}

fn steps(simulation: &mut Simulation, count: usize) {
    (0..count).for_each(|_| simulation.step(0.05).unwrap());
}

fn ball(name: &str, position: [f64; 3]) -> Box<Body> {
    let shape = PartShape::Solid(Solid::Sphere { center: [0.0; 3], radius: 0.2 });
    Box::new(Body { mass: BodyMass::Density(400.0), ..Body::new(name, shape, position) })
}

#[test]
fn a_body_that_is_held_follows_the_hand_until_it_is_released() {
    let mut simulation = simulation(BODIES);
    steps(&mut simulation, 2);
    // From above, onto the crate beside its middle.
    let picked = simulation.pick([10.6, 5.0, -4.4], [0.0, -2.0, 0.0]).unwrap();
    assert_eq!((picked.body.as_str(), picked.is_kinematic), ("crate", false));
    assert!((picked.point[1] - (5.0 - picked.distance)).abs() < 1e-4 && picked.point[1] > 0.6, "{picked:?}");
    assert_eq!(simulation.pick([11.2, 5.0, -4.4], [0.0, -1.0, 0.0]), None, "there is only water");
    let outside = simulation.pick([10.5, 0.7, 5.0], [0.0, 0.0, -1.0]).expect("sides are glass");
    assert!(outside.body == "crate" && (outside.point[2] + 4.2).abs() < 0.1, "{outside:?}");
    let body = || picked.body.clone();
    let lifted = [10.6, 1.4, -4.4];
    let held = state(&simulation, "crate").pose.local(picked.point);
    // The body swings below the hand. Its weight draws the spring out by g/ω² = 0.07 m times the mass over that which a pull beside the middle feels.
    const SAG: f64 = 0.25;
    let off = |simulation: &Simulation, hand: [f64; 3]| {
        let place = state(simulation, "crate").pose.point(held);
        (0..3).map(|axis| (place[axis] - hand[axis]).powi(2)).sum::<f64>().sqrt()
    };
    simulation.apply(Interaction::Grab { body: body(), at: picked.point, to: lifted }).unwrap();
    steps(&mut simulation, 24);
    let up = state(&simulation, "crate").centre_of_mass;
    assert!(up[1] > 1.0 && off(&simulation, lifted) < SAG, "it hangs from the hand: {up:?}");
    simulation.apply(Interaction::Drag { body: body(), to: [11.4, 1.4, -4.4] }).unwrap();
    steps(&mut simulation, 24);
    let aside = state(&simulation, "crate").centre_of_mass;
    assert!(aside[1] > 1.0 && off(&simulation, [11.4, 1.4, -4.4]) < SAG, "and goes along: {aside:?}");
    simulation.apply(Interaction::Release { body: body() }).unwrap();
    steps(&mut simulation, 40);
    let down = state(&simulation, "crate").centre_of_mass;
    assert!((0.4..0.8).contains(&down[1]), "half as heavy as water, it floats: {down:?}");
    let refused = simulation.apply(Interaction::Drag { body: body(), to: lifted }).unwrap_err();
    assert!(refused.is_input() && refused.to_string().contains("grab it before"), "{refused}");
}

#[test]
fn a_thrown_body_flies() {
    let mut simulation = simulation(BODIES);
    let to = [10.5, 1.5, -4.4];
    simulation.apply(Interaction::Grab { body: "crate".into(), at: [10.5, 0.6, -4.4], to }).unwrap();
    steps(&mut simulation, 30);
    let before = state(&simulation, "crate").centre_of_mass;
    simulation.apply(Interaction::Throw { body: "crate".into(), velocity: [3.0, 0.5, 0.0] }).unwrap();
    steps(&mut simulation, 4);
    let after = state(&simulation, "crate").centre_of_mass;
    let fall = 0.5 * 0.2 - 0.5 * 9.81 * 0.2 * 0.2;
    assert!((after[0] - before[0] - 0.6).abs() < 0.02, "{before:?} {after:?}");
    assert!((after[1] - before[1] - fall).abs() < 0.06, "{before:?} {after:?}, {fall} m");
}

#[test]
fn a_dropped_body_lands_and_floats() {
    for executor in own_physics_executors() {
        let name = executor.describe();
        let mut simulation = Simulation::on(executor, basin("")).unwrap();
        simulation.step(0.05).unwrap();
        let before = simulation.statistics().unwrap();
        let (digest, time) = (simulation.scene().digest, simulation.time());
        simulation.apply(Interaction::AddBody(ball("ball", [11.0, 1.2, -4.4]))).unwrap();
        assert!(simulation.scene().digest != digest && simulation.time() == time, "{name}");
        assert_eq!(simulation.scene().bodies.len(), 1);
        let dropped = simulation.statistics().unwrap();
        assert!((dropped.volume / before.volume - 1.0).abs() < 1e-4 && dropped.removed < 1e-4, "{name}: {dropped:?}");
        steps(&mut simulation, 2);
        assert!(state(&simulation, "ball").velocity[1] < -0.5, "{name}: it falls");
        steps(&mut simulation, 58);
        let floats = state(&simulation, "ball");
        // A ball of two fifths of the density of water has its middle a little above the surface.
        assert!((0.5..0.8).contains(&floats.centre_of_mass[1]), "{name}: {floats:?}");
        assert!(floats.velocity[1].abs() < 0.4, "{name}: {floats:?}");
        let force = floats.force[1] / (floats.mass * 9.81);
        assert!((0.3..2.0).contains(&force), "{name}: the water carries {force} of its weight");
    }
}

#[test]
fn the_books_know_of_bodies_that_come_and_go() {
    let mut simulation = simulation(BODIES);
    steps(&mut simulation, 1);
    let saved = simulation.save().unwrap();
    let (before, digest) = (simulation.statistics().unwrap(), simulation.scene().digest);
    let inside = 4.0 / 3.0 * std::f64::consts::PI * 0.2f64.powi(3);
    simulation.apply(Interaction::AddBody(ball("ball", [11.2, 0.3, -4.3]))).unwrap();
    let with = simulation.statistics().unwrap();
    let gone = with.removed - before.removed;
    assert!((gone / inside - 1.0).abs() < 0.15, "what was inside counts as gone: {gone} of {inside} m³");
    assert!((with.volume - before.volume + gone).abs() < 2e-3 * before.volume, "{before:?} {with:?}");
    assert!(matches!(simulation.load(&saved), Err(Error::Saved(_))), "another scene");
    // The probe of the second body looks at it, wherever it stands in the list, and at nothing when it is gone.
    let x = |simulation: &mut Simulation| simulation.read_probes().unwrap()[0];
    let first = x(&mut simulation);
    assert!((first - 11.7).abs() < 0.01, "{first}");
    simulation.apply(Interaction::RemoveBody { name: "crate".into() }).unwrap();
    assert_eq!(simulation.bodies().iter().map(|body| body.name.as_str()).collect::<Vec<_>>(), ["ferry", "ball"]);
    assert_eq!(x(&mut simulation), first);
    let without = simulation.statistics().unwrap();
    // Where it was is air: no water comes from nowhere.
    assert!((without.volume / with.volume - 1.0).abs() < 0.01, "{} {}", with.volume, without.volume);
    steps(&mut simulation, 4);
    assert!(simulation.statistics().unwrap().max_speed > 0.3, "water falls into the hole");
    simulation.apply(Interaction::RemoveBody { name: "ferry".into() }).unwrap();
    assert!(x(&mut simulation).is_nan());
    simulation.apply(Interaction::RemoveBody { name: "ball".into() }).unwrap();
    assert!(simulation.bodies().is_empty() && simulation.scene().digest != digest);
    steps(&mut simulation, 2);
    assert_eq!(simulation.pick([10.6, 5.0, -4.4], [0.0, -1.0, 0.0]), None);
}

#[test]
fn bodies_lie_on_obstacles_that_came_later() {
    let mut simulation = simulation(BODIES);
    let table = Solid::Box { min: [10.8, 0.8, -4.8], max: [11.6, 1.0, -4.0] };
    simulation.set_obstacles(vec![Obstacle::at_rest(table)]).unwrap();
    simulation.apply(Interaction::AddBody(ball("ball", [11.2, 1.4, -4.4]))).unwrap();
    steps(&mut simulation, 20);
    let lies = state(&simulation, "ball").centre_of_mass;
    assert!((lies[1] - 1.2).abs() < 0.02, "{lies:?}");
    let bad = Obstacle::at_rest(Solid::Sphere { center: [11.2, 1.0, -4.4], radius: -1.0 });
    simulation.set_obstacles(vec![bad]).unwrap_err();
    steps(&mut simulation, 4);
    let still = state(&simulation, "ball").centre_of_mass;
    assert!((still[1] - 1.2).abs() < 0.02, "nothing has changed: {still:?}");
    simulation.set_obstacles(Vec::new()).unwrap();
    steps(&mut simulation, 6);
    let falls = state(&simulation, "ball").centre_of_mass;
    assert!(falls[1] < 1.0, "{falls:?}");
}

#[test]
fn what_was_saved_can_be_loaded_when_the_bodies_are_the_same_again() {
    let mut simulation = simulation("");
    let saved = simulation.save().unwrap();
    simulation.apply(Interaction::AddBody(ball("ball", [11.0, 1.2, -4.4]))).unwrap();
    steps(&mut simulation, 2);
    let with = simulation.save().unwrap();
    let after = {
        steps(&mut simulation, 2);
        simulation.save().unwrap()
    };
    simulation.load(&with).unwrap();
    steps(&mut simulation, 2);
    assert!(simulation.save().unwrap() == after, "it goes on with the same bits");
    simulation.apply(Interaction::RemoveBody { name: "ball".into() }).unwrap();
    simulation.load(&saved).unwrap();
    assert_eq!(simulation.time(), 0.0);
}

#[test]
fn errors_say_what_to_do_and_change_nothing() {
    let mut simulation = simulation(BODIES);
    let (digest, bodies) = (simulation.scene().digest, simulation.bodies());
    let (at, to) = ([10.5, 0.6, -4.4], [10.5, 1.0, -4.4]);
    let grab = |body: &str, to| Interaction::Grab { body: body.into(), at, to };
    let flat = PartShape::Solid(Solid::Sphere { center: [0.0; 3], radius: -1.0 });
    let cases = [
        (grab("crat", to), "did you mean `crate`?"),
        (Interaction::RemoveBody { name: "whale".into() }, "the bodies are `crate`, `ferry`"),
        (grab("ferry", to), "follows a path"),
        (grab("crate", [f64::NAN, 0.0, 0.0]), "must be finite"),
        (Interaction::Throw { body: "ferry".into(), velocity: [1.0; 3] }, "follows a path"),
        (Interaction::AddBody(ball("crate", to)), "such as `crate-2`"),
        (Interaction::AddBody(ball("a crate", to)), "cannot be the name"),
        (Interaction::AddBody(ball("far", [0.0, 1.0, 0.0])), "outside the domain"),
        (Interaction::AddBody(ball("lost", [10.5, f64::INFINITY, -4.4])), "must be finite"),
        (Interaction::AddBody(Box::new(Body::new("flat", flat, to))), "radius"),
        (Interaction::Pour(Pour { centre: [0.0; 3], radius: 0.2, velocity: [0.0, -1.0, 0.0] }), "domain"),
    ];
    for (interaction, wanted) in cases {
        let error = simulation.apply(interaction.clone()).unwrap_err();
        assert!(error.is_input() && error.to_string().contains(wanted), "{interaction:?}: {error}");
    }
    assert_eq!((simulation.scene().digest, simulation.bodies()), (digest, bodies));
    simulation.apply(Interaction::Push { centre: at, radius: 0.3, velocity: [0.2, 0.0, 0.0] }).unwrap();
    steps(&mut simulation, 1);

    let mut none = Simulation::new(basin(""), Backend::Cpu).unwrap();
    let error = none.apply(Interaction::Release { body: "crate".into() }).unwrap_err().to_string();
    assert!(error.contains("the scene has no bodies"), "{error}");
    let mut shallow = Simulation::new(Scene::shipped("lake").unwrap(), Backend::Cpu).unwrap();
    for interaction in [grab("crate", to), Interaction::AddBody(ball("ball", [1.0; 3]))] {
        let error = shallow.apply(interaction).unwrap_err();
        assert!(matches!(&error, Error::Refused(refusal) if refusal.ability == Ability::Bodies), "{error}");
    }
    assert_eq!(shallow.pick([0.0, 100.0, 0.0], [0.0, -1.0, 0.0]), None);
}
