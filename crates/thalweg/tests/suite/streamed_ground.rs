//! Water over a raster that does not fit into its cache, with an observer who walks down the valley.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::raster::{BLOCK, PIXEL, PIXELS, valley, write_folder, write_tiff};
use thalweg::StreamedGround;
use thalweg::compute::Executor;
use thalweg::shallow::tree::{
    Ground, GroundPyramid, InitialWater, Observer, TileFields, TilePlace, TreeSetup, TreeWater,
};
use thalweg::streamed::{RasterError, RasterPyramid, Sampling, TiledRaster};

/// Finest cells, their size, m, and levels.
const CELLS: [u32; 2] = [1024, 256];
const CELL: f64 = 1.0;
const LEVELS: u32 = 5;
/// Memory for seven of the 64 blocks that there are.
const CACHE: u64 = 7 * 4 * (BLOCK * BLOCK) as u64;
/// How far the observer sees the finest cells, m.
const NEAR: f64 = 60.0;

/// The valley between its pixels, all of it in memory.
fn bilinear(valley: &[f32], i: u32, k: u32) -> f64 {
    let corners = |cell: u32, count: u32| {
        let at = ((f64::from(cell) + 0.5) * CELL / PIXEL - 0.5).clamp(0.0, f64::from(count - 1));
        let low = at.floor();
        [(low as u32, 1.0 - (at - low)), ((low as u32 + 1).min(count - 1), at - low)]
    };
    let mut sum = 0.0;
    for (row, row_weight) in corners(k, PIXELS[1]) {
        for (column, column_weight) in corners(i, PIXELS[0]) {
            sum += row_weight * column_weight * f64::from(valley[(column + PIXELS[0] * row) as usize]);
        }
    }
    sum
}

fn streamed(path: &Path) -> (Arc<StreamedGround>, bool) {
    let raster = Arc::new(TiledRaster::open(path, CACHE).expect("a raster"));
    let sampling = Sampling::new(CELLS, CELL, LEVELS);
    let (pyramid, report) = RasterPyramid::open(raster, &sampling, &mut |_, _| ()).expect("a pyramid");
    assert_eq!((report.stale, report.unsaved), (None, None));
    (Arc::new(StreamedGround::new(pyramid)), report.loaded)
}

/// Ponds at rest, but for the first one, whose western part is `higher` by so much, m.
fn water_over(ground: Arc<dyn Ground>, higher: f64) -> TreeWater {
    let ponds = |[x, _]: [f64; 2], _: f64| InitialWater {
        surface: if (64.0..110.0).contains(&x) { higher } else { 0.0 },
        velocity: [0.0; 2],
    };
    let mut setup = TreeSetup::new(CELLS, CELL, LEVELS, ground, &ponds);
    setup.options.manning = 0.05;
    setup.refinement.observer = Some(Observer::at([64.0, 128.0], NEAR));
    TreeWater::new(Arc::new(Executor::cpu().expect("an executor")), setup).expect("ponds")
}

const FRAMES: u32 = 120;

/// Where the observer is at a frame, m: he walks for two thirds of the time, then stands.
fn walked(frame: u32) -> [f64; 2] {
    [64.0 + 832.0 * (f64::from(frame) / (f64::from(FRAMES) * 2.0 / 3.0)).min(1.0), 128.0]
}

/// Water and tiles along the walk, every tenth frame, in the order of places.
fn walk(water: &mut TreeWater, mut look: impl FnMut(u32, &mut TreeWater, &[TileFields])) -> Vec<Vec<TileFields>> {
    let mut seen = Vec::new();
    for frame in 1..=FRAMES {
        water.observe(walked(frame), NEAR).expect("an observer");
        water.advance(0.25).expect("a frame");
        if frame % 10 == 0 {
            let mut tiles = water.fields().expect("fields");
            tiles.sort_by_key(|tile| tile.place);
            look(frame, water, &tiles);
            seen.push(tiles);
        }
    }
    seen
}

fn is_finest(place: TilePlace) -> bool {
    place.level + 1 == LEVELS
}

#[test]
fn fine_tiles_follow_the_observer_over_ground_that_streams() {
    let temporary = tempfile::tempdir().expect("a folder");
    let valley = valley();
    let whole = valley.clone();
    let in_memory = GroundPyramid::new(CELLS, LEVELS, move |i, k| bilinear(&whole, i, k));
    let expected = walk(&mut water_over(Arc::new(in_memory), 0.2), |_, _, _| ());

    for path in [write_tiff(temporary.path(), &valley), write_folder(temporary.path(), &valley)] {
        assert!(!streamed(&path).1, "the first time the raster is surveyed");
        let (ground, loaded) = streamed(&path);
        assert!(loaded, "the second time the survey is there");
        let mut water = water_over(ground.clone(), 0.2);
        let before = water.statistics().expect("sums").volume;
        let tiles = walk(&mut water, |frame, water, tiles| {
            let drift = water.statistics().expect("sums").volume / before - 1.0;
            assert!(drift.abs() < 1e-6, "frame {frame}: volume {drift:e}");
            let [x, _] = walked(frame);
            let finest: Vec<&TileFields> = tiles.iter().filter(|tile| is_finest(tile.place)).collect();
            let ends = finest.iter().fold([f64::INFINITY, 0.0], |[low, high]: [f64; 2], tile| {
                [low.min(tile.origin[0]), high.max(tile.origin[0] + 16.0 * CELL)]
            });
            let census = water.census().expect("tiles");
            println!(
                "observer at {x:4.0} m: {} finest tiles from {:.0} to {:.0} m, volume {drift:+.1e}, tiles and awake ones by level {census:?}",
                finest.len(),
                ends[0],
                ends[1]
            );
            assert!(!finest.is_empty() && ends[0] > x - 3.0 * NEAR && ends[1] < x + 3.0 * NEAR, "{ends:?}");
            for tile in finest {
                for (at, bed) in tile.bed.iter().enumerate() {
                    let (i, k) = (16 * tile.place.x + at as u32 % 16, 16 * tile.place.z + at as u32 / 16);
                    assert_eq!(*bed, bilinear(&valley, i, k) as f32, "{:?} cell {at}", tile.place);
                }
            }
        });
        // What was fine at the start is coarse now, and where nothing moves tiles sleep.
        let census = water.census().expect("tiles");
        let (all, awake) = census.iter().fold((0, 0), |(all, awake), [n, m]| (all + n, awake + m));
        assert!(awake < all, "{awake} of {all} tiles are awake");
        let behind = |tiles: &[TileFields]| tiles.iter().filter(|t| t.origin[0] < 256.0).count();
        assert!(behind(&tiles[tiles.len() - 1]) < behind(&tiles[0]), "tiles behind the observer have merged");
        assert!(tiles == expected, "the same water as over ground in memory");

        let usage = ground.pyramid().raster().cache();
        println!("{}: {usage:?}", path.display());
        assert!(usage.peak <= CACHE && usage.evicted > 0, "{usage:?}");
        assert!(ground.take_failure().is_none());
    }
}

