//! Rules of the house that a compiler does not know.

use std::path::{Path, PathBuf};

/// The home of the solvers' names, and the one place that builds what they name.
const HOMES: [&str; 2] = ["scene/src/water.rs", "thalweg/src/methods/mod.rs"];

/// Lines that a function may have.
const LONGEST: usize = 90;

/// The folder of all crates.
fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every Rust file of the crates' sources, tests beside the code included, by its path from the folder of the crates.
fn sources() -> Vec<(String, String)> {
    let crates = crates();
    let files = files_in(std::fs::read_dir(&crates).unwrap().map(|e| e.unwrap().path().join("src")).collect(), &crates);
    assert!(files.len() > 300, "only {} sources were found", files.len());
    files
}

/// Every Rust file in folders, by its path from another one.
fn files_in(mut folders: Vec<PathBuf>, root: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                files.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files
}

/// What a solver can do is asked of its abilities. Whoever matches on its name instead has to be changed for every new
/// method.
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
    let root = crates().parent().unwrap().to_owned();
    let files = files_in(["crates", "labs", "validation"].map(|folder| root.join(folder)).into(), &root);
    assert!(files.len() > 400, "only {} files were found", files.len());
    let mut long = Vec::new();
    for (file, text) in files {
        let lines: Vec<&str> = text.lines().collect();
        for (first, line) in lines.iter().enumerate() {
            let body = line.trim_start();
            let indent = &line[..line.len() - body.len()];
            let rest = ["pub(crate) ", "pub(super) ", "pub ", "const ", ""].iter().find_map(|p| body.strip_prefix(p));
            let Some(name) = rest.and_then(|rest| rest.strip_prefix("fn ")) else { continue };
            let end = lines[first..].iter().position(|line| *line == format!("{indent}}}"));
            let length = end.map_or(0, |end| end + 1);
            if length > LONGEST && !line.trim_end().ends_with(';') {
                if name.starts_with('$') {
                    continue; // of a macro
                }
                long.push(format!("{file}:{} has {length} lines", first + 1));
            }
        }
    }
    assert!(long.is_empty(), "at most {LONGEST} lines: {long:#?}");
}

/// Crates that could run in a browser, but for what [`OUTSIDE`] lists.
const PORTABLE: [&str; 13] = [
    "bodies",
    "columns",
    "compute",
    "model",
    "pressure",
    "render",
    "scene",
    "shallow",
    "solids",
    "tall",
    "thalweg",
    "waves",
    "whitewater",
];

/// Files of these crates that name what a browser does not have: threads, files and a clock, and waiting for a promise.
/// The list may only become shorter. The outputs of runs are a feature, and shader checks are for tests.
const OUTSIDE: [(&str, &str); 12] = [
    ("compute/src/gpu/adapter.rs", "block_on"),
    ("compute/src/gpu/mod.rs", "block_on"),
    ("compute/src/gpu/pipelines.rs", "block_on"),
    ("compute/src/gpu/readback.rs", "block_on"),
    ("compute/src/gpu/readback.rs", "std::thread"),
    ("compute/src/gpu/recording.rs", "block_on"),
    ("compute/src/stopwatch.rs", "Instant"),
    ("scene/src/files.rs", "std::fs"),
    ("scene/src/heightmap/streamed/pyramid_file.rs", "std::fs"),
    ("scene/src/heightmap/streamed/raster.rs", "std::fs"),
    ("scene/src/heightmap/streamed/survey.rs", "std::thread"),
    ("scene/src/heightmap/streamed/tiff_blocks.rs", "std::fs"),
];

/// The lines of a file without the tests at its end.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let lines: Vec<&str> = text.lines().collect();
    let tests = lines.windows(2).position(|pair| pair[0] == "#[cfg(test)]" && pair[1].ends_with('{'));
    text.lines().take(tests.unwrap_or(lines.len()))
}

#[test]
fn what_a_browser_does_not_have_is_at_the_edge() {
    let mut found = Vec::new();
    for (file, text) in sources() {
        let is_portable = PORTABLE.iter().any(|name| file.starts_with(&format!("{name}/")));
        let is_for_tests = file.contains("/tests") || file.contains("testing") || file.ends_with("shader_check.rs");
        if !is_portable || is_for_tests || file.starts_with("thalweg/src/outputs/") {
            continue;
        }
        for what in ["Instant", "SystemTime", "block_on", "std::fs", "std::thread"] {
            let is_named = |line: &&str| !line.trim_start().starts_with("//") && line.contains(what);
            if code(&text).any(|line| is_named(&line)) {
                found.push((file.clone(), what));
            }
        }
    }
    found.sort();
    let found: Vec<(&str, &str)> = found.iter().map(|(file, what)| (file.as_str(), *what)).collect();
    assert_eq!(found, OUTSIDE);
}

