//! What is known of all water at once.

pub use thalweg_model::Statistics;
