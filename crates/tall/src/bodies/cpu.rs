use rayon::prelude::*;
use thalweg_pressure::Shape;
use thalweg_pressure::device::plane;
use thalweg_pressure::grid::{Heights, first_cell, is_tall, world_cell};

use super::{BodiesParams, CarrySlices, CoupleSlices, PressSlices, RespondSlices, SUMS, UNDER_WATER, WetSlices, word};
use crate::lattice::{SideSpan, cell_at};
use crate::solids::vector::{cross, dot, minus, plus, zip};

impl BodiesParams {
    fn shape(&self) -> Shape {
        Shape { nx: self.nx as usize, nz: self.nz as usize, regular: self.samples as usize - 2 }
    }
}

fn vector(words: &[f32], at: usize) -> [f32; 3] {
    [words[at], words[at + 1], words[at + 2]]
}

/// The words of a body.
fn body(bodies: &[f32], number: usize) -> &[f32] {
    &bodies[number * word::COUNT..][..word::COUNT]
}

/// A face of a cell that is a cell of its own.
struct Face {
    /// Its entry among all faces.
    at: usize,
    axis: usize,
    /// 1 if the cell lies below it, −1 if above.
    outward: f32,
    /// Its centre, cells from the corner of the domain.
    centre: [f32; 3],
}

/// Faces between columns that stand for one cell each.
struct Lattice<'a> {
    shape: Shape,
    heights: &'a [Heights],
}

impl Lattice<'_> {
    /// The entry of the side face at a world cell, between a column and the one before it.
    fn side(&self, before: usize, column: usize, y: i32) -> Option<usize> {
        let span = SideSpan::new(self.heights[before], self.heights[column], self.shape.samples());
        span.single(y)
    }

    /// The faces of a cell, in the order −x, +x, −y, +y, −z, +z; none where the domain ends or a run of faces has no entry of its own.
    fn faces(&self, column: usize, sample: usize) -> [Option<Face>; 6] {
        let Shape { nx, nz, .. } = self.shape;
        let (n, len) = (self.shape.samples(), self.shape.len());
        let (i, k, y) = (column % nx, column / nx, world_cell(self.heights[column], sample));
        let middle = [i as f32 + 0.5, y as f32 + 0.5, k as f32 + 0.5];
        let face = |axis: usize, upper: bool, owner: usize, entry: usize| {
            let mut centre = middle;
            centre[axis] += if upper { 0.5 } else { -0.5 };
            Face { at: axis * len + owner * n + entry, axis, outward: if upper { 1.0 } else { -1.0 }, centre }
        };
        let side = |axis: usize, upper: bool, before: usize, after: usize| {
            self.side(before, after, y).map(|entry| face(axis, upper, after, entry))
        };
        [
            if i > 0 { side(0, false, column - 1, column) } else { None },
            if i + 1 < nx { side(0, true, column, column + 1) } else { None },
            if sample > 0 { Some(face(1, false, column, sample)) } else { None },
            if sample + 1 < n { Some(face(1, true, column, sample + 1)) } else { None },
            if k > 0 { side(2, false, column - nx, column) } else { None },
            if k + 1 < nz { side(2, true, column, column + nx) } else { None },
        ]
    }

    /// Samples of a column that are cells of their own between two world cells, the upper one included.
    fn samples(&self, column: usize, low: i32, high: i32) -> std::ops::Range<usize> {
        let (h, n) = (self.heights[column], self.shape.samples());
        let begin = low.max(first_cell(h));
        let end = (high + 1).min(h[1] + n as i32 - 2);
        if begin >= end {
            return 0..0;
        }
        let sample = |y: i32| if is_tall(h) || y >= h[1] { (y - h[1] + 2) as usize } else { (y - h[0]) as usize };
        sample(begin)..sample(end - 1) + 1
    }
}

/// The body that an obstacle belongs to, by its word.
fn body_of(p: &BodiesParams, bodies: &[f32], owner: u32) -> Option<usize> {
    let number = bodies[p.bodies as usize * word::COUNT + (owner & 0xffff) as usize];
    (number >= 0.0).then_some(number as usize)
}

