//! Files for other programs that a run writes at every frame.

use std::path::PathBuf;

use serde_json::Value;

use crate::program::{Ended, Place, basin};

/// A column collapses: 8 steps of 0.025 s, two to a frame.
pub(crate) fn column(output: &str) -> String {
    format!(
        "[scene]\nname = 'Column'\nduration = 0.2\nstep = 0.025\n[domain]\nsize = [2, 1.6, 0.6]\ncell = 0.1\norigin = [10, 20]\n\
         [water]\nsolver = 'tall-cells'\nlevel = 0.2\nboxes = [{{ min = [10, 0, 20], max = [10.6, 1.0, 20.6] }}]\n\
         [output]\nevery = 0.05\n{output}\n"
    )
}

impl Place {
    /// Names in a folder of the output, hidden ones too.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.file(folder)) else { return Vec::new() };
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("readable").file_name().into_string();
        let mut names: Vec<String> = entries.map(|entry| name(entry).expect("UTF-8")).collect();
        names.sort();
        names
    }

    fn index(&self, folder: &str) -> Vec<Value> {
        serde_json::from_str(&self.text(&format!("{folder}/index.json"))).expect("a list")
    }
}

/// Every file of the index is there and as a whole; nothing else is.
fn assert_whole(place: &Place, folder: &str) {
    let listed: Vec<String> =
        place.index(folder).iter().map(|entry| entry["file"].as_str().expect("a name").to_owned()).collect();
    for name in place.names(folder) {
        let bytes = std::fs::read(place.file(&format!("{folder}/{name}"))).expect("read");
        let is_whole = match PathBuf::from(&name).extension().and_then(|e| e.to_str()) {
            Some("npz") => bytes[bytes.len() - 22..].starts_with(b"PK\x05\x06"),
            Some("vti" | "vtp" | "pvd") => bytes.ends_with(b"</VTKFile>\n"),
            Some("png") => bytes.ends_with(b"IEND\xaeB`\x82"),
            Some("asc") => bytes.ends_with(b"\n"),
            Some("json" | "vdb" | "glb" | "exr" | "tif" | "ply") => bytes.len() > 100,
            other => panic!("{name}: {other:?}"),
        };
        assert!(is_whole, "{name} is torn");
        assert!(
            listed.contains(&name) || name.starts_with("bed.") || name.ends_with(".json") || name.ends_with(".pvd"),
            "{name} is not in the index"
        );
    }
    assert!(listed.iter().all(|name| place.file(&format!("{folder}/{name}")).is_file()));
}

#[test]
fn the_scene_says_what_is_written_and_a_break_changes_nothing() {
    let text = column("meshes = 'vtp'\nvolumes = ['npz', 'vdb', 'vti']\nheights = ['png', 'exr', 'asc', 'tif', 'npz']");
    let [reference, place] = [&text, &text].map(|text| Place::new(text));
    reference.run(&["--quiet", "--no-pictures"]).expect(0);
    place.run(&["--quiet", "--no-pictures", "--frames", "2"]).expect(0);
    let summary = place.run(&["--json", "--no-pictures", "--resume"]).expect(0).json();
    for (folder, files) in [("meshes", 5), ("volumes", 15), ("heights", 5 * (4 + 1 + 4 + 1 + 1))] {
        assert_whole(&place, folder);
        assert_eq!(place.index(folder).len(), files, "{folder}");
        assert_eq!(place.names(folder), reference.names(folder));
        assert!(summary["outputs"].as_array().expect("a list").contains(&format!("{folder}/index.json").into()));
        for name in place.names(folder) {
            let bytes = |place: &Place| std::fs::read(place.file(&format!("{folder}/{name}"))).expect("read");
            assert!(bytes(&place) == bytes(&reference), "{folder}/{name} differs from that of a run without a break");
        }
    }
    let last = place.index("volumes").pop().expect("an entry");
    assert_eq!((&last["frame"], &last["time"], &last["file"]), (&4.into(), &0.2.into(), &"water-00004.vti".into()));
    assert!(place.text("volumes/series.pvd").contains("timestep=\"0.2\" part=\"0\" file=\"water-00004.vti\""));
    assert!(place.text("meshes/series.pvd").matches("DataSet").count() == 5);
}

