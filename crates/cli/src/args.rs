//! Commands and their flags.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use thalweg::Backend;
use thalweg_model::{FileFormat, HeightFormat, MeshFormat, PointFormat, VolumeFormat};

/// Real-time simulation of large bodies of water.
#[derive(Debug, Parser)]
#[command(name = "thalweg", version, about)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scene to its end and write pictures, tables and a report.
    Run(RunArgs),
    /// Write the water of a checkpoint as a file for other programs.
    Export(ExportArgs),
    /// Show a running simulation in the browser, on this machine only.
    Serve(ServeArgs),
    /// Open a window on a running scene: look around, pour, push, build, change settings.
    View(ViewArgs),
    /// Validate a scene and say what it costs, before anything is allocated.
    Check(CheckArgs),
    /// List the scenes that ship.
    Scenes(ScenesArgs),
    /// Print the JSON schema of scene files, for editors.
    Schema,
    /// Show executors, adapters, limits and the version.
    Info(InfoArgs),
    /// Measure speed: NAME is one of the benchmarks (`thalweg bench --list`).
    Bench(BenchArgs),
    /// Hold the solvers to analysis and experiment.
    Validate(ValidateArgs),
    /// Hold every kernel on this machine's GPU to the processor: the first thing to run with an unusual driver.
    #[cfg(feature = "selftest")]
    Selftest(SelftestArgs),
}

/// Where to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendArg {
    /// A real GPU if there is one, else the processor.
    Auto,
    /// The processor.
    Cpu,
    /// A GPU, software drivers included.
    Gpu,
}

