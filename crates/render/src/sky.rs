//! The sky: light of the sun that air and haze have scattered once (Nishita et al. 1993), as a table.
//!
//! Rows are `√sin` of the elevation, so that the horizon has the most; columns are `sin(φ/2)` of the angle φ from the
//! sun's side, so that a lookup needs no arc. It is computed on the host in f64, so that both executors read the same
//! numbers. Scattering more than once, which fills in near the horizon, is a share of the same light from all sides.

pub(crate) use crate::constants::sky::{COLUMNS, ROWS};
use glam::{DVec3, Vec3};

/// Radii of the ground and of the end of the air, m.
const GROUND: f64 = 6.36e6;
const AIR: f64 = 6.42e6;
/// Scattering at sea level, 1/m (red, green, blue), and the height over which it falls by e, m: air.
const RAYLEIGH: DVec3 = DVec3::new(5.802e-6, 13.558e-6, 33.1e-6);
const RAYLEIGH_HEIGHT: f64 = 8000.0;
/// The same of haze on a clear day, which absorbs a ninth besides.
const MIE: f64 = 3.996e-6;
const MIE_HEIGHT: f64 = 1200.0;
/// How much haze scatters forward.
const MIE_FORWARD: f64 = 0.78;
/// Absorption of ozone, 1/m, spread like a tent around 25 km (Bruneton and Neyret 2008; Hillaire 2020).
const OZONE: DVec3 = DVec3::new(0.650e-6, 1.881e-6, 0.085e-6);

/// Light from above.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sky {
    /// Radiance, `COLUMNS × ROWS` of red, green, blue and a word that is not used.
    pub(crate) table: Vec<[f32; 4]>,
    /// Irradiance of a plane that faces the sun.
    pub(crate) sun: Vec3,
    /// Mean radiance of the upper half.
    pub(crate) mean: Vec3,
}

impl Sky {
    /// For a sun in this direction, unit length; below the horizon it shines from the horizon.
    pub(crate) fn new(sun: Vec3) -> Self {
        // Only its elevation matters: the table turns with it.
        let height = f64::from(sun.y).clamp(0.02, 1.0);
        let sun = DVec3::new((1.0 - height * height).sqrt(), height, 0.0);
        let mut table = Vec::with_capacity(COLUMNS * ROWS);
        let (mut mean, mut weight) = (DVec3::ZERO, 0.0);
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                let root = row as f64 / (ROWS - 1) as f64;
                let half_sine = column as f64 / (COLUMNS - 1) as f64;
                let (y, angle) = ((root * root).max(1e-3), 2.0 * libm::asin(half_sine));
                let aside = (1.0 - y * y).max(0.0).sqrt();
                let light = radiance(DVec3::new(aside * libm::cos(angle), y, aside * libm::sin(angle)), sun);
                // Solid angle of the entry: dΩ = dφ d(sin).
                let share = 2.0 * root / (1.0 - half_sine * half_sine).max(1e-2).sqrt();
                (mean, weight) = (mean + light * share, weight + share);
                let [r, g, b] = light.as_vec3().to_array();
                table.push([r, g, b, 0.0]);
            }
        }
        let sunlight = SUN * transmittance(DVec3::new(0.0, GROUND + 10.0, 0.0), sun);
        Self { table, sun: sunlight.as_vec3(), mean: (mean / weight).as_vec3() }
    }
}

/// Irradiance of the sun above the air, in units of our own: white ground under a high sun is about 1.
const SUN: DVec3 = DVec3::new(3.3, 3.3, 3.3);
/// What light that is scattered more than once adds, as a share of what single scattering gives.
const AGAIN: f64 = 0.35;

fn density(height: f64) -> (f64, f64, f64) {
    let ozone = (1.0 - (height - 25_000.0).abs() / 15_000.0).max(0.0);
    (libm::exp(-height / RAYLEIGH_HEIGHT), libm::exp(-height / MIE_HEIGHT), ozone)
}

/// The same bits on every machine, which the platform's own library does not promise.
fn exp(v: DVec3) -> DVec3 {
    DVec3::new(libm::exp(v.x), libm::exp(v.y), libm::exp(v.z))
}

/// Way to the end of the air.
fn way_out(from: DVec3, along: DVec3) -> f64 {
    let b = from.dot(along);
    -b + (b * b - from.length_squared() + AIR * AIR).max(0.0).sqrt()
}

fn transmittance(from: DVec3, along: DVec3) -> DVec3 {
    const STEPS: usize = 24;
    let step = way_out(from, along) / STEPS as f64;
    let mut depth = DVec3::ZERO;
    for n in 0..STEPS {
        let height = (from + along * ((n as f64 + 0.5) * step)).length() - GROUND;
        if height < 0.0 {
            return DVec3::ZERO;
        }
        let (air, haze, ozone) = density(height);
        depth += (RAYLEIGH * air + DVec3::splat(MIE * 1.11 * haze) + OZONE * ozone) * step;
    }
    exp(-depth)
}

fn radiance(along: DVec3, sun: DVec3) -> DVec3 {
    const STEPS: usize = 32;
    let eye = DVec3::new(0.0, GROUND + 10.0, 0.0);
    let cosine = along.dot(sun);
    let rayleigh = 3.0 / (16.0 * std::f64::consts::PI) * (1.0 + cosine * cosine);
    let g = MIE_FORWARD;
    let haze_phase = (1.0 - g * g) / (4.0 * std::f64::consts::PI * libm::pow(1.0 + g * g - 2.0 * g * cosine, 1.5));
    let all_sides = 1.0 / (4.0 * std::f64::consts::PI);
    let length = way_out(eye, along);
    let (mut light, mut depth, mut before) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for n in 0..STEPS {
        // Steps grow with the distance: most of the air is near.
        let after = length * ((n + 1) as f64 / STEPS as f64).powi(2);
        let (step, at) = (after - before, 0.5 * (before + after));
        before = after;
        let place = eye + along * at;
        let (air, haze, ozone) = density(place.length() - GROUND);
        let lost = (RAYLEIGH * air + DVec3::splat(MIE * 1.11 * haze) + OZONE * ozone) * step;
        let seen = depth + 0.5 * lost;
        let through = exp(-seen);
        let lit = transmittance(place, sun);
        let once = RAYLEIGH * (air * rayleigh) + DVec3::splat(MIE * haze * haze_phase);
        let again = (RAYLEIGH * air + DVec3::splat(MIE * haze)) * (all_sides * AGAIN);
        light += SUN * through * (once * lit + again * lit.max(DVec3::splat(0.2))) * step;
        depth += lost;
    }
    light
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sky_is_blue_at_noon_and_the_sun_is_red_at_the_horizon() {
        let noon = Sky::new(Vec3::new(0.0, 0.9, 0.43).normalize());
        assert!(noon.mean.z > 1.5 * noon.mean.x, "{:?}", noon.mean);
        assert!(noon.sun.x / noon.sun.z < 1.4, "{:?}", noon.sun);
        let evening = Sky::new(Vec3::new(1.0, 0.04, 0.0).normalize());
        assert!(evening.sun.x > 3.0 * evening.sun.z, "{:?}", evening.sun);
        assert!(evening.sun.x < noon.sun.x && evening.mean.y < noon.mean.y);
        assert!(noon.table.iter().flatten().all(|v| v.is_finite() && *v >= 0.0));
    }
}
