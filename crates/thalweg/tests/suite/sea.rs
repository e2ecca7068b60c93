//! The sea of a scene: it comes in through a side, and pictures show it.

use thalweg::{Backend, Painter, Scene, Simulation};

fn scene(waves: &str, side: &str) -> Scene {
    let text = format!(
        r#"
        scene = {{ name = "Sea", duration = 10 }}
        domain = {{ size = [16, 6, 8], cell = 0.5, origin = [100, -40] }}
        water = {{ solver = "tall-cells", level = 3 }}
        camera = {{ position = [96, 5, -28], target = [108, 3, -36], field_of_view = 50 }}
        render = {{ size = [64, 36], samples = 1 }}
        boundary.west = {side}
        {waves}
        "#
    );
    Scene::from_str(&text, "sea.toml", ".").unwrap_or_else(|error| panic!("{error}"))
}

fn spread(simulation: &mut Simulation) -> f32 {
    let surface = simulation.water_surface().unwrap().surface;
    let [low, high] = surface.iter().fold([f32::MAX, f32::MIN], |[a, b], s| [a.min(*s), b.max(*s)]);
    high - low
}

#[test]
fn waves_come_in_through_a_side() {
    let waves = "waves = { wind = 8, fetch = 3000, height = 0.5, resolution = 64 }";
    let mut simulation = Simulation::new(scene(waves, r#"{ kind = "ocean", ramp = 1 }"#), Backend::Cpu).unwrap();
    assert!(spread(&mut simulation) < 1e-3, "still at the start");
    for _ in 0..30 {
        simulation.step(0.1).unwrap();
    }
    let found = spread(&mut simulation);
    assert!((0.1..2.0).contains(&found), "waves of {found} m");
    // The same seed is the same sea, another one is another.
    let mut again = Simulation::new(scene(waves, r#"{ kind = "ocean", ramp = 1 }"#), Backend::Cpu).unwrap();
    let other = waves.replace("wind", "seed = 2, wind");
    let mut other = Simulation::new(scene(&other, r#"{ kind = "ocean", ramp = 1 }"#), Backend::Cpu).unwrap();
    for _ in 0..30 {
        again.step(0.1).unwrap();
        other.step(0.1).unwrap();
    }
    assert_eq!(again.water_surface().unwrap().surface, simulation.water_surface().unwrap().surface);
    assert_ne!(other.water_surface().unwrap().surface, simulation.water_surface().unwrap().surface);
}

#[test]
fn pictures_show_ripples_and_the_sea_beyond() {
    let picture = |waves: &str| {
        let mut simulation = Simulation::new(scene(waves, "\"wall\""), Backend::Cpu).unwrap();
        let look = thalweg::look(&mut simulation).unwrap();
        simulation.step(0.1).unwrap();
        Painter::new(&mut simulation).unwrap().draw(&mut simulation, &look).unwrap().rgba
    };
    let [none, off, texture, far] = [
        "",
        "waves = { texture = 0 }",
        "waves = { wind = 8, fetch = 3000, resolution = 64 }",
        "waves = { wind = 8, fetch = 3000, resolution = 64, far = true }",
    ]
    .map(picture);
    assert_eq!(none, off, "a sea that is not shown changes nothing");
    let differing = |a: &[u8], b: &[u8]| a.chunks(4).zip(b.chunks(4)).filter(|(a, b)| a != b).count();
    let (ripples, sea) = (differing(&none, &texture), differing(&none, &far));
    println!("{ripples} pixels with ripples, {sea} with the sea beyond, of {}", none.len() / 4);
    assert!(ripples > 100 && sea > none.len() / 8, "{ripples} and {sea}");
}

#[test]
fn a_far_sea_may_surround_shallow_water() {
    let text = r#"
        scene = { name = "Sea", duration = 10 }
        domain = { size = [16, 6, 8], cell = 0.5 }
        water = { level = 3 }
        render = { size = [64, 36], samples = 1 }
        waves = { wind = 8, fetch = 3000, resolution = 64, far = true }
    "#;
    let scene = Scene::from_str(text, "sea.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    let mut simulation = Simulation::new(scene, Backend::Cpu).unwrap();
    let look = thalweg::look(&mut simulation).unwrap();
    simulation.step(0.1).unwrap();
    let mut painter = Painter::new(&mut simulation).unwrap();
    let first = painter.draw(&mut simulation, &look).unwrap();
    simulation.step(0.5).unwrap();
    assert_ne!(first, painter.draw(&mut simulation, &look).unwrap(), "the sea moves while the water rests");
}
