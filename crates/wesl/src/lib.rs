//! Build-time linking of WESL shader modules into plain WGSL.
//!
//! A crate with kernels calls [`link_kernels`] from its `build.rs`. Every `.wesl` file under `src/` that
//! has a compute entry point is linked with what it imports and written to `$OUT_DIR/<file name>.wgsl`,
//! ready for `include_str!`. Imports come from two places:
//!
//! - `package::friction::rules::…` is the file `src/friction/rules.wesl` of the same crate;
//! - `thalweg::index::…` is one of the shared modules of this crate's `modules/` folder.
//!
//! A long kernel may be several files: `rows.sweeps.wesl` is a part of `rows.wesl` beside it, and the two are one module. Parts share the
//! module's bindings, which imports cannot: the linker renames what a module imports. What several modules need of the bindings they share is a
//! fragment, `map.fragment.wesl`, which a line `// fragment: tree/map.fragment.wesl` (from `src/`) of each of them takes in.
//!
//! WESL was chosen over pasted text because it scopes names, strips what is unused and is where the
//! Rust graphics ecosystem (Bevy) went; the linked text is plain WGSL and is what ships and is tested.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use wesl::syntax::{ModulePath, PathOrigin};
use wesl::{ResolveError, Resolver, Wesl};

/// The shared modules, importable by every kernel as `thalweg::<name>::…`.
const SHARED: &[(&str, &str)] = &[
    ("columns", include_str!("../modules/columns.wesl")),
    ("index", include_str!("../modules/index.wesl")),
    ("random", include_str!("../modules/random.wesl")),
    ("rounding", include_str!("../modules/rounding.wesl")),
    ("samples", include_str!("../modules/samples.wesl")),
    ("shapes", include_str!("../modules/shapes.wesl")),
];

/// Links every kernel under `src/` of the crate that is being built. Call it from `build.rs`.
///
/// # Panics
/// On a shader that does not link: a build script's way to report an error.
pub fn link_kernels() {
    let source = PathBuf::from(var("CARGO_MANIFEST_DIR")).join("src");
    let out = PathBuf::from(var("OUT_DIR"));
    println!("cargo::rerun-if-changed=src");
    for file in wesl_files(&source) {
        let text = module_text(&source, &file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        if !text.contains("@compute") {
            continue; // a module that kernels import
        }
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let linked = link(&source, &file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let target = out.join(format!("{stem}.wgsl"));
        std::fs::write(&target, linked).unwrap_or_else(|e| panic!("{}: {e}", target.display()));
    }
}

/// Links one kernel file of the crate whose sources are under `source` and returns plain WGSL.
pub fn link(source: &Path, file: &Path) -> Result<String, String> {
    let relative = file.strip_prefix(source).map_err(|e| e.to_string())?.with_extension("");
    let components = relative.iter().map(|c| c.to_string_lossy().into_owned()).collect();
    let root = ModulePath { origin: PathOrigin::Absolute, components };
    let modules = Modules { source: source.to_path_buf() };
    let mut compiler = Wesl::new(source).set_custom_resolver(modules);
    compiler.set_options(wesl::CompileOptions { validate: false, ..Default::default() });
    compiler.compile(&root).map(|linked| linked.to_string()).map_err(|e| e.to_string())
}

/// The text of a module: its file, the fragments that it names, then its parts, sorted.
fn module_text(source: &Path, file: &Path) -> std::io::Result<String> {
    let mut text = std::fs::read_to_string(file)?;
    let fragments: Vec<PathBuf> = text
        .lines()
        .filter_map(|line| line.strip_prefix("// fragment: "))
        .map(|name| source.join(name.trim()))
        .collect();
    for fragment in fragments {
        text.push_str(&std::fs::read_to_string(fragment)?);
    }
    let stem = file.file_stem().unwrap_or_default();
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut parts: Vec<PathBuf> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    parts.retain(|path| is_wesl(path) && part_of(path).as_deref() == stem.to_str());
    parts.sort();
    for part in parts {
        text.push_str(&std::fs::read_to_string(part)?);
    }
    Ok(text)
}

fn is_wesl(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "wesl")
}

/// The stem of the module that a file is a part of: `rows` of `rows.sweeps.wesl`.
fn part_of(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_str()?.split_once('.')?.0.to_string())
}

/// Every module below `folder`, parts left out, sorted, so that builds and tests see one order.
pub fn wesl_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if is_wesl(&path) && part_of(&path).is_none() {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Finds modules: the crate's own files and the shared table.
struct Modules {
    source: PathBuf,
}

impl Resolver for Modules {
    fn resolve_source<'a>(&'a self, path: &ModulePath) -> Result<Cow<'a, str>, ResolveError> {
        let missing = |what: String| ResolveError::ModuleNotFound(path.clone(), what);
        match &path.origin {
            PathOrigin::Package(package) if package == "thalweg" => {
                let name = path.components.join("::");
                let found = SHARED.iter().find(|(n, _)| *n == name);
                found.map(|(_, text)| Cow::Borrowed(*text)).ok_or_else(|| missing("no such shared module".into()))
            }
            PathOrigin::Absolute => {
                let mut file = self.source.clone();
                file.extend(&path.components);
                file.set_extension("wesl");
                module_text(&self.source, &file).map(Cow::Owned).map_err(|e| missing(e.to_string()))
            }
            _ => Err(missing("imports start with `package::` or `thalweg::`".into())),
        }
    }
}

fn var(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is set by cargo for build scripts"))
}
