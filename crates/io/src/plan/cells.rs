//! The cells as the map needs them: blocks of them averaged where they are smaller than pixels,
//! each with the quantities that are interpolated between cells.

use std::borrow::Cow;

use super::PlanView;
use crate::colour::{ColourMap, Rgb};

/// What is drawn of each cell.
pub(super) struct Cells {
    pub(super) nx: usize,
    /// Cells along x and z, not rounded: the last block may stick out of the domain.
    pub(super) span: [f32; 2],
    pub(super) looks: Vec<Look>,
    /// Cells with a number that is not finite; empty if there are none.
    pub(super) bad: Vec<bool>,
}

/// One cell. Everything here may be interpolated linearly.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Look {
    /// Above zero where wet; its zero contour is the shoreline.
    pub(super) wetness: f32,
    /// Place in the colour map, 0 to 1.
    pub(super) value: f32,
    /// Brightness by the slope of the water's surface, about -1 to 1.
    pub(super) wave: f32,
    /// Brightness of the ground by its slope, 1 where flat.
    pub(super) relief: f32,
    /// Colour of the ground with that brightness.
    pub(super) land: Rgb,
}

/// Averages over blocks of cells, as many to a side as fit into a pixel; plain cells where pixels
/// are smaller. Blocks of uneven size would fill the map exactly, but show as stripes.
struct Averages {
    nx: usize,
    nz: usize,
    span: [f32; 2],
    /// Metres between neighbours.
    spacing: [f32; 2],
    /// Whether a block is more than one cell.
    reduced: bool,
    cells: Vec<Average>,
}

#[derive(Clone, Copy, Default)]
struct Average {
    bed: f32,
    surface: f32,
    value: f32,
    depth: f32,
    /// Share of the cells that are wet.
    wet: f32,
    bad: bool,
}

impl Cells {
    /// Prepares a view for a map of `w` by `h` pixels.
    pub(super) fn prepare(view: &PlanView<'_>, w: usize, h: usize) -> Self {
        let mut averages = Averages::of(view, w, h);
        let (nx, nz) = (averages.nx, averages.nz);
        let wetness = averages.extend_past_shore();
        let [low, high] = averages.bed_range();
        let land = ColourMap::land();
        let bed_slopes = averages.slopes(|c| Some(c.bed));
        let surface_slopes = averages.slopes(|c| (c.wet > 0.0).then_some(c.surface));
        // The bed does not change from frame to frame, so its shading is free to adapt. The floors
        // keep flat ground plain, and a pool at rest: waves below half a millimetre do not count.
        let [dx, dz] = averages.spacing;
        let stillness = (5e-4 / dx.min(dz)).min(2e-3);
        let bed_scale = 1.4 * typical(&bed_slopes).max(1e-4);
        let wave_scale = 1.2 * typical(&surface_slopes).max(stillness);
        let looks = (0..nx * nz).map(|i| {
            let c = averages.cells[i];
            let height = if high > low { (c.bed - low) / (high - low) } else { 0.3 };
            let shade = 1.0 + 0.5 * levelled(bed_slopes[i] / bed_scale);
            Look {
                wetness: wetness[i],
                value: view.position_in_range(c.value).clamp(0.0, 1.0),
                wave: levelled(surface_slopes[i] / wave_scale),
                relief: shade,
                land: land.at(height).map(|x| (x * shade).min(1.0)),
            }
        });
        let looks = looks.collect();
        let bad: Vec<_> = averages.cells.iter().map(|c| c.bad).collect();
        let bad = if bad.contains(&true) { bad } else { Vec::new() };
        Self { nx, span: averages.span, looks, bad }
    }
}

impl Averages {
    fn of(view: &PlanView<'_>, w: usize, h: usize) -> Self {
        let block = [(view.nx / w.max(1)).max(1), (view.nz / h.max(1)).max(1)];
        let (nx, nz) = (view.nx.div_ceil(block[0]), view.nz.div_ceil(block[1]));
        let mut cells = vec![Average::default(); nx * nz];
        let mut counts = vec![0_u32; nx * nz];
        for k in 0..view.nz {
            let [bed, depth, value] = [view.bed, view.depth, view.values].map(|array| row(array, k, view.nx));
            let blocks = (bed.chunks(block[0])).zip(depth.chunks(block[0])).zip(value.chunks(block[0]));
            let to = k / block[1] * nx;
            let targets = cells[to..].iter_mut().zip(&mut counts[to..]);
            for ((cell, count), ((bed, depth), value)) in targets.zip(blocks) {
                for ((&bed, &depth), &value) in bed.iter().zip(depth).zip(value) {
                    if !(bed.is_finite() && depth.is_finite()) {
                        cell.bad = true;
                        continue;
                    }
                    *count += 1;
                    cell.bed += bed;
                    if depth > view.dry_depth {
                        cell.bad |= !value.is_finite();
                        cell.wet += 1.0;
                        cell.depth += depth;
                        cell.surface += bed + depth;
                        cell.value += value;
                    }
                }
            }
        }
        for (cell, &count) in cells.iter_mut().zip(&counts) {
            if cell.wet > 0.0 {
                cell.surface /= cell.wet;
                cell.value /= cell.wet;
                cell.depth /= cell.wet;
            }
            let n = count.max(1) as f32;
            cell.bed /= n;
            cell.wet /= n;
        }
        let [x, z] = view.extent();
        let span = [view.nx as f32 / block[0] as f32, view.nz as f32 / block[1] as f32];
        Self {
            nx,
            nz,
            span,
            spacing: [x as f32 / span[0].max(1.0), z as f32 / span[1].max(1.0)],
            reduced: block != [1, 1],
            cells,
        }
    }

