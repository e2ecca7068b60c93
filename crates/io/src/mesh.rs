//! Triangle meshes as files that other programs open: PLY, OBJ, binary glTF, VTK.
//!
//! PLY and glTF keep velocities beside normals (PLY properties `vx vy vz`, glTF attribute `_VELOCITY`, VTK array
//! `velocity`), for motion blur; OBJ cannot hold them. y is up and lengths are metres, as glTF requires.

use std::fmt::Write as _;

use serde_json::json;
pub use thalweg_model::MeshFormat;
use thalweg_model::SurfaceMesh;

/// The bytes of a file.
#[must_use]
pub fn encode(mesh: &SurfaceMesh, format: MeshFormat) -> Vec<u8> {
    match format {
        MeshFormat::Ply => ply(mesh),
        MeshFormat::Obj => obj(mesh).into_bytes(),
        MeshFormat::Glb => glb(mesh),
        MeshFormat::Vtp => crate::vtk::polygons(mesh),
    }
}

fn ply(mesh: &SurfaceMesh) -> Vec<u8> {
    let properties: String =
        ["x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"].map(|name| format!("property float {name}\n")).concat();
    let mut bytes = format!(
        "ply\nformat binary_little_endian 1.0\ncomment lengths in m, velocities in m/s, y up\nelement vertex {}\n{properties}\
         element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
        mesh.vertices.len(),
        mesh.triangles.len()
    )
    .into_bytes();
    for ((place, normal), velocity) in mesh.vertices.iter().zip(&mesh.normals).zip(&mesh.velocities) {
        [place, normal, velocity].into_iter().flatten().for_each(|v| bytes.extend(v.to_le_bytes()));
    }
    for triangle in &mesh.triangles {
        bytes.push(3);
        triangle.iter().for_each(|at| bytes.extend(at.to_le_bytes()));
    }
    bytes
}

fn obj(mesh: &SurfaceMesh) -> String {
    let mut text = String::from("# lengths in m, y up\n");
    // Writing to a string cannot fail.
    for [x, y, z] in &mesh.vertices {
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for [x, y, z] in &mesh.normals {
        let _ = writeln!(text, "vn {x} {y} {z}");
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|at| at + 1);
        let _ = writeln!(text, "f {a}//{a} {b}//{b} {c}//{c}");
    }
    text
}

