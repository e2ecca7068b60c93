use multiversion::multiversion;
use rayon::prelude::*;
use thalweg_columns::grid::{face_base, first_cell, first_sample, is_tall, world_cell};
use thalweg_columns::interpolate::{SideSpan, cell_at};
use thalweg_columns::{Heights, Shape};

use super::{NEAR, StatsParams, StatsSlices, StatsTotalSlices, WORDS, word};

/// Columns that one task handles. Tasks are joined in their order, whoever ran them.
const CHUNK: usize = 64;

#[derive(Debug, Clone, Copy)]
struct Totals {
    full: u32,
    part: f64,
    energy: f64,
    /// Bits of a float that is not negative.
    speed: u32,
    highest: i32,
    wet: u32,
    broken: u32,
    near: u32,
}

impl Totals {
    const NOTHING: Self =
        Self { full: 0, part: 0.0, energy: 0.0, speed: 0, highest: i32::MIN, wet: 0, broken: 0, near: 0 };

    fn joined(self, other: Self) -> Self {
        Self {
            full: self.full + other.full,
            part: self.part + other.part,
            energy: self.energy + other.energy,
            speed: self.speed.max(other.speed),
            highest: self.highest.max(other.highest),
            wet: self.wet + other.wet,
            broken: self.broken + other.broken,
            near: self.near + other.near,
        }
    }

    fn pack(&self) -> [u32; WORDS] {
        let mut words = [0; WORDS];
        words[word::FULL] = self.full;
        words[word::PART] = (self.part as f32).to_bits();
        words[word::ENERGY] = (self.energy as f32).to_bits();
        words[word::SPEED] = self.speed;
        words[word::HIGHEST] = self.highest as u32;
        words[word::WET] = self.wet;
        words[word::BROKEN] = self.broken;
        words[word::NEAR_SURFACE] = self.near;
        words
    }

    fn unpack(words: &[u32]) -> Self {
        let float = |at: usize| f64::from(f32::from_bits(words[at]));
        Self {
            full: words[word::FULL],
            part: float(word::PART),
            energy: float(word::ENERGY),
            speed: words[word::SPEED],
            highest: words[word::HIGHEST] as i32,
            wet: words[word::WET],
            broken: words[word::BROKEN],
            near: words[word::NEAR_SURFACE],
        }
    }

    /// Counts single cells from world cell `y` upwards.
    #[inline(always)]
    fn add_cells(&mut self, y: i32, phi: &[f32], solid: &[f32]) {
        for (j, (phi, solid)) in phi.iter().zip(solid).enumerate() {
            // Nothing of the cell is water, or its level set is not a number.
            if *phi >= 0.5 || !phi.is_finite() {
                continue;
            }
            self.add_cell(y + j as i32, *phi, *solid);
        }
    }

    /// Counts faces between single cells with these level sets.
    #[inline(always)]
    fn add_faces(&mut self, u: &[f32], open: &[f32], lower: &[f32], upper: &[f32]) {
        let length = u.len();
        let (open, lower, upper) = (&open[..length], &lower[..length], &upper[..length]);
        let (mut speed, mut broken) = (0, 0);
        for j in 0..length {
            let magnitude = u[j].abs().to_bits();
            let finite = magnitude < f32::INFINITY.to_bits();
            let counts = finite & ((lower[j] < 0.0) | (upper[j] < 0.0));
            speed = speed.max(if counts { magnitude } else { 0 });
            broken += u32::from(!finite);
        }
        self.speed = self.speed.max(speed);
        self.broken += broken;
        for j in 0..length {
            if lower[j] < 0.0 && upper[j] < 0.0 && u[j].is_finite() {
                self.energy += face_energy(open[j], u[j]);
            }
        }
    }

    #[inline(always)]
    fn add_cell(&mut self, y: i32, phi: f32, solid: f32) {
        let volume = ((0.5 - phi).clamp(0.0, 1.0) - solid).max(0.0);
        if volume == 1.0 {
            self.full += 1;
        } else {
            self.part += f64::from(volume);
        }
        if phi < 0.0 && solid < 1.0 {
            self.wet += 1;
            self.near += u32::from(phi > -NEAR);
            self.highest = self.highest.max(y);
        }
    }

    /// Counts the velocity of a face, which counts as a speed if the face touches water; returns whether it is one.
    fn add_speed(&mut self, u: f32, touches_water: bool) -> bool {
        if !u.is_finite() {
            self.broken += 1;
        } else if touches_water {
            self.speed = self.speed.max(u.abs().to_bits());
        }
        u.is_finite()
    }
}

