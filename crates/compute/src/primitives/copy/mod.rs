//! A copy as a kernel: what the memory system gives to kernels, which a driver's copy engine may not reach.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

/// Elements that a workgroup copies.
pub(crate) const TILE: usize = 1024;

crate::uniform! {
    /// Parameters of [`BulkCopy`].
    pub struct BulkCopyParams {
        /// Elements to copy.
        pub len: u32,
    }
}

crate::kernel! {
    /// Copies one buffer to another, sixteen bytes at a time. Record it through [`copy_all`].
    pub struct BulkCopy slices BulkCopySlices = "compute.copy" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/copy.wgsl")), entry: "copy",
        workgroup: [256, 1, 1],
        params: BulkCopyParams,
        cpu: cpu::copy,
        read source: [f32; 4],
        write copied: [f32; 4],
    }
}

/// Records a copy of all of `source` into `copied`, which must be as long.
pub fn copy_all(
    rec: &mut crate::Recording<'_>,
    source: &crate::Buffer<[f32; 4]>,
    copied: &crate::Buffer<[f32; 4]>,
) -> crate::Result<()> {
    super::holds(copied, source.len())?;
    let len = super::within(source, source.len(), usize::MAX)?;
    let extent = super::one_group_per_tile::<BulkCopy<'_>>(source.len().div_ceil(TILE))?;
    rec.run(&BulkCopy { source, copied }, &BulkCopyParams { len }, extent)
}
