//! Tall-cell pressure: the matrix against brute force, water at rest, projection, multigrid, remeshing.
//!
//! `cargo test --release -p thalweg-pressure --test tall_cells -- --nocapture multigrid` prints the measured factors.

mod common;
mod edges;
mod hydrostatic;
mod matrix;
mod multigrid;
mod projection;
mod remesh;
mod singular;
