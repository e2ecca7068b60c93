//! One triangle: how far a point is from it, and where a line crosses it.

pub(super) type Point = [f64; 3];

pub(super) type Triangle = [Point; 3];

/// Corners of the box around triangles.
pub(super) fn bounds(triangles: &[Triangle]) -> [Point; 2] {
    let start = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    triangles.as_flattened().iter().fold(start, |[low, high], p| {
        [std::array::from_fn(|a| p[a].min(low[a])), std::array::from_fn(|a| p[a].max(high[a]))]
    })
}

/// Where a line along x at `[y, z]` crosses a triangle, and the side that it comes from. Ties on edges and corners are
/// broken alike for both triangles of an edge (Edelsbrunner and Mücke 1990), so that no line slips through between
/// them.
pub(super) fn crossing(line: [f64; 2], triangle: &Triangle) -> Option<(f64, i32)> {
    let [a, b, c] = triangle.map(|p| [p[1] - line[0], p[2] - line[1]]);
    let (wa, sa) = orientation(b, c);
    let (wb, sb) = orientation(c, a);
    let (wc, sc) = orientation(a, b);
    let sum = wa + wb + wc;
    if sa != sb || sb != sc || sum == 0.0 {
        return None;
    }
    let [xa, xb, xc] = triangle.map(|p| p[0]);
    // Of a sliver the quotient may be anything.
    let x = ((wa * xa + wb * xb + wc * xc) / sum).clamp(xa.min(xb).min(xc), xa.max(xb).max(xc));
    Some((x, sa))
}

/// Twice the area of the triangle with the origin, and its sign; where that is 0, the sign that a tiny shift would
/// give, opposite for the opposite order.
fn orientation(p: [f64; 2], q: [f64; 2]) -> (f64, i32) {
    let area = p[0] * q[1] - p[1] * q[0];
    let sign = |positive: bool| if positive { 1 } else { -1 };
    let side = if area != 0.0 {
        sign(area > 0.0)
    } else if p[1] != q[1] {
        sign(q[1] > p[1])
    } else if p[0] != q[0] {
        sign(p[0] > q[0])
    } else {
        0
    };
    (area, side)
}

/// Lowest and highest y of a triangle at a z; no y if it is not there.
pub(super) fn span_at(triangle: &Triangle, z: f64) -> Option<[f64; 2]> {
    let mut span: Option<[f64; 2]> = None;
    for (n, p) in triangle.iter().enumerate() {
        let q = triangle[(n + 1) % 3];
        let (low, high) = if p[2] <= q[2] { (p, &q) } else { (&q, p) };
        if z < low[2] || z > high[2] {
            continue;
        }
        let ends = if low[2] == high[2] {
            [low[1], high[1]]
        } else {
            [low[1] + (high[1] - low[1]) * ((z - low[2]) / (high[2] - low[2])); 2]
        };
        for y in ends {
            span = Some(span.map_or([y; 2], |[least, most]| [least.min(y), most.max(y)]));
        }
    }
    span
}

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Square of the distance of a point to a triangle (Ericson 2005, §5.1.5: by the region that the point's foot is in).
pub(super) fn squared_distance(p: Point, [a, b, c]: &Triangle) -> f64 {
    let (ab, ac, ap) = (minus(*b, *a), minus(*c, *a), minus(p, *a));
    let at = |v: f64, w: f64| -> f64 {
        let away: Point = std::array::from_fn(|axis| ap[axis] - ab[axis] * v - ac[axis] * w);
        dot(away, away)
    };
    let (d1, d2) = (dot(ab, ap), dot(ac, ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return at(0.0, 0.0);
    }
    let bp = minus(p, *b);
    let (d3, d4) = (dot(ab, bp), dot(ac, bp));
    if d3 >= 0.0 && d4 <= d3 {
        return at(1.0, 0.0);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return at(d1 / (d1 - d3), 0.0);
    }
    let cp = minus(p, *c);
    let (d5, d6) = (dot(ab, cp), dot(ac, cp));
    if d6 >= 0.0 && d5 <= d6 {
        return at(0.0, 1.0);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return at(0.0, d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return at(1.0 - w, w);
    }
    let sum = va + vb + vc;
    if sum == 0.0 { at(0.0, 0.0) } else { at(vb / sum, vc / sum) }
}
