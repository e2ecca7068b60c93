//! Scenes on a quadtree, through the front door.

use std::collections::HashMap;
use std::sync::Arc;

use thalweg::ledger::{Account, Quantity};
use thalweg::methods::TreeScene;
use thalweg::shallow::tree::{CELLS, Ground, InitialWater, TreeScheme, TreeSetup, TreeWater};
use thalweg::{Backend, Error, Scene, Simulation};

/// A dam breaks over hills: 128 x 64 m, finest cells of 0.5 m on three levels.
fn dam(more: &str) -> Scene {
    let text = format!(
        "scene = {{ name = 'dam', duration = 10 }}\n\
         domain = {{ size = [128, 10, 64], cell = 0.5, origin = [1000, -500] }}\n\
         terrain.shapes = [\n\
           {{ shape = 'slope', from = [1000, 0], to = [1128, 0], heights = [2, 0] }},\n\
           {{ shape = 'hills', seed = 3, amplitude = 0.6, wavelength = 25, octaves = 2 }},\n\
         ]\n\
         [water]\nsolver = 'quadtree'\nboxes = [{{ min = [1000, -5, -500], max = [1040, 4, -436] }}]\n\
         [water.quadtree]\nlevels = 3\nbudget = 30000\nsurface = 0.1\nspeed = 0.5\n{more}\n"
    );
    Scene::from_str(&text, "dam.toml", ".").unwrap_or_else(|error| panic!("{error}"))
}

