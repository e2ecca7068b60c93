//! Rigid bodies that float: shapes, mass, contact (by Rapier), moorings, and a time step that is split around the
//! water's pressure solve.
//!
//! SI units; y is up. Places of bodies are `f64` in the world; the contact solver counts from [`WorldSetup::origin`] in
//! `f32`.
//!
//! A step with water, with `V` the velocity of a body, `M` its mass matrix and `J` the impulse of the water:
//!
//! 1. [`World::predict`] moves bodies by gravity, contacts, moorings, drag, and the *last* force `f` of the water;
//! 2. [`World::free`] gives `V* = V_predicted − dt M⁻¹ f`, the velocity that bodies would have without water;
//! 3. the water solves for its pressure with bodies that yield, and finds `J`;
//! 4. [`World::receive`] makes the velocity `V* + M⁻¹ J`, and keeps `J / dt`, limited, as `f` of the next step;
//! 5. [`World::submerge`] gives bodies what is under water of them, for drag.
//!
//! ```
//! use thalweg_bodies::{Body, Impulse, Solid, World, WorldSetup};
//!
//! let ball = Solid::Sphere { center: [0.0; 3], radius: 0.5 };
//! let sphere = Body::new("sphere", ball, [0.0, 10.0, 0.0]);
//! let mut world = World::new(&WorldSetup { bodies: vec![sphere], ..WorldSetup::default() })?;
//! for _ in 0..30 {
//!     world.predict(1.0 / 30.0)?;
//!     let free = world.free(); // the pressure solve would use this
//!     world.receive(1.0 / 30.0, &vec![Impulse::default(); free.len()])?;
//! }
//! assert!((world.states()[0].velocity[1] + 9.81).abs() < 1e-3);
//! # Ok::<(), thalweg_bodies::WorldError>(())
//! ```
//!
//! The feature `rapier`, on by default, brings contacts, which every [`World`] needs. Without it the crate has the
//! types alone: making a world is the error [`WorldError::BuiltWithoutRapier`], and some fifty crates less are
//! compiled.
#![cfg_attr(not(feature = "rapier"), allow(dead_code, reason = "a world would use it"))]

mod coupling;
mod error;
mod mass;
mod polyhedron;
mod setup;
mod shape;
mod state;
#[cfg(feature = "rapier")]
mod world;
#[cfg(not(feature = "rapier"))]
#[path = "no_world.rs"]
mod world;

pub use coupling::{FreeBody, Impulse, Wet};
pub use error::{BodyError, LoadError, WorldError};
pub use mass::MassProperties;
pub use polyhedron::Surface;
pub use setup::{GroundHeights, Walls, WorldSetup};
pub use shape::Shape;
pub use state::{BodyState, Overlap, Picked};
pub use thalweg_model::{
    Body, BodyPart, Coupling, Locks, Mass, Mooring, Motion, Obstacle, PartShape, Pose, Solid, Spin, Travel,
    TriangleMesh,
};
pub use world::World;
