//! Water that is touched while it runs: pushed, built in, tuned.

use std::f64::consts::PI;
use std::sync::Arc;

use thalweg::compute::parity::own_test_executors;
use thalweg::{Error, Painter, Scene, Simulation, look};
use thalweg_scene::{Obstacle, Solid};

/// A basin of 1.6 x 0.8 m, far from the world's origin, with 0.6 m of water: 0.768 m³.
fn basin(water: &str) -> Scene {
    let text = format!(
        r#"
        [scene]
        name = "Basin"
        duration = 10.0
        [domain]
        size = [1.6, 1.2, 0.8]
        cell = 0.05
        origin = [10, -5]
        [water]
        level = 0.6
        {water}
        "#
    );
    Scene::from_str(&text, "basin.toml", ".").unwrap_or_else(|error| panic!("{error}"))
}

const TALL: &str = "solver = \"tall-cells\"\n[water.tall]\nbelow = 4\nabove = 4";
const UNIFORM: &str = "solver = \"uniform\"";
const FINE: &str = "solver = \"tall-cells\"\n[water.tall]\nbelow = 4\nabove = 4\nsurface = 2";

fn ball() -> Obstacle {
    Obstacle::at_rest(Solid::Sphere { center: [10.8, 0.3, -4.6], radius: 0.2 })
}

#[test]
fn an_obstacle_takes_the_place_of_water_and_leaves_air_behind() {
    let inside = 4.0 / 3.0 * PI * 0.2f64.powi(3);
    for (number, executor) in own_test_executors().into_iter().enumerate() {
        // The rest is the host's, the same on every executor.
        for water in if number == 0 { &[TALL, UNIFORM, FINE][..] } else { &[TALL] } {
            let name = format!("{}, {water}", executor.describe());
            let mut simulation = Simulation::on(Arc::clone(&executor), basin(water)).unwrap();
            simulation.step(0.1).unwrap();
            let (before, time) = (simulation.statistics().unwrap(), simulation.time());
            simulation.set_obstacles(vec![ball()]).unwrap();
            let with = simulation.statistics().unwrap();
            assert_eq!(simulation.time(), time, "{name}");
            assert!((with.removed / inside - 1.0).abs() < 0.1, "{name}: {} of {inside} m³", with.removed);
            let unexplained = with.volume - (before.volume - with.removed + with.added);
            assert!(unexplained.abs() < 1e-4 * before.volume, "{name}: {unexplained} m³");
            for _ in 0..10 {
                simulation.step(0.05).unwrap();
            }
            let later = simulation.statistics().unwrap();
            assert!(later.max_speed < 0.3, "{name}: still water stays still, {} m/s", later.max_speed);
            assert!((later.volume / with.volume - 1.0).abs() < 0.01, "{name}: {} {}", later.volume, with.volume);
            // Where the ball was is air: water falls into it, and none comes from nowhere.
            simulation.set_obstacles(Vec::new()).unwrap();
            let without = simulation.statistics().unwrap();
            assert!((without.volume / later.volume - 1.0).abs() < 0.02, "{name}: {} {}", without.volume, later.volume);
            for _ in 0..4 {
                simulation.step(0.05).unwrap();
            }
            let falls = simulation.statistics().unwrap();
            assert!(falls.max_speed > 0.3, "{name}: {} m/s", falls.max_speed);
            let expected = before.volume + falls.added - falls.removed;
            assert!((falls.volume / expected - 1.0).abs() < 0.05, "{name}: {} of {expected} m³", falls.volume);
        }
    }
}

#[test]
fn what_was_saved_belongs_to_its_obstacles() {
    let executor = own_test_executors().remove(0);
    let mut simulation = Simulation::on(executor, basin(TALL)).unwrap();
    let saved = simulation.save().unwrap();
    simulation.set_obstacles(vec![ball()]).unwrap();
    assert!(matches!(simulation.load(&saved), Err(Error::Saved(_))));
    let bad = Obstacle::at_rest(Solid::Sphere { center: [10.8, 0.3, -4.6], radius: f64::NAN });
    let refused = simulation.set_obstacles(vec![ball(), bad]);
    assert!(matches!(&refused, Err(error) if error.is_input()), "{refused:?}");
    assert_eq!(simulation.scene().obstacles, [ball()], "nothing has changed");
    simulation.step(0.05).unwrap();
    simulation.set_obstacles(Vec::new()).unwrap();
    simulation.load(&saved).unwrap();
    assert_eq!(simulation.time(), 0.0);
}

#[test]
fn a_push_is_where_it_is_said_to_be() {
    for executor in own_test_executors() {
        let mut simulation = Simulation::on(executor, basin(TALL)).unwrap();
        simulation.push([10.4, 0.5, -4.6], 0.2, [0.0, 0.0, 0.8]).unwrap();
        let water = simulation.water_surface().unwrap();
        let along = |i: usize| f64::from(water.velocity[1][i + 32 * 8]);
        assert!(along(8) > 0.3 && along(28).abs() < 0.1, "{} {}", along(8), along(28));
        let statistics = simulation.statistics().unwrap();
        assert!(statistics.max_speed <= 1.0, "{}", statistics.max_speed);
        simulation.step(0.05).unwrap();
    }
}

#[test]
fn shallow_water_says_what_it_cannot() {
    let executor = own_test_executors().remove(0);
    let mut simulation = Simulation::on(executor, basin("")).unwrap();
    let errors = [simulation.push([10.4, 0.5, -4.6], 0.2, [1.0, 0.0, 0.0]), simulation.set_obstacles(vec![ball()])];
    for error in errors {
        assert!(matches!(&error, Err(Error::Refused(_))), "{error:?}");
    }
    assert_eq!(simulation.tuning(), None);
}

#[test]
fn the_point_at_a_pixel_is_on_the_water_that_is_seen_there() {
    for executor in own_test_executors() {
        for water in [TALL, ""] {
            let mut simulation = Simulation::on(Arc::clone(&executor), basin(water)).unwrap();
            let mut painter = Painter::new(&mut simulation).unwrap();
            let mut seen = look(&mut simulation).unwrap();
            assert_eq!(painter.point_at(&simulation, &seen, [0, 0]).unwrap(), None, "no picture yet");
            (seen.size, seen.samples) = ([80, 50], 1);
            // From above, a little to the side, onto the middle of the water.
            (seen.camera.eye, seen.camera.target) = ([10.9, 3.0, -4.5], [10.8, 0.6, -4.6]);
            painter.draw(&mut simulation, &seen).unwrap();
            let point = painter.point_at(&simulation, &seen, [40, 25]).unwrap().expect("water is there");
            let off = [point[0] - 10.8, point[1] - 0.6, point[2] + 4.6];
            assert!(off.iter().all(|x| x.abs() < 0.06), "{}: {point:?}", executor.describe());
            // From inside upwards there is only the sky.
            (seen.camera.eye, seen.camera.target) = ([10.8, 3.0, -4.6], [11.8, 6.0, -4.6]);
            painter.draw(&mut simulation, &seen).unwrap();
            assert_eq!(painter.point_at(&simulation, &seen, [40, 25]).unwrap(), None);
        }
    }
}
