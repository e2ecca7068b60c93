//! The vocabulary of Thalweg: one type for each thing that scene files, solvers, exports, the viewer and the web page
//! all talk about.
//!
//! Everything is in SI units and world coordinates (y up), and nothing here knows a solver, a file or a GPU.

mod ability;
mod body;
mod formats;
mod motion;
pub mod number;
mod numerics;
mod particles;
mod pose;
mod refinement;
mod series;
mod side;
mod snapshot;
mod solid;
mod source;
mod statistics;
mod surface_mesh;
pub mod table;
mod vector;
mod water;
mod wave;
mod whitewater;

pub use ability::{Abilities, Ability, Refusal};
pub use body::{Body, BodyPart, Coupling, Locks, Mass, Mooring, Obstacle, PartShape, is_name};
pub use formats::{FileFormat, HeightFormat, MeshFormat, PointFormat, VolumeFormat};
pub use motion::{Motion, Spin, Travel};
pub use numerics::{Datum, Discretisation, Limiter, Measure, Spectrum, TreeScheme};
pub use particles::{ParticleKind, Particles, WhitewaterStatistics};
pub use pose::Pose;
pub use refinement::{FineRegion, Observer};
pub use series::{Series, SeriesError, two_columns};
pub use side::{Inflow, Side, Sides};
pub use snapshot::{Array, Snapshot, SnapshotError};
pub use solid::{Solid, TriangleMesh};
pub use source::{Source, SourceShape};
pub use statistics::Statistics;
pub use surface_mesh::SurfaceMesh;
pub use table::TableError;
pub use water::{FineLevelSet, Maps, Sample, WaterSection, WaterSurface, WaterVolume};
pub use wave::Wave;
pub use whitewater::{MOST_PARTICLES, MOST_PER_TRIAL, WhitewaterSettingError, WhitewaterSettings};
