//! The front door: gauges, saving and loading, backends.

use thalweg::methods::TallScene;
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
        let values = simulation.read_probes().unwrap();
        let [.., shore, level] = values[..] else { panic!("{values:?}") };
        assert!(shore >= last, "run-up fell from {last} to {shore}");
        assert!(level > shore && level < shore + 0.1, "a thin sheet lies on the ground at {shore}: {level}");
        last = shore;
    }
    assert!(last > 1.0 && last < 2.0, "the wave runs up beyond the still shoreline at 1 m: {last}");
}

/// Shores of any shape: in a bay that the wave does not reach nothing runs up.
#[test]
fn run_up_is_measured_in_polygons() {
    let probe =
        |name: &str, polygon: &str| format!("[[probe]]\nname = '{name}'\nkind = 'runup'\npolygon = {polygon}\n");
    let probes = [
        probe("whole", "[[0, 0], [20, 0], [20, 10], [0, 10]]"),
        probe("low", "[[0, 0], [8, 0], [6, 10], [0, 10]]"),
        probe("hill", "[[17, 0], [20, 0], [20, 10]]"),
    ];
    let beach = "[terrain]\nshapes = [{ shape = 'slope', from = [0, 0], to = [20, 0], heights = [0, 2] }]\n";
    let mut simulation = Simulation::new(scene(&format!("{beach}{}", probes.concat())), Backend::Cpu).unwrap();
    let columns = simulation.probe_columns();
    assert_eq!(columns[columns.len() - 6..], ["whole", "whole_level", "low", "low_level", "hill", "hill_level"]);
    let mut values = Vec::new();
    for _ in 0..20 {
        simulation.step(0.25).unwrap();
        values = simulation.read_probes().unwrap();
    }
    let [.., all, all_level, low, low_level, hill, hill_level] = values[..] else { panic!("{values:?}") };
    assert!(all > 1.0 && all_level > all, "{values:?}");
    // The ground of the highest cell whose middle is in the polygon: at x = 7.75, by its south side. Waves pass over it.
    assert!((low - 0.775).abs() < 1e-6 && low_level > 1.0, "{values:?}");
    assert!(hill.is_nan() && hill_level.is_nan(), "{values:?}");

    // What was seen is kept.
    let saved = simulation.save().unwrap();
    let mut again = Simulation::new(scene(&format!("{beach}{}", probes.concat())), Backend::Cpu).unwrap();
    again.load(&saved).unwrap();
    let now = again.read_probes().unwrap();
    assert_eq!(now[now.len() - 6..now.len() - 2], values[values.len() - 6..values.len() - 2]);
}

/// Gauges take a point: a plane surface is read exactly anywhere, and dry ground has no level.
#[test]
fn gauges_at_points_lie_between_cells() {
    let probes = ["surface", "depth", "velocity"].map(|kind| {
        let at =
            |name: &str, place: &str| format!("[[probe]]\nname = '{kind}_{name}'\nkind = '{kind}'\nat = {place}\n");
        format!("{}{}", at("wet", "[4.1, 3.3]"), at("dry", "[15.2, 3.3]"))
    });
    let beach = "[terrain]\nshapes = [{ shape = 'slope', from = [0, 0], to = [20, 0], heights = [0, 2] }]\n";
    for solver in ["", "solver = 'quadtree'\nquadtree = { levels = 2, surface = 1e-3, speed = 1e-3 }\n"] {
        let text = format!(
            "scene = {{ name = 'shore', duration = 1 }}\ndomain = {{ size = [32, 5, 16], cell = 0.5 }}\n{beach}\
             [water]\nlevel = 1.0\nvelocity = [0.5, 0.0]\n{solver}{}",
            probes.concat()
        );
        let scene = Scene::from_str(&text, "shore.toml", ".").unwrap_or_else(|error| panic!("{error}"));
        let mut simulation = Simulation::new(scene, Backend::Cpu).unwrap();
        let columns = simulation.probe_columns();
        let values = simulation.read_probes().unwrap();
        let read = |name: &str| values[columns.iter().position(|column| column == name).expect("a column")];
        let close =
            |name: &str, exact: f64| assert!((read(name) - exact).abs() < 1e-5, "{solver} {name}: {}", read(name));
        close("surface_wet", 1.0);
        // The ground is a tenth of the way: the cell of the point, whose middle is at 4.25, is 0.575 deep.
        close("depth_wet", 1.0 - 0.41);
        close("velocity_wet", 0.5);
        assert!(read("surface_dry").is_nan(), "{solver}: the bed is no water: {}", read("surface_dry"));
        close("depth_dry", 0.0);
        close("velocity_dry", 0.0);
    }
}

/// Maps over time come with the surface, and go on after a break with the same bits.
#[test]
fn maps_over_time_are_saved() {
    let maps =
        "[terrain]\nshapes = [{ shape = 'slope', from = [0, 0], to = [20, 0], heights = [0, 2] }]\n[maps]\nwet = 0.02";
    let run = |from: Option<&thalweg::Saved>, steps: u32| {
        let mut simulation = Simulation::new(scene(maps), Backend::Cpu).unwrap();
        from.into_iter().for_each(|saved| simulation.load(saved).unwrap());
        (0..steps).for_each(|_| simulation.step(0.3).unwrap());
        simulation
    };
    let (mut whole, mut half) = (run(None, 8), run(None, 3));
    let mut rest = run(Some(&half.save().unwrap()), 5);
    assert!(whole.save().unwrap() == rest.save().unwrap());
    let water = rest.water_surface().unwrap();
    let maps = water.maps.expect("the scene asks for them");
    let reached = |x: usize| maps.arrival[x + 40 * 7];
    assert_eq!(reached(3), 0.0, "there was water at the start");
    assert!(
        reached(20) > 0.0 && reached(20) < reached(21),
        "the wave runs up the slope: {} {}",
        reached(20),
        reached(21)
    );
    assert!(reached(38).is_nan() && maps.depth[38 + 40 * 7].is_nan(), "and not to its end");
    let now = water.depth[20 + 40 * 7];
    assert!(maps.depth[20 + 40 * 7] >= now && maps.speed[20 + 40 * 7] > 0.3, "{now}");
    assert!(Simulation::new(scene(""), Backend::Cpu).unwrap().water_surface().unwrap().maps.is_none(), "nobody asked");
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
        let steps = simulation.method::<TallScene>().expect("three-dimensional water").water().steps();
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
