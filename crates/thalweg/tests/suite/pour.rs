//! Water poured in by hand: it comes, it is in the ledger, and nonsense is refused.

use std::sync::Arc;

use thalweg::compute::parity::{own_physics_executors, own_test_executors};
use thalweg::{Ability, Error, Pour, PourError, Scene, Simulation};

/// A basin of 0.8 x 0.8 m, far from the world's origin, with 0.4 m of water: 0.256 m³.
fn basin(solver: &str, more: &str) -> Scene {
    let text = format!(
        r#"
        [scene]
        name = "Basin"
        duration = 10.0
        [domain]
        size = [0.8, 1.6, 0.8]
        cell = 0.05
        origin = [10, -5]
        [terrain]
        shapes = [{{ shape = "slope", from = [10, 0], to = [10.8, 0], heights = [2, 2] }}]
        [water]
        {solver}
        level = 2.4
        {more}
        "#
    );
    Scene::from_str(&text, "basin.toml", ".").unwrap_or_else(|error| panic!("{error}"))
}

const TALL: &str = "solver = \"tall-cells\"";

fn stream(y: f64) -> Pour {
    Pour { centre: [10.4, y, -4.6], radius: 0.1, velocity: [0.0, -1.0, 0.0] }
}

/// Pours for a third of a second, wherever `place` says, and waits for the water to calm down; `[poured, added, gained]` in m³.
fn balance(simulation: &mut Simulation, place: impl Fn(usize) -> Pour) -> [f64; 3] {
    let (dt, steps) = (0.025, 14);
    let before = simulation.statistics().unwrap();
    let mut poured = 0.0;
    for step in 0..steps {
        let pour = place(step);
        simulation.pour(pour).unwrap();
        simulation.step(dt).unwrap();
        poured += dt * pour.rate();
    }
    for _ in 0..60 {
        simulation.step(dt).unwrap();
    }
    let after = simulation.statistics().unwrap();
    [poured, after.added - before.added, after.volume - before.volume]
}

#[test]
fn what_is_poured_is_in_the_ledger_and_found_in_the_water() {
    for executor in own_physics_executors() {
        for (solver, more) in [
            (TALL, "[water.tall]\nbelow = 4\nabove = 4\nregular_cells = 24"),
            ("solver = \"uniform\"", ""),
            (TALL, "[water.tall]\nbelow = 4\nabove = 4\nregular_cells = 24\nsurface = 2"),
        ] {
            let name = format!("{}, {solver} {more}", executor.describe());
            for (what, y) in [("in the air", 2.8), ("under water", 2.2)] {
                if y < 2.4 && solver != TALL {
                    continue; // as with tall cells
                }
                let mut simulation = Simulation::on(Arc::clone(&executor), basin(solver, more)).unwrap();
                let [poured, added, gained] = balance(&mut simulation, |_| stream(y));
                // A cylinder of cells is not quite round; what it still owes at the end is less than what it holds.
                let owed = 1.6 * std::f64::consts::PI * 0.1f64.powi(2) * 0.2;
                assert!(
                    added > 0.5 * poured && added <= poured * 1.001 && poured - added < owed,
                    "{name}, {what}: {added} of {poured} m³"
                );
                // Under water it is exact but for films at the walls. A stream in the air splashes, and the controller of the volume
                // makes good what that costs in seconds: 0.2 % of the water at this time when the limit was set.
                let most = if y < 2.4 { 3e-4 } else { 4e-3 };
                assert!(
                    (gained - added).abs() < most * 0.256,
                    "{name}, {what}: gained {gained}, by the ledger {added} m³"
                );
            }
        }
    }
}

#[test]
fn a_stream_that_wanders_is_in_the_ledger_too() {
    for executor in own_physics_executors() {
        let more = "[water.tall]\nbelow = 4\nabove = 4\nregular_cells = 24";
        let mut simulation = Simulation::on(Arc::clone(&executor), basin(TALL, more)).unwrap();
        let wandering = |step: usize| Pour { centre: [10.2 + 0.03 * step as f64, 2.8, -4.6], ..stream(2.8) };
        let [poured, added, gained] = balance(&mut simulation, wandering);
        let name = executor.describe();
        assert!(added > 0.4 * poured && added <= poured * 1.001, "{name}: {added} of {poured} m³");
        // It splashes more: 0.3 to 0.4 % of the water, by how many iterations the pressure gets while the stream comes down.
        assert!((gained - added).abs() < 5e-3 * 0.256, "{name}: gained {gained}, by the ledger {added} m³");
    }
}

