//! Which pixels want more rays: a list, so that a GPU traces them side by side instead of one here and one there.
//!
//! The order of the list is not the same from run to run on a GPU; what [`Refine`](crate::trace::Refine) makes of it
//! is, for every pixel is written from itself alone.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

pub(crate) use crate::constants::edges::{CONTRAST, COUNT, HEAD, OF_PIXELS, OF_RAYS, SQUARE};
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, kernel, uniform};

/// The same anywhere on water that glitters, where nearly every pixel differs a little from the next.
pub(crate) const STRONG: f32 = 0.15;

uniform! {
    /// The picture.
    pub struct EdgesParams {
        /// Pixels across.
        pub width: u32,
        /// Pixels down.
        pub height: u32,
        /// Rays of a pixel that is listed.
        pub samples: u32,
        /// What radiances are multiplied with before they are compared.
        pub exposure: f32,
        /// Difference of mapped luminance that is enough where no surface ends: `CONTRAST` or `STRONG`.
        pub anywhere: f32,
    }
}

kernel! {
    /// Lists pixels that differ from their neighbours, behind the head of `list`, and counts them in the last word of
    /// `args`.
    pub struct ListEdges slices ListEdgesSlices = "render.list_edges" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/edges.wgsl")), entry: "list_edges",
        workgroup: [256, 1, 1],
        params: EdgesParams,
        cpu: cpu::list_edges,
        read image: [f32; 4],
        write list: u32,
        write args: u32,
    }
}

kernel! {
    /// Workgroups for the listed pixels and for their rays, and the head of `list`.
    pub struct PlanEdges slices PlanEdgesSlices = "render.plan_edges" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/edges.wgsl")), entry: "plan_edges",
        workgroup: [1, 1, 1],
        params: EdgesParams,
        cpu: cpu::plan_edges,
        read image: [f32; 4],
        write list: u32,
        write args: u32,
    }
}

kernel! {
    /// The mean of the first ray of a listed pixel and of those that [`Refine`](crate::trace::Refine) has added.
    pub struct GatherRays slices GatherRaysSlices = "render.gather_rays" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/gather.wgsl")), entry: "gather_rays",
        workgroup: [256, 1, 1],
        params: EdgesParams,
        cpu: cpu::gather_rays,
        read list: u32,
        read rays: [f32; 4],
        write image: [f32; 4],
    }
}

/// The extent of kernels that see a picture in squares.
pub(crate) fn squares([width, height]: [u32; 2]) -> Dispatch<'static> {
    Dispatch::Elements((width.div_ceil(SQUARE) * height.div_ceil(SQUARE) * SQUARE * SQUARE) as usize)
}

/// Memory for the list of a picture.
#[derive(Debug)]
pub(crate) struct Edges {
    /// How many pixels are listed and how many sums each has, then their numbers.
    pub(crate) list: Buffer<u32>,
    /// Sums of rays: one for every ray but the first, or one for all where there is no room for that.
    pub(crate) rays: Buffer<[f32; 4]>,
    /// Workgroups along x, y and z, for rays and for pixels, and how many pixels are listed.
    args: Buffer<u32>,
}

impl Edges {
    pub(crate) fn new(exec: &Executor, pixels: usize) -> Result<Self, ComputeError> {
        Ok(Self {
            list: exec.buffer("render.edges", pixels + HEAD)?,
            rays: exec.buffer("render.rays", pixels)?,
            args: exec.buffer("render.edges_args", COUNT + 1)?,
        })
    }

    /// Lists the edges of a picture.
    pub(crate) fn record(
        &self,
        rec: &mut Recording<'_>,
        params: &EdgesParams,
        image: &Buffer<[f32; 4]>,
    ) -> Result<(), ComputeError> {
        let Self { list, args, .. } = self;
        rec.clear(args)?;
        rec.run(&ListEdges { image, list, args }, params, squares([params.width, params.height]))?;
        rec.run(&PlanEdges { image, list, args }, params, Dispatch::Groups([1, 1, 1]))
    }

    /// The extent of what traces more rays.
    pub(crate) fn of_rays(&self) -> Dispatch<'_> {
        Dispatch::Indirect(&self.args, OF_RAYS)
    }

    /// Puts the rays into the picture.
    pub(crate) fn gather(
        &self,
        rec: &mut Recording<'_>,
        params: &EdgesParams,
        image: &Buffer<[f32; 4]>,
    ) -> Result<(), ComputeError> {
        let Self { list, rays, args } = self;
        rec.run(&GatherRays { list, rays, image }, params, Dispatch::Indirect(args, OF_PIXELS))
    }
}
