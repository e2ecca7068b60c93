use std::collections::HashMap;

use serde::Deserialize;

use super::{MOST_TRIANGLES, MeshError, Soup};

/// Triangles, the only mode of primitives that encloses anything.
const TRIANGLES: u32 = 4;
/// Nodes inside of nodes at most: more is a circle.
const DEEPEST: usize = 64;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    scene: Option<usize>,
    #[serde(default)]
    scenes: Vec<SceneNodes>,
    #[serde(default)]
    nodes: Vec<Node>,
    #[serde(default)]
    meshes: Vec<Mesh>,
    #[serde(default)]
    accessors: Vec<Accessor>,
    #[serde(default)]
    buffer_views: Vec<View>,
    #[serde(default)]
    buffers: Vec<BufferSource>,
    #[serde(default)]
    extensions_required: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct SceneNodes {
    #[serde(default)]
    nodes: Vec<usize>,
}

#[derive(Debug, Deserialize)]
struct Node {
    mesh: Option<usize>,
    #[serde(default)]
    children: Vec<usize>,
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
}

#[derive(Debug, Deserialize)]
struct Mesh {
    #[serde(default)]
    primitives: Vec<Primitive>,
}

#[derive(Debug, Deserialize)]
struct Primitive {
    attributes: HashMap<String, usize>,
    indices: Option<usize>,
    mode: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Accessor {
    buffer_view: Option<usize>,
    #[serde(default)]
    byte_offset: usize,
    component_type: u32,
    count: usize,
    #[serde(rename = "type")]
    kind: String,
    sparse: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct View {
    buffer: usize,
    #[serde(default)]
    byte_offset: usize,
    byte_length: usize,
    byte_stride: Option<usize>,
}

#[derive(Debug, Deserialize)]
struct BufferSource {
    uri: Option<String>,
}

fn damaged(what: impl Into<String>) -> MeshError {
    MeshError::Damaged(what.into())
}

/// Reads glTF 2.0 as text or as a binary (GLB): the triangles of all meshes of its scene. `other` gives the content of files that
/// it names.
pub fn read_gltf(bytes: &[u8], other: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Result<Soup, MeshError> {
    let (json, chunk) = if bytes.starts_with(b"glTF") { chunks(bytes)? } else { (bytes, None) };
    let document: Document = serde_json::from_slice(json).map_err(|error| damaged(error.to_string()))?;
    if let Some(extension) = document.extensions_required.first() {
        return Err(MeshError::Unsupported(format!(
            "it needs the extension `{extension}`, which is not read: export without"
        )));
    }
    let buffers = document.buffers.iter().enumerate();
    let buffers = buffers
        .map(|(index, buffer)| match (&buffer.uri, chunk) {
            (Some(uri), _) if uri.starts_with("data:") => embedded(uri),
            (Some(uri), _) => other(uri).ok_or_else(|| damaged(format!("the file {uri} is missing"))),
            (None, Some(chunk)) if index == 0 => Ok(chunk.to_vec()),
            (None, _) => Err(damaged(format!("buffer {index} has no data"))),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut reader = Reader { document: &document, buffers, soup: Vec::new() };
    let roots = match document.scenes.get(document.scene.unwrap_or(0)) {
        Some(scene) => scene.nodes.clone(),
        // Without a scene all nodes that are nobody's child.
        None => (0..document.nodes.len()).filter(|n| !document.nodes.iter().any(|p| p.children.contains(n))).collect(),
    };
    for root in roots {
        reader.node(root, Affine::NOTHING, 0)?;
    }
    Ok(reader.soup)
}

/// The text and the binary part of a GLB.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), MeshError> {
    let word = |at: usize| {
        let word = bytes.get(at..at + 4).ok_or_else(|| damaged("it ends too early"))?;
        Ok::<_, MeshError>(u32::from_le_bytes([word[0], word[1], word[2], word[3]]) as usize)
    };
    let (mut at, mut parts) = (12, Vec::new());
    while at + 8 <= bytes.len() && parts.len() < 2 {
        let length = word(at)?;
        let end = (at + 8).checked_add(length).filter(|end| *end <= bytes.len());
        let end = end.ok_or_else(|| damaged("a chunk is longer than the file"))?;
        parts.push(&bytes[at + 8..end]);
        at = end;
    }
    let json = *parts.first().ok_or_else(|| damaged("it has no chunks"))?;
    Ok((json, parts.get(1).copied()))
}

/// The bytes of a `data:…;base64,…` address.
fn embedded(uri: &str) -> Result<Vec<u8>, MeshError> {
    let (_, text) = uri.split_once(";base64,").ok_or_else(|| damaged("embedded data are not base64"))?;
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut word, mut bits) = (0u32, 0);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return Err(damaged("embedded data are not base64")),
        };
        word = word << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
        }
    }
    Ok(bytes)
}

/// Columns of a matrix and a shift.
#[derive(Debug, Clone, Copy)]
struct Affine {
    columns: [[f64; 3]; 3],
    shift: [f64; 3],
}

