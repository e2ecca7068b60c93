//! Folders of files for other programs, each with an index that says which file belongs to which time.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map as Object, Value};
use thalweg::Ability;
use thalweg::outputs::{Export, ExportFile, ExportKind, Formats, is_export_name};
use thalweg_io::heights::HeightFormat;
use thalweg_io::volume::VolumeFormat;
use thalweg_io::vtk;
use thalweg_scene::Scene;

use super::folder::Folder;
use crate::args::RunArgs;
use crate::failure::{Failure, Outcome};

/// The index of a folder, and the list that ParaView opens.
const INDEX: &str = "index.json";
const LIST: &str = "series.pvd";

/// Folders of exports in the output folder.
pub(super) fn folders() -> [&'static str; 4] {
    ExportKind::ALL.map(ExportKind::name)
}

/// The indexes of all folders, relative to the output folder.
pub(super) fn indexes() -> impl Iterator<Item = String> {
    folders().into_iter().map(|folder| format!("{folder}/{INDEX}"))
}

/// Whether a name in one of the folders is one that a run gives.
pub(super) fn is_ours(name: &str) -> bool {
    name == INDEX || name == LIST || is_export_name(name)
}

/// What the flags ask for, and where they say nothing the scene.
pub(super) fn formats(args: &RunArgs, scene: &Scene) -> Outcome<Formats> {
    let output = &scene.output;
    if args.particles.is_some() && scene.whitewater.is_none() {
        let message = "--particles: the scene has none; add a table [whitewater], which may be empty";
        return Err(Failure::Input(message.to_owned()));
    }
    for (flag, what, needed, is_there) in [
        ("--meshes", "mesh", Ability::Mesh, args.meshes.is_some()),
        ("--volumes", "volume", Ability::Volume, args.volumes.is_some()),
    ] {
        if is_there && !scene.water.solver.has(needed) {
            return Err(Failure::Input(format!(
                "{flag}: shallow water is a height field and has no {what}; take `solver = \"tall-cells\"`, or --heights"
            )));
        }
    }
    let (volumes, heights) =
        (args.volumes.as_ref().unwrap_or(&output.volumes), args.heights.as_ref().unwrap_or(&output.heights));
    Ok(Formats {
        meshes: args.meshes.or(output.meshes),
        // A flag may name a format twice; once is enough.
        volumes: VolumeFormat::ALL.into_iter().filter(|format| volumes.contains(format)).collect(),
        heights: HeightFormat::ALL.into_iter().filter(|format| heights.contains(format)).collect(),
        particles: args.particles.or(output.particles),
    })
}

/// One file of an index.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    frame: u64,
    /// s.
    time: f64,
    file: String,
    /// What else there is to know, by kind.
    #[serde(flatten)]
    about: Object<String, Value>,
}

/// The folders of exports with what is in them so far.
pub(super) struct Archive<'a> {
    output: &'a Folder,
    entries: BTreeMap<ExportKind, Vec<Entry>>,
}

impl<'a> Archive<'a> {
    pub(super) fn new(output: &'a Folder) -> Self {
        Self { output, entries: BTreeMap::new() }
    }

    /// Goes on with the indexes of an earlier run: their files up to a frame.
    pub(super) fn restore(&mut self, last: u64) -> Outcome {
        for kind in ExportKind::ALL {
            let path = self.output.file(kind.name()).join(INDEX);
            if !path.exists() {
                continue;
            }
            let bad = |e: &dyn std::fmt::Display| Failure::Run(format!("cannot read {}: {e}", path.display()));
            let text = std::fs::read(&path).map_err(|e| bad(&e))?;
            let all: Vec<Entry> = serde_json::from_slice(&text).map_err(|e| bad(&e))?;
            self.entries.insert(kind, all.into_iter().filter(|entry| entry.frame <= last).collect());
        }
        Ok(())
    }

    /// Writes the files of a frame, and then the index that has them.
    pub(super) fn add(&mut self, export: &Export) -> Outcome {
        let &Export { kind, frame, time, ref files } = export;
        let output = self.output.file(kind.name());
        let put = |name: &str, bytes: &[u8]| {
            let path = output.join(name);
            thalweg_io::write_atomically(&path, bytes)
                .map_err(|e| Failure::Run(format!("cannot write {}: {e}", path.display())))
        };
        let entries = self.entries.entry(kind).or_default();
        for ExportFile { name: file, bytes, about } in files {
            put(file, bytes)?;
            if let Some(about) = about {
                let about = if let Value::Object(about) = about { about.clone() } else { Object::new() };
                entries.push(Entry { frame, time, file: file.clone(), about });
            }
        }
        let index = serde_json::to_string_pretty(entries).map_err(|e| Failure::Run(e.to_string()))?;
        put(INDEX, index.as_bytes())?;
        let is_vtk = |entry: &&Entry| [".vti", ".vtp"].iter().any(|ending| entry.file.ends_with(ending));
        let steps: Vec<(f64, &str)> =
            entries.iter().filter(is_vtk).map(|entry| (entry.time, entry.file.as_str())).collect();
        if steps.is_empty() { Ok(()) } else { put(LIST, vtk::series(steps).as_bytes()) }
    }
}
