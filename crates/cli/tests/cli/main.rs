//! The `thalweg` program from outside: what it prints, what it writes, how it ends.
//!
//! Every test drives the built program on small scenes of its own, in folders of its own.

mod export;
mod exports;
mod inspect;
mod interrupt;
mod pipes;
mod program;
mod quadtree;
mod refuse;
mod resume;
mod run;
mod schema;
#[cfg(feature = "selftest")]
mod selftest;
mod shipped;
mod tall;
mod view;
mod writing;
