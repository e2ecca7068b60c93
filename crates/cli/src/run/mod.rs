//! `run`: simulate a scene to its end. Whatever happens, what was finished stays readable.

pub(crate) mod checkpoint;
mod exports;
mod film;
mod folder;
mod pictures;
mod player;
pub(crate) mod progress;
mod report;
mod summary;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thalweg::{Backend, Simulation, Statistics};
use thalweg_scene::Scene;

use crate::args::RunArgs;
use crate::failure::{Failure, Outcome};
use crate::inspect::open_scene;
use crate::opening::open_simulation;
use crate::text;
use exports::{Exports, Wanted};
use folder::Folder;
use pictures::Pictures;
use player::Player;
use progress::Progress;
use summary::Record;

pub(crate) fn run(args: &RunArgs) -> Outcome {
    let scene = open_scene(&args.scene)?;
    let quiet = args.quiet || args.json;
    let every = args.checkpoint_every.unwrap_or(scene.output.checkpoint_every);
    if !(every.is_finite() && every >= 0.0) {
        return Err(Failure::Input(format!("--checkpoint-every {every} is no time in seconds")));
    }
    let wanted = Wanted::new(args, &scene)?;
    let stop = stop_flag()?;
    let exec = Backend::from(args.backend).open(args.threads.map(usize::from))?;
    let mut simulation = open_simulation(exec, scene.clone(), quiet)?;
    // Not before the ground is known to be good: a refused scene leaves no folder behind.
    let folder = Folder::open(args.out.clone().unwrap_or_else(|| folder::default_path(&args.scene)))?;
    folder.clean_unfinished()?;
    for overlap in simulation.overlaps() {
        let other = overlap.other.map_or("the ground, a wall or an obstacle".into(), |name| format!("`{name}`"));
        let (body, depth) = (overlap.body, overlap.depth);
        text::tell(&format!(
            "warning: body `{body}` is {depth:.3} m deep in {other} at the start, which pushes it out: move it"
        ));
    }
    simulation.set_timed(true);
    let mut pictures = Pictures::new(&mut simulation, &folder, args.no_pictures)?;

    let saved = if args.resume { checkpoint::read(&folder, &simulation, quiet)? } else { None };
    let mut record = match &saved {
        Some(saved) => {
            simulation.load(&saved.simulation)?;
            Record::resume(&folder, &mut simulation, saved.initial_volume)?
        }
        None => {
            folder.clean()?;
            Record::create(&folder, &mut simulation)?
        }
    };
    let mut exports = Exports::new(&folder, wanted);
    match &saved {
        Some(saved) => {
            pictures.restore(&saved.ranges);
            exports.restore(frames_until(&scene, simulation.time()))?;
        }
        None => {
            pictures.draw(&mut simulation, 0)?;
            exports.write(&mut simulation, 0)?;
        }
    }
    let mut player = Player::new(&folder, &scene, &mut simulation, !args.no_pictures, saved.is_some())?;
    if !quiet {
        let exec = simulation.executor().describe();
        let cells = text::grouped(scene.cost().cells);
        let most = if simulation.tree().is_some() { "at most " } else { "" };
        text::tell(&format!("{}: {most}{cells} cells on {exec}, {} s", scene.name, scene.duration));
    }
    // Longer than a clock can count is never.
    let interval = Duration::try_from_secs_f64(every).unwrap_or(Duration::MAX);
    let outputs = (&mut pictures, &mut exports, &mut player);
    let ended = march(&mut simulation, &mut record, outputs, &folder, &stop, interval, args, quiet);
    // Even a run that failed leaves its tables, pictures and report behind.
    let finished = record.finish(&folder, &scene, &mut simulation, &pictures, quiet);
    let state = ended?;
    let summary = finished?;
    if args.json {
        text::print(&summary.to_string());
    } else if !args.quiet {
        text::print(&summary::for_people(&summary, &folder));
    }
    summary::warnings(&summary).iter().for_each(|warning| text::tell(warning));
    if state == Ended::Interrupted {
        text::tell(&format!("interrupted at {} s: `--resume` goes on from here", text::short(simulation.time())));
        return Err(Failure::Silent);
    }
    Ok(())
}

/// How a run came to its end.
#[derive(Debug, PartialEq)]
enum Ended {
    Complete,
    Interrupted,
}

#[expect(clippy::too_many_arguments, reason = "the parts of one run")]
fn march(
    simulation: &mut Simulation,
    record: &mut Record,
    (pictures, exports, player): (&mut Pictures<'_>, &mut Exports<'_>, &mut Player),
    folder: &Folder,
    stop: &AtomicBool,
    checkpoint_every: Duration,
    args: &RunArgs,
    quiet: bool,
) -> Outcome<Ended> {
    let scene = simulation.scene().clone();
    let end = last_time(&scene, args.frames);
    let mut progress = Progress::new(end, simulation.time(), quiet);
    let mut last_checkpoint = Instant::now();
    // Times of steps and frames come from counting, never from adding: a resumed run meets the same ones.
    let mut step = simulation.steps();
    let mut frame = frames_until(&scene, simulation.time());
    let mut steps_end = step_time(&scene, step + 1);
    while simulation.time() < end * (1.0 - 1e-12) {
        let next_frame = scene.output.every * (frame + 1) as f64;
        let target = steps_end.min(end);
        let begin = Instant::now();
        simulation.step(target - simulation.time())?;
        let statistics = simulation.statistics()?;
        let wall = begin.elapsed();
        record.row(simulation, &statistics, wall)?;
        step += 1;
        steps_end = step_time(&scene, step + 1);
        if simulation.time() >= next_frame * (1.0 - 1e-9) {
            frame = frames_until(&scene, simulation.time());
            pictures.draw(simulation, frame)?;
            exports.write(simulation, frame)?;
            player.add(simulation, frame)?;
        }
        progress.update(&statistics);
        let interrupted = stop.load(Ordering::Relaxed);
        if interrupted || last_checkpoint.elapsed() >= checkpoint_every {
            checkpoint::write(folder, simulation, record.initial_volume(), pictures)?;
            last_checkpoint = Instant::now();
        }
        if interrupted {
            progress.finish();
            return Ok(Ended::Interrupted);
        }
    }
    checkpoint::write(folder, simulation, record.initial_volume(), pictures)?;
    progress.finish();
    Ok(Ended::Complete)
}

/// Time at the end of step `n`, from 1.
fn step_time(scene: &Scene, n: u64) -> f64 {
    (scene.step * n as f64).min(scene.duration)
}

/// Frames whose time has come.
fn frames_until(scene: &Scene, time: f64) -> u64 {
    (time / scene.output.every * (1.0 + 1e-9)).floor() as u64
}

/// The end of the run: with `frames`, the end of the step that brings the last of them. Never between steps, or
/// going on from there would take other steps than a run without a break.
fn last_time(scene: &Scene, frames: Option<u64>) -> f64 {
    frames.map_or(scene.duration, |n| {
        let steps = scene.output.every * n as f64 / scene.step;
        step_time(scene, (steps * (1.0 - 1e-9)).ceil() as u64)
    })
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

/// Volume that cannot be accounted for, as a share of what there was or came.
fn drift(initial: f64, now: &Statistics) -> f64 {
    let base = initial.max(now.added);
    if base > 0.0 { (now.volume - initial - now.added + now.removed) / base } else { 0.0 }
}
