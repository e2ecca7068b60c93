//! What is worked out of the state after it has been read: now the reading, later the work.

use std::sync::{Arc, LazyLock};

use crate::error::ComputeError;

type Work<T, E> = Box<dyn FnOnce() -> Result<T, E> + Send>;

/// A value that is made of a state that has been read, or is being read. The simulation may go on meanwhile, and any
/// thread may [`wait`](Self::wait).
///
/// ```
/// use thalweg_compute::{Executor, Later};
///
/// let exec = Executor::cpu()?;
/// let depths = exec.buffer_from("depths", &[1.0f32, 2.0, 3.0])?;
/// let read = exec.read_async(&depths)?;
/// let mean = Later::new(move || Ok::<_, thalweg_compute::ComputeError>(read.wait()?.iter().sum::<f32>() / 3.0));
/// exec.write(&depths, 0, &[7.0; 3])?; // too late to be seen
/// assert_eq!(std::thread::spawn(move || mean.wait()).join().expect("no panic")?, 2.0);
/// # Ok::<(), thalweg_compute::ComputeError>(())
/// ```
pub struct Later<T, E = ComputeError>(Work<T, E>);

impl<T, E> std::fmt::Debug for Later<T, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Later")
    }
}

impl<T: 'static, E: 'static> Later<T, E> {
    /// From the rest of the work; the reads that it needs must have begun.
    pub fn new(rest: impl FnOnce() -> Result<T, E> + Send + 'static) -> Self {
        Self(Box::new(rest))
    }

    /// A value that nobody has to wait for.
    pub fn known(value: T) -> Self
    where
        T: Send,
    {
        Self::new(|| Ok(value))
    }

    /// Waits for the state and works.
    pub fn wait(self) -> Result<T, E> {
        (self.0)()
    }

    /// For several that wait.
    pub fn shared(self) -> Shared<T, E> {
        Shared(Arc::new(LazyLock::new(self.0)))
    }

    /// The same value, with errors of another kind.
    pub fn errors_into<F: From<E> + 'static>(self) -> Later<T, F> {
        self.map(|value| value)
    }

    /// Adds to the work.
    pub fn map<U: 'static, F: From<E> + 'static>(self, more: impl FnOnce(T) -> U + Send + 'static) -> Later<U, F> {
        Later::new(move || Ok(more(self.wait()?)))
    }
}

/// A value like that of [`Later`] for several that wait for it: the first one works, the others get a copy.
pub struct Shared<T, E = ComputeError>(Arc<LazyLock<Result<T, E>, Work<T, E>>>);

impl<T, E> Clone for Shared<T, E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T, E> std::fmt::Debug for Shared<T, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shared")
    }
}

impl<T: Clone + 'static, E: Clone + 'static> Shared<T, E> {
    /// From the rest of the work; the reads that it needs must have begun.
    pub fn new(rest: impl FnOnce() -> Result<T, E> + Send + 'static) -> Self {
        Later::new(rest).shared()
    }

    /// A value that nobody has to wait for.
    pub fn known(value: T) -> Self
    where
        T: Send,
    {
        Self::new(|| Ok(value))
    }

    /// Waits for the state and works, unless that is done.
    pub fn wait(&self) -> Result<T, E> {
        (**self.0).clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn shared_work_is_done_once_for_all_threads() {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let shared = Shared::<usize>::new(move || Ok(7 + counted.fetch_add(1, Ordering::SeqCst)));
        let threads: Vec<_> = (0..4).map(|_| shared.clone()).map(|s| std::thread::spawn(move || s.wait())).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("no panic").expect("no error"), 7);
        }
        assert_eq!((shared.wait().expect("no error"), count.load(Ordering::SeqCst)), (7, 1));
    }

    #[test]
    fn everybody_gets_the_error() {
        let shared = Shared::<()>::new(|| Err(ComputeError::DeviceLost { reason: "gone".into() }));
        for _ in 0..2 {
            assert!(matches!(shared.wait(), Err(ComputeError::DeviceLost { reason }) if reason == "gone"));
        }
    }
}
