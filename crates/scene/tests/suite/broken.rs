//! Scenes that are wrong: each file of `tests/broken` says in its first line what must be found.
//!
//! `# expect: <line>: <part of the message>`. The error must name that line and say that, within a second.
//! Line 0 stands for an error that the parser cannot place.
//! The damaged terrain files beside them come from `write_damaged_files`, at the end.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thalweg_scene::{Ability, Scene, SceneError};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken")
}

/// Reads a scene as a run does: the scene, then its bed and its water.
fn load(path: &Path) -> Result<(), SceneError> {
    let scene = Scene::from_file(path)?;
    let bed = scene.terrain.rasterise(&scene.grid)?;
    scene.water.rasterise(&scene.grid, &bed)?;
    if scene.water.solver.has(Ability::ThreeDimensional) {
        scene.water.check_height(scene.elevations(&bed))?;
    }
    Ok(())
}

/// What is wrong with the error that a broken scene gave, if anything.
fn check_message(path: &Path) -> Result<(), String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    let first = text.lines().next().unwrap_or_default();
    let expected = first.strip_prefix("# expect: ").ok_or("the first line expects nothing")?;
    let (line, part) = expected.split_once(": ").ok_or("expected is `<line>: <message>`")?;
    let line: usize = line.parse().map_err(|_| "the line is not a number")?;

    let start = Instant::now();
    let error = load(path).err().ok_or("it was accepted")?;
    let spent = start.elapsed();
    if spent > Duration::from_secs(1) {
        return Err(format!("it took {spent:?}"));
    }
    let found =
        error.diagnostics().iter().any(|found| found.line().unwrap_or(0) == line && found.message.contains(part));
    if !found {
        return Err(format!("nothing in line {line} says `{part}`, but:\n{error}"));
    }
    if error.to_string().chars().any(|c| c.is_control() && c != '\n') {
        return Err("the message has control characters".to_owned());
    }
    Ok(())
}

#[test]
fn every_broken_scene_is_refused_at_its_line() {
    let mut scenes: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    scenes.sort();
    assert!(scenes.len() >= 100, "only {} scenes were found", scenes.len());
    let complaints: Vec<String> = scenes
        .iter()
        .filter_map(|path| check_message(path).err().map(|complaint| format!("{}: {complaint}", path.display())))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// Whatever number stands wherever there is one: what is said of it has no more digits than the number, and none of
/// hundreds of zeros.
#[test]
fn numbers_in_messages_are_short() {
    let texts = fs::read_dir(folder()).expect("the folder is there").map(|entry| entry.expect("readable").path());
    let texts = texts.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let mut said = 0;
    for text in texts.filter_map(|path| fs::read_to_string(path).ok()) {
        // In words, of which some are numbers.
        let is_of_word = |c: char| c.is_ascii_alphanumeric() || "_.+-\"".contains(c);
        let starts = text.match_indices(is_of_word).map(|(at, _)| at);
        let starts: Vec<usize> = starts.filter(|at| *at == 0 || !text[..*at].ends_with(is_of_word)).collect();
        for start in starts {
            let word = text[start..].split(|c| !is_of_word(c)).next().unwrap_or_default();
            if word.parse::<f64>().is_err() {
                continue;
            }
            for number in ["1e300", "-1e300", "1e-300"] {
                let text = format!("{}{number}{}", &text[..start], &text[start + word.len()..]);
                let Err(error) = Scene::from_str(&text, "a.toml", folder()) else { continue };
                for found in error.diagnostics() {
                    let words = format!("{} {}", found.message, found.hint.as_deref().unwrap_or_default());
                    let longest = words.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
                    assert!(longest < Some(25), "{text}\nsays: {words}");
                    said += usize::from(words.contains("1e300") || words.contains("1e-300"));
                }
            }
        }
    }
    assert!(said > 500, "only {said} messages name the number");
}

#[test]
fn a_check_of_messages_can_fail() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.toml");
    for text in [
        "scene = 1\n",
        "# expect: 2: no such message\nscene = 1\n",
        "# expect: 9: should be a table\nscene = 1\n",
        "# expect: 1: x\nscene = { name = 'a', duration = 1 }\ndomain = { size = [1, 1, 1], cell = 0.1 }\n",
    ] {
        fs::write(&path, text).expect("written");
        assert!(check_message(&path).is_err(), "{text}");
    }
    fs::write(&path, "# expect: 2: should be a table\nscene = 1\n").expect("written");
    assert_eq!(check_message(&path), Ok(()));
}

