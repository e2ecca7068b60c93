//! The order of the stages, written once for both executors.

use thalweg_compute::{Buffer, Dispatch, Recording};

use crate::absorb::Absorb;
use crate::clock::Clock;
use crate::cmf10::{self, Staggered};
use crate::error::Result;
use crate::hllc::{HllcFirst, HllcSecond};
use crate::maps::{Look, MapsParams};
use crate::plan::Plan;
use crate::setup::{Order, Scheme};
use crate::sides::Sides;
use crate::sources::AddSources;

/// Memory of a run.
#[derive(Debug)]
pub(crate) struct Buffers {
    /// Surface variable s (m) and discharges qx, qz (m²/s), three planes each: this step's and the next.
    pub(crate) state: [Buffer<f32>; 2],
    /// Bed above the datum, m.
    pub(crate) bed: Buffer<f32>,
    /// See `clock::word`.
    pub(crate) clock: Buffer<f32>,
    /// Samples of sides, rain and sources over the frame.
    pub(crate) drivers: Buffer<f32>,
    /// Workgroups of switched kernels when on …
    pub(crate) extents: Buffer<u32>,
    /// … and now.
    pub(crate) args: Buffer<u32>,
    /// Fastest signal per workgroup, m/s.
    pub(crate) speeds: Buffer<f32>,
    /// Of sides that hold a level, see `crate::sides`.
    pub(crate) levels: Buffer<f32>,
    pub(crate) curves: Buffer<f32>,
    /// Volume that entered per edge face, m³.
    pub(crate) edges: Buffer<f32>,
    /// Volume added per cell of layers and sources, m³.
    pub(crate) exchanged: Buffer<f32>,
    /// Memory of [`Scheme::Cmf10`].
    pub(crate) staggered: Option<Staggered>,
    /// See `crate::maps`.
    pub(crate) maps: Option<Buffer<f32>>,
}

/// One sub-step from `state[from]` to the other state. Past the frame's end every stage runs empty. With `look` the
/// water is taken into the maps before it moves.
pub(crate) fn substep(
    rec: &mut Recording<'_>,
    plan: &Plan,
    b: &Buffers,
    from: usize,
    look: Option<&MapsParams>,
) -> Result<()> {
    let (state, next) = (&b.state[from], &b.state[1 - from]);
    let switched = |n: usize| Dispatch::Indirect(&b.args, 3 * n);

    rec.stage("clock");
    let Buffers { speeds, drivers, extents, clock, args, bed, levels, curves, edges, exchanged, .. } = b;
    rec.run(&Clock { speeds, drivers, extents, clock, args }, &plan.clock, Dispatch::Groups([1, 1, 1]))?;
    if !plan.sides.sides.is_empty() {
        rec.stage("sides");
        for side in &plan.sides.sides {
            rec.run(&Sides { state, bed, clock, curves, levels }, side, Dispatch::Groups([1, 1, 1]))?;
        }
    }

    if let Some((params, maps)) = look.zip(b.maps.as_ref()) {
        rec.stage("maps");
        let n = 1 + plan.layers.len() + plan.pours.len();
        rec.run(&Look { state, bed, clock, maps }, params, switched(n))?;
    }

    match plan.scheme {
        Scheme::Hllc { order: Order::First } => {
            rec.stage("flux");
            rec.run(&HllcFirst { state, bed, clock, levels, next, speeds, edges }, &plan.hllc, switched(0))?;
        }
        Scheme::Hllc { order: Order::Second { .. } } => {
            rec.stage("flux");
            rec.run(&HllcSecond { state, bed, clock, levels, next, speeds, edges }, &plan.hllc, switched(0))?;
        }
        Scheme::Cmf10 => {
            if let Some(m) = &b.staggered {
                cmf10::substep(rec, plan, b, m, from, switched(0))?;
            }
        }
    }
    if !plan.layers.is_empty() {
        rec.stage("absorb");
        for (n, layer) in plan.layers.iter().enumerate() {
            rec.run(&Absorb { bed, clock, state: next, exchanged }, layer, switched(1 + n))?;
        }
    }
    if !plan.pours.is_empty() {
        rec.stage("pour");
        for (n, pour) in plan.pours.iter().enumerate() {
            rec.run(&AddSources { bed, clock, state: next, exchanged }, pour, switched(1 + plan.layers.len() + n))?;
        }
    }
    if let Some(m) = b.staggered.as_ref().filter(|_| plan.changes_cells()) {
        cmf10::adopt(rec, plan, b, m, next, switched(0))?;
    }
    Ok(())
}
