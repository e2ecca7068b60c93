//! Files for other programs at every frame: meshes, volumes, height maps and particles.

use serde_json::{Value, json};
use thalweg_io::heights::{HeightFormat, Map};
use thalweg_io::mesh::MeshFormat;
use thalweg_io::points::PointFormat;
use thalweg_io::volume::{VolumeField, VolumeFormat};
use thalweg_model::Ability;

use super::stage_times::{Stage, StageTimes};
use super::{Moment, Outcome, Product, Task, encode};
use crate::{Simulation, WaterSurface};

/// What is exported at every frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Formats {
    /// The surface of the water.
    pub meshes: Option<MeshFormat>,
    /// The water on cells; every format once.
    pub volumes: Vec<VolumeFormat>,
    /// Height maps; every format once.
    pub heights: Vec<HeightFormat>,
    /// Spray, mist and foam.
    pub particles: Option<PointFormat>,
}

/// A kind of export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExportKind {
    /// Surfaces of the water.
    Meshes,
    /// The water on cells.
    Volumes,
    /// Height maps.
    Heights,
    /// Spray, mist and foam.
    Particles,
}

impl ExportKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Meshes, Self::Volumes, Self::Heights, Self::Particles];

    /// Its name, and that of its folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Meshes => "meshes",
            Self::Volumes => "volumes",
            Self::Heights => "heights",
            Self::Particles => "particles",
        }
    }
}

/// The files of a frame of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    /// Which kind.
    pub kind: ExportKind,
    /// The number of the frame.
    pub frame: u64,
    /// Simulated time, s.
    pub time: f64,
    /// The files.
    pub files: Vec<ExportFile>,
}

/// A file for another program.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportFile {
    /// Its name, which no other file of this kind has.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// What there is to know about it; `None` for a file that is not of one frame.
    pub about: Option<Value>,
}

impl ExportFile {
    fn new(name: String, bytes: Vec<u8>, about: Value) -> Self {
        Self { name, bytes, about: Some(about) }
    }
}

/// Maps that change from frame to frame, of all that there may be; the bed is written once.
fn moving(maps: impl IntoIterator<Item = Map>) -> impl Iterator<Item = Map> {
    maps.into_iter().filter(|map| *map != Map::Bed)
}

/// The name of a map in names of files.
fn stem_of(map: Map) -> String {
    map.name().replace('.', "-")
}

/// Whether a file of an export may have a name.
pub fn is_export_name(name: &str) -> bool {
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
    is_known && endings.any(|known| known == ending)
}

/// Reads the water for all that is exported.
#[derive(Debug)]
pub struct Exports {
    formats: Formats,
    has_bed: bool,
}

impl Exports {
    /// Exports in these formats.
    pub fn new(formats: Formats) -> Self {
        Self { formats, has_bed: false }
    }

    /// Whether height maps are among them.
    pub(super) fn wants_surface(&self) -> bool {
        !self.formats.heights.is_empty()
    }

    /// Reads the water as it is.
    pub(super) fn read(&mut self, simulation: &mut Simulation, moment: &Moment) -> Outcome<Vec<Task>> {
        let mut tasks: Vec<Task> = Vec::new();
        let (frame, time) = (moment.frame, moment.time);
        let mut add = |kind, encode: Box<dyn FnOnce() -> Outcome<Vec<ExportFile>> + Send>| {
            tasks.push(Box::new(move |times: &StageTimes| {
                let files = times.time(Stage::Draw, encode)?;
                Ok(vec![Product::Export(Export { kind, frame, time, files })])
            }));
        };
        if let Some(format) = self.formats.meshes {
            let is_closed = simulation.abilities().has(Ability::ClosedMesh);
            let surface = encode::surface_mesh(simulation)?;
            let encode = move || {
                let surface = surface.wait()?;
                let name = format!("surface-{frame:05}.{}", format.extension());
                let about = encode::about_mesh(&surface, is_closed);
                Ok(vec![ExportFile::new(name, encode::mesh(&surface, format), about)])
            };
            add(ExportKind::Meshes, Box::new(encode));
        }
        if !self.formats.volumes.is_empty() {
            let (water, formats) = (encode::water_volume(simulation)?, self.formats.volumes.clone());
            let encode = move || {
                let water = water.wait()?;
                let coded = |format: VolumeFormat| {
                    let name = format!("water-{frame:05}.{}", format.extension());
                    let bytes = encode::volume(&water, time, format, &VolumeField::ALL)?;
                    let about = json!({ "cells": water.size, "cell": water.cell, "origin": water.origin });
                    Ok(ExportFile::new(name, bytes, about))
                };
                formats.into_iter().map(coded).collect()
            };
            add(ExportKind::Volumes, Box::new(encode));
        }
        if let Some(format) = self.formats.particles {
            let particles = encode::particles(simulation)?;
            let encode = move || {
                let particles = particles.wait()?;
                let name = format!("spray-{frame:05}.{}", format.extension());
                let about = json!({ "particles": particles.len() });
                Ok(vec![ExportFile::new(name, encode::points(&particles, format)?, about)])
            };
            add(ExportKind::Particles, Box::new(encode));
        }
        if self.wants_surface() {
            let (surface, formats) = (moment.surface_later(simulation)?, self.formats.heights.clone());
            let is_first = !std::mem::replace(&mut self.has_bed, true);
            let encode = move || height_maps(&*surface.wait()?, &formats, (frame, time), is_first);
            add(ExportKind::Heights, Box::new(encode));
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
) -> Outcome<Vec<ExportFile>> {
    let field = encode::heights(water, time);
    let mut files = Vec::new();
    for &format in formats {
        let ending = format.extension();
        if !format.holds_one_map() {
            let maps = field.maps();
            let bytes = field.encode(format, &maps)?.bytes;
            let about = json!({ "maps": maps.into_iter().map(Map::name).collect::<Vec<_>>() });
            files.push(ExportFile::new(format!("water-{frame:05}.{ending}"), bytes, about));
            continue;
        }
        for map in moving(field.maps()) {
            let encoded = field.encode(format, &[map])?;
            let mut about = json!({ "maps": [map.name()] });
            if let Some(range) = encoded.range {
                about["range"] = json!(range);
            }
            files.push(ExportFile::new(format!("{}-{frame:05}.{ending}", stem_of(map)), encoded.bytes, about));
        }
        if is_first {
            let bytes = field.encode(format, &[Map::Bed])?.bytes;
            files.push(ExportFile { name: format!("bed.{ending}"), bytes, about: None });
        }
    }
    Ok(files)
}
