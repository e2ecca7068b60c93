use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::testing::{Kind, PIXEL, SIZE, everything, folder, heights, pyramid, striped, tiled};
use super::*;
use crate::Scene;

/// Five blocks of 32 x 32 pixels.
const SMALL: u64 = 5 * 4 * 32 * 32;

/// The finest cells as the scene's own reader samples the raster.
fn rasterised(folder: &Path, cells: [u32; 2], cell: f64) -> Vec<f32> {
    fs::write(folder.join("whole.tif"), tiled(SIZE, &heights(), 16)).expect("written");
    let [width, length] = cells.map(|n| f64::from(n) * cell);
    let text = format!(
        "scene = {{ name = 'a', duration = 1 }}\ndomain = {{ size = [{width}, 1, {length}], cell = {cell} }}\n\
         terrain = {{ file = 'whole.tif' }}\n"
    );
    let scene = Scene::from_str(&text, "a.toml", folder).expect("a scene");
    scene.terrain.rasterise(&scene.grid).expect("a bed")
}

/// Largest difference between a cell and the mean of its four, over all levels, m.
fn contract(pyramid: &RasterPyramid) -> f64 {
    let mut worst = 0.0f64;
    for level in 0..pyramid.levels() - 1 {
        let [nx, nz] = pyramid.size().map(|n| n >> (pyramid.levels() - 1 - level));
        let parents = pyramid.elevations(level, [0, 0], [nx, nz]).expect("parents");
        let children = pyramid.elevations(level + 1, [0, 0], [2 * nx, 2 * nz]).expect("children");
        for (n, parent) in parents.iter().enumerate() {
            let (i, k) = (2 * (n % nx as usize), 2 * (n / nx as usize));
            let at = |di, dk| children[i + di + 2 * nx as usize * (k + dk)];
            worst = worst.max((parent - 0.25 * (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1))).abs());
        }
    }
    worst
}

#[test]
fn every_format_gives_the_same_pixels_within_the_limit() {
    let temporary = tempfile::tempdir().expect("a folder");
    let north_first = heights();
    for path in everything(temporary.path()) {
        let raster = TiledRaster::open(&path, SMALL).expect("opened");
        assert_eq!(([raster.width(), raster.height()], raster.spacing()), (SIZE, Some([PIXEL; 2])), "{path:?}");
        let (columns, rows): (Vec<u32>, Vec<u32>) = ((0..SIZE[0]).collect(), (0..SIZE[1]).collect());
        let [low, high] = raster.range();
        for _ in 0..2 {
            let found = raster.gather(&columns, &rows).expect("read");
            for (n, value) in found.iter().enumerate() {
                let (x, z) = (n % SIZE[0] as usize, n / SIZE[0] as usize);
                let expected = north_first[x + SIZE[0] as usize * (SIZE[1] as usize - 1 - z)];
                let elevation = f64::from(*value) * (high - low) + low;
                assert!((elevation - expected).abs() < 1e-2, "{path:?} ({x}, {z}): {elevation} {expected}");
            }
        }
        let usage = raster.cache();
        assert!(usage.peak <= SMALL && usage.evicted > 0 && usage.misses > 0, "{path:?} {usage:?}");
        // A corner is cut out of the blocks that hold it only.
        let corner = TiledRaster::open(&path, SMALL).expect("opened");
        corner.gather(&[0, 1], &[0, 1]).expect("read");
        assert_eq!(corner.cache().misses, 1);
    }
}

#[test]
fn finest_cells_are_sampled_like_any_terrain_and_larger_ones_are_their_means() {
    let temporary = tempfile::tempdir().expect("a folder");
    let path = temporary.path().join("a.tif");
    fs::write(&path, tiled(SIZE, &heights(), 32)).expect("written");
    // Smaller than a pixel, as large, larger; a cell that is no part of a pixel; blocks of cells that leave a rest.
    for (cells, cell, levels) in
        [([512, 256], 0.5, 7), ([144, 64], 2.0, 6), ([48, 16], 5.0, 3), ([336, 160], 0.7, 9), ([2048, 1024], 0.125, 9)]
    {
        let pyramid = pyramid(&path, SMALL, &Sampling::new(cells, cell, levels));
        let plain = rasterised(temporary.path(), cells, cell);
        let finest = pyramid.elevations(levels - 1, [0, 0], cells).expect("finest");
        assert_eq!(finest.iter().map(|x| *x as f32).collect::<Vec<f32>>(), plain, "cells of {cell} m");
        let gap = contract(&pyramid);
        let mut deviation = 0.0f64;
        for level in 0..levels {
            let shift = levels - 1 - level;
            let [nx, nz] = cells.map(|n| n >> shift);
            let means = pyramid.elevations(level, [0, 0], [nx, nz]).expect("a level");
            for (n, mean) in means.iter().enumerate() {
                let (i, k) = ((n as u32 % nx) << shift, (n as u32 / nx) << shift);
                let inside = (0..1 << (2 * shift)).map(|m| (i + m % (1 << shift), k + (m >> shift)));
                let sum: f64 = inside.map(|(i, k)| finest[(i + cells[0] * k) as usize]).sum();
                deviation = deviation.max((mean - sum / f64::from(1u32 << (2 * shift))).abs());
            }
        }
        println!(
            "cells of {cell} m: a cell and its four differ by {gap:.1e} m, a cell and its samples by {deviation:.1e} m"
        );
        // Half a step of f32 below 512 m is 1.5e-5 m.
        assert!(deviation <= 1.6e-5, "{deviation}");
        assert!(gap <= 3.1e-5, "{gap}");
        assert!(pyramid.raster().cache().peak <= SMALL);
        let [low, high] = pyramid.range();
        assert!(finest.iter().all(|x| (low..=high).contains(x)));
    }
}

