//! Which tiles split and which merge, so that neighbours differ by one level at most and no more slots are used than
//! there are.
//!
//! Each stage asks every slot once; `plan` holds what is known of a slot so far:
//!
//! | stage | decides |
//! | --- | --- |
//! | `survey` | a tile beside a finer one that is restless towards it wants to be as fine; a tile beside one of its own size that is, does not merge |
//! | `balance` | level by level, from fine to coarse: a tile beside a finer one that splits must split |
//! | `propose` | level by level, from coarse to fine: a tile may split if its coarser neighbours split now and its children's beds are there |
//! | `count`, `number` | proposals are numbered by level, then by slot, and granted while there are free slots. What a proposal rests on has lower numbers, so that it is granted too |
//! | `grant` | splits get their slots; four that want to merge do, if nothing beside them becomes two levels finer |
//! | `close` | one workgroup: the strain of the budget, and how much has changed |
//!
//! A stage reads of other slots only what an earlier stage or another level wrote.

mod constants;
mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{Buffer, Dispatch, Recording, kernel, uniform};

use crate::error::Result;

uniform! {
    /// The tree.
    pub struct AdaptPlanParams {
        /// Levels.
        pub levels: u32,
        /// Finest cells along x.
        pub nx: u32,
        /// Finest cells along z.
        pub nz: u32,
        /// Slots.
        pub capacity: u32,
        /// The level that `balance` and `propose` look at.
        pub level: u32,
    }
}

/// Stages of one module, with the same buffers.
macro_rules! stages {
    ($($(#[$doc:meta])* $name:ident slices $slices:ident = $label:literal, $entry:literal, $body:path;)*) => { $(
        kernel! {
            $(#[$doc])*
            pub struct $name slices $slices = $label {
                shader: include_str!(concat!(env!("OUT_DIR"), "/adapt_plan.wgsl")), entry: $entry,
                workgroup: [256, 1, 1],
                params: AdaptPlanParams,
                cpu: $body,
                read topology: u32,
                write wants: u32,
                write free: u32,
                write plan: u32,
                write tallies: u32,
                write clock: f32,
            }
        }
    )* };
}

stages! {
    /// Wishes, with those of the neighbours.
    Survey slices SurveySlices = "tree.survey", "survey", cpu::survey;
    /// Tiles of a level that must split.
    Balance slices BalanceSlices = "tree.balance", "balance", cpu::balance;
    /// Tiles of a level that may split.
    Propose slices ProposeSlices = "tree.propose", "propose", cpu::propose;
    /// Counts free slots and proposals.
    Count slices CountSlices = "tree.count", "count", cpu::count;
    /// Lists the free slots, and numbers the proposals.
    Number slices NumberSlices = "tree.number", "number", cpu::number;
    /// Writes the plan.
    Grant slices GrantSlices = "tree.grant", "grant", cpu::grant;
    /// Strain and changes.
    Close slices CloseSlices = "tree.close", "close", cpu::close;
}

/// Buffers of the stages.
#[derive(Clone, Copy)]
pub(crate) struct AdaptPlanBuffers<'a> {
    pub(crate) topology: &'a Buffer<u32>,
    pub(crate) wants: &'a Buffer<u32>,
    pub(crate) free: &'a Buffer<u32>,
    pub(crate) plan: &'a Buffer<u32>,
    pub(crate) tallies: &'a Buffer<u32>,
    pub(crate) clock: &'a Buffer<f32>,
}

/// All stages in order; `slots` has an invocation for every slot, `one` is one workgroup.
pub(crate) fn record(
    rec: &mut Recording<'_>,
    p: &AdaptPlanParams,
    b: AdaptPlanBuffers<'_>,
    [slots, one]: [Dispatch<'_>; 2],
) -> Result<()> {
    let AdaptPlanBuffers { topology, wants, free, plan, tallies, clock } = b;
    rec.run(&Survey { topology, wants, free, plan, tallies, clock }, p, slots)?;
    for level in (0..p.levels - 1).rev() {
        let p = AdaptPlanParams { level, ..*p };
        rec.run(&Balance { topology, wants, free, plan, tallies, clock }, &p, slots)?;
    }
    for level in 0..p.levels - 1 {
        let p = AdaptPlanParams { level, ..*p };
        rec.run(&Propose { topology, wants, free, plan, tallies, clock }, &p, slots)?;
    }
    rec.run(&Count { topology, wants, free, plan, tallies, clock }, p, slots)?;
    rec.run(&Number { topology, wants, free, plan, tallies, clock }, p, slots)?;
    rec.run(&Grant { topology, wants, free, plan, tallies, clock }, p, slots)?;
    Ok(rec.run(&Close { topology, wants, free, plan, tallies, clock }, p, one)?)
}
