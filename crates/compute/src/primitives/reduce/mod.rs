//! Sum, maximum and minimum of a buffer, in a fixed order.
//!
//! Tiles of 1024 elements are folded in half, ten times; the tiles' results are reduced the same way until
//! one is left. The tree depends on the length alone, and both bodies walk it alike: floating point sums
//! are the same bits everywhere (a GPU may flush subnormal numbers to zero).

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use super::{holds, one_group_per_tile, within};
use crate::buffer::Buffer;
pub(super) use crate::constants::TILE;
use crate::constants::op;
use crate::error::Result;
use crate::executor::{Executor, Recording};
use crate::kernel::{Kernel, KernelInfo};

/// How two values become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Op {
    SumF32 = op::SUM_F32,
    MaxF32 = op::MAX_F32,
    MinF32 = op::MIN_F32,
    SumU32 = op::SUM_U32,
}

impl Op {
    /// The bits that change nothing: what a short tile is padded with.
    fn identity(self) -> u32 {
        match self {
            Self::SumF32 | Self::SumU32 => 0,
            Self::MaxF32 => f32::NEG_INFINITY.to_bits(),
            Self::MinF32 => f32::INFINITY.to_bits(),
        }
    }

    pub(super) fn params(self, len: u32) -> ReduceParams {
        ReduceParams { len, op: self as u32, identity: self.identity() }
    }
}

crate::uniform! {
    /// Parameters of the reduction of tiles.
    pub(crate) struct ReduceParams {
        /// Elements of the input.
        pub len: u32,
        /// An [`Op`].
        pub op: u32,
        /// Bits that change no result.
        pub identity: u32,
    }
}

crate::kernel! {
    /// One result per tile of floats.
    pub(crate) struct ReduceF32 slices ReduceF32Slices = "compute.reduce_f32" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/reduce.wgsl")), entry: "reduce",
        workgroup: [256, 1, 1],
        params: ReduceParams,
        cpu: cpu::reduce_f32,
        read input: f32,
        write partials: f32,
    }
}

crate::kernel! {
    /// One result per tile of integers.
    pub(crate) struct ReduceU32 slices ReduceU32Slices = "compute.reduce_u32" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/reduce.wgsl")), entry: "reduce",
        workgroup: [256, 1, 1],
        params: ReduceParams,
        cpu: cpu::reduce_u32,
        read input: u32,
        write partials: u32,
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![ReduceF32::INFO, ReduceU32::INFO]
}

/// Reduces whole buffers to one value that stays on the executor.
///
/// ```
/// use thalweg_compute::{primitives::Reduce, Executor};
///
/// let exec = Executor::cpu()?;
/// let depth = exec.buffer_from("depth", &[0.5f32, 2.0, 1.5])?;
/// let volume = exec.buffer::<f32>("volume", 1)?;
/// let reduce = Reduce::new(&exec, depth.len())?;
/// let mut rec = exec.record();
/// reduce.sum_f32(&mut rec, &depth, &volume)?;
/// rec.submit()?;
/// assert_eq!(exec.read(&volume)?, [4.0]);
/// # Ok::<(), thalweg_compute::ComputeError>(())
/// ```
#[derive(Debug)]
pub struct Reduce {
    max_len: usize,
    f32s: Vec<Buffer<f32>>,
    u32s: Vec<Buffer<u32>>,
}

impl Reduce {
    /// Scratch memory for inputs of up to `max_len` elements.
    pub fn new(exec: &Executor, max_len: usize) -> Result<Self> {
        let levels = partial_lens(max_len);
        let f32s = levels.iter().map(|&n| exec.buffer("reduce.f32s", n)).collect::<Result<_>>()?;
        let u32s = levels.iter().map(|&n| exec.buffer("reduce.u32s", n)).collect::<Result<_>>()?;
        Ok(Self { max_len, f32s, u32s })
    }

    /// Writes the sum of `input` to the first element of `output`; 0 for an empty input.
    pub fn sum_f32(&self, rec: &mut Recording<'_>, input: &Buffer<f32>, output: &Buffer<f32>) -> Result<()> {
        self.run_f32(rec, Op::SumF32, input, output)
    }

    /// Writes the largest element to the first element of `output`: NaN if there is one, −∞ for an empty input.
    pub fn max_f32(&self, rec: &mut Recording<'_>, input: &Buffer<f32>, output: &Buffer<f32>) -> Result<()> {
        self.run_f32(rec, Op::MaxF32, input, output)
    }

    /// Writes the smallest element to the first element of `output`: NaN if there is one, +∞ for an empty input.
    pub fn min_f32(&self, rec: &mut Recording<'_>, input: &Buffer<f32>, output: &Buffer<f32>) -> Result<()> {
        self.run_f32(rec, Op::MinF32, input, output)
    }

    /// Writes the sum of `input`, modulo 2³², to the first element of `output`.
    pub fn sum_u32(&self, rec: &mut Recording<'_>, input: &Buffer<u32>, output: &Buffer<u32>) -> Result<()> {
        let mut len = within(input, input.len(), self.max_len)?;
        holds(output, 1)?;
        let mut input = input;
        for partials in &self.u32s[..partial_lens(len as usize).len()] {
            len = tiles_u32(rec, input, partials, len)?;
            input = partials;
        }
        tiles_u32(rec, input, output, len).map(drop)
    }

    fn run_f32(&self, rec: &mut Recording<'_>, op: Op, input: &Buffer<f32>, output: &Buffer<f32>) -> Result<()> {
        let mut len = within(input, input.len(), self.max_len)?;
        holds(output, 1)?;
        let mut input = input;
        for partials in &self.f32s[..partial_lens(len as usize).len()] {
            len = tiles_f32(rec, op, input, partials, len)?;
            input = partials;
        }
        tiles_f32(rec, op, input, output, len).map(drop)
    }
}

/// Lengths of the levels between the input and the one result.
pub(super) fn partial_lens(len: usize) -> Vec<usize> {
    std::iter::successors(Some(len), |n| Some(n.div_ceil(TILE))).skip(1).take_while(|&n| n > 1).collect()
}

fn tiles_f32(rec: &mut Recording<'_>, op: Op, input: &Buffer<f32>, partials: &Buffer<f32>, len: u32) -> Result<u32> {
    let tiles = (len as usize).div_ceil(TILE).max(1); // an empty input still has a result
    rec.run(&ReduceF32 { input, partials }, &op.params(len), one_group_per_tile::<ReduceF32<'_>>(tiles)?)?;
    Ok(tiles as u32)
}

/// One sum per tile of the first `len` elements; returns how many.
pub(super) fn tiles_u32(rec: &mut Recording<'_>, input: &Buffer<u32>, partials: &Buffer<u32>, len: u32) -> Result<u32> {
    let tiles = (len as usize).div_ceil(TILE).max(1);
    let extent = one_group_per_tile::<ReduceU32<'_>>(tiles)?;
    rec.run(&ReduceU32 { input, partials }, &Op::SumU32.params(len), extent)?;
    Ok(tiles as u32)
}
