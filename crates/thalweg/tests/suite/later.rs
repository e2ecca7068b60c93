//! What was begun to be read is of the state as it was then, however far the water has gone before somebody waits.

use thalweg::compute::parity::own_test_executors;
use thalweg::{Scene, Simulation};

/// Gauges of all kinds of water; their numbers and names come first in a scene.
const GAUGES: &str = "
    [[probe]]
    name = 'level'
    kind = 'surface'
    at = [1, 0.75]
    [[probe]]
    name = 'part'
    kind = 'volume'
    min = [0, 0]
    max = [1.3, 0.9]
";

const SHALLOW: &str = "
    domain = { size = [3, 2, 1.5], cell = 0.125 }
    rain = { rate = 1000 }
    maps = {}
    [boundary]
    east = { kind = 'open', level = 0.2 }
    [water]
    solver = 'shallow'
    boxes = [{ min = [0, 0, 0], max = [1, 1, 1.5] }]
    level = 0.2
    [[probe]]
    name = 'runup'
    kind = 'runup'
    depth = 0.01
";

const QUADTREE: &str = "
    domain = { size = [4, 2, 2], cell = 0.0625 }
    rain = { rate = 1000 }
    [water]
    solver = 'quadtree'
    boxes = [{ min = [0, 0, 0], max = [1, 1, 2] }]
    level = 0.2
    [water.quadtree]
    levels = 2
    budget = 20000
    surface = 0.05
";

const TALL: &str = "
    domain = { size = [2, 1.6, 1], cell = 0.125 }
    [boundary]
    east = { kind = 'open', level = 0.3, layer = 4 }
    [water]
    solver = 'tall-cells'
    boxes = [{ min = [0, 0, 0], max = [0.8, 1.2, 1] }]
    level = 0.3
    [whitewater]
    [[obstacle]]
    name = 'pillar'
    shape = 'box'
    min = [1.2, 0, 0.3]
    max = [1.5, 0.5, 0.7]
    [[body]]
    name = 'ball'
    shape = 'sphere'
    radius = 0.15
    position = [0.5, 1.2, 0.5]
    density = 500
    [[probe]]
    name = 'push'
    kind = 'force'
    obstacle = 'pillar'
    [[probe]]
    name = 'below'
    kind = 'pressure'
    at = [0.3, 0.1, 0.5]
    [[probe]]
    name = 'place'
    kind = 'body_position'
    body = 'ball'
";

fn scenes() -> Vec<Scene> {
    let advected = format!("{QUADTREE}    scheme = 'kernel-advection'\n");
    let scene = |(name, text): (&str, &str)| {
        let text = format!("scene = {{ name = '{name}', duration = 1, step = 0.025 }}\n{text}{GAUGES}");
        Scene::from_str(&text, name, ".").unwrap_or_else(|error| panic!("{error}"))
    };
    [("shallow", SHALLOW), ("quadtree", QUADTREE), ("kernel advection", &advected), ("tall", TALL)].map(scene).to_vec()
}

/// All that a simulation says of its water, as text: NaN is NaN.
type Said = Vec<(&'static str, String)>;

/// What is left to do until the simulation has said something.
type Reply = Box<dyn FnOnce(&mut Simulation) -> String>;

/// Begins to read everything.
fn ask(water: &mut Simulation) -> Vec<(&'static str, Reply)> {
    fn reply<T: std::fmt::Debug + 'static>(later: thalweg::compute::Later<T, thalweg::Error>) -> Reply {
        Box::new(move |_| format!("{:?}", later.wait().expect("a value")))
    }
    let answers = water.answers_later().expect("begun");
    let mut all: Vec<(&str, Reply)> = vec![
        ("statistics", reply(water.statistics_later().expect("begun"))),
        ("ledger", reply(water.ledger_later().expect("begun"))),
        ("saved", reply(water.save_later().expect("begun"))),
        ("answers", reply(answers)),
        ("surface", reply(water.water_surface_later().expect("begun"))),
    ];
    all.extend(water.section_later(None).expect("begun").map(|later| ("section", reply(later))));
    all.extend(water.surface_mesh_later().expect("begun").map(|later| ("mesh", reply(later))));
    all.extend(water.water_volume_later().expect("begun").map(|later| ("volume", reply(later))));
    all.extend(water.particles_later().expect("begun").map(|later| ("particles", reply(later))));
    all.extend(water.report_later().expect("begun").map(|later| ("report", reply(later))));
    all
}

/// Waits for everything, the last thing first.
fn said(water: &mut Simulation, asked: Vec<(&'static str, Reply)>) -> Said {
    let mut said: Said = asked.into_iter().rev().map(|(name, reply)| (name, reply(water))).collect();
    said.reverse();
    said
}

#[test]
fn a_read_that_was_begun_keeps_the_state_as_it_was() {
    for exec in own_test_executors() {
        for scene in scenes() {
            let name = format!("{} on {}", scene.name, exec.describe());
            let mut water = Simulation::on(exec.clone(), scene).unwrap_or_else(|error| panic!("{name}: {error}"));
            let steps = |water: &mut Simulation| (0..4).for_each(|_| water.step(0.025).expect("a step"));
            steps(&mut water);
            let asked = ask(&mut water);
            let now = said(&mut water, asked);
            let asked = ask(&mut water);
            steps(&mut water);
            let between = ask(&mut water);
            steps(&mut water);
            // The later ones first: nobody has to wait in order.
            let between = said(&mut water, between);
            for ((what, before), (_, after)) in said(&mut water, asked).iter().zip(&now) {
                assert!(before == after, "{name}: {what} is of another state");
            }
            for ((what, between), (_, before)) in between.iter().zip(&now) {
                assert!(between != before || *what == "particles", "{name}: {what} does not change");
            }
        }
    }
}

#[test]
fn ledgers_that_nobody_waited_for_are_in_the_next_one() {
    for exec in own_test_executors() {
        for scene in scenes() {
            let name = format!("{} on {}", scene.name, exec.describe());
            let [mut asked, mut quiet] =
                [0, 1].map(|_| Simulation::on(exec.clone(), scene.clone()).expect("a simulation"));
            for _ in 0..6 {
                drop(asked.ledger_later().expect("begun"));
                drop(asked.statistics_later().expect("begun"));
                asked.step(0.025).expect("a step");
                quiet.ledger().expect("a ledger");
                quiet.step(0.025).expect("a step");
            }
            let (asked, quiet) = (asked.ledger().expect("a ledger"), quiet.ledger().expect("a ledger"));
            assert!(asked == quiet && asked.added() + asked.removed() > 0.0, "{name}: {asked:?} and {quiet:?}");
        }
    }
}
