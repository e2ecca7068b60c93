//! OpenVDB files, version 224: a level set `surface` and cell-centred velocities `velocity`, as trees 5-4-3.
//!
//! Grid points with whole-number indices are the middles of cells. `surface` is of the class "level set": values in m,
//! active within [`HALF_BAND`] cells of the surface, clamped to the width of that band elsewhere, negative tiles
//! inside. `velocity` is a plain (not staggered) vector grid in m/s, active in water and in the band around it, zero
//! elsewhere. Values are packed by zlib.

#[cfg(test)]
mod tests;
mod tree;

use tree::{Tree, Value};

use crate::volume::{Lattice, Volume};

/// Half the width of the band in which a level set is kept, cells.
pub(crate) const HALF_BAND: f64 = 3.0;

/// "VDB " in the order in which the format has it.
const MAGIC: i64 = 0x5644_4220;
/// The format since OpenVDB 3; the library's version is informative, nothing depends on it.
const FILE_VERSION: u32 = 224;
const LIBRARY_VERSION: [u32; 2] = [10, 0];
/// Values are packed by zlib.
const ZIP: u32 = 1;

pub(crate) fn encode(volume: &Volume<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(MAGIC.to_le_bytes());
    out.extend(FILE_VERSION.to_le_bytes());
    LIBRARY_VERSION.iter().for_each(|v| out.extend(v.to_le_bytes()));
    out.push(1); // offsets of grids are there
    // A name for the content: readers compare it to tell whether a file changed since they opened it.
    out.extend(uuid(volume).as_bytes());
    meta(&mut out, &[("creator", Meta::Text("Thalweg")), ("time", Meta::Double(volume.time))]);
    out.extend(2_i32.to_le_bytes());

    let (lattice, level_set) = volume.fine.unwrap_or((volume.lattice, volume.level_set));
    let width = (HALF_BAND * lattice.cell.iter().copied().fold(f64::INFINITY, f64::min)) as f32;
    let surface =
        Tree::new(lattice.size, width, |at| level_set[at].clamp(-width, width), |at| level_set[at].abs() < width);
    let about = [("name", Meta::Text("surface")), ("class", Meta::Text("level set"))];
    grid(&mut out, "surface", &lattice, &about, &surface);

    let width = (HALF_BAND * volume.lattice.cell.iter().copied().fold(f64::INFINITY, f64::min)) as f32;
    let is_active = |at: usize| volume.level_set[at] < width;
    let velocity = Tree::new(
        volume.lattice.size,
        [0.0; 3],
        |at| if is_active(at) { volume.velocity[at] } else { [0.0; 3] },
        is_active,
    );
    let about = [
        ("name", Meta::Text("velocity")),
        ("class", Meta::Text("unknown")),
        ("vector_type", Meta::Text("contravariant relative")),
    ];
    grid(&mut out, "velocity", &volume.lattice, &about, &velocity);
    out
}

/// Thirty-six characters that follow from the content.
fn uuid(volume: &Volume<'_>) -> String {
    let mut hash = crc32fast::Hasher::new();
    volume.level_set.iter().for_each(|v| hash.update(&v.to_le_bytes()));
    let (content, time) = (hash.finalize(), volume.time.to_bits());
    format!(
        "{content:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
        time >> 48,
        time >> 36 & 0xfff,
        time >> 24 & 0xfff,
        time & 0xff_ffff
    )
}

fn grid<V: Value>(out: &mut Vec<u8>, name: &str, lattice: &Lattice, about: &[(&str, Meta<'_>)], tree: &Tree<V>) {
    text(out, name);
    text(out, V::TREE);
    text(out, ""); // shares its tree with no other grid
    let offsets = out.len();
    out.extend([0; 24]);
    let begin = out.len() as i64;
    out.extend(ZIP.to_le_bytes());
    let mut all = about.to_vec();
    all.push(("is_saved_as_half_float", Meta::Flag(false)));
    if let Some([low, high]) = tree.active_box() {
        all.push(("file_bbox_min", Meta::Place(low)));
        all.push(("file_bbox_max", Meta::Place(high)));
    }
    all.push(("file_voxel_count", Meta::Count(tree.active_count())));
    meta(out, &all);
    transform(out, lattice);
    tree.topology(out);
    let blocks = out.len() as i64;
    tree.buffers(out);
    let end = out.len() as i64;
    for (place, value) in [begin, blocks, end].into_iter().enumerate() {
        out[offsets + 8 * place..][..8].copy_from_slice(&value.to_le_bytes());
    }
}

/// From indices to metres: a scale and a shift to the middle of the first cell.
fn transform(out: &mut Vec<u8>, lattice: &Lattice) {
    let cell = lattice.cell;
    let is_uniform = cell[0] == cell[1] && cell[1] == cell[2];
    text(out, if is_uniform { "UniformScaleTranslateMap" } else { "ScaleTranslateMap" });
    // Shift, scale, size of a voxel, and what the library would compute from them: 1/s, 1/s², 1/2s.
    for vector in
        [lattice.first_middle(), cell, cell, cell.map(|s| 1.0 / s), cell.map(|s| 1.0 / (s * s)), cell.map(|s| 0.5 / s)]
    {
        vector.iter().for_each(|v| out.extend(v.to_le_bytes()));
    }
}

/// A value that stands beside a grid.
#[derive(Clone, Copy)]
enum Meta<'a> {
    Text(&'a str),
    Flag(bool),
    Count(i64),
    Double(f64),
    Place([i32; 3]),
}

fn meta(out: &mut Vec<u8>, entries: &[(&str, Meta<'_>)]) {
    out.extend((entries.len() as u32).to_le_bytes());
    for (name, value) in entries {
        text(out, name);
        let (kind, bytes) = match value {
            Meta::Text(words) => ("string", words.as_bytes().to_vec()),
            Meta::Flag(flag) => ("bool", vec![u8::from(*flag)]),
            Meta::Count(count) => ("int64", count.to_le_bytes().to_vec()),
            Meta::Double(number) => ("double", number.to_le_bytes().to_vec()),
            Meta::Place(place) => ("vec3i", place.iter().flat_map(|v| v.to_le_bytes()).collect()),
        };
        text(out, kind);
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend(bytes);
    }
}

fn text(out: &mut Vec<u8>, words: &str) {
    out.extend((words.len() as u32).to_le_bytes());
    out.extend(words.as_bytes());
}
