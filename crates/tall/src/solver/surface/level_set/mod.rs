//! The surface as a level set.

pub(crate) mod fill;
pub(crate) mod fine;
pub(crate) mod reinitialise;
pub(crate) mod thicken;
