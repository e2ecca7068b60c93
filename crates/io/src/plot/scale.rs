//! From values to pixels.

use crate::ticks::Ticks;

/// How an axis is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equal lengths.
    Linear,
    /// Equal ratios are equal lengths; values must be above zero.
    Log,
}

impl Scale {
    /// Whether the value can be shown.
    pub(super) fn shows(self, value: f64) -> bool {
        value.is_finite() && (self == Self::Linear || value > 0.0)
    }
}

/// One axis: its ends as values and as pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub(super) scale: Scale,
    pub(super) ends: [f64; 2],
    pub(super) pixels: [f64; 2],
}

impl Axis {
    /// An axis that shows all values with `margin` (a share of its length) at both ends.
    pub(super) fn around(
        scale: Scale,
        wanted: Option<[f64; 2]>,
        values: impl Iterator<Item = f64>,
        margin: f64,
    ) -> Self {
        let forward = |v: f64| if scale == Scale::Log { v.log10() } else { v };
        let back = |v: f64| if scale == Scale::Log { 10f64.powf(v) } else { v };
        let pixels = [0.0, 1.0];
        if let Some([a, b]) = wanted
            && scale.shows(a)
            && scale.shows(b)
            && a < b
        {
            return Self { scale, ends: [a, b], pixels };
        }
        let (lo, hi) = values
            .filter(|&v| scale.shows(v))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)));
        if lo > hi {
            let ends = if scale == Scale::Log { [0.1, 10.0] } else { [0.0, 1.0] };
            return Self { scale, ends, pixels };
        }
        let (a, b) = (forward(lo), forward(hi));
        // A constant, or what differs from one by rounding only, still gets an axis of some length.
        let size = a.abs().max(b.abs());
        let pad = match () {
            () if b - a > 1e-9 * size => (b - a) * margin,
            () if size > 0.0 => 0.05 * size,
            () => 1.0,
        };
        let ends = [back(a - pad), back(b + pad)];
        if ends.iter().all(|&e| scale.shows(e)) && ends[0] < ends[1] {
            Self { scale, ends, pixels }
        } else {
            Self { scale, ends: [lo, hi], pixels } // next to the largest number there is
        }
    }

    /// The pixel of a value that [`Scale::shows`].
    pub(super) fn pixel(&self, value: f64) -> f64 {
        let forward = |v: f64| if self.scale == Scale::Log { v.log10() } else { v };
        let [a, b] = self.ends.map(forward);
        let share = (forward(value) - a) / (b - a);
        let share = if share.is_finite() { share } else { 0.5 };
        // Far outside is all the same, and keeps the numbers short.
        self.pixels[0] + share.clamp(-10.0, 11.0) * (self.pixels[1] - self.pixels[0])
    }

    /// Ticks, one per `spacing` pixels at most.
    pub(super) fn ticks(&self, spacing: f64) -> Ticks {
        let room = (self.pixels[1] - self.pixels[0]).abs();
        let count = (room / spacing).floor().clamp(1.0, 100.0) as usize;
        match self.scale {
            Scale::Linear => Ticks::linear(self.ends[0], self.ends[1], count),
            Scale::Log => Ticks::logarithmic(self.ends[0], self.ends[1], count),
        }
    }
}
