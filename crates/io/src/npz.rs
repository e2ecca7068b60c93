//! NumPy archives: `.npy` arrays in a zip file, as `numpy.load` reads them.
//!
//! Written here and not by a crate: without compression it is a header per array and a list at the end, and the crates
//! that do it bring a zip library and an array library. Arrays are in Fortran order, so that `a[i, j, k]` is the cell
//! `(i, j, k)`.

use crate::Error;
use crate::heights::{HeightField, Map, over_time};
use crate::volume::{Volume, VolumeField};

/// An array to be written.
struct Array {
    name: &'static str,
    /// `<f4` or `<f8`.
    kind: &'static str,
    shape: Vec<usize>,
    /// Values, the first index fastest.
    bytes: Vec<u8>,
}

impl Array {
    fn singles<'a>(name: &'static str, shape: Vec<usize>, values: impl IntoIterator<Item = &'a f32>) -> Self {
        Self { name, kind: "<f4", shape, bytes: values.into_iter().flat_map(|v| v.to_le_bytes()).collect() }
    }

    fn doubles(name: &'static str, shape: Vec<usize>, values: &[f64]) -> Self {
        Self { name, kind: "<f8", shape, bytes: values.iter().flat_map(|v| v.to_le_bytes()).collect() }
    }

    fn npy(&self) -> Vec<u8> {
        let list: String = self.shape.iter().map(|n| format!("{n},")).collect();
        let mut header =
            format!("{{'descr': '{}', 'fortran_order': True, 'shape': ({list}), }}", self.kind).into_bytes();
        // Data begin at a multiple of 64 bytes; the header ends with a line break.
        header.resize((10 + header.len() + 1).next_multiple_of(64) - 11, b' ');
        header.push(b'\n');
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header);
        bytes.extend(&self.bytes);
        bytes
    }
}

/// `level_set` and `pressure` by cell `[i, j, k]`, `velocity` by `[i, j, k, axis]`; `origin` is the low corner, `cell`
/// an edge per axis.
pub(crate) fn volume(volume: &Volume<'_>, fields: &[VolumeField]) -> Result<Vec<u8>, Error> {
    let lattice = &volume.lattice;
    let shape = lattice.size.to_vec();
    let with_axis = |axes: usize| shape.iter().copied().chain([axes]).collect();
    let mut arrays: Vec<Array> = fields
        .iter()
        .map(|field| match field {
            VolumeField::LevelSet => Array::singles(field.name(), shape.clone(), volume.level_set),
            VolumeField::Pressure => Array::singles(field.name(), shape.clone(), volume.pressure),
            VolumeField::Velocity => {
                let planes = (0..3).flat_map(|axis| volume.velocity.iter().map(move |u| &u[axis]));
                Array::singles(field.name(), with_axis(3), planes)
            }
        })
        .collect();
    arrays.push(Array::doubles("origin", vec![3], &lattice.origin));
    arrays.push(Array::doubles("cell", vec![3], &lattice.cell));
    arrays.push(Array::doubles("time", vec![], &[volume.time]));
    zip(&arrays)
}

/// `bed`, `depth`, `surface` and maps over time by cell `[i, k]`, `velocity` by `[i, k, axis]` with the axes x and z;
/// `origin` is the low corner. Names have `_`, as names of Python want it.
pub(crate) fn heights(field: &HeightField<'_>) -> Result<Vec<u8>, Error> {
    let water = field.water;
    let shape = water.size.to_vec();
    let mut arrays: Vec<Array> = [("bed", &water.bed), ("depth", &water.depth), ("surface", &water.surface)]
        .map(|(name, values)| Array::singles(name, shape.clone(), values))
        .into();
    let [u, w] = &water.velocity;
    arrays.push(Array::singles("velocity", vec![shape[0], shape[1], 2], u.iter().chain(w)));
    for map in Map::OVER_TIME {
        if let Some(values) = water.maps.as_ref().and_then(|kept| over_time(kept, map)) {
            let name = match map {
                Map::MaxDepth => "max_depth",
                Map::MaxSurface => "max_surface",
                Map::MaxSpeed => "max_speed",
                Map::PeakTime => "peak_time",
                other => other.name(),
            };
            arrays.push(Array::singles(name, shape.clone(), values));
        }
    }
    arrays.push(Array::doubles("origin", vec![2], &water.origin));
    arrays.push(Array::doubles("cell", vec![], &[water.cell]));
    arrays.push(Array::doubles("time", vec![], &[field.time]));
    zip(&arrays)
}

