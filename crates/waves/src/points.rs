//! Waves as sums at single points, on the host in f64: exact, and the same bits on every machine.

use std::f64::consts::TAU;

use thalweg_model::Wave;

/// Many waves on water of one depth.
#[derive(Debug, Clone, PartialEq)]
pub struct Waves {
    /// The waves, the highest first.
    pub waves: Vec<Wave>,
    /// Depth of the water, m.
    pub depth: f64,
}

/// Wave number, 1/m.
fn number(wave: &Wave) -> f64 {
    wave.k[0].hypot(wave.k[1])
}

/// `k·x − ω t + φ`, less whole turns.
fn angle(wave: &Wave, [x, z]: [f64; 2], time: f64) -> f64 {
    (wave.k[0] * x + wave.k[1] * z - wave.omega * time + wave.phase) % TAU
}

impl Waves {
    /// Height over still water, m; the crests are not sharpened.
    pub fn elevation(&self, place: [f64; 2], time: f64) -> f64 {
        self.waves.iter().map(|w| w.amplitude * libm::cos(angle(w, place, time))).sum()
    }

    /// Variance of the heights, m².
    pub fn variance(&self) -> f64 {
        self.waves.iter().map(|w| 0.5 * w.amplitude * w.amplitude).sum()
    }

    /// Velocity of the water along x, up and along z, m/s; `y` is the height over still water, at most 0, m.
    pub fn velocity(&self, [x, y, z]: [f64; 3], time: f64) -> [f64; 3] {
        let y = y.clamp(-self.depth, 0.0);
        self.waves.iter().fold([0.0; 3], |[u, v, w], wave| {
            let (k, angle) = (number(wave), angle(wave, [x, z], time));
            // cosh and sinh of k (y + D) over sinh of k D, safe for deep water.
            let (up, down) = (libm::exp(k * y), libm::exp(-k * (y + 2.0 * self.depth)));
            let scale = wave.amplitude * wave.omega / (1.0 - libm::exp(-2.0 * k * self.depth));
            let along = scale * (up + down) * libm::cos(angle) / k;
            [u + along * wave.k[0], v + scale * (up - down) * libm::sin(angle), w + along * wave.k[1]]
        })
    }

    /// How far the point of the surface that rests at `place` is displaced horizontally, m, at a choppiness of 1.
    pub fn shift(&self, place: [f64; 2], time: f64) -> [f64; 2] {
        self.waves.iter().fold([0.0; 2], |[x, z], w| {
            let aside = -w.amplitude * libm::sin(angle(w, place, time)) / number(w);
            [x + aside * w.k[0], z + aside * w.k[1]]
        })
    }

    /// `(1+λDxx)(1+λDzz) − λ²Dxz²` at the point that rests at `place`: the area that a small square keeps.
    pub fn jacobian(&self, place: [f64; 2], time: f64, choppiness: f64) -> f64 {
        let [xx, zz, xz] = self.waves.iter().fold([0.0; 3], |[xx, zz, xz], w| {
            let bend = -w.amplitude * libm::cos(angle(w, place, time)) / number(w);
            [xx + bend * w.k[0] * w.k[0], zz + bend * w.k[1] * w.k[1], xz + bend * w.k[0] * w.k[1]]
        });
        let c = choppiness;
        (1.0 + c * xx) * (1.0 + c * zz) - c * c * xz * xz
    }

    /// Where the point of the surface rests that is now above `place`: inverts `x' = x + λ D(x)`.
    pub fn resting_place(&self, place: [f64; 2], time: f64, choppiness: f64) -> [f64; 2] {
        let mut at = place;
        for _ in 0..INVERSIONS {
            let [dx, dz] = self.shift(at, time);
            // Where the surface is nearly folded plain steps run away.
            let damped = if self.jacobian(at, time, choppiness) < 0.3 { 0.5 } else { 1.0 };
            for (axis, shift) in [dx, dz].into_iter().enumerate() {
                at[axis] += damped * (place[axis] - choppiness * shift - at[axis]);
            }
        }
        at
    }

