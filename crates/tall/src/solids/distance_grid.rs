//! Signed distances to a closed surface of triangles, on a grid.
//!
//! Nodes within [`BAND`] steps of the surface get the exact distance to the nearest triangle; others keep the band with their
//! sign, for solids are asked no further than half a cell away. The sign is the winding number along lines in x: a node is
//! inside if the crossings before it do not cancel. Ties on edges and corners are broken alike for both triangles of an edge
//! (Edelsbrunner and Mücke 1990), so that no line slips through between them.

use rayon::prelude::*;

use super::obstacle::ObstacleError;

/// Steps around the surface in which distances are exact; the grid ends as far outside of it.
const BAND: f64 = 3.0;

type Point = [f64; 3];

/// Signed distances to the surface of a solid on the nodes of a grid, negative inside.
#[derive(Debug, Clone, PartialEq)]
pub struct DistanceGrid {
    low: [f32; 3],
    spacing: f32,
    size: [usize; 3],
    /// Node `(i, j, k)` is at `i + size[0] * (j + size[1] * k)`.
    values: Vec<f32>,
    /// Corners of the box around the surface.
    bounds: [[f32; 3]; 2],
}

impl DistanceGrid {
    /// Distances to triangles that close, wound one way; all lengths in one unit. `spacing` is the distance of nodes; it grows
    /// until there are at most `most` of them.
    pub fn from_triangles(
        vertices: &[Point],
        triangles: &[[u32; 3]],
        spacing: f64,
        most: usize,
    ) -> Result<Self, ObstacleError> {
        if triangles.iter().flatten().any(|corner| *corner as usize >= vertices.len()) {
            return Err(ObstacleError::Triangles);
        }
        let corners: Vec<[Point; 3]> = triangles.iter().map(|t| t.map(|corner| vertices[corner as usize])).collect();
        let [low, high] = bounds(&corners);
        // No triangles have no bounds; a NaN is neither less nor more than others and would vanish in them.
        if corners.is_empty()
            || !corners.as_flattened().as_flattened().iter().all(|v| v.is_finite())
            || !spacing.is_finite()
        {
            return Err(ObstacleError::NotFinite);
        }
        if !(spacing > 0.0 && (0..3).all(|axis| high[axis] > low[axis]) && most >= 1000) {
            return Err(ObstacleError::Size);
        }
        let size_at = |step: f64| [0, 1, 2].map(|axis| (high[axis] - low[axis]) / step + 2.0 * BAND + 2.0);
        let mut step = spacing;
        while size_at(step).iter().product::<f64>() > most as f64 {
            step *= 1.1;
        }
        let grid = Nodes { low: low.map(|v| v - BAND * step), step, size: size_at(step).map(|n| n as usize) };
        let slice = grid.size[0] * grid.size[1];
        let mut values = vec![(BAND * step) as f32; slice * grid.size[2]];
        values.par_chunks_mut(slice).enumerate().for_each(|(k, values)| grid.fill_slice(&corners, k, values));
        let single = |p: Point| p.map(|v| v as f32);
        Ok(Self {
            low: single(grid.low),
            spacing: step as f32,
            size: grid.size,
            values,
            bounds: [single(low), single(high)],
        })
    }

    /// The same in another unit of length.
    pub(super) fn scaled(&self, factor: f32) -> Self {
        let point = |p: [f32; 3]| p.map(|v| v * factor);
        Self {
            low: point(self.low),
            spacing: self.spacing * factor,
            size: self.size,
            values: self.values.iter().map(|v| v * factor).collect(),
            bounds: self.bounds.map(point),
        }
    }

    /// Distance of nodes.
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Nodes along every axis.
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// Corners of the box around the surface.
    pub fn bounds(&self) -> [[f32; 3]; 2] {
        self.bounds
    }

    /// The distances, x fastest, then y.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    pub(super) fn low(&self) -> [f32; 3] {
        self.low
    }

    pub(super) fn is_good(&self) -> bool {
        self.spacing > 0.0
            && self.size.iter().all(|n| *n > 1)
            && self.values.len() == self.size.iter().product::<usize>()
    }
}

fn bounds(triangles: &[[Point; 3]]) -> [Point; 2] {
    let start = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    triangles.iter().flatten().fold(start, |[low, high], p| {
        [std::array::from_fn(|a| p[a].min(low[a])), std::array::from_fn(|a| p[a].max(high[a]))]
    })
}

/// Where nodes are.
struct Nodes {
    low: Point,
    step: f64,
    size: [usize; 3],
}

impl Nodes {
    /// Nodes along an axis from one coordinate to another, and so much around.
    fn range(&self, axis: usize, low: f64, high: f64, around: f64) -> std::ops::Range<usize> {
        let at = |v: f64| (v - self.low[axis]) / self.step;
        let first = (at(low) - around).ceil().max(0.0) as usize;
        let end = ((at(high) + around).floor() + 1.0).clamp(0.0, self.size[axis] as f64) as usize;
        first.min(end)..end
    }

    fn node(&self, i: usize, j: usize, k: usize) -> Point {
        let n = [i, j, k];
        std::array::from_fn(|axis| self.low[axis] + n[axis] as f64 * self.step)
    }