impl From<BackendArg> for Backend {
    fn from(arg: BackendArg) -> Self {
        match arg {
            BackendArg::Auto => Self::Auto,
            BackendArg::Cpu => Self::Cpu,
            BackendArg::Gpu => Self::Gpu,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// A scene file, or the name of a shipped scene.
    pub(crate) scene: String,
    /// Output folder [default: out/SCENE].
    #[arg(long, short)]
    pub(crate) out: Option<PathBuf>,
    /// Where to run.
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) backend: BackendArg,
    /// Threads of the processor [default: all].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Stop after this many frames.
    #[arg(long)]
    pub(crate) frames: Option<u64>,
    /// Go on from the last checkpoint in the output folder.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Seconds of wall time between checkpoints; overrides the scene.
    #[arg(long)]
    pub(crate) checkpoint_every: Option<f64>,
    /// Write no pictures and no video.
    #[arg(long)]
    pub(crate) no_pictures: bool,
    /// Write the surface of three-dimensional water at every frame: closed meshes with normals and velocities, and an
    /// index of their times, in the folder `meshes`. Overrides the scene, as the next three do.
    #[arg(long, value_parser = format::<MeshFormat>(), value_name = "FORMAT")]
    pub(crate) meshes: Option<MeshFormat>,
    /// Write level set, velocity and pressure of three-dimensional water at every frame, in the folder `volumes`; several formats with
    /// commas between them.
    #[arg(long, value_parser = format::<VolumeFormat>(), value_name = "FORMATS", value_delimiter = ',')]
    pub(crate) volumes: Option<Vec<VolumeFormat>>,
    /// Write spray, mist and foam at every frame, in the folder `particles`: places, velocities, radii and kinds (0 spray, 1 mist, 2 foam).
    #[arg(long, value_parser = format::<PointFormat>(), value_name = "FORMAT")]
    pub(crate) particles: Option<PointFormat>,
    /// Write depth, surface, bed and velocity as height maps at every frame, in the folder `heights`; several formats with commas between
    /// them.
    #[arg(long, value_parser = format::<HeightFormat>(), value_name = "FORMATS", value_delimiter = ',')]
    pub(crate) heights: Option<Vec<HeightFormat>>,
    /// Print one JSON object at the end instead of text.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// A format by its name, with what it is in the help.
fn format<F: FileFormat>() -> impl TypedValueParser<Value = F> {
    let values =
        F::all().iter().map(|format| PossibleValue::new(format.extension()).help(format.about().trim_end_matches('.')));
    PossibleValuesParser::new(values)
        .try_map(|name| F::all().iter().copied().find(|format| format.extension() == name).ok_or("no such format"))
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// A checkpoint, or the output folder of a run: its newest one.
    pub(crate) checkpoint: PathBuf,
    /// The file to write. Its ending chooses the format: ply, obj, glb or vtp for the surface; vdb, npz or vti for the volume; png, exr,
    /// asc, tif or npz for height maps.
    #[arg(long, value_name = "FILE")]
    pub(crate) to: PathBuf,
    /// What the file shall hold, where its format leaves a choice.
    #[arg(long, value_enum)]
    pub(crate) what: Option<WhatArg>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// What an exported file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhatArg {
    /// Elevation of the water's surface, m.
    Surface,
    /// Depth, m.
    Depth,
    /// Elevation of the ground, m.
    Bed,
    /// Velocity, m/s.
    Velocity,
    /// Length of the velocity, m/s.
    Speed,
    /// Greatest depth so far, m; like the following ones of scenes with `[maps]`.
    MaxDepth,
    /// Highest elevation of the water's surface so far, m.
    MaxSurface,
    /// Greatest speed so far, m/s.
    MaxSpeed,
    /// Time of the first wetting, s.
    Arrival,
    /// Time of the highest surface so far, s.
    PeakTime,
    /// Pressure of three-dimensional water, Pa.
    Pressure,
    /// Distance to the surface of three-dimensional water, m.
    LevelSet,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// A scene file, or the name of a shipped scene.
    pub(crate) scene: String,
    /// Port of the page [default: any free one].
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// Where to run.
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) backend: BackendArg,
    /// Open the page in the browser.
    #[arg(long, overrides_with = "no_open")]
    pub(crate) open: bool,
    /// Only print the address; this is the default.
    #[arg(long)]
    pub(crate) no_open: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// A scene file, or the name of a shipped scene.
    pub(crate) scene: String,
    /// Where to run.
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) backend: BackendArg,
    /// Threads of the processor [default: all].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Size of the window.
    #[arg(long, value_name = "WxH", default_value = "1280x800")]
    pub(crate) size: WindowSize,
    /// Pixels drawn for those of the window: auto, 1, 1/2 or 1/4.
    #[arg(long, default_value = "auto")]
    pub(crate) scale: String,
    /// Folder for screenshots and recordings.
    #[arg(long, short, default_value = ".")]
    pub(crate) out: PathBuf,
    /// Print one JSON object with the last figures when the window is closed.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Width and height, as `1280x800`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WindowSize(pub(crate) [u32; 2]);

impl FromStr for WindowSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse::<u32>().ok().filter(|side| (1..=16384).contains(side));
        let sides = text.split_once('x').and_then(|(width, height)| Some([side(width)?, side(height)?]));
        sides.map(Self).ok_or_else(|| format!("`{text}` is no size: write width x height in pixels, as 1280x800"))
    }
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// A scene file, or the name of a shipped scene.
    pub(crate) scene: String,
    /// Machine-readable output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ScenesArgs {
    /// Print the text of one scene, to start your own from.
    #[arg(long, value_name = "SCENE")]
    pub(crate) show: Option<String>,
    /// Machine-readable output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// Machine-readable output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Which benchmark.
    #[arg(required_unless_present = "list")]
    pub(crate) name: Option<String>,
    /// Files that the benchmark reads (`poisson`).
    pub(crate) files: Vec<PathBuf>,
    /// Folder for plots and tables (`poisson-convergence`).
    #[arg(long, short)]
    pub(crate) out: Option<PathBuf>,
    /// List the benchmarks.
    #[arg(long)]
    pub(crate) list: bool,
    /// Largest grid edge, cells.
    #[arg(long, default_value_t = 8192)]
    pub(crate) max_size: u32,
    /// Smallest grid edge, cells.
    #[arg(long, default_value_t = 256)]
    pub(crate) min_size: u32,
    /// Only this executor.
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) backend: BackendArg,
    /// Machine-readable output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Only cases whose name contains this.
    pub(crate) case: Option<String>,
    /// Long forms of the cases that have one, instead of the short forms of all: minutes each.
    #[arg(long)]
    pub(crate) long: bool,
    /// List the cases.
    #[arg(long)]
    pub(crate) list: bool,
    /// Where to run; `auto` takes the processor and, if there is any GPU, that too.
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) backend: BackendArg,
    /// Folder for plots and a report.
    #[arg(long, short)]
    pub(crate) out: Option<PathBuf>,
    /// Machine-readable output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(feature = "selftest")]
#[derive(Debug, Args)]
pub(crate) struct SelftestArgs {
    /// Only cases whose name contains this, as `pressure` or `shallow::pour`.
    pub(crate) case: Option<String>,
    /// Part of the adapter's name (`thalweg info` lists them) [default: the best one, a software driver if there is no other].
    #[arg(long, value_name = "NAME")]
    pub(crate) adapter: Option<String>,
    /// Compile kernels with all the liberties that WGSL leaves to drivers: shows on a software driver what a real one may do.
    #[arg(long)]
    pub(crate) liberties: bool,
    /// Machine-readable output.
    #[arg(long)]
    pub(crate) json: bool,
}
