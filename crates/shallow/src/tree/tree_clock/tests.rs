use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{params, random_lists, rounds};
use super::*;
use crate::boundary::kind;
use crate::clock::{DRIVER_SAMPLES, FIXED_DRIVERS, NOT_FINITE, status};
use crate::tree::layout::{clock, lists};
use crate::tree::slot_counts;
use crate::tree::step::may_step;

/// A closed basin: nothing but its own water sets the pace.
fn closed(levels: u32) -> TreeClockParams {
    TreeClockParams { west_kind: kind::WALL, south_kind: kind::WALL, max_ticks: 1e6, ..params(levels, 0) }
}

#[test]
fn rounds_make_up_the_frame_with_stable_steps_and_then_stop() {
    for exec in test_executors() {
        let mut most = 0.0f32;
        for seed in 0..6 {
            let rng = &mut Rng::new(seed);
            let p = closed([1, 3, 5, 6][seed as usize % 4]);
            let drivers = vec![0.0; FIXED_DRIVERS * DRIVER_SAMPLES];
            let heads: Vec<_> = (0..24).map(|_| random_lists(rng, p.levels, 7.0)).collect();
            let frame = 0.4;
            let seen = rounds(exec, &p, frame, &drivers, &heads).unwrap();
            let (mut time, mut ticks) = (0.0, 0.0);
            for (round, head) in seen.chunks_exact((1 << p.rates) + 2).zip(&heads) {
                let c = &round[0].0;
                assert_eq!(c[clock::STATUS], status::FINE);
                time += f64::from(c[clock::TICKS] * c[clock::TICK_DT]);
                ticks += c[clock::TICKS];
                most = most.max(c[clock::TICKS]);
                let on = c[clock::TICKS] > 0.0;
                let periods = &c[clock::PERIODS..][..p.levels as usize];
                for level in 0..p.levels as usize {
                    let count = head[lists::COUNTS + level];
                    let groups = |args: &[u32]| args[3 * level] * args[3 * level + 1];
                    let steps = round[1..].iter().filter(|(_, args)| groups(args) >= count.max(1)).count();
                    assert!(round[1..].iter().all(|(_, args)| args[3 * level] <= 65_535));
                    for (tick, (_, args)) in (1..).zip(&round[1..]).filter(|(_, (_, args))| groups(args) > 0) {
                        assert!(may_step(level, tick), "level {level} steps at tick {tick}, {} groups", groups(args));
                    }
                    if count == 0 || !on {
                        assert_eq!(steps, 0);
                        continue;
                    }
                    assert_eq!(steps as f32 * periods[level], c[clock::TICKS], "{}", exec.describe());
                    let cell = p.cell * (1 << (p.levels - 1 - level as u32)) as f32;
                    let speed = f32::from_bits(head[lists::SPEEDS + level]);
                    assert!(periods[level] * c[clock::TICK_DT] * speed <= p.courant * cell * 1.000_01, "stable");
                }
                if on {
                    assert!(periods.windows(2).all(|w| w[0] == w[1] || w[0] == 2.0 * w[1]), "{periods:?}");
                }
            }
            assert!((time / f64::from(frame) - 1.0).abs() < 2e-6, "{}: {time} of {frame} s", exec.describe());
            let last = &seen.last().unwrap().0;
            assert_eq!((last[clock::TICKS], last[clock::ALL_TICKS]), (0.0, ticks), "the frame ended");
        }
        assert!(most > 2.0, "coarse levels took longer steps");
    }
}

#[test]
fn broken_and_collapsed_steps_are_reported_and_stop_the_frame() {
    for exec in test_executors() {
        let drivers = vec![0.0; FIXED_DRIVERS * DRIVER_SAMPLES];
        for (speed, expected) in [(NOT_FINITE, status::NOT_FINITE), (1e9, status::COLLAPSED)] {
            let mut head = vec![0; lists::PLACES];
            for level in 0..2 {
                (head[lists::COUNTS + level], head[lists::SPEEDS + level]) = (3, speed.to_bits());
            }
            let mut calm = head.clone();
            calm[lists::SPEEDS..].fill(0);
            for (clock, args) in rounds(exec, &closed(2), 1.0, &drivers, &[head, calm]).unwrap() {
                assert_eq!(clock[clock::STATUS], expected, "{}: it stays", exec.describe());
                assert_eq!((clock[clock::TICKS], clock[clock::ROUNDS]), (0.0, 0.0));
                assert!(args.chunks_exact(3).all(|groups| groups[0] == 0));
            }
        }
    }
}

/// Between rounds tiles are mustered; the tree is looked at when enough ticks have passed, and never after the last
/// round of a frame.
#[test]
fn what_comes_between_rounds_is_due_in_time() {
    for exec in test_executors() {
        let p = closed(3);
        let drivers = vec![0.0; FIXED_DRIVERS * DRIVER_SAMPLES];
        let mut head = vec![0; lists::PLACES];
        for level in 0..3 {
            (head[lists::COUNTS + level], head[lists::SPEEDS + level]) = (3, 5.0f32.to_bits());
        }
        let seen = rounds(exec, &p, 1.0, &drivers, &vec![head; 8]).unwrap();
        let (mut since, mut looks) = (0.0, 0);
        for round in seen.chunks_exact((1 << p.rates) + 2) {
            let c = &round[0].0;
            if c[clock::TICKS] == 0.0 {
                break;
            }
            since += c[clock::TICKS];
            let (after, args) = &round[c[clock::TICKS] as usize];
            let left = c[clock::FRAME] - c[clock::ELAPSED] - c[clock::TICKS] * c[clock::TICK_DT];
            let more = left > 1e-5;
            let due = more && since >= p.interval as f32;
            let of = |n: usize| &args[3 * n..][..3];
            let groups = slot_counts::groups(p.capacity as usize) as u32;
            assert_eq!(of(arg::ACTIVE_TILES), if more { [groups, 1, 1] } else { [0, 1, 1] }, "{}", exec.describe());
            for n in [arg::REFINE_CRITERIA, arg::ADAPT_APPLY] {
                assert_eq!(of(n), if due { [35_000, 2, 1] } else { [0, 1, 1] });
            }
            assert_eq!(of(arg::ADAPT_PLAN), if due { [groups, 1, 1] } else { [0, 1, 1] });
            assert_eq!(of(arg::CLOSE), [u32::from(due), 1, 1]);
            if due {
                (since, looks) = (0.0, looks + 1);
            }
            assert_eq!(after[clock::SINCE], since);
        }
        assert!(looks > 0);
    }
}

/// Of the steps that rounds of 16 ticks could have on five levels, a little more than half are recorded.
#[test]
fn ticks_at_which_levels_never_step_are_known() {
    let steps = |ticks: std::ops::RangeInclusive<u32>| ticks.map(|tick| (0..5).filter(|&l| may_step(l, tick)).count());
    assert_eq!(steps(1..=8).collect::<Vec<_>>(), [5, 5, 3, 5, 2, 3, 2, 5]);
    assert_eq!(steps(1..=16).sum::<usize>(), 46);
}
