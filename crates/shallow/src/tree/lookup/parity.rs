use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::testing::{launch, left_alone};
use crate::tree::testing::{TREES, TreeWords, random_tree};

/// Values of places, and one more that nobody writes.
pub(super) fn lookup(exec: &Executor, g: &TreeWords, levels: u32, places: &[u32]) -> Result<Vec<f32>> {
    let topology = &exec.buffer_from("test.topology", &g.topology)?;
    let cells = &exec.buffer_from("test.cells", &g.cells)?;
    let places = &exec.buffer_from("test.places", places)?;
    let values = &left_alone(exec, (places.len() / 2 + 1) * WORDS)?;
    let params = LookupParams { levels, h_eps: g.params.sums.h_eps };
    launch(exec, &Lookup { topology, cells, places, values }, &params, Dispatch::Elements(places.len() / 2))?;
    exec.read(values)
}

/// Finest cells in a domain of tiles, some of them twice.
pub(super) fn places(rng: &mut Rng, tiles: [u32; 2], count: usize) -> Vec<u32> {
    (0..count).flat_map(|_| tiles.map(|n| rng.below(16 * n))).collect()
}

fn random_places(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for tree in TREES {
        let g = random_tree(rng, tree);
        let count = 1 + rng.below(700) as usize;
        let places = places(rng, tree.0, count);
        // Sums are rounded once; velocities are a product and a quotient (2.5 units in the last place).
        out.f32(&format!("values {tree:?}"), lookup(exec, &g, tree.1, &places)?, Tolerance::Relative(1e-6));
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    random_places: 4 seeds,
}
