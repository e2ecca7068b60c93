//! Closed surfaces of triangles, for tests.

type Point = [f64; 3];

/// A box from its low to its high corner as twelve triangles, wound outwards.
pub fn box_triangles(low: Point, high: Point) -> (Vec<Point>, Vec<[u32; 3]>) {
    let corner = |n: usize| std::array::from_fn(|axis| if n >> axis & 1 == 0 { low[axis] } else { high[axis] });
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

/// A sphere of triangles around the origin.
pub fn sphere_triangles(radius: f64, rings: u32) -> (Vec<Point>, Vec<[u32; 3]>) {
    let around = 2 * rings;
    let mut vertices = vec![[0.0, radius, 0.0], [0.0, -radius, 0.0]];
    for ring in 1..rings {
        let (s, c) = (std::f64::consts::PI * f64::from(ring) / f64::from(rings)).sin_cos();
        for n in 0..around {
            let (sn, cn) = (std::f64::consts::TAU * f64::from(n) / f64::from(around)).sin_cos();
            vertices.push([radius * s * cn, radius * c, radius * s * sn]);
        }
    }
    let at = |ring: u32, n: u32| 2 + (ring - 1) * around + n % around;
    let mut triangles = Vec::new();
    for n in 0..around {
        triangles.push([0, at(1, n + 1), at(1, n)]);
        triangles.push([1, at(rings - 1, n), at(rings - 1, n + 1)]);
        for ring in 1..rings - 1 {
            triangles.push([at(ring, n), at(ring, n + 1), at(ring + 1, n)]);
            triangles.push([at(ring, n + 1), at(ring + 1, n + 1), at(ring + 1, n)]);
        }
    }
    (vertices, triangles)
}
