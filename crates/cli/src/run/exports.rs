//! Files for other programs at every frame: meshes, volumes, height maps and particles, each kind in a folder of its own with an index that tells which file
//! belongs to which time.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map as Object, Value, json};
use thalweg::{Ability, Simulation, WaterSurface};
use thalweg_io::heights::{HeightFormat, Map};
use thalweg_io::mesh::MeshFormat;
use thalweg_io::points::PointFormat;
use thalweg_io::volume::{VolumeField, VolumeFormat};
use thalweg_io::vtk;
use thalweg_scene::Scene;

use super::busy::{Busy, Stage};
use super::folder::Folder;
use super::outputs::{Moment, Task};
use super::writer::Made;
use crate::args::RunArgs;
use crate::export::encode;
use crate::failure::{Failure, Outcome};

/// Folders of exports in the output folder.
pub(super) const FOLDERS: [&str; 4] = [MESHES, VOLUMES, HEIGHTS, PARTICLES];
const MESHES: &str = "meshes";
const VOLUMES: &str = "volumes";
const HEIGHTS: &str = "heights";
const PARTICLES: &str = "particles";

/// The index of a folder, and the list that ParaView opens.
const INDEX: &str = "index.json";
const LIST: &str = "series.pvd";

/// Maps that change from frame to frame, of all that there may be; the bed is written once.
fn moving(maps: impl IntoIterator<Item = Map>) -> impl Iterator<Item = Map> {
    maps.into_iter().filter(|map| *map != Map::Bed)
}

/// The indexes of all folders, relative to the output folder.
pub(super) fn indexes() -> impl Iterator<Item = String> {
    FOLDERS.iter().map(|folder| format!("{folder}/{INDEX}"))
}

/// Whether a name in one of the folders is one that a run gives.
pub(super) fn is_ours(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let kind = stem.rsplit_once('-').filter(|(_, number)| number.parse::<u64>().is_ok()).map(|(kind, _)| kind);
    let endings = MeshFormat::ALL.map(MeshFormat::extension);
    let endings = endings.into_iter().chain(VolumeFormat::ALL.map(VolumeFormat::extension));
    let endings = endings.chain([PointFormat::Ply, PointFormat::Csv].map(PointFormat::extension));
    let mut endings = endings.chain(HeightFormat::ALL.map(HeightFormat::extension));
    let is_known = kind.is_some_and(|kind| ["water", "spray"].contains(&kind))
        || stem == "bed"
        || kind
            .is_some_and(|kind| moving(Map::USUAL.into_iter().chain(Map::OVER_TIME)).any(|map| kind == stem_of(map)));
    name == INDEX || name == LIST || (is_known && endings.any(|known| known == ending))
}

/// The name of a map in names of files.
fn stem_of(map: Map) -> String {
    map.name().replace('.', "-")
}

/// What a run shall write.
#[derive(Debug)]
pub(super) struct Wanted {
    meshes: Option<MeshFormat>,
    volumes: Vec<VolumeFormat>,
    heights: Vec<HeightFormat>,
    particles: Option<PointFormat>,
}

impl Wanted {
    /// What the flags say, and where they say nothing the scene.
    pub(super) fn new(args: &RunArgs, scene: &Scene) -> Outcome<Self> {
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
        let mut wanted = Self {
            meshes: args.meshes.or(output.meshes),
            volumes: args.volumes.as_ref().unwrap_or(&output.volumes).clone(),
            heights: args.heights.as_ref().unwrap_or(&output.heights).clone(),
            particles: args.particles.or(output.particles),
        };
        // A flag may name a format twice; once is enough.
        wanted.volumes = VolumeFormat::ALL.into_iter().filter(|format| wanted.volumes.contains(format)).collect();
        wanted.heights = HeightFormat::ALL.into_iter().filter(|format| wanted.heights.contains(format)).collect();
        Ok(wanted)
    }
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
    entries: BTreeMap<&'static str, Vec<Entry>>,
}

impl<'a> Archive<'a> {
    pub(super) fn new(output: &'a Folder) -> Self {
        Self { output, entries: BTreeMap::new() }
    }

    /// Goes on with the indexes of an earlier run: their files up to a frame.
    pub(super) fn restore(&mut self, last: u64) -> Outcome {
        for folder in FOLDERS {
            let path = self.output.file(folder).join(INDEX);
            if !path.exists() {
                continue;
            }
            let bad = |e: &dyn std::fmt::Display| Failure::Run(format!("cannot read {}: {e}", path.display()));
            let text = std::fs::read(&path).map_err(|e| bad(&e))?;
            let all: Vec<Entry> = serde_json::from_slice(&text).map_err(|e| bad(&e))?;
            self.entries.insert(folder, all.into_iter().filter(|entry| entry.frame <= last).collect());
        }
        Ok(())
    }

