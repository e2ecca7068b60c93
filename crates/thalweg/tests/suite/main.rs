//! The front door: scenes, probes, interaction, saving, on both executors. One program for all of them: linking is what takes long.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod bodies;
mod bucket;
mod house;
mod interaction;
mod later;
mod meshes;
mod outputs;
mod pour;
mod quadtree;
mod raster;
mod readme;
mod sea;
mod shaders;
mod simulation;
mod streamed_ground;
mod streamed_scene;
mod touch;
mod whitewater;
