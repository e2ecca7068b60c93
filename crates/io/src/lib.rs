//! Files that Thalweg writes: pictures, videos, tables, checkpoints and reports.
//!
//! Nothing here knows about solvers. Every module takes plain slices and names, and depends on no
//! other Thalweg crate, so any of them can be used by itself.
//!
//! | module | makes |
//! | --- | --- |
//! | [`plan`] | pictures of height-field water: plan view, or side view when one cell thick |
//! | [`image`] | the RGB picture they are drawn into, to and from PNG |
//! | [`video`] | one moving picture out of many frames: AV1 in MP4 (feature `video`, on by default) |
//! | [`mesh`] | triangles as PLY, OBJ, binary glTF and VTK |
//! | [`volume`] | fields on cells as OpenVDB, NumPy and VTK |
//! | [`heights`] | height fields as PNG, OpenEXR, ESRI ASCII, GeoTIFF and NumPy |
//! | [`points`] | particles as PLY and CSV |
//! | [`vtk`] | the list by which ParaView opens a series of files |
//! | [`table`] | CSV tables that survive a kill and can be resumed |
//! | [`checkpoint`] | versioned, checksummed state, replaced atomically |
//! | [`plot`] | line charts as SVG |
//! | [`report`] | a run in one self-contained HTML page |
//!
//! Two promises hold throughout. A file under its final name is whole: it is written beside its
//! place and renamed (tables, which grow, lose at most a torn last line). And no input makes the
//! crate panic: pictures show bad numbers in magenta, readers return typed errors.
//!
//! ```
//! use thalweg_io::plan::{FieldKind, PlanView, draw};
//!
//! let bed = [0.0, 0.2, 0.5, 0.0, 0.1, 0.4];
//! let depth = [0.3, 0.1, 0.0, 0.3, 0.2, 0.0];
//! let picture = draw(&PlanView {
//!     nx: 3,
//!     nz: 2,
//!     cell: 1.0,
//!     origin: [0.0, 0.0],
//!     bed: &bed,
//!     depth: &depth,
//!     field: FieldKind::Depth,
//!     values: &depth,
//!     range: [0.0, 0.3],
//!     dry_depth: 1e-3,
//!     title: "Beach",
//!     time: 0.0,
//!     width: 480,
//! });
//! assert_eq!(picture.width, 480);
//! ```

mod atomic;
mod canvas;
pub mod checkpoint;
mod colour;
mod error;
pub mod heights;
pub mod image;
pub mod mesh;
mod npz;
pub mod plan;
pub mod plot;
pub mod points;
pub mod report;
pub mod table;
mod text;
mod ticks;
mod vdb;
#[cfg(feature = "video")]
pub mod video;
#[cfg(not(feature = "video"))]
#[path = "no_video.rs"]
pub mod video;
pub mod volume;
pub mod vtk;

pub use atomic::{make_folder, write as write_atomically};
pub use error::Error;
pub use image::Image;
