use rayon::prelude::*;
use thalweg_columns::grid::is_tall;
use thalweg_ledger::Account;
use thalweg_ledger::transfer::balance;

use super::constants::{GAIN, MOST, ROUNDING};
use super::{ExpandParams, ExpandSlices, HoldVolumeParams, HoldVolumeSlices, state};
use crate::solver::view::statistics::{NEAR, word};

pub(super) fn hold_volume(p: &HoldVolumeParams, s: HoldVolumeSlices<'_>) {
    let wanted = balance(s.ledger, Account::Water);
    let (whole, rest) = ((wanted >> 32) as i32, wanted as u32 as f32 * (1.0 / 4_294_967_296.0));
    let wanted = whole as f32 + rest;
    // Whole cells first: a difference of large numbers keeps its digits.
    let missing =
        whole.wrapping_sub(s.totals[word::FULL] as i32) as f32 + (rest - f32::from_bits(s.totals[word::PART]));
    let near = s.totals[word::NEAR_SURFACE] as f32;
    if wanted <= 0.0 || near <= 0.0 {
        s.control[state::INTEGRAL] = 0.0;
        s.control[state::DIVERGENCE] = 0.0;
        return;
    }
    let error = if missing.abs() < ROUNDING * wanted { 0.0 } else { missing / wanted };
    let gain = GAIN / p.pace;
    // The integral is kept to what can be asked for: it must not grow while the answer is cut off.
    let most = MOST / p.pace * near / wanted;
    let integral_gain = gain * gain / 4.0;
    let limit = most / integral_gain;
    let integral = (s.control[state::INTEGRAL] + error * p.dt).clamp(-limit, limit);
    let whole = (gain * error + integral_gain * integral).clamp(-most, most);
    s.control[state::INTEGRAL] = integral;
    s.control[state::DIVERGENCE] = whole * wanted / near;
}

pub(super) fn expand(p: &ExpandParams, s: ExpandSlices<'_>) {
    let n = p.samples as usize;
    let more = p.area * s.control[state::DIVERGENCE];
    let diagonals = &s.cells[p.diagonal_at as usize..];
    s.b.par_chunks_mut(n).enumerate().for_each(|(column, b)| {
        let first = if is_tall(s.heights[column]) { 2 } else { 0 };
        for (sample, b) in b.iter_mut().enumerate().skip(first) {
            let at = column * n + sample;
            if diagonals[at] > 0.0 && s.phi[at] < 0.0 && s.phi[at] > -NEAR {
                *b += more;
            }
        }
    });
}
