//! The same as `crate::sides` for a tree: levels at the finest faces of a side, whatever the size of the cells there.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

use thalweg_compute::kernel;

use crate::sides::SideParams;

kernel! {
    /// Levels at the faces of one side of a tree. The first half of `levels` are levels, m above the datum, the second
    /// what faces remember, m/s.
    pub struct TreeSides slices TreeSidesSlices = "tree.sides" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/tree_sides.wgsl")), entry: "settle_tree_side",
        workgroup: [256, 1, 1],
        params: SideParams,
        cpu: cpu::settle_tree_side,
        read topology: u32,
        read clock: f32,
        read cells: f32,
        read curves: f32,
        write levels: f32,
    }
}