/// One buffer: places, normals, velocities, corners.
fn glb(mesh: &SurfaceMesh) -> Vec<u8> {
    const FLOAT: u32 = 5126;
    const UNSIGNED: u32 = 5125;
    let mut binary = Vec::new();
    for field in [&mesh.vertices, &mesh.normals, &mesh.velocities] {
        field.iter().flatten().for_each(|v| binary.extend(v.to_le_bytes()));
    }
    mesh.triangles.iter().flatten().for_each(|at| binary.extend(at.to_le_bytes()));
    let (count, corners) = (mesh.vertices.len(), 3 * mesh.triangles.len());
    let vector = 12 * count;
    let bounds = |start: f32, pick: fn(f32, f32) -> f32| {
        mesh.vertices.iter().fold([start; 3], |all, v| std::array::from_fn(|c| pick(all[c], v[c])))
    };
    // A mesh without triangles is not allowed: an empty scene stands for it.
    let document = if corners == 0 {
        json!({ "asset": { "version": "2.0", "generator": "Thalweg" }, "scene": 0, "scenes": [{}] })
    } else {
        json!({
            "asset": { "version": "2.0", "generator": "Thalweg" },
            "scene": 0,
            "scenes": [{ "nodes": [0] }],
            "nodes": [{ "mesh": 0, "name": "water" }],
            "materials": [{
                "name": "water",
                "pbrMetallicRoughness": { "baseColorFactor": [0.16, 0.42, 0.62, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.1 },
            }],
            "meshes": [{ "name": "water", "primitives": [{
                "attributes": { "POSITION": 0, "NORMAL": 1, "_VELOCITY": 2 }, "indices": 3, "material": 0,
            }] }],
            "accessors": [
                { "bufferView": 0, "componentType": FLOAT, "count": count, "type": "VEC3",
                  "min": bounds(f32::INFINITY, f32::min), "max": bounds(f32::NEG_INFINITY, f32::max) },
                { "bufferView": 1, "componentType": FLOAT, "count": count, "type": "VEC3" },
                { "bufferView": 2, "componentType": FLOAT, "count": count, "type": "VEC3" },
                { "bufferView": 3, "componentType": UNSIGNED, "count": corners, "type": "SCALAR" },
            ],
            "bufferViews": [
                { "buffer": 0, "byteOffset": 0, "byteLength": vector, "target": 34962 },
                { "buffer": 0, "byteOffset": vector, "byteLength": vector, "target": 34962 },
                { "buffer": 0, "byteOffset": 2 * vector, "byteLength": vector, "target": 34962 },
                { "buffer": 0, "byteOffset": 3 * vector, "byteLength": 4 * corners, "target": 34963 },
            ],
            "buffers": [{ "byteLength": binary.len() }],
        })
    };
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let has_binary = corners > 0;
    let total = 12 + 8 + text.len() + if has_binary { 8 + binary.len() } else { 0 };
    let mut bytes = Vec::with_capacity(total);
    bytes.extend(b"glTF");
    bytes.extend(2_u32.to_le_bytes());
    bytes.extend((total as u32).to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(&text);
    if has_binary {
        bytes.extend((binary.len() as u32).to_le_bytes());
        bytes.extend(b"BIN\0");
        bytes.extend(&binary);
    }
    bytes
}
#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron.
    fn with_tetrahedron<T>(f: impl FnOnce(SurfaceMesh) -> T) -> T {
        let vertices = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.5]];
        let normals = vec![[0.0, 1.0, 0.0]; 4];
        let velocities = vec![[0.5, -0.25, 0.0]; 4];
        let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
        f(SurfaceMesh { vertices, normals, velocities, triangles, level: 0.0 })
    }

    #[test]
    fn a_ply_holds_what_its_header_says() {
        let bytes = with_tetrahedron(|mesh| encode(&mesh, MeshFormat::Ply));
        let end = bytes.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
        let header = std::str::from_utf8(&bytes[..end]).unwrap();
        assert!(header.contains("element vertex 4\n") && header.contains("element face 4\n"));
        assert_eq!(bytes.len() - end, 4 * 9 * 4 + 4 * 13);
        let float = |at: usize| f32::from_le_bytes(bytes[end + 4 * at..][..4].try_into().unwrap());
        assert_eq!([float(27 + 2), float(27 + 4), float(27 + 6)], [2.5, 1.0, 0.5]);
        assert_eq!(bytes[end + 144..end + 144 + 13], [3, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn an_obj_counts_from_one() {
        let text = String::from_utf8(with_tetrahedron(|mesh| encode(&mesh, MeshFormat::Obj))).unwrap();
        assert!(text.contains("\nv 0 0 2.5\n") && text.contains("\nf 1//1 3//3 2//2\n"));
        assert_eq!(text.lines().filter(|l| l.starts_with("vn ")).count(), 4);
    }

    #[test]
    fn a_glb_is_as_long_as_it_says_and_its_views_lie_inside() {
        let bytes = with_tetrahedron(|mesh| encode(&mesh, MeshFormat::Glb));
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
        let text = word(12);
        let document: serde_json::Value = serde_json::from_slice(&bytes[20..20 + text]).unwrap();
        assert_eq!(&bytes[24 + text..28 + text], b"BIN\0");
        let binary = word(20 + text);
        assert_eq!(document["buffers"][0]["byteLength"], binary);
        for view in document["bufferViews"].as_array().unwrap() {
            let end = view["byteOffset"].as_u64().unwrap() + view["byteLength"].as_u64().unwrap();
            assert!(end <= binary as u64);
        }
        assert_eq!(document["accessors"][0]["max"], serde_json::json!([1.0, 1.0, 2.5]));
    }

    #[test]
    fn no_water_is_a_file_too() {
        let empty = SurfaceMesh::default();
        for format in MeshFormat::ALL {
            let bytes = encode(&empty, format);
            assert!(!bytes.is_empty(), "{}", format.extension());
        }
        let bytes = encode(&empty, MeshFormat::Glb);
        assert_eq!(u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize, bytes.len());
    }
}
