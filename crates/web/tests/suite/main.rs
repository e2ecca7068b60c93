//! The server and the recordings of the web page. One program for all of them: linking is what takes long.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod recording;
mod server;
