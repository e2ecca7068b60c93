//! Rules of the house that a compiler does not know.

use std::path::{Path, PathBuf};

/// The home of the solvers' names, and the one place that builds what they name.
const HOMES: [&str; 2] = ["scene/src/water.rs", "thalweg/src/methods/mod.rs"];

/// Functions that are longer than [`LONGEST`] today. The list may only become shorter.
const LONG: [&str; 6] = ["case", "grove", "new", "new", "pictures", "radiance"];
const LONGEST: usize = 90;

/// Every Rust file of the crates' sources, tests beside the code included, by its path from the folder of the crates.
fn sources() -> Vec<(String, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned();
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(&crates).unwrap().map(|e| e.unwrap().path().join("src")).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let name = path.strip_prefix(&crates).unwrap().to_string_lossy().replace('\\', "/");
                files.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(files.len() > 300, "only {} sources were found", files.len());
    files
}

/// What a solver can do is asked of its abilities. Whoever matches on its name instead has to be changed for every new method.
#[test]
fn nobody_matches_on_the_solver() {
    let names = ["Shallow", "Quadtree", "TallCells", "Uniform"].map(|name| format!("Solver::{name}"));
    for (file, text) in sources() {
        if HOMES.contains(&file.as_str()) {
            assert!(names.iter().any(|name| text.contains(name)) || text.contains("Self::TallCells"), "{file}");
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            assert!(!names.iter().any(|name| line.contains(name)), "{file}:{}: {line}", number + 1);
        }
    }
}

#[test]
fn functions_fit_on_a_screen() {
    let mut long = Vec::new();
    for (file, text) in sources() {
        let lines: Vec<&str> = text.lines().collect();
        for (first, line) in lines.iter().enumerate() {
            let body = line.trim_start();
            let indent = &line[..line.len() - body.len()];
            let rest = ["pub(crate) ", "pub(super) ", "pub ", "const ", ""].iter().find_map(|p| body.strip_prefix(p));
            let Some(name) = rest.and_then(|rest| rest.strip_prefix("fn ")) else { continue };
            let end = lines[first..].iter().position(|line| *line == format!("{indent}}}"));
            let length = end.map_or(0, |end| end + 1);
            if length > LONGEST && !line.trim_end().ends_with(';') {
                let name: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                long.push((name, format!("{file}:{} has {length} lines", first + 1)));
            }
        }
    }
    long.sort();
    let names: Vec<&str> = long.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, LONG, "{long:#?}");
}
