//! The front door: gauges, saving and loading, backends.

use thalweg::{Backend, Error, Scene, Simulation};

fn scene(extra: &str) -> Scene {
    let text = format!(
        r#"
        [scene]
        name = "Basin"
        duration = 10.0
        [domain]
        size = [20, 5, 10]
        cell = 0.5
        [water]
        level = 1.0
        velocity = [0.5, 0.0]
        [[probe]]
        name = "level"
        kind = "surface"
        at = [5, 5]
        [[probe]]
        name = "flow"
        kind = "velocity"
        at = [10, 5]
        [[probe]]
        name = "through"
        kind = "discharge"
        from = [10, 0]
        to = [10, 10]
        [[probe]]
        name = "all"
        kind = "volume"
        [[probe]]
        name = "wet"
        kind = "wet_area"
        min = [0, 0]
        max = [10, 10]
        {extra}
        "#
    );
    Scene::from_str(&text, "basin.toml", ".").expect("a valid scene")
}

#[test]
fn gauges_read_what_the_scene_says() {
    let mut simulation = Simulation::new(scene(""), Backend::Cpu).unwrap();
    assert_eq!(simulation.probe_columns(), ["level", "flow", "flow_x", "flow_z", "through", "all", "wet"]);
    let values = simulation.read_probes().unwrap();
    // One metre of water at half a metre a second: the closed forms are plain.
    for (value, exact) in values.iter().zip([1.0, 0.5, 0.5, 0.0, 5.0, 200.0, 100.0]) {
        assert!((value - exact).abs() < 1e-4, "{values:?}");
    }
}

#[test]
fn run_up_only_rises() {
    let beach = r#"
        [[probe]]
        name = "shore"
        kind = "runup"
        [terrain]
        shapes = [{ shape = "slope", from = [0, 0], to = [20, 0], heights = [0, 2] }]
    "#;
    let mut simulation = Simulation::new(scene(beach), Backend::Cpu).unwrap();
    let mut last = f64::NEG_INFINITY;
    for _ in 0..20 {
        simulation.step(0.25).unwrap();
        let shore = *simulation.read_probes().unwrap().last().unwrap();
        assert!(shore >= last, "run-up fell from {last} to {shore}");
        last = shore;
    }
    assert!(last > 1.0 && last < 2.0, "the wave runs up beyond the still shoreline at 1 m: {last}");
}

#[test]
fn a_loaded_simulation_goes_on_with_the_same_bits() {
    let mut whole = Simulation::new(scene(""), Backend::Cpu).unwrap();
    (0..6).for_each(|_| whole.step(0.3).unwrap());
    let mut first = Simulation::new(scene(""), Backend::Cpu).unwrap();
    (0..3).for_each(|_| first.step(0.3).unwrap());
    let saved = first.save().unwrap();
    let mut second = Simulation::new(scene(""), Backend::Cpu).unwrap();
    second.load(&saved).unwrap();
    (0..3).for_each(|_| second.step(0.3).unwrap());
    assert!(whole.save().unwrap() == second.save().unwrap());
}

#[test]
fn another_scene_is_not_loaded() {
    let mut first = Simulation::new(scene(""), Backend::Cpu).unwrap();
    let saved = first.save().unwrap();
    let mut other = Simulation::new(scene("[rain]\nrate = 10"), Backend::Cpu).unwrap();
    let refused = other.load(&saved).unwrap_err();
    assert!(matches!(refused, Error::Saved(_)) && refused.is_input(), "{refused}");
}

/// Deep water that a level made must be level to the last bit, or an ocean starts with decimetre noise.
#[test]
fn a_deep_sea_starts_still() {
    let text = r#"
        [scene]
        name = "Ocean"
        duration = 100.0
        [domain]
        size = [20000, 10, 10000]
        cell = 250
        [terrain]
        shapes = [
          { shape = "plane", height = -4012.345 },
          { shape = "hills", seed = 3, amplitude = 900, wavelength = 5000, octaves = 3 },
        ]
        [water]
        level = 0.37
    "#;
    let mut simulation = Simulation::new(Scene::from_str(text, "sea.toml", ".").unwrap(), Backend::Cpu).unwrap();
    simulation.step(100.0).unwrap();
    assert!(simulation.statistics().unwrap().max_speed < 1e-6);
}