struct Water<'a> {
    shape: Shape,
    heights: &'a [Heights],
    s: &'a StatsSlices<'a>,
}

impl Water<'_> {
    #[inline(always)]
    fn phi(&self, column: usize) -> &[f32] {
        let n = self.shape.samples();
        &self.s.phi[column * n..][..n]
    }

    #[inline(always)]
    fn is_wet(&self, column: usize, y: i32) -> bool {
        cell_at(self.phi(column), self.heights[column], y) < 0.0
    }

    #[inline(always)]
    fn add_column(&self, totals: &mut Totals, column: usize) {
        let h = self.heights[column];
        let (n, phi) = (self.shape.samples(), self.phi(column));
        totals.broken += phi.iter().map(|v| u32::from(!v.is_finite())).sum::<u32>();
        if is_tall(h) {
            self.add_tall(totals, column);
        }
        let first = first_sample(h);
        totals.add_cells(world_cell(h, first), &phi[first..], &self.s.solid[column * n + first..][..n - first]);
        self.add_vertical(totals, column);
        for (plane, other) in [
            (0, (!column.is_multiple_of(self.shape.nx)).then(|| column - 1)),
            (2, (column >= self.shape.nx).then(|| column - self.shape.nx)),
        ] {
            if let Some(other) = other {
                self.add_sides(totals, plane, other, column);
            }
        }
    }

    /// The cells inside a tall cell. The ground cuts the lowest.
    fn add_tall(&self, totals: &mut Totals, column: usize) {
        let h = self.heights[column];
        let phi = self.phi(column);
        let ground = (self.s.terrain[column] - h[0] as f32).clamp(0.0, 1.0);
        if !(phi[0].is_finite() && phi[1].is_finite()) {
            return;
        }
        if phi[0] <= -0.5 && phi[1] <= -0.5 {
            let inside = (h[1] - h[0] - 1) as u32;
            totals.full += inside;
            totals.wet += inside;
            totals.highest = totals.highest.max(h[1] - 1);
            totals.add_cell(h[0], phi[0], ground);
        } else if phi[0] < 0.5 || phi[1] < 0.5 {
            for y in h[0]..h[1] {
                totals.add_cell(y, cell_at(phi, h, y), if y == h[0] { ground } else { 0.0 });
            }
        }
    }

    /// y faces: the line inside a tall cell, the lower faces of all other cells, the top.
    #[inline(always)]
    fn add_vertical(&self, totals: &mut Totals, column: usize) {
        let h = self.heights[column];
        let n = self.shape.samples();
        let at = self.shape.len() + column * n;
        let (u, open) = (&self.s.faces[at..][..n], &self.s.open[at..][..n]);
        let inner = self.s.inner[column];
        let phi = self.phi(column);
        totals.add_speed(u[0], phi[n - 1] < 0.0);
        if is_tall(h) {
            totals.add_speed(u[1], self.is_wet(column, h[1] - 2) || phi[1] < 0.0);
        }
        let first = if is_tall(h) { 2 } else { 1 };
        totals.add_faces(&u[first..], &open[first..], &phi[first - 1..], &phi[first..]);
        if is_tall(h)
            && totals.add_speed(inner, self.is_wet(column, h[0]) || self.is_wet(column, h[0] + 1))
            && u[1].is_finite()
        {
            let run = Run { first: h[0] + 1, count: h[1] - h[0] - 1, open: [open[1]; 2], u: [inner, u[1]] };
            let ends = [self.is_wet(column, h[0]), self.is_wet(column, h[1] - 1)];
            totals.energy += run.energy(ends, |y| self.is_wet(column, y - 1) && self.is_wet(column, y));
        }
    }

    /// Side faces towards a neighbour.
    #[inline(always)]
    fn add_sides(&self, totals: &mut Totals, plane: usize, other: usize, column: usize) {
        let n = self.shape.samples();
        let span = SideSpan::new(self.heights[other], self.heights[column], n);
        let at = plane * self.shape.len() + column * n;
        let (u, open) = (&self.s.faces[at..][..n], &self.s.open[at..][..n]);
        let wet = |y: i32| self.is_wet(other, y) && self.is_wet(column, y);
        let count = span.run[1] - span.run[0];
        // Entries from `first` on have single cells on both sides.
        let base = face_base(span.run);
        let end = (span.regular + 2).clamp(2, n as i32);
        let first = first_cell(self.heights[other]).max(first_cell(self.heights[column]));
        let first = (first - base + 2).clamp(2, end);
        for sample in (0..first as usize).filter(|sample| span.has(*sample)) {
            let y = span.cell_of(sample);
            let finite = totals.add_speed(u[sample], self.is_wet(other, y) || self.is_wet(column, y));
            let single = sample > 1 || (sample == 1 && count == 1);
            if single && finite && wet(y) {
                totals.energy += face_energy(open[sample], u[sample]);
            }
        }
        if first < end {
            let cells = |column: usize| &self.phi(column)[(base + first - self.heights[column][1]) as usize..];
            let range = first as usize..end as usize;
            totals.add_faces(&u[range.clone()], &open[range], cells(other), cells(column));
        }
        if count > 1 && u[0].is_finite() && u[1].is_finite() {
            let run = Run { first: span.run[0], count, open: [open[0], open[1]], u: [u[0], u[1]] };
            let (low, high) = (span.run[0], span.run[1] - 1);
            let ends = [(other, low), (other, high), (column, low), (column, high)].map(|(c, y)| self.is_wet(c, y));
            totals.energy += run.energy(ends, wet);
        }
    }
}

