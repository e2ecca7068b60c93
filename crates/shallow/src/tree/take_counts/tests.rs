use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{counts, taken};
use crate::testing::LEFT_ALONE;
use crate::tree::layout::status;

#[test]
fn counts_are_taken_and_all_else_stays() {
    for exec in test_executors() {
        let before = counts(&mut Rng::new(3), 300);
        let (after, counted) = taken(exec, &before, 300).expect("taken");
        let slots = before.chunks_exact(status::WORDS).zip(after.chunks_exact(status::WORDS));
        for (slot, (before, after)) in slots.enumerate() {
            assert_eq!(before[..status::ADDED], after[..status::ADDED], "signals and motion of slot {slot}");
            if slot < 300 {
                let [added, removed, added_rest, removed_rest] = counted[slot];
                let rests = (before[status::ADDED_REST], before[status::REMOVED_REST]);
                assert_eq!((added, removed), (before[status::ADDED], before[status::REMOVED]));
                assert_eq!((added_rest, removed_rest), rests);
                assert!(after[status::ADDED..].iter().all(|x| *x == 0.0), "slot {slot}: {after:?}");
            } else {
                assert_eq!((before, counted[slot]), (after, [LEFT_ALONE; 4]), "nothing behind the last slot");
            }
        }
    }
}
