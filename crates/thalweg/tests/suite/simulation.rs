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

/// A pool of 1 m into which a block falls, over ground that rises to the right; far from the world's origin.
fn splash(solver: &str) -> Scene {
    let text = format!(
        r#"
        [scene]
        name = "Splash"
        duration = 1.0
        [domain]
        size = [2, 3, 1]
        cell = 0.1
        origin = [100, -50]
        [terrain]
        shapes = [{{ shape = "slope", from = [101, 0], to = [102, 0], heights = [-2, -1.6] }}]
        [water]
        solver = "{solver}"
        level = -1.0
        boxes = [{{ min = [100.4, -0.6, -49.8], max = [100.9, -0.1, -49.3] }}]
        [water.tall]
        below = 4
        above = 4
        [[obstacle]]
        shape = "cylinder"
        from = [101.6, -2, -49.5]
        to = [101.6, 0.5, -49.5]
        radius = 0.15
        [[probe]]
        name = "level"
        kind = "surface"
        at = [100.05, -49.95]
        [[probe]]
        name = "deep"
        kind = "depth"
        at = [100.05, -49.95]
        [[probe]]
        name = "flow"
        kind = "velocity"
        at = [100.05, -49.95]
        [[probe]]
        name = "all"
        kind = "volume"
        "#
    );
    Scene::from_str(&text, "splash.toml", ".").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn three_dimensional_water_is_measured_in_world_coordinates() {
    for solver in ["tall-cells", "uniform"] {
        let mut simulation = Simulation::new(splash(solver), Backend::Cpu).unwrap();
        assert_eq!(simulation.probe_columns(), ["level", "deep", "flow", "flow_x", "flow_z", "all"]);
        let volume = simulation.statistics().unwrap().volume;
        // 2 m² of pool, less the slope and the pillar; the block is 0.125 m³.
        let exact = 2.0 - 0.2 + 0.125 - std::f64::consts::PI * 0.15 * 0.15 * 0.76;
        assert!((volume / exact - 1.0).abs() < 0.02, "{solver}: {volume} and {exact} m³");
        let values = simulation.read_probes().unwrap();
        for (value, exact) in values.iter().zip([-1.0, 1.0, 0.0, 0.0, 0.0, volume]) {
            assert!((value - exact).abs() < 1e-4, "{solver}: {values:?}");
        }
        let section = simulation.section(None).unwrap().expect("a cut");
        assert_eq!((section.size, section.origin), ([20, 30], [100.0, -2.0]));
        assert!(section.water[5 + 20 * 17] < 0.0 && section.water[5 + 20 * 12] > 0.0, "the block floats in the air");
        assert!(section.obstacles[16 + 20 * 10] < 0.0 && section.obstacles[5 + 20 * 10] > 0.0);
        for _ in 0..20 {
            simulation.step(0.05).unwrap();
        }
        assert!((simulation.time() - 1.0).abs() < 1e-9 && simulation.steps() == 20);
        let after = simulation.statistics().unwrap();
        assert!((after.volume / volume - 1.0).abs() < 0.02, "{solver}: {} of {volume} m³ left", after.volume);
        assert!(after.max_speed.is_finite() && after.substeps >= 20);
        let surface = simulation.water_surface().unwrap();
        assert!(surface.surface.iter().all(|y| (-2.0..1.0).contains(y)));
    }
}

/// The shipped scenes with the paper's cells: the text of a scene, with one setting more.
#[test]
fn shipped_scenes_run_on_collocated_cells() {
    // Cells twice as large, for the time of the test.
    for (name, cell, coarse, seconds) in
        [("column-2d", "cell = 0.02", "cell = 0.04", 3.0), ("dam-break", "cell = 0.04", "cell = 0.08", 3.0)]
    {
        let shipped = thalweg_scene::shipped().iter().find(|scene| scene.name == name).expect("a shipped scene");
        let text = shipped.text.replace(cell, coarse).replace("0.02]", "0.04]");
        let text = text.replace("[water.tall]", "[water.tall]\ndiscretisation = 'collocated'");
        let scene = Scene::from_str(&text, name, ".").unwrap_or_else(|error| panic!("{error}"));
        let mut simulation = Simulation::new(scene, Backend::Cpu).unwrap();
        let (volume, mut fastest) = (simulation.statistics().unwrap().volume, 0.0f64);
        while simulation.time() < seconds {
            simulation.step(0.025).unwrap();
            fastest = fastest.max(simulation.statistics().unwrap().max_speed);
        }
        let after = simulation.statistics().unwrap();
        let drift = after.volume / volume - 1.0;
        println!("{name}: volume {:+.2} %, fastest {fastest:.1} m/s", 100.0 * drift);
        assert!(drift.abs() < 0.1 && fastest.is_finite() && fastest > 1.0, "{name}: {drift} {fastest}");
        let columns = simulation.water_surface().unwrap();
        assert!(columns.depth.iter().chain(&columns.surface).all(|value| value.is_finite()));
    }
}

/// The paper's step: water crosses up to nine cells in it, and air far from the surface has velocities.
#[test]
fn a_frame_may_be_a_single_step() {
    let shipped = thalweg_scene::shipped().iter().find(|scene| scene.name == "column-2d").expect("a shipped scene");
    for (setting, single) in [("single_step = true", true), ("single_step = false", false)] {
        let text = shipped.text.replace("[water.tall]", &format!("[water.tall]\n{setting}"));
        let scene = Scene::from_str(&text, "column-2d", ".").unwrap_or_else(|error| panic!("{error}"));
        let mut simulation = Simulation::new(scene, Backend::Cpu).unwrap();
        let (volume, mut most) = (simulation.statistics().unwrap().volume, 0.0f64);
        for _ in 0..45 {
            simulation.step(1.0 / 30.0).unwrap();
            most = most.max((simulation.statistics().unwrap().volume / volume - 1.0).abs());
        }
        let steps = simulation.tall().expect("three-dimensional water").steps();
        println!("{setting}: {steps} steps, volume off by {:.1} % at most", 100.0 * most);
        assert!(if single { steps == 45 } else { steps > 60 }, "{steps}");
        assert!(most < if single { 0.35 } else { 0.05 }, "{most}");
    }
}

#[test]
fn loaded_three_dimensional_water_goes_on_with_the_same_bits() {
    for solver in ["tall-cells", "uniform"] {
        let mut whole = Simulation::new(splash(solver), Backend::Cpu).unwrap();
        (0..4).for_each(|_| whole.step(0.05).unwrap());
        let saved = whole.save().unwrap();
        (0..4).for_each(|_| whole.step(0.05).unwrap());
        let mut second = Simulation::new(splash(solver), Backend::Cpu).unwrap();
        second.load(&saved).unwrap();
        (0..4).for_each(|_| second.step(0.05).unwrap());
        assert!(whole.save().unwrap() == second.save().unwrap());
    }
    let saved = Simulation::new(scene(""), Backend::Cpu).unwrap().save().unwrap();
    let mut tall = Simulation::new(splash("uniform"), Backend::Cpu).unwrap();
    assert!(tall.load(&saved).unwrap_err().is_input());
    assert!(tall.step(f64::NAN).unwrap_err().is_input());
}