/// Places that wait for an executor, by file, and why. Nothing else in these crates does: what is read is a `Later` or
/// `Shared`. The list may only become shorter.
const WAITING: [(&str, usize, &str); 22] = [
    ("pressure/src/device/solver.rs", 1, "the report of a solve, for tests and benchmarks"),
    ("render/src/renderer.rs", 1, "`Renderer::draw`, for callers that have nothing else to do"),
    ("shallow/src/solver.rs", 2, "how the last frame has ended, and the ledger that was read before it"),
    ("shallow/src/tree/grow.rs", 2, "the host fills the tiles that kernels ask for, before the first frame"),
    ("shallow/src/tree/ledger.rs", 1, "the ledger that was read before the last frame"),
    ("shallow/src/tree/set_topology.rs", 4, "the host is asked what tiles shall want, in tests"),
    ("shallow/src/tree/waiting.rs", 7, "reads for callers that have nothing else to do"),
    ("shallow/src/tree/water.rs", 2, "how the last frame has ended, and tiles that have come back"),
    ("shallow/src/waiting.rs", 6, "reads for callers that have nothing else to do"),
    ("tall/src/solver/begin.rs", 4, "columns are laid around solids that kernels have found, before the first step"),
    ("tall/src/solver/stages/given_velocities.rs", 1, "the host samples a flow on the columns as they are"),
    ("tall/src/water/change_solids.rs", 4, "water among other solids begins anew: it goes through the host"),
    ("tall/src/water/mod.rs", 2, "the level and the volume of the water at the start"),
    ("tall/src/water/more_cells.rs", 1, "columns of another length are laid on the host"),
    ("tall/src/water/observation.rs", 2, "the look at the water of one plan ago; of the first plan its own"),
    ("tall/src/water/waiting.rs", 14, "reads for callers that have nothing else to do"),
    ("thalweg/src/bodies/floating.rs", 1, "bodies move on the host, by what the water did to them in the last step"),
    ("thalweg/src/methods/quadtree/mod.rs", 1, "`TreeScene::levels`, for callers that have nothing else to do"),
    (
        "thalweg/src/painter.rs",
        6,
        "`Painter::draw`, clicks, cuts in the colours of what they hold, the first height field",
    ),
    ("thalweg/src/session/mod.rs", 2, "`Session::begin` and `save`, for callers that have nothing else to do"),
    ("thalweg/src/simulation.rs", 10, "the same, on a machine that can wait"),
    ("whitewater/src/waiting.rs", 3, "reads for callers that have nothing else to do"),
];

/// A text without what is given to calls that begin like this, up to the bracket that closes them.
fn without_calls(text: &str, begin: &str) -> String {
    let mut parts = text.split(begin);
    let mut left = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut open = 1;
        let end = part.find(|c| {
            open += i32::from(c == '(') - i32::from(c == ')');
            open == 0
        });
        left.push_str(&part[end.unwrap_or(part.len())..]);
    }
    left
}

#[test]
fn nobody_waits_but_who_is_known() {
    let mut found = Vec::new();
    for (file, text) in sources() {
        let is_portable = PORTABLE.iter().chain(&["ledger"]).any(|name| file.starts_with(&format!("{name}/")));
        let is_for_tests = ["/tests", "testing", "parity", "compute/src/"].iter().any(|part| file.contains(part));
        if !is_portable || is_for_tests || file.starts_with("thalweg/src/outputs/") {
            continue;
        }
        let lines: Vec<&str> = code(&text).filter(|line| !line.trim_start().starts_with("//")).collect();
        // What is in a future is done by whoever waits for that.
        let own =
            ["Later::new(", "Shared::new("].iter().fold(lines.join("\n"), |text, call| without_calls(&text, call));
        let count = [".wait()", "exec.read(", "Later::wait", "Readback::wait"].map(|what| own.matches(what).count());
        found.push((file, count.iter().sum::<usize>()));
    }
    found.retain(|(_, count)| *count > 0);
    found.sort();
    let found: Vec<(&str, usize)> = found.iter().map(|(file, count)| (file.as_str(), *count)).collect();
    assert_eq!(found, WAITING.map(|(file, count, _)| (file, count)));
}

#[test]
fn calls_are_left_out_with_what_is_given_to_them() {
    let text = "a(new(move || { b.wait(); (c) }), d.wait())";
    assert_eq!(without_calls(text, "new("), "a(), d.wait())");
    assert_eq!(without_calls("no call", "new("), "no call");
}
