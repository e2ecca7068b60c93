use thalweg_compute::parity::{Rng, Tolerance, assert_parity, test_executors};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::testing::{Case, SIZES, case, launch, unwritten};

fn gather(exec: &Executor, c: &Case, list: &[u32]) -> Result<Vec<f32>> {
    let state = &exec.buffer_from("test.state", &c.state)?;
    let bed = &exec.buffer_from("test.bed", &c.bed)?;
    let list = &exec.buffer_from("test.list", list)?;
    let values = &unwritten(exec, list.len() * WORDS)?;
    let params = GatherParams { cells: c.bed.len() as u32, h_eps: c.params.h_eps };
    launch(exec, &Gather { state, bed, list, values }, &params, Dispatch::Elements(list.len()))?;
    exec.read(values)
}

#[test]
fn listed_cells_parity() {
    assert_parity(5, |exec, rng, out| {
        for size in SIZES {
            let c = case(rng, size, 0.9);
            let length = 1 + rng.below(700) as usize;
            let list = rng.u32s(length, c.bed.len() as u32);
            // Sums are rounded once; velocities are a product and a quotient (2.5 units in the last place).
            out.f32(&format!("values {size:?}"), gather(exec, &c, &list)?, Tolerance::Relative(1e-6));
        }
        Ok(())
    });
}

#[test]
fn values_are_those_of_the_listed_cells_in_order() {
    for exec in test_executors() {
        let c = case(&mut Rng::new(9), (31, 13), 0.9);
        let cells = c.bed.len();
        let list: Vec<u32> = [402, 0, 7, 7, 131].into();
        let values = gather(exec, &c, &list).unwrap();
        for (&cell, found) in list.iter().zip(values.chunks_exact(WORDS)) {
            let at = cell as usize;
            let (s, z) = (c.state[at], c.bed[at]);
            let h = s - z.min(0.0);
            assert_eq!([found[0], found[1], found[4]], [h, s + z.max(0.0), z]);
            for (axis, &velocity) in found[2..4].iter().enumerate() {
                let q = c.state[at + (1 + axis) * cells];
                assert!(h < 1e-3 || (velocity - q / h).abs() < 1e-6, "cell {cell}: {velocity} of {}", q / h);
            }
        }
    }
}
