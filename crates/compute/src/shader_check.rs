//! WGSL held to Rust, without a GPU: every shader parses, validates, and agrees with its kernel's
//! declaration on entry point, workgroup size, buffers and the layout of the parameters.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use naga::valid::{Capabilities, ValidationFlags, Validator};

use crate::kernel::{Access, KernelInfo};

/// Storage buffers that every device lets a kernel bind.
const MAX_BUFFERS: usize = 8;

/// Checks a crate's kernels and that none is missing: every entry point of every `.wesl` file below `src`
/// must be that of a kernel in the list. File names and kernel names must be unique, for linked files and
/// compiled pipelines are found by them.
///
/// The one test that a crate with kernels needs:
///
/// ```no_run
/// # let kernels = thalweg_compute::kernels();
/// let src = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
/// thalweg_compute::shader_check::check_crate(src, &kernels).unwrap_or_else(|e| panic!("{e}"));
/// ```
pub fn check_crate(src: impl AsRef<Path>, kernels: &[KernelInfo]) -> Result<(), String> {
    let mut names = HashSet::new();
    for kernel in kernels {
        check(kernel)?;
        if !names.insert(kernel.name) {
            return Err(format!("two kernels are named `{}`", kernel.name));
        }
    }
    let mut stems = HashSet::new();
    let mut found = false;
    for file in wesl_files(src.as_ref())? {
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let entries = entry_points(&text);
        if !entries.is_empty() && !stems.insert(file.file_stem().map(ToOwned::to_owned)) {
            return Err(format!("{}: another kernel file has this name", file.display()));
        }
        for entry in entries {
            found = true;
            let linked = |k: &&KernelInfo| k.entry == entry && entry_points(k.wgsl).contains(&entry);
            if kernels.iter().find(linked).is_none() {
                return Err(format!("{}: no kernel of the list has the entry point `{entry}`", file.display()));
            }
        }
    }
    if !found {
        return Err(format!("{}: no kernel files there", src.as_ref().display()));
    }
    Ok(())
}

/// Names of the functions that are marked `@compute`.
fn entry_points(wgsl: &str) -> Vec<String> {
    let code: String = wgsl.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let name = |after: &str| {
        let (_, function) = after.split_once("fn ")?;
        function.split_once('(').map(|(name, _)| name.trim().to_string())
    };
    code.split("@compute").skip(1).filter_map(name).collect()
}

fn wesl_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            files.extend(wesl_files(&path)?);
        } else if path.extension().is_some_and(|e| e == "wesl") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Checks one kernel. The error says what is wrong.
