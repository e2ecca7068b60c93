use std::ops::Range;

use rayon::prelude::*;
use thalweg_columns::Shape;
use thalweg_columns::cells_and_faces::{DIRECTIONS, Face, Faces, Spot};
use thalweg_columns::changed_range::{Front, extent};
use thalweg_columns::grid::{face_base, face_heights, first_cell, first_sample, neighbours, world_cell};
use thalweg_columns::interpolate::SideSpan;

use super::decoded::{Side, Velocities, is_reached, known_at_water, mean_of_known, sides};
use super::plain::{CellLine, FaceLine, FlatLines};
use super::{BALANCED, BalanceSlices, CLOSED, ExtrapolateParams, FAR, LEAST_OPENING, SpreadSlices};

/// What is known of faces with both cells' level sets and open fractions beside each other.
#[inline(always)]
fn known_faces(known: &mut [u32], lower: &[f32], upper: &[f32], aperture: &[f32], reach: f32) {
    let length = known.len();
    let (lower, upper, aperture) = (&lower[..length], &upper[..length], &aperture[..length]);
    for e in 0..length {
        let reached = if (lower[e] < 0.0) | (upper[e] < 0.0) { 0 } else { FAR };
        let is_in_reach = (lower[e] < reach) | (upper[e] < reach);
        known[e] = if (aperture[e] > 0.0) & is_in_reach { reached } else { CLOSED };
    }
}

/// What is known of a face column before the first pass: runs of single cells at once, the rest entry by entry.
fn known_line(faces: &Faces<'_>, phi: &[f32], reach: f32, plane: usize, column: usize, known: &mut [u32]) {
    let n = faces.shape.samples();
    let line = |column: usize| &phi[column * n..(column + 1) * n];
    let aperture = &faces.aperture[plane * faces.shape.len() + column * n..][..n];
    let own = faces.heights[column];
    let plain = if plane == 1 {
        let first = first_sample(own) + 1;
        known_faces(&mut known[first..], &line(column)[first - 1..], &line(column)[first..], &aperture[first..], reach);
        first
    } else {
        let Some(other) = neighbours(faces.shape, column)[plane] else {
            known.fill(CLOSED);
            return;
        };
        let span = SideSpan::new(faces.heights[other], own, n);
        let end = (span.regular + 2).clamp(2, n as i32);
        let first = first_cell(own).max(first_cell(faces.heights[other])) - span.cell_of(2) + 2;
        let (first, end) = (first.clamp(2, end) as usize, end as usize);
        let cells = |column: usize| &line(column)[(span.cell_of(first) - faces.heights[column][1] + 2) as usize..];
        if first < end {
            known_faces(&mut known[first..end], cells(other), cells(column), &aperture[first..], reach);
        }
        known[end..].fill(CLOSED);
        first
    };
    for (entry, known) in known.iter_mut().enumerate().take(plain) {
        *known = known_at_water(faces, phi, reach, plane, column, entry);
    }
}

/// World cells from the first to one past the last of some entries of a face column.
#[inline(always)]
fn world_faces(faces: &Faces<'_>, plane: usize, column: usize, [first, end]: [usize; 2]) -> Range<i32> {
    // A line begins at its lower end, wherever it is stored; the top of y faces is stored as entry 0.
    if plane == 1 {
        let [bottom, top] = faces.heights[column];
        let high = if first == 0 { faces.top(column) } else { top + end as i32 - 3 };
        return if first < 2 { bottom } else { top + first as i32 - 2 }..high + 1;
    }
    let Some(span) = faces.span(plane, column) else { return 0..0 };
    let low = span.cell_of(if first == 1 { 0 } else { first });
    low..span.cell_of(end - 1) + 1
}

/// World cells from the first to one past the last of some samples of a column. A tall cell speaks from its bottom to
/// its top.
#[inline(always)]
fn world_cells(faces: &Faces<'_>, column: usize, [first, end]: [usize; 2]) -> Range<i32> {
    let heights = faces.heights[column];
    world_cell(heights, if first == 1 { 0 } else { first })..world_cell(heights, end - 1) + 1
}

/// Entries of a column from 2 on that stand for these world cells, if entry 2 stands for `base`.
#[inline(always)]
fn entries(cells: &Range<i32>, base: i32, samples: usize) -> Range<usize> {
    let entry = |y: i32| (y.saturating_sub(base).saturating_add(2)).clamp(2, samples as i32) as usize;
    entry(cells.start)..entry(cells.end)
}

