//! Triangle meshes from files: OBJ, STL, glTF and GLB.
//!
//! Every reader is a pure function from bytes to a [`TriangleMesh`], and takes memory only for what the bytes can hold. They are
//! written here, not taken from crates: a solid needs positions and triangles alone, which is a page of code per format over
//! the JSON reader that is here anyway, and errors can name lines as those of all other files do.
//!
//! A solid needs a **closed** surface: every edge must be used as often in one direction as in the other. Corners count as
//! the same if their coordinates are.

mod gltf;
mod obj;
mod stl;
mod thickness;

pub use gltf::read_gltf;
pub use obj::read_obj;
pub use stl::read_stl;
pub(crate) use thickness::thinner_than;

use std::collections::HashMap;

pub use thalweg_model::TriangleMesh;

use crate::context::Context;
use crate::diagnostics::quoted;
use crate::number::short;
use crate::report::At;
use crate::table::TableError;

/// Largest file, bytes.
pub const LARGEST_FILE: u64 = 512 << 20;

/// Most triangles.
pub const MOST_TRIANGLES: usize = 8 << 20;

/// Triangles as a file has them: three corners each.
pub(crate) type Soup = Vec<[[f64; 3]; 3]>;

/// Why a mesh could not be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// No reader knows the file.
    #[error("not a mesh: known are OBJ (.obj), STL (.stl), glTF (.gltf) and GLB (.glb)")]
    UnknownFormat,
    /// The file has a part that is not read.
    #[error("{0}")]
    Unsupported(String),
    /// There are no triangles.
    #[error("the file holds no triangles")]
    Empty,
    /// There are more triangles than meshes may have.
    #[error("{count} triangles are too many, at most {MOST_TRIANGLES} are accepted")]
    TooLarge {
        /// How many there are.
        count: usize,
    },
    /// The file breaks the rules of its format, or ends too early.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// A line of a text format is wrong.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A coordinate is not a finite number.
    #[error("triangle {triangle} has a coordinate that is not a finite number")]
    NotFinite {
        /// Which triangle, from 0.
        triangle: usize,
    },
    /// The surface has holes.
    #[error("the surface is not closed: {open_edges} of its edges belong to an odd number of triangles, one of them at {}", place(*at))]
    Open {
        /// How many such edges there are.
        open_edges: usize,
        /// The middle of the first of them, in the coordinates of the file.
        at: [f64; 3],
    },
    /// The surface is closed, but some triangles look inwards and some outwards.
    #[error(
        "the surface has no inside: at {edges} edges the triangles on both sides are wound against each other, one of them at {}",
        place(*at)
    )]
    Twisted {
        /// How many such edges there are.
        edges: usize,
        /// The middle of the first of them, in the coordinates of the file.
        at: [f64; 3],
    },
}

/// A place in the coordinates of a file.
fn place(at: [f64; 3]) -> String {
    format!("[{}] of the file", at.map(short).join(", "))
}

impl MeshError {
    /// What can be done about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Open { .. } => {
                Some("close holes and merge doubled corners in a mesh editor: a solid needs an inside")
            }
            Self::Twisted { .. } => Some("recalculate the normals outwards in a mesh editor"),
            _ => None,
        }
    }
}

/// Reads a mesh of any known format, by the file's ending. `other` gives the content of files that a glTF names.
pub fn read(
    name: &str,
    bytes: &[u8],
    other: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<TriangleMesh, MeshError> {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let soup = match ending.as_deref() {
        Some("obj") => read_obj(bytes),
        Some("stl") => read_stl(bytes),
        Some("gltf" | "glb") => read_gltf(bytes, other),
        _ => Err(MeshError::UnknownFormat),
    }?;
    closed(&soup)
}

/// The mesh that a key of a scene names.
pub(crate) fn lower(name: &str, context: &mut Context<'_>, at: &At) -> Option<TriangleMesh> {
    let bytes = context.read(at, name, LARGEST_FILE)?;
    let mut failed = false;
    let mesh = read(name, &bytes, &mut |other| {
        let content = context.read(at, other, LARGEST_FILE);
        failed |= content.is_none();
        content.map(std::borrow::Cow::into_owned)
    });
    match mesh {
        Ok(mesh) => Some(mesh),
        Err(_) if failed => None, // reported already
        Err(error) => {
            let message = format!("{}: {error}", quoted(name));
            match error.hint() {
                Some(hint) => context.report.error_with(at, message, hint),
                None => context.report.error(at, message),
            }
            None
        }
    }
}

/// A closed surface from triangles, or why it is none. If all of them look inwards they are turned.
pub(crate) fn closed(soup: &[[[f64; 3]; 3]]) -> Result<TriangleMesh, MeshError> {
    if soup.len() > MOST_TRIANGLES {
        return Err(MeshError::TooLarge { count: soup.len() });
    }
    if let Some(triangle) = soup.iter().position(|t| !t.as_flattened().iter().all(|v| v.is_finite())) {
        return Err(MeshError::NotFinite { triangle });
    }
    let mut numbers: HashMap<[u64; 3], u32> = HashMap::new();
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for corners in soup {
        let triangle = corners.map(|corner| {
            // Zero has two signs.
            *numbers.entry(corner.map(|v| (v + 0.0).to_bits())).or_insert_with(|| {
                vertices.push(corner);
                vertices.len() as u32 - 1
            })
        });
        let [a, b, c] = triangle;
        // A triangle with two equal corners has no area and closes nothing.
        if a != b && b != c && c != a {
            triangles.push(triangle);
        }
    }
    if triangles.is_empty() {
        return Err(MeshError::Empty);
    }
    check_edges(&vertices, &triangles)?;
    let mut mesh = TriangleMesh { vertices, triangles, was_inside_out: false };
    if mesh.volume() < 0.0 {
        mesh.was_inside_out = true;
        mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    Ok(mesh)
}

fn check_edges(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<(), MeshError> {
    // Per edge: how often it is used, and how much more often upwards than downwards.
    let mut edges: HashMap<[u32; 2], [i32; 2]> = HashMap::with_capacity(triangles.len() * 3 / 2);
    for [a, b, c] in triangles {
        for (from, to) in [(*a, *b), (*b, *c), (*c, *a)] {
            let uses = edges.entry([from.min(to), from.max(to)]).or_default();
            uses[0] += 1;
            uses[1] += if from < to { 1 } else { -1 };
        }
    }
    // How many there are of a kind, and where the first is.
    let those = |is_one: fn(&[i32; 2]) -> bool| {
        let found = || edges.iter().filter(|(_, uses)| is_one(uses)).map(|(edge, _)| edge);
        let [a, b] = found().min()?.map(|n| vertices[n as usize]);
        Some((found().count(), std::array::from_fn(|axis| 0.5 * (a[axis] + b[axis]))))
    };
    if let Some((open_edges, at)) = those(|uses| uses[0] % 2 == 1) {
        return Err(MeshError::Open { open_edges, at });
    }
    match those(|uses| uses[1] != 0) {
        Some((edges, at)) => Err(MeshError::Twisted { edges, at }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
