//! Spray, mist and foam of a scene: saved and taken up again, counted as water, drawn.

use std::sync::Arc;

use thalweg::compute::parity::own_test_executors;
use thalweg::methods::TallScene;
use thalweg::{Backend, Painter, Scene, Simulation, look};

/// A dam breaks in a narrow tank, far from the world's origin.
fn dam(more: &str) -> Scene {
    let text = format!(
        r#"
        [scene]
        name = "Dam"
        duration = 2.0
        [domain]
        size = [1.6, 1.6, 0.2]
        cell = 0.05
        origin = [10, -5]
        [water]
        solver = "tall-cells"
        boxes = [{{ min = [10, 0, -5], max = [10.5, 1.0, -4.8] }}]
        [render]
        size = [128, 96]
        samples = 1
        {more}
        "#
    );
    Scene::from_str(&text, "dam.toml", ".").unwrap_or_else(|error| panic!("{error}"))
}

fn go(simulation: &mut Simulation, steps: u32) {
    (0..steps).for_each(|_| simulation.step(0.05).unwrap());
}

#[test]
fn a_run_that_was_saved_goes_on_with_the_same_bits() {
    for exec in own_test_executors() {
        let new = || Simulation::on(Arc::clone(&exec), dam("[whitewater]\nmass = true")).unwrap();
        let mut whole = new();
        go(&mut whole, 12);
        let saved = whole.save().unwrap();
        let mut resumed = new();
        resumed.load(&saved).unwrap();
        go(&mut whole, 4);
        go(&mut resumed, 4);
        assert!(whole.save().unwrap() == resumed.save().unwrap(), "{}", exec.describe());
        let mut plain = Simulation::on(Arc::clone(&exec), dam("")).unwrap();
        assert!(plain.load(&saved).is_err() && plain.particles().unwrap().is_none());
    }
}

#[test]
fn particles_are_in_the_domain_and_their_water_counts() {
    let scene = dam("[whitewater]\nmass = true\ndrop_radius = 0.2");
    let mut simulation = Simulation::new(scene, Backend::Cpu).unwrap();
    let (mut most, mut in_the_air) = (0, 0.0_f64);
    for _ in 0..20 {
        go(&mut simulation, 1);
        let (all, now) = (simulation.particles().unwrap().unwrap(), simulation.statistics().unwrap());
        assert_eq!(all.len() as u32, now.whitewater.particles());
        let is_inside =
            |[x, y, z]: &[f32; 3]| (9.999..11.601).contains(x) && *y > -0.01 && (-5.001..-4.799).contains(z);
        assert!(all.positions.iter().all(is_inside));
        assert!(all.radii.iter().all(|r| (0.004..0.016).contains(r)) && all.velocities.len() == all.kinds.len());
        most = most.max(all.len());
        in_the_air = in_the_air.max(now.whitewater.volume);
        let tall = simulation.method::<TallScene>().unwrap().water();
        let water = tall.statistics().unwrap().volume * tall.cell().powi(3);
        assert!((now.volume - water - now.whitewater.volume).abs() < 1e-12);
    }
    assert!(most > 100 && in_the_air > 1e-4, "{most} {in_the_air}");
}

#[test]
fn drops_and_foam_whiten_the_picture() {
    let picture = |more: &str| {
        let mut simulation = Simulation::new(dam(more), Backend::Cpu).unwrap();
        let look = look(&mut simulation).unwrap();
        go(&mut simulation, 18);
        Painter::new(&mut simulation).unwrap().draw(&mut simulation, &look).unwrap().rgba
    };
    let (plain, white) = (picture(""), picture("[whitewater]\nfoam_cover = 0.05\nbreaking = 100"));
    let brighter = plain.chunks(4).zip(white.chunks(4)).filter(|(a, b)| b[0] > a[0].saturating_add(8)).count();
    assert!(brighter > 40, "{brighter} pixels are whiter");
}
