//! Where a scene comes from, and what of it is changed.

use std::path::{Path, PathBuf};

use thalweg_scene::{Files, Scene, SceneError, shipped};
use toml::{Table, Value};

/// A scene by its name or place, so that it can be read again.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SceneSource {
    /// One that ships with the program.
    Shipped(String),
    /// A scene file.
    File(PathBuf),
}

/// Settings that need a new start; `None` leaves what the scene says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Overrides {
    /// Edge of a cell, m.
    pub(crate) cell: Option<f64>,
    /// Cubic cells of a column.
    pub(crate) regular_cells: Option<u32>,
    /// Cells of the surface along an edge of a cell, 1 or 2.
    pub(crate) surface: Option<u32>,
}

impl SceneSource {
    /// A scene file if the name looks like one or exists, a shipped scene otherwise.
    pub fn named(name: &str) -> Self {
        let path = Path::new(name);
        let looks_like_file = path.extension().is_some_and(|e| e == "toml") || path.components().count() > 1;
        let is_shipped = shipped().iter().any(|s| s.name == name);
        if looks_like_file || (path.exists() && !is_shipped) {
            Self::File(path.to_owned())
        } else {
            Self::Shipped(name.to_owned())
        }
    }

    /// What to call it.
    pub fn name(&self) -> String {
        match self {
            Self::Shipped(name) => name.clone(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// A name for files: letters, digits and dashes.
    pub(crate) fn stem(&self) -> String {
        let name = match self {
            Self::Shipped(name) => name.clone(),
            Self::File(path) => path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
        };
        let safe: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        if safe.is_empty() { "scene".to_owned() } else { safe }
    }

    /// Reads and checks the scene.
    pub fn load(&self) -> Result<Scene, SceneError> {
        match self {
            Self::Shipped(name) => Scene::shipped(name),
            Self::File(path) => Scene::from_file(path),
        }
    }

    /// Reads the scene with some settings changed; they are checked like those of a file.
    pub(crate) fn load_with(&self, overrides: &Overrides) -> Result<Scene, SceneError> {
        // The plain way first: mistakes of the scene itself are told with their own lines.
        let plain = self.load()?;
        if *overrides == Overrides::default() {
            return Ok(plain);
        }
        match self {
            Self::Shipped(name) => {
                let Some(scene) = shipped().iter().find(|scene| scene.name == name) else { return Ok(plain) };
                Scene::with_files(&changed(scene.text, overrides), &self.title(), &Files::Table(scene.files))
            }
            Self::File(path) => {
                let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                // Gone since: reading it once more tells why.
                let Ok(text) = std::fs::read_to_string(path) else { return self.load() };
                Scene::with_files(&changed(&text, overrides), &self.title(), &Files::Folder(folder))
            }
        }
    }

    fn title(&self) -> String {
        format!("{} with the changed settings", self.name())
    }
}

/// The text of a scene with its settings changed. Text that is no TOML stays as it is, for the scene's own parser to judge.
fn changed(text: &str, overrides: &Overrides) -> String {
    let Ok(mut root) = text.parse::<Table>() else { return text.to_owned() };
    let mut set = |path: &[&str], value: Option<Value>| {
        let (Some(value), [sections @ .., key]) = (value, path) else { return };
        let section = sections.iter().try_fold(&mut root, |table, name| {
            table.entry(*name).or_insert_with(|| Value::Table(Table::new())).as_table_mut()
        });
        if let Some(table) = section {
            table.insert((*key).to_owned(), value);
        }
    };
    set(&["domain", "cell"], overrides.cell.map(Value::Float));
    set(&["water", "tall", "regular_cells"], overrides.regular_cells.map(|n| Value::Integer(n.into())));
    set(&["water", "tall", "surface"], overrides.surface.map(|n| Value::Integer(n.into())));
    root.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_scene_can_be_read_with_coarser_cells() {
        for scene in shipped() {
            let source = SceneSource::Shipped(scene.name.to_owned());
            let plain = source.load().expect("it ships");
            let coarse = Overrides { cell: Some(2.0 * plain.grid.cell), ..Default::default() };
            match source.load_with(&coarse) {
                Ok(coarse) => assert!(coarse.grid.cells() < plain.grid.cells(), "{}", scene.name),
                // A size that is no multiple of the new cell is told, with what to do.
                Err(error) => assert!(error.to_string().contains("multiple"), "{}: {error}", scene.name),
            }
        }
    }

    #[test]
    fn settings_of_the_tall_cells_arrive_and_nonsense_is_refused() {
        let source = SceneSource::named("column-2d");
        let overrides = Overrides { regular_cells: Some(77), surface: Some(2), cell: None };
        let scene = source.load_with(&overrides).expect("a good scene");
        assert_eq!((scene.water.tall.regular_cells, scene.water.tall.surface), (77, 2));
        let error = source.load_with(&Overrides { surface: Some(9), ..Default::default() }).expect_err("only 1 and 2");
        assert!(error.to_string().contains("surface"), "{error}");
    }

    #[test]
    fn a_name_is_a_file_if_it_looks_like_one() {
        assert_eq!(SceneSource::named("tank"), SceneSource::Shipped("tank".into()));
        assert_eq!(SceneSource::named("my/tank.toml"), SceneSource::File("my/tank.toml".into()));
        assert_eq!(SceneSource::named("my/new tank.toml").stem(), "new-tank");
        assert!(SceneSource::named("my/tank.toml").load().is_err());
    }
}