/// Ponds at rest, after the observer has walked down the valley, back to where he began, and has stood there for a
/// minute.
fn there_and_back(ground: Arc<StreamedGround>) -> (TreeWater, Vec<Vec<TileFields>>) {
    let mut water = water_over(ground, 0.0);
    let mut seen = walk(&mut water, |_, _, _| ());
    for frame in (0..=FRAMES).rev() {
        water.observe(walked(frame), NEAR).expect("an observer");
        water.advance(0.25).expect("a frame");
    }
    for _ in 0..240 {
        water.advance(0.25).expect("a frame");
    }
    seen.push(water.fields().expect("fields"));
    (water, seen)
}

#[test]
fn tiles_merge_behind_the_observer_and_split_when_he_comes_back() {
    let temporary = tempfile::tempdir().expect("a folder");
    let ground = streamed(&write_tiff(temporary.path(), &valley())).0;
    let before = water_over(ground.clone(), 0.0).statistics().expect("sums").volume;
    let (mut water, seen) = there_and_back(ground);
    let drift = water.statistics().expect("sums").volume / before - 1.0;
    let census = water.census().expect("tiles");
    let in_first_pond =
        |tiles: &Vec<TileFields>| tiles.iter().filter(|t| is_finest(t.place) && t.origin[0] < 128.0).count();
    let finest: Vec<usize> = seen.iter().map(in_first_pond).collect();
    println!("finest tiles in the first pond {finest:?}, volume {drift:+.1e}, tiles and awake ones {census:?}");
    assert!(finest[0] > 0 && finest[finest.len() - 2] == 0 && finest[finest.len() - 1] > 0, "{finest:?}");
    assert!(drift.abs() < 1e-6, "{drift:e}");
    assert!(census.iter().any(|[all, awake]| awake < all), "some of them sleep: {census:?}");
}

#[test]
fn ponds_move_back_towards_their_level() {
    let temporary = tempfile::tempdir().expect("a folder");
    let ground = streamed(&write_tiff(temporary.path(), &valley())).0;
    let (_, seen) = there_and_back(ground);
    let last = seen.last().expect("tiles");
    let cells = last.iter().filter(|t| is_finest(t.place)).flat_map(|t| t.depth.iter().zip(&t.surface));
    let deep: Vec<f32> = cells.filter(|(depth, _)| **depth > 0.05).map(|(_, surface)| *surface).collect();
    let [low, high] = deep.iter().fold([f32::MAX, f32::MIN], |[low, high], s| [low.min(*s), high.max(*s)]);
    println!("{} cells deeper than 5 cm, surface from {low} to {high} m", deep.len());
    // Merges far from the observer left shores uneven by 0.3 m; woken, the water levels out, and small waves of that
    // are still there.
    assert!(deep.len() > 1000 && high - low < 0.1, "{low} to {high}");
}

#[test]
fn a_file_that_goes_missing_is_told_and_the_water_goes_on() {
    let temporary = tempfile::tempdir().expect("a folder");
    let path = write_folder(temporary.path(), &valley());
    let ground = streamed(&path).0;
    let mut water = water_over(ground.clone(), 0.2);
    let before = water.statistics().expect("sums").volume;
    for z in 0..PIXELS[1] / BLOCK {
        fs::remove_file(path.join(format!("10-{z}.tif"))).expect("removed");
    }
    let tiles = walk(&mut water, |_, _, _| ()).pop().unwrap_or_default();
    let is_there = |tile: &&TileFields| (640.0..704.0).contains(&(tile.origin[0] + 8.0 * tile.cell));
    assert!(!tiles.iter().filter(is_there).any(|tile| is_finest(tile.place)), "tiles without a bed stay coarse");
    assert!(tiles.iter().any(|tile| is_finest(tile.place)), "others do not");
    let drift = water.statistics().expect("sums").volume / before - 1.0;
    assert!(matches!(ground.take_failure(), Some(RasterError::MissingTile { x: 10, .. })));
    assert!(ground.take_failure().is_none(), "only the first one is told");
    assert!(drift.abs() < 1e-6, "{drift:e}");
}
