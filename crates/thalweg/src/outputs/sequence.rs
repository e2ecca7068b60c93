//! A value that goes from job to job of some workers, in the order in which the jobs were made: what one has changed
//! the next one sees.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::workers::Stopped;

/// The value, for whoever makes jobs.
pub(super) struct Sequence<T>(Receiver<T>);

/// One job's turn in a [`Sequence`].
pub(super) struct Turn<T> {
    before: Receiver<T>,
    after: SyncSender<T>,
}

impl<T> Sequence<T> {
    pub(super) fn new(value: T) -> Self {
        let (after, before) = sync_channel(1);
        let _ = after.send(value); // there is room for one
        Self(before)
    }

    /// For the next job that is added, in this order: jobs wait for those before them.
    pub(super) fn turn(&mut self) -> Turn<T> {
        let (after, next) = sync_channel(1);
        Turn { before: std::mem::replace(&mut self.0, next), after }
    }
}

impl<T> Turn<T> {
    /// Waits for the jobs before, looks or changes, and passes it on. `Err` if one of them has failed.
    pub(super) fn run<R>(self, work: impl FnOnce(&mut T) -> R) -> Result<R, Stopped> {
        let mut value = self.before.recv().map_err(|_| Stopped)?;
        let result = work(&mut value);
        let _ = self.after.send(value); // at the end nobody is there to take it
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;
    use std::time::Duration;

    use super::super::error::OutputError;
    use super::super::workers::{Job, Workers};
    use super::*;

    fn threads(count: usize) -> NonZero<usize> {
        NonZero::new(count).expect("some")
    }

    #[test]
    fn what_is_passed_on_goes_through_the_jobs_in_order() {
        let mut taken = Vec::new();
        let outcome = std::thread::scope(|scope| {
            let workers = Workers::new(scope, threads(4), |seen: Vec<u64>| {
                taken = seen;
                Ok(())
            });
            let mut sequence = Sequence::new(Vec::new());
            for n in 0..30 {
                let turn = sequence.turn();
                let work = move || {
                    std::thread::sleep(Duration::from_micros(50 * (30 - n)));
                    Ok(turn.run(|seen| {
                        seen.push(n);
                        seen.clone()
                    })?)
                };
                workers.add(Box::new(work)).expect("nothing fails");
            }
            workers.finish()
        });
        assert!(outcome.is_ok());
        assert_eq!(taken, (0..30).collect::<Vec<_>>());
    }

    #[test]
    fn who_waits_for_a_job_that_failed_does_not_wait_for_ever() {
        let outcome = std::thread::scope(|scope| {
            let workers = Workers::new(scope, threads(2), |()| Ok(()));
            let mut sequence = Sequence::new(());
            let (first, second) = (sequence.turn(), sequence.turn());
            let fails: Job<'_, ()> = Box::new(move || {
                drop(first);
                Err(OutputError::Contents("the first".to_owned()))
            });
            workers.add(fails).expect("room");
            let _ = workers.add(Box::new(move || Ok(second.run(|()| ())?)));
            workers.finish()
        });
        assert!(matches!(outcome, Err(OutputError::Contents(why)) if why == "the first"));
    }
}
