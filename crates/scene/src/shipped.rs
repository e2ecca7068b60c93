//! The scenes that ship with Thalweg, built into the program.

use crate::diagnostics::{Diagnostic, SceneError, quoted};
use crate::suggest::nearest;

/// A scene that ships with Thalweg.
#[derive(Debug, Clone, Copy)]
pub struct ShippedScene {
    /// Its name, as in `thalweg run NAME`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The files that it names, with their content.
    pub files: &'static [(&'static str, &'static [u8])],
}

/// One row per scene of the folder `scenes`: its name, and the files that it reads, such as
/// `"dam-break" [], "flood" ["flood.asc", "flood.csv"]`. A test holds the list to the folder.
macro_rules! shipped_scenes {
    ($($name:literal [$($file:literal),*]),* $(,)?) => {
        &[$(ShippedScene {
            name: $name,
            text: include_str!(concat!("../scenes/", $name, ".toml")),
            files: &[$(($file, include_bytes!(concat!("../scenes/", $file)))),*],
        }),*]
    };
}

static SHIPPED: &[ShippedScene] = shipped_scenes![
    "island" ["island-wave.csv"],
    "dam-valley" [],
    "harbour" [],
    "river" ["river-hydrograph.csv"],
    "lake" [],
    "dam-break" [],
    "column-2d" [],
    "tank" [],
    "flood" [],
    "beach" [],
    "sphere" [],
    "boxes" [],
    "raft" [],
    "harbour-3d" [],
    "lighthouse" [],
    "sea" [],
    "slope" [],
    "valley" [],
    "delta" [],
];

/// The scenes that ship with Thalweg, by name.
pub fn shipped() -> &'static [ShippedScene] {
    SHIPPED
}

/// The scene of a name, or an error with the nearest name there is.
pub(crate) fn find(name: &str) -> Result<&'static ShippedScene, SceneError> {
    SHIPPED.iter().find(|scene| scene.name == name).ok_or_else(|| {
        let hint = match nearest(name, SHIPPED.iter().map(|scene| scene.name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`thalweg scenes` lists them; a file needs its ending, .toml".to_owned(),
        };
        Diagnostic::whole_file(name, format!("no shipped scene has the name {}", quoted(name)), Some(hint)).into()
    })
}
