//! Build-time linking of shader modules into plain WGSL.
//!
//! A crate with kernels calls [`link_kernels`] from its `build.rs`. Every `.wesl` file under `src/` that
//! has a compute entry point is linked with what it imports and written to `$OUT_DIR/<file name>.wgsl`,
//! ready for `include_str!`. Imports come from three places:
//!
//! - `import package::friction::rules::{slowed, DRY};` is from the file `src/friction/rules.wesl` of the same crate;
//! - `import columns::grid::is_tall;` is from the file `src/grid.wesl` of the crate `thalweg-columns`, if that is a
//!   dependency of the crate that is built and shares its modules ([`share_modules`]);
//! - `import thalweg::index::WORKGROUP;` is from one of the shared modules of this crate's `modules/` folder.
//!
//! A constant that Rust needs too has its home there: [`constants!`] lets kernels import it as from a `.wesl` file.
//!
//! A long kernel may be several files: `rows.sweeps.wesl` is a part of `rows.wesl` beside it, and the two are one
//! module. Parts share the module's bindings, which imports cannot: the linker renames what a module imports. What
//! several modules need of the bindings they share is a fragment, `map.fragment.wesl`, which a line `// fragment:
//! tree/map.fragment.wesl` (from `src/`) of each of them takes in, or `// fragment: ledger::transfer.fragment.wesl` if
//! another crate has it: that fragment imports what it needs by the name of its crate, `ledger::word::WATER`. Files of
//! one module may import the same item.
//!
//! What is linked is plain WGSL: the declarations that an entry point uses, word for word, each below a line that says
//! where it is from. It is what ships and is tested, and where compilers count lines.
//!
//! Files are WESL, the dialect of WGSL with imports, as far as kernels need it: `import`, also with `as`, at the top
//! level of a module. This linker is written by hand for the sake of the build. It knows tokens, brackets and scopes,
//! which is all that moving declarations takes, and depends on nothing; the crate `wesl` parses the whole language and
//! brings a parser generator, 42 crates in all (and 38 more a second time, for build scripts): 78 s of the 1150 s of
//! processor time that the command line took to build, spent before the first crate with kernels could begin.

mod constants;
mod error;
mod linker;
mod module;
mod names;
#[cfg(test)]
mod tests;
mod token;

use std::io;
use std::path::{Path, PathBuf};

pub use constants::{ConstantValue, Constants};
pub use error::LinkError;
use module::File;

/// The shared modules, importable by every kernel as `thalweg::<name>::…`.
const SHARED: &[(&str, &str)] = &[
    ("index", include_str!("../modules/index.wesl")),
    ("random", include_str!("../modules/random.wesl")),
    ("rounding", include_str!("../modules/rounding.wesl")),
];

/// Threads of a one-dimensional workgroup. Kernels import it from `thalweg::index`.
pub const WORKGROUP: u32 = 256;

/// Links every kernel under `src/` of the crate that is being built. Call it from `build.rs`.
///
/// # Panics
/// On a shader that does not link: a build script's way to report an error.
pub fn link_kernels() {
    link_kernels_with(&[]);
}

