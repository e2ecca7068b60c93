//! The books: what entered and what left, so that volume can be accounted for to the last bit.

/// Volumes since the start, m³.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Books {
    /// Through sides, by rain, by sources, by absorbing layers: all that came in.
    pub(crate) added: f64,
    /// All that went out.
    pub(crate) removed: f64,
}

impl Books {
    pub(crate) fn book(&mut self, volume: f64) {
        if volume >= 0.0 {
            self.added += volume;
        } else {
            self.removed -= volume;
        }
    }

    /// Books per-cell or per-face volumes, each by its own sign.
    pub(crate) fn book_all(&mut self, volumes: &[f32]) {
        volumes.iter().for_each(|&v| self.book(f64::from(v)));
    }
}
