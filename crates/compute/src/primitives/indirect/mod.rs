//! Dispatch arguments from a count that the host never sees.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use super::holds;
use crate::buffer::Buffer;
use crate::dispatch::Dispatch;
use crate::error::Result;
use crate::executor::{Executor, Recording};
use crate::kernel::{Kernel, KernelInfo};

crate::uniform! {
    /// Parameters of [`FoldCount`].
    pub(crate) struct FoldCountParams {
        /// Threads of a workgroup of the kernel that will run.
        pub workgroup: u32,
    }
}

crate::kernel! {
    /// Turns a count of elements into folded workgroups.
    pub(crate) struct FoldCount slices FoldCountSlices = "compute.fold_count" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/indirect.wgsl")), entry: "fold_count",
        workgroup: [1, 1, 1],
        params: FoldCountParams,
        cpu: cpu::fold_count,
        read count: u32,
        write args: u32,
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![FoldCount::INFO]
}

/// The extent of a kernel over a count that lives on the executor, such as that of
/// [`Compact`](super::Compact).
///
/// Four words: workgroups along x, y and z, folded as by [`fold`](crate::fold), and the count, by which the
/// kernel checks its bounds.
#[derive(Debug)]
pub struct IndirectArgs {
    args: Buffer<u32>,
}

impl IndirectArgs {
    /// Where in [`buffer`](Self::buffer) the count is.
    pub const COUNT: usize = 3;

    /// Arguments for no workgroups.
    pub fn new(exec: &Executor) -> Result<Self> {
        Ok(Self { args: exec.buffer("indirect.args", 4)? })
    }

    /// Sets the arguments for one invocation of `K` per element; `count` is read when the recording runs.
    pub fn set<K: Kernel>(&self, rec: &mut Recording<'_>, count: &Buffer<u32>) -> Result<()> {
        holds(count, 1)?;
        let params = FoldCountParams { workgroup: K::INFO.workgroup[0] };
        rec.run(&FoldCount { count, args: &self.args }, &params, Dispatch::Groups([1, 1, 1]))
    }

    /// The extent for [`Recording::run`].
    pub fn dispatch(&self) -> Dispatch<'_> {
        Dispatch::Indirect(&self.args, 0)
    }

    /// The four words, for the kernel that runs over the count.
    pub fn buffer(&self) -> &Buffer<u32> {
        &self.args
    }
}
