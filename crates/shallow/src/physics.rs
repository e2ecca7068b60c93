//! The rules of one cell and one face, free of loops. `physics.wesl` has the same names.
//!
//! Elevations are relative to the scene's datum. The state variable is `s`, the surface above
//! `max(z, 0)`: over a bed below the datum it is the surface elevation itself, over land it is the depth.
//! One formula serves both, and f32 keeps millimetre waves on a kilometre of water (the datum trick).
//!
//! Momentum fluxes are kept as *differences from the cell's own pressure* ½g h²: at rest every term is
//! zero by itself instead of cancelling with another large one.

/// Branch-free maximum that compiles to one instruction; NaN handling is not wanted here.
#[inline(always)]
pub(crate) fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Branch-free minimum.
#[inline(always)]
pub(crate) fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// `old + change`, rounded up or down by chance: to each of the two neighbours in f32 as often as the exact sum is
/// close to it (from a power of two towards zero it goes two numbers at once, half as often).
///
/// What a step changes is often less than the last digit of a depth. Rounded to the nearest it is lost, in every step
/// alike: flows freeze before they are steady, and volumes drift. Here the roundings of many steps come out even.
/// `dither`, 0 to 1, is the chance of a step, the same for all cells: what is equal stays equal. No change leaves `old`
/// as it is, and mirrored numbers give mirrored sums.
///
/// The kernel counts digits as whole numbers instead of asking what is left of a sum, which a GPU's compiler may take
/// for zero, and hides its terms from that compiler (`thalweg::rounding`).
#[inline(always)]
pub(crate) fn add_dithered(old: f32, change: f32, dither: f32) -> f32 {
    let sum = old + change;
    let lost = change - (sum - old);
    let digit = f32::from_bits(sum.to_bits() & 0x7F80_0000) * (1.0 / 8_388_608.0);
    sum + if lost.abs() > dither * digit { digit.copysign(lost) } else { 0.0 }
}

/// Discharges of a step: dithered at second order. At first order the scheme itself is off by tens of times what
/// rounding does (`validate bump-subcritical`: 6·10⁻⁴; the frozen flow was off by 1.2·10⁻⁵).
#[inline(always)]
pub(crate) fn add_momentum<const SECOND: bool>(old: f32, change: f32, dither: f32) -> f32 {
    if SECOND { add_dithered(old, change, dither) } else { old + change }
}

/// What all cells of a step share.
#[derive(Clone, Copy)]
pub(crate) struct Shared {
    /// Δt/Δx, s/m.
    pub(crate) ratio: f32,
    /// Rain of the step, m.
    pub(crate) rain: f32,
    /// See [`add_dithered`].
    pub(crate) dither: f32,
}

/// Fractions of the golden ratio: whatever number of steps is taken together, they fill 0 to 1 evenly.
const GOLDEN: f32 = 0.618_034;

/// The dither of the step after one with `dither`.
pub(crate) fn next_dither(dither: f32) -> f32 {
    let next = dither + GOLDEN;
    if next >= 1.0 { next - 1.0 } else { next }
}

/// The dither of a step, `steps` after the start of a run.
pub(crate) fn dither_after(steps: u64) -> f32 {
    (f64::from(GOLDEN) * steps as f64).fract() as f32
}

/// Depth, m.
#[inline(always)]
pub(crate) fn depth(s: f32, z: f32) -> f32 {
    s - min(z, 0.0)
}

/// Surface elevation above the datum, m.
#[inline(always)]
pub(crate) fn surface(s: f32, z: f32) -> f32 {
    s + max(z, 0.0)
}

/// `1/h` that fades to 0 in a film thinner than `h_eps`, so that q/h stays bounded (Kurganov & Petrova 2007).
#[inline(always)]
pub(crate) fn inverse_depth(h: f32, h_eps: f32) -> f32 {
    let deep = max(h, h_eps);
    2.0 * h / (h * h + deep * deep)
}

/// Limited difference across a cell from its one-sided differences: the generalised minmod limiter,
/// `theta` 1 for minmod, 2 for MC.
#[inline(always)]
pub(crate) fn limited(a: f32, b: f32, theta: f32) -> f32 {
    let c = 0.5 * (a + b);
    let size = min(min(theta * a.abs(), theta * b.abs()), c.abs());
    if a * b > 0.0 { size.copysign(c) } else { 0.0 }
}

/// Water on one side of a face: surface, depth, velocity along and across the face's normal.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    pub(crate) eta: f32,
    pub(crate) h: f32,
    pub(crate) un: f32,
    pub(crate) ut: f32,
}

/// One component of a state at a face, of lanes of surface, depth, u, w and their slopes: `half` is ±½.
#[inline(always)]
pub(crate) fn at_face<const SECOND: bool, const N: usize>(
    centre: &[[f32; N]; 4],
    slope: &[[f32; N]; 4],
    component: usize,
    lane: usize,
    half: f32,
) -> f32 {
    let middle = centre[component][lane];
    let value = if SECOND { middle + half * slope[component][lane] } else { middle };
    if SECOND && component == 1 { max(value, 0.0) } else { value }
}

