//! Mass properties against closed forms, and shapes that are refused.
use std::f64::consts::PI;

use thalweg_bodies::{Body, BodyError, Mass, MassProperties, Pose, Shape, World, WorldError, WorldSetup};

use crate::shapes::ball;

/// Corners and triangles of a box from `low` to `high`.
fn box_mesh(low: [f64; 3], high: [f64; 3]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let corner = |n: usize| std::array::from_fn(|axis| if n >> axis & 1 == 1 { high[axis] } else { low[axis] });
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    ((0..8).map(corner).collect(), faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect())
}

fn of(shape: Shape) -> MassProperties {
    MassProperties::new(&shape, Mass::Density(600.0)).unwrap()
}

#[track_caller]
fn near(found: MassProperties, volume: f64, centre: [f64; 3], moments: [f64; 3], tolerance: f64) {
    let close = |a: f64, b: f64, scale: f64| assert!((a - b).abs() <= tolerance * scale, "{a} is not {b}: {found:?}");
    close(found.volume, volume, volume);
    close(found.mass, 600.0 * volume, 600.0 * volume);
    for axis in 0..3 {
        close(found.centre[axis], centre[axis], volume.cbrt());
        for other in 0..3 {
            let wanted = if axis == other { 600.0 * moments[axis] } else { 0.0 };
            close(found.inertia[axis][other], wanted, 600.0 * moments[0]);
        }
    }
}

#[test]
fn moments_of_all_shapes_are_those_of_textbooks() {
    let v = 0.4 * 0.6 * 1.0;
    let of_box = [v * (0.36 + 1.0) / 12.0, v * (0.16 + 1.0) / 12.0, v * (0.16 + 0.36) / 12.0];
    near(of(Shape::Box { half: [0.2, 0.3, 0.5] }), v, [0.0; 3], of_box, 1e-12);

    let v = 4.0 / 3.0 * PI * 0.125;
    near(of(Shape::Sphere { radius: 0.5 }), v, [0.0; 3], [0.1 * v; 3], 1e-12);

    let v = PI * 0.09 * 1.6;
    let across = v * (3.0 * 0.09 + 1.6 * 1.6) / 12.0;
    near(of(Shape::Cylinder { half_length: 0.8, radius: 0.3 }), v, [0.0; 3], [across, v * 0.045, across], 1e-12);

    // A cone of height h with its tip up: centre at h/4, 3/20 m (r² + h²/4) across, 3/10 m r² along.
    let v = PI * 0.25 * 1.2 / 3.0;
    let across = v * 0.15 * (0.25 + 0.36);
    let centre = [0.0, -0.3, 0.0];
    near(of(Shape::Cone { half_length: 0.6, radii: [0.5, 0.0] }), v, centre, [across, v * 0.075, across], 1e-12);
    // Equal radii make a cylinder.
    let cone = of(Shape::Cone { half_length: 0.8, radii: [0.3, 0.3] });
    let cylinder = of(Shape::Cylinder { half_length: 0.8, radius: 0.3 });
    assert!((cone.inertia[0][0] - cylinder.inertia[0][0]).abs() < 1e-10 * cone.inertia[0][0]);

    let (vertices, triangles) = box_mesh([1.0, 2.0, 3.0], [1.4, 2.6, 4.0]);
    let v = 0.4 * 0.6 * 1.0;
    let centre = [1.2, 2.3, 3.5];
    near(of(Shape::Hull { points: vertices.clone() }), v, centre, of_box, 1e-5);
    near(of(Shape::Mesh { vertices, triangles }), v, centre, of_box, 1e-12);
}

#[test]
fn a_capsule_is_a_cylinder_and_a_sphere() {
    let (h, r) = (0.7, 0.2);
    let found = of(Shape::Capsule { half_length: h, radius: r });
    // By slices along the axis.
    let n = 400_000;
    let (mut volume, mut along, mut across) = (0.0, 0.0, 0.0);
    let step = 2.0 * (h + r) / f64::from(n);
    for k in 0..n {
        let y = -(h + r) + (f64::from(k) + 0.5) * step;
        let beyond = (y.abs() - h).max(0.0);
        let area = PI * (r * r - beyond * beyond) * step;
        let rr = r * r - beyond * beyond;
        (volume, along, across) = (volume + area, along + 0.5 * area * rr, across + area * (0.25 * rr + y * y));
    }
    near(found, volume, [0.0; 3], [across, along, across], 1e-8);
}

