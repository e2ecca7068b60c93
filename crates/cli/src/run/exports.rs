//! Files for other programs at every frame: meshes, volumes, height maps and particles, each kind in a folder of its own with an index that tells which file
//! belongs to which time.

use serde::{Deserialize, Serialize};
use serde_json::{Map as Object, Value, json};
use thalweg::Simulation;
use thalweg_io::heights::{HeightFormat, Map};
use thalweg_io::mesh::MeshFormat;
use thalweg_io::points::PointFormat;
use thalweg_io::volume::{VolumeField, VolumeFormat};
use thalweg_io::vtk;
use thalweg_scene::{HeightFile, MeshFile, PointFile, Scene, Solver, VolumeFile};

use super::folder::Folder;
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

/// Maps that change from frame to frame; the bed is written once.
const MOVING: [Map; 4] = [Map::Depth, Map::Surface, Map::VelocityX, Map::VelocityZ];

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
        || kind.is_some_and(|kind| MOVING.iter().any(|map| kind == stem_of(*map)));
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
        let mesh = |file| match file {
            MeshFile::Ply => MeshFormat::Ply,
            MeshFile::Obj => MeshFormat::Obj,
            MeshFile::Glb => MeshFormat::Glb,
            MeshFile::Vtp => MeshFormat::Vtp,
        };
        let volume = |file: &VolumeFile| match file {
            VolumeFile::Vdb => VolumeFormat::Vdb,
            VolumeFile::Npz => VolumeFormat::Npz,
            VolumeFile::Vti => VolumeFormat::Vti,
        };
        let height = |file: &HeightFile| match file {
            HeightFile::Png => HeightFormat::Png,
            HeightFile::Exr => HeightFormat::Exr,
            HeightFile::Asc => HeightFormat::Asc,
            HeightFile::Tif => HeightFormat::Tif,
            HeightFile::Npz => HeightFormat::Npz,
        };
        let points = |file| match file {
            PointFile::Ply => PointFormat::Ply,
            PointFile::Csv => PointFormat::Csv,
        };
        if args.particles.is_some() && scene.whitewater.is_none() {
            let message = "--particles: the scene has none; add a table [whitewater], which may be empty";
            return Err(Failure::Input(message.to_owned()));
        }
        if !scene.water.solver.is_three_dimensional() {
            let has_mesh = scene.water.solver == Solver::Quadtree;
            for (flag, what, is_there) in [
                ("--meshes", "mesh", args.meshes.is_some() && !has_mesh),
                ("--volumes", "volume", args.volumes.is_some()),
            ] {
                if is_there {
                    return Err(Failure::Input(format!(
                        "{flag}: shallow water is a height field and has no {what}; take `solver = \"tall-cells\"`, or --heights"
                    )));
                }
            }
        }
        let mut wanted = Self {
            meshes: args.meshes.map(MeshFormat::from).or(output.meshes.map(mesh)),
            volumes: match &args.volumes {
                Some(list) => list.iter().copied().map(VolumeFormat::from).collect(),
                None => output.volumes.iter().map(volume).collect(),
            },
            heights: match &args.heights {
                Some(list) => list.iter().copied().map(HeightFormat::from).collect(),
                None => output.heights.iter().map(height).collect(),
            },
            particles: args.particles.map(PointFormat::from).or(output.particles.map(points)),
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

/// The files of one kind.
struct Series<'a> {
    output: &'a Folder,
    folder: &'static str,
    entries: Vec<Entry>,
}

impl<'a> Series<'a> {
    fn new(output: &'a Folder, folder: &'static str) -> Self {
        Self { output, folder, entries: Vec::new() }
    }

