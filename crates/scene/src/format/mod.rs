//! What a scene says: one plain struct per section, exactly as it is written in TOML, for programs that make scenes.
//!
//! A program fills a [`SceneFile`] and gives it to [`crate::Scene::build`], which makes the same checks as for a file
//! and gives the same messages, with the path of the field (`body[2].density`) in place of line and column. Every
//! struct has the defaults of the format; what a scene must give is empty or 0 by default, which the checks refuse.
//! [`SceneFile::to_toml`] writes the file, [`SceneFile::parse`] reads one.
//!
//! ```
//! use thalweg_scene::format::{Domain, Header, SceneFile, Water, WaterBox};
//! use thalweg_scene::{Files, Scene};
//!
//! let mut file = SceneFile {
//!     scene: Header { name: "Dam break".into(), duration: 5.0, ..Header::default() },
//!     domain: Domain { size: [3.2, 1.8, 1.0], cell: 0.05, ..Domain::default() },
//!     water: Water {
//!         boxes: vec![WaterBox { min: [0.0, 0.0, 0.0], max: [0.8, 1.2, 1.0] }],
//!         ..Water::default()
//!     },
//!     ..SceneFile::default()
//! };
//! let scene = Scene::build(&file, &Files::none())?;
//! assert_eq!((scene.grid.nx, scene.grid.nz), (64, 20));
//!
//! file.domain.cell = -0.05;
//! let error = Scene::build(&file, &Files::none()).unwrap_err();
//! assert_eq!(error.diagnostics()[0].path.as_deref(), Some("domain.cell"));
//! # Ok::<(), thalweg_scene::SceneError>(())
//! ```
//!
//! These types are the single definition of the format. Their doc comments, ranges and units become
//! the JSON schema ([`crate::schema()`]), and the schema drives the strict check that runs before they
//! are read, so the schema, the errors and the reader cannot disagree. Positions are not kept here:
//! a diagnostic finds its place in the source by the path of the key.

mod body;
mod boundary;
mod domain;
mod gauges;
mod obstacle;
mod output;
mod quadtree;
mod terrain;
mod text;
mod water;
mod waves;

pub use crate::output::Field;
pub use crate::water::{Scheme, WaterBox};
pub use body::{Bodies, Body, BodyPart, BodyShapeName, LockName, Mooring, Turn};
pub use boundary::{Boundaries, Boundary, BoundaryName, BoundaryTable, RatingCurve, Series, SeriesTable, Sine};
pub use domain::{Domain, Header};
pub use gauges::{FrontAxis, Maps, Probe, Rain, Source};
pub use obstacle::{Motion, Obstacle, Path, Spin, Swing};
pub use output::{Camera, Materials, Output, Ranges, Render, Sun};
pub use quadtree::{Observer as QuadtreeObserver, Quadtree, TreeSchemeName};
pub(crate) use terrain::HeightFile;
pub use terrain::{Mode, Nodata, NodataName, Shape, Terrain};
pub(crate) use text::{LARGEST_SCENE, parse_tree};
pub use thalweg_model::{
    Coupling, Discretisation, FineRegion, HeightFormat, Limiter, Measure, MeshFormat, PointFormat, SourceShape,
    Spectrum, VolumeFormat,
};
pub use water::{Datum, DatumName, Shallow, SurfaceFile, SurfaceKind, Tall, Water};
pub use waves::Waves;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
pub use thalweg_model::WhitewaterSettings;

/// A Thalweg scene: what to simulate, for how long, and what to write.
/// All lengths are metres and all times seconds; y is up, x and z are horizontal.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Thalweg scene")]
pub struct SceneFile {
    /// Name, duration and physical constants.
    pub scene: Header,
    /// The simulated box and its grid.
    pub domain: Domain,
    /// The method that moves the water, and the water at the start.
    #[serde(default)]
    pub water: Water,
    /// The ground. Without it the bed is flat at elevation 0 m.
    #[serde(default)]
    pub terrain: Terrain,
    /// Solids, for three-dimensional water.
    #[serde(default)]
    pub obstacle: Vec<Obstacle>,
    /// Rigid bodies, for three-dimensional water.
    #[serde(default)]
    pub body: Vec<Body>,
    /// What all bodies have in common.
    #[serde(default)]
    pub bodies: Bodies,
    /// What happens at the four sides. Walls unless said otherwise.
    #[serde(default)]
    pub boundary: Boundaries,
    /// Spray, mist and foam, for three-dimensional water.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whitewater: Option<WhitewaterSettings>,
    /// A sea of random waves.
    #[serde(default)]
    pub waves: Option<Waves>,
    /// Rain over the whole domain.
    #[serde(default)]
    pub rain: Option<Rain>,
    /// Springs and drains inside the domain.
    #[serde(default)]
    pub source: Vec<Source>,
    /// Gauges; each becomes a column of `probes.csv`.
    #[serde(default)]
    pub probe: Vec<Probe>,
    /// Maps over time, for shallow water on a uniform grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maps: Option<Maps>,
    /// Where the rendered pictures are seen from.
    #[serde(default)]
    pub camera: Camera,
    /// What the pictures show.
    #[serde(default)]
    pub render: Render,
    /// What is written, and how often.
    #[serde(default)]
    pub output: Output,
}
