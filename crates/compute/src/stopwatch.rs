//! The one clock of the solver crates. It measures and never decides: no result rests on it.

use std::time::Duration;
#[cfg(not(target_arch = "wasm32"))]
use std::time::Instant;

/// Measures wall time. A browser's processor has no clock for compiled code: there it always reads zero.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch {
    #[cfg(not(target_arch = "wasm32"))]
    begin: Instant,
}

impl Stopwatch {
    /// Starts it.
    pub fn start() -> Self {
        Self {
            #[cfg(not(target_arch = "wasm32"))]
            begin: Instant::now(),
        }
    }

    /// Time since it was started.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Always zero.
    #[cfg(target_arch = "wasm32")]
    pub fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
