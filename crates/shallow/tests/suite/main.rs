//! Shallow water as a user sees it: uniform grids and quadtrees on both executors. One program for all of them: linking
//! is what takes long.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod behaviour;
mod kernel_advection;
mod sides;
mod tree;
mod tree_drivers;
