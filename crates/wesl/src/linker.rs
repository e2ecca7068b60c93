//! Modules into one text: what the entry points of the first one use, under names that do not clash.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use crate::error::{LinkError, line};
use crate::module::{File, Module};

/// An item: the place of its module, and its own there.
type ItemId = (usize, usize);

/// The entry points of the module `root` with all that they use, as plain WGSL. `files` finds the files of a module by
/// its path.
///
/// Items of `root` keep their names; those of other modules are called after both: `package::clock::layout::DT` is
/// `clock_layout_DT`, `columns::grid::place` is `columns_grid_place`.
pub(crate) fn link(root: &str, files: impl Fn(&str) -> Result<Vec<File>, String>) -> Result<String, LinkError> {
    let linker = Linker::load(root, files)?;
    let used = linker.used();
    let names = linker.new_names(&used);
    linker.write(&used, &names)
}

struct Linker {
    /// The first one is the root.
    modules: Vec<Module>,
    /// Their paths, in the same order.
    paths: Vec<String>,
    /// What the names of each module stand for.
    scopes: Vec<HashMap<String, ItemId>>,
}

impl Linker {
    /// Reads a module and all that it and they import.
    fn load(root: &str, files: impl Fn(&str) -> Result<Vec<File>, String>) -> Result<Self, LinkError> {
        let missing = |message| LinkError { file: root.into(), line: 1, message };
        let mut modules = vec![Module::read(files(root).map_err(missing)?)?];
        let mut paths = vec![root.to_string()];
        let mut at = 0;
        while at < modules.len() {
            // `package` of a module is the crate that the module is from.
            let own = paths[at].split("::").next().unwrap_or_default().to_string();
            for import in &mut modules[at].imports {
                if let Some(path) = import.module.strip_prefix("package::") {
                    import.module = format!("{own}::{path}");
                }
            }
            for index in 0..modules[at].imports.len() {
                let import = &modules[at].imports[index];
                if !paths.contains(&import.module) {
                    let found = files(&import.module).map_err(|e| modules[at].error(import.file, import.at, e))?;
                    paths.push(import.module.clone());
                    modules.push(Module::read(found)?);
                }
            }
            at += 1;
        }
        let scopes = modules.iter().enumerate().map(|(at, module)| scope(at, module, &modules, &paths));
        let scopes = scopes.collect::<Result<_, _>>()?;
        Ok(Self { modules, paths, scopes })
    }

    /// What the entry points need, the entry points first.
    fn used(&self) -> Vec<ItemId> {
        let entries = self.modules[0].items.iter().enumerate().filter(|(_, item)| item.is_entry);
        let mut used: Vec<ItemId> = entries.map(|(index, _)| (0, index)).collect();
        let mut seen: HashSet<ItemId> = used.iter().copied().collect();
        let mut at = 0;
        while at < used.len() {
            let (module, index) = used[at];
            let item = &self.modules[module].items[index];
            let text = &self.modules[module].files[item.file].text;
            let reached = item.uses.iter().filter_map(|span| self.scopes[module].get(&text[span.clone()]));
            used.extend(reached.filter(|id| seen.insert(**id)));
            at += 1;
        }
        used
    }

    /// Names of what comes from other modules: no word of any module, so that no local name hides them.
    fn new_names(&self, used: &[ItemId]) -> HashMap<ItemId, String> {
        let mut taken: HashSet<String> = self.modules.iter().flat_map(|module| module.words.iter().cloned()).collect();
        let mut names = HashMap::new();
        for &(module, index) in used {
            let own = &self.modules[module].items[index].name;
            if module == 0 {
                names.insert((module, index), own.clone());
                continue;
            }
            let path: Vec<&str> = self.paths[module].split("::").collect();
            let path = path[usize::from(matches!(path[0], "package" | "thalweg"))..].join("_");
            let mut name = format!("{path}_{own}");
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            names.insert((module, index), name);
        }
        names
    }

    /// What is used, by module and in the order of their files, each below the place that it is from.
    fn write(&self, used: &[ItemId], names: &HashMap<ItemId, String>) -> Result<String, LinkError> {
        let mut order = used.to_vec();
        order.sort_unstable();
        let mut out = String::new();
        for (module, index) in order {
            let Module { files, items, .. } = &self.modules[module];
            let item = &items[index];
            let File { name, text } = &files[item.file];
            let mut written = item.span.start;
            if !out.is_empty() {
                out += "\n";
            }
            let _ = writeln!(out, "// {name}:{}", line(text, written)); // a string takes everything
            for span in &item.uses {
                let word = &text[span.clone()];
                if let Some(id) = self.scopes[module].get(word) {
                    out += &text[written..span.start];
                    out += &names[id];
                    written = span.end;
                } else if module != 0 && self.hidden(word, used) {
                    let message =
                        format!("`{word}` is WGSL's own, but `{}` has an item of that name: rename it", self.paths[0]);
                    return Err(LinkError::new(name, text, span.start, message));
                }
            }
            out += &text[written..item.span.end];
            out += "\n";
        }
        Ok(out)
    }

    /// Whether the root declares `word`, which another module takes from the language.
    fn hidden(&self, word: &str, used: &[ItemId]) -> bool {
        used.iter().any(|&(module, index)| module == 0 && self.modules[0].items[index].name == word)
    }
}

/// What the names of a module stand for.
fn scope(
    at: usize,
    module: &Module,
    modules: &[Module],
    paths: &[String],
) -> Result<HashMap<String, ItemId>, LinkError> {
    let own = module.items.iter().enumerate().map(|(index, item)| (item.name.clone(), (at, index)));
    let mut scope: HashMap<String, ItemId> = own.collect();
    for import in &module.imports {
        let from = paths.iter().position(|path| *path == import.module);
        let index = |from: usize| modules[from].items.iter().position(|item| item.name == import.item);
        let Some(id) = from.and_then(|from| index(from).map(|index| (from, index))) else {
            let message = format!("`{}` has no item `{}`", import.module, import.item);
            return Err(module.error(import.file, import.at, message));
        };
        scope.insert(import.alias.clone(), id);
    }
    Ok(scope)
}
