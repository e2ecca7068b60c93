//! How the surface is carried.

pub(crate) mod level_set;