#[test]
fn scenes_that_are_no_files_are_refused() {
    for (path, part) in [
        (folder(), "a folder"),
        (folder().join("no-such-scene.toml"), "does not exist"),
        (PathBuf::new(), "not the name of a file"),
        (PathBuf::from("/"), "not the name of a file"),
    ] {
        let error = Scene::from_file(&path).expect_err("refused");
        assert_eq!(error.diagnostics().len(), 1);
        assert!(error.to_string().contains(part), "{error}");
        assert_eq!(error.diagnostics()[0].line(), None);
    }
}

#[test]
fn all_mistakes_are_found_at_once() {
    let text = "[scene]\nname = 5\nduration = -1\n[domain]\nsize = [\"5 m\", 1, nan]\ncel = 0.1\n[water]\nlevle = 2\n";
    let error = Scene::from_str(text, "a.toml", ".").expect_err("refused");
    let lines: Vec<_> = error.diagnostics().iter().filter_map(|found| found.line()).collect();
    assert_eq!(lines, [2, 3, 5, 5, 6, 8]);
    let hints: Vec<_> = error.diagnostics().iter().filter_map(|found| found.hint.as_deref()).collect();
    assert!(hints.contains(&"did you mean `cell`?") && hints.contains(&"did you mean `level`?"));
    assert!(hints.iter().any(|hint| hint.contains("numbers are in metres")));
}

#[test]
fn meaning_is_checked_in_one_go_as_well() {
    let text = "scene = { name = 'a', duration = 1 }\ndomain = { size = [1, 1, 1], cell = 0.1 }\n\
                [[probe]]\nname = 'a'\nkind = 'depth'\nat = [5, 5]\n\
                [[source]]\nshape = { disc = { center = [9, 9], radius = 1 } }\nrate = { file = 'none.csv' }\n\
                [terrain]\nfile = 'none.png'\n";
    let error = Scene::from_str(text, "a.toml", ".").expect_err("refused");
    let lines: Vec<_> = error.diagnostics().iter().filter_map(|found| found.line()).collect();
    assert_eq!(lines, [6, 8, 9, 11]);
}

#[test]
fn a_byte_order_mark_is_no_mistake() {
    let text = "\u{feff}scene = { name = 'a', duration = 1 }\r\ndomain = { size = [1, 1, 1], cell = 0.1 }\r\n";
    assert!(Scene::from_str(text, "a.toml", ".").is_ok());
}

/// Long texts of nothing but mistakes once took minutes: every mistake searched the text for its line.
#[test]
fn a_long_mistake_is_found_quickly() {
    let valid = "scene = { name = 'a', duration = 1 }\ndomain = { size = [1, 1, 1], cell = 0.1 }\n";
    let length = 1 << 18;
    for (start, unit, end) in [
        ("", "= \n", ""),
        ("", "\"\n", ""),
        ("", "[", ""),
        ("", "a = [\n", ""),
        ("x = [", "1,", "]"),
        ("water.boxes = [", "{min=[0,0,0],max=[0,0,0]},", "]"),
        ("water.boxes = [", "{min=[0,0,0],mx=[0,0,0]},", "]"),
    ] {
        let text = format!("{valid}{start}{}{end}", unit.repeat((length - valid.len() - 20) / unit.len()));
        let clock = Instant::now();
        let error = Scene::from_str(&text, "a.toml", ".").expect_err("refused");
        assert!(error.diagnostics().len() <= 100 && error.to_string().len() < 100_000);
        // Half a second; the bound leaves room for a busy machine, and none for work that grows with the square of the
        // length.
        assert!(clock.elapsed() < Duration::from_secs(8), "{unit:?} took {:?}", clock.elapsed());
    }
}

