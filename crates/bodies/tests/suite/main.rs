//! Rigid bodies: mass, motion, saving, the step around a pressure solve. One program for all of them: linking is what
//! takes long.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod mass;
mod motion;
mod save;
mod shapes;
mod split_step;
