//! Neighbours: particles sorted by the cell that they are in, by a counting sort.
//!
//! [`Count`] decides the cell of every particle, and counts them; a scan makes the counts to starts; [`Place`] lists the
//! particles of every cell; [`Order`] sorts the list of each cell by number, so that the order is the same from run to
//! run whatever atomics did; [`Reorder`] moves all that a particle carries. Particles that leave the domain have no
//! cell and come last, so that the same sort closes the gaps that they leave: [`Settle`] counts the others.
//!
//! Bytes a particle: 16 + 8 (count), 12 + 4 (place), about 44 + 8 (order), 4 + 36 + 36 (reorder); 12 a cell.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::primitives::Scan;
use thalweg_compute::{Buffer, Dispatch, Executor, Recording, kernel};

use crate::error::Result;
use crate::params::StepParams;
pub(crate) use cpu::extent_of;

kernel! {
    /// The cell of every particle, its number among those of the cell, and what left the domain.
    pub struct Count slices CountSlices = "particles.count" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/count.wgsl")), entry: "count",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::count,
        read extent: u32,
        read places: [f32; 4],
        read drains: [f32; 4],
        write cells: u32,
        write ranks: u32,
        write counts: u32,
        write tally: u32,
    }
}

kernel! {
    /// Particles that are still there: one invocation.
    pub struct Settle slices SettleSlices = "particles.settle" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/settle.wgsl")), entry: "settle",
        workgroup: [1, 1, 1],
        params: StepParams,
        cpu: cpu::settle,
        read starts: u32,
        write extent: u32,
    }
}

kernel! {
    /// Lists the particles of every cell, in any order. Runs over those that were there before.
    pub struct Place slices PlaceSlices = "particles.place" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/place.wgsl")), entry: "place",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::place,
        read extent: u32,
        read cells: u32,
        read ranks: u32,
        read starts: u32,
        write listed: u32,
    }
}

kernel! {
    /// The list of every cell in the order of numbers, and the cell of every place in it.
    pub struct Order slices OrderSlices = "particles.order" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/order.wgsl")), entry: "order_cells",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::order,
        read extent: u32,
        read listed: u32,
        read cells: u32,
        read starts: u32,
        read ids: u32,
        write order: u32,
        write sorted_cells: u32,
    }
}

kernel! {
    /// Moves what particles carry.
    pub struct Reorder slices ReorderSlices = "particles.reorder" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/reorder.wgsl")), entry: "reorder",
        workgroup: [256, 1, 1],
        params: StepParams,
        cpu: cpu::reorder,
        read extent: u32,
        read order: u32,
        read places: [f32; 4],
        read motions: [f32; 4],
        read ids: u32,
        write to_places: [f32; 4],
        write to_motions: [f32; 4],
        write to_ids: u32,
    }
}

/// What a particle carries through the sort.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Carried<'a> {
    pub(crate) places: &'a Buffer<[f32; 4]>,
    pub(crate) motions: &'a Buffer<[f32; 4]>,
    pub(crate) ids: &'a Buffer<u32>,
}

/// Memory of the sort, and the neighbours that it leaves.
#[derive(Debug)]
pub(crate) struct Neighbours {
    /// First particle of every cell, and of those without one.
    pub(crate) starts: Buffer<u32>,
    /// The cell of every particle, as they are sorted.
    pub(crate) cells: Buffer<u32>,
    unsorted_cells: Buffer<u32>,
    ranks: Buffer<u32>,
    counts: Buffer<u32>,
    listed: Buffer<u32>,
    order: Buffer<u32>,
    scan: Scan,
}

impl Neighbours {
    pub(crate) fn new(exec: &Executor, capacity: usize, cells: usize) -> Result<Self> {
        Ok(Self {
            starts: exec.buffer("particles.starts", cells + 1)?,
            cells: exec.buffer("particles.cells", capacity)?,
            unsorted_cells: exec.buffer("particles.unsorted_cells", capacity)?,
            ranks: exec.buffer("particles.ranks", capacity)?,
            counts: exec.buffer("particles.counts", cells + 1)?,
            listed: exec.buffer("particles.listed", capacity)?,
            order: exec.buffer("particles.order", capacity)?,
            scan: Scan::new(exec, cells + 1)?,
        })
    }

    /// Sorts what is carried `from` by the cells of `keys`, which is one of its arrays.
    pub(crate) fn record(
        &self,
        rec: &mut Recording<'_>,
        p: &StepParams,
        extent: &Buffer<u32>,
        (drains, tally): (&Buffer<[f32; 4]>, &Buffer<u32>),
        keys: &Buffer<[f32; 4]>,
        [from, to]: [Carried<'_>; 2],
    ) -> Result<()> {
        let Self { starts, cells: sorted_cells, unsorted_cells: cells, ranks, counts, listed, order, scan } = self;
        let all = || Dispatch::Indirect(extent, 0);
        rec.clear(counts)?;
        rec.run(&Count { extent, places: keys, drains, cells, ranks, counts, tally }, p, all())?;
        scan.exclusive(rec, counts, starts)?;
        rec.run(&Place { extent, cells, ranks, starts, listed }, p, all())?;
        self.settle(rec, p, extent)?;
        rec.run(&Order { extent, listed, cells, starts, ids: from.ids, order, sorted_cells }, p, all())?;
        let Carried { places, motions, ids } = from;
        let Carried { places: to_places, motions: to_motions, ids: to_ids } = to;
        let kernel = Reorder { extent, order, places, motions, ids, to_places, to_motions, to_ids };
        Ok(rec.run(&kernel, p, all())?)
    }

    /// Sets all extents to the particles that are there.
    pub(crate) fn settle(&self, rec: &mut Recording<'_>, p: &StepParams, extent: &Buffer<u32>) -> Result<()> {
        Ok(rec.run(&Settle { starts: &self.starts, extent }, p, Dispatch::Groups([1, 1, 1]))?)
    }
}
