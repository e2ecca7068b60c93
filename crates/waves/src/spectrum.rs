//! Spectra: how much of the sea's variance waves of a length and a direction have.
//!
//! Phillips as in Tessendorf 2001; JONSWAP (Hasselmann et al. 1973); TMA (Bouws et al. 1985) with the depth function of
//! Kitaigorodskii
//! 1975. SI units, radians.

use std::f64::consts::TAU;

use crate::error::{Result, WavesError};
use crate::spreading::{Lobe, donelan_banner};

/// A measured law for the energy of wind waves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spectrum {
    /// Tessendorf's form, without a fetch; its height follows from the wind, `0.21 U²/g`, unless it is given.
    Phillips,
    /// Wind over a fetch, on deep water.
    Jonswap,
    /// JONSWAP on water of a depth.
    #[default]
    Tma,
}

/// A sea under a steady wind.
#[derive(Debug, Clone, PartialEq)]
pub struct Sea {
    /// The law.
    pub spectrum: Spectrum,
    /// Speed of the wind 10 m above the sea, m/s. Default 10.
    pub wind: f64,
    /// Where the wind blows to, counted from x towards z, rad. Default 0.
    pub direction: f64,
    /// Length of the water that the wind has blown over, m. Default 100 km.
    pub fetch: f64,
    /// Depth of the water, m; it slows long waves. Default 1 km.
    pub depth: f64,
    /// Significant height `4 σ` instead of that of the law, m.
    pub height: Option<f64>,
    /// How peaked JONSWAP is, 1 to 7. Default 3.3.
    pub gamma: f64,
    /// From 0 for wind waves to 1 for waves that have travelled far and run side by side. Default 0.
    pub swell: f64,
    /// Acceleration of gravity, m/s².
    pub gravity: f64,
}

impl Default for Sea {
    fn default() -> Self {
        Self {
            spectrum: Spectrum::default(),
            wind: 10.0,
            direction: 0.0,
            fetch: 100e3,
            depth: 1e3,
            height: None,
            gamma: 3.3,
            swell: 0.0,
            gravity: 9.81,
        }
    }
}

impl Sea {
    /// Refuses what is no sea.
    pub fn check(&self) -> Result<()> {
        let rules: [(&'static str, f64, bool, &'static str); 8] = [
            ("wind", self.wind, (0.1..=100.0).contains(&self.wind), "it must be from 0.1 to 100 m/s"),
            ("direction", self.direction, self.direction.abs() <= 1e3, "it must be an angle"),
            ("fetch", self.fetch, (1.0..=1e7).contains(&self.fetch), "it must be from 1 m to 10 000 km"),
            ("depth", self.depth, (1e-3..=2e4).contains(&self.depth), "it must be from 1 mm to 20 km"),
            (
                "height",
                self.height.unwrap_or(1.0),
                self.height.is_none_or(|h| (0.0..=100.0).contains(&h)),
                "it must be from 0 to 100 m",
            ),
            ("gamma", self.gamma, (1.0..=20.0).contains(&self.gamma), "it must be from 1 to 20"),
            ("swell", self.swell, (0.0..=1.0).contains(&self.swell), "it must be from 0 to 1"),
            ("gravity", self.gravity, (1e-3..=1e3).contains(&self.gravity), "it must be positive"),
        ];
        match rules.into_iter().find(|(_, _, fits, _)| !fits) {
            Some((name, value, _, wants)) => Err(WavesError::Setting { name, value, wants }),
            None => Ok(()),
        }
    }

    /// Angular frequency of a wave number, `ω² = g k tanh(k D)`, 1/s.
    pub fn frequency(&self, k: f64) -> f64 {
        (self.gravity * k * libm::tanh(k * self.depth)).sqrt()
    }

    /// Wave number of an angular frequency, 1/m, by Newton's method.
    pub fn wave_number(&self, omega: f64) -> f64 {
        let wanted = omega * omega * self.depth / self.gravity;
        // x = k D of x tanh x = wanted; the start is within 10 % (Eckart 1952).
        let mut x = wanted / libm::tanh(wanted).sqrt().max(1e-12);
        for _ in 0..20 {
            let tanh = libm::tanh(x);
            x -= (x * tanh - wanted) / (tanh + x * (1.0 - tanh * tanh)).max(1e-12);
        }
        x / self.depth
    }

