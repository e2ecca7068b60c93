//! Building blocks that several methods need.
//!
//! All of them are deterministic: equal input gives equal bits on any number of threads, from run to run and
//! on both executors. Each owns its scratch memory, made once for the longest input; recording allocates nothing.

mod compact;
mod copy;
mod fill;
mod indirect;
mod reduce;
mod scan;
mod sort;
#[cfg(any(test, feature = "testing"))]
mod testing;

pub use compact::Compact;
pub use copy::{BulkCopy, BulkCopyParams, BulkCopySlices, copy_all};
pub use fill::{Fill, FillParams, FillSlices};
pub use indirect::IndirectArgs;
pub use reduce::Reduce;
pub use scan::Scan;
pub use sort::Sort;

use crate::buffer::Buffer;
use crate::dispatch::{Dispatch, fold};
use crate::error::{ComputeError, Result};
use crate::kernel::{Kernel, KernelInfo};

#[cfg(any(test, feature = "testing"))]
pub(crate) fn parity_cases() -> Vec<crate::parity::ParityCase> {
    [
        fill::parity::cases(),
        copy::parity::cases(),
        reduce::parity::cases(),
        scan::parity::cases(),
        sort::parity::cases(),
        compact::parity::cases(),
        indirect::parity::cases(),
    ]
    .concat()
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    [
        vec![Fill::INFO, BulkCopy::INFO],
        reduce::kernels(),
        scan::kernels(),
        sort::kernels(),
        compact::kernels(),
        indirect::kernels(),
    ]
    .concat()
}

/// One workgroup per tile.
fn one_group_per_tile<K: Kernel>(tiles: usize) -> Result<Dispatch<'static>> {
    let groups = tiles as u64;
    let folded = fold(groups).ok_or(ComputeError::TooManyGroups { kernel: K::INFO.name.into(), groups })?;
    Ok(Dispatch::Groups(folded))
}

/// `len` as WGSL counts it, or an error if the scratch memory of a primitive is too small for it.
fn within<T: bytemuck::Pod>(input: &Buffer<T>, len: usize, max_len: usize) -> Result<u32> {
    match u32::try_from(len) {
        Ok(words) if len <= max_len => Ok(words),
        _ => Err(input.raw.misuse(&format!("has {len} elements where at most {max_len} were announced"))),
    }
}

/// An error unless the buffer holds `len` elements.
fn holds<T: bytemuck::Pod>(buffer: &Buffer<T>, len: usize) -> Result<()> {
    if buffer.len() < len {
        return Err(buffer.raw.misuse(&format!("has {} elements where {len} are needed", buffer.len())));
    }
    Ok(())
}