#[inline(always)]
fn face_energy(open: f32, u: f32) -> f64 {
    0.5 * f64::from(open) * f64::from(u).powi(2)
}

/// Faces above each other whose open fractions and velocities are lines.
struct Run {
    first: i32,
    count: i32,
    open: [f32; 2],
    u: [f32; 2],
}

impl Run {
    /// `Σ ½ a u²` over the wet faces. If all ends of the lines around it are wet, all faces are; if all are dry, none.
    fn energy<const N: usize>(&self, ends: [bool; N], wet: impl Fn(i32) -> bool) -> f64 {
        if ends == [true; N] {
            return 0.5 * self.sum();
        }
        if ends == [false; N] {
            return 0.0;
        }
        let (a, u) = (self.line(self.open), self.line(self.u));
        let at = |line: [f64; 2], m: i32| line[0] + line[1] * f64::from(m);
        let faces = (0..self.count).filter(|m| wet(self.first + m));
        faces.map(|m| 0.5 * at(a, m) * at(u, m).powi(2)).sum()
    }

    /// `Σ a u²` over all faces, in closed form.
    fn sum(&self) -> f64 {
        let n = f64::from(self.count);
        let s1 = n * (n - 1.0) * 0.5;
        let s2 = s1 * (2.0 * n - 1.0) / 3.0;
        let s3 = s1 * s1;
        let ([a, da], [u, du]) = (self.line(self.open), self.line(self.u));
        let (c0, c1, c2) = (u * u, 2.0 * u * du, du * du);
        a * (c0 * n + c1 * s1 + c2 * s2) + da * (c0 * s1 + c1 * s2 + c2 * s3)
    }

    /// Value and slope of the line between two ends.
    fn line(&self, ends: [f32; 2]) -> [f64; 2] {
        let [first, last] = ends.map(f64::from);
        [first, (last - first) / f64::from((self.count - 1).max(1))]
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2+fma"))]
fn add_columns(water: &Water<'_>, columns: std::ops::Range<usize>) -> Totals {
    let mut totals = Totals::NOTHING;
    columns.for_each(|column| water.add_column(&mut totals, column));
    totals
}

pub(super) fn stats(p: &StatsParams, s: StatsSlices<'_>) {
    let shape = p.shape();
    let water = Water { shape, heights: &s.heights[..shape.columns()], s: &s };
    let parts: Vec<Totals> = water
        .heights
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, columns)| add_columns(&water, chunk * CHUNK..chunk * CHUNK + columns.len()))
        .collect();
    let total = parts.into_iter().fold(Totals::NOTHING, Totals::joined);
    // The first of many partial results.
    let partials = &mut s.partials[..p.groups as usize * WORDS];
    for words in partials.chunks_exact_mut(WORDS) {
        words.copy_from_slice(&Totals::NOTHING.pack());
    }
    partials[..WORDS].copy_from_slice(&total.pack());
}

pub(super) fn stats_total(p: &StatsParams, s: StatsTotalSlices<'_>) {
    let partials = s.partials[..p.groups as usize * WORDS].chunks_exact(WORDS).map(Totals::unpack);
    s.result[..WORDS].copy_from_slice(&partials.fold(Totals::NOTHING, Totals::joined).pack());
}