    /// Gives cells without water the surface and value of their wet neighbours, so that both can
    /// be interpolated right up to the shore, and returns how wet each cell is.
    fn extend_past_shore(&mut self) -> Vec<f32> {
        let mut wetness = vec![-1.0; self.cells.len()];
        let mut extended = Vec::new();
        for (i, &cell) in self.cells.iter().enumerate() {
            let reduced = 2.0 * cell.wet - 1.0;
            if cell.wet > 0.0 && !cell.bad {
                wetness[i] = if self.reduced { reduced } else { cell.depth };
                continue;
            }
            let Some(around) = self.wet_around(i) else {
                continue;
            };
            wetness[i] = if cell.bad {
                around.depth // magenta stands in the water, not on an island
            } else if self.reduced {
                reduced
            } else {
                // The shoreline lies where the neighbours' surface meets the ground, but never
                // deeper in the wet cell than its edge; at its edge if the ground falls away.
                match around.surface - cell.bed {
                    below if below < 0.0 => below.clamp(-around.depth, -1e-3 * around.depth),
                    _ => -around.depth,
                }
            };
            extended.push((i, around, cell.bad));
        }
        for (i, around, bad) in extended {
            let cell = &mut self.cells[i];
            cell.surface = around.surface;
            cell.value = around.value;
            cell.wet = cell.wet.max(f32::MIN_POSITIVE); // has a surface now
            if bad {
                cell.bed = around.bed;
            }
        }
        wetness
    }

    /// Mean of the good wet cells among the eight neighbours.
    fn wet_around(&self, i: usize) -> Option<Average> {
        let (x, z) = (i % self.nx, i / self.nx);
        let mut sum = Average::default();
        let mut n = 0.0;
        for z in z.saturating_sub(1)..(z + 2).min(self.nz) {
            for x in x.saturating_sub(1)..(x + 2).min(self.nx) {
                let c = &self.cells[x + self.nx * z];
                if c.wet > 0.0 && !c.bad {
                    sum.bed += c.bed;
                    sum.surface += c.surface;
                    sum.value += c.value;
                    sum.depth += c.depth;
                    n += 1.0;
                }
            }
        }
        (n > 0.0).then(|| Average {
            bed: sum.bed / n,
            surface: sum.surface / n,
            value: sum.value / n,
            depth: sum.depth / n,
            ..sum
        })
    }

    fn bed_range(&self) -> [f32; 2] {
        let beds = self.cells.iter().filter(|c| !c.bad).map(|c| c.bed);
        beds.fold([f32::INFINITY, f32::NEG_INFINITY], |[lo, hi], b| [lo.min(b), hi.max(b)])
    }

    /// Slope towards the light, which comes from the upper left as on every map. Zero where
    /// `height` has no value.
    fn slopes(&self, height: impl Fn(&Average) -> Option<f32>) -> Vec<f32> {
        const NONE: f32 = f32::NAN;
        let known = |c: &Average| if c.bad { NONE } else { height(c).unwrap_or(NONE) };
        let heights: Vec<f32> = self.cells.iter().map(known).collect();
        let (nx, nz) = (self.nx, self.nz);
        let mut slopes = Vec::with_capacity(heights.len());
        for z in 0..nz {
            for x in 0..nx {
                let i = x + nx * z;
                let west = if x > 0 { heights[i - 1] } else { NONE };
                let east = if x + 1 < nx { heights[i + 1] } else { NONE };
                let south = if z > 0 { heights[i - nx] } else { NONE };
                let north = if z + 1 < nz { heights[i + nx] } else { NONE };
                let along_x = gradient(west, heights[i], east) / self.spacing[0];
                let along_z = gradient(south, heights[i], north) / self.spacing[1];
                slopes.push(std::f32::consts::FRAC_1_SQRT_2 * (along_x - along_z));
            }
        }
        slopes
    }
}

/// Difference per cell: central, one-sided beside a gap or an edge (NaN), zero in a gap.
fn gradient(before: f32, here: f32, after: f32) -> f32 {
    match (before.is_nan(), after.is_nan()) {
        _ if here.is_nan() => 0.0,
        (false, false) => 0.5 * (after - before),
        (true, false) => after - here,
        (false, true) => here - before,
        (true, true) => 0.0,
    }
}

/// Almost `x` when small, and never beyond ±1.
fn levelled(x: f32) -> f32 {
    x / (1.0 + x * x).sqrt()
}

/// Row `k` of an array; what it lacks is NaN.
fn row(array: &[f32], k: usize, nx: usize) -> Cow<'_, [f32]> {
    let rest = array.get(k * nx..).unwrap_or_default();
    match rest.get(..nx) {
        Some(row) => Cow::Borrowed(row),
        None => {
            let mut row = rest.to_vec();
            row.resize(nx, f32::NAN);
            Cow::Owned(row)
        }
    }
}

/// A large but common absolute value: the 90th percentile of a sample of those that are not zero.
fn typical(slopes: &[f32]) -> f32 {
    let every = slopes.len() / 8192 + 1;
    let sample = slopes.iter().step_by(every).map(|s| s.abs());
    let mut sample: Vec<_> = sample.filter(|&s| s > 0.0 && s.is_finite()).collect();
    if sample.is_empty() {
        return 0.0;
    }
    let at = sample.len() * 9 / 10;
    *sample.select_nth_unstable_by(at, f32::total_cmp).1
}
