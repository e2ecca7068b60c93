//! Rows of columns in parallel, small fields by one thread.

use rayon::prelude::*;

/// Fields with fewer entries than this are not worth waking another thread for (about 10 µs of work).
const SMALL: usize = 1 << 14;

/// Whether one thread should do it alone.
pub(crate) fn is_small<T>(field: &[T]) -> bool {
    field.len() <= SMALL
}

/// Calls `work(number, chunk)` for every chunk.
pub(crate) fn for_chunks<T: Send>(field: &mut [T], chunk: usize, work: impl Fn(usize, &mut [T]) + Sync + Send) {
    if is_small(field) {
        field.chunks_mut(chunk).enumerate().for_each(|(number, chunk)| work(number, chunk));
    } else {
        field.par_chunks_mut(chunk).enumerate().for_each(|(number, chunk)| work(number, chunk));
    }
}

/// Calls `work(number, chunk)` for every chunk and returns the results in the order of the chunks.
pub(crate) fn map_chunks<T: Send, R: Send>(
    field: &mut [T],
    chunk: usize,
    work: impl Fn(usize, &mut [T]) -> R + Sync + Send,
) -> Vec<R> {
    if is_small(field) {
        field.chunks_mut(chunk).enumerate().map(|(number, chunk)| work(number, chunk)).collect()
    } else {
        field.par_chunks_mut(chunk).enumerate().map(|(number, chunk)| work(number, chunk)).collect()
    }
}
