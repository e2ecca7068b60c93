use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::constants::{CORNERS, NO_WATER};
use super::{Corners, OnGrid, OnGridParams};
use crate::testing::{launch, left_alone};
use crate::tree::layout::CELLS;
use crate::tree::testing::{TREES, TreeWords, random_tree};

/// Corners, state and bed of a tree on a grid over all of its finest cells, and the parameters.
pub(super) struct Drawn {
    pub(super) corners: Vec<[f32; 4]>,
    pub(super) state: Vec<f32>,
    pub(super) bed: Vec<f32>,
}

/// A tree of so many finest tiles on cells of `2^shift` finest ones; the ground is at `ground`, m.
pub(super) fn drawn(
    exec: &Executor,
    g: &TreeWords,
    (tiles, levels): ([u32; 2], u32),
    shift: u32,
    ground: f32,
) -> Result<Drawn> {
    let [nx, nz] = tiles.map(|n| (16 * n).div_ceil(1 << shift));
    let (count, capacity) = ((nx * nz) as usize, g.params.capacity);
    let h_eps = g.params.sums.h_eps;
    let params =
        OnGridParams { nx, nz, shift, levels, capacity: capacity as u32, cell: 0.5, h_eps, moves: 1 - shift % 2 };
    let topology = &exec.buffer_from("test.topology", &g.topology)?;
    let cells = &exec.buffer_from("test.cells", &g.cells)?;
    let corners = &exec.buffer_from("test.corners", &vec![[0.0, NO_WATER, 0.0, 0.0]; capacity * CORNERS])?;
    let ground = &exec.buffer_from("test.ground", &vec![ground; count])?;
    let (state, bed) = (&left_alone(exec, 3 * count)?, &left_alone(exec, count)?);
    launch(exec, &Corners { topology, cells, corners }, &params, Dispatch::Elements(CELLS * capacity))?;
    launch(exec, &OnGrid { topology, cells, corners, ground, state, bed }, &params, Dispatch::Elements(count))?;
    Ok(Drawn { corners: exec.read(corners)?, state: exec.read(state)?, bed: exec.read(bed)? })
}

fn random_trees(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for tree in TREES {
        let g = random_tree(rng, tree);
        for shift in 0..4 {
            let found = drawn(exec, &g, tree, shift, 0.3)?;
            // Means of up to 64 numbers of about 1, some of them differences.
            let close = Tolerance::Absolute(1e-5);
            out.f32(&format!("corners {tree:?} {shift}"), found.corners.concat(), close);
            out.f32(&format!("state {tree:?} {shift}"), found.state, close);
            out.f32(&format!("bed {tree:?} {shift}"), found.bed, close);
        }
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    random_trees: 3 seeds,
}