pub(super) fn wet(p: &BodiesParams, s: WetSlices<'_>) {
    let shape = p.shape();
    let lattice = Lattice { shape, heights: s.heights };
    let (n, len) = (shape.samples(), shape.len());
    let items = s.items[..p.items as usize].par_iter().zip(s.sums.par_chunks_mut(SUMS));
    items.for_each(|([number, column, low, high], sums)| {
        let (number, column) = (*number as usize, *column as usize);
        let words = body(s.bodies, number);
        let centre = vector(words, word::CENTRE);
        let h = s.heights[column];
        let (x, z) = ((column % shape.nx) as f32 + 0.5 - centre[0], (column / shape.nx) as f32 + 0.5 - centre[2]);
        sums.fill(0.0);
        for sample in lattice.samples(column, *low, *high) {
            let at = column * n + sample;
            let y = world_cell(h, sample) as f32 + 0.5 - centre[1];
            let water = (0.5 - s.phi[at]).clamp(0.0, 1.0);
            if body_of(p, s.bodies, s.owner[3 * len + at]) == Some(number) {
                let displaced = water * s.solid[at];
                sums[0] += displaced;
                sums[1] += displaced * x;
                sums[2] += displaced * y;
                sums[3] += displaced * z;
                sums[9] += s.solid[at];
            }
            let around = water * (1.0 - s.solid[at]);
            if around > 0.0 {
                sums[5] += around;
                let mut flow = [0.0; 3];
                for face in lattice.faces(column, sample).into_iter().flatten() {
                    flow[face.axis] += 0.5 * s.faces[face.at];
                }
                sums[6] += around * flow[0];
                sums[7] += around * flow[1];
                sums[8] += around * flow[2];
            }
        }
        if is_tall(h) {
            // In the tall cell nobody knows its shape: it fills all cells beside it by the same share.
            for y in (*low + 2).max(h[0])..(*high - 1).min(h[1]) {
                let line = &s.phi[column * n..][..n];
                let deep = words[word::FILL] * (0.5 - cell_at(line, h, y)).clamp(0.0, 1.0);
                sums[0] += deep;
                sums[1] += deep * x;
                sums[2] += deep * (y as f32 + 0.5 - centre[1]);
                sums[3] += deep * z;
                sums[4] += deep;
            }
        }
    });
}

/// Height of a wall over the bottom of a cell, from what it closes of the lower and upper face and fills of the cell, as shares of what it covers
/// of the column. Faces are closed and cells filled by `½ − d` with the distance `d` of the wall: whichever is not cut off tells where it is,
/// first the face that the wall has passed. A solid that is `above` goes on upwards from the wall.
fn wall_of(above: bool, [low, high]: [f32; 2], solid: f32) -> f32 {
    let is_cut = |share: f32| share > 0.0 && share < 1.0;
    let (near, far) = if above { ([low, 0.0], [high, 1.0]) } else { ([high, 1.0], [low, 0.0]) };
    let [share, at] = match (is_cut(near[0]), is_cut(far[0])) {
        (true, _) => near,
        (_, true) => far,
        _ => [solid.min(1.0), 0.5],
    };
    if above { at + 0.5 - share } else { at - 0.5 + share }
}

