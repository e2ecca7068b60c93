//! Turns as unit quaternions `[x, y, z, w]`.

/// A turn around an axis of any length but 0, by degrees.
pub(crate) fn from_axis(axis: [f64; 3], degrees: f64) -> [f64; 4] {
    let length = axis.iter().map(|v| v * v).sum::<f64>().sqrt();
    let (sine, cosine) = (0.5 * degrees.to_radians()).sin_cos();
    [axis[0] / length * sine, axis[1] / length * sine, axis[2] / length * sine, cosine]
}

/// A vector, turned: `v + 2 q × (q × v + w v)`.
pub(crate) fn turned([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let q = [x, y, z];
    let inner = cross(q, v);
    let outer = cross(q, std::array::from_fn(|axis| inner[axis] + w * v[axis]));
    std::array::from_fn(|axis| v[axis] + 2.0 * outer[axis])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_around_y_takes_x_to_minus_z() {
        let found = turned(from_axis([0.0, 5.0, 0.0], 90.0), [1.0, 2.0, 0.0]);
        assert!((0..3).all(|axis| (found[axis] - [0.0, 2.0, -1.0][axis]).abs() < 1e-12), "{found:?}");
    }
}
