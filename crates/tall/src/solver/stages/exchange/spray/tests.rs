use thalweg_compute::Dispatch;
use thalweg_compute::parity::test_executors;

use super::{BookSpray, BookSprayParams};
use crate::solver::stages::exchange::Books;

#[test]
fn what_leaves_is_wanted_no_more_until_it_is_back_and_only_what_flies_out_is_removed() {
    for exec in test_executors() {
        let ledger = exec.buffer_from("ledger", &[10_u32, 0, 2, 0, 1, 1 << 31]).expect("memory");
        let events = exec.buffer_from("events", &[1_u32, 1 << 31, 0, 1 << 30, 0, 1 << 29]).expect("memory");
        let mut rec = exec.record();
        let kernel = BookSpray { events: &events, ledger: &ledger };
        rec.run(&kernel, &BookSprayParams { first: 0 }, Dispatch::Groups([1, 1, 1])).expect("recorded");
        rec.submit().expect("run");
        let books = Books::unpack(&exec.read(&ledger).expect("read"));
        assert_eq!(books, Books { wanted: 10.0 - 1.5 + 0.25, added: 2.0, removed: 1.5 + 0.125 }, "{}", exec.describe());
    }
}
