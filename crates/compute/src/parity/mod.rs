//! CPU against GPU: a body runs on both executors and gives outputs, which are compared.
//!
//! The parity cases of a stage stand in a file `parity.rs` beside it: plain functions, and at its end one list, which
//! makes a test of each and gives all of them to the crate's `parity_cases()`. So `cargo test` runs them on the test
//! GPU, and `thalweg selftest` on the user's.
//!
//! ```
//! use thalweg_compute::parity::{Outputs, Rng, Tolerance};
//! use thalweg_compute::primitives::copy_all;
//! use thalweg_compute::{Executor, Result};
//!
//! fn copies(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
//!     let source = exec.buffer_from("source", &rng.f32s(1000, -1.0, 1.0))?;
//!     let copied = exec.buffer::<f32>("copied", 1000)?;
//!     let mut rec = exec.record();
//!     rec.copy(&source, &copied)?;
//!     rec.submit()?;
//!     out.f32("copied", exec.read(&copied)?, Tolerance::Exact);
//!     Ok(())
//! }
//!
//! thalweg_compute::parity_cases! {
//!     copies: 8 seeds,
//! }
//! # fn main() {}
//! ```
//!
//! Fresh memory is not zero while a case runs, so that a value that was never written is noticed. Where a kernel
//! is meant to find zeros, or to leave values alone, the case puts something there with
//! [`Executor::buffer_from`](crate::Executor::buffer_from).

mod case;
mod executors;
mod outputs;

pub use crate::rng::Rng;
pub use case::{CaseReport, ParityCase, check_compared};
pub use executors::{
    is_software, own_physics_executors, own_test_executors, physics_executors, test_executors, test_gpu,
};
pub use outputs::{Comparison, Element, Outputs, Run, Tolerance};

/// What fresh memory holds while a case runs.
pub const SENTINEL: u32 = crate::watch::SENTINEL;