/// The cells of a column that this pass reaches.
fn reached_cells(faces: &Faces<'_>, layers: &[u32], layer: u32, near: Range<i32>, column: usize, out: &mut Vec<usize>) {
    let n = faces.shape.samples();
    let heights = faces.heights[column];
    let line = &layers[column * n..(column + 1) * n];
    let around = CellLine::new(faces, column);
    let mut look = |sample: usize, y: i32| {
        let is_reached = if around.plain.contains(&y) {
            around.is_reached(faces, layers, layer, y)
        } else {
            is_reached(faces, layers, layer, Spot { column, y })
        };
        if is_reached {
            out.push(column * n + sample);
        }
    };
    for sample in (first_sample(heights)..2).filter(|sample| line[*sample] == FAR) {
        let y = world_cell(heights, sample);
        if near.contains(&y) {
            look(sample, y);
        }
    }
    for sample in entries(&near, heights[1], n).filter(|sample| line[*sample] == FAR) {
        look(sample, heights[1] + sample as i32 - 2);
    }
}

/// The faces of a face column that this pass reaches, with their velocities.
fn reached_faces(
    faces: &Faces<'_>,
    phi: &[f32],
    u: Velocities<'_>,
    layer: u32,
    (column, near): (usize, Range<i32>),
    flat: &mut FlatLines,
    out: &mut Vec<(usize, f32)>,
) {
    let plane = flat.plane;
    let n = faces.shape.samples();
    let before = if plane == 1 { Some(column) } else { neighbours(faces.shape, column)[plane] };
    let Some(before) = before else { return };
    let start = plane * faces.shape.len() + column * n;
    let known = &u.known[start..start + n];
    for entry in (0..2).filter(|entry| known[*entry] == FAR) {
        let face = faces.face(plane, column, entry).filter(|face| near.contains(&face.y));
        let mean = face.and_then(|face| mean_of_known(faces, phi, u, layer, face));
        out.extend(mean.map(|velocity| (start + entry, velocity)));
    }
    let heights = [faces.heights[before], faces.heights[column]];
    let base = if plane == 1 { heights[1][1] } else { face_base(face_heights(heights[0], heights[1])) };
    let candidates = entries(&near, base, n);
    if !known[candidates.clone()].contains(&FAR) {
        return;
    }
    let single;
    let (around, plain, shift) = match flat.line(faces, column) {
        Some(found) => found,
        None => {
            single = FaceLine::new(faces, plane, before, column);
            (&single, single.plain.clone(), 0)
        }
    };
    for entry in candidates.filter(|entry| known[*entry] == FAR) {
        let y = base + entry as i32 - 2;
        let mean = if plain.contains(&y) {
            around.mean_of_known(faces, phi, u, layer, y as isize + shift)
        } else {
            mean_of_known(faces, phi, u, layer, Face { plane, column, y })
        };
        out.extend(mean.map(|velocity| (start + entry, velocity)));
    }
}

/// What a pass finds in one row of columns.
enum Found {
    Cells(Vec<usize>),
    Faces(Vec<(usize, f32)>),
}

/// Rows of columns of the three planes of faces, then of cells.
fn planes_and_rows(shape: Shape, planes: usize) -> impl IndexedParallelIterator<Item = (usize, usize)> {
    (0..planes * shape.nz).into_par_iter().map(move |row| (row / shape.nz, row % shape.nz))
}

/// Which cells are water, which faces are known.
fn begin(faces: &Faces<'_>, reach: f32, s: SpreadSlices<'_>) {
    let (n, len, columns) = (faces.shape.samples(), faces.shape.len(), faces.shape.columns());
    let (phi, row) = (s.phi, faces.shape.nx * n);
    let water = |phi: &f32| match *phi {
        phi if phi < 0.0 => 0,
        phi if phi >= reach => CLOSED,
        _ => FAR,
    };
    let rows = s.layers[..len].par_chunks_mut(row).zip(phi.par_chunks(row));
    rows.for_each(|(layers, phi)| layers.iter_mut().zip(phi).for_each(|(layer, phi)| *layer = water(phi)));
    s.known[..3 * len].par_chunks_mut(n).with_min_len(faces.shape.nx).enumerate().for_each(|(line, known)| {
        known_line(faces, phi, reach, line / columns, line % columns, known);
    });
}

