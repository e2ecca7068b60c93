//! VTK's XML files with raw data behind the text: image data (`.vti`), polygons (`.vtp`), and the list of a series
//! (`.pvd`).

use std::fmt::Write as _;

use thalweg_model::SurfaceMesh;

use crate::volume::{Volume, VolumeField};

/// Arrays behind the text: little-endian, each after its length in bytes as 64 bits.
#[derive(Default)]
struct Appended {
    bytes: Vec<u8>,
}

impl Appended {
    /// Adds an array and gives the element that names it.
    fn add<const N: usize>(
        &mut self,
        (name, kind, components): (&str, &str, usize),
        values: impl IntoIterator<Item = [u8; N]>,
    ) -> String {
        let offset = self.bytes.len();
        self.bytes.extend([0; 8]);
        values.into_iter().for_each(|value| self.bytes.extend(value));
        let length = (self.bytes.len() - offset - 8) as u64;
        self.bytes[offset..offset + 8].copy_from_slice(&length.to_le_bytes());
        format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>\n"
        )
    }

    fn vectors(&mut self, name: &str, values: &[[f32; 3]]) -> String {
        self.add((name, "Float32", 3), values.iter().flatten().map(|v| v.to_le_bytes()))
    }

    fn finish(self, kind: &str, body: &str) -> Vec<u8> {
        let mut out = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"{kind}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
             {body}<AppendedData encoding=\"raw\">\n_"
        )
        .into_bytes();
        out.extend(self.bytes);
        out.extend(b"\n</AppendedData>\n</VTKFile>\n");
        out
    }
}

/// The time of the data, which ParaView reads.
fn time_of(time: f64) -> String {
    format!(
        "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time}</DataArray>\n</FieldData>\n"
    )
}

/// Fields on the cells of a box.
pub(crate) fn image(volume: &Volume<'_>, fields: &[VolumeField]) -> Vec<u8> {
    let mut data = Appended::default();
    let arrays: String = fields
        .iter()
        .map(|field| match field {
            VolumeField::LevelSet => {
                data.add((field.name(), "Float32", 1), volume.level_set.iter().map(|v| v.to_le_bytes()))
            }
            VolumeField::Velocity => data.vectors(field.name(), volume.velocity),
            VolumeField::Pressure => {
                data.add((field.name(), "Float32", 1), volume.pressure.iter().map(|v| v.to_le_bytes()))
            }
        })
        .collect();
    let [nx, ny, nz] = volume.lattice.size;
    let [x, y, z] = volume.lattice.origin;
    let [dx, dy, dz] = volume.lattice.cell;
    let extent = format!("0 {nx} 0 {ny} 0 {nz}");
    let body = format!(
        "<ImageData WholeExtent=\"{extent}\" Origin=\"{x} {y} {z}\" Spacing=\"{dx} {dy} {dz}\">\n{}<Piece Extent=\"{extent}\">\n\
         <CellData>\n{arrays}</CellData>\n</Piece>\n</ImageData>\n",
        time_of(volume.time)
    );
    data.finish("ImageData", &body)
}

/// A mesh with normals and velocities.
pub(crate) fn polygons(mesh: &SurfaceMesh) -> Vec<u8> {
    let mut data = Appended::default();
    let points = data.vectors("Points", &mesh.vertices);
    let normals = data.vectors("Normals", &mesh.normals);
    let velocities = data.vectors("velocity", &mesh.velocities);
    let corners = mesh.triangles.iter().flatten().map(|at| i64::from(*at).to_le_bytes());
    let corners = data.add(("connectivity", "Int64", 1), corners);
    let ends = (1..=mesh.triangles.len() as i64).map(|n| (3 * n).to_le_bytes());
    let ends = data.add(("offsets", "Int64", 1), ends);
    let body = format!(
        "<PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n\
         <PointData Normals=\"Normals\" Vectors=\"velocity\">\n{normals}{velocities}</PointData>\n<Points>\n{points}</Points>\n\
         <Polys>\n{corners}{ends}</Polys>\n</Piece>\n</PolyData>\n",
        mesh.vertices.len(),
        mesh.triangles.len()
    );
    data.finish("PolyData", &body)
}

