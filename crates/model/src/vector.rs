//! Arithmetic of vectors and unit quaternions `[x, y, z, w]`, f64.

pub(crate) fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

pub(crate) fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - b[1] * a[2], a[2] * b[0] - b[2] * a[0], a[0] * b[1] - b[0] * a[1]]
}

/// Of length 1; `None` for a vector that has no length, or none that is a number.
pub(crate) fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let factor = 1.0 / dot(v, v).sqrt();
    (factor.is_finite() && factor > 0.0).then(|| v.map(|v| v * factor))
}

/// A turn around an axis of any length. `libm`, so that all machines find the same bits.
pub(crate) fn turn(axis: [f64; 3], angle: f64) -> [f64; 4] {
    let Some(axis) = unit(axis) else { return [0.0, 0.0, 0.0, 1.0] };
    let (sine, cosine) = libm::sincos(0.5 * angle);
    let [x, y, z] = axis.map(|v| v * sine);
    [x, y, z, cosine]
}

/// A vector, turned.
pub(crate) fn turned([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let axis = [x, y, z];
    let (along, across) = (dot(v, axis) * 2.0, cross(axis, v));
    let straight = w * w - dot(axis, axis);
    std::array::from_fn(|n| v[n] * straight + axis[n] * along + across[n] * (w * 2.0))
}

/// The turn `b` and then the turn `a`.
pub(crate) fn both([x0, y0, z0, w0]: [f64; 4], [x1, y1, z1, w1]: [f64; 4]) -> [f64; 4] {
    let turn = [
        w0 * x1 + x0 * w1 + y0 * z1 - z0 * y1,
        w0 * y1 - x0 * z1 + y0 * w1 + z0 * x1,
        w0 * z1 + x0 * y1 - y0 * x1 + z0 * w1,
        w0 * w1 - x0 * x1 - y0 * y1 - z0 * z1,
    ];
    let factor = 1.0 / size(turn);
    turn.map(|v| v * factor)
}

/// Length of a quaternion.
pub(crate) fn size([x, y, z, w]: [f64; 4]) -> f64 {
    (x * x + y * y + z * z + w * w).sqrt()
}
