//! Bodies of the kernels that run in every step; those of the assembly are in assemble.rs.

use rayon::prelude::*;
use thalweg_columns::grid::{is_tall, world_cell};
use thalweg_columns::interpolate::cell_at;
use thalweg_solids::vector::{dot, minus, plus, zip};

use super::faces::{Lattice, body, body_of, vector, velocity};
use super::{
    BodiesParams, CHUNK, CarrySlices, CoupleSlices, FRACTIONS, LINK_ROWS, NONE, PressSlices, SIDE_ROWS, STILLS, SUMS,
    TotalSlices, UNDER_WATER, WetSlices, word,
};

fn put(words: &mut [f32], at: usize, value: [f32; 3]) {
    words[at..at + 3].copy_from_slice(&value);
}

pub(super) fn wet(p: &BodiesParams, s: WetSlices<'_>) {
    let shape = p.shape();
    let lattice = Lattice { shape, heights: s.heights };
    let (n, len) = (shape.samples(), shape.len());
    s.sums.par_chunks_mut(SUMS).take(p.chunks as usize).enumerate().for_each(|(chunk, out)| {
        let mut sums = [0.0f64; SUMS];
        let mut add = |first: usize, values: &[f32]| {
            sums[first..].iter_mut().zip(values).for_each(|(sum, value)| *sum += f64::from(*value));
        };
        for (_, item, level) in p.slots(s.items, chunk) {
            let [number, column, low, high] = *item;
            let (number, column) = (number as usize, column as usize);
            let words = body(s.bodies, number);
            let h = s.heights[column];
            let place = |y: i32| minus(lattice.middle(column, y), vector(words, word::CENTRE));
            if let Some(sample) = lattice.sample(*item, level) {
                let at = column * n + sample;
                let water = (0.5 - s.phi[at]).clamp(0.0, 1.0);
                if body_of(p, s.bodies, s.owner[3 * len + at]) == Some(number) {
                    let displaced = water * s.solid[at];
                    let [x, y, z] = place(world_cell(h, sample)).map(|v| displaced * v);
                    add(0, &[displaced, x, y, z]);
                    add(9, &[s.solid[at]]);
                }
                let around = water * (1.0 - s.solid[at]);
                if around > 0.0 {
                    let mut flow = [0.0; 3];
                    for face in lattice.faces(column, sample).into_iter().flatten() {
                        flow[face.axis] += 0.5 * s.faces[face.at];
                    }
                    let [x, y, z] = flow.map(|v| around * v);
                    add(5, &[around, x, y, z]);
                }
            }
            if level == 0 && h[1] + n as i32 - 2 < high {
                add(10, &[1.0]);
            }
            if is_tall(h) {
                // In the tall cell nobody knows its shape: it fills all cells beside it by the same share.
                let levels = s.items[p.items as usize + chunk][2] as usize;
                let line = &s.phi[column * n..][..n];
                for y in ((low + 2).max(h[0])..(high - 1).min(h[1])).skip(level).step_by(levels) {
                    let deep = words[word::FILL] * (0.5 - cell_at(line, h, y)).clamp(0.0, 1.0);
                    let [x, y, z] = place(y).map(|v| deep * v);
                    add(0, &[deep, x, y, z, deep]);
                }
            }
        }
        out.copy_from_slice(&sums.map(|sum| sum as f32));
    });
}

pub(super) fn total(p: &BodiesParams, s: TotalSlices<'_>) {
    fn sum<const N: usize>(parts: &[f32], first: usize, count: usize) -> [f32; N] {
        let mut sums = [0.0f64; N];
        for chunk in parts.chunks_exact(N).skip(first).take(count) {
            sums.iter_mut().zip(chunk).for_each(|(sum, value)| *sum += f64::from(*value));
        }
        sums.map(|sum| sum as f32)
    }
    for words in s.bodies.chunks_exact_mut(word::COUNT).take(p.bodies as usize) {
        let (first, count) = (words[word::FIRST] as usize, words[word::CHUNKS] as usize);
        let [displaced, x, y, z, deep, around, flow_x, flow_y, flow_z, filled, short] =
            sum::<SUMS>(s.sums, first, count);
        words[word::DISPLACED] = displaced;
        put(words, word::DISPLACED_MOMENT, [x, y, z]);
        words[word::DEEP] = deep;
        words[word::AROUND] = around;
        put(words, word::FLOW, [flow_x, flow_y, flow_z]);
        words[word::FILLED] = filled;
        let [aside_x, aside_z, moment @ .., lift, lift_x, lift_z] = sum::<STILLS>(s.stills, first, count);
        let (impulse, moment) = if deep > 0.0 {
            ([0.0, p.weight * displaced, 0.0], [-p.weight * z, 0.0, p.weight * x])
        } else if displaced > UNDER_WATER * filled {
            // Archimedes, in place of what its walls say.
            let per_filled = p.weight * words[word::VOLUME] / displaced.max(1e-6);
            let lift = [-per_filled * z, 0.0, per_filled * x];
            ([aside_x, p.weight * words[word::VOLUME], aside_z], plus(moment, lift))
        } else {
            // Fractions of cells are known to some hundredths: in all they are the body's volume, if columns reach its
            // top.
            let volume = words[word::VOLUME];
            let is_near = short == 0.0 && volume > (1.0 - FRACTIONS) * filled && volume < (1.0 + FRACTIONS) * filled;
            let scale = if is_near { volume / filled } else { 1.0 };
            ([aside_x, scale * lift, aside_z], plus(moment, [scale * lift_x, 0.0, scale * lift_z]))
        };
        put(words, word::STILL_IMPULSE, impulse);
        put(words, word::STILL_MOMENT, moment);
    }
}

