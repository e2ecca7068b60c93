use super::*;
use crate::testing::{box_triangles, sphere_triangles};

const HALF: Sampling = Sampling { spacing: 0.25, reach: 0.75, window: None, most: 1 << 22 };

/// The distance at a point.
fn at(grid: &DistanceGrid, p: Point) -> f64 {
    let steps = std::array::from_fn(|axis| (p[axis] as f32 - grid.low()[axis]) / grid.spacing());
    f64::from(read(grid.words(), grid.bricks(), steps, grid.spacing()))
}

/// Nodes of a grid inside of its outermost ones.
fn nodes(grid: &DistanceGrid) -> impl Iterator<Item = Point> {
    let [nx, ny, nz] = grid.bricks().map(|n| brick::STEPS * n + 1);
    let place = move |n: [usize; 3]| std::array::from_fn(|a| f64::from(grid.low()[a] + grid.spacing() * n[a] as f32));
    (0..nx * ny * nz).map(move |n| place([n % nx, n / nx % ny, n / nx / ny]))
}

fn box_distance(p: Point, low: Point, high: Point) -> f64 {
    let out: Point = std::array::from_fn(|a| (low[a] - p[a]).max(p[a] - high[a]));
    let outside = out.map(|v| v.max(0.0));
    triangle::dot(outside, outside).sqrt() + out[0].max(out[1]).max(out[2]).min(0.0)
}

/// Exact within `reach`, beyond it no more than the distance and more than `reach`, on the right side everywhere.
fn check(found: f64, expected: f64, reach: f64, error: f64, place: Point) {
    if expected.abs() <= reach {
        assert!((found.abs() - expected.abs()).abs() < error, "{place:?}: {found}, not {expected}");
    } else {
        assert!(
            found.abs() > reach - error && found.abs() < expected.abs() + error,
            "{place:?}: {found} of {expected}"
        );
    }
    assert!(expected.abs() < error || (found < 0.0) == (expected < 0.0), "{place:?}: {found}, not {expected}");
}

#[test]
fn a_box_of_triangles_has_the_distances_of_a_box() {
    // Faces through nodes, edges along lines: every tie there is.
    let (low, high) = ([1.0, 2.0, -1.0], [3.0, 4.5, 2.0]);
    let (vertices, triangles) = box_triangles(low, high);
    for flipped in [false, true] {
        let wound = triangles.iter().map(|t| if flipped { [t[0], t[2], t[1]] } else { *t });
        let grid = DistanceGrid::from_triangles(&vertices, &wound.collect::<Vec<_>>(), &HALF).expect("a box");
        for p in nodes(&grid) {
            check(at(&grid, p), box_distance(p, low, high), 0.75, 1e-6, p);
        }
        // In another unit.
        let twice = grid.scaled(2.0);
        assert_eq!(2.0 * at(&grid, [0.7, 3.1, 0.4]), at(&twice, [1.4, 6.2, 0.8]));
    }
}

#[test]
fn a_sphere_of_triangles_has_its_distances() {
    let (vertices, triangles) = sphere_triangles(2.0, 40);
    let sampling = Sampling { spacing: 0.05, reach: 0.3, ..HALF };
    let grid = DistanceGrid::from_triangles(&vertices, &triangles, &sampling).expect("a sphere");
    for p in nodes(&grid) {
        check(at(&grid, p), triangle::dot(p, p).sqrt() - 2.0, 0.3, 0.01, p);
    }
    // Far from it distances are still large: a ray in the middle may go most of the distance at once.
    assert!(at(&grid, [0.0; 3]) < -1.3 && at(&grid, [1.9, 1.9, 1.9]) > 0.7);
    // Memory goes with the area.
    let thin = Sampling { spacing: 0.02, reach: 0.05, ..HALF };
    let thin = DistanceGrid::from_triangles(&vertices, &triangles, &thin).expect("a sphere");
    let all = thin.bricks().map(|n| brick::STEPS * n + 1).into_iter().product::<usize>();
    assert!(thin.words().len() * 2 < all, "{} of {all}", thin.words().len());
    let few = Sampling { spacing: 0.005, most: 100_000, ..sampling };
    assert_eq!(
        DistanceGrid::from_triangles(&vertices, &triangles, &few),
        Err(ObstacleError::TooFine { most: 100_000 })
    );
    assert_eq!(DistanceGrid::fits(&vertices, &triangles, &few), Err(ObstacleError::TooFine { most: 100_000 }));
    assert_eq!(DistanceGrid::fits(&vertices, &triangles, &sampling), Ok(()));
}

