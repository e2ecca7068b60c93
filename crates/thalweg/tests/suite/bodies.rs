//! Solids of scenes: meshes and motions, and the gauges that watch them.

use thalweg::{Backend, Scene, Simulation};
use thalweg_scene::Files;

/// A cube of 0.4 units around the origin.
const CUBE: &str = "v -0.2 -0.2 -0.2\nv 0.2 -0.2 -0.2\nv -0.2 0.2 -0.2\nv 0.2 0.2 -0.2
v -0.2 -0.2 0.2\nv 0.2 -0.2 0.2\nv -0.2 0.2 0.2\nv 0.2 0.2 0.2
f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";

/// A basin of 1 m with a cube in it, far from the world's origin.
fn basin(solver: &str, motion: &str) -> Scene {
    let text = format!(
        r#"
        [scene]
        name = "A cube in a basin"
        duration = 1.0
        [domain]
        size = [2, 2, 1.2]
        cell = 0.1
        origin = [100, -50]
        [terrain]
        shapes = [{{ shape = "slope", from = [100, 0], to = [102, 0], heights = [-2, -2] }}]
        [water]
        solver = "{solver}"
        level = -1.0
        [water.tall]
        below = 4
        above = 4
        [[obstacle]]
        name = "cube"
        shape = "mesh"
        file = "cube.obj"
        scale = 1.5
        rotate = [0, 90, 0]
        position = [100.7, -1.5, -49.4]
        {motion}
        [[probe]]
        name = "lift"
        kind = "force"
        obstacle = "cube"
        [[probe]]
        name = "below"
        kind = "pressure"
        at = [101.5, -1.75, -49.4]
        [[probe]]
        name = "reach"
        kind = "front"
        "#
    );
    let files = [("cube.obj", CUBE.as_bytes())];
    Scene::with_files(&text, "basin.toml", &Files::Table(&files)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_mesh_in_still_water_is_lifted_and_gauges_are_in_pascals_and_newtons() {
    for solver in ["tall-cells", "uniform"] {
        let mut simulation = Simulation::new(basin(solver, ""), Backend::Cpu).unwrap();
        assert_eq!(simulation.probe_columns(), ["lift_x", "lift_y", "lift_z", "below", "reach"]);
        let first = simulation.read_probes().unwrap();
        assert!(first[..4].iter().all(|value| value.is_nan()), "before the first step: {first:?}");
        (0..4).for_each(|_| simulation.step(0.05).unwrap());
        let values = simulation.read_probes().unwrap();
        let (lift, pressure) = (1000.0 * 9.81 * 0.216, 1000.0 * 9.81 * 0.75);
        assert!((values[1] / lift - 1.0).abs() < 0.03, "{solver}: {values:?} and {lift} N");
        assert!(values[0].abs() < 0.01 * lift && values[2].abs() < 0.01 * lift, "{solver}: {values:?}");
        assert!((values[3] / pressure - 1.0).abs() < 0.01, "{solver}: {values:?} and {pressure} Pa");
        assert_eq!(values[4], 102.0, "the water touches the far side");
        let volume = simulation.statistics().unwrap().volume;
        assert!((volume / (2.4 - 0.216) - 1.0).abs() < 0.01, "{solver}: {volume} m³");
    }
}

#[test]
fn a_loaded_scene_in_motion_goes_on_with_the_same_bits() {
    let motion = "motion = { sine = { amplitude = 0.3, period = 1.0 }, spin = { axis = [0, 1, 1], rate = 2 } }";
    for solver in ["tall-cells", "uniform"] {
        let mut whole = Simulation::new(basin(solver, motion), Backend::Cpu).unwrap();
        (0..4).for_each(|_| whole.step(0.05).unwrap());
        let saved = whole.save().unwrap();
        let probes = whole.read_probes().unwrap();
        (0..4).for_each(|_| whole.step(0.05).unwrap());
        let mut second = Simulation::new(basin(solver, motion), Backend::Cpu).unwrap();
        second.load(&saved).unwrap();
        assert_eq!(second.read_probes().unwrap(), probes, "pressures need the length of the last step");
        (0..4).for_each(|_| second.step(0.05).unwrap());
        assert!(whole.save().unwrap() == second.save().unwrap());
        assert!(whole.statistics().unwrap().max_speed > 0.3, "{solver}: the cube moves its water");
    }
}

#[test]
fn a_cut_shows_solids_where_they_are() {
    let mut simulation = Simulation::new(basin("uniform", "motion.velocity = [1, 0, 0]"), Backend::Cpu).unwrap();
    let solid = |simulation: &Simulation, i: usize| {
        simulation.section(None).unwrap().expect("a cut").obstacles[i + 20 * 5] < 0.0
    };
    assert!(solid(&simulation, 6) && !solid(&simulation, 13));
    (0..7).for_each(|_| simulation.step(0.1).unwrap());
    assert!(!solid(&simulation, 6) && solid(&simulation, 13));
}