#[test]
fn the_survey_is_kept_and_made_again_when_it_is_stale() {
    let temporary = tempfile::tempdir().expect("a folder");
    let path = temporary.path().join("a.tif");
    let beside = temporary.path().join("a.tif.pyramid");
    fs::write(&path, tiled(SIZE, &heights(), 32)).expect("written");
    let sampling = Sampling::new([128, 128], 1.0, 6);
    let open = |sampling: &Sampling| {
        let mut blocks = (0, 0);
        let raster = Arc::new(TiledRaster::open(&path, SMALL).expect("opened"));
        let opened = RasterPyramid::open(raster, sampling, &mut |done, all| blocks = (done, all));
        let (pyramid, report) = opened.expect("a pyramid");
        let coarse = pyramid.elevations(0, [0, 0], [4, 4]).expect("coarse");
        (coarse, pyramid.range(), report, blocks)
    };
    let (first, range, report, blocks) = open(&sampling);
    assert_eq!((report, blocks), (PyramidReport::default(), (9, 9)), "three blocks of five along x, all three along z");
    let (second, kept_range, report, blocks) = open(&sampling);
    assert!(report.loaded && report.stale.is_none() && blocks == (0, 0), "{report:?}");
    assert_eq!((&first, range), (&second, kept_range));

    // Every damage, another domain, another raster.
    let good = fs::read(&beside).expect("there");
    for at in [0, 9, 14, 60, good.len() - 30, good.len() - 1] {
        let mut bad = good.clone();
        bad[at] ^= 1;
        fs::write(&beside, bad).expect("written");
        let (again, _, report, _) = open(&sampling);
        assert!(!report.loaded && report.stale.is_some() && again == first, "byte {at}: {report:?}");
    }
    fs::write(&beside, &good[..good.len() / 2]).expect("written");
    assert!(open(&sampling).2.stale.is_some());
    assert!(open(&Sampling { offset: 1.0, ..sampling.clone() }).2.stale.is_some());
    assert!(open(&sampling).2.stale.is_some(), "the other domain's survey has taken its place");
    assert!(open(&sampling).2.loaded);
    let mut changed = heights();
    changed[(SIZE[0] * (SIZE[1] - 1)) as usize] += 100.0;
    fs::write(&path, tiled(SIZE, &changed, 32)).expect("written");
    let (other, _, report, _) = open(&sampling);
    assert!(report.stale.is_some() && other != first);

    // Nothing can be written where a folder has the file's name.
    fs::remove_file(&beside).expect("removed");
    fs::create_dir(&beside).expect("a folder");
    let (again, _, report, _) = open(&sampling);
    assert!(!report.loaded && report.unsaved.is_some() && again == other, "{report:?}");
    assert_eq!(fs::read_dir(temporary.path()).expect("listed").count(), 2, "no parts are left behind");
}

