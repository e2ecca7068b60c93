//! Smoothing kernels of radius h, W(h) = 0, their gradients, and what a plane wall takes of them.
//!
//! Poly6 W = 315/(64πh⁹) (h² − r²)³ and the spiky gradient ∇W = −45/(πh⁶) (h − r)² r̂ [Müller 2003] for position-based
//! fluids, the cubic spline W = 8/(πh³) {6(q³ − q²) + 1, q ≤ ½; 2(1 − q)³}, q = r/h, for divergence-free SPH.
//! `kernel.wesl` has the same functions.

use std::f32::consts::PI;

use crate::constants::FAR;

/// What makes a sum of `(1 − q²)³` to one of poly6: 315/(64πh³).
pub(crate) fn poly6_factor(h: f32) -> f32 {
    315.0 / (64.0 * PI) / (h * h * h)
}

/// What makes a sum of `(1 − q)²` to one of |∇W| of the spiky kernel: 45/(πh⁴).
pub(crate) fn spiky_factor(h: f32) -> f32 {
    45.0 / PI / (h * h * h * h)
}

/// What makes a sum of [`cubic`] to one of W: 8/(πh³).
pub(crate) fn cubic_factor(h: f32) -> f32 {
    8.0 / PI / (h * h * h)
}

/// The cubic spline at q = r/h without its factor; 0 beyond 1.
#[inline(always)]
pub(crate) fn cubic(q: f32) -> f32 {
    let outer = (1.0 - q).max(0.0);
    if q <= 0.5 { 6.0 * q * q * (q - 1.0) + 1.0 } else { 2.0 * outer * outer * outer }
}

/// Its derivative by q, over q and without the factor: what the vector x/h is multiplied by for the gradient (·h). 0 at
/// the same place.
#[inline(always)]
pub(crate) fn cubic_slope(q: f32) -> f32 {
    let outer = (1.0 - q).max(0.0);
    if q <= 0.5 { 6.0 * (3.0 * q - 2.0) } else { -6.0 * outer * outer / q }
}

/// The share of a kernel's mass behind a plane at the distance q = d/h, and its derivative by q.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Missing {
    pub(crate) share: f32,
    pub(crate) slope: f32,
}

/// Of poly6: f = 315/256 [128/315 − (q − 4q³/3 + 6q⁵/5 − 4q⁷/7 + q⁹/9)], f' = −315/256 (1 − q²)⁴.
#[inline(always)]
pub(crate) fn missing_poly6(q: f32) -> Missing {
    let q = q.clamp(0.0, 1.0);
    let q2 = q * q;
    let sum = q * (1.0 + q2 * (-4.0 / 3.0 + q2 * (6.0 / 5.0 + q2 * (-4.0 / 7.0 + q2 / 9.0))));
    let rest = 1.0 - q2;
    Missing { share: (0.5 - 315.0 / 256.0 * sum).max(0.0), slope: -315.0 / 256.0 * rest * rest * rest * rest }
}

/// Of the cubic spline: its mass in a plane at s is 16 (7/80 − s²/2 + 3s⁴/2 − 6s⁵/5) for s ≤ ½ and
/// 16 (u⁴/2 − 2u⁵/5), u = 1 − s, beyond; f is the integral from q on.
#[inline(always)]
pub(crate) fn missing_cubic(q: f32) -> Missing {
    let q = q.clamp(0.0, 1.0);
    if q <= 0.5 {
        let q2 = q * q;
        let sum = q * (0.0875 + q2 * (-1.0 / 6.0 + q2 * (0.3 - 0.2 * q)));
        Missing { share: 0.5 - 16.0 * sum, slope: -16.0 * (0.0875 + q2 * (-0.5 + q2 * (1.5 - 1.2 * q))) }
    } else {
        let u = 1.0 - q;
        let u4 = u * u * u * u;
        Missing { share: 16.0 * u4 * u * (0.1 - u / 15.0), slope: -16.0 * u4 * (0.5 - 0.4 * u) }
    }
}

