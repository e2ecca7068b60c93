use super::constants::{END, MOST_GROUPS, WORK_UNIT};
use super::{BeginSlices, TickSlices, TreeClockParams, arg};
use crate::clock::drivers::{self, entering_speed, pouring_limit};
use crate::clock::{FIXED_DRIVERS, NOT_FINITE, status};
use crate::physics::{max, min, next_dither};
use crate::tree::layout::{MAX_LEVELS, clock, lists, source};
use crate::tree::slot_counts;

pub(super) fn begin(p: &TreeClockParams, s: BeginSlices<'_>) {
    let c = s.clock;
    // The round that has just ended.
    c[clock::ELAPSED] += c[clock::TICKS] * c[clock::TICK_DT];
    (c[clock::TICK], c[clock::TICKS]) = (0.0, 0.0);
    for words in s.args[..3 * arg::COUNT].chunks_exact_mut(3) {
        words[0] = 0;
    }
    let frame = c[clock::FRAME];
    let left = frame - c[clock::ELAPSED];
    if left <= END * frame || c[clock::STATUS] != status::FINE {
        return;
    }
    let levels = p.levels as usize;
    let speeds: [f32; MAX_LEVELS] = std::array::from_fn(|l| f32::from_bits(s.lists[lists::SPEEDS + l]));
    let counts: [u32; MAX_LEVELS] = std::array::from_fn(|l| s.lists[lists::COUNTS + l]);
    let fastest = speeds.iter().fold(0.0, |a, &b| max(b, a));
    c[clock::SPEED] = fastest;
    if fastest >= NOT_FINITE {
        c[clock::STATUS] = status::NOT_FINITE;
        return;
    }
    let coarsest = (0..levels).find(|&l| counts[l] > 0).unwrap_or(levels - 1);

    // Longest stable steps; water of the next levels may come in at any moment.
    let entering = drive(p, c, s.drivers);
    let mut stable = [0.0; MAX_LEVELS];
    for l in 0..levels {
        let beside = max(speeds[l.max(1) - 1], speeds[(l + 1).min(levels - 1)]);
        let cell = p.cell * (1u32 << (levels - 1 - l)) as f32;
        stable[l] = min(p.courant * cell / max(max(speeds[l], beside), 1e-12), entering.1);
        if counts[l] > 0 {
            stable[l] = min(stable[l], p.courant * cell / max(entering.0, 1e-12));
        }
    }
    let most = |l: usize| ((l - coarsest) as u32).min(p.rates);
    let mut longest = left;
    for l in (coarsest..levels).filter(|&l| counts[l] > 0) {
        longest = min(longest, stable[l] * (1u32 << most(l)) as f32);
    }
    let rounds = (left / longest).ceil().max(1.0);
    let round = left / rounds;

    // Doublings of every level; neighbours differ by at most one, and finer levels never step less often.
    let mut rate = [0u32; MAX_LEVELS];
    for l in (coarsest..levels).filter(|&l| counts[l] > 0) {
        while rate[l] < most(l) && round > stable[l] * (1u32 << rate[l]) as f32 * 1.000_001 {
            rate[l] += 1;
        }
    }
    for l in (0..levels - 1).rev() {
        rate[l] = rate[l].max(rate[l + 1].max(1) - 1);
    }
    for l in 1..levels {
        rate[l] = rate[l].max(rate[l - 1]);
    }
    let finest = rate[levels - 1];
    let ticks = 1u32 << finest;
    if c[clock::ALL_TICKS] + rounds * ticks as f32 > p.max_ticks {
        c[clock::STATUS] = status::COLLAPSED;
        return;
    }
    for l in 0..MAX_LEVELS {
        c[clock::PERIODS + l] = (1u32 << (finest - rate[l.min(levels - 1)])) as f32;
    }
    c[clock::TICKS] = ticks as f32;
    c[clock::TICK_DT] = round / ticks as f32;
    c[clock::ROUNDS] += 1.0;
    c[clock::ALL_TICKS] += ticks as f32;
    c[clock::SINCE] += ticks as f32;
}

/// Samples the drivers; returns the fastest signal that comes in, and the longest step that sources allow.
fn drive(p: &TreeClockParams, c: &mut [f32], samples: &[f32]) -> (f32, f32) {
    let (elapsed, frame) = (c[clock::ELAPSED], c[clock::FRAME]);
    let driver = |d: usize| drivers::driver(samples, d, elapsed, frame);
    let kinds = [p.west_kind, p.east_kind, p.south_kind, p.north_kind];
    let beds = [p.west_bed, p.east_bed, p.south_bed, p.north_bed];
    let mut fastest = 0.0;
    for side in 0..4 {
        let value = driver(side);
        c[clock::SIDE_VALUES + side] = value;
        fastest = max(fastest, 2.0 * entering_speed(p.gravity, kinds[side], value, beds[side]));
    }
    c[clock::RAIN_RATE] = driver(4);
    let mut longest = f32::MAX;
    for n in 0..p.sources as usize {
        let rate = driver(FIXED_DRIVERS + n);
        c[clock::SOURCES + source::WORDS * n + source::RATE] = rate;
        longest = min(longest, pouring_limit(p.gravity, p.courant, p.cell, rate));
    }
    (fastest, longest)
}

pub(super) fn tick(p: &TreeClockParams, s: TickSlices<'_>) {
    let c = s.clock;
    let on = c[clock::TICK] < c[clock::TICKS];
    if on {
        c[clock::TICK] += 1.0;
        c[clock::DITHER] = next_dither(c[clock::DITHER]);
    }
    c[clock::STEP] = if on { c[clock::TICK_DT] } else { 0.0 };
    for l in 0..p.levels as usize {
        let count = s.lists[lists::COUNTS + l];
        let steps = on && c[clock::TICK] % c[clock::PERIODS + l] == 0.0;
        s.args[3 * l..][..3].copy_from_slice(&if steps { fold(count) } else { [0, 1, 1] });
        if steps {
            c[clock::WORK_REST] += count as f32;
        }
    }
    if c[clock::WORK_REST] >= WORK_UNIT {
        c[clock::WORK_REST] -= WORK_UNIT;
        c[clock::WORK] += 1.0;
    }
    if !on || c[clock::TICK] < c[clock::TICKS] {
        return;
    }
    // The last tick of a round: what comes between this one and the next.
    let left = c[clock::FRAME] - c[clock::ELAPSED] - c[clock::TICKS] * c[clock::TICK_DT];
    let more = left > END * c[clock::FRAME];
    let due = more && p.interval > 0 && c[clock::SINCE] >= p.interval as f32;
    if due {
        c[clock::SINCE] = 0.0;
    }
    let groups = fold(slot_counts::groups(p.capacity as usize) as u32);
    let between = [
        (arg::ACTIVE_TILES, more, groups),
        (arg::REFINE_CRITERIA, due, fold(p.capacity)),
        (arg::ADAPT_PLAN, due, groups),
        (arg::CLOSE, due, [1, 1, 1]),
        (arg::ADAPT_APPLY, due, fold(p.capacity)),
    ];
    for (arg, on, groups) in between {
        s.args[3 * arg..][..3].copy_from_slice(&if on { groups } else { [0, 1, 1] });
    }
}

/// Workgroups for a count, as `thalweg_compute::fold`.
fn fold(count: u32) -> [u32; 3] {
    if count <= MOST_GROUPS {
        return [count, 1, 1];
    }
    let rows = count.div_ceil(MOST_GROUPS);
    [count.div_ceil(rows), rows, 1]
}