    /// Height of the surface above a place, crests sharpened, m.
    pub fn surface(&self, place: [f64; 2], time: f64, choppiness: f64) -> f64 {
        self.elevation(self.resting_place(place, time, choppiness), time)
    }
}

/// Steps of the inversion.
const INVERSIONS: usize = 24;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sea, Tiles, TilesSettings};

    fn single(amplitude: f64) -> Waves {
        let k = 0.5;
        let wave = Wave { k: [k, 0.0], omega: (9.81_f64 * k).sqrt(), amplitude, phase: 0.0 };
        Waves { waves: vec![wave], depth: 1e3 }
    }

    #[test]
    fn a_single_wave_runs_at_its_speed_and_sharpens_its_crests() {
        let waves = single(0.6);
        let speed = (9.81_f64 / 0.5).sqrt();
        for [x, t] in [[0.3, 0.0], [4.0, 2.5], [-7.0, 11.0]] {
            let moved = waves.elevation([x + speed * t, 5.0], t);
            assert!((moved - waves.elevation([x, 0.0], 0.0)).abs() < 1e-9);
        }
        // Points gather at the crest: the surface between is lower than the plain wave.
        let beside = 0.25 * TAU / 0.5;
        assert!(waves.surface([beside, 0.0], 0.0, 1.0) < waves.elevation([beside, 0.0], 0.0) - 0.05);
        assert!((waves.surface([0.0, 0.0], 0.0, 1.0) - 0.6).abs() < 1e-9);
        // λ k a is 1 where it folds.
        assert!(single(1.99).jacobian([0.0; 2], 0.0, 1.0) > 0.0 && single(2.01).jacobian([0.0; 2], 0.0, 1.0) < 0.0);
    }

    #[test]
    fn the_water_moves_as_its_surface_does() {
        let waves = Waves { depth: 4.0, ..single(0.1) };
        let [x, z, t, dt] = [1.3, 0.4, 3.0, 1e-5];
        let rise = (waves.elevation([x, z], t + dt) - waves.elevation([x, z], t - dt)) / (2.0 * dt);
        let [u, v, w] = waves.velocity([x, 0.0, z], t);
        assert!((v - rise).abs() < 1e-6 && w == 0.0);
        // No flow through the ground, no divergence in the water.
        assert!(waves.velocity([x, -4.0, z], t)[1].abs() < 1e-12);
        let h = 1e-4;
        let across = (waves.velocity([x + h, -1.0, z], t)[0] - waves.velocity([x - h, -1.0, z], t)[0]) / (2.0 * h);
        let up = (waves.velocity([x, -1.0 + h, z], t)[1] - waves.velocity([x, -1.0 - h, z], t)[1]) / (2.0 * h);
        assert!((across + up).abs() < 1e-6, "{across} {up}");
        assert!(u.abs() > 1e-3);
    }

    #[test]
    fn places_are_found_again_where_the_surface_is_not_folded() {
        let settings = TilesSettings { size: 200.0, points: 64, cascades: 1, ..Default::default() };
        let tiles = Tiles::new(&Sea::default(), &settings).expect("tiles");
        let waves = tiles.waves(10.0, 400);
        let (mut worst, mut compared) = (0.0_f64, 0);
        for n in 0..400 {
            let place = [f64::from(n % 20) * 7.3, f64::from(n / 20) * 9.1];
            let rest = waves.resting_place(place, 12.0, 1.0);
            if waves.jacobian(rest, 12.0, 1.0) > 0.3 {
                let [dx, dz] = waves.shift(rest, 12.0);
                worst = worst.max((rest[0] + dx - place[0]).hypot(rest[1] + dz - place[1]));
                compared += 1;
            }
        }
        println!("worst of {compared} places: {:.2e} m", worst);
        assert!(compared > 300 && worst < 1e-3, "{compared} places, {worst} m");
    }
}
