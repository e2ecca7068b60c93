//! The columns around a point. Lengths are in cells, centres of cells are at integers.

use crate::Shape;

/// The four columns around a point `[x, y, z]` and their shares; y does not matter.
#[inline(always)]
pub fn columns_around(shape: Shape, [x, _, z]: [f32; 3]) -> [(usize, f32); 4] {
    let (x, z) = (x.clamp(0.0, (shape.nx - 1) as f32), z.clamp(0.0, (shape.nz - 1) as f32));
    let (i, k) = (x as i32 as usize, z as i32 as usize);
    let (fx, fz) = (x - i as i32 as f32, z - k as i32 as f32);
    let (i1, k1) = ((i + 1).min(shape.nx - 1), (k + 1).min(shape.nz - 1));
    [
        (i + k * shape.nx, (1.0 - fx) * (1.0 - fz)),
        (i1 + k * shape.nx, fx * (1.0 - fz)),
        (i + k1 * shape.nx, (1.0 - fx) * fz),
        (i1 + k1 * shape.nx, fx * fz),
    ]
}
