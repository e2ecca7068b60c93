//! Columns follow the surface (`columns.rs`), and everything moves to the new ones.
//!
//! New heights: where tall cells end and cubic cells begin (\[000\] §3.7).
//!
//! Three constraints on the first regular cell `T` of a column: (1) at least `below` regular cells lie between the tall
//! cell and the lowest border of water and air, beside the column too, so that no vertical face of water touches a tall
//! cell; (2) at least `above` regular cells lie over the highest water; (3) neighbours differ by at most `step`. Where
//! they cannot all hold, `T ≥ H + 2` and then (2) win over (1), and all three over (3). Columns in which (1) had to
//! give way are counted: there the band of regular cells is too thin for the water. Sources of water count like water
//! up to their top, and jets like obstacles, see `reach` in `exchange/`. The flow around what moves gets cubic cells as
//! far as there are any to spare.
//!
//! Every change of `T` fits lines anew and so loses something: a column keeps its `T` while (1) and (2) hold, unless it
//! is more than `hysteresis` below the middle of what they allow and (3) would let it grow. `H` never changes.

mod columns;
pub(crate) mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

pub(crate) use columns::Remesh;
pub(crate) use constants::{AHEAD, fate};
use thalweg_columns::{Heights, Shape};
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording, kernel, uniform};

use crate::solver::stages::exchange::Reach;
use crate::solver::stages::solids::Keel;

uniform! {
    /// The columns, and what is asked of their heights.
    pub struct HeightsParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Regular cells that lie below the surface.
        pub below: i32,
        /// Regular cells that lie over the highest water.
        pub above: i32,
        /// Largest difference of `T` between neighbours, cells.
        pub step: i32,
        /// How far below the middle of its range a `T` is kept, cells.
        pub hysteresis: i32,
    }
}

/// Entries of `limits`, per column.
pub(crate) mod limit {
    /// Smallest `T`.
    pub(crate) const MIN: usize = 0;
    /// Largest `T`.
    pub(crate) const MAX: usize = 1;
    /// What becomes of the column: see [`fate`].
    pub(crate) const FATE: usize = 2;
    /// What fills the cells below `MAX`: -1 water, +1 air, 0 both.
    pub(crate) const FILLING: usize = 3;
}

kernel! {
    /// The range that the water of a column and beside it leaves to `T`, and a first wish.
    pub struct Bounds slices BoundsSlices = "tall.bounds" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/bounds.wgsl")), entry: "bounds",
        workgroup: [256, 1, 1],
        params: HeightsParams,
        cpu: cpu::bounds,
        read old_heights: [i32; 2],
        read phi: f32,
        read ceiling: i32,
        read keel: [i32; 2],
        read reach: [i32; 2],
        write limits: [i32; 4],
        write wish: [i32; 2],
        write infeasible: u32,
    }
}

kernel! {
    /// A moving column wishes what the wet columns around it wish on average.
    pub struct SmoothHeights slices SmoothHeightsSlices = "tall.smooth_heights" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/heights.wgsl")), entry: "smooth_heights",
        workgroup: [256, 1, 1],
        params: HeightsParams,
        cpu: cpu::smooth_heights,
        read limits: [i32; 4],
        read wish: [i32; 2],
        write next: [i32; 2],
    }
}

kernel! {
    /// No column is more than a step higher than its neighbours, as far as its range allows.
    pub struct LimitHeights slices LimitHeightsSlices = "tall.limit_heights" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/heights.wgsl")), entry: "limit_heights",
        workgroup: [256, 1, 1],
        params: HeightsParams,
        cpu: cpu::limit_heights,
        read limits: [i32; 4],
        read wish: [i32; 2],
        write next: [i32; 2],
    }
}

kernel! {
    /// Level set of tall cells that are all water or all air: at least one cell away from the surface at both ends.
    pub struct Resign slices ResignSlices = "tall.resign" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/resign.wgsl")), entry: "resign",
        workgroup: [256, 1, 1],
        params: HeightsParams,
        cpu: cpu::resign,
        read heights: [i32; 2],
        read limits: [i32; 4],
        write phi: f32,
    }
}

/// The lowest end that the range of `T` may have for the flow around what moves, where constraint (2) holds from
/// `under_air` on. What is left is twice the hysteresis, so that a column keeps its `T` while waves go up and down by
/// less than that: with a single height left every wave would fit lines anew.
pub(crate) fn lowest_followed(under_air: i32, hysteresis: i32) -> i32 {
    under_air + 2 * hysteresis
}

