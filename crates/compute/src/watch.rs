//! What a parity case learns from its executor: which kernels ran, and where memory was never written.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// What fresh memory holds while an executor is watched: a NaN as f32, which spreads to what is made of it, and a large
/// number as u32. No kernel writes these bits of its own.
pub(crate) const SENTINEL: u32 = 0x7fc0_dead;

/// Off for all executors but those of parity cases; off, it costs one comparison for each kernel that is recorded.
#[derive(Debug, Default)]
pub(crate) struct Watch(Option<Mutex<BTreeSet<&'static str>>>);

impl Watch {
    /// Notes that a kernel ran.
    pub(crate) fn ran(&self, kernel: &'static str) {
        if let Some(kernels) = &self.0 {
            kernels.lock().unwrap_or_else(PoisonError::into_inner).insert(kernel);
        }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.0.is_some()
    }
}

#[cfg(any(test, feature = "testing"))]
impl Watch {
    pub(crate) fn on() -> Self {
        Self(Some(Mutex::default()))
    }

    /// Names of the kernels that ran so far.
    pub(crate) fn kernels(&self) -> BTreeSet<&'static str> {
        self.0.as_ref().map(|k| k.lock().unwrap_or_else(PoisonError::into_inner).clone()).unwrap_or_default()
    }
}
