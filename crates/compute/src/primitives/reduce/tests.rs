use super::parity::{reduce, sum_u32};
use super::{Op, Reduce, ReduceU32, TILE};
use crate::Dispatch;
use crate::parity::{Rng, test_executors};
use crate::primitives::testing::{LENGTHS, threaded};

#[test]
fn results_are_right() {
    let mut rng = Rng::new(1);
    for exec in test_executors() {
        for n in LENGTHS {
            let values = rng.f32s(n, -1.0, 1.0);
            let exact: f64 = values.iter().map(|&x| f64::from(x)).sum();
            let scale: f64 = values.iter().map(|&x| f64::from(x).abs()).sum();
            // Each element passes through at most 10 additions a level, of relative error 2^-24 each.
            let bound = 40.0 * 2f64.powi(-24) * scale;
            let sum = f64::from(reduce(exec, &values, Reduce::sum_f32).unwrap());
            assert!((sum - exact).abs() <= bound, "{n}: {sum} for {exact}");
            let max = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let min = values.iter().copied().fold(f32::INFINITY, f32::min);
            assert_eq!(reduce(exec, &values, Reduce::max_f32).unwrap(), max, "{n}");
            assert_eq!(reduce(exec, &values, Reduce::min_f32).unwrap(), min, "{n}");
            let counts = rng.u32s(n, u32::MAX);
            let want = counts.iter().fold(0u32, |a, &b| a.wrapping_add(b));
            assert_eq!(sum_u32(exec, &counts).unwrap(), want, "{n}");
        }
    }
}

#[test]
fn one_nan_shows_in_maximum_minimum_and_sum() {
    for exec in test_executors() {
        for (n, at, nan) in [(1, 0, f32::NAN), (700, 699, -f32::NAN), (5000, 1024, f32::NAN)] {
            let mut values = Rng::new(2).f32s(n, -1.0, 1.0);
            values[at] = nan;
            for how in [Reduce::max_f32, Reduce::min_f32, Reduce::sum_f32] {
                assert!(reduce(exec, &values, how).unwrap().is_nan(), "{n} {}", exec.describe());
            }
        }
        let infinities = [1.0, f32::INFINITY, f32::NEG_INFINITY];
        assert_eq!(reduce(exec, &infinities, Reduce::max_f32).unwrap(), f32::INFINITY);
        assert_eq!(reduce(exec, &infinities, Reduce::min_f32).unwrap(), f32::NEG_INFINITY);
    }
}

#[test]
fn bits_do_not_depend_on_threads() {
    let values = Rng::new(3).f32s(300_000, -1.0, 1.0);
    let [one, three] = threaded().map(|exec| reduce(&exec, &values, Reduce::sum_f32).unwrap().to_bits());
    assert_eq!(one, three);
}

/// Dispatches of more than 65,535 groups have two rows; here are five, of few.
#[test]
fn folded_dispatches_cover_every_tile() {
    let values = Rng::new(4).u32s(TILE * 14 - 5, u32::MAX);
    for exec in test_executors() {
        let input = exec.buffer_from("input", &values).unwrap();
        let partials = exec.buffer_from("partials", &[7u32; 16]).unwrap();
        let mut rec = exec.record();
        let params = Op::SumU32.params(values.len() as u32);
        rec.run(&ReduceU32 { input: &input, partials: &partials }, &params, Dispatch::Groups([3, 5, 1])).unwrap();
        rec.submit().unwrap();
        let mut want: Vec<u32> =
            values.chunks(TILE).map(|tile| tile.iter().fold(0, |a: u32, &b| a.wrapping_add(b))).collect();
        want.extend([7, 7]);
        assert_eq!(exec.read(&partials).unwrap(), want);
    }
}

#[test]
fn misuse_is_refused() {
    for exec in test_executors() {
        let reduce = Reduce::new(exec, 10).unwrap();
        let (long, empty) = (exec.buffer::<f32>("long", 11).unwrap(), exec.buffer::<f32>("empty", 0).unwrap());
        let output = exec.buffer::<f32>("output", 1).unwrap();
        let mut rec = exec.record();
        assert!(reduce.sum_f32(&mut rec, &long, &output).unwrap_err().to_string().contains("at most 10"));
        assert!(reduce.sum_f32(&mut rec, &empty, &empty).is_err(), "an output needs an element");
        assert!(reduce.max_f32(&mut rec, &output, &output).unwrap_err().to_string().contains("compute.reduce_f32"));
    }
}
