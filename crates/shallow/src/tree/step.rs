//! The order of the stages of a tree, written once for both executors.

use thalweg_compute::{Buffer, Dispatch, Executor, Recording};

use super::active_tiles::{FindActive, ListActive};
use super::adapt_apply::AdaptApply;
use super::adapt_plan::{self, AdaptPlanBuffers};
use super::flux_update::FluxUpdate;
use super::kernel_advection::{self, KernelBuffers};
use super::layout::{CELL_WORDS, MAX_LEVELS, NURSERY_WORDS, REGISTER_WORDS, action, clock, lists, out, source, status};
use super::params::TreePlan;
use super::refine_criteria::RefineCriteria;
use super::reflux::Reflux;
use super::slot_counts;
use super::sums;
use super::tree_clock::{Begin, Tick, arg};
use super::tree_sides::TreeSides;
use crate::error::Result;

/// Memory of a tree; see `layout`.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(crate) topology: Buffer<u32>,
    pub(crate) lists: Buffer<u32>,
    pub(crate) clock: Buffer<f32>,
    /// Samples of sides, rain and sources over the frame.
    pub(crate) drivers: Buffer<f32>,
    pub(crate) args: Buffer<u32>,
    /// Surface variable (m), discharges (m²/s) and bed (m) of every tile.
    pub(crate) cells: Buffer<f32>,
    /// Beds of the children, m.
    pub(crate) nursery: Buffer<f32>,
    /// What passed to larger cells.
    pub(crate) registers: Buffer<f32>,
    /// Of sides that hold a level, see `crate::sides`.
    pub(crate) levels: Buffer<f32>,
    pub(crate) curves: Buffer<f32>,
    pub(crate) out: Buffer<f32>,
    pub(crate) status: Buffer<f32>,
    pub(crate) wishes: Buffer<f32>,
    pub(crate) wants: Buffer<u32>,
    pub(crate) free: Buffer<u32>,
    pub(crate) plan: Buffer<u32>,
    /// Scratch of `active_tiles` and `adapt_plan`.
    pub(crate) tallies: Buffer<u32>,
    pub(crate) totals: Buffer<f32>,
    /// What was taken out of `status` for the ledger; one element if the scheme counts elsewhere.
    pub(crate) counted: Buffer<[f32; 4]>,
    /// If the scheme is that of [004].
    pub(crate) kernel: Option<KernelBuffers>,
}

impl Buffers {
    pub(crate) fn new(exec: &Executor, plan: &TreePlan) -> Result<Self> {
        let slots = plan.capacity;
        let levels = plan.flux_update.len();
        Ok(Self {
            topology: exec.buffer("tree.topology", plan.levels.words)?,
            lists: exec.buffer("tree.lists", lists::PLACES + slots * (1 + levels))?,
            clock: exec.buffer("tree.clock", clock::SOURCES + source::WORDS * plan.sources.len())?,
            drivers: exec.buffer("tree.drivers", plan.drivers.len())?,
            args: exec.buffer("tree.args", 3 * arg::COUNT)?,
            cells: exec.buffer("tree.cells", slots * CELL_WORDS)?,
            nursery: exec.buffer("tree.nursery", slots * NURSERY_WORDS)?,
            registers: exec.buffer("tree.registers", slots * REGISTER_WORDS)?,
            levels: exec.buffer_from(
                "tree.side_levels",
                &plan.sides.first_levels([plan.active_tiles.nx, plan.active_tiles.nz]),
            )?,
            curves: exec.buffer_from("tree.curves", &plan.sides.curves)?,
            out: exec.buffer("tree.out", slots * out::WORDS)?,
            status: exec.buffer("tree.status", slots * status::WORDS)?,
            wishes: exec.buffer_from("tree.wishes", &plan.wishes)?,
            wants: exec.buffer("tree.wants", slots)?,
            free: exec.buffer("tree.free", slots)?,
            plan: exec.buffer("tree.plan", slots * action::WORDS)?,
            tallies: exec.buffer("tree.tallies", slot_counts::groups(slots) * slot_counts::WORDS)?,
            totals: exec.buffer("tree.totals", slots * sums::WORDS)?,
            counted: exec.buffer("tree.counted", if plan.kernel.is_some() { 1 } else { slots })?,
            kernel: plan.kernel.as_ref().map(|_| KernelBuffers::new(exec, slots, plan.pours)).transpose()?,
        })
    }
}

/// Looks at the tree and changes it, whether it is due or not.
pub(crate) fn regrid(rec: &mut Recording<'_>, plan: &TreePlan, b: &Buffers) -> Result<()> {
    refine_criteria(rec, plan, b)?;
    change(rec, plan, b)
}

/// What the tiles want.
pub(crate) fn refine_criteria(rec: &mut Recording<'_>, plan: &TreePlan, b: &Buffers) -> Result<()> {
    record_criteria(rec, plan, b, all_tiles(plan))
}

