//! Velocities of the water are continued into the air around it.
//!
//! Advection traces back from places near the surface and reads velocities up to one step's way outside the water.
//! Three rules make them:
//!
//! 1. **Layers.** Water is layer 0; an air cell with an open face to layer `k − 1` is of layer `k`.
//! 2. **Spread.** A face is known if it is open and touches water. In every pass an unknown open face takes the
//!    weighted mean of its known neighbours in the same lattice, those nearer to the water counting most: `w = max(0, d
//!    − d_nb) + 0.001` with `d` the mean of φ in the two cells of a face (eikonal-and-advection.md §4). It is the mean
//!    of *differences*, so that a constant velocity is continued to the last bit. Nothing crosses closed faces: a step
//!    to a parallel face needs one open face among the two between.
//! 3. **Balance.** What was continued is not free of divergence, and a level set that moves with it loses volume: 13 %
//!    in a minute of sloshing, 0.04 % after two layers are balanced (tall-cells.md §13). Every cell of layer `k` gives
//!    its divergence in equal velocities to its open faces towards higher layers, unless they are a sliver, but makes
//!    none of them much faster than the fastest. Such a face has one cell of layer `k`, so one pass per layer is exact.
//!
//! Faces keep what they held where no pass arrives, between cells that are both out of `reach`, and where they are
//! closed. Most of the air is out of reach: the first pass lists the rest, and a GPU's later passes go over the list.
//! Passes work in place: what others write meanwhile is marked with the number of this pass or still far, and either is
//! ignored.

pub(crate) mod constants;
mod cpu;
mod decoded;
mod into_air;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
mod plain;
#[cfg(test)]
mod tests;

pub(crate) use constants::{BALANCED, CLOSED, FAR, LEAST_OPENING};
pub(crate) use into_air::Extrapolation;
use thalweg_columns::Shape;
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, kernel, uniform};

/// What leaves a cell through a narrow opening is not much faster than what comes: the next front would take it for its
/// own speed.
const HASTE: f32 = 1.5;

uniform! {
    /// The columns, and what is looked for.
    pub struct ExtrapolateParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Number of the layer of cells and of the pass over faces.
        pub layer: u32,
        /// Cells whose level set is at least this, and faces between two such cells, are left alone, cells.
        pub reach: f32,
        /// Balanced faces are at most this many times as fast as the fastest of their cell.
        pub haste: f32,
    }
}

kernel! {
    /// Layer 0: which cells are water, which faces are known. Layer `n`: cells next to layer `n − 1` as long as layers
    /// are balanced, faces next to known ones.
    pub struct Spread slices SpreadSlices = "tall.spread" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/extrapolate.wgsl")), entry: "spread",
        workgroup: [256, 1, 1],
        params: ExtrapolateParams,
        cpu: cpu::spread,
        read heights: [i32; 2],
        read aperture: f32,
        write layers: u32,
        write faces: f32,
        write inner: f32,
        write known: u32,
        read phi: f32,
        write list: u32,
    }
}

kernel! {
    /// Makes the cells of an air layer free of divergence. The layers are only read.
    pub struct Balance slices BalanceSlices = "tall.balance" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/extrapolate.wgsl")), entry: "balance",
        workgroup: [256, 1, 1],
        params: ExtrapolateParams,
        cpu: cpu::balance,
        read heights: [i32; 2],
        read aperture: f32,
        write layers: u32,
        write faces: f32,
        write inner: f32,
    }
}

/// What extrapolation reads, and the velocities that it continues.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExtrapolateBuffers<'a> {
    /// `[H, T]` per column, cells.
    pub(crate) heights: &'a Buffer<[i32; 2]>,
    /// Level set per sample, cells; water is below 0.
    pub(crate) phi: &'a Buffer<f32>,
    /// Open fraction of every face.
    pub(crate) aperture: &'a Buffer<f32>,
    /// Velocities of faces, m/s.
    pub(crate) faces: &'a Buffer<f32>,
    /// Lower ends of the lines inside tall cells, m/s.
    pub(crate) inner: &'a Buffer<f32>,
}

/// The stage with its memory.
#[derive(Debug)]
pub(crate) struct Extrapolate {
    shape: Shape,
    layers: Buffer<u32>,
    known: Buffer<u32>,
    /// What passes may reach: how many entries, then which, if there is room for all. Only GPUs use it; the processor
    /// goes by columns.
    list: Buffer<u32>,
}

impl Extrapolate {
    /// Takes the memory: five words per sample.
    pub(crate) fn new(exec: &Executor, shape: Shape) -> Result<Self, ComputeError> {
        Ok(Self {
            shape,
            layers: exec.buffer("tall.layers", shape.len())?,
            known: exec.buffer("tall.known", 3 * shape.len())?,
            list: exec.buffer("tall.reachable", shape.len() + 1)?,
        })
    }

    /// Layer of every sample: 0 in water, 1 to [`BALANCED`] in the air over it, [`FAR`] beyond, [`CLOSED`] out of
    /// reach. Ends of tall cells are in no layer of air.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn layers(&self) -> &Buffer<u32> {
        &self.layers
    }

    /// The pass in which a face was reached: 0 at water; [`CLOSED`] or [`FAR`].
    pub(crate) fn known(&self) -> &Buffer<u32> {
        &self.known
    }

    /// Records the whole stage in `passes + 3` dispatches; at least two passes, for as many layers are balanced. See
    /// [`ExtrapolateParams::reach`].
    pub(crate) fn record(
        &self,
        rec: &mut Recording<'_>,
        b: ExtrapolateBuffers<'_>,
        passes: u32,
        reach: f32,
    ) -> Result<(), ComputeError> {
        self.record_spread(rec, b, passes.max(BALANCED), reach)?;
        (1..=BALANCED).try_for_each(|layer| self.record_balance(rec, b, layer, HASTE))
    }

    /// Records layers and known faces, then `passes` passes.
    fn record_spread(
        &self,
        rec: &mut Recording<'_>,
        b: ExtrapolateBuffers<'_>,
        passes: u32,
        reach: f32,
    ) -> Result<(), ComputeError> {
        let ExtrapolateBuffers { heights, phi, aperture, faces, inner } = b;
        let Self { layers, known, list, .. } = self;
        rec.clear(list)?;
        let kernel = Spread { heights, aperture, layers, faces, inner, known, phi, list };
        (0..=passes).try_for_each(|layer| {
            let params = ExtrapolateParams { reach, ..self.params(layer) };
            // Later passes stride over the list, which is a small part of all.
            let extent = if layer == 0 { 4 * self.shape.len() } else { self.shape.len().div_ceil(2) };
            rec.run(&kernel, &params, Dispatch::Elements(extent))
        })
    }

    fn record_balance(
        &self,
        rec: &mut Recording<'_>,
        b: ExtrapolateBuffers<'_>,
        layer: u32,
        haste: f32,
    ) -> Result<(), ComputeError> {
        let ExtrapolateBuffers { heights, aperture, faces, inner, .. } = b;
        let kernel = Balance { heights, aperture, layers: &self.layers, faces, inner };
        let params = ExtrapolateParams { haste, ..self.params(layer) };
        rec.run(&kernel, &params, Dispatch::Elements(self.shape.len()))
    }

    fn params(&self, layer: u32) -> ExtrapolateParams {
        let Shape { nx, nz, .. } = self.shape;
        ExtrapolateParams {
            nx: nx as u32,
            nz: nz as u32,
            samples: self.shape.samples() as u32,
            layer,
            reach: f32::INFINITY,
            haste: HASTE,
        }
    }
}

impl ExtrapolateParams {
    fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }
}
