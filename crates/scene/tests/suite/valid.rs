//! Scenes that are right: every key is read, and the schema knows every key.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use thalweg_scene::{
    Area, BodyQuantity, Coupling, Datum, Discretisation, Field, Files, HeightFormat, Inflow, Limiter, Locks, Maps,
    Mass, Measure, MeshFormat, Mooring, Motion, PartShape, PointFormat, ProbeKind, Region, Scene, Scheme, Side, Solid,
    Solver, SourceShape, Spectrum, Spin, Tall, Travel, TreeScheme, VolumeFormat, Waves, WhitewaterSettings, schema,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/valid")
}

fn every_key() -> Scene {
    Scene::from_file(folder().join("every-key.toml")).unwrap_or_else(|error| panic!("{error}"))
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
    let scene = Scene::from_file(folder().join("every-tall-key.toml")).unwrap_or_else(|error| panic!("{error}"));
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
    assert_eq!(tree.regions, [(Region { min: [120.0, 210.0], max: [140.0, 230.0] }, 1.0)]);
    let cost = scene.cost();
    assert_eq!(cost.cells, 20_000, "the budget, not the grid");
    assert!((400_000..2_000_000).contains(&cost.bytes_state), "{}", cost.bytes_state);
}

/// Ground that streams is that of the file read whole, and a scene that streams is read again beside its raster only.
#[test]
fn streamed_ground_is_that_of_the_whole_file() {
    let scene = Scene::from_file(folder().join("streamed.toml")).unwrap_or_else(|error| panic!("{error}"));
    let streamed = scene.terrain.streamed().expect("it streams");
    assert_eq!((streamed.name(), streamed.cache_bytes(), streamed.raster().width()), ("tiles", 8 << 20, 40));
    assert!(!scene.terrain.is_flat() && scene.terrain.bytes() >= 8 << 20 && scene.text.files.is_empty());
    // The same pixels in one file, from the tiles; rows from the north.
    let rows = |x: u32, z: u32| -> Vec<String> {
        let text = std::fs::read_to_string(folder().join(format!("tiles/t{x}_{z}.asc"))).expect("a tile");
        text.lines().skip(3).map(str::to_owned).collect()
    };
    let lines =
        [1, 0].into_iter().flat_map(|z| rows(0, z).into_iter().zip(rows(1, z)).map(|(a, b)| format!("{a} {b}\n")));
    let whole = format!("ncols 40\nnrows 40\ncellsize 2\nNODATA_value -9999\n{}", lines.collect::<String>());
    let text = scene.text.text.replace("\"tiles\"", "\"whole.asc\"").replace("stream = true\nmemory = 8\n", "");
    let table = [("whole.asc", whole.as_bytes())];
    let loaded =
        Scene::with_files(&text, "whole.toml", &Files::Table(&table)).unwrap_or_else(|error| panic!("{error}"));
    let [a, b] = [&scene, &loaded].map(|scene| scene.terrain.rasterise(&scene.grid).expect("a bed"));
    assert_eq!(a, b);
    assert!(a.contains(&0.5), "a pixel without data lies in the domain");

    let again = Scene::from_text(&scene.text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.digest, scene.digest);
    let torn = thalweg_scene::SceneText { streams_from: None, ..(*scene.text).clone() };
    let error = Scene::from_text(&torn).expect_err("the raster is not in the text").to_string();
    assert!(error.contains("not on disk"), "{error}");
}

#[test]
fn points_are_sampled_like_grids() {
    for name in ["every-key.toml", "every-quadtree-key.toml", "streamed.toml"] {
        let scene = Scene::from_file(folder().join(name)).unwrap_or_else(|error| panic!("{error}"));
        let bed = scene.terrain.rasterise(&scene.grid).expect("a bed");
        let depth = scene.water.rasterise(&scene.grid, &bed).expect("water");
        let sampler = scene.terrain.sampler();
        for at in 0..bed.len() {
            let (i, k) = (at as u32 % scene.grid.nx, at as u32 / scene.grid.nx);
            let point = scene.grid.center(i, k);
            assert_eq!(sampler.elevation(point).expect("ground") as f32, bed[at]);
            let surface = scene.water.surface_at(point, f64::from(bed[at])).expect("water");
            assert!((surface - f64::from(bed[at]) - f64::from(depth[at])).abs() < 1e-6, "{point:?}");
        }
    }
}

