//! Scenes whose ground streams from disk, through the front door.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::raster::{PIXEL, PIXELS, tiff, valley, write_folder, write_tiff};
use thalweg::methods::TreeScene;
use thalweg::streamed::PyramidReport;
use thalweg::{Backend, Scene, Simulation, WaterSurface};

fn report(water: &Simulation) -> Option<&PyramidReport> {
    water.method::<TreeScene>().expect("a tree").ground_report()
}

/// Four ponds in a valley of 1024 x 256 m, finest cells of 1 m; the dam of the first breaks, and an observer walks along.
fn scene(folder: &Path, terrain: &str, levels: u32, more: &str) -> Scene {
    let text = format!(
        "scene = {{ name = 'valley', duration = 10 }}\n\
         domain = {{ size = [{}, 30, {}], cell = 1, origin = [500, -70] }}\n\
         [terrain]\n{terrain}\n\
         [water]\nsolver = 'quadtree'\nlevel = -1.2\nboxes = [{{ min = [500, -9, -70], max = [600, 1.5, 200] }}]\n\
         [water.quadtree]\nlevels = {levels}\nbudget = 120000\nsurface = 0.05\nspeed = 0.3\n\
         observer = {{ path = [[0, 560, 60], [4, 760, 60]], near = 30 }}\n\
         [[probe]]\nname = 'gauge'\nkind = 'surface'\nat = [610, 58]\n{more}",
        f64::from(PIXELS[0]) * PIXEL,
        f64::from(PIXELS[1]) * PIXEL,
    );
    Scene::from_str(&text, "valley.toml", folder).unwrap_or_else(|error| panic!("{error}"))
}

fn simulation(scene: Scene) -> Simulation {
    Simulation::new(scene, Backend::Cpu).unwrap_or_else(|error| panic!("{error}"))
}

fn run(water: &mut Simulation, steps: u32) {
    (0..steps).for_each(|_| water.step(0.25).expect("a step"));
}

fn surface(water: &mut Simulation) -> WaterSurface {
    water.water_surface().expect("a surface")
}

/// Largest difference, m or m/s.
fn difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Up to four levels all cells come from the raster's blocks in f64, and the run has the bits of one with the raster in memory. Larger cells are kept in single
/// precision: then beds differ by rounding, and the water by what it makes of that.
#[test]
fn a_streamed_run_is_that_of_the_whole_raster() {
    let folder = tempfile::tempdir().expect("a folder");
    let valley = valley();
    write_tiff(folder.path(), &valley);
    write_folder(folder.path(), &valley);
    for levels in [4, 5] {
        let mut whole = simulation(scene(folder.path(), "file = 'valley.tif'", levels, ""));
        run(&mut whole, 12);
        let (wanted, volume) = (surface(&mut whole), whole.statistics().expect("sums").volume);
        for file in ["valley.tif", "tiles"] {
            let terrain = format!("file = '{file}'\nstream = true\nmemory = 1");
            let mut water = simulation(scene(folder.path(), &terrain, levels, ""));
            let largest = water.method_mut::<TreeScene>().expect("a tree").levels().expect("levels")[0];
            assert!(largest.tiles > 0, "cells of {} m are in use", largest.cell);
            assert!(report(&water).is_some() && report(&whole).is_none());
            run(&mut water, 12);
            let found = surface(&mut water);
            let bed = difference(&wanted.bed, &found.bed);
            let depth = difference(&wanted.depth, &found.depth);
            let speed = difference(&wanted.velocity[0], &found.velocity[0]);
            println!("{file}, {levels} levels: bed {bed:.1e} m, depth {depth:.1e} m, velocity {speed:.1e} m/s");
            if levels == 4 {
                assert_eq!((&wanted.bed, &wanted.depth, &wanted.velocity), (&found.bed, &found.depth, &found.velocity));
                assert_eq!(water.read_probes().expect("values"), whole.read_probes().expect("values"));
            }
            assert!(depth < 1e-5 && speed < 1e-4, "{depth} m, {speed} m/s");
            let sums = water.statistics().expect("sums");
            assert!((sums.volume / volume - 1.0).abs() < 1e-6, "{} m³ of {volume}", sums.volume);
            assert!(sums.max_speed > 1.0, "the dam broke");
            assert!(water.surface_mesh().expect("a mesh").is_some_and(|mesh| !mesh.triangles.is_empty()));
        }
    }
}

