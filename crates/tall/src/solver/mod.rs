//! What computes: the state, the stages of a step in their order (`step.rs`), how the surface is carried, and the views
//! that read the state.
//!
//! The fields of the state end here: `pub(in crate::solver)`.

pub(crate) mod begin;
pub(crate) mod stages;
pub(crate) mod state;
mod step;
pub(crate) mod surface;
pub(crate) mod view;
