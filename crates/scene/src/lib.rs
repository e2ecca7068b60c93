//! Scene files: what to simulate, parsed strictly and checked before anything is allocated.
//!
//! A scene is a TOML text. [`Scene::from_file`] gives a [`Scene`] with plain types in SI units, or a
//! [`SceneError`] that names every mistake with its line, the valid range and the nearest key.
//!
//! ```
//! use thalweg_scene::Scene;
//!
//! let text = r#"
//!     [scene]
//!     name = "Dam break"
//!     duration = 5.0
//!
//!     [domain]
//!     size = [3.2, 1.8, 1.0]
//!     cell = 0.05
//!
//!     [water]
//!     boxes = [{ min = [0, 0, 0], max = [0.8, 1.2, 1.0] }]
//! "#;
//! let scene = Scene::from_str(text, "dam-break.toml", ".")?;
//! let bed = scene.terrain.rasterise(&scene.grid)?;
//! let depth = scene.water.rasterise(&scene.grid, &bed)?;
//! assert_eq!((scene.grid.nx, scene.grid.nz, depth[0]), (64, 20, 1.2));
//!
//! let typo = Scene::from_str(&text.replace("cell", "cel"), "dam-break.toml", ".").unwrap_err();
//! assert_eq!(typo.diagnostics()[0].hint.as_deref(), Some("did you mean `cell`?"));
//! # Ok::<(), thalweg_scene::SceneError>(())
//! ```
//!
//! A program makes a scene from the plain structs of [`format`](mod@format), with [`Scene::build`].
//!
//! From text to scene, in order: [`toml`] parses; `check` compares the tree with the schema of the types in
//! [`format`](mod@format); each section's `lower` checks what the schema cannot say and reads the files that the
//! section names, through [`Files`]; `warnings` looks at the scene as a whole and warns of what is hardly meant
//! ([`Scene::warnings`]). A scene that a program made becomes a text first, so that it takes the same path.

mod body;
mod body_shape;
mod boundary;
mod check;
mod context;
mod cost;
mod diagnostics;
mod files;
pub mod format;
mod grid;
pub mod heightmap;
pub mod mesh;
mod motion;
mod obstacle;
mod output;
mod places;
mod probe;
mod quadtree;
mod rating;
mod report;
mod scene;
mod schema;
mod series;
mod shipped;
mod source;
mod suggest;
mod support;
mod tall;
mod terrain;
mod turn;
mod warnings;
mod water;
mod waves;

pub use cost::Cost;
pub use diagnostics::{Diagnostic, Place, SceneError, Severity};
pub use files::{FileError, Files};
pub use format::Maps;
pub use grid::{Grid, HUGE_CELLS, MOST_CELLS};
pub use output::{Camera, Field, Materials, Output, Render};
pub use places::ScenePart;
pub use probe::{Area, BodyQuantity, Probe, ProbeKind, Region};
pub use quadtree::{QUADTREE_TILE, Quadtree};
pub use scene::{Scene, SceneText};
pub use schema::schema;
pub use shipped::{ShippedScene, shipped};
pub use suggest::nearest;
pub use tall::Tall;
pub use terrain::{StreamedTerrain, Terrain, TerrainSampler};
use thalweg_model::table;
pub use thalweg_model::{
    Abilities, Ability, Body, BodyPart, Coupling, Datum, Discretisation, FineRegion, HeightFormat, Inflow, Limiter,
    Locks, Mass, Measure, MeshFormat, Mooring, Motion, Observer, Obstacle, PartShape, PointFormat, Pose, Series,
    SeriesError, Side, Sides, Solid, Source, SourceShape, Spectrum, Spin, TableError, Travel, TreeScheme, VolumeFormat,
    WhitewaterSettings, number,
};
pub use water::{Scheme, Shallow, Solver, Water, WaterBox};
pub use waves::Waves;
