//! The scheme of [004] on the tree, corrected (methods note §4.1 and §4.2): gravity by upwind differences, then
//! advection of water and momentum by kernel windows.
//!
//! All tiles that are awake take one step together. A step, in order; each stage runs on all levels before the next one
//! begins:
//!
//! | stage | does | [004] |
//! | --- | --- | --- |
//! | `drift` | velocities after diffusion, gravity and friction; how far they carry a cell in the step | §4.1, 4.2, 4.6, 4.7 |
//! | `outflow_limit` | every cell looks where its water comes from: a window of its size, a step upstream; how much of each cell all windows ask for | §4.4 |
//! | `gather` | every cell takes what its window covers, and its share where more is asked for than there is | §4.5 |
//! | `side_outflow` | open sides take their share | methods note §4.2 |
//! | `scatter_rest` | what nobody asked for goes a step downstream | methods note §4.2 |
//! | `source_share`, `inflow` | rain and sources, in whole units | |
//! | `collect` | volumes and momenta become surfaces and discharges | |
//!
//! **What is exact.** Volumes are whole numbers (`units.rs`), 64 bits each, and the water of record; the surface in
//! `cells` is their picture in f32. What is taken, pushed or left is whole numbers that add up, also when tiles split
//! and merge (`adapt_volumes`), and so is what comes from outside and goes there (`tallies`): the total is accounted
//! for to the last bit, no cell ever holds less than nothing, and sums do not depend on their order. Momentum is
//! carried along by the same shares, to the rounding of f32 and 2⁻⁴⁰ m²/s.
//!
//! **Land.** [004]'s advection knows no ground and carries water uphill. Here water moves to a cell only from one whose
//! surface is above its bed; and a bank is a wall to the water below it.
//!
//! **Why it is stable.** A cell with u ≥ 0 takes water through its low face, and its velocity comes from the difference
//! of surfaces across that same face: for small waves it is a staggered grid with velocity first and surface next,
//! stable up to `c Δt ≤ s/√2`, which the clock and the cap of gravity keep to. What [004] leaves open is a velocity
//! that changes its sign, for then it changes its face; and faces that both their cells or neither of them move. Rules
//! for these are in `drift.rs`.

mod adapt_volumes;
mod collect;
mod constants;
mod drift;
mod gather;
mod inflow;
mod outflow_limit;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
mod scatter;
mod scatter_rest;
mod side_outflow;
mod source_share;
pub(crate) mod tallies;
#[cfg(any(test, feature = "testing"))]
mod testing;
#[cfg(test)]
mod tests;
mod units;
mod window;

use thalweg_compute::{Buffer, Dispatch, Executor, Recording, kernel, uniform};

use super::layout::CELLS;
use super::step::Buffers;
use crate::error::Result;

pub(crate) use units::depth_bits;
use units::volume_of;

uniform! {
    /// Parameters of the steps of one level; `adapt_volumes` serves all levels.
    pub struct KernelParams {
        /// Which level.
        pub level: u32,
        /// Levels.
        pub levels: u32,
        /// Finest cells along x.
        pub nx: u32,
        /// Finest cells along z.
        pub nz: u32,
        /// Slots.
        pub capacity: u32,
        /// Size of a cell of this level, m.
        pub cell: f32,
        /// m/s².
        pub gravity: f32,
        /// Depth below which velocities fade, m.
        pub h_eps: f32,
        /// Viscosity of the velocities, m²/s.
        pub viscosity: f32,
        /// Friction coefficient k of [004] §4.7.
        pub friction: f32,
        /// g n², for Manning's n.
        pub drag: f32,
        /// One unit of volume is `2^-depth_bits` metres on a finest cell.
        pub depth_bits: u32,
        /// Sources beside the rain.
        pub sources: u32,
        /// Sides (bits) that let water out.
        pub open: u32,
    }
}

impl KernelParams {
    /// Finest cells along a cell of this level, as a shift.
    fn shift(&self) -> u32 {
        self.levels - 1 - self.level
    }

    /// Depth of one unit of volume on a cell of this level, m.
    fn unit_depth(&self) -> f32 {
        units::unit_depth(self.depth_bits, self.shift())
    }
}

