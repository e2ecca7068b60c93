//! Whole numbers for volumes and momenta: sums of them are exact and do not depend on their order.
//!
//! One unit of **volume** is `2^-bits` metres of water on a finest cell; a cell of size `2^shift` finest ones holds
//! `4^shift` times as many at that depth. With 64 bits this reaches 32 km of depth on the coarsest cells, at 30 bits
//! with up to ten levels. Factors are powers of two, so that f32 rounds when it is written and nowhere else. One unit
//! of **momentum** is 2⁻⁴⁰ m²/s, on the cell's own area.

use super::constants::{self, ONE_BITS};
use crate::physics::min;
use crate::tree::layout::CELLS;

/// See `constants`, wide enough for sums.
pub(super) const ONE: u64 = constants::ONE as u64;
/// Units of momentum in 1 m²/s.
pub(super) const MOMENTUM_UNITS: f32 = 1_099_511_627_776.0;

/// Bits of a metre on finest cells.
pub(crate) fn depth_bits(levels: u32) -> u32 {
    (48 - 2 * (levels - 1)).min(30)
}

/// `2^n`.
pub(super) fn power_of_two(n: i32) -> f32 {
    f32::from_bits(((127 + n) as u32) << 23)
}

/// Depth of one unit on a cell of `2^shift` finest ones, m.
pub(super) fn unit_depth(bits: u32, shift: u32) -> f32 {
    power_of_two(-((bits + 2 * shift) as i32))
}

/// The bed below the datum, in units.
fn units_below(z: f32, bits: u32, shift: u32) -> u64 {
    ((-min(z, 0.0) * power_of_two(bits as i32)) as u64) << (2 * shift)
}

/// Volume of a cell, in units, from its surface variable.
pub(super) fn volume_of(s: f32, z: f32, bits: u32, shift: u32) -> u64 {
    let above = ((s * power_of_two(bits as i32)).floor() as i64) << (2 * shift);
    above.wrapping_add_unsigned(units_below(z, bits, shift)).max(0) as u64
}

/// Surface variable of a cell with a volume: `s = V/A + min(z, 0)`. The difference is taken of whole numbers: deep
/// water keeps its millimetres.
pub(super) fn surface_of(volume: u64, z: f32, bits: u32, shift: u32) -> f32 {
    if volume == 0 {
        return min(z, 0.0);
    }
    let below = units_below(z, bits, shift);
    let s = to_f32(volume.abs_diff(below)) * unit_depth(bits, shift);
    if volume >= below { s } else { -s }
}

/// A number of units in f32. Word by word, as the GPU does it.
pub(super) fn to_f32(units: u64) -> f32 {
    (units >> 32) as f32 * 4_294_967_296.0 + (units as u32) as f32
}

/// Momentum (m²/s) in units, as two's complement. Rounded towards zero: rounding downwards would push thin water about.
pub(super) fn momentum_units(q: f32) -> u64 {
    (q * MOMENTUM_UNITS) as i64 as u64
}

/// Units of momentum in m²/s.
pub(super) fn momentum_of(units: u64) -> f32 {
    let units = units as i64;
    let size = to_f32(units.unsigned_abs()) / MOMENTUM_UNITS;
    if units < 0 { -size } else { size }
}

/// `volume · part / ONE`, rounded down.
pub(super) fn part_of(volume: u64, part: u32) -> u64 {
    ((u128::from(volume) * u128::from(part)) >> ONE_BITS) as u64
}

/// The part of a cell that a window gets which asks for `wanted`, when `demand` is asked for in all:
/// `wanted / max(1, demand)`, rounded so that the parts of all windows are at most one. The reciprocal is one division
/// of whole numbers of at most 31 bits.
pub(super) fn granted(wanted: u32, demand: u64) -> u32 {
    if demand <= ONE {
        return wanted;
    }
    let rough = (demand + 63) >> 6; // in 2⁻²⁴, rounded up
    let reciprocal = (1u64 << 54) / rough;
    ((u64::from(wanted) * reciprocal) >> ONE_BITS) as u32
}

/// The 64 bits whose low word is at `at`, the high one a plane later.
pub(super) fn wide(words: &[u32], at: usize) -> u64 {
    u64::from(words[at]) | u64::from(words[at + CELLS]) << 32
}

pub(super) fn put_wide(words: &mut [u32], at: usize, value: u64) {
    (words[at], words[at + CELLS]) = (value as u32, (value >> 32) as u32);
}

/// Adds; negative numbers as two's complement.
pub(super) fn add_wide(words: &mut [u32], at: usize, value: u64) {
    put_wide(words, at, wide(words, at).wrapping_add(value));
}
