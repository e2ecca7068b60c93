//! Sets every element of a buffer to one value.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

crate::uniform! {
    /// Parameters of [`Fill`].
    pub struct FillParams {
        /// The value.
        pub value: u32,
    }
}

crate::kernel! {
    /// Sets every word of a buffer.
    pub struct Fill slices FillSlices = "compute.fill" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/fill.wgsl")), entry: "fill",
        workgroup: [256, 1, 1],
        params: FillParams,
        cpu: cpu::fill,
        write values: u32,
    }
}
