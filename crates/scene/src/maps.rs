//! Maps over time of a scene.

use crate::format;

/// Maps over time: greatest depth, level and speed, first wetting and peak of every cell; see the keys of `[maps]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Maps {
    /// Depth from which ground counts as wetted, m.
    pub wet: f64,
}

impl Maps {
    pub(crate) fn lower(file: &format::Maps) -> Self {
        Self { wet: file.wet }
    }
}
