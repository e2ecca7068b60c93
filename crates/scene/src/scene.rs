//! A validated scene, and how it is read from text.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thalweg_model::{Body, Coupling, Obstacle, Series, Sides, Source, WhitewaterSettings};

use crate::body;
use crate::boundary;
use crate::context::{Context, Fnv};
use crate::diagnostics::{Diagnostic, SceneError};
use crate::files::Files;
use crate::format::{self, LARGEST_SCENE, Maps, SceneFile, parse_tree};
use crate::grid::Grid;
use crate::number::{exact, short};
use crate::obstacle;
use crate::output::{Camera, Output, Render};
use crate::places::Places;
use crate::probe::{Probe, ProbeKind};
use crate::report::{At, Pointing, Report};
use crate::series;
use crate::shipped;
use crate::source;
use crate::support::refuse_unsupported;
use crate::terrain::Terrain;
use crate::warnings;
use crate::water::{Solver, Water};
use crate::waves::Waves;

/// Most rows of statistics of a run; more is a slip in `step`.
const MOST_ROWS: f64 = 1e8;

/// Heaviest rain, mm/h. The record of one minute is near 2000.
const HEAVIEST_RAIN: f64 = 1e5;

/// mm/h in a m/s.
const MM_PER_HOUR: f64 = 3.6e6;

/// What to simulate: a scene that passed every check. SI units; y is up, x and z are horizontal.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The scene's name.
    pub name: String,
    /// What it shows; may be empty.
    pub description: String,
    /// Simulated time, s.
    pub duration: f64,
    /// Time between rows of the statistics, s.
    pub step: f64,
    /// Acceleration of gravity, m/s².
    pub gravity: f64,
    /// The grid.
    pub grid: Grid,
    /// The water at the start, and its solver.
    pub water: Water,
    /// The ground.
    pub terrain: Terrain,
    /// Solids; only three-dimensional water has them.
    pub obstacles: Vec<Obstacle>,
    /// Rigid bodies; only three-dimensional water has them.
    pub bodies: Vec<Body>,
    /// How water acts on them.
    pub body_coupling: Coupling,
    /// The four sides.
    pub boundary: Sides,
    /// Spray, mist and foam, if there are; only three-dimensional water has them.
    pub whitewater: Option<WhitewaterSettings>,
    /// A sea of random waves.
    pub waves: Option<Waves>,
    /// Rain over the whole domain, m/s.
    pub rain: Option<Series>,
    /// Springs and drains.
    pub sources: Vec<Source>,
    /// Gauges.
    pub probes: Vec<Probe>,
    /// Maps over time, if there are; only shallow water on a uniform grid has them.
    pub maps: Option<Maps>,
    /// Where rendered pictures are seen from.
    pub camera: Camera,
    /// What the pictures show.
    pub render: Render,
    /// What is written, and how often.
    pub output: Output,
    /// Changes when any setting or any file that the scene reads changes, and not with comments,
    /// layout or the order of keys. A checkpoint belongs to the scene with the same digest.
    pub digest: u64,
    /// What the scene was read from: enough to read it again anywhere.
    pub text: Arc<SceneText>,
    /// What it asks for and hardly means, in the order of the file.
    pub warnings: Vec<Diagnostic>,
    pub(crate) places: Places,
}

/// A scene before it is read: its text, and the files that it names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SceneText {
    /// Name of the scene's file in messages, without folders.
    pub name: String,
    /// TOML.
    pub text: String,
    /// The content of the files that it names, by the name that it uses.
    pub files: Vec<(String, Vec<u8>)>,
    /// The folder of files that are read while the scene runs, and are not in `files` (`stream` in `[terrain]`), absolute and in UTF-8; `None` if there are none.
    pub streams_from: Option<PathBuf>,
}

impl SceneText {
    /// Memory that it takes, bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|(_, content)| content.len() as u64).sum::<u64>() + self.text.len() as u64
    }
}

