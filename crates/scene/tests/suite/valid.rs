//! Scenes that are right.

use std::collections::BTreeSet;
use std::path::Path;

use thalweg_scene::{Area, Coupling, Discretisation, Field, Files, Limiter, Maps, Region, Scene, Scheme, Side};

use crate::every_key::{every_key, folder};

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
