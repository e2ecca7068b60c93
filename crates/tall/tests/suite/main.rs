//! Three-dimensional water as a user sees it: steps of whole scenes on both executors. One program for all of them:
//! linking is what takes long.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod bodies;
mod collocated;
mod exchange;
mod fine;
mod floating;
mod meshes;
mod random_scenes;
mod rest;
mod sea;
mod shaken;
mod surface_mesh;
mod tank;
mod volume_grid;
mod waves;