impl Scene {
    /// Reads a scene file. Files that it names are relative to its folder.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let whole = |message: String| SceneError::from(Diagnostic::whole_file(&name, message, None));
        let Some(file) = path.file_name().and_then(|file| file.to_str()) else {
            return Err(whole("this is not the name of a file".to_owned()));
        };
        let files = Files::Folder(folder);
        let bytes =
            files.read(file, LARGEST_SCENE).map_err(|error| whole(format!("the scene cannot be read: {error}")))?;
        Self::from_bytes(&bytes, &name, &files)
    }

    /// Reads a scene from text. `name` stands for the file in messages; files that the scene names
    /// are relative to `base_dir`.
    pub fn from_str(text: &str, name: &str, base_dir: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::with_files(text, name, &Files::Folder(base_dir.as_ref().to_owned()))
    }

    /// Reads a scene from bytes that may not be text.
    pub fn from_bytes(bytes: &[u8], name: &str, files: &Files<'_>) -> Result<Self, SceneError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::with_files(text, name, files),
            Err(error) => {
                let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                let end = valid.len();
                let hint = "save the file as UTF-8".to_owned();
                let message = "the scene is not text in UTF-8";
                Err(Diagnostic::at(name, &valid, end..end, message, Some(hint)).into())
            }
        }
    }

    /// One of the scenes that ship with Thalweg, by its name.
    pub fn shipped(name: &str) -> Result<Self, SceneError> {
        let scene = shipped::find(name)?;
        Self::with_files(scene.text, &format!("{name}.toml"), &Files::Table(scene.files))
    }

    /// Reads a scene again from what it was read from; nothing is taken from the disk but ground that streams.
    pub fn from_text(text: &SceneText) -> Result<Self, SceneError> {
        let table: Vec<(&str, &[u8])> =
            text.files.iter().map(|(name, content)| (name.as_str(), content.as_slice())).collect();
        let files = match &text.streams_from {
            Some(folder) => Files::TableAndFolder(&table, folder.clone()),
            None => Files::Table(&table),
        };
        Self::with_files(&text.text, &text.name, &files)
    }

    /// Reads a scene from text, with its files from anywhere.
    pub fn with_files(text: &str, name: &str, files: &Files<'_>) -> Result<Self, SceneError> {
        Self::read(text, name, files, Pointing::Lines)
    }

    /// A scene that a program made: the same checks as for a file, and the same messages, which point at fields
    /// (`body[2].density`). Its [`text`](Self::text) is the file that says the same. See [`format`](mod@crate::format).
    pub fn build(file: &SceneFile, files: &Files<'_>) -> Result<Self, SceneError> {
        Self::read(&file.to_toml(), &file.scene.name, files, Pointing::Fields)
    }

    fn read(text: &str, name: &str, files: &Files<'_>, pointing: Pointing) -> Result<Self, SceneError> {
        // 1. Syntax.
        let tree = parse_tree(text, name)?;
        // 2. Structure: keys, types, choices, ranges.
        let mut report = Report::new(name, text, &tree).pointing_at(pointing);
        let file = SceneFile::of_tree(&mut report, &tree)?;
        // 3. Meaning: what sections say to each other, and the files that they name.
        let mut context = Context::new(report, files, file.scene.duration);
        let scene = Self::lower(file, &mut context);
        let files = std::mem::take(&mut context.files_read);
        let streams_from = context.streams_from.take();
        context.report.result()?;
        let file_name = Path::new(name).file_name().map_or_else(|| name.into(), |file| file.to_string_lossy());
        let source = SceneText { name: file_name.into_owned(), text: text.to_owned(), files, streams_from };
        let warnings = context.report.warnings();
        scene.map(|scene| Self { text: Arc::new(source), warnings, ..scene }).ok_or_else(|| {
            Diagnostic::whole_file(name, "the scene was refused without a reason; please report it", None).into()
        })
    }

    /// Elevations that three-dimensional water may take on this bed, m: from the lowest ground, rounded down to whole
    /// cells, to the height of the domain above that.
    pub fn elevations(&self, bed: &[f32]) -> [f64; 2] {
        let lowest = f64::from(bed.iter().copied().fold(f32::INFINITY, f32::min));
        // Single precision puts ground that is a multiple of the cell a little below or above it.
        let floor = (lowest / self.grid.cell + 1e-4).floor() * self.grid.cell;
        [floor, floor + self.grid.height]
    }

    /// Puts other obstacles in; returns those before. The digest changes with them, and comes back if they do.
    pub fn replace_obstacles(&mut self, obstacles: Vec<Obstacle>) -> Vec<Obstacle> {
        let digest = |obstacles: &[Obstacle]| {
            let mut digest = Fnv::default();
            digest.write(format!("{obstacles:?}").as_bytes());
            digest.finish()
        };
        self.digest ^= digest(&self.obstacles) ^ digest(&obstacles);
        std::mem::replace(&mut self.obstacles, obstacles)
    }

    /// Puts other bodies in; returns those before. The digest changes with them, and comes back if they do. Probes of bodies follow them by name;
    /// one whose body is gone has a number that no body has.
    pub fn replace_bodies(&mut self, bodies: Vec<Body>) -> Vec<Body> {
        let digest = |bodies: &[Body]| {
            let mut digest = Fnv::default();
            digest.write(format!("{bodies:?}").as_bytes());
            digest.finish()
        };
        self.digest ^= digest(&self.bodies) ^ digest(&bodies);
        let old = std::mem::replace(&mut self.bodies, bodies);
        for probe in &mut self.probes {
            if let ProbeKind::Body { body, .. } = &mut probe.kind {
                let name = old.get(*body).map(|body| &body.name);
                let found = self.bodies.iter().position(|body| Some(&body.name) == name);
                *body = found.unwrap_or(usize::MAX);
            }
        }
        old
    }

    fn lower(mut file: SceneFile, context: &mut Context<'_>) -> Option<Self> {
        // How much memory ground that streams may take changes no result.
        let memory = file.terrain.memory.take();
        let canonical = serde_json::to_vec(&file).unwrap_or_default();
        file.terrain.memory = memory;
        context.digest.write(&canonical);
        check_time(&file.scene, context);
        // The grid first: without it no place can be checked, and no large file should be read.
        let solver = Solver::lower(&file.water.solver, context);
        let grid = Grid::lower(&file.domain, solver, context);
        refuse_unsupported(&file, solver, context);
        let waves = Waves::lower(&file, context);
        let camera = Camera::lower(&file.camera, context);
        let render = Render::lower(&file.render, solver, context);
        let output = Output::lower(&file.output, context);
        let grid = grid?;

        let terrain = Terrain::lower(&file.terrain, &grid, context);
        let obstacles = obstacle::lower_all(&file.obstacle, &grid, context);
        let bodies = body::lower_all(&file.body, &file.bodies, &grid, context);
        let solids = obstacles.as_deref().unwrap_or_default();
        let afloat = bodies.as_ref().map_or(&[][..], |(bodies, _)| bodies);
        let domain = (&grid, file.domain.allow_huge);
        let water = Water::lower(&file.water, solver, (solids, afloat), domain, context);
        render.check_slice(&grid, context);
        let manning = file.water.shallow.as_ref().map_or(0.0, |shallow| shallow.manning);
        let boundary = boundary::lower(&file.boundary, &grid, (solver, manning), context);
        let rain = file.rain.as_ref().map(|rain| {
            let at = At::root().key("rain").key("rate");
            series::lower(&rain.rate, context, &at, [0.0, HEAVIEST_RAIN], "mm/h")
        });
        let sources = file.source.iter().enumerate();
        let sources: Vec<_> = sources.map(|(index, source)| source::lower(index, source, &grid, context)).collect();
        let (bodies, body_coupling) = bodies.map_or((None, Coupling::default()), |(list, how)| (Some(list), how));
        let solids = obstacles.as_deref().zip(bodies.as_deref());
        let probes = solids.map(|solids| Probe::lower_all(&file.probe, &grid, solids, context));

        let rain = match rain {
            Some(rate) => Some(rate?.scaled(1.0 / MM_PER_HOUR)),
            None => None,
        };
        let scene = Self {
            name: file.scene.name.clone(),
            description: file.scene.description.clone(),
            duration: file.scene.duration,
            step: file.scene.step,
            gravity: file.scene.gravity,
            grid,
            water: water?,
            terrain: terrain?,
            obstacles: obstacles?,
            bodies: bodies?,
            body_coupling,
            boundary: boundary?,
            whitewater: file.whitewater,
            waves,
            rain,
            sources: sources.into_iter().collect::<Option<_>>()?,
            probes: probes?,
            maps: file.maps,
            camera,
            render,
            output,
            digest: context.digest.finish(),
            text: Arc::default(),
            warnings: Vec::new(),
            places: Places::of(&file, context),
        };
        warnings::look(&scene, &file, context);
        Some(scene)
    }
}

fn check_time(file: &format::Header, context: &mut Context<'_>) {
    let at = At::root().key("scene");
    let rows = file.duration / file.step;
    if rows > MOST_ROWS {
        context.report.error_with(
            &at.key("step"),
            format!("a step of {} s makes {} rows of statistics", exact(file.step), short(rows)),
            format!("it must be at least {} s", short(file.duration / MOST_ROWS)),
        );
    }
}
