//! What tiles of finite volumes have counted is taken into the ledger: their counts begin at 0 again, without anybody
//! waiting for them.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// The tree.
    pub struct TakeCountsParams {
        /// Slots.
        pub capacity: u32,
    }
}

kernel! {
    /// Moves the counts of every slot, used or not, out of its status: volumes that came and went, m³, then what those
    /// sums have lost to rounding.
    pub struct TakeCounts slices TakeCountsSlices = "tree.take_counts" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/take_counts.wgsl")), entry: "take_counts",
        workgroup: [256, 1, 1],
        params: TakeCountsParams,
        cpu: cpu::take_counts,
        write status: f32,
        write counted: [f32; 4],
    }
}