/// a³ΣW of a cubic lattice of spacing a: what a sum over particles at rest gives instead of 1.
pub(crate) fn lattice_sum(spacing: f64, h: f64, w: impl Fn(f64) -> f64) -> f64 {
    let reach = (h / spacing).ceil() as i32;
    let mut sum = 0.0;
    for (x, y, z) in (-reach..=reach).flat_map(|x| {
        (-reach..=reach).flat_map(move |y| (-reach..=reach).map(move |z| (f64::from(x), f64::from(y), f64::from(z))))
    }) {
        let r = spacing * (x * x + y * y + z * z).sqrt();
        sum += if r < h { w(r) } else { 0.0 };
    }
    sum * spacing.powi(3)
}

/// L of poly6.
pub(crate) fn lattice_sum_poly6(spacing: f64, h: f64) -> f64 {
    let factor = 315.0 / (64.0 * std::f64::consts::PI * h.powi(9));
    lattice_sum(spacing, h, |r| factor * (h * h - r * r).powi(3))
}

/// L of the cubic spline.
pub(crate) fn lattice_sum_cubic(spacing: f64, h: f64) -> f64 {
    let factor = 8.0 / (std::f64::consts::PI * h.powi(3));
    lattice_sum(spacing, h, |r| {
        let q = r / h;
        factor * if q <= 0.5 { 6.0 * (q.powi(3) - q * q) + 1.0 } else { 2.0 * (1.0 - q).powi(3) }
    })
}

/// How much farther (m) than it is a plane must be for the share that it takes of a kernel to be that of the layers of a
/// lattice behind it: `w` and `missing` are the kernel's, by q = r/h. Half a spacing from a plane a lattice lacks less
/// than continuous water does: 0.191 and not 0.217 for poly6 at h = 2a.
pub(crate) fn wall_gap(spacing: f64, h: f64, w: impl Fn(f64) -> f64, missing: impl Fn(f32) -> Missing) -> f64 {
    let (reach, mut behind, mut all) = ((h / spacing).ceil() as i32, 0.0, 0.0);
    for layer in -reach..=reach {
        for (x, z) in (-reach..=reach).flat_map(|x| (-reach..=reach).map(move |z| (x, z))) {
            let q = spacing * f64::from(layer * layer + x * x + z * z).sqrt() / h;
            let weight = if q < 1.0 { w(q) } else { 0.0 };
            all += weight;
            behind += if layer < 0 { weight } else { 0.0 };
        }
    }
    let (mut low, mut high) = (-0.5 * spacing, 0.5 * h);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let share = f64::from(missing(((0.5 * spacing + middle) / h) as f32).share);
        if share > behind / all { low = middle } else { high = middle }
    }
    low
}

/// [`wall_gap`] of poly6.
pub(crate) fn wall_gap_poly6(spacing: f64, h: f64) -> f64 {
    wall_gap(spacing, h, |q| (1.0 - q * q).powi(3), missing_poly6)
}

/// [`wall_gap`] of the cubic spline.
pub(crate) fn wall_gap_cubic(spacing: f64, h: f64) -> f64 {
    wall_gap(spacing, h, |q| f64::from(cubic(q as f32)), missing_cubic)
}

/// A plane that is far from everything, as [`crate::walls`] has planes.
pub(crate) const NO_PLANE: [f32; 4] = [0.0, 0.0, 0.0, -FAR];

#[cfg(test)]
mod tests {
    use super::*;

    const H: f32 = 1.7;

    /// ∫ 4πr² w(r) dr by Simpson's rule.
    fn integral(w: impl Fn(f64) -> f64) -> f64 {
        let (n, h) = (20_000, f64::from(H));
        let f = |k: i32| {
            let r = h * f64::from(k) / f64::from(n);
            let weight = if k == 0 || k == n { 1.0 } else { 2.0 + 2.0 * f64::from(k % 2) };
            weight * 4.0 * std::f64::consts::PI * r * r * w(r)
        };
        (0..=n).map(f).sum::<f64>() * h / f64::from(n) / 3.0
    }

    fn poly6(r: f32) -> f32 {
        poly6_factor(H) * (1.0 - r * r / (H * H)).max(0.0).powi(3)
    }

