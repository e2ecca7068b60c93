use super::rules::rated;
use super::*;

/// Between the points straight, beyond them on along the first and the last piece, never below nothing.
#[test]
fn a_rating_curve_goes_on_beyond_its_ends() {
    let mut p: SideParams = bytemuck::Zeroable::zeroed();
    (p.curve_start, p.curve_len) = (1, 3);
    let curves = [9.0, 9.0, 0.0, 1.0, 1.0, 3.0, 2.0, 7.0];
    for (level, q) in [(0.0, 1.0), (0.5, 2.0), (1.0, 3.0), (1.5, 5.0), (3.0, 11.0), (-0.25, 0.5), (-4.0, 0.0)] {
        assert!((rated(&p, &curves, level) - q).abs() < 1e-6, "{level} m");
    }
}