/// What crosses a face per metre and second.
#[derive(Clone, Copy)]
pub(crate) struct Flux {
    /// Volume, m²/s, from left to right.
    pub(crate) mass: f32,
    /// Normal momentum less the left cell's ½g h², m³/s².
    pub(crate) left: f32,
    /// Normal momentum less the right cell's ½g h², m³/s².
    pub(crate) right: f32,
    /// Tangential momentum, m³/s².
    pub(crate) tangent: f32,
}

/// HLLC flux over a hydrostatically reconstructed bed step (Audusse et al. 2004; Toro), in difference form.
#[inline(always)]
pub(crate) fn face_flux(g: f32, l: Side, r: Side) -> Flux {
    // Both sides see the higher bed z*; a surface below it is dry there.
    let bed = max(l.eta - l.h, r.eta - r.h);
    let eta_l = max(l.eta, bed);
    let eta_r = max(r.eta, bed);
    let h_l = eta_l - bed;
    let h_r = eta_r - bed;
    let rise = eta_r - eta_l; // h_r − h_l without the rounding of deep water

    let c_l = (g * h_l).sqrt();
    let c_r = (g * h_r).sqrt();
    let star_u = 0.5 * (l.un + r.un) + c_l - c_r;
    let star_c = 0.5 * (c_l + c_r) + 0.25 * (l.un - r.un);
    let wet_l = if h_r > 0.0 { min(l.un - c_l, star_u - star_c) } else { l.un - c_l };
    let wet_r = if h_l > 0.0 { max(r.un + c_r, star_u + star_c) } else { r.un + c_r };
    let s_l = min(if h_l > 0.0 { wet_l } else { r.un - 2.0 * c_r }, 0.0);
    let s_r = max(if h_r > 0.0 { wet_r } else { l.un + 2.0 * c_l }, 0.0);

    // HLL; speeds clamped at 0 make the supercritical cases fall out of the same formula.
    let q_l = h_l * l.un;
    let q_r = h_r * r.un;
    let step_p = 0.5 * g * rise * (h_l + h_r); // ½g h_r² − ½g h_l²
    let inverse = 1.0 / max(s_r - s_l, 1e-20);
    let mass = (s_r * q_l - s_l * q_r + s_l * s_r * rise) * inverse;
    let left = (s_r * q_l * l.un - s_l * (q_r * r.un + step_p) + s_l * s_r * (q_r - q_l)) * inverse;
    // The contact speed has the sign of the mass flux, so HLLC's upwinding needs no third speed.
    let tangent = mass * if mass >= 0.0 { l.ut } else { r.ut };
    Flux { mass, left, right: left - step_p, tangent }
}

/// `h^(-1/3)` for `h > 0`: the exponent divided by three, then Newton. Vectorises, and is the same
/// arithmetic on a GPU, which a library `pow` is not. Relative error below 5e-7.
#[inline(always)]
pub(crate) fn inverse_cbrt(h: f32) -> f32 {
    let mut y = f32::from_bits(0x54A2_FA8C - h.to_bits() / 3);
    for _ in 0..3 {
        y *= 4.0 / 3.0 - (1.0 / 3.0) * h * y * y * y;
    }
    y
}

/// Factor by which Manning friction slows water of depth `h` and speed `speed` in `dt`: the root of
/// u = u₀ − dt g n² |u| u h^(-4/3), so that it never reverses a flow. `drag` is g n².
#[inline(always)]
pub(crate) fn friction_factor(drag: f32, dt: f32, h: f32, speed: f32) -> f32 {
    let y = inverse_cbrt(max(h, 1e-12));
    let y2 = y * y;
    let a = dt * drag * speed * y2 * y2; // y⁴ = h^(-4/3)
    2.0 / (1.0 + (1.0 + 4.0 * a).sqrt())
}

