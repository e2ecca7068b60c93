//! Waves of a sea: time of a moment of all tiles on an executor.

use std::time::Instant;

use serde_json::json;
use thalweg::compute::Executor;
use thalweg::waves::{Foam, Ocean, Place, Sea, Tiles, TilesSettings, WavesError};

use super::Row;
use super::scenes::executors;
use crate::args::BenchArgs;
use crate::failure::Outcome;

const POINTS: [u32; 3] = [128, 256, 512];

pub(super) fn run(args: &BenchArgs, tell: &mut dyn FnMut(&Row)) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for exec in executors(args)? {
        for points in POINTS.into_iter().filter(|points| *points <= args.max_size) {
            let row = measure(&exec, points).map_err(thalweg::Error::from)?;
            tell(&row);
            rows.push(row);
        }
    }
    Ok(rows)
}

fn measure(exec: &Executor, points: u32) -> Result<Row, WavesError> {
    let begin = Instant::now();
    let tiles = Tiles::new(&Sea::default(), &TilesSettings { points, ..Default::default() })?;
    let drawn = 1e3 * begin.elapsed().as_secs_f64();
    let place = Place { corner: [0.0; 2], cell: 0.5, columns: [1, 1] };
    let mut ocean = Ocean::new(exec, tiles, 1.0, Foam::default(), &place)?;
    let times = if matches!(exec, Executor::Cpu(_)) { 10 } else { 100 };
    let frames = |ocean: &mut Ocean, count: u32| -> Result<(), WavesError> {
        for n in 0..count {
            let mut rec = exec.record();
            rec.stage("waves");
            ocean.record(&mut rec, f64::from(n) / 60.0)?;
            rec.submit()?;
        }
        Ok(exec.wait()?)
    };
    frames(&mut ocean, 2)?;
    let begin = Instant::now();
    frames(&mut ocean, times)?;
    let wall = 1e3 * begin.elapsed().as_secs_f64() / f64::from(times);
    exec.set_timed(true);
    exec.take_timings()?;
    frames(&mut ocean, times)?;
    let timings = exec.take_timings()?;
    exec.set_timed(false);
    let stages = timings.stages().filter(|(name, _)| *name == "waves");
    let ms = stages.map(|(_, time)| time.ms).sum::<f64>() / f64::from(times);
    let mut row = Row::new();
    row.insert("executor".into(), json!(exec.describe()));
    row.insert("tile".into(), json!(format!("{points}²")));
    row.insert("cascades".into(), json!(ocean.tiles().tiles.len()));
    row.insert("waves_ms".into(), json!(ms));
    row.insert("wall_ms".into(), json!(wall));
    row.insert("setup_ms".into(), json!(drawn));
    Ok(row)
}
