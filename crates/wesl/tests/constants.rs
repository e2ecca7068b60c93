//! No constant is written in Rust and in WESL: [`thalweg_wesl::constants!`] gives it one home. What is left from
//! before is counted, and may only fall.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Crates whose constants have one home each.
const DONE: &[&str] =
    &["columns", "compute", "particles", "pressure", "shallow", "solids", "waves", "whitewater", "../labs/pressure"];
/// How many constants of all others are in Rust and in WESL by the same name, `DT` or `CLOCK_DT` for `clock::DT`. It
/// may only fall.
const LEFT: usize = 16;

#[test]
fn constants_have_one_home() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut twice = Vec::new();
    let labs = folders(&crates.join("../labs")).into_iter().map(|name| format!("../labs/{name}"));
    for name in folders(&crates).into_iter().chain(labs) {
        let source = crates.join(&name).join("src");
        let (rust, wesl) = (texts(&source, "rs"), texts(&source, "wesl"));
        let of_rust: HashSet<String> = rust.iter().flat_map(|(_, text)| rust_constants(text)).collect();
        let shared = |name: &&str| of_rust.contains(*name);
        let place = |file: &Path, constant: &str| {
            format!("{name}/{}: {constant}", file.strip_prefix(&source).unwrap_or(file).display())
        };
        let found = wesl.iter().flat_map(|(file, text)| wesl_constants(text).filter(shared).map(|c| place(file, c)));
        let found: Vec<String> = found.collect();
        assert!(
            found.is_empty() || !DONE.contains(&&*name),
            "WESL declares constants of Rust again:\n{}",
            found.join("\n")
        );
        twice.extend(found);
    }
    println!("{} constants are written twice", twice.len());
    assert!(
        twice.len() <= LEFT,
        "{} constants are written twice, at most {LEFT} may be:\n{}",
        twice.len(),
        twice.join("\n")
    );
}

/// Names of the constants of a Rust file, and with the modules before them that are in the file: `DT`, `CLOCK_DT`.
fn rust_constants(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut modules: Vec<(usize, String)> = Vec::new();
    for line in text.lines() {
        let code = line.trim_start();
        let depth = line.len() - code.len();
        let item = code.strip_prefix("pub").map_or(code, |rest| rest.trim_start_matches(|c| c != ' ').trim_start());
        if code.starts_with('}') {
            modules.retain(|(at, _)| *at < depth);
        } else if let Some(name) = item.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {")) {
            modules.push((depth, name.to_uppercase()));
        } else if let Some((name, _)) = item.strip_prefix("const ").and_then(|rest| rest.split_once(':')) {
            if let Some((_, module)) = modules.last() {
                found.push(format!("{module}_{name}"));
            }
            found.push(name.to_string());
        }
    }
    found
}

/// Names of the constants that a WESL file declares.
fn wesl_constants(text: &str) -> impl Iterator<Item = &str> {
    let names = text.lines().filter_map(|line| line.strip_prefix("const "));
    names.filter_map(|rest| rest.split([':', '=', ' ']).next())
}

fn folders(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.filter(|e| e.path().join("src").is_dir()).filter_map(|e| e.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// Files of a kind below a folder, with their texts.
fn texts(folder: &Path, extension: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(texts(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            found.push((path, text));
        }
    }
    found.sort();
    found
}

#[test]
fn constants_are_found() {
    let rust = "const A: u32 = 1;\npub(crate) mod clock {\n    pub const DT: usize = 1;\n}\npub(super) const B: f32 = 0.0;\nfn f() {\n    const C: u32 = 1;\n}\n";
    assert_eq!(rust_constants(rust), ["A", "CLOCK_DT", "DT", "B", "C"]);
    assert_eq!(wesl_constants("const A: u32 = 1u;\nfn f() { }\nconst B = 2;\n").collect::<Vec<_>>(), ["A", "B"]);
}