/// The list of a series: ParaView opens it as one thing that changes in time. Entries are times, s, and names of files
/// beside the list.
pub fn series<'a>(entries: impl IntoIterator<Item = (f64, &'a str)>) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    for (time, file) in entries {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "<DataSet timestep=\"{time}\" part=\"0\" file=\"{file}\"/>");
    }
    text.push_str("</Collection>\n</VTKFile>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Lattice;

    /// The text before the data, and the data after the mark.
    fn parts(bytes: &[u8]) -> (String, &[u8]) {
        let mark = b"<AppendedData encoding=\"raw\">\n_";
        let at = bytes.windows(mark.len()).position(|w| w == mark).unwrap();
        let data = bytes[at + mark.len()..].strip_suffix(b"\n</AppendedData>\n</VTKFile>\n").unwrap();
        (String::from_utf8(bytes[..at].to_vec()).unwrap(), data)
    }

    /// The bytes of a named array.
    fn array<'a>(text: &str, data: &'a [u8], name: &str) -> &'a [u8] {
        let element = text.split('<').find(|e| e.contains(&format!("Name=\"{name}\""))).unwrap();
        let offset: usize = element.split("offset=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        let length = u64::from_le_bytes(data[offset..offset + 8].try_into().unwrap()) as usize;
        &data[offset + 8..][..length]
    }

    #[test]
    fn an_image_holds_its_arrays_where_it_says() {
        let lattice = Lattice { size: [2, 1, 1], cell: [0.5, 0.25, 0.5], origin: [1.0, -2.0, 3.0] };
        let volume = Volume {
            lattice,
            level_set: &[0.5, -0.5],
            velocity: &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
            pressure: &[0.0, 9.0],
            fine: None,
            time: 2.5,
        };
        let bytes = image(&volume, &VolumeField::ALL);
        let (text, data) = parts(&bytes);
        assert!(text.contains("WholeExtent=\"0 2 0 1 0 1\" Origin=\"1 -2 3\" Spacing=\"0.5 0.25 0.5\""), "{text}");
        assert!(text.contains(">2.5</DataArray>"));
        assert_eq!(array(&text, data, "velocity").len(), 24);
        assert_eq!(array(&text, data, "velocity")[12..16], 4.0_f32.to_le_bytes());
        assert_eq!(array(&text, data, "pressure"), [0.0_f32.to_le_bytes(), 9.0_f32.to_le_bytes()].concat());
        assert_eq!(array(&text, data, "level_set")[..4], 0.5_f32.to_le_bytes());
        let text = parts(&image(&volume, &[VolumeField::LevelSet])).0;
        assert!(!text.contains("velocity"));
    }

    #[test]
    fn polygons_end_where_their_offsets_say() {
        let mesh = SurfaceMesh {
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            normals: vec![[0.0, 0.0, 1.0]; 3],
            velocities: vec![[0.5; 3]; 3],
            triangles: vec![[0, 1, 2], [0, 2, 1]],
            level: 0.0,
        };
        let bytes = polygons(&mesh);
        let (text, data) = parts(&bytes);
        assert!(text.contains("NumberOfPoints=\"3\"") && text.contains("NumberOfPolys=\"2\""));
        let numbers = |name: &str| -> Vec<i64> {
            array(&text, data, name).as_chunks::<8>().0.iter().map(|b| i64::from_le_bytes(*b)).collect()
        };
        assert_eq!((numbers("connectivity"), numbers("offsets")), (vec![0, 1, 2, 0, 2, 1], vec![3, 6]));
    }

    #[test]
    fn a_series_names_times_and_files() {
        let text = series([(0.0, "a-0.vti"), (0.5, "a-1.vti")]);
        assert!(
            text.contains("<DataSet timestep=\"0.5\" part=\"0\" file=\"a-1.vti\"/>") && text.ends_with("</VTKFile>\n")
        );
    }
}
