//! Typed memory that lives on one executor.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use bytemuck::Pod;

use crate::error::{ComputeError, Result};
use crate::gpu::GpuBuffer;

/// An array of `T` on the executor that made it. Dropping it frees the memory.
///
/// `T` is plain data of 4-byte scalars; a WGSL kernel sees `array<T>`.
#[derive(Debug)]
pub struct Buffer<T> {
    pub(crate) raw: RawBuffer,
    len: usize,
    element: PhantomData<T>,
}

/// The untyped part of a buffer: what the executors handle.
#[derive(Debug)]
pub struct RawBuffer {
    /// Unique in the process; bind groups are cached by it.
    pub(crate) id: u64,
    pub(crate) label: String,
    pub(crate) storage: Storage,
}

#[derive(Debug)]
pub(crate) enum Storage {
    /// Words, so that every element type of this crate is aligned.
    Cpu(RwLock<Vec<u32>>),
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "then there is none"))]
    Gpu(GpuBuffer),
}

impl RawBuffer {
    pub(crate) fn new(label: &str, storage: Storage) -> Self {
        ALLOCATED.fetch_add(storage.bytes(), Ordering::Relaxed);
        Self { id: next_id(), label: label.into(), storage }
    }

    pub(crate) fn misuse(&self, reason: &str) -> ComputeError {
        ComputeError::BufferMisuse { label: self.label.clone(), reason: reason.into() }
    }
}

impl Storage {
    fn bytes(&self) -> u64 {
        match self {
            Self::Cpu(words) => 4 * words.read().unwrap_or_else(PoisonError::into_inner).len() as u64,
            Self::Gpu(memory) => memory.bytes(),
        }
    }
}

impl Drop for RawBuffer {
    fn drop(&mut self) {
        ALLOCATED.fetch_sub(self.storage.bytes(), Ordering::Relaxed);
        if let Storage::Gpu(memory) = &self.storage {
            memory.report_drop(self.id);
        }
    }
}

/// Bytes in all buffers of the process.
static ALLOCATED: AtomicU64 = AtomicU64::new(0);

/// Bytes that all buffers of this process hold now, on all executors together.
pub fn allocated_bytes() -> u64 {
    ALLOCATED.load(Ordering::Relaxed)
}

fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl<T: Pod> Buffer<T> {
    pub(crate) fn new(raw: RawBuffer, len: usize) -> Self {
        const { assert!(align_of::<T>() <= 4 && size_of::<T>().is_multiple_of(4) && size_of::<T>() > 0) };
        Self { raw, len, element: PhantomData }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The name given at creation.
    pub fn label(&self) -> &str {
        &self.raw.label
    }

    /// Size in bytes.
    pub fn bytes(&self) -> u64 {
        (self.len * size_of::<T>()) as u64
    }

    /// Read access for a CPU kernel. Used by the [`kernel!`](crate::kernel) macro.
    #[doc(hidden)]
    pub fn lock_read(&self) -> Result<ReadLock<'_, T>> {
        let Storage::Cpu(words) = &self.raw.storage else { return Err(self.raw.misuse("belongs to a GPU")) };
        let words = words.try_read().map_err(|_| self.raw.misuse("is read and written by one kernel"))?;
        Ok(ReadLock { words, len: self.len, element: PhantomData })
    }

    /// Write access for a CPU kernel. Used by the [`kernel!`](crate::kernel) macro.
    #[doc(hidden)]
    pub fn lock_write(&self) -> Result<WriteLock<'_, T>> {
        let Storage::Cpu(words) = &self.raw.storage else { return Err(self.raw.misuse("belongs to a GPU")) };
        let words = words.try_write().map_err(|_| self.raw.misuse("is bound twice to one kernel"))?;
        Ok(WriteLock { words, len: self.len, element: PhantomData })
    }
}

/// Holds a CPU buffer for reading.
#[doc(hidden)]
#[derive(Debug)]
pub struct ReadLock<'a, T> {
    words: RwLockReadGuard<'a, Vec<u32>>,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> ReadLock<'_, T> {
    /// The elements.
    pub fn slice(&self) -> &[T] {
        &bytemuck::cast_slice(&self.words)[..self.len]
    }
}

/// Holds a CPU buffer for writing.
#[doc(hidden)]
#[derive(Debug)]
pub struct WriteLock<'a, T> {
    words: RwLockWriteGuard<'a, Vec<u32>>,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> WriteLock<'_, T> {
    /// The elements.
    pub fn slice(&mut self) -> &mut [T] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[..self.len]
    }
}