pub fn check(kernel: &KernelInfo) -> Result<(), String> {
    let fail = |what: String| format!("kernel `{}`: {what}", kernel.name);
    if kernel.bindings.len() > MAX_BUFFERS {
        let bound = kernel.bindings.len();
        return Err(fail(format!("it binds {bound} buffers, and not every device allows more than {MAX_BUFFERS}")));
    }
    let invalid = |span: Option<naga::Span>, message: String| {
        let origin = span.and_then(|span| origin(kernel.wgsl, span.to_range()?.start));
        fail(format!("{}\n{message}", origin.unwrap_or_default()))
    };
    let module = naga::front::wgsl::parse_str(kernel.wgsl).map_err(|e| {
        let span = e.labels().map(|(span, _)| span).find(naga::Span::is_defined);
        invalid(span, e.emit_to_string(kernel.wgsl))
    })?;
    let validated = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
    let info = validated.map_err(|e| {
        let span = e.spans().map(|(span, _)| *span).find(naga::Span::is_defined);
        invalid(span, e.emit_to_string(kernel.wgsl))
    })?;
    let entry = module.entry_points.iter().position(|e| e.name == kernel.entry);
    let entry = entry.ok_or_else(|| fail(format!("no entry point `{}`", kernel.entry)))?;
    if module.entry_points[entry].workgroup_size != kernel.workgroup {
        let found = module.entry_points[entry].workgroup_size;
        return Err(fail(format!("workgroup {found:?} in WGSL, {:?} in Rust", kernel.workgroup)));
    }
    let used = info.get_entry_point(entry);
    let mut seen = 0;
    for (handle, var) in module.global_variables.iter() {
        let Some(binding) = &var.binding else { continue };
        if used[handle].is_empty() {
            continue; // another entry point of the file uses it
        }
        seen += 1;
        let name = var.name.as_deref().unwrap_or("?");
        if binding.group != 0 {
            return Err(fail(format!("`{name}` is in group {}, kernels use group 0", binding.group)));
        }
        match binding.binding {
            0 => check_params(&module, var, kernel).map_err(fail)?,
            n => check_buffer(&module, var, kernel, n as usize - 1).map_err(fail)?,
        }
    }
    // A buffer that this entry point leaves alone is fine where the file declares it for another one.
    let declared = |n: usize, name: &str| {
        let here = |v: &naga::GlobalVariable| v.binding.as_ref().is_some_and(|b| b.binding as usize == n + 1);
        module.global_variables.iter().any(|(_, v)| here(v) && v.name.as_deref() == Some(name))
    };
    if !kernel.bindings.iter().enumerate().all(|(n, b)| declared(n, b.name)) {
        return Err(fail(format!("WGSL uses {seen} bindings, Rust declares {}", kernel.bindings.len() + 1)));
    }
    Ok(())
}

/// File and line of byte `at` of linked WGSL: every declaration stands below the place that it is from,
/// `// src/hllc/hllc.wesl:12`.
fn origin(wgsl: &str, at: usize) -> Option<String> {
    let place = |text: &str| {
        let (file, line) = text.strip_prefix("// ")?.split_once(':')?;
        let is_source = file.ends_with(".wesl") || file.ends_with(".rs"); // constants are from Rust
        Some((file.to_string(), line.parse::<usize>().ok().filter(|_| is_source)?))
    };
    let upwards = wgsl[..at].split('\n').rev().enumerate();
    let mut places =
        upwards.filter_map(|(below, text)| place(text).map(|(file, line)| format!("{file}:{}", line + below - 1)));
    places.next()
}

fn check_params(module: &naga::Module, var: &naga::GlobalVariable, kernel: &KernelInfo) -> Result<(), String> {
    if var.space != naga::AddressSpace::Uniform {
        return Err("binding 0 is not a uniform block".into());
    }
    let naga::TypeInner::Struct { members, span } = &module.types[var.ty].inner else {
        return Err("the uniform block is not a struct".into());
    };
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).map_err(|e| e.to_string())?;
    if members.len() != kernel.params.len() {
        return Err(format!("parameters: {} members in WGSL, {} in Rust", members.len(), kernel.params.len()));
    }
    for (wgsl, rust) in members.iter().zip(kernel.params) {
        let name = wgsl.name.as_deref().unwrap_or("?");
        let size = layouter[wgsl.ty].size as usize;
        if name != rust.name || wgsl.offset as usize != rust.offset || size != rust.size {
            return Err(format!(
                "parameter `{name}` at {} of {size} bytes in WGSL, `{}` at {} of {} bytes in Rust",
                wgsl.offset, rust.name, rust.offset, rust.size
            ));
        }
    }
    if *span as usize != kernel.params_size {
        return Err(format!("parameters take {span} bytes in WGSL, {} in Rust", kernel.params_size));
    }
    Ok(())
}

