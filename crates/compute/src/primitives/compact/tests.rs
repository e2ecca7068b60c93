use super::Compact;
use super::parity::{SENTINEL, compact};
use crate::parity::{Rng, test_executors};
use crate::primitives::testing::{LENGTHS, threaded};

fn compacted(flags: &[u32]) -> (Vec<u32>, u32) {
    let mut indices: Vec<u32> = (0..flags.len() as u32).filter(|&i| flags[i as usize] == 1).collect();
    let count = indices.len() as u32;
    indices.resize(flags.len(), SENTINEL);
    (indices, count)
}

#[test]
fn equals_the_filter_for_every_length() {
    let mut rng = Rng::new(1);
    for n in LENGTHS {
        for flags in [rng.u32s(n, 2), vec![0; n], vec![1; n]] {
            for exec in test_executors() {
                assert!(compact(exec, &flags).unwrap() == compacted(&flags), "{n} on {}", exec.describe());
            }
        }
    }
}

#[test]
fn bits_do_not_depend_on_threads() {
    let flags = Rng::new(2).u32s(100_000, 2);
    let [one, three] = threaded().map(|exec| compact(&exec, &flags).unwrap());
    assert!(one == three);
}

#[test]
fn a_short_list_is_refused() {
    for exec in test_executors() {
        let (flags, short) = (exec.buffer::<u32>("flags", 10).unwrap(), exec.buffer::<u32>("short", 9).unwrap());
        let mut rec = exec.record();
        let refused = Compact::new(exec, 10).unwrap().indices(&mut rec, &flags, &short, &short);
        assert!(refused.unwrap_err().to_string().contains("`short`: has 9 elements where 10 are needed"));
    }
}
