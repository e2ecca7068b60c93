//! Every seed, damaged in thousands of ways in a fixed order: each reader answers with a value or an error, soon and without a panic.
//!
//! It finds less than libFuzzer, which looks where new code runs (`fuzz/run-all.sh`), but runs everywhere and in seconds.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thalweg_compute::Rng;
use thalweg_fuzz_readers::READERS;

/// Damaged inputs of a reader.
const INPUTS: u64 = 4000;
/// An input that takes longer is a fault of the reader: they are all small.
const SOON: Duration = Duration::from_secs(2);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Files of a folder, by name.
fn files(folder: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder that can be read").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a seed")).collect()
}

/// The words of `toml.dict`, which a text is damaged with.
fn words() -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(folder().join("toml.dict")).expect("the dictionary");
    let quoted = |line: &str| Some(line.split_once('"')?.1.rsplit_once('"')?.0.replace("\\x0a", "\n").into_bytes());
    text.lines().filter(|line| !line.starts_with('#')).filter_map(quoted).collect()
}

/// A place in bytes, their end included.
fn place(rng: &mut Rng, bytes: &[u8]) -> usize {
    rng.below(bytes.len() as u32 + 1) as usize
}

/// A few bytes' span.
fn span(rng: &mut Rng, bytes: &[u8]) -> std::ops::Range<usize> {
    let from = place(rng, bytes);
    from..(from + 1 + rng.below(24) as usize).min(bytes.len()).max(from)
}

fn damage(rng: &mut Rng, bytes: &mut Vec<u8>, seeds: &[Vec<u8>], words: &[Vec<u8>]) {
    const EDGES: [u8; 10] = [0, 1, 0x7f, 0x80, 0xff, b'0', b'9', b'-', b'\n', b','];
    let span = span(rng, bytes);
    match rng.below(8) {
        0 => bytes[span].iter_mut().for_each(|byte| *byte ^= 1 << rng.below(8)),
        1 => bytes[span].iter_mut().take(4).for_each(|byte| *byte = EDGES[rng.below(10) as usize]),
        2 => drop(bytes.drain(span)),
        3 => {
            let copied = bytes[span].to_vec();
            let at = place(rng, bytes);
            bytes.splice(at..at, copied);
        }
        4 => bytes.truncate(span.start),
        5 => {
            let other = &seeds[rng.below(seeds.len() as u32) as usize];
            let from = place(rng, other);
            bytes.truncate(span.start);
            bytes.extend_from_slice(&other[from..]);
        }
        6 => {
            let word = &words[rng.below(words.len() as u32) as usize];
            bytes.splice(span, word.iter().copied());
        }
        _ => {
            let number = ["1e308", "-1", "0", "nan", "inf", "4294967296", "1e-320", "0.1"][rng.below(8) as usize];
            bytes.splice(span, number.bytes());
        }
    }
}

#[test]
fn damaged_files_are_read_or_refused() {
    let words = words();
    assert!(words.len() > 20, "the dictionary is read");
    for (name, read) in READERS {
        let seeds = files(&folder().join("seeds").join(name));
        assert!(!seeds.is_empty(), "{name} has seeds");
        seeds.iter().for_each(|seed| read(seed));
        for number in 0..INPUTS {
            let mut rng = Rng::new(number);
            let mut bytes = seeds[number as usize % seeds.len()].clone();
            for _ in 0..=rng.below(4) {
                damage(&mut rng, &mut bytes, &seeds, &words);
            }
            let begin = Instant::now();
            let outcome = catch_unwind(|| read(&bytes));
            let text = String::from_utf8_lossy(&bytes);
            assert!(outcome.is_ok(), "{name}, input {number} panics: {bytes:?}\n{text}");
            assert!(begin.elapsed() < SOON, "{name}, input {number} takes {:?}: {bytes:?}\n{text}", begin.elapsed());
        }
    }
}
