//! The stages of a step.

pub(crate) mod advect;
pub(crate) mod bodies;
pub(crate) mod exchange;
pub(crate) mod extrapolate;
pub(crate) mod far_field;
pub(crate) mod nudge;
pub(crate) mod project;
pub(crate) mod remesh;
pub(crate) mod samples;
pub(crate) mod solids;
pub(crate) mod volume;
