//! The accounts of three-dimensional water, in cells of 2³² quanta each.
//!
//! What should be in the columns is the balance of [`Account::Water`]; the controller of the volume reads it on the
//! executor. A drop that leaves the water is no loss: it moves to [`Account::Whitewater`], and back where it lands. Only
//! drops that fly out of the domain are removed.

use thalweg_ledger::{Account, PostParams};

/// What this water keeps.
pub(crate) const KEPT: &[Account] = &[
    Account::Water,
    Account::Opening,
    Account::Whitewater,
    Account::Sources,
    Account::West,
    Account::East,
    Account::South,
    Account::North,
    Account::Solids,
    Account::Sprayed,
];

/// How the counts of [`spray_word`](thalweg_columns::flow::spray_word) move: what left as drops, what came back, what
/// flew out of the domain.
pub(crate) fn spray() -> PostParams {
    const MOVES: [(Account, Account); 3] = [
        (Account::Water, Account::Whitewater),
        (Account::Whitewater, Account::Water),
        (Account::Whitewater, Account::Sprayed),
    ];
    PostParams::new(0, &MOVES)
}

#[cfg(test)]
mod tests {
    use thalweg_columns::flow::spray_word as word;
    use thalweg_compute::parity::test_executors;
    use thalweg_ledger::transfer::store;
    use thalweg_ledger::{Account, DeviceLedger, Quantity, post};

    use super::{KEPT, spray};

    #[test]
    fn drops_move_between_water_and_air_and_only_what_flies_out_is_removed() {
        for exec in test_executors() {
            let ledger = DeviceLedger::new(exec, "ledger", 8.0, KEPT).expect("memory");
            ledger.open(exec, 10.0).expect("opened");
            let mut events = [0; word::COUNT];
            store(&mut events, word::LEFT, 3 << 31);
            store(&mut events, word::RETURNED, 1 << 30);
            store(&mut events, word::GONE, 1 << 29);
            let events = exec.buffer_from("events", &events).expect("memory");
            let mut rec = exec.record();
            post(&mut rec, &events, ledger.words(), &spray()).expect("recorded");
            rec.submit().expect("run");
            let ledger = ledger.read_later(exec).and_then(|later| later.wait()).expect("read");
            let held = |account| ledger.amount(Quantity::Mass, account).expect("kept") / 8.0;
            assert_eq!(held(Account::Water), 10.0 - 1.5 + 0.25, "{}", exec.describe());
            assert_eq!(held(Account::Whitewater), 1.5 - 0.25 - 0.125);
            assert_eq!([ledger.added(), ledger.removed()], [0.0, 0.125 * 8.0]);
            assert_eq!(ledger.expected(), Some((10.0 - 0.125) * 8.0));
        }
    }
}