#[test]
fn moorings_are_taut_and_drag_fits_the_coupling_unless_said_otherwise() {
    let body = "level = 2\n[[body]]\nname = 'a'\nshape = 'sphere'\nradius = 0.5\nposition = [4, 2, 1]\n\
                moorings = [{ anchor = [4, 0, 1], stiffness = 10 }]";
    let scene = tank("tall-cells", body);
    let found = &scene.bodies[0];
    assert_eq!((found.moorings[0].length, found.moorings[0].at), (2.0, [0.0; 3]));
    assert_eq!((found.drag, scene.body_coupling), (0.1, Coupling::Pressure));
    let scene = tank("tall-cells", &format!("{body}\n[bodies]\ncoupling = 'buoyancy'"));
    assert_eq!(scene.bodies[0].drag, 1.0);
    assert!(tank("tall-cells", "level = 2").bodies.is_empty());
}

/// A scene of 8 x 4 x 2 m in cells of 0.1 m.
fn tank(solver: &str, water: &str) -> Scene {
    let text = format!(
        "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [8, 4, 2], cell = 0.1 }}\n\
         [water]\nsolver = '{solver}'\n{water}\n"
    );
    Scene::from_str(&text, "a.toml", ".").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn velocities_may_live_at_samples() {
    assert_eq!(tank("uniform", "level = 2").water.tall.discretisation, Discretisation::Galerkin);
    let scene = tank("tall-cells", "level = 2\ntall = { discretisation = 'collocated', surface = 2 }");
    assert_eq!(scene.water.tall.discretisation, Discretisation::Collocated);
}

#[test]
fn columns_reach_over_the_water_unless_said_otherwise() {
    for (solver, water, regular) in [
        ("tall-cells", "level = 2", 32),
        ("tall-cells", "boxes = [{ min = [0, 0, 0], max = [2, 2.5, 2] }]", 25 + 16),
        ("tall-cells", "level = 1\nboxes = [{ min = [1, 0, 0], max = [2, 3, 1] }]", 20 + 16),
        ("tall-cells", "boxes = [{ min = [0, 0, 0], max = [2, 4, 2] }]", 40 + 8),
        ("tall-cells", "level = 3\n[[obstacle]]\nshape = 'sphere'\ncenter = [4, 1, 1]\nradius = 0.5", 25 + 16),
        ("uniform", "level = 2", 38),
    ] {
        let scene = tank(solver, water);
        assert_eq!(scene.water.tall.regular_cells, regular, "{solver}, {water}");
        let cost = scene.cost();
        assert_eq!(cost.cells, 80 * 20 * (u64::from(regular) + 2));
        assert!(cost.bytes_state >= 200 * cost.cells);
        assert_eq!(scene.render.fields, [Field::View, Field::Side, Field::Surface]);
    }
}

#[test]
fn distances_to_water_have_no_surface_at_walls_and_ground() {
    let scene = tank("uniform", "level = 1\nboxes = [{ min = [0, 2, 0], max = [2, 3, 2] }]");
    let distance = |point| scene.water.distance(&scene.grid, 0.0, point);
    for (point, wanted) in [
        ([5.0, 0.25, 1.0], -0.75),
        ([5.0, 3.5, 1.0], 2.5),
        ([0.5, 2.5, 1.0], -0.5),
        ([0.05, 2.9, 0.05], -0.1),
        ([2.5, 2.5, 1.0], 0.5),
        ([2.5, 1.25, 1.0], 0.25),
    ] {
        assert!((distance(point) - wanted).abs() < 1e-12, "{point:?}: {}", distance(point));
    }
    let on_ground = tank("uniform", "boxes = [{ min = [0, 0, 0], max = [2, 3, 2] }]");
    assert!((on_ground.water.distance(&on_ground.grid, 0.0, [0.05, 0.05, 1.0]) + 1.95).abs() < 1e-12);
}

#[test]
fn it_can_be_rasterised_and_priced() {
    let scene = every_key();
    let bed = scene.terrain.rasterise(&scene.grid).expect("a bed");
    let depth = scene.water.rasterise(&scene.grid, &bed).expect("water");
    assert_eq!((bed.len(), depth.len()), (3200, 3200));
    assert!(bed.iter().all(|height| height.abs() < 20.0));
    assert!(depth.iter().all(|&depth| depth >= 0.0) && depth.iter().any(|&depth| depth > 1.0));
    let cost = scene.cost();
    assert_eq!((cost.cells, cost.rows, cost.pictures), (3200, 201, 0));
    assert!(cost.bytes_state >= 3200 * 28 && cost.bytes() > cost.bytes_state);
}

#[test]
fn defaults_are_as_documented() {
    let scene = Scene::from_file(folder().join("minimal.toml")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((scene.step, scene.gravity, scene.output.every), (1.0 / 30.0, 9.81, 1.0 / 60.0));
    assert_eq!((scene.grid.nx, scene.grid.nz), (10, 1));
    assert_eq!(scene.boundary.west, Side::Wall);
    assert_eq!((scene.water.shallow.scheme, scene.water.shallow.order), (Scheme::Hllc, 2));
    assert_eq!((scene.water.shallow.limiter, scene.water.shallow.cfl), (Limiter::Minmod, 0.45));
    assert_eq!(scene.render.fields, [Field::View, Field::Depth, Field::Speed, Field::Surface]);
    assert!(scene.terrain.is_flat() && scene.rain.is_none());
    assert_eq!(scene.terrain.rasterise(&scene.grid).expect("flat"), [0.0; 10]);
}

#[test]
fn the_digest_follows_meaning_and_files() {
    let digest = |text: &str, csv: &[u8]| {
        let table = [("q.csv", csv)];
        Scene::with_files(text, "a.toml", &Files::Table(&table)).unwrap_or_else(|error| panic!("{error}")).digest
    };
    let text = "scene = { name = 'a', duration = 1 }\ndomain = { size = [1, 1, 1], cell = 0.1 }\n\
                rain = { rate = { file = 'q.csv' } }\n";
    let reordered = "# a comment\nrain.rate.file = \"q.csv\"\n[domain]\ncell = 0.1\nsize = [1.0, 1, 1]\n\
                     [scene]\nduration = 1.0\nname = \"a\"\nstep = 0.03333333333333333\n";
    let first = digest(text, b"0,1\n");
    assert_eq!(first, digest(reordered, b"0,1\n"));
    assert_ne!(first, digest(&text.replace("duration = 1", "duration = 2"), b"0,1\n"));
    assert_ne!(first, digest(text, b"0,2\n"));
}

#[test]
fn a_scene_is_read_again_from_its_text_and_files_alone() {
    for name in ["every-key.toml", "every-tall-key.toml"] {
        let first = Scene::from_file(folder().join(name)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(first.text.name, name);
        let files: Vec<&str> = first.text.files.iter().map(|(name, _)| name.as_str()).collect();
        assert!(files.iter().any(|file| file.ends_with(".csv")), "{files:?}");
        let again = Scene::from_text(&first.text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((again.digest, &again.text), (first.digest, &first.text));
        let mut torn = (*first.text).clone();
        torn.files.pop();
        assert!(Scene::from_text(&torn).is_err(), "a file is missing");
    }
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

#[test]
fn scenes_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone>(_: &T) {}
    shared(&every_key());
}

#[test]
fn every_scene_of_the_folder_ships() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files: BTreeSet<String> =
        entries.filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".toml").map(str::to_owned)).collect();
    let names: BTreeSet<String> = thalweg_scene::shipped().iter().map(|scene| scene.name.to_owned()).collect();
    assert_eq!(files, names, "the table in shipped.rs and the folder differ");
}

#[test]
fn shipped_scenes_are_valid() {
    for shipped in thalweg_scene::shipped() {
        let scene = Scene::shipped(shipped.name).unwrap_or_else(|error| panic!("{error}"));
        let grid = scene.surface_grid();
        let bed = scene.terrain.rasterise(&grid).unwrap_or_else(|error| panic!("{error}"));
        scene.water.rasterise(&grid, &bed).unwrap_or_else(|error| panic!("{error}"));
    }
    let error = Scene::shipped("no-such-scene").expect_err("refused").to_string();
    assert!(error.contains("no-such-scene"));
}

#[test]
fn sides_that_hold_a_level() {
    let text = "scene = { name = 'a', duration = 1 }\ndomain = { size = [10, 5, 10], cell = 1 }\nwater.shallow.manning = 0.04\n\
                [boundary]\nwest = { kind = 'level', level = { points = [[0, 1], [9, 2]] }, absorb = 30, span = [2, 5] }\n\
                east = { kind = 'rating', curve = { file = 'curve.csv', discharge = 'q', level = 'h' } }\n\
                south = { kind = 'normal', slope = 0.002 }\n\
                north = { kind = 'rating', curve = { points = [[0.5, 0], [1, 2.5]] }, span = [0, 4] }\n";
    let curve = b"q;h\n0;-1\n20;1.5\n";
    let files = thalweg_scene::Files::Table(&[("curve.csv", curve)]);
    let scene = Scene::with_files(text, "a.toml", &files).unwrap_or_else(|error| panic!("{error}"));
    let sides = scene.boundary;
    let Side::Level { level, absorb: 30.0, span: Some([2.0, 5.0]) } = &sides.west else { panic!("{:?}", sides.west) };
    assert_eq!(level.at(4.5), 1.5);
    assert_eq!(sides.east, Side::Rating { curve: vec![[-1.0, 0.0], [1.5, 20.0]], span: None });
    assert_eq!(sides.south, Side::Normal { slope: 0.002, manning: 0.04, span: None });
    assert_eq!(sides.north, Side::Rating { curve: vec![[0.5, 0.0], [1.0, 2.5]], span: Some([0.0, 4.0]) });
}

/// A polygon counts the cells whose middle is inside, and neighbours share none.
#[test]
fn polygons_hold_cells() {
    let text = "scene = { name = 'p', duration = 1 }\ndomain = { size = [40, 1, 30], cell = 0.5, origin = [-7, 3] }";
    let grid = Scene::from_str(text, "p.toml", ".").expect("a scene").grid;
    let corners = [[-7.0, 3.0], [12.3, 4.1], [33.0, 33.0], [5.0, 20.2], [-6.2, 33.0]];
    // A fan of triangles around a point is the whole polygon, if that sees all corners.
    let middle = [2.0, 15.0];
    let triangle = |n: usize| Area::Polygon(vec![corners[n], corners[(n + 1) % 5], middle]);
    let inside = |area: &Area| area.cells(&grid).collect::<Vec<_>>();
    let whole = inside(&Area::Polygon(corners.to_vec()));
    let mut parts: Vec<[u32; 2]> = (0..5).flat_map(|n| inside(&triangle(n))).collect();
    parts.sort_by_key(|[i, k]| [*k, *i]);
    assert!(parts == whole && whole.len() > 500, "{} cells of {}", parts.len(), whole.len());
    let all = (0..grid.nz).flat_map(|k| (0..grid.nx).map(move |i| [i, k]));
    for area in [Area::Polygon(corners.to_vec()), Area::Rectangle(Region { min: [-1.0, 4.0], max: [20.0, 9.25] })] {
        let wanted: Vec<_> = all.clone().filter(|[i, k]| area.contains(grid.center(*i, *k))).collect();
        assert!(inside(&area) == wanted && !wanted.is_empty(), "row by row and one by one");
    }
    assert!(!Area::Polygon(corners.to_vec()).contains([5.0, 30.0]), "the notch is outside");
}

#[test]
fn maps_over_time_cost_memory() {
    let scene = |more: &str| {
        let text =
            format!("scene = {{ name = 'm', duration = 1 }}\ndomain = {{ size = [40, 1, 30], cell = 0.5 }}\n{more}");
        Scene::from_str(&text, "m.toml", ".").unwrap_or_else(|error| panic!("{error}"))
    };
    let (plain, mapped) = (scene(""), scene("[maps]"));
    assert_eq!((plain.maps, mapped.maps), (None, Some(Maps { wet: 0.01 })), "an empty table takes the default");
    assert_eq!(mapped.cost().bytes_state - plain.cost().bytes_state, 80 * 60 * 16);
    assert_ne!(plain.digest, mapped.digest);
}