    /// Goes on with the index of an earlier run: its files up to a frame.
    fn restore(&mut self, last: u64) -> Outcome {
        let path = self.output.file(self.folder).join(INDEX);
        if !path.exists() {
            return Ok(());
        }
        let bad = |e: &dyn std::fmt::Display| Failure::Run(format!("cannot read {}: {e}", path.display()));
        let text = std::fs::read(&path).map_err(|e| bad(&e))?;
        let all: Vec<Entry> = serde_json::from_slice(&text).map_err(|e| bad(&e))?;
        self.entries = all.into_iter().filter(|entry| entry.frame <= last).collect();
        Ok(())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Outcome {
        let path = self.output.file(self.folder).join(name);
        thalweg_io::write_atomically(&path, bytes)
            .map_err(|e| Failure::Run(format!("cannot write {}: {e}", path.display())))
    }

    /// Writes a file and notes it.
    fn add(&mut self, (frame, time): (u64, f64), file: String, bytes: &[u8], about: Value) -> Outcome {
        self.put(&file, bytes)?;
        let about = if let Value::Object(about) = about { about } else { Object::new() };
        self.entries.push(Entry { frame, time, file, about });
        Ok(())
    }

    /// Writes the index, after all files of a frame.
    fn close_frame(&self) -> Outcome {
        let index = serde_json::to_string_pretty(&self.entries).map_err(|e| Failure::Run(e.to_string()))?;
        self.put(INDEX, index.as_bytes())?;
        let is_vtk = |entry: &&Entry| [".vti", ".vtp"].iter().any(|ending| entry.file.ends_with(ending));
        let steps: Vec<(f64, &str)> =
            self.entries.iter().filter(is_vtk).map(|entry| (entry.time, entry.file.as_str())).collect();
        if steps.is_empty() { Ok(()) } else { self.put(LIST, vtk::series(steps).as_bytes()) }
    }
}

/// Writes everything that is wanted for other programs.
pub(super) struct Exports<'a> {
    wanted: Wanted,
    meshes: Series<'a>,
    volumes: Series<'a>,
    heights: Series<'a>,
    particles: Series<'a>,
    has_bed: bool,
}

impl<'a> Exports<'a> {
    pub(super) fn new(folder: &'a Folder, wanted: Wanted) -> Self {
        let [meshes, volumes, heights, particles] = FOLDERS.map(|name| Series::new(folder, name));
        Self { wanted, meshes, volumes, heights, particles, has_bed: false }
    }

    /// Goes on with what an earlier run wrote up to a frame.
    pub(super) fn restore(&mut self, last: u64) -> Outcome {
        let all = [&mut self.meshes, &mut self.volumes, &mut self.heights, &mut self.particles];
        all.into_iter().try_for_each(|series| series.restore(last))
    }

    /// Writes the water as it is.
    pub(super) fn write(&mut self, simulation: &mut Simulation, frame: u64) -> Outcome {
        let moment = (frame, simulation.time());
        if let Some(format) = self.wanted.meshes {
            let surface = encode::surface_mesh(simulation)?;
            let file = format!("surface-{frame:05}.{}", format.extension());
            let about = encode::about_mesh(&surface, simulation);
            self.meshes.add(moment, file, &encode::mesh(&surface, format), about)?;
            self.meshes.close_frame()?;
        }
        if !self.wanted.volumes.is_empty() {
            let water = encode::water_volume(simulation)?;
            for format in &self.wanted.volumes {
                let file = format!("water-{frame:05}.{}", format.extension());
                let bytes = encode::volume(&water, moment.1, *format, &VolumeField::ALL)?;
                let about = json!({ "cells": water.size, "cell": water.cell, "origin": water.origin });
                self.volumes.add(moment, file, &bytes, about)?;
            }
            self.volumes.close_frame()?;
        }
        if let Some(format) = self.wanted.particles {
            let particles = encode::particles(simulation)?;
            let file = format!("spray-{frame:05}.{}", format.extension());
            let about = json!({ "particles": particles.len() });
            self.particles.add(moment, file, &encode::points(&particles, format)?, about)?;
            self.particles.close_frame()?;
        }
        if !self.wanted.heights.is_empty() {
            self.write_heights(simulation, moment)?;
            self.heights.close_frame()?;
        }
        Ok(())
    }

    fn write_heights(&mut self, simulation: &mut Simulation, moment: (u64, f64)) -> Outcome {
        let water = simulation.water_surface()?;
        let field = encode::heights(&water, moment.1);
        for format in &self.wanted.heights {
            let ending = format.extension();
            if !format.holds_one_map() {
                let file = format!("water-{:05}.{ending}", moment.0);
                let bytes = field.encode(*format, &Map::USUAL)?.bytes;
                self.heights.add(moment, file, &bytes, json!({ "maps": Map::USUAL.map(Map::name) }))?;
                continue;
            }
            for map in MOVING {
                let file = format!("{}-{:05}.{ending}", stem_of(map), moment.0);
                let encoded = field.encode(*format, &[map])?;
                let mut about = json!({ "maps": [map.name()] });
                if let Some(range) = encoded.range {
                    about["range"] = json!(range);
                }
                self.heights.add(moment, file, &encoded.bytes, about)?;
            }
            if !self.has_bed {
                self.heights.put(&format!("bed.{ending}"), &field.encode(*format, &[Map::Bed])?.bytes)?;
            }
        }
        self.has_bed = true;
        Ok(())
    }
}