impl Affine {
    const NOTHING: Self = Self { columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], shift: [0.0; 3] };

    fn of(node: &Node) -> Self {
        if let Some(m) = node.matrix {
            let column = |n: usize| [m[4 * n], m[4 * n + 1], m[4 * n + 2]];
            return Self { columns: [column(0), column(1), column(2)], shift: column(3) };
        }
        let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let turn = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let scale = node.scale.unwrap_or([1.0; 3]);
        let columns = std::array::from_fn(|n| turn[n].map(|v| v * scale[n]));
        Self { columns, shift: node.translation.unwrap_or([0.0; 3]) }
    }

    fn direction(&self, v: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|axis| (0..3).map(|n| self.columns[n][axis] * v[n]).sum())
    }

    fn point(&self, v: [f64; 3]) -> [f64; 3] {
        let turned = self.direction(v);
        std::array::from_fn(|axis| turned[axis] + self.shift[axis])
    }

    /// First `inner`, then this.
    fn after(&self, inner: Self) -> Self {
        Self { columns: inner.columns.map(|column| self.direction(column)), shift: self.point(inner.shift) }
    }

    /// Whether it turns left hands into right ones.
    fn is_mirror(&self) -> bool {
        let [a, b, c] = self.columns;
        let volume = a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
        volume < 0.0
    }
}

struct Reader<'a> {
    document: &'a Document,
    buffers: Vec<Vec<u8>>,
    soup: Soup,
}

impl Reader<'_> {
    fn node(&mut self, number: usize, outer: Affine, depth: usize) -> Result<(), MeshError> {
        let document = self.document;
        let node = document.nodes.get(number).ok_or_else(|| damaged(format!("there is no node {number}")))?;
        if depth > DEEPEST {
            return Err(damaged("nodes are nested too deeply, or in a circle"));
        }
        let place = outer.after(Affine::of(node));
        if let Some(mesh) = node.mesh {
            let mesh = document.meshes.get(mesh).ok_or_else(|| damaged(format!("there is no mesh {mesh}")))?;
            mesh.primitives.iter().try_for_each(|primitive| self.primitive(primitive, place))?;
        }
        node.children.iter().try_for_each(|child| self.node(*child, place, depth + 1))
    }

    fn primitive(&mut self, primitive: &Primitive, place: Affine) -> Result<(), MeshError> {
        let mode = primitive.mode.unwrap_or(TRIANGLES);
        if mode != TRIANGLES {
            return Err(MeshError::Unsupported(format!("primitives of mode {mode} are not read: export triangles")));
        }
        let position = primitive.attributes.get("POSITION").ok_or_else(|| damaged("a primitive has no POSITION"))?;
        let positions = self.positions(*position)?;
        let order: Vec<usize> = match primitive.indices {
            Some(indices) => self.indices(indices)?,
            None => (0..positions.len()).collect(),
        };
        let count = self.soup.len() + order.len() / 3;
        if count > MOST_TRIANGLES {
            return Err(MeshError::TooLarge { count });
        }
        for corners in order.as_chunks::<3>().0 {
            let mut triangle = [[0.0; 3]; 3];
            for (corner, index) in triangle.iter_mut().zip(corners) {
                let position = positions.get(*index).ok_or_else(|| damaged(format!("there is no corner {index}")))?;
                *corner = place.point(*position);
            }
            if place.is_mirror() {
                triangle.swap(1, 2);
            }
            self.soup.push(triangle);
        }
        Ok(())
    }

    fn positions(&self, accessor: usize) -> Result<Vec<[f64; 3]>, MeshError> {
        let elements = self.elements(accessor, "VEC3", 12, |kind| kind == 5126)?;
        let float = |b: &[u8]| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        Ok(elements.map(|element| std::array::from_fn(|axis| float(&element[4 * axis..]))).collect())
    }

    fn indices(&self, accessor: usize) -> Result<Vec<usize>, MeshError> {
        let kind = self.document.accessors.get(accessor).map_or(0, |accessor| accessor.component_type);
        let size = match kind {
            5121 => 1,
            5123 => 2,
            _ => 4,
        };
        let elements = self.elements(accessor, "SCALAR", size, |kind| matches!(kind, 5121 | 5123 | 5125))?;
        Ok(elements
            .map(|bytes| bytes[..size].iter().rev().fold(0, |value, byte| value << 8 | usize::from(*byte)))
            .collect())
    }

    /// The elements of an accessor, of `size` bytes each. The bytes are there: it is checked.
    fn elements(
        &self,
        number: usize,
        kind: &str,
        size: usize,
        fits: impl Fn(u32) -> bool,
    ) -> Result<impl Iterator<Item = &[u8]>, MeshError> {
        let document = self.document;
        let accessor =
            document.accessors.get(number).ok_or_else(|| damaged(format!("there is no accessor {number}")))?;
        if accessor.sparse.is_some() {
            return Err(MeshError::Unsupported("sparse accessors are not read".to_owned()));
        }
        if accessor.kind != kind || !fits(accessor.component_type) {
            let found = format!("{} of type {}", accessor.kind, accessor.component_type);
            return Err(MeshError::Unsupported(format!("accessor {number} has {found}, which is not read here")));
        }
        let view = accessor.buffer_view.and_then(|view| document.buffer_views.get(view));
        let view = view.ok_or_else(|| damaged(format!("accessor {number} has no data")))?;
        let short = || damaged(format!("accessor {number} reaches past its buffer"));
        let buffer = self.buffers.get(view.buffer).ok_or_else(short)?;
        let end = view.byte_offset.checked_add(view.byte_length).ok_or_else(short)?;
        let bytes = buffer.get(view.byte_offset..end).ok_or_else(short)?;
        let bytes = bytes.get(accessor.byte_offset..).ok_or_else(short)?;
        let stride = view.byte_stride.unwrap_or(size).max(size);
        let last = accessor.count.saturating_sub(1).checked_mul(stride).and_then(|at| at.checked_add(size));
        if accessor.count > 0 && last.is_none_or(|last| last > bytes.len()) {
            return Err(short());
        }
        Ok((0..accessor.count).map(move |n| &bytes[n * stride..]))
    }
}
