//! The tree of an OpenVDB grid: a root, nodes of 32³ and 16³ children, leaves of 8³ values. In all of them z runs
//! fastest.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Edge of a leaf, of a lower and of an upper node, cells.
const LEAF: usize = 8;
const LOWER: usize = 128;
const UPPER: usize = 4096;

/// All values of a node follow, with no further mask.
const ALL_VALUES: u8 = 6;

/// What a grid may hold.
pub(super) trait Value: Copy + PartialEq {
    /// The type of the tree in files.
    const TREE: &'static str;
    /// Its negative: what is inside if `self` is outside.
    fn inside(self) -> Self;
    fn is_inside(self) -> bool;
    fn put(self, out: &mut Vec<u8>);
}

impl Value for f32 {
    const TREE: &'static str = "Tree_float_5_4_3";

    fn inside(self) -> Self {
        -self
    }

    fn is_inside(self) -> bool {
        self < 0.0
    }

    fn put(self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
}

impl Value for [f32; 3] {
    const TREE: &'static str = "Tree_vec3s_5_4_3";

    fn inside(self) -> Self {
        self
    }

    fn is_inside(self) -> bool {
        false
    }

    fn put(self, out: &mut Vec<u8>) {
        self.iter().for_each(|v| out.extend(v.to_le_bytes()));
    }
}

/// What stands in a place of a lower node.
enum Tile<V> {
    /// Nothing active, all inside.
    Inside,
    Leaf(Box<Leaf<V>>),
}

struct Leaf<V> {
    active: [u64; 8],
    values: [V; 512],
}

/// Places of a lower node that are not just background, by their number in it.
type Lower<V> = BTreeMap<usize, Tile<V>>;

pub(super) struct Tree<V> {
    background: V,
    /// By the cell at which an upper node begins; in it lower nodes by their number.
    upper: BTreeMap<[usize; 3], BTreeMap<usize, Lower<V>>>,
    /// Lowest and highest active cell.
    bounds: Option<[[i32; 3]; 2]>,
    active: i64,
}

impl<V: Value> Tree<V> {
    /// From a box of cells; beyond it there is only background.
    pub(super) fn new(
        size: [usize; 3],
        background: V,
        value: impl Fn(usize) -> V,
        is_active: impl Fn(usize) -> bool,
    ) -> Self {
        let mut tree = Self { background, upper: BTreeMap::new(), bounds: None, active: 0 };
        let leaves = size.map(|cells| cells.div_ceil(LEAF));
        for number in 0..leaves.iter().product() {
            let corner = [
                number / (leaves[2] * leaves[1]) * LEAF,
                number / leaves[2] % leaves[1] * LEAF,
                number % leaves[2] * LEAF,
            ];
            tree.add(corner, size, &value, &is_active);
        }
        tree
    }

    fn add(
        &mut self,
        corner: [usize; 3],
        size: [usize; 3],
        value: &impl Fn(usize) -> V,
        is_active: &impl Fn(usize) -> bool,
    ) {
        let mut leaf = Leaf { active: [0; 8], values: [self.background; 512] };
        let mut is_inside = true;
        for place in 0..512 {
            let cell = [corner[0] + place / 64, corner[1] + place / 8 % 8, corner[2] + place % 8];
            if (0..3).any(|axis| cell[axis] >= size[axis]) {
                is_inside = false;
                continue;
            }
            let at = cell[0] + size[0] * (cell[1] + size[1] * cell[2]);
            leaf.values[place] = value(at);
            is_inside &= leaf.values[place].is_inside();
            if is_active(at) {
                leaf.active[place / 64] |= 1 << (place % 64);
                let cell = cell.map(|c| c as i32);
                let [low, high] = self.bounds.get_or_insert([cell; 2]);
                (0..3)
                    .for_each(|axis| (low[axis], high[axis]) = (low[axis].min(cell[axis]), high[axis].max(cell[axis])));
                self.active += 1;
            }
        }
        let is_quiet = leaf.active.iter().all(|word| *word == 0);
        let tile = match (is_quiet, is_inside) {
            (true, true) => Tile::Inside,
            // Values that are neither background nor active: kept, since a level set without them has a hole.
            (true, false) if leaf.values.iter().all(|v| *v == self.background) => return,
            _ => Tile::Leaf(Box::new(leaf)),
        };
        let root = corner.map(|c| c / UPPER * UPPER);
        let lower = self.upper.entry(root).or_default().entry(number(corner, UPPER, LOWER)).or_default();
        lower.insert(number(corner, LOWER, LEAF), tile);
    }

