//! What computes: the state, the stages of a step in their order (`step.rs`), how the surface is carried, and the views that read the state.

pub(crate) mod stages;
pub(crate) mod step;
pub(crate) mod surface;
pub(crate) mod view;
