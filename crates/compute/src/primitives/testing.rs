//! What the tests of several primitives share.

/// Nothing, one, around a workgroup, around the tiles, several levels.
pub(super) const LENGTHS: [usize; 13] =
    [0, 1, 255, 256, 257, 1023, 1024, 1025, 2049, 5000, 70_001, 1_048_577, 1_100_003];

/// CPU executors of one and of three threads.
#[cfg(test)]
pub(super) fn threaded() -> [crate::Executor; 2] {
    [1, 3].map(|threads| crate::Cpu::with_threads(threads).expect("threads start").into())
}
