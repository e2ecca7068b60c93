use rayon::prelude::*;
use thalweg_columns::grid::{is_tall, world_cell};
use thalweg_columns::interpolate::SideSpan;
use thalweg_columns::{Heights, Shape};
use thalweg_solids::packed::{self, WORDS, corners};

use super::constants::{AROUND, CLEARANCE, FLOW};
use super::{CeilingSlices, FractionsSlices, SLIVER, SolidsParams};

/// How much of a cell or face with this centre lies in an obstacle.
pub(super) fn share(words: &[f32], distances: &[f32], point: [f32; 3]) -> f32 {
    let [low, high] = corners(words);
    // What is half a cell away from the bounding box is not touched.
    if (0..3).all(|axis| point[axis] > low[axis] - 0.5 && point[axis] < high[axis] + 0.5) {
        packed::share(words, distances, point)
    } else {
        0.0
    }
}

/// The column on the other side of a face column of plane 0 or 2.
fn column_before(shape: Shape, plane: usize, column: usize) -> Option<usize> {
    match plane {
        0 if !column.is_multiple_of(shape.nx) => Some(column - 1),
        2 if column >= shape.nx => Some(column - shape.nx),
        _ => None,
    }
}

struct Columns<'a> {
    shape: Shape,
    heights: &'a [Heights],
    terrain: &'a [f32],
    obstacles: &'a [f32],
    distances: &'a [f32],
    /// Obstacles that may touch the column at hand.
    near: Vec<usize>,
}

/// One face that has an entry of its own.
struct SingleFace {
    centre: [f32; 3],
    /// How much of it terrain closes.
    ground: f32,
}

impl<'a> Columns<'a> {
    /// The same for one column: only obstacles that its cells and faces may touch are looked at.
    fn beside(&self, column: usize) -> Self {
        let corner = self.corner(column);
        let is_near = |words: &[f32]| {
            let [low, high] = corners(words);
            // Faces are up to a cell away from the corner, and feel what is half a cell away.
            (0..2).all(|axis| corner[axis] + 1.5 > low[2 * axis] && corner[axis] - 0.5 < high[2 * axis])
        };
        let obstacles = self.obstacles.chunks_exact(WORDS).enumerate();
        let near = obstacles.filter(|(_, words)| is_near(words)).map(|(number, _)| number).collect();
        Columns { near, ..*self }
    }

