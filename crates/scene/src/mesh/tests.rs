use super::*;

/// Corners of a cube of 2 x 3 x 4, and its faces wound outwards, from 1.
const CUBE: &str = "# a cube
v 0 0 0\nv 2 0 0\nv 0 3 0\nv 2 3 0\nv 0 0 4\nv 2 0 4\nv 0 3 4\nv 2 3 4
vt 0 0\nvn 0 0 1
f 1 5 7 3\nf 2/1 4/1 8/1 6/1\nf 1//1 2//1 6//1 5//1\nf -6 -2 -1 -5\nf 1/1/1 3/1/1 4/1/1 2/1/1\nf 5 6 8 7\n";

fn nothing(_: &str) -> Option<Vec<u8>> {
    None
}

fn cube() -> TriangleMesh {
    read("a.obj", CUBE.as_bytes(), &mut nothing).expect("a cube")
}

/// The triangles of the cube.
fn soup() -> Soup {
    read_obj(CUBE.as_bytes()).expect("triangles")
}

fn binary_stl(soup: &Soup) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend((soup.len() as u32).to_le_bytes());
    for triangle in soup {
        bytes.extend([0; 12]);
        triangle.as_flattened().iter().for_each(|v| bytes.extend((*v as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn text_stl(soup: &Soup) -> String {
    let corner = |c: &[f64; 3]| format!("vertex {} {} {}\n", c[0], c[1], c[2]);
    let facet = |t: &[[f64; 3]; 3]| {
        format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", t.iter().map(corner).collect::<String>())
    };
    format!("solid cube\n{}endsolid\n", soup.iter().map(facet).collect::<String>())
}

/// A glTF whose node scales and shifts the cube, its data in one buffer of positions and indices.
fn gltf(uri: Option<&str>) -> (String, Vec<u8>) {
    let mesh = cube();
    let mut data: Vec<u8> = Vec::new();
    mesh.vertices.iter().flatten().for_each(|v| data.extend((*v as f32).to_le_bytes()));
    mesh.triangles.iter().flatten().for_each(|n| data.extend((*n as u16).to_le_bytes()));
    let uri = uri.map_or(String::new(), |uri| format!("\"uri\":\"{uri}\","));
    let json = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\
         \"nodes\":[{{\"children\":[1],\"translation\":[10,0,0]}},{{\"mesh\":0,\"scale\":[-1,1,2]}}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\"indices\":1}}]}}],\
         \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"}},\
         {{\"bufferView\":1,\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteLength\":96}},{{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72}}],\
         \"buffers\":[{{{uri}\"byteLength\":168}}]}}"
    );
    (json, data)
}

fn glb() -> Vec<u8> {
    let (json, data) = gltf(None);
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, part) in [(b"JSON", json.as_bytes()), (b"BIN\0", &data)] {
        bytes.extend((part.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(part);
    }
    bytes
}

#[test]
fn all_formats_hold_the_cube() {
    let mesh = cube();
    assert_eq!((mesh.vertices.len(), mesh.triangles.len(), mesh.volume()), (8, 12, 24.0));
    assert_eq!(mesh.bounds(), [[0.0; 3], [2.0, 3.0, 4.0]]);
    for bytes in [binary_stl(&soup()), text_stl(&soup()).into_bytes()] {
        assert_eq!(read("A.STL", &bytes, &mut nothing), Ok(mesh.clone()));
    }
    let (json, data) = gltf(Some("cube.bin"));
    let mut file = |name: &str| (name == "cube.bin").then(|| data.clone());
    let scaled = read("a.gltf", json.as_bytes(), &mut file).expect("a cube");
    assert_eq!((scaled.volume(), scaled.bounds()), (48.0, [[8.0, 0.0, 0.0], [10.0, 3.0, 8.0]]));
    assert_eq!(read("a.glb", &glb(), &mut nothing).expect("a cube"), scaled);
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let base64: String = data
        .chunks(3)
        .flat_map(|three| {
            let word = three.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
            (0..=three.len()).map(move |n| char::from(letters[(word >> (18 - 6 * n) & 63) as usize]))
        })
        .collect();
    let (json, _) = gltf(Some(&format!("data:application/octet-stream;base64,{base64}")));
    assert_eq!(read("a.gltf", json.as_bytes(), &mut nothing).expect("a cube"), scaled);
}

#[test]
fn surfaces_without_an_inside_are_refused() {
    let mut holed = soup();
    holed.pop();
    // The last triangle is (0, 0, 4), (2, 3, 4), (0, 3, 4).
    let error = closed(&holed).expect_err("a hole");
    assert_eq!(error, MeshError::Open { open_edges: 3, at: [0.0, 1.5, 4.0] });
    let message = "3 of its edges belong to an odd number of triangles, one of them at [0, 1.500, 4.000] of the file";
    assert!(error.to_string().contains(message) && error.hint().is_some(), "{error}");
    let mut twisted = soup();
    twisted[0].swap(0, 1);
    let error = closed(&twisted).expect_err("no inside");
    assert!(matches!(error, MeshError::Twisted { edges: 3, .. }), "{error}");
    assert!(error.to_string().contains("at 3 edges") && error.to_string().contains("of the file"), "{error}");
    let mut inside_out = soup();
    inside_out.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    let turned = closed(&inside_out).expect("turned");
    assert_eq!((turned.volume(), turned.was_inside_out, cube().was_inside_out), (24.0, true, false));
    assert_eq!(closed(&[]), Err(MeshError::Empty));
    let mut infinite = soup();
    infinite[2][1][0] = f64::INFINITY;
    assert_eq!(closed(&infinite), Err(MeshError::NotFinite { triangle: 2 }));
}

#[test]
fn walls_have_a_thickness() {
    let all = [true; 3];
    assert_eq!(thinner_than(&cube(), 1.9, all), None);
    // Two of three pairs of faces are 2 and 3 apart: 12 + 8 of 26.
    let thin = thinner_than(&cube(), 3.1, all).expect("thin");
    assert!((thin.share - 20.0 / 26.0).abs() < 0.01 && thin.least == 2.0, "{thin:?}");
    assert_eq!(thinner_than(&cube(), 2.1, [false, true, true]), None, "the pair along x is not asked about");
    // A shell with a wall of 0.1 around the cube's hollow.
    let outer = cube();
    let mut shell = soup();
    for triangle in &outer.triangles {
        let inner = |n: u32| outer.vertices[n as usize].map(|v| if v == 0.0 { 0.1 } else { v - 0.1 });
        let [a, b, c] = triangle.map(inner);
        shell.push([a, c, b]);
    }
    let shell = closed(&shell).expect("a shell");
    let thin = thinner_than(&shell, 0.5, all).expect("thin");
    assert!(thin.share > 0.8 && (thin.least - 0.1).abs() < 1e-12, "{thin:?}");
}

#[test]
fn meshes_are_scaled_then_turned() {
    let placed = cube().placed(2.0, [-90.0, 0.0, 0.0]);
    let [low, high] = placed.bounds();
    for (found, wanted) in low.iter().chain(&high).zip([0.0, 0.0, -6.0, 4.0, 8.0, 0.0]) {
        assert!((found - wanted).abs() < 1e-12, "{low:?} {high:?}");
    }
    assert!((placed.volume() - 8.0 * 24.0).abs() < 1e-9);
}

#[test]
fn damaged_files_are_refused() {
    let error = |name: &str, bytes: &[u8]| read(name, bytes, &mut nothing).expect_err("refused").to_string();
    assert!(error("a.ply", b"ply").contains(".stl"));
    assert_eq!(error("a.obj", b"v 0 0\n"), "line 1: a corner needs three numbers");
    assert_eq!(error("a.obj", b"v 0 0 0\nf 1 2 3\n"), "line 2: `2` is no corner that came before");
    let stl = binary_stl(&soup());
    assert!(error("a.stl", &stl[..stl.len() - 1]).contains("684 bytes"));
    assert!(error("a.stl", b"").contains("too short"));
    assert!(error("a.gltf", gltf(Some("cube.bin")).0.as_bytes()).contains("cube.bin"));
    let bytes = glb();
    for end in 0..bytes.len() {
        assert!(read("a.glb", &bytes[..end], &mut nothing).is_err(), "{end} bytes");
    }
}
