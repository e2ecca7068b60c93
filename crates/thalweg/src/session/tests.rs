use std::time::Duration;

use super::*;
use crate::{Backend, BodyPreset};

/// A basin of 16 x 12 x 8 cells, half full.
fn simulation(more: &str) -> Simulation {
    let text = format!(
        "scene = {{ name = 'a', duration = 1, step = 0.02 }}\ndomain = {{ size = [1.6, 1.2, 0.8], cell = 0.1 }}\n\
         water = {{ solver = 'tall-cells', level = 0.4 }}\noutput = {{ every = 0.05 }}\n{more}\n"
    );
    let scene = Scene::from_str(&text, "a.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    Simulation::new(scene, Backend::Cpu).unwrap_or_else(|error| panic!("{error}"))
}

fn live(more: &str) -> Session {
    let mut session = Session::live(simulation(more)).expect("a session");
    session.command(Command::Speed(None)).expect("a speed");
    session
}

fn steps(session: &mut Session, count: usize) {
    for _ in 0..count {
        assert!(matches!(session.advance(Duration::ZERO).expect("a step"), Event::Stepped { .. }));
    }
}

const CRATE: &str =
    "[[body]]\nname = 'crate'\nshape = 'box'\nsize = [0.3, 0.3, 0.3]\nposition = [0.8, 0.4, 0.4]\ndensity = 400";

/// Times and frames of all that is left of a session.
fn rest(session: &mut Session) -> Vec<(f64, Option<u64>)> {
    let mut seen = Vec::new();
    while let Event::Stepped { frame } = session.advance(Duration::ZERO).expect("a step") {
        seen.push((session.simulation().time(), frame));
    }
    seen
}

#[test]
fn a_run_that_is_saved_and_taken_up_goes_on_with_the_same_bits() {
    let mut whole = Session::run(simulation(""), Some(6), None).expect("a run");
    let all = rest(&mut whole);
    assert_eq!((all.len(), all.last().and_then(|last| last.1)), (15, Some(6)));
    assert_eq!(whole.advance(Duration::ZERO).expect("no step"), Event::Finished);

    let mut first = Session::run(simulation(""), Some(6), None).expect("a run");
    steps(&mut first, 7);
    first.command(Command::Interrupt).expect("nothing can fail");
    assert_eq!(first.advance(Duration::ZERO).expect("no step"), Event::Interrupted);
    let saved = first.save().expect("saved");
    let mut second = Session::run(simulation(""), Some(6), Some(&saved)).expect("taken up");
    assert_eq!((second.frame(), second.initial_volume().unwrap()), (2, whole.initial_volume().unwrap()));
    assert_eq!(rest(&mut second), all[7..]);
    assert_eq!(second.save().expect("saved"), whole.save().expect("saved"));
}

#[test]
fn time_passes_with_the_clock_of_the_caller() {
    let mut session = Session::live(simulation("")).expect("a session");
    let mut seconds = |t: f64| session.advance(Duration::from_secs_f64(t)).expect("no error");
    assert_eq!(seconds(10.0), Event::Idle(Some(Duration::from_millis(20))), "the first call sets the clock");
    assert_eq!(seconds(10.03), Event::Stepped { frame: None });
    let Event::Idle(Some(wait)) = seconds(10.03) else { panic!("the second step is not due") };
    assert!((wait.as_secs_f64() - 0.01).abs() < 1e-6, "{wait:?}");
    session.command(Command::Pause).expect("paused");
    assert_eq!(session.advance(Duration::from_secs(20)).expect("no error"), Event::Idle(None));
    session.command(Command::Step).expect("one step");
    assert_eq!(session.advance(Duration::from_secs(20)).expect("a step"), Event::Stepped { frame: None });
    assert_eq!(session.advance(Duration::from_secs(21)).expect("no error"), Event::Idle(None));
    session.command(Command::Resume).expect("resumed");
    let event = session.advance(Duration::from_secs(99)).expect("no error");
    assert_eq!(event, Event::Idle(Some(Duration::from_millis(20))), "the pause does not count");
    // Slow motion takes shorter steps.
    session.command(Command::Speed(Some(0.06))).expect("a speed");
    let time = session.simulation().time();
    session.command(Command::Step).expect("one step");
    session.advance(Duration::from_secs(100)).expect("a step");
    assert!((session.simulation().time() - time - 0.002).abs() < 1e-9);
    let error = session.command(Command::Speed(Some(-1.0))).expect_err("no speed");
    assert!(error.is_input() && session.speed() == Some(0.06), "{error}");
}

#[test]
fn a_stream_ends_by_itself_or_when_it_is_released() {
    let mut session = live("");
    let stream = Pour::onto(session.simulation().scene(), [0.8, 0.4, 0.4], 0.2);
    let added = |session: &mut Session| session.simulation_mut().statistics().expect("measured").added;
    session.command(Command::Pour { stream, seconds: Some(0.7) }).expect("it pours");
    steps(&mut session, 37);
    let timed = added(&mut session);
    assert!(timed > 0.0);
    steps(&mut session, 5);
    assert_eq!(added(&mut session), timed, "it has ended");
    session.command(Command::Pour { stream, seconds: None }).expect("it pours");
    steps(&mut session, 35);
    let endless = added(&mut session);
    assert!(endless > timed);
    session.command(Command::Release).expect("released");
    steps(&mut session, 1);
    let released = added(&mut session);
    steps(&mut session, 5);
    assert_eq!(added(&mut session), released);
    for seconds in [0.0, -1.0, 61.0, f64::NAN] {
        let error = session.command(Command::Pour { stream, seconds: Some(seconds) }).expect_err("no time");
        assert!(error.to_string().contains("at most 60 s"), "{error}");
    }
    let outside = Pour { centre: [9.0; 3], ..stream };
    assert!(session.command(Command::Pour { stream: outside, seconds: None }).expect_err("outside").is_input());
}

#[test]
fn water_is_pushed_along() {
    let mut session = live("");
    for n in 0..5 {
        session.command(Command::Push { to: [0.6 + 0.05 * f64::from(n), 0.3, 0.4], radius: 0.25 }).expect("pushed");
        steps(&mut session, 1);
    }
    session.command(Command::Release).expect("released");
    assert!(session.simulation_mut().statistics().expect("measured").kinetic_energy > 1.0);
}

#[test]
fn bodies_are_dropped_held_thrown_and_removed() {
    let mut session = live(CRATE);
    session.command(Command::Drag { to: [0.0; 3] }).expect("nothing is held: nothing happens");
    session.command(Command::Grab { body: "crate".into(), at: [0.8, 0.4, 0.4] }).expect("grabbed");
    for n in 1..=8 {
        session.command(Command::Drag { to: [0.8, 0.4 + 0.05 * f64::from(n), 0.4] }).expect("dragged");
        steps(&mut session, 1);
    }
    assert_eq!(session.grabbed().map(GrabbedBody::body), Some("crate"));
    session.command(Command::Release).expect("thrown");
    assert!(session.grabbed().is_none() && session.simulation().bodies()[0].velocity[1] > 0.5);

    session.command(Command::Drop { body: BodyPreset::Sphere, at: [0.4, 0.4, 0.4], radius: None }).expect("dropped");
    session.command(Command::Grab { body: "crate".into(), at: [0.8, 0.6, 0.4] }).expect("grabbed");
    session.command(Command::Remove { body: "crate".into() }).expect("removed");
    assert!(session.grabbed().is_none());
    assert_eq!(session.simulation().bodies().len(), 1);
    session.command(Command::Restart).expect("restarted");
    let bodies = session.simulation().bodies();
    assert_eq!((bodies.len(), bodies[0].name.as_str(), session.simulation().time()), (1, "crate", 0.0));
}

#[test]
fn a_restart_keeps_settings_and_another_scene_does_not() {
    let mut session = live("");
    let mut tuning = session.simulation().tuning().expect("three-dimensional water");
    let usual = tuning.max_cfl;
    tuning.max_cfl = -1.0;
    session.command(Command::Tune(tuning)).expect_err("out of its range");
    tuning.max_cfl = 0.5 * usual;
    session.command(Command::Tune(tuning)).expect("tuned");
    session.command(Command::Pause).expect("paused");
    session.command(Command::Restart).expect("restarted");
    let max_cfl = |session: &Session| session.simulation().tuning().map(|tuning| tuning.max_cfl);
    assert_eq!((max_cfl(&session), session.speed(), session.is_paused()), (Some(0.5 * usual), None, true));
    let mut scene = session.simulation().scene().clone();
    scene.duration = 600.0;
    session.command(Command::Speed(Some(0.5))).expect("a speed");
    session.command(Command::Open(Box::new(scene))).expect("opened");
    assert_eq!((max_cfl(&session), session.speed(), session.is_paused()), (Some(usual), Some(10.0), true));
}

#[test]
fn an_error_pauses_the_water() {
    let mut session = live(CRATE);
    session.command(Command::Grab { body: "crate".into(), at: [0.8, 0.4, 0.4] }).expect("grabbed");
    session.stroke = Some(Stroke::new([0.8, 0.4, 0.4], 0.2));
    if let Some(stroke) = &mut session.stroke {
        stroke.go_on([0.9, 0.4, 0.4], -1.0);
    }
    session.advance(Duration::ZERO).expect_err("no sphere has a negative radius");
    assert!(session.is_paused() && session.grabbed().is_none());
    assert_eq!(session.advance(Duration::from_secs(1)).expect("it rests"), Event::Idle(None));
    session.command(Command::Resume).expect("resumed");
    steps(&mut session, 1);
}
