use rayon::prelude::*;

use super::constants::TURN;
use super::{BANDS, SeaColumnsSlices, SeaParams};
use crate::solver::stages::exchange::zones::cpu::column_of;

pub(super) fn sea_columns(p: &SeaParams, s: SeaColumnsSlices<'_>) {
    let ends = [0, p.end_0, p.end_1, p.end_2, p.end_3].map(|end| end as usize);
    let columns = (p.layer * if p.side < 2 { p.nz } else { p.nx }) as usize;
    s.sea[..BANDS * columns].par_iter_mut().enumerate().with_min_len(16).for_each(|(index, sums)| {
        let (number, band) = (index / BANDS, index % BANDS);
        let (column, _) = column_of([p.nx, p.nz], p.side, p.layer, number);
        let (i, k) = (column % p.nx as usize, column / p.nx as usize);
        let (x, z) = ((i as f32 + 0.5) * p.step_x, (k as f32 + 0.5) * p.step_z);
        *sums = [0.0; 4];
        for wave in ends[band]..ends[band + 1] {
            let ([kx, kz, amplitude, phase], [u, v, up, _]) = (s.waves[3 * wave], s.waves[3 * wave + 1]);
            let [cos_x, sin_x, cos_z, sin_z] = s.waves[3 * wave + 2];
            // Whole turns fall out of the product of integers: no time is too long.
            let turned = s.turns[wave].wrapping_mul(p.turn) as i32 as f32 * TURN;
            let angle = kx * x + kz * z + phase - turned;
            let (cos, sin) = (libm::cosf(angle), libm::sinf(angle));
            sums[0] += amplitude * cos;
            sums[1] += u * (cos * cos_x + sin * sin_x);
            sums[2] += v * (cos * cos_z + sin * sin_z);
            sums[3] += up * sin;
        }
    });
}
