//! Three numbers, and turns of them by quaternions `[x, y, z, w]`.

/// Both combined axis by axis.
pub fn zip(a: [f32; 3], b: [f32; 3], f: impl Fn(f32, f32) -> f32) -> [f32; 3] {
    [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2])]
}

/// `a + b`.
pub fn plus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    zip(a, b, |a, b| a + b)
}

/// `a − b`.
pub fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    zip(a, b, |a, b| a - b)
}

/// `a · b`.
pub fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a × b`.
pub fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `|a|`.
pub fn length(a: [f32; 3]) -> f32 {
    dot(a, a).sqrt()
}

/// The turn that does `first`, then `second`.
pub fn after(second: [f32; 4], first: [f32; 4]) -> [f32; 4] {
    let [ax, ay, az, aw] = second;
    let [bx, by, bz, bw] = first;
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// `v` turned.
pub fn turned(v: [f32; 3], [x, y, z, w]: [f32; 4]) -> [f32; 3] {
    let axis = [x, y, z];
    let once = cross(axis, v);
    let twice = cross(axis, once);
    zip(v, zip(once, twice, |a, b| 2.0 * (w * a + b)), |v, more| v + more)
}

/// `v` turned the other way.
pub fn turned_back(v: [f32; 3], [x, y, z, w]: [f32; 4]) -> [f32; 3] {
    turned(v, [-x, -y, -z, w])
}
