//! The surface of every frame as a mesh, and an index that tells which file belongs to which time.

use serde::{Deserialize, Serialize};
use thalweg::Simulation;
use thalweg_io::mesh::{Mesh, MeshFormat};

use super::folder::Folder;
use crate::failure::{Failure, Outcome};

/// Where the index of all meshes stands.
pub(super) const INDEX: &str = "meshes/index.json";

/// One mesh of the index.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    frame: u64,
    /// s.
    time: f64,
    file: String,
    vertices: usize,
    triangles: usize,
    /// Inside the mesh, m³.
    volume: f64,
}

/// Writes meshes, if any are wanted.
pub(super) struct Meshes<'a> {
    folder: &'a Folder,
    format: Option<MeshFormat>,
    entries: Vec<Entry>,
}

impl<'a> Meshes<'a> {
    pub(super) fn new(folder: &'a Folder, format: Option<MeshFormat>) -> Self {
        Self { folder, format, entries: Vec::new() }
    }

    /// Goes on with the index of an earlier run: its meshes up to a frame.
    pub(super) fn restore(&mut self, last: u64) -> Outcome {
        let path = self.folder.file(INDEX);
        if self.format.is_none() || !path.exists() {
            return Ok(());
        }
        let bad = |e: &dyn std::fmt::Display| Failure::Run(format!("cannot read {}: {e}", path.display()));
        let text = std::fs::read(&path).map_err(|e| bad(&e))?;
        let all: Vec<Entry> = serde_json::from_slice(&text).map_err(|e| bad(&e))?;
        self.entries = all.into_iter().filter(|entry| entry.frame <= last).collect();
        Ok(())
    }

    /// Writes the surface as it is.
    pub(super) fn write(&mut self, simulation: &Simulation, frame: u64) -> Outcome {
        let Some(format) = self.format else { return Ok(()) };
        let Some(surface) = simulation.surface_mesh()? else { return Ok(()) };
        let file = format!("surface-{frame:05}.{}", format.extension());
        let mesh = Mesh {
            vertices: &surface.vertices,
            normals: &surface.normals,
            velocities: &surface.velocities,
            triangles: &surface.triangles,
        };
        self.put(&format!("meshes/{file}"), &mesh.encode(format))?;
        self.entries.push(Entry {
            frame,
            time: simulation.time(),
            file,
            vertices: surface.vertices.len(),
            triangles: surface.triangles.len(),
            volume: surface.volume(),
        });
        let index = serde_json::to_string_pretty(&self.entries).map_err(|e| Failure::Run(e.to_string()))?;
        self.put(INDEX, index.as_bytes())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Outcome {
        let path = self.folder.file(name);
        thalweg_io::write_atomically(&path, bytes)
            .map_err(|e| Failure::Run(format!("cannot write {}: {e}", path.display())))
    }
}
