//! What is worked out of the state after it has been read: now the reading, later the work.

use crate::error::ComputeError;

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
pub struct Later<T, E = ComputeError>(Box<dyn FnOnce() -> Result<T, E> + Send>);

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

    /// Waits for the state and works.
    pub fn wait(self) -> Result<T, E> {
        (self.0)()
    }

    /// Adds to the work.
    pub fn map<U: 'static, F: From<E> + 'static>(self, more: impl FnOnce(T) -> U + Send + 'static) -> Later<U, F> {
        Later::new(move || Ok(more(self.wait()?)))
    }
}