#[test]
fn flags_override_the_scene_and_a_new_run_removes_old_files() {
    let place = Place::new(&column("volumes = ['vti']\nheights = ['asc']"));
    place.run(&["--quiet", "--no-pictures", "--frames", "1"]).expect(0);
    assert!(place.names("volumes").contains(&"series.pvd".to_owned()));
    std::fs::write(place.file("volumes/mine-00001.vdb"), "mine").expect("written");
    place.run(&["--quiet", "--no-pictures", "--frames", "1", "--volumes", "vdb,npz", "--heights", "exr"]).expect(0);
    let files =
        ["index.json", "mine-00001.vdb", "water-00000.npz", "water-00000.vdb", "water-00001.npz", "water-00001.vdb"];
    assert_eq!(place.names("volumes"), files);
    assert_eq!(place.names("heights"), ["index.json", "water-00000.exr", "water-00001.exr"]);
    let ended = place.run(&["--volumes", "vdb,obj"]).expect(2);
    assert!(ended.stderr.contains("vti"), "the formats are listed: {}", ended.stderr);
}

#[test]
fn shallow_water_has_height_maps_only() {
    let place = Place::new(&basin(20));
    place.run(&["--quiet", "--no-pictures", "--heights", "asc,tif,png,exr,npz"]).expect(0);
    assert_whole(&place, "heights");
    assert_eq!(place.index("heights").len(), 3 * 11);
    for flag in ["--volumes=vdb", "--meshes=vtp"] {
        let other = Place::new(&basin(20));
        let ended = other.run(&[flag]).expect(2);
        assert!(ended.stderr.contains(&flag[..7]) && ended.stderr.contains("height field"), "{}", ended.stderr);
        assert!(!other.out.exists());
    }
}

#[test]
fn a_folder_that_cannot_be_written_into_is_told_by_its_name() {
    let place = Place::new(&column("volumes = ['vdb']"));
    std::fs::create_dir_all(&place.out).expect("made");
    std::fs::write(place.file("volumes"), "a file in the way").expect("written");
    let ended = place.run(&["--quiet", "--no-pictures"]).expect(1);
    assert!(ended.stderr.contains("cannot write") && ended.stderr.contains("water-00000.vdb"), "{}", ended.stderr);
}

/// No file may grow beyond 48 KiB: what a full disk does to a large file.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_torn_file() {
    let place = Place::new(&column("volumes = ['npz']\nheights = ['npz']"));
    let program = place.command(&["--quiet", "--no-pictures"]);
    let mut limited = std::process::Command::new("sh");
    // Blocks of 512 bytes. The signal is ignored, so that writing gives an error as on a full disk.
    limited.args(["-c", "trap '' XFSZ; ulimit -f 96; exec \"$0\" \"$@\""]).arg(program.get_program());
    limited.args(program.get_args());
    let ended = Ended::of(limited.output().expect("the shell starts")).expect(1);
    assert!(ended.stderr.contains("cannot write") && ended.stderr.contains("water-00000.npz"), "{}", ended.stderr);
    assert!(place.names("volumes").is_empty(), "{:?}", place.names("volumes"));
    place.run(&["--quiet", "--no-pictures", "--frames", "1"]).expect(0);
    assert_whole(&place, "volumes");
}

#[test]
fn a_killed_run_leaves_whole_files_and_the_next_one_cleans_up() {
    let text = column("meshes = 'ply'\nvolumes = ['npz', 'vti']").replace("duration = 0.2", "duration = 1.0");
    let place = Place::new(&text);
    let mut run = place.start(&["--quiet", "--no-pictures", "--checkpoint-every", "0"]);
    place.await_rows(&mut run, 9);
    run.kill().expect("killed");
    run.wait().expect("its end");
    let finished =
        |folder: &str| place.names(folder).into_iter().filter(|name| !name.starts_with('.')).collect::<Vec<_>>();
    for name in finished("volumes") {
        let bytes = std::fs::read(place.file(&format!("volumes/{name}"))).expect("read");
        let is_whole = match name.rsplit_once('.').expect("an ending").1 {
            "npz" => bytes[bytes.len() - 22..].starts_with(b"PK\x05\x06"),
            "json" => serde_json::from_slice::<Value>(&bytes).is_ok(),
            _ => bytes.ends_with(b"</VTKFile>\n"),
        };
        assert!(is_whole, "{name} is torn");
    }
    assert!(finished("volumes").len() > 4, "{:?}", finished("volumes"));
    std::fs::write(place.file("volumes/.water-00019.npz.part"), "half").expect("written");
    std::fs::write(place.file(".checkpoint.thalweg.part"), "half").expect("written");
    place.run(&["--quiet", "--no-pictures", "--resume"]).expect(0);
    for folder in ["volumes", "meshes"] {
        assert_whole(&place, folder);
    }
    assert!(!place.file(".checkpoint.thalweg.part").exists());
    assert_eq!(place.index("volumes").len(), 2 * 21);
}