    pub(super) fn active_box(&self) -> Option<[[i32; 3]; 2]> {
        self.bounds
    }

    pub(super) fn active_count(&self) -> i64 {
        self.active
    }

    /// Nodes and masks, from the root down.
    pub(super) fn topology(&self, out: &mut Vec<u8>) {
        out.extend(1_i32.to_le_bytes()); // buffers per leaf
        self.background.put(out);
        out.extend(0_u32.to_le_bytes()); // tiles of the root
        out.extend((self.upper.len() as u32).to_le_bytes());
        for (corner, upper) in &self.upper {
            corner.iter().for_each(|c| out.extend((*c as i32).to_le_bytes()));
            mask(out, 32 * 32 * 32, upper.keys().copied());
            mask(out, 32 * 32 * 32, std::iter::empty());
            self.values(out, 32 * 32 * 32, |at| if upper.contains_key(&at) { None } else { Some(self.background) });
            for lower in upper.values() {
                let leaves = lower.iter().filter(|(_, tile)| matches!(tile, Tile::Leaf(_)));
                mask(out, 16 * 16 * 16, leaves.map(|(at, _)| *at));
                mask(out, 16 * 16 * 16, std::iter::empty());
                self.values(out, 16 * 16 * 16, |at| match lower.get(&at) {
                    Some(Tile::Leaf(_)) => None,
                    Some(Tile::Inside) => Some(self.background.inside()),
                    None => Some(self.background),
                });
                for leaf in leaves_of(lower) {
                    leaf.active.iter().for_each(|word| out.extend(word.to_le_bytes()));
                }
            }
        }
    }

    /// The values of all leaves, in the order of the topology.
    pub(super) fn buffers(&self, out: &mut Vec<u8>) {
        let lower = self.upper.values().flat_map(BTreeMap::values);
        for leaf in lower.flat_map(leaves_of) {
            leaf.active.iter().for_each(|word| out.extend(word.to_le_bytes()));
            self.values(out, 512, |at| Some(leaf.values[at]));
        }
    }

    /// The values of one node; children have zeros.
    fn values(&self, out: &mut Vec<u8>, count: usize, value: impl Fn(usize) -> Option<V>) {
        let mut raw = Vec::with_capacity(count * size_of::<V>());
        for at in 0..count {
            match value(at) {
                Some(value) => value.put(&mut raw),
                None => raw.resize(raw.len() + size_of::<V>(), 0),
            }
        }
        out.push(ALL_VALUES);
        pack(out, &raw);
    }
}

fn leaves_of<V>(lower: &Lower<V>) -> impl Iterator<Item = &Leaf<V>> {
    lower.values().filter_map(|tile| match tile {
        Tile::Leaf(leaf) => Some(&**leaf),
        Tile::Inside => None,
    })
}

/// Number of a child of edge `child` in a node of edge `node`.
fn number(cell: [usize; 3], node: usize, child: usize) -> usize {
    let per_edge = node / child;
    let [x, y, z] = cell.map(|c| c % node / child);
    (x * per_edge + y) * per_edge + z
}

fn mask(out: &mut Vec<u8>, bits: usize, set: impl Iterator<Item = usize>) {
    let begin = out.len();
    out.resize(begin + bits / 8, 0);
    // Words are little-endian, so that bit n is bit n % 8 of byte n / 8.
    set.for_each(|bit| out[begin + bit / 8] |= 1 << (bit % 8));
}

/// Length and zlib stream; where that does not pay, the negative length and the bytes as they are.
fn pack(out: &mut Vec<u8>, raw: &[u8]) {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let packed = encoder.write_all(raw).and_then(|()| encoder.finish());
    match packed {
        Ok(packed) if packed.len() < raw.len() => {
            out.extend((packed.len() as i64).to_le_bytes());
            out.extend(packed);
        }
        _ => {
            out.extend((-(raw.len() as i64)).to_le_bytes());
            out.extend(raw);
        }
    }
}
