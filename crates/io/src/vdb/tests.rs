//! A reader of its own holds the writer to the format, byte for byte: whatever is left over or missing fails.

use std::collections::HashMap;
use std::io::Read;

use super::*;

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (head, rest) = self.0.split_at(N);
        self.0 = rest;
        head.try_into().unwrap()
    }

    fn int(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    fn long(&mut self) -> i64 {
        i64::from_le_bytes(self.take())
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        let (head, rest) = self.0.split_at(count);
        self.0 = rest;
        head.to_vec()
    }

    fn text(&mut self) -> String {
        let length = self.int() as usize;
        String::from_utf8(self.bytes(length)).unwrap()
    }

    fn meta(&mut self) -> HashMap<String, (String, Vec<u8>)> {
        (0..self.int())
            .map(|_| {
                let (name, kind) = (self.text(), self.text());
                let length = self.int() as usize;
                (name, (kind, self.bytes(length)))
            })
            .collect()
    }

    fn mask(&mut self, bits: usize) -> Vec<bool> {
        self.bytes(bits / 8).iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1)).collect()
    }

    /// Values of a node, `size` floats each.
    fn values(&mut self, count: usize, size: usize) -> Vec<Vec<f32>> {
        assert_eq!(self.take::<1>(), [6]);
        let length = self.long();
        let packed = self.bytes(length.unsigned_abs() as usize);
        let mut raw = packed.clone();
        if length > 0 {
            raw.clear();
            flate2::read::ZlibDecoder::new(&packed[..]).read_to_end(&mut raw).unwrap();
        }
        assert_eq!(raw.len(), count * size * 4);
        let floats: Vec<f32> = raw.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
        floats.chunks(size).map(<[f32]>::to_vec).collect()
    }
}

/// A grid read back: where a cell is active, and its value.
struct Grid {
    name: String,
    about: HashMap<String, (String, Vec<u8>)>,
    map: String,
    numbers: Vec<f64>,
    background: Vec<f32>,
    /// By cell; what is not there is background.
    leaves: HashMap<[i32; 3], (bool, Vec<f32>)>,
    /// By the corner of 8³ cells.
    tiles: HashMap<[i32; 3], Vec<f32>>,
}

impl Grid {
    fn at(&self, cell: [i32; 3]) -> (bool, Vec<f32>) {
        if let Some(found) = self.leaves.get(&cell) {
            return found.clone();
        }
        let tile = self.tiles.get(&cell.map(|c| c.div_euclid(8) * 8));
        (false, tile.unwrap_or(&self.background).clone())
    }

    fn words(&self, name: &str) -> String {
        String::from_utf8(self.about[name].1.clone()).unwrap()
    }
}

fn corner(number: usize, per_edge: usize, edge: i32, base: [i32; 3]) -> [i32; 3] {
    let place = [number / per_edge / per_edge, number / per_edge % per_edge, number % per_edge];
    std::array::from_fn(|axis| base[axis] + place[axis] as i32 * edge)
}

fn read_grid(all: &[u8], r: &mut Reader<'_>) -> Grid {
    let name = r.text();
    let size = match r.text().as_str() {
        "Tree_float_5_4_3" => 1,
        "Tree_vec3s_5_4_3" => 3,
        other => panic!("{other}"),
    };
    assert_eq!(r.text(), "");
    let place = |r: &Reader<'_>| (all.len() - r.0.len()) as i64;
    let offsets = [r.long(), r.long(), r.long()];
    assert_eq!(offsets[0], place(r));
    assert_eq!(r.int(), 1, "packed by zlib");
    let about = r.meta();
    let map = r.text();
    let numbers = (0..18).map(|_| f64::from_le_bytes(r.take())).collect();
    assert_eq!(r.int(), 1);
    let background: Vec<f32> = (0..size).map(|_| f32::from_le_bytes(r.take())).collect();
    assert_eq!(r.int(), 0, "no tiles in the root");
    let (mut order, mut tiles) = (Vec::new(), HashMap::new());
    for _ in 0..r.int() {
        let base = [r.int(), r.int(), r.int()];
        let children = r.mask(32768);
        assert!(r.mask(32768).iter().all(|on| !on));
        let values = r.values(32768, size);
        for upper in 0..32768 {
            if !children[upper] {
                assert_eq!(values[upper], background);
                continue;
            }
            let base = corner(upper, 32, 128, base);
            let leaves = r.mask(4096);
            assert!(r.mask(4096).iter().all(|on| !on));
            let values = r.values(4096, size);
            for lower in 0..4096 {
                let base = corner(lower, 16, 8, base);
                if leaves[lower] {
                    order.push((base, r.mask(512)));
                } else {
                    tiles.insert(base, values[lower].clone());
                }
            }
        }
    }
    // Leaves' masks stand behind their parent's values, parent by parent: the order of `order`.
    assert_eq!(offsets[1], place(r));
    let mut leaves = HashMap::new();
    for (base, mask) in order {
        assert_eq!(r.mask(512), mask);
        for (number, value) in r.values(512, size).into_iter().enumerate() {
            leaves.insert(corner(number, 8, 1, base), (mask[number], value));
        }
    }
    assert_eq!(offsets[2], place(r));
    Grid { name, about, map, numbers, background, leaves, tiles }
}