pub(super) fn press(p: &BodiesParams, s: PressSlices<'_>) {
    s.bodies[..p.bodies as usize * word::COUNT].par_chunks_exact_mut(word::COUNT).for_each(|words| {
        let (first, count) = (words[word::FIRST] as usize, words[word::CHUNKS] as usize);
        let mut sums = [0.0f64; 6];
        for rows in s.links.chunks_exact(LINK_ROWS * CHUNK).skip(first).take(count) {
            for lane in (0..CHUNK).filter(|lane| rows[*lane] != NONE) {
                let x = s.x[rows[lane] as usize];
                let parts = rows[CHUNK + lane..].iter().step_by(CHUNK);
                sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += f64::from(f32::from_bits(*part) * x));
            }
        }
        let [x, y, z, turn @ ..] = sums.map(|sum| sum as f32);
        answer(p, [x, y, z], turn, words);
    });
}

/// What a body makes of the impulse of pressures and its moment.
fn answer(p: &BodiesParams, pressed: [f32; 3], turned: [f32; 3], words: &mut [f32]) {
    let (mut impulse, mut moment) = (pressed, turned);
    if p.changes == 0 {
        impulse = plus(impulse, vector(words, word::STILL_IMPULSE));
        moment = plus(moment, vector(words, word::STILL_MOMENT));
    }
    let change = zip(impulse, vector(words, word::PER_MASS), |v, per_mass| v * per_mass);
    let turn = [0, 1, 2].map(|row| dot(vector(words, word::PER_INERTIA + 3 * row), moment));
    if p.changes == 1 {
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
                    // Where a face lies along its own axis changes nothing along it.
                    let middle = lattice.middle(column, world_cell(s.heights[column], sample));
                    line[face.at % n] = velocity(body(s.bodies, number), middle)[axis];
                }
            }
        }
    });
}

pub(super) fn couple(p: &BodiesParams, s: CoupleSlices<'_>) {
    let shape = p.shape();
    let n = shape.samples();
    let flux = |slot: usize| {
        let word = |n: usize| s.sides[slot / CHUNK * SIDE_ROWS * CHUNK + n * CHUNK + slot % CHUNK];
        let at = word(0);
        if at == NONE {
            return None;
        }
        let (column, y) = (at as usize / n, word(1) as i32);
        let middle = [(column % shape.nx) as f32 + 0.5, y as f32 + 0.5, (column / shape.nx) as f32 + 0.5];
        let through = |axis: usize, number: u32, closed: u32| match f32::from_bits(closed) {
            0.0 => 0.0,
            closed => closed * velocity(body(s.bodies, number as usize), middle)[axis],
        };
        let sides = (0..3).map(|axis| {
            let pair = word(2 + axis);
            through(axis, pair & 0xffff, word(5 + axis)) + through(axis, pair >> 16, word(8 + axis))
        });
        Some((at as usize, sides.sum::<f32>()))
    };
    let fluxes: Vec<(usize, f32)> = (0..(p.columns * p.levels) as usize).into_par_iter().filter_map(flux).collect();
    for (at, flux) in fluxes {
        s.q[at] += p.cell * flux;
    }
    let bodies = s.bodies.chunks_exact(word::COUNT).take(p.bodies as usize);
    s.partials[p.dot_at as usize] += bodies.map(|words| words[word::ENERGY]).sum::<f32>();
}
