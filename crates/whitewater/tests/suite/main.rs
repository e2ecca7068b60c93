//! Spray, mist and foam over whole scenes. One program for all of them: linking is what takes long.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod dam_break;
