//! Twin: finish.wesl.

use rayon::prelude::*;

use super::{FinishParams, FinishSlices};
use crate::splat::ONE;

pub(super) fn finish(p: &FinishParams, s: FinishSlices<'_>) {
    let pixels = s.pixels[..p.pixels as usize].par_iter_mut().enumerate().with_min_len(4096);
    pixels.for_each(|(at, pixel)| {
        let [r, g, b, _] = s.image[at];
        // Drops hide what is behind them like a mist: e to the minus of how many there are.
        let through = libm::expf(-(s.spray[at] as f32) / ONE);
        let over = |light: f32, spray: f32| (light * through + spray * (1.0 - through)) * p.exposure;
        let bytes = [over(r, p.spray_r), over(g, p.spray_g), over(b, p.spray_b)].map(|v| byte(mapped(v)));
        *pixel = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | 255 << 24;
    });
}

/// Tones of film: a fit of the Academy's curve (Narkowicz 2015).
fn mapped(x: f32) -> f32 {
    (x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14)).clamp(0.0, 1.0)
}

/// As sRGB has it.
fn byte(linear: f32) -> u32 {
    let shown = if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * libm::powf(linear, 1.0 / 2.4) - 0.055 };
    (shown * 255.0 + 0.5) as u32
}
