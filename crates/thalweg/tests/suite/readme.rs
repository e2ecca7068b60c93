//! What the README shows works: its scene runs, and its mistake is told as it says.

use thalweg::{Backend, Scene, Simulation};

const README: &str = include_str!("../../../../README.md");

fn block(language: &str) -> &'static str {
    let start = README.find(&format!("```{language}\n")).expect("the README has such a block") + language.len() + 4;
    &README[start..start + README[start..].find("```").expect("it ends")]
}

#[test]
fn the_scene_runs() {
    let scene = Scene::from_str(block("toml"), "dam.toml", ".").unwrap();
    let mut simulation = Simulation::new(scene, Backend::Cpu).unwrap();
    let before = simulation.statistics().unwrap();
    for _ in 0..20 {
        simulation.step(0.5).unwrap();
    }
    assert_eq!(simulation.probe_columns(), ["front"]);
    assert!(simulation.read_probes().unwrap()[0] > 1.0, "the flood has passed 200 m");
    let after = simulation.statistics().unwrap();
    assert!(((after.volume + after.removed) / before.volume - 1.0).abs() < 1e-6);
}

#[test]
fn the_mistake_is_told_as_shown() {
    let wrong = block("toml").replace("manning =", "manings =");
    let told = Scene::from_str(&wrong, "dam.toml", ".").unwrap_err().to_string();
    let shown = block("text");
    let line = wrong.lines().position(|l| l.starts_with("manings")).unwrap() + 1;
    assert!(shown.contains(&format!("dam.toml:{line}:1")), "the README names another line than {line}");
    assert_eq!(told.trim(), shown.trim());
}