/// Planes of a tile, each of `CELLS` words. Two planes that follow each other are the low and high words of 64 bits.
mod plane {
    /// `volumes`.
    pub(super) const VOLUMES: usize = 2;
    /// `drift`: along x and z, i32 in parts of the cell, see `window`; and what goes out through open sides, in parts
    /// of `ONE`.
    pub(super) const LEAVING: usize = 2;
    pub(super) const DRIFT: usize = 3;
    /// `flow`: velocity along x and z, m/s.
    pub(super) const FLOW: usize = 2;
    /// `asked`: what windows ask of a cell, in parts of it, and the volume that was taken.
    pub(super) const DEMAND: usize = 0;
    pub(super) const TAKEN: usize = 2;
    pub(super) const ASKED: usize = 4;
    /// `arrivals`: volume, momentum along x and z.
    pub(super) const MOMENTUM: usize = 2;
    pub(super) const ARRIVALS: usize = 6;
}

/// Memory of the scheme beside that of the tree.
#[derive(Debug)]
pub(crate) struct KernelBuffers {
    pub(crate) volumes: Buffer<u32>,
    drift: Buffer<u32>,
    flow: Buffer<f32>,
    asked: Buffer<u32>,
    arrivals: Buffer<u32>,
    pub(crate) tallies: Buffer<u32>,
    /// Rain, then every source: whole units of depth on a finest cell in this step, and what is owed beyond them. None
    /// if nothing pours.
    pub(crate) portions: Option<Buffer<f32>>,
}

impl KernelBuffers {
    /// `pours` is how many things pour, rain and sources.
    pub(crate) fn new(exec: &Executor, slots: usize, pours: usize) -> Result<Self> {
        let words = |planes: usize| slots * planes * CELLS;
        Ok(Self {
            volumes: exec.buffer("tree.volumes", words(plane::VOLUMES))?,
            drift: exec.buffer("tree.drift", words(plane::DRIFT))?,
            flow: exec.buffer("tree.flow", words(plane::FLOW))?,
            asked: exec.buffer("tree.asked", words(plane::ASKED))?,
            arrivals: exec.buffer("tree.arrivals", words(plane::ARRIVALS))?,
            tallies: exec.buffer("tree.tallies", slots * tallies::WORDS)?,
            portions: if pours > 0 { Some(exec.buffer("tree.portions", 2 * pours)?) } else { None },
        })
    }
}

/// Words of `volumes` of a tile, from its surface variables and beds.
pub(crate) fn tile_volumes(cells: &[f32], bits: u32, shift: u32) -> Vec<u32> {
    let mut words = vec![0; plane::VOLUMES * CELLS];
    for at in 0..CELLS {
        units::put_wide(&mut words, at, volume_of(cells[at], cells[at + 3 * CELLS], bits, shift));
    }
    words
}

/// Sum of the volumes of a tile, in units.
pub(crate) fn tile_sum(words: &[u32]) -> u128 {
    (0..CELLS).map(|at| u128::from(units::wide(words, at))).sum()
}

kernel! {
    /// Velocities of a level for the next step.
    pub struct Drift slices DriftSlices = "tree.drift" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/drift.wgsl")), entry: "drift_cells",
        workgroup: [256, 1, 1],
        params: KernelParams,
        cpu: drift::drift,
        read topology: u32,
        read lists: u32,
        read clock: f32,
        read cells: f32,
        write flow: f32,
        write drift: u32,
        write asked: u32,
    }
}

kernel! {
    /// Adds up what the windows of a level ask for.
    pub struct OutflowLimit slices OutflowLimitSlices = "tree.outflow_limit" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/outflow_limit.wgsl")), entry: "outflow_limit",
        workgroup: [256, 1, 1],
        params: KernelParams,
        cpu: outflow_limit::outflow_limit,
        read topology: u32,
        read lists: u32,
        read drift: u32,
        read cells: f32,
        write asked: u32,
    }
}

kernel! {
    /// The cells of a level take what their windows cover.
    pub struct Gather slices GatherSlices = "tree.gather" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/gather.wgsl")), entry: "gather",
        workgroup: [256, 1, 1],
        params: KernelParams,
        cpu: gather::gather,
        read topology: u32,
        read lists: u32,
        read drift: u32,
        read flow: f32,
        read volumes: u32,
        read cells: f32,
        write asked: u32,
        write arrivals: u32,
    }
}

kernel! {
    /// What goes out through open sides.
    pub struct SideOutflow slices SideOutflowSlices = "tree.side_outflow" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/side_outflow.wgsl")), entry: "side_outflow",
        workgroup: [256, 1, 1],
        params: KernelParams,
        cpu: side_outflow::side_outflow,
        read lists: u32,
        read drift: u32,
        read volumes: u32,
        write asked: u32,
        write tallies: u32,
    }
}

