//! Real-time simulation of large bodies of water: the library's front door.
//!
//! A [`Scene`] says what to simulate, a [`Simulation`] does it, on the processor or on any GPU.
//!
//! ```
//! use thalweg::{Backend, Scene, Simulation};
//!
//! let scene = Scene::from_str(
//!     r#"
//!     [scene]
//!     name = "A dam breaks"
//!     duration = 2.0
//!     [domain]
//!     size = [20, 2, 1]
//!     cell = 0.5
//!     [water]
//!     boxes = [{ min = [0, 0, 0], max = [5, 1, 1] }]
//!     "#,
//!     "dam.toml",
//!     ".",
//! )?;
//! let mut simulation = Simulation::new(scene, Backend::Cpu)?;
//! while simulation.time() < 2.0 {
//!     simulation.step(0.1)?;
//! }
//! let surface = simulation.water_surface()?;
//! assert!(surface.depth[30] > 0.0, "the front has passed 15 m");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A program can make its scene as well, from the structs of [`scene::format`]. The checks and the messages are those of
//! a file:
//!
//! ```
//! use thalweg::scene::format::{Domain, Header, SceneFile, Water, WaterBox};
//! use thalweg::scene::{Files, Scene};
//! use thalweg::{Backend, Simulation};
//!
//! let file = SceneFile {
//!     scene: Header { name: "A dam breaks".into(), duration: 2.0, ..Header::default() },
//!     domain: Domain { size: [20.0, 2.0, 1.0], cell: 0.5, ..Domain::default() },
//!     water: Water {
//!         boxes: vec![WaterBox { min: [0.0, 0.0, 0.0], max: [5.0, 1.0, 1.0] }],
//!         ..Water::default()
//!     },
//!     ..SceneFile::default()
//! };
//! let mut simulation = Simulation::new(Scene::build(&file, &Files::none())?, Backend::Cpu)?;
//! while simulation.time() < 2.0 {
//!     simulation.step(0.1)?;
//! }
//! assert!(simulation.water_surface()?.depth[30] > 0.0, "the front has passed 15 m");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! All but `video`, which makes a film of the pictures of a run, are on by default; without one of them there is less
//! to compile, and what needs it is refused with a typed error that names it.
//!
//! | feature | brings |
//! | --- | --- |
//! | `gpu` | simulations on GPUs (wgpu); without it [`Backend::Auto`] takes the processor |
//! | `bodies` | rigid bodies (Rapier) |
//! | `render` | pictures as one would see the water: `Painter`, `look` |
//! | `outputs` | what a run makes of its water: pictures, tables, checkpoints, files for other programs |

mod backend;
pub mod bodies;
mod body_preset;
mod check;
mod error;
mod ground;
mod interaction;
mod method;
pub mod methods;
#[cfg(feature = "outputs")]
pub mod outputs;
#[cfg(feature = "render")]
mod painted_sea;
#[cfg(feature = "render")]
mod painter;
mod probes;
mod sampler;
mod sea;
mod session;
mod setup;
mod simulation;
mod solids;
mod statistics;
mod world;

pub use backend::Backend;
pub use body_preset::BodyPreset;
pub use check::{LowestGround, check};
pub use error::{Error, MeshOf};
pub use ground::StreamedGround;
pub use interaction::{Interaction, InteractionError, Picked};
pub use method::{Method, Report};
pub use methods::tall::pour::{Pour, PourError};
pub use methods::tall::whitewater::Particles;
pub use methods::tall::{FineLevelSet, WaterSection, WaterVolume};
#[cfg(feature = "render")]
pub use painter::{Painter, Picture, look};
pub use probes::{Answer, CellAreas, Probe, Question};
pub use session::{Command, Event, GrabbedBody, SavedSession, Session};
pub use simulation::{Saved, Simulation, WaterSurface};
pub use solids::Pose;
pub use statistics::Statistics;
pub use world::World;

pub use thalweg_bodies as rigid;
pub use thalweg_columns as columns;
pub use thalweg_compute as compute;
pub use thalweg_ledger as ledger;
pub use thalweg_ledger::Ledger;
pub use thalweg_model as model;
pub use thalweg_model::{Abilities, Ability, Refusal, Snapshot};
pub use thalweg_particles as particles;
pub use thalweg_pressure as pressure;
#[cfg(feature = "render")]
pub use thalweg_render as render;
pub use thalweg_scene as scene;
pub use thalweg_scene::heightmap::streamed;
pub use thalweg_scene::{Scene, SceneError};
pub use thalweg_shallow as shallow;
pub use thalweg_tall as tall;
pub use thalweg_waves as waves;
pub use thalweg_whitewater as whitewater;

/// Every kernel of every method, for the test that checks all shaders.
pub fn kernels() -> Vec<compute::KernelInfo> {
    let methods = shallow::kernels()
        .into_iter()
        .chain(columns::kernels())
        .chain(ledger::kernels())
        .chain(pressure::device::kernels())
        .chain(tall::kernels())
        .chain(whitewater::kernels())
        .chain(particles::kernels());
    #[cfg(feature = "render")]
    let methods = methods.chain(render::kernels());
    let methods = methods.chain(waves::kernels());
    compute::kernels().into_iter().chain(methods).collect()
}

/// The parity cases of every kernel of every method: bodies that run on the processor and on a GPU, and must agree.
#[cfg(feature = "testing")]
pub fn parity_cases() -> Vec<compute::parity::ParityCase> {
    [
        compute::parity_cases(),
        shallow::parity_cases(),
        columns::parity_cases(),
        ledger::parity_cases(),
        pressure::parity_cases(),
        tall::parity_cases(),
        whitewater::parity_cases(),
        particles::parity_cases(),
        render::parity_cases(),
        waves::parity_cases(),
    ]
    .concat()
}

/// Compiles the README's example.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
