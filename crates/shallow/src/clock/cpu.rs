use super::drivers::{self, entering_speed, pouring_limit};
use super::{ClockParams, ClockSlices, FIXED_DRIVERS, NOT_FINITE, status, word};
use crate::physics::{max, min, next_dither};

pub(super) fn tick(p: &ClockParams, s: ClockSlices<'_>) {
    let clock = s.clock;
    // Count the sub-step that was just taken.
    clock[word::ELAPSED] += clock[word::DT];
    let fastest = s.speeds.iter().fold(0.0, |fastest, &speed| max(speed, fastest));
    let frame = clock[word::FRAME];
    let remaining = frame - clock[word::ELAPSED];
    let mut running = remaining > 1e-6 * frame && clock[word::STATUS] == status::FINE;
    if fastest >= NOT_FINITE {
        clock[word::STATUS] = status::NOT_FINITE;
        running = false;
    }
    clock[word::SPEED] = fastest;
    clock[word::DT] = 0.0;
    if running {
        let driver = |d: usize| drivers::driver(s.drivers, d, clock[word::ELAPSED], frame);
        let kinds = [p.west_kind, p.east_kind, p.south_kind, p.north_kind];
        let beds = [p.west_bed, p.east_bed, p.south_bed, p.north_bed];
        let mut values = [0.0; 4];
        let mut limit = p.courant * p.cell / max(fastest, 1e-12);
        for side in 0..4 {
            values[side] = driver(side);
            limit = min(
                limit,
                p.courant * p.cell
                    / max(p.axes * entering_speed(p.gravity, kinds[side], values[side], beds[side]), 1e-12),
            );
        }
        let rain = driver(4);
        let rates: Vec<f32> = (0..p.sources as usize).map(|n| driver(FIXED_DRIVERS + n)).collect();
        for &rate in &rates {
            limit = min(limit, pouring_limit(p.gravity, p.courant, p.cell, rate));
        }
        let substeps = (remaining / limit).ceil().max(1.0);
        if substeps <= p.max_substeps {
            let dt = remaining / substeps;
            clock[word::DT] = dt;
            clock[word::SUBSTEPS] += 1.0;
            clock[word::DITHER] = next_dither(clock[word::DITHER]);
            clock[word::RAIN_RATE] = rain;
            clock[word::RAIN_DEPTH] += rain * dt;
            clock[word::SIDE_VALUES..][..4].copy_from_slice(&values);
            clock[word::SOURCE_RATES..][..rates.len()].copy_from_slice(&rates);
        } else {
            clock[word::STATUS] = status::COLLAPSED;
            running = false;
        }
    }
    for (arg, &extent) in s.args.iter_mut().zip(&s.extents[..3 * p.kernels as usize]) {
        *arg = if running { extent } else { 0 };
    }
}