#[test]
fn particles_are_written_where_there_are_some() {
    let place = Place::new(&column(""));
    let refused = place.run(&["--quiet", "--no-pictures", "--particles", "csv"]).expect(2);
    assert!(refused.stderr.contains("[whitewater]"), "{}", refused.stderr);
    let place = Place::new(&format!("{}\n[whitewater]\nbreaking = 500\nbreaks_at = 0.05\n", column("")));
    let told = place.run(&["--json", "--no-pictures", "--particles", "csv"]).expect(0).json();
    let text = std::fs::read_to_string(place.file("particles/spray-00004.csv")).expect("a frame");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "x,y,z,vx,vy,vz,radius,kind");
    assert_eq!(told["particles"].as_u64(), Some(lines.len() as u64 - 1), "the last frame holds them all");
    assert!(lines.len() > 1 && told["whitewater"]["most_particles"].as_u64() >= told["particles"].as_u64(), "{told}");
    assert!(told["outputs"].as_array().is_some_and(|list| list.iter().any(|name| name == "particles/index.json")));
}

/// Maps over time of shallow water are among the height maps and pictures, whatever breaks there were, and a checkpoint gives each of them.
#[test]
fn maps_over_time_are_written() {
    let text = basin(20).replace("fields = [\"depth\", \"speed\"]", "fields = [\"max-depth\", \"arrival\"]");
    let text = format!("[maps]\nwet = 0.02\n{text}");
    let [reference, place] = [&text, &text].map(|text| Place::new(text));
    reference.run(&["--quiet", "--heights", "asc,tif,png,exr,npz"]).expect(0);
    place.run(&["--quiet", "--heights", "asc,tif,png,exr,npz", "--frames", "1"]).expect(0);
    place.run(&["--quiet", "--heights", "asc,tif,png,exr,npz", "--resume"]).expect(0);
    assert_whole(&place, "heights");
    assert_eq!(place.index("heights").len(), 3 * (9 + 1 + 9 + 1 + 1), "five more maps in files of one");
    assert!(
        place.names("frames")
            == ["arrival", "max-depth"]
                .map(|f| (0..3).map(move |n| format!("{f}-{n:05}.png")))
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
    );
    for folder in ["heights", "frames"] {
        for name in place.names(folder) {
            let bytes = |place: &Place| std::fs::read(place.file(&format!("{folder}/{name}"))).expect("read");
            assert!(bytes(&place) == bytes(&reference), "{folder}/{name} differs from that of a run without a break");
        }
    }
    let numbers = |name: &str| -> Vec<f64> {
        let text = place.text(name);
        let numbers = text.lines().skip(6).flat_map(str::split_ascii_whitespace);
        numbers.map(|number| number.parse().expect("a number")).collect()
    };
    let [deepest, now, came] =
        ["max-depth", "depth", "arrival"].map(|map| numbers(&format!("heights/{map}-00002.asc")));
    let dry = deepest.iter().filter(|depth| **depth == -9999.0).count();
    assert!(dry > 100 && dry < 4700, "{dry} of 4800 cells never were wet");
    for ((deepest, now), came) in deepest.iter().zip(&now).zip(&came) {
        assert_eq!(*deepest == -9999.0, *came == -9999.0);
        assert!(*deepest >= *now || (*deepest == -9999.0 && *now <= 0.02), "{deepest} {now}");
        assert!(*came == -9999.0 || (0.0..=0.4).contains(came), "{came}");
    }
    assert!(came.iter().any(|came| *came > 0.0), "the flood spreads");

    // From the checkpoint.
    let export = |to: &str, what: &str| {
        let to = place.path().join(to);
        let args = ["export".into(), place.out.clone(), "--to".into(), to.clone(), "--what".into(), what.into()];
        (crate::program::end(&args), to)
    };
    let (ended, to) = export("deepest.asc", "max-depth");
    ended.expect(0);
    assert!(std::fs::read_to_string(to).expect("written") == place.text("heights/max-depth-00002.asc"));
    for what in ["max-surface", "max-speed", "arrival", "peak-time"] {
        export(&format!("{what}.tif"), what).0.expect(0);
    }
}

#[test]
fn maps_over_time_that_nobody_kept_are_refused() {
    let place = Place::new(&basin(10));
    place.run(&["--quiet", "--no-pictures"]).expect(0);
    for ending in ["tif", "npz"] {
        let to = place.path().join(format!("a.{ending}"));
        let args = ["export".into(), place.out.clone(), "--to".into(), to.clone(), "--what".into(), "arrival".into()];
        let ended = crate::program::end(&args).expect(2);
        assert!(ended.stderr.contains("[maps]") && !to.exists(), "{}", ended.stderr);
    }
}