#[test]
fn parts_add_up_wherever_they_are() {
    // Two halves of a box, one turned half around: together the box.
    let half = Shape::Box { half: [0.2, 0.15, 0.5] };
    let turned = Pose::turned([0.0, 0.15, 0.0], [0.0, 1.0, 0.0], PI);
    let parts = vec![(half.clone(), Pose::at([0.0, -0.15, 0.0])), (half, turned)];
    let whole = of(Shape::Box { half: [0.2, 0.3, 0.5] });
    let found = of(Shape::Compound { parts });
    for axis in 0..3 {
        assert!((found.inertia[axis][axis] - whole.inertia[axis][axis]).abs() < 1e-10 * whole.inertia[0][0]);
    }
    assert!((found.volume - whole.volume).abs() < 1e-12);
    // Turned by a quarter around z, the moments about x and y change places.
    let pose = Pose::turned([3.0, 0.0, 0.0], [0.0, 0.0, 1.0], 0.5 * PI);
    let found = of(Shape::Compound { parts: vec![(Shape::Box { half: [0.2, 0.3, 0.5] }, pose)] });
    assert!((found.inertia[1][1] - whole.inertia[0][0]).abs() < 1e-10 * whole.inertia[0][0]);
    assert!((found.centre[0] - 3.0).abs() < 1e-12);
}

#[test]
fn a_given_mass_makes_the_density() {
    let found = MassProperties::new(&Shape::Sphere { radius: 1.0 }, Mass::Mass(10.0)).unwrap();
    assert!((found.mass - 10.0).abs() < 1e-12 && (found.inertia[0][0] - 4.0).abs() < 1e-12);
}

#[test]
fn what_cannot_be_a_body_is_refused_with_a_reason() {
    let error = |shape: Shape| MassProperties::new(&shape, Mass::Density(500.0)).unwrap_err();
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(matches!(error(Shape::Sphere { radius: value }), BodyError::Size { .. }), "{value}");
        assert!(matches!(error(Shape::Box { half: [1.0, value, 1.0] }), BodyError::Size { .. }), "{value}");
        let cone = Shape::Cone { half_length: 1.0, radii: [value, value] };
        assert!(matches!(error(cone), BodyError::Size { .. }), "{value}");
        let found = MassProperties::new(&Shape::Sphere { radius: 1.0 }, Mass::Density(value));
        assert!(matches!(found, Err(BodyError::Density { .. })), "{value}");
    }
    assert!(matches!(error(Shape::Cone { half_length: 1.0, radii: [f64::NAN, 1.0] }), BodyError::Size { .. }));
    let found = MassProperties::new(&Shape::Sphere { radius: 1.0 }, Mass::Mass(0.0));
    assert!(matches!(found, Err(BodyError::Mass { .. })));
    assert!(matches!(error(Shape::Sphere { radius: 1e-4 }), BodyError::TooSmall { .. }));

    let (vertices, mut triangles) = box_mesh([0.0; 3], [1.0; 3]);
    let hole = triangles[1..].to_vec();
    assert_eq!(
        error(Shape::Mesh { vertices: vertices.clone(), triangles: hole }),
        BodyError::OpenMesh { open_edges: 3 }
    );
    triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let inside_out = error(Shape::Mesh { vertices: vertices.clone(), triangles: triangles.clone() });
    assert!(inside_out.to_string().starts_with("the mesh is inside out: its volume is -1.000 m³"), "{inside_out}");
    triangles[0] = [0, 1, 8];
    assert_eq!(error(Shape::Mesh { vertices, triangles }), BodyError::Triangle { triangle: 0 });

    let flat = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.3, 0.0, 0.2]];
    assert_eq!(error(Shape::Hull { points: flat }), BodyError::FlatHull { points: 5 });
    assert_eq!(error(Shape::Hull { points: vec![] }), BodyError::FlatHull { points: 0 });
    assert_eq!(error(Shape::Compound { parts: vec![] }), BodyError::NoParts);
    let inner = Shape::Compound { parts: vec![(Shape::Sphere { radius: 1.0 }, Pose::default())] };
    assert_eq!(error(Shape::Compound { parts: vec![(inner, Pose::default())] }), BodyError::Nested);
}

#[test]
fn worlds_name_the_body_that_is_wrong() {
    let good = Body::new("good", ball(0.5), [0.0; 3]);
    let world = |bodies: Vec<Body>| World::new(&WorldSetup { bodies, ..WorldSetup::default() }).map(|_| ());
    let error = world(vec![good.clone(), good.clone()]).unwrap_err();
    assert_eq!(error, WorldError::SameName { name: "good".into() });
    let bad = Body { name: "bad".into(), friction: -1.0, ..good.clone() };
    assert!(world(vec![bad]).unwrap_err().to_string().starts_with("body `bad`: the friction is -1"));
    let bad = Body { name: "bad".into(), inertia: Some([1.0, 1.0, 3.0]), ..good.clone() };
    assert!(matches!(world(vec![bad]), Err(WorldError::Body { error: BodyError::Inertia { .. }, .. })));
    let bad = Body { pose: Pose { position: [0.0; 3], rotation: [0.0; 4] }, ..good };
    assert!(matches!(world(vec![bad]), Err(WorldError::Body { error: BodyError::Pose, .. })));
}