/// A saved run goes on with the same bits, from the pyramid that the first left beside the raster; with another raster it is refused.
#[test]
fn a_saved_run_goes_on_if_the_raster_is_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let valley = valley();
    write_tiff(folder.path(), &valley);
    let streamed = || scene(folder.path(), "file = 'valley.tif'\nstream = true", 5, "");
    let mut first = simulation(streamed());
    assert!(report(&first).is_some_and(|report| !report.loaded && report.unsaved.is_none()));
    run(&mut first, 6);
    let saved = first.save().expect("saved");
    let mut second = simulation(streamed());
    assert!(report(&second).is_some_and(|report| report.loaded), "from the file beside the raster");
    second.load(&saved).expect("loaded");
    [&mut first, &mut second].into_iter().for_each(|water| run(water, 6));
    let [a, b] = [&mut first, &mut second].map(surface);
    assert_eq!((a.depth, a.velocity), (b.depth, b.velocity));

    let higher: Vec<f32> = valley.iter().map(|height| height + 1.0).collect();
    write_tiff(folder.path(), &higher);
    // Times of files may be coarse: make sure of another one.
    let file = fs::File::options().append(true).open(folder.path().join("valley.tif")).expect("a raster");
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("a time");
    let mut other = simulation(streamed());
    assert!(report(&other).is_some_and(|report| report.stale.is_some()));
    let error = other.load(&saved).expect_err("another raster");
    assert!(error.to_string().contains("another scene"), "{error}");
}

/// The first run tells how far its survey is, block by block; the next one has nothing to tell.
#[test]
fn surveys_tell_how_far_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    write_tiff(folder.path(), &valley());
    let told = |terrain: &str| {
        let mut told = Vec::new();
        let executor = Arc::new(Backend::Cpu.open(None).expect("a processor"));
        let scene = scene(folder.path(), terrain, 5, "");
        Simulation::with_progress(executor, scene, &mut |done, all| told.push([done, all])).expect("a simulation");
        told
    };
    assert_eq!(told("file = 'valley.tif'"), [[0; 2]; 0], "all of it is in memory");
    let first = told("file = 'valley.tif'\nstream = true");
    let all = first.len() as u64;
    assert!(all > 1, "{first:?}");
    assert_eq!(first, (1..=all).map(|done| [done, all]).collect::<Vec<_>>());
    assert_eq!(told("file = 'valley.tif'\nstream = true"), [[0; 2]; 0], "it is kept");
}

/// Height fields of large domains are means of the ground, from what is in memory.
#[test]
fn height_fields_are_coarser_than_large_domains() {
    let folder = tempfile::tempdir().expect("a folder");
    write_tiff(folder.path(), &valley());
    let text = "scene = { name = 'wide', duration = 1 }\ndomain = { size = [1024, 30, 256], cell = 0.125 }\n\
                [terrain]\nfile = 'valley.tif'\nstream = true\n\
                [water]\nsolver = 'quadtree'\nlevel = -1.2\n\
                [water.quadtree]\nlevels = LEVELS\nbudget = 90000\nfronts = false\nsurface = 1\n";
    let bed = |levels: &str| {
        let scene = Scene::from_str(&text.replace("LEVELS", levels), "wide.toml", folder.path()).expect("a scene");
        surface(&mut simulation(scene))
    };
    let (few, many) = (bed("8"), bed("6"));
    assert_eq!((few.size, few.cell), ([4096, 1024], 0.25));
    let dry = |at: &usize| few.depth[*at] == 0.0 && many.depth[*at] == 0.0;
    let valley = valley();
    for at in (0..few.bed.len()).step_by(977).filter(dry) {
        let [i, k] = [at % 4096, at / 4096].map(|n| ((n as f64 + 0.5) * few.cell / PIXEL) as usize);
        let pixel = valley[i + PIXELS[0] as usize * k];
        assert_eq!(few.bed[at], many.bed[at], "whatever the levels");
        assert!((few.bed[at] - pixel).abs() < 0.8, "{} m at pixel {i}, {k} of {pixel} m", few.bed[at]);
    }
}

#[test]
fn holes_and_missing_files_are_told_with_their_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let [width, height] = PIXELS;
    let holed = tiff([width, height], |column, row| if (column, row) == (300, 17) { f32::NAN } else { 0.0 });
    fs::write(folder.path().join("valley.tif"), holed).expect("written");
    let scene = scene(folder.path(), "file = 'valley.tif'\nstream = true", 4, "");
    let error = Simulation::new(scene, Backend::Cpu).expect_err("a hole");
    assert!(error.is_input() && error.to_string().contains("valley.toml:4"), "{error}");
    assert!(error.to_string().contains(&format!("no data at pixel (300, {})", height - 1 - 17)), "{error}");

    fs::remove_file(folder.path().join("valley.tif")).expect("removed");
    write_folder(folder.path(), &valley());
    fs::remove_file(folder.path().join("tiles/7-2.tif")).expect("removed");
    let text = "scene = { name = 'a', duration = 1 }\ndomain = { size = [1024, 30, 256], cell = 1 }\n\
                [terrain]\nfile = 'tiles'\nstream = true\n[water]\nsolver = 'quadtree'\n";
    let error = Scene::from_str(text, "a.toml", folder.path()).expect_err("a tile is missing").to_string();
    assert!(error.contains("a.toml:4") && error.contains("tile (7, 2) is missing"), "{error}");
}