/// The damaged files that the broken scenes name are what this makes. After a change here,
/// `ACCEPT=1 cargo test -p thalweg-scene damaged_files` writes them anew.
#[test]
fn damaged_files_are_as_made_here() {
    let write = |name: &str, bytes: &[u8]| {
        let path = folder().join(name);
        if std::env::var_os("ACCEPT").is_some() {
            fs::write(path, bytes).expect("written");
        } else {
            assert!(fs::read(path).expect("a file").as_slice() == bytes, "{name} differs: see ACCEPT above");
        }
    };
    let picture = |color, size: u32, data: &[u8]| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size, size);
        encoder.set_color(color);
        encoder.write_header().expect("header").write_image_data(data).expect("data");
        bytes
    };
    // Noise, so that half of the file is half of the picture.
    let noise: Vec<u8> = (0..64_u32 * 64).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let whole = picture(png::ColorType::Grayscale, 64, &noise);
    write("truncated.png", &whole[..whole.len() / 2]);
    write("colour.png", &picture(png::ColorType::Rgb, 2, &[9; 12]));
    write("text.png", b"This is not a picture.\n");
    let forged = |size: u32| {
        let mut bytes = picture(png::ColorType::Grayscale, 1, &[0]);
        bytes[16..20].copy_from_slice(&size.to_be_bytes());
        bytes[20..24].copy_from_slice(&size.to_be_bytes());
        let checksum = crc32(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&checksum.to_be_bytes());
        bytes
    };
    write("forged.png", &forged(30_000));
    write("huge.png", &forged(1_000_000));

    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut encoder = tiff::encoder::TiffEncoder::new(&mut bytes).expect("a header");
    let heights: Vec<f32> = noise.iter().map(|&level| f32::from(level)).collect();
    encoder.write_image::<tiff::encoder::colortype::Gray32Float>(64, 64, &heights).expect("written");
    let whole = bytes.into_inner();
    // The directory is at the end: it moves before the data, and the data are cut.
    write("truncated.tif", &tiff_by_hand(64, 64, 32, &whole[8..8 + 64 * 64 * 2]));
    write("forged.tif", &tiff_by_hand(30_000, 30_000, 32, &[0; 64]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut encoder = tiff::encoder::TiffEncoder::new(&mut bytes).expect("a header");
    encoder.write_image::<tiff::encoder::colortype::RGB8>(2, 2, &[7; 12]).expect("written");
    write("colour.tif", &bytes.into_inner());

    let header = |columns: u64, rows: u64| {
        format!("ncols {columns}\nnrows {rows}\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n")
    };
    write("truncated.asc", format!("{}1 2 3 4\n5 6 7 8\n9 10", header(4, 4)).as_bytes());
    write("huge.asc", format!("{}1 2 3 4\n", header(1_000_000_000, 1_000_000_000)).as_bytes());
    write("comma.asc", format!("{}1,5 2\n3 4\n", header(2, 2)).as_bytes());
    write("hole.asc", format!("{}1 2\n3 -9999\n", header(2, 2)).as_bytes());
    write("ragged.csv", b"1,2,3,4\n1,2,3,4\n1,2,3\n");
    write("empty.csv", b"time,value\n");
    write("unordered.csv", b"time,value\n0,1\n2,1\n1,1\n");
    write("scattered.xyz", b"0 0 1\n1 0 2\n3 0 2\n0 1 1\n1 1 1\n3 1 1\n");
    write("truncated.xyz", b"0 0 1\n1 0 2\n0 1 3\n");
}

/// A plain grey TIFF of floats with its directory before its data, whatever the data's length.
fn tiff_by_hand(width: u32, height: u32, bits: u32, data: &[u8]) -> Vec<u8> {
    let entries = [
        (256_u16, width), // ImageWidth
        (257, height),
        (258, bits),                                              // BitsPerSample
        (259, 1),                                                 // Compression: none
        (262, 1),                                                 // PhotometricInterpretation: black is zero
        (273, 8 + 2 + 10 * 12 + 4),                               // StripOffsets
        (277, 1),                                                 // SamplesPerPixel
        (278, height),                                            // RowsPerStrip
        (279, width.wrapping_mul(height).wrapping_mul(bits / 8)), // StripByteCounts
        (339, 3),                                                 // SampleFormat: float
    ];
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    bytes.extend((entries.len() as u16).to_le_bytes());
    for (tag, value) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(4_u16.to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 4]);
    bytes.extend(data);
    bytes
}

/// The checksum of PNG chunks, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}
