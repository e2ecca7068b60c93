//! How many workgroups a kernel runs.

use crate::buffer::Buffer;
use crate::constants::MAX_GROUPS;

/// The extent of one run of a kernel. CPU bodies take their extent from parameters and slices; for them
/// only an indirect count of zero matters: it skips the kernel.
#[derive(Debug, Clone, Copy)]
pub enum Dispatch<'a> {
    /// One invocation per element of a one-dimensional kernel.
    Elements(usize),
    /// This many workgroups along x, y, z.
    Groups([u32; 3]),
    /// Workgroups x, y, z read from three words of a buffer at this word offset, on the GPU.
    Indirect(&'a Buffer<u32>, usize),
}

/// Folds a number of workgroups into x and y so that neither passes the limit of 65,535. Kernels undo
/// it with `thalweg::index::linear_group`; the last row may overhang, so kernels check bounds.
pub fn fold(groups: u64) -> Option<[u32; 3]> {
    let most = u64::from(MAX_GROUPS);
    if groups <= most {
        return Some([groups as u32, 1, 1]);
    }
    let rows = groups.div_ceil(most);
    (rows <= most).then(|| [groups.div_ceil(rows) as u32, rows as u32, 1])
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn folding_covers_every_group_with_little_waste() {
        for groups in [0, 1, 65_535, 65_536, 65_537, 1_000_003, 65_535 * 65_535] {
            let [x, y, z] = fold(groups).unwrap().map(u64::from);
            assert!(x <= 65_535 && y <= 65_535 && z == 1);
            assert!(x * y >= groups && x * y < groups + y.max(1) + 1, "{groups} -> {x} x {y}");
        }
        assert!(fold(65_535 * 65_535 + 1).is_none());
    }
}
