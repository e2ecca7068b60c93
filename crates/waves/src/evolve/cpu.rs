use rayon::prelude::*;

use super::{EvolveParams, EvolveSlices, FIELDS};
use crate::constants::evolve::TURN;

pub(super) fn evolve(p: &EvolveParams, s: EvolveSlices<'_>) {
    let side = p.points as usize;
    let area = side * side;
    let steps = [p.step_0, p.step_1, p.step_2, p.step_3];
    let signed = |at: usize| if at < side / 2 { at as f32 } else { at as f32 - side as f32 };
    s.fields[..p.tiles as usize * FIELDS * area].par_chunks_mut(FIELDS * area).enumerate().for_each(
        |(tile, fields)| {
            let (first, rest) = fields.split_at_mut(area);
            let (second, rest) = rest.split_at_mut(area);
            let (third, fourth) = rest.split_at_mut(area);
            let outputs = first.par_iter_mut().zip(second).zip(third).zip(fourth).enumerate().with_min_len(256);
            outputs.for_each(|(at, (((a, b), c), d))| {
                let (kx, kz) = (signed(at % side) * steps[tile], signed(at / side) * steps[tile]);
                let [forth_re, forth_im, back_re, back_im] = s.amplitudes[tile * area + at];
                // Whole turns fall out of the product of integers: no time is too long.
                let angle = s.turns[tile * area + at].wrapping_mul(p.time) as i32 as f32 * TURN;
                let (cos, sin) = (libm::cosf(angle), libm::sinf(angle));
                let re = forth_re * cos + forth_im * sin + back_re * cos + back_im * sin;
                let im = forth_im * cos - forth_re * sin + back_re * sin - back_im * cos;
                let k = (kx * kx + kz * kz).sqrt().max(1e-20);
                let (nx, nz) = (kx / k, kz / k);
                let (xx, zz, xz) = (-kx * nx, -kz * nz, -kx * nz);
                *a = [re - xz * im, im + xz * re];
                *b = [-nx * im - nz * re, nx * re - nz * im];
                *c = [-kx * im - kz * re, kx * re - kz * im];
                *d = [xx * re - zz * im, xx * im + zz * re];
            });
        },
    );
}
