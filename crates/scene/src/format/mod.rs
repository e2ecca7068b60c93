//! The file format: one plain struct per section, exactly as it is written in TOML.
//!
//! These types are the single definition of the format. Their doc comments, ranges and units become
//! the JSON schema ([`crate::schema`]), and the schema drives the strict check that runs before they
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
mod water;
mod waves;

pub(crate) use body::{Bodies, Body, BodyPart, BodyShapeName, CouplingName, LockName, Turn};
pub(crate) use boundary::{Boundaries, Boundary, BoundaryName, BoundaryTable, RatingCurve, Series, SeriesTable, Sine};
pub(crate) use domain::{Domain, Header};
pub(crate) use gauges::{FrontAxis, Maps, Probe, Rain, Source};
pub(crate) use obstacle::{Motion, Obstacle, Path};
pub(crate) use output::{Camera, FieldName, Output, Ranges, Render};
pub(crate) use quadtree::{MeasureName, Observer as QuadtreeObserver, Quadtree, TreeSchemeName};
pub(crate) use terrain::{HeightFile, Mode, Nodata, Shape, Terrain};
pub(crate) use water::{
    Datum, DatumName, DiscretisationName, LimiterName, SchemeName, Shallow, SurfaceKind, Tall, Water, WaterBox,
};
pub(crate) use waves::{SpectrumName, Waves};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thalweg_model::WhitewaterSettings;

/// A Thalweg scene: what to simulate, for how long, and what to write.
/// All lengths are metres and all times seconds; y is up, x and z are horizontal.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Thalweg scene")]
pub(crate) struct SceneFile {
    /// Name, duration and physical constants.
    pub(crate) scene: Header,
    /// The simulated box and its grid.
    pub(crate) domain: Domain,
    /// The method that moves the water, and the water at the start.
    #[serde(default)]
    pub(crate) water: Water,
    /// The ground. Without it the bed is flat at elevation 0 m.
    #[serde(default)]
    pub(crate) terrain: Terrain,
    /// Solids, for three-dimensional water.
    #[serde(default)]
    pub(crate) obstacle: Vec<Obstacle>,
    /// Rigid bodies, for three-dimensional water.
    #[serde(default)]
    pub(crate) body: Vec<Body>,
    /// What all bodies have in common.
    #[serde(default)]
    pub(crate) bodies: Bodies,
    /// What happens at the four sides. Walls unless said otherwise.
    #[serde(default)]
    pub(crate) boundary: Boundaries,
    /// Spray, mist and foam, for three-dimensional water.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) whitewater: Option<WhitewaterSettings>,
    /// A sea of random waves.
    #[serde(default)]
    pub(crate) waves: Option<Waves>,
    /// Rain over the whole domain.
    #[serde(default)]
    pub(crate) rain: Option<Rain>,
    /// Springs and drains inside the domain.
    #[serde(default)]
    pub(crate) source: Vec<Source>,
    /// Gauges; each becomes a column of `probes.csv`.
    #[serde(default)]
    pub(crate) probe: Vec<Probe>,
    /// Maps over time, for shallow water on a uniform grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) maps: Option<Maps>,
    /// Where the rendered pictures are seen from.
    #[serde(default)]
    pub(crate) camera: Camera,
    /// What the pictures show.
    #[serde(default)]
    pub(crate) render: Render,
    /// What is written, and how often.
    #[serde(default)]
    pub(crate) output: Output,
}
