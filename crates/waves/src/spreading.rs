//! How waves spread around the direction of the wind.

use std::f64::consts::{PI, TAU};

/// Donelan and Banner: share per radian of waves at an angle from the wind, `ratio` their frequency over that of the
/// peak.
pub(crate) fn donelan_banner(angle: f64, ratio: f64) -> f64 {
    let r = ratio.max(0.56);
    let beta = if r < 0.95 {
        2.61 * libm::pow(r, 1.3)
    } else if r < 1.6 {
        2.28 * libm::pow(r, -1.3)
    } else {
        libm::pow(10.0, -0.4 + 0.8393 * libm::exp(-0.567 * libm::log(r * r)))
    };
    let sech = 1.0 / libm::cosh(beta * angle);
    beta / (2.0 * libm::tanh(beta * PI)) * sech * sech
}

/// The narrow lobe of swell (Horvath 2015): the spread times `cos²ˢ(θ/2)`, `s = 16 tanh(ω_p/ω) ξ²`, made whole again.
#[derive(Debug, Clone)]
pub(crate) struct Lobe {
    swell: f64,
    peak: f64,
    /// Integrals of the narrowed spread over all angles at frequencies spaced evenly in their logarithm; empty without
    /// swell.
    wholes: Vec<f64>,
}

/// Frequencies of the table, over that of the peak.
const LOWEST: f64 = 0.1;
const HIGHEST: f64 = 100.0;
const STEPS: usize = 2048;
const ANGLES: usize = 96;

impl Lobe {
    pub(crate) fn new(swell: f64, peak: f64) -> Self {
        let mut lobe = Self { swell, peak, wholes: Vec::new() };
        if swell > 0.0 {
            let whole = |n: usize| {
                let ratio = LOWEST * libm::pow(HIGHEST / LOWEST, n as f64 / STEPS as f64);
                let part = |m: usize| {
                    let angle = TAU * (m as f64 + 0.5) / ANGLES as f64 - PI;
                    donelan_banner(angle, ratio) * lobe.narrowing(angle, ratio * peak) * TAU / ANGLES as f64
                };
                (0..ANGLES).map(part).sum()
            };
            lobe.wholes = (0..=STEPS).map(whole).collect();
        }
        lobe
    }

    /// `cos²ˢ(θ/2)`.
    pub(crate) fn narrowing(&self, angle: f64, omega: f64) -> f64 {
        if self.swell <= 0.0 {
            return 1.0;
        }
        let power = 2.0 * 16.0 * libm::tanh(self.peak / omega.max(1e-12)) * self.swell * self.swell;
        libm::pow(libm::cos(0.5 * angle).abs(), power)
    }

    /// The spread of Donelan and Banner, narrowed.
    pub(crate) fn spread(&self, angle: f64, omega: f64, plain: f64) -> f64 {
        if self.wholes.is_empty() {
            return plain;
        }
        let share = libm::log((omega / self.peak).clamp(LOWEST, HIGHEST) / LOWEST) / libm::log(HIGHEST / LOWEST);
        let at = share * STEPS as f64;
        let n = (at as usize).min(STEPS - 1);
        let whole = self.wholes[n] + (self.wholes[n + 1] - self.wholes[n]) * (at - n as f64);
        plain * self.narrowing(angle, omega) / whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_angles_together_are_one() {
        for swell in [0.0, 0.3, 1.0] {
            let lobe = Lobe::new(swell, 1.2);
            for ratio in [0.3, 0.56, 0.8, 0.95, 1.3, 1.6, 4.0, 20.0] {
                let n = 4000;
                let part = |m: i32| {
                    let angle = TAU * (f64::from(m) + 0.5) / f64::from(n) - PI;
                    lobe.spread(angle, 1.2 * ratio, donelan_banner(angle, ratio)) * TAU / f64::from(n)
                };
                let whole: f64 = (0..n).map(part).sum();
                // The table of swell is linear between its frequencies, and the spread has kinks at 0.56, 0.95 and 1.6.
                let close = if swell > 0.0 { 1e-3 } else { 1e-6 };
                assert!((whole - 1.0).abs() < close, "swell {swell}, ratio {ratio}: {whole}");
            }
        }
    }

    #[test]
    fn swell_narrows() {
        let ahead = |swell: f64| Lobe::new(swell, 1.0).spread(0.0, 1.0, donelan_banner(0.0, 1.0));
        assert!(ahead(1.0) > ahead(0.5) && ahead(0.5) > ahead(0.0));
    }
}
