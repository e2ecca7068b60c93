use super::parity::sort;
use super::{DIGITS, Sort, SortCount, SortParams, TILE};
use crate::Dispatch;
use crate::parity::{Rng, test_executors};
use crate::primitives::testing::{LENGTHS, threaded};

fn sorted(keys: &[u32], bits: u32) -> (Vec<u32>, Vec<u32>) {
    let mask = ((1u64 << bits) - 1) as u32;
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_by_key(|&i| keys[i as usize] & mask); // std's stable sort
    (order.iter().map(|&i| keys[i as usize]).collect(), order)
}

#[test]
fn equals_the_stable_sort_for_every_length() {
    let mut rng = Rng::new(1);
    for n in LENGTHS {
        let keys = rng.u32s(n, 1 << 18);
        for exec in test_executors() {
            assert!(sort(exec, &keys, 18).unwrap() == sorted(&keys, 18), "{n} on {}", exec.describe());
        }
    }
}

/// Bits above the given ones play no part, also where they share a digit with the last of them.
#[test]
fn only_the_given_bits_count() {
    let keys = Rng::new(2).u32s(9001, u32::MAX);
    for exec in test_executors() {
        for bits in [0, 1, 4, 5, 8, 15, 31, 32] {
            assert!(sort(exec, &keys, bits).unwrap() == sorted(&keys, bits), "{bits} bits on {}", exec.describe());
        }
        assert!(sort(exec, &keys, 99).unwrap() == sorted(&keys, 32));
    }
}

#[test]
fn keys_of_one_digit_and_in_order_stay() {
    for exec in test_executors() {
        for keys in [vec![15u32; 3 * TILE + 7], (0..5000).collect(), (0..5000).rev().collect()] {
            assert!(sort(exec, &keys, 13).unwrap() == sorted(&keys, 13));
        }
    }
}

#[test]
fn bits_do_not_depend_on_threads() {
    let keys = Rng::new(3).u32s(100_000, 1 << 20);
    let [one, three] = threaded().map(|exec| sort(&exec, &keys, 20).unwrap());
    assert!(one == three);
}

#[test]
fn keys_behind_the_length_stay() {
    for exec in test_executors() {
        let keys = exec.buffer_from("keys", &[3u32, 2, 1, 0, 0, 9]).unwrap();
        let values = exec.buffer_from("values", &[0u32, 1, 2, 3, 4, 5]).unwrap();
        let sort = Sort::new(exec, 100).unwrap();
        let mut rec = exec.record();
        sort.by_key(&mut rec, &keys, &values, 3, 4).unwrap();
        assert!(sort.by_key(&mut rec, &keys, &values, 7, 4).is_err(), "there are six keys");
        assert!(sort.by_key(&mut rec, &keys, &keys, 6, 4).is_err(), "keys cannot be their own values");
        rec.submit().unwrap();
        assert_eq!(exec.read(&keys).unwrap(), [1, 2, 3, 0, 0, 9]);
        assert_eq!(exec.read(&values).unwrap(), [2, 1, 0, 3, 4, 5]);
    }
}

/// Dispatches of more than 65,535 groups have two rows; here are five, of few.
#[test]
fn folded_dispatches_cover_every_tile() {
    let keys = Rng::new(4).u32s(TILE * 14 - 5, 16);
    for exec in test_executors() {
        let input = exec.buffer_from("keys", &keys).unwrap();
        let counts = exec.buffer_from("counts", &[77_777u32; 14 * DIGITS + 1]).unwrap();
        let mut rec = exec.record();
        let params = SortParams { len: keys.len() as u32, tiles: 14, shift: 0, mask: 15 };
        rec.run(&SortCount { keys: &input, counts: &counts }, &params, Dispatch::Groups([3, 5, 1])).unwrap();
        rec.submit().unwrap();
        let got = exec.read(&counts).unwrap();
        for (tile, keys) in keys.chunks(TILE).enumerate() {
            for digit in 0..DIGITS {
                let want = keys.iter().filter(|&&key| key as usize == digit).count();
                assert_eq!(got[digit * 14 + tile] as usize, want);
            }
        }
        assert_eq!(got[14 * DIGITS], 77_777);
    }
}