kernel! {
    /// The cells of a level pass on what was not taken.
    pub struct ScatterRest slices ScatterRestSlices = "tree.scatter_rest" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/scatter_rest.wgsl")), entry: "scatter_rest",
        workgroup: [256, 1, 1],
        params: KernelParams,
        cpu: scatter_rest::scatter_rest,
        read topology: u32,
        read lists: u32,
        read drift: u32,
        read flow: f32,
        read volumes: u32,
        read cells: f32,
        read asked: u32,
        write arrivals: u32,
    }
}

kernel! {
    /// What rain and sources bring in a step.
    pub struct SourceShare slices SourceShareSlices = "tree.source_share" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/source_share.wgsl")), entry: "source_share",
        workgroup: [1, 1, 1],
        params: KernelParams,
        cpu: source_share::source_share,
        read clock: f32,
        write portions: f32,
    }
}

kernel! {
    /// Rain and sources on the cells of a level.
    pub struct Inflow slices InflowSlices = "tree.inflow" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/inflow.wgsl")), entry: "inflow",
        workgroup: [256, 1, 1],
        params: KernelParams,
        cpu: inflow::inflow,
        read topology: u32,
        read lists: u32,
        read clock: f32,
        read portions: f32,
        write arrivals: u32,
        write tallies: u32,
    }
}

kernel! {
    /// The new water of a level.
    pub struct Collect slices CollectSlices = "tree.collect" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/collect.wgsl")), entry: "collect",
        workgroup: [256, 1, 1],
        params: KernelParams,
        cpu: collect::collect,
        read lists: u32,
        read clock: f32,
        read arrivals: u32,
        write volumes: u32,
        write cells: f32,
        write status: f32,
    }
}

kernel! {
    /// Volumes of tiles that split or merge, after their surfaces.
    pub struct AdaptVolumes slices AdaptVolumesSlices = "tree.adapt_volumes" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/adapt_volumes.wgsl")), entry: "adapt_volumes",
        workgroup: [256, 1, 1],
        params: KernelParams,
        cpu: adapt_volumes::adapt_volumes,
        read plan: u32,
        read topology: u32,
        write volumes: u32,
        write cells: f32,
    }
}

/// One step of all levels; `on` says how many workgroups a level has.
pub(super) fn record<'a>(
    rec: &mut Recording<'_>,
    levels: &[KernelParams],
    b: &Buffers,
    k: &KernelBuffers,
    on: impl Fn(usize) -> Dispatch<'a>,
) -> Result<()> {
    let Buffers { topology, lists, clock, cells, status, .. } = b;
    let KernelBuffers { volumes, drift, flow, asked, arrivals, tallies, portions } = k;
    for (level, p) in levels.iter().enumerate() {
        rec.run(&Drift { topology, lists, clock, cells, flow, drift, asked }, p, on(level))?;
    }
    for (level, p) in levels.iter().enumerate() {
        rec.run(&OutflowLimit { topology, lists, drift, cells, asked }, p, on(level))?;
    }
    for (level, p) in levels.iter().enumerate() {
        rec.run(&Gather { topology, lists, drift, flow, volumes, cells, asked, arrivals }, p, on(level))?;
    }
    for (level, p) in levels.iter().enumerate().filter(|(_, p)| p.open != 0) {
        rec.run(&SideOutflow { lists, drift, volumes, asked, tallies }, p, on(level))?;
    }
    for (level, p) in levels.iter().enumerate() {
        rec.run(&ScatterRest { topology, lists, drift, flow, volumes, cells, asked, arrivals }, p, on(level))?;
    }
    if let Some(portions) = portions {
        rec.run(&SourceShare { clock, portions }, &levels[0], Dispatch::Groups([1, 1, 1]))?;
        for (level, p) in levels.iter().enumerate() {
            rec.run(&Inflow { topology, lists, clock, portions, arrivals, tallies }, p, on(level))?;
        }
    }
    for (level, p) in levels.iter().enumerate() {
        rec.run(&Collect { lists, clock, arrivals, volumes, cells, status }, p, on(level))?;
    }
    Ok(())
}

/// After splits and merges, with the workgroups of those.
pub(super) fn record_carry(
    rec: &mut Recording<'_>,
    levels: &[KernelParams],
    b: &Buffers,
    k: &KernelBuffers,
    on: Dispatch<'_>,
) -> Result<()> {
    let Buffers { topology, cells, plan, .. } = b;
    Ok(rec.run(&AdaptVolumes { plan, topology, volumes: &k.volumes, cells }, &levels[0], on)?)
}