fn read(bytes: &[u8]) -> Vec<Grid> {
    let mut r = Reader(bytes);
    assert_eq!((r.long(), r.int()), (0x5644_4220, 224));
    r.take::<9>();
    let uuid = r.bytes(36);
    assert!(uuid.iter().all(|c| c.is_ascii_hexdigit() || *c == b'-'));
    assert_eq!(r.meta()["time"].1, 1.5_f64.to_le_bytes());
    let grids = (0..r.int()).map(|_| read_grid(bytes, &mut r)).collect();
    assert!(r.0.is_empty(), "{} bytes are left", r.0.len());
    grids
}

/// A sphere of 30 cells, larger than a leaf so that there are tiles inside, in a box that is no multiple of anything.
#[test]
fn a_ball_comes_back() {
    let size = [141, 75, 70];
    let lattice = Lattice { size, cell: [0.5; 3], origin: [10.0, -2.0, 3.0] };
    let place = |at: usize| [at % size[0], at / size[0] % size[1], at / (size[0] * size[1])];
    let distance = |at: usize| {
        let way = place(at).iter().zip([70.0, 36.0, 35.0]).map(|(c, middle)| (*c as f32 - middle).powi(2)).sum::<f32>();
        0.5 * (way.sqrt() - 30.0)
    };
    let level_set: Vec<f32> = (0..lattice.cells()).map(distance).collect();
    let velocity: Vec<[f32; 3]> = (0..lattice.cells()).map(|at| place(at).map(|c| c as f32)).collect();
    let pressure = vec![0.0; lattice.cells()];
    let volume =
        Volume { lattice, level_set: &level_set, velocity: &velocity, pressure: &pressure, fine: None, time: 1.5 };
    let grids = read(&encode(&volume));
    let [surface, flow] = &grids[..] else { panic!("two grids") };
    assert_eq!((surface.name.as_str(), surface.words("class").as_str()), ("surface", "level set"));
    assert_eq!((flow.name.as_str(), flow.words("class").as_str()), ("velocity", "unknown"));
    for grid in &grids {
        assert_eq!(grid.map, "UniformScaleTranslateMap");
        assert_eq!(grid.numbers[..6], [10.25, -1.75, 3.25, 0.5, 0.5, 0.5]);
        assert_eq!([grid.numbers[9], grid.numbers[12], grid.numbers[15]], [2.0, 4.0, 1.0]);
    }
    assert_eq!((surface.background[0], flow.background.as_slice()), (1.5, &[0.0; 3][..]));
    let mut active = 0;
    for (at, phi) in level_set.iter().enumerate() {
        let cell = place(at).map(|c| c as i32);
        assert_eq!(surface.at(cell), (phi.abs() < 1.5, vec![phi.clamp(-1.5, 1.5)]), "{cell:?}");
        let wanted = if *phi < 1.5 { velocity[at].to_vec() } else { vec![0.0; 3] };
        assert_eq!(flow.at(cell), (*phi < 1.5, wanted), "{cell:?}");
        active += i64::from(phi.abs() < 1.5);
    }
    assert_eq!(surface.about["file_voxel_count"].1, active.to_le_bytes());
    assert!(surface.tiles.values().any(|value| value[0] == -1.5), "there are tiles inside");
    assert_eq!(surface.at([142, 0, 0]).1, [1.5]);
}

#[test]
fn a_fine_level_set_has_a_transform_of_its_own() {
    let lattice = Lattice { size: [2, 2, 1], cell: [1.0; 3], origin: [0.0; 3] };
    let fine = Lattice { size: [4, 4, 1], cell: [0.5, 0.5, 1.0], origin: [0.0; 3] };
    let volume = Volume {
        lattice,
        level_set: &[-0.5; 4],
        velocity: &[[1.0; 3]; 4],
        pressure: &[0.0; 4],
        fine: Some((fine, &[-0.25; 16])),
        time: 1.5,
    };
    let grids = read(&encode(&volume));
    assert_eq!(grids[0].map, "ScaleTranslateMap");
    assert_eq!(grids[0].numbers[..6], [0.25, 0.25, 0.5, 0.5, 0.5, 1.0]);
    assert_eq!(grids[0].at([3, 3, 0]), (true, vec![-0.25]));
    assert_eq!(grids[1].at([1, 1, 0]), (true, vec![1.0; 3]));
}

#[test]
fn no_water_is_a_file_too() {
    let lattice = Lattice { size: [1, 1, 1], cell: [1.0; 3], origin: [0.0; 3] };
    let volume = Volume { lattice, level_set: &[9.0], velocity: &[[0.0; 3]], pressure: &[0.0], fine: None, time: 1.5 };
    let grids = read(&encode(&volume));
    assert!(grids.iter().all(|grid| grid.leaves.is_empty() && !grid.about.contains_key("file_bbox_min")));
}