fn check_buffer(
    module: &naga::Module,
    var: &naga::GlobalVariable,
    kernel: &KernelInfo,
    index: usize,
) -> Result<(), String> {
    let name = var.name.as_deref().unwrap_or("?");
    let Some(rust) = kernel.bindings.get(index) else {
        return Err(format!("`{name}` at binding {} is not declared in Rust", index + 1));
    };
    let access = match var.space {
        naga::AddressSpace::Storage { access } if access.contains(naga::StorageAccess::STORE) => Access::Write,
        naga::AddressSpace::Storage { .. } => Access::Read,
        _ => return Err(format!("`{name}` is not a storage buffer")),
    };
    let naga::TypeInner::Array { stride, .. } = module.types[var.ty].inner else {
        return Err(format!("`{name}` is not an array"));
    };
    if name != rust.name || access != rust.access || stride as usize != rust.stride {
        return Err(format!(
            "`{name}` ({access:?}, {stride} bytes an element) in WGSL, `{}` ({:?}, {} bytes) in Rust",
            rust.name, rust.access, rust.stride
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{check, check_crate};
    use crate::parity::check_compared;

    const SRC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

    #[test]
    fn every_shader_of_this_crate_agrees_with_rust() {
        check_crate(SRC, &crate::kernels()).unwrap_or_else(|e| panic!("{e}"));
    }

    #[test]
    fn every_kernel_of_this_crate_is_compared() {
        check_compared(&crate::kernels(), &crate::parity_cases()).unwrap_or_else(|e| panic!("{e}"));
    }

    #[test]
    fn kernels_missing_from_the_list_are_found() {
        for missing in 0..crate::kernels().len() {
            let mut kernels = crate::kernels();
            let gone = kernels.remove(missing);
            let covered = kernels.iter().any(|k| k.entry == gone.entry); // two kernels may share an entry point
            let checked = check_crate(SRC, &kernels);
            assert_eq!(checked.is_ok(), covered, "{}: {checked:?}", gone.name);
            assert!(covered || checked.unwrap_err().contains(gone.entry));
        }
        let mut twice = crate::kernels();
        twice.push(twice[0]);
        assert!(check_crate(SRC, &twice).unwrap_err().contains("two kernels"));
        assert!(check_crate(concat!(env!("CARGO_MANIFEST_DIR"), "/nowhere"), &crate::kernels()).is_err());
    }

    /// The check can fail: each kind of disagreement is put into a shader and must be found.
    #[test]
    fn disagreements_are_found() {
        let good = <crate::primitives::Fill<'_> as crate::Kernel>::INFO;
        let mut renamed = good;
        renamed.entry = "elsewhere";
        assert!(check(&renamed).unwrap_err().contains("entry point"));
        let mut resized = good;
        resized.workgroup = [64, 1, 1];
        assert!(check(&resized).unwrap_err().contains("workgroup"));
        let mut short = good;
        short.params_size += 4;
        assert!(check(&short).unwrap_err().contains("bytes in WGSL"));
        let mut unbound = good;
        unbound.bindings = &[];
        assert!(check(&unbound).is_err());
        let mut greedy = good;
        greedy.bindings = vec![good.bindings[0]; 9].leak();
        assert!(check(&greedy).unwrap_err().contains("binds 9 buffers"));
        let mut broken = good;
        broken.wgsl = "fn fill( {";
        assert!(check(&broken).is_err());
    }

    #[test]
    fn errors_name_the_line_of_the_file() {
        let mut broken = <crate::primitives::Fill<'_> as crate::Kernel>::INFO;
        broken.wgsl = "// src/a.wesl:3\nconst A: u32 = 1u;\n\n// src/a/b.wesl:7\nfn b() -> u32 {\n    // c\n    return A + c;\n}\n";
        let unknown = check(&broken).unwrap_err();
        assert!(unknown.starts_with("kernel `compute.fill`: src/a/b.wesl:9\n"), "{unknown}");
        broken.wgsl = "// src/a.wesl:3\nfn a() -> u32 {\n    return 1.5;\n}\n";
        let mistyped = check(&broken).unwrap_err();
        assert!(mistyped.starts_with("kernel `compute.fill`: src/a.wesl:4\n"), "{mistyped}");
    }
}