    /// The words of an obstacle.
    fn words(&self, number: usize) -> &'a [f32] {
        &self.obstacles[number * WORDS..][..WORDS]
    }

    /// The obstacle that covers most of a cell or face with this centre, and how much.
    fn most(&self, centre: [f32; 3]) -> Option<(usize, f32)> {
        let mut most = None;
        for number in &self.near {
            let share = share(self.words(*number), self.distances, centre);
            if share > most.map_or(0.0, |(_, most)| most) {
                most = Some((*number, share));
            }
        }
        most
    }

    /// How solid a sample is, and the word of the obstacle that fills most of it: 0 if there is none or the ground
    /// fills more.
    fn filling(&self, column: usize, sample: usize) -> (f32, u32) {
        let h = self.heights[column];
        if sample < 2 && is_tall(h) {
            return (0.0, 0);
        }
        let ([x, z], y) = (self.corner(column), world_cell(h, sample) as f32);
        let ground = (self.terrain[column] - y).clamp(0.0, 1.0);
        match self.most([x + 0.5, y + 0.5, z + 0.5]) {
            Some((number, share)) if ground <= share => (share, owner_word(number, share)),
            _ => (ground, 0),
        }
    }

    /// Where a column begins along x and z, cells.
    fn corner(&self, column: usize) -> [f32; 2] {
        [(column % self.shape.nx) as f32, (column / self.shape.nx) as f32]
    }

    /// Whether nothing solid touches the cells and faces of a column from this height on.
    fn is_free(&self, ground: f32, y: i32) -> bool {
        self.near.is_empty() && ground <= y as f32
    }

    /// What the samples of a column get; nobody asks for owners if there is no room for them.
    fn samples_line(&self, column: usize, solid: &mut [f32], owner: &mut [u32]) {
        let h = self.heights[column];
        // From the first regular cell on everything is free, if anything is.
        let end = if self.is_free(self.terrain[column], h[1]) { 2 } else { solid.len() };
        solid[end..].fill(0.0);
        owner.fill(0);
        for (sample, solid) in solid[..end].iter_mut().enumerate() {
            let (share, word) = self.filling(column, sample);
            *solid = share;
            if let Some(owner) = owner.get_mut(sample) {
                *owner = word;
            }
        }
    }

    /// What the face entries of a column get; nobody asks for velocities or owners if there is no room for them.
    fn faces_line(&self, (plane, column): (usize, usize), open: &mut [f32], velocity: &mut [f32], owner: &mut [u32]) {
        let (first, end) = self.looked_at(plane, column);
        open[first..end].fill(1.0);
        open[end..].fill(0.0);
        velocity.fill(0.0);
        owner.fill(0);
        for (sample, open) in open[..first].iter_mut().enumerate() {
            let face =
                if plane == 1 { self.vertical_face(column, sample) } else { self.side_face(plane, column, sample) };
            let Some(SingleFace { centre, ground }) = face else {
                *open = if plane == 1 { 1.0 } else { self.open_run(plane, column, sample) };
                continue;
            };
            let most = self.most(centre);
            *open = without_slivers((1.0 - ground).min(1.0 - most.map_or(0.0, |(_, share)| share)));
            let Some((number, share)) = most else { continue };
            if let Some(velocity) = velocity.get_mut(sample) {
                let along = packed::velocity(self.words(number), centre)[plane];
                // Terrain that closes more than the obstacle does is at rest.
                *velocity = if ground > share { along * (share / ground) } else { along };
            }
            if let Some(owner) = owner.get_mut(sample) {
                *owner = if ground > share { 0 } else { owner_word(number, share) };
            }
        }
    }

    /// Face entries below the first number are looked at one by one; from there to the second they are open, and the
    /// others are no faces.
    fn looked_at(&self, plane: usize, column: usize) -> (usize, usize) {
        let n = self.shape.samples();
        if plane == 1 {
            return (if self.near.is_empty() { 2 } else { n }, n);
        }
        let Some(other) = column_before(self.shape, plane, column) else { return (0, 0) };
        let span = SideSpan::new(self.heights[other], self.heights[column], n);
        let ground = 0.5 * (self.terrain[other] + self.terrain[column]);
        let end = (span.regular + 2).clamp(2, n as i32) as usize;
        // Faces from 2 on are free, if the first of them is.
        (if self.is_free(ground, span.cell_of(2)) { 2 } else { end }, end)
    }

    /// The lower face of a cell, if it is no face inside a tall cell; entry 0 is the top of the column, which is air.
    fn vertical_face(&self, column: usize, sample: usize) -> Option<SingleFace> {
        let h = self.heights[column];
        if sample == 0 || (sample == 1 && is_tall(h)) {
            return None;
        }
        let ([x, z], y) = (self.corner(column), world_cell(h, sample) as f32);
        // Terrain lies below: its height is less than H + 1.
        Some(SingleFace { centre: [x + 0.5, y, z + 0.5], ground: 0.0 })
    }

    /// A side face, if there is one that is not in a run.
    fn side_face(&self, plane: usize, column: usize, sample: usize) -> Option<SingleFace> {
        let other = column_before(self.shape, plane, column)?;
        let span = SideSpan::new(self.heights[other], self.heights[column], self.shape.samples());
        if !span.has(sample) || (sample < 2 && span.run[1] - span.run[0] > 2) {
            return None;
        }
        let ground = 0.5 * (self.terrain[other] + self.terrain[column]);
        let ([x, z], y) = (self.corner(column), span.cell_of(sample) as f32);
        let centre = if plane == 0 { [x, y + 0.5, z + 0.5] } else { [x + 0.5, y + 0.5, z] };
        Some(SingleFace { centre, ground: (ground - y).clamp(0.0, 1.0) })
    }

    /// How open an entry is that stands for faces in a run, or for none.
    fn open_run(&self, plane: usize, column: usize, sample: usize) -> f32 {
        let Some(other) = column_before(self.shape, plane, column) else { return 0.0 };
        let span = SideSpan::new(self.heights[other], self.heights[column], self.shape.samples());
        if !span.has(sample) {
            return 0.0;
        }
        let ground = 0.5 * (self.terrain[other] + self.terrain[column]);
        run_end(sample, span.run[1] - span.run[0], (ground - span.run[0] as f32).clamp(0.0, 1.0))
    }
}

/// The number of an obstacle from 1 in the lower half of a word, what it covers in the upper one.
fn owner_word(number: usize, share: f32) -> u32 {
    (number as u32 + 1) | ((share * 65535.0 + 0.5) as u32) << 16
}