pub(super) fn press(p: &BodiesParams, s: PressSlices<'_>) {
    let shape = p.shape();
    let lattice = Lattice { shape, heights: s.heights };
    let (n, total) = (shape.samples(), p.total as usize);
    let items = s.items[..p.items as usize].par_iter().zip(s.sums.par_chunks_mut(SUMS));
    items.for_each(|([number, column, low, high], sums)| {
        let (number, column) = (*number as usize, *column as usize);
        let centre = vector(body(s.bodies, number), word::CENTRE);
        let (mut impulse, mut moment) = ([0.0f32; 3], [0.0f32; 3]);
        let mut still = [0.0f32; 3]; // the still part upwards, its moments around x and z
        for sample in lattice.samples(column, *low, *high) {
            let at = column * n + sample;
            if s.cells[plane::DIAGONAL * total + at] <= 0.0 {
                continue;
            }
            let (q, solid) = (s.x[at], s.cells[plane::SOLID * total + at]);
            let y = world_cell(s.heights[column], sample) as f32;
            let closed_at = |at: usize| {
                if body_of(p, s.bodies, s.owner[at]) == Some(number) { 1.0 - s.aperture[at] } else { 0.0 }
            };
            let closed = |face: &Face| closed_at(face.at);
            let share_at = |at: usize| {
                if body_of(p, s.bodies, s.owner[at]) == Some(number) {
                    (s.owner[at] >> 16) as f32 / 65535.0
                } else {
                    0.0
                }
            };
            let faces = lattice.faces(column, sample);
            let entry = shape.len() + at; // of the face below; 0 in the column is none
            let [low, high] = [2, 3].map(|side: usize| faces[side].as_ref().map_or(0.0, closed));
            let above = high > low;
            // How much of the column the solid covers: what is behind the wall.
            let mut covered = low.max(high).max(1e-6);
            let mut share = share_at(entry).max(share_at(if sample + 1 < n { entry + 1 } else { entry }));
            if (above && sample + 2 < n) || (!above && sample > 1) {
                let behind = if above { entry + 2 } else { entry - 1 };
                (covered, share) = (covered.max(closed_at(behind)), share.max(share_at(behind)));
            }
            // A column that is covered but for a sliver is closed; the body is no larger for that.
            let narrower = (share / covered).min(1.0);
            let wall = wall_of(above, [low / covered, high / covered], solid / covered);
            for face in faces.iter().flatten() {
                let closed = closed(face);
                if closed <= 0.0 {
                    continue;
                }
                let (wall, narrower) = if face.axis == 1 { (wall, narrower) } else { (0.5, 1.0) };
                let weight = p.weight * (p.level + 0.5 - y - wall) * narrower;
                let mut along = [0.0; 3];
                along[face.axis] = closed * face.outward * (q + weight);
                let arm = minus(face.centre, centre);
                impulse = plus(impulse, along);
                moment = plus(moment, cross(arm, along));
                if face.axis == 1 {
                    let lift = closed * face.outward * weight;
                    still = plus(still, [lift, -arm[2] * lift, arm[0] * lift]);
                }
            }
        }
        sums[..3].copy_from_slice(&impulse);
        sums[3..6].copy_from_slice(&moment);
        sums[6..9].copy_from_slice(&still);
        sums[9] = 0.0;
    });
}

pub(super) fn respond(p: &BodiesParams, s: RespondSlices<'_>) {
    for words in s.bodies.chunks_exact_mut(word::COUNT).take(p.bodies as usize) {
        let (first, count) = (words[word::FIRST] as usize, words[word::ITEMS] as usize);
        let mut sums = [0.0f64; SUMS];
        for item in s.sums.chunks_exact(SUMS).skip(first).take(count) {
            sums.iter_mut().zip(item).for_each(|(sum, value)| *sum += f64::from(*value));
        }
        answer(p, sums.map(|sum| sum as f32), words);
    }
}