    fn fill_slice(&self, triangles: &[[Point; 3]], k: usize, values: &mut [f32]) {
        let nx = self.size[0];
        let mut crossings = vec![0i32; values.len()];
        for triangle in triangles {
            let [low, high] = bounds(std::slice::from_ref(triangle));
            if !self.range(2, low[2], high[2], BAND).contains(&k) {
                continue;
            }
            for j in self.range(1, low[1], high[1], BAND) {
                for i in self.range(0, low[0], high[0], BAND) {
                    let value = &mut values[i + nx * j];
                    *value = value.min(triangle_distance(self.node(i, j, k), triangle) as f32);
                }
            }
            for j in self.range(1, low[1], high[1], 0.0) {
                let line = self.node(0, j, k);
                if let Some((x, sign)) = crossing([line[1], line[2]], triangle) {
                    let first = ((x - self.low[0]) / self.step).ceil().max(0.0) as usize;
                    if first < nx {
                        crossings[first + nx * j] += sign;
                    }
                }
            }
        }
        for (values, crossings) in values.chunks_mut(nx).zip(crossings.chunks(nx)) {
            let mut winding = 0;
            for (value, crossing) in values.iter_mut().zip(crossings) {
                winding += crossing;
                if winding != 0 {
                    *value = -*value;
                }
            }
        }
    }
}

/// Where a line along x at `[y, z]` crosses a triangle, and the side that it comes from.
fn crossing(line: [f64; 2], triangle: &[Point; 3]) -> Option<(f64, i32)> {
    let [a, b, c] = triangle.map(|p| [p[1] - line[0], p[2] - line[1]]);
    let (wa, sa) = orientation(b, c);
    let (wb, sb) = orientation(c, a);
    let (wc, sc) = orientation(a, b);
    let sum = wa + wb + wc;
    if sa != sb || sb != sc || sum == 0.0 {
        return None;
    }
    let x = (wa * triangle[0][0] + wb * triangle[1][0] + wc * triangle[2][0]) / sum;
    Some((x, sa))
}

/// Twice the area of the triangle with the origin, and its sign; where that is 0, the sign that a tiny shift would give,
/// opposite for the opposite order.
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

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Distance of a point to a triangle (Ericson 2005, §5.1.5: by the region that the point's foot is in).
fn triangle_distance(p: Point, [a, b, c]: &[Point; 3]) -> f64 {
    let (ab, ac, ap) = (minus(*b, *a), minus(*c, *a), minus(p, *a));
    let at = |v: f64, w: f64| -> f64 {
        let away: Point = std::array::from_fn(|axis| ap[axis] - ab[axis] * v - ac[axis] * w);
        dot(away, away).sqrt()
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

#[cfg(test)]
mod tests {
    use super::super::testing::{box_triangles, sphere_triangles};
    use super::*;

    #[test]
    fn a_box_of_triangles_has_the_distances_of_a_box() {
        // Faces through nodes, edges along lines: every tie there is.
        let (vertices, triangles) = box_triangles([1.0, 2.0, -1.0], [3.0, 4.5, 2.0]);
        for flipped in [false, true] {
            let wound = triangles.iter().map(|t| if flipped { [t[0], t[2], t[1]] } else { *t });
            let grid = DistanceGrid::from_triangles(&vertices, &wound.collect::<Vec<_>>(), 0.25, 1 << 20).unwrap();
            let [nx, ny, nz] = grid.size();
            for at in 0..nx * ny * nz {
                let n = [at % nx, at / nx % ny, at / nx / ny];
                let p: Point = std::array::from_fn(|axis| f64::from(grid.low()[axis]) + 0.25 * n[axis] as f64);
                let out: Point = std::array::from_fn(|a| (p[a] - [2.0, 3.25, 0.5][a]).abs() - [1.0, 1.25, 1.5][a]);
                let inside = out[0].max(out[1]).max(out[2]);
                let outside = dot(out.map(|v| v.max(0.0)), out.map(|v| v.max(0.0))).sqrt();
                let expected = (outside + inside.min(0.0)).clamp(-0.75, 0.75);
                let found = f64::from(grid.values()[at]);
                assert!((found.abs() - expected.abs()).abs() < 1e-6, "{p:?}: {found} and {expected}");
                assert!(expected.abs() < 1e-6 || (found < 0.0) == (expected < 0.0), "{p:?}: {found} and {expected}");
            }
        }
    }

    #[test]
    fn a_sphere_of_triangles_has_its_distances() {
        let (vertices, triangles) = sphere_triangles(2.0, 40);
        let grid = DistanceGrid::from_triangles(&vertices, &triangles, 0.1, 1 << 20).unwrap();
        let [nx, ny, _] = grid.size();
        for (at, value) in grid.values().iter().enumerate() {
            let n = [at % nx, at / nx % ny, at / nx / ny];
            let p: Point = std::array::from_fn(|a| f64::from(grid.low()[a]) + f64::from(grid.spacing()) * n[a] as f64);
            let expected = (dot(p, p).sqrt() - 2.0).clamp(-0.3, 0.3);
            assert!((f64::from(*value) - expected).abs() < 0.01, "{p:?}: {value} and {expected}");
        }
        let few = DistanceGrid::from_triangles(&vertices, &triangles, 0.001, 100_000).unwrap();
        assert!(few.values().len() <= 100_000 && few.is_good());
    }

    #[test]
    fn triangles_that_make_no_solid_are_refused() {
        let (mut vertices, triangles) = box_triangles([0.0; 3], [1.0; 3]);
        let grid = |v: &[Point], t: &[[u32; 3]]| DistanceGrid::from_triangles(v, t, 0.1, 1 << 20).err();
        assert_eq!(grid(&vertices, &[[0, 1, 8]]), Some(ObstacleError::Triangles));
        assert_eq!(grid(&vertices, &[]), Some(ObstacleError::NotFinite));
        vertices[3][1] = f64::NAN;
        assert_eq!(grid(&vertices, &triangles), Some(ObstacleError::NotFinite));
    }
}
