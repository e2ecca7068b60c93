//! How thick a mesh is: at places spread over its surface, the way to the other side.

use super::TriangleMesh;

/// Places on the surface at most, and tests of places against triangles at most: large meshes have fewer places.
const PLACES: usize = 512;
const FEWEST_PLACES: usize = 8;
const TESTS: usize = 4_000_000;

/// A part of a surface that is thinner than something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Thin {
    /// Its share of the surface.
    pub(crate) share: f64,
    /// The thinnest place that was met, and how thick it is there.
    pub(crate) least: f64,
    pub(crate) at: [f64; 3],
}

type Point = [f64; 3];

fn minus(a: Point, b: Point) -> Point {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The part of the surface from which the other side is nearer than `thickness`, straight inwards; `None` if nowhere. Faces that look along an axis
/// that is not `seen` are left out.
pub(crate) fn thinner_than(mesh: &TriangleMesh, thickness: f64, seen: [bool; 3]) -> Option<Thin> {
    let corners = |triangle: &[u32; 3]| triangle.map(|n| mesh.vertices[n as usize]);
    // Twice the area, along the normal.
    let normal = |[a, b, c]: [Point; 3]| cross(minus(b, a), minus(c, a));
    let area = |triangle: &[u32; 3]| {
        let normal = normal(corners(triangle));
        let is_seen = (0..3).all(|axis| seen[axis] || normal[axis].powi(2) < 0.5 * dot(normal, normal));
        if is_seen { dot(normal, normal).sqrt() } else { 0.0 }
    };
    let sums: Vec<f64> = mesh
        .triangles
        .iter()
        .scan(0.0, |sum, triangle| {
            *sum += area(triangle);
            Some(*sum)
        })
        .collect();
    let whole = sums.last().copied().filter(|sum| *sum > 0.0)?;
    let places = (TESTS / mesh.triangles.len()).clamp(FEWEST_PLACES, PLACES);
    let mut thin = 0;
    let mut least = (thickness, [0.0; 3]);
    for n in 0..places {
        // Every part of the surface has its share of the places.
        let along = whole * (n as f64 + 0.5) / places as f64;
        let number = sums.partition_point(|sum| *sum < along).min(sums.len() - 1);
        let [a, b, c] = corners(&mesh.triangles[number]);
        // Of a sequence that fills a square evenly (Roberts 2018), folded onto the triangle.
        let [mut v, mut w] = [0.754_877_666_246_693, 0.569_840_290_998_053].map(|step| (0.5 + step * n as f64).fract());
        if v + w > 1.0 {
            (v, w) = (1.0 - v, 1.0 - w);
        }
        let place: Point = std::array::from_fn(|axis| a[axis] + v * (b[axis] - a[axis]) + w * (c[axis] - a[axis]));
        let outwards = normal([a, b, c]);
        let length = dot(outwards, outwards).sqrt();
        let inwards = outwards.map(|v| -v / length);
        let others = mesh.triangles.iter().enumerate().filter(|(other, _)| *other != number);
        let ways = others.filter_map(|(_, triangle)| met(place, inwards, corners(triangle)));
        let way = ways.fold(f64::INFINITY, f64::min);
        if way < thickness {
            thin += 1;
            if way < least.0 {
                least = (way, place);
            }
        }
    }
    (thin > 0).then(|| Thin { share: f64::from(thin) / places as f64, least: least.0, at: least.1 })
}

/// How far along a ray a triangle is, if the ray meets it (Möller and Trumbore 1997).
fn met(from: Point, along: Point, [a, b, c]: [Point; 3]) -> Option<f64> {
    let (ab, ac) = (minus(b, a), minus(c, a));
    let across = cross(along, ac);
    let determinant = dot(ab, across);
    if determinant == 0.0 {
        return None;
    }
    let arm = minus(from, a);
    let v = dot(arm, across) / determinant;
    let side = cross(arm, ab);
    let w = dot(along, side) / determinant;
    let way = dot(ac, side) / determinant;
    (v >= 0.0 && w >= 0.0 && v + w <= 1.0 && way > 0.0).then_some(way)
}
