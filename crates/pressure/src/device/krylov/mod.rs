//! Kernels of the outer iteration: dot products, updates of vectors, and the decision to go on.
//!
//! A reduction leaves at most 1024 partial results; every workgroup of the next kernel adds them up itself, in the same
//! order, so that no dispatch is spent on it. Nothing is read back in between.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

use super::layout::{Layout, reduction_groups};

uniform! {
    /// Vectors of the finest level.
    pub struct VectorParams {
        /// Samples of the finest level.
        pub len: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Samples of all levels.
        pub total: u32,
        /// Workgroups, at most 1024.
        pub groups: u32,
        /// Whether it is the first iteration: there is no search direction yet.
        pub first: u32,
    }
}

uniform! {
    /// When to stop.
    pub struct ControlParams {
        /// Partial maxima of the residual.
        pub groups: u32,
        /// Extents to set.
        pub kernels: u32,
        /// Entries of the history.
        pub capacity: u32,
        /// Largest residual that is good enough.
        pub bound: f32,
        /// The same as a share of the largest right-hand side; the larger bound counts.
        pub relative: f32,
    }
}

kernel! {
    /// Partial sums of `b` and of cells over the unknowns; resets the scalars of a solve.
    pub struct Balance slices BalanceSlices = "pressure.balance" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/balance.wgsl")), entry: "balance",
        workgroup: [256, 1, 1],
        params: VectorParams,
        cpu: cpu::balance,
        read heights: [i32; 2],
        read marks: u32,
        read cells: f32,
        read b: f32,
        write partials: f32,
        write scalars: f32,
    }
}

kernel! {
    /// Partial sums of `r·z`, `q·z` and, where no water touches air, of `z` over cells.
    pub struct Dots slices DotsSlices = "pressure.dots" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/dots.wgsl")), entry: "dots",
        workgroup: [256, 1, 1],
        params: VectorParams,
        cpu: cpu::dots,
        read heights: [i32; 2],
        read scalars: f32,
        read r: f32,
        read q: f32,
        read z: f32,
        write partials: f32,
    }
}

kernel! {
    /// Partial sums of `q·q`, in the place of `p·q`.
    pub struct Square slices SquareSlices = "pressure.square" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/square.wgsl")), entry: "square",
        workgroup: [256, 1, 1],
        params: VectorParams,
        cpu: cpu::square,
        read q: f32,
        write partials: f32,
    }
}

kernel! {
    /// `p = z + β p`, without the mean of `z` where no water touches air.
    pub struct Search slices SearchSlices = "pressure.search" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/search.wgsl")), entry: "search",
        workgroup: [256, 1, 1],
        params: VectorParams,
        cpu: cpu::search,
        read cells: f32,
        read partials: f32,
        read scalars: f32,
        read z: f32,
        write direction: f32,
    }
}

kernel! {
    /// `x += α p`, `r −= α q`, and partial maxima of `|r|`.
    pub struct Advance slices AdvanceSlices = "pressure.advance" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/advance.wgsl")), entry: "advance",
        workgroup: [256, 1, 1],
        params: VectorParams,
        cpu: cpu::advance,
        read direction: f32,
        read q: f32,
        write partials: f32,
        write scalars: f32,
        write x: f32,
        write r: f32,
    }
}

kernel! {
    /// `x += z`, without the mean of `z` where no water touches air.
    pub struct Correct slices CorrectSlices = "pressure.correct" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/correct.wgsl")), entry: "correct",
        workgroup: [256, 1, 1],
        params: VectorParams,
        cpu: cpu::correct,
        read cells: f32,
        read partials: f32,
        read scalars: f32,
        read z: f32,
        write x: f32,
    }
}

kernel! {
    /// Writes the residual into the history; switches all that follows off once it is small enough or not finite.
    pub struct Control slices ControlSlices = "pressure.control" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/control.wgsl")), entry: "control",
        workgroup: [256, 1, 1],
        params: ControlParams,
        cpu: cpu::control,
        read partials: f32,
        read extents: u32,
        write scalars: f32,
        write args: u32,
    }
}

impl VectorParams {
    pub(crate) fn new(layout: &Layout, first: bool) -> Self {
        let shape = layout.levels[0].shape;
        Self {
            len: shape.len() as u32,
            samples: shape.samples() as u32,
            total: layout.samples() as u32,
            groups: reduction_groups(shape.len()) as u32,
            first: u32::from(first),
        }
    }
}
