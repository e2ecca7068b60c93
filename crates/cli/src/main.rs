//! The thalweg command line.
fn main() {}
