//! Meshes and height fields with fewer points.

use std::collections::{HashMap, HashSet};

use crate::frame::Geometry;

/// Growth of the spacing from one attempt to the next.
const GROWTH: f32 = 1.2;

/// The same water with at most so many triangles: vertices in one cube of a lattice become one, at their mean. `spacing` is the distance of
/// vertices as they are, m.
pub(crate) fn coarse_mesh(geometry: Geometry, spacing: f32, most: usize) -> Geometry {
    let Geometry::Mesh { vertices, normals, speeds, triangles } = geometry else { return geometry };
    if triangles.len() <= most {
        return Geometry::Mesh { vertices, normals, speeds, triangles };
    }
    // A surface has as many triangles as the square of the spacing allows; one step less, for the estimate may be too careful.
    let mut edge = spacing * ((triangles.len() as f32 / most.max(1) as f32).sqrt() / GROWTH).max(1.0);
    loop {
        let clustered = cluster(&vertices, &normals, &speeds, &triangles, edge);
        if matches!(&clustered, Geometry::Mesh { triangles, .. } if triangles.len() <= most) {
            return clustered;
        }
        edge *= GROWTH;
    }
}

fn cluster(vertices: &[[f32; 3]], normals: &[[f32; 3]], speeds: &[f32], triangles: &[[u32; 3]], edge: f32) -> Geometry {
    let mut numbers: HashMap<[i32; 3], u32> = HashMap::new();
    let (mut places, mut sums, mut fastest, mut counts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let add = |to: &mut [f32; 3], more: [f32; 3]| (0..3).for_each(|axis| to[axis] += more[axis]);
    let mut own = Vec::with_capacity(vertices.len());
    for (n, place) in vertices.iter().enumerate() {
        let cube = place.map(|x| (x / edge).floor() as i32);
        let number = *numbers.entry(cube).or_insert_with(|| {
            places.push([0.0; 3]);
            sums.push([0.0; 3]);
            fastest.push(0.0f32);
            counts.push(0.0f32);
            places.len() as u32 - 1
        });
        let at = number as usize;
        add(&mut places[at], *place);
        add(&mut sums[at], normals[n]);
        fastest[at] = fastest[at].max(speeds[n]);
        counts[at] += 1.0;
        own.push(number);
    }
    for (at, count) in counts.iter().enumerate() {
        places[at] = places[at].map(|x: f32| x / count);
        let length = sums[at].iter().map(|x: &f32| x * x).sum::<f32>().sqrt();
        sums[at] = if length > 0.0 { sums[at].map(|x| x / length) } else { [0.0, 1.0, 0.0] };
    }
    let mut seen = HashSet::new();
    let corners = triangles.iter().map(|triangle| triangle.map(|corner| own[corner as usize]));
    let kept = corners.filter(|[a, b, c]| a != b && b != c && c != a).filter(|corners| {
        // The same triangle however it is begun; turned over it is another.
        let first = (0..3).min_by_key(|n| corners[*n]).unwrap_or(0);
        seen.insert([corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3]])
    });
    let triangles = kept.collect();
    Geometry::Mesh { vertices: places, normals: sums, speeds: fastest, triangles }
}

/// Numbers of at most `most` of so many columns, spread evenly, the first and the last among them.
pub(crate) fn spread(columns: usize, most: usize) -> Vec<usize> {
    let count = columns.min(most.max(2));
    (0..count).map(|n| if count > 1 { (n * (columns - 1) + (count - 1) / 2) / (count - 1) } else { 0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball of 0.5 m from many triangles, closed.
    fn ball(rings: u32) -> Geometry {
        let (mut normals, mut triangles) = (Vec::new(), Vec::new());
        for ring in 0..=rings {
            for step in 0..2 * rings {
                let (up, around) = (
                    ring as f32 / rings as f32 * std::f32::consts::PI,
                    step as f32 / rings as f32 * std::f32::consts::PI,
                );
                normals.push([up.sin() * around.cos(), up.cos(), up.sin() * around.sin()]);
            }
        }
        for ring in 0..rings {
            for step in 0..2 * rings {
                let (a, b) = (ring * 2 * rings + step, ring * 2 * rings + (step + 1) % (2 * rings));
                triangles.extend([[a, b, a + 2 * rings], [b, b + 2 * rings, a + 2 * rings]]);
            }
        }
        let vertices = normals.iter().map(|n: &[f32; 3]| n.map(|x| 0.5 * x)).collect();
        let speeds = normals.iter().map(|n| n[1].abs()).collect();
        Geometry::Mesh { vertices, normals, speeds, triangles }
    }

    fn volume(geometry: &Geometry) -> f32 {
        let Geometry::Mesh { vertices, triangles, .. } = geometry else { panic!("no mesh") };
        let part = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|n| vertices[n as usize]);
            a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
        };
        triangles.iter().map(part).sum::<f32>() / 6.0
    }

    #[test]
    fn fewer_triangles_hold_the_same_water() {
        let fine = ball(60);
        let (Geometry::Mesh { triangles, .. }, whole) = (&fine, volume(&fine)) else { panic!("no mesh") };
        assert_eq!(triangles.len(), 14_400);
        for most in [8000, 2000, 500] {
            let coarse = coarse_mesh(fine.clone(), 0.026, most);
            let Geometry::Mesh { triangles, vertices, normals, speeds } = &coarse else { panic!("no mesh") };
            assert!(triangles.len() <= most && triangles.len() > most / 8, "{} of {most} triangles", triangles.len());
            assert!(vertices.len() == normals.len() && vertices.len() == speeds.len());
            assert!((volume(&coarse) / whole - 1.0).abs() < 0.15, "{} of {whole} m³ with {most}", volume(&coarse));
        }
        assert_eq!(coarse_mesh(fine.clone(), 0.026, 20_000), fine, "few enough already");
    }

    #[test]
    fn columns_are_spread_from_the_first_to_the_last() {
        assert_eq!(spread(1, 512), [0]);
        assert_eq!(spread(5, 512), [0, 1, 2, 3, 4]);
        assert_eq!(spread(5, 3), [0, 2, 4]);
        let many = spread(4097, 512);
        assert_eq!((many.len(), many[0], many[511]), (512, 0, 4096));
        assert!(many.windows(2).all(|pair| (8..=9).contains(&(pair[1] - pair[0]))));
    }
}