pub(super) fn spread(p: &ExtrapolateParams, s: SpreadSlices<'_>) {
    let shape = p.shape();
    let (n, len, columns) = (shape.samples(), shape.len(), shape.columns());
    let faces = Faces { shape, heights: &s.heights[..columns], aperture: s.aperture };
    if p.layer == 0 {
        begin(&faces, p.reach, s);
        return;
    }
    // An entry that is still unreached has no reached neighbour that is passable, except those of the very last pass:
    // had there been an earlier one, it would have been reached then.
    let found: Vec<Found> = {
        let u = Velocities { faces: s.faces, inner: s.inner, known: s.known };
        let layers = &*s.layers;
        let planes = if p.layer <= BALANCED { 4 } else { 3 };
        let front = Front::new(shape, planes, |plane, column| {
            let line = if plane < 3 { &u.known[plane * len + column * n..] } else { &layers[column * n..] };
            let reached = extent(&line[..n], |pass| pass == p.layer - 1)?;
            Some(match plane {
                3 => world_cells(&faces, column, reached),
                _ => world_faces(&faces, plane, column, reached),
            })
        });
        let rows = planes_and_rows(shape, planes).map(|(plane, row)| {
            let near = front.beside_row(plane, row).filter(|(_, near)| !near.is_empty());
            if plane == 3 {
                let mut found = Vec::new();
                near.for_each(|(column, near)| reached_cells(&faces, layers, p.layer, near, column, &mut found));
                return Found::Cells(found);
            }
            let (mut found, mut flat) = (Vec::new(), FlatLines::new(plane));
            near.for_each(|place| reached_faces(&faces, s.phi, u, p.layer, place, &mut flat, &mut found));
            Found::Faces(found)
        });
        rows.collect()
    };
    for found in found {
        match found {
            Found::Cells(cells) => cells.into_iter().for_each(|at| s.layers[at] = p.layer),
            Found::Faces(found) => {
                for (at, velocity) in found {
                    s.faces[at] = velocity;
                    s.known[at] = p.layer;
                    // The one face inside a tall cell of two.
                    if (len..2 * len).contains(&at) && at % n == 1 {
                        s.inner[(at - len) / n] = velocity;
                    }
                }
            }
        }
    }
}

/// New velocities of the faces of a cell that lead to higher layers.
#[inline(always)]
fn balanced(sides: [Option<Side>; DIRECTIONS], u: &[f32], haste: f32, out: &mut Vec<(usize, f32, bool)>) {
    let (mut outflow, mut opening) = (0.0, 0.0);
    for side in sides.iter().flatten() {
        outflow += side.sign * (side.aperture * u[side.face]);
        opening += if side.outer { side.aperture } else { 0.0 };
    }
    if opening < LEAST_OPENING {
        return;
    }
    let most = haste * sides.iter().flatten().fold(0.0f32, |fastest, side| fastest.max(u[side.face].abs()));
    let outer = sides.into_iter().flatten().filter(|side| side.outer);
    let corrected = |side: &Side| (u[side.face] - side.sign * (outflow / opening)).clamp(-most, most);
    out.extend(outer.map(|side| (side.face, corrected(&side), side.twice)));
}

pub(super) fn balance(p: &ExtrapolateParams, s: BalanceSlices<'_>) {
    let shape = p.shape();
    let (n, len, columns) = (shape.samples(), shape.len(), shape.columns());
    let faces = Faces { shape, heights: &s.heights[..columns], aperture: s.aperture };
    let corrected: Vec<Vec<(usize, f32, bool)>> = {
        let (layers, u) = (&*s.layers, &*s.faces);
        let of_row = |row: usize| {
            let mut found = Vec::new();
            for column in row * shape.nx..(row + 1) * shape.nx {
                let line = &layers[column * n..(column + 1) * n];
                let Some([first, end]) = extent(line, |layer| layer == p.layer) else { continue };
                let around = CellLine::new(&faces, column);
                for sample in (first..end).filter(|sample| line[*sample] == p.layer) {
                    let y = world_cell(faces.heights[column], sample);
                    let sides = if around.plain.contains(&y) {
                        around.sides(&faces, layers, p.layer, y)
                    } else {
                        sides(&faces, layers, p.layer, Spot { column, y })
                    };
                    balanced(sides, u, p.haste, &mut found);
                }
            }
            found
        };
        (0..shape.nz).into_par_iter().map(of_row).collect()
    };
    for (at, velocity, twice) in corrected.into_iter().flatten() {
        s.faces[at] = velocity;
        if twice {
            s.faces[at - 1] = velocity;
        }
        // A face inside a tall cell has single cells beside it only if it is the one between two.
        if (len..2 * len).contains(&at) && at % n == 1 {
            s.inner[(at - len) / n] = velocity;
        }
    }
}
