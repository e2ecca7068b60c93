//! Stable sort of integer keys with values, four bits at a time.
//!
//! Each pass counts the digits of every tile of 2048 keys, scans the counts (all tiles of digit 0, then all of
//! digit 1, …) and moves every key to where its digit and tile start, in the order that it came.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use super::{Scan, holds, one_group_per_tile, within};
use crate::buffer::Buffer;
use crate::constants::sort::{DIGIT_BITS, DIGITS, TILE};
use crate::dispatch::Dispatch;
use crate::error::Result;
use crate::executor::{Executor, Recording};
use crate::kernel::{Kernel, KernelInfo};

crate::uniform! {
    /// Parameters of one pass.
    pub(crate) struct SortParams {
        /// Number of keys.
        pub len: u32,
        /// Number of tiles.
        pub tiles: u32,
        /// Bits below the digit.
        pub shift: u32,
        /// The digit's bits, shifted down.
        pub mask: u32,
    }
}

crate::kernel! {
    /// Counts the digits of every tile.
    pub(crate) struct SortCount slices SortCountSlices = "compute.sort_count" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/sort.wgsl")), entry: "sort_count",
        workgroup: [256, 1, 1],
        params: SortParams,
        cpu: cpu::sort_count,
        read keys: u32,
        write counts: u32,
    }
}

crate::kernel! {
    /// Moves keys and values to where their digit goes.
    pub(crate) struct SortScatter slices SortScatterSlices = "compute.sort_scatter" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/sort.wgsl")), entry: "sort_scatter",
        workgroup: [256, 1, 1],
        params: SortParams,
        cpu: cpu::sort_scatter,
        read keys: u32,
        read values: u32,
        read offsets: u32,
        write keys_out: u32,
        write values_out: u32,
    }
}

crate::kernel! {
    /// Copies keys and values, after an odd number of passes.
    pub(crate) struct SortCopy slices SortCopySlices = "compute.sort_copy" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/sort_copy.wgsl")), entry: "sort_copy",
        workgroup: [256, 1, 1],
        params: SortParams,
        cpu: cpu::sort_copy,
        read keys: u32,
        read values: u32,
        write keys_out: u32,
        write values_out: u32,
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![SortCount::INFO, SortScatter::INFO, SortCopy::INFO]
}

/// Sorts keys and carries values along.
///
/// ```
/// use thalweg_compute::{primitives::Sort, Executor};
///
/// let exec = Executor::cpu()?;
/// let keys = exec.buffer_from("cells", &[7u32, 2, 7, 0])?;
/// let values = exec.buffer_from("particles", &[0u32, 1, 2, 3])?;
/// let sort = Sort::new(&exec, keys.len())?;
/// let mut rec = exec.record();
/// sort.by_key(&mut rec, &keys, &values, 4, 3)?; // keys below 8 have 3 bits
/// rec.submit()?;
/// assert_eq!(exec.read(&keys)?, [0, 2, 7, 7]);
/// assert_eq!(exec.read(&values)?, [3, 1, 0, 2]);
/// # Ok::<(), thalweg_compute::ComputeError>(())
/// ```
#[derive(Debug)]
pub struct Sort {
    keys: Buffer<u32>,
    values: Buffer<u32>,
    counts: Buffer<u32>,
    offsets: Buffer<u32>,
    scan: Scan,
}

impl Sort {
    /// Scratch memory for up to `max_len` keys: as much again as the keys and values take, and a little.
    pub fn new(exec: &Executor, max_len: usize) -> Result<Self> {
        let counters = max_len.div_ceil(TILE) * DIGITS;
        Ok(Self {
            keys: exec.buffer("sort.keys", max_len)?,
            values: exec.buffer("sort.values", max_len)?,
            counts: exec.buffer("sort.counts", counters)?,
            offsets: exec.buffer("sort.offsets", counters)?,
            scan: Scan::new(exec, counters)?,
        })
    }

    /// Sorts the first `len` keys in place by their lowest `bits` bits, equal ones in the order that they
    /// had, and moves the values alike. A pass takes four bits, so give no more than the largest key has.
    pub fn by_key(
        &self,
        rec: &mut Recording<'_>,
        keys: &Buffer<u32>,
        values: &Buffer<u32>,
        len: usize,
        bits: u32,
    ) -> Result<()> {
        let len_words = within(keys, len, self.keys.len())?;
        holds(keys, len)?;
        holds(values, len)?;
        if len == 0 {
            return Ok(());
        }
        let tiles = len.div_ceil(TILE);
        let params = |shift: u32| {
            let digit = DIGIT_BITS.min(bits.min(32) - shift);
            SortParams { len: len_words, tiles: tiles as u32, shift, mask: (1 << digit) - 1 }
        };
        let (mut from, mut to) = ((keys, values), (&self.keys, &self.values));
        for shift in (0..bits.min(32)).step_by(DIGIT_BITS as usize) {
            let (counts, offsets) = (&self.counts, &self.offsets);
            let count = SortCount { keys: from.0, counts };
            rec.run(&count, &params(shift), one_group_per_tile::<SortCount<'_>>(tiles)?)?;
            self.scan.first(rec, counts, offsets, tiles * DIGITS, None)?;
            let scatter = SortScatter { keys: from.0, values: from.1, offsets, keys_out: to.0, values_out: to.1 };
            rec.run(&scatter, &params(shift), one_group_per_tile::<SortScatter<'_>>(tiles)?)?;
            std::mem::swap(&mut from, &mut to);
        }
        if bits.min(32).div_ceil(DIGIT_BITS) % 2 == 1 {
            let copy = SortCopy { keys: from.0, values: from.1, keys_out: to.0, values_out: to.1 };
            rec.run(&copy, &params(0), Dispatch::Elements(len))?;
        }
        Ok(())
    }
}
