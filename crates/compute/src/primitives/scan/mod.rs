//! Exclusive prefix sums.
//!
//! Sums of tiles of 1024 elements are taken level by level until one tile holds them all; then every level
//! is scanned from the top down, each tile starting from what lies before it. Two reads and one write per
//! element, whatever the length.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use super::reduce::{TILE, partial_lens, tiles_u32};
use super::{holds, one_group_per_tile, within};
use crate::buffer::Buffer;
use crate::error::Result;
use crate::executor::{Executor, Recording};
use crate::kernel::{Kernel, KernelInfo};

crate::uniform! {
    /// Parameters of the scan of tiles.
    pub(crate) struct ScanParams {
        /// Elements of the input.
        pub len: u32,
    }
}

crate::kernel! {
    /// Scans every tile, starting from the tile's base.
    pub(crate) struct ScanTiles slices ScanTilesSlices = "compute.scan_tiles" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/scan.wgsl")), entry: "scan_tiles",
        workgroup: [256, 1, 1],
        params: ScanParams,
        cpu: cpu::scan_tiles,
        read input: u32,
        read bases: u32,
        write output: u32,
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![ScanTiles::INFO]
}

/// Exclusive prefix sums: element `i` of the result is the sum of all elements before `i`, modulo 2³².
///
/// The example of the [crate] shows it.
#[derive(Debug)]
pub struct Scan {
    max_len: usize,
    levels: Vec<Level>,
    /// The base of the one tile at the top.
    zero: Buffer<u32>,
}

/// One number per tile of the level below.
#[derive(Debug)]
struct Level {
    sums: Buffer<u32>,
    bases: Buffer<u32>,
}

impl Scan {
    /// Scratch memory for inputs of up to `max_len` elements.
    pub fn new(exec: &Executor, max_len: usize) -> Result<Self> {
        let level = |&n: &usize| Ok(Level { sums: exec.buffer("scan.sums", n)?, bases: exec.buffer("scan.bases", n)? });
        let levels = partial_lens(max_len).iter().map(level).collect::<Result<_>>()?;
        Ok(Self { max_len, levels, zero: exec.zeros("scan.zero", 1)? })
    }

    /// Writes the exclusive prefix sum of `counts` to `offsets`.
    pub fn exclusive(&self, rec: &mut Recording<'_>, counts: &Buffer<u32>, offsets: &Buffer<u32>) -> Result<()> {
        self.first(rec, counts, offsets, counts.len(), None)
    }

    /// As [`exclusive`](Self::exclusive), and the sum of all counts goes to the first element of `total`.
    pub fn exclusive_with_total(
        &self,
        rec: &mut Recording<'_>,
        counts: &Buffer<u32>,
        offsets: &Buffer<u32>,
        total: &Buffer<u32>,
    ) -> Result<()> {
        self.first(rec, counts, offsets, counts.len(), Some(total))
    }

    /// Scans the first `len` elements.
    pub(super) fn first(
        &self,
        rec: &mut Recording<'_>,
        counts: &Buffer<u32>,
        offsets: &Buffer<u32>,
        len: usize,
        total: Option<&Buffer<u32>>,
    ) -> Result<()> {
        let len_words = within(counts, len, self.max_len)?;
        holds(counts, len)?;
        holds(offsets, len)?;
        let levels = &self.levels[..partial_lens(len).len()];
        let mut inputs = vec![(counts, len_words)];
        let (mut input, mut n) = (counts, len_words);
        for level in levels {
            n = tiles_u32(rec, input, &level.sums, n)?;
            input = &level.sums;
            inputs.push((input, n));
        }
        if let Some(total) = total {
            holds(total, 1)?;
            tiles_u32(rec, input, total, n)?;
        }
        for (i, &(input, len)) in inputs.iter().enumerate().rev() {
            let bases = levels.get(i).map_or(&self.zero, |level| &level.bases);
            let output = if i == 0 { offsets } else { &levels[i - 1].bases };
            let extent = one_group_per_tile::<ScanTiles<'_>>((len as usize).div_ceil(TILE))?;
            rec.run(&ScanTiles { input, bases, output }, &ScanParams { len }, extent)?;
        }
        Ok(())
    }
}
