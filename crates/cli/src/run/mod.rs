//! `run`: simulate a scene to its end. Whatever happens, what was finished stays readable.
//!
//! The library runs the session and makes everything of its water (`thalweg::outputs`); here are the arguments, the
//! folder ([`folder`], [`writer`], [`archive`]), the tables and the report ([`summary`], [`report`]) and the progress
//! bar.

mod archive;
pub(crate) mod checkpoint;
mod film;
mod folder;
mod player;
pub(crate) mod progress;
mod report;
mod summary;
mod writer;

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;
use thalweg::outputs::{Ended, Exports, Formats, Measurements, OutputError, Pictures, Run, Stage};
use thalweg::{Ability, Backend, Session};
use thalweg_scene::Scene;

use crate::args::RunArgs;
use crate::failure::{Failure, Outcome};
use crate::inspect::open_scene;
use crate::opening::open_simulation;
use crate::text;
use archive::Archive;
use folder::Folder;
use player::Player;
use progress::Progress;
use summary::{Artefacts, Tables};
use writer::Writer;

pub(crate) fn run(args: &RunArgs) -> Outcome {
    let scene = open_scene(&args.scene)?;
    let quiet = args.quiet || args.json;
    let every = args.checkpoint_every.unwrap_or(scene.output.checkpoint_every);
    if !(every.is_finite() && every >= 0.0) {
        return Err(Failure::Input(format!("--checkpoint-every {every} is no time in seconds")));
    }
    let formats = archive::formats(args, &scene)?;
    let stop = stop_flag()?;
    let exec = Backend::from(args.backend).open(args.threads.map(usize::from))?;
    let mut simulation = open_simulation(exec, scene.clone(), quiet)?;
    // Not before the ground is known to be good: a refused scene leaves no folder behind.
    let folder = Folder::open(args.out.clone().unwrap_or_else(|| folder::default_path(&args.scene)))?;
    folder.clean_unfinished()?;
    for overlap in simulation.overlaps() {
        let other = overlap.other.map_or("the ground, a wall or an obstacle".into(), |name| format!("`{name}`"));
        let (body, depth) = (overlap.body, overlap.depth);
        text::message(&format!(
            "warning: body `{body}` is {depth:.3} m deep in {other} at the start, which pushes it out: move it"
        ));
    }
    simulation.set_timed(true);
    let mut pictures = if args.no_pictures { Pictures::none() } else { Pictures::new(&mut simulation)? };
    let saved = if args.resume { checkpoint::read(&folder, &simulation, quiet)? } else { None };
    let mut session = Session::run(simulation, args.frames, saved.as_ref().map(|saved| &saved.session))?;
    let mut measurements = Measurements::new(&session)?;
    match &saved {
        Some(saved) => pictures.restore(&saved.ranges),
        None => folder.clean()?,
    }
    let resumed = saved.is_some().then(|| session.simulation().time());
    let mut tables = Tables::open(&folder, measurements.columns(), resumed)?;
    if resumed.is_none() {
        tables.row(&measurements.begin(session.simulation_mut())?)?;
    }
    if !quiet {
        let exec = session.simulation().executor().describe();
        let cells = text::grouped(scene.cost().cells);
        let most = if session.simulation().abilities().has(Ability::AdaptiveCells) { "at most " } else { "" };
        text::message(&format!("{}: {most}{cells} cells on {exec}, {} s", scene.name, scene.duration));
    }
    let (resumes, checkpoint_every) = (resumed.is_some(), every);
    let output = Output { args, scene: &scene, folder: &folder, formats, checkpoint_every, resumes, stop };
    let (ended, artefacts) = output.go(&mut session, measurements, pictures, &mut tables);
    // Even a run that failed leaves its tables, pictures and report behind.
    let summary = tables.finish(&folder, &scene, session.simulation_mut(), artefacts);
    let (ended, summary) = (ended?, summary?);
    if args.json {
        text::print(&summary.to_string());
    } else if !args.quiet {
        text::print(&summary::for_people(&summary, &folder));
    }
    summary::warnings(&summary).iter().for_each(|warning| text::message(warning));
    if ended == Ended::Interrupted {
        text::message(&format!(
            "interrupted at {} s: `--resume` goes on from here",
            text::short(session.simulation().time())
        ));
        return Err(Failure::Silent);
    }
    Ok(())
}

/// What a run writes.
struct Output<'a> {
    args: &'a RunArgs,
    scene: &'a Scene,
    folder: &'a Folder,
    formats: Formats,
    /// Wall time between checkpoints, s.
    checkpoint_every: f64,
    resumes: bool,
    stop: Arc<AtomicBool>,
}

impl Output<'_> {
    /// Runs the session to its end, whatever that is.
    fn go(
        self,
        session: &mut Session,
        measurements: Measurements,
        pictures: Pictures,
        tables: &mut Tables,
    ) -> (Result<Ended, OutputError>, Artefacts) {
        let Self { args, scene, folder, formats, checkpoint_every, resumes, stop } = self;
        let progress = Progress::new(session.end(), session.simulation().time(), args.quiet || args.json);
        let threads = args.threads.and_then(|threads| NonZero::new(usize::from(threads)));
        let player = (!args.no_pictures).then(|| Player::new(scene));
        let last = resumes.then(|| session.frame());
        let fields = pictures.fields();
        let film = pictures.filmed().and_then(|field| film::film(folder, field, scene, last));
        let mut run = Run::new(pictures);
        run.exports = Exports::new(formats);
        run.others.extend(player.map(|player| Box::new(player) as _));
        run.threads = threads.unwrap_or(run.threads);
        // Longer than a clock can count is never.
        run.checkpoint_every = Duration::try_from_secs_f64(checkpoint_every).unwrap_or(Duration::MAX);
        (run.film, run.resumes, run.stop, run.observer) = (film, resumes, stop, &progress);
        let open = |session: &mut Session| -> Result<Writer<'_>, OutputError> {
            let simulation = session.simulation_mut();
            let recording = player.map(|player| player.open(folder, simulation, last.is_some())).transpose()?;
            let mut archive = Archive::new(folder);
            last.map_or(Ok(()), |last| archive.restore(last))?;
            Ok(Writer { folder, archive, recording })
        };
        // The player is packed while the last pictures are encoded.
        let pack = || if args.no_pictures { Ok(None) } else { player::html(folder) };
        let finished = run.go(session, measurements, open, |rows| Ok(tables.row(rows)?), pack);
        progress.finish();
        let encode = progress.encoders().map_or(Duration::ZERO, |encoders| encoders.busy());
        let seconds = |stage| finished.times.of(stage).as_secs_f64();
        let wall = json!({
            "simulate": seconds(Stage::Simulate),
            "draw": seconds(Stage::Draw),
            "write": seconds(Stage::Write),
            "encode": encode.as_secs_f64(),
        });
        let artefacts = Artefacts {
            fields,
            measurements: finished.measurements,
            film: finished.film.map(|film| film.as_ref().map(film::about)).map_err(Failure::from),
            player: finished.meanwhile,
            wall,
        };
        (finished.ended, artefacts)
    }
}

/// Set by Ctrl-C or a termination signal; a second one ends at once.
fn stop_flag() -> Outcome<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    let handler = move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
    };
    ctrlc::set_handler(handler).map_err(|e| Failure::Run(format!("cannot watch for Ctrl-C: {e}")))?;
    Ok(flag)
}
