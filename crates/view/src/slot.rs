//! A place for one item between two threads: the newest replaces what was not yet taken.

use std::sync::{Mutex, PoisonError};

/// Holds one item at most.
#[derive(Debug)]
pub(crate) struct Slot<T>(Mutex<Option<T>>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> Slot<T> {
    /// Puts an item in; whether the slot was empty, so that somebody has to be told.
    pub(crate) fn put(&self, item: T) -> bool {
        // A thread that panicked while it held the lock left a whole item: only moves happen under it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).replace(item).is_none()
    }

    /// Takes the item out.
    pub(crate) fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests {
    use super::Slot;

    #[test]
    fn only_the_newest_is_kept() {
        let slot = Slot::default();
        assert!(slot.put(1), "somebody must be told");
        assert!(!slot.put(2), "and not twice");
        assert_eq!(slot.take(), Some(2));
        assert_eq!(slot.take(), None);
        assert!(slot.put(3));
    }
}
