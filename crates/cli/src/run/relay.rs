//! Something that goes from job to job of a line, in the order in which the jobs were made: what one has learned the next one knows.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::line::Stopped;

/// From job to job.
pub(super) struct Relay<T>(Receiver<T>);

/// One job's part of a [`Relay`].
pub(super) struct Leg<T> {
    before: Receiver<T>,
    after: SyncSender<T>,
}

impl<T> Relay<T> {
    pub(super) fn new(value: T) -> Self {
        let (after, before) = sync_channel(1);
        let _ = after.send(value); // there is room for one
        Self(before)
    }

    /// For the next job that is put into a line, in this order: jobs wait for those before them.
    pub(super) fn leg(&mut self) -> Leg<T> {
        let (after, next) = sync_channel(1);
        Leg { before: std::mem::replace(&mut self.0, next), after }
    }
}

impl<T> Leg<T> {
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

    use super::super::line::{Job, Line};
    use super::*;
    use crate::failure::Failure;

    fn workers(count: usize) -> NonZero<usize> {
        NonZero::new(count).expect("some")
    }

    #[test]
    fn what_is_passed_on_goes_through_the_jobs_in_order() {
        let mut taken = Vec::new();
        let outcome = std::thread::scope(|scope| {
            let line = Line::new(scope, workers(4), |seen: Vec<u64>| {
                taken = seen;
                Ok(())
            });
            let mut relay = Relay::new(Vec::new());
            for n in 0..30 {
                let leg = relay.leg();
                let work = move || {
                    std::thread::sleep(Duration::from_micros(50 * (30 - n)));
                    Ok(leg.run(|seen| {
                        seen.push(n);
                        seen.clone()
                    })?)
                };
                line.put(Box::new(work)).expect("nothing fails");
            }
            line.finish()
        });
        assert!(outcome.is_ok());
        assert_eq!(taken, (0..30).collect::<Vec<_>>());
    }

    #[test]
    fn who_waits_for_a_job_that_failed_does_not_wait_for_ever() {
        let outcome = std::thread::scope(|scope| {
            let line = Line::new(scope, workers(2), |()| Ok(()));
            let mut relay = Relay::new(());
            let (first, second) = (relay.leg(), relay.leg());
            let fails: Job<'_, ()> = Box::new(move || {
                drop(first);
                Err(Failure::Run("the first".to_owned()))
            });
            line.put(fails).expect("room");
            let _ = line.put(Box::new(move || Ok(second.run(|()| ())?)));
            line.finish()
        });
        assert!(matches!(outcome, Err(Failure::Run(why)) if why == "the first"));
    }
}
