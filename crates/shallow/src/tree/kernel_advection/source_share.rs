use super::constants::MOST;
use super::units::power_of_two;
use super::{KernelParams, SourceShareSlices};
use crate::physics::{max, min};
use crate::tree::layout::{clock, source};

/// What rain and sources bring in this step: whole units of depth on finest cells, and what is owed beyond them.
/// Rounding alone would lose a drizzle.
pub(super) fn source_share(p: &KernelParams, s: SourceShareSlices<'_>) {
    // The frame is over: nothing steps.
    if s.clock[clock::TICKS] == 0.0 {
        return;
    }
    let units = s.clock[clock::TICK_DT] * power_of_two(p.depth_bits as i32);
    for (n, words) in s.portions.chunks_exact_mut(2).enumerate() {
        let rate = match n {
            0 => s.clock[clock::RAIN_RATE],
            n => s.clock[clock::SOURCES + source::WORDS * (n - 1) + source::RATE],
        };
        let owed = words[1] + rate * units;
        words[0] = min(max(owed.trunc(), -MOST), MOST);
        words[1] = owed - words[0];
    }
}
