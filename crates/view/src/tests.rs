//! Worker and window state together, without a window.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use thalweg::Backend;

use crate::app::App;
use crate::command::{Command, Tool, Touch};
use crate::figures::FinalFigures;
use crate::keys::Action;
use crate::options::ViewOptions;
use crate::report::Report;
use crate::scale::Scale;
use crate::scene_source::{Overrides, SceneSource};
use crate::slot::Slot;
use crate::worker::Worker;

const BASIN: &str = r#"
[scene]
name = "A basin"
duration = 20.0
[domain]
size = [1.6, 1.2, 0.8]
cell = 0.1
[water]
solver = "tall-cells"
level = 0.4
"#;

/// A worker on a basin, and the state of a window of 160 x 100 pixels.
struct Bench {
    app: App,
    slot: Arc<Slot<Report>>,
    worker: JoinHandle<FinalFigures>,
    commands: Sender<Command>,
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("basin.toml");
        std::fs::write(&path, BASIN).expect("a scene");
        let scene = SceneSource::File(path);
        let options = ViewOptions {
            backend: Backend::Cpu,
            threads: Some(1),
            out: folder.path().to_owned(),
            ..ViewOptions::new(scene.clone())
        };
        let slot = Arc::new(Slot::default());
        let (commands, orders) = channel();
        let worker = Worker::new(&options, orders, Arc::clone(&slot), Box::new(|| {}));
        let worker = std::thread::spawn(move || worker.run(&scene));
        Self { app: App::new(commands.clone(), Scale::Full), slot, worker, commands, folder }
    }

    fn send(&self, command: Command) {
        self.commands.send(command).expect("the worker lives");
    }

    /// Shows reports until one is as wanted.
    fn until(&mut self, what: &str, wanted: impl Fn(&App) -> bool) {
        let begin = Instant::now();
        while !wanted(&self.app) {
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "{what}: {:?} {:?}",
                self.app.report.notice,
                self.app.report.trouble
            );
            if let Some(report) = self.slot.take() {
                self.app.take(report);
                self.app.look_at([160, 100]);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// The last figures, and where the body is that came last, m.
    fn close_with_body(self) -> (FinalFigures, [f64; 3]) {
        let figures = self.close();
        let place = figures.last_body_m.expect("a body");
        (figures, place)
    }

    fn close(self) -> FinalFigures {
        drop((self.app, self.commands));
        self.worker.join().expect("the worker ends well")
    }
}

fn volume(app: &App) -> f64 {
    app.report.figures.statistics.map_or(0.0, |water| water.volume)
}

fn touch(tool: Tool) -> Touch {
    Touch { tool, place: [0.5, 0.55], radius: 0.16 }
}

#[test]
fn water_runs_rests_and_steps() {
    let mut bench = Bench::new();
    bench.until("a picture", |app| app.report.picture.is_some() && app.report.figures.time > 0.0);
    bench.app.act(Action::TogglePlay);
    bench.until("a pause", |app| !app.report.playing);
    let time = bench.app.report.figures.time;
    bench.send(Command::Screenshot);
    bench.until("a screenshot", |app| app.report.notice.1 == 1);
    assert_eq!(bench.app.report.figures.time, time, "it rests");
    bench.app.act(Action::Step);
    bench.until("a step", |app| app.report.figures.time > time);
    bench.app.act(Action::Restart);
    bench.until("a restart", |app| app.report.figures.time == 0.0);
    assert!(bench.app.history.points(crate::figures::Quantity::Speed).len() <= 1);
    let written = bench.folder.path().join("basin-0001.png");
    let picture = thalweg_io::Image::read_png(&written).expect("a picture");
    assert_eq!((picture.width, picture.height), (160, 100), "with all pixels");
    let figures = bench.close();
    assert_eq!((figures.time_s, figures.trouble), (0.0, None));
    assert_eq!(figures.screenshots, [written.display().to_string()]);
}

#[test]
fn the_mouse_pours_pushes_and_builds() {
    let mut bench = Bench::new();
    bench.until("a picture", |app| app.report.picture.is_some());
    let before = volume(&bench.app);
    bench.send(Command::Place(Touch { place: [0.01, 0.01], ..touch(Tool::Ball) }));
    bench.until("a hint", |app| app.report.notice.0 == crate::stage::POINT_AT_WATER);
    bench.send(Command::Touch(Some(touch(Tool::Pour))));
    bench.until("more water", |app| volume(app) > 1.01 * before);
    bench.send(Command::Touch(None));
    for place in [[0.4, 0.55], [0.45, 0.55], [0.5, 0.55]] {
        bench.send(Command::Touch(Some(Touch { place, ..touch(Tool::Push) })));
    }
    bench.send(Command::Touch(None));
    bench.send(Command::Play(false));
    bench.send(Command::Place(touch(Tool::Ball)));
    bench.until("a ball", |app| app.report.notice.0 == "ball placed");
    bench.until("a picture of it", |app| app.report.figures.statistics.is_some_and(|water| water.removed > 0.0));
    let drift = bench.app.report.figures.drift;
    assert!(drift.abs() < 0.02, "what the ball took the place of is in the ledger: {drift}");
    bench.send(Command::Screenshot);
    bench.send(Command::Remove(touch(Tool::Remove)));
    bench.until("no ball", |app| app.report.notice.0 == "obstacle removed");
    let figures = bench.close();
    assert_eq!((figures.obstacles, figures.trouble), (0, None));
    assert!(figures.added_m3 > 0.0 && figures.removed_m3 > 0.0);
}

#[test]
fn a_body_is_dropped_held_and_let_go() {
    let mut bench = Bench::new();
    bench.until("a picture", |app| app.report.picture.is_some());
    bench.send(Command::Touch(Some(touch(Tool::Grab))));
    bench.until("a hint", |app| app.report.notice.0 == crate::bodies::POINT_AT_BODY);
    bench.send(Command::Touch(None));
    bench.send(Command::Drop(touch(Tool::DropBox)));
    bench.until("a box", |app| app.report.notice.0 == "box-1 dropped");
    let pictures = |app: &App| app.report.picture.as_ref().map_or(0, |(_, number)| *number);
    let (time, shown) = (bench.app.report.figures.time, pictures(&bench.app));
    bench.until("it floats", |app| app.report.figures.time > time + 1.5 && pictures(app) > shown);
    // It is where one clicked, or a little beside: the mouse looks for it as a hand would.
    for down in 0..12 {
        let place = [0.5, 0.35 + 0.025 * f64::from(down)];
        bench.send(Command::Touch(Some(Touch { place, ..touch(Tool::Grab) })));
    }
    bench.until("a hold", |app| app.report.notice.0 == "box-1 is held");
    let time = bench.app.report.figures.time;
    bench.send(Command::Touch(Some(Touch { place: [0.5, 0.0], ..touch(Tool::Grab) })));
    bench.until("it hangs", |app| app.report.figures.time > time + 1.0);
    bench.send(Command::Play(false));
    bench.send(Command::Touch(None));
    bench.until("it is let go", |app| app.report.notice.0 == "box-1 is let go" && !app.report.playing);
    bench.send(Command::Screenshot);
    bench.until("a picture of it", |app| app.report.notice.0.contains(".png"));
    let (_, looked) = bench.close_with_body();
    assert!(looked[1] > 0.55, "it was lifted out of the water: {looked:?}");
}

#[test]
fn a_body_is_removed_by_a_click() {
    let mut bench = Bench::new();
    bench.until("a picture", |app| app.report.picture.is_some());
    bench.send(Command::Play(false));
    bench.send(Command::Drop(Touch { radius: 0.25, ..touch(Tool::DropBall) }));
    bench.until("a ball", |app| app.report.notice.0 == "ball-1 dropped");
    for down in 0..20 {
        bench.send(Command::Remove(Touch { place: [0.5, 0.03 * f64::from(down)], ..touch(Tool::Remove) }));
    }
    bench.until("no ball", |app| app.report.notice.0 == "ball-1 removed" || app.report.notice.1 > 20);
    let figures = bench.close();
    assert_eq!((figures.bodies, figures.trouble), (0, None));
}

#[test]
fn errors_show_and_the_water_stays() {
    let mut bench = Bench::new();
    bench.until("a scene", |app| app.report.world.is_some());
    let source = bench.app.report.world.as_ref().expect("a scene").source.clone();
    bench.send(Command::Open(SceneSource::Shipped("no-such-scene".into()), Overrides::default()));
    bench.until("trouble", |app| app.report.trouble.as_ref().is_some_and(|text| text.contains("no-such-scene")));
    assert_eq!(bench.app.report.world.as_ref().expect("a scene").source, source);
    bench.send(Command::Dismiss);
    bench.until("no trouble", |app| app.report.trouble.is_none());
    let coarse = Overrides { cell: Some(0.2), ..Default::default() };
    bench.send(Command::Open(source.clone(), coarse));
    bench.until("coarser cells", |app| app.report.world.as_ref().is_some_and(|world| world.cell == 0.2));
    bench.send(Command::Open(source, Overrides { cell: Some(0.3), ..Default::default() }));
    bench.until("a refusal", |app| app.report.trouble.is_some());
    let mut tuning = bench.app.report.tuning.expect("three-dimensional water");
    tuning.max_cfl = -1.0;
    bench.send(Command::Tune(tuning));
    bench.until("a refusal", |app| app.report.trouble.as_ref().is_some_and(|text| text.contains("max_cfl")));
    tuning.max_cfl = 1.0;
    bench.send(Command::Tune(tuning));
    bench.until("a change", |app| app.report.tuning.is_some_and(|now| now.max_cfl == 1.0));
    bench.close();
}

#[test]
fn the_panel_pauses_chooses_tools_and_shows_trouble() {
    let mut bench = Bench::new();
    bench.until("a picture", |app| app.report.picture.is_some());
    bench.app.act(Action::TogglePlay);
    bench.until("a pause", |app| !app.report.playing);
    bench.app.report.trouble = Some("the water is too wet".into());
    let (commands, orders) = channel();
    let mut app = App::new(commands, Scale::Half);
    app.take(bench.app.report.clone());
    let mut harness = Harness::builder().with_size([1000.0, 700.0]).build_ui_state(|ui, app: &mut App| app.ui(ui), app);
    harness.run();
    harness.get_by_label("the water is too wet");
    harness.get_by_label("Play").click();
    harness.get_by_label("Pour").click();
    harness.run();
    assert_eq!(harness.state().tool, Tool::Pour);
    harness.key_press(egui::Key::Escape);
    harness.run();
    assert_eq!(harness.state().tool, Tool::Look);
    harness.key_press(egui::Key::H);
    harness.run();
    harness.get_by_label("Mouse and keys");
    harness.get_by_label("Close").click();
    harness.run();
    let sent: Vec<Command> = orders.try_iter().collect();
    let plays = sent.iter().filter(|command| matches!(command, Command::Play(true))).count();
    assert_eq!(plays, 1, "{sent:?}");
    assert!(sent.iter().any(|command| matches!(command, Command::Dismiss)), "{sent:?}");
    let looks = |command: &&Command| matches!(command, Command::Look { scale: Scale::Half, .. });
    assert_eq!(sent.iter().filter(looks).count(), 1, "only what has changed is sent: {sent:?}");
    bench.close();
}