/// What is asked of heights, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RemeshOptions {
    /// Regular cells below the surface. 8 keeps the frequency of waves within 5 %, 16 within 2 %.
    pub(crate) below: i32,
    /// Regular cells over the highest water.
    pub(crate) above: i32,
    /// Largest difference of `T` between neighbours.
    pub(crate) step: i32,
    /// How far below the middle of its range a `T` is kept. With 0 waves are damped six times as much.
    pub(crate) hysteresis: i32,
    /// Passes that smooth the wishes.
    pub(crate) smooth_passes: usize,
    /// Passes that enforce `step`; each reaches one column further.
    pub(crate) limit_passes: usize,
}

impl Default for RemeshOptions {
    fn default() -> Self {
        Self { below: 8, above: 8, step: 4, hysteresis: 4, smooth_passes: 2, limit_passes: 6 }
    }
}

/// Finds new heights. The fields are then moved by [`DeviceRemesh`](thalweg_columns::transfer::DeviceRemesh), the level
/// set passes through [`Self::resign`].
#[derive(Debug)]
pub(crate) struct NewHeights {
    shape: Shape,
    options: RemeshOptions,
    limits: Buffer<[i32; 4]>,
    wishes: [Buffer<Heights>; 2],
    infeasible: Buffer<u32>,
}

impl NewHeights {
    /// Takes the memory.
    pub(crate) fn new(exec: &Executor, shape: Shape, options: RemeshOptions) -> Result<Self, ComputeError> {
        let columns = shape.columns();
        Ok(Self {
            shape,
            options,
            limits: exec.buffer("tall.height_limits", columns)?,
            wishes: [exec.buffer("tall.height_wishes", columns)?, exec.buffer("tall.height_wishes", columns)?],
            infeasible: exec.buffer("tall.infeasible", 2)?,
        })
    }

    /// Records the search for `new` heights, of water `phi` (in cells) on the `old` ones. `ceiling` is the largest `T`
    /// that obstacles allow, per column, and `keel` what those ask for that move; `i32::MAX` where they allow any.
    /// `reach` is what sources ask of a column. `new` must not be `old`.
    pub(crate) fn record(
        &self,
        rec: &mut Recording<'_>,
        old: &Buffer<Heights>,
        phi: &Buffer<f32>,
        (ceiling, keel, reach): (&Buffer<i32>, &Buffer<Keel>, &Buffer<Reach>),
        new: &Buffer<Heights>,
    ) -> Result<(), ComputeError> {
        let (params, all) = (self.params(), Dispatch::Elements(self.shape.columns()));
        let RemeshOptions { smooth_passes, limit_passes, .. } = self.options;
        let passes = smooth_passes + limit_passes;
        // Passes alternate between two buffers; the last one writes the result.
        let written_by = |pass: usize| if pass == passes { new } else { &self.wishes[pass % 2] };
        let (limits, infeasible) = (&self.limits, &self.infeasible);
        rec.clear(infeasible)?;
        let wish = written_by(0);
        rec.run(&Bounds { old_heights: old, phi, ceiling, keel, reach, limits, wish, infeasible }, &params, all)?;
        for pass in 1..=passes {
            let (wish, next) = (written_by(pass - 1), written_by(pass));
            if pass <= smooth_passes {
                rec.run(&SmoothHeights { limits, wish, next }, &params, all)?;
            } else {
                rec.run(&LimitHeights { limits, wish, next }, &params, all)?;
            }
        }
        Ok(())
    }

    /// Records that tall cells on the new heights hold water (or air) for certain, where they did before the transfer:
    /// rounding in the fit of a line must not open a phantom bubble.
    pub(crate) fn resign(
        &self,
        rec: &mut Recording<'_>,
        heights: &Buffer<Heights>,
        phi: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let kernel = Resign { heights, limits: &self.limits, phi };
        rec.run(&kernel, &self.params(), Dispatch::Elements(self.shape.columns()))
    }

    /// Columns of the last search in which a border of water and air, or an obstacle, comes closer to the tall cell
    /// than asked, because the regular cells do not reach over all the water; and how many regular cells more would
    /// keep the tall cells [`AHEAD`] cells below what moves.
    pub(crate) fn infeasible(&self) -> &Buffer<u32> {
        &self.infeasible
    }

    fn params(&self) -> HeightsParams {
        let RemeshOptions { below, above, step, hysteresis, .. } = self.options;
        HeightsParams {
            nx: self.shape.nx as u32,
            nz: self.shape.nz as u32,
            samples: self.shape.samples() as u32,
            below,
            above,
            step,
            hysteresis,
        }
    }
}

impl HeightsParams {
    fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }
}