#[test]
fn missing_data_are_an_error_or_replaced() {
    let temporary = tempfile::tempdir().expect("a folder");
    let path = temporary.path().join("a.tif");
    let mut holed = heights();
    holed[(3 + SIZE[0] * (SIZE[1] - 1 - 4)) as usize] = f64::NAN;
    fs::write(&path, tiled(SIZE, &holed, 32)).expect("written");
    let open = |sampling: &Sampling| {
        RasterPyramid::open(Arc::new(TiledRaster::open(&path, SMALL).expect("opened")), sampling, &mut |_, _| ())
    };
    let sampling = Sampling::new([64, 64], 1.0, 5);
    assert!(matches!(open(&sampling), Err(RasterError::NoData { column: 3, row: 4, .. })));
    let (filled, _) = open(&Sampling { nodata: Some(-500.0), ..sampling.clone() }).expect("filled");
    assert!(filled.elevations(4, [6, 8], [2, 2]).expect("cells").iter().any(|x| *x < 0.0));
    assert!(contract(&filled) < 3e-5);
    let high = open(&Sampling { scale: 1e9, nodata: Some(0.0), ..sampling.clone() });
    assert!(matches!(high, Err(RasterError::NotAnElevation { .. })));
    let away = open(&Sampling { raster_origin: Some([200.0, 0.0]), ..sampling.clone() }).expect_err("off the raster");
    assert!(away.to_string().contains("does not cover the domain: along x"), "{away}");
    for wrong in [
        Sampling { levels: 0, ..sampling.clone() },
        Sampling { size: [8, 64], ..sampling.clone() },
        Sampling { size: [1 << 20, 64], ..sampling.clone() },
        Sampling { cell: f64::NAN, ..sampling.clone() },
        Sampling { raster_size: Some([0.0, 1.0]), ..sampling.clone() },
    ] {
        assert!(matches!(open(&wrong), Err(RasterError::Sampling(_))), "{wrong:?}");
    }
    assert!(filled.elevations(4, [60, 60], [16, 16]).is_err() && filled.elevations(9, [0, 0], [1, 1]).is_err());
}

#[test]
fn errors_say_what_to_do() {
    use tiff::encoder::Compression;
    use tiff::encoder::colortype::Gray32Float;
    let temporary = tempfile::tempdir().expect("a folder");
    let at = |name: &str| temporary.path().join(name);
    let refused = |name: &str| TiledRaster::open(at(name), SMALL).expect_err("refused").to_string();
    assert!(refused("none.tif").contains("does not exist"));
    fs::write(at("a.png"), b"\x89PNG....").expect("written");
    assert!(refused("a.png").contains("cut it into tiles"));
    fs::write(at("a.tif"), b"").expect("written");
    assert!(refused("a.tif").contains("tiles.toml"));
    fs::create_dir(at("empty")).expect("a folder");
    assert!(refused("empty").contains("has no `tiles.toml`"));
    fs::write(at("one-strip.tif"), tiled(SIZE, &heights(), 512)).expect("written");
    assert!(refused("one-strip.tif").contains("smaller tiles"));

    // JPEG and ZSTD, by their numbers in the tag: entry 3 of the directory.
    for code in [7u16, 50000] {
        let mut packed = tiled(SIZE, &heights(), 32);
        packed[8 + 2 + 3 * 12 + 8..][..2].copy_from_slice(&code.to_le_bytes());
        fs::write(at("packed.tif"), &packed).expect("written");
        let message = refused("packed.tif");
        assert!(message.contains("COMPRESS=DEFLATE"), "{message}");
    }

    // A header that promises a picture and a tile of a million pixels along each side costs nothing.
    let mut forged = tiled([20, 20], &heights(), 32);
    for entry in [0, 1, 5, 6] {
        forged[10 + entry * 12 + 8..][..4].copy_from_slice(&1_000_000u32.to_le_bytes());
    }
    fs::write(at("forged.tif"), &forged).expect("written");
    let message = refused("forged.tif");
    assert!(message.contains("cannot hold"), "{message}");

    let whole = striped::<Gray32Float>(|h| h as f32, Compression::Deflate(Default::default()));
    for length in (0..whole.len()).step_by(97) {
        fs::write(at("cut.tif"), &whole[..length]).expect("written");
        let read = TiledRaster::open(at("cut.tif"), SMALL)
            .and_then(|raster| raster.gather(&(0..SIZE[0]).collect::<Vec<_>>(), &(0..SIZE[1]).collect::<Vec<_>>()));
        assert!(read.is_err(), "cut to {length} bytes");
    }
}

