//! Stream compaction: the indices of the elements that a flag selects, in order.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use super::reduce::TILE;
use super::{Scan, holds, within};
use crate::buffer::Buffer;
use crate::dispatch::Dispatch;
use crate::error::Result;
use crate::executor::{Executor, Recording};
use crate::kernel::{Kernel, KernelInfo};

crate::uniform! {
    /// Parameters of the compaction.
    pub(crate) struct CompactParams {
        /// Number of flags.
        pub len: u32,
    }
}

crate::kernel! {
    /// Writes every selected index to its place.
    pub(crate) struct CompactIndices slices CompactIndicesSlices = "compute.compact_indices" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/compact.wgsl")), entry: "compact_indices",
        workgroup: [256, 1, 1],
        params: CompactParams,
        cpu: cpu::compact_indices,
        read flags: u32,
        read offsets: u32,
        write indices: u32,
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![CompactIndices::INFO]
}

/// Lists the indices of set flags and counts them, without the host.
///
/// With [`IndirectArgs`](super::IndirectArgs) a kernel then runs over the list alone.
///
/// ```
/// use thalweg_compute::{primitives::Compact, Executor};
///
/// let exec = Executor::cpu()?;
/// let flags = exec.buffer_from("flags", &[0u32, 1, 1, 0, 1])?;
/// let (indices, count) = (exec.buffer::<u32>("indices", flags.len())?, exec.buffer::<u32>("count", 1)?);
/// let compact = Compact::new(&exec, flags.len())?;
/// let mut rec = exec.record();
/// compact.indices(&mut rec, &flags, &indices, &count)?;
/// rec.submit()?;
/// assert_eq!(exec.read(&count)?, [3]);
/// assert_eq!(exec.read(&indices)?[..3], [1, 2, 4]);
/// # Ok::<(), thalweg_compute::ComputeError>(())
/// ```
#[derive(Debug)]
pub struct Compact {
    scan: Scan,
    offsets: Buffer<u32>,
}

impl Compact {
    /// Scratch memory for up to `max_len` flags.
    pub fn new(exec: &Executor, max_len: usize) -> Result<Self> {
        Ok(Self { scan: Scan::new(exec, max_len)?, offsets: exec.buffer("compact.offsets", max_len)? })
    }

    /// Writes the indices of all flags that are 1, in ascending order, to the start of `indices`, and their
    /// number to the first element of `count`. Flags are 0 or 1; `indices` is at least as long as `flags`, and
    /// what lies behind the list stays as it was.
    pub fn indices(
        &self,
        rec: &mut Recording<'_>,
        flags: &Buffer<u32>,
        indices: &Buffer<u32>,
        count: &Buffer<u32>,
    ) -> Result<()> {
        let len = within(flags, flags.len(), self.offsets.len())?;
        holds(indices, flags.len())?;
        self.scan.exclusive_with_total(rec, flags, &self.offsets, count)?;
        let kernel = CompactIndices { flags, offsets: &self.offsets, indices };
        rec.run(&kernel, &CompactParams { len }, Dispatch::Elements(flags.len()))
    }
}
