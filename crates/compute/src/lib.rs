//! Kernels with a CPU and a GPU body, and the two executors that run them.
//!
//! A [`Kernel`] is per-cell or per-particle work with two bodies side by side: a Rust function over slices
//! and a WGSL entry point. A method records kernels through a [`Recording`] and never asks which
//! [`Executor`] runs them: [`Cpu`] (rayon, at once) or [`Gpu`] (wgpu, one submission).
//!
//! ```
//! use thalweg_compute::{primitives, Executor};
//!
//! let exec = Executor::cpu()?;
//! let counts = exec.buffer_from("counts", &[3u32, 1, 4, 1, 5])?;
//! let scan = primitives::Scan::new(&exec, counts.len())?;
//! let offsets = exec.buffer::<u32>("offsets", counts.len())?;
//! let mut rec = exec.record();
//! scan.exclusive(&mut rec, &counts, &offsets)?;
//! rec.submit()?;
//! assert_eq!(exec.read(&offsets)?, [0, 3, 4, 8, 9]);
//! # Ok::<(), thalweg_compute::ComputeError>(())
//! ```
//!
//! What is here: [`Buffer`] (typed memory), [`kernel!`] and [`uniform!`] (definitions), [`Dispatch`] (extent, folding,
//! indirect counts), [`Timings`] (per stage), [`Readback`] and [`Later`] (asynchronous), [`primitives`] (reduce, scan,
//! sort, compact). The feature `testing` adds `parity` (CPU against GPU) and `shader_check` (WGSL against Rust, no GPU
//! needed).
//!
//! The feature `gpu`, on by default, brings the GPU executor. Without it there is no wgpu to compile, all else is the
//! same, and asking for a GPU is [`ComputeError::BuiltWithoutGpu`].

// The macros name this crate by its public name, also from inside.
extern crate self as thalweg_compute;

mod adapter;
mod bindings;
mod buffer;
mod constants;
mod cpu;
mod dispatch;
mod error;
mod executor;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(not(feature = "gpu"))]
#[path = "no_gpu.rs"]
mod gpu;
mod kernel;
mod later;
#[cfg(any(test, feature = "testing"))]
pub mod parity;
pub mod primitives;
mod rng;
#[cfg(any(test, feature = "testing"))]
pub mod shader_check;
mod stopwatch;
#[cfg(test)]
mod tests;
mod timing;
mod watch;

pub use adapter::{AdapterSummary, GpuOptions};
pub use buffer::{Buffer, RawBuffer, allocated_bytes};
pub use bytemuck;
pub use cpu::Cpu;
pub use dispatch::{Dispatch, fold};
pub use error::{ComputeError, Result};
pub use executor::{Executor, Readback, Recording};
pub use gpu::{Gpu, adapters};
pub use kernel::{Access, BindingInfo, Kernel, KernelInfo, MemberInfo, Uniform, WORKGROUP, raw};
pub use later::{Later, Shared};
pub use rng::Rng;
pub use stopwatch::Stopwatch;
pub use timing::{StageTime, Timings};
#[cfg(feature = "gpu")]
pub use wgpu;

/// Every kernel of this crate, for tests that check all shaders.
pub fn kernels() -> Vec<KernelInfo> {
    primitives::kernels()
}

/// The parity cases of every kernel of this crate.
#[cfg(any(test, feature = "testing"))]
pub fn parity_cases() -> Vec<parity::ParityCase> {
    primitives::parity_cases()
}