    /// `dω/dk`, m/s.
    pub fn group_speed(&self, k: f64) -> f64 {
        let x = k * self.depth;
        // cosh overflows where the term has long vanished.
        let bottom = if x < 20.0 { x / libm::cosh(x).powi(2) } else { 0.0 };
        self.gravity / (2.0 * self.frequency(k)) * (libm::tanh(x) + bottom)
    }

    /// Angular frequency with the most energy, 1/s.
    pub fn peak(&self) -> f64 {
        match self.spectrum {
            // k⁻³ e^(−1/(k L)²) has its peak at k = √(2/3)/L, L = U²/g.
            Spectrum::Phillips => {
                (self.gravity * (2.0_f64 / 3.0).sqrt() * self.gravity / (self.wind * self.wind)).sqrt()
            }
            Spectrum::Jonswap | Spectrum::Tma => {
                22.0 * libm::cbrt(self.gravity * self.gravity / (self.wind * self.fetch))
            }
        }
    }

    /// Variance per angular frequency, m² s, before [`height`](Self::height) counts; not of Phillips, which has none.
    pub fn frequency_density(&self, omega: f64) -> f64 {
        if omega <= 0.0 {
            return 0.0;
        }
        let (g, peak) = (self.gravity, self.peak());
        let alpha = 0.076 * libm::pow(self.wind * self.wind / (self.fetch * g), 0.22);
        let sigma = if omega <= peak { 0.07 } else { 0.09 };
        let away = (omega - peak) / (sigma * peak);
        let gamma = libm::pow(self.gamma, libm::exp(-0.5 * away * away));
        let low = libm::exp(-1.25 * libm::pow(peak / omega, 4.0));
        let deep = alpha * g * g * libm::pow(omega, -5.0) * low * gamma;
        if self.spectrum == Spectrum::Tma { deep * self.shallowness(omega) } else { deep }
    }

    /// What depth leaves of a frequency (Kitaigorodskii 1975).
    fn shallowness(&self, omega: f64) -> f64 {
        let x = omega * (self.depth / self.gravity).sqrt();
        if x <= 1.0 {
            0.5 * x * x
        } else if x < 2.0 {
            1.0 - 0.5 * (2.0 - x) * (2.0 - x)
        } else {
            1.0
        }
    }

    /// The law of this sea, made ready for many wave numbers.
    pub fn law(&self) -> Law<'_> {
        let mut law = Law { sea: self, lobe: Lobe::new(self.swell, self.peak()), scale: 1.0 };
        let natural = law.variance();
        let wanted =
            self.height.or((self.spectrum == Spectrum::Phillips).then(|| 0.21 * self.wind.powi(2) / self.gravity));
        if let Some(height) = wanted {
            law.scale = if natural > 0.0 { (height / 4.0).powi(2) / natural } else { 0.0 };
        }
        law
    }

    /// Significant height `4 σ`, m.
    pub fn significant_height(&self) -> f64 {
        4.0 * self.law().variance().sqrt()
    }
}

/// A sea with what its law needs worked out.
#[derive(Debug, Clone)]
pub struct Law<'a> {
    sea: &'a Sea,
    lobe: Lobe,
    scale: f64,
}

