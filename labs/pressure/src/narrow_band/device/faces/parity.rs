use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};
use thalweg_pressure::NONE;
use thalweg_pressure::parts::device::{PARTIALS, reduction_groups, slot};

use super::{FacesParams, Rhs, Update};
use crate::narrow_band::grid::unravel;

fn faces(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for [nx, ny, nz] in [[7_u32, 5, 1], [61, 47, 1], [23, 17, 9]] {
        let rng = &mut rng.clone();
        let count = nx * ny * nz;
        let cell_of_unknown: Vec<u32> = (0..count).filter(|_| rng.below(4) > 0).collect();
        let mut unknown_of_cell = vec![NONE; count as usize];
        cell_of_unknown.iter().zip(0..).for_each(|(cell, unknown)| unknown_of_cell[*cell as usize] = unknown);
        let unknowns = cell_of_unknown.len();
        let groups = reduction_groups(unknowns) as u32;
        let p = &FacesParams { nx, ny, nz, unknowns: unknowns as u32, groups, scale: -3.0 };
        // Some faces closed, those of the walls always.
        let mut fractions = rng.f32s(p.faces(), -0.3, 1.0);
        for axis in 0..3 {
            let (size, starts) = (p.size(axis), p.starts());
            for (face, open) in fractions[starts[axis]..starts[axis + 1]].iter_mut().enumerate() {
                let at = unravel(size, face);
                let wall = at[axis] == 0 || at[axis] + 1 == size[axis];
                *open = if wall { 0.0 } else { open.max(0.0) };
            }
        }
        let open = &exec.buffer_from("open", &fractions)?;
        let slope = &exec.buffer_from("slope", &rng.f32s(p.faces(), 0.0, 2.0))?;
        let u = &exec.buffer_from("u", &rng.f32s(p.faces(), -1.0, 1.0))?;
        let pressure = &exec.buffer_from("pressure", &rng.f32s(unknowns, -1.0, 1.0))?;
        let b = &exec.buffer_from("b", &vec![f32::NAN; unknowns])?;
        let partials = &exec.buffer::<f32>("partials", slot::COUNT * PARTIALS)?;
        let cell_of_unknown = &exec.buffer_from("cell_of_unknown", &cell_of_unknown)?;
        let unknown_of_cell = &exec.buffer_from("unknown_of_cell", &unknown_of_cell)?;
        let mut rec = exec.record();
        let rhs = Rhs { cell_of_unknown, open, u, b, partials };
        rec.run(&rhs, p, Dispatch::Groups([groups, 1, 1]))?;
        let update = Update { unknown_of_cell, open, slope, pressure, u };
        rec.run(&update, p, Dispatch::Elements(p.faces()))?;
        rec.submit()?;
        // Six terms of size 3, and a product of size 12, with or without fused products.
        let close = Tolerance::Absolute(4e-6);
        out.f32("b", exec.read(b)?, close);
        out.f32("u", exec.read(u)?, close);
        let words = exec.read(partials)?;
        let largest = words[slot::MAX_B * PARTIALS..][..groups as usize].iter().fold(0.0_f32, |a, b| a.max(*b));
        out.f32("largest", vec![largest], close);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    faces: 2 seeds,
}
