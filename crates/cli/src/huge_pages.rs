//! Large allocations on huge pages.
//!
//! A body of water is a few arrays of tens to hundreds of megabytes that every sweep reads from end to end. On pages of
//! 4 KiB the first touch of one takes tens of thousands of page faults, and later sweeps keep missing the translation
//! cache. Linux has pages of 2 MiB for those who ask. Figures: `docs/performance.md`.

// An allocator is unsafe by its interface.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, with huge pages for what is larger than some of them, where the system is Linux.
pub(crate) struct HugePages;

/// A huge page on x86-64 and on ARM with the usual 4 KiB pages, bytes.
const PAGE: usize = 2 << 20;

/// Allocations from this size on; of smaller ones the last page would be a good part.
const LARGE: usize = 2 * PAGE;

/// Whether a block comes from the pages below.
fn is_large(layout: Layout) -> bool {
    cfg!(target_os = "linux") && layout.size() >= LARGE && layout.align() <= PAGE
}

// SAFETY: a block comes from `pages` or from `System` by its layout alone, which the caller hands over unchanged when
// it frees the block, so it always goes back where it came from. Both give null or a block of the size and alignment
// that were asked for. `realloc` is the default, which allocates, copies and frees by way of these.
unsafe impl GlobalAlloc for HugePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            pages::map(layout.size())
        } else {
            // SAFETY: the contract is the caller's.
            unsafe { System.alloc(layout) }
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            pages::map(layout.size()) // fresh pages are zero
        } else {
            // SAFETY: the contract is the caller's.
            unsafe { System.alloc_zeroed(layout) }
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_large(layout) {
            pages::unmap(block, layout.size());
        } else {
            // SAFETY: the contract is the caller's.
            unsafe { System.dealloc(block, layout) }
        }
    }
}

#[cfg(target_os = "linux")]
mod pages {
    use std::ptr::null_mut;

    use super::PAGE;

    /// Fresh zeroed pages, aligned to huge ones; null if there are none.
    pub(super) fn map(size: usize) -> *mut u8 {
        let size = size.next_multiple_of(PAGE);
        // One page more, so that an aligned block lies inside; the rest goes back.
        let Some(reserved) = size.checked_add(PAGE) else { return null_mut() };
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping at an address of the system's choice touches nobody's memory.
        let start = unsafe { libc::mmap(null_mut(), reserved, access, kind, -1, 0) };
        if start == libc::MAP_FAILED {
            return null_mut();
        }
        let before = start.addr().next_multiple_of(PAGE) - start.addr();
        let block = start.wrapping_byte_add(before);
        // SAFETY: both ranges lie inside the mapping, outside the block that is kept, and are whole pages. The advice
        // concerns the block; systems without huge pages refuse it, which does no harm.
        unsafe {
            if before > 0 {
                libc::munmap(start, before);
            }
            if before < PAGE {
                libc::munmap(block.wrapping_byte_add(size), PAGE - before);
            }
            libc::madvise(block, size, libc::MADV_HUGEPAGE);
        }
        block.cast()
    }

    /// Gives back what [`map`] gave for the same size.
    pub(super) fn unmap(block: *mut u8, size: usize) {
        // SAFETY: exactly the pages of the block, which nobody uses any more.
        unsafe { libc::munmap(block.cast(), size.next_multiple_of(PAGE)) };
    }
}

#[cfg(not(target_os = "linux"))]
mod pages {
    pub(super) fn map(_: usize) -> *mut u8 {
        std::ptr::null_mut() // nothing is large here
    }

    pub(super) fn unmap(_: *mut u8, _: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_blocks_are_zeroed_aligned_and_hold_what_they_are_given() {
        // The tests of this program run on this allocator.
        for size in [LARGE - 8, LARGE, LARGE + 8, 3 * PAGE + 12345 * 8] {
            let mut block = vec![0u64; size / 8];
            assert!(block.iter().all(|word| *word == 0));
            block.iter_mut().zip(0..).for_each(|(word, i)| *word = i);
            block.push(1); // moves to a larger block
            assert!(block.iter().zip(0..size as u64 / 8).all(|(word, i)| *word == i));
            block.truncate(10);
            block.shrink_to_fit(); // and to a small one
            assert_eq!(block, (0..10).collect::<Vec<u64>>());
            if cfg!(target_os = "linux") && size >= LARGE {
                let bytes = vec![0u8; size];
                assert_eq!(bytes.as_ptr().addr() % PAGE, 0);
            }
        }
    }

    #[test]
    fn more_than_there_is_is_an_error() {
        let mut block = Vec::<u8>::new();
        assert!(block.try_reserve_exact(isize::MAX as usize).is_err());
    }
}