fn simulation(more: &str) -> Simulation {
    Simulation::new(dam(more), Backend::Cpu).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn gauges_agree_with_the_water() {
    let gauges = "[[probe]]\nname = 'depth'\nkind = 'depth'\nat = [1045, -470]\n\
                  [[probe]]\nname = 'speed'\nkind = 'velocity'\nat = [1045, -470]\n\
                  [[probe]]\nname = 'west'\nkind = 'volume'\nmin = [1000, -500]\nmax = [1033.3, -436]\n\
                  [[probe]]\nname = 'east'\nkind = 'volume'\nmin = [1033.3, -500]\nmax = [1128, -436]\n\
                  [[probe]]\nname = 'wet'\nkind = 'wet_area'\n\
                  [[probe]]\nname = 'front'\nkind = 'front'\naxis = 'x'\ndepth = 0.01\n\
                  [[probe]]\nname = 'through'\nkind = 'discharge'\nfrom = [1040, -500]\nto = [1040, -436]\n\
                  [[probe]]\nname = 'runup'\nkind = 'runup'\ndepth = 0.01\n";
    let mut water = simulation(gauges);
    let columns = water.probe_columns();
    let read = |water: &mut Simulation| -> HashMap<String, f64> {
        let values = water.read_probes().expect("values");
        columns.iter().cloned().zip(values).collect()
    };
    let begin = read(&mut water);
    assert_eq!((begin["depth"], begin["front"], begin["through"]), (0.0, 1040.0, 0.0));
    for _ in 0..8 {
        water.step(0.25).expect("a step");
    }
    let (now, sums) = (read(&mut water), water.statistics().expect("sums"));
    assert!((now["west"] + now["east"] - sums.volume).abs() < 1e-4 * sums.volume, "cells that are cut count by area");
    assert!((now["wet"] - sums.wet_area.expect("an area")).abs() < 1e-6 * now["wet"]);
    assert!(now["depth"] > 0.3 && now["speed"] > 1.0 && now["speed_x"] > 1.0, "{now:?}");
    assert!((1045.0..1070.0).contains(&now["front"]) && now["through"] > 50.0, "{now:?}");
    assert!(now["runup"] > 1.0 && now["runup"] < 4.0);
    assert!((sums.volume / (begin["west"] + begin["east"]) - 1.0).abs() < 1e-6);
}

/// Volumes of kernel advection are whole numbers: not one unit is lost while cells split and merge, nor by saving.
#[test]
fn kernel_advection_keeps_the_last_unit() {
    let settings = "scheme = 'kernel-advection'\nviscosity = 0.01\nfriction = 0.02";
    let mut water = simulation(settings);
    let volume = |water: &mut Simulation| {
        water.method_mut::<TreeScene>().expect("a tree").counted_volume().expect("read").expect("counted")
    };
    let (begin, unit) = volume(&mut water);
    let tiles = |water: &mut Simulation| {
        water
            .method_mut::<TreeScene>()
            .expect("a tree")
            .levels()
            .expect("levels")
            .iter()
            .map(|l| l.tiles)
            .collect::<Vec<_>>()
    };
    let grown = tiles(&mut water);
    for _ in 0..4 {
        water.step(0.25).expect("a step");
    }
    assert_ne!(tiles(&mut water), grown, "the tree follows the water");
    assert_eq!(volume(&mut water).0, begin, "units of {unit} m³");
    let moved = water.statistics().expect("sums");
    assert!(moved.max_speed > 1.0 && (moved.volume / (begin as f64 * unit) - 1.0).abs() < 1e-6, "{moved:?}");
    let saved = water.save().expect("saved");
    let mut again = simulation(settings);
    again.load(&saved).expect("loaded");
    for water in [&mut water, &mut again] {
        water.step(0.25).expect("a step");
        assert_eq!(volume(water).0, begin);
    }
    let [a, b] = [&mut water, &mut again].map(|water| water.water_surface().expect("a surface"));
    assert_eq!((a.depth, a.velocity), (b.depth, b.velocity));
}

#[test]
fn a_saved_run_goes_on_with_the_same_bits() {
    let mut first = simulation("");
    for _ in 0..6 {
        first.step(0.25).expect("a step");
    }
    let saved = first.save().expect("saved");
    assert!(saved.water.kind == "quadtree");
    let mut second = simulation("");
    second.load(&saved).expect("loaded");
    assert_eq!((second.time(), second.steps()), (first.time(), 6));
    for _ in 0..6 {
        first.step(0.25).expect("a step");
        second.step(0.25).expect("a step");
    }
    let [a, b] = [&mut first, &mut second].map(|water| water.water_surface().expect("a surface"));
    assert_eq!((a.depth, a.velocity), (b.depth, b.velocity));
}

/// Of cells as fine as the tree's a height field is the water itself; volumes agree on any.
#[test]
fn height_fields_hold_the_water() {
    let mut water = simulation("");
    for _ in 0..6 {
        water.step(0.25).expect("a step");
    }
    let surface = water.water_surface().expect("a surface");
    assert_eq!((surface.size, surface.cell, surface.origin), ([256, 128], 0.5, [1000.0, -500.0]));
    let volume: f64 = surface.depth.iter().map(|depth| f64::from(*depth)).sum::<f64>() * 0.25;
    let wanted = water.statistics().expect("sums").volume;
    assert!((volume / wanted - 1.0).abs() < 2e-3, "{volume} m³, not {wanted}");
    assert!(
        water
            .method_mut::<TreeScene>()
            .expect("a tree")
            .levels()
            .expect("levels")
            .iter()
            .filter(|level| level.tiles > 0)
            .count()
            > 1
    );
    for at in 0..surface.depth.len() {
        assert!((surface.surface[at] - surface.bed[at] - surface.depth[at]).abs() < 1e-5);
    }
}

/// A sloped surface over cells of three sizes stays a slope in pictures: there are no steps where sizes meet.
#[test]
fn surfaces_have_no_steps_where_sizes_meet() {
    let text = "scene = { name = 'lake', duration = 1 }\ndomain = { size = [256, 10, 256], cell = 1 }\n\
                terrain.shapes = [{ shape = 'plane', height = -50 }]\n\
                [water]\nsolver = 'quadtree'\nsurface = { file = 'slope.csv' }\n\
                [water.quadtree]\nlevels = 3\nsurface = 10\nspeed = 10\nfronts = false\n\
                [[water.quadtree.region]]\nmin = [100, 100]\nmax = [108, 108]\ncell = 1\n";
    // Two samples along each side, bilinear between: a plane. Its middles are a quarter in, beyond them it is level.
    let files = [("slope.csv", &b"1,3\n0,2\n"[..])];
    let scene = Scene::with_files(text, "lake.toml", &thalweg_scene::Files::Table(&files)).expect("a lake");
    let mut water = Simulation::new(scene, Backend::Cpu).expect("a simulation");
    let sizes = water.method_mut::<TreeScene>().expect("a tree").levels().expect("levels");
    assert!(sizes.iter().all(|level| level.tiles > 0), "{sizes:?}");
    let surface = water.water_surface().expect("a surface");
    let slopes = |step: usize| {
        let at = |i: usize, k: usize| surface.surface[i + 256 * k];
        let inner = (70..185).flat_map(|k| (70..185).map(move |i| (i, k)));
        let differences = inner.map(|(i, k)| if step == 0 { at(i + 1, k) - at(i, k) } else { at(i, k + 1) - at(i, k) });
        differences.fold([f32::INFINITY, f32::NEG_INFINITY], |[a, b], d| [a.min(d), b.max(d)])
    };
    for (step, wanted) in [(0, 2.0 / 128.0), (1, 1.0 / 128.0)] {
        let [low, high] = slopes(step);
        assert!((low - wanted).abs() < 1e-4 && (high - wanted).abs() < 1e-4, "{low} to {high} m, not {wanted}");
    }
}

/// Every edge between wet cells belongs to two triangles that go along it in opposite directions; edges of one triangle are shores or sides.
#[test]
fn meshes_have_no_cracks() {
    let mut water = simulation("");
    for _ in 0..8 {
        water.step(0.25).expect("a step");
    }
    let levels = water.method_mut::<TreeScene>().expect("a tree").levels().expect("levels");
    assert!(levels.iter().filter(|level| level.tiles > 0).count() > 1, "{levels:?}");
    let mesh = water.surface_mesh().expect("a mesh").expect("a tree has one");
    assert!(mesh.triangles.len() > 2000 && mesh.normals.len() == mesh.vertices.len());
    assert!(mesh.normals.iter().all(|normal| normal[1] > 0.0), "all face up");
    let mut edges: HashMap<[u32; 2], [usize; 2]> = HashMap::new();
    for [a, b, c] in &mesh.triangles {
        for (from, to) in [(*a, *b), (*b, *c), (*c, *a)] {
            edges.entry([from.min(to), from.max(to)]).or_default()[usize::from(from > to)] += 1;
        }
    }
    let surface = water.water_surface().expect("a surface");
    let is_wet = |x: f32, z: f32| {
        let [i, k] = [(x - 1000.0) / 0.5, (z + 500.0) / 0.5].map(f32::floor);
        let inside = i >= 0.0 && k >= 0.0 && i < 256.0 && k < 128.0;
        inside && surface.depth[i as usize + 256 * k as usize] > 0.0081 // more than a film in the largest cells
    };
    let mut rim = 0;
    for ([a, b], counts) in edges {
        if counts == [1, 1] {
            continue;
        }
        assert_eq!(counts[0] + counts[1], 1, "an edge of {counts:?} triangles");
        rim += 1;
        // On one side of it there is no water.
        let [p, q] = [a, b].map(|n| mesh.vertices[n as usize]);
        let (x, z) = (0.5 * (p[0] + q[0]), 0.5 * (p[2] + q[2]));
        let across = if (p[0] - q[0]).abs() < 1e-3 { [0.1, 0.0] } else { [0.0, 0.1] };
        let sides = [is_wet(x - across[0], z - across[1]), is_wet(x + across[0], z + across[1])];
        assert_ne!(sides, [true, true], "a crack at x {x}, z {z}");
    }
    assert!(rim > 50, "there is a shore");
}

/// Cells are coarse where nobody looks, and the observer of the scene goes its way.
#[test]
fn observers_move_the_fine_cells() {
    let fine =
        |water: &mut Simulation| water.method_mut::<TreeScene>().expect("a tree").levels().expect("levels")[2].tiles;
    let run = |settings: &str| {
        let mut water = simulation(settings);
        for _ in 0..8 {
            water.step(0.25).expect("a step");
        }
        fine(&mut water)
    };
    let away = run("fronts = false\nobserver = { at = [1125, -470], near = 8 }");
    let near = run("fronts = false\nobserver = { path = [[0, 1125, -470], [1, 1050, -470]], near = 30 }");
    let whole = run("fronts = false");
    assert!(away < near && near <= whole, "{away}, {near}, {whole} fine tiles");
    let mut water = simulation("");
    assert!(water.observe([0.0, 0.0], -1.0).is_err(), "a distance below 0");
    let before = fine(&mut water);
    water.observe([1500.0, -470.0], 1.0).expect("seen");
    for _ in 0..8 {
        water.step(0.25).expect("a step");
    }
    assert!(fine(&mut water) < before && water.method::<TreeScene>().is_some(), "from far away all cells are large");
}

#[test]
fn ground_without_data_is_told_with_its_line() {
    let text = "scene = { name = 'hole', duration = 1 }\ndomain = { size = [32, 10, 32], cell = 1 }\n\
                [terrain]\nfile = 'a.csv'\n[water]\nsolver = 'quadtree'\nlevel = 1\n";
    let files = [("a.csv", &b"0,0,0,0\n0,,0,0\n0,0,0,0\n"[..])];
    let scene = Scene::with_files(text, "hole.toml", &thalweg_scene::Files::Table(&files)).expect("a scene");
    let error = Simulation::new(scene, Backend::Cpu).expect_err("a hole");
    assert!(matches!(&error, Error::Scene(_)) && error.is_input(), "{error}");
    assert!(error.to_string().contains("has no data at x"), "{error}");
}

/// 3.6·10⁸ finest cells: nothing of that size is made.
#[test]
fn large_domains_take_little_memory() {
    let text = "scene = { name = 'plain', duration = 100 }\ndomain = { size = [18944, 10, 18944], cell = 1 }\n\
                terrain.shapes = [{ shape = 'hills', amplitude = 5, wavelength = 4000, octaves = 3 }]\n\
                rain.rate = 50\n[water]\nsolver = 'quadtree'\n[water.quadtree]\nlevels = 9\nbudget = 60000\nfronts = false\n\
                [[probe]]\nname = 'volume'\nkind = 'volume'\n";
    let scene = Scene::from_str(text, "plain.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    let mut water = Simulation::new(scene, Backend::Cpu).expect("a simulation");
    water.step(10.0).expect("a step");
    let sums = water.statistics().expect("sums");
    let rained = 50.0 / 3.6e6 * 10.0 * 18944.0f64.powi(2);
    assert!((sums.volume / sums.added - 1.0).abs() < 1e-6, "{} m³ of {}", sums.volume, sums.added);
    assert!((sums.added / rained - 1.0).abs() < 1e-6, "{} m³ of {rained}", sums.added);
    assert!((water.read_probes().expect("values")[0] / sums.volume - 1.0).abs() < 1e-5);
    let surface = water.water_surface().expect("a surface");
    assert!(surface.depth.len() <= 4 << 20 && surface.cell == 16.0);
}

/// Level ground at 0 m.
struct Level;

impl Ground for Level {
    fn tile(&self, _: u32, _: u32, _: u32) -> Box<[f64; CELLS]> {
        Box::new([0.0; CELLS])
    }
}

/// Scenes are refused at their line for exactly the cells that the solver begins with.
#[test]
fn checks_count_the_cells_that_a_tree_begins_with() {
    let exec = Arc::new(Backend::Cpu.open(None).expect("a processor"));
    let initial = |_: [f64; 2], _: f64| InitialWater::default();
    let sizes = [
        ([32, 16], 1),
        ([32, 16], 4),
        ([80, 80], 3),
        ([592, 80], 5),
        ([272, 528], 4),
        ([1024, 1024], 6),
        ([16, 1616], 7),
        ([1008, 1040], 7),
        ([4112, 4112], 8),
        ([24_992, 24_992], 9),
        ([9456, 65_520], 12),
    ];
    for (size, levels) in sizes {
        let mut setup = TreeSetup::new(size, 1.0, levels, Arc::new(Level), &initial);
        setup.refinement.budget = 1;
        let told = TreeWater::new(exec.clone(), setup).expect_err("a budget of one cell").to_string();
        let count = |text: &str, before: &str| -> u64 {
            let digits = text.split_once(before).and_then(|(_, rest)| rest.split(' ').next());
            digits.and_then(|digits| digits.parse().ok()).unwrap_or_else(|| panic!("no number: {text}"))
        };
        let cells = count(&told, "the coarsest tiles alone have ");
        let scene = |budget: u64| {
            let text = format!(
                "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [{}, 5, {}], cell = 1 }}\n\
                 [water]\nsolver = 'quadtree'\n[water.quadtree]\nfronts = false\nbudget = {budget}\nlevels = {levels}\n",
                size[0], size[1]
            );
            Scene::from_str(&text, "a.toml", ".")
        };
        let refused = scene(cells - 1).expect_err("one cell too few").to_string();
        assert_eq!(count(&refused, "levels begin with "), cells, "{size:?}, {levels} levels");
        assert!(refused.contains("a.toml:8"), "{refused}");
        let accepted = scene(cells).unwrap_or_else(|error| panic!("{error}"));
        if cells < 50_000 {
            let mut water = Simulation::new(accepted, Backend::Cpu).unwrap_or_else(|error| panic!("{error}"));
            let tiles: usize = water
                .method_mut::<TreeScene>()
                .expect("a tree")
                .levels()
                .expect("levels")
                .iter()
                .map(|l| l.tiles)
                .sum();
            assert_eq!((tiles * CELLS) as u64, cells, "dry land begins with no more");
        }
    }
}

/// Rain, a spring, a drain and an open side under kernel advection: whatever comes or goes is in the ledger, to the last unit.
#[test]
fn kernel_advection_accounts_for_what_comes_and_goes() {
    let text = "scene = { name = 'brook', duration = 10 }\ndomain = { size = [64, 5, 32], cell = 0.5 }\n\
                terrain.shapes = [{ shape = 'slope', from = [0, 0], to = [64, 0], heights = [1, 0] }]\n\
                boundary.east = 'outflow'\nrain.rate = 100\n\
                source = [{ name = 'spring', shape = { disc = { center = [10, 16], radius = 2 } }, rate = 0.8 },\n\
                          { name = 'drain', shape = { disc = { center = [50, 8], radius = 2 } }, rate = -0.3 }]\n\
                [water]\nsolver = 'quadtree'\nboxes = [{ min = [40, -5, 0], max = [64, 1.5, 32] }]\n\
                [water.quadtree]\nscheme = 'kernel-advection'\nlevels = 3\nbudget = 30000\n";
    let scene = Scene::from_str(text, "brook.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    let mut water = Simulation::new(scene, Backend::Cpu).unwrap_or_else(|error| panic!("{error}"));
    let counted = |water: &mut Simulation| {
        water.method_mut::<TreeScene>().expect("a tree").counted_volume().expect("read").expect("counted")
    };
    let (initial_units, unit) = counted(&mut water);
    let initial = initial_units as f64 * unit;
    let tiles = water.method_mut::<TreeScene>().expect("a tree").levels().expect("levels");
    let seconds = 4.0;
    for _ in 0..16 {
        water.step(seconds / 16.0).expect("a step");
    }
    assert_ne!(
        water.method_mut::<TreeScene>().expect("a tree").levels().expect("levels"),
        tiles,
        "the tree follows the water"
    );
    let (end_units, sums) = (counted(&mut water).0, water.statistics().expect("sums"));
    let ledger = water.ledger().expect("a ledger");
    let (came, went) = (ledger.added_quanta(), ledger.removed_quanta());
    assert_eq!(end_units + went, initial_units + came, "units of {unit} m³");
    assert_eq!(ledger.balance(Quantity::Mass, Account::Water), Some(end_units as i128));
    let of = |account| ledger.turnover(Quantity::Mass, account).expect("kept");
    let rained = of(Account::Rain).given as f64 * unit;
    assert!((rained / (seconds * 100.0 / 3.6e6 * 64.0 * 32.0) - 1.0).abs() < 1e-5, "{rained} m³ of rain");
    let end = end_units as f64 * unit;
    let lost = end - initial - sums.added + sums.removed;
    println!("{initial} m³, {} came, {} went, {lost:e} lost", sums.added, sums.removed);
    assert!(lost.abs() < 1e-9 * initial, "{lost} m³ of {initial}: {sums:?}");
    assert!((sums.volume / end - 1.0).abs() < 1e-6, "{} m³ in f32, {end} counted", sums.volume);
    let came = seconds * (0.8 + 100.0 / 3.6e6 * 64.0 * 32.0);
    assert!((sums.added / came - 1.0).abs() < 1e-5, "{} m³ of {came} came", sums.added);
    let drained = seconds * 0.3;
    assert!(sums.removed > 10.0 * drained, "{} m³ went, {drained} of them down the drain", sums.removed);
}

/// Scenes and the solver know nothing of each other, but mean the same scheme where nothing is said.
#[test]
fn kernel_advection_has_one_set_of_defaults() {
    let scene = dam("scheme = 'kernel-advection'");
    let thalweg_scene::QuadtreeScheme::KernelAdvection { viscosity, friction } = scene.water.quadtree.scheme else {
        panic!("another scheme: {:?}", scene.water.quadtree.scheme);
    };
    assert_eq!(TreeScheme::KernelAdvection { viscosity, friction }, TreeScheme::kernel_advection());
}
