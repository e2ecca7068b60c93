use std::sync::LazyLock;

use rayon::prelude::*;

use super::{FinishParams, FinishSlices};
use crate::splat::ONE;

/// A power for every byte of a picture would take as long as a tenth of its rays: bytes are looked up by where they
/// begin.
static TONES: LazyLock<Tones> = LazyLock::new(Tones::new);

pub(super) fn finish(p: &FinishParams, s: FinishSlices<'_>) {
    let tones: &Tones = &TONES;
    let pixels = s.pixels[..p.pixels as usize].par_iter_mut().enumerate().with_min_len(4096);
    pixels.for_each(|(at, pixel)| {
        let [r, g, b, _] = s.image[at];
        // Drops hide what is behind them like a mist: e to the minus of how many there are.
        let through = if s.spray[at] == 0 { 1.0 } else { libm::expf(-(s.spray[at] as f32) / ONE) };
        let over = |light: f32, spray: f32| (light * through + spray * (1.0 - through)) * p.exposure;
        let bytes = [over(r, p.spray_r), over(g, p.spray_g), over(b, p.spray_b)].map(|v| tones.byte(mapped(v)));
        *pixel = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | 255 << 24;
    });
}

/// Tones of film: a fit of the Academy's curve (Narkowicz 2015).
fn mapped(x: f32) -> f32 {
    (x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14)).clamp(0.0, 1.0)
}

/// As sRGB has it.
pub(super) fn byte(linear: f32) -> u32 {
    let shown = if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * libm::powf(linear, 1.0 / 2.4) - 0.055 };
    (shown * 255.0 + 0.5) as u32
}

/// [`byte`] as a table.
pub(super) struct Tones {
    /// The least value of every byte.
    least: [f32; 256],
    /// The byte at the beginning of every step from 0 to 1.
    at: Vec<u8>,
}

impl Tones {
    const STEPS: usize = 4096;

    pub(super) fn new() -> Self {
        // Bits of positive numbers are in the order of the numbers.
        let least = std::array::from_fn(|wanted| {
            let (mut below, mut above) = (0, 1.0_f32.to_bits());
            while below < above {
                let middle = (below + above) / 2;
                if byte(f32::from_bits(middle)) as usize >= wanted {
                    above = middle;
                } else {
                    below = middle + 1;
                }
            }
            f32::from_bits(above)
        });
        let at = (0..=Self::STEPS).map(|step| byte(step as f32 / Self::STEPS as f32) as u8).collect();
        Self { least, at }
    }

    /// Of a value from 0 to 1; what is no number is black.
    pub(super) fn byte(&self, linear: f32) -> u32 {
        let mut byte = usize::from(self.at[(linear * Self::STEPS as f32) as usize]);
        while byte < 255 && linear >= self.least[byte + 1] {
            byte += 1;
        }
        byte as u32
    }
}
