//! `thalweg export`: the water of a checkpoint as a file.

use std::path::{Path, PathBuf};

use thalweg_io::checkpoint::{Array, FILE_NAME};

use crate::exports::column;
use crate::program::{Ended, Place, basin, end};

fn export(from: &Path, to: &Path, more: &[&str]) -> Ended {
    let mut args: Vec<&std::ffi::OsStr> = vec!["export".as_ref(), from.as_ref(), "--to".as_ref(), to.as_ref()];
    args.extend(more.iter().map(|word| std::ffi::OsStr::new(*word)));
    end(args)
}

#[test]
fn every_ending_gives_its_file() {
    let place = Place::new(&column(""));
    place.run(&["--quiet", "--no-pictures"]).expect(0);
    std::fs::remove_file(&place.scene).expect("the scene is not needed any more");
    for (ending, magic) in [
        ("ply", &b"ply\n"[..]),
        ("obj", b"# lengths"),
        ("glb", b"glTF"),
        ("vtp", b"<?xml"),
        ("vdb", b" BDV"),
        ("npz", b"PK"),
        ("vti", b"<?xml"),
        ("png", b"\x89PNG"),
        ("exr", b"v/1\x01"),
        ("asc", b"ncols 20\n"),
        ("tif", b"II*\0"),
    ] {
        let to = place.path().join(format!("water.{ending}"));
        let ended = export(&place.file(FILE_NAME), &to, &["--json"]).expect(0);
        let bytes = std::fs::read(&to).expect("written");
        assert!(bytes.starts_with(magic), "{ending}");
        let told = ended.json();
        assert_eq!((&told["time"], &told["step"], &told["bytes"]), (&0.2.into(), &8.into(), &bytes.len().into()));
    }
    // As a run writes them, and from the folder as well.
    place.run(&["--quiet"]).expect(2);
    std::fs::write(&place.scene, column("")).expect("written");
    place.run(&["--quiet", "--no-pictures", "--volumes", "npz,vdb", "--heights", "tif"]).expect(0);
    for (ending, folder) in [("npz", "volumes"), ("vdb", "volumes"), ("tif", "heights")] {
        let to = place.path().join(format!("again.{ending}"));
        export(&place.out, &to, &[]).expect(0);
        let theirs = std::fs::read(place.file(&format!("{folder}/water-00004.{ending}"))).expect("a frame");
        assert!(std::fs::read(&to).expect("written") == theirs, "{ending} differs from that of the run");
    }
}

#[test]
fn one_field_can_be_chosen_where_there_is_a_choice() {
    let place = Place::new(&column(""));
    place.run(&["--quiet", "--no-pictures", "--frames", "1"]).expect(0);
    let file = |name: &str| place.path().join(name);
    for (name, what, holds) in [
        ("a.vti", "pressure", "Name=\"pressure\""),
        ("a.npz", "level-set", "level_set.npy"),
        ("b.npz", "depth", "depth.npy"),
    ] {
        export(&place.out, &file(name), &["--what", what]).expect(0);
        let bytes = std::fs::read(file(name)).expect("written");
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains(holds) && !text.contains("Name=\"velocity\""), "{name}");
    }
    for (name, what, words) in [
        ("c.vdb", "pressure", "leave --what out"),
        ("c.glb", "surface", "leave --what out"),
        ("c.png", "velocity", "--what speed"),
        ("c.asc", "level-set", ".vti"),
        ("c.vti", "depth", "level-set"),
    ] {
        let ended = export(&place.out, &file(name), &["--what", what]).expect(2);
        assert!(ended.stderr.contains(words) && !file(name).exists(), "{}", ended.stderr);
    }
    let ended = export(&place.out, &file("a.abc"), &[]).expect(2);
    assert!([".vdb", ".glb", ".tif"].iter().all(|known| ended.stderr.contains(known)), "{}", ended.stderr);
}

