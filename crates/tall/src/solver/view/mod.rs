//! What only reads the state.

pub(crate) mod block;
pub(crate) mod cut;
pub(crate) mod drift;
pub(crate) mod flow;
pub(crate) mod gauges;
pub(crate) mod picture;
mod reading;
pub(crate) mod section;
pub(crate) mod skin;
pub(crate) mod statistics;
pub(crate) mod surface;