impl Law<'_> {
    /// Variance per area of wave numbers, m⁴; `k` in the world, 1/m.
    pub fn density(&self, [kx, kz]: [f64; 2]) -> f64 {
        let (sea, k) = (self.sea, kx.hypot(kz));
        if k <= 0.0 {
            return 0.0;
        }
        let angle = turned(libm::atan2(kz, kx) - sea.direction);
        let omega = sea.frequency(k);
        self.scale
            * match sea.spectrum {
                Spectrum::Phillips => {
                    let long = sea.wind * sea.wind / sea.gravity;
                    let (along, short) = (libm::cos(angle), k * long / 1000.0);
                    let against = if along < 0.0 { AGAINST } else { 1.0 };
                    let shape = libm::exp(-1.0 / (k * long).powi(2)) / k.powi(4) * libm::exp(-short * short);
                    shape * along * along * against * self.lobe.narrowing(angle, omega)
                }
                Spectrum::Jonswap | Spectrum::Tma => {
                    let spread = self.lobe.spread(angle, omega, donelan_banner(angle, omega / sea.peak()));
                    sea.frequency_density(omega) * spread * sea.group_speed(k) / k
                }
            }
    }

    /// Variance of the surface, m²: the integral of the law, by the trapezium rule on frequencies (or wave numbers)
    /// spaced evenly in their logarithm.
    pub fn variance(&self) -> f64 {
        const STEPS: usize = 2000;
        let (sea, peak) = (self.sea, self.sea.peak());
        let [low, high] = [0.2 * peak, 60.0 * peak];
        let step = libm::log(high / low) / STEPS as f64;
        let at = |n: usize| low * libm::exp(step * n as f64);
        match sea.spectrum {
            Spectrum::Jonswap | Spectrum::Tma => {
                let part = |n: usize| sea.frequency_density(at(n)) * at(n) * step;
                self.scale * (0..=STEPS).map(part).sum::<f64>()
            }
            Spectrum::Phillips => {
                const ANGLES: usize = 128;
                let part = |n: usize, m: usize| {
                    let k = sea.wave_number(at(n));
                    let angle = TAU * m as f64 / ANGLES as f64;
                    // dk = dω / (dω/dk)
                    let width = at(n) * step / sea.group_speed(k);
                    self.density([k * libm::cos(angle), k * libm::sin(angle)]) * k * width * TAU / ANGLES as f64
                };
                (0..=STEPS).step_by(4).map(|n| 4.0 * (0..ANGLES).map(|m| part(n, m)).sum::<f64>()).sum()
            }
        }
    }
}

/// Share of waves that run against the wind, of Phillips.
const AGAINST: f64 = 0.1;

/// An angle between −π and π.
fn turned(angle: f64) -> f64 {
    angle - TAU * (angle / TAU + 0.5).floor()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn jonswap_has_the_published_peak_and_height() {
        let sea = Sea { spectrum: Spectrum::Jonswap, ..Sea::default() };
        assert!((sea.peak() - 1.008).abs() < 2e-3, "{}", sea.peak());
        assert!((sea.significant_height() - 2.14).abs() < 0.02, "{}", sea.significant_height());
        let given = Sea { height: Some(3.0), ..sea };
        assert!((given.significant_height() - 3.0).abs() < 1e-9);
    }

    #[test]
    fn shallow_water_holds_less_energy_and_slower_waves() {
        let [deep, shallow] = [1e3, 5.0].map(|depth| Sea { depth, ..Sea::default() });
        assert!(shallow.significant_height() < 0.8 * deep.significant_height());
        assert!(shallow.frequency(0.05) < 0.6 * deep.frequency(0.05));
        let omega = shallow.frequency(0.3);
        assert!((shallow.wave_number(omega) / 0.3 - 1.0).abs() < 1e-9);
        let difference = (shallow.frequency(0.3001) - shallow.frequency(0.2999)) / 2e-4;
        assert!((shallow.group_speed(0.3) / difference - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_integral_over_wave_numbers_is_that_over_frequencies() {
        for spectrum in [Spectrum::Phillips, Spectrum::Jonswap, Spectrum::Tma] {
            for swell in [0.0, 0.7] {
                let sea = Sea { spectrum, swell, depth: 20.0, direction: 0.7, ..Sea::default() };
                let law = sea.law();
                // Rings of wave numbers, from long waves to short.
                let (mut sum, step) = (0.0, 0.01);
                for n in 0..900 {
                    let k = 1e-3 * libm::exp(step * f64::from(n));
                    for m in 0..256 {
                        let angle = TAU * f64::from(m) / 256.0;
                        sum += law.density([k * libm::cos(angle), k * libm::sin(angle)]) * k * k * step * TAU / 256.0;
                    }
                }
                let error = sum / law.variance() - 1.0;
                println!("{spectrum:?}, swell {swell}: {sum:.4} m², {error:+.1e}");
                assert!(error.abs() < 5e-3, "{spectrum:?}, swell {swell}: {error}");
            }
        }
        assert!((turned(3.5 * PI) + 0.5 * PI).abs() < 1e-12);
    }

    #[test]
    fn an_invalid_sea_is_refused() {
        Sea::default().check().expect("a sea");
        for sea in [
            Sea { wind: 0.0, ..Sea::default() },
            Sea { fetch: f64::NAN, ..Sea::default() },
            Sea { swell: 1.5, ..Sea::default() },
            Sea { height: Some(-1.0), ..Sea::default() },
        ] {
            assert!(sea.check().is_err(), "{sea:?}");
        }
    }
}