/// What a body makes of the sums over its items. Twin in bodies_respond.wesl.
fn answer(p: &BodiesParams, sums: [f32; SUMS], words: &mut [f32]) {
    let put = |words: &mut [f32], at: usize, value: [f32; 3]| words[at..at + 3].copy_from_slice(&value);
    if p.kind == 2 {
        words[word::DISPLACED] = sums[0];
        put(words, word::DISPLACED_MOMENT, [sums[1], sums[2], sums[3]]);
        words[word::DEEP] = sums[4];
        words[word::AROUND] = sums[5];
        put(words, word::FLOW, [sums[6], sums[7], sums[8]]);
        words[word::FILLED] = sums[9];
        return;
    }
    let (mut impulse, mut moment) = ([sums[0], sums[1], sums[2]], [sums[3], sums[4], sums[5]]);
    if words[word::DEEP] > 0.0 {
        let [x, _, z] = vector(words, word::DISPLACED_MOMENT);
        impulse = [0.0, p.weight * words[word::DISPLACED], 0.0];
        moment = [-p.weight * z, 0.0, p.weight * x];
    } else if words[word::DISPLACED] > UNDER_WATER * words[word::FILLED] {
        // Archimedes for the still part, in place of what its walls say.
        let [x, _, z] = vector(words, word::DISPLACED_MOMENT);
        let per_filled = p.weight * words[word::VOLUME] / words[word::DISPLACED].max(1e-6);
        impulse[1] += p.weight * words[word::VOLUME] - sums[6];
        moment = plus(moment, [-per_filled * z - sums[7], 0.0, per_filled * x - sums[8]]);
    }
    let change = zip(impulse, vector(words, word::PER_MASS), |v, per_mass| v * per_mass);
    let turn = [0, 1, 2].map(|row| dot(vector(words, word::PER_INERTIA + 3 * row), moment));
    if p.kind == 1 {
        put(words, word::VELOCITY, change);
        put(words, word::RATES, turn);
        words[word::ENERGY] = p.cell * (dot(impulse, change) + dot(moment, turn));
        return;
    }
    put(words, word::VELOCITY, plus(vector(words, word::FREE_VELOCITY), change));
    put(words, word::RATES, plus(vector(words, word::FREE_RATES), turn));
    put(words, word::IMPULSE, impulse);
    put(words, word::MOMENT, moment);
}

/// Velocity of a body at a point along an axis, m/s.
fn speed(words: &[f32], point: [f32; 3], axis: usize) -> f32 {
    let arm = minus(point, vector(words, word::CENTRE));
    plus(vector(words, word::VELOCITY), cross(vector(words, word::RATES), arm))[axis]
}

/// Cells of a column that bodies may touch, if any; `columns` are in order.
fn span_of(columns: &[[i32; 4]], column: usize) -> Option<[i32; 2]> {
    let found = columns.binary_search_by_key(&column, |item| item[1] as usize).ok()?;
    Some([columns[found][2], columns[found][3]])
}

pub(super) fn carry(p: &BodiesParams, s: CarrySlices<'_>) {
    let shape = p.shape();
    let lattice = Lattice { shape, heights: s.heights };
    let n = shape.samples();
    // A cell writes its lower faces, which are entries of its own column.
    let lines = s.velocity[..3 * shape.len()].par_chunks_mut(n).enumerate();
    lines.for_each(|(index, line)| {
        let (axis, column) = (index / shape.columns(), index % shape.columns());
        let Some([low, high]) = span_of(&s.columns[..p.columns as usize], column) else { return };
        for sample in lattice.samples(column, low, high) {
            let faces = lattice.faces(column, sample).into_iter().flatten();
            for face in faces.filter(|face| face.axis == axis && face.outward < 0.0) {
                if let Some(number) = body_of(p, s.bodies, s.owner[face.at]) {
                    line[face.at % n] = speed(body(s.bodies, number), face.centre, axis);
                }
            }
        }
    });
}

pub(super) fn couple(p: &BodiesParams, s: CoupleSlices<'_>) {
    let shape = p.shape();
    let lattice = Lattice { shape, heights: s.heights };
    let (n, total) = (shape.samples(), p.total as usize);
    s.q[..shape.len()].par_chunks_mut(n).enumerate().for_each(|(column, line)| {
        let Some([low, high]) = span_of(&s.columns[..p.columns as usize], column) else { return };
        for sample in lattice.samples(column, low, high) {
            if s.cells[plane::DIAGONAL * total + column * n + sample] <= 0.0 {
                continue;
            }
            let mut flux = 0.0;
            for face in lattice.faces(column, sample).into_iter().flatten() {
                if let Some(number) = body_of(p, s.bodies, s.owner[face.at]) {
                    let along = speed(body(s.bodies, number), face.centre, face.axis);
                    flux += face.outward * (1.0 - s.aperture[face.at]) * along;
                }
            }
            line[sample] += p.cell * flux;
        }
    });
    let bodies = s.bodies.chunks_exact(word::COUNT).take(p.bodies as usize);
    s.partials[p.dot_at as usize] += bodies.map(|words| words[word::ENERGY]).sum::<f32>();
}