#[test]
fn mistakes_in_a_folder_are_named() {
    let temporary = tempfile::tempdir().expect("a folder");
    let index = folder(temporary.path(), Kind::Png, false);
    let good = fs::read_to_string(&index).expect("the index");
    let with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        fs::write(&index, good.replace(from, to)).expect("written");
        let all = |raster: TiledRaster| {
            raster.gather(&(0..raster.width()).collect::<Vec<_>>(), &(0..raster.height()).collect::<Vec<_>>())
        };
        TiledRaster::open(temporary.path(), SMALL).and_then(all).expect_err("refused").to_string()
    };
    assert!(with("pixel = 2", "pixels = 2").contains("pixels"));
    assert!(with("pixel = 2", "pixel = -2").contains("more than 0"));
    assert!(with("columns = 5", "columns = 4000000000").contains("too many"));
    assert!(with("columns = 5", "columns = 0").contains("at least 1"));
    assert!(with("size = [150", "size = [170").contains("129 to 160"));
    assert!(with("{x}", "x").contains("lacks `{x}`"));
    assert!(with("first = 1", "first = 0").contains("is missing"));
    assert!(with("height =", "#height =").contains("elevations of black and white"));
    assert!(with("size = [150, 70]", "size = [151, 70]").contains("22 x 32 pixels, the index asks for 23 x 32"));
    assert!(with("tile = 32", "tile = 40").contains("pixels"));

    // Grey level 12 is missing data.
    fs::write(&index, format!("nodata = 12\n{good}")).expect("written");
    let raster = TiledRaster::open(temporary.path(), SMALL).expect("opened");
    let found = raster.gather(&(0..SIZE[0]).collect::<Vec<_>>(), &(0..SIZE[1]).collect::<Vec<_>>()).expect("read");
    let holes = found.iter().filter(|x| x.is_nan()).count();
    assert_eq!(holes, heights().iter().filter(|h| **h == 12.0).count());
    assert!(holes > 0);

    // A tile that promises more pixels than the index allows is not unpacked.
    fs::write(&index, &good).expect("written");
    let tile = temporary.path().join("t1_1.png");
    let mut forged = fs::read(&tile).expect("a tile");
    forged[16..20].copy_from_slice(&[0, 0, 0x4e, 0x20]);
    fs::write(&tile, forged).expect("written");
    let raster = TiledRaster::open(temporary.path(), SMALL).expect("opened");
    assert!(matches!(raster.gather(&[0], &[0]), Err(RasterError::WrongSize { found: [20000, 32], .. })));
    fs::remove_file(&tile).expect("removed");
    assert!(matches!(raster.gather(&[0], &[0]), Err(RasterError::MissingTile { x: 1, z: 1, .. })));
}

#[test]
fn threads_share_a_small_cache() {
    let temporary = tempfile::tempdir().expect("a folder");
    for path in everything(temporary.path()) {
        let sampling = Sampling::new([256, 128], 1.0, 6);
        let whole = pyramid(&path, 1 << 20, &sampling);
        let small = pyramid(&path, SMALL, &sampling);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (whole, small) = (&whole, &small);
                scope.spawn(move || {
                    for n in 0..64 {
                        let n = (n * 5 + thread * 17) % 128;
                        let tile = [16 * (n % 16), 16 * (n / 16)];
                        let ask = |pyramid: &RasterPyramid| pyramid.elevations(5, tile, [16, 16]).expect("a tile");
                        assert_eq!(ask(whole), ask(small));
                    }
                });
            }
        });
        let usage = small.raster().cache();
        assert!(usage.peak <= SMALL && usage.evicted > 0, "{usage:?}");
        let rough = small.rough_elevations(5, [16, 16], [16, 16]);
        assert_eq!(rough, [rough[0]; 256], "one kept cell holds the tile");
        assert_eq!(small.elevations(1, [1, 1], [1, 1]).expect("a kept cell"), rough[..1]);
        assert_eq!(small.rough_elevations(0, [0, 0], [8, 4]), small.elevations(0, [0, 0], [8, 4]).expect("kept"));
        assert_eq!(small.rough_elevations(99, [u32::MAX, 0], [3, 1]).len(), 0, "nothing to tell, and no panic");
    }
}

/// Damage anywhere is an error or a strange height, never a panic.
#[test]
fn damage_does_not_panic() {
    use tiff::encoder::Compression;
    use tiff::encoder::colortype::Gray16;
    let temporary = tempfile::tempdir().expect("a folder");
    let path = temporary.path().join("a.tif");
    let wholes = [
        tiled(SIZE, &heights(), 32),
        striped::<Gray16>(|h| h as u16, Compression::Deflate(Default::default())),
        striped::<Gray16>(|h| h as u16, Compression::Lzw),
    ];
    let (columns, rows): (Vec<u32>, Vec<u32>) = ((0..SIZE[0]).collect(), (0..SIZE[1]).collect());
    let mut seed = 1u64;
    let mut refused = 0;
    for n in 0..600 {
        let mut bytes = wholes[n % 3].clone();
        for _ in 0..1 + n % 4 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // The directory is at the start or at the end.
            let near = (seed >> 33) as usize % 300;
            let at = if seed & 1 << 32 == 0 { near } else { bytes.len() - 1 - near };
            bytes[at] = (seed >> 20) as u8;
        }
        fs::write(&path, bytes).expect("written");
        let sampling = Sampling { nodata: Some(0.0), ..Sampling::new([64, 32], 2.0, 6) };
        let read = TiledRaster::open(&path, 1 << 20).and_then(|raster| {
            let _ = raster.gather(&columns, &rows);
            RasterPyramid::open(Arc::new(raster), &sampling, &mut |_, _| ())
        });
        refused += usize::from(read.is_err());
    }
    assert!(refused > 50, "{refused}");
}
