//! What clocks ask of drivers: sides, rain and sources. Twin of `drivers.fragment.wesl`.

use super::{DRIVER_SAMPLES, DRIVER_STEPS};
use crate::boundary::kind;
use crate::physics::{inverse_cbrt, max, min};

/// A driver when `elapsed` of a frame is over, linear between its samples.
pub(crate) fn driver(drivers: &[f32], number: usize, elapsed: f32, frame: f32) -> f32 {
    let samples = &drivers[number * DRIVER_SAMPLES..][..DRIVER_SAMPLES];
    let at = min(max(elapsed / max(frame, 1e-30), 0.0), 1.0) * DRIVER_STEPS as f32;
    let left = (at as usize).min(DRIVER_STEPS - 1);
    let part = at - left as f32;
    samples[left] + part * (samples[left + 1] - samples[left])
}

/// Speed of the water that a side lets in, m/s: the domain may still be dry and would not tell.
pub(crate) fn entering_speed(g: f32, code: u32, value: f32, bed: f32) -> f32 {
    match code {
        kind::FAR_FIELD | kind::LEVEL => (g * max(value - bed, 0.0)).sqrt(),
        kind::DISCHARGE => 2.0 / inverse_cbrt(max(g * value, 1e-18)), // u + c at critical depth
        _ => 0.0,
    }
}

/// Step in which poured water makes waves no faster than the grid allows: dt √(g r dt) ≤ cell.
pub(crate) fn pouring_limit(g: f32, courant: f32, cell: f32, rate: f32) -> f32 {
    let scale = g * max(rate, 1e-12) / (courant * courant * cell * cell);
    inverse_cbrt(scale)
}