/// Speed of the fastest signal that a cell sends, summed over the axes of the domain, m/s.
#[inline(always)]
pub(crate) fn signal_speed(g: f32, h: f32, u: f32, w: f32, planar: f32) -> f32 {
    let c = (g * max(h, 0.0)).sqrt();
    u.abs() + c + planar * (w.abs() + c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_cube_root_is_accurate_over_twelve_decades() {
        for i in 0..4000 {
            let h = 10f64.powf(-8.0 + 12.0 * f64::from(i) / 4000.0) as f32;
            let exact = f64::from(h).powf(-1.0 / 3.0);
            let error = (f64::from(inverse_cbrt(h)) / exact - 1.0).abs();
            assert!(error < 5e-7, "h = {h:e}: relative error {error:e}");
        }
    }

    /// Changes of a hundredth of the last digit add up, and large ones are added as ever.
    #[test]
    fn small_changes_add_up() {
        for (old, change) in
            [(2.0, 1e-9), (-2.0, 1e-9), (1.5, -3e-9), (1000.1, 1e-6), (1e-9, 3e-17), (0.25, 0.125), (-7.0, 7.5)]
        {
            let (mut sum, mut dither, steps) = (old, 0.0, 2000);
            for _ in 0..steps {
                sum = add_dithered(sum, change, dither);
                dither = next_dither(dither);
            }
            let exact = f64::from(old) + f64::from(steps) * f64::from(change);
            let digit = f64::from(max(sum.abs(), old.abs())) / 8_388_608.0;
            assert!((f64::from(sum) - exact).abs() < 4.0 * digit, "{old} + {steps} × {change}: {sum}, not {exact}");
        }
    }

    #[test]
    fn dithered_sums_are_the_neighbours_of_the_exact_ones() {
        let mut rng = thalweg_compute::parity::Rng::new(11);
        for _ in 0..20_000 {
            let old = rng.range(-3.0, 3.0) * 10f32.powf(rng.range(-12.0, 4.0));
            let change = old * rng.range(-1.0, 1.0) * 10f32.powf(rng.range(-12.0, 0.0));
            let dither = rng.range(0.0, 1.0);
            let sum = add_dithered(old, change, dither);
            let nearest = (f64::from(old) + f64::from(change)) as f32;
            let near = [nearest.next_down(), nearest, nearest.next_up()];
            assert!(near.contains(&sum), "{old} + {change}: {sum}");
            assert_eq!(add_dithered(old, 0.0, dither), old);
            assert_eq!(add_dithered(-old, -change, dither), -sum);
        }
        assert!(!add_dithered(1.0, f32::NAN, 0.3).is_finite() && !add_dithered(f32::INFINITY, 1.0, 0.3).is_finite());
        assert!(!add_dithered(3e38, 3e38, 0.3).is_finite());
    }

    /// Also of every second, fourth, … step: levels of a tree take such steps.
    #[test]
    fn dithers_fill_the_unit_evenly() {
        for stride in [1, 2, 4, 8, 16] {
            let mut seen = [0; 10];
            (0..1000).for_each(|n| seen[(10.0 * dither_after(12_345_678 + stride * n)) as usize] += 1);
            assert!(seen.iter().all(|&n| (90..=110).contains(&n)), "{stride}: {seen:?}");
        }
        let mut dither = dither_after(1000);
        (0..100).for_each(|_| dither = next_dither(dither));
        assert!((dither - dither_after(1100)).abs() < 1e-4, "{dither} {}", dither_after(1100));
    }

    #[test]
    fn still_water_gives_no_flux_whatever_the_bed() {
        for (h_l, h_r) in [(1000.0, 3.0), (0.5, 0.0), (1e-4, 7000.0)] {
            let eta = 0.0371;
            let f = face_flux(9.81, Side { eta, h: h_l, un: 0.0, ut: 0.0 }, Side { eta, h: h_r, un: 0.0, ut: 0.0 });
            assert_eq!([f.mass, f.left, f.right, f.tangent], [0.0; 4]);
        }
    }

    #[test]
    fn mirrored_faces_give_mirrored_fluxes() {
        let l = Side { eta: 0.3, h: 1.2, un: 0.7, ut: -0.2 };
        let r = Side { eta: 0.1, h: 0.4, un: -0.4, ut: 0.9 };
        let flip = |s: Side| Side { un: -s.un, ..s };
        let (f, m) = (face_flux(9.81, l, r), face_flux(9.81, flip(r), flip(l)));
        let close = |a: f32, b: f32| assert!((a - b).abs() < 1e-5, "{a} {b}");
        close(f.mass, -m.mass);
        close(f.left, m.right);
        close(f.right, m.left);
        close(f.tangent, -m.tangent);
    }

    /// Consistency: equal states give the physical flux.
    #[test]
    fn equal_states_give_the_exact_flux() {
        let s = Side { eta: 0.0, h: 2.0, un: 1.5, ut: 0.5 };
        let f = face_flux(9.81, s, s);
        assert!((f.mass - 3.0).abs() < 1e-6);
        assert!((f.left - 4.5).abs() < 1e-5 && (f.right - 4.5).abs() < 1e-5);
        assert!((f.tangent - 1.5).abs() < 1e-6);
    }

    #[test]
    fn friction_slows_and_never_reverses() {
        for h in [1e-9, 1e-3, 1.0, 1e4] {
            let f = friction_factor(9.81 * 0.05 * 0.05, 10.0, h, 3.0);
            assert!((0.0..=1.0).contains(&f), "{f}");
            let a = 10.0 * 9.81 * 0.05 * 0.05 * 3.0 * f64::from(h).max(1e-12).powf(-4.0 / 3.0);
            let implicit = f64::from(f) + a * f64::from(f) * f64::from(f); // u + a u²/u₀ = u₀
            assert!((implicit - 1.0).abs() < 1e-4, "h {h}: {implicit}");
        }
    }
}