/// A zip file whose members are stored as they are.
fn zip(arrays: &[Array]) -> Result<Vec<u8>, Error> {
    // 1 January 1980, the earliest date of a zip file: the same water gives the same bytes on any day.
    const DAY: u16 = 0b1_00001;
    let too_large =
        || Error::TooLarge { what: "a .npz file of more than 4 GiB", hint: "take .vdb, which keeps only the water" };
    let (mut out, mut list) = (Vec::new(), Vec::new());
    for array in arrays {
        let name = format!("{}.npy", array.name);
        let data = array.npy();
        let (begin, size) = (word(out.len()).ok_or_else(too_large)?, word(data.len()).ok_or_else(too_large)?);
        // Both headers have: version 2.0, no flags, stored, time, day, checksum, sizes, length of the name, nothing
        // more.
        let mut shared = Vec::new();
        for half in [20, 0, 0, 0, DAY] {
            shared.extend(half.to_le_bytes());
        }
        for full in [crc32fast::hash(&data), size, size] {
            shared.extend(full.to_le_bytes());
        }
        shared.extend((name.len() as u16).to_le_bytes());
        shared.extend([0; 2]);
        out.extend(b"PK\x03\x04");
        out.extend(&shared);
        out.extend(name.as_bytes());
        out.extend(data);
        list.extend(b"PK\x01\x02");
        list.extend(20_u16.to_le_bytes());
        list.extend(&shared);
        list.extend([0; 10]); // no comment, first disk, no attributes
        list.extend(begin.to_le_bytes());
        list.extend(name.as_bytes());
    }
    let (begin, size) = (word(out.len()).ok_or_else(too_large)?, word(list.len()).ok_or_else(too_large)?);
    out.extend(list);
    out.extend(b"PK\x05\x06\0\0\0\0");
    let count = arrays.len() as u16;
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(size.to_le_bytes());
    out.extend(begin.to_le_bytes());
    out.extend([0; 2]);
    Ok(out)
}

fn word(length: usize) -> Option<u32> {
    u32::try_from(length).ok().filter(|n| *n < u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Lattice;

    /// The members of a zip file by its list at the end: name, data.
    fn members(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
        let half = |at: usize| usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
        let full = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let end = bytes.len() - 22;
        assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
        let mut at = full(end + 16);
        let mut found = Vec::new();
        for _ in 0..half(end + 10) {
            assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
            let (size, name, begin) = (full(at + 24), half(at + 28), full(at + 42));
            let data = begin + 30 + half(begin + 26) + half(begin + 28);
            assert_eq!(&bytes[begin..begin + 4], b"PK\x03\x04");
            let data = bytes[data..data + size].to_vec();
            assert_eq!(full(at + 16), crc32fast::hash(&data) as usize);
            found.push((String::from_utf8(bytes[at + 46..at + 46 + name].to_vec()).unwrap(), data));
            at += 46 + name;
        }
        assert_eq!(at, end);
        found
    }

    #[test]
    fn arrays_have_their_shapes_and_values() {
        let lattice = Lattice { size: [2, 3, 1], cell: [0.5; 3], origin: [1.0, 2.0, 3.0] };
        let level_set = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        let velocity = level_set.map(|v| [v, 10.0 + v, 20.0 + v]);
        let full = Volume {
            lattice,
            level_set: &level_set,
            velocity: &velocity,
            pressure: &level_set,
            fine: None,
            time: 0.25,
        };
        let files = members(&volume(&full, &VolumeField::ALL).unwrap());
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["level_set.npy", "velocity.npy", "pressure.npy", "origin.npy", "cell.npy", "time.npy"]);
        for ((_, data), shape) in files.iter().zip(["(2,3,1,)", "(2,3,1,3,)", "(2,3,1,)", "(3,)", "(3,)", "()"]) {
            assert!(data.starts_with(b"\x93NUMPY\x01\0"));
            let length = 10 + usize::from(u16::from_le_bytes([data[8], data[9]]));
            let header = std::str::from_utf8(&data[10..length]).unwrap();
            assert!(length.is_multiple_of(64) && header.ends_with('\n') && header.contains(shape), "{header}");
        }
        let floats: Vec<f32> =
            files[1].1[128..].as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        assert_eq!((floats.len(), &floats[..7]), (18, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 10.0][..]));
        assert_eq!(files[5].1[files[5].1.len() - 8..], 0.25_f64.to_le_bytes());
    }
}
