//! Driving the program: scenes to run, folders to run them in, and what a run left behind.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use thalweg_io::Image;
use thalweg_io::checkpoint::{self, Array, Checkpoint};

/// A command that was run to its end.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Holds any end to what all ends share: an exit code of the contract, and no panic.
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        assert!(!stderr.contains("panicked at"), "{stderr}");
        let code = output.status.code().unwrap_or_else(|| panic!("ended by a signal, {}: {stderr}", output.status));
        assert!((0..=2).contains(&code), "exit code {code}: {stderr}");
        Self { code, stdout, stderr }
    }

    /// The same, if it ended so.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Its output as one JSON value.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e} in:\n{}", self.stdout))
    }
}

/// The program, ready for arguments.
pub(crate) fn thalweg<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_thalweg"));
    command.args(args).stdin(Stdio::null());
    command
}

/// Runs a command to its end.
pub(crate) fn end<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Ended {
    Ended::of(thalweg(args).output().expect("the program starts"))
}

/// Whether this machine has an adapter for `--backend gpu`. With `CI` set it must.
pub(crate) fn has_adapter() -> bool {
    let info = end(["info", "--json"]).expect(0).json();
    let found = info["adapters"].as_array().is_some_and(|list| !list.is_empty());
    assert!(found || std::env::var_os("CI").is_none(), "CI is set, but there is no adapter: install a Vulkan driver");
    found
}

/// A basin where everything is at work: a dam breaks over hills around a rock, water comes in, rains and leaves.
/// `steps` steps of 0.02 s on 4800 cells, ten of them to a frame.
pub(crate) fn basin(steps: u32) -> String {
    let duration = f64::from(steps) * 0.02;
    format!(
        r#"[scene]
name = "Basin"
description = "A dam breaks around a rock"
duration = {duration}
step = 0.02

[domain]
size = [8, 2, 6]
cell = 0.1

[terrain]
shapes = [
  {{ shape = "hills", seed = 3, amplitude = 0.1, wavelength = 2, octaves = 3 }},
  {{ shape = "cone", center = [4.5, 3.2], base_radius = 1.2, top_radius = 0.3, height = 0.8 }},
]

[water]
boxes = [{{ min = [0, -1, 0], max = [2, 1, 6] }}]

[water.shallow]
manning = 0.02

[boundary]
west = {{ kind = "inflow", discharge = {{ sine = {{ mean = 0.2, amplitude = 0.1, period = 0.7 }} }}, span = [1, 3] }}
east = "outflow"

[rain]
rate = 60

[[source]]
name = "spring"
shape = {{ disc = {{ center = [6, 1], radius = 0.4 }} }}
rate = 0.05

[[probe]]
name = "gauge"
kind = "surface"
at = [1, 3]

[[probe]]
name = "current"
kind = "velocity"
at = [3, 2]

[[probe]]
name = "section"
kind = "discharge"
from = [2.5, 0]
to = [2.5, 6]

[[probe]]
name = "pond"
kind = "volume"
min = [0, 0]
max = [2, 6]

[[probe]]
name = "wet"
kind = "wet_area"

[[probe]]
name = "runup"
kind = "runup"
min = [3, 2]
max = [6, 4.4]

[render]
fields = ["depth", "speed"]
width = 160

[output]
every = 0.2
"#
    )
}

/// A folder of the test's own: in memory where the system has a place for that, since every frame and checkpoint
/// is synced, and a test that kills processes has no use for what survives a power cut.
pub(crate) fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder")
}

/// A folder with a scene and room for its output; gone with the test.
pub(crate) struct Place {
    folder: TempDir,
    pub(crate) scene: PathBuf,
    pub(crate) out: PathBuf,
}