    /// Writes the files of a frame, and then the index that has them.
    pub(super) fn add(&mut self, export: Export) -> Outcome {
        let Export { folder, frame, time, files } = export;
        let output = self.output.file(folder);
        let put = |name: &str, bytes: &[u8]| {
            let path = output.join(name);
            thalweg_io::write_atomically(&path, bytes)
                .map_err(|e| Failure::Run(format!("cannot write {}: {e}", path.display())))
        };
        let entries = self.entries.entry(folder).or_default();
        for Coded { name: file, bytes, about } in files {
            put(&file, &bytes)?;
            if let Some(about) = about {
                let about = if let Value::Object(about) = about { about } else { Object::new() };
                entries.push(Entry { frame, time, file, about });
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

/// The files of a frame in one folder.
pub(super) struct Export {
    folder: &'static str,
    frame: u64,
    /// s.
    time: f64,
    files: Vec<Coded>,
}

/// A file for another program.
struct Coded {
    name: String,
    bytes: Vec<u8>,
    /// What there is to know about it; `None` for a file that is not of one frame.
    about: Option<Value>,
}

impl Coded {
    fn new(name: String, bytes: Vec<u8>, about: Value) -> Self {
        Self { name, bytes, about: Some(about) }
    }
}

/// Reads the water for all that is wanted.
pub(super) struct Exports {
    wanted: Wanted,
    has_bed: bool,
}

impl Exports {
    pub(super) fn new(wanted: Wanted) -> Self {
        Self { wanted, has_bed: false }
    }

    /// Whether height maps are wanted.
    pub(super) fn wants_surface(&self) -> bool {
        !self.wanted.heights.is_empty()
    }

    /// Reads the water as it is.
    pub(super) fn read<'a>(
        &mut self,
        simulation: &mut Simulation,
        moment: &Moment,
        busy: &'a Busy,
    ) -> Outcome<Vec<Task<'a>>> {
        let mut tasks: Vec<Task<'a>> = Vec::new();
        let (frame, time) = (moment.frame, moment.time);
        let mut add = |folder, encode: Box<dyn FnOnce() -> Outcome<Vec<Coded>> + Send>| {
            tasks.push(Box::new(move || {
                let files = busy.time(Stage::Draw, encode)?;
                Ok(vec![Made::Export(Export { folder, frame, time, files })])
            }));
        };
        if let Some(format) = self.wanted.meshes {
            let is_closed = simulation.abilities().has(Ability::ClosedMesh);
            let surface = encode::surface_mesh(simulation)?;
            let encode = move || {
                let surface = surface.wait()?;
                let name = format!("surface-{frame:05}.{}", format.extension());
                let about = encode::about_mesh(&surface, is_closed);
                Ok(vec![Coded::new(name, encode::mesh(&surface, format), about)])
            };
            add(MESHES, Box::new(encode));
        }
        if !self.wanted.volumes.is_empty() {
            let (water, formats) = (encode::water_volume(simulation)?, self.wanted.volumes.clone());
            let encode = move || {
                let coded = |format: VolumeFormat| {
                    let name = format!("water-{frame:05}.{}", format.extension());
                    let bytes = encode::volume(&water, time, format, &VolumeField::ALL)?;
                    let about = json!({ "cells": water.size, "cell": water.cell, "origin": water.origin });
                    Ok(Coded::new(name, bytes, about))
                };
                formats.into_iter().map(coded).collect()
            };
            add(VOLUMES, Box::new(encode));
        }
        if let Some(format) = self.wanted.particles {
            let particles = encode::particles(simulation)?;
            let encode = move || {
                let name = format!("spray-{frame:05}.{}", format.extension());
                let about = json!({ "particles": particles.len() });
                Ok(vec![Coded::new(name, encode::points(&particles, format)?, about)])
            };
            add(PARTICLES, Box::new(encode));
        }
        if self.wants_surface() {
            let (surface, formats) = (moment.surface_later(simulation)?, self.wanted.heights.clone());
            let is_first = !std::mem::replace(&mut self.has_bed, true);
            add(HEIGHTS, Box::new(move || height_maps(&*surface.wait()?, &formats, (frame, time), is_first)));
        }
        Ok(tasks)
    }
}

/// All maps in all formats; the bed only with the first frame.
fn height_maps(
    water: &WaterSurface,
    formats: &[HeightFormat],
    (frame, time): (u64, f64),
    is_first: bool,
) -> Outcome<Vec<Coded>> {
    let field = encode::heights(water, time);
    let mut files = Vec::new();
    for &format in formats {
        let ending = format.extension();
        if !format.holds_one_map() {
            let maps = field.maps();
            let bytes = field.encode(format, &maps)?.bytes;
            let about = json!({ "maps": maps.into_iter().map(Map::name).collect::<Vec<_>>() });
            files.push(Coded::new(format!("water-{frame:05}.{ending}"), bytes, about));
            continue;
        }
        for map in moving(field.maps()) {
            let encoded = field.encode(format, &[map])?;
            let mut about = json!({ "maps": [map.name()] });
            if let Some(range) = encoded.range {
                about["range"] = json!(range);
            }
            files.push(Coded::new(format!("{}-{frame:05}.{ending}", stem_of(map)), encoded.bytes, about));
        }
        if is_first {
            let bytes = field.encode(format, &[Map::Bed])?.bytes;
            files.push(Coded { name: format!("bed.{ending}"), bytes, about: None });
        }
    }
    Ok(files)
}