#[test]
fn a_stream_ends_with_the_step_and_leaves_other_water_alone() {
    let more = "[water.tall]\nbelow = 4\nabove = 4\nregular_cells = 24";
    for executor in own_test_executors() {
        let mut simulation = Simulation::on(Arc::clone(&executor), basin(TALL, more)).unwrap();
        let saved = simulation.save().unwrap();
        simulation.pour(stream(2.2)).unwrap();
        simulation.step(0.1).unwrap();
        let poured = simulation.statistics().unwrap().added;
        assert!(poured > 0.0);
        simulation.step(0.1).unwrap();
        assert_eq!(simulation.statistics().unwrap().added, poured, "nothing comes in the step after");
        // What was poured is forgotten by loading: the same bits as water that was never poured into.
        simulation.load(&saved).unwrap();
        simulation.step(0.1).unwrap();
        let mut other = Simulation::on(executor, basin(TALL, more)).unwrap();
        other.step(0.1).unwrap();
        assert_eq!(simulation.save().unwrap().water, other.save().unwrap().water);
    }
}

/// Its edges hold more than its cells do: what it may owe must be enough for them.
#[test]
fn a_stream_as_thin_as_three_cells_begins_wherever_it_is() {
    let executor = own_test_executors().remove(0);
    for off in [0.0, 0.0125, 0.025] {
        let mut simulation = Simulation::on(Arc::clone(&executor), basin("solver = \"uniform\"", "")).unwrap();
        let thin = Pour { centre: [10.4 + off, 2.8 + off, -4.6 + off], radius: 0.075, velocity: [0.0, -0.5, 0.0] };
        for _ in 0..16 {
            simulation.pour(thin).unwrap();
            simulation.step(0.025).unwrap();
        }
        let added = simulation.statistics().unwrap().added;
        assert!(added > 0.2 * 0.4 * thin.rate(), "{off} m off: {added} m³");
    }
}

#[test]
fn nonsense_is_refused_and_changes_nothing() {
    let more = "[water.tall]\nbelow = 4\nabove = 4\nregular_cells = 24";
    let executor = own_test_executors().remove(0);
    let mut simulation = Simulation::on(Arc::clone(&executor), basin(TALL, more)).unwrap();
    let good = stream(2.8);
    let refusal = |simulation: &mut Simulation, pour: Pour| match simulation.pour(pour) {
        Err(Error::Pour(error)) => error,
        other => panic!("{other:?} of {pour:?}"),
    };
    let bad = Pour { centre: [f64::NAN, 2.8, -4.6], ..good };
    assert_eq!(refusal(&mut simulation, bad), PourError::NotFinite);
    assert_eq!(refusal(&mut simulation, Pour { velocity: [0.0, f64::INFINITY, 0.0], ..good }), PourError::NotFinite);
    assert_eq!(refusal(&mut simulation, Pour { radius: -1.0, ..good }), PourError::Radius { radius: -1.0 });
    assert_eq!(refusal(&mut simulation, Pour { velocity: [0.0; 3], ..good }), PourError::Still);
    for centre in [[9.9, 2.8, -4.6], [10.4, 1.9, -4.6], [10.4, 3.7, -4.6], [10.4, 2.8, -4.1]] {
        assert!(matches!(refusal(&mut simulation, Pour { centre, ..good }), PourError::Outside { .. }), "{centre:?}");
    }
    for thin in [Pour { radius: 0.001, ..good }, Pour { velocity: [0.0, -100.0, 0.0], ..good }] {
        let error = refusal(&mut simulation, thin);
        assert!(matches!(&error, PourError::Grid(_)) && error.to_string().contains("larger radius"), "{error}");
    }
    simulation.step(0.1).unwrap();
    assert_eq!(simulation.statistics().unwrap().added, 0.0);
    let mut shallow = Simulation::on(executor, basin("", "")).unwrap();
    let refused = shallow.pour(good).unwrap_err();
    assert!(matches!(&refused, Error::Refused(refusal) if refusal.ability == Ability::Pour), "{refused}");
    assert!(refused.is_input() && refused.to_string().contains("[[source]]"), "{refused}");
}
