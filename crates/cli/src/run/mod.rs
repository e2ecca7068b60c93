//! `run`: simulate a scene to its end. Whatever happens, what was finished stays readable.
//!
//! A run is a line of stages that work side by side: the thread of the simulation reads the water at every frame ([`outputs`]), workers make pictures, meshes
//! and files of it ([`mod@line`]), one thread writes them in the order of the run ([`writer`]), and what it has written becomes a video ([`film`]).

mod busy;
pub(crate) mod checkpoint;
mod exports;
mod film;
mod folder;
mod line;
mod outputs;
mod pictures;
mod player;
pub(crate) mod progress;
mod relay;
mod report;
mod summary;
mod writer;

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thalweg::{Ability, Backend, Simulation, Statistics};
use thalweg_scene::Scene;

use crate::args::RunArgs;
use crate::failure::{Failure, Outcome};
use crate::inspect::open_scene;
use crate::opening::open_simulation;
use crate::text;
use busy::{Busy, Stage};
use exports::{Archive, Exports, Wanted};
use film::Film;
use folder::Folder;
use line::Line;
use outputs::Outputs;
use pictures::Pictures;
use player::Player;
use progress::Progress;
use summary::{Leavings, Record};
use writer::Writer;

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
    let mut pictures = Pictures::new(&mut simulation, args.no_pictures)?;

    let saved = if args.resume { checkpoint::read(&folder, &simulation, quiet)? } else { None };
    let mut record = match &saved {
        Some(saved) => {
            simulation.load(&saved.simulation)?;
            pictures.restore(&saved.ranges)?;
            Record::resume(&folder, &mut simulation, saved.initial_volume)?
        }
        None => {
            folder.clean()?;
            Record::create(&folder, &mut simulation)?
        }
    };
    if !quiet {
        let exec = simulation.executor().describe();
        let cells = text::grouped(scene.cost().cells);
        let most = if simulation.abilities().has(Ability::AdaptiveCells) { "at most " } else { "" };
        text::tell(&format!("{}: {most}{cells} cells on {exec}, {} s", scene.name, scene.duration));
    }
    let resumes = saved.is_some();
    // Longer than a clock can count is never.
    let checkpoint_every = Duration::try_from_secs_f64(every).unwrap_or(Duration::MAX);
    let march = March { scene: &scene, end: last_time(&scene, args.frames), stop: &stop, checkpoint_every, resumes };
    let (ended, leavings) = stages(&march, args, &folder, &mut simulation, &mut record, pictures, Exports::new(wanted));
    // Even a run that failed leaves its tables, pictures and report behind.
    let finished = record.finish(&folder, &scene, &mut simulation, leavings);
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

/// Simulates, draws, writes and encodes side by side. Returns when all of it has come to its end.
fn stages(
    march: &March<'_>,
    args: &RunArgs,
    folder: &Folder,
    simulation: &mut Simulation,
    record: &mut Record,
    pictures: Pictures,
    exports: Exports,
) -> (Outcome<Ended>, Leavings) {
    let scene = march.scene;
    let threads = args.threads.and_then(|threads| NonZero::new(usize::from(threads)));
    let threads = threads.or(std::thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    let (busy, fields) = (Busy::default(), pictures.fields());
    let progress = Progress::new(march.end, simulation.time(), args.quiet || args.json);
    let player = (!args.no_pictures).then(|| Player::new(scene));
    let film = pictures.filmed().map(|field| Film::new(folder, field, scene.output.every, threads, &progress));
    let last = march.resumes.then(|| frames_until(scene, simulation.time()));
    let (ended, player, film) = std::thread::scope(|scope| {
        let (camera, making) = match &film {
            Some(film) => {
                let (camera, roll) = film.roll(last);
                (Some(camera), Some(scope.spawn(move || film.make(roll))))
            }
            None => (None, None),
        };
        let ended = (|| {
            let recording = player.as_ref().map(|player| player.open(folder, simulation, march.resumes)).transpose()?;
            let mut archive = Archive::new(folder);
            last.map_or(Ok(()), |last| archive.restore(last))?;
            let mut writer = Writer { folder, archive, recording, camera, busy: &busy, progress: &progress };
            let line = Line::new(scope, threads, move |made| writer.take(made));
            let mut outputs = Outputs { pictures, exports, player, line, busy: &busy, progress: &progress };
            let ended = march.run(simulation, record, &mut outputs);
            let written = outputs.finish();
            match ended {
                // What stopped the line is told by its end.
                Err(Failure::Silent) => written.and(Err(Failure::Silent)),
                Err(failure) => Err(failure),
                Ok(ended) => written.map(|()| ended),
            }
        })();
        // The player is packed while the last pictures are encoded.
        let player = if args.no_pictures { Ok(None) } else { player::html(folder) };
        let film = match making {
            Some(making) => {
                while !making.is_finished() {
                    progress.update();
                    std::thread::sleep(Duration::from_millis(10));
                }
                making.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }
            None => Ok(None),
        };
        (ended, player, film)
    });
    progress.finish();
    let wall = busy.summary(progress.encoders().map_or(Duration::ZERO, |encoders| encoders.busy()));
    (ended, Leavings { fields, film, player, wall })
}

/// The way through the time of a scene.
struct March<'a> {
    scene: &'a Scene,
    /// s.
    end: f64,
    stop: &'a AtomicBool,
    checkpoint_every: Duration,
    /// Whether the frame at the beginning is there.
    resumes: bool,
}

impl March<'_> {
    fn run(&self, simulation: &mut Simulation, record: &mut Record, outputs: &mut Outputs<'_>) -> Outcome<Ended> {
        let scene = self.scene;
        let mut last_checkpoint = Instant::now();
        // Times of steps and frames come from counting, never from adding: a resumed run meets the same ones.
        let mut step = simulation.steps();
        let mut frame = frames_until(scene, simulation.time());
        let mut steps_end = step_time(scene, step + 1);
        if !self.resumes {
            outputs.frame(simulation, frame, record.last())?;
        }
        while simulation.time() < self.end * (1.0 - 1e-12) {
            let next_frame = scene.output.every * (frame + 1) as f64;
            let target = steps_end.min(self.end);
            let statistics = outputs.busy.time(Stage::Simulate, || -> Outcome<_> {
                let begin = Instant::now();
                simulation.step(target - simulation.time())?;
                let statistics = simulation.statistics()?;
                record.row(simulation, &statistics, begin.elapsed())?;
                Ok(statistics)
            })?;
            step += 1;
            steps_end = step_time(scene, step + 1);
            if simulation.time() >= next_frame * (1.0 - 1e-9) {
                frame = frames_until(scene, simulation.time());
                outputs.frame(simulation, frame, statistics)?;
            }
            outputs.progress.simulated(&statistics);
            let interrupted = self.stop.load(Ordering::Relaxed);
            if interrupted || last_checkpoint.elapsed() >= self.checkpoint_every {
                outputs.checkpoint(simulation, record.initial_volume())?;
                last_checkpoint = Instant::now();
            }
            if interrupted {
                return Ok(Ended::Interrupted);
            }
        }
        outputs.checkpoint(simulation, record.initial_volume())?;
        Ok(Ended::Complete)
    }
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
