//! Every key of scene files is read, and the schema knows every key.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use thalweg_scene::{
    Area, BodyQuantity, Coupling, Datum, Discretisation, Field, FineRegion, HeightFormat, Inflow, Limiter, Locks, Maps,
    Mass, Measure, MeshFormat, Mooring, Motion, PartShape, PointFormat, ProbeKind, Scene, Scheme, Side, Solid, Solver,
    SourceShape, Spectrum, Spin, Tall, Travel, TreeScheme, VolumeFormat, Waves, WhitewaterSettings, schema,
};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/valid")
}

pub(crate) fn every_key() -> Scene {
    Scene::from_file(folder().join("every-key.toml")).unwrap_or_else(|error| panic!("{error}"))
}

fn tall() -> Scene {
    Scene::from_file(folder().join("every-tall-key.toml")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_key_is_read() {
    let scene = every_key();
    assert_eq!((scene.name.as_str(), scene.duration, scene.step, scene.gravity), ("Every key", 20.0, 0.1, 9.8));
    assert_eq!((scene.grid.nx, scene.grid.nz, scene.grid.cell, scene.grid.height), (80, 40, 0.5, 10.0));
    assert_eq!(scene.grid.origin, [100.0, 200.0]);

    let shallow = scene.water.shallow;
    assert_eq!((shallow.scheme, shallow.order, shallow.limiter), (Scheme::Cmf10, 1, Limiter::Mc));
    assert_eq!((shallow.cfl, shallow.manning, shallow.dry_depth), (0.3, 0.03, Some(1e-4)));
    assert_eq!(shallow.datum, Datum::Elevation(12.5));
    assert_eq!((scene.water.level, scene.water.velocity), (Some(-1.5), [0.5, -0.5]));
    assert_eq!(scene.water.boxes[0].max, [110.0, 2.5, 220.0]);

    let Side::Inflow { kind: Inflow::Discharge(flow), span: Some([205.0, 215.0]), layer: 4 } = &scene.boundary.west
    else {
        panic!("west is {:?}", scene.boundary.west);
    };
    assert_eq!(flow.points(), [[-5.0, 1.0], [5.0, 11.0], [15.0, 6.0]]);
    assert_eq!(scene.boundary.east, Side::Open { level: Some(-1.5), layer: 10 });
    assert_eq!(scene.boundary.south, Side::Outflow);
    let Side::Inflow { kind: Inflow::Surface(wave), span: None, layer: 0 } = &scene.boundary.north else {
        panic!("north is {:?}", scene.boundary.north);
    };
    assert_eq!(wave.at(0.0), -1.5, "the ramp starts at the mean");
    let exact = -1.5 + 0.1 * (std::f64::consts::TAU * 10.3 / 4.0 + 1.57).sin();
    assert!((wave.at(10.3) - exact).abs() < 1.3e-4);
    assert!(wave.points().last().is_some_and(|point| point[0] >= scene.duration));

    let rain = scene.rain.as_ref().expect("it rains");
    assert!((rain.at(5.0) - 36.0 / 3.6e6).abs() < 1e-18);
    assert_eq!(scene.sources[0].shape, SourceShape::Disc { center: [110.0, 210.0], radius: 1.0 });
    assert_eq!((scene.sources[1].name.as_str(), scene.sources[1].rate.at(3.0)), ("drain", -0.1));
    assert_eq!(scene.probes.len(), 8);
    assert!(matches!(scene.probes[6].kind, ProbeKind::Runup { area: Area::Rectangle(_), threshold: 0.02 }));
    assert!(
        matches!(&scene.probes[7].kind, ProbeKind::Runup { area: Area::Polygon(corners), .. } if corners.len() == 3)
    );
    assert_eq!(scene.maps, Some(Maps { wet: 0.05 }));
    let over_time = [Field::MaxDepth, Field::MaxSurface, Field::MaxSpeed, Field::Arrival, Field::PeakTime];
    assert_eq!(scene.render.fields, [&[Field::Surface, Field::Depth], &over_time[..]].concat());
    assert!(over_time.iter().all(|field| field.is_over_time() && !field.is_rendered() && !field.is_a_cut()));
    assert_eq!(scene.render.range(Field::MaxSpeed), Some([0.0, 2.0]), "as the speed");
    assert_eq!((scene.render.width, scene.render.range(Field::Speed)), (640, Some([0.0, 2.0])));
    assert_eq!((scene.render.size, scene.render.samples, scene.render.exposure), ([320, 180], 2, 0.5));
    assert_eq!((scene.render.sun, scene.render.materials.absorption), ([10.0, 30.0], Some([1.0, 0.5, 0.25])));
    assert_eq!(scene.render.materials.obstacles, Some([1.0, 0.0, 0.0]));
    let camera = scene.camera;
    assert_eq!((camera.position, camera.target), (Some([1.0, 20.0, 40.0]), Some([5.0, 0.0, 5.0])));
    assert_eq!((camera.angles, camera.field_of_view, camera.distance), ([-30.0, 15.0], 35.0, 0.8));
    assert_eq!((scene.output.every, scene.output.frames, scene.output.checkpoint_every), (0.5, false, 30.0));
    use HeightFormat::{Asc, Exr, Npz, Png, Tif};
    assert_eq!(scene.output.heights, [Png, Exr, Asc, Tif, Npz]);
    assert!(scene.output.meshes.is_none() && scene.output.volumes.is_empty());
}

#[test]
fn every_key_of_three_dimensional_water_is_read() {
    let scene = tall();
    assert_eq!((scene.water.solver, scene.water.velocity), (Solver::TallCells, [0.5, -0.25]));
    let wanted = Tall {
        regular_cells: 24,
        below: 6,
        above: 5,
        step: 3,
        max_cfl: 2.5,
        single_step: true,
        hold_volume: false,
        reinitialise_every: 2,
        surface: 2,
        cubic_surface: true,
        thickening: false,
        discretisation: Discretisation::Galerkin,
        pressure_tolerance: 1e-5,
        pressure_iterations: 24,
    };
    assert_eq!(scene.water.tall, wanted);
    let wave = Side::Wave { amplitude: 0.2, period: 3.0, ramp: 5.0, level: Some(0.9), layer: 7 };
    let ocean = Side::Ocean { level: Some(0.8), ramp: Some(4.0), layer: 6 };
    assert_eq!((scene.boundary.west, scene.boundary.south), (wave, ocean));
    let waves = Waves {
        spectrum: Spectrum::Jonswap,
        wind: 8.0,
        direction: 45.0,
        fetch: 2000.0,
        depth: Some(3.0),
        height: Some(0.4),
        gamma: 2.0,
        swell: 0.3,
        choppiness: 0.8,
        seed: 7,
        size: Some(40.0),
        resolution: 128,
        cascades: 2,
        texture: 0.7,
        far: true,
        foam: 0.6,
        period: 60.0,
    };
    assert_eq!(scene.waves, Some(waves));
    assert_eq!(scene.boundary.east, Side::Open { level: Some(1.1), layer: 5 });
    // A quarter of the 24 cells across the side.
    assert!(matches!(scene.boundary.north, Side::Inflow { kind: Inflow::Surface(_), span: None, layer: 6 }));
    let source = &scene.sources[0];
    assert_eq!((source.y, source.direction), (Some([1.0, 2.5]), Some([1.0, -0.5, 0.0])));
    assert_eq!((scene.render.fields, scene.render.slice_z), (vec![Field::Surface, Field::Side], Some(201.5)));
    let wanted = WhitewaterSettings {
        capacity: 1000,
        generate: 1.5,
        breaking: 5.0,
        breaks_at: 0.75,
        per_trial: 3,
        noise: 0.2,
        spray_drag: 0.4,
        spray_life: 5.0,
        mist_share: 0.2,
        mist_drag: 2.0,
        foam_share: 0.25,
        foam_life: 4.0,
        foam_decay: 7.0,
        foam_cover: 0.1,
        drop_radius: 0.05,
        mass: false,
        seed: 9,
    };
    assert_eq!((scene.whitewater, scene.render.dries_in), (Some(wanted), 20.0));
    assert_eq!(scene.output.particles, Some(PointFormat::Csv));
    assert_eq!(scene.output.meshes, Some(MeshFormat::Glb));
    assert_eq!(scene.output.volumes, [VolumeFormat::Vti, VolumeFormat::Vdb, VolumeFormat::Npz]);
}

#[test]
fn every_key_of_obstacles_is_read() {
    let scene = tall();
    assert_eq!(scene.obstacles.len(), 6);
    assert_eq!(scene.obstacles[1].shape, Solid::Sphere { center: [106.0, 1.0, 203.0], radius: 0.5 });
    assert_eq!(scene.obstacles[4].bounds(), [[106.5, -0.5, 200.5], [107.5, 1.5, 201.5]]);
    let motion = |n: usize| scene.obstacles[n].motion.clone().expect("a motion");
    assert_eq!(scene.obstacles[0].name.as_deref(), Some("piston"));
    let swing = Travel::Swing { amplitude: [0.0, 0.0, 0.2], period: 1.5, phase: 0.5, ramp: 1.0 };
    assert_eq!(motion(0), Motion { travel: swing, spin: None });
    let spin = Some(Spin { axis: [1.0, 0.0, 0.0], rate: 0.5, pivot: Some([106.0, 1.0, 204.0]) });
    assert_eq!(motion(1), Motion { travel: Travel::Constant { velocity: [0.0, -0.25, 0.0] }, spin });
    // Paths are about the middle, and of a mesh about its position.
    let path = vec![[0.0; 4], [1.0, 0.0, 1.0, 1.0]];
    assert_eq!(motion(4).travel, Travel::Path { points: path.into() });
    let path = vec![[0.0; 4], [1.0, 0.5, 0.0, 0.0], [2.0, 0.5, 0.25, 0.0]];
    assert_eq!(motion(5).travel, Travel::Path { points: path.into() });
    let Solid::Mesh { mesh, position } = &scene.obstacles[5].shape else { panic!("a mesh") };
    // Turned by 90 degrees around y, x goes to -z.
    assert!(
        (mesh.volume() - 3.0 / 8.0).abs() < 1e-12 && mesh.bounds()[0][2] < -0.999 && *position == [105.0, 0.5, 202.0]
    );
    let kinds: Vec<_> = scene.probes.iter().map(|probe| probe.kind.clone()).collect();
    assert_eq!(
        kinds[5..],
        [
            ProbeKind::Pressure { at: [103.0, 0.5, 203.0] },
            ProbeKind::Force { obstacle: 0 },
            ProbeKind::Front { axis: 1, largest: false, threshold: 0.05 }
        ]
    );
}

#[test]
fn every_key_of_bodies_is_read() {
    let scene = Scene::from_file(folder().join("every-tall-key.toml")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((scene.bodies.len(), scene.body_coupling), (9, Coupling::Buoyancy));
    let raft = &scene.bodies[0];
    assert_eq!(
        (raft.name.as_str(), raft.pose.position, raft.mass),
        ("raft", [103.0, 1.0, 204.0], Mass::Density(400.0))
    );
    assert_eq!((raft.center_of_mass, raft.inertia), (Some([0.0, -0.05, 0.0]), Some([10.0, 12.0, 9.0])));
    assert_eq!((raft.velocity, raft.spin), ([0.1, 0.0, 0.2], [0.0, 0.5, 0.0]));
    assert_eq!((raft.friction, raft.restitution, raft.drag), (0.7, 0.3, 1.5));
    let line =
        Mooring { at: [0.5, 0.0, 0.0], anchor: [103.0, 0.0, 201.0], length: 3.5, stiffness: 2000.0, damping: 30.0 };
    assert_eq!(
        (raft.moorings[0], raft.locks),
        (line, Locks { translation: [true, false, false], rotation: [false, false, true] })
    );
    // A quarter turn around y takes x to -z.
    let bow = raft.pose.point([0.5, 0.0, 0.0]);
    assert!((0..3).all(|axis| (bow[axis] - [103.0, 1.0, 203.5][axis]).abs() < 1e-12), "{bow:?}");
    let half = [0.5, 0.125, 0.25];
    assert_eq!(raft.parts[0].shape.bounds(), [half.map(|v: f64| -v), half]);

    // The rest takes what [bodies] says; frames are in the middle.
    let crate_ = &scene.bodies[1];
    assert_eq!((crate_.pose.position, crate_.mass), ([101.25, 1.25, 201.5], Mass::Mass(60.0)));
    assert_eq!((crate_.friction, crate_.restitution, crate_.drag), (0.4, 0.2, 0.8));
    assert_eq!((scene.bodies[2].pose.position, scene.bodies[2].mass), ([102.0, 2.0, 202.0], Mass::Density(500.0)));
    let log = scene.bodies[3].motion.clone().expect("a motion");
    let swing = Travel::Swing { amplitude: [0.0, 0.1, 0.0], period: 2.0, phase: 0.1, ramp: 1.0 };
    let spin = Some(Spin { axis: [0.0, 0.0, 1.0], rate: 0.2, pivot: Some([103.0, 2.0, 202.0]) });
    assert_eq!((scene.bodies[3].pose.position, log), ([103.5, 2.0, 202.0], Motion { travel: swing, spin }));
    let drum = scene.bodies[4].motion.clone().expect("a motion");
    assert_eq!(drum.travel, Travel::Constant { velocity: [0.0, 0.0, 0.1] });
    let buoy = scene.bodies[5].motion.clone().expect("a motion");
    assert_eq!(buoy.travel, Travel::Path { points: [[0.0; 4], [1.0, 0.0, 0.75, 0.0]].into() });
    assert!(matches!(&scene.bodies[6].parts[0].shape, PartShape::Hull { points } if points[0] == [-0.5; 3]));
    assert_eq!(scene.bodies[6].pose.position, [106.5, 2.5, 204.5]);
    // Of a mesh the origin of its file.
    assert_eq!(scene.bodies[7].pose.position, [107.0, 2.0, 205.0]);
    let boat = &scene.bodies[8];
    assert_eq!(boat.parts.len(), 7);
    let deck = boat.pose.point(boat.parts[0].pose.position);
    assert!((0..3).all(|axis| (deck[axis] - [102.0, 1.6, 205.0][axis]).abs() < 1e-12), "{deck:?}");
    let mast = boat.parts[3].shape.bounds();
    assert!((mast[1][1] - mast[0][1] - 0.9).abs() < 1e-12, "the bounds of a cylinder have its radius at both ends");
    let (corner, turn) = (boat.parts[1].shape.bounds()[1], boat.parts[1].pose.rotation);
    assert!(corner[1] < 0.14 && (turn[3] - 22.5f64.to_radians().cos()).abs() < 1e-12, "turned by 45 degrees");

    use BodyQuantity::{Force, Position, Rotation, Velocity};
    let wanted = [(0, Position), (0, Velocity), (0, Rotation), (8, Force)];
    for (probe, (body, what)) in scene.probes.iter().zip(wanted) {
        assert_eq!(probe.kind, ProbeKind::Body { body, what });
    }
}

#[test]
fn every_key_of_the_quadtree_is_read() {
    let scene = Scene::from_file(folder().join("every-quadtree-key.toml")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((scene.water.solver, scene.output.meshes), (Solver::Quadtree, Some(MeshFormat::Ply)));
    assert_eq!(scene.water.shallow.manning, 0.03);
    let tree = &scene.water.quadtree;
    assert_eq!((tree.levels, tree.budget, tree.surface, tree.speed), (3, 20_000, 0.05, 0.5));
    assert_eq!((tree.fronts, tree.interval, tree.still, tree.subcycling), (false, 4, 0.001, false));
    assert_eq!(tree.measure, Measure::Steps);
    assert_eq!(tree.scheme, TreeScheme::KernelAdvection { viscosity: 0.01, friction: 0.5 });
    let observer = tree.observer.as_ref().expect("an observer");
    assert_eq!((observer.place(1.0), observer.near), ([130.0, 215.0], 20.0));
    assert_eq!(tree.regions, [FineRegion { min: [120.0, 210.0], max: [140.0, 230.0], cell: 1.0 }]);
    let cost = scene.cost();
    assert_eq!(cost.cells, 20_000, "the budget, not the grid");
    assert!((400_000..2_000_000).contains(&cost.bytes_state), "{}", cost.bytes_state);
}

/// The keys of a TOML value as paths, with `[]` for every entry of a list.
fn written_keys(value: &toml::Value, path: &str, keys: &mut BTreeSet<String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                let path = format!("{path}.{key}");
                keys.insert(path.clone());
                written_keys(value, &path, keys);
            }
        }
        toml::Value::Array(list) => {
            for value in list {
                written_keys(value, &format!("{path}[]"), keys);
            }
        }
        _ => (),
    }
}

/// The keys that the schema allows, in the same form. Every one must have a description.
fn allowed_keys(root: &Json, schema: &Json, path: &str, keys: &mut BTreeSet<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        return allowed_keys(root, &root["$defs"][name.trim_start_matches("#/$defs/")], path, keys);
    }
    for branch in ["anyOf", "oneOf"].iter().filter_map(|word| schema[word].as_array()).flatten() {
        allowed_keys(root, branch, path, keys);
    }
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}.{key}");
        let described = property["description"].as_str().is_some_and(|text| !text.is_empty());
        // The tag of an alternative is described by the alternative; `disc` and `box` by their names.
        let is_tag = property["const"].is_string() || path.ends_with(".disc") || path.ends_with(".box");
        assert!(described || is_tag, "the schema does not describe {path}");
        assert_eq!(schema["additionalProperties"], false, "{path} has lenient neighbours");
        keys.insert(path.clone());
        allowed_keys(root, property, &path, keys);
    }
    if !schema["items"].is_null() {
        allowed_keys(root, &schema["items"], &format!("{path}[]"), keys);
    }
}

#[test]
fn schema_and_parser_know_the_same_keys() {
    let schema = schema();
    let mut allowed = BTreeSet::new();
    allowed_keys(&schema, &schema, "", &mut allowed);

    let mut written = BTreeSet::new();
    for name in
        ["every-key.toml", "every-tall-key.toml", "every-quadtree-key.toml", "observer-at.toml", "streamed.toml"]
    {
        let text = std::fs::read_to_string(folder().join(name)).expect("there");
        written_keys(&toml::Value::Table(text.parse().expect("TOML")), "", &mut written);
    }

    let stray: Vec<_> = written.difference(&allowed).collect();
    assert!(stray.is_empty(), "the parser takes what the schema does not know: {stray:?}");
    // A series may stand in five places; the scene uses each form once.
    let series =
        [".discharge.", ".surface.sine", ".surface.points", ".rate.", ".north.", ".south.", ".east.", ".west."];
    let missing: Vec<_> = allowed.difference(&written).collect();
    let missing: Vec<_> = missing
        .into_iter()
        .filter(|path| !(series.iter().any(|part| path.contains(part)) || *path == ".water.surface.height"))
        .collect();
    assert!(missing.is_empty(), "no file of every key has {missing:?}");
}