    #[test]
    fn kernels_integrate_to_one() {
        let poly6 = integral(|r| f64::from(poly6(r as f32)));
        let cubic = integral(|r| f64::from(cubic_factor(H) * cubic(r as f32 / H)));
        // −∫ 4πr³/3 W' dr = 1 for the kernel that has this gradient.
        let spiky = integral(|r| r / 3.0 * f64::from(spiky_factor(H) * (1.0 - r as f32 / H).powi(2)));
        assert!((poly6 - 1.0).abs() < 1e-5 && (cubic - 1.0).abs() < 1e-5 && (spiky - 1.0).abs() < 1e-5);
    }

    #[test]
    fn gradients_are_differences() {
        for q in [0.05f32, 0.3, 0.499, 0.501, 0.7, 0.95] {
            let e = 1e-3;
            let difference = (cubic(q + e) - cubic(q - e)) / (2.0 * e);
            assert!((difference - cubic_slope(q) * q).abs() < 1e-3, "{q}");
            for missing in [missing_poly6, missing_cubic] {
                let difference = (missing(q + e).share - missing(q - e).share) / (2.0 * e);
                assert!((difference - missing(q).slope).abs() < 1e-3, "{q}: {difference}, {:?}", missing(q));
            }
        }
    }

    /// The table of the notes' §1.
    #[test]
    fn lattice_sums_are_those_of_the_table() {
        let table = [
            (1.5, 0.949, 1.093),
            (1.75, 0.975, 1.005),
            (2.0, 1.010, 1.000),
            (2.5, 0.995, 0.999),
            (3.0, 1.002, 1.002),
            (4.0, 1.000, 1.000),
        ];
        for (ratio, poly6, cubic) in table {
            let (a, b) = (lattice_sum_poly6(0.1, 0.1 * ratio), lattice_sum_cubic(0.1, 0.1 * ratio));
            assert!((a - poly6).abs() < 6e-4 && (b - cubic).abs() < 6e-4, "{ratio}: {a} {b}");
        }
    }

    #[test]
    fn a_lattice_is_at_rest_beside_a_wall() {
        let (a, h) = (0.05, 0.1);
        let share = missing_poly6(((0.5 * a + wall_gap_poly6(a, h)) / h) as f32).share;
        assert!((share - 0.191).abs() < 1e-3, "{share}");
        // One layer of the cubic spline at h = 2a: 0.0796 + 4 · 0.0160 + 4 · 0.0015.
        let share = missing_cubic(((0.5 * a + wall_gap_cubic(a, h)) / h) as f32).share;
        assert!((share - 0.1497).abs() < 1e-3, "{share}");
    }

    /// By quadrature over the part of the ball behind the plane.
    #[test]
    fn walls_take_the_mass_behind_them() {
        let (n, h) = (160, f64::from(H));
        let cell = 2.0 * h / f64::from(n);
        for q in [0.0, 0.2, 0.5, 0.8] {
            let (mut poly, mut spline) = (0.0, 0.0);
            for (i, j, k) in (0..n).flat_map(|i| (0..n).flat_map(move |j| (0..n).map(move |k| (i, j, k)))) {
                let [x, y, z] = [i, j, k].map(|c| (f64::from(c) + 0.5) * cell - h);
                // A cell that the plane cuts counts by the part behind it.
                let behind = ((x - q * h) / cell + 0.5).clamp(0.0, 1.0);
                let r = (x * x + y * y + z * z).sqrt() as f32;
                poly += behind * f64::from(poly6(r));
                spline += behind * f64::from(cubic_factor(H) * cubic(r / H));
            }
            let volume = cell.powi(3);
            let (a, b) = (missing_poly6(q as f32).share, missing_cubic(q as f32).share);
            assert!((poly * volume - f64::from(a)).abs() < 1e-3, "{q}: {} {a}", poly * volume);
            assert!((spline * volume - f64::from(b)).abs() < 1e-3, "{q}: {} {b}", spline * volume);
        }
        assert!((missing_poly6(0.25).share - 0.217).abs() < 5e-4, "the first layer at h = 2a");
        assert!(missing_poly6(1.0).share < 1e-6 && missing_poly6(2.0).slope == 0.0 && missing_cubic(1.0).share == 0.0);
    }
}
