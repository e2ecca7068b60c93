//! Water kept during a run, and the player made of it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use thalweg::{Backend, Scene, Simulation};
use thalweg_web::{Recording, Sampling, player};

fn simulation(solver: &str) -> Simulation {
    let text = format!(
        r#"
        [scene]
        name = "Basin <&>"
        duration = 10.0
        [domain]
        size = [0.8, 0.8, 0.4]
        cell = 0.05
        [water]
        {solver}
        boxes = [{{ min = [0, 0, 0], max = [0.4, 0.4, 0.4] }}]
        "#
    );
    let scene = Scene::from_str(&text, "basin.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    Simulation::new(scene, Backend::Cpu).unwrap()
}

/// The blocks that a player holds: hello, ground and frames.
fn blocks(html: &str) -> Vec<Vec<u8>> {
    let (_, rest) = html.split_once("application/x-thalweg\">").unwrap();
    let packed = STANDARD.decode(rest.split_once("</script>").unwrap().0).unwrap();
    let mut bytes = Vec::new();
    std::io::copy(&mut flate2::read::ZlibDecoder::new(packed.as_slice()), &mut bytes).unwrap();
    let (mut blocks, mut rest) = (Vec::new(), bytes.as_slice());
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (own, after) = after.split_at(u32::from_le_bytes(*length) as usize);
        blocks.push(own.to_vec());
        rest = after;
    }
    blocks
}

/// Keeps the water as it is.
fn keep(recording: &mut Recording, simulation: &mut Simulation) {
    let statistics = simulation.statistics().unwrap();
    let water = Sampling::of(4).read(simulation, &statistics, None).unwrap();
    recording.append(&water.wait().unwrap()).unwrap();
}

fn times(html: &str) -> Vec<f64> {
    let time = |bytes: &Vec<u8>| thalweg_web::frame::Frame::decode(bytes).unwrap().figures.time;
    blocks(html)[2..].iter().map(time).collect()
}

#[test]
fn a_player_holds_the_run() {
    for solver in ["solver = \"uniform\"", ""] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("player.bin");
        let mut simulation = simulation(solver);
        let mut recording = Recording::create(&path, &mut simulation, Sampling::of(4)).unwrap();
        keep(&mut recording, &mut simulation);
        assert_eq!(player(&path).unwrap(), None, "one frame is no run");
        for _ in 1..=4 {
            simulation.step(0.05).unwrap();
            keep(&mut recording, &mut simulation);
        }
        let html = player(&path).unwrap().unwrap();
        assert!(html.contains("5 frames of at most") && !html.contains("http://") && !html.contains("https://"));
        let times = times(&html);
        assert!(times.len() == 5 && (0..5).all(|n| (times[n] - 0.05 * n as f64).abs() < 1e-9), "{times:?}");
        let hello: serde_json::Value = serde_json::from_slice(&blocks(&html)[0]).unwrap();
        assert_eq!(hello["title"], "Basin <&>");
        assert!(!html.contains("Basin <&>"), "names are packed, not markup");
    }
}

#[test]
fn a_resumed_run_goes_on_where_its_checkpoint_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("player.bin");
    let mut simulation = simulation("solver = \"uniform\"");
    let mut recording = Recording::create(&path, &mut simulation, Sampling::of(4)).unwrap();
    keep(&mut recording, &mut simulation);
    simulation.step(0.05).unwrap();
    keep(&mut recording, &mut simulation);
    let saved = simulation.save().unwrap();
    simulation.step(0.05).unwrap();
    keep(&mut recording, &mut simulation);
    drop(recording);
    // The run was killed while it wrote its third frame.
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend(9999u32.to_le_bytes());
    bytes.extend([1, 2, 3]);
    std::fs::write(&path, bytes).unwrap();
    simulation.load(&saved).unwrap();
    let mut recording = Recording::resume(&path, &mut simulation, Sampling::of(4)).unwrap();
    simulation.step(0.025).unwrap();
    keep(&mut recording, &mut simulation);
    let times = times(&player(&path).unwrap().unwrap());
    assert!(times.len() == 3 && (times[1] - 0.05).abs() < 1e-9 && (times[2] - 0.075).abs() < 1e-9, "{times:?}");
    std::fs::write(&path, b"something else").unwrap();
    let error = Recording::resume(&path, &mut simulation, Sampling::of(4)).unwrap_err().to_string();
    assert!(error.contains("player.bin") && error.contains("--resume"), "{error}");
}
