//! The neighbours of all cells of a column as six lines, so that what is made of them is a loop without branches.

use super::constants::NOWHERE;
use thalweg_columns::Heights;
use thalweg_columns::cells_and_faces::{DIRECTIONS, DOWN, Faces, UP};
use thalweg_columns::grid::first_sample;
use thalweg_columns::interpolate::cell_at;
use thalweg_columns::neighbour_runs::Beside;

/// Values beside, below and above the cells of a column; entry `j` belongs to sample `j`. Nothing is said about the
/// ends of tall cells.
#[derive(Debug)]
pub(super) struct Around {
    lines: [Vec<f32>; DIRECTIONS],
}

#[inline(always)]
fn missing(own: f32) -> f32 {
    if own < 0.0 { -NOWHERE } else { NOWHERE }
}

/// `values` where faces are open.
#[inline(always)]
fn open_values(out: &mut [f32], own: &[f32], values: &[f32], aperture: &[f32]) {
    let length = out.len();
    let (own, values, aperture) = (&own[..length], &values[..length], &aperture[..length]);
    for j in 0..length {
        out[j] = if aperture[j] > 0.0 { values[j] } else { missing(own[j]) };
    }
}

/// Whether all faces are open.
#[inline(always)]
fn are_open(aperture: &[f32]) -> bool {
    let open = |faces: &[f32]| faces.iter().fold(true, |all, aperture| all & (*aperture > 0.0));
    let (chunks, rest) = aperture.as_chunks::<16>();
    chunks.iter().all(|chunk| open(chunk)) && open(rest)
}

#[inline(always)]
fn no_values(out: &mut [f32], own: &[f32]) {
    out.iter_mut().zip(own).for_each(|(out, own)| *out = missing(*own));
}

impl Around {
    pub(super) fn new(samples: usize) -> Self {
        Self { lines: std::array::from_fn(|_| vec![0.0; samples]) }
    }

    /// A field around the cells of a column, from one sample to before another: lines in the order -x, +x, -z, +z,
    /// down, up. Where all faces are open and all neighbours single cells, that is a part of the field itself.
    #[inline(always)]
    pub(super) fn gather<'a>(
        &'a mut self,
        faces: &Faces<'_>,
        field: &'a [f32],
        column: usize,
        [from, to]: [usize; 2],
    ) -> [&'a [f32]; DIRECTIONS] {
        let shape = faces.shape;
        let n = shape.samples();
        let own = &field[column * n..(column + 1) * n];
        let heights = faces.heights[column];
        let mut direct: [Option<&[f32]>; DIRECTIONS] = [None; DIRECTIONS];
        for (direction, side) in Beside::of(shape, faces.heights, column).enumerate() {
            let out = &mut self.lines[direction];
            let Some(side) = side else {
                no_values(&mut out[from..to], &own[from..to]);
                continue;
            };
            let is_plain = side.cells[0] <= from && to <= side.cells[1];
            if is_plain && are_open(side.faces(shape, faces.aperture, [from, to])) {
                direct[direction] = Some(side.values(n, field, [from, to]));
                continue;
            }
            let [tall, low, high] = [side.tall, side.cells[0], side.cells[1]].map(|sample| sample.clamp(from, to));
            no_values(&mut out[from..tall], &own[from..tall]);
            let aperture = side.faces(shape, faces.aperture, [tall, low]);
            for (j, aperture) in (tall..low).zip(aperture) {
                let value = side.in_tall(field, n, heights[1], j);
                out[j] = if *aperture > 0.0 { value } else { missing(own[j]) };
            }
            let aperture = side.faces(shape, faces.aperture, [low, high]);
            open_values(&mut out[low..high], &own[low..high], side.values(n, field, [low, high]), aperture);
            no_values(&mut out[high..to], &own[high..to]);
        }
        let start = shape.len() + column * n;
        let aperture = &faces.aperture[start..start + n];
        let is_inside = from > first_sample(heights) && to < n;
        if is_inside && are_open(&aperture[from..=to]) {
            direct[DOWN] = Some(&own[from - 1..to - 1]);
            direct[UP] = Some(&own[from + 1..to + 1]);
        } else {
            self.gather_vertical(heights, own, aperture, [from, to]);
        }
        let lines = &self.lines;
        std::array::from_fn(|direction| direct[direction].unwrap_or(&lines[direction][from..to]))
    }

    #[inline(always)]
    fn gather_vertical(&mut self, heights: Heights, own: &[f32], aperture: &[f32], [from, to]: [usize; 2]) {
        let n = own.len();
        // The ground is closed, and so is what lies over the highest cell.
        let mut next = from;
        if from == first_sample(heights) {
            let is_open = from > 0 && aperture[from] > 0.0;
            self.lines[DOWN][from] = if is_open { cell_at(own, heights, heights[1] - 1) } else { missing(own[from]) };
            next += 1;
        }
        open_values(&mut self.lines[DOWN][next..to], &own[next..to], &own[next - 1..], &aperture[next..to]);
        let last = to.min(n - 1);
        open_values(&mut self.lines[UP][from..last], &own[from..last], &own[from + 1..], &aperture[from + 1..=last]);
        if to == n {
            self.lines[UP][n - 1] = missing(own[n - 1]);
        }
    }
}
