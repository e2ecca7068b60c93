//! Scene files that are right, and scene files that are wrong. One program for all of them: linking is what takes long.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod broken;
mod code;
mod every_key;
mod valid;
mod warnings;