/// [`link_kernels`], where kernels import these constants too: [`constants!`] says how.
///
/// # Panics
/// On a shader that does not link, and on a constant that cannot be written in WESL.
pub fn link_kernels_with(constants: &[Constants]) {
    let source = PathBuf::from(var("CARGO_MANIFEST_DIR")).join("src");
    let out = PathBuf::from(var("OUT_DIR"));
    println!("cargo::rerun-if-changed=src");
    for file in wesl_files(&source) {
        let files = module_files(&source, &file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        if !files.iter().any(|file| file.text.contains("@compute")) {
            continue; // a module that kernels import
        }
        let linked = link(&source, &file, constants).unwrap_or_else(|e| panic!("{e}"));
        let target = out.join(file.file_name().unwrap_or_default()).with_extension("wgsl");
        std::fs::write(&target, linked).unwrap_or_else(|e| panic!("{}: {e}", target.display()));
    }
}

/// Lets kernels of other crates import the modules of the crate that is being built. Call it from `build.rs`.
///
/// `Cargo.toml` needs `links = "thalweg_columns"` for a crate whose modules are imported as `columns::…`. Cargo then
/// tells the build scripts of crates that depend on it directly where its sources are, those of a published crate too.
pub fn share_modules() {
    share_modules_with(&[]);
}

/// [`share_modules`], with these constants: kernels of other crates import `columns::grid::…` from `src/grid.rs` as
/// from `src/grid.wesl`.
///
/// # Panics
/// On a constant that cannot be written in WESL, and if `OUT_DIR` cannot be written to.
pub fn share_modules_with(constants: &[Constants]) {
    let source = PathBuf::from(var("CARGO_MANIFEST_DIR")).join("src");
    let shared = PathBuf::from(var("OUT_DIR")).join("shared_constants");
    for constants in constants {
        constants.write(&source, &shared).unwrap_or_else(|e| panic!("{}: {e}", shared.display()));
    }
    println!("cargo::metadata=wesl_constants={}", shared.display());
    println!("cargo::metadata=wesl={}", PathBuf::from(var("CARGO_MANIFEST_DIR")).join("src").display());
    println!("cargo::rerun-if-changed=src");
}

/// Links one kernel file of the crate whose sources are under `source` and which has these constants. Returns plain
/// WGSL.
pub fn link(source: &Path, file: &Path, constants: &[Constants]) -> Result<String, LinkError> {
    let relative = file.strip_prefix(source).unwrap_or(file).with_extension("");
    let path: Vec<String> = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    linker::link(&format!("package::{}", path.join("::")), |path| {
        let path = &within_package(path, own_name().as_deref());
        match constants.iter().find(|c| c.path() == *path) {
            Some(constants) => Ok(vec![constants.file(source)]),
            None => find(source, path),
        }
    })
}

/// The name by which other crates import modules of the crate that is being built, if it shares them.
fn own_name() -> Option<String> {
    Some(std::env::var("CARGO_MANIFEST_LINKS").ok()?.strip_prefix("thalweg_")?.to_owned())
}

/// A module's path, by `package` if it is of the crate that is being built: its fragments import by the crate's name.
fn within_package(path: &str, own: Option<&str>) -> String {
    match path.split_once("::") {
        Some((name, inner)) if Some(name) == own => format!("package::{inner}"),
        _ => path.to_owned(),
    }
}

/// The files of the module `path`: of the crate, of another one, or a shared one.
fn find(source: &Path, path: &str) -> Result<Vec<File>, String> {
    match path.split_once("::") {
        Some(("package", path)) => files_at(source, path).map_err(|e| format!("no module `package::{path}`: {e}")),
        Some(("thalweg", name)) => {
            let found = SHARED.iter().find(|(n, _)| *n == name).ok_or(format!("no shared module `thalweg::{name}`"));
            let text = found?.1.replace("RUST_WORKGROUP", &WORKGROUP.wesl_value());
            Ok(vec![File { name: format!("thalweg/{name}.wesl"), text }])
        }
        Some((other, path)) => {
            let failed = |e: String| format!("no module `{other}::{path}`: {e}");
            let source = shared_by(other).map_err(failed)?;
            let mut files = match constants_shared_by(other, path) {
                Some(file) => vec![file],
                None => files_at(&source, path).map_err(|e| failed(e.to_string()))?,
            };
            for file in &mut files {
                file.name.insert_str(0, &format!("{other}/"));
            }
            Ok(files)
        }
        None => Err("an import names a module and an item".into()),
    }
}

/// The files of the module `a::b` below the folder `source`.
fn files_at(source: &Path, path: &str) -> io::Result<Vec<File>> {
    let mut file = source.to_path_buf();
    file.extend(path.split("::"));
    file.set_extension("wesl");
    module_files(source, &file)
}

/// Where another crate has its modules: what its build script has said by [`share_modules`].
fn shared_by(name: &str) -> Result<PathBuf, String> {
    let variable = format!("DEP_THALWEG_{}_WESL", name.to_uppercase());
    println!("cargo::rerun-if-env-changed={variable}");
    let folder = std::env::var(&variable);
    let folder = folder.map_err(|_| format!("no dependency of this crate shares modules as `{name}` ({variable})"))?;
    println!("cargo::rerun-if-changed={folder}");
    Ok(folder.into())
}

/// Constants of another crate, if the module `a::b` of it is a file of constants: what its build script has left by
/// [`share_modules_with`].
fn constants_shared_by(name: &str, path: &str) -> Option<File> {
    let folder = std::env::var(format!("DEP_THALWEG_{}_WESL_CONSTANTS", name.to_uppercase())).ok()?;
    Constants::read(Path::new(&folder), path)
}

/// The files of a module: its own, the fragments that it names, then its parts, sorted.
fn module_files(source: &Path, file: &Path) -> io::Result<Vec<File>> {
    let own = read(source, file)?;
    let fragments: Vec<File> =
        fragment_names(&own)?.into_iter().map(|name| fragment(source, name)).collect::<io::Result<_>>()?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut parts: Vec<PathBuf> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    parts.retain(|path| is_wesl(path) && part_of(path) == file.file_stem().and_then(|stem| stem.to_str()));
    parts.sort();
    let parts = parts.iter().map(|path| read(source, path)).collect::<io::Result<Vec<File>>>()?;
    Ok([vec![own], fragments, parts].concat())
}

/// What the lines `// fragment: NAME` of a file name. In the middle of a comment it would be passed over in silence.
fn fragment_names(file: &File) -> io::Result<Vec<&str>> {
    let mut names = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        if let Some(name) = line.strip_prefix("// fragment: ") {
            names.push(name.trim());
        } else if line.starts_with("//") && line.contains(" fragment: ") {
            let fault = "`fragment:` needs a comment line of its own";
            return Err(io::Error::other(format!("{}:{}: {fault}", file.name, number + 1)));
        }
    }
    Ok(names)
}

/// A fragment of this crate, or of another one.
fn fragment(source: &Path, name: &str) -> io::Result<File> {
    match name.split_once("::") {
        None => read(source, &source.join(name)),
        Some((other, name)) => {
            let source = shared_by(other).map_err(io::Error::other)?;
            let mut file = read(&source, &source.join(name))?;
            file.name.insert_str(0, &format!("{other}/"));
            Ok(file)
        }
    }
}

/// A file, named as the crate's folder sees it.
fn read(source: &Path, path: &Path) -> io::Result<File> {
    let text =
        std::fs::read_to_string(path).map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
    let below = path.strip_prefix(source).unwrap_or(path);
    let name: Vec<_> = std::iter::once("src".into()).chain(below.iter().map(|part| part.to_string_lossy())).collect();
    Ok(File { name: name.join("/"), text })
}

fn is_wesl(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "wesl")
}

/// The stem of the module that a file is a part of: `rows` of `rows.sweeps.wesl`.
fn part_of(path: &Path) -> Option<&str> {
    Some(path.file_stem()?.to_str()?.split_once('.')?.0)
}

/// Every module below `folder`, parts left out, sorted, so that builds and tests see one order.
fn wesl_files(folder: &Path) -> Vec<PathBuf> {
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

fn var(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is set by cargo for build scripts"))
}
