//! Any bytes as a mesh of each format: refused, or closed triangles of corners that are there.

use thalweg_scene::mesh;

/// The bytes, read.
pub fn run(bytes: &[u8]) {
    for name in ["a.obj", "a.stl", "a.gltf", "a.glb"] {
        // A glTF may name files: the input stands for them too.
        match mesh::read(name, bytes, &mut |_| Some(bytes.to_vec())) {
            Ok(mesh) => {
                assert!(mesh.vertices.iter().flatten().all(|number| number.is_finite()));
                assert!(mesh.triangles.iter().flatten().all(|corner| (*corner as usize) < mesh.vertices.len()));
                assert!(!mesh.triangles.is_empty());
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