#[test]
fn shallow_water_has_no_mesh_and_no_volume() {
    let place = Place::new(&basin(10));
    place.run(&["--quiet", "--no-pictures"]).expect(0);
    for ending in ["ply", "vdb", "vti"] {
        let to = place.path().join(format!("a.{ending}"));
        let ended = export(&place.out, &to, &[]).expect(2);
        assert!(ended.stderr.contains("height field") && ended.stderr.contains("asc"), "{}", ended.stderr);
    }
    let to = place.path().join("a.npz");
    export(&place.out, &to, &["--quiet"]).expect(0);
    assert!(String::from_utf8_lossy(&std::fs::read(&to).expect("written")).contains("bed.npy"));
}

/// The bed of an exported file is the terrain of the next scene: the same bed, cell by cell.
#[test]
fn an_exported_bed_is_a_terrain() {
    let place = Place::new(&basin(10));
    place.run(&["--quiet", "--no-pictures", "--heights", "png"]).expect(0);
    let bed = |toml: &str, files: &[(&str, &Path)]| {
        let other = Place::new(toml);
        for (name, from) in files {
            std::fs::copy(from, other.path().join(name)).expect("copied");
        }
        other.run(&["--quiet", "--no-pictures", "--frames", "0"]).expect(0);
        // The scene's own file is in the checkpoint: it may go.
        files.iter().for_each(|(name, _)| std::fs::remove_file(other.path().join(name)).expect("removed"));
        let to = other.path().join("bed.asc");
        export(&other.out, &to, &["--what", "bed"]).expect(0);
        let text = std::fs::read_to_string(to).expect("written");
        let numbers = text.lines().skip(6).flat_map(str::split_ascii_whitespace);
        numbers.map(|number| number.parse().expect("a number")).collect::<Vec<f64>>()
    };
    let reference = bed(&basin(10), &[]);
    assert_eq!(reference.len(), 4800);
    for ending in ["asc", "tif", "png"] {
        let file: PathBuf = place.path().join(format!("bed.{ending}"));
        let told = export(&place.out, &file, &["--what", "bed", "--json"]).expect(0).json();
        let (mut terrain, mut slack) = (format!("[terrain]\nfile = \"bed.{ending}\"\n"), 1e-6);
        if let Some([low, high]) = told["about"]["range"].as_array().map(Vec::as_slice) {
            terrain.push_str(&format!("height = [{low}, {high}]\n"));
            slack = 0.51 * (high.as_f64().expect("a number") - low.as_f64().expect("a number")) / 65535.0;
        }
        let text = basin(10);
        let (begin, end) = (text.find("[terrain]").expect("terrain"), text.find("[water]").expect("water"));
        let text = format!("{}{terrain}\n{}", &text[..begin], &text[end..]);
        let found = bed(&text, &[(&format!("bed.{ending}"), &file)]);
        let most = found.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(found.len() == reference.len() && most <= slack, "{ending}: {most}");
    }
}

#[test]
fn what_is_no_checkpoint_is_told() {
    let place = Place::new(&column(""));
    place.run(&["--quiet", "--no-pictures", "--frames", "1"]).expect(0);
    let to = place.path().join("a.vdb");
    let ended = export(&place.path().join("nothing"), &to, &[]).expect(2);
    assert!(ended.stderr.contains("nothing"), "{}", ended.stderr);
    let ended = export(&place.scene, &to, &[]).expect(2);
    assert!(ended.stderr.contains("does not begin like a Thalweg checkpoint"), "{}", ended.stderr);

    // Written before scenes were in checkpoints: it still goes on, but stands not alone.
    let mut old = place.checkpoint();
    old.arrays.retain(|(_, array)| !matches!(array, Array::U8(_)));
    old.write_latest(&place.out).expect("written");
    let ended = export(&place.file(FILE_NAME), &to, &[]).expect(2);
    assert!(ended.stderr.contains("holds no scene") && ended.stderr.contains("--resume"), "{}", ended.stderr);
    place.run(&["--quiet", "--no-pictures", "--resume", "--frames", "2"]).expect(0);
    export(&place.file(FILE_NAME), &to, &[]).expect(0);

    let blocked = place.path().join("blocked");
    std::fs::write(&blocked, "a file").expect("written");
    let ended = export(&place.out, &blocked.join("a.vdb"), &[]).expect(1);
    assert!(ended.stderr.contains("cannot write") && ended.stderr.contains("a.vdb"), "{}", ended.stderr);
}