/// Solids of up to ten thousand times a window that cuts through them: distances and sides are right in it, and it
/// takes no more room.
#[test]
fn a_window_sees_what_is_in_it_of_a_surface_of_any_size() {
    let window = Some([[-2.0, -1.5, -1.0], [2.0, 1.0, 1.5]]);
    let places = || {
        (0..4000).map(|n| {
            let share = |n: usize| n as f64 / 15.0;
            [4.0 * share(n % 16) - 2.0, 2.5 * share(n / 16 % 16) - 1.5, 2.5 * share(n / 256) - 1.0]
        })
    };
    for size in [0.5, 3.0, 40.0, 1e3, 4e4] {
        // Walls and an edge through the window.
        let (low, high) = ([-0.3, -0.7 - size, -0.2], [size - 0.3, -0.7, size - 0.2]);
        let (vertices, triangles) = box_triangles(low, high);
        let sampling = Sampling { spacing: 0.1, reach: 0.3, window, ..HALF };
        let grid = DistanceGrid::from_triangles(&vertices, &triangles, &sampling).expect("a box");
        assert!(grid.words().len() < 100_000, "{size}: {}", grid.words().len());
        for p in places() {
            // Trilinear between nodes, which smooths edges; beyond the lattice the distance to it is added.
            let (found, expected) = (at(&grid, p), box_distance(p, low, high));
            check(if expected > 0.3 { found.min(expected) } else { found }, expected, 0.3, 0.05, p);
        }
        // All of the window inside, and none.
        let around = box_triangles([-3.0 - size, -2.5 - size, -3.0 - size], [3.0 + size, 3.0 + size, 3.0 + size]);
        let inside = DistanceGrid::from_triangles(&around.0, &around.1, &sampling).expect("a box");
        assert!(places().all(|p| at(&inside, p) < -0.3));
        let beside = box_triangles([5.0, 5.0, 5.0], [5.0 + size, 6.0, 6.0]);
        let outside = DistanceGrid::from_triangles(&beside.0, &beside.1, &sampling).expect("a box");
        assert!(places().all(|p| at(&outside, p) > 0.3));
    }
}

/// A surface of many triangles that is seen through a small window from all around: lines cross most of it outside.
#[test]
fn crossings_outside_of_the_window_count() {
    let (vertices, triangles) = sphere_triangles(1000.0, 100);
    let rise = |p: &Point| [p[0] - 600.0, p[1] + 800.0, p[2]];
    let vertices: Vec<Point> = vertices.iter().map(rise).collect();
    let window = Some([[-30.0; 3], [30.0; 3]]);
    let sampling = Sampling { spacing: 1.0, reach: 3.0, window, ..HALF };
    let grid = DistanceGrid::from_triangles(&vertices, &triangles, &sampling).expect("a sphere");
    for p in nodes(&grid).filter(|p| p.iter().all(|v| v.abs() < 30.0)) {
        let from_middle = [p[0] + 600.0, p[1] - 800.0, p[2]];
        // Facets lie up to 0.25 inside of the sphere.
        check(at(&grid, p), triangle::dot(from_middle, from_middle).sqrt() - 1000.0, 3.0, 0.3, p);
    }
}

#[test]
fn triangles_that_make_no_solid_are_refused() {
    let (mut vertices, triangles) = box_triangles([0.0; 3], [1.0; 3]);
    let grid = |v: &[Point], t: &[[u32; 3]]| DistanceGrid::from_triangles(v, t, &HALF).err();
    assert_eq!(grid(&vertices, &[[0, 1, 8]]), Some(ObstacleError::Triangles));
    assert_eq!(grid(&vertices, &[]), Some(ObstacleError::NotFinite));
    vertices[3][1] = f64::NAN;
    assert_eq!(grid(&vertices, &triangles), Some(ObstacleError::NotFinite));
    let (vertices, triangles) = box_triangles([0.0; 3], [1.0; 3]);
    for wrong in [Sampling { spacing: 0.0, ..HALF }, Sampling { window: Some([[1.0; 3], [0.0; 3]]), ..HALF }] {
        assert_eq!(DistanceGrid::from_triangles(&vertices, &triangles, &wrong), Err(ObstacleError::Size));
    }
    let wrong = Sampling { reach: f64::NAN, ..HALF };
    assert_eq!(DistanceGrid::from_triangles(&vertices, &triangles, &wrong), Err(ObstacleError::NotFinite));
}