/// Faces that are nearly closed are closed. Hardly anything flows through them, so nothing holds their velocity:
/// pressure pushes it up step by step, and the next front takes it for its own.
#[inline(always)]
fn without_slivers(open: f32) -> f32 {
    if open < SLIVER { 0.0 } else { open }
}

/// An end of the line of open fractions over a run whose lowest face is closed by `closed`. Its sum is that of the
/// faces. The least-squares line has their first moment too, but exceeds 1 at its upper end.
fn run_end(sample: usize, count: i32, closed: f32) -> f32 {
    if sample == 0 { 1.0 - 2.0 * closed / count as f32 } else { 1.0 }
}

/// Lines of a buffer; empty ones, if nobody asks for them.
fn lines<T: Send>(
    buffer: &mut [T],
    n: usize,
    count: usize,
    is_wanted: bool,
) -> impl IndexedParallelIterator<Item = &mut [T]> {
    let (room, empty) = if is_wanted { (count * n, 0) } else { (0, count) };
    buffer[..room].par_chunks_mut(n).chain((0..empty).into_par_iter().map(|_| Default::default()))
}

pub(super) fn fractions(p: &SolidsParams, s: FractionsSlices<'_>) {
    let shape = p.shape();
    let (n, len) = (shape.samples(), shape.len());
    let obstacles = &s.obstacles[..p.count as usize * WORDS];
    let (heights, terrain, distances) = (s.heights, s.terrain, s.distances);
    let columns = Columns { shape, heights, terrain, obstacles, distances, near: Vec::new() };
    let count = shape.columns();
    let (of_faces, of_samples) = s.owner.split_at_mut(if p.owned != 0 { 3 * len } else { 0 });
    let samples = s.solid[..len].par_chunks_mut(n).zip(lines(of_samples, n, count, p.owned != 0));
    samples.with_min_len(shape.nx).enumerate().for_each(|(column, (solid, owner))| {
        columns.beside(column).samples_line(column, solid, owner);
    });
    let velocity = lines(s.velocity, n, 3 * count, p.moving != 0);
    let faces = s.open[..3 * len].par_chunks_mut(n).zip(velocity).zip(lines(of_faces, n, 3 * count, p.owned != 0));
    faces.with_min_len(shape.nx).enumerate().for_each(|(index, ((open, velocity), owner))| {
        let (plane, column) = (index / count, index % count);
        columns.beside(column).faces_line((plane, column), open, velocity, owner);
    });
}

/// Half the width of a box, cells: along x or z, where it is less; what fills the domain from wall to wall has no width
/// there.
fn half_width(p: &SolidsParams, [low, high]: [[f32; 3]; 2]) -> f32 {
    let of = |axis: usize, count: u32| {
        let fills = low[axis] < 1.0 && high[axis] > count as f32 - 1.0;
        if fills { f32::MAX } else { 0.5 * (high[axis] - low[axis]) }
    };
    let half = of(0, p.nx).min(of(2, p.nz));
    if half < f32::MAX { half } else { 0.0 }
}

pub(super) fn ceiling(p: &SolidsParams, s: CeilingSlices<'_>) {
    let shape = p.shape();
    let both = s.ceiling[..shape.columns()].par_iter_mut().zip(&mut s.keel[..shape.columns()]);
    both.enumerate().for_each(|(column, (ceiling, keel))| {
        let corner = [(column % shape.nx) as f32, (column / shape.nx) as f32];
        (*ceiling, *keel) = (i32::MAX, [i32::MAX; 2]);
        for (words, moves) in s.obstacles.chunks_exact(WORDS).zip(s.moving).take(p.count as usize) {
            let [low, high] = corners(words);
            // Cells to the box, along x or z.
            let away = [0, 1].map(|axis| (low[2 * axis] - corner[axis] - 1.0).max(corner[axis] - high[2 * axis]));
            let away = away[0].max(away[1]).max(0.0);
            let below = low[1].floor() as i32 - CLEARANCE;
            // The column with its side faces, which feel what is half a cell away.
            if away < if *moves != 0 { AROUND } else { 0.5 } {
                *ceiling = (*ceiling).min(below);
                keel[0] = if *moves != 0 { keel[0].min(below) } else { keel[0] };
            }
            if *moves != 0 {
                let depth = FLOW * half_width(p, [low, high]) - (away - AROUND).max(0.0);
                keel[1] = keel[1].min(below - depth.floor() as i32);
            }
        }
    });
}
