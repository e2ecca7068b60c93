//! A session with its outputs, in memory.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use thalweg::outputs::{Ended, Exports, Formats, Measurements, OutputError, Pictures, Product, Run, SavedRun};
use thalweg::{Backend, Scene, Session, Simulation};
use thalweg_io::heights::HeightFormat;
use thalweg_io::mesh::MeshFormat;

fn simulation() -> Simulation {
    let text = r#"
        scene = { name = "a", duration = 0.4, step = 0.02 }
        domain = { size = [1.6, 1.2, 0.8], cell = 0.1 }
        render = { fields = ["side", "depth", "view"], width = 160, size = [160, 120] }
        output = { every = 0.05 }
        [water]
        solver = "tall-cells"
        boxes = [{ min = [0, 0, 0], max = [0.5, 0.8, 0.8] }]
        [[probe]]
        name = "gauge"
        kind = "depth"
        at = [1.2, 0.4]
    "#;
    let scene = Scene::from_str(text, "a.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    Simulation::new(scene, Backend::Cpu).unwrap()
}

/// What was stored, by name, in the order in which it came.
#[derive(Default)]
struct Shelf {
    order: Vec<String>,
    bytes: BTreeMap<String, Vec<u8>>,
    checkpoint: Option<Vec<u8>>,
}

impl Shelf {
    fn put(&mut self, product: &Product) -> Result<(), OutputError> {
        match product {
            Product::Picture { field, frame, png, .. } => self.keep(format!("{field}-{frame}"), png),
            Product::Export(export) => {
                export.files.iter().for_each(|file| self.keep(format!("{:?}/{}", export.kind, file.name), &file.bytes));
            }
            Product::Checkpoint(checkpoint) => {
                self.order.push(format!("checkpoint at {:.2}", checkpoint.time));
                self.checkpoint = Some(checkpoint.to_bytes()?);
            }
            _ => {}
        }
        Ok(())
    }

    fn keep(&mut self, name: String, bytes: &[u8]) {
        self.order.push(name.clone());
        self.bytes.insert(name, bytes.to_vec());
    }
}

/// Rows of the tables without the wall times, which are at their ends.
type Table = Vec<(Vec<f64>, Vec<f64>)>;

/// Goes to the end, or stops after some steps; goes on from a checkpoint if there is one.
fn go(saved: Option<&[u8]>, steps: Option<usize>, shelf: &Mutex<Shelf>) -> (Result<Ended, OutputError>, Table) {
    let saved = saved.map(|bytes| SavedRun::from_bytes(bytes).unwrap());
    let mut simulation = simulation();
    let mut pictures = Pictures::new(&mut simulation).unwrap();
    if let Some(saved) = &saved {
        pictures.restore(&saved.ranges);
    }
    let mut session = Session::run(simulation, None, saved.as_ref().map(|saved| &saved.session)).unwrap();
    let measurements = Measurements::new(&session).unwrap();
    assert_eq!(measurements.columns().probes, ["time", "gauge"]);
    let stop = Arc::new(AtomicBool::new(false));
    let formats = Formats { meshes: Some(MeshFormat::Ply), heights: vec![HeightFormat::Npz], ..Formats::default() };
    let exports = Exports::new(formats);
    let run = Run { exports, resumes: saved.is_some(), stop: Arc::clone(&stop), ..Run::new(pictures) };
    let mut table = Table::new();
    let row = |rows: &thalweg::outputs::Rows| {
        table.push((rows.statistics[..7].to_vec(), rows.probes.clone()));
        stop.store(steps == Some(table.len()), Ordering::Relaxed);
        Ok(())
    };
    let store = |product: &Product| shelf.lock().map_err(|_| OutputError::Stopped)?.put(product);
    let finished = run.go(&mut session, measurements, |_| Ok(store), row, || ());
    assert!(matches!(finished.film, Ok(None)));
    (finished.ended, table)
}

#[test]
fn a_run_that_was_stopped_and_resumed_makes_what_one_without_a_break_makes() {
    let whole = Mutex::default();
    let (ended, all) = go(None, None, &whole);
    assert_eq!((ended.unwrap(), all.len()), (Ended::Complete, 20));
    let parts = Mutex::default();
    let (ended, mut rows) = go(None, Some(8), &parts);
    assert_eq!((ended.unwrap(), rows.len()), (Ended::Interrupted, 8));
    let checkpoint = parts.lock().unwrap().checkpoint.clone().unwrap();
    let (ended, more) = go(Some(&checkpoint), None, &parts);
    assert_eq!(ended.unwrap(), Ended::Complete);
    rows.extend(more);
    assert_eq!(rows, all);
    let (whole, parts) = (whole.into_inner().unwrap(), parts.into_inner().unwrap());
    assert_eq!(whole.bytes.len(), 9 * 5, "three pictures, a mesh and an archive at the beginning and of eight frames");
    assert_eq!(whole.bytes, parts.bytes);
    assert_eq!(whole.checkpoint, parts.checkpoint);
    // Everything is stored in the order of the run.
    let is_checkpoint = |name: &&String| name.starts_with("checkpoint");
    assert_eq!(parts.order.iter().find(is_checkpoint).unwrap(), "checkpoint at 0.16");
    let without: Vec<_> = parts.order.iter().filter(|name| !is_checkpoint(name)).collect();
    assert_eq!(without, whole.order.iter().filter(|name| !is_checkpoint(name)).collect::<Vec<_>>());
}

#[test]
fn a_store_that_fails_stops_the_run_and_says_why() {
    let stored = Mutex::new(0);
    let mut simulation = simulation();
    let pictures = Pictures::new(&mut simulation).unwrap();
    let mut session = Session::run(simulation, None, None).unwrap();
    let measurements = Measurements::new(&session).unwrap();
    let store = |_: &Product| {
        let mut stored = stored.lock().map_err(|_| OutputError::Stopped)?;
        *stored += 1;
        if *stored < 4 { Ok(()) } else { Err(OutputError::Store("the disk is full".into())) }
    };
    let finished = Run::new(pictures).go(&mut session, measurements, |_| Ok(store), |_| Ok(()), || "meanwhile");
    assert_eq!(finished.ended.unwrap_err().to_string(), "the disk is full");
    assert_eq!((finished.meanwhile, *stored.lock().unwrap()), ("meanwhile", 4));
}

#[test]
fn an_error_of_the_tables_comes_out_as_it_is() {
    let mut session = Session::run(simulation(), None, None).unwrap();
    let measurements = Measurements::new(&session).unwrap();
    let full = |_: &thalweg::outputs::Rows| Err(OutputError::Store("no room for a row".into()));
    let finished = Run::new(Pictures::none()).go(&mut session, measurements, |_| Ok(|_: &Product| Ok(())), full, || ());
    assert_eq!(finished.ended.unwrap_err().to_string(), "no room for a row");
    assert_eq!(finished.measurements.step_ms().len(), 1);
}