/// What they get.
pub(crate) fn change(rec: &mut Recording<'_>, plan: &TreePlan, b: &Buffers) -> Result<()> {
    record_change(rec, plan, b, [Dispatch::Elements(plan.capacity), Dispatch::Groups([1, 1, 1]), all_tiles(plan)])
}

fn all_tiles(plan: &TreePlan) -> Dispatch<'static> {
    Dispatch::Groups(thalweg_compute::fold(plan.capacity as u64).unwrap_or([0, 1, 1]))
}

fn record_criteria(rec: &mut Recording<'_>, plan: &TreePlan, b: &Buffers, extent: Dispatch<'_>) -> Result<()> {
    let Buffers { topology, wishes, clock, cells, wants, .. } = b;
    rec.stage("tree");
    Ok(rec.run(&RefineCriteria { topology, wishes, clock, cells, wants }, &plan.refine_criteria, extent)?)
}

fn record_change(
    rec: &mut Recording<'_>,
    plan: &TreePlan,
    b: &Buffers,
    [slots, one, adapt_apply]: [Dispatch<'_>; 3],
) -> Result<()> {
    let Buffers { topology, clock, cells, wants, free, nursery, status, tallies, .. } = b;
    rec.stage("tree");
    let buffers = AdaptPlanBuffers { topology, wants, free, plan: &b.plan, tallies, clock };
    adapt_plan::record(rec, &plan.adapt_plan, buffers, [slots, one])?;
    rec.run(&AdaptApply { plan: &b.plan, topology, cells, nursery, status }, &plan.adapt_apply, adapt_apply)?;
    match (&plan.kernel, &b.kernel) {
        (Some(params), Some(kernel)) => kernel_advection::record_carry(rec, params, b, kernel, adapt_apply),
        _ => Ok(()),
    }
}

/// One round. Past the frame's end every stage runs empty.
pub(crate) fn round(rec: &mut Recording<'_>, plan: &TreePlan, b: &Buffers, rates: u32) -> Result<()> {
    let on = |n: usize| Dispatch::Indirect(&b.args, 3 * n);
    let one = Dispatch::Groups([1, 1, 1]);
    let Buffers {
        topology, lists, clock, drivers, args, cells, registers, levels, curves, out, status, tallies, ..
    } = b;
    if plan.clock.interval > 0 {
        record_criteria(rec, plan, b, on(arg::REFINE_CRITERIA))?;
        record_change(rec, plan, b, [on(arg::ADAPT_PLAN), on(arg::CLOSE), on(arg::ADAPT_APPLY)])?;
    }
    rec.stage("clock");
    let params = super::tree_clock::TreeClockParams { rates, ..plan.clock };
    rec.run(&FindActive { topology, status, clock, lists, tallies }, &plan.active_tiles, on(arg::ACTIVE_TILES))?;
    rec.run(&ListActive { tallies, lists }, &plan.active_tiles, on(arg::ACTIVE_TILES))?;
    rec.run(&Begin { lists, drivers, clock, args }, &params, one)?;
    for tick in 1..1 + (1u32 << rates) {
        rec.stage("clock");
        rec.run(&Tick { lists, drivers, clock, args }, &params, one)?;
        if !plan.sides.sides.is_empty() {
            rec.stage("sides");
            for side in &plan.sides.sides {
                rec.run(&TreeSides { topology, clock, cells, curves, levels }, side, one)?;
            }
        }
        rec.stage("flux");
        debug_assert!(plan.flux_update.len() <= MAX_LEVELS);
        if let (Some(params), Some(kernel)) = (&plan.kernel, &b.kernel) {
            kernel_advection::record(rec, params, b, kernel, on)?;
            continue;
        }
        // Fine levels first: coarse ones take over what has passed.
        let steps = plan.flux_update.iter().zip(&plan.reflux).enumerate().rev();
        for (level, (flux_update, reflux)) in steps.filter(|(level, _)| may_step(*level, tick)) {
            rec.run(&FluxUpdate { topology, lists, clock, cells, registers, levels, out }, flux_update, on(level))?;
            rec.run(&Reflux { topology, lists, clock, out, cells, registers, status }, reflux, on(level))?;
        }
    }
    Ok(())
}

/// Whether the clock may ever let a level step at a tick of a round, counted from 1; what it never does is not recorded.
///
/// The shortest round with that tick has `2^F` ticks. Level `l` has at most `l` coarser ones, and so takes at most `2^l` steps in it: one at every multiple of `2^(F − l)`. In
/// longer rounds its steps are rarer.
pub(crate) fn may_step(level: usize, tick: u32) -> bool {
    let doublings = tick.next_power_of_two().ilog2();
    tick.is_multiple_of(1 << doublings.saturating_sub(level as u32))
}