impl Place {
    pub(crate) fn new(text: &str) -> Self {
        let folder = scratch();
        let (scene, out) = (folder.path().join("scene.toml"), folder.path().join("out"));
        std::fs::write(&scene, text).expect("the scene is written");
        Self { folder, scene, out }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// `run` of the scene on the processor, into the folder.
    pub(crate) fn command(&self, more: &[&str]) -> Command {
        let mut command = thalweg(["run", "--backend", "cpu"]);
        command.arg(&self.scene).arg("--out").arg(&self.out).args(more);
        command
    }

    pub(crate) fn run(&self, more: &[&str]) -> Ended {
        Ended::of(self.command(more).output().expect("the program starts"))
    }

    /// Starts a run and leaves it to itself.
    pub(crate) fn start(&self, more: &[&str]) -> Child {
        let mut command = self.command(more);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.out.join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        let path = self.file(name);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    pub(crate) fn table(&self, name: &str) -> Table {
        Table::parse(&self.text(name))
    }

    pub(crate) fn summary(&self) -> Value {
        serde_json::from_str(&self.text("summary.json")).expect("summary.json is JSON")
    }

    /// Number of pictures that the tables of a video count.
    pub(crate) fn video_frames(&self, name: &str) -> usize {
        let bytes = std::fs::read(self.file(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let table = bytes.windows(4).position(|kind| kind == b"stsz").expect("a table of sizes");
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
        let count = number(table + 12);
        let sizes: usize = (0..count).map(|n| number(table + 16 + 4 * n)).sum();
        let data = bytes.windows(4).position(|kind| kind == b"mdat").expect("data") + 4;
        assert_eq!(data + sizes, bytes.len(), "{name} is whole");
        count
    }

    /// The pictures, decoded, by name.
    pub(crate) fn frames(&self) -> Vec<(String, Image)> {
        let entries = std::fs::read_dir(self.file("frames")).expect("there are frames");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
        paths.sort();
        let decode = |path: PathBuf| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, Image::read_png(&path).unwrap_or_else(|e| panic!("{e}")))
        };
        paths.into_iter().map(decode).collect()
    }

    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint::read(self.file(checkpoint::FILE_NAME)).expect("a good checkpoint")
    }

    /// Waits until the run has written that many rows of statistics.
    pub(crate) fn await_rows(&self, run: &mut Child, rows: usize) {
        let patience = Instant::now() + Duration::from_secs(60);
        while self.rows_so_far() <= rows {
            assert!(run.try_wait().expect("a child").is_none(), "the run ended before it had {rows} rows");
            assert!(Instant::now() < patience, "there are not {rows} rows after a minute");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Lines of the statistics of a run that goes on.
    pub(crate) fn rows_so_far(&self) -> usize {
        std::fs::read_to_string(self.file("stats.csv")).map_or(0, |text| text.lines().count())
    }

    /// Holds the results to those of another run of the same scene, bit for bit.
    #[track_caller]
    pub(crate) fn assert_same_results(&self, other: &Self) {
        assert_eq!(self.text("probes.csv"), other.text("probes.csv"));
        assert_eq!(self.table("stats.csv").without_times(), other.table("stats.csv").without_times());
        let (ours, theirs) = (self.checkpoint(), other.checkpoint());
        assert_eq!((ours.time.to_bits(), ours.step, ours.digest), (theirs.time.to_bits(), theirs.step, theirs.digest));
        assert_eq!(ours.header, theirs.header);
        assert_eq!(bits(&ours), bits(&theirs));
    }
}

/// The arrays of a checkpoint as bits, so that a NaN equals itself.
fn bits(checkpoint: &Checkpoint) -> Vec<(&str, Vec<u64>)> {
    let bits = |array: &Array| match array {
        Array::F32(a) => a.iter().map(|x| x.to_bits().into()).collect(),
        Array::F64(a) => a.iter().map(|x| x.to_bits()).collect(),
        Array::U32(a) => a.iter().map(|&x| x.into()).collect(),
        Array::U8(a) => a.iter().map(|&x| x.into()).collect(),
    };
    assert!(checkpoint.f32("state").is_ok_and(|state| !state.is_empty()), "there is no state");
    checkpoint.arrays.iter().map(|(name, array)| (name.as_str(), bits(array))).collect()
}

/// A CSV table as text: numbers are printed so that equal text is equal bits.
#[derive(Debug, PartialEq)]
pub(crate) struct Table {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    fn parse(text: &str) -> Self {
        assert!(text.ends_with('\n'), "the last line is torn");
        let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines().map(split);
        let columns = lines.next().expect("a header");
        let rows: Vec<Vec<String>> = lines.collect();
        assert!(rows.iter().all(|row| row.len() == columns.len()), "rows differ in length");
        Self { columns, rows }
    }

    /// Without the columns that are measured by a clock on the wall.
    fn without_times(&self) -> Self {
        let keep = |cells: &[String]| {
            let pairs = self.columns.iter().zip(cells);
            pairs.filter(|(column, _)| !column.ends_with("_ms")).map(|(_, cell)| cell.clone()).collect::<Vec<_>>()
        };
        Self { columns: keep(&self.columns), rows: self.rows.iter().map(|row| keep(row)).collect() }
    }

    pub(crate) fn numbers(&self, column: &str) -> Vec<f64> {
        let place = self.columns.iter().position(|c| c == column).unwrap_or_else(|| panic!("no column {column}"));
        let number = |text: &String| if text.is_empty() { f64::NAN } else { text.parse().expect("a number") };
        self.rows.iter().map(|row| number(&row[place])).collect()
    }
}
