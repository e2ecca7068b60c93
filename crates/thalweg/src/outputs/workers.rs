//! Workers do jobs side by side, and one thread takes their results in the order in which the jobs were queued.
//!
//! The queue has room for so many jobs, done or not; whoever adds one waits until there is some. The first failure, of
//! a job or of the taker, stops them all: no job begins after it, nothing is taken any more, adding is refused, and
//! [`Workers::finish`] returns it.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};

use super::error::OutputError;

type Outcome<T = ()> = Result<T, OutputError>;

/// Something to do, on any thread.
pub(super) type Job<'scope, T> = Box<dyn FnOnce() -> Outcome<T> + Send + 'scope>;

/// A job and where its result goes.
type Order<'scope, T> = (Job<'scope, T>, SyncSender<Outcome<T>>);

/// The workers, for those who add jobs.
pub(super) struct Workers<'scope, T> {
    jobs: Sender<Order<'scope, T>>,
    results: SyncSender<Receiver<Outcome<T>>>,
    taker: ScopedJoinHandle<'scope, Outcome>,
}

/// The workers have stopped before their time; [`Workers::finish`] returns why.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stopped;

impl From<Stopped> for OutputError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl<'scope, T: Send + 'scope> Workers<'scope, T> {
    /// Starts workers and the thread that calls `take`, with room for twice as many jobs as workers.
    pub(super) fn new(
        scope: &'scope Scope<'scope, '_>,
        workers: NonZero<usize>,
        mut take: impl FnMut(T) -> Outcome + Send + 'scope,
    ) -> Self {
        let (jobs, queue) = channel::<Order<'scope, T>>();
        let (results, in_order) = sync_channel::<Receiver<Outcome<T>>>(2 * workers.get());
        let queue = Arc::new(Mutex::new(queue));
        let has_failed = Arc::new(AtomicBool::new(false));
        for _ in 0..workers.get() {
            let (queue, has_failed) = (Arc::clone(&queue), Arc::clone(&has_failed));
            scope.spawn(move || {
                while let Some((job, result)) = next(&queue) {
                    if !has_failed.load(Ordering::Relaxed) {
                        let _ = result.send(job()); // after a failure nobody waits for it
                    }
                }
            });
        }
        let taker = scope.spawn(move || {
            for result in in_order {
                // A job without a result has panicked, and the end of the scope panics with it.
                let taken = result.recv().unwrap_or(Err(OutputError::Stopped)).and_then(&mut take);
                if taken.is_err() {
                    has_failed.store(true, Ordering::Relaxed);
                    return taken;
                }
            }
            Ok(())
        });
        Self { jobs, results, taker }
    }

    /// Adds a job at the end; waits for room.
    pub(super) fn add(&self, job: Job<'scope, T>) -> Result<(), Stopped> {
        let (result, in_order) = sync_channel(1);
        // The place in the order first: it is what there is room for.
        self.results.send(in_order).map_err(|_| Stopped)?;
        self.jobs.send((job, result)).map_err(|_| Stopped)
    }

    /// Waits until all is taken; the first failure, if there was one.
    pub(super) fn finish(self) -> Outcome {
        let Self { jobs, results, taker } = self;
        drop((jobs, results));
        taker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// The next job; waits for one, and for the worker that waits already.
fn next<'scope, T>(queue: &Mutex<Receiver<Order<'scope, T>>>) -> Option<Order<'scope, T>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    use super::*;

    fn threads(count: usize) -> NonZero<usize> {
        NonZero::new(count).expect("some")
    }

    fn job<'a, T: Send + 'a>(work: impl FnOnce() -> T + Send + 'a) -> Job<'a, T> {
        Box::new(move || Ok(work()))
    }

    fn failure(outcome: Outcome) -> String {
        match outcome {
            Err(OutputError::Contents(why)) => why,
            other => panic!("{other:?} is no failure of the run"),
        }
    }

    #[test]
    fn results_come_in_the_order_of_the_jobs_and_all_of_them() {
        for count in [1, 2, 8] {
            let mut taken = Vec::new();
            let outcome = std::thread::scope(|scope| {
                let workers = Workers::new(scope, threads(count), |n: u64| {
                    taken.push(n);
                    Ok(())
                });
                for n in 0..40 {
                    // The later ones are the quicker ones.
                    workers
                        .add(job(move || {
                            std::thread::sleep(Duration::from_micros(50 * (40 - n)));
                            n
                        }))
                        .expect("nothing fails");
                }
                workers.finish()
            });
            assert!(outcome.is_ok());
            assert_eq!(taken, (0..40).collect::<Vec<_>>(), "{count} workers");
        }
    }

    #[test]
    fn the_queue_is_bounded() {
        let (gate, closed) = channel::<()>();
        let put = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            // The taker is stuck with the first one until the gate opens.
            let workers = Workers::new(scope, threads(2), move |()| {
                let _ = closed.recv();
                Ok(())
            });
            let put = &put;
            let producer = scope.spawn(move || {
                for _ in 0..30 {
                    workers.add(job(|| ())).expect("nothing fails");
                    put.fetch_add(1, Ordering::SeqCst);
                }
                workers.finish()
            });
            std::thread::sleep(Duration::from_millis(100));
            let waiting = put.load(Ordering::SeqCst);
            assert!((1..=2 * 2 + 1).contains(&waiting), "{waiting} jobs are in a queue with room for four");
            drop(gate);
            assert!(producer.join().expect("no panic").is_ok());
        });
        assert_eq!(put.into_inner(), 30);
    }

    #[test]
    fn a_job_that_fails_stops_who_adds_jobs_and_is_reported_once() {
        let (mut taken, begun) = (Vec::new(), AtomicUsize::new(0));
        let (put, outcome) = std::thread::scope(|scope| {
            let workers = Workers::new(scope, threads(2), |n: u32| {
                taken.push(n);
                Ok(())
            });
            let begun = &begun;
            let mut put = 0;
            for n in 0..10_000 {
                let job: Job<'_, u32> = Box::new(move || {
                    begun.fetch_add(1, Ordering::SeqCst);
                    if n >= 5 { Err(OutputError::Contents(format!("job {n}"))) } else { Ok(n) }
                });
                if workers.add(job) == Err(Stopped) {
                    break;
                }
                put = n + 1;
            }
            (put, workers.finish())
        });
        assert!(put < 10_000, "the workers have stopped");
        assert!(begun.into_inner() <= put as usize, "and nothing more was begun");
        assert_eq!(failure(outcome), "job 5", "the first in order, whichever was the first in time");
        assert_eq!(taken, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_taker_that_fails_stops_who_adds_jobs() {
        let (stopped, outcome) = std::thread::scope(|scope| {
            let workers = Workers::new(scope, threads(2), |n: u32| match n {
                3 => Err(OutputError::Contents("the disk is full".to_owned())),
                _ => Ok(()),
            });
            let stopped = (0..10_000).any(|n| workers.add(job(move || n)) == Err(Stopped));
            (stopped, workers.finish())
        });
        assert!(stopped);
        assert_eq!(failure(outcome), "the disk is full");
    }
}
